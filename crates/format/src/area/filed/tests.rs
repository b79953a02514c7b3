//! Names, the areas they are filed in, and whose they are.

use super::is_secret;
use crate::area::{Area, Reading};

const S: &str = "58af5b17-64c4-48a6-a208-ec4e531b27c3";

/// `S` in a path stands for a session's id.
fn check(path: &str, area: Area, owner: &str, known: bool) {
    let path = path.replace('S', S);
    let filed = Area::of(&path);
    assert_eq!((filed.area, filed.owner.kind(), filed.known), (area, owner, known), "{path}");
    let named = filed.owner.session().is_some_and(|session| session.as_str() == S);
    assert_eq!(
        named,
        owner == "session" && path.contains(S) || path.contains(S) && owner == "agent",
        "{path}"
    );
}

#[test]
fn every_name_the_client_gives_has_its_area_and_owner() {
    check("projects/-a/S.jsonl", Area::Projects, "session", true);
    check("projects/-a/S", Area::Projects, "session", true);
    check("projects/-a/S/subagents", Area::Projects, "session", true);
    check("projects/-a/S/subagents/agent-a1.jsonl", Area::Projects, "agent", true);
    check("projects/-a/S/tool-results/b1.txt", Area::Projects, "session", true);
    check("projects/-a/S/notes.txt", Area::Projects, "session", false);
    check("projects/-a/agent-1a2b3c4d.jsonl", Area::Projects, "agent", true);
    check("projects/-a/sessions-index.json", Area::Projects, "project", true);
    check("projects/-a", Area::Projects, "project", true);
    check("projects", Area::Projects, "user", true);
    check("projects/-a/memory/MEMORY.md", Area::Memory, "project", true);
    check("projects/-a/memory", Area::Memory, "project", true);
    check("projects/-a/.DS_Store", Area::Projects, "project", false);
    check("history.jsonl", Area::History, "user", true);
    check("paste-cache/b40111aa2592d6a3.txt", Area::PasteCache, "prompt", true);
    check("file-history/S/b40111aa2592d6a3@v2", Area::FileHistory, "session", true);
    check("file-history/S/odd", Area::FileHistory, "session", false);
    check("todos/S-agent-S.json", Area::Todos, "session", true);
    check("todos/S-agent-a1b2.json", Area::Todos, "agent", true);
    check("tasks/S/1.json", Area::Tasks, "session", true);
    check("tasks/S/.lock", Area::Tasks, "session", true);
    check("plans/wise-drifting-pudding.md", Area::Plans, "slug", true);
    check("debug/S.txt", Area::Debug, "session", true);
    check("debug/latest", Area::Debug, "user", true);
    check("session-env/S", Area::SessionEnv, "session", true);
    check("sessions/123.json", Area::Sessions, "process", true);
    check("ide/1234.lock", Area::Ide, "user", true);
    check("jobs/58af5b17/state.json", Area::Jobs, "session", true);
    check("jobs/pins.json", Area::Jobs, "user", true);
    check("daemon/roster.json", Area::Daemon, "user", true);
    check("daemon.log", Area::Daemon, "user", true);
    check("usage-data/session-meta/S.json", Area::UsageData, "session", true);
    check("usage-data/report-2026-11-15.html", Area::UsageData, "user", true);
    check(".claude.json", Area::Config, "user", true);
    check(".claude.json.backup", Area::Config, "user", true);
    check("backups/.claude.json.backup.1794786156431", Area::Config, "user", true);
    check("settings.local.json", Area::Settings, "user", true);
    check("skills/x/SKILL.md", Area::Skills, "user", true);
    check("shell-snapshots/snapshot-bash-1-abcdef.sh", Area::ShellSnapshots, "user", true);
    check("CLAUDE.md", Area::Instructions, "user", true);
    check(".trash/x", Area::Leftovers, "user", true);
    check("telemetry/1p_failed_events.S.x.json", Area::Telemetry, "session", true);
}

#[test]
fn any_other_path_is_unknown_and_none_is_refused() {
    for path in [
        "",
        "/",
        "//",
        "notes.txt",
        "history",
        "settings/x",
        "scratch",
        "a/b/c",
        "projectsx/a",
        "\u{1b}[2J",
        "..",
        "é/é",
    ] {
        assert_eq!(Area::of(path).area, Area::Unknown, "{path:?}");
        assert!(!Area::of(path).known, "{path:?}");
    }
    for path in ["projects/", "projects//", "todos/é-agent-", "sessions/99999999999.json", "jobs/é", "tasks/"]
    {
        assert_ne!(Area::of(path).area, Area::Unknown, "{path:?}");
    }
}

#[test]
fn secrets_are_told_by_name_and_never_read() {
    for path in [
        ".credentials.json",
        "daemon/control.key",
        "daemon/auth/x",
        "sessions/1.ab.key",
        "plugins/x/.credentials.json",
        "ide/4711.lock",
    ] {
        assert!(is_secret(path), "{path}");
        let filed = Area::of(path);
        assert_eq!((filed.secret, filed.reading), (true, Reading::Secret), "{path}");
    }
    for path in ["settings.json", "tasks/x/.lock", "ide/notes.txt", "projects/-p/ide/1.lock"] {
        assert!(!is_secret(path), "{path}");
    }
}

#[test]
fn what_a_session_may_claim_is_filed_as_its_own() {
    for area in Area::ALL {
        for claim in area.claims(S) {
            let path = match &claim.prefix {
                Some(prefix) => format!("{}/{prefix}{S}.json", claim.path),
                None => claim.path.clone(),
            };
            let filed = Area::of(&path);
            assert_eq!((filed.area, filed.known), (*area, true), "{path}");
            let owner = filed.owner.session().map(crate::id::SessionId::as_str);
            assert_eq!(owner.unwrap_or(S), S, "{path}");
            assert_eq!(filed.owner.kind(), "session", "{path}");
        }
    }
}
