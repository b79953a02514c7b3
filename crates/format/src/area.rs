//! The areas of a store, and the grammar of the names below a root: what a path is, judging by its name alone.
//!
//! Each variant's comment shows the part of the tree that it owns. [`Area::of`] is total: every path below a root has an
//! area, and what no client is known to write is [`Area::Unknown`], to be listed and not hidden. Nothing here looks at a
//! disk.

mod claim;
mod filed;
mod owner;
mod project;
mod reading;
mod scratch;
mod sweep;

pub use claim::OwnedPath;
pub use filed::{Filed, is_secret};
pub use owner::Owner;
pub use project::ProjectFile;
pub use reading::Reading;
pub use sweep::{Proof, Sweep};

/// Declares the areas with their names, so that the list of all cannot lag behind.
macro_rules! areas {
    ($($(#[$doc:meta])* $area:ident = $name:literal),+ $(,)?) => {
        /// A part of the store. Paths are relative to the root; `<session>` is a UUID, `<cwd>` an encoded working directory.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum Area {
            $($(#[$doc])* #[serde(rename = $name)] $area),+
        }

        impl Area {
            /// Every area, in the order in which they are shown.
            pub const ALL: &'static [Self] = &[$(Self::$area),+];

            /// Its name: mostly that of its folder.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$area => $name),+
                }
            }
        }
    };
}

areas! {
    /// Conversations, by working directory; see [`ProjectFile`] for what is in a folder.
    ///
    /// ```text
    /// projects/<cwd>/<session>.jsonl
    /// projects/<cwd>/agent-<id>.jsonl                            up to 2.0.x
    /// projects/<cwd>/<session>/subagents/agent-<id>.{jsonl,meta.json}
    /// projects/<cwd>/<session>/{tool-results,workflows}/…
    /// projects/<cwd>/<session>/custom-title.json
    /// projects/<cwd>/sessions-index.json                         2.1.9
    /// ```
    Projects = "projects",
    /// What the model noted about a project. Kept when sessions are swept.
    ///
    /// ```text
    /// projects/<cwd>/memory/…
    /// memory/…
    /// ```
    Memory = "memory",
    /// Prompts typed in the terminal, of all projects.
    ///
    /// ```text
    /// history.jsonl
    /// ```
    History = "history",
    /// Pasted texts, named by the first 16 digits of their SHA-256.
    ///
    /// ```text
    /// paste-cache/<16 hex>.txt
    /// ```
    PasteCache = "paste-cache",
    /// Pasted images.
    ///
    /// ```text
    /// image-cache/<session>/<n>.<png …>
    /// ```
    ImageCache = "image-cache",
    /// Files that were handed over with a prompt.
    ///
    /// ```text
    /// uploads/<session>/…
    /// ```
    Uploads = "uploads",
    /// Files as they were before a change, named by the first 16 digits of the SHA-256 of their path.
    ///
    /// ```text
    /// file-history/<session>/<16 hex>@v<n>
    /// ```
    FileHistory = "file-history",
    /// Todo lists, up to 2.1.50.
    ///
    /// ```text
    /// todos/<session>-agent-<session or agent>.json
    /// ```
    Todos = "todos",
    /// Task lists, 2.1.80 on.
    ///
    /// ```text
    /// tasks/<session>/<n>.json
    /// tasks/<session>/.lock
    /// ```
    Tasks = "tasks",
    /// Plans; the name is the `slug` of the lines of the session that made it.
    ///
    /// ```text
    /// plans/<slug>.md
    /// ```
    Plans = "plans",
    /// Subagents that the user defined.
    ///
    /// ```text
    /// agents/**/<name>.md
    /// ```
    Agents = "agents",
    /// What such subagents noted.
    ///
    /// ```text
    /// agent-memory/<agent>/…
    /// ```
    AgentMemory = "agent-memory",
    /// Ways to answer that the user defined.
    ///
    /// ```text
    /// output-styles/<name>.md
    /// ```
    OutputStyles = "output-styles",
    /// Slash commands that the user defined.
    ///
    /// ```text
    /// commands/**/<name>.md
    /// ```
    Commands = "commands",
    /// Skills that the user defined, with the files that they bring.
    ///
    /// ```text
    /// skills/<name>/SKILL.md
    /// skills/<name>/…
    /// ```
    Skills = "skills",
    /// Instructions for every project, and hooks and looks of the user's.
    ///
    /// ```text
    /// CLAUDE.md
    /// rules/**/<name>.md
    /// keybindings.json
    /// themes/…
    /// hooks/…
    /// ```
    Instructions = "instructions",
    /// Plugins, their marketplaces and their own data.
    ///
    /// ```text
    /// plugins/marketplaces/…
    /// plugins/store/<name>.json
    /// plugins/…
    /// ```
    Plugins = "plugins",
    /// Settings of the user.
    ///
    /// ```text
    /// settings.json
    /// settings.local.json
    /// ```
    Settings = "settings",
    /// The client's own state with an object a project, its copies and what could not be read of it. With the default root
    /// the first lies beside the root.
    ///
    /// ```text
    /// .claude.json
    /// .claude.json.backup                                        up to 2.1.9
    /// .claude.json.{lock/,corrupted.<ms>,tmp.<pid>.<ms>}
    /// backups/.claude.json.backup.<ms>                           2.1.80 on
    /// ```
    Config = "config",
    /// Credentials: counted, never opened.
    ///
    /// ```text
    /// .credentials.json
    /// ```
    Credentials = "credentials",
    /// The user's shell set-up as a client found it.
    ///
    /// ```text
    /// shell-snapshots/snapshot-<shell>-<ms>-<6 base36>.sh
    /// ```
    ShellSnapshots = "shell-snapshots",
    /// A folder a session; empty in all recordings.
    ///
    /// ```text
    /// session-env/<session>/…
    /// ```
    SessionEnv = "session-env",
    /// Logs; from 2.1.80 on only with `--debug`.
    ///
    /// ```text
    /// debug/<session>.txt
    /// debug/latest -> <session>.txt
    /// ```
    Debug = "debug",
    /// Running clients, 2.1.80 on. Killed ones leave theirs. The keys are secrets.
    ///
    /// ```text
    /// sessions/<pid>.json
    /// sessions/<pid>.<64 hex>.key                                secret
    /// ```
    Sessions = "sessions",
    /// Editors that a client can talk to. The files hold a token: they are read, and it is never shown.
    ///
    /// ```text
    /// ide/<port>.lock
    /// ```
    Ide = "ide",
    /// Background sessions, named by the first eight digits of their id.
    ///
    /// ```text
    /// jobs/pins.json
    /// jobs/<8 hex>/{state.json,timeline.jsonl,parent-transcript.jsonl,tmp/…}
    /// ```
    Jobs = "jobs",
    /// The supervisor of background sessions.
    ///
    /// ```text
    /// daemon/roster.json
    /// daemon/{control.key,auth/…}                                secret
    /// daemon/{dispatch/…,gateway-routed/<8 hex>}
    /// daemon.log
    /// ```
    Daemon = "daemon",
    /// What `/insights` gathered.
    ///
    /// ```text
    /// usage-data/report.html
    /// usage-data/report-<date>.html
    /// usage-data/{session-meta,facets}/<session>.json
    /// ```
    UsageData = "usage-data",
    /// Counts that `/stats` shows.
    ///
    /// ```text
    /// stats-cache.json
    /// ```
    StatsCache = "stats-cache",
    /// When the client last swept, 2.1.200 on.
    ///
    /// ```text
    /// .last-cleanup
    /// ```
    LastCleanup = "last-cleanup",
    /// Flags of older clients.
    ///
    /// ```text
    /// statsig/…
    /// ```
    Statsig = "statsig",
    /// Events that could not be sent.
    ///
    /// ```text
    /// telemetry/…
    /// ```
    Telemetry = "telemetry",
    /// Caches that the client makes anew.
    ///
    /// ```text
    /// cache/…
    /// ```
    Cache = "cache",
    /// Downloaded clients.
    ///
    /// ```text
    /// downloads/…
    /// local/…
    /// ```
    Downloads = "downloads",
    /// What a client threw away or wrote for a report of a fault.
    ///
    /// ```text
    /// .trash/…
    /// feedback…
    /// logs/…
    /// dev-mods/…
    /// ```
    Leftovers = "leftovers",
    /// Output of background tasks, outside of the root; see [`Area::of_scratch`].
    ///
    /// ```text
    /// <temporary directory>/claude/<cwd>/tasks/<id>.output       2.1.9
    /// <temporary directory>/claude-<uid>/<cwd>/<session>/tasks/<id>.output
    /// <temporary directory>/{cc-socks,cc-daemon-<uid>}/…
    /// ```
    Scratch = "scratch",
    /// Anything else: listed, not hidden.
    Unknown = "unknown",
}

impl Area {
    /// The area with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|area| area.name() == name)
    }

    /// What a path below a root is, parts separated by `/`. A folder is filed as what it holds.
    pub fn of(path: &str) -> Filed<'_> {
        filed::of(path)
    }

    /// What a path below the temporary directory is; none if no client writes it.
    pub fn of_scratch(path: &str) -> Option<Filed<'_>> {
        scratch::of(path)
    }
}

#[cfg(test)]
mod tests {
    use super::Area;

    #[test]
    fn names_are_told_apart() {
        for area in Area::ALL {
            assert_eq!(Area::named(area.name()), Some(*area));
        }
    }
}
