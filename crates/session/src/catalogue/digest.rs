//! Digests: one file read, from its start or from where the last reading stopped, into rows of the catalogue.

use std::ops::ControlFlow;
use std::path::Path;

use scrollback_format::area::ProjectFile;
use scrollback_format::content::Content;
use scrollback_format::entry::Entry;
use scrollback_format::generation::Generation;
use scrollback_format::line::Ending;
use scrollback_format::stamp::Stamp;
use scrollback_index::catalogue::{Digest, PromptRow, Skeleton};
use scrollback_index::filter::FileFacts;
use scrollback_index::ranges::RowRanges;
use scrollback_index::table::{AgentRow, SessionRow};
use scrollback_model::agent::{self, AgentFile};
use scrollback_model::facts::{Anatomy, TranscriptFacts};
use scrollback_model::fold::Fold;
use scrollback_model::placing::Placing;
use scrollback_model::role::Role;
use scrollback_model::row::RowIndex;
use scrollback_model::skeleton;
use scrollback_model::transcript::{FileKind, Transcript};
use scrollback_store::{Chunk, Look, ReadError, Start, stamp};

use super::survey::Surveyed;
use crate::agent_meta;
use crate::library;
use crate::load::Loader;
use crate::view::{SessionPlace, SessionView};

/// How much of a prompt is kept.
const HEAD: usize = 300;

/// What is known of a file before it is read.
#[derive(Debug, Default)]
pub struct KnownFile {
    /// Its number, if it has one.
    pub file: Option<i64>,
    /// What earlier readings left.
    pub skeleton: Option<Skeleton>,
    /// Its prompts so far: line and first words.
    pub prompts: Vec<(u32, String)>,
}

/// What reading the rest of a file left.
struct Read {
    transcript: Transcript,
    skeleton: Vec<u8>,
    rows: u32,
    resume: (u64, u64),
    end: u64,
    prompts: Vec<(u32, String)>,
}

/// Reads a file and returns what is in it.
pub fn digest(
    loader: &mut Loader,
    file: &Surveyed,
    (root, path): (&str, &str),
    side: i64,
    before: KnownFile,
) -> Result<Digest, ReadError> {
    // Taken before reading: whatever is written from now on makes another stamp.
    let Look { size, mtime_ns, inode } = stamp::look(&file.path).unwrap_or_default();
    let number = before.file;
    let read = match read(loader, file, before) {
        Ok(read) => read,
        Err(error) if error.is_gone() => return Err(error),
        Err(_) => {
            return Ok(unreadable(
                file,
                (root, path),
                side,
                number,
                Stamp { size, mtime_ns, inode, tail_hash: 0 },
            ));
        }
    };
    let tail_hash = stamp::hash_at(&file.path, read.end)?;
    let stamp = Stamp { size: read.end, mtime_ns, inode, tail_hash };
    let anatomy = Anatomy::of(&read.transcript, Generation::NEWEST);
    let (dead, compacted) = row_states(&read.transcript, &anatomy);
    let mut digest = Digest {
        file: number,
        root: root.to_owned(),
        folder: file.folder.clone(),
        path: path.to_owned(),
        stamp,
        side,
        resume: read.resume,
        rows: read.rows,
        skeleton: read.skeleton,
        dead,
        compacted,
        placing: Placing::of(&read.transcript, &anatomy),
        session: None,
        agent: None,
        prompts: prompts(&read.transcript, &anatomy, &read.prompts),
        transcript: read.transcript,
    };
    match &file.file {
        ProjectFile::Session(id) => {
            let place = SessionPlace {
                session_id: id.as_str().to_owned(),
                path: file.path.clone(),
                root: root.into(),
                folder: file.folder.clone(),
            };
            digest.session = Some(session(place, path, &digest.transcript, &anatomy));
        }
        other => digest.agent = Some(agent_row(other, file, (root, path), &digest.transcript, &anatomy)),
    }
    Ok(digest)
}

fn read(loader: &mut Loader, file: &Surveyed, before: KnownFile) -> Result<Read, ReadError> {
    let kind = if matches!(file.file, ProjectFile::Session(_)) { FileKind::Session } else { FileKind::Agent };
    let (start, mut fold) = match before.skeleton {
        Some(known) => {
            let start = Start { offset: known.resume_offset, lines: known.resume_lines };
            (start, Fold::resume(known.transcript))
        }
        None => (Start::default(), Fold::new(kind)),
    };
    let mut prompts = before.prompts;
    let mut whole: Option<(Vec<u8>, u32)> = None;
    let end = loader.chunks(&file.path, start, |parser, chunk| {
        // A line without an end may go on: what is kept for the next reading stops before it.
        if let Chunk::Line(line) = chunk
            && line.ending == Ending::None
        {
            whole = Some((skeleton::encode(fold.so_far()), fold.so_far().rows.len() as u32));
        }
        crate::load::feed(parser, &mut fold, chunk, |fold, entry| {
            if let Some(text) = prompt_text(fold, entry)
                && let Some(row) = fold.so_far().rows.last()
            {
                prompts.push((row.line, text));
            }
        });
        ControlFlow::Continue(())
    })?;
    let transcript = fold.finish(end.lines, end.offset);
    let (skeleton, rows) =
        whole.unwrap_or_else(|| (skeleton::encode(&transcript), transcript.rows.len() as u32));
    let resume = (end.resume.offset, end.resume.lines);
    Ok(Read { transcript, skeleton, rows, resume, end: end.offset, prompts })
}

/// The first words of a prompt, if the line that was just folded is one.
fn prompt_text(fold: &Fold, entry: &Entry<'_>) -> Option<String> {
    let content = match fold.so_far().rows.last()?.role {
        Role::Prompt => entry.envelope.message?.get("content"),
        Role::QueuedPrompt => entry.envelope.attachment?.get("prompt"),
        _ => return None,
    };
    let text = content.and_then(Content::of)?.first_text()?;
    Some(text.head(HEAD).into_owned())
}

/// Every prompt with its turn; 0 for what is not on the live thread.
fn prompts(transcript: &Transcript, anatomy: &Anatomy, texts: &[(u32, String)]) -> Vec<PromptRow> {
    let live: &[RowIndex] = anatomy.threads.live().map_or(&[], |live| &live.rows);
    let mut turns: Vec<(u32, u32)> = Vec::new();
    for turn in &anatomy.turns {
        let rows = live[turn.range.clone()].iter().map(|row| transcript.row(*row));
        let said = rows.filter(|row| matches!(row.role, Role::Prompt | Role::QueuedPrompt));
        turns.extend(said.map(|row| (row.line, turn.number)));
    }
    turns.sort_unstable();
    let times: Vec<(u32, Option<i64>)> = transcript
        .rows
        .iter()
        .filter(|row| matches!(row.role, Role::Prompt | Role::QueuedPrompt))
        .map(|row| (row.line, row.time().map(|time| time.0)))
        .collect();
    let told = texts.iter().map(|(line, text)| PromptRow {
        line: *line,
        turn: turns.binary_search_by_key(line, |(line, _)| *line).map_or(0, |at| turns[at].1),
        time: times.binary_search_by_key(line, |(line, _)| *line).ok().and_then(|at| times[at].1),
        text: text.clone(),
    });
    told.collect()
}

/// Lines of the tree that are not on the live thread, and those on it before its last compaction.
fn row_states(transcript: &Transcript, anatomy: &Anatomy) -> (RowRanges, RowRanges) {
    let live_row = |row: RowIndex| anatomy.threads.thread_of(row) == Some(0);
    let is_dead = |(row, index): &(&scrollback_model::row::Row, RowIndex)| {
        let Some(id) = row.id else { return false };
        // Of lines with one id the last counts for all of them.
        let counts = anatomy.graph.find(id).unwrap_or(*index);
        row.kind.is_chained() && !live_row(*index) && !live_row(counts)
    };
    let dead = transcript.rows.iter().zip(0..).filter(is_dead).map(|(_, index)| index);
    let dead = RowRanges::of(dead);
    let live: &[RowIndex] = anatomy.threads.live().map_or(&[], |live| &live.rows);
    let last = live.iter().rposition(|row| transcript.row(*row).role == Role::Boundary).unwrap_or(0);
    let mut compacted: Vec<RowIndex> = live[..last].to_vec();
    compacted.sort_unstable();
    (dead, RowRanges::of(compacted))
}

fn session(place: SessionPlace, path: &str, transcript: &Transcript, anatomy: &Anatomy) -> SessionRow {
    let sidecar = library::sidecar_title(&place.path);
    let facts = TranscriptFacts::of(transcript, anatomy, sidecar.as_deref(), None);
    let takes_summary =
        transcript.custom_title.is_none() && transcript.ai_title.is_none() && sidecar.is_none();
    let view = SessionView::of(place, &facts, 0);
    let mut row = super::view::row(&view, path);
    row.takes_summary = takes_summary;
    row.first_prompt = if takes_summary { row.title.clone() } else { None };
    row.inline_agents = transcript.inline_agents.len() as i64;
    row.files_written = facts.files.values().filter(|touch| touch.writes > 0).count() as i64;
    row
}

fn agent_row(
    file: &ProjectFile,
    surveyed: &Surveyed,
    (root, path): (&str, &str),
    transcript: &Transcript,
    anatomy: &Anatomy,
) -> AgentRow {
    let first = |symbol: Option<_>| symbol.map(|symbol| transcript.text(symbol).to_owned());
    let (id, session, run) = match file {
        ProjectFile::Agent { session, agent, run } => {
            (agent.as_str(), Some(session.as_str().to_owned()), run.as_deref())
        }
        ProjectFile::FlatAgent(agent) => (agent.as_str(), first(transcript.session_ids.first()), None),
        _ => ("", None, None),
    };
    let meta = agent_meta::read(&surveyed.path);
    let own = AgentFile { id, transcript, meta_call: meta.tool_use_id.as_deref(), run };
    let facts = TranscriptFacts::of(transcript, anatomy, None, None);
    AgentRow {
        file: 0,
        agent_id: id.to_owned(),
        session_id: session.unwrap_or_default(),
        root: root.to_owned(),
        folder: surveyed.folder.clone(),
        path: path.to_owned(),
        project: facts.origin,
        purpose: agent::purpose(&own).name().to_owned(),
        agent_type: meta.agent_type.clone(),
        description: meta.description.clone(),
        tool_use_id: meta.tool_use_id.clone(),
        run: run.map(str::to_owned),
        prompt: transcript.first_prompt.as_deref().map(str::to_owned),
        first_time: facts.span.map(|(first, _)| first.0),
        last_time: facts.span.map(|(_, last)| last.0),
        bytes: facts.bytes as i64,
        messages: facts.messages as i64,
        tool_calls: facts.tools.values().map(|tool| tool.calls as i64).sum(),
        input_tokens: facts.tokens.input as i64,
        output_tokens: facts.tokens.output as i64,
        cache_read: facts.tokens.cache_read as i64,
        cache_write: facts.tokens.cache_write as i64,
        problems: facts.problems as i64,
    }
}

/// What is recorded for a file that cannot be read: that it exists.
fn unreadable(
    file: &Surveyed,
    (root, path): (&str, &str),
    side: i64,
    number: Option<i64>,
    stamp: Stamp,
) -> Digest {
    let transcript = Transcript::default();
    let anatomy = Anatomy::of(&transcript, Generation::NEWEST);
    let place = |id: &str| SessionPlace {
        session_id: id.to_owned(),
        path: file.path.clone(),
        root: Path::new(root).to_owned(),
        folder: file.folder.clone(),
    };
    let (session, agent) = match &file.file {
        ProjectFile::Session(id) => {
            let view = SessionView::unreadable(place(id.as_str()), stamp.size);
            (Some(super::view::row(&view, path)), None)
        }
        other => (None, Some(agent_row(other, file, (root, path), &transcript, &anatomy))),
    };
    Digest {
        file: number,
        root: root.to_owned(),
        folder: file.folder.clone(),
        path: path.to_owned(),
        // Another length than it has, so that the next refresh tries again.
        stamp: Stamp { mtime_ns: i64::MIN, ..stamp },
        side,
        resume: (0, 0),
        rows: 0,
        skeleton: skeleton::encode(&transcript),
        dead: RowRanges::default(),
        compacted: RowRanges::default(),
        placing: Placing::default(),
        session,
        agent,
        prompts: Vec::new(),
        transcript,
    }
}

/// What filters ask of a file that the catalogue does not know as it is, and its transcript.
pub fn facts_of(loader: &mut Loader, path: &Path) -> Result<(Transcript, FileFacts), ReadError> {
    let folder = path
        .ancestors()
        .find(|dir| dir.parent().and_then(Path::file_name).is_some_and(|name| name == "projects"));
    let relative = folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
    let surveyed = Surveyed {
        path: path.to_owned(),
        file: ProjectFile::of(&relative.to_string_lossy().replace('\\', "/")),
        root: 0,
        folder: folder
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default(),
    };
    let text = path.to_string_lossy().into_owned();
    let digest = digest(loader, &surveyed, ("", &text), 0, KnownFile::default())?;
    let project = match (&digest.session, &digest.agent) {
        (Some(session), _) => session.project.clone(),
        (None, agent) => agent.as_ref().and_then(|agent| agent.project.clone()),
    };
    let branches = digest.transcript.branches.iter().map(|(branch, _)| digest.transcript.text(branch));
    let agent = digest.agent.as_ref().map(|agent| {
        (agent.agent_id.to_lowercase(), agent.agent_type.clone().unwrap_or_default().to_lowercase())
    });
    let facts = FileFacts {
        session_id: match (&digest.session, &digest.agent) {
            (Some(session), _) => session.session_id.clone(),
            (None, agent) => agent.as_ref().map(|agent| agent.session_id.clone()).unwrap_or_default(),
        },
        project: project.unwrap_or_default().to_lowercase(),
        branches: branches.collect::<Vec<_>>().join("\n").to_lowercase(),
        agent,
        dead: digest.dead,
        compacted: digest.compacted,
    };
    Ok((digest.transcript, facts))
}
