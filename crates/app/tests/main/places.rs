//! Edits of places over copies of the recorded stores: made, and taken back to the last byte.

#![allow(clippy::disallowed_methods, reason = "tests write beside the stores that they have made")]

mod desk;
mod machine;
mod moving;
mod refusals;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use scrollback_app::Root;
use scrollback_app::edit::{self, EditPlan, LiveCheck, RecordView, remove, rename, trash};
use scrollback_app::error::AppError;
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::marks as mark;
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;

/// A store with a data directory of its own beside it.
pub struct Field {
    pub store: Store,
    pub data: PathBuf,
}

/// What is at a path: mode, and of a file its time and bytes, or where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum There {
    Folder { mode: u32 },
    File { mode: u32, mtime: std::time::SystemTime, bytes: Vec<u8> },
    Link(PathBuf),
}

pub type Tree = BTreeMap<PathBuf, There>;

impl Field {
    pub fn of(store: Store) -> Self {
        let data = store.home().join("data");
        Self { store, data }
    }

    pub fn of_tree(version: &str) -> Self {
        Self::of(Store::of_tree(version))
    }

    pub fn library(&self) -> Library {
        Library::open(vec![Root::new(self.store.root())]).unwrap()
    }

    pub fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        walk(self.store.root(), self.store.root(), &mut tree);
        tree
    }

    pub fn apply(&self, plan: &EditPlan) -> Result<RecordView, AppError> {
        edit::apply(plan, &self.data, &watch())
    }

    pub fn undo(&self) -> Result<RecordView, AppError> {
        edit::undo(None, &self.data, &watch())
    }

    /// Applies, looks, takes back, and compares everything.
    pub fn there_and_back(&self, plan: &EditPlan, look: impl FnOnce(&Self)) {
        let before = self.tree();
        let record = self.apply(plan).unwrap_or_else(|error| panic!("{}: {error}", plan.transaction.title()));
        assert_ne!(self.tree(), before, "{}", record.title);
        look(self);
        self.undo().unwrap_or_else(|error| panic!("undo {}: {error}", record.title));
        same(&before, &self.tree(), &record.title);
    }
}

/// Long after anything was written, on a system without processes: the recorded stores name some of theirs.
pub fn watch() -> LiveCheck {
    LiveCheck { now: Time(2_000_000_000_000), processes: Some("/nonexistent".into()), own: 0 }
}

pub fn same(before: &Tree, after: &Tree, what: &str) {
    for (path, there) in before {
        assert!(after.get(path) == Some(there), "{what}: {} is not as it was", path.display());
    }
    for path in after.keys() {
        assert!(before.contains_key(path), "{what}: {} was left behind", path.display());
    }
}

fn walk(root: &Path, dir: &Path, tree: &mut Tree) {
    use std::os::unix::fs::PermissionsExt as _;
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let (path, meta) = (entry.path(), entry.metadata().unwrap());
        let mode = meta.permissions().mode();
        let there = if meta.is_dir() {
            walk(root, &path, tree);
            There::Folder { mode }
        } else if meta.is_symlink() {
            There::Link(fs::read_link(&path).unwrap())
        } else {
            There::File { mode, mtime: meta.modified().unwrap(), bytes: fs::read(&path).unwrap() }
        };
        tree.insert(path.strip_prefix(root).unwrap().to_owned(), there);
    }
}

/// Some sessions of a library: of each folder the largest.
fn sample(library: &Library) -> Vec<SessionFiles<'_>> {
    let mut largest: BTreeMap<usize, SessionFiles<'_>> = BTreeMap::new();
    for files in library.sessions() {
        let known = largest.get(&files.folder).map_or(0, |known| known.found.size());
        if files.found.size() > known {
            largest.insert(files.folder, files);
        }
    }
    largest.into_values().collect()
}

#[test]
fn removed_sessions_come_back_whole() {
    for version in corpus::VERSIONS {
        let field = Field::of_tree(version);
        let library = field.library();
        for files in sample(&library) {
            let plan = remove::remove(&library, std::slice::from_ref(&files), Vec::new()).unwrap();
            let id = files.id.as_str();
            field.there_and_back(&plan, |field| {
                let left: Vec<PathBuf> = field.tree().into_keys().filter(|path| named(path, id)).collect();
                assert!(left.is_empty(), "{version}: {id} is still in {left:?}");
                assert!(!trash::trashed(&field.data).unwrap().is_empty());
            });
        }
    }
}

/// Does a path name a session? Processes that ended name theirs in the file, not by its name.
fn named(path: &Path, id: &str) -> bool {
    path.iter().any(|part| part.to_string_lossy().starts_with(id))
}

#[test]
fn removing_takes_flat_agents_and_index_entries_along() {
    let field = Field::of_tree("2.0.29");
    let library = field.library();
    let flat =
        |field: &Field| field.tree().keys().filter(|path| path.to_string_lossy().contains("/agent-")).count();
    let before = flat(&field);
    let files =
        library.sessions().find(|files| files.found.path.to_string_lossy().contains("-agents/")).unwrap();
    let plan = remove::remove(&library, &[files], Vec::new()).unwrap();
    field.there_and_back(&plan, |field| assert!(flat(field) < before));

    let field = Field::of_tree("2.1.9");
    let library = field.library();
    let index = "projects/-home-dev-work-agents/sessions-index.json";
    let listed = String::from_utf8(field.store.read(index)).unwrap();
    let files = library
        .sessions()
        .find(|files| {
            files.found.path.to_string_lossy().contains("-agents/") && listed.contains(files.id.as_str())
        })
        .unwrap();
    let id = files.id.to_string();
    let plan = remove::remove(&library, &[files], Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        let left: serde_json::Value = serde_json::from_slice(&field.store.read(index)).unwrap();
        assert!(!left.to_string().contains(&id) && !left["entries"].as_array().unwrap().is_empty());
    });
}

#[test]
fn parts_of_the_trash_come_back_alone_and_an_emptied_one_never() {
    let field = Field::of_tree("2.1.325");
    let library = field.library();
    let two: Vec<SessionFiles<'_>> = sample(&library).into_iter().take(2).collect();
    let paths: Vec<PathBuf> = two.iter().map(|files| files.found.path.clone()).collect();
    let plan = remove::remove(&library, &two, Vec::new()).unwrap();
    let before = field.tree();
    let record = field.apply(&plan).unwrap();
    let first = paths[0].strip_prefix(field.store.root()).unwrap().to_str().unwrap().to_owned();
    trash::restore(record.number, &[first], &field.data, &watch()).unwrap();
    assert!(paths[0].is_file() && !paths[1].exists());
    trash::restore(record.number, &[], &field.data, &watch()).unwrap();
    same(&before, &field.tree(), "restored in two parts");

    let record = field.apply(&remove::remove(&field.library(), &two[..1], Vec::new()).unwrap()).unwrap();
    assert!(trash::empty(Some(record.number), &field.data).unwrap()[0].bytes > 0);
    assert!(trash::restore(record.number, &[], &field.data, &watch()).is_err());
    assert!(!paths[0].exists());
}

#[test]
fn renamed_sessions_have_the_title_and_give_it_back() {
    for version in corpus::VERSIONS {
        let field = Field::of_tree(version);
        let library = field.library();
        for files in sample(&library) {
            let title = "a \"new\" title: é";
            let plan = rename::rename(&library, &files, title, Vec::new()).unwrap();
            let look = |field: &Field| {
                let library = field.library();
                let files = library.sessions().find(|other| other.found.path == files.found.path).unwrap();
                let loaded = library.load(&files, Generation::NEWEST).unwrap();
                assert_eq!(loaded.facts.title.unwrap().text, title, "{version}: {}", files.id);
            };
            field.there_and_back(&plan, look);
        }
    }
}

#[test]
fn a_title_is_written_as_the_client_does() {
    let mut seen = 0;
    for (version, sidecar) in [("2.1.9", false), ("2.1.200", false), ("2.1.325", true)] {
        let field = Field::of_tree(version);
        let library = field.library();
        for files in library.sessions() {
            let loaded = library.load(&files, Generation::NEWEST).unwrap();
            let Some(title) = loaded.transcript.custom_title.clone() else { continue };
            // The client's own lines for this very title are in the file already.
            let own = fs::read(&files.found.path).unwrap();
            field.apply(&rename::rename(&library, &files, "another", Vec::new()).unwrap()).unwrap();
            field.apply(&rename::rename(&library, &files, &title, Vec::new()).unwrap()).unwrap();
            let now = fs::read(&files.found.path).unwrap();
            let added = &now[own.len()..];
            for line in added
                .split_inclusive(|byte| *byte == b'\n')
                .skip(added.split(|byte| *byte == b'\n').count() / 2)
            {
                assert!(own.windows(line.len()).any(|window| window == line), "{version}: {}", files.id);
            }
            assert_eq!(files.found.path.with_extension("").join("custom-title.json").is_file(), sidecar);
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn a_title_is_in_the_index_that_a_client_lists_sessions_by() {
    let line = r#"{"type":"user","uuid":"11111111-1111-4111-8111-111111111111","parentUuid":null,"sessionId":"s","version":"2.1.9","cwd":"/a","message":{"role":"user","content":"hello"}}"#;
    let index = r#"{"version":1,"entries":[{"sessionId":"other"},{"sessionId":"s","firstPrompt":"hello"}]}"#;
    let store = Store::new().file("projects/-a/s.jsonl", format!("{line}\n"));
    let field = Field::of(store.file("projects/-a/sessions-index.json", index));
    let library = field.library();
    let files = library.sessions().next().unwrap();
    let plan = rename::rename(&library, &files, "new", Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        let listed = String::from_utf8(field.store.read("projects/-a/sessions-index.json")).unwrap();
        assert_eq!(listed, index.replace(r#""hello"}"#, r#""hello","customTitle":"new"}"#));
    });
}

#[test]
fn a_torn_line_is_ended_before_the_title() {
    let line = r#"{"type":"user","uuid":"11111111-1111-4111-8111-111111111111","parentUuid":null,"sessionId":"s","version":"2.1.200","cwd":"/a","message":{"role":"user","content":"hello"}}"#;
    let field = Field::of(Store::new().file("projects/-a/s.jsonl", format!("{line}\n{{\"torn")));
    let library = field.library();
    let files = library.sessions().next().unwrap();
    let plan = rename::rename(&library, &files, "new", Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        let text = String::from_utf8(field.store.read("projects/-a/s.jsonl")).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "{\"torn");
        assert_eq!(lines[2], r#"{"type":"custom-title","customTitle":"new","sessionId":"s"}"#);
        assert_eq!(lines[3], r#"{"type":"agent-name","agentName":"new","sessionId":"s"}"#);
    });
}

#[test]
fn marks_are_kept_beside_the_store() {
    let field = Field::of(Store::new());
    let say = |what: &mark::Mark| mark::mark(&field.data, &["s".to_owned()], what).unwrap().remove(0);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    assert!(mark::Marks::load(&field.data).unwrap().of("s").is_none());
    assert_eq!(say(&mark::Mark::Tag(words(&["Later", " bug "]))).tags, ["Later", "bug"]);
    assert_eq!(say(&mark::Mark::Tag(words(&["later"]))).tags, ["Later", "bug"]);
    assert!(say(&mark::Mark::Pin(true)).pinned && say(&mark::Mark::Hide(true)).hidden);
    assert_eq!(say(&mark::Mark::Untag(words(&["LATER"]))).tags, ["bug"]);
    let marks = mark::Marks::load(&field.data).unwrap();
    assert_eq!(marks.sessions(|mark| mark::Marks::is_tagged(mark, "BUG")), ["s"]);
    for bad in ["", " ", "a\nb"] {
        let tag = mark::Mark::Tag(words(&[bad]));
        assert!(matches!(mark::mark(&field.data, &["s".to_owned()], &tag), Err(AppError::NoEdit { .. })));
    }
    say(&mark::Mark::Untag(words(&["bug"])));
    say(&mark::Mark::Pin(false));
    assert_eq!(
        say(&mark::Mark::Hide(false)),
        mark::MarkView { session_id: "s".into(), ..Default::default() }
    );
}
