//! What looking at the whole store, at one session and at one file takes: `du`, `info`, `files log`.

use std::process::Command;

use super::index::{Bench, Finding, median};
use super::measure::measure;

/// How many times the CPU of `find` adding up may take.
const DU: f64 = 4.0;
/// Milliseconds for everything about one session, and for every version of one file.
const INFO: f64 = 30.0;
const FILES_LOG: f64 = 100.0;

impl Bench<'_> {
    /// Measures these; the catalogue is as the files are.
    pub fn stock(&self, found: &mut Vec<Finding>) -> Result<(), String> {
        let mut find = Command::new("find");
        find.arg(self.store).args(["-printf", "%s\\n"]);
        let (find, du) = (measure(&mut find)?, measure(&mut self.scrollback(&["du"]))?);
        let ratio = du.cpu / find.cpu.max(0.01);
        found.push(Finding {
            what: "`du`, CPU, to `find -printf '%s'`".into(),
            measured: format!("{:.2} s, {ratio:.1}x, wall {:.2} s, {:.0} MB", du.cpu, du.wall, du.peak_mb),
            goal: format!("{DU}x"),
            reached: Some(ratio <= DU),
        });
        let mut nothing = Command::new(self.program);
        nothing.arg("--version");
        let empty = median(&mut [nothing], 40)?;
        let over = |wall: f64| (wall - empty).max(0.0) * 1000.0;
        let sessions = self.list.some_sessions(20)?;
        let ids = sessions.iter().filter_map(|path| path.file_stem()?.to_str());
        let mut commands: Vec<Command> = ids.map(|id| self.scrollback(&["info", id])).collect();
        let took = over(median(&mut commands, 40)?);
        found.push(Finding {
            what: "`info` of one session, cold, over an empty process, median of 20 sessions".into(),
            measured: format!("{took:.0} ms"),
            goal: format!("{INFO:.0} ms"),
            reached: Some(took <= INFO),
        });
        let mut commands: Vec<Command> =
            self.paths()?.iter().map(|path| self.scrollback(&["files", "log", path])).collect();
        let took = over(median(&mut commands, 20)?);
        found.push(Finding {
            what: "`files log` of one path, cold, over an empty process, median of 10 paths".into(),
            measured: format!("{took:.0} ms"),
            goal: format!("{FILES_LOG:.0} ms"),
            reached: (!self.large).then_some(took <= FILES_LOG),
        });
        Ok(())
    }

    /// Some paths that sessions wrote to, from often to seldom.
    fn paths(&self) -> Result<Vec<String>, String> {
        let sql =
            "SELECT path FROM touched WHERE writes > 0 GROUP BY path ORDER BY count(*) DESC, path LIMIT 1000";
        let output = self.scrollback(&["index", "sql", sql]).output().map_err(|error| error.to_string())?;
        let told: serde_json::Value =
            serde_json::from_slice(&output.stdout).map_err(|error| format!("index sql: {error}"))?;
        let rows = told.get("rows").and_then(|rows| rows.as_array()).cloned().unwrap_or_default();
        let path = |row: &serde_json::Value| {
            let first = row.get("path").or_else(|| row.get(0)).and_then(|path| path.as_str());
            first.map(str::to_owned)
        };
        let paths: Vec<String> = rows.iter().filter_map(path).collect();
        Ok(paths.iter().step_by((paths.len() / 10).max(1)).take(10).cloned().collect())
    }
}
