//! `scrollback`: an overview of the store.

use scrollback_app::overview::Overview;
use scrollback_app::request::overview::OverviewRequest;
use scrollback_app::view::SessionView;

use crate::commands::ls;
use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid, bar};
use crate::paint::{Style, StyledLine, fold};

/// How many projects are listed.
const PROJECTS: usize = 10;

/// Looks over the store.
pub fn run(context: &mut Context) -> Result<(), Failure> {
    let overview = context.desk()?.answer(&OverviewRequest {})?;
    if context.global.json {
        return Ok(context.out.document(&overview)?);
    }
    head(context, &overview)?;
    if overview.sessions > 0 {
        projects(context, &overview)?;
        newest(context, &overview)?;
    }
    remarks(context, &overview)?;
    next(context, &overview)
}

fn head(context: &mut Context, overview: &Overview) -> Result<(), Failure> {
    let roots: Vec<String> = overview.roots.iter().map(|root| context.short_path(root)).collect();
    context.out.line(StyledLine::new(roots.join("  "), Style::Title))?;
    let zone = context.zone.clone();
    let facts = [
        fold::plural(overview.sessions, "conversation"),
        fold::plural(overview.projects.len() as u64, "project"),
        fold::plural(overview.turns, "turn"),
        fold::plural(overview.tool_calls, "tool call"),
        fold::plural(overview.agents, "agent"),
    ];
    context.out.line(StyledLine::plain(facts.join(" · ")))?;
    let mut line = StyledLine::new(
        format!("{} in {}", fold::bytes(overview.bytes), fold::plural(overview.files, "file")),
        Style::Dim,
    );
    if overview.first_time.is_some() {
        let (first, last) = (date::day(overview.first_time, &zone), date::day(overview.last_time, &zone));
        line.push(format!(" · {first} to {last}"), Style::Dim);
    }
    context.out.line(line)?;
    Ok(context.out.gap()?)
}

fn projects(context: &mut Context, overview: &Overview) -> Result<(), Failure> {
    let mut grid = Grid::new(vec![
        Column::new("project").shrinks(1, 12).max(60),
        Column::new("sessions").right(),
        Column::new("turns").right(),
        Column::new("size").right(),
        Column::new(""),
        Column::new("last"),
    ]);
    let largest = overview.projects.iter().map(|project| project.bytes).max().unwrap_or(1).max(1);
    for project in overview.projects.iter().take(PROJECTS) {
        grid.row(vec![
            StyledLine::new(context.dir_end(&project.project, 60), Style::Path),
            StyledLine::plain(fold::count(project.sessions)),
            StyledLine::plain(fold::count(project.turns)),
            StyledLine::plain(fold::bytes(project.bytes)),
            StyledLine::new(bar(project.bytes as f64 / largest as f64, 8), Style::Dim),
            StyledLine::new(date::minute(project.last_time, &context.zone), Style::Time),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    let more = overview.projects.len().saturating_sub(PROJECTS);
    if more > 0 {
        context.out.line(StyledLine::new(
            format!("and {}", fold::plural(more as u64, "more project")),
            Style::Dim,
        ))?;
    }
    Ok(context.out.gap()?)
}

fn newest(context: &mut Context, overview: &Overview) -> Result<(), Failure> {
    // What is pinned stands above already.
    let newest: Vec<SessionView> = overview.newest.iter().filter(|view| !view.pinned).cloned().collect();
    for (name, views) in [("Pinned", &overview.pinned), ("Newest", &newest)] {
        if !views.is_empty() {
            context.out.line(StyledLine::new(name, Style::Heading))?;
            let lines = ls::grid(context, views, false).headless().lines(context.out.fit());
            context.out.lines(&lines)?;
            context.out.gap()?;
        }
    }
    Ok(())
}

fn remarks(context: &mut Context, overview: &Overview) -> Result<(), Failure> {
    let program = context.program();
    let mut remarks = Vec::new();
    if overview.sessions_with_problems > 0 {
        let sessions = fold::plural(overview.sessions_with_problems, "session");
        remarks.push(format!("{sessions} with damaged or odd lines: {program} verify"));
    }
    if overview.silent_sessions > 0 {
        let sessions = fold::plural(overview.silent_sessions, "empty session");
        remarks.push(format!("{sessions}: {program} ls --all"));
    }
    if overview.hidden_by_user > 0 {
        let sessions = fold::plural(overview.hidden_by_user, "conversation");
        remarks.push(format!("{sessions} hidden by you: {program} ls --all"));
    }
    if overview.soon_deleted > 0 && !context.is_sample() {
        let sessions = fold::plural(overview.soon_deleted, "session");
        let set = if overview.cleanup_is_set { "set" } else { "by default" };
        let days = overview.cleanup_period_days;
        remarks.push(format!(
            "{sessions} will be deleted by the client within a week (cleanupPeriodDays is {days} {set})"
        ));
    }
    if overview.unreadable_sessions > 0 {
        let sessions = fold::plural(overview.unreadable_sessions, "session");
        remarks.push(format!("{sessions} cannot be read: {program} ls"));
    }
    if !overview.troubles.is_empty() {
        let paths = fold::plural(overview.troubles.len() as u64, "odd or unreadable path");
        remarks.push(format!("{paths}: {program} verify"));
    }
    for remark in &remarks {
        context.out.line(StyledLine::new("! ", Style::Warning).with(remark.as_str(), Style::Plain))?;
    }
    if !remarks.is_empty() {
        context.out.gap()?;
    }
    Ok(())
}

fn next(context: &mut Context, overview: &Overview) -> Result<(), Failure> {
    if overview.sessions == 0 {
        if overview.hidden_by_user > 0 {
            context.out.line(StyledLine::plain("All conversations in this store are hidden."))?;
        } else if overview.unreadable_sessions == 0 && overview.troubles.is_empty() {
            context.out.line(StyledLine::plain("No conversations in this store yet."))?;
        }
        return Ok(());
    }
    let program = context.program();
    let first = overview.newest.first().map_or("last", |view| view.session_id.get(..8).unwrap_or("last"));
    let tips = [
        (format!("{program} ls"), "list all sessions"),
        (format!("{program} search WORDS"), "search everything"),
        (format!("{program} show {first}"), "show the newest conversation"),
        (format!("{program} tree {first}"), "show its branches, compactions and agents"),
        (format!("{program} info {first}"), "show its tools, files, commands and tokens"),
        (format!("{program} verify"), "check the integrity of every file"),
    ];
    let mut grid = Grid::new(vec![Column::new(""), Column::new("")]).headless();
    for (command, what) in tips {
        grid.row(vec![StyledLine::new(command, Style::Strong), StyledLine::new(what, Style::Dim)]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}
