//! The known truth about a corpus, counted while it is composed.
//!
//! `TOTALS.json` beside the store:
//!
//! - `files`, `bytes`: all files of the store; `by_area` the same for each first path component.
//! - `jsonl`: the `.jsonl` files below `projects/`: `files`, `sessions`, `agents`, `lines` (as `wc -l` counts), `bytes`.
//! - `entries_by_kind`: whole, undamaged lines by kind. Lines that were glued or torn are not in it.
//! - `messages`, `tokens`: API messages and their tokens as far as the lines tell, each message once, however
//!   many lines it has and however many forks repeat it. `cache_creation` is more than its two parts, since 1.x does
//!   not tell them apart. `copied` is what forks repeat, to be added by a reader
//!   that counts per file.
//! - `tool_calls`, `tool_errors`: likewise without the copies.
//! - `first`, `last`: least and greatest `timestamp` of any whole line below `projects/`.
//! - `problems`: what was planted, by class; `glued_lines` hold two whole `user` entries each, `stub_before_entry`
//!   lines one after the torn stub.

use std::collections::BTreeMap;

use scrollback_compose::{Moment, Sheet, Usage, Written};
use scrollback_format::generation::Generation;
use serde_json::{Value, json};

/// Counts of messages, tokens and tool calls.
#[derive(Debug, Clone, Default)]
pub struct Spent {
    messages: u64,
    input: u64,
    output: u64,
    cache_read: u64,
    cache_5m: u64,
    cache_1h: u64,
    /// 1.x does not tell which cache was written.
    cache_unsplit: u64,
    calls: BTreeMap<String, u64>,
    errors: u64,
}

impl Spent {
    /// Counts a message once.
    pub fn message(&mut self, written: &Written, generation: Generation) {
        self.messages += 1;
        let Usage { input, output, cache_read, cache_5m, cache_1h, .. } = written.usage;
        self.input += input;
        self.output += output;
        self.cache_read += cache_read;
        if generation == Generation::V1_0 {
            self.cache_unsplit += cache_5m + cache_1h;
        } else {
            self.cache_5m += cache_5m;
            self.cache_1h += cache_1h;
        }
        for call in &written.calls {
            *self.calls.entry(call.name.clone()).or_default() += 1;
        }
    }

    /// Counts a result that is an error.
    pub fn error(&mut self) {
        self.errors += 1;
    }

    /// Adds another count.
    pub fn add(&mut self, other: &Self) {
        self.messages += other.messages;
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_5m += other.cache_5m;
        self.cache_1h += other.cache_1h;
        self.cache_unsplit += other.cache_unsplit;
        self.errors += other.errors;
        for (name, count) in &other.calls {
            *self.calls.entry(name.clone()).or_default() += count;
        }
    }

    fn tokens(&self) -> Value {
        json!({
            "input": self.input, "output": self.output, "cache_read": self.cache_read,
            "cache_creation": self.cache_5m + self.cache_1h + self.cache_unsplit,
            "cache_creation_5m": self.cache_5m, "cache_creation_1h": self.cache_1h,
        })
    }
}

/// All counts of a corpus, or of a part of it.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// Files and bytes by area.
    areas: BTreeMap<String, (u64, u64)>,
    /// `.jsonl` files below projects, and their bytes.
    jsonl: (u64, u64),
    /// Session files.
    pub sessions: u64,
    /// Agent files.
    pub agents: u64,
    /// Agents that are lines of their session.
    pub inline_agents: u64,
    /// Newlines in the `.jsonl` files below projects.
    pub lines: u64,
    kinds: BTreeMap<String, u64>,
    /// Without the copies.
    pub spent: Spent,
    /// What forks repeat.
    pub copied: Spent,
    span: Option<(Moment, Moment)>,
    /// Planted problems by class.
    pub problems: BTreeMap<&'static str, u64>,
    /// Events by name: compactions, rewinds, forks, …
    pub events: BTreeMap<&'static str, u64>,
    /// Sessions by generation.
    pub generations: BTreeMap<String, u64>,
}

impl Totals {
    /// Counts a file by its path relative to the root.
    pub fn file(&mut self, path: &str, bytes: u64) {
        let area = path.split('/').next().unwrap_or(path);
        let count = self.areas.entry(area.to_owned()).or_default();
        *count = (count.0 + 1, count.1 + bytes);
        if area == "projects" && path.ends_with(".jsonl") {
            self.jsonl = (self.jsonl.0 + 1, self.jsonl.1 + bytes);
        }
    }

    /// Counts the lines of a sheet.
    pub fn sheet(&mut self, sheet: &Sheet) {
        for (kind, count) in sheet.kinds() {
            self.kind(kind, *count);
        }
    }

    /// Counts lines of a kind.
    pub fn kind(&mut self, kind: &str, count: u64) {
        *self.kinds.entry(kind.to_owned()).or_default() += count;
        self.lines += count;
    }

    /// Widens the span of time.
    pub fn span(&mut self, span: Option<(Moment, Moment)>) {
        self.span = match (self.span, span) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
    }

    /// Counts an event.
    pub fn event(&mut self, name: &'static str) {
        *self.events.entry(name).or_default() += 1;
    }

    /// Counts a planted problem.
    pub fn problem(&mut self, class: &'static str) {
        *self.problems.entry(class).or_default() += 1;
    }

    /// Adds another part's counts. The order of parts does not matter.
    pub fn add(&mut self, other: &Self) {
        for (area, (files, bytes)) in &other.areas {
            let count = self.areas.entry(area.clone()).or_default();
            *count = (count.0 + files, count.1 + bytes);
        }
        self.jsonl = (self.jsonl.0 + other.jsonl.0, self.jsonl.1 + other.jsonl.1);
        self.sessions += other.sessions;
        self.agents += other.agents;
        self.inline_agents += other.inline_agents;
        self.lines += other.lines;
        merge(&mut self.kinds, &other.kinds);
        merge(&mut self.problems, &other.problems);
        merge(&mut self.events, &other.events);
        merge(&mut self.generations, &other.generations);
        self.spent.add(&other.spent);
        self.copied.add(&other.copied);
        self.span(other.span);
    }

    /// Files and bytes of the whole store.
    pub fn size(&self) -> (u64, u64) {
        self.areas.values().fold((0, 0), |sum, area| (sum.0 + area.0, sum.1 + area.1))
    }

    /// The content of `TOTALS.json`.
    pub fn json(&self, scale: &str, version: u32) -> Value {
        let (files, bytes) = self.size();
        let areas: BTreeMap<_, _> = self
            .areas
            .iter()
            .map(|(area, (files, bytes))| (area, json!({ "files": files, "bytes": bytes })))
            .collect();
        let span = |pick: fn((Moment, Moment)) -> Moment| self.span.map(|span| pick(span).to_string());
        json!({
            "scale": scale,
            "generator": version,
            "files": files,
            "bytes": bytes,
            "by_area": areas,
            "jsonl": {
                "files": self.jsonl.0, "bytes": self.jsonl.1, "lines": self.lines,
                "sessions": self.sessions, "agents": self.agents, "inline_agents": self.inline_agents,
            },
            "sessions_by_generation": self.generations,
            "entries_by_kind": self.kinds,
            "messages": self.spent.messages,
            "tokens": self.spent.tokens(),
            "tool_calls": self.spent.calls,
            "tool_errors": self.spent.errors,
            "copied": {
                "messages": self.copied.messages, "tokens": self.copied.tokens(),
                "tool_calls": self.copied.calls, "tool_errors": self.copied.errors,
            },
            "first": span(|span| span.0),
            "last": span(|span| span.1),
            "events": self.events,
            "problems": self.problems,
        })
    }
}

fn merge<K: Clone + Ord>(into: &mut BTreeMap<K, u64>, from: &BTreeMap<K, u64>) {
    for (key, count) in from {
        *into.entry(key.clone()).or_default() += count;
    }
}
