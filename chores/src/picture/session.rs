//! The program on a terminal: what it draws, as a screen. Nothing of this machine gets into it: home, clock, zone and size
//! are fixed, and there is no cache.

use std::io::Write;
use std::num::NonZeroU16;
use std::path::Path;
use std::process::{Command, Stdio};

use scrollback_testkit::workspace;
use serde_json::{Value, json};
use vt100::{Parser, Screen};

/// A full-screen program shows this when it leaves; what comes after is no longer its screen.
const LEAVES: &str = "\u{1b}[?1049l";

/// Runs the program, presses keys, and gives the screen that it left: of a longer output the beginning.
pub fn run(
    program: &Path,
    arguments: &[&str],
    (columns, lines): (u16, u16),
    steps: &Value,
) -> Result<Screen, String> {
    let home = tempfile::tempdir().map_err(|cause| cause.to_string())?;
    let mut argv = vec![program.display().to_string()];
    argv.extend(arguments.iter().map(|word| (*word).to_owned()));
    let wanted = json!({
        "argv": argv,
        "cwd": home.path(),
        "env": {
            "HOME": home.path(), "TMPDIR": home.path(), "TERM": "xterm-256color", "TZ": "UTC", "PATH": "",
            "SCROLLBACK_NOW": "2026-11-15T18:00:00.000Z", "SCROLLBACK_PAGER": "", "SCROLLBACK_CACHE_DIR": "",
        },
        "size": [columns, lines], "stdout": "terminal", "steps": steps,
    });
    let told = press(&wanted)?;
    let drawn = told["drawn"].as_str().unwrap_or_default();
    let shown = drawn.split(LEAVES).next().unwrap_or_default();
    // Of what runs through the screen the first lines are taken.
    let shown = if drawn.len() == shown.len() { beginning(shown, lines) } else { shown };
    let count = |number: u16| NonZeroU16::new(number).ok_or("a screen has lines and columns");
    let mut parser = Parser::new(count(lines)?, count(columns)?, 0);
    parser.process(shown.as_bytes());
    Ok(parser.screen().clone())
}

/// So many lines, without the end of the last one.
fn beginning(text: &str, lines: u16) -> &str {
    let end = text.match_indices("\r\n").nth(usize::from(lines).saturating_sub(1));
    end.map_or(text, |(at, _)| &text[..at])
}

/// Lets the script that tests use drive the program.
fn press(wanted: &Value) -> Result<Value, String> {
    let script = workspace().join("crates/cli/tests/main/keyboard.py");
    let mut driver = Command::new("python3");
    let driver = driver.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = driver.spawn().map_err(|cause| format!("python3: {cause}"))?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(wanted.to_string().as_bytes()).map_err(|cause| cause.to_string())?;
    }
    let output = child.wait_with_output().map_err(|cause| cause.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|cause| cause.to_string())
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn of_a_long_output_the_first_lines_are_taken() {
        assert_eq!(beginning("a\r\nb\r\nc\r\n", 2), "a\r\nb");
        assert_eq!(beginning("a\r\nb", 2), "a\r\nb");
    }
}
