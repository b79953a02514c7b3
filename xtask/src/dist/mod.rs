//! `cargo xtask dist`: the archive that is handed out, with its checksum beside it.
//!
//! `target/dist/scrollback-<version>-<target>.tar.gz` (`.zip` on Windows) holds one directory of the same name:
//!
//! ```text
//! scrollback                     the program, stripped
//! README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT
//! completions/                   scrollback.bash, _scrollback (zsh), scrollback.fish, _scrollback.ps1
//! man/man1/                      scrollback.1, and scrollback-<command>.1 for each command
//! ```
//!
//! That is the shape that `cargo binstall` and a Homebrew formula take. The same program gives the same archive: names
//! are sorted, times and owners fixed.

mod archive;
mod check;
mod contents;

use std::path::PathBuf;

use contents::Contents;

use crate::environment::Environment;

const USAGE: &str = "\
usage: cargo xtask dist [--target TRIPLE] [--check]

  --target TRIPLE   build for this target, whose programs must run here [default: the host]
  --check           then unpack the archive, run the program in it, and pack it once more";

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let environment = Environment::hermetic()?;
    let release = Release::build(&environment, options.target)?;
    let contents = Contents::gather(&environment, &release)?;
    let file = archive::pack(&environment, &release, &contents)?;
    let size = std::fs::metadata(&file).map_or(0, |found| found.len());
    let program = std::fs::metadata(&release.program).map_or(0, |found| found.len());
    println!("{}: {}, the program {}", file.display(), megabytes(size), megabytes(program));
    if options.check {
        check::run(&environment, &release, &contents, &file)?;
    }
    Ok(())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[derive(Default)]
struct Options {
    target: Option<String>,
    check: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--check" => options.check = true,
                "--target" => options.target = Some(words.next().ok_or(USAGE)?.clone()),
                other => return Err(format!("unknown option '{other}'\n\n{USAGE}")),
            }
        }
        Ok(options)
    }
}

/// What is handed out.
pub struct Release {
    /// `scrollback-0.1.0-x86_64-unknown-linux-gnu`: the archive and the directory in it.
    pub name: String,
    /// The program, built.
    pub program: PathBuf,
    /// Where archives go.
    pub folder: PathBuf,
    /// Is it for Windows?
    pub windows: bool,
}

impl Release {
    /// Builds the program with the profile `dist`.
    fn build(environment: &Environment, target: Option<String>) -> Result<Self, String> {
        let mut command = environment.cargo();
        command.args(["build", "--profile", "dist", "--package", "scrollback"]);
        if let Some(target) = &target {
            command.args(["--target", target]);
        }
        match command.status() {
            Ok(status) if status.success() => {}
            _ => return Err("the program does not build".to_owned()),
        }
        let output = target_directory();
        let built = target.as_ref().map_or(output.clone(), |target| output.join(target)).join("dist");
        let target = target.map_or_else(|| host(environment), Ok)?;
        let windows = target.contains("windows");
        let program = built.join(if windows { "scrollback.exe" } else { "scrollback" });
        let name = format!("scrollback-{}-{target}", version()?);
        Ok(Self { name, program, folder: output.join("dist"), windows })
    }
}

fn target_directory() -> PathBuf {
    let given = std::env::var_os("CARGO_TARGET_DIR").filter(|value| !value.is_empty());
    // A relative one is meant from where cargo runs, which is the workspace.
    crate::workspace().join(given.map_or_else(|| "target".into(), PathBuf::from))
}

/// The target that the compiler builds for by default.
fn host(environment: &Environment) -> Result<String, String> {
    let output =
        environment.command("rustc").arg("-vV").output().map_err(|cause| format!("rustc: {cause}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or("rustc -vV names no host".to_owned())
}

/// The version of the workspace.
fn version() -> Result<String, String> {
    let path = crate::workspace().join("Cargo.toml");
    let text = std::fs::read_to_string(&path).map_err(|cause| format!("{}: {cause}", path.display()))?;
    let package = text.split("[workspace.package]").nth(1).unwrap_or_default();
    let version = package.lines().find_map(|line| line.strip_prefix("version = \""));
    version.map(|rest| rest.trim_end_matches('"').to_owned()).ok_or("Cargo.toml has no version".to_owned())
}
