//! Picking: what a person chooses among. One candidate a conversation, with the prompts that it can be known by.
//!
//! Everything that a picker shows or ranks comes through [`candidates`]; whoever picks reads no transcript to do so.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use scrollback_index::error::IndexError;
use scrollback_index::table::SessionRow;
use scrollback_store::git;
use serde::{Deserialize, Serialize};

use crate::listing::pins_first;
use scrollback_session::catalogue::{Index, NEWEST};
use scrollback_session::marks::Marks;
use scrollback_session::view::SessionView;

/// A conversation that can be picked.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PickCandidate {
    /// What is known of it.
    pub view: SessionView,
    /// Its prompts on the live thread, in their order.
    pub prompts: Vec<PickPrompt>,
}

/// What a person typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PickPrompt {
    /// Its turn.
    pub turn: u32,
    /// Its line in the file.
    pub line: u64,
    /// Its words, at most some 300 bytes of them.
    pub text: String,
}

/// Every conversation that the catalogue knows and the user has not hidden: pinned ones first, then newest first.
pub fn candidates(index: &Index, marks: &Marks) -> Result<Vec<PickCandidate>, IndexError> {
    let mut condition = index.all()?;
    condition.and("s.kind IN ('conversation', 'background')", []);
    marks.leave_hidden_out(&mut condition);
    let order = format!("{}{NEWEST}", pins_first(marks));
    let rows = index.catalogue().sessions(&condition, &order, None)?;
    let mut prompts: FxHashMap<i64, Vec<PickPrompt>> = FxHashMap::default();
    for (file, prompt) in index.catalogue().prompts(&index.root_names())? {
        let text = prompt.text.trim();
        if !text.is_empty() {
            let (turn, line, text) = (prompt.turn, u64::from(prompt.line), text.to_owned());
            prompts.entry(file).or_default().push(PickPrompt { turn, line, text });
        }
    }
    let candidate = |(row, agents): (SessionRow, u64)| {
        let prompts = prompts.remove(&row.file).unwrap_or_default();
        let mut view = index.view(row, agents);
        marks.put(&mut view);
        PickCandidate { view, prompts }
    };
    Ok(rows.into_iter().map(candidate).collect())
}

/// Where the person is: a directory and, if it is in one, the repository around it.
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
    use scrollback_format::time::Time;
    use scrollback_session::catalogue::CachePlace;
    use scrollback_session::library::Library;
    use scrollback_session::marks::{Mark, mark};
    use scrollback_session::view::SessionPlace;

    fn line(uuid: &str, parent: &str, text: &str, time: &str) -> String {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","cwd":"/p","timestamp":"2026-11-01T10:{time}:00.000Z","message":{{"role":"user","content":"{text}"}}}}"#
        )
    }

    #[test]
    fn prompts_of_the_live_thread_are_kept_short_with_their_turns() {
        let long = "x".repeat(409);
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
        let index = Index::open(&library, &CachePlace::Nowhere, Time(0), &|_| {}).unwrap();
        let found = candidates(&index, &Marks::default()).unwrap();
        let ids: Vec<&str> = found.iter().map(|one| &one.view.session_id[..4]).collect();
        assert_eq!(ids, ["bbbb", "aaaa"], "newest first, and nothing in which nobody spoke");
        let prompts: Vec<(u32, u64, usize)> =
            found[1].prompts.iter().map(|prompt| (prompt.turn, prompt.line, prompt.text.len())).collect();
        assert_eq!(prompts, [(1, 1, 5), (2, 3, 300)]);
    }

    #[test]
    fn pinned_sessions_come_first_and_hidden_ones_not_at_all() {
        let session = |number: u32, minute: &str| {
            let id = format!("{number}{number}{number}{number}1111-0000-4000-8000-000000000001");
            (format!("projects/-p/{id}.jsonl"), line("u1", "null", "x", minute), id)
        };
        let sessions = [session(1, "10"), session(2, "20"), session(3, "30")];
        let store = sessions.iter().fold(Store::new(), |store, (path, line, _)| store.lines(path, [line]));
        let data = store.home().join("data");
        let ids = sessions.map(|(_, _, id)| id);
        mark(&data, &ids[..1], &Mark::Pin(true)).unwrap();
        mark(&data, &ids[2..], &Mark::Hide(true)).unwrap();
        let library = Library::open(vec![Root::new(store.root())]).unwrap();
        let index = Index::open(&library, &CachePlace::Nowhere, Time(0), &|_| {}).unwrap();
        let found = candidates(&index, &Marks::load(&data).unwrap()).unwrap();
        let found: Vec<_> = found.iter().map(|one| (&one.view.session_id, one.view.pinned)).collect();
        assert_eq!(found, [(&ids[0], true), (&ids[1], false)]);
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
