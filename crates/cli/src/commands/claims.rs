//! `scrollback claims`: claims about the format, checked against this store.

use clap::Args;
use scrollback_app::claims::{ClaimView, Claims};
use scrollback_app::request::claims::ClaimsRequest;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold, wrap};

/// Arguments of `claims`.
#[derive(Debug, Args)]
pub struct ClaimsArgs {
    /// Only this claim, with counts by version and counterexamples.
    pub claim: Option<String>,
    /// Only claims with counterexamples.
    #[arg(long)]
    pub broken: bool,
}

/// Checks every claim.
pub fn run(context: &mut Context, args: &ClaimsArgs) -> Result<(), Failure> {
    let request = ClaimsRequest { claim: args.claim.clone(), broken: args.broken };
    let found = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&found)?);
    }
    context.start_pager();
    match (&args.claim, found.claims.as_slice()) {
        (Some(_), [view]) => one(context, view),
        _ => all(context, &found),
    }
}

fn all(context: &mut Context, found: &Claims) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("claim"),
        Column::new("holds").right(),
        Column::new("of").right(),
        Column::new(""),
        Column::new("statement").shrinks(1, 30),
    ]);
    for view in &found.claims {
        let (mark, style) = verdict(view);
        grid.row(vec![
            StyledLine::new(view.claim.as_str(), Style::Code),
            StyledLine::plain(fold::count(view.holds)),
            StyledLine::plain(fold::count(view.of)),
            StyledLine::new(mark, style),
            StyledLine::plain(view.says.as_str()),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    context.out.gap()?;
    let broken = found.claims.iter().filter(|view| !view.holds_everywhere()).count() as u64;
    let text = format!(
        "{} checked in {}; {} do not hold everywhere. `{} claims NAME` shows where; FORMAT.md says what is true.",
        fold::plural(found.claims.len() as u64, "claim"),
        fold::plural(found.files, "file"),
        fold::count(broken),
        context.program(),
    );
    let lines = wrap::words(&StyledLine::new(text, Style::Dim), context.page(), &wrap::Indent::none());
    Ok(context.out.lines(&lines)?)
}

/// How a claim holds, in a word.
fn verdict(view: &ClaimView) -> (&'static str, Style) {
    match view {
        ClaimView { of: 0, .. } => ("not checked", Style::Dim),
        view if view.holds_everywhere() => ("holds", Style::Added),
        ClaimView { holds: 0, .. } => ("never", Style::Error),
        _ => ("not always", Style::Warning),
    }
}

fn one(context: &mut Context, view: &ClaimView) -> Result<(), Failure> {
    let lines = wrap::words(
        &StyledLine::new(view.says.as_str(), Style::Title),
        context.page(),
        &wrap::Indent::none(),
    );
    context.out.lines(&lines)?;
    let (mark, style) = verdict(view);
    let counts = format!(
        "  {} of {}, FORMAT.md section {}",
        fold::count(view.holds),
        fold::count(view.of),
        view.section
    );
    context.out.line(StyledLine::new(mark, style).with(counts, Style::Dim))?;
    context.out.gap()?;
    let mut grid =
        Grid::new(vec![Column::new("version"), Column::new("holds").right(), Column::new("of").right()]);
    for count in &view.by_version {
        grid.row(vec![
            StyledLine::plain(count.version.as_str()),
            StyledLine::plain(fold::count(count.holds)),
            StyledLine::plain(fold::count(count.of)),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    if view.counterexamples.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    context.out.line(StyledLine::new("Counterexamples", Style::Heading))?;
    for place in &view.counterexamples {
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        let path = format!("{}{line}", context.short_path(&place.path));
        context
            .out
            .line(StyledLine::new(path, Style::Path).with(format!("  {}", place.detail), Style::Dim))?;
    }
    Ok(())
}
