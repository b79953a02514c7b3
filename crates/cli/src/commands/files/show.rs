//! `scrollback files show`: a version of a file. Its bytes into a pipe, its text on a terminal.

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::files::body::Body;
use scrollback_app::files::history::Picked;
use scrollback_app::files::version::State;
use scrollback_app::files::view::VersionView;
use serde::Serialize;

use super::{told, which};
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style, fold, highlight};

/// Arguments of `files show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The file: a path, or the end of one if no other file ends so.
    pub path: String,
    /// Which version: v3, SESSION, SESSION/TURN or a date; the newest if it is not given.
    #[arg(long, value_name = "AT", default_value = "")]
    pub at: String,
    /// How it is looked for.
    #[command(flatten)]
    pub which: which::WhichArgs,
}

/// A version of a file.
#[derive(Serialize)]
struct FileShown {
    /// The file.
    path: String,
    /// How many versions there are.
    versions: u64,
    /// The version.
    version: VersionView,
    /// It was found later than was asked for: nothing tells what was there then.
    later: bool,
    /// Something that no tool did changed the file after it, nobody knows when.
    unseen_after: bool,
    /// What it held; none if it is no text, or nobody knows. Without `--json` the bytes are printed as they are.
    text: Option<String>,
    /// Of a version of which only some lines are known: which.
    lines: Option<String>,
}

/// Prints a version of a file.
pub fn run(context: &mut Context, args: &ShowArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let at = which::at(context, &library, &args.at)?;
    let index = context.index(&library)?;
    let history = args.which.find(context, &index, &args.path)?;
    let picked = history.at(at)?;
    if context.global.json {
        return json(context, picked);
    }
    remarks(context, &picked)?;
    match &picked.state {
        State::Held(body) => content(context, &picked, body),
        State::Part(part) if context.out.is_terminal() => {
            context.start_pager();
            head(context, &picked)?;
            let width = part.lines.last().map_or(1, |(number, _)| number.to_string().len());
            for (number, line) in &part.lines {
                let numbered =
                    Line::new(format!("{number:>width$}  "), Style::Dim).with(line, Style::CodeBlock);
                context.out.line(numbered)?;
            }
            Ok(())
        }
        State::Part(part) => Ok(context.out.bytes(format!("{}\n", part.text()).as_bytes())?),
        State::Absent => Err(Failure::new(Kind::NothingFound, format!("{} did not exist then", picked.path))),
        State::Lost | State::Let(_) => {
            let why =
                picked.version.problems.first().cloned().unwrap_or_else(|| "no session tells".to_owned());
            Err(Failure::new(Kind::NothingFound, format!("what {} held then is lost: {why}", picked.path)))
        }
    }
}

/// What is worth knowing, beside the content: on standard error, so that a pipe gets the file and nothing else.
fn remarks(context: &Context, picked: &Picked) -> Result<(), Failure> {
    if !context.out.is_terminal() {
        context.say(&format!(
            "{}: {}",
            picked.path,
            told::sentence(context, &picked.version, picked.versions)
        ))?;
    }
    if let State::Part(part) = &picked.state {
        context.say(&format!("only these lines are known: {}", part.ranges()))?;
    }
    for problem in &picked.version.problems {
        context.say(problem)?;
    }
    if picked.later {
        context.say(
            "nothing tells what was there then: this is what was found later, before the first change",
        )?;
    }
    if picked.unseen_after {
        context.say("something unseen changed it after that, before the next version; nobody knows when")?;
    }
    Ok(())
}

fn head(context: &mut Context, picked: &Picked) -> Result<(), Failure> {
    let mut line = Line::new(context.short_dir(&picked.path), Style::Path);
    line.push(format!("  {}", told::sentence(context, &picked.version, picked.versions)), Style::Dim);
    context.out.line(line)?;
    Ok(context.out.gap()?)
}

fn content(context: &mut Context, picked: &Picked, body: &Body) -> Result<(), Failure> {
    if !context.out.is_terminal() {
        return Ok(body.each(|part| context.out.bytes(part).map_err(AppError::Output))?);
    }
    let bytes = body.load();
    let text = bytes.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
    let Some(text) = text.filter(|text| !text.contains('\0')) else {
        head(context, picked)?;
        let text = format!("{} that are no text: send them to a file or a pipe.", fold::bytes(body.size()));
        return Ok(context.out.line(Line::new(text, Style::Dim))?);
    };
    context.start_pager();
    head(context, picked)?;
    let language = highlight::language_of(&picked.path);
    let lines = highlight::highlight(text, language, context.out.canvas().theme);
    Ok(context.out.lines(&lines)?)
}

fn json(context: &mut Context, picked: Picked) -> Result<(), Failure> {
    let (text, lines) = match &picked.state {
        State::Held(body) => (body.load().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok()), None),
        State::Part(part) => (Some(part.text()), Some(part.ranges())),
        _ => (None, None),
    };
    let Picked { path, version, versions, later, unseen_after, .. } = picked;
    Ok(context.out.json(&FileShown { path, versions, version, later, unseen_after, text, lines })?)
}
