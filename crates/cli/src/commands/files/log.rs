//! `scrollback files log`: every version of a file, over all sessions.

use clap::Args;
use scrollback_app::files::history::FileLog;

use super::told;
use super::which::WhichArgs;
use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};
use crate::shell;

/// Arguments of `files log`.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// The file: a path, or the end of one if no other file ends so.
    pub path: String,
    /// How it is looked for.
    #[command(flatten)]
    pub which: WhichArgs,
    /// At most so many versions; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub limit: usize,
}

/// Lists the versions of a file.
pub fn run(context: &mut Context, args: &LogArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let index = context.index(&library)?;
    let history = args.which.find(context, &index, &args.path)?;
    let mut log = history.log(&index);
    let total = log.versions.len();
    if args.limit > 0 {
        log.versions.truncate(args.limit);
    }
    if context.global.json {
        return Ok(context.out.json(&log)?);
    }
    context.start_pager();
    head(context, &log, total)?;
    let mut grid = Grid::new(vec![
        Column::new("").right(),
        Column::new("when"),
        Column::new("session"),
        Column::new("turn"),
        Column::new("certainty"),
        Column::new("size").right(),
        Column::new("known by").shrinks(1, 12),
    ]);
    for version in &log.versions {
        let first = version.evidence.first();
        let mut known = told::evidence(version);
        let more = first.map_or(0, |first| first.also_in.len());
        if more > 0 {
            known.push(format!("  also in {}", fold::plural(more as u64, "session")), Style::Dim);
        }
        grid.row(vec![
            Line::new(format!("v{}", version.version), Style::Strong),
            Line::new(date::minute(version.time, &context.zone), Style::Time),
            first.map(told::who).unwrap_or_default(),
            Line::plain(first.map(told::turn).unwrap_or_default()),
            told::certainty(version),
            told::size(version),
            known,
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    tail(context, &log, total)
}

fn head(context: &mut Context, log: &FileLog, total: usize) -> Result<(), Failure> {
    let mut line = Line::new(context.short_dir(&log.path), Style::Path);
    let (versions, sessions) = (fold::plural(total as u64, "version"), fold::plural(log.sessions, "session"));
    line.push(format!("  {versions}, {sessions}"), Style::Plain);
    context.out.line(line)?;
    for recorded in &log.recorded {
        context.out.line(Line::new(format!("  recorded as {}", context.short_dir(recorded)), Style::Dim))?;
    }
    Ok(context.out.gap()?)
}

fn tail(context: &mut Context, log: &FileLog, total: usize) -> Result<(), Failure> {
    let more = total - log.versions.len();
    if more > 0 {
        context
            .out
            .line(Line::new(format!("… and {}", fold::plural(more as u64, "older version")), Style::Dim))?;
    }
    context.out.gap()?;
    for version in &log.versions {
        for problem in &version.problems {
            context.out.line(Line::new(format!("v{}: {problem}", version.version), Style::Warning))?;
        }
    }
    for problem in &log.problems {
        context.out.line(Line::new(problem, Style::Warning))?;
    }
    if log.versions.is_empty() {
        let text = "Sessions name it, but none tells what it held.";
        return Ok(context.out.line(Line::new(text, Style::Dim))?);
    }
    let hint = format!("{} files show {} --at AT", context.program(), shell::word(&log.path));
    Ok(context.out.line(Line::new(hint, Style::Dim))?)
}
