//! A trail: every state of one file that is known, in the order in which it had them.
//!
//! Events are replayed one after the other. Each either shows a state (a backup, `originalFile`, a whole Read), or makes one
//! (Write, Edit), on top of the last one that is known. What is shown and is not what was known means that something unseen
//! changed the file: the user, a shell command, another machine. Only the state at hand and those that are wanted hold
//! their bytes; a trail of any length takes the memory of a few files.

use std::path::PathBuf;

use scrollback_model::row::RowIndex;
use scrollback_store::ReadError;

use super::body::FileBody;
use super::event::{FileEvent, FileEventKind};
use super::notebook;
use super::replay::{self, Failed, Hunk, Replacement};
use super::source::FileTranscript;
use super::told::{EventContent, EventContentReader, LineExcerpt, StateBefore, Then};
use super::version::{Certainty, ContentState, Evidence, Version, Witness};

/// All that is known of one file.
#[derive(Debug, Default)]
pub struct FileTrail {
    /// Its states, the oldest first.
    pub versions: Vec<Version>,
    /// What could not be read any more.
    pub troubles: Vec<String>,
}

/// Replays the events of a file, which are in order. `keep` says which versions, counted from 1, keep their bytes.
pub fn replay(sources: &[FileTranscript], events: &[FileEvent], keep: &dyn Fn(usize) -> bool) -> FileTrail {
    let mut teller: Option<(usize, EventContentReader<'_>)> = None;
    let mut walk = Walk { keep, trail: FileTrail::default(), missing: None, guess: None };
    for event in events {
        let source = &sources[event.source];
        if let FileEventKind::Backup { name, version, blobs } = &event.what {
            walk.backup(event, name.as_deref(), *version, blobs);
            continue;
        }
        let told = tell(&mut teller, event, source);
        match told {
            Ok(told) => walk.told(event, source, told),
            Err(error) => walk.trail.troubles.push(error.to_string()),
        }
    }
    walk.lose();
    walk.trail
}

/// Lines of one transcript come one after the other mostly: its file stays open.
fn tell<'s>(
    open: &mut Option<(usize, EventContentReader<'s>)>,
    event: &FileEvent,
    source: &'s FileTranscript,
) -> Result<EventContent, ReadError> {
    let mut teller = match open.take() {
        Some((number, teller)) if number == event.source => teller,
        _ => EventContentReader::open(source)?,
    };
    let told = match &event.what {
        FileEventKind::Call(call, row) => teller.call(*call, *row, &event.file),
        FileEventKind::Attachment(kind) => teller.attachment(event.row, *kind),
        FileEventKind::Backup { .. } => Ok(EventContent::default()),
    };
    *open = Some((event.source, teller));
    told
}

struct Walk<'w> {
    keep: &'w dyn Fn(usize) -> bool,
    trail: FileTrail,
    /// A backup that cannot be read, taken when the last state was known. It may be that state or another one: what comes next
    /// tells, or nothing does.
    missing: Option<(Witness, String)>,
    /// What was known before a backup that is lost: edits are tried on it, and what they make of it is partial.
    guess: Option<FileBody>,
}

impl Walk<'_> {
    fn last(&mut self) -> Option<&mut Version> {
        self.trail.versions.last_mut()
    }

    /// Adds a state. The one before lets go of its bytes, unless they are wanted.
    fn push(
        &mut self,
        state: ContentState,
        certainty: Certainty,
        unseen: bool,
        witness: Witness,
        problem: Option<String>,
    ) {
        let number = self.trail.versions.len() + 1;
        let keep = self.keep;
        self.guess = None;
        if let Some(last) = self.last() {
            let wanted = keep(last.number);
            last.state.forget(wanted);
        }
        let version = Version {
            number,
            bytes: state.size(),
            state,
            certainty,
            unseen,
            witnesses: vec![witness],
            problems: problem.into_iter().collect(),
        };
        self.trail.versions.push(version);
    }

    /// A state was shown, whole or as missing.
    fn shown(&mut self, state: ContentState, witness: Witness) {
        self.settle(&state, witness.evidence);
        let guessed = self.guess.take().is_some();
        let certainty = if state.is_doubtful() { Certainty::Partial } else { Certainty::Exact };
        let problem = state.is_doubtful().then(|| DOUBTFUL.to_owned());
        let Some(last) = self.last() else {
            return self.push(state, certainty, false, witness, problem);
        };
        let fits = match (&last.state, &state) {
            (ContentState::Held(own), ContentState::Held(shown)) => own.same(shown),
            (ContentState::Absent, ContentState::Absent) => true,
            (ContentState::Part(part), ContentState::Held(shown)) => has(shown, part),
            // Of a lost backup only the tool that was about to change the file tells what it was: what is shown later may be new.
            (ContentState::Lost, ContentState::Held(_)) => {
                witness.evidence == Evidence::Original || !last.is_lost_backup()
            }
            _ => false,
        };
        if !fits {
            let unseen = !matches!(last.state, ContentState::Lost);
            return self.push(state, certainty, unseen, witness, problem);
        }
        // Bytes are better than a text that was decoded, and a text than a part of it.
        let better = match (&last.state, &state) {
            (ContentState::Held(own), ContentState::Held(shown)) => !own.is_verbatim() && shown.is_verbatim(),
            (ContentState::Absent, _) => false,
            _ => true,
        };
        if better {
            last.bytes = state.size();
            last.state = state;
            // A lost backup that is known after all, and is not what was known before it.
            last.unseen |= guessed;
        }
        // What is shown as it was made is no longer only replayed.
        if certainty == Certainty::Exact {
            last.certainty = Certainty::Exact;
        }
        last.witness(witness);
    }

    fn backup(&mut self, event: &FileEvent, name: Option<&str>, version: u64, blobs: &[PathBuf]) {
        let witness = Witness::of(event, Evidence::Backup).backed_up(name, version);
        let Some(name) = name else { return self.shown(ContentState::Absent, witness) };
        match find(blobs) {
            Ok(body) => self.shown(ContentState::Held(body), witness),
            Err(why) => self.missed(witness, format!("backup {name} {why}")),
        }
    }

    /// A backup that cannot be read. A checkpoint is taken of what is there; that this is what was known is likely, and no more: the
    /// user may have changed the file, or gone back to another branch.
    fn missed(&mut self, witness: Witness, problem: String) {
        if self.missing.as_ref().is_some_and(|(other, _)| other.is_same_backup(&witness)) {
            return;
        }
        self.lose();
        match self.last() {
            Some(last) if matches!(last.state, ContentState::Held(_)) => {
                self.missing = Some((witness, problem));
            }
            Some(last) if last.witnesses.iter().any(|other| other.is_same_backup(&witness)) => {
                last.problem(problem);
                last.witness(witness);
            }
            _ => self.push(ContentState::Lost, Certainty::Lost, false, witness, Some(problem)),
        }
    }

    /// A state is shown after a backup that cannot be read. If it is the one from before, the backup was of it too, unless it is
    /// another backup: clients make a new one only of what has changed.
    fn settle(&mut self, shown: &ContentState, by: Evidence) {
        let Some((witness, problem)) = self.missing.take() else { return };
        let same = by != Evidence::Backup
            && matches!((self.last().map(|last| &last.state), shown), (Some(ContentState::Held(own)), ContentState::Held(shown)) if own.same(shown));
        match self.last() {
            Some(last) if same => last.problem(problem),
            _ => {
                self.missing = Some((witness, problem));
                self.lose();
            }
        }
    }

    /// Nothing tells what a backup that cannot be read was: that state is lost.
    fn lose(&mut self) {
        let Some((witness, problem)) = self.missing.take() else { return };
        let known = match self.last().map(|last| &last.state) {
            Some(ContentState::Held(body)) => Some(body.clone()),
            _ => None,
        };
        self.push(ContentState::Lost, Certainty::Lost, false, witness, Some(problem));
        self.guess = known;
    }

    fn told(&mut self, event: &FileEvent, source: &FileTranscript, told: EventContent) {
        let evidence = evidence(event, source);
        let sure = matches!(told.before, Some(StateBefore::Held(_)));
        match told.before {
            Some(StateBefore::Held(body)) => {
                self.shown(ContentState::Held(body), Witness::of(event, Evidence::Original));
            }
            Some(StateBefore::Absent) => {
                self.shown(ContentState::Absent, Witness::of(event, Evidence::Original));
            }
            None => {}
        }
        let witness = Witness::of(event, evidence);
        if !matches!(told.then, Then::Nothing | Then::Seen(_)) {
            self.lose();
        }
        match told.then {
            Then::Nothing => {}
            Then::Written(body) => self.made(ContentState::Held(body), Certainty::Exact, witness, None),
            Then::Edited(steps, patch) => self.edited(&steps, &patch, sure, event, source, witness),
            Then::Cell(edit) => {
                let base = self.base();
                let why = match base {
                    Some(_) => "the cell cannot be changed in what is known",
                    None => "the notebook that is edited is not known",
                };
                match base.and_then(|base| notebook::edited(&base, &edit)) {
                    Some(made) => self.replayed(made, witness),
                    None => self.stuck(at(source, event.row, why), witness),
                }
            }
            Then::Seen(body) => self.shown(ContentState::Held(body), witness),
            Then::Part(part) => self.part(part, witness),
        }
    }

    /// The bytes of the last state; of one that is lost with its backup, those from before.
    fn base(&mut self) -> Option<std::sync::Arc<[u8]>> {
        if let Some(guess) = &self.guess {
            return guess.load();
        }
        match &self.last()?.state {
            ContentState::Held(body) => body.load(),
            _ => None,
        }
    }

    fn made(&mut self, state: ContentState, certainty: Certainty, witness: Witness, problem: Option<String>) {
        let doubt = state.is_doubtful();
        let certainty = if doubt { certainty.max(Certainty::Partial) } else { certainty };
        let problem = problem.or_else(|| doubt.then(|| DOUBTFUL.to_owned()));
        match self.last() {
            Some(last) if matches!((&last.state, &state), (ContentState::Held(own), ContentState::Held(made)) if own.same(made)) =>
            {
                last.certainty = last.certainty.min(certainty);
                last.witness(witness);
            }
            _ => self.push(state, certainty, false, witness, problem),
        }
    }

    fn edited(
        &mut self,
        steps: &[Replacement],
        patch: &[Hunk],
        sure: bool,
        event: &FileEvent,
        source: &FileTranscript,
        witness: Witness,
    ) {
        let is_absent = matches!(self.last().map(|last| &last.state), None | Some(ContentState::Absent));
        let makes = steps.first().is_some_and(|step| step.old.is_empty());
        let base = if is_absent && makes { Some(Vec::new().into()) } else { self.base() };
        let Some(base) = base else {
            let why = match self.last().map(|last| &last.state) {
                Some(ContentState::Absent) => "the file that is edited is not there",
                Some(ContentState::Held(_)) => {
                    "the file that is edited is too large to replay, or its backup cannot be read"
                }
                _ => "the file that is edited is not known",
            };
            return self.stuck(at(source, event.row, why), witness);
        };
        match replay::steps(&base, steps, sure) {
            Ok(made) if replay::fits(patch, &made) => self.replayed(made, witness),
            Ok(made) => {
                let problem = at(source, event.row, "the recorded patch tells another change than the edit");
                let state = ContentState::Held(FileBody::Held { bytes: made.into(), decoded: true });
                self.made(state, Certainty::Partial, witness, Some(problem));
            }
            Err((place, failed)) => {
                let which = if steps.len() > 1 {
                    format!("edit {} of {}: ", place + 1, steps.len())
                } else {
                    String::new()
                };
                let why = match failed {
                    Failed::NotThere => "the replaced text is not in the known content".to_owned(),
                    Failed::Several(count) => {
                        format!("the replaced text occurs {count} times in the known content")
                    }
                    Failed::NotEmpty => "it makes a file that is there already".to_owned(),
                };
                let problem = at(source, event.row, &format!("{which}{why}"));
                self.stuck(problem, witness);
            }
        }
    }

    /// A state that an edit made of a known one.
    fn replayed(&mut self, made: Vec<u8>, witness: Witness) {
        let guessed = self.guess.is_some();
        let before = match self.last() {
            _ if guessed => Certainty::Partial,
            Some(last) => last.certainty,
            None => Certainty::Exact,
        };
        let state = ContentState::Held(FileBody::Held { bytes: made.into(), decoded: true });
        self.made(state, before.max(Certainty::Replayed), witness, guessed.then(|| GUESSED.to_owned()));
    }

    /// A step that could not be replayed: what was known before it is the best there is.
    fn stuck(&mut self, problem: String, witness: Witness) {
        let known = match self.last().map(|last| &last.state) {
            Some(ContentState::Held(body)) => Some(body.clone()),
            _ => None,
        };
        match known {
            Some(body) => {
                self.push(ContentState::Held(body), Certainty::Partial, false, witness, Some(problem));
            }
            None => self.push(ContentState::Lost, Certainty::Lost, false, witness, Some(problem)),
        }
    }

    /// Some lines were seen.
    fn part(&mut self, part: LineExcerpt, witness: Witness) {
        match self.last() {
            Some(last) => {
                let fits = match &last.state {
                    ContentState::Held(body) => has(body, &part),
                    ContentState::Part(known) => known.lines.iter().all(|line| agrees(&part, line)),
                    ContentState::Lost | ContentState::Absent | ContentState::Let(_) => false,
                };
                if fits {
                    if let ContentState::Part(known) = &mut last.state {
                        known.join(part);
                        last.bytes = last.state.size();
                    }
                    return last.witness(witness);
                }
                let unseen = !matches!(last.state, ContentState::Lost);
                self.push(ContentState::Part(part), Certainty::Partial, unseen, witness, None);
            }
            None => self.push(ContentState::Part(part), Certainty::Partial, false, witness, None),
        }
    }
}

const GUESSED: &str = "it is replayed on what was known before a backup that is lost";

const DOUBTFUL: &str =
    "it holds marks that stand for bytes which are no text; the file's own bytes are not known";

/// Are these lines in a content, where their numbers say?
fn has(body: &FileBody, part: &LineExcerpt) -> bool {
    let Some(bytes) = body.load() else { return false };
    let text = super::body::as_text(&bytes);
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.split('\n').collect();
    part.lines.iter().all(|(number, line)| {
        let at = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        lines.get(at).is_some_and(|own| own.trim_end_matches('\r') == line.trim_end_matches('\r'))
    })
}

fn agrees(part: &LineExcerpt, (number, line): &(u64, String)) -> bool {
    let other = part.lines.iter().find(|(other, _)| other == number);
    other.is_none_or(|(_, other)| other == line)
}

impl LineExcerpt {
    /// Adds what other lines of the same state tell.
    fn join(&mut self, other: Self) {
        self.total = self.total.or(other.total);
        for line in other.lines {
            if !self.lines.iter().any(|(number, _)| *number == line.0) {
                self.lines.push(line);
            }
        }
        self.lines.sort_by_key(|(number, _)| *number);
    }
}

/// The first of these that is there; why there is none.
fn find(blobs: &[PathBuf]) -> Result<FileBody, &'static str> {
    let mut why = "has a name that no client gives";
    for path in blobs {
        match scrollback_store::stamp::plain(path) {
            Ok(Some((size, mode))) => return Ok(FileBody::Blob { path: path.clone(), size, mode }),
            Ok(None) => why = "is no plain file",
            Err(error) if error.is_gone() => why = "is not there any more",
            Err(_) => why = "cannot be read",
        }
    }
    Err(why)
}

fn evidence(event: &FileEvent, source: &FileTranscript) -> Evidence {
    match event.what {
        FileEventKind::Call(call, _) => match source.transcript.text(source.transcript.calls[call].tool) {
            "Write" => Evidence::Write,
            "Edit" => Evidence::Edit,
            "MultiEdit" => Evidence::MultiEdit,
            "NotebookEdit" => Evidence::NotebookEdit,
            _ => Evidence::Read,
        },
        FileEventKind::Attachment(_) => Evidence::Attachment,
        FileEventKind::Backup { .. } => Evidence::Backup,
    }
}

/// A problem with the line that it is on.
fn at(source: &FileTranscript, row: RowIndex, why: &str) -> String {
    let line = source.transcript.row(row).line;
    match &source.agent_id {
        Some(agent) => format!("session {} agent {agent} line {line}: {why}", source.session_id),
        None => format!("session {} line {line}: {why}", source.session_id),
    }
}
