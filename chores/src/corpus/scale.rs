//! The three sizes of corpus, and what each holds.

/// How much of everything.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// `small`, `medium` or `seed`.
    pub name: &'static str,
    /// Session files, forks and stubs included.
    pub sessions: u64,
    /// Agent files, the two warm-ups of each 2.0.x session included.
    pub agents: u64,
    /// Bytes of all `.jsonl` files below projects, roughly.
    pub bytes: u64,
    /// Sessions of 10 to 30 MB.
    pub large: u64,
    /// Lines of 5 to 25 MB.
    pub huge_lines: u64,
    /// Sessions copied by `--fork-session` or `/branch`.
    pub forks: u64,
    /// Files without a byte.
    pub empty: u64,
    /// Files with side notes only.
    pub stubs: u64,
    /// Files with a torn last line, glued lines, a run of NUL bytes: each class so many.
    pub damaged: u64,
    /// Sessions with backups of files.
    pub checkpointed: u64,
    /// Project folders.
    pub projects: u64,
    /// Files or folders of the other areas.
    pub areas: Areas,
}

/// Counts of the areas beside `projects/`.
#[derive(Debug, Clone, Copy)]
pub struct Areas {
    /// `todos/*.json`.
    pub todos: u64,
    /// `debug/*.txt`.
    pub debug: u64,
    /// `shell-snapshots/*.sh`.
    pub shell_snapshots: u64,
    /// Empty folders in `session-env/`.
    pub session_env: u64,
    /// Lines of `history.jsonl`.
    pub history: u64,
    /// `plans/*.md`.
    pub plans: u64,
    /// `tasks/<session>/`.
    pub tasks: u64,
    /// `paste-cache/*.txt`.
    pub pastes: u64,
}

const SMALL: Scale = Scale {
    name: "small",
    sessions: 60,
    agents: 66,
    bytes: 20_000_000,
    large: 0,
    huge_lines: 0,
    forks: 4,
    empty: 2,
    stubs: 3,
    damaged: 1,
    checkpointed: 5,
    projects: 6,
    areas: Areas {
        todos: 60,
        debug: 40,
        shell_snapshots: 20,
        session_env: 20,
        history: 30,
        plans: 3,
        tasks: 3,
        pastes: 3,
    },
};

const MEDIUM: Scale = Scale {
    name: "medium",
    sessions: 3_000,
    agents: 3_180,
    bytes: 1_000_000_000,
    large: 12,
    huge_lines: 4,
    forks: 30,
    empty: 60,
    stubs: 60,
    damaged: 4,
    checkpointed: 30,
    projects: 16,
    areas: Areas {
        todos: 1_900,
        debug: 1_600,
        shell_snapshots: 1_100,
        session_env: 400,
        history: 900,
        plans: 20,
        tasks: 20,
        pastes: 30,
    },
};

/// The heavy user of the first seed document, file for file.
const SEED: Scale = Scale {
    name: "seed",
    sessions: 27_657 - 14_134,
    agents: 14_134,
    bytes: 5_000_000_000,
    large: 40,
    huge_lines: 8,
    forks: 120,
    empty: 300,
    stubs: 400,
    damaged: 10,
    checkpointed: 91,
    projects: 60,
    areas: Areas {
        todos: 17_161,
        debug: 14_334,
        shell_snapshots: 10_537,
        session_env: 3_969,
        history: 3_509,
        plans: 60,
        tasks: 60,
        pastes: 80,
    },
};

impl Scale {
    /// The scale of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        [&SMALL, &MEDIUM, &SEED].into_iter().find(|scale| scale.name == name)
    }
}
