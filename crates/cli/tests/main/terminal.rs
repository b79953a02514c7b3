//! What a terminal gets: nothing of a transcript's that it would obey, however the transcript is shown.

use std::process::Command;

use scrollback_testkit::home::Store;

use crate::program::Program;

const ID: &str = "aaaa1111-0000-4000-8000-000000000001";

/// A session with a line that is torn, and holds what a terminal obeys: another title, a cleared screen, something for the
/// clipboard, letters in reverse.
fn hostile() -> Program {
    let line = format!(
        r#"{{"parentUuid":null,"isSidechain":false,"type":"user","uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-11-01T10:00:00.000Z","cwd":"/x","sessionId":"{ID}","version":"2.1.200","message":{{"role":"user","content":"naïve 天気"}}}}"#
    );
    let torn = "{\"type\":\"user\",\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}]52;c;cm0=\u{7}\u{202e}txt";
    Program::with(Store::new().lines(format!("projects/-x/{ID}.jsonl"), [line.as_str(), torn]))
}

/// What a terminal is given by a run.
fn drawn(program: &Program, arguments: &[&str]) -> String {
    let plain = program.command(arguments);
    let mut command = Command::new("python3");
    command.args(["-c", "import pty, sys; pty.spawn(sys.argv[1:])"]).arg(plain.get_program()).args(arguments);
    command.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("SCROLLBACK_PAGER", "").env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn raw_lines_are_made_harmless_on_a_terminal_and_nowhere_else() {
    let program = hostile();
    let shown = drawn(&program, &["show", ID, "--raw", "--color", "never"]);
    assert!(shown.contains("naïve 天気") && shown.contains("owned"), "{shown:?}");
    let obeyed = shown.chars().find(|c| matches!(c, '\u{1b}' | '\u{7}' | '\u{202e}'));
    assert_eq!(obeyed, None, "{shown:?}");
    let file = std::fs::read(program.root().join(format!("projects/-x/{ID}.jsonl"))).unwrap();
    assert_eq!(program.run(&["show", ID, "--raw"]).stdout, file, "a pipe gets every byte");
}
