//! Edits that are cut off, as a user meets them: killed, stopped by a signal, found later by other commands.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use scrollback_testkit::half::{self, Death};
use scrollback_testkit::home::Store;

use crate::program::Program;

const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";

fn line(session: &str, text: &str) -> String {
    let uuid = session.replace("-0000-", "-1111-");
    format!(
        r#"{{"parentUuid":null,"isSidechain":false,"type":"user","message":{{"role":"user","content":"{text}"}},"uuid":"{uuid}","timestamp":"2026-11-15T12:00:00.000Z","cwd":"/w/app","sessionId":"{session}","version":"2.1.200","gitBranch":"HEAD"}}"#
    )
}

fn file() -> String {
    format!("projects/-w-app/{A}.jsonl")
}

fn program() -> Program {
    Program::with(Store::new().lines(file(), [line(A, "hello")]))
}

fn data(program: &Program) -> PathBuf {
    program.root().parent().unwrap().join(".local/share/scrollback")
}

fn session(program: &Program) -> String {
    fs::read_to_string(program.root().join(file())).unwrap()
}

/// An edit that gives the session a title and dies.
fn die(program: &Program, death: Death) {
    let title =
        format!("{{\"type\":\"custom-title\",\"customTitle\":\"Half made\",\"sessionId\":\"{A}\"}}\n");
    half::edit(program.root(), &data(program), "rename to 'Half made'", (&file(), &title), death);
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const WARNING: &str = "warning: edit 1 (rename to 'Half made') was interrupted and is incomplete; run `scrollback undo` to roll it back\n";
const RECOVERED: &str = "recovered: edit 1 (rename to 'Half made') was interrupted; rolled back\n";

#[test]
fn reading_warns_of_an_edit_that_is_half_made_and_leaves_it() {
    let program = program();
    die(&program, Death::HalfMade);
    let half = session(&program);
    for words in [&["ls"][..], &["show", "aaaa"], &["info", "aaaa"], &["search", "hello"], &[], &["trash"]] {
        let output = program.run(words);
        assert_eq!(err(&output), WARNING, "{words:?}");
    }
    for words in [&["fork", "aaaa", "--dry-run"][..], &["rm", "aaaa", "--dry-run"]] {
        assert_eq!(err(&program.run(words)), WARNING, "{words:?}");
    }
    for words in [&["--quiet", "ls"][..], &["--sample", "ls"], &["completions", "bash"], &["man"]] {
        assert_eq!(err(&program.run(words)), "", "{words:?}");
    }
    assert_eq!(session(&program), half);
}

#[test]
fn reading_says_nothing_while_another_process_is_at_work_or_when_nothing_is_open() {
    let program = program();
    assert_eq!(err(&program.run(&["ls"])), "");
    die(&program, Death::HalfMade);
    let lock = File::open(data(&program).join("lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(err(&program.run(&["ls"])), "");
    assert_eq!(program.json(&["journal", "--json"])[0]["state"], "open");
    let refused = program.run(&["fork", "aaaa", "--yes"]);
    assert_eq!(refused.status.code(), Some(4), "{}", err(&refused));
    assert!(err(&refused).contains("another process is editing"));
    lock.unlock().unwrap();
    assert_eq!(program.run(&["undo"]).status.code(), Some(0));
    assert_eq!(err(&program.run(&["ls"])), "");
}

#[test]
fn the_journal_lists_an_edit_that_is_half_made_with_a_hint() {
    let program = program();
    die(&program, Death::HalfMade);
    insta::assert_snapshot!("interrupted_journal", program.told(&["journal"]));
    assert_eq!(program.json(&["journal", "--json"])[0]["state"], "interrupted");
}

#[test]
fn an_edit_is_planned_of_what_is_there_once_the_half_made_one_is_rolled_back() {
    let program = program();
    let before = session(&program);
    die(&program, Death::HalfMade);
    assert_ne!(session(&program), before);
    let output = program.run(&["fork", "aaaa", "--yes", "--json"]);
    assert_eq!(err(&output), RECOVERED);
    let edited: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(edited["recovered"][0]["number"], 1);
    assert_eq!(edited["recovered"][0]["title"], "rename to 'Half made'");
    assert_eq!(session(&program), before);
    let made = edited["record"]["steps"][0]["path"].as_str().unwrap();
    assert!(!fs::read_to_string(program.root().join(made)).unwrap().contains("Half made"));
    // The next one has nothing to recover, and says so.
    let mut again = program.command(&["fork", "aaaa", "--yes", "--json"]);
    let again = again.env("SCROLLBACK_SEED", "8").output().unwrap();
    assert_eq!(err(&again), "");
    let again: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["recovered"], serde_json::json!([]));
}

#[test]
fn every_edit_rolls_the_half_made_one_back_first() {
    let edits: [&[&str]; 7] = [
        &["trim", "aaaa", "--slim"],
        &["split", "aaaa", "--at", "9"],
        &["merge", "aaaa", "aaaa"],
        &["rename", "aaaa", "New"],
        &["move", "aaaa", "--to", "/w/new"],
        &["rm", "aaaa"],
        &["trash", "empty", "--yes"],
    ];
    for words in edits {
        let program = program();
        let before = session(&program);
        die(&program, Death::HalfMade);
        // Without --yes it is only shown, or refused: all that changes is what was half made.
        let output = program.run(words);
        assert!(err(&output).starts_with(RECOVERED), "{words:?}: {}", err(&output));
        assert_eq!(session(&program), before, "{words:?}");
    }
}

#[test]
fn a_bare_undo_rolls_back_the_interrupted_edit_and_nothing_else() {
    for death in [Death::HalfMade, Death::Unplanned] {
        let program = program();
        assert_eq!(program.run(&["rename", "aaaa", "Made", "--yes"]).status.code(), Some(0));
        let made = session(&program);
        die(&program, death);
        let undone = program.run(&["undo"]);
        assert_eq!(undone.status.code(), Some(0), "{death:?}: {}", err(&undone));
        assert_eq!(session(&program), made, "{death:?}: the edit before it is not touched");
        let said = out(&undone);
        let what = match death {
            Death::HalfMade => "Done: edit 2 (rename to 'Half made') was interrupted; rolled back.\n",
            Death::Unplanned => "Done: edit 2 was interrupted before it changed anything.\n",
        };
        assert!(said.starts_with(what), "{said}");
        assert!(said.contains("`scrollback undo 1` undoes the edit before it: rename session"), "{said}");
        // Now that nothing is half made, the next one is the last edit.
        assert_eq!(program.run(&["undo"]).status.code(), Some(0));
        assert!(!session(&program).contains("Made"));
    }
}

#[test]
fn an_undo_by_number_says_what_else_was_rolled_back() {
    let program = program();
    assert_eq!(program.run(&["rename", "aaaa", "Made", "--yes"]).status.code(), Some(0));
    let second = RECOVERED.replace("edit 1", "edit 2");
    die(&program, Death::HalfMade);
    let missing = program.run(&["undo", "9"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(err(&missing).starts_with(&second), "{}", err(&missing));

    die(&program, Death::HalfMade);
    let named = program.run(&["undo", "3", "--json"]);
    assert_eq!(named.status.code(), Some(0), "{}", err(&named));
    let named: serde_json::Value = serde_json::from_slice(&named.stdout).unwrap();
    assert_eq!((&named["number"], &named["state"]), (&3.into(), &"rolled_back".into()));
    assert_eq!((&named["recovered"][0]["number"], &named["next"]["number"]), (&3.into(), &1.into()));

    die(&program, Death::HalfMade);
    let other = program.run(&["undo", "1"]);
    assert_eq!(other.status.code(), Some(0));
    assert!(err(&other).starts_with("recovered: edit 4"), "{}", err(&other));
    assert!(out(&other).starts_with("Done: undo 1: rename session"), "{}", out(&other));
    assert!(!session(&program).contains("Made"));
}

#[test]
fn with_nothing_but_the_interrupted_edit_undo_is_no_failure() {
    let program = program();
    let before = session(&program);
    die(&program, Death::HalfMade);
    insta::assert_snapshot!("interrupted_undo", program.told(&["undo"]));
    assert_eq!(session(&program), before);
    assert_eq!(program.run(&["undo"]).status.code(), Some(1));
}

#[test]
fn the_journal_keeps_every_command_as_it_was_typed() {
    // The second has a line twice, which `trim --slim` takes out.
    let other = line(&A.replace("aaaa", "bbbb"), "other");
    let store = Store::new().lines(file(), [line(A, "hello")]);
    let program = Program::with(store.lines(file().replace("aaaa", "bbbb"), [&other, &other]));
    let root = program.root().display().to_string();
    let check = |words: &[&str]| {
        let output = program.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", err(&output));
        let records = program.json(&["journal", "--json"]);
        assert_eq!(records[0]["command"], serde_json::json!(words));
    };
    check(&["--root", &root, "fork", "aaaa", "--unmarked", "--title", "Another way", "-y"]);
    check(&["undo"]);
    check(&["rename", "--yes", "bbbb", "A new title", "--no-pager"]);
    check(&[
        "trim",
        "bbbb",
        "--slim",
        "--drop-thinking",
        "--title",
        "Slim",
        "--client=2.1.200",
        "--yes",
        "--json",
    ]);
    check(&["undo", "4"]);
    check(&["merge", "aaaa", "bbbb", "--title", "Both", "--yes"]);
    check(&["undo", "--json"]);
    check(&["move", "aaaa", "--to", "/w/new", "--yes"]);
    check(&["move", "--project", "/w/app", "/w/newer", "--yes"]);
    check(&["rm", "--yes", "aaaa", "bbbb"]);
    let number = program.json(&["journal", "--json"])[0]["number"].to_string();
    check(&["trash", "restore", &number]);
}

#[test]
fn the_journal_keeps_commands_over_turns_and_files_as_they_were_typed() {
    let program = Program::with(Store::of_tree("2.1.325"));
    let into = program.root().parent().unwrap().join("restored").display().to_string();
    let again = program.root().parent().unwrap().join("again").display().to_string();
    let all = program.root().parent().unwrap().join("all").display().to_string();
    let notes = "/home/dev/work/tui-rewind/notes.txt";
    for words in [
        &["files", "restore", notes, "--at", "v3", "--to", &into, "--yes"][..],
        &["files", "rewind", "ed3e1dad", "--to", "2", "--into", &again, "--partial", "-y"],
        &["files", "restore", "--all", "--at", "ed3e1dad/2", "--to", &all, "--partial", "-y"],
        &["split", "ed3e1dad", "--at", "2", "--titles", "One", "Two", "--yes"],
    ] {
        let output = program.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", err(&output));
        assert_eq!(program.json(&["journal", "--json"])[0]["command"], serde_json::json!(words));
    }
}

/// Every file of the store with its bytes.
fn tree(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                all.push((path.clone(), fs::read(path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

fn signal(child: &Child, name: &str) {
    let done = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

/// How many steps of the one record were begun, and how many there are; none while it has no steps or is done.
fn steps(program: &Program) -> Option<(usize, usize)> {
    let record = fs::read_dir(data(program).join("journal")).ok()?.next()?.ok()?.path();
    let progress = fs::read(record.join("progress")).ok()?;
    Some((progress.iter().filter(|mark| **mark == b'>').count(), progress.len()))
}

/// A process that is halted in the middle of an edit of many files, and the store as it was before.
#[cfg(target_os = "linux")]
fn halted() -> (Program, Vec<(PathBuf, Vec<u8>)>, Child) {
    // On a fast disk few files are done before the process is halted.
    for sessions in [150, 600, 2400, 9600] {
        let store = (0..sessions).fold(Store::new(), |store, number| {
            let id = format!("{number:08}-0000-4000-8000-000000000001");
            store.lines(format!("projects/-w-app/{id}.jsonl"), [line(&id, "hello")])
        });
        let program = Program::with(store);
        let before = tree(program.root());
        let mut edit = program.command(&["move", "--project", "/w/app", "/w/new", "--yes"]);
        let mut child = edit.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while steps(&program).is_none_or(|(begun, _)| begun < 2) && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        if child.try_wait().unwrap().is_some() {
            continue;
        }
        signal(&child, "STOP");
        let state = || fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        while !state().contains(") T ") && !state().contains(") Z ") {
            std::thread::yield_now();
        }
        if steps(&program).is_some_and(|(begun, all)| (2..all).contains(&begun)) {
            assert!(tree(program.root()) != before, "the first step is made before the second begins");
            return (program, before, child);
        }
        signal(&child, "KILL");
        child.wait().unwrap();
    }
    panic!("no edit could be halted in the middle");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_in_the_middle_of_an_edit_rolls_it_back() {
    for name in ["TERM", "INT", "HUP"] {
        let (program, before, child) = halted();
        signal(&child, name);
        signal(&child, "CONT");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{name}: {}", err(&output));
        assert!(
            err(&output).contains("error: interrupted; all changes were rolled back"),
            "{name}: {}",
            err(&output)
        );
        assert!(tree(program.root()) == before, "{name}: the store is not as it was");
        assert_eq!(program.json(&["journal", "--json"])[0]["state"], "rolled_back", "{name}");
        assert_eq!(err(&program.run(&["ls"])), "", "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_edit_is_told_of_and_rolled_back_by_undo() {
    let (program, before, mut child) = halted();
    signal(&child, "KILL");
    child.wait().unwrap();
    assert!(tree(program.root()) != before, "it is half made");
    let warning = "warning: edit 1 (move project /w/app to /w/new) was interrupted and is incomplete";
    assert!(err(&program.run(&["ls"])).starts_with(warning));
    assert_eq!(program.json(&["journal", "--json"])[0]["state"], "interrupted");
    let undone = program.run(&["undo"]);
    assert_eq!(undone.status.code(), Some(0), "{}", err(&undone));
    assert!(out(&undone).contains("edit 1 (move project /w/app to /w/new) was interrupted; rolled back"));
    assert!(tree(program.root()) == before, "the store is not as it was");
}
