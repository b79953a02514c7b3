//! Merging: a new session of two, the second one's beginning hung on the first one's end.

use scrollback_compose::surgery::Seam;
use scrollback_compose::{Id, IdSource};
use scrollback_format::generation::Generation;
use scrollback_model::thread::Thread;
use scrollback_store::Transaction;

use super::copy::{self, SessionCopy};
use super::fork::odd_lines;
use super::plan::EditPlan;
use super::subject::{Subject, short};
use scrollback_session::error::{AppError, refuse};
use scrollback_session::library::{Library, SessionFiles};
use scrollback_session::resume::view::ResumeOutcome;

/// How to merge.
#[derive(Debug, Clone, Default)]
pub struct Merge {
    /// The title of the new session; that of the first one if none.
    pub title: Option<String>,
    /// The client whose loading is shown before and after; the newest if none.
    pub generation: Option<Generation>,
    /// The command as it was typed.
    pub command: Vec<String>,
}

/// Plans a merge of two sessions of one store.
pub fn merge(
    library: &Library,
    pair: [&SessionFiles<'_>; 2],
    merge: &Merge,
    ids: &mut impl IdSource,
) -> Result<EditPlan, AppError> {
    let [first, second] = [Subject::of(library, pair[0])?, Subject::of(library, pair[1])?];
    if first.root.path() != second.root.path() {
        return Err(refuse(
            "the two sessions are in different stores",
            "only sessions of the same store can be merged",
        ));
    }
    let [mut script, mut tail] = [first.script(), second.script()];
    if first.path == second.path || script.overlaps(&tail) {
        return Err(refuse(
            "the sessions share lines: one is a copy of the other",
            "use `trim --from` to remove the shared turns from the second, then merge",
        ));
    }
    let id = Id::uuid(ids);
    let mut copy = SessionCopy::beside(&first, id.as_str())?;
    copy.rename(&mut script, first.id);
    copy.rename(&mut tail, second.id);
    let is_entitled = script.is_entitled();
    let joint = Seam { end: end(&first)?, begin: beginning(&second)? };
    script.join(tail, &joint);
    copy.fresh = script.fresh_ids(ids);
    if let Some(title) = &merge.title {
        copy.title = Some(title);
        script.entitle(title, id.as_str());
    }
    let title = format!("merge {} and {} into {}", first.short(), second.short(), short(id.as_str()));
    let transaction = Transaction::new(first.root, title).command(merge.command.iter().cloned());
    let mut plan = EditPlan::new(transaction);
    let generation = merge.generation.unwrap_or(Generation::NEWEST);
    let loads = [first.load(generation)?, second.load(generation)?];
    copy.name_agents(&plan, &first, &mut script, ids);
    copy.name_agents(&plan, &second, &mut script, ids);
    copy.create(&mut plan, &script, generation)?;
    copy.carry(&mut plan, &first, &script)?;
    // The first one's title counts, and its sidecar with it.
    if is_entitled {
        copy.title = copy.title.or(Some(""));
    }
    copy.carry(&mut plan, &second, &script)?;
    odd_lines(&mut plan, &script);
    tell(&mut plan, &first, &second);
    let good = if loads[0].outcome == ResumeOutcome::Loaded { &loads[0] } else { &loads[1] };
    copy::check(&mut plan, good);
    loads.into_iter().for_each(|load| plan.loads_now(load));
    Ok(plan)
}

/// What may surprise.
fn tell(plan: &mut EditPlan, first: &Subject<'_>, second: &Subject<'_>) {
    if let [Some(here), Some(there)] = [first.directory(), second.directory()]
        && here != there
    {
        plan.note(format!("lines of the second session keep their recorded directory {there}"));
    }
    let span = |subject: &Subject<'_>| subject.loaded.facts.span;
    if let (Some((_, end)), Some((begin, _))) = (span(first), span(second))
        && begin < end
    {
        plan.warn(
            "the second session starts before the first one ends: clients before 2.1.200 resume from the latest line",
        );
    }
}

/// The line that a conversation ends with.
fn end(subject: &Subject<'_>) -> Result<Id, AppError> {
    let leaf = live(subject)?.leaf;
    let id = subject.loaded.transcript.row(leaf).id.filter(|id| !id.is_derived());
    id.map(|id| Id::from(id.to_string())).ok_or_else(|| nothing(subject))
}

/// The line that a conversation begins with.
fn beginning(subject: &Subject<'_>) -> Result<u64, AppError> {
    let live = live(subject)?;
    let first = live.rows.first().copied().unwrap_or(live.leaf);
    Ok(u64::from(subject.loaded.transcript.row(first).line))
}

fn live<'s>(subject: &'s Subject<'_>) -> Result<&'s Thread, AppError> {
    subject.loaded.anatomy.threads.live().ok_or_else(|| nothing(subject))
}

fn nothing(subject: &Subject<'_>) -> AppError {
    AppError::NothingToEdit(format!("session {} has no messages", subject.short()))
}
