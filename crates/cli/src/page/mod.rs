//! The page: a conversation painted for a terminal. Who speaks, when, what was done and what came of it. What is noise,
//! how a turn ended and what came of a call is decided by `digest`.

mod call;
pub mod hit;
mod item;
pub mod resumed;

use scrollback_app::agents::AgentView;
use scrollback_app::digest::{Detail, EndNote};
use scrollback_app::item::{Item, ItemKind};
use scrollback_app::story::{Story, StorySource, TurnView};
use scrollback_app::view::SessionView;
use scrollback_format::id;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::{Canvas, Style, StyledLine, fold, width, wrap};

/// What is shown that is folded otherwise.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unfold {
    /// Thinking.
    pub thinking: bool,
    /// Tool calls.
    pub tools: bool,
    /// Agents' conversations.
    pub agents: bool,
    /// What the client added.
    pub all: bool,
}

/// Paints turns, one after the other.
pub struct Page<'c> {
    context: &'c mut Context,
    unfold: Unfold,
    session: String,
    /// How deep in agents we are: each level is set in.
    depth: usize,
    /// Is it an agent's own conversation, so that its prompt is a caller's?
    of_agent: bool,
    /// The line that was asked for: it is pointed at.
    marked: Option<u64>,
    /// Who spoke last, so that a name stands only where it changes.
    speaker: Option<String>,
    /// Is more to come, so that a call without a result may still get one?
    follows: bool,
}

/// How deep agents are shown inside agents.
const MAX_DEPTH: usize = 4;

impl<'c> Page<'c> {
    /// A page of this session.
    pub fn new(context: &'c mut Context, unfold: Unfold, session: &str) -> Self {
        Self {
            context,
            unfold,
            session: session.to_owned(),
            depth: 0,
            of_agent: false,
            marked: None,
            speaker: None,
            follows: false,
        }
    }

    /// More is to come: a call without a result still runs.
    pub fn follow(&mut self) {
        self.follows = true;
    }

    /// Lets everything out that was painted so far.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.context.out.flush()?)
    }

    /// A remark of the program's own between turns.
    pub fn remark(&mut self, text: &str) -> Result<(), Failure> {
        self.speaker = None;
        self.put(vec![StyledLine::new(text, Style::Warning)])
    }

    /// Points at what stands on this line.
    pub fn mark(&mut self, line: Option<u64>) {
        self.marked = line;
    }

    fn canvas(&self) -> Canvas {
        self.context.page().inset(self.depth * 3)
    }

    /// Writes lines, set in as deep as we are.
    fn put(&mut self, lines: Vec<StyledLine>) -> Result<(), Failure> {
        if self.depth == 0 {
            return Ok(self.context.out.lines(&lines)?);
        }
        let prefix = StyledLine::new("│  ".repeat(self.depth), Style::Agent);
        let set_in: Vec<StyledLine> = lines.into_iter().map(|line| line.prefixed(&prefix)).collect();
        Ok(self.context.out.lines(&set_in)?)
    }

    fn blank(&mut self) -> Result<(), Failure> {
        self.put(vec![StyledLine::empty()])
    }

    /// The lines that were painted so far, if the context keeps them.
    pub fn take_lines(&mut self) -> Vec<StyledLine> {
        self.context.out.take_kept()
    }

    /// What stands above the conversation.
    pub fn head(
        &mut self,
        view: &SessionView,
        agent: Option<&AgentView>,
        source: StorySource<'_>,
        branch: u64,
    ) -> Result<(), Failure> {
        if let Some(agent) = agent {
            return self.agent_head(view, agent);
        }
        let title = view.title.as_deref().unwrap_or("untitled");
        let canvas = self.canvas();
        self.put(wrap::words(&StyledLine::new(title, Style::Title), canvas, &wrap::Indent::none()))?;
        let mut facts = vec![view.session_id.clone()];
        facts.extend(view.project.as_deref().map(|project| self.context.short_dir(project)));
        facts.push(date::day(view.first_time, &self.context.zone));
        facts.push(fold::plural(view.turns, "turn"));
        if view.agents > 0 {
            facts.push(fold::plural(view.agents, "agent"));
        }
        self.put(wrap::words(
            &StyledLine::new(facts.join(" · "), Style::Dim),
            canvas,
            &wrap::Indent::none(),
        ))?;
        if branch > 0 {
            let thread = source.loaded.anatomy.threads.branches().nth(branch as usize - 1);
            let fork =
                thread.and_then(|(_, thread)| thread.fork).map(|row| source.loaded.transcript.row(row).line);
            let from = fork.map_or("a separate conversation".to_owned(), |line| {
                format!("leaves the live thread at line {line}")
            });
            let text = format!("branch {branch}: {from}; omit --branch to show the live thread");
            self.put(vec![StyledLine::new(text, Style::Warning)])?;
        }
        if source.loaded.facts.problems > 0 && source.agent.is_none() {
            let problems = fold::plural(source.loaded.facts.problems, "problem");
            let text =
                format!("! {problems} in this file: {} info {}", self.context.program(), self.short_id());
            self.put(vec![StyledLine::new(text, Style::Warning)])?;
        }
        Ok(())
    }

    /// What stands above an agent's conversation.
    fn agent_head(&mut self, view: &SessionView, agent: &AgentView) -> Result<(), Failure> {
        self.of_agent = true;
        let work = agent.description.as_deref().or(agent.prompt.as_deref()).unwrap_or("untitled");
        let title = StyledLine::new(fold::one_line(work, self.canvas().width), Style::Title);
        let kind = agent.agent_type.as_deref().unwrap_or(agent.purpose.name());
        let mut facts = format!("agent {} · {kind} · session {}", agent.agent_id, view.session_id);
        if let Some(parent) = &agent.parent_agent_id {
            facts.push_str(&format!(", called by {parent}"));
        }
        self.put(vec![title, StyledLine::new(facts, Style::Dim)])
    }

    fn short_id(&self) -> String {
        id::short(&self.session).to_owned()
    }

    /// What stands below it.
    pub fn foot(&mut self, turns: u64, partial: bool) -> Result<(), Failure> {
        if turns == 0 && !partial {
            self.put(vec![StyledLine::new("No messages on this branch.", Style::Dim)])?;
        }
        Ok(())
    }

    /// One turn.
    pub fn turn(&mut self, turn: &TurnView, source: StorySource<'_>) -> Result<(), Failure> {
        let shown: Vec<&Item> = turn.items.iter().filter(|item| self.is_shown(&item.what)).collect();
        if shown.is_empty() {
            return Ok(());
        }
        self.speaker = None;
        self.blank()?;
        self.rule(turn)?;
        // A result is shown with its call, whose line comes before.
        let marked = self.marked.and_then(|line| shown.iter().rposition(|item| item.line <= line));
        for (at, item) in shown.into_iter().enumerate() {
            if marked == Some(at) {
                self.put(vec![
                    StyledLine::new("▶ ", Style::Match)
                        .with(format!("line {}", self.marked.unwrap_or(0)), Style::Dim),
                ])?;
            }
            self.item(item, source)?;
        }
        self.end(turn)
    }

    /// More of the turn that was painted last.
    pub fn more(&mut self, turn: &TurnView, source: StorySource<'_>) -> Result<(), Failure> {
        for item in turn.items.iter().filter(|item| self.is_shown(&item.what)).collect::<Vec<_>>() {
            self.item(item, source)?;
        }
        self.end(turn)
    }

    /// The line above a turn: its number and when it began.
    fn rule(&mut self, turn: &TurnView) -> Result<(), Failure> {
        let number =
            if turn.turn == 0 { "before the first prompt".to_owned() } else { format!("{}", turn.turn) };
        let time = date::minute(turn.first_time, &self.context.zone);
        let canvas = self.canvas();
        let used = width::columns(&number) + width::columns(&time) + 6;
        let middle = "─".repeat(canvas.width.saturating_sub(used));
        let line = StyledLine::new("── ", Style::Dim)
            .with(number, Style::Heading)
            .with(format!(" {middle} "), Style::Dim)
            .with(time, Style::Time);
        self.put(vec![line])
    }

    fn end(&mut self, turn: &TurnView) -> Result<(), Failure> {
        let Some(note) = EndNote::of(turn, self.follows) else { return Ok(()) };
        self.put(vec![StyledLine::new(format!("  ! {}", note.words()), Style::Warning)])
    }

    /// Is this shown, with what is folded now?
    fn is_shown(&self, what: &ItemKind) -> bool {
        Detail { thinking: self.unfold.thinking, noise: self.unfold.all }.includes(what)
    }

    /// An agent's whole conversation, set in.
    fn agent_story(&mut self, agent: &str, source: StorySource<'_>) -> Result<(), Failure> {
        let Some(at) = source.agents.views.iter().position(|view| view.agent_id == agent) else {
            return Ok(());
        };
        if self.depth >= MAX_DEPTH {
            return Ok(());
        }
        if let Some(thread) = source.agents.threads[at] {
            return self.set_in_story(&Story::of_thread(source, thread), source);
        }
        let loaded = source.agents.load(at)?;
        let inner = StorySource {
            path: &source.agents.views[at].path,
            loaded: &loaded,
            agents: source.agents,
            agent: Some(at),
        };
        self.set_in_story(&Story::of(inner, 0)?, inner)
    }

    fn set_in_story(&mut self, story: &Story<'_>, inner: StorySource<'_>) -> Result<(), Failure> {
        self.depth += 1;
        let speaker = self.speaker.take();
        for turn in story.turns(|_| true)? {
            for item in &turn?.items {
                if self.is_shown(&item.what) {
                    self.item(item, inner)?;
                }
            }
        }
        self.speaker = speaker;
        self.depth -= 1;
        self.blank()
    }
}
