//! The scrollback command line: one front over `scrollback-app`. No logic that another front would need too.
//!
//! ```text
//! args (what was typed) ──► context (resolved once) ──► commands/<name> ──► paint ──► output
//! ```

mod args;
mod client;
mod commands;
mod context;
mod csv;
mod date;
mod edit;
mod env;
mod failure;
mod global;
mod help;
mod output;
mod page;
mod paint;
mod pick;
mod progress;
mod reporter;
mod sample;
mod scope;
mod shell;
mod stop;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use scrollback_app::todo::TodoGeneration;

use crate::args::{Cli, Command};
use crate::context::Context;
use crate::env::Env;
use crate::failure::{ExitKind, Failure};

/// Runs the program on the process's own arguments.
pub fn run() -> ExitCode {
    // A bug must not look like an answer: whatever panics ends with the code for it.
    std::panic::catch_unwind(run_here).unwrap_or_else(|_| {
        let said =
            b"\nerror: this is a bug in scrollback; run `scrollback undo` to roll back an edit that was not finished\n";
        let _ = std::io::stderr().write_all(said);
        ExitCode::from(ExitKind::Bug as u8)
    })
}

fn run_here() -> ExitCode {
    // What was typed, as the journal keeps it.
    let typed: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let mut command = help::command();
    let read = command.try_get_matches_from_mut(std::env::args_os());
    let read =
        read.and_then(|found| Cli::from_arg_matches(&found).map_err(|error| error.format(&mut command)));
    let cli = match read {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(failure) = args::explain(&error, &typed) {
                let _ = std::io::stderr().write_all(failure.text().as_bytes());
                return failure.code();
            }
            // Help and version are answers, not errors; clap knows which is which.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut context = Context::new(cli.global, Env::read(), typed);
    let done = dispatch(cli.command, &mut context);
    let flushed = context.out.finish();
    let done = done.and(flushed.map_err(Failure::from));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = std::io::stderr().write_all(failure.text().as_bytes());
            failure.code()
        }
    }
}

fn dispatch(command: Option<Command>, context: &mut Context) -> Result<(), Failure> {
    match command {
        None => commands::overview::run(context),
        Some(Command::Ls(args)) => commands::ls::run(context, &args),
        Some(Command::Show(args)) => commands::show::run(context, &args),
        Some(Command::Search(args)) => commands::search::run(context, &args),
        Some(Command::Pick(args)) => commands::pick::run(context, &args),
        Some(Command::Resume(args)) => commands::resume::run(context, &args),
        Some(Command::Fork(args)) => commands::fork::run(context, &args),
        Some(Command::Trim(args)) => commands::trim::run(context, &args),
        Some(Command::Split(args)) => commands::split::run(context, &args),
        Some(Command::Merge(args)) => commands::merge::run(context, &args),
        Some(Command::Rename(args)) => commands::rename::run(context, &args),
        Some(Command::Tag(args)) => commands::tag::run(context, &args),
        Some(Command::Pin(args)) => commands::pin::run(context, &args),
        Some(Command::Hide(args)) => commands::hide::run(context, &args),
        Some(Command::Move(args)) => commands::relocate::run(context, &args),
        Some(Command::Rm(args)) => commands::rm::run(context, &args),
        Some(Command::Trash(args)) => commands::trash::run(context, &args),
        Some(Command::Undo(args)) => commands::undo::run(context, &args),
        Some(Command::Journal(args)) => commands::journal::run(context, &args),
        Some(Command::Tree(args)) => commands::tree::run(context, &args),
        Some(Command::Info(args)) => commands::info::run(context, &args),
        Some(Command::Files(args)) => commands::files::run(context, &args),
        Some(Command::Grep(args)) => commands::grep::run(context, &args),
        Some(Command::Usage(args)) => commands::usage::run(context, &args),
        Some(Command::Du(args)) => commands::du::run(context, &args),
        Some(Command::Orphans(args)) => commands::orphans::run(context, &args),
        Some(Command::Retention(args)) => commands::retention::run(context, &args),
        Some(Command::History(args)) => commands::history::run(context, &args),
        Some(Command::Todos(args)) => commands::todos::run(context, &args, TodoGeneration::Todos),
        Some(Command::Tasks(args)) => commands::todos::run(context, &args, TodoGeneration::Tasks),
        Some(Command::Plans(args)) => commands::plans::run(context, &args),
        Some(Command::Settings(args)) => commands::settings::run(context, &args),
        Some(Command::Ps(args)) => commands::ps::run(context, &args),
        Some(Command::Tail(args)) => commands::tail::run(context, &args),
        Some(Command::Watch(args)) => commands::watch::run(context, &args),
        Some(Command::Logs(args)) => commands::logs::run(context, &args),
        Some(Command::Definitions(args)) => commands::definitions::run(context, &args),
        Some(Command::Snapshots(args)) => commands::snapshots::run(context, &args),
        Some(Command::Verify(args)) => commands::verify::run(context, &args),
        Some(Command::Schema(args)) => commands::schema::run(context, &args),
        Some(Command::JsonSchema(args)) => commands::json_schema::run(context, &args),
        Some(Command::Claims(args)) => commands::claims::run(context, &args),
        Some(Command::Where(args)) => commands::whereis::run(context, &args),
        Some(Command::Index(args)) => commands::index::run(context, &args),
        Some(Command::Sample(args)) => commands::sample::run(context, &args),
        Some(Command::Complete(args)) => commands::complete::run(context, &args, Cli::command()),
        Some(Command::Completions(args)) => commands::completions::run(context, &args, Cli::command()),
        Some(Command::Man(args)) => commands::man::run(context, &args, Cli::command()),
    }
}
