//! Steps follow each other: what a step finds at a path may have been moved there, made or taken by an earlier one.

use super::plan::{Step, Verb};
use crate::place::Place;

/// Where what a step will find is now, before the first step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// Here.
    At(Place),
    /// Nowhere yet: an earlier step makes it.
    Made,
    /// An earlier step takes it.
    Gone,
}

/// Where what will be at a path after these steps is now.
pub(super) fn origin(steps: &[Step], path: &Place) -> Origin {
    let mut path = path.clone();
    for step in steps.iter().rev() {
        let (Ok(at), from) = (Place::new(&step.path), step.from.as_deref().map(Place::new)) else { continue };
        match (step.verb, from) {
            (Verb::Move, Some(Ok(from))) => {
                if let Some(before) = path.moved(&at, &from) {
                    path = before;
                } else if path.is_in(&from) {
                    return Origin::Gone;
                }
            }
            (Verb::Make, _) if path == at => return Origin::Made,
            (Verb::Make, _) if path.is_in(&at) => return Origin::Gone,
            (Verb::Create | Verb::Restore, _) if path.is_in(&at) => return Origin::Made,
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
            Verb::Move => inside(&step.path) || step.from.as_deref().is_some_and(inside),
            _ => inside(&step.path),
        }
    })
}
