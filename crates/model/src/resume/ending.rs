//! The ending: what a client makes up after the last line, before the new prompt.

use rustc_hash::FxHashSet;
use scrollback_format::kind::{Kind, SystemKind};

use super::load::Load;
use super::outcome::{Made, Reason};
use crate::role::Role;
use crate::row::RowIndex;
use crate::symbol::Symbol;

/// How a conversation ends for a client.
enum Ending {
    /// With the model's words.
    Answered,
    /// With a tool's result, or something that followed it.
    InTurn,
    /// With words in the user's name.
    Unanswered,
    /// With a command of the client's own, or what it printed.
    Command,
}

/// What is made up, in order.
pub(super) fn made_up(load: &Load<'_>) -> Vec<Made> {
    let mut made = Vec::new();
    let ending = if load.open.is_empty() { ending(load) } else { Ending::InTurn };
    made.extend(load.open.iter().map(|_| Made::InterruptedCall));
    match ending {
        Ending::Answered => {}
        Ending::Command if !load.rules.answers_commands => {}
        Ending::InTurn if load.rules.asks_to_continue => made.extend([Made::Continue, Made::NoResponse]),
        Ending::InTurn | Ending::Unanswered | Ending::Command => made.push(Made::NoResponse),
    }
    if load.rules.tells_killed_tasks {
        made.extend(running(load).into_iter().map(Made::KilledTask));
    }
    made
}

/// Where what goes with the new prompt begins, behind what is made up.
pub(super) fn of_prompt(load: &Load<'_>) -> usize {
    let speaks = |row: &RowIndex| load.is_in(*row) && matches!(load.kind(*row), Kind::User | Kind::Assistant);
    let last = load.rows.iter().rposition(speaks).filter(|_| load.rules.commands_go_with_prompt);
    last.map_or(load.rows.len(), |last| last + 1)
}

fn ending(load: &Load<'_>) -> Ending {
    // A prompt that attachments follow was on its way to the model: the turn had begun.
    let mut begun = false;
    for &row in load.rows.iter().take(of_prompt(load)).rev() {
        match load.kind(row) {
            Kind::Assistant if load.is_in(row) => return Ending::Answered,
            Kind::User if load.is_in(row) => {
                let is_result = load.reading.parts[row as usize].has_result();
                return match load.role(row) {
                    _ if load.reading.parts[row as usize].is_transcript_only => Ending::Answered,
                    _ if is_result || begun => Ending::InTurn,
                    Role::Command | Role::CommandOutput => Ending::Command,
                    _ => Ending::Unanswered,
                };
            }
            Kind::System(Some(SystemKind::LocalCommand)) if load.is_in(row) => return Ending::Command,
            Kind::Attachment(_) => begun = true,
            _ => {}
        }
    }
    Ending::Answered
}

/// The results that tell of the start of an agent or a shell command, where no later line tells of its end.
fn running(load: &Load<'_>) -> Vec<RowIndex> {
    let parts = &load.reading.parts;
    let told: FxHashSet<Symbol> = parts.iter().filter_map(|part| part.told).collect();
    let running = |row: &RowIndex| parts[*row as usize].launched.is_some_and(|task| !told.contains(&task));
    load.rows.iter().copied().filter(|row| load.is_in(*row) && running(row)).collect()
}

/// API errors are left out last: a conversation that ends with one is answered all the same.
pub(super) fn leave_out_errors(load: &mut Load<'_>) {
    if load.rules.sends_api_errors {
        return;
    }
    for at in 0..load.rows.len() {
        let row = load.rows[at];
        if load.role(row) == Role::ApiError {
            load.left_out.entry(row).or_insert(Reason::ApiError);
        }
    }
}
