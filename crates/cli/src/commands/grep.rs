//! `scrollback grep`: an exact search through every text, with no index.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use scrollback_app::Trouble;
use scrollback_app::grep::filter::Filter;
use scrollback_app::grep::pattern::Pattern;
use scrollback_app::grep::target::{self, Target};
use scrollback_app::grep::text::Speaker;
use scrollback_app::grep::view::{GrepEnd, GrepFile};
use scrollback_app::grep::{Event, Mode, Query, Search};
use scrollback_app::listing::TroubleView;

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::page::hit;
use crate::paint::harmless::harmless;
use crate::paint::{Line, Style, fold};

/// Arguments of `grep`.
#[derive(Debug, Args)]
pub struct GrepArgs {
    /// What to look for: the text itself, as it was written, not as JSON stores it.
    pub pattern: String,
    /// Files or directories (any `.jsonl` in them), instead of the store.
    pub paths: Vec<PathBuf>,
    /// The pattern is a regular expression; `^` and `$` are the ends of a line.
    #[arg(long, short = 'e')]
    pub regex: bool,
    /// Upper and lower case do not matter.
    #[arg(long, short)]
    pub ignore_case: bool,
    /// Only whole words.
    #[arg(long, short)]
    pub words: bool,
    /// Only count the entries that match, file by file.
    #[arg(long, short, conflicts_with = "files")]
    pub count: bool,
    /// Only the paths of files with matches.
    #[arg(long, short = 'l')]
    pub files: bool,
    /// Also show so many entries before and after each match.
    #[arg(long, short = 'C', value_name = "N")]
    pub context: Option<usize>,
    /// Also show so many entries before each match.
    #[arg(long, short = 'B', value_name = "N")]
    pub before: Option<usize>,
    /// Also show so many entries after each match.
    #[arg(long, short = 'A', value_name = "N")]
    pub after: Option<usize>,
    /// End after so many matches; 0 is all.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Only sessions begun in a directory that contains this; `.` is the current directory.
    #[arg(long, short, value_name = "PART")]
    pub project: Option<String>,
    /// Only entries at or after this date.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only entries before this date.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Only what this one says.
    #[arg(long, value_name = "WHO")]
    pub role: Option<WhoSpeaks>,
    /// Only calls of this tool and what came back; `mcp__*` for all that begin so.
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// Only entries on a git branch whose name contains this.
    #[arg(long, value_name = "PART")]
    pub branch: Option<String>,
    /// Only answers and calls of a model whose name contains this.
    #[arg(long, value_name = "PART")]
    pub model: Option<String>,
    /// Only agents whose id begins with this or whose type contains it; `*` for any.
    #[arg(long, value_name = "PART")]
    pub agent: Option<String>,
    /// Only errors that tools gave back.
    #[arg(long)]
    pub errors: bool,
    /// Also stored API requests.
    #[arg(long)]
    pub requests: bool,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WhoSpeaks {
    /// A person.
    User,
    /// The model.
    Assistant,
    /// A tool: what it was asked and what it gave back.
    Tool,
    /// The client.
    System,
}

/// Searches and shows what is found, as it is found.
pub fn run(context: &mut Context, args: &GrepArgs) -> Result<(), Failure> {
    let search =
        Search::new(query(context, args)?).map_err(|error| Failure::new(Kind::Usage, error.to_string()))?;
    let (targets, troubles) = targets(context, &args.paths)?;
    let unread = troubles.into_iter().filter(|trouble| trouble.unread);
    let unread = unread.map(|trouble| TroubleView { path: trouble.path, what: trouble.what }).collect();
    let end = if context.global.json {
        json(context, &search, &targets, unread)?
    } else {
        let mut shown = Shown::new(context, search.query());
        let mut end = search.run(&targets, |event| shown.take(event))?;
        end.skipped.splice(0..0, unread);
        shown.finish(&end)?;
        end
    };
    if end.matched == 0 { Err(Failure::quiet(Kind::NothingFound)) } else { Ok(()) }
}

fn query(context: &Context, args: &GrepArgs) -> Result<Query, Failure> {
    let time = |text: &Option<String>| {
        let decode = |text: &String| date::decode(text, context.now(), &context.zone);
        text.as_ref().map(decode).transpose().map_err(|message| Failure::new(Kind::Usage, message))
    };
    let here = context.env.cwd.as_ref().map(|cwd| cwd.display().to_string());
    let project = args.project.clone().map(|part| if part == "." { here.unwrap_or(part) } else { part });
    let speaker = args.role.map(|role| match role {
        WhoSpeaks::User => Speaker::User,
        WhoSpeaks::Assistant => Speaker::Assistant,
        WhoSpeaks::Tool => Speaker::Tool,
        WhoSpeaks::System => Speaker::System,
    });
    Ok(Query {
        pattern: Pattern {
            text: args.pattern.clone(),
            regex: args.regex,
            ignore_case: args.ignore_case,
            words: args.words,
        },
        filter: Filter {
            project,
            since: time(&args.since)?,
            until: time(&args.until)?,
            speaker,
            tool: args.tool.clone(),
            branch: args.branch.clone(),
            model: args.model.clone(),
            agent: args.agent.clone(),
            errors: args.errors,
            requests: args.requests,
        },
        mode: match (args.count, args.files) {
            (true, _) => Mode::Count,
            (_, true) => Mode::Files,
            _ => Mode::Hits,
        },
        before: args.before.or(args.context).unwrap_or(0),
        after: args.after.or(args.context).unwrap_or(0),
        limit: args.limit.filter(|limit| *limit > 0),
    })
}

fn targets(context: &mut Context, paths: &[PathBuf]) -> Result<(Vec<Target>, Vec<Trouble>), Failure> {
    if paths.is_empty() {
        let library = context.library()?;
        return Ok((target::of(&library), library.troubles));
    }
    let (mut targets, mut troubles) = (Vec::new(), Vec::new());
    for path in paths {
        let missing = || format!("there is no file or directory {}", path.display());
        let (found, odd) = target::named(path).ok_or_else(|| Failure::new(Kind::Io, missing()))?;
        targets.extend(found);
        troubles.extend(odd);
    }
    Ok((targets, troubles))
}

/// Shows what is found to people.
struct Shown<'c> {
    context: &'c mut Context,
    mode: Mode,
    /// The file that is being told.
    file: Option<GrepFile>,
    /// The first match: how to open one.
    first: Option<(GrepFile, u64)>,
    files: u64,
    /// Are neighbours shown, so that gaps between them have to be?
    gaps: bool,
    /// The last line of the file that was told.
    told: Option<u64>,
}

impl<'c> Shown<'c> {
    fn new(context: &'c mut Context, query: &Query) -> Self {
        let gaps = query.before > 0 || query.after > 0;
        Self { context, mode: query.mode, file: None, first: None, files: 0, gaps, told: None }
    }

    fn take(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::Begin(file) => {
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
                        self.context.out.line(Line::new(path, Style::Path))?;
                    }
                    Mode::Count => {}
                }
                self.files += 1;
                self.told = None;
                self.file = Some(file);
            }
            Event::Hit(found) => {
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
            Event::End(matched) => {
                if let (Mode::Count, Some(matched), Some(file)) = (self.mode, matched, &self.file) {
                    let count = Line::new(format!("{matched:>7}  "), Style::Number);
                    let path = self.context.short_path(&file.path);
                    self.context.out.line(count.with(path, Style::Path))?;
                }
            }
            Event::Skipped(_) => {}
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
            said.push_str("nothing found\n");
        }
        if self.mode == Mode::Hits && end.matched > 0 && !self.context.global.quiet {
            self.remarks(end)?;
        } else if end.limited && !self.context.global.quiet {
            said.push_str("the search ended at --limit\n");
        }
        // What is said beside the output is no reason to fail when nobody hears it.
        let _ = std::io::stderr().write_all(said.as_bytes());
        Ok(())
    }

    fn remarks(self, end: &GrepEnd) -> Result<(), Failure> {
        let mut found = fold::plural(end.matched, "entry") + " in " + &fold::plural(self.files, "file");
        if end.limited {
            found.push_str("; the search ended there because of --limit");
        }
        self.context.out.gap()?;
        self.context.out.line(Line::new(found, Style::Dim))?;
        let Some((file, line)) = self.first else { return Ok(()) };
        let name = match (&file.session_id, &file.agent_id) {
            (Some(session), Some(agent)) => format!("{session}/{agent}"),
            (Some(session), None) => session.clone(),
            _ => file.path.display().to_string(),
        };
        let command = format!("{} show {name} --at {line}", self.context.program());
        Ok(self.context.out.line(Line::new(format!("open one: {command}"), Style::Dim))?)
    }
}

/// Writes the document bit by bit: one hit a line, so that no more than one has to be held.
fn json(
    context: &mut Context,
    search: &Search,
    targets: &[Target],
    unread: Vec<TroubleView>,
) -> Result<GrepEnd, Failure> {
    let out = &mut context.out;
    out.bytes(format!("{{\"pattern\":{},\"sessions\":[", printed(&search.query().pattern.text)?).as_bytes())?;
    let (mut files, mut hits, mut open) = (0_u64, 0_u64, false);
    let mut end = search.run(targets, |event| {
        match event {
            Event::Begin(file) => {
                let head = printed(&file)?;
                let between = if files > 0 { "," } else { "" };
                let head = head.strip_suffix('}').unwrap_or(&head);
                out.bytes(format!("{between}\n{head},\"hits\":[").as_bytes())?;
                (files, hits, open) = (files + 1, 0, true);
            }
            Event::Hit(hit) => {
                let between = if hits > 0 { "," } else { "" };
                out.bytes(format!("{between}\n{}", printed(&hit)?).as_bytes())?;
                hits += 1;
            }
            Event::End(matched) => {
                out.bytes(format!("],\"matched\":{}}}", printed(&matched)?).as_bytes())?;
                open = false;
            }
            Event::Skipped(_) => {}
        }
        Ok::<(), Failure>(())
    })?;
    if open {
        let matched = (search.query().mode == Mode::Hits).then_some(hits);
        out.bytes(format!("],\"matched\":{}}}", printed(&matched)?).as_bytes())?;
    }
    end.skipped.splice(0..0, unread);
    end.complete = !end.limited && end.skipped.is_empty();
    let tail = printed(&end)?;
    out.bytes(format!("],\n{}\n", tail.strip_prefix('{').unwrap_or(&tail)).as_bytes())?;
    Ok(end)
}

fn printed(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::from(std::io::Error::other(error)))
}
