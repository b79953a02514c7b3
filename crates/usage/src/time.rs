//! Where the time of a session went, turn by turn: the model, tools, waiting for the user, retries.
//!
//! Lines carry the time at which they were written. What passed before an answer's line is the model's, what passed before a
//! result's the tool's, before a line that reports a failed request that of retries, and before a prompt the user's.

use scrollback_format::kind::{Kind, SystemKind};
use scrollback_format::time::Time;
use scrollback_model::role::Role;
use serde::{Deserialize, Serialize};

use scrollback_session::loaded::Loaded;

/// Milliseconds by what they went into.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TimeSpent {
    /// Waiting for the model.
    pub model_ms: u64,
    /// Running tools, or waiting for permission.
    pub tool_ms: u64,
    /// Retrying failed requests.
    pub retry_ms: u64,
    /// Waiting for the user, before the prompt.
    pub user_ms: u64,
    /// Anything else.
    pub other_ms: u64,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TurnTime {
    /// Its number.
    pub turn: u32,
    /// Its start.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub start: Option<Time>,
    /// Where its time went.
    #[serde(flatten)]
    pub spent: TimeSpent,
}

/// A session's time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TimeView {
    /// The session.
    pub session_id: String,
    /// Turns of the live thread.
    pub turns: Vec<TurnTime>,
    /// All of them.
    pub total: TimeSpent,
}

/// Accounts for the time of a session's live thread.
pub fn times(session_id: &str, loaded: &Loaded) -> TimeView {
    let transcript = &loaded.transcript;
    let live: &[u32] = loaded.anatomy.threads.live().map_or(&[], |live| &live.rows);
    let mut view =
        TimeView { session_id: session_id.to_owned(), turns: Vec::new(), total: TimeSpent::default() };
    let mut before: Option<Time> = None;
    for turn in &loaded.anatomy.turns {
        let mut spent = TimeSpent::default();
        let mut timed: Vec<(Time, Role, Kind)> = live[turn.range.clone()]
            .iter()
            .map(|row| transcript.row(*row))
            .filter_map(|row| Some((row.time()?, row.role, row.kind)))
            .collect();
        // Lines are not always in the order of their times.
        timed.sort_by_key(|(time, ..)| *time);
        let mut prompted = false;
        for (time, role, kind) in timed {
            let passed = before.map_or(0, |before| u64::try_from(time.0 - before.0).unwrap_or(0));
            let part = match (role, kind) {
                (_, Kind::System(Some(SystemKind::ApiError))) => &mut spent.retry_ms,
                (Role::Prompt, _) => &mut spent.user_ms,
                _ if !prompted && role.may_begin_turn() => &mut spent.user_ms,
                (Role::Answer | Role::ApiError | Role::CompactSummary, _) => &mut spent.model_ms,
                (Role::ToolResult, _) => &mut spent.tool_ms,
                _ => &mut spent.other_ms,
            };
            *part += passed;
            prompted |= role.may_begin_turn();
            before = before.max(Some(time));
        }
        view.total.add(&spent);
        view.turns.push(TurnTime { turn: turn.number, start: turn.span.map(|(first, _)| first), spent });
    }
    view
}

impl TimeSpent {
    fn add(&mut self, other: &Self) {
        self.model_ms += other.model_ms;
        self.tool_ms += other.tool_ms;
        self.retry_ms += other.retry_ms;
        self.user_ms += other.user_ms;
        self.other_ms += other.other_ms;
    }
}
