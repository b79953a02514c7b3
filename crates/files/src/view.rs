//! Versions of files in the words of views.

use std::path::PathBuf;

use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

use super::trail::FileTrail;
use super::transcripts::TranscriptSet;
use super::version::{Certainty, ContentState, Evidence, Version, Witness};

/// What is known of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VersionState {
    /// All of its content.
    Content,
    /// There was no file.
    Absent,
    /// Some of its lines.
    Part,
    /// Nothing.
    Lost,
}

impl VersionState {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Absent => "absent",
            Self::Part => "part",
            Self::Lost => "lost",
        }
    }
}

/// One state of a file.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VersionView {
    /// Its number: 1 is the oldest. `--at v3` names it.
    pub version: u64,
    /// `content`, `absent` (there was no file), `part` (only some lines are known) or `lost`.
    pub state: VersionState,
    /// `exact`, `replayed`, `partial` or `lost`.
    pub certainty: Certainty,
    /// Its size; of a part, how much of it is known.
    pub bytes: Option<u64>,
    /// Changed outside of tools: by the user, a shell command or another program.
    pub unseen: bool,
    /// When it was first seen.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// What shows it, the first one first.
    pub evidence: Vec<EvidenceView>,
    /// What went wrong on the way to it: steps that could not be replayed, backups that are gone.
    pub problems: Vec<String>,
}

/// One line that shows a state.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EvidenceView {
    /// `backup`, `write`, `edit`, `multi_edit`, `notebook_edit`, `original_file`, `read` or `attachment`.
    pub by: Evidence,
    /// The session.
    pub session_id: String,
    /// The agent, if it was one.
    pub agent_id: Option<String>,
    /// The turn of the session.
    pub turn: Option<u32>,
    /// 0 is the live thread, else the number of the branch.
    pub branch: u64,
    /// The line.
    pub line: u64,
    /// The transcript.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// When.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// The name of the backup; none where the checkpoint says that there was no file.
    pub backup: Option<String>,
    /// Other sessions that have a copy of the line.
    pub also_in: Vec<String>,
}

impl TranscriptSet {
    /// The versions of a trail, the oldest first.
    pub fn views(&self, trail: &FileTrail) -> Vec<VersionView> {
        trail.versions.iter().map(|version| self.view(version)).collect()
    }

    /// One version.
    pub fn view(&self, version: &Version) -> VersionView {
        VersionView {
            version: version.number as u64,
            state: match version.state {
                ContentState::Held(_) | ContentState::Let(_) => VersionState::Content,
                ContentState::Absent => VersionState::Absent,
                ContentState::Part(_) => VersionState::Part,
                ContentState::Lost => VersionState::Lost,
            },
            certainty: version.certainty,
            bytes: version.bytes,
            unseen: version.unseen,
            time: version.time(),
            evidence: version.witnesses.iter().map(|witness| self.evidence(witness)).collect(),
            problems: version.problems.clone(),
        }
    }

    fn evidence(&self, witness: &Witness) -> EvidenceView {
        let source = &self.sources[witness.source];
        let (turn, branch) = self.turn(witness.source, witness.row, witness.time);
        EvidenceView {
            by: witness.evidence,
            session_id: source.session_id.clone(),
            agent_id: source.agent_id.clone(),
            turn,
            branch,
            line: u64::from(source.transcript.row(witness.row).line),
            path: source.path.clone(),
            time: witness.time,
            backup: witness.backup.as_ref().and_then(|(name, _)| name.clone()),
            also_in: witness.copies.iter().map(|copy| self.sources[*copy].session_id.clone()).collect(),
        }
    }
}
