//! One job done: a session with its agents, spilled results, backups, copies and damage.
//!
//! Everything is composed in memory and handed back as files; nothing is written here.

use scrollback_compose::checkpoint::Backup;
use scrollback_compose::copy::{CopySpec, fork};
use scrollback_compose::{Entrypoint, Id, IdSource, Moment, SessionAuthor, Settings, Usage, area, place};
use scrollback_format::generation::Generation;

use super::plan::{Damage, Job, Nature, dice};
use super::random::Dice;
use super::text::Pools;
use super::totals::{Spent, Totals};

/// A file to write.
#[derive(Debug)]
pub struct File {
    /// Relative to the store's root.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What a job came to.
#[derive(Debug, Default)]
pub struct Output {
    /// Its files.
    pub files: Vec<File>,
    /// Its counts.
    pub totals: Totals,
    /// Its line of the history, with its time.
    pub history: Option<(i64, Vec<u8>)>,
}

/// The writer of one session.
pub(super) struct Scribe<'p> {
    pub session: SessionAuthor<Dice>,
    pub pools: &'p Pools,
    pub job: &'p Job,
    pub out: Output,
    /// What the session's own file cost, without its agents.
    pub spent: Spent,
    /// Bytes of agents and side files so far.
    pub beside: u64,
    pub agents_left: u64,
    pub backups: Vec<Backup>,
    pub context: u64,
    pub cost: Usage,
    pub system: &'p str,
    pub turns: u64,
    /// What the last prompt hangs on.
    pub before_prompt: Option<Id>,
}

/// Does a job.
pub fn compose(job: &Job, pools: &Pools) -> Output {
    let mut dice = dice(job.index);
    dice.set_clock(job.start);
    let entrypoint = if dice.chance(300) { Entrypoint::SdkCli } else { Entrypoint::Cli };
    let settings = Settings { entrypoint, ..Settings::new(job.generation, &job.cwd) };
    let system = pools.piece(&mut Dice::new(1, 1), super::text::Flavour::Prose, 9_000);
    let mut scribe = Scribe {
        session: SessionAuthor::new(settings, dice),
        pools,
        job,
        out: Output::default(),
        spent: Spent::default(),
        beside: 0,
        agents_left: job.agents,
        backups: Vec::new(),
        context: 14_000,
        cost: Usage::default(),
        system,
        turns: 0,
        before_prompt: None,
    };
    scribe.out.totals.sessions = 1;
    *scribe.out.totals.generations.entry(scribe.session.settings.version.clone()).or_default() += 1;
    match job.nature {
        Nature::Empty => scribe.out.totals.problem("empty_files"),
        Nature::Stub => scribe.stub(),
        Nature::Conversation => scribe.conversation(),
    }
    scribe.finish()
}

impl Scribe<'_> {
    /// Notes that belong to other sessions, or a queue that led nowhere.
    fn stub(&mut self) {
        self.out.totals.event("stubs");
        let leaf = Id::uuid(&mut self.session.source);
        if self.job.generation >= Generation::V2_1_80 {
            self.session.enqueue(Some("context"));
            self.session.dequeue();
        } else {
            let title = self.title();
            self.session.summary(&title, &leaf);
            self.session.snapshot(&leaf, &[]);
        }
    }

    /// A title of a few words.
    pub fn title(&mut self) -> String {
        let line = self.pools.line(&mut self.session.source, 300);
        let words: Vec<&str> =
            line.trim_start_matches(['#', '-', '*', '1', '.', ' ']).split(' ').take(6).collect();
        words.join(" ")
    }

    /// Adds a file beside the session's own.
    pub fn file(&mut self, path: String, bytes: Vec<u8>) {
        self.beside += bytes.len() as u64;
        self.out.totals.file(&path, bytes.len() as u64);
        self.out.files.push(File { path, bytes });
    }

    fn finish(mut self) -> Output {
        let span = self.session.span();
        let sheet = self.session.take();
        self.out.totals.sheet(&sheet);
        self.out.totals.span(span);
        let mut bytes = sheet.into_bytes();
        if let Some(marked) = self.job.fork {
            self.copy(&bytes, marked);
        }
        let spent = std::mem::take(&mut self.spent);
        self.out.totals.spent.add(&spent);
        if let Some(damage) = self.job.damage {
            self.damage(damage, &mut bytes);
        }
        let path = self.session.path();
        self.file(path, bytes);
        self.out
    }

    /// A fork or a branch of all there is.
    fn copy(&mut self, lines: &[u8], marked: bool) {
        self.session.source.pause(60_000);
        let at = self.session.source.now();
        let to = Id::uuid(&mut self.session.source);
        let generation = self.job.generation;
        let copied =
            fork(lines, &CopySpec { generation, from: self.session.id(), to: &to, branch: marked, at });
        for (kind, count) in &copied.kinds {
            self.out.totals.kind(kind, *count);
        }
        if generation == Generation::V2_0_29 && !copied.bytes.is_empty() {
            self.out.totals.span(Some((at, at)));
        }
        let mut bytes = copied.bytes;
        if marked {
            let settings = self.session.settings.clone();
            let mut branch =
                SessionAuthor::resume(settings, &mut self.session.source, to.clone(), copied.tail);
            branch.custom_title("another way");
            let notes = branch.take();
            self.out.totals.sheet(&notes);
            bytes.extend_from_slice(notes.bytes());
        }
        self.out.totals.event(if marked { "branches" } else { "forks" });
        self.out.totals.sessions += 1;
        *self.out.totals.generations.entry(self.session.settings.version.clone()).or_default() += 1;
        self.out.totals.copied.add(&self.spent);
        let path = place::session(generation, &self.job.cwd, &to);
        self.file(path, bytes);
    }

    /// Plants damage at the end. The lines it is made of are in no count but that of lines.
    fn damage(&mut self, damage: Damage, bytes: &mut Vec<u8>) {
        let (first, second) = (self.extra_line(), self.extra_line());
        let half = &first[..first.len() / 2];
        let lines = &mut self.out.totals.lines;
        match damage {
            Damage::TornTail => bytes.extend_from_slice(half),
            Damage::GluedLines => {
                bytes.extend_from_slice(&first[..first.len() - 1]);
                bytes.extend_from_slice(&second);
                *lines += 1;
            }
            Damage::StubBeforeEntry => {
                bytes.extend_from_slice(half);
                bytes.extend_from_slice(&second);
                *lines += 1;
            }
            Damage::NulRun => {
                bytes.extend_from_slice(&[0; 4096]);
                bytes.push(b'\n');
                *lines += 1;
            }
        }
        self.out.totals.problem(match damage {
            Damage::TornTail => "torn_tails",
            Damage::GluedLines => "glued_lines",
            Damage::StubBeforeEntry => "stub_before_entry",
            Damage::NulRun => "nul_runs",
        });
    }

    /// A line that nothing counts. In ASCII, so that its half is whole text.
    fn extra_line(&mut self) -> Vec<u8> {
        self.session.rewind(None);
        self.session.prompt("Go on where you stopped, and tell me what is left to do after that.");
        let sheet = self.session.take();
        let bytes = sheet.into_bytes();
        // Headless prompts bring queue lines; only the prompt itself is wanted.
        let start = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        bytes[start..].to_vec()
    }

    /// The first prompt's line of the history, for those in it.
    pub fn remember(&mut self, prompt: &str) {
        if !self.job.in_history || self.out.history.is_some() {
            return;
        }
        let at = Moment::from_millis(self.session.source.clock());
        let display: String = prompt.chars().take(400).collect();
        let history = area::HistoryPrompt {
            display: &display,
            pasted: None,
            at,
            project: &self.job.cwd,
            session: self.session.id(),
        };
        self.out.history = Some((at.millis(), area::history_line(self.job.generation, &history)));
    }
}
