//! Single operations: what they refuse, what they leave, and in which state when a call fails.

use std::fs;
use std::path::Path;

use scrollback_store::shape::PathShape;
use scrollback_store::write::{self, FileAttributes};
use scrollback_store::write_error::{FileState, WriteError};
use scrollback_store::{Disk, stamp};

use crate::faults::{Faults, Field, MORE_MODES, file, tree};

fn shape(path: &Path) -> PathShape {
    PathShape::of(&Disk::real(), path).unwrap().unwrap()
}

/// An operation at every failpoint: old or new, and the error says which. A process that died may leave a temporary
/// file here: single operations have no record to clear it by.
fn check(name: &str, run: impl Fn(&Disk, &Path) -> Result<(), WriteError>) -> usize {
    let field = || {
        let field = Field::new();
        file(&field.root, "a.jsonl", b"{\"a\":1}\n{\"torn\":");
        file(&field.root, "dir/b", b"b");
        field
    };
    let (before, after) = {
        let field = field();
        let before = field.tree();
        run(&Faults::none(None), &field.root).unwrap();
        (before, bytes(&field))
    };
    let mut points = 0;
    for mode in MORE_MODES {
        for at in 1.. {
            let field = field();
            let faults = Faults::new(at, mode, None);
            let result = run(&Disk::behind(faults.clone()), &field.root);
            if !faults.was_hit() {
                break;
            }
            points += 1;
            let what = format!("{name}, {mode:?} at {at}: {result:?}");
            let Err(error) = result else {
                assert_eq!(bytes(&field), after, "{what}");
                continue;
            };
            match error.state() {
                FileState::New => assert_eq!(bytes(&field), after, "{what}"),
                FileState::Old if !faults.died() => assert_eq!(visible(&field), before, "{what}"),
                FileState::Old => {}
                // Nothing that was there is lost.
                FileState::Torn => {
                    let now = fs::read(field.root.join("a.jsonl")).unwrap();
                    assert!(now.starts_with(b"{\"a\":1}\n{\"torn\":"), "{what}");
                }
            }
        }
    }
    println!("{name}: {points} failpoints");
    points
}

fn visible(field: &Field) -> crate::faults::Tree {
    field.tree().into_iter().filter(|(name, _)| !name.contains("scrollback-tmp")).collect()
}

/// Names and bytes alone: times of what is new differ.
fn bytes(field: &Field) -> Vec<(String, Vec<u8>)> {
    visible(field).into_iter().map(|(name, (_, _, bytes))| (name, bytes)).collect()
}

#[test]
fn single_operations_say_which_state_they_leave() {
    let mut points = check("append", |disk, root| {
        let path = root.join("a.jsonl");
        write::append(disk, &path, &stamp::take(&path).unwrap(), b"{\"b\":2}\n")
    });
    points += check("replace", |disk, root| {
        let path = root.join("a.jsonl");
        write::replace(disk, &path, &stamp::take(&path).unwrap(), b"new\n", true)
    });
    points +=
        check("create", |disk, root| write::create(disk, &root.join("c"), b"c\n", FileAttributes::default()));
    points += check("make", |disk, root| write::make_dir(disk, &root.join("d"), 0o700));
    points += check("move", |disk, root| {
        write::move_to(disk, &root.join("dir"), &root.join("e"), &shape(&root.join("dir")))
    });
    points += check("remove", |disk, root| {
        write::remove(disk, &root.join("a.jsonl"), &shape(&root.join("a.jsonl")))
    });
    println!("single operations: {points} failpoints");
    assert!(points > 200);
}

#[test]
fn lines_after_a_torn_one_begin_a_line() {
    let field = Field::new();
    file(&field.root, "torn", b"{}\n{\"x");
    file(&field.root, "whole", b"{}\n");
    file(&field.root, "empty", b"");
    let disk = Disk::real();
    for (name, expected) in [("torn", &b"{}\n{\"x\n{}\n"[..]), ("whole", b"{}\n{}\n"), ("empty", b"{}\n")] {
        let path = field.root.join(name);
        write::append(&disk, &path, &stamp::take(&path).unwrap(), b"{}\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), expected, "{name}");
    }
}

#[test]
fn what_changed_since_it_was_read_is_not_written() {
    let field = Field::new();
    file(&field.root, "a", b"{}\n");
    let path = field.root.join("a");
    let disk = Disk::real();
    let old = stamp::take(&path).unwrap();
    let old_shape = shape(&path);
    write::append(&disk, &path, &old, b"[]\n").unwrap();
    let now = tree(&field.root);
    let refused = [
        write::append(&disk, &path, &old, b"x\n"),
        write::replace(&disk, &path, &old, b"x\n", false),
        write::remove(&disk, &path, &old_shape),
        write::move_to(&disk, &path, &field.root.join("b"), &old_shape),
    ];
    for result in refused {
        assert!(matches!(result, Err(WriteError::Changed { .. })), "{result:?}");
    }
    assert_eq!(tree(&field.root), now);
}

#[test]
fn nothing_is_overwritten() {
    let field = Field::new();
    file(&field.root, "a", b"a");
    file(&field.root, "b", b"b");
    let (a, b) = (field.root.join("a"), field.root.join("b"));
    let disk = Disk::real();
    let refused = [
        write::create(&disk, &b, b"x", FileAttributes::default()),
        write::move_to(&disk, &a, &b, &shape(&a)),
        write::make_dir(&disk, &b, 0o700),
    ];
    for result in refused {
        assert!(matches!(result, Err(WriteError::Exists { .. })), "{result:?}");
    }
    assert_eq!(fs::read(&b).unwrap(), b"b");
}

#[cfg(unix)]
#[test]
fn modes_are_the_users_alone_and_kept() {
    use std::os::unix::fs::PermissionsExt;
    let field = Field::new();
    let disk = Disk::real();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let (file, dir) = (field.root.join("f"), field.root.join("d"));
    write::create(
        &disk,
        &file,
        b"1\n",
        FileAttributes { mtime_ns: Some(5_000_000_000), ..FileAttributes::default() },
    )
    .unwrap();
    write::make_dir(&disk, &dir, write::FOLDER_MODE).unwrap();
    assert_eq!((mode(&file), mode(&dir)), (0o600, 0o700));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    write::replace(&disk, &file, &stamp::take(&file).unwrap(), b"2\n", true).unwrap();
    assert_eq!((mode(&file), shape(&file).mtime_ns), (0o644, 5_000_000_000));
}

#[cfg(unix)]
#[test]
fn links_are_not_written_through() {
    let field = Field::new();
    file(&field.root, "real", b"{}\n");
    std::os::unix::fs::symlink("real", field.root.join("link")).unwrap();
    let link = field.root.join("link");
    let expected = stamp::take(&link).unwrap();
    assert!(write::append(&Disk::real(), &link, &expected, b"x\n").is_err());
    assert!(write::replace(&Disk::real(), &link, &expected, b"x\n", false).is_err());
    assert_eq!(fs::read(field.root.join("real")).unwrap(), b"{}\n");
}

#[test]
fn to_another_device_it_is_copied_and_then_removed() {
    let far = Path::new("/dev/shm");
    let near = tempfile::tempdir().unwrap();
    if !far.is_dir() || Disk::real().same_device(far, near.path()).unwrap() {
        return;
    }
    let far = tempfile::tempdir_in(far).unwrap();
    file(near.path(), "dir/sub/a.meta", b"a");
    let (before, dir) = (tree(near.path()), near.path().join("dir"));
    write::move_to(&Disk::real(), &dir, &far.path().join("dir"), &shape(&dir)).unwrap();
    assert_eq!(tree(far.path()), before);
    assert!(tree(near.path()).is_empty());
}
