//! A client that works on files of a made-up disk and records what it does, as real clients do: checkpoints with backups at
//! each prompt and before the first change of a file, results of Write, Edit, MultiEdit and Read.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use scrollback_app::Root;
use scrollback_app::author::Author;
use scrollback_app::author::compose::agent::AgentMetaFile;
use scrollback_app::author::compose::checkpoint::Backup;
use scrollback_app::author::compose::json::Object;
use scrollback_app::author::compose::tool::{self, ToolOutcome};
use scrollback_app::author::compose::{
    Answer, AnswerBlock, AnswerEnd, Id, IdSource, Json, Moment, SessionAuthor, Settings, Usage, WrittenCall,
};
use scrollback_format::generation::Generation;
use scrollback_store::journal::Op;
use scrollback_testkit::home::Store;

/// One clock and one well of ids for a session and its agents.
#[derive(Debug, Clone)]
pub(crate) struct Clock(Rc<Cell<i64>>);

impl Clock {
    pub(crate) fn starting(at: i64) -> Self {
        Self(Rc::new(Cell::new(at)))
    }
}

impl IdSource for Clock {
    fn bits(&mut self) -> u64 {
        let mixed = (self.now().millis() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn now(&mut self) -> Moment {
        self.0.set(self.0.get() + 7);
        Moment::from_millis(self.0.get())
    }
}

/// What a file is: nothing, or its bytes.
pub(crate) type Content = Option<Vec<u8>>;

/// The client, and the disk that it works on.
pub(crate) struct Client {
    author: Author<Clock>,
    clock: Clock,
    generation: Generation,
    pub(crate) disk: BTreeMap<String, Content>,
    /// What a reader of the store can know: the states of each file that were recorded, without repeats.
    pub(crate) known: BTreeMap<String, Vec<Content>>,
    backups: Vec<(Backup, Content)>,
    prompt: Option<Id>,
    pub(crate) cwd: String,
}

impl Client {
    pub(crate) fn new(store: &Store, generation: Generation, cwd: &str, clock: &Clock) -> Self {
        let settings = Settings::new(generation, cwd);
        let author = Author::begin(&Root::new(store.root()), settings, clock.clone()).unwrap();
        Self {
            author,
            clock: clock.clone(),
            generation,
            disk: BTreeMap::new(),
            known: BTreeMap::new(),
            backups: Vec::new(),
            prompt: None,
            cwd: cwd.to_owned(),
        }
    }

    pub(crate) fn id(&self) -> String {
        self.author.session.id().to_string()
    }

    /// Puts everything into the store; without the journal, which would sync each file.
    pub(crate) fn commit(self, store: &Store) {
        for op in self.author.plan().unwrap().transaction.ops() {
            match op {
                Op::Create { path, source: scrollback_store::journal::ByteSource::Bytes(bytes), .. } => {
                    store.put(path.as_str(), bytes);
                }
                Op::MakeDir { .. } => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub(crate) fn now(&self, path: &str) -> Content {
        self.disk.get(path).cloned().flatten()
    }

    fn shows(&mut self, path: &str) {
        let now = self.now(path);
        let known = self.known.entry(path.to_owned()).or_default();
        if known.last() != Some(&now) {
            known.push(now);
        }
    }

    fn keeps_history(&self) -> bool {
        self.generation >= Generation::V2_0_29
    }

    fn back_up(&mut self, path: &str, version: u64) -> Backup {
        let now = self.now(path);
        let relative = path.strip_prefix(&format!("{}/", self.cwd)).unwrap_or(path).to_owned();
        let backup = Backup {
            path: relative,
            absolute: path.to_owned(),
            version,
            existed: now.is_some(),
            at: self.clock.now(),
        };
        if let Some(bytes) = &now {
            self.author.back_up(&backup, bytes).unwrap();
        }
        self.backups.retain(|(known, _)| known.absolute != path);
        self.backups.push((backup.clone(), now));
        self.shows(path);
        backup
    }

    /// A prompt: what has changed since the last checkpoint is backed up.
    pub(crate) fn prompt(&mut self, text: &str) {
        if !self.keeps_history() {
            self.prompt = Some(self.author.session.prompt_with(&Json::text(text)));
            return;
        }
        for (backup, content) in self.backups.clone() {
            if self.now(&backup.absolute) == content {
                self.shows(&backup.absolute);
            } else {
                self.back_up(&backup.absolute, backup.version + 1);
            }
        }
        let backups: Vec<Backup> = self.backups.iter().map(|(backup, _)| backup.clone()).collect();
        self.prompt = Some(self.author.session.prompt_with_snapshot(&Json::text(text), &backups));
    }

    fn call(session: &mut SessionAuthor<Clock>, block: AnswerBlock<'_>) -> WrittenCall {
        let answer = Answer { blocks: vec![block], usage: Usage::default(), stop: AnswerEnd::ToolUse };
        session.answer(&answer).calls.remove(0)
    }

    /// A file is about to change: if it was not tracked, it is from now on.
    fn track(&mut self, path: &str, line: &Id) {
        if !self.keeps_history() || self.backups.iter().any(|(backup, _)| backup.absolute == path) {
            return;
        }
        let backup = self.back_up(path, 1);
        let backups: Vec<Backup> = self.backups.iter().map(|(backup, _)| backup.clone()).collect();
        let prompt = self.prompt.clone().unwrap();
        self.author.session.snapshot_update(line, &prompt, &backups, &backup);
    }

    /// What tools show of a file is a text. Bytes that it does not tell come with the next checkpoint.
    fn show_bytes(&mut self, path: &str) {
        let Some(bytes) = self.now(path) else { return };
        let odd = bytes.contains(&b'\r') || std::str::from_utf8(&bytes).is_err();
        let tracked = self.backups.iter().any(|(backup, _)| backup.absolute == path);
        if odd && tracked && self.known.get(path).and_then(|known| known.last()) != Some(&Some(bytes)) {
            self.prompt("What is this?");
        }
    }

    pub(crate) fn write(&mut self, path: &str, content: &str) {
        self.show_bytes(path);
        let old = self.now(path).map(|bytes| String::from_utf8_lossy(&bytes).replace("\r\n", "\n"));
        let call = Self::call(&mut self.author.session, tool::write(path, content));
        self.track(path, &call.line);
        if old.is_none() || self.generation >= Generation::V2_0_55 {
            self.shows(path);
        }
        let outcome = tool::write_result(self.generation, path, old.as_deref(), content);
        self.author.session.result(&call, &outcome);
        self.disk.insert(path.to_owned(), Some(content.as_bytes().to_vec()));
        self.shows(path);
    }

    /// The file as the tools see it, and whether it has returns.
    fn text(&self, path: &str) -> Option<(String, bool)> {
        let text = String::from_utf8(self.now(path)?).ok()?;
        Some((text.replace("\r\n", "\n"), text.contains("\r\n")))
    }

    fn put(&mut self, path: &str, text: &str, returns: bool) {
        let text = if returns { text.replace('\n', "\r\n") } else { text.to_owned() };
        self.disk.insert(path.to_owned(), Some(text.into_bytes()));
        self.shows(path);
    }

    /// Edits a file; by an agent if that is said. Nothing is done where the real tool would fail.
    pub(crate) fn edit(&mut self, path: &str, old: &str, new: &str, all: bool, agent: bool) {
        let Some((text, returns)) = self.text(path) else { return };
        let count = text.matches(old).count();
        if old.is_empty() || old == new || count == 0 || (count > 1 && !all) {
            return;
        }
        self.show_bytes(path);
        let whole = format!("{old}\n");
        let target =
            if new.is_empty() && !old.ends_with('\n') && text.contains(&whole) { &whole } else { old };
        let after = if all { text.replace(target, new) } else { text.replacen(target, new, 1) };
        let input = Object::new()
            .str("file_path", path)
            .str("old_string", old)
            .str("new_string", new)
            .bool("replace_all", all);
        let result = Object::new()
            .str("filePath", path)
            .str("oldString", old)
            .str("newString", new)
            .str("originalFile", &text)
            .bool("userModified", false)
            .bool("replaceAll", all)
            .done();
        let outcome = ToolOutcome::new("done", result);
        let block = tool::call("Edit", input.done());
        // From 2.1.80 on the client keeps no account of what agents do: what they found is known only if it was shown before.
        let tracked = self.backups.iter().any(|(backup, _)| backup.absolute == path);
        let known = self.known.get(path).and_then(|known| known.last()) == Some(&self.now(path)) || !tracked;
        let told = self.generation < Generation::V2_1_80 || known;
        if agent && self.generation > Generation::V1_0 && told {
            self.by_agent(path, block, &outcome);
        } else {
            let call = Self::call(&mut self.author.session, block);
            self.track(path, &call.line);
            self.shows(path);
            self.author.session.result(&call, &outcome);
        }
        self.put(path, &after, returns);
    }

    fn by_agent(&mut self, path: &str, block: AnswerBlock<'_>, outcome: &ToolOutcome) {
        let generation = self.generation;
        let start = tool::agent(generation, "edit", "Edit it.", "general-purpose");
        let call = Self::call(&mut self.author.session, start);
        let mut agent = self.author.agent("general-purpose", self.clock.clone());
        agent.agent_prompt("Edit it.");
        let own = Self::call(&mut agent, block);
        self.track(path, &own.line);
        self.shows(path);
        agent.result(&own, outcome);
        agent.reply("Done.", Usage::default());
        let about = AgentMetaFile::new("general-purpose", "edit", Some(&call), "claude-opus-5-5");
        self.author.take_in(agent, &about).unwrap();
        self.author.session.result(&call, &ToolOutcome::new("Done.", Json::empty()));
    }

    /// Two edits at once, of a client that told nothing but what the model asked for.
    pub(crate) fn edit_twice(&mut self, path: &str, first: (&str, &str), second: (&str, &str)) {
        let Some((text, returns)) = self.text(path) else { return };
        // Without an account of the client's own, what stands there is known only if it was shown before.
        if self.known.get(path).and_then(|known| known.last()) != Some(&self.now(path)) {
            return;
        }
        let mut after = text;
        for (old, new) in [first, second] {
            if old.is_empty() || new.is_empty() || after.matches(old).count() != 1 {
                return;
            }
            after = after.replacen(old, new, 1);
        }
        let edit =
            |(old, new): (&str, &str)| Object::new().str("old_string", old).str("new_string", new).done();
        let input = Object::new()
            .str("file_path", path)
            .put("edits", &Json::list([edit(first), edit(second)]))
            .done();
        let call = Self::call(&mut self.author.session, tool::call("MultiEdit", input));
        self.track(path, &call.line);
        let outcome = ToolOutcome { content: Json::text("done"), result: None, is_error: None };
        self.author.session.result(&call, &outcome);
        self.put(path, &after, returns);
    }

    /// Reads a file whole. Of one with returns the tools do not show the bytes, so it must be known from elsewhere.
    pub(crate) fn read(&mut self, path: &str) {
        let Some((text, returns)) = self.text(path) else { return };
        if returns && self.known.get(path).and_then(|known| known.last()) != Some(&self.now(path)) {
            return;
        }
        let call = Self::call(&mut self.author.session, tool::read(path));
        let outcome = tool::read_result(self.generation, path, &text);
        self.author.session.result(&call, &outcome);
        self.shows(path);
    }

    /// Somebody else changes the file, and nobody records it.
    pub(crate) fn meddle(&mut self, path: &str, content: Content) {
        self.disk.insert(path.to_owned(), content);
    }

    /// A call that the user refused: nothing happens.
    pub(crate) fn refused(&mut self, path: &str, content: &str) {
        let call = Self::call(&mut self.author.session, tool::write(path, content));
        self.author.session.failure(&call, "The user doesn't want to proceed with this tool use.");
    }

    pub(crate) fn reply(&mut self) {
        self.author.session.reply("Done.", Usage::default());
    }
}
