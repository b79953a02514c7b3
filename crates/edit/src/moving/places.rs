//! What else of the store names a place: the prompt history, the client's settings, background jobs.

use scrollback_compose::relocate::{Relocation, config};
use scrollback_format::json::{Tape, Value, quoted, replace_field};
use scrollback_store::{Disk, Place, Root, small, stamp};

use super::change;
use super::rewrite::Rewrite;
use super::survey::Leaving;
use crate::footprint::job_state;
use crate::lock::CONFIG;
use crate::plan::EditPlan;
use scrollback_session::error::AppError;

/// Settings grow with the projects; a larger file is none.
const SETTINGS: u64 = 256 << 20;

/// Rewrites the lines of the prompt history, of one session alone if one is given; how many.
pub(super) fn history(
    plan: &mut EditPlan,
    root: &Root,
    relocation: &Relocation,
    session: Option<&str>,
) -> Result<u64, AppError> {
    let path = root.history();
    if !stamp::is_there(&path) {
        return Ok(0);
    }
    if stamp::is_link(&path) {
        plan.warn("the prompt history is a symbolic link and is not changed");
        return Ok(0);
    }
    let session = session.map(str::to_owned);
    let change =
        change(relocation, move |relocation, line| relocation.history_line(line, session.as_deref()));
    let Some(rewrite) = Rewrite::of(&path, &change)? else { return Ok(0) };
    let lines = rewrite.lines;
    let place = plan.transaction.place(&path)?;
    plan.transaction.push(rewrite.at(place));
    Ok(lines)
}

/// Moves the project's entries in the client's settings, in the root and beside it.
pub(super) fn settings(plan: &mut EditPlan, root: &Root, relocation: &Relocation) -> Result<(), AppError> {
    let beside = Place::config_beside();
    for place in [Place::new(CONFIG)?, beside.clone()] {
        let own = place == beside;
        // Beside any other directory the file would be another store's.
        if own && root.path().file_name().is_none_or(|name| name != ".claude") {
            continue;
        }
        let (disk, above) = (Disk::real(), root.path().parent());
        let (named, real) = match (own, above) {
            (false, _) => (root.path().join(CONFIG), root.path().join(CONFIG)),
            (true, None) => continue,
            (true, Some(above)) => (above.join(CONFIG), place.resolve(&disk, &disk.real_path(root.path())?)?),
        };
        if !stamp::is_there(&named) {
            continue;
        }
        let same = stamp::look(&named).map(|look| look.inode) == stamp::look(&real).map(|look| look.inode);
        if stamp::is_link(&named) || !same {
            plan.warn(format!("{} is a symbolic link and is not changed", named.display()));
            continue;
        }
        let expected = stamp::take(&real)?;
        let (bytes, more) = small::read(&real, SETTINGS)?;
        let changed = config(&bytes, relocation);
        if let Some(changed_bytes) = changed.bytes.filter(|_| !more) {
            // With a time of its own: by that a client knows that it has to read the file again.
            plan.transaction.replace(place, expected, changed_bytes);
        }
        for kept in changed.kept {
            plan.note(format!(
                "{CONFIG} already has an entry for the new directory; the entry for {kept} is kept"
            ));
        }
    }
    Ok(())
}

/// Rewrites the state of the background jobs of sessions that move.
pub(super) fn jobs(
    plan: &mut EditPlan,
    root: &Root,
    relocation: &Relocation,
    leaving: &Leaving<'_>,
) -> Result<(), AppError> {
    for (session, target) in &leaving.sessions {
        let Some(path) = job_state(root, session) else { continue };
        let expected = stamp::take(&path)?;
        let (bytes, _) = small::read(&path, 1 << 20)?;
        let moved = relocation.line(&bytes).unwrap_or_else(|| bytes.clone());
        let moved = scanned(moved, &leaving.folder.name, target);
        if moved != bytes {
            plan.rewrite(plan.transaction.place(&path)?, expected, moved);
        }
    }
    Ok(())
}

/// The file that a job has scanned for links is in the session's folder.
fn scanned(state: Vec<u8>, folder: &str, target: &str) -> Vec<u8> {
    let mut tape = Tape::new();
    let path = tape.scan(&state).ok().and_then(|_| tape.root(&state)?.get("linkScanPath"));
    let Some(path) = path.and_then(Value::text).map(|text| text.decode().into_owned()) else { return state };
    let mut parts: Vec<&str> = path.split('/').collect();
    match parts.as_mut_slice() {
        [.., place, _] if *place == folder => *place = target,
        _ => return state,
    }
    replace_field(&state, &["linkScanPath"], &quoted(&parts.join("/"))).unwrap_or(state)
}
