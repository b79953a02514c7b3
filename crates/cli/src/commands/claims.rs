//! `scrollback claims`: statements about the store, checked against this one.

use clap::Args;
use scrollback_app::claims::{self, ClaimView, Claims};

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold, wrap};

/// Arguments of `claims`.
#[derive(Debug, Args)]
pub struct ClaimsArgs {
    /// Only this claim, with its counts by version and places where it does not hold.
    pub claim: Option<String>,
    /// Only claims that do not hold everywhere.
    #[arg(long)]
    pub broken: bool,
}

/// Checks every claim.
pub fn run(context: &mut Context, args: &ClaimsArgs) -> Result<(), Failure> {
    if let Some(wanted) = &args.claim {
        known(wanted)?;
    }
    let library = context.library()?;
    let bytes = library.folders.iter().flat_map(|(_, folder)| &folder.files).filter_map(|found| found.look);
    let progress = context.progress(bytes.map(|look| look.size).sum());
    let mut found = claims::claims(&library, &|bytes| progress.add(bytes));
    drop(progress);
    if let Some(wanted) = &args.claim {
        found.claims.retain(|view| view.claim == wanted);
    }
    if args.broken {
        found.claims.retain(|view| view.holds < view.of);
    }
    if context.global.json {
        return Ok(context.out.json(&found)?);
    }
    context.start_pager();
    match (&args.claim, found.claims.as_slice()) {
        (Some(_), [view]) => one(context, view),
        _ => all(context, &found),
    }
}

/// Is there such a claim?
fn known(wanted: &str) -> Result<(), Failure> {
    if claims::CLAIMS.iter().any(|claim| claim.id == wanted) {
        return Ok(());
    }
    let near = claims::CLAIMS
        .iter()
        .max_by(|a, b| strsim::jaro(a.id, wanted).total_cmp(&strsim::jaro(b.id, wanted)))
        .map(|claim| claim.id)
        .unwrap_or_default();
    Err(Failure::new(Kind::Usage, format!("there is no claim '{wanted}'"))
        .hint(format!("did you mean {near}?")))
}

fn all(context: &mut Context, found: &Claims) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("claim"),
        Column::new("holds").right(),
        Column::new("of").right(),
        Column::new(""),
        Column::new("what is claimed").shrinks(1, 30),
    ]);
    for view in &found.claims {
        let (mark, style) = verdict(view);
        grid.row(vec![
            Line::new(view.claim, Style::Code),
            Line::plain(fold::count(view.holds)),
            Line::plain(fold::count(view.of)),
            Line::new(mark, style),
            Line::plain(view.says),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    context.out.gap()?;
    let broken = found.claims.iter().filter(|view| view.holds < view.of).count() as u64;
    let text = format!(
        "{} checked over {}; {} do not hold everywhere. `{} claims NAME` tells where; FORMAT.md tells what is so.",
        fold::plural(found.claims.len() as u64, "claim"),
        fold::plural(found.files, "file"),
        fold::count(broken),
        context.program(),
    );
    let lines = wrap::words(&Line::new(text, Style::Dim), context.page(), &wrap::Indent::none());
    Ok(context.out.lines(&lines)?)
}

/// How a claim stands, in a word.
fn verdict(view: &ClaimView) -> (&'static str, Style) {
    match view {
        ClaimView { of: 0, .. } => ("not asked", Style::Dim),
        view if view.holds == view.of => ("holds", Style::Added),
        ClaimView { holds: 0, .. } => ("never", Style::Error),
        _ => ("not always", Style::Warning),
    }
}

fn one(context: &mut Context, view: &ClaimView) -> Result<(), Failure> {
    let lines = wrap::words(&Line::new(view.says, Style::Title), context.page(), &wrap::Indent::none());
    context.out.lines(&lines)?;
    let (mark, style) = verdict(view);
    let counts = format!(
        "  {} of {}, FORMAT.md section {}",
        fold::count(view.holds),
        fold::count(view.of),
        view.section
    );
    context.out.line(Line::new(mark, style).with(counts, Style::Dim))?;
    context.out.gap()?;
    let mut grid =
        Grid::new(vec![Column::new("version"), Column::new("holds").right(), Column::new("of").right()]);
    for count in &view.by_version {
        grid.row(vec![
            Line::plain(count.version.as_str()),
            Line::plain(fold::count(count.holds)),
            Line::plain(fold::count(count.of)),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    if view.counterexamples.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    context.out.line(Line::new("Where it does not hold", Style::Heading))?;
    for place in &view.counterexamples {
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        let path = format!("{}{line}", context.short_path(&place.path));
        context.out.line(Line::new(path, Style::Path).with(format!("  {}", place.detail), Style::Dim))?;
    }
    Ok(())
}
