//! The tree: a session's threads, where they part, where it was compacted, and the agents that it made.

use scrollback_format::time::Time;
use scrollback_model::leaf::LeafRule;
use scrollback_model::thread::{JointKind, Thread, ThreadKind};
use serde::Serialize;

use crate::agents::AgentView;
use crate::error::AppError;
use crate::item::What;
use crate::story::{Source, Story};
use crate::view::time;

/// One turn, in a line.
#[derive(Debug, Clone, Serialize)]
pub struct TurnNode {
    /// Counted from 1 on its thread; 0 is what stands before the first prompt.
    pub turn: u32,
    /// Its first line.
    pub line: u64,
    /// Its first entry.
    pub uuid: Option<String>,
    /// When it began.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// The prompt's first words.
    pub text: String,
    /// How it ended.
    pub end: &'static str,
    /// Tool calls in it.
    pub tool_calls: u64,
    /// Compactions in it.
    pub compactions: u64,
    /// Agents that it made.
    pub agents: Vec<String>,
    /// Branches that go off from it.
    pub branches: Vec<u64>,
}

/// One thread.
#[derive(Debug, Clone, Serialize)]
pub struct ThreadNode {
    /// 0 is the live one, `n` the n-th branch.
    pub branch: u64,
    /// `live`, `branch`, `summarized`, `root`, `sidechain`.
    pub kind: &'static str,
    /// The line of another thread that it hangs on.
    pub fork_line: Option<u64>,
    /// The entry it hangs on.
    pub fork_uuid: Option<String>,
    /// Its last entry.
    pub leaf_uuid: Option<String>,
    /// Its entries.
    pub entries: u64,
    /// Its turns.
    pub turns: Vec<TurnNode>,
}

/// A place where a thread was joined without a parent's word.
#[derive(Debug, Clone, Serialize)]
pub struct JointNode {
    /// The line after it.
    pub line: u64,
    /// The line before it.
    pub before_line: Option<u64>,
    /// `compaction`, `compaction_by_time`, `gap`, `cycle`.
    pub kind: &'static str,
}

/// The whole tree.
#[derive(Debug, Serialize)]
pub struct TreeView {
    /// The session.
    pub session_id: String,
    /// What it is called.
    pub title: Option<String>,
    /// Why the live leaf is the leaf: `latest_time`, `last_prompt`, `last_without_child`, `last_line`.
    pub leaf_rule: Option<&'static str>,
    /// The threads, the live one first.
    pub threads: Vec<ThreadNode>,
    /// Joints.
    pub joints: Vec<JointNode>,
    /// Agents.
    pub agents: Vec<AgentView>,
    /// Entries whose id stands again later.
    pub replaced_entries: u64,
}

/// The tree of a session or agent.
pub fn tree(session_id: &str, source: Source<'_>) -> Result<TreeView, AppError> {
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
        kind: match joint.kind {
            JointKind::Compaction => "compaction",
            JointKind::CompactionByTime => "compaction_by_time",
            JointKind::Gap => "gap",
            JointKind::Cycle => "cycle",
        },
    });
    Ok(TreeView {
        session_id: session_id.to_owned(),
        title: loaded.facts.title.as_ref().map(|title| title.text.clone()),
        leaf_rule: threads.rule.map(rule_name),
        threads: nodes,
        joints: joints.collect(),
        agents: if source.agent.is_none() { source.agents.views.clone() } else { Vec::new() },
        replaced_entries: loaded.facts.replaced,
    })
}

fn rule_name(rule: LeafRule) -> &'static str {
    match rule {
        LeafRule::LatestTime => "latest_time",
        LeafRule::LastPrompt => "last_prompt",
        LeafRule::LastWithoutChild => "last_without_child",
        LeafRule::LastLine => "last_line",
    }
}

fn node(source: Source<'_>, branch: u64, thread: &Thread) -> Result<ThreadNode, AppError> {
    let transcript = &source.loaded.transcript;
    let uuid = |row: u32| transcript.row(row).id.map(|id| id.to_string());
    let mut turns = Vec::new();
    Story::of(source, branch)?.each(
        |_| true,
        |turn| {
            let calls = turn.items.iter().filter_map(|item| match &item.what {
                What::Call(call) => Some(call),
                _ => None,
            });
            let first = turn.items.first();
            let branches = turn.items.iter().flat_map(|item| match &item.what {
                What::BranchPoint { branches } => branches.iter().map(|branch| branch.branch).collect(),
                _ => Vec::new(),
            });
            let compactions = turn.items.iter().filter(|item| matches!(item.what, What::Compaction { .. }));
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
            Ok(())
        },
    )?;
    Ok(ThreadNode {
        branch,
        kind: match thread.kind {
            ThreadKind::Live => "live",
            ThreadKind::Branch => "branch",
            ThreadKind::Summarized => "summarized",
            ThreadKind::Root => "root",
            ThreadKind::Sidechain => "sidechain",
        },
        fork_line: thread.fork.map(|row| u64::from(transcript.row(row).line)),
        fork_uuid: thread.fork.and_then(uuid),
        leaf_uuid: uuid(thread.leaf),
        entries: thread.rows.len() as u64,
        turns,
    })
}

/// The words that a turn is known by.
fn words(what: &What) -> Option<String> {
    match what {
        What::Prompt { text, queued: false, .. } => Some(text.clone()),
        What::Command { command, args } => Some(format!("{command} {args}")),
        What::Bash { command } => Some(format!("! {command}")),
        What::Notification { text, .. } | What::Teammate { text } => Some(text.clone()),
        What::CompactSummary { .. } => Some("(summary of what was before)".into()),
        _ => None,
    }
    .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}
