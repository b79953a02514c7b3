//! What a search found, as a view: sessions with their best hits.

use std::path::PathBuf;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_index::error::IndexError;
use scrollback_index::text::Ranked;
use scrollback_model::facts::Anatomy;
use scrollback_model::placing::Placing;
use scrollback_model::text::UnitText;
use scrollback_model::transcript::Transcript;
use scrollback_model::unit::{self, UnitKey, Units};
use serde::Serialize;

use super::groups::Groups;
use super::scan::Direct;
use super::selection::{self, Rank};
use super::snippet::{self, Finder, Snippet};
use super::{Candidates, Search};
use crate::catalogue::{self, Index};
use crate::spill;
use crate::view::{path, time};

/// Something that could not be looked at.
#[derive(Debug, Clone, Serialize)]
pub struct Skipped {
    /// Where.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

/// Another place of the same hit.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub struct OtherPlace {
    /// The session.
    pub session_id: String,
    /// The agent, if it is in an agent's file.
    pub agent_id: Option<String>,
    /// The file.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// Its first line there; 0 for a title.
    pub line: u64,
}

/// One hit.
#[derive(Debug, Clone, Serialize)]
pub struct FoundHit {
    /// `prompt`, `answer`, `call`, `output`, `summary`, `title`.
    pub kind: &'static str,
    /// `user`, `assistant`, `tool`.
    pub role: &'static str,
    /// Where the best match stands: `prompts`, `answers`, `thinking`, `input`, `output`, `titles`.
    pub class: &'static str,
    /// The line where it begins, counted from 1; 0 for a title.
    pub line: u64,
    /// All its lines.
    pub lines: Vec<u64>,
    /// Offset of its first line in the file.
    pub offset: u64,
    /// The file that it is in.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// The id of its first line.
    pub uuid: Option<String>,
    /// `message.id`.
    pub message_id: Option<String>,
    /// The call's id.
    pub tool_use_id: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// Did it fail?
    pub is_error: bool,
    /// Its turn on its thread.
    pub turn: Option<u32>,
    /// 0 on the live thread, else the branch as `tree` numbers them.
    pub branch: u64,
    /// The agent whose file it is in.
    pub agent_id: Option<String>,
    /// When.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// How well it fits: larger is better.
    pub score: f32,
    /// The words around the match, on one line, from the file itself.
    pub snippet: String,
    /// Where matches stand in the snippet, in bytes.
    pub matches: Vec<(usize, usize)>,
    /// Copies of it, in forks of the session.
    pub also_in: Vec<OtherPlace>,
    /// What names it: the arguments of `show`.
    pub open: Vec<String>,
}

/// A session with hits.
#[derive(Debug, Clone, Serialize)]
pub struct FoundSession {
    /// The session.
    pub session_id: String,
    /// The shortest name that means it alone: the first characters of its id, or the whole.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// The directory in which it was begun.
    pub project: Option<String>,
    /// Its last line's time.
    #[serde(serialize_with = "time")]
    pub last_time: Option<Time>,
    /// Its file.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// How many hits it has, those in its agents included.
    pub matched: u64,
    /// The best of them.
    pub hits: Vec<FoundHit>,
}

/// What a search found.
#[derive(Debug, Clone, Serialize)]
pub struct Found {
    /// Sessions, best first.
    pub sessions: Vec<FoundSession>,
    /// How many units match, copies in forks counted as they stand.
    pub matched: u64,
    /// How many sessions have hits.
    pub matched_sessions: u64,
    /// Was everything looked at?
    pub complete: bool,
    /// What was not, and why.
    pub skipped: Vec<Skipped>,
    /// How many files were scanned because the text index does not have them yet.
    pub scanned_files: u64,
}

/// Which session a file belongs to.
#[derive(Debug, Clone)]
struct Owner {
    session_id: String,
    agent_id: Option<String>,
    last_time: Option<i64>,
}

impl Candidates {
    /// The best sessions with their best hits, read from the files.
    pub(super) fn found(mut self, index: &Index, wanted: &Search) -> Result<Found, IndexError> {
        let mut reader = Reader::new(index, wanted, &self.direct);
        let counts = self.counts();
        let groups = Groups::of(index, &self.direct, counts.keys().copied())?;
        let mut matched: Vec<u64> = vec![0; groups.count()];
        for (file, count) in &counts {
            if let Some(group) = groups.find(*file) {
                matched[group as usize] += count;
            }
        }
        let total = self.ranked.len() as u64;
        let chosen = selection::select(&mut self.ranked, wanted, &groups, &mut |file| reader.rank(file))?;
        let mut sessions = Vec::new();
        for chosen in chosen {
            let name = groups.name(chosen.group);
            sessions.extend(reader.session(name, chosen.hits, matched[chosen.group as usize])?);
        }
        Ok(Found {
            sessions,
            matched: total,
            matched_sessions: matched.iter().filter(|count| **count > 0).count() as u64,
            complete: self.skipped.is_empty(),
            scanned_files: self.scanned,
            skipped: std::mem::take(&mut self.skipped),
        })
    }

    /// How many hits each file has.
    fn counts(&self) -> FxHashMap<i64, u64> {
        let mut counts: FxHashMap<i64, u64> = FxHashMap::default();
        // Hits of a file mostly come one after the other.
        for run in self.ranked.chunk_by(|a, b| a.file == b.file) {
            if let Some(first) = run.first() {
                *counts.entry(first.file).or_default() += run.len() as u64;
            }
        }
        counts
    }
}

/// Reads hits from their files.
pub(super) struct Reader<'s> {
    index: &'s Index,
    finder: Finder<'s>,
    direct: &'s FxHashMap<i64, Direct>,
    owners: FxHashMap<i64, Option<Owner>>,
    /// The files that were opened last, the newest at the end: hits of a session and of its agents take turns.
    open: Vec<(i64, Option<Rc<OpenFile>>)>,
}

/// How much of an id is shown where that is enough.
const SHORT: usize = 8;

/// How many files are kept open.
const OPEN: usize = 4;

struct OpenFile {
    path: PathBuf,
    transcript: Transcript,
    placing: Placing,
}

impl<'s> Reader<'s> {
    pub(super) fn new(index: &'s Index, wanted: &'s Search, direct: &'s FxHashMap<i64, Direct>) -> Self {
        let finder = Finder::new(&wanted.query);
        Self { index, finder, direct, owners: FxHashMap::default(), open: Vec::new() }
    }

    fn owner(&mut self, file: i64) -> Result<Option<Owner>, IndexError> {
        if let Some(known) = self.owners.get(&file) {
            return Ok(known.clone());
        }
        let owner = match self.direct.get(&file) {
            Some(direct) => Some(Owner {
                session_id: direct.session_id.clone(),
                agent_id: direct.agent_id.clone(),
                last_time: direct.transcript.span.map(|(_, last)| last.0),
            }),
            None => self.index.catalogue().owner(file)?.map(|(session_id, agent_id, last_time)| Owner {
                session_id,
                agent_id,
                last_time,
            }),
        };
        self.owners.insert(file, owner.clone());
        Ok(owner)
    }

    fn open(&mut self, file: i64) -> Result<Option<Rc<OpenFile>>, IndexError> {
        if let Some((_, open)) = self.open.iter().find(|(known, _)| *known == file) {
            return Ok(open.clone());
        }
        let opened = match self.direct.get(&file) {
            Some(direct) => Some((direct.path.clone(), direct.transcript.clone(), None)),
            None => catalogue::whole_transcript(self.index, file)?
                .zip(self.index.catalogue().placing(file)?)
                .map(|((path, transcript), placing)| (path, transcript, Some(placing))),
        };
        let opened = opened.map(|(path, transcript, placing)| {
            let weave = || Placing::of(&transcript, &Anatomy::of(&transcript, Generation::NEWEST));
            let placing = placing.unwrap_or_else(weave);
            Rc::new(OpenFile { path, transcript, placing })
        });
        if self.open.len() >= OPEN {
            self.open.remove(0);
        }
        self.open.push((file, opened.clone()));
        Ok(opened)
    }

    /// Where a hit is: file, first line, kind.
    pub(super) fn place(&mut self, hit: &Ranked) -> Result<Option<(PathBuf, u64, &'static str)>, IndexError> {
        Ok(self.hit(hit, Vec::new())?.map(|hit| (hit.path, hit.line, hit.kind)))
    }

    /// Where a hit stands among those that are as good.
    fn rank(&mut self, file: i64) -> Result<Rank, IndexError> {
        let owner = self.owner(file)?;
        let last = owner.as_ref().and_then(|owner| owner.last_time);
        let (session_id, agent_id) =
            owner.map(|owner| (owner.session_id, owner.agent_id)).unwrap_or_default();
        Ok((std::cmp::Reverse(last), session_id, agent_id))
    }

    fn session(
        &mut self,
        session_id: &str,
        chosen: Vec<(Ranked, Vec<Ranked>)>,
        matched: u64,
    ) -> Result<Option<FoundSession>, IndexError> {
        let mut hits = Vec::new();
        for (hit, copies) in chosen {
            let also_in = self.others(&copies)?;
            hits.extend(self.hit(&hit, also_in)?);
        }
        let Some(first) = hits.first() else { return Ok(None) };
        let known = self.index.session_brief(session_id)?;
        let path =
            known.as_ref().map_or_else(|| first.path.clone(), |known| self.index.given_path(&known.path));
        let short: String = session_id.chars().take(SHORT).collect();
        let name = if self.index.catalogue().ids_with(&short)? > 1 { session_id.to_owned() } else { short };
        Ok(Some(FoundSession {
            session_id: session_id.to_owned(),
            name,
            title: known.as_ref().and_then(|known| known.title.clone()),
            project: known.as_ref().and_then(|known| known.project.clone()),
            last_time: known.as_ref().and_then(|known| known.last_time),
            path,
            matched,
            hits,
        }))
    }

    fn others(&mut self, copies: &[Ranked]) -> Result<Vec<OtherPlace>, IndexError> {
        let mut others = Vec::new();
        for copy in copies {
            let Some(owner) = self.owner(copy.file)? else { continue };
            if copy.key == UnitKey::Title.number() {
                let path = self.index.path_of(copy.file)?.unwrap_or_default();
                let (session_id, agent_id) = (owner.session_id, owner.agent_id);
                others.push(OtherPlace { session_id, agent_id, path, line: 0 });
                continue;
            }
            let Some(open) = self.open(copy.file)? else { continue };
            let Some(key) = UnitKey::of_number(copy.key, &open.transcript) else { continue };
            let first = unit::rows_of(&open.transcript, key).first().copied();
            let line = first.map_or(0, |row| u64::from(open.transcript.row(row).line));
            let path = open.path.clone();
            others.push(OtherPlace { session_id: owner.session_id, agent_id: owner.agent_id, path, line });
        }
        Ok(others)
    }

    fn hit(&mut self, hit: &Ranked, also_in: Vec<OtherPlace>) -> Result<Option<FoundHit>, IndexError> {
        let Some(owner) = self.owner(hit.file)? else { return Ok(None) };
        if hit.key == UnitKey::Title.number() {
            return self.title(hit, &owner, also_in);
        }
        let Some(open) = self.open(hit.file)? else { return Ok(None) };
        let Some(key) = UnitKey::of_number(hit.key, &open.transcript) else { return Ok(None) };
        let rows = unit::rows_of(&open.transcript, key);
        let mut told: Option<UnitText> = None;
        let units = Units::one(key, &rows);
        let read = catalogue::tell_rows(&open.path, &open.transcript, &units, &mut |unit| told = Some(unit));
        let (Ok(()), Some(mut unit)) = (read, told) else { return Ok(None) };
        spill::add(&mut unit, &open.path);
        let transcript = &open.transcript;
        let Some(first) = rows.first().map(|row| transcript.row(*row)) else { return Ok(None) };
        let id = |wanted: bool| match key {
            UnitKey::Message(symbol) if wanted => Some(transcript.text(symbol).to_owned()),
            UnitKey::Call(symbol) if !wanted => Some(transcript.text(symbol).to_owned()),
            _ => None,
        };
        let (turn, branch) = rows.first().map_or((None, 0), |row| open.placing.at(*row));
        let mut found = FoundHit {
            kind: unit.kind.name(),
            role: unit.kind.role(),
            class: "",
            line: u64::from(first.line),
            lines: rows.iter().map(|row| u64::from(transcript.row(*row).line)).collect(),
            offset: first.offset,
            path: open.path.clone(),
            uuid: first.id.filter(|id| !id.is_derived()).map(|id| id.to_string()),
            message_id: id(true),
            tool_use_id: id(false),
            tool: unit.tool.clone(),
            model: unit.model.clone(),
            is_error: unit.is_error,
            turn,
            branch,
            agent_id: owner.agent_id.clone(),
            time: unit.time,
            score: hit.score,
            snippet: String::new(),
            matches: Vec::new(),
            also_in,
            open: opens(&owner, u64::from(first.line)),
        };
        self.mark(&unit, &mut found);
        Ok(Some(found))
    }

    fn mark(&mut self, unit: &UnitText, found: &mut FoundHit) {
        if let Some(Snippet { class, text, matches }) = snippet::of(unit, &mut self.finder) {
            (found.class, found.snippet, found.matches) = (class.name(), text, matches);
        }
    }

    fn title(
        &mut self,
        hit: &Ranked,
        owner: &Owner,
        also_in: Vec<OtherPlace>,
    ) -> Result<Option<FoundHit>, IndexError> {
        let Some(known) = self.index.session_brief(&owner.session_id)? else { return Ok(None) };
        let unit = UnitText::title(known.title.as_deref().unwrap_or_default(), known.last_time);
        let mut found = FoundHit {
            kind: unit.kind.name(),
            role: unit.kind.role(),
            class: "titles",
            line: 0,
            lines: Vec::new(),
            offset: 0,
            path: self.index.path_of(hit.file)?.unwrap_or_else(|| self.index.given_path(&known.path)),
            uuid: None,
            message_id: None,
            tool_use_id: None,
            tool: None,
            model: None,
            is_error: false,
            turn: None,
            branch: 0,
            agent_id: None,
            time: known.last_time,
            score: hit.score,
            snippet: String::new(),
            matches: Vec::new(),
            also_in,
            open: vec![owner.session_id.clone()],
        };
        self.mark(&unit, &mut found);
        Ok(Some(found))
    }
}

fn opens(owner: &Owner, line: u64) -> Vec<String> {
    let session = match &owner.agent_id {
        Some(agent) => format!("{}/{agent}", owner.session_id),
        None => owner.session_id.clone(),
    };
    vec![session, "--at".to_owned(), line.to_string()]
}
