//! Steps follow each other: what a step finds at a path may have been moved there, made or taken by an earlier one.

use super::plan::{Step, Verb};
use crate::place::Place;
use crate::shape::Shape;

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
pub(super) fn origin(steps: &[Step], path: &Place) -> Origin {
    let mut path = path.clone();
    for step in steps.iter().rev() {
        let (Ok(at), from) = (Place::new(&step.path), step.from.as_deref().map(Place::new)) else { continue };
        match (step.verb, from) {
            (Verb::Move | Verb::Carry, Some(Ok(from))) => {
                if let Some(before) = path.moved(&at, &from) {
                    path = before;
                } else if path.is_in(&from) {
                    return Origin::Gone;
                }
            }
            (Verb::Make, _) if path == at => return Origin::Made,
            (Verb::Make, _) if path.is_in(&at) => return Origin::Gone,
            (Verb::Create | Verb::Restore, _) if path == at => return Origin::Made,
            (Verb::Create | Verb::Restore, _) if path.is_in(&at) => return Origin::Within,
            (Verb::Remove, _) if path.is_in(&at) => return Origin::Gone,
            _ => {}
        }
    }
    Origin::At(path)
}

/// Do these steps change anything at a path, or in it?
pub(super) fn touched(steps: &[Step], path: &Place) -> bool {
    steps.iter().any(|step| {
        let inside = |name: &str| Place::new(name).is_ok_and(|at| at.is_in(path));
        match step.verb {
            Verb::Move | Verb::Carry => inside(&step.path) || step.from.as_deref().is_some_and(inside),
            _ => inside(&step.path),
        }
    })
}

/// Do these steps give the file at a path other content?
pub(super) fn rewritten(steps: &[Step], path: &Place) -> bool {
    let content = |verb| matches!(verb, Verb::Append | Verb::Cut | Verb::Replace | Verb::Create);
    steps.iter().any(|step| content(step.verb) && step.path == path.as_str())
}

/// What the last of these steps that replaces the file at a path puts there.
pub(super) fn replaced<'s>(steps: &'s [Step], path: &str) -> Option<&'s Shape> {
    let last = steps.iter().rev().find(|step| step.verb == Verb::Replace && step.path == path)?;
    last.after.as_ref()
}

/// Do these steps copy what is at a path from another device, so that it is another file there?
pub(super) fn carried(steps: &[Step], path: &Place) -> bool {
    let here = |step: &Step| Place::new(&step.path).is_ok_and(|at| path.is_in(&at));
    steps.iter().any(|step| step.verb == Verb::Carry && here(step))
}
