//! `scrollback verify`: every file, to the last byte.

use std::path::{Path, PathBuf};

use clap::Args;
use scrollback_app::request::verify::VerifyRequest;
use scrollback_app::verify::{PlaceView, UnknownView, VerifyReport};

use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Files or directories to verify [default: the whole store].
    pub paths: Vec<PathBuf>,
}

/// How many places of each class are shown.
const PLACES: usize = 5;

/// Verifies files.
pub fn run(context: &mut Context, args: &VerifyArgs) -> Result<(), Failure> {
    let verdict = context.desk()?.answer(&VerifyRequest { paths: args.paths.clone() })?;
    if context.global.json {
        context.out.document(&verdict)?;
    } else {
        show(context, &verdict)?;
    }
    if verdict.is_clean() { Ok(()) } else { Err(Failure::quiet(ExitKind::Problems)) }
}

fn show(context: &mut Context, verdict: &VerifyReport) -> Result<(), Failure> {
    let head = [
        fold::plural(verdict.files, "file"),
        fold::plural(verdict.lines, "line"),
        fold::plural(verdict.entries, "entry"),
        fold::bytes(verdict.bytes),
    ];
    context.out.line(StyledLine::new(head.join(" · "), Style::Strong))?;
    if verdict.files == 0 {
        context.out.line(StyledLine::new("nothing to verify", Style::Dim))?;
    } else if verdict.mismatches.is_empty() {
        context.out.line(
            StyledLine::new("✓ ", Style::Success).with("every line is rebuilt byte for byte", Style::Plain),
        )?;
    } else {
        let files = fold::plural(verdict.mismatches.len() as u64, "place");
        context.out.line(StyledLine::new(format!("✗ {files} not rebuilt byte for byte"), Style::Error))?;
        places(context, &verdict.mismatches)?;
    }
    kinds(context, verdict)?;
    unknown(context, "kind", &verdict.unknown_kinds)?;
    unknown(context, "field", &verdict.unknown_fields)?;
    odd_paths(context, verdict)?;
    problems(context, verdict)
}

fn odd_paths(context: &mut Context, verdict: &VerifyReport) -> Result<(), Failure> {
    if verdict.odd_paths.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    let line = StyledLine::new(fold::plural(verdict.odd_paths.len() as u64, "odd path"), Style::Heading);
    context.out.line(line.with(" (not a problem)", Style::Dim))?;
    for odd in &verdict.odd_paths {
        let path = context.short_path(&odd.path);
        context.out.line(
            StyledLine::plain("  ").with(path, Style::Path).with(format!("  {}", odd.what), Style::Dim),
        )?;
    }
    Ok(())
}

fn kinds(context: &mut Context, verdict: &VerifyReport) -> Result<(), Failure> {
    if verdict.entries_by_kind.is_empty() {
        return Ok(());
    }
    let mut grid = Grid::new(vec![Column::new("kind"), Column::new("entries").right()]);
    for (kind, count) in &verdict.entries_by_kind {
        grid.row(vec![StyledLine::plain(kind.as_str()), StyledLine::plain(fold::count(*count))]);
    }
    context.out.gap()?;
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn unknown(context: &mut Context, what: &str, list: &[UnknownView]) -> Result<(), Failure> {
    if list.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    let line = StyledLine::new(fold::plural(list.len() as u64, what), Style::Heading);
    let line = line.with(" not in FORMAT.md", Style::Heading);
    context.out.line(line.with(" (not a problem)", Style::Dim))?;
    for unknown in list {
        let place = place(context, &unknown.first);
        let line = StyledLine::plain("  ").with(unknown.name.as_str(), Style::Strong);
        let line = line.with(format!("  {}×", fold::count(unknown.count)), Style::Number);
        context.out.line(line.with(format!("  first {place}"), Style::Dim))?;
    }
    Ok(())
}

fn problems(context: &mut Context, verdict: &VerifyReport) -> Result<(), Failure> {
    context.out.gap()?;
    if verdict.problems.is_empty() {
        let line = StyledLine::new("✓ ", Style::Success).with("no problems", Style::Plain);
        return Ok(context.out.line(line)?);
    }
    for (at, problem) in verdict.problems.iter().enumerate() {
        if at > 0 {
            context.out.gap()?;
        }
        let line = StyledLine::new("! ", Style::Warning).with(problem.meaning.as_str(), Style::Strong);
        let count = format!("  {}×  {}", fold::count(problem.count), problem.class.name());
        context.out.line(line.with(count, Style::Dim))?;
        places(context, &problem.places)?;
    }
    Ok(())
}

fn places(context: &mut Context, places: &[PlaceView]) -> Result<(), Failure> {
    let limit = if context.global.verbose { usize::MAX } else { PLACES };
    for found in places.iter().take(limit) {
        let mut line = StyledLine::plain("  ").with(place(context, found), Style::Path);
        if let Some(detail) = &found.detail {
            line.push(format!("  {detail}"), Style::Plain);
        }
        context.out.line(line)?;
    }
    let more = places.len().saturating_sub(limit);
    if more > 0 {
        context.out.line(StyledLine::new(format!("  and {more} more (-v shows all)"), Style::Dim))?;
    }
    Ok(())
}

/// A place in a form that editors open: `path:line`, and the byte.
fn place(context: &Context, found: &PlaceView) -> String {
    let path = context.short_path(Path::new(&found.path));
    match found.line {
        0 => path,
        line => format!("{path}:{line} (byte {})", found.offset),
    }
}
