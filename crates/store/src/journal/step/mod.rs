//! The steps: how each is made, and how it is taken back from wherever it stopped.
//!
//! Each changes the tree by one rename (an append: by one write), and what stands ready and aside tells exactly whether
//! that has happened. So taking back needs no luck: it looks, does what is left to do, and may itself be stopped and
//! begun again. What someone else has changed meanwhile is left as it is.

mod carry;
mod moving;
mod put;
mod remove;
mod replace;
mod tail;

use std::io::ErrorKind;

use super::bench::Bench;
use super::plan::{JournalStep, StepVerb};
use crate::write_error::WriteError;

/// What came of taking a step back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// The path is as it was before the step.
    Back,
    /// Someone else has changed it meanwhile: it was left as it is.
    Kept,
}

/// Makes a step.
pub(super) fn make(bench: &Bench, index: usize, step: &JournalStep) -> Result<(), WriteError> {
    match step.verb {
        StepVerb::Create | StepVerb::Make => put::make(bench, index, step),
        StepVerb::Replace => replace::make(bench, index, step),
        StepVerb::Append => tail::append(bench, index, step),
        StepVerb::Cut => tail::cut(bench, step),
        StepVerb::Move | StepVerb::Restore => moving::make(bench, step),
        StepVerb::Carry => carry::make(bench, index, step),
        StepVerb::Remove => remove::make(bench, index, step),
    }
}

/// Takes a step back that was begun.
pub(super) fn take_back(bench: &Bench, index: usize, step: &JournalStep) -> Result<Taken, WriteError> {
    let taken = match step.verb {
        StepVerb::Create | StepVerb::Make => put::take_back(bench, index, step),
        StepVerb::Replace => replace::take_back(bench, index, step),
        StepVerb::Append => tail::take_append_back(bench, index, step),
        StepVerb::Cut => tail::take_cut_back(bench, index, step),
        StepVerb::Move | StepVerb::Restore => moving::take_back(bench, step),
        StepVerb::Carry => carry::take_back(bench, index, step),
        StepVerb::Remove => remove::take_back(bench, index, step),
    };
    match taken {
        // No later attempt could do better: the tree around it is another one now.
        Err(
            WriteError::Exists { .. }
            | WriteError::Missing { .. }
            | WriteError::Changed { .. }
            | WriteError::Outside { .. },
        ) => Ok(Taken::Kept),
        Err(WriteError::Io { source, .. })
            if matches!(source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
        {
            Ok(Taken::Kept)
        }
        other => other,
    }
}
