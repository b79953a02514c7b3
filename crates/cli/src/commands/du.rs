//! `scrollback du`: where the bytes are.

use clap::{Args, ValueEnum};
use scrollback_app::error::AppError;
use scrollback_app::library::Library;
use scrollback_app::stock::du::{self, Amount, Du};
use scrollback_app::stock::inside;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid, bar};
use crate::paint::{Line, Style, fold};

/// What to add up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// The parts of the store.
    Area,
    /// Directories, over all areas.
    Project,
    /// Sessions with all that belongs to them.
    Session,
    /// Kinds of entries in transcripts.
    Kind,
    /// Tools, by the lines of their calls and results.
    Tool,
    /// The longest single lines.
    Line,
}

/// Arguments of `du`.
#[derive(Debug, Args)]
pub struct DuArgs {
    /// What to add up by; may be given several times. Without it: area, project and session.
    #[arg(long, value_delimiter = ',')]
    pub by: Vec<By>,
    /// At most so many of each; 0 is all.
    #[arg(long, short = 'n', default_value_t = 10)]
    pub limit: usize,
}

/// The width of a bar.
const BAR: usize = 20;

/// Adds up.
pub fn run(context: &mut Context, args: &DuArgs) -> Result<(), Failure> {
    let by = if args.by.is_empty() { &[By::Area, By::Project, By::Session] } else { args.by.as_slice() };
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    let (stock, mut index) = context.stock()?;
    let mut du = du::du(&stock);
    if by.iter().any(|by| matches!(by, By::Kind | By::Tool | By::Line)) {
        // What is inside of files the catalogue knows, and it has to know all of them.
        let fresh = context.index(&Library::open(stock.roots.clone())?)?;
        let inside = inside::inside(&fresh, limit.min(1000)).map_err(AppError::from)?;
        (du.kinds, du.tools, du.lines) = (inside.kinds, inside.tools, inside.lines);
        index = Some(fresh);
    }
    let (projects, sessions) = (du.projects.len(), du.sessions.len());
    du.limit(limit);
    if let Some(index) = &index {
        du.name(&stock, index);
    }
    if context.global.json {
        return Ok(context.out.json(&du)?);
    }
    context.start_pager();
    for (at, by) in by.iter().enumerate() {
        if at > 0 {
            context.out.gap()?;
        }
        match by {
            By::Area => areas(context, &du)?,
            By::Project => self::projects(context, &du, projects)?,
            By::Session => self::sessions(context, &du, sessions)?,
            By::Kind => kinds(context, &du)?,
            By::Tool => tools(context, &du)?,
            By::Line => lines(context, &du)?,
        }
    }
    if du.unread > 0 {
        context.out.gap()?;
        let text = match du.unread {
            1 => "1 folder or file could not be read and is not counted.".to_owned(),
            unread => {
                format!("{} folders or files could not be read and are not counted.", fold::count(unread))
            }
        };
        context.out.line(Line::new(text, Style::Warning))?;
    }
    Ok(())
}

/// A bar for a share of the largest.
fn share(bytes: u64, largest: u64) -> Line {
    Line::new(bar(bytes as f64 / largest.max(1) as f64, BAR), Style::Number)
}

fn print(context: &mut Context, grid: &Grid) -> Result<(), Failure> {
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn heading(context: &mut Context, title: &str, shown: usize, all: usize) -> Result<(), Failure> {
    let more = if all > shown { format!("  {shown} of {}", fold::count(all as u64)) } else { String::new() };
    Ok(context.out.line(Line::new(title, Style::Heading).with(more, Style::Dim))?)
}

fn amounts(amount: &Amount) -> [Line; 3] {
    [
        Line::plain(fold::count(amount.files)),
        Line::plain(fold::bytes(amount.bytes)),
        Line::new(fold::bytes(amount.disk_bytes), Style::Dim),
    ]
}

fn amount_columns() -> [Column; 3] {
    ["files", "size", "on disk"].map(|title| Column::new(title).right())
}

fn areas(context: &mut Context, du: &Du) -> Result<(), Failure> {
    let [files, size, disk] = amount_columns();
    let mut grid = Grid::new(vec![Column::new("area"), files, size, disk, Column::new(""), Column::new("")]);
    let largest = du.areas.iter().map(|area| area.amount.bytes).max().unwrap_or(0);
    for area in &du.areas {
        let mut remarks = Vec::new();
        if area.secret_files > 0 {
            remarks.push(format!("{} never opened", fold::count(area.secret_files)));
        }
        if area.unknown_files > 0 {
            remarks.push(format!("{} of unknown names", fold::count(area.unknown_files)));
        }
        let [files, size, disk] = amounts(&area.amount);
        let name = Line::plain(area.area);
        grid.row(vec![
            name,
            files,
            size,
            disk,
            share(area.amount.bytes, largest),
            Line::new(remarks.join(", "), Style::Dim),
        ]);
    }
    let [files, size, disk] = amounts(&du.total);
    grid.row(vec![Line::new("all", Style::Strong), files, size, disk]);
    print(context, &grid)
}

fn projects(context: &mut Context, du: &Du, all: usize) -> Result<(), Failure> {
    heading(context, "Projects", du.projects.len(), all)?;
    let [files, size, disk] = amount_columns();
    let sessions = Column::new("sessions").right();
    let mut grid = Grid::new(vec![
        Column::new("project").shrinks(1, 20).keeps_end(),
        sessions,
        files,
        size,
        disk,
        Column::new(""),
    ]);
    let largest = du.projects.first().map_or(0, |project| project.amount.bytes);
    for project in &du.projects {
        let name = match &project.project {
            Some(directory) => Line::new(context.short_dir(directory), Style::Path),
            None => Line::new(format!("[{}]", project.folder), Style::Dim),
        };
        let [files, size, disk] = amounts(&project.amount);
        let sessions = Line::plain(fold::count(project.sessions));
        grid.row(vec![name, sessions, files, size, disk, share(project.amount.bytes, largest)]);
    }
    print(context, &grid)
}

fn sessions(context: &mut Context, du: &Du, all: usize) -> Result<(), Failure> {
    heading(context, "Sessions with all that belongs to them", du.sessions.len(), all)?;
    let [files, size, disk] = amount_columns();
    let title = Column::new("title").shrinks(1, 16);
    let mut grid = Grid::new(vec![Column::new("session"), title, files, size, disk, Column::new("")]);
    let largest = du.sessions.first().map_or(0, |session| session.amount.bytes);
    for session in &du.sessions {
        let [files, size, disk] = amounts(&session.amount);
        let title = match (&session.title, &session.folder) {
            (Some(title), _) => Line::plain(fold::one_line(title, 60)),
            (None, None) if du.unread > 0 => {
                Line::new("its own file is not where we can read", Style::Warning)
            }
            (None, None) => Line::new("its own file is gone", Style::Warning),
            (None, Some(folder)) => Line::new(format!("[{folder}]"), Style::Dim),
        };
        let id: String = session.session_id.chars().take(8).collect();
        grid.row(vec![
            Line::new(id, Style::Number),
            title,
            files,
            size,
            disk,
            share(session.amount.bytes, largest),
        ]);
    }
    print(context, &grid)
}

fn kinds(context: &mut Context, du: &Du) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("kind of entry"),
        Column::new("entries").right(),
        Column::new("size").right(),
        Column::new(""),
    ]);
    let largest = du.kinds.first().map_or(0, |kind| kind.bytes);
    for kind in &du.kinds {
        let name = if kind.kind == "-" { "ends of lines, and what is no entry" } else { kind.kind.as_str() };
        grid.row(vec![
            Line::plain(name),
            Line::plain(fold::count(kind.entries)),
            Line::plain(fold::bytes(kind.bytes)),
            share(kind.bytes, largest),
        ]);
    }
    print(context, &grid)
}

fn tools(context: &mut Context, du: &Du) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("tool"),
        Column::new("calls").right(),
        Column::new("size").right(),
        Column::new(""),
    ]);
    let largest = du.tools.first().map_or(0, |tool| tool.bytes);
    for tool in &du.tools {
        grid.row(vec![
            Line::new(tool.tool.as_str(), Style::Tool),
            Line::plain(fold::count(tool.calls)),
            Line::plain(fold::bytes(tool.bytes)),
            share(tool.bytes, largest),
        ]);
    }
    print(context, &grid)
}

fn lines(context: &mut Context, du: &Du) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("size").right(),
        Column::new("kind of entry"),
        Column::new("tool"),
        Column::new("line").shrinks(1, 30).keeps_end(),
    ]);
    for line in &du.lines {
        grid.row(vec![
            Line::plain(fold::bytes(line.bytes)),
            Line::plain(line.kind.as_str()),
            Line::new(line.tool.clone().unwrap_or_default(), Style::Tool),
            Line::new(format!("{}:{}", context.short_path(&line.path), line.line), Style::Path),
        ]);
    }
    print(context, &grid)
}
