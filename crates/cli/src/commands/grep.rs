//! `scrollback grep`: an exact search through every text, with no index.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use scrollback_app::grep::view::{GrepEnd, GrepFile};
use scrollback_app::grep::{GrepEvent, GrepQuery, Mode};
use scrollback_app::model::Speaker;
use scrollback_app::request::ScopeRequest;
use scrollback_app::request::grep::GrepRequest;

use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::page::hit;
use crate::paint::harmless::harmless;
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `grep`.
#[derive(Debug, Args)]
pub struct GrepArgs {
    /// Text to find, as it reads, not as it is escaped in JSON.
    pub pattern: String,
    /// Files or directories to search (every `.jsonl` in them) instead of the store.
    pub paths: Vec<PathBuf>,
    /// Treat the pattern as a regular expression; `^` and `$` match at line ends.
    #[arg(long, short = 'e')]
    pub regex: bool,
    /// Ignore case.
    #[arg(long, short)]
    pub ignore_case: bool,
    /// Match whole words only.
    #[arg(long, short)]
    pub words: bool,
    /// Print only the number of matching entries of each file.
    #[arg(long, short, conflicts_with = "files")]
    pub count: bool,
    /// Print only the paths of files with matches.
    #[arg(long, short = 'l')]
    pub files: bool,
    /// Show this many entries before and after each match.
    #[arg(long, short = 'C', value_name = "N")]
    pub context: Option<usize>,
    /// Show this many entries before each match.
    #[arg(long, short = 'B', value_name = "N")]
    pub before: Option<usize>,
    /// Show this many entries after each match.
    #[arg(long, short = 'A', value_name = "N")]
    pub after: Option<usize>,
    /// Stop after this many matches (0 = no limit).
    #[arg(long, short = 'n', value_name = "N")]
    pub limit: Option<u64>,
    /// Only projects whose path contains this text; `.` is the current directory.
    #[arg(long, short, value_name = "PART")]
    pub project: Option<String>,
    /// Only entries at or after this date.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only entries before this date.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Only messages from this role.
    #[arg(long, value_name = "WHO")]
    pub role: Option<WhoSpeaks>,
    /// Only calls of this tool and their results; `mcp__*` matches every tool with that prefix.
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// Only entries on a git branch whose name contains this text.
    #[arg(long, value_name = "PART")]
    pub branch: Option<String>,
    /// Only messages and tool calls of a model whose name contains this text.
    #[arg(long, value_name = "PART")]
    pub model: Option<String>,
    /// Only agents whose ID starts with this or whose type contains it; `*` matches any agent.
    #[arg(long, value_name = "PART")]
    pub agent: Option<String>,
    /// Only tool errors.
    #[arg(long)]
    pub errors: bool,
    /// Include stored API requests.
    #[arg(long)]
    pub requests: bool,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WhoSpeaks {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// Tool input and output.
    Tool,
    /// The client.
    System,
}

/// Searches and shows what is found, as it is found.
pub fn run(context: &mut Context, args: &GrepArgs) -> Result<(), Failure> {
    let grep = args.request().open(&context.desk()?)?;
    let end = if context.global.json {
        grep.write_json(&mut context.out)?
    } else {
        let mut shown = Shown::new(context, grep.query());
        let end = grep.run(|event| shown.take(event))?;
        shown.finish(&end)?;
        end
    };
    if end.matched == 0 { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

impl GrepArgs {
    fn request(&self) -> GrepRequest {
        GrepRequest {
            pattern: self.pattern.clone(),
            paths: self.paths.clone(),
            regex: self.regex,
            ignore_case: self.ignore_case,
            words: self.words,
            mode: match (self.count, self.files) {
                (true, _) => Mode::Count,
                (_, true) => Mode::Files,
                _ => Mode::Hits,
            },
            before: self.before.or(self.context).unwrap_or(0),
            after: self.after.or(self.context).unwrap_or(0),
            limit: self.limit.unwrap_or(0),
            scope: ScopeRequest {
                project: self.project.clone(),
                since: self.since.clone(),
                until: self.until.clone(),
            },
            role: self.role.map(|role| match role {
                WhoSpeaks::User => Speaker::User,
                WhoSpeaks::Assistant => Speaker::Assistant,
                WhoSpeaks::Tool => Speaker::Tool,
                WhoSpeaks::System => Speaker::System,
            }),
            tool: self.tool.clone(),
            branch: self.branch.clone(),
            model: self.model.clone(),
            agent: self.agent.clone(),
            errors: self.errors,
            requests: self.requests,
        }
    }
}

/// Shows what is found to people.
struct Shown<'c> {
    context: &'c mut Context,
    mode: Mode,
    /// The file being printed.
    file: Option<GrepFile>,
    /// The first match: how to open one.
    first: Option<(GrepFile, u64)>,
    files: u64,
    /// Are neighbours shown, so that gaps between them have to be?
    gaps: bool,
    /// The last line of the file that was printed.
    told: Option<u64>,
}

impl<'c> Shown<'c> {
    fn new(context: &'c mut Context, query: &GrepQuery) -> Self {
        let gaps = query.before > 0 || query.after > 0;
        Self { context, mode: query.mode, file: None, first: None, files: 0, gaps, told: None }
    }

    fn take(&mut self, event: GrepEvent) -> Result<(), Failure> {
        match event {
            GrepEvent::Begin(file) => {
                if self.files == 0 {
                    self.context.start_pager();
                }
                match self.mode {
                    Mode::Hits => {
                        if self.files > 0 {
                            self.context.out.gap()?;
                        }
                        let lines = hit::file(self.context, &file);
                        self.context.out.lines(&lines)?;
                    }
                    Mode::Files => {
                        let path = harmless(&file.path.to_string_lossy()).replace('\n', " ");
                        self.context.out.line(StyledLine::new(path, Style::Path))?;
                    }
                    Mode::Count => {}
                }
                self.files += 1;
                self.told = None;
                self.file = Some(file);
            }
            GrepEvent::Hit(found) => {
                if self.first.is_none() {
                    self.first = self.file.clone().map(|file| (file, found.entry.line));
                }
                let (first, last) = hit::reach(&found);
                if self.gaps && self.told.is_some_and(|told| told + 1 < first) {
                    self.context.out.line(hit::gap())?;
                }
                self.told = Some(last);
                let lines = hit::hit(self.context, &found);
                self.context.out.lines(&lines)?;
            }
            GrepEvent::End(matched) => {
                if let (Mode::Count, Some(matched), Some(file)) = (self.mode, matched, &self.file) {
                    let count = StyledLine::new(format!("{matched:>7}  "), Style::Number);
                    let path = self.context.short_path(&file.path);
                    self.context.out.line(count.with(path, Style::Path))?;
                }
            }
            GrepEvent::Skipped(_) => {}
        }
        Ok(())
    }

    fn finish(self, end: &GrepEnd) -> Result<(), Failure> {
        let mut said = String::new();
        for skipped in &end.skipped {
            let path = self.context.short_path(&skipped.path);
            said.push_str(&format!(
                "warning: not searched: {}: {}\n",
                harmless(&path),
                harmless(&skipped.what)
            ));
        }
        if end.matched == 0 && !self.context.global.quiet {
            said.push_str("no matches\n");
        }
        if self.mode == Mode::Hits && end.matched > 0 && !self.context.global.quiet {
            self.remarks(end)?;
        } else if end.limited && !self.context.global.quiet {
            said.push_str("stopped at --limit\n");
        }
        // What is said beside the output is no reason to fail when nobody hears it.
        let _ = std::io::stderr().write_all(said.as_bytes());
        Ok(())
    }

    fn remarks(self, end: &GrepEnd) -> Result<(), Failure> {
        let mut found = fold::plural(end.matched, "entry") + " in " + &fold::plural(self.files, "file");
        if end.limited {
            found.push_str("; stopped at --limit");
        }
        self.context.out.gap()?;
        self.context.out.line(StyledLine::new(found, Style::Dim))?;
        let Some((file, line)) = self.first else { return Ok(()) };
        let name = match (&file.session_id, &file.agent_id) {
            (Some(session), Some(agent)) => format!("{session}/{agent}"),
            (Some(session), None) => session.clone(),
            _ => file.path.display().to_string(),
        };
        let command = format!("{} show {name} --at {line}", self.context.program());
        Ok(self.context.out.line(StyledLine::new(format!("open one: {command}"), Style::Dim))?)
    }
}
