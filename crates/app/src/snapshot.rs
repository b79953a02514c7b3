//! Shell snapshots: the set-up of the user's shell as a client found it when it began. A snapshot belongs to a process,
//! and no line of a session names it.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::stamp;
use serde::{Deserialize, Serialize};

use scrollback_session::area;
use scrollback_session::error::{AppError, Candidate, Noun};
use scrollback_session::library::Library;
use scrollback_session::scope::Scope;
use scrollback_session::trouble::TroubleView;

/// The snapshots of a store.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SnapshotsView {
    /// The snapshots, newest first.
    pub snapshots: Vec<SnapshotView>,
    /// What could not be read.
    pub troubles: Vec<TroubleView>,
}

/// One snapshot.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SnapshotView {
    /// The name of its file.
    pub name: String,
    /// The shell.
    pub shell: Option<String>,
    /// When it was made, according to its name.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// Its bytes.
    pub bytes: u64,
    /// Number of functions.
    pub functions: u64,
    /// Number of aliases.
    pub aliases: u64,
    /// Its file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
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

/// The one snapshot that a name, a part of one, or `last` means.
pub fn find(snapshots: Vec<SnapshotView>, name: &str) -> Result<SnapshotView, AppError> {
    let names: Vec<String> = snapshots.iter().map(|one| one.name.clone()).collect();
    let is_last = name == "last";
    let mut found = snapshots.into_iter().filter(|one| is_last || one.name.contains(name));
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (Some(one), Some(_)) if is_last => Ok(one),
        (None, _) => {
            let near = crate::plan::near(names.iter().map(String::as_str), &name.to_lowercase());
            Err(AppError::NotFound { what: Noun::Snapshot, wanted: name.to_owned(), near })
        }
        _ => {
            let several = names.into_iter().filter(|own| own.contains(name));
            let candidates = several.map(|id| Candidate { id, title: None }).collect();
            Err(AppError::Ambiguous { wanted: name.to_owned(), what: Noun::Snapshot, candidates })
        }
    }
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
