//! Credentials are not opened, by whatever name: their own, a link, a chain of links, a linked folder, a hard link.

#![cfg(unix)]

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use scrollback_store::{LineReader, ReadError, ReadRefusal, Root, Start, guard, small, stamp};

/// Every file of a store that holds a secret.
const SECRETS: [&str; 7] = [
    ".credentials.json",
    "plugins/x/.credentials.json",
    "daemon/control.key",
    "daemon/auth/token",
    "daemon/auth/deep/token.jsonl",
    "sessions/12.ab.key",
    "ide/4711.lock",
];

struct Field {
    dir: tempfile::TempDir,
    root: PathBuf,
}

impl Field {
    /// A store that is called like no other, so that only being at hand makes it one.
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let field = Self { root: dir.path().join("store"), dir };
        for path in SECRETS {
            put(&field.root.join(path), r#"{"token":"secret"}"#);
        }
        put(&field.root.join("projects/-p/plain.jsonl"), "{}\n");
        Root::new(&field.root);
        field
    }

    fn session(&self, name: &str) -> PathBuf {
        self.root.join("projects/-p").join(name)
    }
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Every way to read a file refuses it.
#[track_caller]
fn refused(path: &Path) {
    let why = |error: ReadError| {
        assert!(!error.is_gone() && error.path == path);
        assert!(error.to_string().ends_with(": refused: credentials"), "{error}");
        error.refusal()
    };
    let ways: [(&str, Result<(), ReadError>); 8] = [
        ("open", guard::open(path).map(drop)),
        ("read", small::read(path, 1 << 20).map(drop)),
        ("whole_lines", small::whole_lines(path, 1).map(drop)),
        ("copy", small::copy(path, |_| panic!("it is copied"))),
        ("spans", small::Spans::open(path).map(drop)),
        ("stamp", stamp::take(path).map(drop)),
        ("lines", LineReader::new().read(path, Start::default(), |_| panic!("it is read")).map(drop)),
        ("blocks", LineReader::new().read_blocks(path, |_| panic!("it is read")).map(drop)),
    ];
    for (way, end) in ways {
        assert_eq!(end.map_err(why), Err(Some(ReadRefusal::Credentials)), "{way}: {}", path.display());
    }
}

#[test]
fn secrets_are_refused_by_their_own_names() {
    let field = Field::new();
    for secret in SECRETS {
        refused(&field.root.join(secret));
        refused(&field.root.join("projects/..").join(secret));
    }
}

#[test]
fn a_link_is_what_it_leads_to() {
    let field = Field::new();
    for (n, secret) in SECRETS.into_iter().enumerate() {
        let (absolute, relative, chain) =
            (format!("{n}-a.jsonl"), format!("{n}-r.jsonl"), format!("{n}-c.jsonl"));
        symlink(field.root.join(secret), field.session(&absolute)).unwrap();
        symlink(Path::new("../..").join(secret), field.session(&relative)).unwrap();
        symlink(&relative, field.session(&format!("{n}-between.jsonl"))).unwrap();
        symlink(format!("{n}-between.jsonl"), field.session(&chain)).unwrap();
        for name in [absolute, relative, chain] {
            refused(&field.session(&name));
        }
    }
}

#[test]
fn a_hard_link_is_the_same_file() {
    let field = Field::new();
    for (n, secret) in SECRETS.into_iter().enumerate() {
        if secret.starts_with("plugins") {
            continue;
        }
        let other = field.session(&format!("{n}.jsonl"));
        fs::hard_link(field.root.join(secret), &other).unwrap();
        refused(&other);
        let linked = field.session(&format!("{n}-link.jsonl"));
        symlink(&other, &linked).unwrap();
        refused(&linked);
    }
    // A second name alone is nothing to refuse.
    fs::hard_link(field.session("plain.jsonl"), field.session("twin.jsonl")).unwrap();
    assert_eq!(small::read(&field.session("twin.jsonl"), 9).unwrap().0, b"{}\n");
}

#[test]
fn a_hard_link_to_another_store_at_hand_is_refused() {
    let (one, other) = (Field::new(), Field::new());
    fs::hard_link(other.root.join("daemon/auth/token"), one.session("x.jsonl")).unwrap();
    refused(&one.session("x.jsonl"));
}

#[test]
fn a_linked_folder_leads_to_the_same_files() {
    let field = Field::new();
    symlink("..", field.root.join("projects/up")).unwrap();
    symlink("../daemon/auth", field.root.join("projects/auth")).unwrap();
    symlink("../ide", field.root.join("projects/ide")).unwrap();
    for path in ["up/.credentials.json", "up/daemon/auth/token", "auth/token", "auth/deep/token.jsonl"] {
        refused(&field.root.join("projects").join(path));
    }
    refused(&field.root.join("projects/ide/4711.lock"));
    let plain = field.root.join("projects/up/projects/-p/plain.jsonl");
    assert_eq!(small::read(&plain, 9).unwrap().0, b"{}\n");
}

#[test]
fn credentials_that_are_links_themselves_are_refused_at_their_end() {
    let field = Field::new();
    let kept = field.dir.path().join("dotfiles/claude-login");
    put(&kept, "secret");
    fs::remove_file(field.root.join(".credentials.json")).unwrap();
    symlink(&kept, field.root.join(".credentials.json")).unwrap();
    symlink(&kept, field.session("x.jsonl")).unwrap();
    refused(&field.root.join(".credentials.json"));
    refused(&field.session("x.jsonl"));
}

#[test]
fn credentials_of_a_store_that_is_not_at_hand_are_told_by_their_place() {
    let field = Field::new();
    let foreign = field.dir.path().join("other/.claude");
    for (n, secret) in SECRETS.into_iter().enumerate() {
        put(&foreign.join(secret), "secret");
        let link = field.session(&format!("{n}.jsonl"));
        symlink(foreign.join(secret), &link).unwrap();
        refused(&link);
    }
}

#[test]
fn a_store_that_is_a_link_is_read_and_guarded_like_any_other() {
    let field = Field::new();
    let root = field.dir.path().join("link");
    symlink("store", &root).unwrap();
    Root::new(&root);
    assert_eq!(small::read(&root.join("projects/-p/plain.jsonl"), 9).unwrap().0, b"{}\n");
    symlink("../../ide/4711.lock", field.session("x.jsonl")).unwrap();
    fs::hard_link(field.root.join("daemon/auth/token"), field.session("y.jsonl")).unwrap();
    refused(&root.join("projects/-p/x.jsonl"));
    refused(&root.join("projects/-p/y.jsonl"));
    refused(&root.join("daemon/auth/token"));
}

#[test]
fn names_that_only_look_alike_are_read() {
    let field = Field::new();
    for path in [
        "store/projects/-p/ide.jsonl",
        "store/projects/-p/daemon/auth/x.jsonl",
        "store/projects/-p/ide/4711.lock",
        "daemon/auth/work/.claude/settings.json",
        "work/ide/Cargo.lock",
        "work/credentials.json",
    ] {
        let path = field.dir.path().join(path);
        put(&path, "plain");
        let link = field.dir.path().join("link");
        symlink(&path, &link).unwrap();
        for path in [&path, &link] {
            assert_eq!(small::read(path, 9).unwrap().0, b"plain", "{}", path.display());
        }
        fs::remove_file(link).unwrap();
    }
}

#[test]
fn a_link_to_nothing_is_gone_and_not_refused() {
    let field = Field::new();
    symlink("nowhere", field.session("x.jsonl")).unwrap();
    let error = guard::open(&field.session("x.jsonl")).unwrap_err();
    assert!(error.is_gone() && error.refusal().is_none());
}

#[test]
fn a_line_reader_reads_a_plain_link() {
    let field = Field::new();
    symlink("plain.jsonl", field.session("x.jsonl")).unwrap();
    let mut lines = 0;
    let count = |_: scrollback_store::Chunk<'_>| {
        lines += 1;
        ControlFlow::Continue(())
    };
    LineReader::new().read(&field.session("x.jsonl"), Start::default(), count).unwrap();
    assert_eq!(lines, 1);
}
