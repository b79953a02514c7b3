//! Trimming: turns, tool calls, thinking, images or dead weight go; the rest is linked together again.

use std::ops::RangeInclusive;

use scrollback_compose::surgery::{BlockKinds, Script};
use scrollback_compose::{Id, IdSource};
use scrollback_format::generation::Generation;
use scrollback_store::Transaction;

use super::copy::{self, SessionCopy};
use super::fork::odd_lines;
use super::load::SessionLoad;
use super::number::{count, plural};
use super::plan::EditPlan;
use super::select::{self, KeptOfTurn, Selection};
use super::subject::{Subject, short};
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles};

/// What to remove.
#[derive(Debug, Clone, Default)]
pub struct Trim {
    /// All turns before this one.
    pub from: Option<u32>,
    /// All turns after this one.
    pub upto: Option<u32>,
    /// These turns.
    pub drop: Vec<RangeInclusive<u32>>,
    /// Blocks of these kinds.
    pub blocks: BlockKinds,
    /// What no reader needs: progress, earlier copies of lines, stored API requests.
    pub slim: bool,
    /// Replace the file of the session instead of making a new session.
    pub in_place: bool,
    /// The title of the new session.
    pub title: Option<String>,
    /// The client whose loading is shown before and after; the newest if none.
    pub generation: Option<Generation>,
    /// The command as it was typed.
    pub command: Vec<String>,
}

impl Trim {
    fn generation(&self) -> Generation {
        self.generation.unwrap_or(Generation::NEWEST)
    }

    fn keep(&self, turn: u32) -> KeptOfTurn {
        let outside = self.from.is_some_and(|from| turn < from) || self.upto.is_some_and(|upto| turn > upto);
        match self.drop.iter().any(|range| range.contains(&turn)) {
            _ if outside => KeptOfTurn::None,
            true => KeptOfTurn::Compaction,
            false => KeptOfTurn::All,
        }
    }

    /// Are there turns that go?
    fn by_turn(&self) -> bool {
        self.from.is_some() || self.upto.is_some() || !self.drop.is_empty()
    }
}

/// What was taken out of a session's lines.
pub(super) struct Trimmed {
    pub script: Script,
    pub notes: Vec<String>,
}

/// Plans a trimming.
pub fn trim(
    library: &Library,
    files: &SessionFiles<'_>,
    trim: &Trim,
    ids: &mut impl IdSource,
) -> Result<EditPlan, AppError> {
    let subject = Subject::of(library, files)?;
    let mut trimmed = trimmed(&subject, trim)?;
    if trimmed.script.bytes() == Script::parse(&subject.bytes).bytes() {
        return Err(AppError::NothingToEdit("nothing to remove".into()));
    }
    let before = subject.load(trim.generation())?;
    let mut plan = if trim.in_place {
        in_place(&subject, trim, &trimmed.script)?
    } else {
        let id = Id::uuid(ids);
        let mut copy = SessionCopy::beside(&subject, id.as_str())?;
        copy.title = trim.title.as_deref();
        copy.rename(&mut trimmed.script, subject.id);
        let title = format!("trim {} into {}", subject.short(), short(id.as_str()));
        let transaction = Transaction::new(subject.root, title).command(trim.command.iter().cloned());
        let mut plan = EditPlan::new(transaction);
        copy.name_agents(&plan, &subject, &mut trimmed.script, ids);
        copy.create(&mut plan, &trimmed.script, trim.generation())?;
        copy.carry(&mut plan, &subject, &trimmed.script)?;
        plan
    };
    trimmed.notes.iter().for_each(|note| plan.note(note));
    odd_lines(&mut plan, &trimmed.script);
    copy::check(&mut plan, &before);
    plan.loads_now(before);
    Ok(plan)
}

fn in_place(subject: &Subject<'_>, trim: &Trim, script: &Script) -> Result<EditPlan, AppError> {
    let title = format!("trim {} in place", subject.short());
    let mut transaction = Transaction::new(subject.root, title).command(trim.command.iter().cloned());
    let bytes = script.bytes();
    let directory = subject.directory();
    let load =
        SessionLoad::of_bytes(subject.id, subject.path, directory.as_deref(), &bytes, trim.generation())?;
    let place = transaction.place(subject.path)?;
    transaction.guard(subject.guard());
    transaction.replace(place, subject.stamp, bytes);
    let mut plan = EditPlan::new(transaction);
    plan.note("the journal keeps the original; `undo` restores it");
    plan.loads_then(load);
    Ok(plan)
}

/// Takes out what is to go.
pub(super) fn trimmed(subject: &Subject<'_>, trim: &Trim) -> Result<Trimmed, AppError> {
    let mut script = subject.script();
    let mut selection = Selection::default();
    if trim.by_turn() {
        let ends = [trim.from, trim.upto].into_iter().flatten().map(|turn| turn..=turn);
        select::check_turns(&subject.loaded, &ends.chain(trim.drop.iter().cloned()).collect::<Vec<_>>())?;
        selection = select::by_turn(&subject.loaded, &|turn| trim.keep(turn))?;
        script.drop_lines(&selection.gone);
    }
    let blocks = if trim.blocks == BlockKinds::default() { 0 } else { script.drop_blocks(trim.blocks) };
    if trim.slim {
        script.slim();
    }
    let relinked = script.relink(selection.leaf);
    if !script.speaks() {
        return Err(AppError::NoEdit {
            why: "this would remove the whole conversation".into(),
            hint: "remove fewer turns; `scrollback show SESSION` lists them".into(),
        });
    }
    let lines = plural(subject.loaded.transcript.lines, "line");
    let mut notes = vec![format!("removes {} of {lines}", count(relinked.gone))];
    let blocks = blocks + relinked.unpaired;
    if blocks > 0 {
        notes.push(format!("removes {}", plural(blocks, "content block")));
    }
    if selection.branches > 0 {
        notes
            .push(format!("removes {} that depended on removed lines", plural(selection.branches, "branch")));
    }
    Ok(Trimmed { script, notes })
}
