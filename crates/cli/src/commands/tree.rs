//! `scrollback tree`: a session's threads, compactions and agents, drawn.

use clap::Args;
use scrollback_app::agents::AgentView;
use scrollback_app::opened::Opened;
use scrollback_app::resolve::SessionArg;
use scrollback_app::tree::{self, ThreadNode, TreeView, TurnNode};

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::{Line, Style, fold};

/// Arguments of `tree`.
#[derive(Debug, Args)]
pub struct TreeArgs {
    /// An id, the start of one, a path, a title, or `last`; SESSION/AGENT for a subagent.
    #[arg(default_value = "last")]
    pub session: String,
}

/// Draws the tree.
pub fn run(context: &mut Context, args: &TreeArgs) -> Result<(), Failure> {
    let named = SessionArg::parse(&args.session);
    let library = context.session(&named.session)?;
    let files = context.resolve(&library, &named.session)?;
    let index = context.session_index(&library);
    let opened = Opened::of(&library, &files, named.agent.as_deref(), index.as_ref())?;
    let view = tree::tree(files.id.as_str(), opened.source())?;
    if context.global.json {
        return Ok(context.out.json(&view)?);
    }
    context.start_pager();
    if let Some(at) = opened.agent {
        let line = Line::new(format!("agent {} of", opened.agents.views[at].agent_id), Style::Agent);
        context.out.line(line)?;
    }
    let mut artist = Artist { context, view: &view, drawn: Vec::new() };
    artist.head()?;
    artist.all()
}

struct Artist<'a> {
    context: &'a mut Context,
    view: &'a TreeView,
    drawn: Vec<u64>,
}

impl Artist<'_> {
    fn head(&mut self) -> Result<(), Failure> {
        let title = self.view.title.as_deref().unwrap_or("untitled");
        let line = Line::new(title, Style::Title).with(format!("  {}", self.view.session_id), Style::Number);
        self.context.out.line(line)?;
        if let Some(rule) = self.view.leaf_rule {
            let why = match rule {
                "last_prompt" => "the last-prompt line names its end",
                "latest_time" => "its end has the latest time",
                _ => "its end is the last line without a child",
            };
            self.context.out.line(Line::new(format!("● live thread: {why}"), Style::Dim))?;
        }
        for joint in self.view.joints.iter().filter(|joint| matches!(joint.kind, "gap" | "cycle")) {
            let what = if joint.kind == "gap" {
                "its parent is in no line"
            } else {
                "its chain leads back to itself"
            };
            let to = joint
                .before_line
                .map_or("nothing before it".to_owned(), |line| format!("line {line}, by time"));
            let text = format!("! line {}: {what}; joined to {to}", joint.line);
            self.context.out.line(Line::new(text, Style::Warning))?;
        }
        Ok(self.context.out.gap()?)
    }

    fn all(&mut self) -> Result<(), Failure> {
        let view = self.view;
        for thread in &view.threads {
            // Branches are drawn where they go off; what nothing joins to the rest comes after.
            if !self.drawn.contains(&thread.branch) {
                if thread.kind == "root" {
                    self.context.out.gap()?;
                    let text = format!("A beginning of its own (--branch {})", thread.branch);
                    self.context.out.line(Line::new(text, Style::Warning))?;
                }
                self.thread(thread, "")?;
            }
        }
        let unlinked: Vec<&AgentView> =
            view.agents.iter().filter(|agent| agent.tool_use_id.is_none()).collect();
        if !unlinked.is_empty() {
            self.context.out.gap()?;
            self.context.out.line(Line::new("Agents that no call is known of", Style::Heading))?;
            for agent in unlinked {
                self.agent(agent, "  ")?;
            }
        }
        Ok(())
    }

    fn thread(&mut self, thread: &ThreadNode, prefix: &str) -> Result<(), Failure> {
        self.drawn.push(thread.branch);
        let mark = if thread.branch == 0 { "●" } else { "○" };
        for (at, turn) in thread.turns.iter().enumerate() {
            let last = at + 1 == thread.turns.len();
            self.turn(turn, mark, prefix)?;
            let inner = format!("{prefix}{}  ", if last && turn.branches.is_empty() { " " } else { "│" });
            for agent in &turn.agents {
                if let Some(agent) = self.view.agents.iter().find(|view| view.agent_id == *agent) {
                    self.agent(agent, &inner)?;
                }
            }
            for branch in &turn.branches {
                self.branch(*branch, prefix)?;
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
            tail.push_str("  ⇣ compacted");
        }
        if !matches!(turn.end, "done" | "open") {
            tail.push_str(&format!("  {}", turn.end.replace('_', " ")));
        }
        let time = date::minute(turn.time, &self.context.zone);
        let fixed = prefix.chars().count() + 2 + 5 + tail.chars().count() + time.len() + 4;
        let room = self.context.page().width.saturating_sub(fixed).max(20);
        let line = Line::new(prefix, Style::Dim)
            .with(format!("{mark} "), style)
            .with(format!("{number}  "), Style::Number)
            .with(fold::one_line(&turn.text, room), Style::Plain)
            .with(tail, Style::Dim)
            .with(format!("  {time}"), Style::Time);
        Ok(self.context.out.line(line)?)
    }

    fn branch(&mut self, number: u64, prefix: &str) -> Result<(), Failure> {
        let view = self.view;
        let Some(thread) = view.threads.iter().find(|thread| thread.branch == number) else { return Ok(()) };
        let line = Line::new(format!("{prefix}├─╮ "), Style::Dim);
        let how = if thread.kind == "summarized" { "summarised below" } else { "left behind" };
        let what = format!("branch {number}: {}, {how}", fold::plural(thread.turns.len() as u64, "turn"));
        self.context.out.line(line.with(what, Style::Warning))?;
        self.thread(thread, &format!("{prefix}│ "))
    }

    fn agent(&mut self, agent: &AgentView, prefix: &str) -> Result<(), Failure> {
        let kind = agent.agent_type.as_deref().unwrap_or(agent.purpose);
        let work = agent.description.as_deref().or(agent.prompt.as_deref()).unwrap_or_default();
        let line = Line::new(prefix, Style::Dim)
            .with(format!("⤷ {kind} "), Style::Agent)
            .with(fold::one_line(work, 48), Style::Plain)
            .with(format!("  {}, {}", agent.agent_id, fold::plural(agent.tool_calls, "call")), Style::Dim);
        self.context.out.line(line)?;
        let nested: Vec<&AgentView> = self
            .view
            .agents
            .iter()
            .filter(|other| other.parent_agent_id.as_deref() == Some(&agent.agent_id))
            .collect();
        for inner in nested {
            self.agent(inner, &format!("{prefix}   "))?;
        }
        Ok(())
    }
}
