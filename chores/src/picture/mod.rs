//! `cargo xtask picture`: the pictures of README.md, painted from what the real program shows of the built-in sample.
//!
//! ```text
//! cargo xtask picture           builds the program, writes docs/pictures/*.svg
//! cargo xtask picture --check   fails if these are not what would be written
//! ```
//!
//! The program runs on a terminal of its own with a fixed size, clock and zone (`session`); a terminal emulator makes a
//! screen of what it has drawn; `svg` paints the screen cell by cell. The same program gives the same bytes.

mod glyph;
mod palette;
mod session;
mod svg;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use scrollback_testkit::workspace;
use serde_json::{Value, json};

const USAGE: &str = "usage: cargo xtask picture [--check]";
/// A larger one would be felt by who opens the page.
const LARGEST: usize = 60_000;

/// A picture.
struct Picture {
    /// `docs/pictures/<name>.svg`
    name: &'static str,
    /// What stands in the frame of the window: the command as a reader would type it.
    title: &'static str,
    /// Arguments of the program.
    arguments: &'static [&'static str],
    /// Columns and lines.
    size: (u16, u16),
    /// What is seen and pressed, as `tests/main/keyboard.py` of the command line takes it.
    steps: fn() -> Value,
}

const PICTURES: [Picture; 2] = [
    Picture {
        name: "show",
        title: "scrollback show 85835976",
        arguments: &["--sample", "show", "85835976"],
        size: (100, 34),
        steps: || json!([]),
    },
    Picture {
        name: "pick",
        title: "scrollback pick",
        arguments: &["--sample", "pick"],
        size: (128, 26),
        // The second one, which is not in the other picture.
        steps: || {
            json!([
                ["see", "all "],
                ["press", "/orbit"],
                ["see", "one time"],
                ["press", "\u{1b}[B"],
                ["see", "214 src/tle.rs"],
                ["press", "\u{1b}"],
            ])
        },
    },
];

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let checks = match words.as_slice() {
        [] => false,
        ["--check"] => true,
        _ => return Err(USAGE.to_owned()),
    };
    let program = build()?;
    let mut stale = Vec::new();
    for picture in &PICTURES {
        let screen = session::run(&program, picture.arguments, picture.size, &(picture.steps)())?;
        let text = svg::paint(&screen, picture.size, picture.title);
        if text.len() > LARGEST {
            return Err(format!("{}.svg has {} bytes, more than {LARGEST}", picture.name, text.len()));
        }
        let path = workspace().join("docs/pictures").join(format!("{}.svg", picture.name));
        if !checks {
            write(&path, &text)?;
            println!("{}: {} bytes", path.display(), text.len());
        } else if fs::read_to_string(&path).unwrap_or_default() != text {
            stale.push(format!("docs/pictures/{}.svg", picture.name));
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("{} out of date: run cargo xtask picture", stale.join(", ")))
}

/// The program, built as tests have it.
fn build() -> Result<PathBuf, String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // With this crate, so that libraries have the features that it was built with, and nothing is built twice.
    command.args(["build", "--quiet", "--package", "scrollback", "--package", "chores"]);
    command.arg("--message-format=json-render-diagnostics");
    let output = command.current_dir(workspace()).output().map_err(|cause| format!("cargo: {cause}"))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut built = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let program = message["executable"].as_str().map(PathBuf::from);
        program.filter(|_| message["target"]["name"] == "scrollback")
    });
    match built.next_back() {
        Some(program) if output.status.success() => Ok(program),
        _ => Err(format!("the program does not build:\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}

fn write(path: &PathBuf, text: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(told)?;
    }
    fs::write(path, text).map_err(told)
}
