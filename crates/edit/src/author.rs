//! Writing sessions as a client does: beginning one in a project, or going on with one, in the layout of a chosen generation.
//!
//! An [`Author`] holds a session of [`compose`], whose methods add lines with chain, ids, times, directory, version and branch
//! filled in, and gathers what goes beside it: agents, backups, todos, prompt history. Nothing is on disk until it is committed; then
//! everything is, through the journal, or nothing. [`Author::plan`] can be looked at first, as every edit can.
//!
//! ```
//! use scrollback_edit::author::Author;
//! use scrollback_edit::author::compose::{Moment, Settings, Usage, source::Counter};
//! use scrollback_edit::{self as edit, LiveCheck};
//! use scrollback_store::Root;
//! use scrollback_format::{generation::Generation, time::Time};
//!
//! let home = tempfile::tempdir()?;
//! std::fs::create_dir(home.path().join("claude"))?;
//! let root = Root::new(home.path().join("claude"));
//! // A program of its own brings random bits and the clock; a counter will do here.
//! let source = Counter::starting(Moment::from_millis(1_700_000_000_000));
//!
//! let mut author = Author::begin(&root, Settings::new(Generation::V2_1_325, "/srv/tide"), source)?;
//! author.prompt("Which wave is the highest?")?;
//! author.session.reply("The seventh.", Usage::default());
//! author.title("Waves")?;
//!
//! let path = root.path().join(author.file());
//! let record = author.commit(&home.path().join("data"), &LiveCheck::at(Time(1_700_000_100_000)))?;
//! assert!(path.is_file());
//! edit::undo(Some(record.number), &home.path().join("data"), &LiveCheck::at(Time(1_700_000_200_000)))?;
//! assert!(!path.exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is not here: no client is started, no model is asked, and no lock of a client is taken. A session that somebody works in
//! is refused, and so is a file that is not what was read.

mod again;
mod beside;
mod wake;

use std::path::Path;

pub use scrollback_compose as compose;
use scrollback_compose::agent::{AgentMetaFile, meta};
use scrollback_compose::{Id, IdSource, Json, SessionAuthor, Settings, place};
use scrollback_format::generation::Generation;
use scrollback_format::stamp::Stamp;
use scrollback_store::live::{self, LiveCheck};
use scrollback_store::{Place, Root, Transaction};

use crate::footprint;
use crate::journal::{self, RecordView};
use crate::load::SessionLoad;
use crate::plan::EditPlan;
use crate::subject::{Subject, short};
use again::Again;
use beside::{How, Piece};
use scrollback_session::agents::Agents;
use scrollback_session::error::{AppError, refuse};
use scrollback_session::library::{Library, SessionFiles};
use wake::Wake;

/// A session in the making, with all that goes beside it.
#[derive(Debug)]
pub struct Author<S> {
    /// The session: answers, results, notes and compactions are its methods. Prompts are better given to [`Author::prompt`].
    pub session: SessionAuthor<S>,
    root: Root,
    folder: Place,
    ground: Option<Ground>,
    beside: Vec<Piece>,
    again: Vec<Again>,
}

/// The session that is gone on with.
#[derive(Debug)]
struct Ground {
    place: Place,
    bytes: Vec<u8>,
    stamp: Stamp,
    guard: live::EditedSession,
    before: SessionLoad,
    last: Option<i64>,
    wake: Option<Wake>,
    agents: Agents,
}

impl<S: IdSource> Author<S> {
    /// Begins a session in the project of the settings' directory.
    pub fn begin(root: &Root, settings: Settings, source: S) -> Result<Self, AppError> {
        let folder = Place::new(&place::project(settings.generation, &settings.cwd))?;
        let session = SessionAuthor::new(settings, source);
        Ok(Self { session, root: root.clone(), folder, ground: None, beside: Vec::new(), again: Vec::new() })
    }

    /// Goes on with a session where a client of this generation would; without one, where its own client would.
    ///
    /// Directory, version, branch and model are those of its last lines; [`SessionAuthor::settings`] may be changed.
    pub fn resume(
        library: &Library,
        files: &SessionFiles<'_>,
        generation: Option<Generation>,
        source: S,
    ) -> Result<Self, AppError> {
        let subject = Subject::of(library, files)?;
        let own = footprint::generation(&subject.loaded.facts);
        let generation = generation.unwrap_or(own);
        let wake = Wake::of(&subject, generation)?;
        let mut settings = wake::settings(&subject, generation);
        if generation != own {
            settings.version = generation.facts().recorded.to_string();
        }
        let id = Id::from(subject.id);
        let session = SessionAuthor::resume(settings, source, id, wake.tail.clone());
        let place = Place::below(subject.root.path(), subject.path)?;
        Ok(Self {
            session: session.counting_from(subject.loaded.facts.turns),
            root: subject.root.clone(),
            folder: subject.folder()?,
            beside: Vec::new(),
            again: Vec::new(),
            ground: Some(Ground {
                place,
                stamp: subject.stamp,
                guard: subject.guard(),
                before: subject.load(generation)?,
                last: subject.loaded.facts.span.map(|(_, last)| last.0),
                wake: Some(wake),
                agents: subject.agents,
                bytes: subject.bytes,
            }),
        })
    }

    /// A prompt in words. The first one after [`Author::resume`] comes after what the client would make up before it.
    pub fn prompt(&mut self, text: &str) -> Result<Id, AppError> {
        self.prompt_with(&Json::text(text))
    }

    /// The same with any content: a string, or a list of blocks.
    pub fn prompt_with(&mut self, content: &Json) -> Result<Id, AppError> {
        if let Some(wake) = self.ground.as_mut().and_then(|ground| ground.wake.take()) {
            wake.write(&mut self.session);
        }
        Ok(self.session.prompt_with(content))
    }

    /// Opens a new agent; [`Author::take_in`] puts it down beside the session. [`Author::reopen_agent`] goes on with one that is there.
    pub fn agent<A: IdSource>(&self, kind: &str, source: A) -> SessionAuthor<A> {
        self.session.agent(kind, source)
    }

    /// Takes in an agent's lines, and what its call said of it, in the place that the generation has for agents.
    pub fn take_in<A: IdSource>(
        &mut self,
        mut agent: SessionAuthor<A>,
        about: &AgentMetaFile<'_>,
    ) -> Result<(), AppError> {
        let generation = self.session.settings.generation;
        let lines = agent.take();
        let own = agent
            .agent_id()
            .and_then(|id| place::agent(generation, &self.session.settings.cwd, self.session.id(), id));
        let Some(path) = own else {
            self.session.absorb(lines);
            return Ok(());
        };
        let path = self.inside(&path)?;
        if let Some(meta) = meta(generation, about) {
            let name = Place::new(&place::agent_meta(path.as_str()))?;
            self.beside.push(Piece::new(name, meta.as_bytes().to_vec(), How::New));
        }
        self.beside.push(Piece::new(path, lines.into_bytes(), How::New));
        Ok(())
    }

    /// Where the session's own file is or will be, below the root.
    pub fn file(&self) -> String {
        match &self.ground {
            Some(ground) => ground.place.to_string(),
            None => format!("{}/{}.jsonl", self.folder, self.session.id()),
        }
    }

    /// What will be done, and what a client of this generation loads before and after.
    pub fn plan(self) -> Result<EditPlan, AppError> {
        let id = self.session.id().to_string();
        let (generation, cwd) = (self.session.settings.generation, self.session.settings.cwd.clone());
        self.check_times()?;
        let place = Place::new(&self.file())?;
        let verb = if self.ground.is_some() { "continue" } else { "start" };
        let mut plan = EditPlan::new(Transaction::new(&self.root, format!("{verb} session {}", short(&id))));
        let lines = self.session.sheet().bytes().to_vec();
        let mut whole = Vec::new();
        if let Some(ground) = self.ground {
            plan.transaction.guard(ground.guard);
            plan.loads_now(ground.before);
            whole = ground.bytes;
            if whole.last().is_some_and(|last| *last != b'\n') {
                whole.push(b'\n');
            }
            if !lines.is_empty() {
                plan.transaction.append(place.clone(), ground.stamp, lines.clone());
            }
        } else {
            plan.transaction.folders_for(&place);
            plan.transaction.create(place.clone(), lines.clone());
        }
        whole.extend(lines);
        for piece in self.beside {
            piece.put(&mut plan)?;
        }
        if plan.transaction.ops().is_empty() {
            return Err(AppError::NothingToEdit("nothing was written".to_owned()));
        }
        let path = self.root.path().join(place.as_str());
        plan.loads_then(SessionLoad::of_bytes(&id, &path, Some(&cwd), &whole, generation)?);
        Ok(plan)
    }

    /// Puts everything on disk, or nothing. `data` is our own directory, which keeps the journal.
    pub fn commit(self, data: &Path, watch: &LiveCheck) -> Result<RecordView, AppError> {
        journal::apply(&self.plan()?, data, watch)
    }

    /// Clients up to 2.1.80 go on from the latest line, so what is new has to be later.
    fn check_times(&self) -> Result<(), AppError> {
        let last = self.ground.as_ref().and_then(|ground| ground.last);
        match (last, self.session.span()) {
            (Some(last), Some((first, _))) if first.millis() <= last => Err(refuse(
                "the new lines would be earlier than the session's last one",
                "check the system clock",
            )),
            _ => Ok(()),
        }
    }

    /// A path of this project, in the folder where the session really is.
    fn inside(&self, path: &str) -> Result<Place, AppError> {
        let project = place::project(self.session.settings.generation, &self.session.settings.cwd);
        let rest = path.strip_prefix(&project).map_or(path, |rest| rest.trim_start_matches('/'));
        Ok(self.folder.join(rest)?)
    }
}
