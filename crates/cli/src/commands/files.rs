//! `scrollback files`: versions of files as sessions saw and made them. One file a subcommand; see docs/files.md.

pub mod diff;
pub mod log;
pub mod ls;
pub mod restore;
pub mod rewind;
pub mod show;
pub mod told;
pub mod which;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::failure::Failure;

/// Arguments of `files`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct FilesArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: FilesCommand,
}

const AFTER: &str = "\
AT is v3 (a version, as `files log` numbers them), SESSION (its end), SESSION/4 (the end of its turn 4; 0 is before it), or a date. \
What can be read as a date is one: give more of an id that looks like 3d. PATH@AT is the same as PATH --at AT.

Certainty of a version: exact (its content is recorded), replayed (edits were replayed on recorded content), partial (only some \
lines are known, or an edit could not be replayed), lost.";

/// What can be done with files.
#[derive(Debug, Subcommand)]
pub enum FilesCommand {
    /// List the files that a session touched, with every known version.
    Ls(ls::FilesLsArgs),
    /// List every version of a file that any session saw or made, newest first.
    Log(log::LogArgs),
    /// Print a version of a file.
    Show(show::FilesShowArgs),
    /// Compare two versions of files, or a version with the file on disk.
    Diff(diff::DiffArgs),
    /// Restore a version of a file, or all files that a session changed.
    Restore(restore::RestoreArgs),
    /// Restore all files that a session changed to their state after a turn.
    Rewind(rewind::RewindArgs),
}

/// Runs the command.
pub fn run(context: &mut Context, args: &FilesArgs) -> Result<(), Failure> {
    match &args.command {
        FilesCommand::Ls(args) => ls::run(context, args),
        FilesCommand::Log(args) => log::run(context, args),
        FilesCommand::Show(args) => show::run(context, args),
        FilesCommand::Diff(args) => diff::run(context, args),
        FilesCommand::Restore(args) => restore::run(context, args),
        FilesCommand::Rewind(args) => rewind::run(context, args),
    }
}
