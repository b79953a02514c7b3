//! The tree: a session's threads, where they part, where it was compacted, and the agents that it made.

use scrollback_format::time::Time;
use scrollback_model::leaf::LeafRule;
use scrollback_model::thread::{JointKind, Thread, ThreadKind};
use scrollback_model::turn::TurnEnd;
use serde::{Deserialize, Serialize};

use crate::agents::AgentView;
use crate::error::AppError;
use crate::item::ItemKind;
use crate::opened::Opened;
use crate::story::{Story, StorySource};

/// One turn, in a line.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TurnNode {
    /// Counted from 1 on its thread; 0 is what stands before the first prompt.
    pub turn: u32,
    /// Its first line.
    pub line: u64,
    /// The id of its first entry.
    pub uuid: Option<String>,
    /// When it began.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// The prompt's first words.
    pub text: String,
    /// How it ended.
    pub end: TurnEnd,
    /// Tool calls in it.
    pub tool_calls: u64,
    /// Compactions in it.
    pub compactions: u64,
    /// Agents that it made, by id.
    #[serde(rename = "agent_ids")]
    pub agents: Vec<String>,
    /// Branches that start at it, by number.
    #[serde(rename = "branch_numbers")]
    pub branches: Vec<u64>,
}

/// One thread.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ThreadNode {
    /// 0 is the live one, `n` the n-th branch.
    pub branch: u64,
    /// `live`, `branch`, `summarized`, `root`, `sidechain`.
    pub kind: ThreadKind,
    /// The line of another thread that it branches from.
    pub fork_line: Option<u64>,
    /// The entry that it branches from.
    pub fork_uuid: Option<String>,
    /// Its last entry.
    pub leaf_uuid: Option<String>,
    /// Its entries.
    pub entries: u64,
    /// Its turns.
    #[serde(rename = "turn_list")]
    pub turns: Vec<TurnNode>,
}

/// A place where a thread was joined without a parent that says so.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JointNode {
    /// The line after it.
    pub line: u64,
    /// The line before it.
    pub before_line: Option<u64>,
    /// `compaction`, `compaction_by_time`, `gap`, `cycle`.
    pub kind: JointKind,
}

/// The whole tree.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TreeView {
    /// The session.
    pub session_id: String,
    /// The agent whose conversation it is; none if it is the session's own.
    pub agent_id: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// Why the live leaf is the leaf: `latest_time`, `last_prompt`, `last_line`, `below_last_line`.
    pub leaf_rule: Option<LeafRule>,
    /// The threads, the live one first.
    pub threads: Vec<ThreadNode>,
    /// Joints.
    pub joints: Vec<JointNode>,
    /// The session's agents.
    #[serde(rename = "agent_list")]
    pub agents: Vec<AgentView>,
    /// Entries replaced by a later one with the same id.
    pub replaced_entries: u64,
}

/// The tree of an opened session or agent.
pub fn of_opened(opened: &Opened) -> Result<TreeView, AppError> {
    let tree = tree(opened.id.as_str(), opened.source())?;
    Ok(TreeView { agent_id: opened.agent_id().map(str::to_owned), ..tree })
}

/// The tree of a transcript.
pub fn tree(session_id: &str, source: StorySource<'_>) -> Result<TreeView, AppError> {
    let loaded = source.loaded;
    let threads = &loaded.anatomy.threads;
    let mut nodes = Vec::new();
    if let Some(live) = threads.live() {
        nodes.push(node(source, 0, live)?);
    }
    for (number, (_, thread)) in threads.branches().enumerate() {
        nodes.push(node(source, number as u64 + 1, thread)?);
    }
    let line = |row: u32| u64::from(loaded.transcript.row(row).line);
    let joints = threads.joints.iter().map(|joint| JointNode {
        line: line(joint.row),
        before_line: joint.before.map(line),
        kind: joint.kind,
    });
    Ok(TreeView {
        session_id: session_id.to_owned(),
        agent_id: None,
        title: loaded.facts.title.as_ref().map(|title| title.text.clone()),
        leaf_rule: threads.rule,
        threads: nodes,
        joints: joints.collect(),
        agents: if source.agent.is_none() { source.agents.views.clone() } else { Vec::new() },
        replaced_entries: loaded.facts.replaced,
    })
}

fn node(source: StorySource<'_>, branch: u64, thread: &Thread) -> Result<ThreadNode, AppError> {
    let transcript = &source.loaded.transcript;
    let uuid = |row: u32| transcript.row(row).id.map(|id| id.to_string());
    let mut turns = Vec::new();
    for turn in Story::of(source, branch)?.turns(|_| true)? {
        let turn = turn?;
        let calls = turn.items.iter().filter_map(|item| match &item.what {
            ItemKind::Call(call) => Some(call),
            _ => None,
        });
        let first = turn.items.first();
        let branches = turn.items.iter().flat_map(|item| match &item.what {
            ItemKind::BranchPoint { branches } => branches.iter().map(|branch| branch.branch).collect(),
            _ => Vec::new(),
        });
        let compactions = turn.items.iter().filter(|item| matches!(item.what, ItemKind::Compaction { .. }));
        turns.push(TurnNode {
            turn: turn.turn,
            line: first.map_or(0, |item| item.line),
            uuid: first.and_then(|item| item.uuid.clone()),
            time: turn.first_time,
            text: turn.items.iter().find_map(|item| words(&item.what)).unwrap_or_default(),
            end: turn.end,
            tool_calls: calls.clone().count() as u64,
            compactions: compactions.count() as u64,
            agents: calls.flat_map(|call| call.agent_ids.clone()).collect(),
            branches: branches.collect(),
        });
    }
    Ok(ThreadNode {
        branch,
        kind: thread.kind,
        fork_line: thread.fork.map(|row| u64::from(transcript.row(row).line)),
        fork_uuid: thread.fork.and_then(uuid),
        leaf_uuid: uuid(thread.leaf),
        entries: thread.rows.len() as u64,
        turns,
    })
}

/// The words that a turn is known by.
fn words(what: &ItemKind) -> Option<String> {
    match what {
        ItemKind::Prompt { text, queued: false, .. } => Some(text.clone()),
        ItemKind::Command { command, args } => Some(format!("{command} {args}")),
        ItemKind::Bash { command } => Some(format!("! {command}")),
        ItemKind::Notification { text, .. } | ItemKind::Teammate { text } => Some(text.clone()),
        ItemKind::CompactSummary { .. } => Some("(summary of the conversation so far)".into()),
        _ => None,
    }
    .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}
