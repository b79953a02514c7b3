//! What `usage` takes, against `ccusage` over the same files in the same run.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::index::{Bench, Finding, median, wall};

/// The version that is compared with, and its native program, which npm does not bring along by itself.
const PACKAGES: [&str; 2] = ["ccusage@20.0.24", "@ccusage/ccusage-linux-x64@20.0.24"];
/// How many times less wall time an answer from a warm catalogue takes.
const WARM: f64 = 35.0;
/// Milliseconds for the status line over an empty process.
const STATUSLINE: f64 = 15.0;

impl Bench<'_> {
    /// Measures `usage` from a cold process: with a catalogue, without one, and the status line.
    pub fn usage(&self, found: &mut Vec<Finding>) -> Result<(), String> {
        let warm = median(&mut [self.scrollback(&["usage", "--limit", "0"])], 10)?;
        let mut first = f64::INFINITY;
        for _ in 0..2 {
            let cache = self.store.with_file_name("bench-first");
            let _ = std::fs::remove_dir_all(&cache);
            let mut command = self.scrollback(&["usage", "--limit", "0"]);
            command.env("SCROLLBACK_CACHE_DIR", &cache);
            first = first.min(wall(&mut command)?);
        }
        match self.ccusage() {
            Some(program) => {
                let mut theirs = f64::INFINITY;
                for _ in 0..3 {
                    let mut command = Command::new(&program);
                    command.args(["claude", "daily", "--json", "--offline"]);
                    command.env("CLAUDE_CONFIG_DIR", self.store).env("HOME", self.store);
                    theirs = theirs.min(wall(&mut command)?);
                }
                found.push(Finding {
                    what: "`usage`, cold process, warm catalogue, wall, against `ccusage claude daily`"
                        .into(),
                    measured: format!(
                        "{:.0} ms, {:.0}x less than {theirs:.2} s",
                        warm * 1000.0,
                        theirs / warm
                    ),
                    goal: format!("{WARM}x less"),
                    reached: Some(theirs / warm >= WARM),
                });
                found.push(Finding {
                    what: "`usage`, first run with no catalogue, wall, against `ccusage claude daily`".into(),
                    measured: format!("{first:.2} s, theirs {theirs:.2} s"),
                    goal: "not slower".into(),
                    reached: Some(first <= theirs),
                });
            }
            None => found.push(Finding {
                what: "`usage`, cold process, warm catalogue; `ccusage` could not be installed".into(),
                measured: format!("{:.0} ms, first run {first:.2} s", warm * 1000.0),
                goal: format!("{WARM}x less"),
                reached: None,
            }),
        }
        let mut nothing = Command::new(self.program);
        nothing.arg("--version");
        let empty = median(&mut [nothing], 40)?;
        let sessions = self.list.some_sessions(20)?;
        let ids = sessions.iter().filter_map(|path| path.file_stem()?.to_str());
        let mut commands: Vec<Command> =
            ids.map(|id| self.scrollback(&["usage", "statusline", "--session", id])).collect();
        let took = (median(&mut commands, 40)? - empty).max(0.0) * 1000.0;
        found.push(Finding {
            what: "`usage statusline`, cold, over an empty process, median of 20 sessions".into(),
            measured: format!("{took:.0} ms"),
            goal: format!("{STATUSLINE:.0} ms"),
            reached: Some(took <= STATUSLINE),
        });
        Ok(())
    }

    /// The native program of the other tool, installed beside the corpora.
    fn ccusage(&self) -> Option<PathBuf> {
        let prefix = self.store.parent()?.parent()?.join("ccusage");
        let program = prefix.join("node_modules/@ccusage/ccusage-linux-x64/bin/ccusage");
        if !program.is_file() {
            let mut npm = Command::new("npm");
            npm.args(["install", "--silent", "--prefix"]).arg(&prefix).args(PACKAGES);
            npm.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        }
        let _ = Command::new("chmod").arg("+x").arg(&program).status();
        program.is_file().then_some(program)
    }
}
