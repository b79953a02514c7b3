//! The context: what was typed, resolved once against the environment and the terminal.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use scrollback_app::Root;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::config::Config;
use scrollback_app::desk::Desk;
use scrollback_app::edit::LiveCheck;
use scrollback_app::error::{AppError, OwnDirectory};
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::stop::StopSignal;
use scrollback_format::time::Time;
use tempfile::TempDir;

use crate::env::Env;
use crate::failure::Failure;
use crate::global::{Color, Global};
use crate::output::Output;
use crate::paint::harmless::harmless;
use crate::paint::{Canvas, Style, StyledLine, Theme, fold, width};
use crate::progress::ByteProgress;
use crate::reporter::TerminalReporter;
use crate::sample;
use crate::shell;
use crate::stop::Shield;

/// Default width of painted output.
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
    /// Set when the user wants the work to end.
    pub stop: StopSignal,
    /// What was typed after the name of the program, for the journal.
    pub command: Vec<String>,
    sample: Option<Arc<TempDir>>,
    desk: Option<Desk>,
}

impl Context {
    /// Resolves flags, environment and terminal.
    pub fn new(global: Global, env: Env, command: Vec<String>) -> Self {
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
        let stop = StopSignal::default();
        let zone = TimeZone::system();
        Self { global, env, zone, out, stop, command, sample: None, desk: None }
    }

    /// The same, but what is written is kept as lines for this canvas: for who paints a page elsewhere.
    pub fn keeping(&self, canvas: Canvas) -> Self {
        Self {
            global: self.global.clone(),
            env: self.env.clone(),
            zone: self.zone.clone(),
            out: Output::kept(canvas),
            stop: self.stop.clone(),
            command: self.command.clone(),
            sample: self.sample.clone(),
            desk: self.desk.clone(),
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

    /// The desk that answers every request: over the requested store, or the sample if there is none.
    pub fn desk(&mut self) -> Result<Desk, Failure> {
        if let Some(desk) = &self.desk {
            return Ok(desk.clone());
        }
        let roots = self.roots()?;
        let desk = self.desk_over(roots)?;
        self.desk = Some(desk.clone());
        Ok(desk)
    }

    /// A desk without a store, for what is asked of the journal alone.
    pub fn journal_desk(&self) -> Result<Desk, Failure> {
        self.desk_over(Vec::new())
    }

    fn desk_over(&self, roots: Vec<Root>) -> Result<Desk, Failure> {
        let env = &self.env;
        let config = match &env.config_file {
            Some(path) => Config::load(path)?,
            None => Config::default(),
        };
        let now = env.now;
        let reporter = TerminalReporter::new(self.global.quiet, self.global.json, self.zone.clone());
        Ok(Desk {
            roots_are_named: !self.global.root.is_empty() || self.global.sample,
            is_sample: self.is_sample() || self.global.sample,
            cache: env.cache_dir.clone(),
            data: env.data_dir.clone(),
            home: env.home.clone(),
            client_root: env.config_dir.clone(),
            temporary: env.temp_dir.clone(),
            managed: env.managed_dir.clone(),
            cwd: env.cwd.clone(),
            zone: self.zone.clone(),
            config,
            command: self.command.clone(),
            seed: env.seed,
            reporter: Arc::new(reporter.shielded(Shield::over(&self.stop))),
            stop: self.stop.clone(),
            ..Desk::new(roots, now.unwrap_or(Time(0)))
        })
    }

    /// Opens the requested store, or the sample if there is none.
    pub fn library(&mut self) -> Result<Library, Failure> {
        Ok(self.desk()?.library()?)
    }

    /// Where the index may be kept: the sample's goes away with it.
    pub fn cache(&self) -> CachePlace {
        match &self.env.cache_dir {
            Some(dir) if !self.is_sample() => CachePlace::Cache(dir.clone()),
            _ => CachePlace::Nowhere,
        }
    }

    /// Where the journal is kept.
    pub fn data(&self) -> Result<PathBuf, Failure> {
        Ok(self.env.data_dir.clone().ok_or(AppError::NoDirectory(OwnDirectory::Journal))?)
    }

    /// A look at who works in sessions.
    pub fn watch(&self) -> LiveCheck {
        LiveCheck::at(self.now())
    }

    /// The catalogue of a library, brought up to date.
    pub fn index(&mut self, library: &Library) -> Result<Index, Failure> {
        Ok(self.desk()?.index(library)?)
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
    pub fn resolve_id(&mut self, _: &Library, session: Option<&str>) -> Result<Option<String>, Failure> {
        Ok(self.desk()?.resolve_id(session)?)
    }

    /// The session of a library that an argument means.
    pub fn resolve<'l>(&mut self, library: &'l Library, session: &str) -> Result<SessionFiles<'l>, Failure> {
        if let Some(files) = library.the_one() {
            return Ok(files);
        }
        let resolved = self.desk()?.resolve(session)?.library;
        let path = resolved.only.unwrap_or_default();
        let missing = || AppError::NoSuchSession { wanted: session.to_owned(), near: Vec::new() };
        Ok(library.at_path(&path).ok_or_else(missing)?)
    }

    /// Opens the one session that an argument means, with no look at others.
    pub fn session(&mut self, session: &str) -> Result<Library, Failure> {
        Ok(self.desk()?.resolve(session)?.library)
    }

    /// The catalogue with the one session of a library brought up to date; none if there is no catalogue.
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
            return Err(AppError::NoDirectory(OwnDirectory::Store).into());
        };
        let root = Root::new(home.join(".claude"));
        if root.exists() || self.global.json {
            return Ok(vec![root]);
        }
        let place = self.short_path(root.path());
        let line = StyledLine::new(
            format!("There is no store at {place}: this is the built-in sample."),
            Style::Warning,
        );
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
    pub fn progress(&self, total: u64) -> ByteProgress {
        ByteProgress::new(total, self.global.quiet || self.global.json)
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

    /// The file that an argument names, if no store was requested: its path determines the store.
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

    /// The end of a recorded directory, which is more telling than its start, cut to a number of columns.
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
