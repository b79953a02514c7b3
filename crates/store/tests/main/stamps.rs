//! Stamps tell growth from rewriting, and a file that is gone.

use std::fs;

use scrollback_format::stamp::FileChange;
use scrollback_store::stamp;

#[test]
fn growth_rewriting_and_loss_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    fs::write(&path, "one\ntwo\n").unwrap();
    let taken = stamp::take(&path).unwrap();
    assert_eq!(stamp::compare(&path, &taken).unwrap(), Some(FileChange::None));
    fs::write(&path, "one\ntwo\nthree\n").unwrap();
    assert_eq!(stamp::compare(&path, &taken).unwrap(), Some(FileChange::Grown { from: 8 }));
    fs::write(&path, "one\nTWO\nthree\n").unwrap();
    assert_eq!(stamp::compare(&path, &taken).unwrap(), Some(FileChange::Rewritten));
    fs::write(&path, "one\n").unwrap();
    assert_eq!(stamp::compare(&path, &taken).unwrap(), Some(FileChange::Rewritten));
    fs::remove_file(&path).unwrap();
    assert_eq!(stamp::compare(&path, &taken).unwrap(), None);
}
