//! Moving a session or a project to another directory: folder names, the fields of lines that name a place, the prompt
//! history, the client's settings. What was said in conversations stays as it is.
//!
//! All changes are one transaction, so a move is made whole or not at all. What is rewritten is told in
//! docs/edit-places.md.

mod folders;
mod indexes;
mod places;
mod rewrite;
mod survey;

use std::path::Path;
use std::sync::Arc;

use memchr::memmem::Finder;
use scrollback_compose::relocate::Relocation;
use scrollback_store::Transaction;

use self::folders::Moves;
use self::rewrite::Change;
use super::footprint::root_of;
use super::number::plural;
use super::plan::EditPlan;
use scrollback_session::error::{AppError, refuse};
use scrollback_session::library::{Library, SessionFiles};

/// The index of sessions that clients of one generation keep in each project folder.
const SESSIONS_INDEX: &str = "sessions-index.json";

/// Plans to move one session to a directory: absolute and free of links, whether it is there or not.
pub fn move_session(
    library: &Library,
    files: &SessionFiles<'_>,
    to: &str,
    command: Vec<String>,
) -> Result<EditPlan, AppError> {
    let to = directory(to)?;
    let root = root_of(library, std::slice::from_ref(files))?;
    let (leaving, from) = survey::of_session(library, files, &to)?;
    if from == to {
        return Err(AppError::NothingToEdit(format!("session {} is already stored under {to}", files.id)));
    }
    let relocation = Relocation::new(&from, &to);
    let title = format!("move session {} from {from} to {to}", files.id);
    let mut plan = EditPlan::new(Transaction::new(root, title).command(command));
    let mut moves = Moves::new(root, &relocation);
    moves.folder(&mut plan, &leaving)?;
    let lines = moves.rewrite(&mut plan, std::slice::from_ref(&leaving))?;
    places::jobs(&mut plan, root, &relocation, &leaving)?;
    let history = places::history(&mut plan, root, &relocation, Some(files.id.as_str()))?;
    note(&mut plan, 1, lines, history);
    warn_missing(&mut plan, &to);
    Ok(plan)
}

/// Plans to move a project: every session that is at home in the old directory or below it, and all that goes with it.
pub fn move_project(
    library: &Library,
    from: &str,
    to: &str,
    command: Vec<String>,
) -> Result<EditPlan, AppError> {
    let (from, to) = (directory(from)?, directory(to)?);
    let [root] = library.roots.as_slice() else {
        return Err(refuse("a project can only be moved within one store", "choose one with --root DIR"));
    };
    if from == "/" {
        return Err(refuse(
            "/ contains every project",
            "use `scrollback move SESSION --to DIR` to move one session",
        ));
    }
    if from == to {
        return Err(AppError::NothingToEdit("the two directories are the same".to_owned()));
    }
    let relocation = Relocation::new(&from, &to);
    let mut leaving = Vec::new();
    for number in 0..library.folders.len() {
        leaving.extend(survey::of_project(library, number, &relocation, &from)?);
    }
    let title = format!("move project {from} to {to}");
    let mut plan = EditPlan::new(Transaction::new(root, title).command(command));
    let mut moves = Moves::new(root, &relocation);
    let sessions = leaving.iter().map(|leaving| leaving.sessions.len() as u64).sum();
    for at in folders::order(&leaving) {
        moves.folder(&mut plan, &leaving[at])?;
    }
    let lines = moves.rewrite(&mut plan, &leaving)?;
    for leaving in &leaving {
        places::jobs(&mut plan, root, &relocation, leaving)?;
    }
    let history = places::history(&mut plan, root, &relocation, None)?;
    places::settings(&mut plan, root, &relocation)?;
    if plan.transaction.ops().is_empty() {
        return Err(AppError::NothingToEdit(format!("nothing in the store belongs to {from}")));
    }
    note(&mut plan, sessions, lines, history);
    warn_missing(&mut plan, &to);
    Ok(plan)
}

/// A directory as clients record it: absolute, in plain parts, on one line.
fn directory(path: &str) -> Result<String, AppError> {
    let hint = "use an absolute path";
    if path.chars().any(char::is_control) {
        return Err(refuse("the directory name contains control characters", hint));
    }
    let drive = path.as_bytes().get(1) == Some(&b':');
    if !path.starts_with('/') && !drive {
        return Err(refuse(format!("'{path}' is not an absolute path"), hint));
    }
    if path.split(['/', '\\']).any(|part| part == "..") || path.split('/').any(|part| part == ".") {
        return Err(refuse(format!("'{path}' contains . or .."), hint));
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    Ok(if drive { path.trim_end_matches(['/', '\\']).to_owned() } else { format!("/{}", parts.join("/")) })
}

/// What becomes of a line; most lines do not hold the path at all, and are not taken apart.
fn change(
    relocation: &Relocation,
    line: impl Fn(&Relocation, &[u8]) -> Option<Vec<u8>> + Send + Sync + 'static,
) -> Change {
    let relocation = relocation.clone();
    let finder = Finder::new(relocation.needle()).into_owned();
    Arc::new(move |bytes: &[u8]| finder.find(bytes).and_then(|_| line(&relocation, bytes)))
}

fn note(plan: &mut EditPlan, sessions: u64, lines: u64, history: u64) {
    let mut text = format!("moves {}, rewrites {}", plural(sessions, "session"), plural(lines, "line"));
    if history > 0 {
        text.push_str(&format!(" and {} of the prompt history", plural(history, "line")));
    }
    plan.note(text);
    plan.note("only fields that record a path are rewritten; conversations are not changed");
}

fn warn_missing(plan: &mut EditPlan, to: &str) {
    if !Path::new(to).is_dir() {
        plan.warn(format!("{to} does not exist: create it before you resume the session"));
    }
}
