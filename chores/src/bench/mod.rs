//! `cargo xtask bench`: how much CPU and memory reading takes, against `wc -l` and `rg` over the same files.
//!
//! Only ratios mean anything from one machine to the next, so everything is measured in one run: each command three
//! times in turn, the least CPU time of each counted. Peak memory is the kernel's word (`/usr/bin/time`).

mod child;
mod index;
mod measure;
mod query;
mod stock;
mod table;
mod usage;

use std::path::{Path, PathBuf};
use std::process::Command;

use measure::{Measured, measure};

/// Runs the benchmarks. `--child NAME LIST` is how the benchmark calls itself.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(("--child", [name, list])) =
        arguments.split_first().map(|(first, rest)| (first.as_str(), rest))
    {
        return child::run(name, Path::new(list));
    }
    let scale = match arguments {
        [] => "medium",
        [flag, scale] if flag == "--scale" => scale,
        _ => return Err("usage: cargo xtask bench [--scale small|medium|seed]".into()),
    };
    crate::corpus::run(&["--scale".into(), scale.into()])?;
    let program = build()?;
    let store = workspace().join("target/corpus").join(scale).join("store");
    let list = FileList::of(&store)?;
    let myself = std::env::current_exe().map_err(|error| error.to_string())?;
    let rows = rows(&program, &myself, &store, &list)?;
    print!("{}", table::render(scale, &list, &rows));
    let Some(floor) = rows.first().map(|row| row.measured) else { return Ok(()) };
    let bench = index::Bench {
        program: &program,
        myself: &myself,
        store: &store,
        list: &list,
        floor,
        large: scale == "seed",
    };
    print!("{}", table::findings(&bench.findings()?));
    Ok(())
}

/// `info` is measured on the session whose size is nearest to this.
const SESSION_BYTES: u64 = 30_000_000;

/// One command to measure, and how many times `wc -l` it may take.
pub struct Row {
    /// What is measured.
    pub what: &'static str,
    /// What it took.
    pub measured: Measured,
    /// The ratio to reach, if any.
    pub goal: Option<f64>,
}

fn rows(program: &Path, myself: &Path, store: &Path, list: &FileList) -> Result<Vec<Row>, String> {
    let lines = list.path.display().to_string();
    let child = |name: &str| {
        let mut command = Command::new(myself);
        command.args(["bench", "--child", name, &lines]);
        command
    };
    let scrollback = |arguments: &[&str]| {
        let mut command = Command::new(program);
        command.arg("--root").arg(store).args(arguments).args(["--json", "--quiet"]);
        // Everything in this table is read from the files.
        command.env("SCROLLBACK_CACHE_DIR", "");
        command
    };
    let mut wc = Command::new("wc");
    wc.arg("-l").arg(format!("--files0-from={lines}"));
    let mut rg = Command::new("rg");
    rg.args(["--no-ignore", "--hidden", "-c", "-g", "*.jsonl", "zebra crossing"]).arg(store.join("projects"));
    let mut commands = [
        ("wc -l (the floor)", wc, None),
        ("rg -c of a literal", rg, None),
        ("splitting lines", child("lines"), Some(1.0)),
        ("full typed parse", child("entries"), Some(4.5)),
        ("facts of every session", child("facts"), None),
        ("scrollback verify", scrollback(&["verify"]), Some(9.0)),
        ("scrollback ls", scrollback(&["ls", "--limit", "50"]), None),
        ("scrollback (overview)", scrollback(&[]), None),
    ];
    let mut rows = Vec::new();
    for (what, command, goal) in &mut commands {
        rows.push(Row { what, measured: measure(command)?, goal: *goal });
    }
    let id = list.session();
    let mut info = scrollback(&["info", &id]);
    rows.push(Row {
        what: "scrollback info of one session of about 30 MB",
        measured: measure(&mut info)?,
        goal: None,
    });
    let mut alone = Command::new(program);
    alone.arg("--root").arg(list.alone(store)?).args(["info", &id, "--json", "--quiet"]);
    rows.push(Row { what: "the same session alone in a store", measured: measure(&mut alone)?, goal: None });
    let mut nothing = Command::new(program);
    nothing.arg("--version");
    rows.push(Row { what: "an empty process", measured: measure(&mut nothing)?, goal: None });
    Ok(rows)
}

/// The transcripts of a store, as a list that `wc` reads too.
pub struct FileList {
    /// The list, separated by NUL bytes.
    pub path: PathBuf,
    /// How many.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    session: PathBuf,
    /// The bytes of the session that `info` is measured on.
    pub session_bytes: u64,
}

impl FileList {
    fn of(store: &Path) -> Result<Self, String> {
        let mut found = Vec::new();
        let mut dirs = vec![store.join("projects")];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(&dir).map_err(|error| error.to_string())?.flatten() {
                let Ok(meta) = entry.metadata() else { continue };
                if meta.is_dir() {
                    dirs.push(entry.path());
                } else if entry.path().extension().is_some_and(|extension| extension == "jsonl") {
                    found.push((entry.path(), meta.len()));
                }
            }
        }
        found.sort();
        let mut bytes = Vec::new();
        for (path, _) in &found {
            bytes.extend_from_slice(path.as_os_str().as_encoded_bytes());
            bytes.push(0);
        }
        let path = store.with_file_name("FILES0");
        std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
        let is_agent =
            |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("agent-"));
        let sessions = found.iter().filter(|(path, _)| !is_agent(path));
        let near = |size: u64| size.abs_diff(SESSION_BYTES);
        let (session, session_bytes) =
            sessions.min_by_key(|(_, size)| near(*size)).cloned().unwrap_or_default();
        let total = found.iter().map(|(_, size)| size).sum();
        Ok(Self { path, files: found.len() as u64, bytes: total, session, session_bytes })
    }

    /// A store with that session and nothing else, so that looking for its relatives costs nothing.
    fn alone(&self, store: &Path) -> Result<PathBuf, String> {
        let root = store.with_file_name("alone");
        let inside = self.session.strip_prefix(store).map_err(|cause| cause.to_string())?;
        let copy = root.join(inside);
        let made = copy.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::copy(&self.session, &copy)).map_err(|cause| cause.to_string())?;
        Ok(root)
    }

    /// So many sessions, spread over the list.
    fn some_sessions(&self, most: usize) -> Result<Vec<PathBuf>, String> {
        let bytes = std::fs::read(&self.path).map_err(|error| error.to_string())?;
        let all: Vec<PathBuf> = bytes
            .split(|byte| *byte == 0)
            .map(|path| PathBuf::from(String::from_utf8_lossy(path).as_ref()))
            .filter(|path| path.file_stem().is_some_and(|stem| stem.len() == 36))
            .collect();
        Ok(all.iter().step_by((all.len() / most.max(1)).max(1)).take(most).cloned().collect())
    }

    fn session(&self) -> String {
        self.session.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    // What is handed out is measured. The measuring children run from this very binary, which is built so too.
    let built = Command::new(&cargo)
        .args(["build", "--profile", "dist", "--quiet", "-p", "scrollback", "-p", "chores"])
        .current_dir(workspace())
        .status();
    match built {
        Ok(status) if status.success() => Ok(workspace().join("target/dist/scrollback")),
        _ => Err("the program does not build".into()),
    }
}

fn workspace() -> PathBuf {
    scrollback_testkit::workspace()
}
