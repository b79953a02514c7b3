//! `scrollback files diff`: two versions of files compared, or a version with what is on disk now.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use scrollback_app::catalogue::Index;
use scrollback_app::files::body::Body;
use scrollback_app::files::version::State;
use scrollback_app::library::Library;
use serde::Serialize;
use similar::TextDiff;

use super::{told, which};
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style, diff, fold, highlight, sides};

/// Arguments of `files diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// PATH@AT is a recorded version, PATH@ the newest one; PATH alone is the file on disk now.
    pub from: String,
    /// The same; @AT is another version of the first file. If it is not given: the first file on disk now, or
    /// its newest version if there is none.
    pub to: Option<String>,
    /// Show both versions beside each other.
    #[arg(long, short)]
    pub side_by_side: bool,
    /// How paths are looked for.
    #[command(flatten)]
    pub which: which::WhichArgs,
}

/// Two versions of files, compared.
#[derive(Serialize)]
struct FileDiff {
    /// The first one.
    from: DiffSide,
    /// The other one.
    to: DiffSide,
    /// Are they the same?
    same: bool,
    /// At least one of them is no text, or too long to compare.
    binary: bool,
    /// Where they differ.
    hunks: Vec<DiffHunk>,
}

/// One side of a comparison.
#[derive(Serialize)]
struct DiffSide {
    /// The file.
    path: String,
    /// Its version; none for the file on disk.
    version: Option<u64>,
    /// `exact`, `replayed`, `partial`, or `disk`.
    certainty: &'static str,
    /// How long it is; none if there is no file.
    bytes: Option<u64>,
}

/// A stretch that differs, with some lines around it.
#[derive(Serialize)]
struct DiffHunk {
    /// Its first line in the first version.
    old_start: usize,
    /// Its first line in the other version.
    new_start: usize,
    /// Lines after their sign: a space, `-` or `+`.
    lines: Vec<String>,
}

/// A side, with its bytes.
struct Side {
    path: String,
    label: String,
    version: Option<u64>,
    certainty: &'static str,
    /// None: there is no file.
    bytes: Option<Arc<[u8]>>,
}

/// Compares two versions.
pub fn run(context: &mut Context, args: &DiffArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let index = context.index(&library)?;
    let from = side(context, &library, &index, args, &args.from, None)?;
    let to = match &args.to {
        Some(to) => side(context, &library, &index, args, to, Some(&from.path))?,
        None => match on_disk(context, &from.path)? {
            Side { bytes: None, .. } => {
                side(context, &library, &index, args, &format!("{}@", from.path), None)?
            }
            there => there,
        },
    };
    let texts = (text(&from), text(&to));
    let same = from.bytes == to.bytes;
    if context.global.json {
        return json(context, &from, &to, same, &texts);
    }
    if !context.out.is_terminal() && !args.side_by_side {
        return patch(context, &from, &to, same, texts);
    }
    context.start_pager();
    context.out.line(Line::new(format!("- {}", from.label), Style::Removed))?;
    context.out.line(Line::new(format!("+ {}", to.label), Style::Added))?;
    context.out.gap()?;
    if same {
        return Ok(context.out.line(Line::new("They are the same.", Style::Dim))?);
    }
    let (Some(old), Some(new)) = texts else {
        return Ok(context.out.line(Line::new(apart(&from, &to), Style::Dim))?);
    };
    let canvas = context.out.canvas();
    let lines = if args.side_by_side {
        sides::sides(&old, &new, highlight::language_of(&to.path), canvas)
    } else {
        diff::diff(&old, &new, canvas, usize::MAX)
    };
    if lines.is_empty() {
        return Ok(context.out.line(Line::new("They differ only in how lines end.", Style::Dim))?);
    }
    Ok(context.out.lines(&lines)?)
}

/// What is said of files that are no text.
fn apart(from: &Side, to: &Side) -> String {
    let size = |side: &Side| {
        side.bytes.as_ref().map_or_else(|| "no file".into(), |bytes| fold::bytes(bytes.len() as u64))
    };
    format!("They differ, and are no text: {} and {}.", size(from), size(to))
}

/// A diff that `patch` takes.
fn patch(
    context: &mut Context,
    from: &Side,
    to: &Side,
    same: bool,
    texts: (Option<String>, Option<String>),
) -> Result<(), Failure> {
    context.say(&format!("- {}", from.label))?;
    context.say(&format!("+ {}", to.label))?;
    if same {
        return Ok(());
    }
    let (Some(old), Some(new)) = texts else {
        let text = format!("Binary files {} and {} differ\n", from.path, to.path);
        return Ok(context.out.bytes(text.as_bytes())?);
    };
    let name = |side: &Side| if side.bytes.is_some() { side.path.clone() } else { "/dev/null".to_owned() };
    let diff = TextDiff::from_lines(&old, &new);
    let text = diff.unified_diff().header(&name(from), &name(to)).to_string();
    Ok(context.out.bytes(text.as_bytes())?)
}

fn json(
    context: &mut Context,
    from: &Side,
    to: &Side,
    same: bool,
    texts: &(Option<String>, Option<String>),
) -> Result<(), Failure> {
    let hunks = match texts {
        (Some(old), Some(new)) if !same => diff::compare(old, new),
        _ => Vec::new(),
    };
    let side = |side: &Side| DiffSide {
        path: side.path.clone(),
        version: side.version,
        certainty: side.certainty,
        bytes: side.bytes.as_ref().map(|bytes| bytes.len() as u64),
    };
    let hunk = |hunk: diff::Hunk| DiffHunk {
        old_start: hunk.old_start,
        new_start: hunk.new_start,
        lines: hunk.lines,
    };
    let binary = texts.0.is_none() || texts.1.is_none();
    let hunks = hunks.into_iter().map(hunk).collect();
    Ok(context.out.json(&FileDiff { from: side(from), to: side(to), same, binary, hunks })?)
}

/// The text of a side; that of a missing file is empty.
fn text(side: &Side) -> Option<String> {
    let Some(bytes) = &side.bytes else { return Some(String::new()) };
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then(|| text.to_owned())
}

fn side(
    context: &mut Context,
    library: &Library,
    index: &Index,
    args: &DiffArgs,
    text: &str,
    other: Option<&str>,
) -> Result<Side, Failure> {
    let here = |context: &Context| context.env.cwd.as_ref().map_or_else(|| text.into(), |cwd| cwd.join(text));
    let (path, at) = match text.rsplit_once('@') {
        // A name may hold the sign itself.
        Some(_) if here(context).is_file() => return there(context, text),
        Some((path, at)) => (path, at),
        None => return there(context, text),
    };
    let path = match (path.is_empty(), other) {
        (false, _) => path,
        (true, Some(other)) => other,
        (true, None) => {
            return Err(
                Failure::new(Kind::Usage, format!("'{text}' names no file")).hint("PATH@AT names a version")
            );
        }
    };
    let at = which::at(context, library, at)?;
    let picked = args.which.find(context, index, path)?.at(at)?;
    let label = format!(
        "{}  {}",
        context.short_dir(&picked.path),
        told::sentence(context, &picked.version, picked.versions)
    );
    let bytes = match &picked.state {
        State::Held(body) => Some(held(body, &picked.path)?),
        State::Part(part) => {
            context.say(&format!("of {} only these lines are known: {}", picked.path, part.ranges()))?;
            Some(part.text().into_bytes().into())
        }
        State::Absent => None,
        State::Lost | State::Let(_) => {
            let why =
                picked.version.problems.first().cloned().unwrap_or_else(|| "no session tells".to_owned());
            return Err(Failure::new(
                Kind::NothingFound,
                format!("what {} held then is lost: {why}", picked.path),
            ));
        }
    };
    for problem in &picked.version.problems {
        context.say(problem)?;
    }
    Ok(Side {
        path: picked.path,
        label,
        version: Some(picked.version.version),
        certainty: picked.version.certainty,
        bytes,
    })
}

fn held(body: &Body, path: &str) -> Result<Arc<[u8]>, Failure> {
    body.load().ok_or_else(|| {
        Failure::new(Kind::Io, format!("{path} is too large to compare, or its backup cannot be read"))
            .hint("`scrollback files show` prints it")
    })
}

/// A file that was named as it is now.
fn there(context: &Context, path: &str) -> Result<Side, Failure> {
    let side = on_disk(context, path)?;
    match side.bytes {
        Some(_) => Ok(side),
        None => Err(Failure::new(Kind::NothingFound, format!("there is no file {} on disk", side.path))
            .hint(format!("{path}@ is its newest recorded version, {path}@v1 the oldest"))),
    }
}

/// The file as it is now.
fn on_disk(context: &Context, path: &str) -> Result<Side, Failure> {
    let whole = context.env.cwd.as_ref().map_or_else(|| Path::new(path).to_owned(), |cwd| cwd.join(path));
    let name = whole.display().to_string();
    let label = format!("{}  on disk", context.short_path(&whole));
    let bytes = match std::fs::metadata(&whole) {
        Ok(meta) if meta.is_file() => {
            let body = Body::Blob { path: whole, size: meta.len(), mode: None };
            Some(held(&body, &name)?)
        }
        Ok(_) => return Err(Failure::new(Kind::Usage, format!("{name} is no file"))),
        Err(_) => None,
    };
    Ok(Side { path: name, label, version: None, certainty: "disk", bytes })
}
