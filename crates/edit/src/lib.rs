//! Edits: changes to a store, planned and shown before they are made, made through the journal, and undone by it.
//!
//! A use case builds a [`EditPlan`]: a transaction of the store with what people want to know before they confirm it. Fronts
//! show its [`Preview`], then [`journal::apply`] it. Ids are drawn from a source that the front brings; nothing here is
//! random and nothing reads a clock.

pub mod author;
mod copy;
mod flat;
pub mod footprint;
pub mod fork;
mod halves;
pub mod journal;
pub mod load;
mod lock;
pub mod merge;
pub mod moving;
mod number;
pub mod plan;
pub mod recovered;
pub mod remove;
pub mod rename;
pub mod select;
pub mod split;
pub mod subject;
pub mod trash;
pub mod trim;
pub mod verb;

pub use fork::{Fork, fork};
pub use journal::{
    EditState, Editor, RecordStepView, RecordView, UndoneView, apply, interrupted, list, undo,
    undoable_before,
};
pub use load::SessionLoad;
pub use merge::{Merge, merge};
pub use plan::{ChangeView, EditPlan, Preview};
pub use recovered::RecoveredView;
pub use scrollback_compose::surgery::BlockKinds;
pub use scrollback_compose::{Id, IdSource as Ids, Moment};
pub use scrollback_store::journal::JournalStop;
pub use scrollback_store::live::LiveCheck;
pub use select::Point;
pub use split::{Split, split};
pub use trim::{Trim, trim};
pub use verb::ChangeVerb;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
