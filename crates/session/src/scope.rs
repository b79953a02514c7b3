//! The scope of a question about an area: which projects, and between which dates.

use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

/// Which projects and dates, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct ScopeRequest {
    /// Only projects whose directory contains this; `.` is the current directory.
    pub project: Option<String>,
    /// Only at or after this date.
    pub since: Option<String>,
    /// Only before this date.
    pub until: Option<String>,
}

/// What passes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Only projects whose directory contains this, whatever its case.
    pub project: Option<String>,
    /// Only at or after this.
    pub since: Option<Time>,
    /// Only before this.
    pub until: Option<Time>,
}

impl Scope {
    /// Does a directory pass? What has none passes only where none is asked for.
    pub fn has_project(&self, project: Option<&str>) -> bool {
        match (&self.project, project) {
            (None, _) => true,
            (Some(part), Some(project)) => project.to_lowercase().contains(&part.to_lowercase()),
            (Some(_), None) => false,
        }
    }

    /// Does a time pass? A missing one lies neither after nor before any.
    pub fn has_time(&self, time: Option<Time>) -> bool {
        let after = self.since.is_none_or(|since| time.is_some_and(|time| time >= since));
        after && self.until.is_none_or(|until| time.is_some_and(|time| time < until))
    }

    /// Does it let everything pass?
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::Scope;
    use scrollback_format::time::Time;

    #[test]
    fn what_is_missing_passes_only_where_it_is_not_asked_for() {
        assert!(Scope::default().has_time(None) && Scope::default().has_project(None));
        let scope = Scope { project: Some("Orb".into()), since: Some(Time(5)), until: Some(Time(9)) };
        assert!(scope.has_project(Some("/home/orbit")) && !scope.has_project(None));
        assert!(scope.has_time(Some(Time(5))) && !scope.has_time(Some(Time(9))) && !scope.has_time(None));
    }
}
