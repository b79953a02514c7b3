//! Edits: whole previews, and applying, refusing and taking back as a user meets them.

use std::io::Read;
use std::process::Stdio;

use scrollback_testkit::home::Store;

use crate::program::Program;

fn sample(arguments: &[&str]) -> String {
    let all: Vec<&str> = ["--sample"].iter().chain(arguments).copied().collect();
    Program::new().told(&all)
}

macro_rules! snapshots {
    ($( $name:ident: $told:expr; )*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), $told);
        }
    )* };
}

snapshots! {
    fork_help: sample(&["fork", "--help"]);
    fork_preview: sample(&["fork", "fc6154f9"]);
    fork_with_agents: sample(&["fork", "e9609126", "--unmarked", "--title", "Another way"]);
    fork_before_compaction: sample(&["fork", "1fab43cc", "--at", "before-compaction"]);
    fork_of_the_sample_is_refused: sample(&["fork", "fc6154f9", "--yes"]);
    fork_at_no_such_turn: sample(&["fork", "fc6154f9", "--at", "99"]);
    fork_at_no_point: sample(&["fork", "fc6154f9", "--at", "x"]);
    fork_of_an_agent: sample(&["fork", "e9609126/a1"]);
    fork_as_json: Program::with(talk()).told(&["fork", "aaaa", "--at", "1", "--json"]);
    trim_help: sample(&["trim", "--help"]);
    trim_of_nothing: sample(&["trim", "fc6154f9"]);
    trim_tools: sample(&["trim", "fc6154f9", "--drop-tools", "--drop-thinking"]);
    trim_upto: sample(&["trim", "fc6154f9", "--upto", "1", "--client", "2.1.9"]);
    trim_in_place: Program::with(talk()).told(&["trim", "aaaa", "--drop", "1", "--in-place", "--dry-run"]);
    split_help: sample(&["split", "--help"]);
    split_preview: sample(&["split", "fc6154f9", "--at", "2"]);
    split_with_agents: sample(&["split", "e9609126", "--at", "2", "--titles", "The plan", "The work"]);
    split_at_the_first_turn: sample(&["split", "fc6154f9", "--at", "1"]);
    split_at_no_such_turn: sample(&["split", "fc6154f9", "--at", "99"]);
    split_as_json: Program::with(talk()).told(&["split", "aaaa", "--at", "2", "--json"]);
    merge_help: sample(&["merge", "--help"]);
    merge_preview: Program::with(talk()).told(&["merge", "aaaa", "bbbb", "--title", "Both"]);
    merge_in_the_wrong_order: Program::with(talk()).told(&["merge", "bbbb", "aaaa", "--client", "2.1.9"]);
    merge_with_itself: sample(&["merge", "fc6154f9", "fc6154f9"]);
    trim_without_images: Program::with(talk()).told(&["trim", "aaaa", "--drop-images"]);
}

const FILE: &str = "projects/-x/aaaa1111-0000-4000-8000-000000000001.jsonl";

fn line(kind: &str, session: &str, uuid: &str, parent: &str, minute: u32, message: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":"/x","sessionId":"{session}","version":"2.1.325","type":"{kind}","message":{message},"uuid":"{uuid}","timestamp":"2026-11-01T10:{minute:02}:00.000Z"}}"#
    )
}

fn said(session: &str, at: u32, parent: &str) -> [String; 2] {
    let id = |kind: u32| format!("{kind:08}-0000-4000-8000-{at:012}");
    let prompt = format!(r#"{{"role":"user","content":"question {at} of {session}"}}"#);
    let answer = format!(
        r#"{{"model":"claude-opus-5-5","id":"msg_{session}_{at}","type":"message","role":"assistant","content":[{{"type":"text","text":"answer {at}"}}],"stop_reason":"end_turn"}}"#
    );
    [
        line("user", session, &id(1), parent, at * 2, &prompt),
        line("assistant", session, &id(2), &id(1), at * 2 + 1, &answer),
    ]
}

/// Two sessions of two turns each.
fn talk() -> Store {
    let session = |id: &str, from: u32| {
        let first = said(id, from, "");
        let second = said(id, from + 1, &format!("00000002-0000-4000-8000-{from:012}"));
        [first, second].concat()
    };
    let other = "bbbb1111-0000-4000-8000-000000000002";
    Store::new()
        .lines(FILE, session("aaaa1111-0000-4000-8000-000000000001", 1))
        .lines(format!("projects/-x/{other}.jsonl"), session(other, 5))
}

#[test]
fn an_edit_is_applied_listed_and_taken_back() {
    let program = Program::with(talk());
    let before = std::fs::read(program.root().join(FILE)).unwrap();
    let done = program.told(&["trim", "aaaa", "--upto", "1", "--in-place", "--yes"]);
    assert!(done.starts_with("status 0") && done.contains("Undo with `scrollback undo 1`."), "{done}");
    let after = std::fs::read(program.root().join(FILE)).unwrap();
    assert!(before.starts_with(&after) && after.len() < before.len());
    insta::assert_snapshot!("edit_journal", program.told(&["journal"]));
    let undone = program.told(&["undo"]);
    assert!(undone.starts_with("status 0"), "{undone}");
    assert_eq!(std::fs::read(program.root().join(FILE)).unwrap(), before);
    insta::assert_snapshot!("edit_undone_twice", program.told(&["undo", "1"]));
    insta::assert_snapshot!("edit_no_such_record", program.told(&["undo", "9"]));
}

#[test]
fn a_fork_that_is_made_can_be_shown_at_once() {
    let program = Program::with(talk());
    let edited = program.json(&["fork", "aaaa", "--yes", "--json"]);
    assert_eq!(edited["applied"], true);
    let id = edited["preview"]["after"][0]["session_id"].as_str().unwrap();
    assert_eq!(edited["preview"]["after"][0]["messages"], edited["preview"]["before"][0]["messages"]);
    let shown = program.json(&["show", id, "--json"]);
    assert_eq!(shown["turn_list"].as_array().unwrap().len(), 2);
    let command = edited["resume"][0].as_str().unwrap();
    assert_eq!(command, format!("cd /x && claude --resume {id}"));
}

#[test]
fn a_session_that_is_split_and_merged_again_is_the_conversation_that_it_was() {
    let program = Program::with(talk());
    let halves = program.json(&["split", "aaaa", "--at", "2", "--yes", "--json"]);
    let half = |at: usize| halves["preview"]["after"][at]["session_id"].as_str().unwrap().to_owned();
    // Ids are drawn from a seed, which is fixed in tests.
    let mut merge = program.command(&["merge", &half(0), &half(1), "--yes", "--json"]);
    let merged = merge.env("SCROLLBACK_SEED", "2").output().unwrap();
    let merged: serde_json::Value = serde_json::from_slice(&merged.stdout).unwrap();
    let id = merged["preview"]["after"][0]["session_id"].as_str().unwrap();
    let turns = |id: &str| program.json(&["show", id, "--json"])["turn_list"].as_array().unwrap().len();
    assert_eq!((turns(id), turns(&half(0)), turns(&half(1))), (2, 1, 1));
    assert_eq!(merged["preview"]["after"][0]["messages"], halves["preview"]["before"][0]["messages"]);
    assert!(program.told(&["undo"]).starts_with("status 0"));
    assert!(program.told(&["undo", "1"]).starts_with("status 0"));
    let files = std::fs::read_dir(program.root().join("projects/-x")).unwrap().count();
    assert_eq!(files, 2);
}

#[test]
fn a_session_that_is_in_use_is_not_changed() {
    let program = Program::with(talk());
    let before = std::fs::read(program.root().join(FILE)).unwrap();
    let trim = |yes: &'static str| {
        let mut command = program.command(&["trim", "aaaa", "--upto", "1", "--in-place", yes]);
        // The file was written to a moment ago, by the clock of the system.
        command.env_remove("SCROLLBACK_NOW").output().unwrap()
    };
    let preview = trim("--dry-run");
    assert_eq!(preview.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&preview.stdout).contains("is in use: it was modified"));
    let refused = trim("--yes");
    assert_eq!(refused.status.code(), Some(4));
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("is in use: it was modified") && told.contains("hint: quit the client"), "{told}");
    assert_eq!(std::fs::read(program.root().join(FILE)).unwrap(), before);
}

#[test]
fn the_old_short_option_of_a_dry_run_is_refused_by_name() {
    let program = Program::with(talk());
    let before = std::fs::read(program.root().join(FILE)).unwrap();
    for arguments in [
        &["fork", "aaaa", "-n"][..],
        &["trim", "aaaa", "--slim", "-n"],
        &["split", "aaaa", "--at", "2", "-n"],
        &["merge", "-n", "aaaa", "bbbb"],
        &["rename", "aaaa", "x", "-yn"],
        &["move", "aaaa", "--to", "/y", "-n"],
        &["rm", "-n", "aaaa", "--yes"],
    ] {
        let output = program.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said, "error: -n is not an option of edits; use --dry-run to preview\n", "{arguments:?}");
    }
    assert_eq!(std::fs::read(program.root().join(FILE)).unwrap(), before);
    assert!(!program.root().parent().unwrap().join(".local").exists(), "nothing was journalled");
}

#[test]
fn without_a_place_for_the_journal_nothing_is_edited() {
    let program = Program::with(talk());
    let root = program.root().display().to_string();
    let mut command = program.command(&["--root", &root, "fork", "aaaa", "--yes"]);
    let output = command.env_remove("HOME").output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    let inside = program.root().join("data");
    let mut command = program.command(&["fork", "aaaa", "--yes"]);
    let output = command.env("SCROLLBACK_DATA_DIR", &inside).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let program = Program::new();
    let mut child = program
        .command(&["--sample", "fork", "e9609126", "--json", "--dry-run"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 4];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
