//! The command line as it is typed. The doc comments are the help text.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};

use crate::commands;
use crate::failure::{ExitKind, Failure};
use crate::global::Global;

/// Read, search, edit and explain everything that Claude Code stores in ~/.claude.
///
/// Without a command, shows an overview of the store. SESSION is a session ID or a prefix of one (at least two characters), a title, a file path, or
/// `last`; SESSION/AGENT names a subagent. Dates are 2026-11-01, yesterday, 2w.
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

Only edits change the store: each is shown first, is refused while a client has the session open, and can be undone \
(`undo`). The index is a cache, and safe to delete.";

/// The commands, one file each.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List sessions, newest first.
    #[command(visible_alias = "list")]
    Ls(commands::ls::LsArgs),
    /// Show a conversation, turn by turn.
    Show(commands::show::ShowArgs),
    /// Search all sessions, best matches first.
    Search(commands::search::SearchArgs),
    /// Pick a session interactively by its title, prompts or project, and resume it.
    Pick(commands::pick::PickArgs),
    /// Resume a session in the client, or show what the client would send (--explain).
    Resume(commands::resume::ResumeArgs),
    /// Copy a session, or the first part of it, into a new session.
    Fork(commands::fork::ForkArgs),
    /// Remove turns, tool calls, thinking, images or redundant lines from a session.
    Trim(commands::trim::TrimArgs),
    /// Split a session into two new sessions.
    Split(commands::split::SplitArgs),
    /// Merge two sessions into a new session.
    Merge(commands::merge::MergeArgs),
    /// Change the title of a session, as the client does.
    Rename(commands::rename::RenameArgs),
    /// Add tags to a session, or remove them.
    Tag(commands::tag::TagArgs),
    /// Pin sessions to the top of the list.
    Pin(commands::pin::PinArgs),
    /// Hide sessions from the list.
    Hide(commands::hide::HideArgs),
    /// Move a session or a whole project to another directory.
    Move(commands::relocate::MoveArgs),
    /// Move sessions and everything that belongs to them to the trash.
    Rm(commands::rm::RmArgs),
    /// List, restore or empty the trash.
    Trash(commands::trash::TrashArgs),
    /// Undo an edit, byte for byte.
    Undo(commands::undo::UndoArgs),
    /// List edits and whether they can be undone.
    Journal(commands::journal::JournalArgs),
    /// Show the threads of a session: branches, rewinds, compactions, agents.
    Tree(commands::tree::TreeArgs),
    /// Show details of a session: tools, files, commands, models, and what belongs to it.
    Info(commands::info::InfoArgs),
    /// List, show, compare and restore files as sessions saw and made them.
    Files(commands::files::FilesArgs),
    /// Search for an exact string or a regular expression, without an index.
    Grep(commands::grep::GrepArgs),
    /// Show token usage and cost by day, model, project, session and more.
    Usage(commands::usage::UsageArgs),
    /// Show disk usage by area, project, session, kind of entry, tool or line.
    Du(commands::du::DuArgs),
    /// List files that no longer belong to any session.
    Orphans(commands::orphans::OrphansArgs),
    /// Show what the client will delete automatically, and when.
    Retention(commands::retention::RetentionArgs),
    /// List prompts from all projects, with pasted text and their sessions.
    History(commands::history::HistoryArgs),
    /// List todos from their files and from sessions (clients up to 2.1.50).
    Todos(commands::todos::TodosArgs),
    /// List tasks from their files and from sessions (clients since 2.1.80).
    Tasks(commands::todos::TodosArgs),
    /// List plans, or show one, with the sessions that made it.
    Plans(commands::plans::PlansArgs),
    /// Show the client's settings, and which file each comes from.
    Settings(commands::settings::SettingsArgs),
    /// List running clients, and stale files of ended ones.
    Ps(commands::ps::PsArgs),
    /// Show the end of a conversation and follow it, turn by turn.
    Tail(commands::tail::TailArgs),
    /// Watch everything that happens in the store, one line per event.
    Watch(commands::watch::WatchArgs),
    /// Show the client's log of a session.
    Logs(commands::logs::LogsArgs),
    /// List agents, commands, skills and output styles of the user and of projects.
    Definitions(commands::definitions::DefinitionsArgs),
    /// List shell snapshots, or show one.
    Snapshots(commands::snapshots::SnapshotsArgs),
    /// Check the integrity of every file and report problems.
    Verify(commands::verify::VerifyArgs),
    /// Count kinds of entries and fields by client version, and list those not in FORMAT.md (for --json, see `json-schema`).
    Schema(commands::schema::SchemaArgs),
    /// List the documents that --json prints, or print the JSON Schema of one (for entries of the store, see `schema`).
    JsonSchema(commands::json_schema::JsonSchemaArgs),
    /// Check claims about the format against this store.
    Claims(commands::claims::ClaimsArgs),
    /// Show the project folder of a directory, or the directories of a project folder.
    Where(commands::whereis::WhereArgs),
    /// Show, refresh, query or clear the index behind `ls` and `search`.
    Index(commands::index::IndexArgs),
    /// Write the built-in sample store to a directory.
    Sample(commands::sample::SampleArgs),
    /// Print what a word that is being typed may become, for shells.
    #[command(hide = true)]
    Complete(commands::complete::CompleteArgs),
    /// Print a shell completion script.
    Completions(commands::completions::CompletionsArgs),
    /// Print the manual page.
    Man(commands::man::ManArgs),
}

/// The commands whose `-n` was `--dry-run` once.
const EDITS: [&str; 7] = ["fork", "trim", "split", "merge", "rename", "move", "rm"];

/// A better word for a mistake than the parser has: `-n` is never taken for something else where it once was `--dry-run`.
pub fn explain(error: &clap::Error, typed: &[String]) -> Option<Failure> {
    let unknown = error.kind() == ErrorKind::UnknownArgument;
    let is_n = matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(name)) if name == "-n");
    let is_edit = typed.iter().any(|word| EDITS.contains(&word.as_str()));
    let text = "-n is not an option of edits; use --dry-run to preview";
    (unknown && is_n && is_edit).then(|| Failure::new(ExitKind::Usage, text))
}
