//! `scrollback files show`: a version of a file. Its bytes into a pipe, its text on a terminal.

use clap::Args;
use scrollback_app::files::body::FileBody;
use scrollback_app::files::history::Picked;
use scrollback_app::files::version::ContentState;
use scrollback_app::request::files::FilesShowRequest;

use super::{told, which};
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine, fold, highlight};

/// Arguments of `files show`.
#[derive(Debug, Args)]
pub struct FilesShowArgs {
    /// File path, or an unambiguous end of one; PATH@AT for a version.
    pub path: String,
    /// Version: v3, SESSION, SESSION/TURN or a date [default: the newest].
    #[arg(long, value_name = "AT")]
    pub at: Option<String>,
    /// How it is looked up.
    #[command(flatten)]
    pub which: which::WhichArgs,
}

/// Prints a version of a file.
pub fn run(context: &mut Context, args: &FilesShowArgs) -> Result<(), Failure> {
    let request =
        FilesShowRequest { path: args.path.clone(), at: args.at.clone(), which: args.which.request() };
    let picked = request.open(&context.desk()?)?;
    if context.global.json {
        return Ok(context.out.document(&picked.shown())?);
    }
    remarks(context, &picked)?;
    match &picked.state {
        ContentState::Held(body) => content(context, &picked, body),
        ContentState::Part(part) if context.out.is_terminal() => {
            context.start_pager();
            head(context, &picked)?;
            let width = part.lines.last().map_or(1, |(number, _)| number.to_string().len());
            for (number, line) in &part.lines {
                let numbered =
                    StyledLine::new(format!("{number:>width$}  "), Style::Dim).with(line, Style::CodeBlock);
                context.out.line(numbered)?;
            }
            Ok(())
        }
        ContentState::Part(part) => Ok(context.out.bytes(format!("{}\n", part.text()).as_bytes())?),
        ContentState::Absent | ContentState::Lost | ContentState::Let(_) => {
            picked.missing().map_or(Ok(()), |error| Err(error.into()))
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
    if let ContentState::Part(part) = &picked.state {
        context.say(&format!("only these lines are known: {}", part.ranges()))?;
    }
    for problem in &picked.version.problems {
        context.say(problem)?;
    }
    if picked.later {
        context.say("nothing is known of that time; this was found later, before the first change")?;
    }
    if picked.unseen_after {
        context.say("changed outside of tools before the next version, at an unknown time")?;
    }
    Ok(())
}

fn head(context: &mut Context, picked: &Picked) -> Result<(), Failure> {
    let mut line = StyledLine::new(context.short_dir(&picked.path), Style::Path);
    line.push(format!("  {}", told::sentence(context, &picked.version, picked.versions)), Style::Dim);
    context.out.line(line)?;
    Ok(context.out.gap()?)
}

fn content(context: &mut Context, picked: &Picked, body: &FileBody) -> Result<(), Failure> {
    if !context.out.is_terminal() {
        return body.each(|part| context.out.bytes(part).map_err(Failure::from));
    }
    let bytes = body.load();
    let text = bytes.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
    let Some(text) = text.filter(|text| !text.contains('\0')) else {
        head(context, picked)?;
        let text = format!("{} of binary data; send it to a file or a pipe.", fold::bytes(body.size()));
        return Ok(context.out.line(StyledLine::new(text, Style::Dim))?);
    };
    context.start_pager();
    head(context, picked)?;
    let language = highlight::language_of(&picked.path);
    let lines = highlight::highlight(text, language, context.out.canvas().theme);
    Ok(context.out.lines(&lines)?)
}
