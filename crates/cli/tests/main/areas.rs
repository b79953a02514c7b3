//! The commands about the other areas: whole outputs over the sample and the recorded stores, and what follows a session.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

use scrollback_app::documents;
use scrollback_testkit::home::Store;

use crate::program::Program;

/// A copy of a recorded store whose files were all written at one time.
fn recorded(version: &str) -> Program {
    let store = Store::of_tree(version);
    still(store.root());
    Program::with(store)
}

fn still(folder: &Path) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_794_787_200);
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            still(&entry.path());
        } else {
            File::options().append(true).open(entry.path()).unwrap().set_modified(time).unwrap();
        }
    }
}

macro_rules! snapshots {
    ($( $name:ident of $store:expr => $( $argument:literal )*; )*) => { $(
        #[test]
        fn $name() {
            let arguments: &[&str] = &[$( $argument ),*];
            insta::assert_snapshot!(stringify!($name), $store.told(arguments));
        }
    )* };
}

snapshots! {
    history_of_the_sample of Program::new() => "--sample" "history" "-n" "8";
    history_of_2_0_29 of recorded("2.0.29") => "history" "-n" "0";
    history_of_2_1_9_with_pastes of recorded("2.1.9") => "history" "pasted";
    history_of_2_1_325_with_pastes of recorded("2.1.325") => "history" "--exact" "+59 lines" "--all";
    history_as_json of recorded("2.1.200") => "history" "hello" "-n" "2" "--json";
    history_that_does_not_fit of Program::new() => "--sample" "history" "zzzzzz";
    todos_of_the_sample of Program::new() => "--sample" "todos";
    todos_of_2_1_9 of recorded("2.1.9") => "todos" "--open";
    todos_as_json of recorded("2.1.9") => "todos" "--json" "--project" "tui-main";
    tasks_of_2_1_200 of recorded("2.1.200") => "tasks" "--all";
    tasks_of_2_1_325 of recorded("2.1.325") => "tasks" "--all";
    tasks_of_the_sample of Program::new() => "--sample" "tasks" "--project" "orbit";
    plans_of_2_1_9 of recorded("2.1.9") => "plans";
    plan_of_2_1_325 of recorded("2.1.325") => "plans" "rossum";
    plans_as_json of recorded("2.1.200") => "plans" "plan-go" "--json";
    plan_that_is_none of recorded("2.1.200") => "plans" "nonesuch";
    plan_that_is_many of recorded("2.1.200") => "plans" "plan-make";
    settings_of_the_sample of Program::new() => "--sample" "settings";
    settings_of_2_1_9 of recorded("2.1.9") => "settings" "--user";
    settings_as_json of recorded("2.1.9") => "settings" "model" "--json";
    tail_of_the_sample of Program::new() => "--sample" "tail" "85835976" "-n" "1" "--no-follow";
    logs_of_2_1_9 of recorded("2.1.9") => "logs" "2067de47-b0ee-4247-83f2-57765145fc1a" "-n" "4";
    logs_of_2_0_29_as_json of recorded("2.0.29") => "logs" "27d6d9d4-d5f2-43b0-8f09-9f48802aa0d0" "-n" "2" "--json";
    no_log of Program::new() => "--sample" "logs" "85835976";
    orphans_of_no_area of Program::new() => "--sample" "orphans" "--area" "bogus";
    orphans_of_one_area of Program::new() => "--sample" "orphans" "--area" "todos";
    snapshots_of_2_1_325 of recorded("2.1.325") => "snapshots";
    no_definitions of recorded("2.1.9") => "definitions";
}

#[test]
fn settings_of_all_layers_and_a_broken_one() {
    let store = Store::new()
        .file("settings.json", r#"{"model":"haiku","cleanupPeriodDays":90,"permissions":{"defaultMode":"plan","allow":["Read"]},"env":{"API_KEY":"abc"}}"#)
        .file("../work/.claude/settings.json", r#"{"model":"opus","permissions":{"allow":["Bash(git status)","Read"],"ask":["Bash(git push)"]}}"#)
        .file("../work/.claude/settings.local.json", "{\"model\": ")
        .file("../managed/managed-settings.json", r#"{"permissions":{"deny":["WebFetch"]}}"#);
    insta::assert_snapshot!(Program::with(store).told(&["settings", "--project", "work"]));
}

#[test]
fn definitions_of_user_and_project_with_bad_heads() {
    let store = Store::new()
        .file("agents/scout.md", "---\nname: scout\ndescription: Looks around\n---\nLook.\n")
        .file("agents/torn.md", "---\nname: torn\n")
        .file("skills/map/SKILL.md", "---\nname: map\ndescription: \"Draws\u{1b}[31m maps\"\n---\n# Maps\n")
        .file(
            "../work/.claude/agents/scout.md",
            "---\nname: scout\ndescription: Looks here\ntools: [Read]\n---\nLook *here*.\n",
        )
        .file("../work/.claude/commands/git/pr.md", "Open a PR.\n");
    let program = Program::with(store);
    let list = program.told(&["definitions", "--project", "work"]);
    let one = program.told(&["definitions", "scout", "--project", "work"]);
    insta::assert_snapshot!(format!("{list}\n{one}"));
}

#[test]
fn control_characters_of_files_never_reach_the_terminal() {
    let hostile = "\u{1b}]0;x\u{7}\u{1b}[2J";
    let escaped = r"\u001b]0;x\u0007\u001b[2J";
    let store = Store::new()
        .file(
            "history.jsonl",
            format!("{{\"display\":\"{escaped}\",\"project\":\"{escaped}\",\"timestamp\":1}}\n"),
        )
        .file(format!("todos/{hostile}.json"), format!("[{{\"content\":\"{escaped}\"}}]"))
        .file(
            format!("tasks/{hostile}/1.json"),
            format!("{{\"subject\":\"{escaped}\",\"owner\":\"{escaped}\"}}"),
        )
        .file(format!("plans/{hostile}.md"), format!("# {hostile}\n"))
        .file(
            "settings.json",
            format!("{{\"{escaped}\":\"{escaped}\",\"permissions\":{{\"allow\":[\"{escaped}\"]}}}}"),
        )
        .file(format!("shell-snapshots/{hostile}"), hostile)
        .file(format!("agents/{hostile}.md"), format!("---\nname: {hostile}\n---\n{hostile}"))
        .file(
            "sessions/1.json",
            format!("{{\"sessionId\":\"{escaped}\",\"cwd\":\"{escaped}\",\"status\":\"{escaped}\"}}"),
        )
        .file("debug/58af5b17-64c4-48a6-a208-ec4e531b27c3.txt", format!("[ERROR] {hostile}\n"));
    let program = Program::with(store);
    for arguments in [
        &["history"][..],
        &["todos"],
        &["tasks", "--all"],
        &["plans"],
        &["plans", "x"],
        &["settings"],
        &["snapshots"],
        &["snapshots", "last"],
        &["definitions"],
        &["ps", "--all"],
        &["logs", "58af5b17-64c4-48a6-a208-ec4e531b27c3"],
    ] {
        let output = program.run(arguments);
        let all = [output.stdout, output.stderr].concat();
        assert!(!all.is_empty() && !all.iter().any(|byte| matches!(byte, 0x1b | 0x07)), "{arguments:?}");
    }
}

#[test]
fn unusable_dates_and_sessions_are_usage_or_nothing_found() {
    let program = Program::new();
    for (arguments, expected) in [
        (&["--sample", "history", "--since", "someday"][..], 2),
        (&["--sample", "todos", "nonesuch session"], 1),
        (&["--sample", "settings", "--project", "/nowhere/at/all"], 1),
        (&["--sample", "definitions", "nonesuch"], 1),
        (&["--sample", "definitions", "--kind", "nonesuch"], 2),
        (&["--sample", "snapshots", "nonesuch"], 1),
        (&["--sample", "tail", "nonesuch session", "--no-follow"], 1),
        (&["--sample", "logs", "--level", "loud"], 2),
        (&["--sample", "orphans", "--area", "nonesuch"], 2),
    ] {
        assert_eq!(program.run(arguments).status.code(), Some(expected), "{arguments:?}");
    }
}

const S: &str = "58af5b17-64c4-48a6-a208-ec4e531b27c3";

fn line(number: u32, role: &str, words: &str) -> String {
    let parent = match number {
        1 => "null".to_owned(),
        _ => format!("\"a0000000-0000-4000-8000-{:012}\"", number - 1),
    };
    format!(
        "{{\"type\":\"{role}\",\"uuid\":\"a0000000-0000-4000-8000-{number:012}\",\"parentUuid\":{parent},\"sessionId\":\"{S}\",\"cwd\":\"/p\",\"version\":\"2.1.200\",\"timestamp\":\"2026-11-01T10:00:{number:02}.000Z\",\"message\":{{\"role\":\"{role}\",\"id\":\"m{number}\",\"model\":\"claude\",\"content\":[{{\"type\":\"text\",\"text\":\"{words}\"}}]}}}}\n"
    )
}

/// Reads lines of a child up to one that contains this.
fn until(lines: &mut impl Iterator<Item = std::io::Result<String>>, wanted: &str) -> String {
    let mut all = String::new();
    for line in lines {
        let line = line.unwrap();
        all.push_str(&line);
        all.push('\n');
        if line.contains(wanted) {
            return all;
        }
    }
    panic!("it ended before {wanted:?}: {all}");
}

fn interrupt(child: &mut Child) -> Option<i32> {
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap().code()
}

#[cfg(unix)]
#[test]
fn tail_follows_in_a_pipe_and_ends_cleanly_on_ctrl_c() {
    let file = format!("projects/-p/{S}.jsonl");
    let store = Store::new().file(&file, line(1, "user", "first words"));
    let path = store.root().join(&file);
    let program = Program::with(store);
    let mut child = program.command(&["tail", S]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    until(&mut lines, "▌ first words");
    let mut more = fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut more, line(2, "assistant", "an answer").as_bytes()).unwrap();
    let told = until(&mut lines, "an answer");
    assert!(!told.contains("first words"), "{told}");
    assert_eq!(interrupt(&mut child), Some(0));
}

#[cfg(unix)]
#[test]
fn watch_tells_a_line_an_event_and_ends_cleanly_on_ctrl_c() {
    let file = format!("projects/-p/{S}.jsonl");
    let store = Store::new().file(&file, line(1, "user", "before"));
    let path = store.root().join(&file);
    let program = Program::with(store);
    let mut command = program.command(&["watch", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    until(&mut said, "watching");
    let mut more = fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut more, line(2, "assistant", "an answer").as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let told = until(&mut lines, "an answer");
    let event: serde_json::Value = serde_json::from_str(told.trim()).unwrap();
    assert_eq!((event["event"].as_str(), event["project"].as_str()), (Some("answer"), Some("/p")));
    assert_eq!(interrupt(&mut child), Some(0));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_tail_without_an_error() {
    let file = format!("projects/-p/{S}.jsonl");
    let store = Store::new().file(&file, line(1, "user", "first words"));
    let path = store.root().join(&file);
    let program = Program::with(store);
    let mut child = program.command(&["tail", S]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    until(&mut lines, "▌ first words");
    drop(lines);
    let mut more = fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut more, line(2, "assistant", "an answer").as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Documents that are registered, with commands that print them.
const DOCUMENTS: &[(&str, &[&str])] = &[
    ("usage", &["usage"]),
    ("usage", &["usage", "--by", "session", "--budget", "0/day"]),
    ("usage-blocks", &["usage", "blocks"]),
    ("usage-audit", &["usage", "audit"]),
    ("usage-statusline", &["usage", "statusline", "--session", "last"]),
    ("usage-time", &["usage", "time"]),
    ("usage-recorded", &["usage", "recorded", "--all"]),
    ("usage-ledger", &["usage", "ledger"]),
    ("du", &["du", "--by", "area,project,session,kind,tool,line"]),
    ("orphans", &["orphans"]),
    ("retention", &["retention", "--within", "90"]),
    ("settings", &["settings"]),
    ("verify", &["verify"]),
    ("schema", &["schema"]),
    ("claims", &["claims"]),
    ("history", &["history"]),
    ("todos", &["todos"]),
    ("todos", &["tasks"]),
    ("plans", &["plans"]),
    ("ps", &["ps"]),
    ("definitions", &["definitions"]),
    ("snapshots", &["snapshots"]),
];

#[test]
fn documents_read_back_as_they_were_printed_and_name_their_schema() {
    for version in ["2.1.9", "2.1.325"] {
        let program = recorded(version);
        for (name, command) in DOCUMENTS {
            let kind = documents::find(name).unwrap();
            let arguments: Vec<&str> = command.iter().copied().chain(["--json"]).collect();
            let printed = String::from_utf8(program.run(&arguments).stdout).unwrap();
            assert_eq!(kind.reprint(&printed).unwrap(), printed, "{version} {command:?}");
            let label = format!("{{\n  \"schema\": \"{name}/{}\",", kind.version);
            assert_eq!(printed.starts_with(&label), !kind.is_list, "{version} {command:?}");
        }
    }
}
