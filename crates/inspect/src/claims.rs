//! Claims: statements about the format, checked against a store. Each holds in a number of places out of those checked, by
//! client version, with some counterexamples.
//!
//! Many of them are wrong on purpose: older descriptions of the format make them, and FORMAT.md says what is true.

mod line;
mod scene;
mod sheet;
mod store;
mod table;
mod tree;

use std::ops::ControlFlow;
use std::path::PathBuf;

use rustc_hash::FxHashSet;
use scrollback_format::area::ProjectFile;
use scrollback_format::line::Ending;
use scrollback_format::piece::{Parser, PieceKind};
use scrollback_format::version::ClientVersion;
use scrollback_store::{Chunk, FolderFile, LineReader, Start, work};
use serde::{Deserialize, Serialize};

use scene::{Scene, TranscriptOwner};
use scrollback_session::error::{AppError, Hint};
use scrollback_session::library::Library;
use sheet::{ClaimCounts, place};
use store::SeenOwners;

pub use table::{CLAIMS, Claim};

/// How a claim stands in one client version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ClaimByVersion {
    /// The version; `?` if unknown.
    pub version: String,
    /// Number of times it holds.
    pub holds: u64,
    /// Number of times it was checked.
    pub of: u64,
}

/// Where a claim does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Counterexample {
    /// The file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The line; none if it is about the file.
    pub line: Option<u64>,
    /// What was found instead.
    pub detail: String,
}

/// How a claim stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ClaimView {
    /// Its id, which FORMAT.md cites.
    pub claim: String,
    /// What is claimed.
    pub says: String,
    /// The section of FORMAT.md.
    pub section: String,
    /// Number of times it holds.
    pub holds: u64,
    /// Number of times it was checked.
    pub of: u64,
    /// The same by client version, oldest first.
    pub by_version: Vec<ClaimByVersion>,
    /// Some places where it does not hold.
    pub counterexamples: Vec<Counterexample>,
}

/// How all claims stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Claims {
    /// Files that were read.
    pub files: u64,
    /// The claims, in the order of FORMAT.md.
    pub claims: Vec<ClaimView>,
}

impl ClaimView {
    /// Does it hold everywhere?
    pub const fn holds_everywhere(&self) -> bool {
        self.holds == self.of
    }
}

/// The claim of this id.
pub fn find(id: &str) -> Result<&'static Claim, AppError> {
    CLAIMS.iter().find(|claim| claim.id == id).ok_or_else(|| {
        let score = |claim: &Claim| strsim::jaro(claim.id, id);
        let near = CLAIMS.iter().max_by(|a, b| score(a).total_cmp(&score(b)));
        let near = near.map(|claim| Hint::DidYouMean { name: claim.id.to_owned() });
        AppError::Unsuitable { why: format!("no claim named '{id}'"), hints: near.into_iter().collect() }
    })
}

/// What one file left for the checks that need all of them.
struct Read {
    scene: Scene,
    seen: SeenOwners,
    root: usize,
}

/// Checks every claim over a library. `progress` is told the bytes of each file.
pub fn claims(library: &Library, progress: &(dyn Fn(u64) + Sync)) -> Claims {
    let mut targets: Vec<(&FolderFile, &str, usize)> = Vec::new();
    for (root, folder) in &library.folders {
        let transcripts = folder.files.iter().filter(|found| owner(&found.file).is_some());
        targets.extend(transcripts.map(|found| (found, folder.name.as_str(), *root)));
    }
    let read = work::each(&targets, work::threads(), LineReader::new, |reader, (found, folder, root)| {
        let mut sheet = ClaimCounts::default();
        let read = file(reader, &mut sheet, found, folder, *root);
        progress(found.size());
        (sheet, read)
    });
    let mut sheet = ClaimCounts::default();
    let mut files = Vec::new();
    for (own, read) in read {
        sheet.add(own);
        files.extend(read);
    }
    let called: FxHashSet<String> = files.iter().flat_map(|read| read.scene.agents.iter().cloned()).collect();
    let slugs: FxHashSet<String> = files.iter().flat_map(|read| read.scene.slugs.iter().cloned()).collect();
    for read in &files {
        store::agent(&mut sheet, &read.scene, &called, &read.seen);
        store::backups(&mut sheet, &read.scene, &library.roots[read.root]);
    }
    store::areas(&mut sheet, library, &slugs);
    Claims { files: files.len() as u64, claims: CLAIMS.iter().map(|claim| view(claim, &sheet)).collect() }
}

fn owner(file: &ProjectFile) -> Option<TranscriptOwner> {
    match file {
        ProjectFile::Session(id) => Some(TranscriptOwner::Session(id.as_str().to_owned())),
        ProjectFile::Agent { session, agent, .. } => Some(TranscriptOwner::Agent {
            agent: agent.as_str().to_owned(),
            session: Some(session.as_str().to_owned()),
        }),
        ProjectFile::FlatAgent(agent) => {
            Some(TranscriptOwner::Agent { agent: agent.as_str().to_owned(), session: None })
        }
        _ => None,
    }
}

/// Reads one file and checks what it tells by itself. One that cannot be read is `verify`'s to tell.
fn file(
    reader: &mut LineReader,
    sheet: &mut ClaimCounts,
    found: &FolderFile,
    folder: &str,
    root: usize,
) -> Option<Read> {
    let mut scene = Scene::new(found.path.clone(), folder.to_owned(), owner(&found.file)?);
    let mut seen = SeenOwners::default();
    let mut parser = Parser::new();
    let mut ended = true;
    // Versions come with the lines, but what stands before the first is of that one: whole lines are noted at the end.
    let mut broken: Vec<u64> = Vec::new();
    let mut lines = 0;
    let end = reader.read(&found.path, Start::default(), |chunk| {
        let Chunk::Line(text) = chunk else { return ControlFlow::Continue(()) };
        ended = text.ending != Ending::None;
        lines += 1;
        let number = text.number;
        let mut whole = 0;
        parser.each(text, |piece| match &piece.kind {
            PieceKind::Entry(entry) => {
                whole += 1;
                owners(&mut seen, entry);
                line::check(sheet, &mut scene, entry, number);
            }
            _ => whole += 2,
        });
        if whole != 1 {
            broken.push(number);
        }
        ControlFlow::Continue(())
    });
    end.ok()?;
    let version = scene.version_name(0).to_owned();
    for number in 0..lines {
        let bad = broken.get(number as usize);
        sheet.note("lines-whole", &version, number >= broken.len() as u64, || {
            place(&scene.path, bad.copied().unwrap_or(0), "not one object")
        });
    }
    if lines > 0 {
        sheet.note("lines-ended", &version, ended, || place(&scene.path, lines, "no newline"));
    }
    tree::check(sheet, &scene);
    Some(Read { scene, seen, root })
}

/// Notes whose lines these are.
fn owners(seen: &mut SeenOwners, entry: &scrollback_format::entry::Entry<'_>) {
    let pairs =
        [(entry.envelope.session_id, &mut seen.sessions), (entry.envelope.agent_id, &mut seen.agents)];
    for (id, known) in pairs {
        if let Some(id) = id
            && !known.iter().any(|known| id.is(known))
        {
            known.push(id.decode().into_owned());
        }
    }
}

fn view(claim: &Claim, sheet: &ClaimCounts) -> ClaimView {
    let count = sheet.count(claim.id).cloned().unwrap_or_default();
    let mut by_version: Vec<ClaimByVersion> = count
        .by_version
        .into_iter()
        .map(|(version, (holds, of))| ClaimByVersion { version, holds, of })
        .collect();
    by_version.sort_by_cached_key(|count| (ClientVersion::decode(&count.version), count.version.clone()));
    let sum = |of: fn(&ClaimByVersion) -> u64| by_version.iter().map(of).sum();
    ClaimView {
        claim: claim.id.to_owned(),
        says: claim.says.to_owned(),
        section: claim.section.to_owned(),
        holds: sum(|count| count.holds),
        of: sum(|count| count.of),
        counterexamples: count
            .places
            .into_iter()
            .map(|place| Counterexample {
                path: place.path,
                line: (place.line > 0).then_some(place.line),
                detail: place.detail,
            })
            .collect(),
        by_version,
    }
}
