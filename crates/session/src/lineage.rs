//! Lineage of one session: what it came from, and what came from it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use rustc_hash::FxHashSet;
use scrollback_format::generation::Generation;
use scrollback_format::id::EntryId;
use scrollback_format::version::ClientVersion;
use scrollback_model::lineage::{self, Descent, DescentEvidence, LineageCandidate, Origin};
use scrollback_model::role::Role;
use scrollback_model::transcript::{FileKind, Transcript};
use scrollback_store::walk::narrow;
use scrollback_store::work;
use scrollback_store::{Chunk, LineReader, Start, small, walk};
use serde::{Deserialize, Serialize};

use crate::catalogue::Index;
use crate::library::{Library, SessionFiles};
use crate::load::Loader;

/// A session that another came from.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OriginView {
    /// The other session.
    pub session_id: Option<String>,
    /// Its file, if it is here.
    #[serde(with = "crate::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub path: Option<PathBuf>,
    /// `branch`, `copy`, `clear`, `job`.
    pub descent: Descent,
    /// `marker`, `shared_ids`, `previous_session`, `job_file`.
    pub evidence: DescentEvidence,
    /// The last entry that both have.
    pub at_uuid: Option<String>,
    /// How many entries both have.
    pub shared_entries: u64,
}

/// Both directions.
#[derive(Debug, Clone, Serialize, Deserialize, Default, schemars::JsonSchema)]
pub struct LineageView {
    /// What it came from.
    pub origins: Vec<OriginView>,
    /// What came from it.
    pub descendants: Vec<OriginView>,
}

/// How many entries at the head of another session are looked at: hooks may stand before what was copied.
const HEAD: usize = 16;

/// Another session that may have to do with the one that is asked about.
struct Relative {
    id: String,
    path: PathBuf,
}

/// The lineage of a session: among all sessions that the catalogue knows, or without one among those of its folder, and
/// among those that it names.
pub fn lineage(
    library: &Library,
    files: &SessionFiles<'_>,
    own: &Transcript,
    index: Option<&Index>,
) -> LineageView {
    let jobs = job_parents(library);
    let relatives = relatives(library, files, own, &jobs, index);
    let mut loader = Loader::new();
    let loaded: Vec<(&Relative, Transcript)> = relatives
        .iter()
        .filter_map(|other| Some((other, loader.transcript(&other.path, FileKind::Session).ok()?)))
        .collect();
    let parent = |id: &str| jobs.iter().find(|(session, _)| session == id).map(|(_, parent)| parent.as_str());
    let id = files.id.as_str();
    let mut candidates = vec![LineageCandidate { session: id, transcript: own, job_parent: parent(id) }];
    candidates.extend(loaded.iter().map(|(other, transcript)| {
        let session = other.id.as_str();
        LineageCandidate { session, transcript, job_parent: parent(session) }
    }));
    let origins = lineage::origins(&candidates);
    let path = |at: usize| if at == 0 { &files.found.path } else { &loaded[at - 1].0.path };
    let view = |origin: &Origin, other: Option<usize>, name: Option<String>| OriginView {
        session_id: name,
        path: other.map(|at| path(at).clone()),
        descent: origin.descent,
        evidence: origin.evidence,
        at_uuid: origin.at.map(|at| at.to_string()),
        shared_entries: origin.shared,
    };
    let descendants = origins.iter().enumerate().skip(1).flat_map(|(at, list)| {
        let from_own = list.iter().filter(|origin| origin.parent == Some(0));
        from_own.map(move |origin| (at, origin))
    });
    LineageView {
        descendants: descendants
            .map(|(at, origin)| view(origin, Some(at), Some(candidates[at].session.to_owned())))
            .collect(),
        origins: origins[0]
            .iter()
            .map(|origin| view(origin, origin.parent, origin.session.clone()))
            .collect(),
    }
}

/// The sessions that could have to do with this one: those that share a probed id, and those that a mark names.
fn relatives(
    library: &Library,
    files: &SessionFiles<'_>,
    own: &Transcript,
    jobs: &[(String, String)],
    index: Option<&Index>,
) -> Vec<Relative> {
    let id = files.id.as_str();
    let named = [own.fork_mark.map(|mark| mark.session), own.previous_session]
        .into_iter()
        .flatten()
        .map(|symbol| own.text(symbol))
        .chain(jobs.iter().filter(|(session, _)| session == id).map(|(_, parent)| parent.as_str()))
        .chain(jobs.iter().filter(|(_, parent)| parent == id).map(|(session, _)| session.as_str()));
    let mut found: BTreeMap<PathBuf, String> = BTreeMap::new();
    for name in named {
        let files = library.roots.iter().flat_map(|root| narrow::with_id(root, name));
        found.extend(files.map(|path| (path, name.to_owned())));
    }
    match index.and_then(|index| index.relatives(own, id)) {
        Some(known) => found.extend(known.into_iter().map(|(id, path)| (path, id))),
        None => found.extend(in_folder(library, files, &Kin::of(own, id))),
    }
    found.remove(&files.found.path);
    found.into_iter().map(|(path, id)| Relative { id, path }).collect()
}

/// The sessions of the same folder that could, determined by reading them.
fn in_folder(library: &Library, files: &SessionFiles<'_>, kin: &Kin<'_>) -> Vec<(PathBuf, String)> {
    let others: Vec<SessionFiles<'_>> = library
        .sessions()
        .filter(|other| other.folder == files.folder && other.found.path != files.found.path)
        .collect();
    let state = || (Loader::new(), LineReader::new());
    let related = work::each(&others, work::threads(), state, |(loader, reader), other| {
        kin.is_related(loader, reader, other)
    });
    let related = others.into_iter().zip(related).filter(|(_, related)| *related);
    related.map(|(other, _)| (other.found.path.clone(), other.id.to_string())).collect()
}

/// By what a session's relatives are known without reading them wholly.
struct Kin<'t> {
    /// Its entries.
    ids: FxHashSet<EntryId>,
    /// Its first entry, where that may stand in the middle of another file: a copy made after a compaction begins there.
    middle: Option<String>,
    /// Its own id, which the lines of a later session may name.
    session: &'t str,
}

impl<'t> Kin<'t> {
    fn of(own: &Transcript, session: &'t str) -> Self {
        let first = own.rows.iter().find(|row| row.kind.is_chained() && row.id.is_some());
        let cut = first.filter(|row| matches!(row.role, Role::Boundary | Role::CompactSummary));
        let middle = cut.and_then(|row| row.id).filter(|id| !id.is_derived()).map(|id| id.to_string());
        Self { ids: chained(own).collect(), middle, session }
    }

    /// A copy begins with the entries that it was copied from, so mostly the head of a file tells.
    fn is_related(&self, loader: &mut Loader, reader: &mut LineReader, other: &SessionFiles<'_>) -> bool {
        let head =
            loader.head(&other.found.path, FileKind::Session, |so_far| chained(so_far).count() >= HEAD);
        let Ok(head) = head else { return false };
        if chained(&head).take(HEAD).any(|id| self.ids.contains(&id)) {
            return true;
        }
        let versions =
            head.versions.iter().filter_map(|(version, _)| ClientVersion::decode(head.text(version)));
        // Older clients name no session before; reading their files through would be in vain.
        let names_sessions =
            versions.map(Generation::of).max().is_some_and(|newest| newest >= Generation::V2_1_200);
        let probes: Vec<&str> =
            self.middle.as_deref().into_iter().chain(names_sessions.then_some(self.session)).collect();
        !probes.is_empty() && mentions(reader, other, &probes)
    }
}

fn chained(transcript: &Transcript) -> impl Iterator<Item = EntryId> {
    transcript.rows.iter().filter(|row| row.kind.is_chained()).filter_map(|row| row.id)
}

fn mentions(reader: &mut LineReader, other: &SessionFiles<'_>, probes: &[&str]) -> bool {
    let finders: Vec<_> = probes.iter().map(|probe| memchr::memmem::Finder::new(probe.as_bytes())).collect();
    let mut found = false;
    let _ = reader.read(&other.found.path, Start::default(), |chunk| {
        let bytes = match chunk {
            Chunk::Line(line) => line.bytes,
            Chunk::Oversize(part) => part.bytes,
        };
        found = finders.iter().any(|finder| finder.find(bytes).is_some());
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// Background sessions and the session that each was forked from.
fn job_parents(library: &Library) -> Vec<(String, String)> {
    let mut parents = Vec::new();
    for root in &library.roots {
        for state in walk::job_states(root).unwrap_or_default() {
            let Ok((bytes, _)) = small::read(&state, 1 << 20) else { continue };
            let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else { continue };
            let text = |key: &str| value.get(key).and_then(|value| value.as_str()).map(str::to_owned);
            let session = text("forkSessionId").or_else(|| text("sessionId"));
            if let (Some(session), Some(parent)) = (session, text("forkParentSessionId")) {
                parents.push((session, parent));
            }
        }
    }
    parents
}
