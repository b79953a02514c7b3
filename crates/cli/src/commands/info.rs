//! `scrollback info`: everything about one session.

use clap::Args;
use scrollback_app::info::Info;
use scrollback_app::lineage::OriginView;
use scrollback_app::request::info::InfoRequest;
use scrollback_app::view::CountView;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold, wrap};

/// Arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Session ID or prefix, title, path, or `last`.
    #[arg(default_value = "last")]
    pub session: String,
}

/// How many files and commands are shown.
const SHOWN: usize = 12;

/// Shows everything about a session.
pub fn run(context: &mut Context, args: &InfoArgs) -> Result<(), Failure> {
    let info = context.desk()?.answer(&InfoRequest { session: args.session.clone() })?;
    if context.global.json {
        return Ok(context.out.document(&info)?);
    }
    context.start_pager();
    head(context, &info)?;
    facts(context, &info)?;
    tools(context, &info)?;
    touched(context, &info)?;
    commands(context, &info)?;
    agents(context, &info)?;
    lineage(context, &info)?;
    problems(context, &info)?;
    belongings(context, &info)?;
    missing(context, &info)?;
    others(context, &info)
}

fn head(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let session = &info.session;
    let title = session.title.as_deref().unwrap_or("untitled");
    let lines = wrap::words(&StyledLine::new(title, Style::Title), context.page(), &wrap::Indent::none());
    context.out.lines(&lines)?;
    let line = StyledLine::new(session.session_id.as_str(), Style::Number);
    let source = session.title_source.map(|source| format!("  title: {}", source.name())).unwrap_or_default();
    context.out.line(line.with(source, Style::Dim))?;
    Ok(context.out.gap()?)
}

fn facts(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let s = &info.session;
    let dir = |path: &Option<String>| path.as_deref().map(|path| context.short_dir(path)).unwrap_or_default();
    let project = if s.project.is_some() { dir(&s.project) } else { format!("[{}]", s.folder) };
    let elsewhere = s.repository.clone().filter(|repository| Some(repository) != s.project.as_ref());
    let repository = dir(&elsewhere);
    let requests: Vec<_> = info.pull_requests.iter().map(|pr| format!("#{} {}", pr.number, pr.url)).collect();
    let rows = [
        ("project", project),
        ("stored under", dir(&s.home)),
        ("repository", repository),
        ("directories", if info.cwds.len() > 1 { joined(&info.cwds) } else { String::new() }),
        ("kind", s.kind.name().replace('_', " ")),
        ("time", span(context, info)),
        ("turns", turns(info)),
        ("entries", entries(info)),
        ("tokens", tokens(info)),
        ("models", joined(&s.models)),
        ("versions", joined(&s.versions)),
        ("git branches", joined(&s.git_branches)),
        ("started by", joined(&s.entrypoints)),
        ("pull requests", requests.join("  ")),
        ("plans", info.slugs.join(", ")),
        ("file", format!("{} ({})", context.short_path(&s.path), fold::bytes(s.bytes))),
    ];
    let mut grid = Grid::new(vec![Column::new(""), Column::new("").shrinks(1, 30)]).headless();
    for (name, value) in rows.into_iter().filter(|(_, value)| !value.is_empty()) {
        grid.row(vec![StyledLine::new(name, Style::Dim), StyledLine::plain(value)]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn span(context: &Context, info: &Info) -> String {
    let s = &info.session;
    if s.first_time.is_none() {
        return "unknown".to_owned();
    }
    let (first, last) = (date::minute(s.first_time, &context.zone), date::minute(s.last_time, &context.zone));
    format!("{first} to {last} · {} active", fold::duration(s.active_ms))
}

fn turns(info: &Info) -> String {
    let s = &info.session;
    let live = [(s.turns, "turn"), (s.prompts, "prompt")].map(|(count, noun)| fold::plural(count, noun));
    let all =
        [(s.messages, "message"), (s.tool_calls, "tool call")].map(|(count, noun)| fold::plural(count, noun));
    let whole = if s.branches > 0 { " including branches" } else { "" };
    format!("{} · {}{whole}", live.join(" · "), all.join(" · "))
}

fn tokens(info: &Info) -> String {
    let tokens = &info.session.tokens;
    let out = if tokens.output_is_lower_bound { "out at least" } else { "out" };
    let counts = [
        (tokens.input, "in"),
        (tokens.output, out),
        (tokens.cache_read, "cache read"),
        (tokens.cache_write, "cache write"),
    ];
    counts.map(|(count, what)| format!("{} {what}", fold::count(count))).join(" · ")
}

fn entries(info: &Info) -> String {
    let s = &info.session;
    let mut text = format!("{} entries on {} lines", fold::count(s.entries), fold::count(s.lines));
    for (count, what) in [
        (s.unreachable_entries, "off the live thread"),
        (s.branches, if s.branches == 1 { "branch" } else { "branches" }),
        (s.compactions, if s.compactions == 1 { "compaction" } else { "compactions" }),
        (info.replaced_entries, "replaced"),
        (info.dangling_entries, "with a missing parent"),
    ] {
        if count > 0 {
            text.push_str(&format!(" · {} {what}", fold::count(count)));
        }
    }
    text
}

fn joined(counts: &[CountView]) -> String {
    let texts: Vec<_> =
        counts.iter().map(|view| format!("{} ({})", view.name, fold::count(view.count))).collect();
    texts.join(", ")
}

fn section(context: &mut Context, title: &str, grid: &Grid, more: usize) -> Result<(), Failure> {
    if grid.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    context.out.line(StyledLine::new(title, Style::Heading))?;
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    if more > 0 {
        context.out.line(StyledLine::new(
            format!("and {} more (--json lists all)", fold::count(more as u64)),
            Style::Dim,
        ))?;
    }
    Ok(())
}

fn tools(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![Column::new("tool"), Column::new("calls").right(), Column::new("")]);
    for tool in &info.session.tools {
        let mut remarks = Vec::new();
        if tool.errors > 0 {
            remarks.push(fold::plural(tool.errors, "error"));
        }
        if tool.unanswered > 0 {
            remarks.push(format!("{} unanswered", fold::count(tool.unanswered)));
        }
        grid.row(vec![
            StyledLine::new(tool.tool.as_str(), Style::Tool),
            StyledLine::plain(fold::count(tool.calls)),
            StyledLine::new(remarks.join(", "), Style::Error),
        ]);
    }
    section(context, "Tools", &grid, 0)
}

fn touched(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("file").shrinks(1, 20).keeps_end(),
        Column::new("writes").right(),
        Column::new("reads").right(),
    ]);
    for file in info.file_list.iter().take(SHOWN) {
        grid.row(vec![
            StyledLine::new(context.short_dir(&file.path), Style::Path),
            StyledLine::plain(fold::count(file.writes)),
            StyledLine::plain(fold::count(file.reads)),
        ]);
    }
    section(context, "Files", &grid, info.file_list.len().saturating_sub(SHOWN))
}

fn commands(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![Column::new("").right(), Column::new("").shrinks(1, 30)]).headless();
    for command in info.commands.iter().take(SHOWN) {
        let width = context.page().width;
        grid.row(vec![
            StyledLine::new(format!("{}×", fold::count(command.count)), Style::Dim),
            StyledLine::new(fold::one_line(&command.name, width), Style::Code),
        ]);
    }
    section(context, "Commands", &grid, info.commands.len().saturating_sub(SHOWN))
}

fn agents(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("agent"),
        Column::new("type"),
        Column::new("task").shrinks(1, 16),
        Column::new("calls").right(),
        Column::new("tokens out").right(),
        Column::new("linked by"),
    ]);
    for agent in &info.agent_list {
        let work = agent.description.as_deref().or(agent.prompt.as_deref()).unwrap_or_default();
        grid.row(vec![
            StyledLine::new(agent.agent_id.as_str(), Style::Agent),
            StyledLine::plain(
                agent.agent_type.clone().unwrap_or_else(|| agent.purpose.name().replace('_', " ")),
            ),
            StyledLine::plain(fold::one_line(work, 60)),
            StyledLine::plain(fold::count(agent.tool_calls)),
            StyledLine::plain(format!(
                "{}{}",
                if agent.tokens.output_is_lower_bound { "≥ " } else { "" },
                fold::count(agent.tokens.output)
            )),
            StyledLine::new(agent.evidence.name().replace('_', " "), Style::Dim),
        ]);
    }
    section(context, "Agents", &grid, 0)
}

fn lineage(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![Column::new(""), Column::new(""), Column::new("")]).headless();
    let mut add = |direction: &str, origin: &OriginView| {
        let how = format!("{}, by {}", origin.descent.name(), origin.evidence.name().replace('_', " "));
        let shared = if origin.shared_entries > 0 {
            format!(" · {} shared", fold::plural(origin.shared_entries, "entry"))
        } else {
            String::new()
        };
        let gone = if origin.path.is_none() { " · not in this store" } else { "" };
        grid.row(vec![
            StyledLine::new(direction, Style::Dim),
            StyledLine::new(origin.session_id.as_deref().unwrap_or("?"), Style::Number),
            StyledLine::plain(format!("{how}{shared}{gone}")),
        ]);
    };
    info.lineage.origins.iter().for_each(|origin| add("parent", origin));
    info.lineage.descendants.iter().for_each(|origin| add("child", origin));
    section(context, "Lineage", &grid, 0)
}

fn problems(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![Column::new(""), Column::new("").right(), Column::new("")]).headless();
    for problem in &info.problem_list {
        let lines: Vec<_> = problem.places.iter().map(|place| place.line.to_string()).collect();
        grid.row(vec![
            StyledLine::new(problem.meaning.as_str(), Style::Warning),
            StyledLine::plain(format!("{}×", fold::count(problem.count))),
            StyledLine::new(format!("line {}", lines.join(", ")), Style::Dim),
        ]);
    }
    section(context, "Problems", &grid, 0)
}

fn belongings(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("area"),
        Column::new("path").shrinks(1, 20).keeps_end(),
        Column::new("files").right(),
        Column::new("size").right(),
    ]);
    for found in &info.belongings {
        grid.row(vec![
            StyledLine::plain(found.area.name()),
            StyledLine::new(context.short_path(&found.path), Style::Path),
            match found.lines {
                Some(lines) => StyledLine::plain(fold::plural(lines, "line")),
                None => StyledLine::plain(fold::count(found.files)),
            },
            StyledLine::plain(fold::bytes(found.bytes)),
        ]);
    }
    section(context, "In the store", &grid, 0)
}

fn missing(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("what"),
        Column::new("expected at").shrinks(1, 20),
        Column::new("line").right(),
    ]);
    for gone in info.missing.iter().take(SHOWN) {
        grid.row(vec![
            StyledLine::new(gone.what.noun(), Style::Warning),
            StyledLine::new(context.short_path(&gone.path), Style::Path),
            StyledLine::plain(fold::count(gone.line)),
        ]);
    }
    section(context, "Missing", &grid, info.missing.len().saturating_sub(SHOWN))
}

/// Says how old the index is, which knows the other sessions, where they were not read.
fn others(context: &mut Context, info: &Info) -> Result<(), Failure> {
    let Some(then) = info.others_as_of else { return Ok(()) };
    context.out.gap()?;
    let then = date::minute(Some(then), &context.zone);
    Ok(context.out.line(StyledLine::new(format!("Index last updated {then}."), Style::Dim))?)
}
