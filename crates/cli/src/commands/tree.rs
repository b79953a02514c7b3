//! `scrollback tree`: a session's threads, compactions and agents, drawn.

use std::collections::{HashMap, HashSet};

use clap::Args;
use scrollback_app::agents::AgentView;
use scrollback_app::digest;
use scrollback_app::model::{JointKind, LeafRule, ThreadKind};
use scrollback_app::request::tree::TreeRequest;
use scrollback_app::tree::{ThreadNode, TreeView, TurnNode};

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `tree`.
#[derive(Debug, Args)]
pub struct TreeArgs {
    /// Session ID or prefix, title, path, or `last`; SESSION/AGENT for a subagent.
    #[arg(default_value = "last")]
    pub session: String,
}

/// Draws the tree.
pub fn run(context: &mut Context, args: &TreeArgs) -> Result<(), Failure> {
    let view = context.desk()?.answer(&TreeRequest { session: args.session.clone() })?;
    if context.global.json {
        return Ok(context.out.document(&view)?);
    }
    context.start_pager();
    if let Some(agent) = &view.agent_id {
        context.out.line(StyledLine::new(format!("agent {agent} of"), Style::Agent))?;
    }
    let mut artist = Artist::new(context, &view);
    artist.head()?;
    artist.all()
}

/// Branches of branches are drawn inside of each other up to here; deeper ones stand for themselves, below.
const MAX_DEPTH: usize = 32;

struct Artist<'a> {
    context: &'a mut Context,
    view: &'a TreeView,
    drawn: HashSet<u64>,
    /// Branches that go off too deep to be drawn there.
    deferred: HashSet<u64>,
    threads: HashMap<u64, &'a ThreadNode>,
    agents: HashMap<&'a str, &'a AgentView>,
    /// The agents that an agent made.
    nested: HashMap<&'a str, Vec<&'a AgentView>>,
}

impl<'a> Artist<'a> {
    fn new(context: &'a mut Context, view: &'a TreeView) -> Self {
        let mut nested: HashMap<&str, Vec<&AgentView>> = HashMap::new();
        for agent in &view.agents {
            if let Some(parent) = agent.parent_agent_id.as_deref() {
                nested.entry(parent).or_default().push(agent);
            }
        }
        Self {
            context,
            view,
            drawn: HashSet::new(),
            deferred: HashSet::new(),
            threads: view.threads.iter().map(|thread| (thread.branch, thread)).collect(),
            // Of several the first.
            agents: view.agents.iter().rev().map(|agent| (agent.agent_id.as_str(), agent)).collect(),
            nested,
        }
    }

    fn head(&mut self) -> Result<(), Failure> {
        let title = self.view.title.as_deref().unwrap_or("untitled");
        let line =
            StyledLine::new(title, Style::Title).with(format!("  {}", self.view.session_id), Style::Number);
        self.context.out.line(line)?;
        if let Some(rule) = self.view.leaf_rule {
            let why = match rule {
                LeafRule::LastPrompt => "ends at the message named by the last-prompt line",
                LeafRule::LatestTime => "ends at the latest message",
                _ => "ends at the last leaf message",
            };
            self.context.out.line(StyledLine::new(format!("● live thread: {why}"), Style::Dim))?;
        }
        for joint in
            self.view.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Gap | JointKind::Cycle))
        {
            let what = if joint.kind == JointKind::Gap {
                "parent message missing"
            } else {
                "chain contains a cycle"
            };
            let to = joint
                .before_line
                .map_or("nothing before it".to_owned(), |line| format!("line {line}, by time"));
            let text = format!("! line {}: {what}; joined to {to}", joint.line);
            self.context.out.line(StyledLine::new(text, Style::Warning))?;
        }
        Ok(self.context.out.gap()?)
    }

    fn all(&mut self) -> Result<(), Failure> {
        let view = self.view;
        for thread in &view.threads {
            // Branches are drawn where they start; what is not joined to the rest comes after.
            if !self.drawn.contains(&thread.branch) {
                if thread.kind == ThreadKind::Root {
                    self.context.out.gap()?;
                    let text = format!("Separate conversation in this file (--branch {})", thread.branch);
                    self.context.out.line(StyledLine::new(text, Style::Warning))?;
                } else if self.deferred.contains(&thread.branch) {
                    self.context.out.gap()?;
                    let text = format!("branch {}, continued", thread.branch);
                    self.context.out.line(StyledLine::new(text, Style::Warning))?;
                }
                self.thread(thread, "", 0)?;
            }
        }
        let unlinked: Vec<&AgentView> =
            view.agents.iter().filter(|agent| agent.tool_use_id.is_none()).collect();
        if !unlinked.is_empty() {
            self.context.out.gap()?;
            self.context.out.line(StyledLine::new("Agents without a known call", Style::Heading))?;
            for agent in unlinked {
                self.agent(agent, "  ", 0)?;
            }
        }
        Ok(())
    }

    fn thread(&mut self, thread: &ThreadNode, prefix: &str, depth: usize) -> Result<(), Failure> {
        self.drawn.insert(thread.branch);
        let mark = if thread.branch == 0 { "●" } else { "○" };
        for (at, turn) in thread.turns.iter().enumerate() {
            let last = at + 1 == thread.turns.len();
            self.turn(turn, mark, prefix)?;
            let inner = format!("{prefix}{}  ", if last && turn.branches.is_empty() { " " } else { "│" });
            for agent in &turn.agents {
                if let Some(agent) = self.agents.get(agent.as_str()).copied() {
                    self.agent(agent, &inner, 0)?;
                }
            }
            for branch in &turn.branches {
                self.branch(*branch, prefix, depth + 1)?;
            }
        }
        Ok(())
    }

    fn turn(&mut self, turn: &TurnNode, mark: &str, prefix: &str) -> Result<(), Failure> {
        let style = if mark == "●" { Style::Success } else { Style::Dim };
        let number = if turn.turn == 0 { "  ·".to_owned() } else { format!("{:>3}", turn.turn) };
        let mut tail = String::new();
        if turn.tool_calls > 0 {
            tail.push_str(&format!("  {}", fold::plural(turn.tool_calls, "call")));
        }
        if turn.compactions > 0 {
            tail.push_str("  ↓ compacted");
        }
        if digest::is_notable(turn.end) {
            tail.push_str(&format!("  {}", turn.end.name().replace('_', " ")));
        }
        let time = date::minute(turn.time, &self.context.zone);
        let fixed = prefix.chars().count() + 2 + 5 + tail.chars().count() + time.len() + 4;
        let room = self.context.page().width.saturating_sub(fixed).max(20);
        let line = StyledLine::new(prefix, Style::Dim)
            .with(format!("{mark} "), style)
            .with(format!("{number}  "), Style::Number)
            .with(fold::one_line(&turn.text, room), Style::Plain)
            .with(tail, Style::Dim)
            .with(format!("  {time}"), Style::Time);
        Ok(self.context.out.line(line)?)
    }

    fn branch(&mut self, number: u64, prefix: &str, depth: usize) -> Result<(), Failure> {
        let Some(thread) = self.threads.get(&number).copied() else { return Ok(()) };
        let line = StyledLine::new(format!("{prefix}├─╮ "), Style::Dim);
        let how = if thread.kind == ThreadKind::Summarized { "summarized below" } else { "abandoned" };
        let what = format!("branch {number}: {}, {how}", fold::plural(thread.turns.len() as u64, "turn"));
        self.context.out.line(line.with(what, Style::Warning))?;
        if depth >= MAX_DEPTH {
            self.deferred.insert(number);
            return Ok(());
        }
        self.thread(thread, &format!("{prefix}│ "), depth)
    }

    fn agent(&mut self, agent: &AgentView, prefix: &str, depth: usize) -> Result<(), Failure> {
        let kind = agent.agent_type.as_deref().unwrap_or(agent.purpose.name());
        let work = agent.description.as_deref().or(agent.prompt.as_deref()).unwrap_or_default();
        let line = StyledLine::new(prefix, Style::Dim)
            .with(format!("└ {kind} "), Style::Agent)
            .with(fold::one_line(work, 48), Style::Plain)
            .with(format!("  {}, {}", agent.agent_id, fold::plural(agent.tool_calls, "call")), Style::Dim);
        self.context.out.line(line)?;
        if depth >= MAX_DEPTH {
            return Ok(());
        }
        for inner in self.nested.get(agent.agent_id.as_str()).cloned().unwrap_or_default() {
            self.agent(inner, &format!("{prefix}   "), depth + 1)?;
        }
        Ok(())
    }
}
