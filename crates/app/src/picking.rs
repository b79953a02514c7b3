//! Picking: what a person chooses among. One candidate a conversation, with the prompts that it can be known by.
//!
//! Everything that a picker shows or ranks comes through [`candidates`]; whoever picks reads no transcript to do so.

use std::path::{Path, PathBuf};

use scrollback_format::entry::{Dialect, Entry};
use scrollback_format::json::Tape;
use scrollback_model::facts::Anatomy;
use scrollback_model::role::Role;
use scrollback_model::transcript::Transcript;
use scrollback_model::turn;
use scrollback_store::git;
use scrollback_store::small::Spans;

use crate::item::What;
use crate::library::Library;
use crate::view::SessionView;
use crate::{listing, read_item};

/// More of a prompt helps nobody to know it again, and costs a search on every key.
pub const PROMPT_CHARS: usize = 400;

/// A conversation that can be picked.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What is known of it.
    pub view: SessionView,
    /// Its prompts on the live thread, in their order.
    pub prompts: Vec<PickPrompt>,
}

/// What a person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickPrompt {
    /// Its turn.
    pub turn: u32,
    /// Its line in the file.
    pub line: u64,
    /// Its words, at most [`PROMPT_CHARS`] characters of them.
    pub text: String,
}

/// Every conversation of the library, newest first. `progress` is told after each file how many bytes were read.
pub fn candidates(library: &Library, progress: &(dyn Fn(u64) + Sync)) -> Vec<Candidate> {
    let read = library.views_with(
        |_| true,
        progress,
        |files, transcript, anatomy| prompts(&files.found.path, transcript, anatomy),
    );
    let mut candidates: Vec<Candidate> = read
        .into_iter()
        .filter(|(view, _)| view.is_conversation())
        .map(|(view, prompts)| Candidate { view, prompts })
        .collect();
    candidates.sort_by(|a, b| listing::newest(&a.view, &b.view));
    candidates
}

/// The prompts of the live thread. What cannot be read any more is left out.
fn prompts(path: &Path, transcript: &Transcript, anatomy: &Anatomy) -> Vec<PickPrompt> {
    let Some(live) = anatomy.threads.threads.first() else { return Vec::new() };
    let mut found = Vec::new();
    let Ok(mut spans) = Spans::open(path) else { return found };
    let mut tape = Tape::new();
    for turn in turn::turns(transcript, &live.rows) {
        for &index in &live.rows[turn.range.clone()] {
            let row = transcript.row(index);
            if !matches!(row.role, Role::Prompt | Role::QueuedPrompt) {
                continue;
            }
            let Ok(bytes) = spans.read(row.offset, row.len as usize) else { continue };
            if tape.scan(bytes).is_err() {
                continue;
            }
            let Some(root) = tape.root(bytes) else { continue };
            let said = read_item::read(&Entry::of(root, Dialect::Session), row.role);
            for what in said {
                if let What::Prompt { text, .. } = what
                    && !text.trim().is_empty()
                {
                    let text = text.trim().chars().take(PROMPT_CHARS).collect();
                    found.push(PickPrompt { turn: turn.number, line: u64::from(row.line), text });
                }
            }
        }
    }
    found
}

/// Where the person is: a directory and, if it lies in one, the repository around it.
#[derive(Debug, Clone)]
pub struct Here {
    directory: PathBuf,
    repository: Option<PathBuf>,
}

impl Here {
    /// Finds the repository around a directory.
    pub fn of(directory: &Path) -> Self {
        let repository = directory.ancestors().find_map(git::main_checkout);
        Self { directory: directory.to_owned(), repository }
    }

    /// Is it a session of this place: its directory or repository is this one or lies around it, or both are
    /// checkouts of one repository?
    pub fn has(&self, view: &SessionView) -> bool {
        let around =
            |place: &Option<String>| place.as_deref().is_some_and(|place| self.directory.starts_with(place));
        let same = self.repository.as_deref().is_some_and(|own| {
            [&view.repository, &view.project].into_iter().flatten().any(|other| Path::new(other) == own)
        });
        around(&view.project) || around(&view.repository) || around(&view.home) || same
    }
}

#[cfg(test)]
mod tests {
    use scrollback_testkit::home::Store;

    use super::*;
    use crate::Root;
    use crate::view::SessionPlace;

    fn line(uuid: &str, parent: &str, text: &str, time: &str) -> String {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","cwd":"/p","timestamp":"2026-11-01T10:{time}:00.000Z","message":{{"role":"user","content":"{text}"}}}}"#
        )
    }

    #[test]
    fn prompts_of_the_live_thread_are_kept_short_with_their_turns() {
        let long = "x".repeat(PROMPT_CHARS + 9);
        let store = Store::new()
            .lines(
                "projects/-p/aaaa1111-0000-4000-8000-000000000001.jsonl",
                [
                    line("u1", "null", "first", "00"),
                    line("u2", r#""u1""#, "left behind", "01"),
                    line("u3", r#""u1""#, &long, "02"),
                ],
            )
            .lines(
                "projects/-p/bbbb1111-0000-4000-8000-000000000002.jsonl",
                [line("u1", "null", "newer", "30")],
            )
            .file("projects/-p/cccc1111-0000-4000-8000-000000000003.jsonl", "");
        let library = Library::open(vec![Root::new(store.root())]).unwrap();
        let found = candidates(&library, &|_| {});
        let ids: Vec<&str> = found.iter().map(|one| &one.view.session_id[..4]).collect();
        assert_eq!(ids, ["bbbb", "aaaa"], "newest first, and nothing in which nobody spoke");
        let prompts: Vec<(u32, u64, usize)> =
            found[1].prompts.iter().map(|prompt| (prompt.turn, prompt.line, prompt.text.len())).collect();
        assert_eq!(prompts, [(1, 1, 5), (2, 3, PROMPT_CHARS)]);
    }

    #[test]
    fn a_session_is_here_if_its_place_is_this_or_lies_around_it() {
        let place = SessionPlace {
            session_id: "s".into(),
            path: "/s.jsonl".into(),
            root: "/".into(),
            folder: "-p".into(),
        };
        let mut view = SessionView::unreadable(place, 0);
        let mut check = |project: &str, repository: Option<&str>, expected: bool| {
            view.project = Some(project.into());
            view.repository = repository.map(Into::into);
            let here =
                Here { directory: "/home/ada/orbit/src".into(), repository: Some("/home/ada/orbit".into()) };
            assert_eq!(here.has(&view), expected, "{project} {repository:?}");
        };
        check("/home/ada/orbit/src", None, true);
        check("/home/ada/orbit", None, true);
        check("/home/ada/orb", None, false);
        check("/home/ada/orbit/docs", None, false);
        check("/worktrees/one", Some("/home/ada/orbit"), true);
        check("/worktrees/one", Some("/home/ada/tidepool"), false);
    }
}
