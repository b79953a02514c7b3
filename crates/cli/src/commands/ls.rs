//! `scrollback ls`: sessions, newest first.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use scrollback_app::listing::{self, Filter, ListedAgent, Listing, ORDERS, Order};
use scrollback_app::view::SessionView;

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `ls`.
#[derive(Debug, Args)]
pub struct LsArgs {
    /// Only sessions whose title, id, project or branch contains all of these words, or nearly does.
    pub words: Vec<String>,
    /// Only projects whose directory contains this; `.` is the current directory.
    #[arg(long, short, value_name = "PART")]
    pub project: Option<String>,
    /// Only sessions with a line at or after this date.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only sessions begun before this date.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Only sessions that were on a git branch whose name contains this.
    #[arg(long, value_name = "PART")]
    pub branch: Option<String>,
    /// Only sessions with a model whose name contains this.
    #[arg(long, value_name = "PART")]
    pub model: Option<String>,
    /// Only sessions that called this tool.
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,
    /// Only sessions whose tools read or wrote a file whose path contains this.
    #[arg(long, value_name = "PART")]
    pub file: Option<String>,
    /// Only sessions of clients whose version begins with this.
    #[arg(long, value_name = "VERSION")]
    pub client: Option<String>,
    /// Only sessions with this tag of yours.
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,
    /// Only sessions for which this holds, in SQL over their facts: "turns > 10 AND tool_errors > 0" (see `index tables`).
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// At most so many; 0: all.
    #[arg(long, short = 'n', value_name = "N")]
    pub limit: Option<usize>,
    /// Also what nobody spoke in (empty files, stubs, side notes, ghosts) and what you have hidden; and why the client's own list hides a session.
    #[arg(long, short)]
    pub all: bool,
    /// In which order.
    #[arg(long, value_name = "ORDER", default_value = Order::default().name, value_parser = orders())]
    pub sort: String,
}

/// The orders that there are.
fn orders() -> PossibleValuesParser {
    PossibleValuesParser::new(ORDERS.map(|order| PossibleValue::new(order.name).help(order.about)))
}

/// Lists sessions.
pub fn run(context: &mut Context, args: &LsArgs) -> Result<(), Failure> {
    let filter = filter(context, args)?;
    let library = context.library()?;
    let index = context.index(&library)?;
    let here = context.env.cwd.as_ref().map(|cwd| cwd.display().to_string());
    let listing = listing::list(
        &library,
        &index,
        &filter,
        Order::find(&args.sort).unwrap_or_default(),
        here.as_deref(),
    );
    let listing = listing.map_err(|error| match &args.condition {
        Some(condition) => Failure::new(Kind::Usage, format!("--where {condition}: {}", error.plain()))
            .hint(format!("{} index tables tells the columns of `sessions`", context.program())),
        None => Failure::from(error),
    })?;
    if context.global.json {
        context.out.json(&listing)?;
    } else {
        context.start_pager();
        show(context, &listing, args)?;
    }
    if listing.sessions.is_empty() { Err(Failure::quiet(Kind::NothingFound)) } else { Ok(()) }
}

fn filter(context: &Context, args: &LsArgs) -> Result<Filter, Failure> {
    let time = |text: &Option<String>| match text {
        Some(text) => date::decode(text, context.now(), &context.zone)
            .map(Some)
            .map_err(|message| Failure::new(Kind::Usage, message)),
        None => Ok(None),
    };
    let here = context.env.cwd.as_ref().map(|cwd| cwd.display().to_string());
    let project = args.project.clone().map(|part| if part == "." { here.unwrap_or(part) } else { part });
    Ok(Filter {
        project,
        since: time(&args.since)?,
        until: time(&args.until)?,
        words: args.words.clone(),
        branch: args.branch.clone(),
        model: args.model.clone(),
        tool: args.tool.clone(),
        file: args.file.clone(),
        client: args.client.clone(),
        tag: args.tag.clone(),
        marks: context.marks()?,
        condition: args.condition.clone(),
        all: args.all,
        limit: args.limit.filter(|limit| *limit > 0),
    })
}

fn show(context: &mut Context, listing: &Listing, args: &LsArgs) -> Result<(), Failure> {
    if listing.sessions.is_empty() {
        let flags = [
            &args.project,
            &args.since,
            &args.until,
            &args.branch,
            &args.model,
            &args.tool,
            &args.file,
            &args.client,
            &args.tag,
            &args.condition,
        ];
        let narrowed = !args.words.is_empty() || flags.into_iter().any(Option::is_some);
        let line = match (listing.hidden, narrowed || listing.matched > 0) {
            _ if listing.hidden_by_user > 0 => "You have hidden every session that fits.",
            (0, false) => "There are no sessions in this store.",
            (0, true) => "No session fits.",
            (_, false) => "Nobody spoke in any session of this store.",
            (_, true) => "Nobody spoke in any session that fits.",
        };
        context.out.line(Line::plain(line))?;
    } else {
        let grid = grid(context, &listing.sessions, args.all);
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
        remarks.push("no session has these very words: these are near them".to_owned());
    }
    let shown = listing.sessions.len() as u64;
    if shown < listing.matched {
        remarks.push(format!("{} of {}", fold::count(shown), fold::plural(listing.matched, "session")));
    }
    if listing.hidden > 0 {
        let files = fold::plural(listing.hidden, "file");
        remarks.push(format!("{files} in which nobody spoke: --all shows them"));
    }
    if listing.hidden_by_user > 0 {
        let sessions = fold::plural(listing.hidden_by_user, "session");
        remarks.push(format!("{sessions} hidden by you: --all shows them"));
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
        context.out.line(Line::new(remark, Style::Dim))?;
    }
    Ok(())
}

/// Agents, which `show` takes by the names that stand first here.
fn agents(context: &mut Context, agents: &[ListedAgent]) -> Result<(), Failure> {
    context.out.gap()?;
    context.out.line(Line::new("Agents, which the client never lists", Style::Heading))?;
    let columns = vec![
        Column::new("session/agent"),
        Column::new("what for").shrinks(2, 16),
        Column::new("project").shrinks(1, 10).max(40),
        Column::new("size").right(),
        Column::new("last"),
        Column::new(""),
    ];
    let mut grid = Grid::new(columns);
    for agent in agents {
        let session: String = agent.session_id.chars().take(8).collect();
        let title = agent.title.as_deref().map_or_else(
            || Line::new(agent.agent_type.as_deref().unwrap_or("untitled"), Style::Dim),
            |title| Line::plain(fold::one_line(title, 100)),
        );
        let project = agent.project.as_ref().map(|project| context.dir_end(project, 36)).unwrap_or_default();
        grid.row(vec![
            Line::new(format!("{session}/{}", agent.agent_id), Style::Agent),
            title,
            Line::new(project, Style::Path),
            Line::plain(fold::bytes(agent.bytes)),
            Line::new(date::minute(agent.last_time, &context.zone), Style::Time),
            Line::new(if agent.orphan { "its session is gone" } else { "" }, Style::Warning),
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
        columns.push(Column::new("hidden by the client because"));
    }
    let mut grid = Grid::new(columns);
    for view in sessions {
        grid.row(row(context, view, with_kind));
    }
    grid
}

fn row(context: &Context, view: &SessionView, with_kind: bool) -> Vec<Line> {
    let id: String = view.session_id.chars().take(8).collect();
    let title = match &view.title {
        Some(title) => Line::plain(fold::one_line(title, 100)),
        None if view.is_unreadable() => Line::new("may not be read", Style::Error),
        None => Line::new("untitled", Style::Dim),
    };
    let project = match &view.project {
        Some(project) => Line::new(context.dir_end(project, 36), Style::Path),
        None => Line::new(format!("[{}]", view.folder), Style::Dim),
    };
    let mut title = if view.problems > 0 {
        Line::new("! ", Style::Warning).with(title.text(), Style::Plain)
    } else {
        title
    };
    if view.pinned {
        title = Line::new("* ", Style::Strong).with(title.text(), Style::Plain);
    }
    for tag in &view.tags {
        title.push(format!(" #{tag}"), Style::Dim);
    }
    let mut cells = vec![
        Line::new(id, Style::Number),
        title,
        project,
        Line::plain(fold::count(view.turns)),
        Line::plain(fold::bytes(view.bytes)),
        Line::new(date::minute(view.last_time, &context.zone), Style::Time),
    ];
    if with_kind {
        cells.push(Line::new(view.kind, if view.is_conversation() { Style::Dim } else { Style::Warning }));
        let why: Vec<&str> = view.hidden_because.iter().map(|why| reason(why)).collect();
        cells.push(Line::new(why.join(", "), Style::Dim));
    }
    cells
}

/// Why the client's own list does not show a session, for people.
fn reason(why: &str) -> &str {
    match why {
        "sdk" => "-p or SDK",
        "hidden_by_user" => "hidden by you",
        "no_prompt" => "no prompt",
        "other_directory" => "other directory",
        "background" => "runs in the background",
        "unreadable" => "may not be read",
        "empty" | "stub" | "side_notes" | "ghost" => "nobody spoke",
        other => other,
    }
}
