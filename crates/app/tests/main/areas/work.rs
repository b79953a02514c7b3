//! Who is at work, on a made-up list of processes.

#![allow(clippy::disallowed_methods, reason = "a test changes only the home that it has made")]

use std::fs;
use std::path::{Path, PathBuf};

use scrollback_app::Root;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::edit::LiveCheck;
use scrollback_app::library::Library;
use scrollback_app::ps::{self, KnownBy, PsView};
use scrollback_format::time::Time;
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;

const S: &str = "58af5b17-64c4-48a6-a208-ec4e531b27c3";

fn process(proc: &Path, pid: u32, line: &str, cwd: &str) {
    let dir = proc.join(pid.to_string());
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("cmdline"), line.replace(' ', "\0")).unwrap();
    fs::write(dir.join("stat"), format!("{pid} (x) S 1 1 1 0 -1 4 1 0 0 0 0 0 0 0 20 0 1 0 5 9\n")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(cwd, dir.join("cwd")).unwrap();
}

fn seen(root: &Path, proc: PathBuf, now: i64) -> PsView {
    let library = Library::open(vec![Root::new(root)]).unwrap();
    let index = Index::open(&library, &CachePlace::Nowhere, Time(0), &|_| {}).unwrap();
    ps::ps(&library, &index, &LiveCheck { now: Time(now), processes: Some(proc), own: 99 }).unwrap()
}

const LATER: i64 = 1_900_000_000_000;

#[cfg(unix)]
#[test]
fn running_clients_are_told_from_leftovers_and_two_in_one_session_are_warned_about() {
    let said = |session: &str| {
        format!(
            "{{\"sessionId\":\"{session}\",\"procStart\":\"5\",\"version\":\"2.1.325\",\"status\":\"idle\",\"cwd\":\"/p\"}}"
        )
    };
    let store = Store::new()
        .file(format!("projects/-p/{S}.jsonl"), format!("{{\"type\":\"user\",\"uuid\":\"a0000000-0000-4000-8000-000000000001\",\"parentUuid\":null,\"sessionId\":\"{S}\",\"cwd\":\"/old\",\"timestamp\":\"2026-11-01T10:00:00.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"hi\"}}}}\n"))
        .file("sessions/10.json", said(S))
        .file("sessions/11.json", said(S))
        .file("sessions/12.json", said(S))
        .file("sessions/13.json", "{\"sess")
        .file("sessions/13.aa.key", "secret")
        .file("ide/4711.lock", r#"{"pid":21,"ideName":"Editor","workspaceFolders":["/p"],"authToken":"secret"}"#)
        .file("ide/4712.lock", "[]")
        .file("ide/odd.lock", "{}");
    let proc = store.home().join("proc");
    process(&proc, 10, "claude", "/p");
    process(&proc, 11, "claude", "/p");
    process(&proc, 13, "claude", "/p");
    process(&proc, 20, "node /x/@anthropic-ai/claude-code/cli.js", "/old");
    process(&proc, 21, "editor", "/p");
    let view = seen(store.root(), proc, LATER);
    let told: Vec<(u32, &str, KnownBy, bool)> =
        view.clients.iter().map(|one| (one.pid, one.state.name(), one.known_by, one.torn)).collect();
    assert_eq!(
        told,
        [
            (10, "running", KnownBy::PidFile, false),
            (11, "running", KnownBy::PidFile, false),
            (13, "running", KnownBy::PidFile, true),
            (20, "running", KnownBy::Process, false),
            (12, "gone", KnownBy::PidFile, false),
        ]
    );
    let silent = view.clients.iter().find(|one| one.pid == 20).unwrap();
    assert_eq!((silent.session_id.as_deref(), silent.perhaps_session_id.as_deref()), (None, Some(S)));
    let editors: Vec<(u64, &str, bool)> =
        view.editors.iter().map(|one| (one.port, one.state.name(), one.torn)).collect();
    assert_eq!(editors, [(4711, "running", false), (4712, "elsewhere", true)]);
    assert_eq!(view.warnings.len(), 1, "{:?}", view.warnings);
    assert!(view.warnings[0].starts_with("processes 10 and 11 are in one session"));
    assert_eq!(view.unknown.len(), 1);
    assert!(!serde_json::to_string(&view).unwrap().contains("secret"));
}

#[cfg(unix)]
#[test]
fn the_session_of_a_client_that_reports_only_its_first_one_is_not_claimed_to_be_known() {
    let prompt = |id: &str, hour: u32| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"a0000000-0000-4000-8000-000000000001\",\"parentUuid\":null,\"sessionId\":\"{id}\",\"cwd\":\"/p\",\"timestamp\":\"2026-11-01T{hour}:00:00.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"hi\"}}}}\n"
        )
    };
    let first = "11111111-64c4-48a6-a208-ec4e531b27c3";
    let store = Store::new()
        .file(format!("projects/-p/{first}.jsonl"), prompt(first, 10))
        .file(format!("projects/-p/{S}.jsonl"), prompt(S, 11))
        .file(
            "sessions/10.json",
            format!("{{\"pid\":10,\"sessionId\":\"{first}\",\"cwd\":\"/p\",\"startedAt\":5}}"),
        );
    let proc = store.home().join("proc");
    process(&proc, 10, "claude --resume", "/p");
    let view = seen(store.root(), proc, LATER);
    let client = &view.clients[0];
    assert_eq!(
        (client.state, client.session_id.as_deref(), client.title.as_deref()),
        (ps::ClientState::Running, None, None)
    );
    assert_eq!(client.started_session_id.as_deref(), Some(first));
    assert_eq!(client.perhaps_session_id.as_deref(), Some(S));
    assert_eq!(
        view.unknown,
        ["session unknown (clients before 2.1.200 report only the session that they were started with)"]
    );
}

#[cfg(unix)]
#[test]
fn a_session_that_someone_unseen_writes_to_is_warned_about() {
    let store = Store::new().file(format!("projects/-p/{S}.jsonl"), "{}\n");
    let written =
        fs::metadata(store.root().join(format!("projects/-p/{S}.jsonl"))).unwrap().modified().unwrap();
    let now = written.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64 + 5_000;
    let proc = store.home().join("proc");
    fs::create_dir(&proc).unwrap();
    let view = seen(store.root(), proc.clone(), now);
    assert_eq!(view.warnings, [format!("session {S} was modified 5 s ago by an unknown client")]);
    assert!(seen(store.root(), proc, LATER).warnings.is_empty());
}

#[test]
fn recorded_clients_are_all_gone() {
    let empty = Store::new();
    let view = seen(&corpus::tree("2.1.325"), empty.home().join("nowhere"), LATER);
    let states: Vec<&str> = view.clients.iter().map(|one| one.state.name()).collect();
    assert_eq!(states, ["gone"; 5]);
    assert!(view.clients.iter().all(|one| one.session_id.is_some() && one.title.is_some()));
}
