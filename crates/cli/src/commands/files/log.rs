//! `scrollback files log`: every version of a file, over all sessions.

use clap::Args;
use scrollback_app::files::history::FileLog;
use scrollback_app::request::files::FilesLogRequest;

use super::told;
use super::which::WhichArgs;
use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};
use crate::shell;

/// Arguments of `files log`.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// File path, or an unambiguous end of one.
    pub path: String,
    /// How it is looked up.
    #[command(flatten)]
    pub which: WhichArgs,
    /// Maximum number of versions (0 = no limit).
    #[arg(long, short = 'n', value_name = "N")]
    pub limit: Option<usize>,
}

/// Lists the versions of a file.
pub fn run(context: &mut Context, args: &LogArgs) -> Result<(), Failure> {
    let request = FilesLogRequest {
        path: args.path.clone(),
        which: args.which.request(),
        limit: args.limit.unwrap_or(0),
    };
    let log = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&log)?);
    }
    context.start_pager();
    head(context, &log)?;
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
            StyledLine::new(format!("v{}", version.version), Style::Strong),
            StyledLine::new(date::minute(version.time, &context.zone), Style::Time),
            first.map(told::who).unwrap_or_default(),
            StyledLine::plain(first.map(told::turn).unwrap_or_default()),
            told::certainty(version),
            told::size(version),
            known,
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    tail(context, &log, &args.which)
}

fn head(context: &mut Context, log: &FileLog) -> Result<(), Failure> {
    let mut line = StyledLine::new(context.short_dir(&log.path), Style::Path);
    let (versions, sessions) = (fold::plural(log.total, "version"), fold::plural(log.sessions, "session"));
    line.push(format!("  {versions}, {sessions}"), Style::Plain);
    context.out.line(line)?;
    for recorded in &log.recorded {
        context
            .out
            .line(StyledLine::new(format!("  recorded as {}", context.short_dir(recorded)), Style::Dim))?;
    }
    Ok(context.out.gap()?)
}

fn tail(context: &mut Context, log: &FileLog, which: &WhichArgs) -> Result<(), Failure> {
    let more = log.total.saturating_sub(log.versions.len() as u64);
    if more > 0 {
        context
            .out
            .line(StyledLine::new(format!("… and {}", fold::plural(more, "older version")), Style::Dim))?;
    }
    context.out.gap()?;
    for version in &log.versions {
        for problem in &version.problems {
            context.out.line(StyledLine::new(format!("v{}: {problem}", version.version), Style::Warning))?;
        }
    }
    for problem in &log.problems {
        context.out.line(StyledLine::new(problem, Style::Warning))?;
    }
    if log.versions.is_empty() {
        let text = "Sessions name this file, but none recorded its content.";
        return Ok(context.out.line(StyledLine::new(text, Style::Dim))?);
    }
    let hint =
        format!("{} files show {}{} --at AT", context.program(), shell::word(&log.path), which.words());
    Ok(context.out.line(StyledLine::new(hint, Style::Dim))?)
}
