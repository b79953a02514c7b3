//! `scrollback retention`: what the client will delete by itself, and when.

use clap::Args;
use scrollback_app::settings::Places;
use scrollback_app::stock::retention::{self, AreaRetention, Period, Retention, Share};
use scrollback_format::time::Time;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold, wrap};

/// Arguments of `retention`.
#[derive(Debug, Args)]
pub struct RetentionArgs {
    /// What goes within so many days.
    #[arg(long, default_value_t = 7)]
    pub within: u64,
    /// At most so many sessions; 0 is all.
    #[arg(long, short = 'n', default_value_t = 20)]
    pub limit: usize,
}

/// Tells what goes.
pub fn run(context: &mut Context, args: &RetentionArgs) -> Result<(), Failure> {
    let (stock, index) = context.stock()?;
    // The managed settings of this machine say nothing about the sample.
    let managed = context.env.managed_dir.clone().filter(|_| !context.is_sample());
    let places = Places { managed, project: None };
    let mut found = retention::retention(&stock, &places, context.now(), args.within);
    let going = found.sessions.len();
    found.sessions.truncate(if args.limit == 0 { usize::MAX } else { args.limit });
    if let Some(index) = &index {
        found.name(index);
    }
    if context.global.json {
        return Ok(context.out.json(&found)?);
    }
    context.start_pager();
    for period in &found.periods {
        setting(context, period, found.periods.len() > 1)?;
    }
    context.out.gap()?;
    areas(context, &found)?;
    sessions(context, &found, going)
}

fn setting(context: &mut Context, period: &Period, named: bool) -> Result<(), Failure> {
    let days = fold::plural(period.cleanup_period_days, "day");
    let mut text = format!("The client deletes files that were last written to more than {days} ago");
    match &period.said_by {
        Some(path) => text.push_str(&format!(" (cleanupPeriodDays in {}).", context.short_path(path))),
        None => text.push_str(" (its default: cleanupPeriodDays is not set)."),
    }
    if named {
        text = format!("{}: {text}", context.short_path(&period.root));
    }
    match period.last_cleanup {
        Some(_) => text
            .push_str(&format!(" It last cleaned on {}.", date::minute(period.last_cleanup, &context.zone))),
        None => text.push_str(" It cleans some seconds after it is started."),
    }
    let lines = wrap::words(&Line::plain(text), context.page(), &wrap::Indent::none());
    context.out.lines(&lines)?;
    if let Some(remark) = period.remark {
        let lines = wrap::words(&Line::new(remark, Style::Warning), context.page(), &wrap::Indent::none());
        context.out.lines(&lines)?;
    }
    Ok(())
}

fn share(share: &Share, style: Style) -> [Line; 2] {
    if share.files == 0 {
        return [Line::default(), Line::default()];
    }
    [Line::new(fold::count(share.files), style), Line::new(fold::bytes(share.bytes), style)]
}

fn areas(context: &mut Context, found: &Retention) -> Result<(), Failure> {
    let number = |title: &str| Column::new(title).right();
    let soon = format!("in {}", fold::plural(found.within_days, "day"));
    let mut grid = Grid::new(vec![
        Column::new("area"),
        number("now"),
        number(""),
        number(&soon),
        number(""),
        number("later"),
        number(""),
        number("never"),
        number(""),
        Column::new("").shrinks(1, 8),
    ]);
    for area in &found.areas {
        let mut cells = vec![Line::plain(area.area)];
        cells.extend(share(&area.overdue, Style::Error));
        cells.extend(share(&area.soon, Style::Warning));
        cells.extend(share(&area.later, Style::Plain));
        cells.extend(share(&area.exempt, Style::Dim));
        cells.push(Line::new(rule(area), Style::Dim));
        grid.row(cells);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn rule(area: &AreaRetention) -> &'static str {
    match (area.rule, area.confirmed) {
        ("age", true) => "",
        ("age", false) => "as reported",
        ("process", _) => "goes with its process",
        ("newest", _) => "the newest are kept",
        ("other", _) => "has rules of its own",
        ("kept", _) => "is kept",
        _ => "is not known",
    }
}

fn sessions(context: &mut Context, found: &Retention, going: usize) -> Result<(), Failure> {
    context.out.gap()?;
    if going == 0 {
        let text = format!("No session goes within {}.", fold::plural(found.within_days, "day"));
        return Ok(context.out.line(Line::plain(text))?);
    }
    let shown = found.sessions.len();
    let more =
        if going > shown { format!("  {shown} of {}", fold::count(going as u64)) } else { String::new() };
    context.out.line(Line::new("Sessions that go", Style::Heading).with(more, Style::Dim))?;
    let mut grid = Grid::new(vec![
        Column::new("when"),
        Column::new("session"),
        Column::new("title").shrinks(1, 16),
        Column::new("project").shrinks(0, 12),
        Column::new("size").right(),
    ]);
    for session in &found.sessions {
        let when = if session.overdue {
            Line::new("at the next start", Style::Error)
        } else {
            Line::new(until(context.now(), session.due), Style::Warning)
        };
        let project = session.project.as_ref().map(|project| context.short_dir(project));
        grid.row(vec![
            when,
            Line::new(session.session_id.chars().take(8).collect::<String>(), Style::Number),
            Line::plain(fold::one_line(session.title.as_deref().unwrap_or_default(), 60)),
            Line::new(project.unwrap_or_else(|| format!("[{}]", session.folder)), Style::Path),
            Line::plain(fold::bytes(session.bytes)),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    let text = "A session that is gone on with counts from then: `resume` keeps it.";
    Ok(context.out.line(Line::new(text, Style::Dim))?)
}

/// `in 3 d`, `in 5 h`.
fn until(now: Time, due: Option<Time>) -> String {
    let hours = due.map_or(0, |due| due.0 - now.0).max(0) / 3_600_000;
    if hours >= 48 { format!("in {} days", hours / 24) } else { format!("in {hours} hours") }
}
