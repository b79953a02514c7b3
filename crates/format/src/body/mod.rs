//! Bodies: the fields of each kind of entry beyond the envelope, as typed views.

pub mod attachment;
pub mod message;
pub mod note;
pub mod progress;
pub mod system;
