//! Splitting: two new sessions, of what is before a turn and of what begins with it.

use scrollback_compose::{Id, IdSource};
use scrollback_format::generation::Generation;
use scrollback_store::Transaction;

use super::copy::{self, SessionCopy};
use super::fork::odd_lines;
use super::halves::halves;
use super::number::plural;
use super::plan::EditPlan;
use super::subject::{Subject, short};
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles};

/// How to split.
#[derive(Debug, Clone, Default)]
pub struct Split {
    /// The turn that the second session begins with.
    pub at: u32,
    /// The titles of the two sessions.
    pub titles: Option<[String; 2]>,
    /// The client whose loading is shown before and after; the newest if none.
    pub generation: Option<Generation>,
    /// The command as it was typed.
    pub command: Vec<String>,
}

/// Plans a split.
pub fn split(
    library: &Library,
    files: &SessionFiles<'_>,
    split: &Split,
    ids: &mut impl IdSource,
) -> Result<EditPlan, AppError> {
    let subject = Subject::of(library, files)?;
    let generation = split.generation.unwrap_or(Generation::NEWEST);
    let [first, second] = halves(&subject.loaded, split.at)?;
    let names = [Id::uuid(ids), Id::uuid(ids)];
    let [one, other] = names.each_ref().map(|id| short(id.as_str()));
    let title = format!("split {} at turn {} into {one} and {other}", subject.short(), split.at);
    let transaction = Transaction::new(subject.root, title).command(split.command.iter().cloned());
    let mut plan = EditPlan::new(transaction);
    let before = subject.load(generation)?;
    let mut halves = Vec::new();
    for (at, (selection, id)) in [&first, &second].into_iter().zip(&names).enumerate() {
        let mut script = subject.script();
        script.drop_lines(&selection.gone);
        script.keep_preserved();
        script.uproot(selection.leaf);
        if !script.speaks() {
            return Err(AppError::NoEdit {
                why: format!("no messages before turn {}", split.at),
                hint: "use the number of the turn that the second session starts with".into(),
            });
        }
        let mut copy = SessionCopy::beside(&subject, id.as_str())?;
        copy.title = split.titles.as_ref().map(|titles| titles[at].as_str());
        copy.rename(&mut script, subject.id);
        copy.fresh = script.fresh_ids(ids);
        halves.push((copy, script));
    }
    for (mut copy, mut script) in halves {
        copy.name_agents(&plan, &subject, &mut script, ids);
        copy.create(&mut plan, &script, generation)?;
        copy.carry(&mut plan, &subject, &script)?;
    }
    if first.branches > 0 {
        plan.note(format!("{} stay in the original only", plural(first.branches, "branch")));
    }
    odd_lines(&mut plan, &subject.script());
    copy::check(&mut plan, &before);
    plan.loads_now(before);
    Ok(plan)
}
