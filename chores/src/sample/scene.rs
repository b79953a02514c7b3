//! A session of the sample, told in the words of a story: ask, look, change, say.
//!
//! A scene keeps the files of its project in its head, so that reading, editing and backing them up agree.

use std::collections::BTreeMap;

use scrollback_compose::agent::{AgentMetaFile, meta};
use scrollback_compose::checkpoint::Backup;
use scrollback_compose::tool::{self, AgentReport, shell};
use scrollback_compose::{
    Answer, AnswerBlock, AnswerEnd, Entrypoint, Id, IdSource, Json, Moment, Object, SessionAuthor, Settings,
    ToolOutcome, Usage, Written, WrittenCall, area, block, place,
};
use scrollback_format::generation::Generation;

use super::store::Store;
use crate::corpus::random::Dice;

/// The system prompt that stored requests hold.
pub const SYSTEM: &str = "You are an agent for software work. Read before you change, keep changes small, run the \
    tests, and say what you did in a few lines.";
/// The tools that stored requests name.
pub const TOOLS: [&str; 8] = ["Agent", "Bash", "Edit", "Read", "Skill", "ToolSearch", "Workflow", "Write"];

/// Something the model does.
pub struct Act {
    block: AnswerBlock<'static>,
    given: Given,
    millis: u64,
}

enum Given {
    Fine(ToolOutcome),
    Failed(String),
    Changed(ToolOutcome, Backup, Option<String>),
}

/// A session, or an agent of one, being told.
pub struct Scene {
    /// The session underneath, for what a story does only once.
    pub session: SessionAuthor<Dice>,
    /// The project's files as the session knows them.
    pub files: BTreeMap<String, String>,
    backups: Vec<Backup>,
    /// What the newest backup of each file holds.
    backed_up: BTreeMap<String, Option<String>>,
    pending: Vec<Json>,
    prompt: String,
    begun: i64,
    context: u64,
    spent: Usage,
}

/// Who and where a scene is.
pub struct Cast {
    /// The client.
    pub generation: Generation,
    /// The working directory.
    pub cwd: &'static str,
    /// RFC 3339.
    pub start: &'static str,
    /// Marks the scene's own stream of ids.
    pub number: u64,
    /// Terminal or headless.
    pub entrypoint: Entrypoint,
}

impl Scene {
    /// The curtain rises.
    pub fn new(cast: &Cast) -> Self {
        let mut dice = Dice::new(0x7361_6d70_6c65, cast.number);
        dice.set_clock(Moment::parse(cast.start).unwrap_or_default().millis());
        let settings = Settings { entrypoint: cast.entrypoint, ..Settings::new(cast.generation, cast.cwd) };
        Self::of(SessionAuthor::new(settings, dice))
    }

    fn of(session: SessionAuthor<Dice>) -> Self {
        Self {
            session,
            files: BTreeMap::new(),
            backups: Vec::new(),
            backed_up: BTreeMap::new(),
            pending: Vec::new(),
            prompt: String::new(),
            begun: 0,
            context: 13_400,
            spent: Usage::default(),
        }
    }

    /// The same project in the same layout, for paths and outcomes.
    pub fn generation(&self) -> Generation {
        self.session.settings.generation
    }

    /// An absolute path in the project.
    pub fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.session.settings.cwd)
    }

    /// A file that is in the project from the start.
    pub fn file(&mut self, name: &str, content: &str) {
        self.files.insert(self.path(name), content.to_owned());
    }

    /// Lets minutes pass.
    pub fn wait(&mut self, seconds: u64) {
        self.session.source.pause(seconds * 1000);
    }

    /// Waits for somebody whose clock is ahead.
    pub fn catch_up(&mut self, clock: i64) {
        let latest = self.session.source.clock().max(clock);
        self.session.source.set_clock(latest);
    }

    /// The user asks in words.
    pub fn ask(&mut self, store: &mut Store, text: &str) -> Id {
        self.ask_with(store, text, &Json::text(text))
    }

    /// The user asks with more than words.
    pub fn ask_with(&mut self, store: &mut Store, text: &str, content: &Json) -> Id {
        self.remember(store, text, None);
        self.begun = self.session.source.clock();
        self.session.note_state();
        let first = self.session.last_prompt().is_none();
        self.back_up_changed(store);
        let prompt = self.session.prompt_with_snapshot(content, &self.backups);
        if first {
            self.session.preamble(SYSTEM);
        }
        text.clone_into(&mut self.prompt);
        self.pending
            .push(Object::new().str("role", "user").put("content", &Json::list([block::text(text)])).done());
        prompt
    }

    /// A line of the prompt history, for what was typed in the terminal.
    pub fn remember(&mut self, store: &mut Store, display: &str, pasted: Option<&str>) {
        if self.session.settings.entrypoint == Entrypoint::Cli {
            let at = Moment::from_millis(self.session.source.clock());
            let project = self.session.settings.cwd.clone();
            let history =
                area::HistoryPrompt { display, pasted, at, project: &project, session: self.session.id() };
            store.history(at.millis(), area::history_line(self.generation(), &history));
        }
    }

    /// A message with thoughts, words and acts; the acts' results follow. Gives the calls.
    pub fn step(&mut self, store: &mut Store, thought: &str, words: &str, acts: Vec<Act>) -> Written {
        let signature = Id::signature(&mut self.session.source, 180);
        let mut blocks = Vec::new();
        if !thought.is_empty() {
            blocks.push(AnswerBlock::Thinking { text: thought, signature: signature.as_str() });
        }
        if !words.is_empty() {
            blocks.push(AnswerBlock::Text(words));
        }
        blocks.extend(acts.iter().map(|act| act.block.clone()));
        let written = self.answer(blocks, AnswerEnd::ToolUse);
        for (act, call) in acts.into_iter().zip(&written.calls) {
            self.session.source.pause(act.millis);
            self.give(store, call, act.given);
        }
        written
    }

    fn give(&mut self, store: &mut Store, call: &WrittenCall, given: Given) {
        match given {
            Given::Fine(outcome) => self.result(call, &outcome),
            Given::Failed(message) => {
                self.session.failure(call, &message);
            }
            Given::Changed(outcome, backup, before) => {
                // A file that is tracked was backed up with the prompt, if it had changed.
                if !self.backed_up.contains_key(&backup.absolute) {
                    self.back_up(store, backup.clone(), before);
                    if let Some(prompt) = self.session.last_prompt().cloned() {
                        self.session.snapshot_update(&call.line, &prompt, &self.backups, &backup);
                    }
                }
                self.result(call, &outcome);
            }
        }
    }

    /// With a prompt the client backs up what has changed since it did so last.
    fn back_up_changed(&mut self, store: &mut Store) {
        for known in self.backups.clone() {
            let content = self.files.get(&known.absolute).cloned();
            if self.backed_up.get(&known.absolute) != Some(&content) {
                let at = Moment::from_millis(self.session.source.clock());
                let version = known.version + 1;
                self.back_up(store, Backup { version, existed: content.is_some(), at, ..known }, content);
            }
        }
    }

    fn back_up(&mut self, store: &mut Store, backup: Backup, content: Option<String>) {
        if let (Some(path), Some(content)) = (place::backup(self.session.id(), &backup), &content) {
            store.put(&path, content.clone().into_bytes());
        }
        self.backed_up.insert(backup.absolute.clone(), content);
        match self.backups.iter_mut().find(|known| known.absolute == backup.absolute) {
            Some(known) => *known = backup,
            None => self.backups.push(backup),
        }
    }

    /// A result that a story gives itself.
    pub fn result(&mut self, call: &WrittenCall, outcome: &ToolOutcome) {
        self.session.result(call, outcome);
        let block = Object::new()
            .str("tool_use_id", call.id.as_str())
            .str("type", "tool_result")
            .put("content", &outcome.content);
        self.pending
            .push(Object::new().str("role", "user").put("content", &Json::list([block.done()])).done());
    }

    /// A message of any blocks.
    pub fn answer(&mut self, blocks: Vec<AnswerBlock<'_>>, stop: AnswerEnd) -> Written {
        let pending = std::mem::take(&mut self.pending);
        self.session.request(SYSTEM, &TOOLS, &pending);
        self.session.source.pause(1_800);
        let letters: usize = blocks
            .iter()
            .map(|block| match block {
                AnswerBlock::Text(text) | AnswerBlock::Thinking { text, .. } => text.len(),
                AnswerBlock::Call { input, .. } => input.as_bytes().len(),
            })
            .sum();
        let fresh = 400 + letters as u64;
        let output = 12 + letters as u64 / 4;
        let usage = Usage {
            input: 4,
            output,
            output_at_start: 3,
            cache_read: self.context,
            cache_5m: fresh,
            cache_1h: 0,
        };
        self.context += fresh + output;
        self.spent = Usage {
            input: self.spent.input + usage.input,
            output: self.spent.output + usage.output,
            cache_read: self.spent.cache_read + usage.cache_read,
            cache_5m: self.spent.cache_5m + usage.cache_5m,
            ..self.spent
        };
        self.session.answer(&Answer { blocks, usage, stop })
    }

    /// The answer that ends the turn.
    pub fn say(&mut self, text: &str) -> Written {
        let written = self.answer(vec![AnswerBlock::Text(text)], AnswerEnd::EndTurn);
        self.end_turn();
        written
    }

    /// What the client notes when a turn is over.
    pub fn end_turn(&mut self) {
        let millis = u64::try_from(self.session.source.clock() - self.begun).unwrap_or(0);
        self.session.prompt_snapshot(SYSTEM);
        self.session.turn_duration(millis);
        let prompt = self.prompt.clone();
        self.session.note_last_prompt(&prompt);
    }

    /// What the client notes when it is closed.
    pub fn close(mut self, store: &mut Store) {
        let cents = self.spent.output * 25 / 10_000 + self.spent.cache_read / 20_000 + 1;
        let millis = u64::try_from(self.session.source.clock() - self.begun).unwrap_or(0);
        let dollars = format!("{}.{:02}1", cents / 100, cents % 100);
        self.session.cost_state(&dollars, millis, self.spent);
        self.save(store);
    }

    /// Puts the lines so far into their file.
    pub fn save(&mut self, store: &mut Store) {
        let lines = self.session.take();
        store.append(&self.session.path(), lines.bytes());
    }

    /// A command and what it printed.
    pub fn bash(&self, command: &str, description: &str, stdout: &str) -> Act {
        Act {
            block: shell::bash(command, description),
            given: Given::Fine(shell::bash_result(self.generation(), stdout, "")),
            millis: 2_600,
        }
    }

    /// A command that failed.
    pub fn bash_fails(&self, command: &str, description: &str, message: &str) -> Act {
        Act {
            block: shell::bash(command, description),
            given: Given::Failed(message.to_owned()),
            millis: 4_100,
        }
    }

    /// Any call with its outcome.
    pub fn act(block: AnswerBlock<'static>, outcome: ToolOutcome) -> Act {
        Act { block, given: Given::Fine(outcome), millis: 300 }
    }

    /// A file is read.
    pub fn read(&self, name: &str) -> Act {
        let path = self.path(name);
        let content = self.files.get(&path).map_or("", String::as_str);
        Self::act(tool::read(&path), tool::read_result(self.generation(), &path, content))
    }

    /// A file is changed, and backed up before that if nothing tracks it yet.
    pub fn edit(&mut self, name: &str, old: &str, new: &str) -> Act {
        let path = self.path(name);
        let before = self.files.get(&path).cloned().unwrap_or_default();
        let outcome = tool::edit_result(self.generation(), &path, &before, old, new);
        self.files.insert(path.clone(), before.replacen(old, new, 1));
        let backup = self.backup(name, true);
        let block = tool::edit(self.generation(), &path, old, new);
        Act { block, given: Given::Changed(outcome, backup, Some(before)), millis: 250 }
    }

    /// A file is written.
    pub fn write(&mut self, name: &str, content: &str) -> Act {
        let path = self.path(name);
        let before = self.files.insert(path.clone(), content.to_owned());
        let outcome = tool::write_result(self.generation(), &path, before.as_deref(), content);
        let backup = self.backup(name, before.is_some());
        Act {
            block: tool::write(&path, content),
            given: Given::Changed(outcome, backup, before),
            millis: 250,
        }
    }

    fn backup(&self, name: &str, existed: bool) -> Backup {
        let at = Moment::from_millis(self.session.source.clock());
        Backup { path: name.to_owned(), absolute: self.path(name), version: 1, existed, at }
    }

    /// An agent of this session, on a stream of its own.
    pub fn helper(&mut self, kind: &str) -> Self {
        let mut dice = Dice::new(self.session.source.bits(), 1);
        dice.set_clock(self.session.source.clock() + 900);
        let mut helper = Self::of(self.session.agent(kind, dice));
        helper.files = self.files.clone();
        helper
    }

    /// The agent takes up its task.
    pub fn take_up(&mut self, prompt: &str) {
        self.begun = self.session.source.clock();
        self.session.agent_prompt(prompt);
        self.session.preamble(SYSTEM);
        prompt.clone_into(&mut self.prompt);
    }

    /// The agent's last words; then its file and its description are put away. Gives the report to its caller.
    pub fn report(
        mut self,
        store: &mut Store,
        answer: &str,
        call: Option<(&WrittenCall, &AgentMetaFile<'_>)>,
    ) -> Report {
        let written = self.answer(vec![AnswerBlock::Text(answer)], AnswerEnd::EndTurn);
        let lines = self.session.take();
        let path = self.session.path();
        store.append(&path, lines.bytes());
        if let Some(json) = call.and_then(|(_, described)| meta(self.generation(), described)) {
            store.put(&place::agent_meta(&path), json.as_bytes().to_vec());
        }
        Report {
            id: self.session.agent_id().cloned().unwrap_or_else(|| Id::from("a")),
            prompt: self.prompt,
            answer: answer.to_owned(),
            millis: u64::try_from(self.session.source.clock() - self.begun).unwrap_or(0),
            clock: self.session.source.clock(),
            usage: written.usage,
        }
    }
}

/// What came back from an agent.
pub struct Report {
    /// Its id.
    pub id: Id,
    /// When it ended.
    pub clock: i64,
    prompt: String,
    answer: String,
    millis: u64,
    usage: Usage,
}

impl Report {
    /// As the tools take it.
    pub fn as_tool(&self, calls: u64) -> AgentReport<'_> {
        AgentReport {
            id: &self.id,
            prompt: &self.prompt,
            answer: &self.answer,
            millis: self.millis,
            calls,
            usage: self.usage,
        }
    }
}
