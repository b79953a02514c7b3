//! Steps follow each other: what a step finds at a path may have been moved there, made or taken by an earlier one.

use super::plan::{JournalStep, StepVerb};
use crate::place::Place;
use crate::shape::PathShape;

/// Where what a step will find is now, before the first step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// Here.
    At(Place),
    /// Nowhere yet: an earlier step makes it.
    Made,
    /// In something that an earlier step puts there: it may be there then, or not.
    Within,
    /// An earlier step takes it.
    Gone,
}

/// Where what will be at a path after these steps is now.
pub(super) fn origin(steps: &[JournalStep], path: &Place) -> Origin {
    let mut path = path.clone();
    for step in steps.iter().rev() {
        let (Ok(at), from) = (Place::new(&step.path), step.from.as_deref().map(Place::new)) else { continue };
        match (step.verb, from) {
            (StepVerb::Move | StepVerb::Carry, Some(Ok(from))) => {
                if let Some(before) = path.moved(&at, &from) {
                    path = before;
                } else if path.is_in(&from) {
                    return Origin::Gone;
                }
            }
            (StepVerb::Make, _) if path == at => return Origin::Made,
            (StepVerb::Make, _) if path.is_in(&at) => return Origin::Gone,
            (StepVerb::Create | StepVerb::Restore, _) if path == at => return Origin::Made,
            (StepVerb::Create | StepVerb::Restore, _) if path.is_in(&at) => return Origin::Within,
            (StepVerb::Remove, _) if path.is_in(&at) => return Origin::Gone,
            _ => {}
        }
    }
    Origin::At(path)
}

/// Do these steps change anything at a path, or in it?
pub(super) fn touched(steps: &[JournalStep], path: &Place) -> bool {
    steps.iter().any(|step| {
        let inside = |name: &str| Place::new(name).is_ok_and(|at| at.is_in(path));
        match step.verb {
            StepVerb::Move | StepVerb::Carry => {
                inside(&step.path) || step.from.as_deref().is_some_and(inside)
            }
            _ => inside(&step.path),
        }
    })
}

/// Do these steps give the file at a path other content?
pub(super) fn rewritten(steps: &[JournalStep], path: &Place) -> bool {
    let content =
        |verb| matches!(verb, StepVerb::Append | StepVerb::Cut | StepVerb::Replace | StepVerb::Create);
    steps.iter().any(|step| content(step.verb) && step.path == path.as_str())
}

/// What the last of these steps that replaces the file at a path puts there.
pub(super) fn replaced<'s>(steps: &'s [JournalStep], path: &str) -> Option<&'s PathShape> {
    let last = steps.iter().rev().find(|step| step.verb == StepVerb::Replace && step.path == path)?;
    last.after.as_ref()
}

/// Do these steps copy what is at a path from another device, so that it is another file there?
pub(super) fn carried(steps: &[JournalStep], path: &Place) -> bool {
    let here = |step: &JournalStep| Place::new(&step.path).is_ok_and(|at| path.is_in(&at));
    steps.iter().any(|step| step.verb == StepVerb::Carry && here(step))
}
