//! A gate that counts calls, lets one fail, or stops there as if the process had died; and trees to try it on.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use scrollback_format::time::Time;
use scrollback_store::Disk;
use scrollback_store::gate::{DiskCall, Gate, Permission};
use scrollback_store::live::LiveCheck;

/// What happens at the chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It fails, and what follows works again.
    Error(i32),
    /// It fails, and so does every change that follows.
    Persistent(i32),
    /// The process dies before it.
    Crash,
    /// The process dies in a write, half done. Only writes are counted.
    Half,
}

pub const ENOSPC: i32 = 28;
pub const EACCES: i32 = 13;
pub const EIO: i32 = 5;

/// What is tried at every call: of whole transactions, of single steps in them, of operations by themselves.
pub const MODES: [Mode; 4] = [Mode::Error(EIO), Mode::Persistent(ENOSPC), Mode::Crash, Mode::Half];
pub const FEW_MODES: [Mode; 3] = [Mode::Error(EACCES), Mode::Crash, Mode::Half];
pub const MORE_MODES: [Mode; 6] = [
    Mode::Error(ENOSPC),
    Mode::Error(EACCES),
    Mode::Error(EIO),
    Mode::Persistent(EACCES),
    Mode::Crash,
    Mode::Half,
];

/// The gate. Syncs count, can fail, and are otherwise not made: they take milliseconds and show nothing here.
#[derive(Debug)]
pub struct Faults {
    at: usize,
    mode: Mode,
    count: AtomicUsize,
    hit: AtomicBool,
    dead: AtomicBool,
    /// What lies below here is on another device than everything else.
    apart: Option<PathBuf>,
    pub calls: Mutex<Vec<(&'static str, PathBuf, bool)>>,
}

impl Faults {
    pub fn new(at: usize, mode: Mode, apart: Option<&Path>) -> Arc<Self> {
        let (count, hit, dead, calls) = Default::default();
        Arc::new(Self { at, mode, count, hit, dead, apart: apart.map(Path::to_owned), calls })
    }

    /// Nothing fails.
    pub fn none(apart: Option<&Path>) -> Disk {
        Disk::behind(Self::new(0, Mode::Crash, apart))
    }

    /// Did the chosen call come?
    pub fn was_hit(&self) -> bool {
        self.hit.load(Ordering::SeqCst)
    }

    pub fn died(&self) -> bool {
        self.dead.load(Ordering::SeqCst)
    }
}

impl Gate for Faults {
    fn pass(&self, call: &DiskCall<'_>) -> Permission {
        let counts = self.mode != Mode::Half || call.name == "write";
        let number = self.count.fetch_add(usize::from(counts), Ordering::SeqCst) + usize::from(counts);
        if self.at == 0 {
            self.calls.lock().unwrap().push((call.name, call.path.to_owned(), call.changes));
        }
        if self.died() {
            return Permission::Fail(io::Error::other("dead"));
        }
        if counts && number == self.at {
            self.hit.store(true, Ordering::SeqCst);
            match self.mode {
                Mode::Error(code) | Mode::Persistent(code) => {
                    return Permission::Fail(io::Error::from_raw_os_error(code));
                }
                Mode::Crash => {
                    self.dead.store(true, Ordering::SeqCst);
                    return Permission::Fail(io::Error::other("dead"));
                }
                Mode::Half => {
                    self.dead.store(true, Ordering::SeqCst);
                    return Permission::Half;
                }
            }
        }
        if let Mode::Persistent(code) = self.mode
            && self.was_hit()
            && call.changes
        {
            return Permission::Fail(io::Error::from_raw_os_error(code));
        }
        if call.name == "sync" { Permission::Skip } else { Permission::Go }
    }

    fn same_device(&self, one: &Path, other: &Path, really: bool) -> bool {
        match &self.apart {
            Some(apart) => one.starts_with(apart) == other.starts_with(apart),
            None => really,
        }
    }
}

/// Everything below a folder: modes, times of files, bytes.
pub type Tree = BTreeMap<String, (u32, i64, Vec<u8>)>;

pub fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    collect(root, root, &mut tree);
    tree
}

fn collect(root: &Path, dir: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let meta = fs::symlink_metadata(&path).unwrap();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        let mode = mode(&meta);
        if meta.is_symlink() {
            tree.insert(name, (0, 0, fs::read_link(&path).unwrap().to_str().unwrap().as_bytes().to_vec()));
        } else if meta.is_dir() {
            tree.insert(name, (mode, 0, b"/".to_vec()));
            collect(root, &path, tree);
        } else {
            let time = scrollback_store::stamp::mtime_ns(&meta);
            tree.insert(name, (mode, time, fs::read(&path).unwrap()));
        }
    }
}

#[cfg(unix)]
fn mode(meta: &fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o7777
}

#[cfg(not(unix))]
fn mode(_meta: &fs::Metadata) -> u32 {
    0
}

/// A file with a time of long ago.
pub fn file(root: &Path, name: &str, bytes: &[u8]) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    let age = Duration::from_nanos(1_700_000_000_123_456_789) + Duration::from_secs(name.len() as u64);
    File::options().write(true).open(&path).unwrap().set_modified(UNIX_EPOCH + age).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if name.contains("meta") { 0o644 } else { 0o600 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

/// A store, our own directory beside it, and a second one that is where the first says.
#[derive(Debug)]
pub struct Field {
    _dir: tempfile::TempDir,
    pub root: PathBuf,
    pub data: PathBuf,
}

impl Field {
    pub fn new() -> Self {
        // Thousands of small trees: in memory, where there is a place for that.
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let dir = tempfile::tempdir_in(place).unwrap();
        let base = dir.path().canonicalize().unwrap();
        let (root, data) = (base.join("store"), base.join("data"));
        fs::create_dir(&root).unwrap();
        Self { _dir: dir, root, data }
    }

    /// A small store in which everything occurs that edits meet.
    pub fn full() -> Self {
        let field = Self::new();
        let root = &field.root;
        file(root, "projects/-a/1111.jsonl", b"{\"a\":1}\n{\"b\":2}\n{\"torn\":");
        file(root, "projects/-a/1111/subagents/agent-a1.jsonl", b"{\"agent\":1}\n");
        file(root, "projects/-a/1111/subagents/agent-a1.meta.json", b"{}");
        file(root, "projects/-a/2222.jsonl", b"{\"c\":3}\n");
        file(root, "projects/-b/3333.jsonl", b"{\"d\":4}\n");
        file(root, "file-history/1111/abc@v1", b"before\n");
        file(root, "history.jsonl", b"{\"display\":\"x\"}\n");
        file(root, "empty.jsonl", b"");
        fs::create_dir(root.join("debug")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere.txt", root.join("debug/latest")).unwrap();
        field
    }

    pub fn tree(&self) -> Tree {
        tree(&self.root)
    }

    pub fn open(&self) -> scrollback_store::DataDir {
        scrollback_store::DataDir::open(&self.data).unwrap()
    }
}

/// A look at no process at all, at a fixed time.
pub fn watch() -> LiveCheck {
    LiveCheck { now: Time(1_800_000_000_000), processes: Some(PathBuf::from("/nonexistent")), own: 1 }
}
