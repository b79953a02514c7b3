//! The time machine for files as a user meets it: whole outputs over the sample and the recorded stores, and files put back.

use std::path::{Path, PathBuf};

use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;
use serde_json::json;

use crate::program::Program;

fn sample(arguments: &[&str]) -> String {
    let all: Vec<&str> = ["--sample", "files"].iter().chain(arguments).copied().collect();
    Program::new().told(&all)
}

/// Of a store that a real client wrote.
fn tree(arguments: &[&str]) -> String {
    let root = corpus::tree("2.1.325").display().to_string();
    let all: Vec<&str> = ["--root", &root, "files"].iter().chain(arguments).copied().collect();
    Program::new().told(&all).replace(&root, "TREE")
}

macro_rules! snapshots {
    ($( $name:ident: $told:expr; )*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), $told);
        }
    )* };
}

const NOTES: &str = "/home/dev/work/tui-rewind/notes.txt";

snapshots! {
    files_help: sample(&["--help"]);
    files_log_help: sample(&["log", "--help"]);
    files_diff_help: sample(&["diff", "--help"]);
    files_restore_help: sample(&["restore", "--help"]);
    files_rewind_help: sample(&["rewind", "--help"]);
    files_ls_with_agents: sample(&["ls", "e9609126"]);
    files_ls_written: sample(&["ls", "fc6154f9", "--written"]);
    files_ls_of_none: sample(&["ls", "9717fdf6"]);
    files_log_over_sessions: sample(&["log", "/home/ada/orbit/src/link.rs"]);
    files_log_of_no_file: sample(&["log", "/somewhere/else/link.rs"]);
    files_log_under_another_root:
        sample(&["log", "/srv/orbit/src/link.rs", "--renamed", "/home/ada/orbit=/srv/orbit", "--limit", "1"]);
    files_log_in_any_project: sample(&["log", "src/link.rs", "--any-project"]);
    files_log_bad_renaming: sample(&["log", "x", "--renamed", "nothing"]);
    files_ls_of_a_real_client: tree(&["ls", "ed3e1dad"]);
    files_ls_as_json: tree(&["ls", "78f10d87", "--json"]);
    files_log_of_several: tree(&["log", "notes.txt"]);
    files_log_as_json: tree(&["log", "tui-rewind/notes.txt", "--limit", "1", "--json"]);
    files_show_newest: tree(&["show", NOTES]);
    files_show_turn: tree(&["show", NOTES, "--at", "ed3e1dad/2"]);
    files_show_before_all: tree(&["show", NOTES, "--at", "ed3e1dad/0"]);
    files_show_time: tree(&["show", NOTES, "--at", "2026-11-15T23:43:47.200Z"]);
    files_show_as_json: tree(&["show", NOTES, "--at", "v3", "--json"]);
    files_show_no_such_version: tree(&["show", NOTES, "--at", "v99"]);
    files_show_no_such_turn: tree(&["show", NOTES, "--at", "ed3e1dad/99"]);
    files_diff_unified: tree(&["diff", &format!("{NOTES}@v2"), "@v5"]);
    files_diff_beside: tree(&["diff", "-s", &format!("{NOTES}@v2"), "@ed3e1dad"]);
    files_diff_with_nothing: tree(&["diff", &format!("{NOTES}@v1"), "@v2"]);
    files_diff_of_pictures: tree(&["diff", "repo/pic.png@", "repo/doc.pdf@"]);
    files_diff_same: tree(&["diff", &format!("{NOTES}@v4"), "@v6"]);
    files_diff_as_json: tree(&["diff", &format!("{NOTES}@v3"), "@v4", "--json"]);
    files_diff_not_on_disk: tree(&["diff", NOTES]);
    files_restore_preview: tree(&["restore", NOTES, "--at", "v2", "--to", "copy"]);
    files_restore_without_target: tree(&["restore", NOTES, "--at", "v2"]);
    files_rewind_without_project: tree(&["rewind", "ed3e1dad", "--to", "2"]);
}

const ID: &str = "aaaa1111-0000-4000-8000-000000000001";

/// A session that changed two files of a project in the home, and one outside of it.
struct Work {
    program: Program,
    project: PathBuf,
}

impl Work {
    fn new() -> Self {
        Self::writing(&[])
    }

    /// With more files that are written at the end.
    fn writing(more: &[(&str, &str)]) -> Self {
        let store = Store::new();
        let project = std::fs::canonicalize(store.home()).unwrap().join("work");
        std::fs::create_dir(&project).unwrap();
        let cwd = project.display().to_string();
        let mut lines: Vec<String> = Vec::new();
        let mut add = |kind: &str, content: serde_json::Value, result: Option<serde_json::Value>| {
            let at = lines.len();
            let parent = (at > 0).then(|| format!("{:08}-0000-4000-8000-000000000000", at - 1));
            let mut line = json!({"parentUuid": parent, "isSidechain": false, "cwd": cwd, "sessionId": ID, "version": "2.1.325",
                "type": kind, "message": {"role": kind, "id": format!("msg_{at}"), "content": content},
                "uuid": format!("{at:08}-0000-4000-8000-000000000000"), "timestamp": format!("2026-11-01T10:{at:02}:00.000Z")});
            if let Some(result) = result {
                line["toolUseResult"] = result;
            }
            lines.push(line.to_string());
        };
        let writes =
            [("a.txt", "one\n"), ("src/b.txt", "one\n"), ("a.txt", "two\n"), ("../outside.txt", "x\n")];
        for (turn, (name, content)) in writes.iter().chain(more).enumerate() {
            add("user", json!(format!("turn {turn}")), None);
            let (id, path) = (format!("toolu_{turn}"), format!("{cwd}/{name}"));
            let input = json!({"file_path": path, "content": content});
            add("assistant", json!([{"type": "tool_use", "id": id, "name": "Write", "input": input}]), None);
            let result = json!({"type": if turn == 2 { "update" } else { "create" }, "filePath": path, "content": content,
                "originalFile": if turn == 2 { json!("one\n") } else { json!(null) }, "structuredPatch": []});
            add("user", json!([{"type": "tool_result", "tool_use_id": id, "content": "done"}]), Some(result));
        }
        let store = store.lines(format!("projects/-x/{ID}.jsonl"), lines);
        std::fs::create_dir(project.join("src")).unwrap();
        std::fs::write(project.join("a.txt"), "mine\n").unwrap();
        std::fs::write(project.join("src/b.txt"), "one\n").unwrap();
        Self { program: Program::with(store), project }
    }

    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.project.join(name)).ok()
    }

    fn told(&self, arguments: &[&str]) -> String {
        self.program.told(arguments)
    }
}

#[test]
fn files_are_rewound_asked_for_and_taken_back() {
    let work = Work::new();
    insta::assert_snapshot!("files_rewind_asks", work.told(&["files", "rewind", "aaaa", "--to", "1"]));
    assert_eq!(work.read("a.txt").as_deref(), Some("mine\n"));
    insta::assert_snapshot!(
        "files_rewind_done",
        work.told(&["files", "rewind", "aaaa", "--to", "1", "--yes"])
    );
    assert_eq!((work.read("a.txt").as_deref(), work.read("src/b.txt")), (Some("one\n"), None));
    insta::assert_snapshot!("files_in_the_trash", work.told(&["trash"]));
    insta::assert_snapshot!(
        "files_rewind_again",
        work.told(&["files", "rewind", "aaaa", "--to", "1", "--yes"])
    );
    assert!(work.told(&["undo"]).starts_with("status 0"));
    assert_eq!(
        (work.read("a.txt").as_deref(), work.read("src/b.txt").as_deref()),
        (Some("mine\n"), Some("one\n"))
    );
}

#[test]
fn one_file_of_a_restore_can_be_had_back_from_the_trash() {
    let work = Work::new();
    assert!(work.told(&["files", "rewind", "aaaa", "--to", "1", "--yes"]).starts_with("status 0"));
    assert!(work.told(&["trash", "restore", "1", "a.txt"]).starts_with("status 0"));
    assert_eq!((work.read("a.txt").as_deref(), work.read("src/b.txt")), (Some("mine\n"), None));
}

#[test]
fn a_file_is_restored_where_the_user_says() {
    let work = Work::new();
    let file = work.project.join("a.txt").display().to_string();
    let into = work.told(&["files", "restore", &file, "--at", "aaaa/1", "--to", "copies", "--yes"]);
    assert!(into.starts_with("status 0"), "{into}");
    let home = work.project.parent().unwrap();
    assert_eq!(std::fs::read_to_string(home.join("copies/a.txt")).unwrap(), "one\n");
    let all = work.told(&["files", "restore", "--all", "--at", "aaaa", "--to", "everything", "--yes"]);
    assert!(all.starts_with("status 0"), "{all}");
    let outside = format!("everything/outside{}", home.join("outside.txt").display());
    assert_eq!(std::fs::read_to_string(home.join(outside)).unwrap(), "x\n");
    assert!(!home.join("outside.txt").exists());
    let named = work.told(&["files", "restore", "outside.txt", "--at", "v2", "--in-place", "--yes"]);
    assert!(named.starts_with("status 0"), "{named}");
    assert_eq!(std::fs::read_to_string(home.join("outside.txt")).unwrap(), "x\n");
    let edited = work.program.json(&["files", "restore", &file, "--at", "v2", "--in-place", "--json"]);
    assert_eq!(edited["applied"], false);
    assert_eq!(edited["preview"]["changes"][0]["detail"], "v2 of 3, exact");
    assert_eq!(work.read("a.txt").as_deref(), Some("mine\n"));
}

#[test]
fn what_is_printed_into_a_pipe_is_the_file_byte_for_byte() {
    let root = corpus::tree("2.1.325");
    let program = Program::new();
    let output = program.run(&["--root", &root.display().to_string(), "files", "show", "repo/pic.png"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"\x89PNG\r\n") && output.stdout.len() == 727);
}

#[test]
fn a_project_that_was_renamed_is_restored_where_it_is_now() {
    let work = Work::new();
    let (old, new) = (work.project.clone(), work.project.with_file_name("moved"));
    #[allow(clippy::disallowed_methods, reason = "a project of the test's own is renamed")]
    std::fs::rename(&old, &new).unwrap();
    let refused = work.told(&["files", "rewind", "aaaa", "--to", "1", "--yes"]);
    assert!(refused.starts_with("status 4") && refused.contains("--renamed OLD=NEW"), "{refused}");
    let renamed = format!("{}={}", old.display(), new.display());
    let done = work.told(&["files", "rewind", "aaaa", "--to", "1", "--yes", "--renamed", &renamed]);
    assert!(done.starts_with("status 0"), "{done}");
    assert_eq!(std::fs::read_to_string(new.join("a.txt")).unwrap(), "one\n");
    assert!(!Path::new(&old).exists());
}

#[test]
fn a_name_that_no_disk_takes_is_left_and_the_rest_is_restored() {
    let long = "n".repeat(300);
    let work =
        Work::writing(&[(&long, "long\n"), (&format!("{long}/below.txt"), "below\n"), ("z.txt", "last\n")]);
    let restore = ["files", "restore", "--all", "--at", "aaaa", "--to", "everything", "--yes"];
    let done = work.told(&restore).replace(&long, "LONG");
    assert!(done.starts_with("status 0"), "{done}");
    for left in ["LONG", "LONG/below.txt"] {
        let warning =
            format!("warning: HOME/work/{left} is skipped: a name in its path is too long for the disk\n");
        assert!(done.contains(&warning), "{done}");
    }
    let home = work.project.parent().unwrap();
    assert_eq!(std::fs::read_to_string(home.join("everything/z.txt")).unwrap(), "last\n");
    // Whatever was left, the journal is open to the next edit.
    let undone = work.told(&["undo"]);
    assert!(undone.starts_with("status 0") && !home.join("everything").exists(), "{undone}");
}

#[test]
fn a_file_whose_backup_is_gone_is_told_as_lost_and_not_restored_from_another_state() {
    let store = Store::of_tree("2.1.325");
    store.remove("file-history/ed3e1dad-9b0d-491a-8baa-55da6c800d35/32791c580b59cfaa@v4");
    let program = Program::with(store);
    insta::assert_snapshot!("files_log_with_a_lost_backup", program.told(&["files", "log", NOTES]));
    insta::assert_snapshot!(
        "files_show_a_lost_backup",
        program.told(&["files", "show", NOTES, "--at", "ed3e1dad/3"])
    );
    insta::assert_snapshot!(
        "files_rewind_to_a_lost_backup",
        program.told(&["files", "rewind", "ed3e1dad", "--to", "3", "--into", "there", "--yes"])
    );
}

#[test]
fn files_of_other_stores_in_the_catalogue_are_not_suggested() {
    let work = Work::new();
    let own = work.told(&["files", "log", "/elsewhere/b.txt"]);
    assert!(own.starts_with("status 1") && own.contains("did you mean HOME/work/src/b.txt?"), "{own}");
    let other = Store::new().file("projects/-x/aaaa1111-0000-4000-8000-000000000002.jsonl", "{}\n");
    let root = other.root().display().to_string();
    let told = work.told(&["--root", &root, "files", "log", "/elsewhere/b.txt"]);
    assert!(told.starts_with("status 1") && !told.contains("did you mean"), "{told}");
}

#[test]
fn an_undo_that_is_refused_names_the_one_that_can_be_taken_back() {
    let work = Work::new();
    let (file, home) = (work.project.join("a.txt").display().to_string(), work.project.parent().unwrap());
    for target in ["one", "two", "three"] {
        let done = work.told(&["files", "restore", &file, "--at", "v2", "--to", target, "--yes"]);
        assert!(done.starts_with("status 0"), "{done}");
    }
    std::fs::write(home.join("two/a.txt"), "mine").unwrap();
    std::fs::write(home.join("three/a.txt"), "mine").unwrap();
    insta::assert_snapshot!("undo_refused_with_an_older_one", work.told(&["undo"]));
    assert!(work.told(&["undo", "1"]).starts_with("status 0"));
    let refused = work.told(&["undo"]);
    assert!(refused.starts_with("status 4") && refused.contains("no edit before it can be"), "{refused}");
}

#[test]
fn a_version_is_named_after_its_path_or_by_an_option() {
    let program = Program::with(Store::of_tree("2.1.325"));
    for version in ["v2", "v3", "ed3e1dad/2"] {
        let after = program.told(&["files", "show", &format!("{NOTES}@{version}")]);
        assert_eq!(after, program.told(&["files", "show", NOTES, "--at", version]), "{version}");
        assert!(after.starts_with("status 0"), "{after}");
    }
    let newest = program.told(&["files", "show", &format!("{NOTES}@")]);
    assert_eq!(newest, program.told(&["files", "show", NOTES]));
}

#[test]
fn a_path_that_holds_the_sign_of_a_version_is_a_path_first() {
    let work = Work::writing(&[("a@v1", "whole\n"), ("a", "part\n")]);
    let shown = work.told(&["files", "show", "work/a@v1"]);
    assert!(shown.contains("--- stdout\nwhole\n"), "{shown}");
    let shown = work.told(&["files", "show", "work/a@v1@v2"]);
    assert!(shown.contains("--- stdout\nwhole\n"), "{shown}");
}
