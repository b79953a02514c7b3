//! Walking reports what is odd and never fails.

use std::fs;
use std::path::Path;

use scrollback_format::area::ProjectFile;
use scrollback_store::{Root, Walk};

fn put(root: &Path, path: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "{}\n").unwrap();
}

fn told(walk: &Walk) -> Vec<String> {
    walk.troubles
        .iter()
        .map(|trouble| format!("{}: {}", trouble.path.file_name().unwrap().to_string_lossy(), trouble.what))
        .collect()
}

#[test]
fn a_missing_or_empty_root_is_an_empty_walk() {
    let dir = tempfile::tempdir().unwrap();
    for root in [dir.path().join("nowhere"), dir.path().to_owned()] {
        let walk = Walk::of(&Root::new(root));
        assert!(walk.folders.is_empty() && walk.troubles.is_empty());
    }
}

#[test]
fn files_are_found_at_every_depth_and_sorted() {
    let dir = tempfile::tempdir().unwrap();
    let session = "58af5b17-64c4-48a6-a208-ec4e531b27c3";
    for path in [
        format!("projects/-b/{session}.jsonl"),
        format!("projects/-b/{session}/subagents/agent-a1.jsonl"),
        format!("projects/-b/{session}/subagents/workflows/wf_1/journal.jsonl"),
        "projects/-a/agent-12345678.jsonl".to_owned(),
        "projects/-a/notes.txt".to_owned(),
    ] {
        put(dir.path(), &path);
    }
    let walk = Walk::of(&Root::new(dir.path()));
    assert_eq!(walk.folders.iter().map(|folder| folder.name.as_str()).collect::<Vec<_>>(), ["-a", "-b"]);
    assert_eq!(walk.folders[0].files[1].file, ProjectFile::Odd);
    assert_eq!(walk.folders[1].files.len(), 3);
    assert!(walk.folders[1].files.iter().all(|found| found.size() == 3 && found.file.is_transcript()));
}

#[cfg(unix)]
#[test]
fn links_odd_names_and_strays_are_told() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "projects/-a/x.jsonl");
    put(dir.path(), "projects/stray.txt");
    symlink(dir.path().join("projects/-a"), dir.path().join("projects/-z")).unwrap();
    symlink("/nowhere/at/all", dir.path().join("projects/-a/dead.jsonl")).unwrap();
    symlink(dir.path(), dir.path().join("projects/-a/loop")).unwrap();
    let odd = dir.path().join("projects/-a").join(std::ffi::OsStr::from_bytes(b"\xff.jsonl"));
    fs::write(odd, "").unwrap();
    let walk = Walk::of(&Root::new(dir.path()));
    let mut told = told(&walk);
    told.sort();
    let expected = [
        "a link to a folder",
        "a name that is not UTF-8",
        "a second link",
        "a file beside",
        "link to nothing",
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for what in expected {
        assert!(told.iter().any(|line| line.contains(what)), "{what}: {told:?}");
    }
    let files: usize = walk.folders.iter().map(|folder| folder.files.len()).sum();
    assert_eq!(files, 2, "the session and the file with the odd name");
}
