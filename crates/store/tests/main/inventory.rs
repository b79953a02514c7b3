//! Taking stock counts everything once, follows what people move, and opens nothing.

use std::fs;
use std::path::Path;

use scrollback_format::area::Area;
use scrollback_store::inventory::TreeItemKind;
use scrollback_store::{Inventory, Root};

fn put(root: &Path, path: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "{}\n").unwrap();
}

fn paths(inventory: &Inventory) -> Vec<(&str, TreeItemKind, u64)> {
    inventory.items.iter().map(|item| (item.path.as_str(), item.kind, item.size)).collect()
}

/// The paths of everything of a kind.
#[cfg(unix)]
fn of_kind(inventory: &Inventory, kind: TreeItemKind) -> Vec<&str> {
    inventory.items.iter().filter(|item| item.kind == kind).map(|item| item.path.as_str()).collect()
}

#[test]
fn a_root_that_is_not_there_is_empty() {
    let dir = tempfile::tempdir().unwrap();
    let inventory = Inventory::of(&Root::new(dir.path().join("nowhere")));
    assert!(inventory.items.is_empty() && inventory.troubles.is_empty());
}

#[test]
fn every_file_and_folder_is_counted_once_in_order() {
    let dir = tempfile::tempdir().unwrap();
    for path in ["projects/-a/x.jsonl", "notes.txt", "plugins/a/b/c/d.json"] {
        put(dir.path(), path);
    }
    let inventory = Inventory::of(&Root::new(dir.path()));
    let files: Vec<&str> = inventory
        .items
        .iter()
        .filter(|item| item.kind == TreeItemKind::File)
        .map(|item| item.path.as_str())
        .collect();
    assert_eq!(files, ["notes.txt", "plugins/a/b/c/d.json", "projects/-a/x.jsonl"]);
    assert_eq!(inventory.items.len(), 9);
    assert_eq!(
        inventory.area(Area::Unknown).map(|item| item.path.as_str()).collect::<Vec<_>>(),
        ["notes.txt"]
    );
}

#[test]
#[cfg(unix)]
fn links_are_told_and_only_moved_areas_and_projects_are_followed_once() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let (root, disk) = (dir.path().join("root"), dir.path().join("disk"));
    put(&disk, "project/x.jsonl");
    put(&disk, "plugins/y.json");
    fs::create_dir_all(root.join("projects")).unwrap();
    fs::create_dir_all(root.join("debug")).unwrap();
    symlink(disk.join("project"), root.join("projects/-moved")).unwrap();
    symlink(disk.join("project"), root.join("projects/-again")).unwrap();
    symlink(disk.join("plugins"), root.join("plugins")).unwrap();
    symlink(&root, root.join("debug/loop")).unwrap();
    symlink("nothing", root.join("debug/latest")).unwrap();
    let inventory = Inventory::of(&Root::new(&root));
    let links = of_kind(&inventory, TreeItemKind::Link);
    assert_eq!(links.len(), 3, "{:?}", paths(&inventory));
    assert!(links.contains(&"debug/loop") && links.contains(&"debug/latest"));
    assert_eq!(of_kind(&inventory, TreeItemKind::File).len(), 2);
}

#[test]
#[cfg(unix)]
fn links_into_the_store_count_nothing_twice() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    for path in ["projects/-a/x.jsonl", "plugins/y.json", "aside/-b/z.jsonl", "aside/w.json"] {
        put(&root, path);
    }
    for (target, link) in [
        (".", "self"),
        ("..", "above"),
        ("projects", "other"),
        ("projects/-a", "mine"),
        ("../plugins", "projects/-plugins"),
        ("-a", "projects/-0"),
        ("../aside/-b", "projects/-b"),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    let inventory = Inventory::of(&Root::new(&root));
    let files = of_kind(&inventory, TreeItemKind::File);
    // What was put aside is where a link says that it belongs.
    assert_eq!(files, ["aside/w.json", "plugins/y.json", "projects/-a/x.jsonl", "projects/-b/z.jsonl"]);
    assert_eq!(of_kind(&inventory, TreeItemKind::Link).len(), 6);
}

#[test]
#[cfg(unix)]
fn files_that_nobody_may_read_are_still_counted() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), ".credentials.json");
    fs::set_permissions(dir.path().join(".credentials.json"), fs::Permissions::from_mode(0o000)).unwrap();
    let inventory = Inventory::of(&Root::new(dir.path()));
    assert_eq!(paths(&inventory), [(".credentials.json", TreeItemKind::File, 3)]);
    assert!(inventory.items[0].filed().secret);
}

#[test]
#[cfg(unix)]
fn names_that_are_not_utf8_are_shown_and_remarked() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(std::ffi::OsStr::from_bytes(b"a\xff")), "x").unwrap();
    let inventory = Inventory::of(&Root::new(dir.path()));
    assert_eq!(paths(&inventory), [("a\u{fffd}", TreeItemKind::File, 1)]);
    assert_eq!(inventory.troubles.len(), 1);
    assert!(!inventory.troubles[0].unread);
}
