//! The command line as it is typed. The doc comments are the help text.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands;

/// Read, explain and keep everything that Claude Code stores below ~/.claude.
///
/// Without a command: what is in the store. SESSION is an id, the start of one (two characters or more), a file path, a title, or `last`;
/// SESSION/AGENT names a subagent. Dates are 2026-11-01, yesterday, 2w.
#[derive(Debug, Parser)]
#[command(name = "scrollback", version, max_term_width = 100, disable_help_subcommand = true, after_help = AFTER)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What stands below the help, and in the manual.
const AFTER: &str = "\
Dates: 2026-11-01, 2026-11-01T18:00, today, yesterday, and 30min, 12h, 3d, 2w, 6m or 1y ago.

Exit codes: 0 ok, 1 nothing found, 2 usage, 3 problems in the data, 4 refused, 5 I/O, 6 over budget, 70 a bug, 130 interrupted.

Environment: CLAUDE_CONFIG_DIR (the store), SCROLLBACK_PAGER and PAGER (empty: none), NO_COLOR, CLICOLOR_FORCE, \
COLUMNS, TZ, SCROLLBACK_CACHE_DIR and XDG_CACHE_HOME (the index), SCROLLBACK_DATA_DIR and XDG_DATA_HOME (the journal).

Only edits write into the store: each is shown first, is refused while a client works in the session, and can be taken \
back (`undo`). The index is a cache of our own, and safe to delete.";

/// Flags that every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// A store to read, instead of CLAUDE_CONFIG_DIR or ~/.claude (may be given several times).
    #[arg(long, value_name = "DIR", global = true)]
    pub root: Vec<PathBuf>,
    /// Read the built-in sample store.
    #[arg(long, global = true, conflicts_with = "root")]
    pub sample: bool,
    /// Print JSON.
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colour.
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    pub color: Color,
    /// Do not send long output through a pager.
    #[arg(long, global = true)]
    pub no_pager: bool,
    /// Say less: no progress, no remarks.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more.
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that wants it.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands, one file each.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List sessions, newest first.
    #[command(visible_alias = "list")]
    Ls(commands::ls::LsArgs),
    /// Show a conversation, turn by turn.
    Show(commands::show::ShowArgs),
    /// Search everything for words, best first.
    Search(commands::search::SearchArgs),
    /// Pick a session in the terminal, by letters of its title, prompts or project; then resume it.
    Pick(commands::pick::PickArgs),
    /// Go on with a session in the client, or tell what the client would send (--explain).
    Resume(commands::resume::ResumeArgs),
    /// Make a new session of a session, or of its beginning.
    Fork(commands::fork::ForkArgs),
    /// Take turns, tool calls, thinking, images or dead weight out of a session.
    Trim(commands::trim::TrimArgs),
    /// Make two new sessions of one.
    Split(commands::split::SplitArgs),
    /// Make one new session of two.
    Merge(commands::merge::MergeArgs),
    /// Give a session a title, as its own client does.
    Rename(commands::rename::RenameArgs),
    /// Give sessions tags of your own, or take them away.
    Tag(commands::tag::TagArgs),
    /// Keep sessions at the top of the list.
    Pin(commands::pin::PinArgs),
    /// Keep sessions out of the list.
    Hide(commands::hide::HideArgs),
    /// Move a session or a whole project to another directory.
    Move(commands::relocate::MoveArgs),
    /// Remove sessions with all that belongs to them, to the trash.
    Rm(commands::rm::RmArgs),
    /// List, restore or empty what was removed.
    Trash(commands::trash::TrashArgs),
    /// Take an edit back, byte for byte.
    Undo(commands::undo::UndoArgs),
    /// List edits, and which of them can be taken back.
    Journal(commands::journal::JournalArgs),
    /// Show a session's threads: branches, rewinds, compactions, agents.
    Tree(commands::tree::TreeArgs),
    /// Show a session's facts: tools, files, commands, models, and what belongs to it.
    Info(commands::info::InfoArgs),
    /// List, show, compare and restore files as sessions saw and made them.
    Files(commands::files::FilesArgs),
    /// Search every text for exact words or a regular expression, without an index.
    Grep(commands::grep::GrepArgs),
    /// Tell tokens and what they cost, by day, model, project, session and more.
    Usage(commands::usage::UsageArgs),
    /// Tell where the bytes are: by area, project, session, kind of entry, tool, line.
    Du(commands::du::DuArgs),
    /// Find what belongs to no session any more.
    Orphans(commands::orphans::OrphansArgs),
    /// Tell what the client will delete by itself, and when.
    Retention(commands::retention::RetentionArgs),
    /// List prompts of all projects with what was pasted, and where each was typed.
    History(commands::history::HistoryArgs),
    /// List todo lists, in their files and in the sessions (clients up to 2.1.50).
    Todos(commands::todos::TodosArgs),
    /// List tasks, in their files and in the sessions (clients since 2.1.80).
    Tasks(commands::todos::TodosArgs),
    /// List plans, or show one, with the sessions that made it.
    Plans(commands::plans::PlansArgs),
    /// Tell the client's settings, and which file each comes from.
    Settings(commands::settings::SettingsArgs),
    /// List clients that are at work, and what dead ones left behind.
    Ps(commands::ps::PsArgs),
    /// Show the end of a conversation, and follow it turn by turn.
    Tail(commands::tail::TailArgs),
    /// Follow everything that happens in the store, one line an event.
    Watch(commands::watch::WatchArgs),
    /// Show the client's own log of a session.
    Logs(commands::logs::LogsArgs),
    /// List agents, commands, skills and output styles that the user and projects define.
    Definitions(commands::definitions::DefinitionsArgs),
    /// List shell snapshots, or show one.
    Snapshots(commands::snapshots::SnapshotsArgs),
    /// Read every file to the last byte and tell what is odd.
    Verify(commands::verify::VerifyArgs),
    /// Count kinds and fields by client version, and what FORMAT.md does not know yet.
    Schema(commands::schema::SchemaArgs),
    /// Check what is claimed of the format against this store.
    Claims(commands::claims::ClaimsArgs),
    /// Tell a directory's folder name, or a folder's directories.
    Where(commands::whereis::WhereArgs),
    /// Tell, refresh, ask or clear the cache behind `ls` and `search`.
    Index(commands::index::IndexArgs),
    /// Write the built-in sample store to a directory.
    Sample(commands::sample::SampleArgs),
    /// Print completions for a shell.
    Completions(commands::completions::CompletionsArgs),
    /// Print the manual page.
    Man(commands::man::ManArgs),
}
