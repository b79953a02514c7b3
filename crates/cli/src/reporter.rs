//! What the desk reports, on standard error: progress on a terminal, and notices unless silence was asked for.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use jiff::tz::TimeZone;
use scrollback_app::notice::{Notice, Reporter, Work};

use crate::date;
use crate::paint::harmless::harmless;
use crate::progress::ByteProgress;
use crate::stop::Shield;

/// Reports to whoever sits at the terminal.
pub struct TerminalReporter {
    quiet: bool,
    /// Programs read the output; progress would be noise.
    for_programs: bool,
    zone: TimeZone,
    progress: Mutex<Option<ByteProgress>>,
    shield: Shield,
}

impl TerminalReporter {
    /// A reporter that says nothing if `quiet`, and shows no progress if the output is for programs.
    pub fn new(quiet: bool, for_programs: bool, zone: TimeZone) -> Self {
        Self { quiet, for_programs, zone, progress: Mutex::new(None), shield: Shield::default() }
    }

    /// The same, holding signals back while changes are made.
    pub fn shielded(self, shield: Shield) -> Self {
        Self { shield, ..self }
    }

    fn set(&self, progress: Option<ByteProgress>) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }
}

impl Reporter for TerminalReporter {
    fn begin(&self, work: Work, total: u64) {
        if work == Work::Changes {
            return self.shield.raise();
        }
        self.set(Some(ByteProgress::new(total, self.quiet || self.for_programs)));
    }

    fn advance(&self, bytes: u64) {
        if let Some(progress) = &*self.progress.lock().unwrap_or_else(PoisonError::into_inner) {
            progress.add(bytes);
        }
    }

    fn end(&self) {
        self.shield.lower();
        self.set(None);
    }

    fn notice(&self, notice: &Notice) {
        if self.quiet {
            return;
        }
        let text = match notice {
            Notice::FoundByTitle { as_of } => {
                format!("found by title; index last updated {}", date::minute(Some(*as_of), &self.zone))
            }
            other => other.to_string(),
        };
        // Paths of files may stand in it.
        let _ = std::io::stderr().write_all(format!("{}\n", harmless(&text)).as_bytes());
    }
}
