//! Moving projects and sessions: what is rewritten, what stays, and the way back.

use std::collections::BTreeSet;
use std::fs;

use scrollback_app::edit::moving::{move_project, move_session};
use scrollback_app::error::AppError;
use scrollback_app::library::Library;
use scrollback_app::resume::{self, Options};
use scrollback_format::area::ProjectFile;
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;

use super::{Field, There, Tree, same, sample};

const NEW: &str = "/srv/elsewhere/new.place";

/// The directories that sessions were begun in, by the first one that a file names.
fn homes(library: &Library) -> BTreeSet<String> {
    let begun = library.sessions().filter_map(|files| {
        let text = String::from_utf8_lossy(&fs::read(&files.found.path).unwrap()).into_owned();
        let (_, rest) = text.split_once("\"cwd\":\"")?;
        Some(rest.split_once('"')?.0.to_owned())
    });
    begun.filter(|home| home != "/").collect()
}

/// Some of them, among them those with worktrees and with settings.
fn some_homes(library: &Library) -> Vec<String> {
    let known = ["/home/dev/work/repo", "/home/dev/work/tui-main", "/home/dev/work/agents"];
    let all = homes(library).into_iter().enumerate();
    all.filter(|(at, home)| at % 4 == 0 || known.contains(&home.as_str())).map(|(_, home)| home).collect()
}

/// Everything but empty folders: one that was shared is made anew, and stays when it is left. The time of the settings
/// tells clients to read them again.
fn without_empty_folders(tree: &Tree) -> Tree {
    let full = |path: &std::path::Path, tree: &Tree| {
        tree.keys().any(|other| other != path && other.starts_with(path))
    };
    let keep: Vec<_> = tree
        .iter()
        .filter(|(path, there)| !matches!(there, There::Folder { .. }) || full(path, tree))
        .map(|(path, there)| (path.clone(), there.clone()))
        .collect();
    let mut kept: Tree = keep.into_iter().collect();
    if let Some(There::File { mtime, .. }) = kept.get_mut(std::path::Path::new(".claude.json")) {
        *mtime = std::time::UNIX_EPOCH;
    }
    kept
}

#[test]
fn every_project_moves_and_is_taken_back() {
    for version in corpus::VERSIONS {
        let field = Field::of_tree(version);
        let library = field.library();
        for home in some_homes(&library) {
            let plan = move_project(&library, &home, NEW, Vec::new())
                .unwrap_or_else(|error| panic!("{version}: {home}: {error}"));
            field.there_and_back(&plan, |field| {
                let left = homes(&field.library());
                let below = |dir: &String| *dir == home || dir.starts_with(&format!("{home}/"));
                assert!(!left.iter().any(below), "{version}: {home} is still there");
                assert!(left.contains(NEW), "{version}: {home} is not at {NEW}");
            });
        }
    }
}

#[test]
fn there_and_back_is_the_identity() {
    for version in corpus::VERSIONS {
        let field = Field::of_tree(version);
        let before = field.tree();
        for home in some_homes(&field.library()) {
            field.apply(&move_project(&field.library(), &home, NEW, Vec::new()).unwrap()).unwrap();
            field.apply(&move_project(&field.library(), NEW, &home, Vec::new()).unwrap()).unwrap();
            let name = format!("{version}: {home}");
            same(&without_empty_folders(&before), &without_empty_folders(&field.tree()), &name);
        }
    }
}

#[test]
fn only_bytes_of_paths_change() {
    let field = Field::of_tree("2.1.325");
    let library = field.library();
    let home = "/home/dev/work/tui-main";
    let before = field.tree();
    field.apply(&move_project(&library, home, NEW, Vec::new()).unwrap()).unwrap();
    let after = field.tree();
    let mut changed = 0;
    for (path, there) in &before {
        let There::File { mode, mtime, bytes } = there else { continue };
        let moved = path.to_string_lossy().replace("-home-dev-work-tui-main", "-srv-elsewhere-new-place");
        let Some(There::File { mode: new_mode, mtime: new_mtime, bytes: new_bytes }) =
            after.get(std::path::Path::new(&moved))
        else {
            panic!("{moved} is gone")
        };
        assert_eq!(mode, new_mode, "{moved}");
        if bytes == new_bytes {
            continue;
        }
        changed += 1;
        let settings = path.ends_with(".claude.json");
        assert!(settings || mtime == new_mtime, "{moved}: its time");
        let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (old, new) = (lines(bytes), lines(new_bytes));
        assert_eq!(old.len(), new.len(), "{moved}");
        for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
            let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
            assert!(old.contains(home) && new.contains(NEW), "{moved}: {old}");
            assert_eq!(old.replace(home, "@"), new.replace(NEW, "@").replace(home, "@"), "{moved}");
        }
    }
    assert!(changed >= 3, "{changed}");
    let text = |path: &str| String::from_utf8(field.store.read(path)).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&text(".claude.json")).unwrap();
    assert!(settings["projects"].get(home).is_none() && settings["projects"].get(NEW).is_some());
    assert!(!text("history.jsonl").contains(&format!("\"project\":\"{home}\"")));
    assert!(text("history.jsonl").contains(&format!("\"project\":\"{NEW}\"")));
    assert!(!field.store.root().join(".claude.json.lock").exists());
}

#[test]
fn a_moved_session_loads_the_same() {
    for version in corpus::VERSIONS {
        let field = Field::of_tree(version);
        let library = field.library();
        for files in sample(&library) {
            let messages = |path: &std::path::Path| {
                serde_json::to_value(resume::of_file(path, &Options::default()).unwrap().messages).unwrap()
            };
            let before = messages(&files.found.path);
            let plan = match move_session(&library, &files, NEW, Vec::new()) {
                Ok(plan) => plan,
                Err(AppError::NoEdit { .. }) => continue,
                Err(error) => panic!("{version}: {}: {error}", files.id),
            };
            field.there_and_back(&plan, |field| {
                let library = field.library();
                let moved = library.sessions().find(|other| other.id == files.id).unwrap();
                assert_eq!(library.folder(moved.folder).1.name, "-srv-elsewhere-new-place");
                assert_eq!(messages(&moved.found.path), before, "{version}: {}", files.id);
                assert!(!files.found.path.exists());
            });
        }
    }
}

/// A line of a session.
pub fn line(session: &str, uuid: u32, parent: Option<u32>, cwd: &str, text: &str) -> String {
    let id = |number: u32| format!("{number:08x}-1111-4111-8111-111111111111");
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{}\"", id(parent)));
    format!(
        r#"{{"parentUuid":{parent},"isSidechain":false,"type":"user","message":{{"role":"user","content":"{text}"}},"uuid":"{}","timestamp":"2026-11-15T22:00:00.000Z","cwd":"{cwd}","sessionId":"{session}","version":"2.1.325","gitBranch":"HEAD"}}"#,
        id(uuid)
    )
}

const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const B: &str = "bbbbbbbb-0000-4000-8000-000000000002";
const C: &str = "cccccccc-0000-4000-8000-000000000003";

/// Two directories in one folder, and a third whose name only begins like the first.
fn shared() -> Field {
    let session = |id: &str, cwd: &str| line(id, 1, None, cwd, "about /w/a.b and /w/new");
    Field::of(
        Store::new()
            .lines(format!("projects/-w-a-b/{A}.jsonl"), [session(A, "/w/a.b"), session(A, "/w/a.b/sub")])
            .lines(format!("projects/-w-a-b/{A}/subagents/agent-a1.jsonl"), [session(A, "/w/a.b")])
            .lines(format!("projects/-w-a-b/{B}.jsonl"), [session(B, "/w/a_b")])
            .file("projects/-w-a-b/memory/MEMORY.md", "whose?")
            .lines(format!("projects/-w-a-bc/{C}.jsonl"), [session(C, "/w/a.bc")])
            .lines(
                "history.jsonl",
                [r#"{"display":"x","project":"/w/a.b"}"#, r#"{"display":"y","project":"/w/a.bc"}"#],
            )
            .file(".claude.json", r#"{"projects":{"/w/a.b":{},"/w/a.bc":{},"/w/a.b/sub":{"x":1}}}"#),
    )
}

#[test]
fn directories_that_share_a_folder_are_told_apart() {
    let field = shared();
    let plan = move_project(&field.library(), "/w/a.b", "/w/new", Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        let text = |path: &str| String::from_utf8(field.store.read(path)).unwrap();
        let moved = text(&format!("projects/-w-new/{A}.jsonl"));
        assert!(moved.contains(r#""cwd":"/w/new""#) && moved.contains(r#""cwd":"/w/new/sub""#));
        assert!(moved.contains("about /w/a.b and /w/new"), "what was said stays");
        assert!(text(&format!("projects/-w-new/{A}/subagents/agent-a1.jsonl")).contains(r#""cwd":"/w/new""#));
        assert!(text(&format!("projects/-w-a-b/{B}.jsonl")).contains("/w/a_b"));
        assert_eq!(text("projects/-w-a-b/memory/MEMORY.md"), "whose?");
        assert!(text(&format!("projects/-w-a-bc/{C}.jsonl")).contains(r#""cwd":"/w/a.bc""#));
        assert_eq!(
            text("history.jsonl"),
            "{\"display\":\"x\",\"project\":\"/w/new\"}\n{\"display\":\"y\",\"project\":\"/w/a.bc\"}\n"
        );
        assert_eq!(text(".claude.json"), r#"{"projects":{"/w/new":{},"/w/a.bc":{},"/w/new/sub":{"x":1}}}"#);
    });
}

#[test]
fn a_new_directory_of_the_same_folder_rewrites_in_place() {
    let field = shared();
    let plan = move_project(&field.library(), "/w/a.b", "/w/a-b", Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        let text = String::from_utf8(field.store.read(format!("projects/-w-a-b/{A}.jsonl"))).unwrap();
        assert!(text.contains(r#""cwd":"/w/a-b""#) && text.contains(r#""cwd":"/w/a-b/sub""#));
    });
}

#[test]
fn lines_that_held_the_new_path_survive_the_way_back() {
    let field = shared();
    field
        .store
        .append(format!("projects/-w-a-b/{A}.jsonl"), line(A, 3, Some(1), "/w/new", "already there") + "\n");
    field.store.append("history.jsonl", "{\"display\":\"z\",\"project\":\"/w/new\"}\n");
    let plan = move_project(&field.library(), "/w/a.b", "/w/new", Vec::new()).unwrap();
    field.there_and_back(&plan, |_| {});
}

#[test]
fn a_folder_that_is_there_is_joined_unless_a_name_is_in_both() {
    let field = shared();
    field.store.put(format!("projects/-w-new/{C}.jsonl"), line(C, 1, None, "/w/new", "x") + "\n");
    field.store.put("projects/-w-new/memory/OTHER.md", "mine");
    let plan = move_project(&field.library(), "/w/a_b", "/w/new", Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        assert!(field.store.root().join(format!("projects/-w-new/{B}.jsonl")).is_file());
        assert!(field.store.root().join(format!("projects/-w-new/{C}.jsonl")).is_file());
    });

    // With nobody else in the folder, memory goes along and is joined.
    field.store.remove(format!("projects/-w-a-b/{B}.jsonl"));
    let plan = move_project(&field.library(), "/w/a.b", "/w/new", Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        assert_eq!(field.store.read("projects/-w-new/memory/MEMORY.md"), b"whose?");
        assert_eq!(field.store.read("projects/-w-new/memory/OTHER.md"), b"mine");
    });
    field.store.put("projects/-w-new/memory/MEMORY.md", "another");
    let before = field.tree();
    let refused = move_project(&field.library(), "/w/a.b", "/w/new", Vec::new());
    let Err(AppError::NoEdit { why, .. }) = refused else { panic!("{refused:?}") };
    assert!(why.contains("memory/MEMORY.md"), "{why}");
    same(&before, &field.tree(), "refused");
}

#[test]
fn a_directory_may_move_into_itself_and_out_again() {
    let session = |id: &str, cwd: &str| line(id, 1, None, cwd, "x");
    let field = Field::of(
        Store::new()
            .lines(format!("projects/-a/{A}.jsonl"), [session(A, "/a")])
            .lines(format!("projects/-a-b/{B}.jsonl"), [session(B, "/a/b")])
            .lines(format!("projects/-a-b-b/{C}.jsonl"), [session(C, "/a/b/b")]),
    );
    let before = field.tree();
    field.apply(&move_project(&field.library(), "/a", "/a/b", Vec::new()).unwrap()).unwrap();
    assert!(field.store.root().join(format!("projects/-a-b/{A}.jsonl")).is_file());
    assert!(field.store.root().join(format!("projects/-a-b-b/{B}.jsonl")).is_file());
    assert!(field.store.root().join(format!("projects/-a-b-b-b/{C}.jsonl")).is_file());
    field.apply(&move_project(&field.library(), "/a/b", "/a", Vec::new()).unwrap()).unwrap();
    same(&before, &field.tree(), "out again");
}

#[test]
fn settings_beside_the_root_move_too() {
    let field =
        Field::of(Store::new().lines(format!("projects/-a/{A}.jsonl"), [line(A, 1, None, "/a", "x")]));
    let beside = field.store.home().join(".claude.json");
    fs::write(&beside, r#"{"projects": {"/a": {"trusted": true}}}"#).unwrap();
    field.apply(&move_project(&field.library(), "/a", "/b", Vec::new()).unwrap()).unwrap();
    assert_eq!(fs::read_to_string(&beside).unwrap(), r#"{"projects": {"/b": {"trusted": true}}}"#);
    field.undo().unwrap();
    assert_eq!(fs::read_to_string(&beside).unwrap(), r#"{"projects": {"/a": {"trusted": true}}}"#);
    assert!(!field.store.home().join(".claude.json.lock").exists());
}

#[test]
fn an_index_of_sessions_is_kept_right() {
    let field = Field::of_tree("2.1.9");
    let library = field.library();
    let home = "/home/dev/work/agents";
    let plan = move_project(&library, home, NEW, Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        let text = field.store.read("projects/-srv-elsewhere-new-place/sessions-index.json");
        let index: serde_json::Value = serde_json::from_slice(&text).unwrap();
        for entry in index["entries"].as_array().unwrap() {
            assert_eq!(entry["projectPath"], NEW);
            assert!(entry["fullPath"].as_str().unwrap().contains("/-srv-elsewhere-new-place/"));
        }
    });
    // One session alone takes its entry with it, to an index that is there.
    let index = "projects/-home-dev-work-agents/sessions-index.json";
    let listed = String::from_utf8(field.store.read(index)).unwrap();
    let files = library
        .sessions()
        .find(|files| {
            let folder = &library.folder(files.folder).1.name;
            folder == "-home-dev-work-agents" && listed.contains(files.id.as_str())
        })
        .unwrap();
    let (id, target) = (files.id.to_string(), "projects/-home-dev-work-base/sessions-index.json");
    assert!(matches!(files.found.file, ProjectFile::Session(_)));
    let plan = move_session(&library, &files, "/home/dev/work/base", Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        let text = |path: &str| String::from_utf8(field.store.read(path)).unwrap();
        assert!(!text(index).contains(&id));
        let joined: serde_json::Value = serde_json::from_str(&text(target)).unwrap();
        let own =
            joined["entries"].as_array().unwrap().iter().find(|entry| entry["sessionId"] == id.as_str());
        assert_eq!(own.unwrap()["projectPath"], "/home/dev/work/base");
        assert!(own.unwrap()["fullPath"].as_str().unwrap().contains("/-home-dev-work-base/"));
    });
}

/// The same as [`shared`], with the index that 2.1.9 keeps.
fn listed() -> Field {
    let field = shared();
    let row = |id: &str, cwd: &str| {
        format!(
            "\n    {{\n      \"sessionId\": \"{id}\",\n      \"fullPath\": \"/h/.claude/projects/-w-a-b/{id}.jsonl\",\n      \"projectPath\": \"{cwd}\"\n    }}"
        )
    };
    let rows = [row(B, "/w/a_b"), row(A, "/w/a.b")].join(",");
    let index = format!("{{\n  \"version\": 1,\n  \"entries\": [{rows}\n  ]\n}}");
    field.store.put("projects/-w-a-b/sessions-index.json", index);
    field
}

#[test]
fn rows_of_the_index_go_along_into_a_folder_that_has_none() {
    let field = listed();
    let before = field.tree();
    let rows = |field: &Field, folder: &str| {
        let path = format!("projects/{folder}/sessions-index.json");
        let index: serde_json::Value = serde_json::from_slice(&field.store.read(path)).unwrap();
        assert_eq!(index["version"], 1);
        let text = |row: &serde_json::Value| {
            [&row["sessionId"], &row["fullPath"], &row["projectPath"]]
                .map(|field| field.as_str().unwrap().to_owned())
                .join(" ")
        };
        index["entries"].as_array().unwrap().iter().map(text).collect::<Vec<_>>()
    };
    let moved = format!("{A} /h/.claude/projects/-w-new/{A}.jsonl /w/new");
    let stayed = format!("{B} /h/.claude/projects/-w-a-b/{B}.jsonl /w/a_b");
    let check = |field: &Field| {
        assert_eq!(rows(field, "-w-new"), [moved.as_str()]);
        assert_eq!(rows(field, "-w-a-b"), [stayed.as_str()]);
    };
    let project = move_project(&field.library(), "/w/a.b", "/w/new", Vec::new()).unwrap();
    field.there_and_back(&project, check);
    let library = field.library();
    let session = library.sessions().find(|files| files.id.as_str() == A).unwrap();
    let session = move_session(&library, &session, "/w/new", Vec::new()).unwrap();
    field.there_and_back(&session, check);
    // On the way back the rows are joined, and no index is left where nothing is.
    field.apply(&move_project(&field.library(), "/w/a.b", "/w/new", Vec::new()).unwrap()).unwrap();
    let back = move_project(&field.library(), "/w/new", "/w/a.b", Vec::new()).unwrap();
    field.apply(&back).unwrap();
    same(&without_empty_folders(&before), &without_empty_folders(&field.tree()), "there and back");
}
