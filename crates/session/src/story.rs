//! The story: one walker over a thread's turns that feeds every view. Text is read from the file turn by turn.

use std::path::Path;

use scrollback_format::content::Content;
use scrollback_format::entry::{Dialect, Entry};
use scrollback_format::id::EntryId;
use scrollback_format::json::Tape;
use scrollback_format::time::Time;
use scrollback_model::lookup::Lookup;
use scrollback_model::placing::Placing;
use scrollback_model::role::Role;
use scrollback_model::row::RowIndex;
use scrollback_model::thread::{JointKind, Thread, ThreadKind};
use scrollback_model::turn::{self, EndEvidence, Turn, TurnEnd};
use scrollback_store::ReadError;
use scrollback_store::small::{self, Spans};
use serde::{Deserialize, Serialize};

use crate::agents::Agents;
use crate::error::{AppError, Noun};
use crate::item::{BranchRef, GapCause, Item, ItemKind};
use crate::loaded::Loaded;
use crate::read_item;

/// What began a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BegunBy {
    /// A person's prompt.
    Prompt,
    /// A slash command.
    Command,
    /// A background task that ended.
    Notification,
    /// Another agent or session.
    Teammate,
    /// A `!` command.
    Bash,
    /// Nothing: what stands before the first prompt.
    None,
}

/// One turn with everything that is said and done in it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TurnView {
    /// Counted from 1; 0 is what stands before the first prompt.
    pub turn: u32,
    /// What began it: `prompt`, `command`, `notification`, `teammate`, `bash`, or `none`.
    pub begun_by: BegunBy,
    /// How it ended.
    pub end: TurnEnd,
    /// How that is known.
    pub end_evidence: EndEvidence,
    /// Its first line's time.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub first_time: Option<Time>,
    /// Its last line's time.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
    /// What is said and done.
    pub items: Vec<Item>,
}

/// The transcript that a story is read from.
#[derive(Debug, Clone, Copy)]
pub struct StorySource<'s> {
    /// Its file.
    pub path: &'s Path,
    /// Its rows, threads and turns.
    pub loaded: &'s Loaded,
    /// The session's agents.
    pub agents: &'s Agents,
    /// The place of this transcript among the agents; none for the session itself.
    pub agent: Option<usize>,
}

impl<'s> StorySource<'s> {
    /// What belongs to what in it.
    fn lookup(&self) -> &'s Lookup {
        self.loaded.anatomy.lookup(&self.loaded.transcript)
    }
}

/// The story of one thread.
#[derive(Debug)]
pub struct Story<'s> {
    source: StorySource<'s>,
    rows: &'s [RowIndex],
    turns: Vec<Turn>,
    /// Does the queue hold prompts that stand on no line of the thread?
    has_lost_prompts: bool,
}

impl<'s> Story<'s> {
    /// The story of a thread: 0 is the live one, `n` the n-th branch.
    pub fn of(source: StorySource<'s>, branch: u64) -> Result<Self, AppError> {
        let thread = if branch == 0 {
            0
        } else {
            let branches = source.lookup().branches();
            let count = branches.len() as u64;
            let at = usize::try_from(branch - 1).ok().and_then(|at| branches.get(at).copied());
            at.ok_or(AppError::OutOfRange { what: Noun::Branch, wanted: branch, count })?
        };
        Ok(Self::of_thread(source, thread))
    }

    /// The story of a thread by its number among all threads of the transcript.
    pub fn of_thread(source: StorySource<'s>, thread: usize) -> Self {
        let threads = &source.loaded.anatomy.threads;
        let rows: &[RowIndex] = threads.threads.get(thread).map_or(&[], |thread| &thread.rows);
        let transcript = &source.loaded.transcript;
        let turns = turn::turns(transcript, rows);
        // Clients that put a prompt into a running turn mostly store it there; the others, in the queue's lines alone.
        let has_lost_prompts = !rows.iter().any(|row| transcript.row(*row).role == Role::QueuedPrompt);
        Self { source, rows, turns, has_lost_prompts }
    }

    /// How many turns there are, those before the first prompt not counted.
    pub fn count(&self) -> u64 {
        self.turns.iter().filter(|turn| turn.number > 0).count() as u64
    }

    /// The numbers of its turns.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.turns.iter().map(|turn| turn.number)
    }

    /// The numbers of turns that have something after this line of the file.
    pub fn after(&self, line: u64) -> Vec<u32> {
        let rows = &self.source.loaded.transcript;
        let is_after = |turn: &&Turn| {
            self.rows[turn.range.clone()].iter().any(|row| u64::from(rows.row(*row).line) > line)
        };
        self.turns.iter().filter(is_after).map(|turn| turn.number).collect()
    }

    /// The turns whose number `wanted` picks, read one after the other.
    pub fn turns<W: Fn(u32) -> bool>(&self, wanted: W) -> Result<Turns<'_, 's, W>, AppError> {
        let teller =
            ItemReader { source: self.source, spans: Spans::open(self.source.path)?, tape: Tape::new() };
        Ok(Turns { story: self, teller, wanted, at: 0 })
    }

    /// Gives the lines of the turns that `wanted` picks, as they stand in the file, without their endings.
    pub fn raw<E: From<ReadError>>(
        &self,
        wanted: impl Fn(u32) -> bool,
        mut tell: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut spans = Spans::open(self.source.path)?;
        for turn in self.turns.iter().filter(|turn| wanted(turn.number)) {
            for &row in &self.rows[turn.range.clone()] {
                let row = self.source.loaded.transcript.row(row);
                tell(spans.read(row.offset, row.len as usize)?)?;
            }
        }
        Ok(())
    }

    /// Gives the whole file, as it is.
    pub fn raw_file<E: From<ReadError>>(&self, tell: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        small::copy(self.source.path, tell)
    }
}

/// Turns of a story, each read from the file when its turn comes.
pub struct Turns<'t, 's, W> {
    story: &'t Story<'s>,
    teller: ItemReader<'s>,
    wanted: W,
    at: usize,
}

impl<W: Fn(u32) -> bool> Turns<'_, '_, W> {
    fn read(&mut self, at: usize) -> Result<TurnView, AppError> {
        let (story, turn) = (self.story, &self.story.turns[at]);
        let until = story.turns.get(at + 1).and_then(|next| next.span).map(|(first, _)| first);
        let mut items = self.teller.items(&story.rows[turn.range.clone()])?;
        if story.has_lost_prompts {
            let from = turn.span.map(|(first, _)| first).filter(|_| at > 0);
            items = self.teller.with_queued(items, from, until)?;
        }
        Ok(view(turn, items))
    }
}

impl<W: Fn(u32) -> bool> Iterator for Turns<'_, '_, W> {
    type Item = Result<TurnView, AppError>;

    fn next(&mut self) -> Option<Self::Item> {
        let turns = self.story.turns.iter().enumerate().skip(self.at);
        let at = turns.map(|(at, turn)| (at, turn.number)).find(|(_, number)| (self.wanted)(*number))?.0;
        self.at = at + 1;
        Some(self.read(at))
    }
}

/// Where a hit is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HitPlace {
    /// Its line.
    pub line: u64,
    /// The thread that it is on.
    pub thread: usize,
    /// 0 is the live thread, `n` the n-th branch.
    pub branch: u64,
    /// Its turn there.
    pub turn: u32,
}

/// Finds a hit by its line, or by the id of an entry, a message or a tool call. A line that is on no thread (a side
/// note, a blank one) is told where the next one that is on one is.
pub fn locate(loaded: &Loaded, wanted: &str) -> Option<HitPlace> {
    let transcript = &loaded.transcript;
    let threads = &loaded.anatomy.threads;
    let rows = || transcript.rows.iter().zip(0..);
    let by_line = |line: u32| rows().find(|(row, _)| row.line == line).map(|(_, index)| index);
    let symbol = transcript.symbols.find(wanted);
    let by_message = || {
        let at = transcript.messages.iter().find(|message| Some(message.id) == symbol)?;
        Some(at.first_row)
    };
    let by_call = || transcript.calls.iter().find(|call| Some(call.id) == symbol).map(|call| call.row);
    let by_result =
        || transcript.outcomes.iter().find(|outcome| Some(outcome.call) == symbol).map(|outcome| outcome.row);
    let by_uuid = || {
        let has = |id: EntryId| id.to_string().starts_with(wanted);
        rows().find(|(row, _)| wanted.len() >= 4 && row.id.is_some_and(has)).map(|(_, index)| index)
    };
    let row = match wanted.parse::<u32>() {
        Ok(line) => by_line(line)?,
        Err(_) => by_message().or_else(by_call).or_else(by_result).or_else(by_uuid)?,
    };
    let placed = rows().skip(row as usize).find(|(_, index)| threads.thread_of(*index).is_some());
    let placed = placed.or_else(|| {
        rows().take(row as usize).filter(|(_, index)| threads.thread_of(*index).is_some()).last()
    });
    let (_, placed) = placed?;
    let thread = threads.thread_of(placed)?;
    let (turn, branch) = Placing::of(transcript, &loaded.anatomy).at(placed);
    Some(HitPlace { line: u64::from(transcript.row(row).line), thread, branch, turn: turn? })
}

struct ItemReader<'s> {
    source: StorySource<'s>,
    spans: Spans<'s>,
    tape: Tape,
}

impl ItemReader<'_> {
    fn items(&mut self, rows: &[RowIndex]) -> Result<Vec<Item>, AppError> {
        let mut items = Vec::new();
        for &row in rows {
            self.joint(row, &mut items);
            self.row(row, &mut items)?;
            self.branch_point(row, &mut items)?;
        }
        Ok(items)
    }

    fn row(&mut self, index: RowIndex, items: &mut Vec<Item>) -> Result<(), AppError> {
        let source = self.source;
        let row = source.loaded.transcript.row(index);
        if row.role == Role::ToolResult {
            return self.orphans(index, items);
        }
        let what = self.decode(index, |entry| read_item::read(entry, row.role))?.unwrap_or_default();
        for mut what in what {
            if let ItemKind::Call(call) = &mut what {
                self.complete(call)?;
            }
            items.push(self.item(index, what));
        }
        Ok(())
    }

    fn item(&self, index: RowIndex, what: ItemKind) -> Item {
        let row = self.source.loaded.transcript.row(index);
        let uuid = row.id.filter(|id| !id.is_derived()).map(|id| id.to_string());
        Item { line: u64::from(row.line), uuid, time: row.time(), what }
    }

    /// Reads a row's line again and gives its entry to `with`.
    fn decode<R>(
        &mut self,
        index: RowIndex,
        with: impl FnOnce(&Entry<'_>) -> R,
    ) -> Result<Option<R>, AppError> {
        let row = self.source.loaded.transcript.row(index);
        let bytes = self.spans.read(row.offset, row.len as usize)?;
        if self.tape.scan(bytes).is_err() {
            // The file was changed since it was read.
            return Ok(None);
        }
        Ok(self.tape.root(bytes).map(|root| with(&Entry::of(root, Dialect::Session))))
    }

    /// Adds to a call what came back, and the agent that it made.
    fn complete(&mut self, call: &mut crate::item::CallItem) -> Result<(), AppError> {
        let transcript = &self.source.loaded.transcript;
        let Some(symbol) = transcript.symbols.find(&call.tool_use_id) else { return Ok(()) };
        let lookup = self.source.lookup();
        if let Some(outcome) = lookup.last_outcome(transcript, symbol) {
            let line = u64::from(transcript.row(outcome.row).line);
            let id = call.tool_use_id.clone();
            call.outcome = self.decode(outcome.row, |entry| read_item::outcome(entry, &id, line))?.flatten();
        }
        if let Some(at) = lookup.call(symbol) {
            let agents = self.source.agents;
            let made = agents.made_by(self.source.agent, at);
            call.agent_ids = made.map(|agent| agents.views[agent].agent_id.clone()).collect();
        }
        Ok(())
    }

    /// Results whose call is in no line of this file.
    fn orphans(&mut self, index: RowIndex, items: &mut Vec<Item>) -> Result<(), AppError> {
        let source = self.source;
        let transcript = &source.loaded.transcript;
        let lookup = source.lookup();
        let outcomes = lookup.outcomes_on(transcript, index);
        for outcome in outcomes.filter(|outcome| lookup.call(outcome.call).is_none()) {
            let id = transcript.text(outcome.call).to_owned();
            let found = self.decode(index, |entry| read_item::outcome(entry, &id, 0))?.flatten();
            if let Some(found) = found {
                let what =
                    ItemKind::OrphanResult { tool_use_id: id, text: found.text, is_error: found.is_error };
                items.push(self.item(index, what));
            }
        }
        Ok(())
    }

    fn joint(&self, row: RowIndex, items: &mut Vec<Item>) {
        let Some(joint) = self.source.lookup().joint(row) else { return };
        let why = match joint {
            JointKind::Gap => GapCause::ParentMissing,
            JointKind::Cycle => GapCause::Cycle,
            _ => return,
        };
        items.push(self.item(row, ItemKind::Gap { why }));
    }

    fn branch_point(&mut self, row: RowIndex, items: &mut Vec<Item>) -> Result<(), AppError> {
        let loaded = self.source.loaded;
        let mut branches = Vec::new();
        for (number, thread) in branches_at(self.source, row) {
            let first = thread.rows.iter().find(|row| loaded.transcript.row(**row).role == Role::Prompt);
            let text = match first {
                Some(&row) => self.first_words(row)?,
                None => String::new(),
            };
            let turns = turn::turns(&loaded.transcript, &thread.rows);
            branches.push(BranchRef {
                summarized: thread.kind == ThreadKind::Summarized,
                branch: number,
                turns: turns.iter().filter(|turn| turn.number > 0).count() as u64,
                text,
                time: thread.rows.iter().find_map(|row| loaded.transcript.row(*row).time()),
            });
        }
        if !branches.is_empty() {
            items.push(self.item(row, ItemKind::BranchPoint { branches }));
        }
        Ok(())
    }

    /// The first words of a prompt.
    fn first_words(&mut self, row: RowIndex) -> Result<String, AppError> {
        let text = self.decode(row, |entry| {
            let content =
                entry.envelope.message.and_then(|message| message.get("content")).and_then(Content::of);
            content.and_then(Content::first_text).map(|text| text.head(400).into_owned())
        })?;
        Ok(text.flatten().unwrap_or_default())
    }

    /// Puts prompts that only the queue's lines hold, of this stretch of time, where their time puts them: before the first
    /// item that is later.
    fn with_queued(
        &mut self,
        items: Vec<Item>,
        from: Option<Time>,
        until: Option<Time>,
    ) -> Result<Vec<Item>, AppError> {
        let mut queued = Vec::new();
        for &(_, row) in self.source.lookup().absorbed(from, until) {
            let text = self
                .decode(row, |entry| read_item::joined(entry.object.get("content").and_then(Content::of)))?;
            let text = text.unwrap_or_default();
            if !text.starts_with("<task-notification>") && !text.is_empty() {
                queued.push(self.item(row, ItemKind::Prompt { text, media: Vec::new(), queued: true }));
            }
        }
        let mut queued = queued.into_iter().peekable();
        let mut all = Vec::with_capacity(items.len() + queued.len());
        for item in items {
            while let Some(prompt) = queued.next_if(|prompt| item.time > prompt.time) {
                all.push(prompt);
            }
            all.push(item);
        }
        all.extend(queued);
        Ok(all)
    }
}

/// The branches that go off after a row, with their numbers.
fn branches_at(source: StorySource<'_>, row: RowIndex) -> impl Iterator<Item = (u64, &Thread)> {
    let lookup = source.lookup();
    let threads = &source.loaded.anatomy.threads.threads;
    let branches = lookup.branches_at(row).iter();
    branches.filter_map(|&at| Some((at as u64 + 1, threads.get(*lookup.branches().get(at)?)?)))
}

fn view(turn: &Turn, items: Vec<Item>) -> TurnView {
    let begun_by = match turn.begin {
        Role::Prompt => BegunBy::Prompt,
        Role::Command => BegunBy::Command,
        Role::Notification => BegunBy::Notification,
        Role::Teammate => BegunBy::Teammate,
        Role::Bash => BegunBy::Bash,
        _ => BegunBy::None,
    };
    TurnView {
        turn: turn.number,
        begun_by,
        end: turn.end,
        end_evidence: turn.evidence,
        first_time: turn.span.map(|(first, _)| first),
        last_time: turn.span.map(|(_, last)| last),
        items,
    }
}
