//! Splitting: two new sessions, of what is before a turn and of what begins with it.

use scrollback_compose::{Id, Source};
use scrollback_format::generation::Generation;
use scrollback_store::Transaction;

use super::copy::{self, Copy};
use super::plan::Plan;
use super::select;
use super::subject::{Subject, short};
use super::trim::{Trim, trimmed};
use crate::error::AppError;
use crate::library::{Library, SessionFiles};

/// Plans a split: turn `at` begins the second session.
pub fn split(
    library: &Library,
    files: &SessionFiles<'_>,
    at: u32,
    generation: Generation,
    command: &[String],
    ids: &mut impl Source,
) -> Result<Plan, AppError> {
    let subject = Subject::of(library, files)?;
    let thread = select::thread(&subject.loaded, 0)?;
    let turns = select::turns(&subject.loaded, thread);
    let count = turns.iter().filter(|turn| turn.number > 0).count() as u64;
    if at == 0 || !turns.iter().any(|turn| turn.number == at) {
        return Err(AppError::OutOfRange { what: "turn", wanted: u64::from(at), count });
    }
    let last = turns.iter().map(|turn| turn.number).filter(|turn| *turn < at).max();
    let Some(last) = last else {
        return Err(AppError::NoEdit {
            why: format!("nothing is before turn {at}"),
            hint: "--at names the turn that the second session begins with".into(),
        });
    };
    let before = subject.load(generation)?;
    let ids = [Id::uuid(ids), Id::uuid(ids)];
    let names = ids.each_ref().map(|id| short(id.as_str()));
    let title = format!("split {} at turn {at} into {} and {}", subject.short(), names[0], names[1]);
    let transaction = Transaction::new(subject.root, title).command(command.iter().cloned());
    let mut plan = Plan::new(transaction);
    let halves = [Trim { upto: Some(last), ..Trim::default() }, Trim { from: Some(at), ..Trim::default() }];
    for (trim, id) in halves.iter().zip(&ids) {
        let mut half = trimmed(&subject, trim)?;
        let copy = Copy::beside(&subject, id.as_str())?;
        copy.rename(&mut half.script, subject.id);
        copy.create(&mut plan, &half.script, generation)?;
        copy.carry(&mut plan, &subject, &half.script)?;
    }
    copy::check(&mut plan, &before);
    plan.loads_now(before);
    Ok(plan)
}
