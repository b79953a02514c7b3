//! `scrollback du`: disk usage.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use scrollback_app::request::du::DuRequest;
use scrollback_app::stock::du::{Amount, Du, DuBy};
use scrollback_format::id;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid, bar};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `du`.
#[derive(Debug, Args)]
pub struct DuArgs {
    /// Group by; can be repeated [default: area, project and session].
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = by_parser())]
    pub by: Vec<DuBy>,
    /// Maximum number of rows per group (0 = no limit).
    #[arg(long, short = 'n', value_name = "N", default_value_t = DuRequest::LIMIT)]
    pub limit: usize,
}

/// What can be added up by, with words for the help.
fn by_parser() -> impl TypedValueParser<Value = DuBy> {
    let values = DuBy::ALL.map(|by| PossibleValue::new(by.name()).help(by.about()));
    PossibleValuesParser::new(values).try_map(|name| DuBy::find(&name).ok_or("unknown"))
}

/// The width of a bar.
const BAR: usize = 20;

/// Shows disk usage.
pub fn run(context: &mut Context, args: &DuArgs) -> Result<(), Failure> {
    let by = if args.by.is_empty() { &DuBy::DEFAULT } else { args.by.as_slice() };
    let du = context.desk()?.answer(&DuRequest { by: by.to_vec(), limit: args.limit })?;
    if context.global.json {
        return Ok(context.out.document(&du)?);
    }
    context.start_pager();
    for (at, by) in by.iter().enumerate() {
        if at > 0 {
            context.out.gap()?;
        }
        match by {
            DuBy::Area => areas(context, &du)?,
            DuBy::Project => projects(context, &du)?,
            DuBy::Session => sessions(context, &du)?,
            DuBy::Kind => kinds(context, &du)?,
            DuBy::Tool => tools(context, &du)?,
            DuBy::Line => lines(context, &du)?,
            _ => {}
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
        context.out.line(StyledLine::new(text, Style::Warning))?;
    }
    Ok(())
}

/// A bar for a share of the largest.
fn share(bytes: u64, largest: u64) -> StyledLine {
    StyledLine::new(bar(bytes as f64 / largest.max(1) as f64, BAR), Style::Number)
}

fn print(context: &mut Context, grid: &Grid) -> Result<(), Failure> {
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn heading(context: &mut Context, title: &str, shown: usize, all: u64) -> Result<(), Failure> {
    let more = if all > shown as u64 { format!("  {shown} of {}", fold::count(all)) } else { String::new() };
    Ok(context.out.line(StyledLine::new(title, Style::Heading).with(more, Style::Dim))?)
}

fn amounts(amount: &Amount) -> [StyledLine; 3] {
    [
        StyledLine::plain(fold::count(amount.files)),
        StyledLine::plain(fold::bytes(amount.bytes)),
        StyledLine::new(fold::bytes(amount.disk_bytes), Style::Dim),
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
            remarks.push(format!("{} unknown", fold::count(area.unknown_files)));
        }
        let [files, size, disk] = amounts(&area.amount);
        let name = StyledLine::plain(area.area.name());
        grid.row(vec![
            name,
            files,
            size,
            disk,
            share(area.amount.bytes, largest),
            StyledLine::new(remarks.join(", "), Style::Dim),
        ]);
    }
    let [files, size, disk] = amounts(&du.total);
    grid.row(vec![StyledLine::new("total", Style::Strong), files, size, disk]);
    print(context, &grid)
}

fn projects(context: &mut Context, du: &Du) -> Result<(), Failure> {
    heading(context, "Projects", du.projects.len(), du.project_count)?;
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
            Some(directory) => StyledLine::new(context.short_dir(directory), Style::Path),
            None => StyledLine::new(format!("[{}]", project.folder), Style::Dim),
        };
        let [files, size, disk] = amounts(&project.amount);
        let sessions = StyledLine::plain(fold::count(project.sessions));
        grid.row(vec![name, sessions, files, size, disk, share(project.amount.bytes, largest)]);
    }
    print(context, &grid)
}

fn sessions(context: &mut Context, du: &Du) -> Result<(), Failure> {
    heading(context, "Sessions with everything that belongs to them", du.sessions.len(), du.session_count)?;
    let [files, size, disk] = amount_columns();
    let title = Column::new("title").shrinks(1, 16);
    let mut grid = Grid::new(vec![Column::new("session"), title, files, size, disk, Column::new("")]);
    let largest = du.sessions.first().map_or(0, |session| session.amount.bytes);
    for session in &du.sessions {
        let [files, size, disk] = amounts(&session.amount);
        let title = match (&session.title, &session.folder) {
            (Some(title), _) => StyledLine::plain(fold::one_line(title, 60)),
            (None, None) if du.unread > 0 => {
                StyledLine::new("session file not found; some folders are unreadable", Style::Warning)
            }
            (None, None) => StyledLine::new("session file is gone", Style::Warning),
            (None, Some(folder)) => StyledLine::new(format!("[{folder}]"), Style::Dim),
        };
        let id = id::short(&session.session_id);
        grid.row(vec![
            StyledLine::new(id, Style::Number),
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
        let name = if kind.kind == "-" { "line endings and damaged lines" } else { kind.kind.as_str() };
        grid.row(vec![
            StyledLine::plain(name),
            StyledLine::plain(fold::count(kind.entries)),
            StyledLine::plain(fold::bytes(kind.bytes)),
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
            StyledLine::new(tool.tool.as_str(), Style::Tool),
            StyledLine::plain(fold::count(tool.calls)),
            StyledLine::plain(fold::bytes(tool.bytes)),
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
            StyledLine::plain(fold::bytes(line.bytes)),
            StyledLine::plain(line.kind.as_str()),
            StyledLine::new(line.tool.clone().unwrap_or_default(), Style::Tool),
            StyledLine::new(format!("{}:{}", context.short_path(&line.path), line.line), Style::Path),
        ]);
    }
    print(context, &grid)
}
