//! `scrollback files diff`: two versions of files compared, or a version with the file on disk.

use std::path::Path;

use clap::Args;
use scrollback_app::files::diff::{Comparison, DiffHunk, Side};
use scrollback_app::request::files::diff::FilesDiffRequest;

use super::{told, which};
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine, diff, fold, highlight, sides};

/// Arguments of `files diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// PATH@AT for a recorded version, PATH@ for the newest one, PATH for the file on disk.
    pub from: String,
    /// Likewise; @AT for another version of the first file [default: the first file on disk, or its newest version].
    pub to: Option<String>,
    /// Show both versions side by side.
    #[arg(long, short)]
    pub side_by_side: bool,
    /// How paths are looked up.
    #[command(flatten)]
    pub which: which::WhichArgs,
}

/// Compares two versions.
pub fn run(context: &mut Context, args: &DiffArgs) -> Result<(), Failure> {
    let request =
        FilesDiffRequest { from: args.from.clone(), to: args.to.clone(), which: args.which.request() };
    let compared = request.open(&context.desk()?)?;
    for side in [&compared.from, &compared.to] {
        if let Some(lines) = &side.lines {
            context.say(&format!("{}: only these lines are known: {lines}", side.path))?;
        }
        side.problems().iter().try_for_each(|problem| context.say(problem))?;
    }
    if context.global.json {
        return Ok(context.out.document(&compared.document())?);
    }
    let (from, to) = (label(context, &compared.from), label(context, &compared.to));
    if !context.out.is_terminal() && !args.side_by_side {
        context.say(&format!("- {from}"))?;
        context.say(&format!("+ {to}"))?;
        return Ok(context.out.untrusted(compared.patch().as_bytes())?);
    }
    context.start_pager();
    context.out.line(StyledLine::new(format!("- {from}"), Style::Removed))?;
    context.out.line(StyledLine::new(format!("+ {to}"), Style::Added))?;
    context.out.gap()?;
    let lines = lines(context, &compared, args.side_by_side);
    Ok(context.out.lines(&lines)?)
}

fn lines(context: &Context, compared: &Comparison, side_by_side: bool) -> Vec<StyledLine> {
    let remark = |text: String| vec![StyledLine::new(text, Style::Dim)];
    if compared.is_same() {
        return remark("No differences.".to_owned());
    }
    let Some((old, new)) = compared.texts() else {
        return remark(format!("Binary files differ: {} and {}.", size(&compared.from), size(&compared.to)));
    };
    let canvas = context.out.canvas();
    let lines = if side_by_side {
        sides::sides(old, new, highlight::language_of(&compared.to.path), canvas)
    } else {
        let hunks: Vec<diff::Hunk> = compared.hunks().into_iter().map(hunk).collect();
        diff::hunks(&hunks, canvas, usize::MAX)
    };
    if lines.is_empty() { remark("Only line endings differ.".to_owned()) } else { lines }
}

fn hunk(hunk: DiffHunk) -> diff::Hunk {
    diff::Hunk { old_start: hunk.old_start as u64, new_start: hunk.new_start as u64, lines: hunk.lines }
}

fn size(side: &Side) -> String {
    side.bytes.as_ref().map_or_else(|| "no file".into(), |bytes| fold::bytes(bytes.len() as u64))
}

/// One line about a side.
fn label(context: &Context, side: &Side) -> String {
    match &side.version {
        Some((version, versions)) => {
            format!("{}  {}", context.short_dir(&side.path), told::sentence(context, version, *versions))
        }
        None => format!("{}  on disk", context.short_path(Path::new(&side.path))),
    }
}
