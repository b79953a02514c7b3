//! Renaming a session: the title as its own client writes it, so that the client's list shows it.

use scrollback_compose::note::{title_file, title_lines};
use scrollback_compose::relocate::entitled_index;
use scrollback_format::area::ProjectFile;
use scrollback_format::generation::Generation;
use scrollback_format::json::{quoted, set_field};
use scrollback_store::journal::Op;
use scrollback_store::{Transaction, small, stamp};

use super::footprint::{generation, guard, root_of};
use super::plan::EditPlan;
use super::remove::INDEX;
use scrollback_session::error::{AppError, refuse};
use scrollback_session::library::{Library, SessionFiles, session_dir, sidecar_title};
use scrollback_session::loaded::Loaded;

/// Longer than any title that a list could show.
const LONGEST: usize = 1000;

/// Plans to give a session a title. The file keeps its time: clients list and clean up by it.
pub fn rename(
    library: &Library,
    files: &SessionFiles<'_>,
    title: &str,
    command: Vec<String>,
) -> Result<EditPlan, AppError> {
    let title = title.trim();
    check(title)?;
    let root = root_of(library, std::slice::from_ref(files))?;
    let expected = stamp::take(&files.found.path)?;
    let loaded = library.load(files, Generation::NEWEST)?;
    let generation = generation(&loaded.facts);
    let has_sidecar = sidecar_title(&files.found.path).is_some();
    if loaded.transcript.custom_title.as_deref() == Some(title) {
        return Err(AppError::NothingToEdit(format!(
            "the title of session {} is already '{title}'",
            files.id
        )));
    }
    let leaf = leaf(&loaded);
    let lines = title_lines(generation, files.id.as_str(), title, leaf.as_deref());
    let transaction = Transaction::new(root, format!("rename session {} to '{title}'", files.id));
    let mut plan = EditPlan::new(transaction.command(command));
    plan.transaction.guard(guard(files, Some(&loaded.facts)));
    let place = plan.transaction.place(&files.found.path)?;
    let mtime_ns = Some(expected.mtime_ns);
    plan.transaction.push(Op::Append { path: place, expected, bytes: lines, mtime_ns });
    if generation >= Generation::V2_1_325 || has_sidecar {
        sidecar(files, title, &mut plan)?;
    }
    list(library, files, title, &mut plan)?;
    if let Some(old) = &loaded.facts.title {
        plan.note(format!("old title: '{}'", old.text));
    }
    if generation < Generation::V2_1_9 {
        plan.note(
            "the client of this session does not support custom titles; the title is also written as a summary, which that client shows",
        );
    }
    Ok(plan)
}

/// A title is one line of text.
fn check(title: &str) -> Result<(), AppError> {
    let why = if title.is_empty() {
        "a title cannot be empty"
    } else if title.chars().any(char::is_control) {
        "a title must be one line without control characters"
    } else if title.chars().count() > LONGEST {
        "a title can have at most 1,000 characters"
    } else {
        return Ok(());
    };
    Err(refuse(why, "put it in quotes: scrollback rename SESSION 'a new title'"))
}

/// The id of the last entry of the live thread.
fn leaf(loaded: &Loaded) -> Option<String> {
    let live = loaded.anatomy.threads.live()?;
    let id = loaded.transcript.row(live.leaf).id.filter(|id| !id.is_derived())?;
    Some(id.to_string())
}

/// One generation keeps an index of sessions, and reads a file again only if its time has changed.
fn list(
    library: &Library,
    files: &SessionFiles<'_>,
    title: &str,
    plan: &mut EditPlan,
) -> Result<(), AppError> {
    let (_, folder) = library.folder(files.folder);
    let index = folder.files.iter().find(|found| found.file == ProjectFile::SessionsIndex);
    let Some(index) = index else { return Ok(()) };
    let expected = stamp::take(&index.path)?;
    let (bytes, more) = small::read(&index.path, INDEX)?;
    if let Some(changed) = entitled_index(&bytes, files.id.as_str(), title).filter(|_| !more) {
        let place = plan.transaction.place(&index.path)?;
        plan.transaction.replace(place, expected, changed);
    }
    Ok(())
}

/// The newest clients keep the title in a small file as well.
fn sidecar(files: &SessionFiles<'_>, title: &str, plan: &mut EditPlan) -> Result<(), AppError> {
    let Some(path) = session_dir(&files.found.path).map(|dir| dir.join("custom-title.json")) else {
        return Ok(());
    };
    let place = plan.transaction.place(&path)?;
    if stamp::look(&path).is_none() {
        plan.transaction.folders_for(&place);
        plan.transaction.create(place, title_file(title));
        return Ok(());
    }
    let expected = stamp::take(&path)?;
    let (bytes, _) = small::read(&path, 1 << 20)?;
    // What else it holds stays; one that is broken is written anew.
    let changed = set_field(&bytes, &["customTitle"], &quoted(title)).unwrap_or_else(|_| title_file(title));
    plan.transaction.replace(place, expected, changed);
    Ok(())
}
