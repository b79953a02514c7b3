//! Random edits, undos and a client that goes on writing: nothing is lost, and an undo gives back every byte or is refused.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use scrollback_app::edit::moving::{move_project, move_session};
use scrollback_app::edit::{remove, rename};
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::marks::{self as mark, Mark};
use scrollback_testkit::home::Store;

use super::moving::line;
use super::{Field, Tree, same};

const SESSIONS: [&str; 3] = [
    "aaaaaaaa-0000-4000-8000-000000000001",
    "bbbbbbbb-0000-4000-8000-000000000002",
    "cccccccc-0000-4000-8000-000000000003",
];

/// Two of them share a folder.
const PLACES: [&str; 4] = ["/w/a.b", "/w/a-b", "/w/a.b/c", "/z"];

#[derive(Debug, Clone)]
enum Doing {
    Rename(usize, u8),
    Tag(usize),
    MoveSession(usize, usize),
    MoveProject(usize, usize),
    Remove(usize),
    Undo,
    Append(usize),
}

fn doing() -> impl Strategy<Value = Doing> {
    prop_oneof![
        (0..3_usize, any::<u8>()).prop_map(|(session, title)| Doing::Rename(session, title)),
        (0..3_usize).prop_map(Doing::Tag),
        (0..3_usize, 0..4_usize).prop_map(|(session, to)| Doing::MoveSession(session, to)),
        (0..4_usize, 0..4_usize).prop_map(|(from, to)| Doing::MoveProject(from, to)),
        (0..3_usize).prop_map(Doing::Remove),
        Just(Doing::Undo),
        Just(Doing::Undo),
        (0..3_usize).prop_map(Doing::Append),
    ]
}

fn find<'l>(library: &'l Library, session: usize) -> Option<SessionFiles<'l>> {
    library.sessions().find(|files| files.id.as_str() == SESSIONS[session])
}

/// Every file below a directory, with its bytes in one text.
fn everything(dir: &std::path::Path) -> String {
    let mut text = String::new();
    let mut dirs: Vec<PathBuf> = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                dirs.push(entry.path());
            } else {
                text.push_str(&String::from_utf8_lossy(&fs::read(entry.path()).unwrap()));
            }
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost(steps in prop::collection::vec(doing(), 1..12)) {
        let mut store = Store::new().file(".claude.json", r#"{"projects":{"/w/a.b":{"x":1},"/z":{}}}"#);
        for (at, session) in SESSIONS.iter().enumerate() {
            let folder = ["-w-a-b", "-w-a-b", "-z"][at];
            let cwd = ["/w/a.b", "/w/a-b", "/z"][at];
            store = store
                .lines(format!("projects/{folder}/{session}.jsonl"), [line(session, 1, None, cwd, &format!("first-{at}."))])
                .lines(format!("projects/{folder}/{session}/subagents/agent-a{at}.jsonl"), [line(session, 9, None, cwd, &format!("agent-{at}."))]);
        }
        let field = Field::of(store);
        fs::create_dir_all(&field.data).unwrap();
        let mut said: Vec<String> = (0..3).flat_map(|at| [format!("first-{at}."), format!("agent-{at}.")]).collect();
        // What the tree was before each edit, and whether anything else came after it.
        let mut before: Vec<(Tree, bool)> = Vec::new();
        for (number, step) in steps.into_iter().enumerate() {
            let library = field.library();
            let planned = match step {
                Doing::Rename(session, title) => find(&library, session)
                    .map(|files| rename::rename(&library, &files, &format!("title {title}"), Vec::new())),
                Doing::MoveSession(session, to) => find(&library, session)
                    .map(|files| move_session(&library, &files, PLACES[to], Vec::new())),
                Doing::MoveProject(from, to) => Some(move_project(&library, PLACES[from], PLACES[to], Vec::new())),
                Doing::Remove(session) => find(&library, session)
                    .map(|files| remove::remove(&library, &[files], Vec::new())),
                Doing::Tag(session) => {
                    mark::mark(&field.data, &[SESSIONS[session].to_owned()], &Mark::Tag(vec!["t".into()])).unwrap();
                    None
                }
                Doing::Append(session) => {
                    if let Some(files) = find(&library, session) {
                        let text = format!("later-{number}.");
                        let path = files.found.path.strip_prefix(field.store.root()).unwrap().to_owned();
                        field.store.append(path, line(SESSIONS[session], 100 + number as u32, Some(1), "/w/a.b", &text) + "\n");
                        said.push(text);
                        before.iter_mut().for_each(|(_, dirty)| *dirty = true);
                    }
                    None
                }
                Doing::Undo => {
                    let now = field.tree();
                    match field.undo() {
                        Ok(_) => {
                            let (tree, dirty) = before.pop().unwrap();
                            if !dirty {
                                same(&tree, &field.tree(), "undone");
                            }
                        }
                        Err(error) => {
                            prop_assert!(before.last().is_none_or(|(_, dirty)| *dirty), "{error}");
                            same(&now, &field.tree(), "an undo that was refused");
                        }
                    }
                    None
                }
            };
            if let Some(Ok(plan)) = planned {
                let now = field.tree();
                field.apply(&plan).unwrap_or_else(|error| panic!("{}: {error}", plan.transaction.title()));
                before.push((now, false));
            }
            let all = everything(field.store.root()) + &everything(&field.data);
            for text in &said {
                prop_assert!(all.contains(text.as_str()), "{text} is lost");
            }
        }
        // All the way back, as far as nothing came in between.
        while let Some((tree, dirty)) = before.pop() {
            if dirty {
                break;
            }
            field.undo().unwrap();
            same(&tree, &field.tree(), "all the way back");
        }
    }
}
