//! The table of client generations: stretches of versions that store things the same way.
//!
//! A generation is named by the version in which it was recorded. What differs between two of them is a
//! column here, never an `if version < …` somewhere else.

use crate::folder::FolderRule;
use crate::version::ClientVersion;

/// A stretch of client versions with one storage layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Generation {
    /// 1.x: agents inline as sidechain lines, no file history, no queue operations.
    V1_0,
    /// 2.0.29: flat `agent-<8 hex>.jsonl` files with their prompt line.
    V2_0_29,
    /// 2.0.55: flat agent files without the prompt line; queue operations; `slug`.
    V2_0_55,
    /// 2.1.9: agents below `<session>/subagents/`, `tool-results/`, `progress` lines, a sessions index.
    V2_1_9,
    /// 2.1.80: 16-digit agent ids with a `.meta.json`; `entrypoint`; folder names cut at 200.
    V2_1_80,
    /// 2.1.200: `attachment` lines in the chain, asynchronous agents, preserved segments, workflows.
    V2_1_200,
    /// 2.1.325: stored API requests, `cost-state`, `file-history-delta`, background sessions.
    V2_1_325,
}

/// Where a generation keeps the transcripts of its agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentLayout {
    /// Lines with `isSidechain: true` in the session's own file.
    Inline,
    /// `projects/<folder>/agent-<id>.jsonl`.
    Flat,
    /// `projects/<folder>/<session>/subagents/agent-<id>.jsonl`.
    Nested,
    /// The same with an `agent-<id>.meta.json` beside it.
    NestedWithMeta,
}

/// One row of the table: what sets a generation apart.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct GenerationFacts {
    /// The version in which it was recorded, and by which it is named.
    pub recorded: ClientVersion,
    /// The first version counted to it.
    pub since: ClientVersion,
    /// How a working directory becomes a folder name.
    pub folder: FolderRule,
    /// Where agents are stored.
    pub agents: AgentLayout,
    /// Each parallel tool result hangs on its own call instead of on the previous result.
    pub results_hang_on_their_call: bool,
    /// `output_tokens` is never the final count on any line of a message.
    pub output_tokens_are_lower_bounds: bool,
    /// `last-prompt.leafUuid` decides which branch is live.
    pub last_prompt_names_the_leaf: bool,
    /// `entrypoint` is on every message line, and common fields come last.
    pub envelope_last: bool,
}

impl Generation {
    /// Every generation, oldest first.
    pub const ALL: [Self; 7] = [
        Self::V1_0,
        Self::V2_0_29,
        Self::V2_0_55,
        Self::V2_1_9,
        Self::V2_1_80,
        Self::V2_1_200,
        Self::V2_1_325,
    ];

    /// The newest recorded generation.
    pub const NEWEST: Self = Self::V2_1_325;

    /// The generation that a client version belongs to.
    pub fn of(version: ClientVersion) -> Self {
        Self::ALL
            .into_iter()
            .rev()
            .find(|generation| generation.facts().since <= version)
            .unwrap_or(Self::V1_0)
    }

    /// This generation's row.
    pub const fn facts(self) -> GenerationFacts {
        const fn v(major: u32, minor: u32, patch: u32) -> ClientVersion {
            ClientVersion::new(major, minor, patch)
        }
        let old = GenerationFacts {
            recorded: v(1, 0, 17),
            since: v(0, 0, 0),
            folder: FolderRule { nfc: false, cut: false },
            agents: AgentLayout::Inline,
            results_hang_on_their_call: false,
            output_tokens_are_lower_bounds: false,
            last_prompt_names_the_leaf: false,
            envelope_last: false,
        };
        let cut = FolderRule { nfc: false, cut: true };
        match self {
            Self::V1_0 => old,
            Self::V2_0_29 => {
                GenerationFacts { recorded: v(2, 0, 29), since: v(2, 0, 0), agents: AgentLayout::Flat, ..old }
            }
            Self::V2_0_55 => GenerationFacts {
                recorded: v(2, 0, 55),
                since: v(2, 0, 37),
                agents: AgentLayout::Flat,
                ..old
            },
            Self::V2_1_9 => GenerationFacts {
                recorded: v(2, 1, 9),
                since: v(2, 1, 0),
                agents: AgentLayout::Nested,
                results_hang_on_their_call: true,
                output_tokens_are_lower_bounds: true,
                ..old
            },
            Self::V2_1_80 => GenerationFacts {
                recorded: v(2, 1, 80),
                since: v(2, 1, 64),
                folder: FolderRule { nfc: true, cut: true },
                agents: AgentLayout::NestedWithMeta,
                results_hang_on_their_call: true,
                envelope_last: true,
                ..old
            },
            Self::V2_1_200 => GenerationFacts {
                recorded: v(2, 1, 200),
                since: v(2, 1, 121),
                folder: cut,
                agents: AgentLayout::NestedWithMeta,
                results_hang_on_their_call: true,
                last_prompt_names_the_leaf: true,
                envelope_last: true,
                ..old
            },
            Self::V2_1_325 => GenerationFacts {
                recorded: v(2, 1, 325),
                since: v(2, 1, 280),
                folder: cut,
                agents: AgentLayout::NestedWithMeta,
                results_hang_on_their_call: true,
                last_prompt_names_the_leaf: true,
                envelope_last: true,
                ..old
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Generation;
    use crate::version::ClientVersion;

    #[test]
    fn each_recorded_version_is_its_own_generation() {
        for generation in Generation::ALL {
            assert_eq!(Generation::of(generation.facts().recorded), generation);
        }
    }

    #[test]
    fn versions_between_belong_to_the_one_before() {
        assert_eq!(Generation::of(ClientVersion::new(2, 1, 100)), Generation::V2_1_80);
        assert_eq!(Generation::of(ClientVersion::new(3, 0, 0)), Generation::NEWEST);
        assert_eq!(Generation::of(ClientVersion::new(0, 2, 9)), Generation::V1_0);
    }
}
