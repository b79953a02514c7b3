//! Forking: a new session with the same conversation, or with its beginning.

use std::path::PathBuf;

use scrollback_compose::surgery::Script;
use scrollback_compose::{Id, IdSource};
use scrollback_format::folder::{self, FolderRule};
use scrollback_format::generation::Generation;
use scrollback_store::{Place, Transaction};

use super::copy::{self, SessionCopy};
use super::footprint::generation;
use super::number::{count, plural};
use super::plan::EditPlan;
use super::select::{self, Point};
use super::subject::{Subject, short};
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles};

/// What becomes of a copy that ends where the client had no more room.
const FULL: &str = "the client compacted here automatically: the copy is as full as the session was then, and the client may compact it \
                    again right away; use `trim` to make room";

/// How a title gets into the list of a client that knows no custom titles.
const SUMMARY: &str = "the client of this session has no custom titles: the title is also written as a summary, which that client lists, and \
                       the copied lines get new ids";

/// How to fork.
#[derive(Debug, Clone)]
pub struct Fork {
    /// Up to where; all if none.
    pub at: Option<Point>,
    /// Which conversation: 0 is the live one, `n` the n-th branch.
    pub branch: u64,
    /// The directory that it goes to, as its real path; the same one if none.
    pub to: Option<PathBuf>,
    /// Name the origin on every line, as `/branch` does; else nothing tells, as after `--fork-session`.
    pub mark: bool,
    /// Give lines ids of their own.
    pub fresh_ids: bool,
    /// Take the agents along.
    pub agents: bool,
    /// Take the checkpoints of files along.
    pub files: bool,
    /// The title of the new session.
    pub title: Option<String>,
    /// The client whose loading is shown before and after.
    pub generation: Generation,
    /// The command as it was typed.
    pub command: Vec<String>,
}

/// Plans a fork.
pub fn fork(
    library: &Library,
    files: &SessionFiles<'_>,
    fork: &Fork,
    ids: &mut impl IdSource,
) -> Result<EditPlan, AppError> {
    let subject = Subject::of(library, files)?;
    let mut script = subject.script();
    let mut notes = Vec::new();
    let mut leaf = subject
        .loaded
        .anatomy
        .threads
        .live()
        .map(|live| subject.loaded.transcript.row(live.leaf).line.into());
    if fork.at.is_some() || fork.branch > 0 {
        let selection = select::up_to(&subject.loaded, fork.branch, fork.at.as_ref())?;
        script.drop_lines(&selection.gone);
        leaf = selection.leaf;
        let relinked = script.relink(selection.leaf);
        notes.push(format!(
            "{} of {} are not copied",
            count(relinked.gone),
            plural(subject.loaded.transcript.lines, "line")
        ));
        if let Some(Point::BeforeCompaction(number)) = fork.at
            && select::was_automatic(&subject.loaded, fork.branch, number)?
        {
            notes.push(FULL.to_owned());
        }
    }
    let id = Id::uuid(ids);
    let mut copy = SessionCopy::beside(&subject, id.as_str())?;
    copy.mark = fork.mark;
    (copy.agents, copy.files) = (fork.agents, fork.files);
    copy.title = fork.title.as_deref();
    if let Some(to) = &fork.to {
        move_to(&mut copy, &subject, to)?;
    }
    // The mark names the ids that the lines have in the original.
    copy.rename(&mut script, subject.id);
    let listed = fork.title.as_deref().filter(|_| generation(&subject.loaded.facts) < Generation::V2_1_9);
    if fork.fresh_ids || listed.is_some() {
        copy.fresh = script.fresh_ids(ids);
    }
    if let Some(title) = listed {
        notes.extend(list(&mut script, title, leaf));
    }
    let title = format!("fork {} into {}", subject.short(), short(id.as_str()));
    let transaction = Transaction::new(subject.root, title).command(fork.command.iter().cloned());
    let mut plan = EditPlan::new(transaction);
    let before = subject.load(fork.generation)?;
    copy.name_agents(&plan, &subject, &mut script, ids);
    copy.create(&mut plan, &script, fork.generation)?;
    copy.carry(&mut plan, &subject, &script)?;
    notes.into_iter().for_each(|note| plan.note(note));
    odd_lines(&mut plan, &script);
    copy::check(&mut plan, &before);
    plan.loads_now(before);
    Ok(plan)
}

/// Clients without custom titles list what a summary says of a line: a copy that shared that line with the original would have
/// its title, so this is for copies whose lines have ids of their own. Says what it did.
fn list(script: &mut Script, title: &str, leaf: Option<u64>) -> Option<String> {
    let leaf = script.id_at(leaf?)?;
    script.summarize(title, &leaf);
    Some(SUMMARY.to_owned())
}

/// Lines that are no JSON keep the old names.
pub(super) fn odd_lines(plan: &mut EditPlan, script: &Script) {
    let odd = script.odd() as u64;
    if odd > 0 {
        let what = if odd == 1 { "is not a valid JSON object" } else { "are not valid JSON objects" };
        plan.note(format!("{} {what}; kept unchanged", plural(odd, "line")));
    }
}

fn move_to(copy: &mut SessionCopy<'_>, subject: &Subject<'_>, to: &std::path::Path) -> Result<(), AppError> {
    let text = to.to_str().ok_or_else(|| AppError::NoEdit {
        why: format!("{} is not UTF-8", to.display()),
        hint: "use a directory with a UTF-8 name".into(),
    })?;
    let name = folder::encode(text, FolderRule::ALL[0]);
    copy.folder = Place::new("projects")?.join(&name)?;
    copy.moved = subject.directory().map(|from| (from, text.to_owned()));
    copy.directory = Some(text.to_owned());
    Ok(())
}
