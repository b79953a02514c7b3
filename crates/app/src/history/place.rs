//! Where a prompt went: the session and turn in which it was typed.
//!
//! Entries say their session from 2.0.55 on. Older ones are looked for in the sessions of their directory that were at
//! work at that time. The line is the one with the same text that is nearest in time, else one of that very moment.

use rustc_hash::FxHashMap;
use scrollback_format::entry::{Dialect, Entry as Line};
use scrollback_format::generation::Generation;
use scrollback_format::history::unpaste;
use scrollback_format::json::Tape;
use scrollback_format::time::Time;
use scrollback_model::placing::Placing;
use scrollback_model::role::Role;
use scrollback_store::small::Spans;
use scrollback_store::work;

use super::{PromptEntry, SessionEvidence, TurnEvidence};
use scrollback_session::error::AppError;
use scrollback_session::item::ItemKind;
use scrollback_session::library::{Library, SessionFiles};
use scrollback_session::read_item;
use scrollback_session::view::SessionView;

/// How far from its entry a prompt's line may be to be known by time alone.
const SAME_MOMENT: u64 = 2_000;
/// How far beyond a session's lines a prompt may have been typed, to be looked for in it.
const AROUND: i64 = 60_000;

/// Where a prompt was typed.
#[derive(Debug, Default, Clone)]
pub(super) struct PromptPlace {
    pub session_id: Option<String>,
    pub session_by: Option<SessionEvidence>,
    pub exists: bool,
    pub turn: Option<u32>,
    pub branch: Option<u64>,
    pub line: Option<u64>,
    pub turn_by: Option<TurnEvidence>,
    /// The text of that line.
    pub sent: Option<String>,
}

/// A line that a person typed.
struct Typed {
    line: u64,
    turn: Option<u32>,
    branch: u64,
    time: Option<Time>,
    text: String,
}

/// The places of prompts, in their order. Each session that may be one is read once.
pub(super) fn places(
    library: &Library,
    sessions: &[SessionView],
    entries: &[PromptEntry<'_>],
) -> Vec<PromptPlace> {
    let known: Vec<Vec<String>> = entries.iter().map(|entry| candidates(sessions, entry)).collect();
    let mut wanted: Vec<&str> = known.iter().flatten().map(String::as_str).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let files: Vec<SessionFiles<'_>> = wanted
        .iter()
        .filter_map(|id| {
            let same = library.sessions().filter(|files| files.id.as_str() == *id);
            same.max_by_key(|files| files.found.mtime_ns())
        })
        .collect();
    let read =
        work::each(&files, work::threads(), || (), |(), files| typed(library, files).unwrap_or_default());
    let by_id: FxHashMap<&str, Vec<Typed>> = files.iter().map(|files| files.id.as_str()).zip(read).collect();
    entries.iter().zip(known).map(|(entry, known)| place(entry, &known, &by_id)).collect()
}

/// The sessions that an entry may have gone to.
fn candidates(sessions: &[SessionView], entry: &PromptEntry<'_>) -> Vec<String> {
    if let Some(session) = &entry.prompt.session {
        return vec![session.to_string()];
    }
    let (Some(time), Some(project)) = (entry.prompt.time, &entry.prompt.project) else { return Vec::new() };
    let at_work = |view: &&SessionView| {
        let from = view.first_time.is_some_and(|first| first.0 - AROUND <= time.0);
        let here =
            [&view.project, &view.home, &view.repository].into_iter().flatten().any(|own| own == project);
        from && here && view.last_time.is_some_and(|last| time.0 <= last.0 + AROUND)
    };
    sessions.iter().filter(at_work).map(|view| view.session_id.clone()).collect()
}

fn place(entry: &PromptEntry<'_>, known: &[String], by_id: &FxHashMap<&str, Vec<Typed>>) -> PromptPlace {
    let mut best: Option<(bool, u64, &str, &Typed)> = None;
    for id in known {
        for typed in by_id.get(id.as_str()).into_iter().flatten() {
            let same = unpaste(&entry.prompt.display, &typed.text).is_some();
            let apart = match (entry.prompt.time, typed.time) {
                (Some(a), Some(b)) => a.0.abs_diff(b.0),
                _ => u64::MAX,
            };
            if !same && apart > SAME_MOMENT {
                continue;
            }
            let better = best.is_none_or(|(had, was, ..)| {
                (same, std::cmp::Reverse(apart)) > (had, std::cmp::Reverse(was))
            });
            if better {
                best = Some((same, apart, id, typed));
            }
        }
    }
    let said = entry.prompt.session.as_ref().map(|session| session.as_str());
    let Some((same, _, id, typed)) = best else {
        // Of one candidate alone that was at work then, at least the session is known.
        let only = said.or(match known {
            [one] => Some(one.as_str()),
            _ => None,
        });
        return PromptPlace {
            session_id: only.map(str::to_owned),
            session_by: only
                .map(|_| if said.is_some() { SessionEvidence::Entry } else { SessionEvidence::Project }),
            exists: only.is_some_and(|id| by_id.contains_key(id)),
            ..PromptPlace::default()
        };
    };
    PromptPlace {
        session_id: Some(id.to_owned()),
        session_by: Some(if said.is_some() { SessionEvidence::Entry } else { SessionEvidence::Project }),
        exists: true,
        turn: typed.turn,
        branch: Some(typed.branch),
        line: Some(typed.line),
        turn_by: Some(if same { TurnEvidence::Text } else { TurnEvidence::Time }),
        sent: same.then(|| typed.text.clone()),
    }
}

/// What persons typed in a session, on whatever thread.
fn typed(library: &Library, files: &SessionFiles<'_>) -> Result<Vec<Typed>, AppError> {
    let loaded = library.load(files, Generation::NEWEST)?;
    let placing = Placing::of(&loaded.transcript, &loaded.anatomy);
    let mut spans = Spans::open(&files.found.path)?;
    let mut tape = Tape::new();
    let mut found = Vec::new();
    for (row, at) in loaded.transcript.rows.iter().zip(0..) {
        if !matches!(row.role, Role::Prompt | Role::QueuedPrompt | Role::Command | Role::Bash) {
            continue;
        }
        let bytes = spans.read(row.offset, row.len as usize)?;
        if tape.scan(bytes).is_err() {
            continue;
        }
        let Some(root) = tape.root(bytes) else { continue };
        let text = match read_item::read(&Line::of(root, Dialect::Session), row.role).into_iter().next() {
            Some(ItemKind::Prompt { text, .. }) => text,
            Some(ItemKind::Command { command, args }) => format!("{command} {args}").trim_end().to_owned(),
            Some(ItemKind::Bash { command }) => format!("!{command}"),
            _ => continue,
        };
        let (turn, branch) = placing.at(at);
        found.push(Typed { line: u64::from(row.line), turn, branch, time: row.time(), text });
    }
    Ok(found)
}
