//! Whether the client deletes old files of an area.

use super::{Area, ProjectFile};

/// How sure a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proof {
    /// Tried with a real client.
    Confirmed,
    /// Said by the client's own pages or by users.
    Reported,
}

/// When the client deletes a file by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Sweep {
    /// Never.
    Kept,
    /// When its modification time is older than `cleanupPeriodDays`.
    Age {
        /// The first client known to delete it; none if all do, as far as is known.
        since: Option<&'static str>,
        /// How sure that is.
        proof: Proof,
    },
    /// When the process is over.
    Process,
    /// Only the newest stay, and old ones go by age too.
    Newest(u32),
    /// By rules of its own, or of the system's.
    Other,
    /// It is not known.
    Unknown,
}

const SWEPT: Sweep = Sweep::Age { since: None, proof: Proof::Confirmed };

fn reported(since: Option<&'static str>) -> Sweep {
    Sweep::Age { since, proof: Proof::Reported }
}

impl Area {
    /// The rule by which the client deletes what is in the area.
    pub fn sweep(self) -> Sweep {
        match self {
            Self::Projects | Self::FileHistory | Self::PasteCache | Self::Plans | Self::SessionEnv => SWEPT,
            // 2.1.9 leaves them; the changelog names the version from which on they go.
            Self::Tasks | Self::ShellSnapshots => {
                Sweep::Age { since: Some("2.1.117"), proof: Proof::Confirmed }
            }
            Self::Debug | Self::UsageData => SWEPT,
            Self::Todos | Self::Statsig | Self::ImageCache | Self::Uploads | Self::Leftovers => {
                reported(None)
            }
            Self::Sessions | Self::Ide => Sweep::Process,
            Self::Config => Sweep::Newest(5),
            Self::Cache | Self::Telemetry | Self::Downloads | Self::StatsCache | Self::Plugins => {
                Sweep::Other
            }
            Self::Scratch => Sweep::Other,
            Self::Memory
            | Self::History
            | Self::Agents
            | Self::AgentMemory
            | Self::OutputStyles
            | Self::Commands
            | Self::Skills
            | Self::Instructions
            | Self::Settings
            | Self::Credentials
            | Self::Jobs
            | Self::Daemon
            | Self::LastCleanup => Sweep::Kept,
            Self::Unknown => Sweep::Unknown,
        }
    }
}

impl ProjectFile {
    /// The rule by which the client deletes a file of a project folder.
    pub fn sweep(&self) -> Sweep {
        match self {
            Self::Session(_) => SWEPT,
            Self::Agent { .. } | Self::AgentMeta { .. } | Self::Journal { .. } => {
                Sweep::Age { since: Some("2.1.110"), proof: Proof::Confirmed }
            }
            Self::ToolResult { .. } => Sweep::Age { since: Some("2.1.83"), proof: Proof::Confirmed },
            Self::WorkflowRun { .. } | Self::WorkflowScript(_) | Self::CustomTitle(_) => SWEPT,
            Self::SetAside(_) => reported(None),
            Self::SessionsIndex | Self::Memory => Sweep::Kept,
            Self::FlatAgent(_) | Self::Odd => Sweep::Unknown,
        }
    }
}
