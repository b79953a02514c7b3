//! `scrollback ls`: sessions, newest first.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use scrollback_app::listing::{ListedAgent, Listing, ORDERS, Order};
use scrollback_app::request::ScopeRequest;
use scrollback_app::request::ls::LsRequest;
use scrollback_app::view::{HiddenBecause, SessionView};
use scrollback_format::id;

use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `ls`.
#[derive(Debug, Args)]
pub struct LsArgs {
    /// Only sessions whose title, ID, project or branch contains all of these words; typos are tolerated.
    pub words: Vec<String>,
    /// Only projects whose path contains this text; `.` is the current directory.
    #[arg(long, short, value_name = "PART")]
    pub project: Option<String>,
    /// Only sessions active at or after this date.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only sessions started before this date.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Only sessions on a git branch whose name contains this text.
    #[arg(long, value_name = "PART")]
    pub branch: Option<String>,
    /// Only sessions that used a model whose name contains this text.
    #[arg(long, value_name = "PART")]
    pub model: Option<String>,
    /// Only sessions that called this tool.
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,
    /// Only sessions that read or wrote a file whose path contains this text.
    #[arg(long, value_name = "PART")]
    pub file: Option<String>,
    /// Only sessions of client versions that start with this.
    #[arg(long, value_name = "VERSION")]
    pub client: Option<String>,
    /// Only sessions with this tag.
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,
    /// Only sessions that meet an SQL condition, such as "turns > 10 AND tool_errors > 0" (see `index tables`).
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// Maximum number of sessions (0 = no limit).
    #[arg(long, short = 'n', value_name = "N")]
    pub limit: Option<usize>,
    /// Include empty sessions, agents and sessions that you have hidden, and show why the client hides a session.
    #[arg(long, short)]
    pub all: bool,
    /// Sort order.
    #[arg(long, value_name = "ORDER", default_value = Order::default().name, value_parser = orders())]
    pub sort: String,
}

/// The orders that there are.
fn orders() -> PossibleValuesParser {
    PossibleValuesParser::new(ORDERS.map(|order| PossibleValue::new(order.name).help(order.about)))
}

/// Lists sessions.
pub fn run(context: &mut Context, args: &LsArgs) -> Result<(), Failure> {
    let request = args.request();
    let listing = context.desk()?.answer(&request)?;
    if context.global.json {
        context.out.document(&listing)?;
    } else {
        context.start_pager();
        show(context, &listing, &request)?;
    }
    if listing.sessions.is_empty() { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

impl LsArgs {
    fn request(&self) -> LsRequest {
        LsRequest {
            words: self.words.clone(),
            scope: ScopeRequest {
                project: self.project.clone(),
                since: self.since.clone(),
                until: self.until.clone(),
            },
            branch: self.branch.clone(),
            model: self.model.clone(),
            tool: self.tool.clone(),
            file: self.file.clone(),
            client: self.client.clone(),
            tag: self.tag.clone(),
            condition: self.condition.clone(),
            all: self.all,
            limit: self.limit,
            sort: Some(self.sort.clone()),
        }
    }
}

fn show(context: &mut Context, listing: &Listing, request: &LsRequest) -> Result<(), Failure> {
    if listing.sessions.is_empty() {
        let line = match (listing.hidden, request.is_narrowed() || listing.matched > 0) {
            _ if listing.hidden_by_user > 0 => "All matching sessions are hidden.",
            (0, false) => "No sessions.",
            (0, true) => "No matching sessions.",
            (_, false) => "All sessions are empty.",
            (_, true) => "All matching sessions are empty.",
        };
        context.out.line(StyledLine::plain(line))?;
    } else {
        let grid = grid(context, &listing.sessions, request.all);
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
    }
    if !listing.agent_list.is_empty() {
        agents(context, &listing.agent_list)?;
    }
    if context.global.quiet {
        return Ok(());
    }
    let mut remarks = Vec::new();
    if listing.fuzzy {
        remarks.push("no exact match; showing similar sessions".to_owned());
    }
    let shown = listing.sessions.len() as u64;
    if shown < listing.matched {
        remarks.push(format!("{} of {}", fold::count(shown), fold::plural(listing.matched, "session")));
    }
    if listing.hidden > 0 {
        let sessions = fold::plural(listing.hidden, "empty session");
        remarks.push(format!("{sessions} not shown (--all)"));
    }
    if listing.hidden_by_user > 0 {
        let sessions = fold::plural(listing.hidden_by_user, "session");
        remarks.push(format!("{sessions} hidden by you (--all)"));
    }
    if !listing.troubles.is_empty() {
        let paths = fold::plural(listing.troubles.len() as u64, "odd or unreadable path");
        remarks.push(format!("{paths}: {} verify", context.program()));
    }
    if listing.sessions.iter().any(|view| view.problems > 0) {
        remarks.push(format!("! has damaged or odd lines: {} info SESSION", context.program()));
    }
    if !remarks.is_empty() {
        context.out.gap()?;
    }
    for remark in remarks {
        context.out.line(StyledLine::new(remark, Style::Dim))?;
    }
    Ok(())
}

/// Agents, which `show` takes by the names that stand first here.
fn agents(context: &mut Context, agents: &[ListedAgent]) -> Result<(), Failure> {
    context.out.gap()?;
    context.out.line(StyledLine::new("Agents (never listed by the client)", Style::Heading))?;
    let columns = vec![
        Column::new("session/agent"),
        Column::new("task").shrinks(2, 16),
        Column::new("project").shrinks(1, 10).max(40),
        Column::new("size").right(),
        Column::new("last"),
        Column::new(""),
    ];
    let mut grid = Grid::new(columns);
    for agent in agents {
        let session = id::short(&agent.session_id);
        let title = agent.title.as_deref().map_or_else(
            || StyledLine::new(agent.agent_type.as_deref().unwrap_or("untitled"), Style::Dim),
            |title| StyledLine::plain(fold::one_line(title, 100)),
        );
        let project = agent.project.as_ref().map(|project| context.dir_end(project, 36)).unwrap_or_default();
        grid.row(vec![
            StyledLine::new(format!("{session}/{}", agent.agent_id), Style::Agent),
            title,
            StyledLine::new(project, Style::Path),
            StyledLine::plain(fold::bytes(agent.bytes)),
            StyledLine::new(date::minute(agent.last_time, &context.zone), Style::Time),
            StyledLine::new(if agent.orphan { "session missing" } else { "" }, Style::Warning),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

/// The table of sessions.
pub fn grid(context: &Context, sessions: &[SessionView], with_kind: bool) -> Grid {
    let mut columns = vec![
        Column::new("session"),
        Column::new("title").shrinks(2, 16),
        Column::new("project").shrinks(1, 10).max(40),
        Column::new("turns").right(),
        Column::new("size").right(),
        Column::new("last"),
    ];
    if with_kind {
        columns.push(Column::new("kind"));
        columns.push(Column::new("hidden by the client"));
    }
    let mut grid = Grid::new(columns);
    for view in sessions {
        grid.row(row(context, view, with_kind));
    }
    grid
}

fn row(context: &Context, view: &SessionView, with_kind: bool) -> Vec<StyledLine> {
    let id = id::short(&view.session_id);
    let title = match &view.title {
        Some(title) => StyledLine::plain(fold::one_line(title, 100)),
        None if view.is_unreadable() => StyledLine::new("unreadable", Style::Error),
        None => StyledLine::new("untitled", Style::Dim),
    };
    let project = match &view.project {
        Some(project) => StyledLine::new(context.dir_end(project, 36), Style::Path),
        None => StyledLine::new(format!("[{}]", view.folder), Style::Dim),
    };
    let mut title = if view.problems > 0 {
        StyledLine::new("! ", Style::Warning).with(title.text(), Style::Plain)
    } else {
        title
    };
    if view.pinned {
        title = StyledLine::new("* ", Style::Strong).with(title.text(), Style::Plain);
    }
    for tag in &view.tags {
        title.push(format!(" #{tag}"), Style::Dim);
    }
    let mut cells = vec![
        StyledLine::new(id, Style::Number),
        title,
        project,
        StyledLine::plain(fold::count(view.turns)),
        StyledLine::plain(fold::bytes(view.bytes)),
        StyledLine::new(date::minute(view.last_time, &context.zone), Style::Time),
    ];
    if with_kind {
        cells.push(StyledLine::new(
            view.kind.name(),
            if view.is_conversation() { Style::Dim } else { Style::Warning },
        ));
        let why: Vec<&str> = view.hidden_because.iter().map(|why| reason(*why)).collect();
        cells.push(StyledLine::new(why.join(", "), Style::Dim));
    }
    cells
}

/// Why the client's own list does not show a session, for people.
const fn reason(why: HiddenBecause) -> &'static str {
    match why {
        HiddenBecause::Sdk => "-p or SDK",
        HiddenBecause::HiddenByUser => "hidden by you",
        HiddenBecause::NoPrompt => "no prompt",
        HiddenBecause::OtherDirectory => "other directory",
        HiddenBecause::Background => "background",
        HiddenBecause::Agent => "agent",
        HiddenBecause::Unreadable => "unreadable",
        HiddenBecause::Empty | HiddenBecause::Stub | HiddenBecause::SideNotes | HiddenBecause::Ghost => {
            "empty"
        }
        _ => "other",
    }
}
