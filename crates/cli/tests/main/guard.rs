//! Credentials stay what they are under any name: no command prints them, and those that meet them say so.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use scrollback_testkit::home::Store;

use crate::program::Program;

const TOKEN: &str = "s3cr3t-token";
const PLAIN: &str = "aaaa1111-0000-4000-8000-000000000001";
const LINK: &str = "bbbb2222-0000-4000-8000-000000000002";
const HARD: &str = "cccc3333-0000-4000-8000-000000000003";
const LOCK: &str = "dddd4444-0000-4000-8000-000000000004";
const CHAIN: &str = "eeee5555-0000-4000-8000-000000000005";
const INSIDE: &str = "ffff6666-0000-4000-8000-000000000006";
const REFUSED: [&str; 5] = [LINK, HARD, LOCK, CHAIN, INSIDE];

/// A line that any command would show, if it came to read it.
fn line(text: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"11111111-0000-4000-8000-000000000001","sessionId":"s","cwd":"/work","pid":1,"ideName":"Editor","authToken":"{text}","timestamp":"2026-11-01T10:00:00.000Z","message":{{"role":"user","content":"{text}"}}}}"#
    ) + "\n"
}

/// A store with credentials, and sessions that are these by other names.
fn program() -> Program {
    let store = Store::new()
        .file(".credentials.json", line(TOKEN))
        .file("daemon/control.key", line(TOKEN))
        .file(format!("daemon/auth/{INSIDE}.jsonl"), line(TOKEN))
        .file("ide/4711.lock", line(TOKEN))
        .file(format!("projects/-work/{PLAIN}.jsonl"), line("plain words"));
    let session = |id: &str| store.root().join(format!("projects/-work/{id}.jsonl"));
    symlink("../../.credentials.json", session(LINK)).unwrap();
    fs::hard_link(store.root().join(".credentials.json"), session(HARD)).unwrap();
    symlink(store.root().join("ide/4711.lock"), session(LOCK)).unwrap();
    symlink(store.root().join("daemon/control.key"), store.root().join("projects/-work/between")).unwrap();
    symlink("between", session(CHAIN)).unwrap();
    symlink("../daemon/auth", store.root().join("projects/-auth")).unwrap();
    symlink("..", store.root().join("projects/-up")).unwrap();
    Program::with(store)
}

/// What a run says, on both ways, and its status.
fn told(program: &Program, arguments: &[&str]) -> (String, i32) {
    let output = program.run_in_time(arguments);
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(!text.contains(TOKEN), "{arguments:?}: {text}");
    (text, output.status.code().unwrap())
}

#[test]
fn asking_for_one_is_refused_like_a_file_that_cannot_be_read() {
    let program = program();
    for id in REFUSED {
        for command in [
            &["show"][..],
            &["show", "--raw"],
            &["show", "--json"],
            &["show", "--all"],
            &["tree"],
            &["info"],
            &["tail"],
            &["tail", "--no-follow", "--json"],
            &["files", "ls"],
            &["resume", "--explain"],
            &["fork", "--dry-run"],
        ] {
            let mut arguments = command.to_vec();
            arguments.push(id);
            let (text, status) = told(&program, &arguments);
            let refused = text.contains(&format!("{id}.jsonl: refused: credentials"));
            assert!(refused && status == 5, "{arguments:?}: {status}: {text}");
        }
    }
}

#[test]
fn asking_by_path_is_refused_too() {
    let program = program();
    let paths =
        [".credentials.json", "ide/4711.lock", "daemon/control.key", "projects/-up/.credentials.json"];
    for path in paths {
        let path = program.root().join(path);
        let path = path.to_str().unwrap();
        for command in [&["show", path][..], &["show", path, "--raw"], &["verify", path], &["tail", path]] {
            let (text, status) = told(&program, command);
            assert!(status != 0, "{command:?}: {text}");
        }
    }
}

#[test]
fn going_through_all_reports_each() {
    let program = program();
    for (arguments, status) in [
        (&["grep", "s3cr3t"][..], 1),
        (&["grep", "s3cr3t", "--json"], 1),
        (&["grep", "words"], 0),
        (&["search", "s3cr3t"], 1),
        (&["search", "s3cr3t", "--json"], 1),
        (&["search", "words"], 0),
        (&["verify", "-v"], 3),
        (&["verify", "--json"], 3),
    ] {
        let (text, ended) = told(&program, arguments);
        assert_eq!(text.matches("refused: credentials").count(), REFUSED.len(), "{arguments:?}: {text}");
        assert_eq!(ended, status, "{arguments:?}: {text}");
    }
    let (text, _) = told(&program, &["ls"]);
    assert_eq!(text.matches("unreadable  ").count(), REFUSED.len(), "{text}");
}

#[test]
fn no_other_command_takes_anything_out_of_one() {
    let program = program();
    for arguments in [
        &[][..],
        &["ls", "--all", "--json"],
        &["files", "ls"],
        &["usage"],
        &["schema"],
        &["claims"],
        &["du"],
        &["du", "--json"],
        &["orphans"],
        &["retention"],
        &["index", "refresh"],
        &["index", "sql", "select * from sessions"],
    ] {
        told(&program, arguments);
    }
    let (editors, _) = told(&program, &["ps", "--all"]);
    assert!(editors.contains("Editor on port 4711"), "what is no secret of a lock is told: {editors}");
}

#[test]
fn files_of_other_areas_are_guarded_too() {
    let program = program();
    let root = program.root();
    for (at, to) in [
        ("history.jsonl", ".credentials.json"),
        ("settings.json", "ide/4711.lock"),
        ("plans/some-plan.md", "../.credentials.json"),
    ] {
        fs::create_dir_all(root.join(at).parent().unwrap()).unwrap();
        symlink(to, root.join(at)).unwrap();
    }
    fs::create_dir_all(root.join("debug")).unwrap();
    fs::hard_link(root.join("daemon/control.key"), root.join(format!("debug/{PLAIN}.txt"))).unwrap();
    for arguments in [&["history"][..], &["logs", PLAIN]] {
        let (text, status) = told(&program, arguments);
        assert!(text.contains("refused: credentials") && status != 0, "{arguments:?}: {text}");
    }
    for arguments in [&["settings"][..], &["settings", "--json"], &["plans"], &["plans", "some-plan"]] {
        told(&program, arguments);
    }
}
