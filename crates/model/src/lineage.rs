//! Lineage: which session came from which, at which entry, and how that is known.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use scrollback_format::id::EntryId;

use crate::role::Role;
use crate::transcript::Transcript;

/// How a session came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Descent {
    /// `/branch`: every copied line is marked.
    Branch,
    /// `--fork-session`, or picked from a list by an old client: a copy with the same ids and no mark.
    Copy,
    /// `/clear`: a new session whose lines name the one before.
    #[serde(rename = "clear")]
    Cleared,
    /// A background job.
    Job,
}

impl Descent {
    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Branch => "branch",
            Self::Copy => "copy",
            Self::Cleared => "clear",
            Self::Job => "job",
        }
    }
}

/// How a descent is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum DescentEvidence {
    /// `forkedFrom` on the lines.
    Marker,
    /// The same ids in both files.
    SharedIds,
    /// `session_id` on the lines.
    PreviousSession,
    /// The job's `state.json`.
    JobFile,
}

impl DescentEvidence {
    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Marker => "marker",
            Self::SharedIds => "shared_ids",
            Self::PreviousSession => "previous_session",
            Self::JobFile => "job_file",
        }
    }
}

/// A session came from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The place of the parent in the list that was given, if it is there.
    pub parent: Option<usize>,
    /// Its session id, as far as it is known.
    pub session: Option<String>,
    /// How.
    pub descent: Descent,
    /// How that is known.
    pub evidence: DescentEvidence,
    /// The last entry that both have.
    pub at: Option<EntryId>,
    /// How many entries both have.
    pub shared: u64,
}

/// A session among those whose descent is asked for.
#[derive(Debug, Clone, Copy)]
pub struct LineageCandidate<'t> {
    /// Its id.
    pub session: &'t str,
    /// Its lines.
    pub transcript: &'t Transcript,
    /// The parent that a background job's state names, and its boundary.
    pub job_parent: Option<&'t str>,
}

/// How many lines at the beginning of a conversation are marks: what was copied begins there, perhaps after lines that
/// the client put in anew.
const BEGINNING: usize = 4;

/// By which numbers a session is found by its relatives ([`probes`]): the first lines of its conversation, the lines that
/// a copy of it could begin with because a compaction left nothing before them, and the sessions that it names.
pub fn marks(transcript: &Transcript) -> BTreeSet<u64> {
    let chained = || transcript.rows.iter().filter(|row| row.kind.is_chained());
    let said = chained().filter(|row| row.role.is_conversation()).take(BEGINNING);
    let cut = chained().filter(|row| matches!(row.role, Role::Boundary | Role::CompactSummary));
    let ids = said.chain(cut).filter_map(|row| row.id).map(mark);
    let named = [transcript.fork_mark.map(|mark| mark.session), transcript.previous_session];
    ids.chain(named.into_iter().flatten().map(|name| name_mark(transcript.text(name)))).collect()
}

/// The marks of every session that may be a relative of this one.
pub fn probes<'t>(transcript: &'t Transcript, session: &str) -> impl Iterator<Item = u64> + use<'t> {
    let ids = transcript.rows.iter().filter(|row| row.kind.is_chained()).filter_map(|row| row.id);
    ids.map(mark).chain([name_mark(session)])
}

/// Half of an id is enough to tell it from others.
fn mark(id: EntryId) -> u64 {
    let bytes = id.to_bytes();
    bytes.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// FNV-1a: the same in every version, since it is kept.
fn name_mark(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The origins of each candidate among the others, surest first. A session can have one of each kind.
pub fn origins(candidates: &[LineageCandidate<'_>]) -> Vec<Vec<Origin>> {
    let owners = owners(candidates);
    candidates.iter().enumerate().map(|(at, _)| origins_of(candidates, &owners, at)).collect()
}

/// The files that each id stands in. Only ids in more than one file matter, but which they are shows at the end.
fn owners(candidates: &[LineageCandidate<'_>]) -> FxHashMap<EntryId, Vec<u32>> {
    let mut owners: FxHashMap<EntryId, Vec<u32>> = FxHashMap::default();
    for (at, candidate) in candidates.iter().enumerate() {
        for id in
            candidate.transcript.rows.iter().filter(|row| row.kind.is_chained()).filter_map(|row| row.id)
        {
            let files = owners.entry(id).or_default();
            if files.last() != Some(&(at as u32)) {
                files.push(at as u32);
            }
        }
    }
    owners
}

fn origins_of(
    candidates: &[LineageCandidate<'_>],
    owners: &FxHashMap<EntryId, Vec<u32>>,
    at: usize,
) -> Vec<Origin> {
    let own = &candidates[at];
    let transcript = own.transcript;
    let place = |session: &str| candidates.iter().position(|candidate| candidate.session == session);
    let mut found = Vec::new();
    if let Some(mark) = transcript.fork_mark {
        let session = transcript.text(mark.session);
        found.push(Origin {
            parent: place(session),
            session: Some(session.to_owned()),
            descent: Descent::Branch,
            evidence: DescentEvidence::Marker,
            at: mark.last,
            shared: mark.lines,
        });
    }
    if let Some(session) = own.job_parent {
        found.push(Origin {
            parent: place(session),
            session: Some(session.to_owned()),
            descent: Descent::Job,
            evidence: DescentEvidence::JobFile,
            at: None,
            shared: 0,
        });
    }
    // Branches and jobs name their parent as the session before, too; a `/clear` has no other mark.
    let previous = transcript.previous_session.map(|session| transcript.text(session));
    let is_new =
        |session: &&str| !found.iter().any(|origin: &Origin| origin.session.as_deref() == Some(*session));
    if let Some(session) = previous.filter(is_new) {
        found.push(Origin {
            parent: place(session),
            session: Some(session.to_owned()),
            descent: Descent::Cleared,
            evidence: DescentEvidence::PreviousSession,
            at: None,
            shared: 0,
        });
    }
    // A mark tells who the parent is; the ids that both have tell how much was taken over.
    let copy = copy_of(candidates, owners, at);
    for origin in &mut found {
        if let Some(copy) = copy.as_ref().filter(|copy| copy.parent == origin.parent && origin.shared == 0) {
            (origin.shared, origin.at) = (copy.shared, copy.at);
        }
    }
    found.extend(copy.filter(|copy| !found.iter().any(|known| known.parent == copy.parent)));
    found
}

/// The session that this one is a copy of, told by ids that stand in both: the copy is the one that was written later.
fn copy_of(
    candidates: &[LineageCandidate<'_>],
    owners: &FxHashMap<EntryId, Vec<u32>>,
    at: usize,
) -> Option<Origin> {
    let rows = &candidates[at].transcript.rows;
    let mut shared: FxHashMap<u32, (u64, Option<EntryId>)> = FxHashMap::default();
    for id in rows.iter().filter(|row| row.kind.is_chained()).filter_map(|row| row.id) {
        for &other in owners.get(&id).into_iter().flatten().filter(|other| **other as usize != at) {
            let entry = shared.entry(other).or_default();
            entry.0 += 1;
            entry.1 = Some(id);
        }
    }
    let (&parent, &(count, last)) = shared
        .iter()
        .filter(|(other, _)| is_older(candidates, **other as usize, at))
        .max_by_key(|(other, (count, _))| (*count, std::cmp::Reverse(**other)))?;
    Some(Origin {
        parent: Some(parent as usize),
        session: Some(candidates[parent as usize].session.to_owned()),
        descent: Descent::Copy,
        evidence: DescentEvidence::SharedIds,
        at: last,
        shared: count,
    })
}

/// Was `a` there before `b`? A copy is written as a whole, so that its first own line (one that `a` has not) comes
/// after the lines that it shares. Old clients reset the times of a copy, which makes it the younger one all the more.
fn is_older(candidates: &[LineageCandidate<'_>], a: usize, b: usize) -> bool {
    // A mark on the lines leaves nothing to guess.
    let marked = |of: usize, from: usize| {
        let transcript = candidates[of].transcript;
        transcript.fork_mark.is_some_and(|mark| transcript.text(mark.session) == candidates[from].session)
    };
    match (marked(b, a), marked(a, b)) {
        (true, false) => return true,
        (false, true) => return false,
        _ => {}
    }
    let copied = |at: usize| {
        // Lines of a copy made by 2.0.55 to 2.1.64 keep the old session's id.
        let candidate = &candidates[at];
        candidate
            .transcript
            .session_ids
            .iter()
            .any(|(id, _)| candidate.transcript.text(id) != candidate.session)
    };
    let begun = |at: usize| candidates[at].transcript.span.map(|(first, _)| first);
    let ended = |at: usize| candidates[at].transcript.span.map(|(_, last)| last);
    match (copied(a), copied(b)) {
        (false, true) => true,
        (true, false) => false,
        _ => (begun(a), ended(a), a) < (begun(b), ended(b), b),
    }
}
