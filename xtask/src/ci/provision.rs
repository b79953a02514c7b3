//! Installs what the steps need on a fresh Debian machine that has Rust and nothing else.
//!
//! Never fatal: where something cannot be had, a line says so, and the step that needs it fails by itself.

use std::env;
use std::process::Command;

use crate::environment::Environment;

/// Programs that tests, judge and benchmarks call, with the Debian package that has each.
const PROGRAMS: [(&str, &str); 8] = [
    ("bash", "bash"),
    ("fish", "fish"),
    ("git", "git"),
    ("jq", "jq"),
    ("less", "less"),
    ("python3", "python3"),
    ("rg", "ripgrep"),
    ("zsh", "zsh"),
];

/// rustfmt and clippy, by rustup where they are missing.
pub fn rust_components(environment: &Environment) {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if environment.has_cargo(subcommand) {
            println!("{component}: present");
            continue;
        }
        let added = environment.command("rustup").args(["component", "add", component]).status();
        match added {
            Ok(status) if status.success() => println!("{component}: installed by rustup"),
            _ => println!("{component}: missing, and rustup cannot add it"),
        }
    }
}

/// The Debian packages whose programs are missing, by apt-get.
pub fn debian_packages() {
    let missing: Vec<&str> =
        PROGRAMS.iter().filter(|(program, _)| !on_path(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        let packages = PROGRAMS.map(|(_, package)| package);
        println!("{}: present", packages.join(", "));
        return;
    }
    let words = missing.join(", ");
    let Some(privilege) = privilege() else {
        println!("{words}: missing, and neither apt-get as root nor sudo is at hand: left out");
        return;
    };
    let install = ["install", "--yes", "--no-install-recommends"];
    let installed = apt_get(privilege, &["update"]) && apt_get(privilege, &[&install[..], &missing].concat());
    println!(
        "{words}: {}",
        if installed { "installed by apt-get" } else { "missing, and apt-get failed: left out" }
    );
}

/// The words before `apt-get`: none for root, `sudo` where it asks for no password; None where neither works.
fn privilege() -> Option<&'static [&'static str]> {
    if !on_path("apt-get") {
        return None;
    }
    let user = Command::new("id").arg("-u").output().ok()?;
    if user.stdout.trim_ascii() == b"0" {
        return Some(&[]);
    }
    let sudo = Command::new("sudo").args(["-n", "true"]).status();
    sudo.is_ok_and(|status| status.success()).then_some(&["sudo", "-n"])
}

fn apt_get(privilege: &[&str], arguments: &[&str]) -> bool {
    let words =
        [privilege, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"], arguments].concat();
    println!("$ {}", words.join(" "));
    Command::new(words[0]).args(&words[1..]).status().is_ok_and(|status| status.success())
}

fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
