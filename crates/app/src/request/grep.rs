//! `grep`: an exact search through every text, with no index. Matches come one by one; nothing else is held.

use std::io;
use std::path::PathBuf;

use schemars::JsonSchema;
use scrollback_model::unit::Speaker;
use scrollback_search::grep::filter::GrepFilter;
use scrollback_search::grep::pattern::{Pattern, PatternError};
use scrollback_search::grep::target::{self, GrepTarget};
use scrollback_search::grep::view::{GrepEnd, GrepReport};
use scrollback_search::grep::{GrepEvent, GrepQuery, Mode, PreparedGrep};
use scrollback_session::error::{AppError, Input};
use scrollback_session::trouble::TroubleView;
use scrollback_store::{ReadError, Trouble};
use serde::{Deserialize, Serialize};

use super::{Request, ScopeRequest};
use crate::desk::Desk;
use crate::document;

/// What to search for, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GrepRequest {
    /// The text, as it was written, not as JSON stores it.
    pub pattern: String,
    /// Files or directories (any `.jsonl` in them), instead of the store.
    pub paths: Vec<PathBuf>,
    /// The pattern is a regular expression; `^` and `$` match at line ends.
    pub regex: bool,
    /// Ignore case.
    pub ignore_case: bool,
    /// Match whole words only.
    pub words: bool,
    /// What to report.
    pub mode: Mode,
    /// Number of entries to show before each match.
    pub before: usize,
    /// Number of entries to show after each match.
    pub after: usize,
    /// Stop after this many matches (0 = no limit).
    pub limit: u64,
    /// Which projects, and between which dates.
    #[serde(flatten)]
    pub scope: ScopeRequest,
    /// Only what this speaker says.
    pub role: Option<Speaker>,
    /// Only calls of this tool and their results; `mcp__*` for all whose name begins so.
    pub tool: Option<String>,
    /// Only entries on a git branch whose name contains this.
    pub branch: Option<String>,
    /// Only answers and calls of a model whose name contains this.
    pub model: Option<String>,
    /// Only agents whose id begins with this or whose type contains it; `*` for any.
    pub agent: Option<String>,
    /// Only errors that tools returned.
    pub errors: bool,
    /// Include stored API requests.
    pub requests: bool,
}

/// A search that is ready to run.
#[derive(Debug)]
pub struct Grep {
    search: PreparedGrep,
    targets: Vec<GrepTarget>,
    /// What the walk could not read.
    unread: Vec<TroubleView>,
}

impl GrepRequest {
    /// Prepares the search.
    pub fn open(&self, desk: &Desk) -> Result<Grep, AppError> {
        let search = PreparedGrep::new(self.query(desk)?).map_err(malformed)?;
        let (targets, troubles) = self.targets(desk)?;
        let unread = troubles.into_iter().filter(|trouble| trouble.unread);
        let unread = unread.map(|trouble| TroubleView { path: trouble.path, what: trouble.what }).collect();
        Ok(Grep { search, targets, unread })
    }

    fn query(&self, desk: &Desk) -> Result<GrepQuery, AppError> {
        let scope = desk.scope(&self.scope)?;
        Ok(GrepQuery {
            pattern: Pattern {
                text: self.pattern.clone(),
                regex: self.regex,
                ignore_case: self.ignore_case,
                words: self.words,
            },
            filter: GrepFilter {
                project: scope.project,
                since: scope.since,
                until: scope.until,
                speaker: self.role,
                tool: self.tool.clone(),
                branch: self.branch.clone(),
                model: self.model.clone(),
                agent: self.agent.clone(),
                errors: self.errors,
                requests: self.requests,
            },
            mode: self.mode,
            before: self.before,
            after: self.after,
            limit: (self.limit > 0).then_some(self.limit),
        })
    }

    fn targets(&self, desk: &Desk) -> Result<(Vec<GrepTarget>, Vec<Trouble>), AppError> {
        if self.paths.is_empty() {
            let library = desk.library()?;
            return Ok((target::of(&library), library.troubles));
        }
        let (mut targets, mut troubles) = (Vec::new(), Vec::new());
        for path in &self.paths {
            let missing = || ReadError { path: path.clone(), source: io::ErrorKind::NotFound.into() };
            let (found, odd) = target::named(path).ok_or_else(missing)?;
            targets.extend(found);
            troubles.extend(odd);
        }
        Ok((targets, troubles))
    }
}

impl Grep {
    /// What is searched for.
    pub fn query(&self) -> &GrepQuery {
        self.search.query()
    }

    /// Searches, and gives what it finds to `sink` as it is found. An error of `sink` ends the search.
    pub fn run<E>(&self, sink: impl FnMut(GrepEvent) -> Result<(), E>) -> Result<GrepEnd, E> {
        let mut end = self.search.run(&self.targets, sink)?;
        end.skipped.splice(0..0, self.unread.iter().cloned());
        end.complete = !end.limited && end.skipped.is_empty();
        Ok(end)
    }

    /// Everything that it finds, at once.
    pub fn report(&self) -> GrepReport {
        let mut report = self.search.report(&self.targets);
        report.skipped.splice(0..0, self.unread.iter().cloned());
        report.complete = !report.limited && report.skipped.is_empty();
        report
    }

    /// Searches, and writes the document piece by piece: one hit a line, of which no more than one is held.
    pub fn write_json(&self, out: &mut impl io::Write) -> io::Result<GrepEnd> {
        let query = self.query();
        let label = printed(&document::label::<GrepReport>())?;
        write!(out, "{{\"schema\":{label},\"pattern\":{},\"sessions\":[", printed(&query.pattern.text)?)?;
        let (mut files, mut hits, mut open) = (0_u64, 0_u64, false);
        let end = self.run(|event| {
            match event {
                GrepEvent::Begin(file) => {
                    let head = printed(&file)?;
                    let between = if files > 0 { "," } else { "" };
                    write!(out, "{between}\n{},\"hits\":[", head.strip_suffix('}').unwrap_or(&head))?;
                    (files, hits, open) = (files + 1, 0, true);
                }
                GrepEvent::Hit(hit) => {
                    let between = if hits > 0 { "," } else { "" };
                    write!(out, "{between}\n{}", printed(&hit)?)?;
                    hits += 1;
                }
                GrepEvent::End(matched) => {
                    write!(out, "],\"matched\":{}}}", printed(&matched)?)?;
                    open = false;
                }
                GrepEvent::Skipped(_) => {}
            }
            Ok::<(), io::Error>(())
        })?;
        if open {
            let matched = (query.mode == Mode::Hits).then_some(hits);
            write!(out, "],\"matched\":{}}}", printed(&matched)?)?;
        }
        let tail = printed(&end)?;
        writeln!(out, "],\n{}", tail.strip_prefix('{').unwrap_or(&tail))?;
        Ok(end)
    }
}

impl Request for GrepRequest {
    type Document = GrepReport;

    fn answer(&self, desk: &Desk) -> Result<GrepReport, AppError> {
        Ok(self.open(desk)?.report())
    }
}

fn printed(value: &impl Serialize) -> io::Result<String> {
    serde_json::to_string(value).map_err(io::Error::other)
}

fn malformed(error: PatternError) -> AppError {
    AppError::Malformed {
        what: Input::Pattern,
        text: error.pattern,
        place: error.place.map(|(start, end)| start..end),
        why: error.message,
        suggestion: None,
    }
}

#[cfg(test)]
mod tests {
    use scrollback_format::time::Time;
    use scrollback_store::Root;
    use scrollback_testkit::home::Store;

    use super::*;
    use crate::documents;

    const LINE: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","cwd":"/p","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"hello there"}}"#;

    #[test]
    fn what_is_streamed_is_the_document_itself() {
        let store =
            Store::new().lines("projects/-p/aaaa1111-0000-4000-8000-000000000001.jsonl", [LINE, LINE]);
        let desk = Desk::new(vec![Root::new(store.root())], Time(0));
        for (mode, limit) in [(Mode::Hits, 0), (Mode::Hits, 1), (Mode::Count, 0), (Mode::Files, 0)] {
            let request = GrepRequest { pattern: "hello".into(), mode, limit, ..GrepRequest::default() };
            let mut streamed = Vec::new();
            request.open(&desk).unwrap().write_json(&mut streamed).unwrap();
            let streamed = String::from_utf8(streamed).unwrap();
            let mut whole = Vec::new();
            document::write(&mut whole, &desk.answer(&request).unwrap()).unwrap();
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!(value(&streamed), value(&String::from_utf8(whole).unwrap()), "{mode:?} {limit}");
            let again = documents::find("grep").unwrap().reprint(&streamed).unwrap();
            assert_eq!(value(&streamed), value(&again), "{mode:?} {limit}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_the_walk_could_not_read_is_said_at_once_and_streamed() {
        let store = Store::new().lines("projects/-p/aaaa1111-0000-4000-8000-000000000001.jsonl", [LINE]);
        let link = store.root().join("projects/-p/bbbb1111-0000-4000-8000-000000000001.jsonl");
        std::os::unix::fs::symlink("/nowhere", link).unwrap();
        let desk = Desk::new(vec![Root::new(store.root())], Time(0));
        let request = GrepRequest { pattern: "hello".into(), ..GrepRequest::default() };
        let report = desk.answer(&request).unwrap();
        assert_eq!((report.matched, report.complete, report.skipped.len()), (1, false, 1));
        let end = request.open(&desk).unwrap().run(|_| Ok::<(), AppError>(())).unwrap();
        assert_eq!((end.matched, end.complete, end.skipped.len()), (1, false, 1));
    }
}
