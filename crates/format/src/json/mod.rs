//! JSON as spans of bytes: a scanner that keeps every value's place, and views over what it found.
//!
//! Why not a deserializer: the client writes lines that every deserializer rejects whole (lone surrogates, bad
//! UTF-8 inside a string, two objects on one line), and a reader that must give back the bytes needs the span of
//! each value anyhow. One pass makes a [`Tape`] of spans; nothing is copied or decoded until somebody asks. What
//! it accepts is tested to be exactly what `serde_json` accepts (`tests/main/json_grammar.rs`).

mod edit;
mod escape;
mod scan;
mod string;
mod tape;
mod value;

pub use edit::{EditError, remove_field, replace_field, set_field};
pub use escape::{push_string, quoted};
pub(crate) use scan::has_control;
pub use scan::{Fault, FaultKind};
pub use string::Text;
pub use tape::{MAX_DEPTH, MAX_NESTING, MAX_NODES, Tape};
pub use value::{Fields, ListItems, Type, Value};
