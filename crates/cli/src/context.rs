//! The context: what was typed, resolved once against the environment and the terminal.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use scrollback_app::Root;
use scrollback_app::config::Config;
use scrollback_app::desk::Desk;
use scrollback_app::error::{AppError, OwnDirectory};
use scrollback_app::notice::Silent;
use scrollback_app::stop::StopSignal;
use scrollback_format::time::Time;
use tempfile::TempDir;

use crate::env::Env;
use crate::failure::Failure;
use crate::global::{Color, Global};
use crate::output::Output;
use crate::paint::harmless::harmless;
use crate::paint::{Canvas, Style, StyledLine, Theme, fold, width};
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

    /// A desk over what was asked for as it stands, which says nothing and makes nothing. None where that is the sample, or
    /// nothing at all.
    pub fn standing_desk(&self) -> Option<Desk> {
        if self.global.sample {
            return None;
        }
        let roots = if !self.global.root.is_empty() {
            self.global.root.iter().map(Root::new).collect()
        } else if let Some(dir) = &self.env.config_dir {
            vec![Root::new(dir)]
        } else {
            vec![Root::new(self.env.home.as_ref()?.join(".claude"))]
        };
        if !roots.iter().all(|root| root.exists().unwrap_or(false)) {
            return None;
        }
        let desk = self.desk_over(roots).ok()?;
        Some(Desk { reporter: Arc::new(Silent), ..desk })
    }

    /// A desk without a store, for what is asked of the journal alone, or of no store at all.
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

    /// A remark on standard error, unless silence was asked for.
    pub fn say(&self, text: &str) -> Result<(), Failure> {
        if !self.global.quiet {
            // Paths of files may stand in it.
            let text = harmless(text);
            let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
        }
        Ok(())
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
        if root.exists().map_err(AppError::from)? || self.global.json {
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
