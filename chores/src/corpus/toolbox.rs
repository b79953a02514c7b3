//! Tool calls and their results, with realistic inputs and sizes.

use scrollback_compose::checkpoint::Backup;
use scrollback_compose::tool::{self, shell};
use scrollback_compose::{AnswerBlock, Id, Json, Moment, Object, ToolOutcome, WrittenCall, place};
use scrollback_format::generation::Generation;

use super::scribe::Scribe;
use super::text::Flavour;

/// What a call will give back.
pub(super) struct Use {
    pub block: AnswerBlock<'static>,
    outcome: Given,
}

enum Given {
    /// A result.
    Fine(ToolOutcome),
    /// Output that goes to a file.
    Spilled(String),
    /// An error message.
    Failed(&'static str),
    /// The user said no.
    Refused,
    /// A result, and a file that was changed.
    Edited(ToolOutcome, Box<Backup>, Vec<u8>),
}

const COMMANDS: [&str; 8] = [
    "cargo test --workspace 2>&1 | tail -40",
    "git diff --stat HEAD~3",
    "rg -n \"fn retry\" src | head -20",
    "npm run build -- --mode=production",
    "python3 -m pytest -q tests/unit",
    "ls -la target/release && du -sh target",
    "curl -s localhost:8080/health | jq '.status'",
    "docker compose logs --tail=200 worker",
];

impl Scribe<'_> {
    /// Chooses a tool, its input and what comes of it.
    pub fn tool_use(&mut self) -> Use {
        let kind = self.session.source.below(100);
        if self.session.source.chance(12) {
            return Use { outcome: Given::Refused, ..self.shell_use() };
        }
        match kind {
            0..=39 => self.shell_use(),
            40..=64 => self.read_use(),
            65..=84 => self.edit_use(),
            85..=89 => self.write_use(),
            90..=95 => self.search_use(),
            _ => self.server_use(),
        }
    }

    fn shell_use(&mut self) -> Use {
        let dice = &mut self.session.source;
        let command = dice.pick(&COMMANDS);
        let block = shell::bash(command, "Run it and look at the output");
        if dice.chance(45) {
            return Use {
                block,
                outcome: Given::Failed("Exit code 101\nerror: test failed, to rerun pass `--lib`"),
            };
        }
        if dice.chance(15) && self.job.generation >= Generation::V2_1_9 {
            let size = dice.skewed(60_000).clamp(40_000, 400_000);
            return Use { block, outcome: Given::Spilled(self.pools.long_output(dice, size)) };
        }
        let size = dice.skewed(420).min(28_000);
        let stdout = self.pools.piece(dice, Flavour::Output, size);
        Use { block, outcome: Given::Fine(shell::bash_result(self.job.generation, stdout, "")) }
    }

    fn source_file(&mut self) -> String {
        let dice = &mut self.session.source;
        let folder = dice.pick(&["src", "src/store", "src/net", "tests", "web/components", "docs"]);
        let name = dice.pick(&["retry", "queue", "cache", "session", "parser", "index", "backoff", "view"]);
        let ending = dice.pick(&["rs", "ts", "py", "md"]);
        format!("{}/{folder}/{name}.{ending}", self.job.cwd)
    }

    fn read_use(&mut self) -> Use {
        let path = self.source_file();
        let dice = &mut self.session.source;
        if dice.chance(30) {
            return Use { block: tool::read(&path), outcome: Given::Failed("File does not exist.") };
        }
        let size = dice.skewed(1_000).min(60_000);
        let content = self.pools.piece(dice, Flavour::Code, size);
        Use {
            block: tool::read(&path),
            outcome: Given::Fine(tool::read_result(self.job.generation, &path, content)),
        }
    }

    /// An edit of some file.
    pub fn edit_use(&mut self) -> Use {
        let path = self.source_file();
        let dice = &mut self.session.source;
        let size = dice.skewed(1_400).clamp(300, 60_000);
        let file = self.pools.piece(dice, Flavour::Code, size);
        let lines: Vec<&str> = file.lines().filter(|line| line.trim().len() > 8).collect();
        let old = if lines.is_empty() { file } else { dice.pick(&lines) };
        let size = dice.skewed(160);
        let new = self.pools.piece(dice, Flavour::Code, size).to_owned();
        let block = tool::edit(self.job.generation, &path, old, &new);
        let outcome = tool::edit_result(self.job.generation, &path, file, old, &new);
        if !self.job.checkpoints {
            return Use { block, outcome: Given::Fine(outcome) };
        }
        let backup = self.backup(path);
        Use { block, outcome: Given::Edited(outcome, Box::new(backup), file.as_bytes().to_vec()) }
    }

    fn backup(&mut self, absolute: String) -> Backup {
        let version = 1 + self
            .backups
            .iter()
            .filter(|backup| backup.absolute == absolute)
            .map(|backup| backup.version)
            .max()
            .unwrap_or(0);
        let path =
            absolute.strip_prefix(&self.job.cwd).unwrap_or(&absolute).trim_start_matches('/').to_owned();
        let at = Moment::from_millis(self.session.source.clock());
        Backup { path, absolute, version, existed: true, at }
    }

    fn write_use(&mut self) -> Use {
        let path = self.source_file();
        let dice = &mut self.session.source;
        let size = dice.skewed(1_200).min(40_000);
        let content = self.pools.piece(dice, Flavour::Code, size);
        let outcome = tool::write_result(self.job.generation, &path, None, content);
        Use { block: tool::write(&path, content), outcome: Given::Fine(outcome) }
    }

    fn search_use(&mut self) -> Use {
        let generation = self.job.generation;
        let names: Vec<String> =
            (0..self.session.source.between(1, 12)).map(|_| self.source_file()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match self.session.source.below(3) {
            0 => Use {
                block: tool::glob("**/*.rs"),
                outcome: Given::Fine(tool::glob_result(generation, &names, 12)),
            },
            1 => Use {
                block: tool::grep("retry", &self.job.cwd),
                outcome: Given::Fine(tool::grep_files(generation, &names)),
            },
            _ => {
                let size = self.session.source.skewed(600);
                let lines = self.pools.piece(&mut self.session.source, Flavour::Output, size);
                let input = Object::new()
                    .str("pattern", "fn .*retry")
                    .str("output_mode", "content")
                    .bool("-n", true)
                    .done();
                Use {
                    block: tool::call("Grep", input),
                    outcome: Given::Fine(tool::grep_content(generation, lines)),
                }
            }
        }
    }

    /// A tool of a connected server.
    fn server_use(&mut self) -> Use {
        let dice = &mut self.session.source;
        let name = dice.pick(&["mcp__tracker__get_issue", "mcp__docs__search", "WebSearch"]);
        let line = self.pools.line(dice, 200);
        let size = dice.skewed(700);
        let answer = self.pools.piece(dice, Flavour::Prose, size);
        let outcome = ToolOutcome::new(answer, Json::text(answer));
        Use {
            block: tool::call(name, Object::new().str("query", line).done()),
            outcome: Given::Fine(outcome),
        }
    }

    /// Writes the result of a call; gives the message that a stored request would hold.
    pub fn give(&mut self, call: &WrittenCall, used: &Use) -> Json {
        let pause = self.session.source.between(20, 8_000);
        self.session.source.pause(pause);
        let content = match &used.outcome {
            Given::Fine(outcome) => {
                self.session.result(call, outcome);
                outcome.content.clone()
            }
            Given::Spilled(text) => self.spill(call, text),
            Given::Failed(message) => {
                self.session.failure(call, message);
                self.spent.error();
                Json::text(message)
            }
            Given::Refused => {
                self.refuse(call);
                Json::text("rejected")
            }
            Given::Edited(outcome, backup, before) => {
                self.check_in(call, backup, before);
                self.session.result(call, outcome);
                outcome.content.clone()
            }
        };
        let block = Object::new()
            .str("tool_use_id", call.id.as_str())
            .str("type", "tool_result")
            .put("content", &content);
        Object::new().str("role", "user").put("content", &Json::list([block.done()])).done()
    }

    fn spill(&mut self, call: &WrittenCall, text: &str) -> Json {
        let generation = self.job.generation;
        let id = Id::shell(&mut self.session.source, generation);
        let session = self.session.id().clone();
        let path = place::tool_result(generation, &self.job.cwd, &session, &call.id, &id).unwrap_or_default();
        let outcome = shell::bash_spilled(generation, text, &format!("/home/ada/.claude/{path}"));
        self.session.result(call, &outcome);
        self.out.totals.event("spilled_results");
        self.file(path, text.as_bytes().to_vec());
        outcome.content
    }

    /// Keeps the file as it was, and notes that in the session.
    fn check_in(&mut self, call: &WrittenCall, backup: &Backup, before: &[u8]) {
        let session = self.session.id().clone();
        let fresh = !self
            .backups
            .iter()
            .any(|known| known.absolute == backup.absolute && known.version == backup.version);
        if let Some(path) = place::backup(&session, backup).filter(|_| fresh) {
            self.file(path, before.to_vec());
        }
        self.backups.retain(|known| known.absolute != backup.absolute);
        self.backups.push(backup.clone());
        if let Some(prompt) = self.session.last_prompt().cloned() {
            self.session.snapshot_update(&call.line, &prompt, &self.backups, backup);
        }
    }
}
