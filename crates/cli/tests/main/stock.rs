//! `du`, `orphans` and `retention`, judged by a second count in Python, and over stores whose truth is known.

#![allow(clippy::disallowed_methods, reason = "files of a store of the test's own are changed")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use scrollback_testkit::home::Store;
use scrollback_testkit::{corpus, workspace};

use crate::program::Program;

/// 2026-11-15T18:00:00Z, which the program takes for the present.
const NOW: u64 = 1_794_765_600;
const DAY: u64 = 86_400;
const S: &str = "aaaa1111-0000-4000-8000-000000000001";
const GONE: &str = "bbbb2222-0000-4000-8000-000000000002";

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() { dirs.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

fn date(path: &Path, days_ago: u64) {
    let time = UNIX_EPOCH + Duration::from_secs(NOW - days_ago * DAY - 60);
    File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

/// A recorded store in which files are of all ages, and every fifth session has lost its own file.
fn aged(version: &str) -> Store {
    let store = Store::of_tree(version);
    for (at, path) in files_below(store.root()).iter().enumerate() {
        date(path, (at as u64 * 7) % 45);
        let is_session =
            path.parent().and_then(Path::parent).is_some_and(|above| above.ends_with("projects"));
        if is_session && at % 5 == 0 {
            fs::remove_file(path).unwrap();
        }
    }
    store
}

#[test]
fn a_second_count_in_python_comes_to_the_same() {
    for version in corpus::VERSIONS {
        let program = Program::with(aged(version));
        let output = Command::new("python3")
            .arg(workspace().join("tools/judge/stock.py"))
            .arg(env!("CARGO_BIN_EXE_scrollback"))
            .arg((NOW * 1000).to_string())
            .arg(program.root())
            .env("HOME", program.root().parent().unwrap())
            .env("TMPDIR", program.root().parent().unwrap())
            .env_remove("CLAUDE_CONFIG_DIR")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(!said.contains(" 0 orphaned files"), "{version} has orphans: {said}");
    }
}

fn user(session: &str, more: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"{session}","parentUuid":null,"sessionId":"{session}","cwd":"/a","version":"2.1.9","timestamp":"2026-11-01T10:00:00.000Z","message":{{"role":"user","content":"hello"}}{more}}}"#
    ) + "\n"
}

/// A store in which it is known of every file whose it is: one session with something in every area, and as much of one
/// that is gone.
fn joined() -> Store {
    let mut store = Store::new()
        .file(format!("projects/-a/{S}.jsonl"), user(S, ",\"slug\":\"my-plan\""))
        .file("plans/my-plan.md", "# plan")
        .file("plans/my-plan-agent-a1.md", "# plan")
        .file("plans/odd.md", "# nobody's")
        .file("paste-cache/0123456789abcdef.txt", "pasted")
        .file("paste-cache/fedcba9876543210.txt", "unused")
        .file(
            "history.jsonl",
            format!(
                "{{\"display\":\"x\",\"pastedContents\":{{\"1\":{{\"id\":1,\"type\":\"text\",\"contentHash\":\"0123456789abcdef\"}}}},\"timestamp\":1,\"project\":\"/a\",\"sessionId\":\"{S}\"}}\n"
            ),
        )
        .file(".credentials.json", "secret")
        .file("sessions/999999999.json", "{}")
        .file("strange.bin", "x");
    for session in [S, GONE] {
        let short = &session[..8];
        for path in [
            format!("projects/-a/{session}/subagents/agent-a1.jsonl"),
            format!("projects/-a/{session}/tool-results/b1.txt"),
            format!("file-history/{session}/0123456789abcdef@v1"),
            format!("todos/{session}-agent-{session}.json"),
            format!("tasks/{session}/1.json"),
            format!("session-env/{session}/x"),
            format!("debug/{session}.txt"),
            format!("image-cache/{session}/1.png"),
            format!("uploads/{session}/x.pdf"),
            format!("usage-data/session-meta/{session}.json"),
            format!("jobs/{short}/state.json"),
        ] {
            store = store.file(path, "12345");
        }
        let agent = if session == S { "1a2b3c4d" } else { "5e6f7a8b" };
        store =
            store.file(format!("projects/-a/agent-{agent}.jsonl"), user(session, ",\"isSidechain\":true"));
    }
    store
}

#[test]
fn every_file_is_found_to_belong_where_it_does() {
    let program = Program::with(joined());
    let du = program.json(&["du", "--json"]);
    let sessions = du["sessions"].as_array().unwrap();
    let of = |id: &str| sessions.iter().find(|view| view["session_id"] == id).unwrap();
    // Eleven files in areas, a flat agent, and of one of them its own file.
    assert_eq!((of(S)["files"].as_u64(), of(GONE[..8].as_ref())["files"].as_u64()), (Some(13), Some(1)));
    assert_eq!(of(GONE)["files"].as_u64(), Some(11), "its job has the first digits of its id alone");
    assert_eq!(of(GONE)["folder"], serde_json::Value::Null);
    let area = |name: &str| {
        let areas = du["areas"].as_array().unwrap();
        areas.iter().find(|view| view["area"] == name).unwrap().clone()
    };
    assert_eq!(area("credentials")["secret_files"], 1);
    assert_eq!(area("unknown")["unknown_files"], 1);
    let orphans = program.json(&["orphans", "--json"]);
    let found: Vec<(String, String)> = orphans["orphans"]
        .as_array()
        .unwrap()
        .iter()
        .map(|orphan| {
            let path = orphan["path"].as_str().unwrap().rsplit_once(".claude/").unwrap().1.to_owned();
            (path, orphan["why"].as_str().unwrap().to_owned())
        })
        .collect();
    let mut expected: Vec<(String, String)> = vec![
        (format!("projects/-a/{GONE}"), "session_gone".into()),
        ("projects/-a/agent-5e6f7a8b.jsonl".into(), "session_gone".into()),
        (format!("file-history/{GONE}"), "session_gone".into()),
        (format!("todos/{GONE}-agent-{GONE}.json"), "session_gone".into()),
        (format!("tasks/{GONE}"), "session_gone".into()),
        (format!("session-env/{GONE}"), "session_gone".into()),
        (format!("debug/{GONE}.txt"), "session_gone".into()),
        (format!("image-cache/{GONE}"), "session_gone".into()),
        (format!("uploads/{GONE}"), "session_gone".into()),
        (format!("usage-data/session-meta/{GONE}.json"), "session_gone".into()),
        (format!("jobs/{}", &GONE[..8]), "session_gone".into()),
        ("plans/odd.md".into(), "slug_unknown".into()),
        ("paste-cache/fedcba9876543210.txt".into(), "paste_unused".into()),
        ("sessions/999999999.json".into(), "process_gone".into()),
    ];
    let mut found = found;
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn info_maps_everything_of_a_session_and_tells_what_is_gone() {
    let store = joined();
    let line = |more: &str| {
        user(S, more)
            .replace(&format!("\"uuid\":\"{S}\""), "\"uuid\":\"cccc0000-0000-4000-8000-000000000001\"")
    };
    store.append(
        format!("projects/-a/{S}.jsonl"),
        [
            format!("{{\"type\":\"file-history-snapshot\",\"messageId\":\"{S}\",\"isSnapshotUpdate\":false,\"snapshot\":{{\"messageId\":\"{S}\",\"timestamp\":\"2026-11-01T10:00:00.000Z\",\"trackedFileBackups\":{{\"a.txt\":{{\"backupFileName\":\"0123456789abcdef@v1\",\"version\":1}},\"b.txt\":{{\"backupFileName\":\"ffff456789abcdef@v1\",\"version\":1}},\"c.txt\":{{\"backupFileName\":\"../../x\",\"version\":1}},\"d.txt\":{{\"backupFileName\":null,\"version\":1}}}}}}}}\n"),
            line(",\"toolUseResult\":{\"persistedOutputPath\":\"/x/tool-results/b1.txt\"}"),
            line(",\"toolUseResult\":{\"persistedOutputPath\":\"/x/tool-results/b2.txt\"}"),
        ]
        .concat(),
    );
    let program = Program::with(store);
    let info = program.json(&["info", S, "--json"]);
    let below = |view: &serde_json::Value| {
        view["path"].as_str().unwrap().rsplit_once(".claude/").unwrap().1.to_owned()
    };
    let mut belongings: Vec<String> = info["belongings"].as_array().unwrap().iter().map(below).collect();
    belongings.sort();
    let mut expected = vec![
        format!("projects/-a/{S}.jsonl"),
        format!("projects/-a/{S}"),
        "projects/-a/agent-1a2b3c4d.jsonl".to_owned(),
        format!("file-history/{S}"),
        format!("todos/{S}-agent-{S}.json"),
        format!("tasks/{S}"),
        format!("session-env/{S}"),
        format!("debug/{S}.txt"),
        format!("image-cache/{S}"),
        format!("uploads/{S}"),
        format!("usage-data/session-meta/{S}.json"),
        format!("jobs/{}", &S[..8]),
        "plans/my-plan.md".to_owned(),
        "plans/my-plan-agent-a1.md".to_owned(),
        "history.jsonl".to_owned(),
        "paste-cache/0123456789abcdef.txt".to_owned(),
    ];
    expected.sort();
    assert_eq!(belongings, expected);
    let missing: Vec<(String, u64)> = info["missing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|view| (below(view), view["line"].as_u64().unwrap()))
        .collect();
    let gone = [
        (format!("file-history/{S}/ffff456789abcdef@v1"), 2),
        (format!("projects/-a/{S}/tool-results/b2.txt"), 4),
    ];
    assert_eq!(missing, gone);
}

#[test]
fn settings_that_cannot_be_read_are_told() {
    let told = |settings: &str| {
        let store = joined();
        store.put("settings.json", settings);
        Program::with(store).json(&["retention", "--json"])["periods"][0].clone()
    };
    assert_eq!(told("{\"cleanupPeriodDays\":90}")["cleanup_period_days"], 90);
    for odd in ["{", "{\"cleanupPeriodDays\":\"x\"}", "{\"cleanupPeriodDays\":0}"] {
        assert!(told(odd)["remark"].is_string(), "{odd}");
    }
    assert_eq!(told("{}")["said_by"], serde_json::Value::Null);
}
