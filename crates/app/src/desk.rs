//! The desk: everything that an answer depends on besides the request, and the few ways in which every request opens a
//! store. A front makes one desk, asks it, and paints what comes back.
//!
//! ```text
//! front ──► Desk::answer(&request) ──► document ──► front
//!              │
//!              ├─ library, index        a whole store, its catalogue brought up to date
//!              ├─ plan, apply, undo     changes: planned, shown, made (see `edits`)
//!              ├─ open, resolve         one session, with no look at the others
//!              └─ scope, date, …        what was typed, made sense of once
//! ```
//!
//! What an answer rests on (an index that could not be refreshed, a title found as of last week) goes to the
//! [`Reporter`] as a [`Notice`], and into the document where it changes what that says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use scrollback_edit::LiveCheck;
use scrollback_format::time::Time;
use scrollback_inspect::stock::Stock;
use scrollback_session::catalogue::{CachePlace, Index, Survey};
use scrollback_session::date;
use scrollback_session::error::{AppError, Hint, OwnDirectory};
use scrollback_session::library::Library;
use scrollback_session::marks::Marks;
use scrollback_session::opened::Opened;
use scrollback_session::resolve::{Resolved, Resolver, SessionArg};
use scrollback_session::resume::command::{ClientHome, ResumeCommand, ResumeObstacle};
use scrollback_session::scope::{Scope, ScopeRequest};
use scrollback_session::view::SessionView;
use scrollback_store::Root;

use crate::config::Config;
use crate::ids::Random;
use crate::notice::{Notice, Once, Reporter, Silent, Work};
use crate::stop::StopSignal;

/// Everything that an answer depends on besides the request.
#[derive(Clone)]
pub struct Desk {
    /// The stores to read, in order.
    pub roots: Vec<Root>,
    /// Were they asked for by name? If not, a path to a session elsewhere names the store that it lies in.
    pub roots_are_named: bool,
    /// Is it the built-in sample, which is never changed and never cached?
    pub is_sample: bool,
    /// Where the index may be kept.
    pub cache: Option<PathBuf>,
    /// Where the journal, the trash, tags and the ledger are kept.
    pub data: Option<PathBuf>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The store that the client's environment names.
    pub client_root: Option<PathBuf>,
    /// Where clients leave the output of background tasks.
    pub temporary: Option<PathBuf>,
    /// Where settings are that a user cannot change.
    pub managed: Option<PathBuf>,
    /// The current directory.
    pub cwd: Option<PathBuf>,
    /// The time zone of days and of dates that are typed.
    pub zone: TimeZone,
    /// What the user configured.
    pub config: Config,
    /// A number that new ids are drawn from, instead of chance.
    pub seed: Option<u64>,
    /// Tells the time.
    pub clock: Arc<dyn Fn() -> Time + Send + Sync>,
    /// Receives progress and notices.
    pub reporter: Arc<dyn Reporter>,
    /// Set to end long work, and to roll back changes that are being made.
    pub stop: StopSignal,
    /// What was asked for, word by word as it was typed, for the journal.
    pub command: Vec<String>,
    /// Was an interrupted edit reported to the front?
    pub interrupted: Once,
}

impl Desk {
    /// A desk over these roots, with no cache, no data directory and a clock that stands still.
    pub fn new(roots: Vec<Root>, now: Time) -> Self {
        Self {
            roots,
            roots_are_named: true,
            is_sample: false,
            cache: None,
            data: None,
            home: None,
            client_root: None,
            temporary: None,
            managed: None,
            cwd: None,
            zone: TimeZone::UTC,
            config: Config::default(),
            seed: None,
            clock: Arc::new(move || now),
            reporter: Arc::new(Silent),
            stop: StopSignal::default(),
            command: Vec::new(),
            interrupted: Once::default(),
        }
    }

    /// The present.
    pub fn now(&self) -> Time {
        (self.clock)()
    }

    /// Where the index may be kept: the sample's goes away with it.
    pub fn place(&self) -> CachePlace {
        match &self.cache {
            Some(dir) if !self.is_sample => CachePlace::Cache(dir.clone()),
            _ => CachePlace::Nowhere,
        }
    }

    /// Where the journal is kept.
    pub fn data(&self) -> Result<&Path, AppError> {
        self.data.as_deref().ok_or(AppError::NoDirectory(OwnDirectory::Journal))
    }

    /// Opens the whole store.
    pub fn library(&self) -> Result<Library, AppError> {
        self.report_interrupted();
        Library::open(self.roots.clone())
    }

    /// The catalogue of a library, brought up to date.
    pub fn index(&self, library: &Library) -> Result<Index, AppError> {
        let survey = Survey::of(library);
        let progress = self.progress(Work::Catalogue, survey.bytes());
        let index = Index::of_survey(&survey, &self.place(), self.now(), &|bytes| progress.add(bytes))?;
        drop(progress);
        for remark in &index.remarks {
            self.notice(&Notice::Index(remark.clone()));
        }
        Ok(index)
    }

    /// Brings the text index up to date; `bytes` is how much it has to read. That it could not be is a notice, not an error: what it
    /// lacks is scanned.
    pub fn refresh_text(&self, index: &mut Index, bytes: u64) {
        let progress = self.progress(Work::Text, bytes);
        let done = index.refresh_text(&|bytes| progress.add(bytes));
        drop(progress);
        match done {
            Ok(report) if report.busy => self.notice(&Notice::TextBusy),
            Ok(_) => {}
            Err(error) => self.notice(&Notice::TextFailed(error.to_string())),
        }
    }

    /// The one session that a name means, without reading other sessions where possible.
    pub fn resolve(&self, wanted: &str) -> Result<Resolved, AppError> {
        self.report_interrupted();
        let refresh = |library: &Library| self.index(library);
        let resolver = Resolver {
            roots: &self.roots,
            roots_are_named: self.roots_are_named,
            cwd: self.cwd.as_deref(),
            place: &self.place(),
            now: self.now(),
            refresh: &refresh,
        };
        let resolved = resolver.resolve(wanted)?;
        if let Some(as_of) = resolved.as_of {
            self.notice(&Notice::FoundByTitle { as_of });
        }
        Ok(resolved)
    }

    /// The id of the session that a name means, if one is given.
    pub fn resolve_id(&self, wanted: Option<&str>) -> Result<Option<String>, AppError> {
        let Some(wanted) = wanted else { return Ok(None) };
        let resolved = self.resolve(wanted)?;
        Ok(resolved.library.the_one().map(|files| files.id.as_str().to_owned()))
    }

    /// The catalogue with the one session of a library brought up to date; none if there is no catalogue.
    pub fn session_index(&self, library: &Library) -> Option<Index> {
        Index::of_session(library, &self.place(), self.now())
    }

    /// Opens the session, or the agent of one, that a name means.
    pub fn open(&self, wanted: &str) -> Result<Opened, AppError> {
        let named = SessionArg::parse(wanted);
        let library = self.resolve(&named.session)?.library;
        let index = self.session_index(&library);
        Opened::of(library, index, named.agent.as_deref())
    }

    /// Opens the session that a name means; `command` is for whole sessions, so that an agent is refused.
    pub fn open_whole(&self, wanted: &str, command: &str) -> Result<Opened, AppError> {
        whole(wanted, command)?;
        self.open(wanted)
    }

    /// Where the client looks for its store by itself.
    pub fn client(&self) -> ClientHome {
        ClientHome { home: self.home.clone(), config_dir: self.client_root.clone() }
    }

    /// The command that resumes a session in the client.
    pub fn resume_command(&self, view: &SessionView) -> ResumeCommand {
        let mut command = ResumeCommand::of(view, &self.client());
        if self.is_sample {
            command.obstacle = Some(ResumeObstacle::Sample);
        }
        command
    }

    /// Takes stock of the whole store, with the catalogue as it stands, which knows names.
    pub fn stock(&self) -> Result<(Stock, Option<Index>), AppError> {
        self.report_interrupted();
        let index = Index::as_it_stands(&self.roots, &self.place());
        let temporary = self.temporary.as_deref().filter(|_| !self.is_sample);
        let stock = Stock::of(self.roots.clone(), temporary, index.as_ref())?;
        Ok((stock, index))
    }

    /// Where managed settings are. Those of this machine say nothing about the sample.
    pub fn managed_settings(&self) -> Option<PathBuf> {
        self.managed.clone().filter(|_| !self.is_sample)
    }

    /// Tags, pins and hidden sessions of the user's. A list without them is better than none.
    pub fn marks(&self) -> Marks {
        let Some(data) = &self.data else { return Marks::default() };
        Marks::load(data).unwrap_or_else(|error| {
            self.notice(&Notice::MarksUnknown(error.to_string()));
            Marks::default()
        })
    }

    /// A look at who works in sessions.
    pub fn watch(&self) -> LiveCheck {
        LiveCheck::at(self.now())
    }

    /// What new ids and times are drawn from.
    pub fn ids(&self) -> Random {
        Random::new(self.seed, self.now())
    }

    /// The instant that a typed date means.
    pub fn date(&self, text: &str) -> Result<Time, AppError> {
        date::decode(text, self.now(), &self.zone)
    }

    /// The part of a project's directory that was typed: `.` is the current directory.
    pub fn project(&self, part: Option<&str>) -> Option<String> {
        let part = part?;
        let here = self.cwd.as_ref().filter(|_| part == ".").map(|cwd| cwd.display().to_string());
        Some(here.unwrap_or_else(|| part.to_owned()))
    }

    /// The projects and dates that were typed.
    pub fn scope(&self, asked: &ScopeRequest) -> Result<Scope, AppError> {
        self.scope_in(asked, &self.zone)
    }

    /// The same, with days of another zone.
    pub fn scope_in(&self, asked: &ScopeRequest, zone: &TimeZone) -> Result<Scope, AppError> {
        let time = |text: &Option<String>| {
            text.as_ref().map(|text| date::decode(text, self.now(), zone)).transpose()
        };
        Ok(Scope {
            project: self.project(asked.project.as_deref()),
            since: time(&asked.since)?,
            until: time(&asked.until)?,
        })
    }

    /// Tells the front what an answer rests on.
    pub fn notice(&self, notice: &Notice) {
        self.reporter.notice(notice);
    }

    /// Long work begins; it ends when this is dropped.
    pub fn progress(&self, work: Work, total: u64) -> Progress<'_> {
        self.reporter.begin(work, total);
        Progress { reporter: self.reporter.as_ref() }
    }
}

/// Refuses an agent where only a whole session makes sense.
pub fn whole(wanted: &str, command: &str) -> Result<(), AppError> {
    if SessionArg::parse(wanted).agent.is_none() {
        return Ok(());
    }
    Err(AppError::Unsuitable {
        why: format!("{command} works on whole sessions, not on one agent"),
        hints: vec![Hint::command(&["show", wanted], "shows the agent's conversation")],
    })
}

/// Long work of a request, as its reporter hears of it.
pub struct Progress<'d> {
    reporter: &'d dyn Reporter,
}

impl Progress<'_> {
    /// One more file is done; `bytes` is its length.
    pub fn add(&self, bytes: u64) {
        self.reporter.advance(bytes);
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.reporter.end();
    }
}
