//! What a change does to the tree, in a word.

use std::fmt;

use schemars::JsonSchema;
use scrollback_store::journal::{self, Op};
use serde::{Deserialize, Serialize};

/// What a change does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeVerb {
    /// Makes a file, or copies a folder.
    Create,
    /// Makes a folder.
    Make,
    /// Replaces the content of a file.
    Replace,
    /// Adds lines at the end of a file.
    Append,
    /// Removes lines that were added at the end of a file.
    Cut,
    /// Gives a file or a folder another name.
    Move,
    /// Restores from the trash.
    Restore,
    /// Removes to the trash.
    Remove,
}

impl ChangeVerb {
    /// Its name, in documents and for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Make => "make",
            Self::Replace => "replace",
            Self::Append => "append",
            Self::Cut => "cut",
            Self::Move => "move",
            Self::Restore => "restore",
            Self::Remove => "remove",
        }
    }
}

impl fmt::Display for ChangeVerb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<journal::StepVerb> for ChangeVerb {
    fn from(verb: journal::StepVerb) -> Self {
        match verb {
            journal::StepVerb::Create => Self::Create,
            journal::StepVerb::Make => Self::Make,
            journal::StepVerb::Replace => Self::Replace,
            journal::StepVerb::Append => Self::Append,
            journal::StepVerb::Cut => Self::Cut,
            journal::StepVerb::Move | journal::StepVerb::Carry => Self::Move,
            journal::StepVerb::Restore => Self::Restore,
            journal::StepVerb::Remove => Self::Remove,
        }
    }
}

impl From<&Op> for ChangeVerb {
    fn from(op: &Op) -> Self {
        match op {
            Op::Create { .. } => Self::Create,
            Op::Append { .. } => Self::Append,
            Op::Replace { .. } => Self::Replace,
            Op::Move { .. } => Self::Move,
            Op::Remove { .. } => Self::Remove,
            Op::MakeDir { .. } => Self::Make,
        }
    }
}
