//! Completion in real shells: what a person gets who presses the key, from a catalogue as it stands.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use scrollback_testkit::home::Store;
use serde_json::json;

use crate::program::Program;

const NEWER: &str = "bbbb2222-0000-4000-8000-000000000002";
const OLDER: &str = "aaaa1111-0000-4000-8000-000000000001";
const AGENT: &str = "a1b2c3d4e5f607182";
/// A title that would do something wherever a shell took it for more than text.
const EVIL: &str =
    "it's \"$(touch owned)\" `touch owned`; touch owned \\ a:b\n\u{1b}]0;x\u{7} 🎉 %F{red} \u{202e}x";

fn line(text: &str, project: &str, day: u8) -> String {
    json!({
        "type": "user", "uuid": "u1", "parentUuid": null, "cwd": project, "sessionId": "s", "version": "2.1.9",
        "gitBranch": "main", "timestamp": format!("2026-11-{day:02}T10:00:00.000Z"),
        "message": { "role": "user", "content": text },
    })
    .to_string()
}

/// A store with two sessions and an agent; its catalogue is made if that is asked for.
fn home(has_catalogue: bool) -> Program {
    let answer = json!({
        "type": "assistant", "uuid": "u2", "parentUuid": "u1", "timestamp": "2026-11-02T10:01:00.000Z",
        "message": { "id": "m", "role": "assistant", "model": "claude-opus-5-5",
            "content": [{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "ls" } }] },
    });
    let store = Store::new()
        .lines(
            format!("projects/-p/{OLDER}.jsonl"),
            [line("Why does the nightly job die?", "/p/it's $(touch owned)", 1)],
        )
        .lines(format!("projects/-q/{NEWER}.jsonl"), [line(EVIL, "/q/orbit", 2), answer.to_string()])
        .lines(
            format!("projects/-q/{NEWER}/subagents/agent-{AGENT}.jsonl"),
            [line("Look around", "/q/orbit", 2)],
        );
    let program = Program::with(store);
    if has_catalogue {
        assert_eq!(program.run(&["ls"]).status.code(), Some(0));
    }
    program
}

fn offered(program: &Program, words: &[&str]) -> Vec<String> {
    let all: Vec<&str> = ["complete", "--", "scrollback"].iter().chain(words).copied().collect();
    let output = program.run(&all);
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (Some(0), ""),
        "{words:?}"
    );
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn values(program: &Program, words: &[&str]) -> Vec<String> {
    let value = |line: String| line.split('\t').next().unwrap_or_default().to_owned();
    offered(program, words).into_iter().map(value).collect()
}

#[test]
fn arguments_are_completed_from_the_catalogue() {
    let program = home(true);
    assert_eq!(values(&program, &["show", ""]), ["last", "bbbb2222", "aaaa1111"]);
    assert_eq!(offered(&program, &["show", "aa"]), ["aaaa1111\tWhy does the nightly job die?"]);
    assert_eq!(values(&program, &["show", "bbbb2222-"]), [NEWER], "more than the short id was typed");
    assert_eq!(values(&program, &["tag", "nightly"]), ["aaaa1111"], "a title that only one has");
    assert_eq!(values(&program, &["show", "bbbb2222/a"]), [format!("bbbb2222/{AGENT}")]);
    assert_eq!(values(&program, &["fork", "bbbb2222/a"]), [""; 0], "fork copies whole sessions");
    assert_eq!(values(&program, &["ls", "-p", "orb"]), ["orbit"]);
    assert_eq!(values(&program, &["ls", "--project=/q"]), ["--project=/q/orbit"]);
    assert_eq!(values(&program, &["ls", "--tool", ""]), ["Bash"]);
    assert_eq!(values(&program, &["ls", "--branch", "m"]), ["main"]);
    assert_eq!(values(&program, &["ls", "--model", "claude"]), ["claude-opus-5-5"]);
    assert_eq!(values(&program, &["ls", "--client", "2"]), ["2.1.9"]);
    assert_eq!(values(&program, &["ls", "--tag", ""]), [""; 0]);
    assert_eq!(program.run(&["tag", "aaaa", "nightly"]).status.code(), Some(0));
    assert_eq!(values(&program, &["ls", "--tag", ""]), ["nightly"]);
    assert_eq!(values(&program, &["sho"]), ["show"]);
    assert!(values(&program, &["show", "--th"]).contains(&"--thinking".to_owned()));
    assert!(!values(&program, &[""]).contains(&"complete".to_owned()));
}

#[test]
fn descriptions_are_one_harmless_line() {
    let program = home(true);
    let lines = offered(&program, &["show", "bbbb"]);
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(line.starts_with("bbbb2222\tit's \"$(touch owned)\""), "{line}");
    assert!(!line.chars().any(|char| (char.is_control() && char != '\t') || char == '\u{202e}'), "{line:?}");
}

#[test]
fn without_a_catalogue_only_names_of_files_here_are_read_and_nothing_is_made() {
    let program = home(false);
    assert_eq!(values(&program, &["show", "aa"]), [""; 0], "another project's");
    assert_eq!(values(&program, &["ls", "-p", ""]), [""; 0]);
    assert!(!program.root().parent().unwrap().join(".cache").exists());
    let folder = scrollback_format::folder::names(program.root().parent().unwrap().to_str().unwrap());
    let here = program.root().join("projects").join(&folder[0]);
    std::fs::create_dir_all(&here).unwrap();
    std::fs::write(here.join(format!("{OLDER}.jsonl")), "not read").unwrap();
    assert_eq!(values(&program, &["show", "aa"]), [OLDER]);
    std::fs::remove_dir_all(program.root()).unwrap();
    assert_eq!(values(&program, &["show", "aa"]), [""; 0], "no store");
    assert_eq!(values(&program, &["--sample", "show", "85"]), [""; 0], "the sample has no catalogue");
    assert_eq!(values(&program, &[]), [""; 0]);
}

#[test]
fn the_typed_store_is_the_one_that_is_asked() {
    let program = home(true);
    let root = program.root().display().to_string();
    let other = Store::new();
    let elsewhere = Program::with(other);
    assert_eq!(values(&program, &["--root", elsewhere.root().to_str().unwrap(), "show", "aa"]), [""; 0]);
    assert_eq!(values(&program, &["--root", &format!("'{root}'"), "show", "aa"]), ["aaaa1111"]);
    assert_eq!(values(&program, &[&format!("--root={root}"), "show", "aa"]), ["aaaa1111"]);
}

/// Runs a script in a shell that has the program on its path and a home of its own.
fn shell(program: &Program, argv: &[&str]) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_scrollback")).parent().unwrap();
    let path = std::env::join_paths([PathBuf::from("/usr/bin"), "/bin".into(), bin.to_owned()]).unwrap();
    let like = program.command(&[]);
    let mut command = Command::new(argv[0]);
    command.args(&argv[1..]).env_clear().current_dir(like.get_current_dir().unwrap());
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("PATH", path).env("LC_ALL", "C.UTF-8").env("TERM", "dumb").output().unwrap()
}

/// Is it installed? `cargo xtask ci` installs all three on Debian.
fn has(shell: &str) -> bool {
    let is_there = Command::new(shell).arg("--version").output().is_ok();
    assert!(is_there || std::env::var_os("CI").is_none(), "ci has {shell}");
    is_there
}

fn nothing_was_executed(program: &Program) {
    assert!(!program.root().parent().unwrap().join("owned").exists());
}

/// What bash puts into the line for these words, the last of which is being typed.
fn bash(program: &Program, words: &[&str]) -> String {
    let script = r#"
        source <(scrollback completions bash)
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        current=${COMP_WORDS[COMP_CWORD]}; current=${current#[\"\']}; [[ $current == [=:] ]] && current=
        _scrollback scrollback "$current" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let all: Vec<&str> =
        ["bash", "--norc", "-c", script, "bash", "scrollback"].iter().chain(words).copied().collect();
    let output = shell(program, &all);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bash_completes_and_executes_nothing() {
    if !has("bash") {
        return;
    }
    let program = home(true);
    assert_eq!(bash(&program, &["show", ""]), "last\nbbbb2222\naaaa1111\n");
    assert_eq!(bash(&program, &["show", "nightly"]), "aaaa1111\n");
    assert_eq!(bash(&program, &["ls", "--project", "=", "orb"]), "orbit\n");
    assert_eq!(bash(&program, &["ls", "--tool", "="]), "Bash\n");
    assert_eq!(
        bash(&program, &["ls", "-p", "it"]),
        "it\\'s\\ \\$\\(touch\\ owned\\)\n",
        "quoted, since bash does not"
    );
    assert_eq!(bash(&program, &["ls", "-p", "'it"]), "\n", "a quote cannot stand within quotes");
    assert_eq!(bash(&program, &["ls", "-p", "\"orb"]), "orbit\n");
    assert_eq!(bash(&program, &["--root", "~/.cl"]), "~/.claude/\n");
    nothing_was_executed(&program);
}

#[test]
fn fish_completes_with_titles_and_executes_nothing() {
    if !has("fish") {
        return;
    }
    let program = home(true);
    let fish = |line: &str| {
        let script = "scrollback completions fish | source; complete --do-complete $argv[1]";
        let output = shell(&program, &["fish", "--no-config", "-c", script, line]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(fish("scrollback show aa"), "aaaa1111\tWhy does the nightly job die?\n");
    assert!(fish("scrollback show bb").starts_with("bbbb2222\tit's \"$(touch owned)\""));
    assert_eq!(fish("scrollback --root ~/.cl"), "~/.claude/\n");
    assert_eq!(fish("scrollback ls -p orb"), "orbit\t/q/orbit\n");
    assert!(fish("scrollback ls -p it").starts_with("it's $(touch owned)\t"), "fish quotes what it inserts");
    nothing_was_executed(&program);
}

#[test]
fn zsh_completes_with_titles_and_executes_nothing() {
    if !has("zsh") {
        return;
    }
    let program = home(true);
    // A shell in a shell, on a terminal of its own: completion runs nowhere else.
    let zsh = |line: &str| {
        let script = r#"
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "PROMPT=; autoload -U compinit; compinit -u -D; source <(scrollback completions zsh)"
            zpty -w z "zstyle ':completion:*' list-separator '=='; LISTMAX=1000; COLUMNS=200; bindkey '^I' complete-word"
            zpty -w z "done-with() { print -r -- \"<<\$BUFFER>>\"; exit }; zle -N done-with; bindkey '^X' done-with"
            zpty -w z "print READY''NOW"
            zpty -r z start '*READYNOW*'
            zpty -n -w z "$1"$'\t\C-x'
            zpty -r z told '*>>*'
            print -r -- "$told"
        "#;
        let output = shell(&program, &["zsh", "-f", "-c", script, "zsh", line]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let told = zsh("scrollback show aa");
    assert!(told.contains("<<scrollback show aaaa1111 >>"), "{told}");
    let told = zsh("scrollback tag nightly");
    assert!(told.contains("<<scrollback tag aaaa1111"), "a title stands for an id: {told}");
    let told = zsh("scrollback ls -p it");
    assert!(told.contains(r"<<scrollback ls -p it\'s\ \$\(touch\ owned\) >>"), "{told}");
    let told = zsh("scrollback --root ~/.cl");
    assert!(told.contains("<<scrollback --root ~/.claude/>>"), "{told}");
    let told = zsh("scrollback show ");
    assert!(
        told.contains("Why does the nightly job die?") && told.contains("it's \"$(touch owned)\""),
        "{told}"
    );
    nothing_was_executed(&program);
}
