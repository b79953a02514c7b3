//! The front of every edit: shows the plan, asks, applies, tells how to go on and how to take it back.

use std::io::{BufRead, IsTerminal};

use clap::Args;
use scrollback_app::JournalError;
use scrollback_app::edit::{self, Plan, Preview, RecordView, SessionLoad};
use scrollback_app::resolve::SessionArg;
use scrollback_format::generation::Generation;
use scrollback_format::version::ClientVersion;
use serde::Serialize;

use crate::client::Resume;
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Changes that are listed one by one; of more, the rest is counted.
const CHANGES: usize = 12;

/// What every edit takes.
#[derive(Debug, Clone, Args)]
pub struct EditArgs {
    /// Apply without asking.
    #[arg(long, short)]
    pub yes: bool,
    /// Only show what would be done.
    #[arg(long, short = 'n', conflicts_with = "yes")]
    pub dry_run: bool,
    /// The client version to tell before and after for; the newest known one if none is given.
    #[arg(long, value_name = "VERSION")]
    pub client: Option<String>,
}

impl EditArgs {
    /// The generation of the client that was named.
    pub fn generation(&self) -> Result<Generation, Failure> {
        let Some(text) = &self.client else { return Ok(Generation::NEWEST) };
        let version = ClientVersion::decode(text.strip_prefix('v').unwrap_or(text));
        version.map(Generation::of).ok_or_else(|| {
            Failure::new(Kind::Usage, format!("'{text}' is no client version"))
                .hint("a version is three numbers, such as 2.1.200")
        })
    }
}

/// An edit, as `--json` tells it.
#[derive(Serialize)]
struct Edited {
    /// Were the changes made?
    applied: bool,
    /// What they are.
    preview: Preview,
    /// The record of the journal, if they were made.
    record: Option<RecordView>,
    /// For each session afterwards, the command that goes on with it.
    resume: Vec<String>,
}

/// The session that was named; an agent of one is not edited by itself.
pub fn whole_session(text: &str) -> Result<String, Failure> {
    let named = SessionArg::parse(text);
    match named.agent {
        None => Ok(named.session),
        Some(_) => Err(Failure::new(Kind::Usage, "whole sessions are edited, not one agent")
            .hint(format!("name the session alone: {}", named.session))),
    }
}

/// The words of this command, for the journal.
pub fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Shows a plan, and applies it if the user says so.
pub fn offer(context: &mut Context, plan: &Plan, args: &EditArgs) -> Result<(), Failure> {
    let preview = plan.preview(&context.watch());
    let resume: Vec<String> = preview.after.iter().map(|load| command(context, &preview, load)).collect();
    if !context.global.json {
        show(context, &preview)?;
    }
    let answer = if args.dry_run { Answer::DryRun } else { ask(context, args)? };
    if answer == Answer::Yes {
        if context.is_sample() && !plan.transaction.is_tree() {
            return Err(Failure::new(Kind::Refused, "the built-in sample is never changed")
                .hint("`scrollback sample DIR` writes a copy; --root DIR edits it"));
        }
        let record = edit::apply(plan, &context.data()?, &context.watch())?;
        if context.global.json {
            let edited = Edited { applied: true, preview, record: Some(record), resume };
            return Ok(context.out.json(&edited)?);
        }
        return done(context, &record, &resume);
    }
    if context.global.json {
        let edited = Edited { applied: false, preview, record: None, resume };
        return Ok(context.out.json(&edited)?);
    }
    let text = match answer {
        Answer::No => "Nothing was changed.",
        Answer::DryRun => "Nothing was changed: this is what would be done.",
        _ => "Nothing was changed: --yes applies it.",
    };
    Ok(context.out.line(Line::new(text, Style::Dim))?)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    DryRun,
    NobodyToAsk,
}

fn ask(context: &mut Context, args: &EditArgs) -> Result<Answer, Failure> {
    if args.yes {
        return Ok(Answer::Yes);
    }
    if context.global.json || !context.out.is_terminal() || !std::io::stdin().is_terminal() {
        return Ok(Answer::NobodyToAsk);
    }
    context.out.bytes(b"Apply? [y/N] ")?;
    context.out.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    let yes = matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
    Ok(if yes { Answer::Yes } else { Answer::No })
}

fn show(context: &mut Context, preview: &Preview) -> Result<(), Failure> {
    context.out.line(Line::new(&preview.title, Style::Heading))?;
    context.out.gap()?;
    changes(context, preview)?;
    loads(context, preview)?;
    for note in &preview.notes {
        context.out.line(Line::plain(note))?;
    }
    for warning in preview.warnings.iter().chain(&preview.held) {
        context.out.line(Line::new(format!("warning: {warning}"), Style::Warning))?;
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
        let mut place = Line::new(&change.path, Style::Path);
        if let Some(from) = &change.from {
            place.push(format!("  from {from}"), Style::Dim);
        }
        if let Some(detail) = &change.detail {
            place.push(format!("  {detail}"), Style::Dim);
        }
        let bytes = if change.bytes == 0 { String::new() } else { fold::bytes(change.bytes) };
        grid.row(vec![Line::new(change.verb, Style::Strong), place, Line::new(bytes, Style::Number)]);
    }
    let painted = grid.lines(context.out.fit());
    context.out.lines(&painted)?;
    let more = preview.changes.len().saturating_sub(CHANGES);
    if more > 0 {
        let text = format!("… and {}", fold::plural(more as u64, "more change"));
        context.out.line(Line::new(text, Style::Dim))?;
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
        Column::new("tokens").right(),
        Column::new("").shrinks(1, 20),
    ]);
    let rows = |name: &'static str| move |load| (name, load);
    let all = preview.before.iter().map(rows("now")).chain(preview.after.iter().map(rows("then")));
    for (name, load) in all {
        let how = match load.outcome {
            "loaded" => String::new(),
            outcome => format!("{outcome}: {}", load.reason.as_deref().unwrap_or_default()),
        };
        grid.row(vec![
            Line::new(name, Style::Dim),
            Line::new(&load.session_id, Style::Number),
            Line::new(fold::count(load.messages), Style::Plain),
            Line::new(fold::count(load.tokens), Style::Plain),
            Line::new(how, Style::Warning),
        ]);
    }
    let painted = grid.lines(context.out.fit());
    context.out.lines(&painted)?;
    let sum = |loads: &[SessionLoad]| loads.iter().map(|load| load.tokens).sum::<u64>();
    let client = preview.before.iter().chain(&preview.after).map(|load| load.client.as_str()).next();
    let mut text = format!("as {} loads it; tokens by characters", client.unwrap_or_default());
    let freed = sum(&preview.before).saturating_sub(sum(&preview.after));
    if freed > 0 && preview.before.len() == 1 && preview.after.len() == 1 {
        text.push_str(&format!(": about {} fewer", fold::count(freed)));
    }
    context.out.line(Line::new(text, Style::Dim))?;
    Ok(context.out.gap()?)
}

fn command(context: &Context, preview: &Preview, load: &SessionLoad) -> String {
    let directory = load.directory.as_ref().map(Into::into);
    Resume::at(&load.session_id, directory, &preview.root, &context.env).command_line()
}

fn done(context: &mut Context, record: &RecordView, resume: &[String]) -> Result<(), Failure> {
    context.out.line(Line::new(
        format!("Done. `scrollback undo {}` takes it back.", record.number),
        Style::Success,
    ))?;
    for command in resume {
        context.out.line(Line::plain(command))?;
    }
    Ok(())
}

/// Why the journal said no, with the kind of end and what to do about it.
pub fn refused(message: String, error: &JournalError) -> Failure {
    use scrollback_app::WriteError as Write;
    let (kind, hint) = match error {
        JournalError::Busy { .. } => (Kind::Refused, "wait until the other scrollback has finished"),
        JournalError::Inside { .. } => {
            (Kind::Refused, "SCROLLBACK_DATA_DIR names another place for the journal")
        }
        JournalError::Live(_) => (Kind::Refused, "end the client that works in it, then try again"),
        JournalError::MovedOn { .. } => {
            (Kind::Refused, "what came after would be lost; `scrollback journal` lists what else was done")
        }
        JournalError::NotUndoable { .. } => {
            (Kind::Refused, "`scrollback journal` lists edits, and which can be taken back")
        }
        JournalError::NoSuchRecord(_) => {
            (Kind::NothingFound, "`scrollback journal` lists edits, and which can be taken back")
        }
        JournalError::Plan { .. } => (Kind::Bug, "this is a bug in scrollback"),
        JournalError::Damaged { .. } => {
            (Kind::Io, "a newer scrollback may understand it; nothing is edited until then")
        }
        JournalError::Write { error: Write::Io { .. }, .. } => (Kind::Io, ""),
        JournalError::Write { error: Write::Changed { .. }, .. } => {
            (Kind::Refused, "the same command reads it anew")
        }
        JournalError::Write { .. } => (Kind::Refused, ""),
    };
    let failure = Failure::new(kind, message);
    if hint.is_empty() { failure } else { failure.hint(hint) }
}
