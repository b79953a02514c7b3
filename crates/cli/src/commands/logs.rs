//! `scrollback logs`: the client's own log of a session.

use std::time::Duration;

use clap::{Args, ValueEnum};
use scrollback_app::log::{Level, Log, LogEntry, LogView};

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style};
use crate::stop::Stop;

/// Arguments of `logs`.
#[derive(Debug, Args)]
pub struct LogsArgs {
    /// An id, the start of one, a path, a title, or `last`. The whole id also finds the log of a session that is gone.
    #[arg(default_value = "last")]
    pub session: String,
    /// Only entries that matter so much, or more.
    #[arg(long, short, value_name = "LEVEL", default_value = "debug")]
    pub level: LeastLevel,
    /// Only the last entries; 0: all.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 0)]
    pub limit: usize,
    /// Go on with what is added, until Ctrl-C.
    #[arg(long, short)]
    pub follow: bool,
}

/// How much an entry matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LeastLevel {
    /// Everything.
    Debug,
    /// What is worth knowing.
    Info,
    /// What may be wrong.
    Warn,
    /// What is wrong.
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

/// How often is looked for more.
const PERIOD: Duration = Duration::from_millis(250);

/// Shows a log.
pub fn run(context: &mut Context, args: &LogsArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let level = args.level.level();
    // Logs outlive their sessions.
    let by_id = Some(args.session.as_str()).filter(|id| is_id(id)).map(str::to_owned);
    let (session, log) = match by_id.and_then(|id| Log::find(&library.roots, &id, level).map(|log| (id, log)))
    {
        Some((session, log)) => (session, Some(log)),
        None => {
            let id = context.resolve(&library, &args.session)?.id.to_string();
            let log = Log::find(&library.roots, &id, level);
            (id, log)
        }
    };
    let Some(mut log) = log else {
        return Err(Failure::new(Kind::NothingFound, format!("there is no log of session {session}"))
            .hint("from 2.1.80 on a client keeps one only with --debug, and old ones are swept"));
    };
    if args.follow {
        return follow(context, &mut log, args);
    }
    if context.global.json {
        let entries = log.last(if args.limit == 0 { usize::MAX } else { args.limit }, true)?;
        return Ok(context.out.json(&LogView { session_id: session, path: log.path, entries })?);
    }
    context.start_pager();
    if args.limit > 0 {
        return log.last(args.limit, true)?.iter().try_for_each(|entry| paint(context, entry));
    }
    stream(context, &mut log)?;
    log.rest().iter().try_for_each(|entry| paint(context, entry))
}

/// The shape of a session's id; anything else is a title, a path or the start of one.
fn is_id(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Shows what is there, entry by entry: a log may be larger than any memory.
fn stream(context: &mut Context, log: &mut Log) -> Result<(), Failure> {
    let mut done = Ok(());
    log.read(|entry| {
        if done.is_ok() {
            done = paint(context, &entry);
        }
    })?;
    done
}

fn follow(context: &mut Context, log: &mut Log, args: &LogsArgs) -> Result<(), Failure> {
    let stop = Stop::listen();
    let mut skip = true;
    loop {
        let entries = match (skip, args.limit) {
            (true, limit) if limit > 0 => log.last(limit, false)?,
            _ => {
                let mut entries = Vec::new();
                log.read(|entry| entries.push(entry))?;
                // Nobody follows it just now: it is told as far as it has come.
                entries.extend(log.finish());
                entries
            }
        };
        skip = false;
        for entry in &entries {
            if context.global.json { context.out.json_line(entry)? } else { paint(context, entry)? }
        }
        context.out.flush()?;
        if !stop.wait(PERIOD) {
            return Ok(());
        }
    }
}

fn paint(context: &mut Context, entry: &LogEntry) -> Result<(), Failure> {
    let level = entry.level.as_deref().unwrap_or_default();
    let style = match Level::named(level) {
        Some(Level::Error) => Style::Error,
        Some(Level::Warn) => Style::Warning,
        _ => Style::Dim,
    };
    let mut head = Line::empty();
    if entry.time.is_some() {
        head.push(format!("{} ", date::millisecond(entry.time, &context.zone)), Style::Time);
    }
    if !level.is_empty() {
        head.push(format!("{level:<5} "), style);
    }
    let space = Line::plain("    ");
    for (at, text) in entry.text.split('\n').enumerate() {
        let line = Line::new(text, if style == Style::Error { Style::Error } else { Style::Plain });
        context.out.line(line.prefixed(if at == 0 { &head } else { &space }))?;
    }
    Ok(())
}
