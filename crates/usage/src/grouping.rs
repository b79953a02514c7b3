//! What usage can be added up by.

use serde::{Deserialize, Serialize};

/// What rows are sums of.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum By {
    /// Days of the calendar.
    #[default]
    Day,
    /// Weeks, starting on Monday.
    Week,
    /// Months.
    Month,
    /// Hours of the day.
    Hour,
    /// Models.
    Model,
    /// Projects, by directory.
    Project,
    /// Sessions, including their agents.
    Session,
    /// Agents, and sessions excluding their agents.
    Agent,
    /// Tools: a message that calls several is counted under all of them together.
    Tool,
    /// Git branches.
    Branch,
    /// Purposes: the conversation, abandoned branches, agents of each kind, errors.
    Purpose,
}

impl By {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Hour,
        Self::Model,
        Self::Project,
        Self::Session,
        Self::Agent,
        Self::Tool,
        Self::Branch,
        Self::Purpose,
    ];

    /// Its name, and what its rows are.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Day => ("day", "Days"),
            Self::Week => ("week", "Weeks, starting on Monday"),
            Self::Month => ("month", "Months"),
            Self::Hour => ("hour", "Hours of the day"),
            Self::Model => ("model", "Models"),
            Self::Project => ("project", "Projects, by directory"),
            Self::Session => ("session", "Sessions, including their agents"),
            Self::Agent => ("agent", "Agents, and sessions excluding their agents"),
            Self::Tool => ("tool", "Tools called"),
            Self::Branch => ("branch", "Git branches"),
            Self::Purpose => ("purpose", "The conversation, abandoned branches, agents of each kind, errors"),
        }
    }

    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What its rows are.
    pub const fn about(self) -> &'static str {
        self.words().1
    }

    /// Are the rows periods of the calendar, of which the newest matter most?
    pub const fn is_period(self) -> bool {
        matches!(self, Self::Day | Self::Week | Self::Month)
    }

    /// The one of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }

    /// Are the rows times, which come in their own order?
    pub const fn is_time(self) -> bool {
        matches!(self, Self::Day | Self::Week | Self::Month | Self::Hour)
    }
}
