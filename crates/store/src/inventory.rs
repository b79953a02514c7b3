//! Taking stock: every file and folder below a root with its size and age, without opening any.
//!
//! One pass over the whole root, folder by folder on all threads, each entry asked about through its open folder.
//! What an entry is follows from its path: see [`Area::of`].

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, Metadata};
use std::path::{Path, PathBuf};

use scrollback_format::area::{Area, Filed};

use crate::root::Root;
use crate::stamp::{inode, mtime_ns};
use crate::walk::Trouble;
use crate::work;

/// What an entry of the tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TreeItemKind {
    /// A file.
    File,
    /// A folder; also a link to one that was followed.
    Folder,
    /// A link. It was not followed.
    Link,
    /// A socket, a pipe, a device.
    Other,
}

/// One file, folder or link below a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeItem {
    /// Its path relative to the root, parts separated by `/`. Bytes that are not UTF-8 are shown as U+FFFD.
    pub path: String,
    /// What it is.
    pub kind: TreeItemKind,
    /// Its length.
    pub size: u64,
    /// The bytes that it takes on the disk; its length where the platform does not say.
    pub taken: u64,
    /// Its modification time, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Its inode; 0 where there are none.
    pub inode: u64,
    /// How many names it has.
    pub names: u64,
}

impl TreeItem {
    /// What its path says that it is.
    pub fn filed(&self) -> Filed<'_> {
        Area::of(&self.path)
    }

    /// A file stored elsewhere, with the path that it is reported under.
    pub fn file(path: String, meta: &Metadata) -> Self {
        Self::of(path, TreeItemKind::File, meta)
    }

    fn of(path: String, kind: TreeItemKind, meta: &Metadata) -> Self {
        let (taken, names) = disk(meta);
        Self { path, kind, size: meta.len(), taken, mtime_ns: mtime_ns(meta), inode: inode(meta), names }
    }
}

/// Everything below a root.
#[derive(Debug, Clone, Default)]
pub struct Inventory {
    /// Files, folders and links, sorted by path.
    pub items: Vec<TreeItem>,
    /// What could not be read, and links that were not followed.
    pub troubles: Vec<Trouble>,
}

/// Deeper than any client nests; plugins bring trees of their own.
const MAX_DEPTH: usize = 64;

impl Inventory {
    /// Takes stock of a root. One that is not there is empty.
    pub fn of(root: &Root) -> Self {
        Self::below(root.path())
    }

    /// Takes stock of any folder, with paths relative to it.
    pub fn below(top: &Path) -> Self {
        let mut all = Self::default();
        let mut level = vec![(String::new(), top.to_owned())];
        let mut links = Links::of(top);
        for depth in 0..=MAX_DEPTH {
            let listed = work::each(&level, work::threads(), || (), |(), (path, dir)| Listing::of(path, dir));
            level = Vec::new();
            let mut folders = Vec::new();
            for listing in listed {
                all.items.extend(listing.items);
                all.troubles.extend(listing.troubles);
                folders.extend(listing.folders);
                for (path, link) in listing.links {
                    all.link(path, link, &mut links, &mut level);
                }
            }
            // What a link has led to is counted there.
            folders.retain(|(path, _)| !links.followed(path));
            level.extend(folders);
            if depth == MAX_DEPTH {
                let deep = level.iter().map(|(_, dir)| trouble(dir, "nested too deep", true));
                all.troubles.extend(deep);
            }
        }
        all.items.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        all.troubles.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }

    /// Links are told, not followed; but people move whole areas and projects to other disks, and these are followed,
    /// once.
    fn link(&mut self, path: String, link: PathBuf, links: &mut Links, level: &mut Vec<(String, PathBuf)>) {
        let carries = !path.contains('/') || path.strip_prefix("projects/").is_some_and(|p| !p.contains('/'));
        let target = fs::metadata(&link);
        let followed = match &target {
            Ok(meta) if carries && meta.is_dir() => links.follow(&link),
            _ => false,
        };
        let asked = if followed { target } else { fs::symlink_metadata(&link) };
        let Ok(meta) = asked else {
            return self.troubles.push(trouble(&link, "vanished", true));
        };
        let kind = if followed { TreeItemKind::Folder } else { TreeItemKind::Link };
        if followed {
            level.push((path.clone(), link));
        }
        self.items.push(TreeItem::of(path, kind, &meta));
    }

    /// The items of one area.
    pub fn area(&self, area: Area) -> impl Iterator<Item = &TreeItem> {
        self.items.iter().filter(move |item| item.filed().area == area)
    }
}

/// Where links have led.
struct Links {
    /// The top, free of links.
    top: PathBuf,
    seen: BTreeSet<PathBuf>,
}

impl Links {
    fn of(top: &Path) -> Self {
        let top = fs::canonicalize(top).unwrap_or_else(|_| top.to_owned());
        Self { top, seen: BTreeSet::new() }
    }

    /// Is a link to a folder followed? Not if what it leads to is counted anyway, or holds all that is: nothing is counted twice.
    fn follow(&mut self, link: &Path) -> bool {
        let Ok(real) = fs::canonicalize(link) else { return false };
        if self.top.starts_with(&real) {
            return false;
        }
        // Within the store, the folder of an area has its own name; only what is put aside under another one is led to.
        if let Ok(inside) = real.strip_prefix(&self.top)
            && Area::of(&inside.to_string_lossy()).area != Area::Unknown
        {
            return false;
        }
        self.seen.insert(real)
    }

    /// Has a link led to the folder at this path?
    fn followed(&self, path: &str) -> bool {
        !self.seen.is_empty() && self.seen.contains(&self.top.join(path))
    }
}

/// What one folder holds.
#[derive(Default)]
struct Listing {
    items: Vec<TreeItem>,
    folders: Vec<(String, PathBuf)>,
    links: Vec<(String, PathBuf)>,
    troubles: Vec<Trouble>,
}

impl Listing {
    fn of(path: &str, dir: &Path) -> Self {
        let mut listing = Self::default();
        match fs::read_dir(dir) {
            Ok(entries) => {
                for entry in entries {
                    match entry {
                        Ok(entry) => listing.entry(path, dir, &entry),
                        Err(error) => listing.troubles.push(trouble(dir, &error.to_string(), true)),
                    }
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => listing.troubles.push(trouble(dir, &error.to_string(), true)),
        }
        listing
    }

    fn entry(&mut self, folder: &str, dir: &Path, entry: &DirEntry) {
        let name = entry.file_name();
        let shown = name.to_string_lossy();
        let path = if folder.is_empty() { shown.clone().into_owned() } else { format!("{folder}/{shown}") };
        if matches!(shown, std::borrow::Cow::Owned(_)) {
            self.troubles.push(trouble(&dir.join(&name), "a name that is not UTF-8", false));
        }
        // Through the open folder, and of a link itself.
        let Ok(meta) = entry.metadata() else {
            return self.troubles.push(trouble(&dir.join(&name), "vanished", true));
        };
        let kind = meta.file_type();
        if kind.is_symlink() {
            return self.links.push((path, dir.join(&name)));
        }
        let kind = if kind.is_dir() {
            self.folders.push((path.clone(), dir.join(&name)));
            TreeItemKind::Folder
        } else if kind.is_file() {
            TreeItemKind::File
        } else {
            TreeItemKind::Other
        };
        self.items.push(TreeItem::of(path, kind, &meta));
    }
}

fn trouble(path: &Path, what: &str, unread: bool) -> Trouble {
    Trouble { path: path.to_owned(), what: what.to_owned(), unread }
}

#[cfg(unix)]
fn disk(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.blocks() * 512, meta.nlink())
}

#[cfg(not(unix))]
fn disk(meta: &Metadata) -> (u64, u64) {
    (meta.len(), 1)
}
