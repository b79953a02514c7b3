//! Removing sessions: everything of the store that belongs to them, to the trash.

use std::collections::BTreeMap;
use std::path::PathBuf;

use scrollback_compose::relocate::take_from_index;
use scrollback_format::area::{Area, ProjectFile};
use scrollback_format::generation::Generation;
use scrollback_store::belonging::{self, Belonging};
use scrollback_store::journal::Op;
use scrollback_store::walk::narrow;
use scrollback_store::{Root, Transaction, small, stamp};

use super::footprint::{flat_agents, guard, job_state, root_of, set_aside};
use super::plan::EditPlan;
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles};

/// An index of sessions is small; a larger file of its name is none.
pub(super) const INDEX: u64 = 64 << 20;

/// Plans to remove sessions with all that belongs to them. Lines of the prompt history stay.
pub fn remove(
    library: &Library,
    sessions: &[SessionFiles<'_>],
    command: Vec<String>,
) -> Result<EditPlan, AppError> {
    let root = root_of(library, sessions)?;
    let title = match sessions {
        [one] => format!("remove session {}", one.id),
        several => format!("remove {} sessions", several.len()),
    };
    let mut plan = EditPlan::new(Transaction::new(root, title).command(command));
    let mut folders: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let mut all: Vec<Belonging> = Vec::new();
    for files in sessions {
        let loaded = library.load(files, Generation::NEWEST).ok();
        plan.transaction.guard(guard(files, loaded.as_ref().map(|loaded| &loaded.facts)));
        let shared = has_twin(root, sessions, files);
        if shared {
            plan.note(format!(
                "session {} has another transcript file: everything else that belongs to the session is kept",
                files.id
            ));
        }
        for own in belongings(library, root, files) {
            let stays = shared && own.area != Area::Projects;
            if !stays && all.iter().all(|known| known.path != own.path) {
                all.push(own);
            }
        }
        folders.entry(files.folder).or_default().push(files.id.as_str());
    }
    for own in &all {
        let place = plan.transaction.place(&own.path)?;
        plan.weighs(&place, own.files, own.bytes);
        // A folder is judged by the journal; of a file it is known what was read.
        let expected = if own.path.is_file() { stamp::take(&own.path).ok() } else { None };
        plan.transaction.push(Op::Remove { path: place, expected });
    }
    for (folder, ids) in folders {
        unlist(library, folder, &ids, &mut plan)?;
    }
    Ok(plan)
}

/// Is there another file with the session's id that stays?
fn has_twin(root: &Root, sessions: &[SessionFiles<'_>], files: &SessionFiles<'_>) -> bool {
    let stays = |path: &PathBuf| !sessions.iter().any(|goes| goes.found.path == *path);
    narrow::with_id(root, files.id.as_str()).iter().any(stays)
}

/// Everything of the store that is a session's.
fn belongings(library: &Library, root: &Root, files: &SessionFiles<'_>) -> Vec<Belonging> {
    let id = files.id.as_str();
    let (_, folder) = library.folder(files.folder);
    let mut all = belonging::belongings(root, id, &files.found.path);
    all.retain(|own| own.area != Area::Jobs || job_state(root, id).is_some());
    let flat = flat_agents(folder).into_iter().filter(|(_, head)| head.session.as_deref() == Some(id));
    let beside: Vec<PathBuf> = flat.map(|(path, _)| path).chain(set_aside(folder, id)).collect();
    all.extend(beside.into_iter().map(|path| {
        let bytes = stamp::look(&path).map_or(0, |look| look.size);
        Belonging { area: Area::Projects, path, files: 1, bytes }
    }));
    all
}

/// Takes sessions out of the index that one generation keeps in their folder.
fn unlist(library: &Library, folder: usize, ids: &[&str], plan: &mut EditPlan) -> Result<(), AppError> {
    let (_, folder) = library.folder(folder);
    let index = folder.files.iter().find(|found| found.file == ProjectFile::SessionsIndex);
    let Some(index) = index else { return Ok(()) };
    let expected = stamp::take(&index.path)?;
    let (bytes, more) = small::read(&index.path, INDEX)?;
    let taken = take_from_index(&bytes, |id| ids.contains(&id));
    if let Some(rest) = taken.rest.filter(|_| !more) {
        let place = plan.transaction.place(&index.path)?;
        plan.transaction.replace(place, expected, rest);
    }
    Ok(())
}
