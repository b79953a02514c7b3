//! `cargo xtask client VERSION`: has a client version record stores and requests, and says what is new in them.
//!
//! ```text
//! tools/lab/bin ──► LAB/bin ──► LAB/cc-V, LAB/home-V ──► LAB/trees/V, LAB/oracle/V ──► what is new
//! ```
//!
//! The scripts of `tools/lab/bin` do all that touches the client or the network; this copies and starts them, and compares what
//! they leave with the kinds and fields that we know, with the newest recorded version before, and with the simulator.
//! Never opens a file of the client's own package.

mod lab;
mod news;
mod rules;

use std::path::PathBuf;

use scrollback_format::version::ClientVersion;

use lab::Lab;

const USAGE: &str = "\
usage: cargo xtask client VERSION [--lab DIR] [--recorded]

  --lab DIR    where clients are installed and recordings are kept (default target/lab)
  --recorded   run no client: compare what is recorded there already";

struct Options {
    version: String,
    lab: PathBuf,
    recorded: bool,
}

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = decode(arguments)?;
    let lab = Lab::at(&options.lab)?;
    if !options.recorded {
        lab.record(&options.version)?;
    }
    let store = news::tell(&lab, &options.version)?;
    let requests = rules::tell(&lab, &options.version)?;
    println!(
        "{}: {store} kinds, fields and files are new, {requests} cases differ from the simulator",
        options.version
    );
    Ok(())
}

fn decode(arguments: &[String]) -> Result<Options, String> {
    let workspace = scrollback_testkit::workspace();
    let (mut version, mut lab, mut recorded) = (None, workspace.join("target/lab"), false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--lab" => {
                let value = words.next().ok_or_else(|| format!("--lab needs a value\n\n{USAGE}"))?;
                lab = PathBuf::from(value);
            }
            "--recorded" => recorded = true,
            word if version.is_none() && ClientVersion::decode(word).is_some() => {
                version = Some(word.to_owned());
            }
            word => return Err(format!("client takes no {word}\n\n{USAGE}")),
        }
    }
    Ok(Options { version: version.ok_or(USAGE)?, lab, recorded })
}
