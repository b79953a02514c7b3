//! Shell snapshots: the set-up of the user's shell as a client found it when it began. A snapshot belongs to a process,
//! and no line of a session names it.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::stamp;
use serde::Serialize;

use crate::area;
use crate::library::Library;
use crate::listing::TroubleView;
use crate::scope::Scope;
use crate::view::time;

/// The snapshots of a store.
#[derive(Debug, Serialize)]
pub struct SnapshotsView {
    /// The snapshots, newest first.
    pub snapshots: Vec<SnapshotView>,
    /// What could not be read.
    pub troubles: Vec<TroubleView>,
}

/// One snapshot.
#[derive(Debug, Clone, Serialize)]
pub struct SnapshotView {
    /// The name of its file.
    pub name: String,
    /// The shell.
    pub shell: Option<String>,
    /// When it was taken, as its name says.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// Its bytes.
    pub bytes: u64,
    /// Functions that it sets up.
    pub functions: u64,
    /// Aliases that it sets up.
    pub aliases: u64,
    /// Its file.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
}

/// The snapshots between the dates.
pub fn snapshots(library: &Library, scope: &Scope) -> SnapshotsView {
    let mut troubles = Vec::new();
    let mut snapshots = Vec::new();
    for root in &library.roots {
        for path in area::files(&root.path().join("shell-snapshots"), "", &mut troubles) {
            let text = area::note(area::text(&path), &mut troubles).unwrap_or_default();
            snapshots.push(view(&path, &text));
        }
    }
    snapshots.retain(|snapshot| scope.has_time(snapshot.time));
    snapshots.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.name.cmp(&b.name)));
    SnapshotsView { snapshots, troubles }
}

/// The whole text of a snapshot.
pub fn text(snapshot: &SnapshotView) -> Result<String, TroubleView> {
    area::text(&snapshot.path)
}

fn view(path: &Path, text: &str) -> SnapshotView {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // `snapshot-<shell>-<ms>-<6 base36>.sh`
    let mut parts = name.strip_prefix("snapshot-").unwrap_or_default().split('-');
    let shell = parts.next().filter(|shell| !shell.is_empty()).map(str::to_owned);
    let time = parts.next().and_then(|millis| millis.parse().ok()).map(Time);
    let is_function = |line: &str| {
        let line = line.trim_start();
        line.starts_with("function ")
            || line.strip_suffix('{').is_some_and(|head| head.trim_end().ends_with("()"))
            || line.trim_end().ends_with("()")
            || line.contains("base64 -d")
    };
    let count = |test: &dyn Fn(&str) -> bool| text.lines().filter(|line| test(line)).count() as u64;
    SnapshotView {
        shell,
        time,
        bytes: stamp::look(path).map_or(0, |look| look.size),
        functions: count(&is_function),
        aliases: count(&|line| line.trim_start().starts_with("alias ")),
        name,
        path: path.to_owned(),
    }
}
