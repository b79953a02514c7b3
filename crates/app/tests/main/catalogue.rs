//! The catalogue and the text index tell what the files tell, however they came to be: in one build or in any number
//! of steps, over files that grow, shrink, move and vanish.

#![allow(clippy::disallowed_methods, reason = "files of a store of the test's own are moved and cut")]

use std::path::{Path, PathBuf};

use scrollback_app::Root;
use scrollback_app::agents::Agents;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::library::Library;
use scrollback_app::search::{self, HitOrder, Search, parse};
use scrollback_app::view::SessionView;
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;

type Hit = (PathBuf, u64, &'static str);

const S: &str = "aaaa1111-0000-4000-8000-000000000001";
const QUERIES: [&str; 12] = [
    "hello",
    "file",
    "the",
    "\"the file\"",
    "file OR test",
    "alpha OR beta",
    "tool:Bash",
    "in:thinking the",
    "in:prompts the",
    "role:user file",
    "is:error",
    "is:dead-branch",
];

fn library(root: &Path) -> Library {
    Library::open(vec![Root::new(root)]).unwrap()
}

/// The index of a store in a cache, brought up to date.
fn open(root: &Path, cache: &Path) -> Index {
    let mut index =
        Index::open(&library(root), &CachePlace::Cache(cache.to_owned()), Time(0), &|_| {}).unwrap();
    index.refresh_text(&|_| {}).unwrap();
    assert!(index.remarks.is_empty(), "{:?}", index.remarks);
    index
}

fn hits(index: &Index, query: &str) -> Vec<Hit> {
    let query = parse(query, &|_| Err("no date".into())).unwrap();
    let wanted = Search { query, order: HitOrder::Best, sessions: None, hits: None, now: Time(0) };
    search::places(index, &wanted).unwrap()
}

/// Says the index the same as one that is built from nothing?
fn check_as_fresh(index: &Index, root: &Path, when: &str) {
    let cache = tempfile::tempdir().unwrap();
    let fresh = open(root, cache.path());
    let (mut told, mut expected) = (index.catalogue().dump().unwrap(), fresh.catalogue().dump().unwrap());
    told.sort();
    expected.sort();
    let odd = told.iter().find(|line| !expected.contains(line));
    let missing = expected.iter().find(|line| !told.contains(line));
    assert!(told == expected, "{when}\n  only in steps: {odd:?}\n  only fresh: {missing:?}");
    // What lets the next refresh see at a glance that nothing has changed.
    let own = root.canonicalize().unwrap().display().to_string();
    let whole = |index: &Index| {
        let db = index.catalogue();
        (db.tally(&own).unwrap(), db.agents_in(&own).unwrap())
    };
    assert_eq!(whole(index), whole(&fresh), "{when}");
    assert_eq!(whole(index).0.files, library(root).sessions().count() as u64 + whole(index).1, "{when}");
    for query in QUERIES {
        assert_eq!(hits(index, query), hits(&fresh, query), "{when}: {query}");
    }
}

fn check_views(version: &str) {
    let library = library(&corpus::tree(version));
    let index = Index::open(&library, &CachePlace::Nowhere, Time(0), &|_| {}).unwrap();
    let views = index.sessions().unwrap();
    assert_eq!(views.len(), library.sessions().count());
    for files in library.sessions() {
        let view = views.iter().find(|view| view.path == files.found.path).unwrap();
        let loaded = library.load(&files, Generation::NEWEST).unwrap();
        let agents = Agents::of(&library, &files, &loaded).views.len() as u64;
        let of_file = SessionView::of(library.place(&files), &loaded.facts, agents);
        let json = |view: &SessionView| serde_json::to_value(view).unwrap();
        assert_eq!(json(view), json(&of_file), "{version}");
    }
}

#[test]
fn every_view_is_that_of_the_file() {
    corpus::VERSIONS.into_iter().for_each(check_views);
}

/// Numbers that look drawn, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// The end of a first piece: a line's, or anywhere in one.
fn cut(bytes: &[u8], from: usize, dice: &mut Dice) -> usize {
    let at = from + dice.below(bytes.len() - from + 1);
    if dice.below(2) == 0 {
        return at;
    }
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end + 1)
}

/// Writes some sessions of a tree piece by piece, refreshing after each.
fn check_steps(version: &str, seed: u64) {
    let tree = corpus::tree(version);
    let all = corpus::jsonl_files(&tree.join("projects"));
    let mut dice = Dice(seed);
    let mut growing: Vec<(PathBuf, Vec<u8>, usize)> = (0..6)
        .map(|_| all[dice.below(all.len())].strip_prefix(&tree).unwrap().to_owned())
        .map(|path| (path.clone(), std::fs::read(tree.join(path)).unwrap(), 0))
        .collect();
    growing.sort();
    growing.dedup();
    let store = Store::new().folder("projects");
    let cache = tempfile::tempdir().unwrap();
    for step in 0..4 {
        for (path, bytes, written) in &mut growing {
            let end = if step == 3 { bytes.len() } else { cut(bytes, *written, &mut dice) };
            store.append(path.as_path(), &bytes[*written..end]);
            *written = end;
        }
        let index = open(store.root(), cache.path());
        if step >= 2 {
            check_as_fresh(&index, store.root(), &format!("{version}, seed {seed}, step {step}"));
        }
    }
}

#[test]
fn steps_of_2_1_200_come_to_one_build() {
    (1..=5).for_each(|seed| check_steps("2.1.200", seed));
}

#[test]
fn steps_of_2_1_9_come_to_one_build() {
    (11..=15).for_each(|seed| check_steps("2.1.9", seed));
}

fn prompt(number: u32, text: &str) -> String {
    let parent = match number {
        1 => "null".to_owned(),
        _ => format!("\"00000000-0000-4000-8000-{:012}\"", number - 1),
    };
    format!(
        r#"{{"parentUuid":{parent},"type":"user","uuid":"00000000-0000-4000-8000-{number:012}","sessionId":"{S}","timestamp":"2026-11-01T10:00:{number:02}.000Z","cwd":"/a","version":"2.1.9","message":{{"role":"user","content":"{text}"}}}}"#
    ) + "\n"
}

/// A store of one session with two prompts, and its cache.
struct Watched {
    store: Store,
    cache: tempfile::TempDir,
}

impl Watched {
    fn new() -> Self {
        let store = Store::new().file(file(), prompt(1, "apple") + &prompt(2, "banana"));
        let watched = Self { store, cache: tempfile::tempdir().unwrap() };
        assert_eq!(watched.lines("banana"), [2]);
        watched
    }

    fn open(&self) -> Index {
        open(self.store.root(), self.cache.path())
    }

    /// The lines of the hits, titles left out.
    fn lines(&self, query: &str) -> Vec<u64> {
        hits(&self.open(), query).into_iter().filter(|hit| hit.2 != "title").map(|hit| hit.1).collect()
    }

    fn title(&self) -> Option<String> {
        self.open().sessions().unwrap().remove(0).title
    }

    fn file_numbers(&self) -> Vec<String> {
        let index = self.open();
        let answer = index.catalogue().ask("SELECT file FROM files", 10, &index.root_names()).unwrap();
        answer.rows.iter().map(|row| row[0].to_string()).collect()
    }

    fn check(&self, when: &str) {
        check_as_fresh(&self.open(), self.store.root(), when);
    }
}

fn file() -> String {
    format!("projects/-a/{S}.jsonl")
}

#[test]
fn a_truncated_file_loses_what_was_cut() {
    let watched = Watched::new();
    watched.store.put(file(), prompt(1, "apple"));
    assert_eq!((watched.lines("apple"), watched.lines("banana")), (vec![1], vec![]));
    watched.check("truncated");
}

#[test]
fn a_file_rewritten_in_place_is_read_anew() {
    let watched = Watched::new();
    watched.store.put(file(), prompt(1, "grape") + &prompt(2, "cherry") + &prompt(3, "banana"));
    assert_eq!(
        (watched.lines("apple"), watched.lines("grape"), watched.lines("banana")),
        (vec![], vec![1], vec![3])
    );
    assert_eq!(watched.title().as_deref(), Some("grape"));
    watched.check("rewritten");
}

#[test]
fn a_file_rewritten_to_the_same_length_is_read_anew() {
    let watched = Watched::new();
    let changed = String::from_utf8(watched.store.read(file())).unwrap().replace("apple", "melon");
    watched.store.put(file(), changed);
    assert_eq!((watched.lines("apple"), watched.lines("melon")), (vec![], vec![1]));
    watched.check("rewritten to the same length");
}

#[test]
fn a_moved_file_keeps_its_number() {
    let watched = Watched::new();
    let before = watched.file_numbers();
    let to = watched.store.root().join("projects/-b");
    std::fs::create_dir(&to).unwrap();
    let to = to.join(format!("{S}.jsonl"));
    std::fs::rename(watched.store.root().join(file()), &to).unwrap();
    assert_eq!(watched.file_numbers(), before);
    let found = hits(&watched.open(), "banana");
    assert_eq!(found, [(to, 2, "prompt")]);
    watched.check("moved");
}

#[test]
fn a_file_that_vanished_is_forgotten() {
    let watched = Watched::new();
    watched.store.remove(file());
    assert!(watched.open().sessions().unwrap().is_empty());
    assert!(watched.lines("apple").is_empty());
    watched.store.put(file(), prompt(1, "apple"));
    assert_eq!(watched.lines("apple"), [1]);
    watched.check("vanished and come again");
}

#[test]
fn a_new_title_is_noticed_wherever_it_stands() {
    let watched = Watched::new();
    assert_eq!(watched.title().as_deref(), Some("apple"));
    let line = format!(r#"{{"type":"custom-title","customTitle":"Of a line","sessionId":"{S}"}}"#) + "\n";
    watched.store.append(file(), line);
    assert_eq!(watched.title().as_deref(), Some("Of a line"));
    watched.check("a title line");
    let side = format!("projects/-a/{S}/custom-title.json");
    watched.store.put(&side, r#"{"customTitle":"Beside it"}"#);
    let beside = watched.title();
    watched.check("a title beside");
    watched.store.put(file(), prompt(1, "apple"));
    assert_eq!(watched.title().as_deref(), Some("Beside it"), "was {beside:?} with a line");
    watched.store.put(&side, r#"{"customTitle":"Otherwise"}"#);
    assert_eq!(watched.title().as_deref(), Some("Otherwise"));
    assert_eq!(hits(&watched.open(), "otherwise").len(), 1);
    assert_eq!(hits(&watched.open(), "beside").len(), 0);
    watched.store.remove(&side);
    assert_eq!(watched.title().as_deref(), Some("apple"));
    watched.check("no title beside");
}

/// Names, times and bytes of what is in a cache, the lock left out.
fn state(cache: &Path) -> Vec<(PathBuf, std::time::SystemTime, Vec<u8>)> {
    let names = ["catalogue.db", "catalogue.db-wal"].map(|name| cache.join(name));
    let text = std::fs::read_dir(cache.join("text")).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut all: Vec<PathBuf> = names.into_iter().filter(|path| path.exists()).chain(text).collect();
    all.sort();
    let look = |path: PathBuf| {
        let time = std::fs::metadata(&path).unwrap().modified().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        (path, time, bytes)
    };
    all.into_iter().map(look).collect()
}

#[test]
fn nothing_is_written_where_nothing_has_changed() {
    let cache = tempfile::tempdir().unwrap();
    let root = corpus::tree("2.1.9");
    // Open all the while: the last one to close puts the log into the database.
    let _held = open(&root, cache.path());
    let before = state(cache.path());
    drop(open(&root, cache.path()));
    let after = state(cache.path());
    let names = |state: &[(PathBuf, std::time::SystemTime, Vec<u8>)]| {
        state.iter().map(|(path, time, bytes)| (path.clone(), *time, bytes.len())).collect::<Vec<_>>()
    };
    assert_eq!(names(&before), names(&after));
    assert!(before == after);
}

const WORDS: [&str; 16] = [
    "file", "test", "the", "echo", "read", "write", "error", "hello", "line", "run", "done", "agent",
    "first", "second", "tool", "a",
];

fn is_within(part: &[Hit], whole: &[Hit]) -> bool {
    part.iter().all(|hit| whole.contains(hit))
}

#[test]
fn words_narrow_and_widen_as_they_should() {
    let cache = tempfile::tempdir().unwrap();
    let index = open(&corpus::tree("2.1.200"), cache.path());
    let mut found = 0;
    for pair in WORDS.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let (of_a, of_b) = (hits(&index, a), hits(&index, b));
        let (both, either) = (hits(&index, &format!("{a} {b}")), hits(&index, &format!("{a} OR {b}")));
        assert!(is_within(&both, &of_a) && is_within(&both, &of_b), "{a} {b}");
        let mut union = of_a.clone();
        union.extend(of_b.iter().filter(|hit| !of_a.contains(hit)).cloned());
        union.sort();
        assert_eq!(either, union, "{a} OR {b}");
        let without = hits(&index, &format!("{a} -{b}"));
        let expected: Vec<Hit> = of_a.iter().filter(|hit| !of_b.contains(hit)).cloned().collect();
        assert_eq!(without, expected, "{a} -{b}");
        for filter in ["tool:Bash", "role:user", "in:answers", "is:error", "project:a", "model:claude"] {
            assert!(is_within(&hits(&index, &format!("{a} {filter}")), &of_a), "{a} {filter}");
        }
        found += of_a.len();
    }
    assert!(found > 100, "{found}");
}

#[test]
fn an_appended_prompt_adds_itself_and_nothing_else() {
    let store = Store::of_tree("2.1.200");
    let cache = tempfile::tempdir().unwrap();
    let path = corpus::jsonl_files(&store.root().join("projects")).swap_remove(0);
    let before: Vec<Vec<Hit>> =
        WORDS.iter().map(|word| hits(&open(store.root(), cache.path()), word)).collect();
    store.append(&path, prompt(1, &WORDS.join(" ")));
    let line = store.read(&path).iter().filter(|byte| **byte == b'\n').count() as u64;
    let index = open(store.root(), cache.path());
    for (word, before) in WORDS.iter().zip(before) {
        let mut expected = before;
        expected.push((path.clone(), line, "prompt"));
        expected.sort();
        assert_eq!(hits(&index, word), expected, "{word}");
    }
}
