//! The client's own log of a session: `debug/<session>.txt`, written by default up to 2.1.64 and with `--debug` later.
//!
//! An entry is a line with a level, and the lines without one that follow it. Logs grow without bound, so they are read
//! entry by entry, from wherever the last reading ended.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::PathBuf;

use scrollback_format::area::Area;
use scrollback_format::line::Ending;
use scrollback_format::time::Time;
use scrollback_store::{Chunk, LineReader, Root, Start, stamp};
use serde::{Deserialize, Serialize};

use scrollback_session::error::AppError;

/// How much an entry matters.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Everything.
    #[default]
    Debug,
    /// What is worth knowing.
    Info,
    /// What may be wrong.
    Warn,
    /// What is wrong.
    Error,
}

impl Level {
    /// The level of this name, in whatever case.
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "debug" | "verbose" | "trace" => Some(Self::Debug),
            "info" => Some(Self::Info),
            "warn" | "warning" => Some(Self::Warn),
            "error" | "fatal" => Some(Self::Error),
            _ => None,
        }
    }
}

/// A log, or its last entries.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LogView {
    /// The session.
    pub session_id: String,
    /// The file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The entries that were asked for.
    pub entries: Vec<LogEntry>,
}

/// An entry of a log.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LogEntry {
    /// Its line.
    pub line: u64,
    /// When; older clients do not say.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// `DEBUG`, `ERROR` and the like, as it stands there.
    pub level: Option<String>,
    /// What it says, over all of its lines.
    pub text: String,
}

/// A log that is being read.
#[derive(Debug)]
pub struct Log {
    /// The file.
    pub path: PathBuf,
    reader: LineReader,
    at: Start,
    least: Level,
    open: Option<LogEntry>,
    /// The last line, if it has no end yet.
    torn: Option<(u64, String)>,
}

/// More of one entry is not kept.
const LONGEST: usize = 1 << 20;

impl Log {
    /// The log of a session, if it has one.
    pub fn find(roots: &[Root], session: &str, least: Level) -> Option<Self> {
        let claims = Area::Debug.claims(session);
        let mut places =
            roots.iter().flat_map(|root| claims.iter().map(|claim| root.path().join(&claim.path)));
        let path = places.find(|path| stamp::look(path).is_some())?;
        Some(Self { path, reader: LineReader::new(), at: Start::default(), least, open: None, torn: None })
    }

    /// Gives every entry that ends before the file's present end. The last one may go on: [`Log::finish`] gives it, and
    /// [`Log::rest`] a line without an end too.
    pub fn read(&mut self, mut tell: impl FnMut(LogEntry)) -> Result<(), AppError> {
        let size = stamp::look(&self.path).map_or(0, |look| look.size);
        if size < self.at.offset {
            // It was begun anew.
            self.at = Start::default();
            self.open = None;
        }
        let (least, open, at, torn) = (self.least, &mut self.open, &mut self.at, &mut self.torn);
        *torn = None;
        self.reader.read(&self.path, *at, |chunk| {
            match chunk {
                Chunk::Line(line) if line.ending == Ending::None => {
                    *torn = Some((line.number, String::from_utf8_lossy(line.bytes).into_owned()));
                }
                Chunk::Line(line) => {
                    let ending = if line.ending == Ending::CrLf { 2 } else { 1 };
                    *at =
                        Start { offset: line.offset + line.bytes.len() as u64 + ending, lines: line.number };
                    take(open, line.number, &String::from_utf8_lossy(line.bytes), |entry| {
                        if passes(&entry, least) {
                            tell(entry);
                        }
                    });
                }
                Chunk::Oversize(part) => {
                    *at = Start { offset: part.offset + part.bytes.len() as u64, lines: part.number };
                    if part.first {
                        let text =
                            String::from_utf8_lossy(&part.bytes[..part.bytes.len().min(1000)]).into_owned();
                        take(open, part.number, &format!("{text}… (line too long)"), &mut tell);
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(())
    }

    /// The entry that nothing followed.
    pub fn finish(&mut self) -> Option<LogEntry> {
        self.open.take().filter(|entry| passes(entry, self.least))
    }

    /// All that is left, for whoever does not wait for more: the entry that nothing followed, and a last line without an end,
    /// which a client that died leaves.
    pub fn rest(&mut self) -> Vec<LogEntry> {
        let mut rest = Vec::new();
        if let Some((line, text)) = self.torn.take().filter(|(_, text)| !text.is_empty()) {
            take(&mut self.open, line, &text, |entry| rest.push(entry));
        }
        rest.extend(self.open.take());
        rest.retain(|entry| passes(entry, self.least));
        rest
    }

    /// The last entries of the whole log. With `whole`, a last line without an end is one of them; whoever keeps reading gets it
    /// once it has one.
    pub fn last(&mut self, count: usize, whole: bool) -> Result<Vec<LogEntry>, AppError> {
        let mut kept = VecDeque::new();
        self.read(|entry| {
            kept.push_back(entry);
            if kept.len() > count {
                kept.pop_front();
            }
        })?;
        if whole {
            kept.extend(self.rest());
        } else {
            kept.extend(self.finish());
        }
        let extra = kept.len().saturating_sub(count);
        Ok(kept.into_iter().skip(extra).collect())
    }
}

/// A level that is not known passes: nothing is kept back by mistake.
fn passes(entry: &LogEntry, least: Level) -> bool {
    entry.level.as_deref().and_then(Level::named).is_none_or(|level| level >= least)
}

/// Takes a line: it begins an entry, or goes on with the one before.
fn take(open: &mut Option<LogEntry>, line: u64, text: &str, mut tell: impl FnMut(LogEntry)) {
    match (head(line, text), open.as_mut()) {
        (None, Some(entry)) => {
            if entry.text.len() < LONGEST {
                entry.text.push('\n');
                entry.text.push_str(text);
            }
        }
        (None, None) => *open = Some(LogEntry { line, time: None, level: None, text: text.to_owned() }),
        (Some(entry), _) => {
            if let Some(before) = open.replace(entry) {
                tell(before);
            }
        }
    }
}

/// `2026-11-15T23:59:14.796Z [DEBUG] text`, or without the time.
fn head(line: u64, text: &str) -> Option<LogEntry> {
    let (time, rest) = match text.split_once(' ') {
        Some((first, rest)) if Time::decode(first).is_some() => (Time::decode(first), rest),
        _ => (None, text),
    };
    let (level, rest) = rest.strip_prefix('[')?.split_once(']')?;
    let is_level = (3..=8).contains(&level.len()) && level.bytes().all(|byte| byte.is_ascii_uppercase());
    is_level.then(|| LogEntry {
        line,
        time,
        level: Some(level.to_owned()),
        text: rest.trim_start().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Level, LogEntry, passes, take};

    fn entries(text: &str, least: Level) -> Vec<(u64, Option<String>, String)> {
        let (mut open, mut all) = (None, Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            take(&mut open, number, line, |entry: LogEntry| all.push(entry));
        }
        all.extend(open);
        let shown = all.into_iter().filter(|entry| passes(entry, least));
        shown.map(|entry| (entry.line, entry.level, entry.text)).collect()
    }

    #[test]
    fn lines_without_a_level_belong_to_the_entry_before() {
        let text = "stray\n2026-11-15T23:59:14.796Z [DEBUG] one\n  more\n[ERROR] two\n[init] three\n[ODD] x";
        let found = entries(text, Level::Debug);
        let texts: Vec<&str> = found.iter().map(|(_, _, text)| text.as_str()).collect();
        assert_eq!(texts, ["stray", "one\n  more", "two\n[init] three", "x"]);
        let errors = entries(text, Level::Error);
        let levels: Vec<Option<&str>> = errors.iter().map(|(_, level, _)| level.as_deref()).collect();
        assert_eq!(levels, [None, Some("ERROR"), Some("ODD")], "what has no known level is not kept back");
    }
}
