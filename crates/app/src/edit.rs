//! Edits: changes to a store, planned and shown before they are made, made through the journal, and taken back by it.
//!
//! A use case builds a [`Plan`]: a transaction of the store with what people want to know before they say yes. Fronts
//! show its [`Preview`], then [`journal::apply`] it. Ids are drawn from a source that the front brings; nothing here is
//! random and nothing reads a clock.

mod copy;
mod flat;
pub(crate) mod footprint;
pub mod fork;
mod halves;
pub mod journal;
pub mod load;
mod lock;
pub mod mark;
pub mod merge;
pub mod moving;
pub mod plan;
pub mod remove;
pub mod rename;
pub mod select;
pub mod split;
pub mod subject;
pub mod trash;
pub mod trim;

pub use fork::{Fork, fork};
pub use journal::{RecordStepView, RecordView, apply, list, undo, undoable_before};
pub use load::SessionLoad;
pub use merge::{Merge, merge};
pub use plan::{ChangeView, Plan, Preview};
pub use scrollback_compose::surgery::Blocks;
pub use scrollback_compose::{Id, Moment, Source as Ids};
pub use scrollback_store::live::Watch;
pub use select::Point;
pub use split::{Split, split};
pub use trim::{Trim, trim};
