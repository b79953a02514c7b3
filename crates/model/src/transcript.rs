//! A transcript: what is kept of one file of JSON lines after one pass over it. Rows and spans, hardly any text.

use std::collections::BTreeMap;

use scrollback_format::id::EntryId;
use scrollback_format::kind::Kind;
use scrollback_format::problem::{Problem, ProblemClass};
use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

use crate::charge::{Charge, ChargeTerms};
use crate::row::{Row, RowIndex};
use crate::symbol::{SeenTexts, Symbol, Symbols};
use crate::tokens::Tokens;

/// What kind of file a transcript is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum FileKind {
    /// A session.
    #[default]
    Session,
    /// An agent: all its lines are marked as sidechain, which means nothing there.
    Agent,
    /// The journal of a workflow.
    Journal,
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StopReason {
    /// It was done.
    EndTurn,
    /// To have tools run.
    ToolUse,
    /// At a stop sequence.
    StopSequence,
    /// It had no more tokens.
    MaxTokens,
    /// It refused.
    Refusal,
    /// Any other reason.
    Other,
}

/// One API message: all lines with its id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Message {
    /// Its id.
    pub id: Symbol,
    /// The model that made it.
    pub model: Option<Symbol>,
    /// Its tokens, counted once.
    pub tokens: Tokens,
    /// Why it ended, if any of its lines records it.
    pub stop: Option<StopReason>,
    /// Its lines.
    pub lines: u32,
    /// The first of them.
    pub first_row: RowIndex,
    /// What the API counted beside its tokens.
    pub terms: ChargeTerms,
}

/// A tool call.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ToolCall {
    /// The row that makes it.
    pub row: RowIndex,
    /// Which block of that row's content.
    pub block: u32,
    /// `tool_use.id`.
    pub id: Symbol,
    /// The tool.
    pub tool: Symbol,
    /// The file it reads or writes.
    pub file: Option<Symbol>,
    /// Does it change that file?
    pub writes: bool,
    /// The first words of the prompt that it gives an agent.
    pub prompt: Option<Symbol>,
    /// The kind of agent that it asks for.
    pub agent_type: Option<Symbol>,
    /// What it calls the agent's work.
    pub description: Option<Symbol>,
}

/// A tool result.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ToolResult {
    /// The row that holds it.
    pub row: RowIndex,
    /// The call that it answers.
    pub call: Symbol,
    /// Did the tool fail, or was it denied?
    pub is_error: bool,
    /// The agent that the call made.
    pub agent: Option<Symbol>,
    /// The workflow run that the call made.
    pub run: Option<Symbol>,
}

/// A mention of an agent beside a result: in a progress line or a notification.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Mention {
    /// The row.
    pub row: RowIndex,
    /// The agent.
    pub agent: Symbol,
    /// The call that it belongs to, if recorded.
    pub call: Option<Symbol>,
}

/// A compaction.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Compaction {
    /// The boundary.
    pub row: RowIndex,
    /// The last message before, as the boundary names it.
    pub logical_parent: Option<EntryId>,
    /// By hand or automatic.
    pub trigger: Option<Symbol>,
    /// Tokens before.
    pub pre_tokens: Option<u64>,
    /// Tokens after.
    pub post_tokens: Option<u64>,
}

/// A title for the thread that ends in some entry, of this file or another.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Summary {
    /// The title.
    pub text: Box<str>,
    /// The end of the thread.
    pub leaf: Option<EntryId>,
}

/// A prompt entered or left the queue.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct QueueEvent {
    /// The row.
    pub row: RowIndex,
    /// A prompt went in (else out).
    pub enqueue: bool,
    /// It was taken into a running turn instead of becoming a line of its own.
    pub absorbed: bool,
}

/// The pointer to the live leaf that newer clients keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeafPointer {
    /// The row of the `last-prompt` line.
    pub row: RowIndex,
    /// The entry that it names.
    pub leaf: Option<EntryId>,
    /// Take it as it is, descendants before it or not.
    pub explicit: bool,
}

/// A copied line's origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkMark {
    /// The session it was copied from.
    pub session: Symbol,
    /// The last copied entry.
    pub last: Option<EntryId>,
    /// How many lines carry the mark.
    pub lines: u64,
}

/// Problems by class: how many, and where the first ones are.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Problems(pub BTreeMap<ProblemClass, (u64, Vec<Problem>)>);

impl Problems {
    /// How many places are kept of each class.
    pub const PLACES: usize = 5;

    /// Counts a problem.
    pub fn note(&mut self, problem: &Problem) {
        let (count, places) = self.0.entry(problem.class).or_default();
        *count += 1;
        if places.len() < Self::PLACES {
            places.push(problem.clone());
        }
    }

    /// How many in all.
    pub fn count(&self) -> u64 {
        self.0.values().fold(0, |sum, (count, _)| sum.saturating_add(*count))
    }
}

/// What one pass over a file leaves.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Transcript {
    /// What kind of file it is.
    pub file_kind: FileKind,
    /// One row an entry, in file order. Stored apart from the rest: see [`crate::skeleton`].
    #[serde(skip)]
    pub rows: Vec<Row>,
    /// The texts that repeat. Stored apart, too.
    #[serde(skip)]
    pub symbols: Symbols,
    /// API messages, in order of their first line.
    pub messages: Vec<Message>,
    /// Charges that are no message of the file's own, in file order.
    pub charges: Vec<Charge>,
    /// Tool calls, in file order, repeated lines counted once.
    pub calls: Vec<ToolCall>,
    /// Tool results, in file order.
    pub outcomes: Vec<ToolResult>,
    /// Mentions of agents.
    pub mentions: Vec<Mention>,
    /// Compactions, in file order.
    pub compactions: Vec<Compaction>,
    /// Titles by leaf.
    pub summaries: Vec<Summary>,
    /// The user's title; the last one counts.
    pub custom_title: Option<Box<str>>,
    /// The client's title; the last one counts.
    pub ai_title: Option<Box<str>>,
    /// The first prompt's first words.
    pub first_prompt: Option<Box<str>>,
    /// Where agents begin that stand in the session's own file, and the first words they were given.
    pub inline_agents: Vec<(RowIndex, Symbol)>,
    /// Files that checkpoints or attachments name, as they name them, each once.
    pub tracked: Vec<Symbol>,
    /// Prompts on their way through the queue.
    pub queue: Vec<QueueEvent>,
    /// The last pointer to the live leaf.
    pub leaf_pointer: Option<LeafPointer>,
    /// Where copied lines came from.
    pub fork_mark: Option<ForkMark>,
    /// The session before a `/clear`.
    pub previous_session: Option<Symbol>,
    /// The context of this agent is in another file: session and last entry.
    pub fork_context: Option<(Symbol, Option<EntryId>)>,
    /// Pull requests: number and address.
    pub pr_links: Vec<(u64, Symbol)>,
    /// Working directories.
    pub cwds: SeenTexts,
    /// Branches.
    pub branches: SeenTexts,
    /// Client versions.
    pub versions: SeenTexts,
    /// How the client was started.
    pub entrypoints: SeenTexts,
    /// Session ids on the lines.
    pub session_ids: SeenTexts,
    /// Agent ids on the lines.
    pub agent_ids: SeenTexts,
    /// Names for plans.
    pub slugs: SeenTexts,
    /// `bg` and its like.
    pub session_kinds: SeenTexts,
    /// Where the session was moved to, last.
    pub relocated: Option<Symbol>,
    /// The worktree it is in now.
    pub worktree: Option<Symbol>,
    /// The directory that it entered a worktree from, last.
    pub worktree_origin: Option<Symbol>,
    /// First and last time on any line.
    pub span: Option<(Time, Time)>,
    /// Entries by kind.
    pub kinds: BTreeMap<Kind, u64>,
    /// What is odd.
    pub problems: Problems,
    /// Lines, blank and broken ones included.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Transcript {
    /// The sum of all messages' tokens.
    pub fn tokens(&self) -> Tokens {
        let mut sum = Tokens::default();
        for message in &self.messages {
            sum += message.tokens;
        }
        sum
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// The row at a place.
    pub fn row(&self, index: RowIndex) -> &Row {
        &self.rows[index as usize]
    }
}
