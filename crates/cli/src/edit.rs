//! The front of every edit: shows the plan, asks, applies, and says how to resume and how to undo.

use std::io::{BufRead, IsTerminal};

use clap::Args;
use scrollback_app::edit::{EditPlan, Preview, SessionLoad};
use scrollback_app::edits::{EditRequest, Edited};
use scrollback_app::resume::view::ResumeOutcome;

use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Changes that are listed one by one; of more, the rest is counted.
const CHANGES: usize = 12;

/// What every edit takes.
#[derive(Debug, Clone, Args)]
pub struct EditArgs {
    /// Apply without asking for confirmation.
    #[arg(long, short)]
    pub yes: bool,
    /// Show what would change, without changing anything.
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
    /// Client version whose loading is previewed [default: the newest known version].
    #[arg(long, value_name = "VERSION")]
    pub client: Option<String>,
}

/// Plans an edit, shows it, and applies it if the user says so.
pub fn run(context: &mut Context, request: &impl EditRequest, args: &EditArgs) -> Result<(), Failure> {
    let desk = context.desk()?;
    let plan = if args.dry_run { desk.dry_run(request)? } else { desk.plan(request)? };
    offer(context, &plan, args)
}

/// Shows a plan, and applies it if the user says so.
pub fn offer(context: &mut Context, plan: &EditPlan, args: &EditArgs) -> Result<(), Failure> {
    let desk = context.desk()?;
    let mut edited = desk.preview(plan);
    if !context.global.json {
        show(context, &edited.preview)?;
    }
    let answer = if args.dry_run { Answer::DryRun } else { ask(context, args)? };
    if answer == Answer::Yes {
        edited = desk.apply(plan)?;
    }
    if context.global.json {
        context.out.document(&edited)?;
    } else {
        say(context, &edited, answer)?;
    }
    // A script that forgot --yes must not take a preview for an edit.
    if answer == Answer::NotInteractive && !plan.transaction.ops().is_empty() {
        return Err(Failure::new(ExitKind::Refused, "not applied: there is no terminal to ask on")
            .hint("use --yes to apply, or --dry-run to preview"));
    }
    match &edited.record {
        Some(record) => too_late(context, record.number),
        None => Ok(()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    DryRun,
    NotInteractive,
}

fn ask(context: &mut Context, args: &EditArgs) -> Result<Answer, Failure> {
    if args.yes {
        return Ok(Answer::Yes);
    }
    if context.global.json || !context.out.is_terminal() || !std::io::stdin().is_terminal() {
        return Ok(Answer::NotInteractive);
    }
    context.out.bytes(b"Apply? [y/N] ")?;
    context.out.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    let yes = matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
    Ok(if yes { Answer::Yes } else { Answer::No })
}

fn show(context: &mut Context, preview: &Preview) -> Result<(), Failure> {
    context.out.line(StyledLine::new(&preview.title, Style::Heading))?;
    context.out.gap()?;
    changes(context, preview)?;
    loads(context, preview)?;
    for note in &preview.notes {
        context.out.line(StyledLine::plain(note))?;
    }
    for warning in preview.warnings.iter().chain(&preview.held) {
        context.out.line(StyledLine::new(format!("warning: {warning}"), Style::Warning))?;
    }
    if !(preview.notes.is_empty() && preview.warnings.is_empty() && preview.held.is_empty()) {
        context.out.gap()?;
    }
    Ok(())
}

fn changes(context: &mut Context, preview: &Preview) -> Result<(), Failure> {
    let columns = vec![Column::new(""), Column::new("").shrinks(1, 30), Column::new("").right()];
    let mut grid = Grid::new(columns).headless();
    for change in preview.changes.iter().take(CHANGES) {
        let mut place = StyledLine::new(&change.path, Style::Path);
        if let Some(from) = &change.from {
            place.push(format!("  from {from}"), Style::Dim);
        }
        if let Some(detail) = &change.detail {
            place.push(format!("  {detail}"), Style::Dim);
        }
        let bytes = if change.bytes == 0 { String::new() } else { fold::bytes(change.bytes) };
        grid.row(vec![
            StyledLine::new(change.verb.name(), Style::Strong),
            place,
            StyledLine::new(bytes, Style::Number),
        ]);
    }
    let painted = grid.lines(context.out.fit());
    context.out.lines(&painted)?;
    let more = preview.changes.len().saturating_sub(CHANGES);
    if more > 0 {
        let text = format!("… and {}", fold::plural(more as u64, "more change"));
        context.out.line(StyledLine::new(text, Style::Dim))?;
    }
    Ok(context.out.gap()?)
}

/// What a client loads, before and after.
fn loads(context: &mut Context, preview: &Preview) -> Result<(), Failure> {
    if preview.before.is_empty() && preview.after.is_empty() {
        return Ok(());
    }
    let mut grid = Grid::new(vec![
        Column::new(""),
        Column::new("session"),
        Column::new("messages").right(),
        Column::new("tokens (estimated)").right(),
        Column::new("").shrinks(1, 20),
    ]);
    let rows = |name: &'static str| move |load| (name, load);
    let all = preview.before.iter().map(rows("before")).chain(preview.after.iter().map(rows("after")));
    for (name, load) in all {
        let how = match load.outcome {
            ResumeOutcome::Loaded => String::new(),
            outcome => format!("{}: {}", outcome.name(), load.reason.as_deref().unwrap_or_default()),
        };
        grid.row(vec![
            StyledLine::new(name, Style::Dim),
            StyledLine::new(&load.session_id, Style::Number),
            StyledLine::new(fold::count(load.messages), Style::Plain),
            StyledLine::new(fold::count(load.tokens), Style::Plain),
            StyledLine::new(how, Style::Warning),
        ]);
    }
    let painted = grid.lines(context.out.fit());
    context.out.lines(&painted)?;
    let sum = |loads: &[SessionLoad]| loads.iter().map(|load| load.tokens).sum::<u64>();
    let client = preview.before.iter().chain(&preview.after).map(|load| load.client.as_str()).next();
    let mut text = format!("as loaded by {}", client.unwrap_or_default());
    let freed = sum(&preview.before).saturating_sub(sum(&preview.after));
    if freed > 0 && preview.before.len() == 1 && preview.after.len() == 1 {
        text.push_str(&format!("; about {} tokens fewer", fold::count(freed)));
    }
    context.out.line(StyledLine::new(text, Style::Dim))?;
    Ok(context.out.gap()?)
}

/// Says what became of an edit.
fn say(context: &mut Context, edited: &Edited, answer: Answer) -> Result<(), Failure> {
    let Some(record) = &edited.record else {
        let text = match answer {
            Answer::DryRun => "Dry run: nothing was changed.",
            _ => "Nothing was changed.",
        };
        return Ok(context.out.line(StyledLine::new(text, Style::Dim))?);
    };
    let text = format!("Done. Undo with `scrollback undo {}`.", record.number);
    context.out.line(StyledLine::new(text, Style::Success))?;
    for command in &edited.resume {
        context.out.line(StyledLine::plain(command))?;
    }
    Ok(())
}

/// An edit that was made whole before it could be stopped: it stays, and the exit code says that someone asked.
pub fn too_late(context: &Context, number: u64) -> Result<(), Failure> {
    if !context.stop.is_set() {
        return Ok(());
    }
    Err(Failure::new(ExitKind::Interrupted, format!("interrupted, but edit {number} was already made"))
        .hint(format!("undo it with `scrollback undo {number}`")))
}
