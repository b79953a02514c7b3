//! `scrollback logs`: the client's own log of a session.

use clap::{Args, ValueEnum};
use scrollback_app::log::{Level, LogEntry};
use scrollback_app::request::logs::LogsRequest;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine};
use crate::stop;

/// Arguments of `logs`.
#[derive(Debug, Args)]
pub struct LogsArgs {
    /// Session ID or prefix, title, path, or `last`. A full ID also finds the log of a deleted session.
    #[arg(default_value = "last")]
    pub session: String,
    /// Minimum level.
    #[arg(long, short, value_name = "LEVEL", default_value = "debug")]
    pub level: LeastLevel,
    /// Show only the last N entries (0 = no limit).
    #[arg(long, short = 'n', value_name = "N", default_value_t = 0)]
    pub limit: usize,
    /// Follow the log until Ctrl-C.
    #[arg(long, short)]
    pub follow: bool,
}

/// How much an entry matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LeastLevel {
    /// All entries.
    Debug,
    /// Information and above.
    Info,
    /// Warnings and errors.
    Warn,
    /// Errors only.
    Error,
}

impl LeastLevel {
    fn level(self) -> Level {
        match self {
            Self::Debug => Level::Debug,
            Self::Info => Level::Info,
            Self::Warn => Level::Warn,
            Self::Error => Level::Error,
        }
    }
}

/// Shows a log.
pub fn run(context: &mut Context, args: &LogsArgs) -> Result<(), Failure> {
    let request =
        LogsRequest { session: args.session.clone(), level: args.level.level(), limit: Some(args.limit) };
    if args.follow {
        return follow(context, &request);
    }
    if context.global.json {
        let log = context.desk()?.answer(&request)?;
        return Ok(context.out.document(&log)?);
    }
    let log = request.open(&context.desk()?)?;
    context.start_pager();
    log.each(|entry| paint(context, &entry))
}

fn follow(context: &mut Context, request: &LogsRequest) -> Result<(), Failure> {
    let mut log = request.open(&context.desk()?)?;
    stop::listen(&context.stop);
    while let Some(entries) = log.poll()? {
        for entry in &entries {
            if context.global.json { context.out.json_line(entry)? } else { paint(context, entry)? }
        }
        context.out.flush()?;
    }
    Ok(())
}

fn paint(context: &mut Context, entry: &LogEntry) -> Result<(), Failure> {
    let level = entry.level.as_deref().unwrap_or_default();
    let style = match Level::named(level) {
        Some(Level::Error) => Style::Error,
        Some(Level::Warn) => Style::Warning,
        _ => Style::Dim,
    };
    let mut head = StyledLine::empty();
    if entry.time.is_some() {
        head.push(format!("{} ", date::millisecond(entry.time, &context.zone)), Style::Time);
    }
    if !level.is_empty() {
        head.push(format!("{level:<5} "), style);
    }
    let space = StyledLine::plain("    ");
    for (at, text) in entry.text.split('\n').enumerate() {
        let line = StyledLine::new(text, if style == Style::Error { Style::Error } else { Style::Plain });
        context.out.line(line.prefixed(if at == 0 { &head } else { &space }))?;
    }
    Ok(())
}
