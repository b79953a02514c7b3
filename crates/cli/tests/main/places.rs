//! The edits of places from the outside: whole outputs, exit codes, two processes.

use std::fs;
use std::process::Stdio;

use scrollback_testkit::home::Store;

use crate::program::Program;

const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const B: &str = "bbbbbbbb-0000-4000-8000-000000000002";
const C: &str = "cccccccc-0000-4000-8000-000000000003";

fn line(session: &str, cwd: &str, text: &str) -> String {
    let uuid = session.replace("-0000-", "-1111-");
    format!(
        r#"{{"parentUuid":null,"isSidechain":false,"type":"user","message":{{"role":"user","content":"{text}"}},"uuid":"{uuid}","timestamp":"2026-11-15T12:00:00.000Z","cwd":"{cwd}","sessionId":"{session}","version":"2.1.325","gitBranch":"HEAD"}}"#
    )
}

/// Three sessions in two projects. Their files were written now, which is long after the program's own present.
fn program() -> Program {
    Program::with(
        Store::new()
            .lines(format!("projects/-w-app/{A}.jsonl"), [line(A, "/w/app", "first of app")])
            .lines(format!("projects/-w-app/{A}/subagents/agent-a1.jsonl"), [line(A, "/w/app", "an agent")])
            .lines(format!("projects/-w-app/{B}.jsonl"), [line(B, "/w/app", "second of app")])
            .lines(format!("projects/-w-application/{C}.jsonl"), [line(C, "/w/application", "another one")])
            .file(format!("file-history/{A}/0123456789abcdef@v1"), "old content\n")
            .lines(
                "history.jsonl",
                [format!(r#"{{"display":"first of app","project":"/w/app","sessionId":"{A}"}}"#)],
            )
            .file(".claude.json", r#"{"projects":{"/w/app":{"allowedTools":[]},"/w/application":{}}}"#),
    )
}

#[test]
fn previews() {
    let program = program();
    insta::assert_snapshot!("rename_dry", program.told(&["rename", "aaaa", "A new title", "--dry-run"]));
    insta::assert_snapshot!(
        "move_session_dry",
        program.told(&["move", "aaaa", "--to", "/w/elsewhere", "--dry-run"])
    );
    insta::assert_snapshot!(
        "move_project_dry",
        program.told(&["move", "--project", "/w/app", "/w/new", "--dry-run"])
    );
    insta::assert_snapshot!("rm_dry", program.told(&["rm", "aaaa", "bbbb", "--dry-run"]));
    assert!(!program.root().parent().unwrap().join(".local").exists(), "looking makes nothing");
}

#[test]
fn a_title_is_listed_and_taken_back() {
    let program = program();
    insta::assert_snapshot!("rename", program.told(&["rename", "aaaa", "A new title", "--yes"]));
    let listed = |program: &Program| program.told(&["ls"]);
    assert!(listed(&program).contains("A new title"));
    let sidecar = fs::read(program.root().join(format!("projects/-w-app/{A}/custom-title.json"))).unwrap();
    assert_eq!(sidecar, br#"{"customTitle":"A new title"}"#);
    insta::assert_snapshot!("undo_rename", program.told(&["undo"]));
    assert!(!listed(&program).contains("A new title"));
    insta::assert_snapshot!("journal", program.told(&["journal"]));
}

#[test]
fn a_moved_project_is_listed_at_its_new_place() {
    let program = program();
    program.run(&["ls"]);
    assert!(program.run(&["move", "--project", "/w/app", "/w/xyz", "--yes"]).status.success());
    insta::assert_snapshot!("moved", program.told(&["ls", "--project", "/w/xyz"]));
    assert!(program.told(&["ls", "--project", "/w/app"]).contains("another one"));
    let explained = program.json(&["resume", "--explain", A, "--json"]);
    assert!(explained.to_string().contains("first of app"));
    // The same name for the folder, and as many letters: only the bytes tell.
    assert!(
        program.run(&["move", "--project", "/w/application", "/w/app.ication", "--yes"]).status.success()
    );
    assert!(
        program.run(&["move", "--project", "/w/app.ication", "/w/app-ication", "--yes"]).status.success()
    );
    assert!(program.told(&["ls", "--project", "app-ication"]).contains("another one"));
    insta::assert_snapshot!("moved_nothing", program.told(&["move", "--project", "/w/app", "/w/b", "--yes"]));
}

#[test]
fn removed_sessions_are_in_the_trash() {
    let program = program();
    insta::assert_snapshot!("rm", program.told(&["rm", "aaaa", "--yes"]));
    assert!(!program.told(&["ls"]).contains("first of app"));
    insta::assert_snapshot!("trash_list", program.told(&["trash"]));
    insta::assert_snapshot!("trash_restore", program.told(&["trash", "restore", "1"]));
    assert!(program.told(&["ls"]).contains("first of app"));
    assert!(program.run(&["rm", "aaaa", "--yes"]).status.success());
    insta::assert_snapshot!("trash_empty_unasked", program.told(&["trash", "empty"]));
    insta::assert_snapshot!("trash_empty", program.told(&["trash", "empty", "--yes"]));
    insta::assert_snapshot!("undo_emptied", program.told(&["undo", "3"]));
}

#[test]
fn marks_show_in_the_list() {
    let program = program();
    insta::assert_snapshot!("tag", program.told(&["tag", "aaaa", "later", "bug"]));
    program.run(&["pin", "cccc"]);
    program.run(&["hide", "bbbb"]);
    insta::assert_snapshot!("marked", program.told(&["ls"]));
    insta::assert_snapshot!("marked_all", program.told(&["ls", "--all"]));
    insta::assert_snapshot!("tagged", program.told(&["ls", "--tag", "LATER"]));
    insta::assert_snapshot!("marked_overview", program.told(&[]));
    let overview = program.json(&["--json"]);
    assert_eq!((&overview["sessions"], &overview["hidden_by_user"]), (&2.into(), &1.into()));
    assert_eq!(overview["pinned"][0]["session_id"], C);
    let listing = program.json(&["ls", "--all", "--json"]);
    let of = |id: &str| {
        let sessions = listing["sessions"].as_array().unwrap();
        sessions.iter().find(|session| session["session_id"] == id).unwrap().clone()
    };
    assert_eq!(of(A)["tags"], serde_json::json!(["later", "bug"]));
    assert_eq!((&of(C)["pinned"], &of(B)["hidden"]), (&true.into(), &true.into()));
    assert_eq!(listing["sessions"][0]["session_id"], C);
    program.run(&["hide", "aaaa", "cccc"]);
    insta::assert_snapshot!("all_hidden_overview", program.told(&[]));
    program.run(&["hide", "aaaa", "bbbb", "cccc", "--off"]);
    program.run(&["pin", "cccc", "--off"]);
    program.run(&["tag", "aaaa", "later", "bug", "--remove"]);
    let left = program.json(&["ls", "--json"]).to_string();
    assert!(!left.contains("\"tags\"") && !left.contains("\"pinned\"") && left.contains(B));
}

#[test]
fn refusals_have_their_codes() {
    let program = program();
    let code = |arguments: &[&str]| program.run(arguments).status.code().unwrap();
    for (arguments, expected) in [
        (vec!["rm", "../x", "--yes"], 1),
        (vec!["rm", "/etc/passwd", "--yes"], 1),
        (vec!["rm", "a\nb", "--yes"], 1),
        (vec!["rm", "aaaa/a1", "--yes"], 2),
        (vec!["rename", "aaaa", "two\nlines", "--yes"], 4),
        (vec!["move", "aaaa", "--to", "/a\nb", "--yes"], 4),
        (vec!["move", "--project", "/", "/b", "--yes"], 4),
        (vec!["move", "aaaa"], 2),
        (vec!["move", "--project", "/w/app"], 2),
        (vec!["tag", "aaaa"], 2),
        (vec!["tag", "aaaa", "a\nb"], 4),
        (vec!["undo"], 1),
        (vec!["undo", "9"], 1),
        (vec!["trash", "restore", "9"], 1),
        (vec!["--sample", "rm", "last", "--yes"], 4),
        (vec!["--sample", "tag", "last", "x"], 4),
    ] {
        assert_eq!(code(&arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_session_in_use_is_refused_with_who_holds_it() {
    let program = program();
    let pid = std::process::id();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let start = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().to_owned();
    fs::create_dir(program.root().join("sessions")).unwrap();
    let text = format!(r#"{{"pid":{pid},"sessionId":"{A}","procStart":"{start}"}}"#);
    fs::write(program.root().join(format!("sessions/{pid}.json")), text).unwrap();
    for arguments in [
        vec!["rm", "aaaa", "--yes"],
        vec!["rename", "aaaa", "x", "--yes"],
        vec!["move", "aaaa", "--to", "/w/b", "--yes"],
        vec!["move", "--project", "/w/app", "/w/b", "--yes"],
    ] {
        let output = program.run(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {said}");
        assert!(said.contains(A) && said.contains(&pid.to_string()), "{said}");
    }
    assert!(program.run(&["rename", "cccc", "x", "--yes"]).status.success());
}

#[test]
fn a_store_that_may_not_be_written_says_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let program = program();
    let folder = program.root().join("projects/-w-app");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)).unwrap();
    // Whoever may do everything is not stopped by modes.
    if fs::write(folder.join("probe"), "").is_ok() {
        fs::remove_file(folder.join("probe")).unwrap();
        return;
    }
    let output = program.run(&["rm", "aaaa", "--yes"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(folder.join(format!("{A}.jsonl")).is_file());
}

#[test]
fn of_two_at_once_one_is_refused_or_waits_its_turn() {
    let program = program();
    let data = program.root().parent().unwrap().join(".local/share/scrollback");
    fs::create_dir_all(&data).unwrap();
    let held = fs::OpenOptions::new().create(true).append(true).open(data.join("lock")).unwrap();
    held.lock().unwrap();
    let told = program.told(&["rm", "aaaa", "--yes"]);
    assert!(told.starts_with("status 4"), "{told}");
    assert!(told.contains("another process is editing"), "{told}");
    drop(held);
    let start = |arguments: &[&str]| {
        program.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut both = [start(&["rm", "aaaa", "--yes"]), start(&["rm", "bbbb", "--yes"])];
    let codes: Vec<i32> = both.iter_mut().map(|child| child.wait().unwrap().code().unwrap()).collect();
    assert!(codes.iter().all(|code| [0, 4].contains(code)) && codes.contains(&0), "{codes:?}");
    let gone = [A, B].map(|id| !program.root().join(format!("projects/-w-app/{id}.jsonl")).exists());
    assert_eq!(gone.to_vec(), codes.iter().map(|code| *code == 0).collect::<Vec<_>>());
}
