//! Merging: a new session of two, the second one's beginning hung on the first one's end.

use scrollback_compose::{Id, Source};
use scrollback_format::generation::Generation;
use scrollback_store::Transaction;

use super::copy::{self, Copy};
use super::fork::odd_lines;
use super::plan::Plan;
use super::select;
use super::subject::{Subject, short};
use crate::error::AppError;
use crate::library::{Library, SessionFiles};

/// Plans a merge of two sessions of one store.
pub fn merge(
    library: &Library,
    pair: [&SessionFiles<'_>; 2],
    generation: Generation,
    title: Option<&str>,
    command: &[String],
    ids: &mut impl Source,
) -> Result<Plan, AppError> {
    let [first, second] = [Subject::of(library, pair[0])?, Subject::of(library, pair[1])?];
    if first.root.path() != second.root.path() {
        return Err(AppError::NoEdit {
            why: "the two sessions are in different stores".into(),
            hint: "an edit is made to one store".into(),
        });
    }
    let [mut script, mut tail] = [first.script(), second.script()];
    if script.shares_messages(&tail) {
        return Err(AppError::NoEdit {
            why: "both sessions hold some of the same messages: one is a copy of the other".into(),
            hint: "trim the second to what is its own (`trim --from`), then merge".into(),
        });
    }
    let id = Id::uuid(ids);
    let mut copy = Copy::beside(&first, id.as_str())?;
    copy.rename(&mut script, first.id);
    copy.rename(&mut tail, second.id);
    script.fresh_ids(ids);
    tail.fresh_ids(ids);
    let (end, leaf) = (leaf(&first)?, leaf(&second)?);
    let end = script.id_at(end).ok_or_else(|| nothing(&first))?;
    tail.hang_on(&end);
    let lines = script.last_number();
    script.append(tail);
    script.go_on_from(lines + leaf);
    copy.title = title;
    if let Some(title) = title {
        script.entitle(title, id.as_str());
    }
    let words = format!("merge {} and {} into {}", first.short(), second.short(), short(id.as_str()));
    let transaction = Transaction::new(first.root, words).command(command.iter().cloned());
    let mut plan = Plan::new(transaction);
    let loads = [first.load(generation)?, second.load(generation)?];
    copy.create(&mut plan, &script, generation)?;
    copy.carry(&mut plan, &first, &script)?;
    copy.carry(&mut plan, &second, &script)?;
    odd_lines(&mut plan, &script);
    let span = |subject: &Subject<'_>| subject.loaded.facts.span;
    if let (Some((_, end)), Some((begin, _))) = (span(&first), span(&second))
        && begin < end
    {
        plan.warn(
            "the second session begins before the first one ends: clients before 2.1.200 go on from the latest line",
        );
    }
    let good = if loads[0].outcome == "loaded" { &loads[0] } else { &loads[1] };
    copy::check(&mut plan, good);
    loads.into_iter().for_each(|load| plan.loads_now(load));
    Ok(plan)
}

/// The line that a conversation goes on from.
fn leaf(subject: &Subject<'_>) -> Result<u64, AppError> {
    let thread = select::thread(&subject.loaded, 0).map_err(|_| nothing(subject))?;
    let row = subject.loaded.anatomy.threads.threads[thread].leaf;
    Ok(u64::from(subject.loaded.transcript.row(row).line))
}

fn nothing(subject: &Subject<'_>) -> AppError {
    AppError::NothingToEdit(format!("session {} holds no conversation", subject.short()))
}
