//! The context: what was typed, resolved once against the environment and the terminal.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use scrollback_app::Root;
use scrollback_app::catalogue::{Index, Place, Survey};
use scrollback_app::edit::Watch;
use scrollback_app::edit::mark::Marks;
use scrollback_app::error::AppError;
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::resolve;
use scrollback_app::seek;
use scrollback_app::stock::Stock;
use scrollback_format::time::Time;
use tempfile::TempDir;

use crate::args::{Color, Global};
use crate::date;
use crate::env::Env;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::paint::harmless::harmless;
use crate::paint::{Canvas, Line, Style, Theme, fold, width};
use crate::progress::Progress;
use crate::random::Random;
use crate::sample;
use crate::shell;

/// How wide to paint where nobody says.
const DEFAULT_WIDTH: usize = 100;
/// Longer lines are hard to read, however wide the terminal is.
const MAX_WIDTH: usize = 120;

/// What every command works with.
pub struct Context {
    /// The flags that every command takes.
    pub global: Global,
    /// The environment.
    pub env: Env,
    /// The zone of the times that people read.
    pub zone: TimeZone,
    /// Where output goes.
    pub out: Output,
    sample: Option<Arc<TempDir>>,
}

impl Context {
    /// Resolves flags, environment and terminal.
    pub fn new(global: Global, env: Env) -> Self {
        let on_terminal = std::io::stdout().is_terminal();
        let colour = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => !env.no_color && (on_terminal || env.force_color),
        };
        let asked = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let width = if on_terminal { asked.or(env.columns) } else { env.columns };
        let theme = if colour { Theme::colour() } else { Theme::plain() };
        let width = width.unwrap_or(DEFAULT_WIDTH).clamp(20, if on_terminal { 400 } else { MAX_WIDTH });
        let out = Output::stdout(Canvas::new(width, theme));
        Self { global, env, zone: TimeZone::system(), out, sample: None }
    }

    /// The same, but what is written is kept as lines for this canvas: for who paints a page elsewhere.
    pub fn keeping(&self, canvas: Canvas) -> Self {
        Self {
            global: self.global.clone(),
            env: self.env.clone(),
            zone: self.zone.clone(),
            out: Output::kept(canvas),
            sample: self.sample.clone(),
        }
    }

    /// The present.
    pub fn now(&self) -> Time {
        self.env.now.unwrap_or(Time(0))
    }

    /// The canvas for running text: no wider than is good to read.
    pub fn page(&self) -> Canvas {
        let canvas = self.out.canvas();
        Canvas::new(canvas.width.min(MAX_WIDTH), canvas.theme)
    }

    /// Opens the store that was asked for, or the sample where there is none.
    pub fn library(&mut self) -> Result<Library, Failure> {
        let roots = self.roots()?;
        Ok(Library::open(roots)?)
    }

    /// Takes stock of the store that was asked for, with the catalogue as it stands, which knows names.
    pub fn stock(&mut self) -> Result<(Stock, Option<Index>), Failure> {
        let roots = self.roots()?;
        let index = Index::as_it_stands(&roots, &self.cache());
        let temporary = self.env.temp_dir.as_deref().filter(|_| !self.is_sample());
        let stock = Stock::of(roots, temporary, index.as_ref())?;
        Ok((stock, index))
    }

    /// Where the index may be kept: the sample's goes away with it.
    pub fn cache(&self) -> Place {
        match &self.env.cache_dir {
            Some(dir) if !self.is_sample() => Place::Cache(dir.clone()),
            _ => Place::Nowhere,
        }
    }

    /// Where the journal is kept.
    pub fn data(&self) -> Result<PathBuf, Failure> {
        self.env.data_dir.clone().ok_or_else(|| {
            Failure::new(Kind::Io, "there is no place for the journal, without which nothing is edited")
                .hint("SCROLLBACK_DATA_DIR, XDG_DATA_HOME or HOME names one")
        })
    }

    /// What the user says about sessions: tags, pins, hidden ones. Nothing where there is no place for it.
    pub fn marks(&self) -> Result<Marks, Failure> {
        let Some(data) = &self.env.data_dir else { return Ok(Marks::default()) };
        // A list without them is better than none.
        Marks::load(data).or_else(|error| {
            self.say(&format!("tags, pins and what is hidden are not known: {error}"))?;
            Ok(Marks::default())
        })
    }

    /// A look at who works in sessions.
    pub fn watch(&self) -> Watch {
        Watch::at(self.now())
    }

    /// What new ids and times are drawn from.
    pub fn ids(&self) -> Random {
        Random::new(self.env.seed, self.now())
    }

    /// The catalogue of a library, brought up to date.
    pub fn index(&mut self, library: &Library) -> Result<Index, Failure> {
        let survey = Survey::of(library);
        let progress = self.progress(survey.bytes());
        let opened = Index::of_survey(&survey, &self.cache(), self.now(), &|bytes| progress.add(bytes));
        drop(progress);
        let index = opened.map_err(AppError::from)?;
        for remark in &index.remarks {
            self.say(&remark.text)?;
        }
        Ok(index)
    }

    /// Brings the text index up to date, with progress over so many bytes. That it could not be is said, and no failure.
    pub fn refresh_text(&mut self, index: &mut Index, bytes: u64) -> Result<(), Failure> {
        let progress = self.progress(bytes);
        let told = index.refresh_text(&|bytes| progress.add(bytes));
        drop(progress);
        match told {
            Ok(report) if report.busy => {
                self.say("another scrollback is at work in the text index: what it lacks is scanned")
            }
            Ok(_) => Ok(()),
            // A cache that cannot be written is no reason not to answer.
            Err(error) => self.say(&format!("the text index cannot be brought up to date: {error}")),
        }
    }

    /// A remark on standard error, unless silence was asked for.
    pub fn say(&self, text: &str) -> Result<(), Failure> {
        if !self.global.quiet {
            // Paths of files may stand in it.
            let text = harmless(text);
            let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
        }
        Ok(())
    }

    /// The id of the session that an option names, if it names one.
    pub fn resolve_id(
        &mut self,
        library: &Library,
        session: Option<&str>,
    ) -> Result<Option<String>, Failure> {
        session.map(|session| Ok(self.resolve(library, session)?.id.as_str().to_owned())).transpose()
    }

    /// The session of a library that an argument means.
    pub fn resolve<'l>(&mut self, library: &'l Library, session: &str) -> Result<SessionFiles<'l>, Failure> {
        if let Some(files) = seek::only(library) {
            return Ok(files);
        }
        if let Some(sought) = self.seek(library.roots.clone(), session)?
            && let Some(path) = &sought.only
            && let Some(files) = library.sessions().find(|files| files.found.path == *path)
        {
            return Ok(files);
        }
        let cwd = self.env.cwd.clone();
        let mut failed = None;
        let mut names = || match self.index(library) {
            Ok(index) => index.briefs().map_err(AppError::from),
            Err(failure) => {
                failed = Some(failure);
                Ok(Vec::new())
            }
        };
        let found = resolve::resolve(library, session, cwd.as_deref(), &mut names);
        match failed {
            Some(failure) => Err(failure),
            None => Ok(found?),
        }
    }

    /// Opens the one session that an argument means, with no look at others; the whole store where that is not enough to
    /// tell which it is.
    pub fn session(&mut self, session: &str) -> Result<Library, Failure> {
        if let Some(path) = self.outside(session) {
            return Ok(Library::of_file(path)?);
        }
        let roots = self.roots()?;
        match self.seek(roots.clone(), session)? {
            Some(library) => Ok(library),
            None => Ok(Library::open(roots)?),
        }
    }

    fn seek(&self, roots: Vec<Root>, session: &str) -> Result<Option<Library>, Failure> {
        let sought = seek::seek(roots, session, self.env.cwd.as_deref(), &self.cache(), self.now())?;
        let Some(sought) = sought else { return Ok(None) };
        if sought.as_of.is_some() {
            let then = date::minute(sought.as_of, &self.zone);
            self.say(&format!("found by its title; titles of other sessions are as of {then}"))?;
        }
        Ok(Some(sought.library))
    }

    /// The catalogue with the one session of a library brought up to date; none if there is no catalogue, or if the
    /// library is a whole store.
    pub fn session_index(&self, library: &Library) -> Option<Index> {
        Index::of_session(library, &self.cache(), self.now())
    }

    fn roots(&mut self) -> Result<Vec<Root>, Failure> {
        if self.global.sample {
            return self.use_sample();
        }
        if !self.global.root.is_empty() {
            return Ok(self.global.root.iter().map(Root::new).collect());
        }
        if let Some(dir) = &self.env.config_dir {
            return Ok(vec![Root::new(dir)]);
        }
        let Some(home) = &self.env.home else {
            return Err(Failure::new(Kind::Io, "there is no home directory to look in")
                .hint("--root DIR names a store, --sample shows the built-in one"));
        };
        let root = Root::new(home.join(".claude"));
        if root.exists() || self.global.json {
            return Ok(vec![root]);
        }
        let place = self.short_path(root.path());
        let line =
            Line::new(format!("There is no store at {place}: this is the built-in sample."), Style::Warning);
        if !self.global.quiet {
            self.out.line(line)?;
            self.out.gap()?;
        }
        self.use_sample()
    }

    fn use_sample(&mut self) -> Result<Vec<Root>, Failure> {
        let dir = sample::unpack()?;
        let root = Root::new(dir.path());
        self.sample = Some(Arc::new(dir));
        Ok(vec![root])
    }

    /// Is the store that is shown the built-in sample?
    pub fn is_sample(&self) -> bool {
        self.sample.is_some()
    }

    /// Progress over so many bytes.
    pub fn progress(&self, total: u64) -> Progress {
        Progress::new(total, self.global.quiet || self.global.json)
    }

    /// Sends what follows through a pager, unless that was declined.
    pub fn start_pager(&mut self) {
        self.start_pager_at(None);
    }

    /// The same, opened where these words stand first.
    pub fn start_pager_at(&mut self, words: Option<&str>) {
        if !self.global.no_pager && !self.global.json {
            let pager = self.env.pager.clone();
            self.out.page(pager.as_deref(), words);
        }
    }

    /// A path for people: the home directory is `~`, the sample's temporary place is `sample:`.
    pub fn short_path(&self, path: &Path) -> String {
        let within = |base: &Path, name: &str| {
            let rest = path.strip_prefix(base).ok()?;
            Some(if rest.as_os_str().is_empty() {
                name.to_owned()
            } else {
                format!("{name}/{}", rest.display())
            })
        };
        let sample = self.sample.as_ref().and_then(|dir| within(dir.path(), "sample:"));
        let home = || {
            self.env.home.as_deref().filter(|home| home.as_os_str() != "/").and_then(|home| within(home, "~"))
        };
        sample.or_else(home).unwrap_or_else(|| path.display().to_string())
    }

    /// Opens what a SESSION argument needs: the store, or what is around a file that was named by its path.
    pub fn library_for(&mut self, session: &str) -> Result<Library, Failure> {
        match self.outside(session) {
            Some(path) => Ok(Library::around(path)?),
            None => self.library(),
        }
    }

    /// The file that an argument names, if no store was asked for: it tells by itself which one it is in.
    fn outside<'s>(&self, session: &'s str) -> Option<&'s Path> {
        let path = Path::new(session);
        let free = self.global.root.is_empty() && !self.global.sample;
        let is_session = path.extension().is_some_and(|extension| extension == "jsonl") && path.is_file();
        (free && is_session).then_some(path)
    }

    /// The program with the flags that name this store, for commands that a user may paste.
    pub fn program(&self) -> String {
        let mut words = vec!["scrollback".to_owned()];
        if self.is_sample() {
            words.push("--sample".to_owned());
        }
        words.extend(
            self.global
                .root
                .iter()
                .map(|root| format!("--root {}", shell::word(&root.display().to_string()))),
        );
        words.join(" ")
    }

    /// The end of a recorded directory, which tells more than its beginning, in so many columns.
    pub fn dir_end(&self, directory: &str, columns: usize) -> String {
        let short = self.short_dir(directory);
        if width::columns(&short) <= columns {
            return short;
        }
        let mut end = String::new();
        for part in short.rsplit('/') {
            let longer = if end.is_empty() { part.to_owned() } else { format!("{part}/{end}") };
            if !end.is_empty() && width::columns(&longer) + 2 > columns {
                break;
            }
            end = longer;
        }
        fold::one_line(&format!("…/{end}"), columns)
    }

    /// A recorded directory for people.
    pub fn short_dir(&self, directory: &str) -> String {
        self.short_path(&PathBuf::from(directory))
    }
}
