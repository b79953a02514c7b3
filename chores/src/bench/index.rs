//! What the catalogue, the text index, `search` and `grep` take: building, sizes, answers from a cold process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::FileList;
use super::measure::{Measured, once};
use super::query::CLASSES;

/// A row of the second table, as it stands in Markdown.
pub struct Finding {
    /// What was measured.
    pub what: String,
    /// What came out.
    pub measured: String,
    /// What it should be.
    pub goal: String,
    /// Is it?
    pub reached: Option<bool>,
}

/// What everything here is run with.
pub struct Bench<'b> {
    /// The program.
    pub program: &'b Path,
    /// This very program, for what is timed in one process.
    pub myself: &'b Path,
    /// The store.
    pub store: &'b Path,
    /// Its transcripts.
    pub list: &'b FileList,
    /// The floor: `wc -l` over them.
    pub floor: Measured,
    /// Is this the store of a heavy user?
    pub large: bool,
}

impl Bench<'_> {
    /// Measures everything.
    pub fn findings(&self) -> Result<Vec<Finding>, String> {
        let mut found = Vec::new();
        let _ = std::fs::remove_dir_all(self.cache());
        self.building(&mut found)?;
        self.answers(&mut found)?;
        self.in_process(&mut found)?;
        self.grown(&mut found)?;
        self.grep(&mut found)?;
        self.stock(&mut found)?;
        self.usage(&mut found)?;
        Ok(found)
    }

    fn cache(&self) -> PathBuf {
        self.store.with_file_name("bench-cache")
    }

    pub(super) fn scrollback(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.arg("--root").arg(self.store).args(arguments).args(["--json", "--quiet"]);
        command.env("SCROLLBACK_CACHE_DIR", self.cache());
        command
    }

    fn building(&self, found: &mut Vec<Finding>) -> Result<(), String> {
        let mut catalogue: Option<Measured> = None;
        for _ in 0..3 {
            let _ = std::fs::remove_dir_all(self.cache());
            let now = once(&self.scrollback(&["ls", "--limit", "50"]))?;
            catalogue = Some(catalogue.map_or(now, |best| best.least(now)));
        }
        let Some(catalogue) = catalogue else { return Ok(()) };
        let text = once(&self.scrollback(&["index", "refresh"]))?;
        let mut built = |what: &str, measured: Measured, goal: f64| {
            let ratio = measured.cpu / self.floor.cpu;
            found.push(Finding {
                what: format!("{what}, CPU"),
                measured: format!("{:.2} s, {ratio:.1}x `wc -l`, wall {:.2} s", measured.cpu, measured.wall),
                goal: format!("{goal}x"),
                reached: Some(ratio <= goal),
            });
            found.push(Finding {
                what: format!("{what}, peak memory"),
                measured: format!("{:.0} MB", measured.peak_mb),
                goal: "400 MB".into(),
                reached: Some(measured.peak_mb <= 400.0),
            });
        };
        built("first `ls`: the whole catalogue is built", catalogue, 8.0);
        built("`index refresh`: the whole text index is built", text, 75.0);
        for (what, part, goal) in
            [("size of the text index", "text", 15.0), ("size of the catalogue", "catalogue.db", 5.0)]
        {
            let bytes = size(&self.cache().join(part));
            let share = bytes as f64 / self.list.bytes as f64 * 100.0;
            found.push(Finding {
                what: what.into(),
                measured: format!("{:.0} MB, {share:.1} % of the files", bytes as f64 / 1e6),
                goal: format!("{goal} %"),
                reached: Some(share <= goal),
            });
        }
        Ok(())
    }

    /// Cold processes over a store that has not changed.
    fn answers(&self, found: &mut Vec<Finding>) -> Result<(), String> {
        let mut nothing = Command::new(self.program);
        nothing.arg("--version");
        let empty = median(&mut [nothing], 40)?;
        let over = |wall: f64| (wall - empty).max(0.0) * 1000.0;
        let (ls_goal, search_goal) = if self.large { (100.0, 150.0) } else { (20.0, 60.0) };
        let took = over(median(&mut [self.scrollback(&["ls", "--limit", "50"])], 20)?);
        found.push(Finding {
            what: "`ls` of the 50 newest, unchanged store, over an empty process, median".into(),
            measured: format!("{took:.0} ms"),
            goal: format!("{ls_goal:.0} ms"),
            reached: Some(took <= ls_goal),
        });
        let queries = self.child("some-queries")?;
        let mut peak: f64 = 0.0;
        for class in CLASSES {
            let own: Vec<&str> = queries
                .lines()
                .filter_map(|line| line.split_once('\t'))
                .filter(|(of, _)| *of == class)
                .map(|(_, query)| query)
                .collect();
            let mut commands: Vec<Command> =
                own.iter().map(|query| self.scrollback(&["search", query])).collect();
            let took = over(median(&mut commands, 20)?);
            for command in commands.iter().take(3) {
                peak = peak.max(once(command)?.peak_mb);
            }
            found.push(Finding {
                what: format!(
                    "`search`, {class}, cold, unchanged store, over an empty process, median of 20"
                ),
                measured: format!("{took:.0} ms"),
                goal: format!("{search_goal:.0} ms"),
                reached: Some(took <= search_goal),
            });
        }
        found.push(Finding {
            what: "peak memory of a search".into(),
            measured: format!("{peak:.0} MB"),
            goal: "80 MB".into(),
            reached: Some(peak <= 80.0),
        });
        Ok(())
    }

    fn in_process(&self, found: &mut Vec<Finding>) -> Result<(), String> {
        for line in self.child("queries")?.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [class, p50, p99] = words.as_slice() else { continue };
            let goal = if *class == "phrase" { 30.0 } else { 10.0 };
            found.push(Finding {
                what: format!("200 queries in one process, {class}: p50, p99"),
                measured: format!("{p50} ms, {p99} ms"),
                goal: format!("p99 {goal:.0} ms"),
                reached: p99.parse().ok().map(|p99: f64| p99 <= goal),
            });
        }
        Ok(())
    }

    /// Ten sessions grow by a turn, and `ls` is asked again. The files are cut back afterwards.
    fn grown(&self, found: &mut Vec<Finding>) -> Result<(), String> {
        let turn = concat!(
            r#"{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"one more"},"uuid":"5d2f0d7e-0000-4000-8000-000000000001","timestamp":"2026-11-01T10:00:00.000Z"}"#,
            "\n",
            r#"{"parentUuid":"5d2f0d7e-0000-4000-8000-000000000001","isSidechain":false,"type":"assistant","message":{"id":"msg_grown","role":"assistant","model":"m","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn"},"uuid":"5d2f0d7e-0000-4000-8000-000000000002","timestamp":"2026-11-01T10:00:01.000Z"}"#,
            "\n"
        );
        let sessions = self.list.some_sessions(10)?;
        let before: Vec<(PathBuf, u64)> = sessions
            .into_iter()
            .map(|path| std::fs::metadata(&path).map(|meta| (path, meta.len())))
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        let cut = |path: &Path, size: u64| {
            std::fs::OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(size))
        };
        let mut nothing = Command::new(self.program);
        nothing.arg("--version");
        let empty = median(&mut [nothing], 20)?;
        let mut times = Vec::new();
        for _ in 0..10 {
            for (path, _) in &before {
                use std::io::Write;
                let file = std::fs::OpenOptions::new().append(true).open(path);
                file.and_then(|mut file| file.write_all(turn.as_bytes()))
                    .map_err(|error| error.to_string())?;
            }
            times.push(wall(&mut self.scrollback(&["ls", "--limit", "50"]))?);
        }
        for (path, size) in &before {
            cut(path, *size).map_err(|error| error.to_string())?;
        }
        // Leaves the cache as the files are.
        wall(&mut self.scrollback(&["ls", "--limit", "50"]))?;
        times.sort_by(f64::total_cmp);
        let took = (times[times.len() / 2] - empty) * 1000.0;
        found.push(Finding {
            what: "`ls` after ten sessions grew by a turn, over an empty process, median".into(),
            measured: format!("{took:.0} ms"),
            goal: "60 ms".into(),
            reached: (!self.large).then_some(took <= 60.0),
        });
        Ok(())
    }

    fn grep(&self, found: &mut Vec<Finding>) -> Result<(), String> {
        for (what, literal) in [("that stands nowhere", "zebra crossing"), ("in many entries", "error")] {
            let mut rg = Command::new("rg");
            rg.args(["--no-ignore", "--hidden", "-c", "-F", "-g", "*.jsonl", literal])
                .arg(self.store.join("projects"));
            let mut grep = self.scrollback(&["grep", "--count", literal]);
            let mut pair = (f64::INFINITY, f64::INFINITY);
            for _ in 0..5 {
                pair = (pair.0.min(wall(&mut grep)?), pair.1.min(wall(&mut rg)?));
            }
            let ratio = pair.0 / pair.1;
            found.push(Finding {
                what: format!("`grep --count` of a literal {what}, wall, to `rg -c`"),
                measured: format!("{:.2} s, {ratio:.2}x", pair.0),
                goal: "1.5x".into(),
                reached: Some(ratio <= 1.5),
            });
        }
        Ok(())
    }

    fn child(&self, name: &str) -> Result<String, String> {
        let output = Command::new(self.myself)
            .args(["bench", "--child", name])
            .arg(format!("{}\n{}", self.store.display(), self.cache().display()))
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The median of the wall times of these commands in turn, so many runs in all, the first one not counted.
pub(super) fn median(commands: &mut [Command], runs: usize) -> Result<f64, String> {
    let Some(first) = commands.first_mut() else { return Err("there is nothing to run".into()) };
    wall(first)?;
    let count = commands.len();
    let mut times = Vec::with_capacity(runs);
    for run in 0..runs {
        times.push(wall(&mut commands[run % count])?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

pub(super) fn wall(command: &mut Command) -> Result<f64, String> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    command.status().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    Ok(begun.elapsed().as_secs_f64())
}

fn size(path: &Path) -> u64 {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| size(&entry.path())).sum()
        }
        Ok(meta) => meta.len(),
        Err(_) => 0,
    }
}
