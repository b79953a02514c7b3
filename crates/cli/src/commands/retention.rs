//! `scrollback retention`: what the client will delete by itself, and when.

use clap::Args;
use scrollback_app::request::retention::RetentionRequest;
use scrollback_app::stock::retention::{AreaRetention, Period, PeriodRemark, Retention, Share, SweepRule};
use scrollback_format::id;
use scrollback_format::time::Time;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold, wrap};

/// Arguments of `retention`.
#[derive(Debug, Args)]
pub struct RetentionArgs {
    /// Number of days to look ahead.
    #[arg(long, value_name = "DAYS", default_value_t = RetentionRequest::WITHIN_DAYS)]
    pub within: u64,
    /// Maximum number of sessions (0 = no limit).
    #[arg(long, short = 'n', value_name = "N", default_value_t = RetentionRequest::LIMIT)]
    pub limit: usize,
}

/// Shows what the client will delete.
pub fn run(context: &mut Context, args: &RetentionArgs) -> Result<(), Failure> {
    let request = RetentionRequest { within_days: args.within, limit: args.limit };
    let found = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&found)?);
    }
    context.start_pager();
    for period in &found.periods {
        setting(context, period, found.periods.len() > 1)?;
    }
    context.out.gap()?;
    areas(context, &found)?;
    sessions(context, &found)
}

fn setting(context: &mut Context, period: &Period, named: bool) -> Result<(), Failure> {
    let days = fold::plural(period.cleanup_period_days, "day");
    let mut text = format!("The client deletes files that were last modified more than {days} ago");
    match &period.said_by {
        Some(path) => text.push_str(&format!(" (cleanupPeriodDays in {}).", context.short_path(path))),
        None => text.push_str(" (the default; cleanupPeriodDays is not set)."),
    }
    if named {
        text = format!("{}: {text}", context.short_path(&period.root));
    }
    match period.last_cleanup {
        Some(_) => {
            text.push_str(&format!(" Last cleanup: {}.", date::minute(period.last_cleanup, &context.zone)));
        }
        None => text.push_str(" It cleans up a few seconds after it starts."),
    }
    let lines = wrap::words(&StyledLine::plain(text), context.page(), &wrap::Indent::none());
    context.out.lines(&lines)?;
    if let Some(remark) = period.remark {
        let lines = wrap::words(
            &StyledLine::new(self::remark(remark), Style::Warning),
            context.page(),
            &wrap::Indent::none(),
        );
        context.out.lines(&lines)?;
    }
    Ok(())
}

fn remark(remark: PeriodRemark) -> &'static str {
    match remark {
        PeriodRemark::SettingsBroken => {
            "A settings file is broken: the client does not clean up until it is fixed."
        }
        PeriodRemark::NotANumber => {
            "cleanupPeriodDays is not a whole number: the client does not clean up until it is fixed."
        }
        PeriodRemark::Zero => "Clients since 2.1.89 reject 0; before, nothing was kept.",
        _ => "",
    }
}

fn share(share: &Share, style: Style) -> [StyledLine; 2] {
    if share.files == 0 {
        return [StyledLine::default(), StyledLine::default()];
    }
    [StyledLine::new(fold::count(share.files), style), StyledLine::new(fold::bytes(share.bytes), style)]
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
        let mut cells = vec![StyledLine::plain(area.area.name())];
        cells.extend(share(&area.overdue, Style::Error));
        cells.extend(share(&area.soon, Style::Warning));
        cells.extend(share(&area.later, Style::Plain));
        cells.extend(share(&area.exempt, Style::Dim));
        cells.push(StyledLine::new(rule(area), Style::Dim));
        grid.row(cells);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn rule(area: &AreaRetention) -> &'static str {
    match (area.rule, area.confirmed) {
        (SweepRule::Age, true) => "",
        (SweepRule::Age, false) => "as reported",
        (SweepRule::Process, _) => "deleted with its process",
        (SweepRule::Newest, _) => "the newest are kept",
        (SweepRule::Other, _) => "other rules",
        (SweepRule::Kept, _) => "kept",
        _ => "unknown",
    }
}

fn sessions(context: &mut Context, found: &Retention) -> Result<(), Failure> {
    context.out.gap()?;
    let going = found.session_count;
    if going == 0 {
        let text = format!("No session is deleted within {}.", fold::plural(found.within_days, "day"));
        return Ok(context.out.line(StyledLine::plain(text))?);
    }
    let shown = found.sessions.len() as u64;
    let more = if going > shown { format!("  {shown} of {}", fold::count(going)) } else { String::new() };
    context.out.line(StyledLine::new("Sessions to be deleted", Style::Heading).with(more, Style::Dim))?;
    let mut grid = Grid::new(vec![
        Column::new("when"),
        Column::new("session"),
        Column::new("title").shrinks(1, 16),
        Column::new("project").shrinks(0, 12),
        Column::new("size").right(),
    ]);
    for session in &found.sessions {
        let when = if session.overdue {
            StyledLine::new("at next start", Style::Error)
        } else {
            StyledLine::new(until(context.now(), session.due), Style::Warning)
        };
        let project = session.project.as_ref().map(|project| context.short_dir(project));
        grid.row(vec![
            when,
            StyledLine::new(id::short(&session.session_id), Style::Number),
            StyledLine::plain(fold::one_line(session.title.as_deref().unwrap_or_default(), 60)),
            StyledLine::new(project.unwrap_or_else(|| format!("[{}]", session.folder)), Style::Path),
            StyledLine::plain(fold::bytes(session.bytes)),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    let text = "Resuming a session resets its age.";
    Ok(context.out.line(StyledLine::new(text, Style::Dim))?)
}

/// `in 3 days`, `in 5 hours`.
fn until(now: Time, due: Option<Time>) -> String {
    let hours = due.map_or(0, |due| due.0 - now.0).max(0) / 3_600_000;
    if hours >= 48 { format!("in {} days", hours / 24) } else { format!("in {hours} hours") }
}
