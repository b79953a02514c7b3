//! Marks of the user's on sessions: tags, pins, hidden ones. Kept in our own data directory, never in the store.

use std::path::Path;

use scrollback_index::catalogue::Condition;
use scrollback_store::data::{self, Note, Notes};
use scrollback_store::{DataDir, WriteError};
use serde::{Deserialize, Serialize};

use crate::error::{AppError, refuse};
use crate::view::SessionView;

/// A tag is a word or two.
const LONGEST: usize = 100;

/// The marks of all sessions.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    marks: Vec<MarkView>,
}

/// The marks of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MarkView {
    /// The session.
    pub session_id: String,
    /// Tags, in the order in which they were given.
    pub tags: Vec<String>,
    /// Kept at the top.
    pub pinned: bool,
    /// Not listed unless asked for.
    pub hidden: bool,
}

/// A change of marks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Add these tags.
    Tag(Vec<String>),
    /// Remove these tags.
    Untag(Vec<String>),
    /// Pin (true) or unpin (false).
    Pin(bool),
    /// Hide (true) or show again (false).
    Hide(bool),
}

impl Marks {
    /// Reads what is said. Makes no directory.
    pub fn load(data: &Path) -> Result<Self, AppError> {
        if !data.is_dir() {
            return Ok(Self::default());
        }
        let notes = Notes::load(&DataDir::open(data)?)?;
        let marks = notes.all().into_iter().map(|(id, note)| MarkView::of(id, note)).collect();
        Ok(Self { marks })
    }

    /// What is said about a session.
    pub fn of(&self, session: &str) -> Option<&MarkView> {
        self.marks.iter().find(|mark| mark.session_id == session)
    }

    /// The sessions for which this holds.
    pub fn sessions(&self, test: impl Fn(&MarkView) -> bool) -> Vec<&str> {
        self.marks.iter().filter(|mark| test(mark)).map(|mark| mark.session_id.as_str()).collect()
    }

    /// Puts what is said about a session into its view.
    pub fn put(&self, view: &mut SessionView) {
        if let Some(mark) = self.of(&view.session_id) {
            view.tags.clone_from(&mark.tags);
            (view.pinned, view.hidden) = (mark.pinned, mark.hidden);
        }
    }

    /// Leaves the sessions out that users have hidden. Tells whether there are any.
    pub fn leave_hidden_out(&self, condition: &mut Condition) -> bool {
        let hidden = self.sessions(|mark| mark.hidden);
        if !hidden.is_empty() {
            condition.and("s.session_id NOT IN (SELECT value FROM json_each(?))", [list_of(&hidden)]);
        }
        !hidden.is_empty()
    }

    /// Takes only the sessions for which this holds.
    pub fn only(&self, condition: &mut Condition, test: impl Fn(&MarkView) -> bool) {
        let own = self.sessions(test);
        condition.and("s.session_id IN (SELECT value FROM json_each(?))", [list_of(&own)]);
    }

    /// Every tag that was given, once, in order.
    pub fn tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = self.marks.iter().flat_map(|mark| mark.tags.iter().cloned()).collect();
        tags.sort();
        tags.dedup();
        tags
    }

    /// Has it this tag? Letters of either case are the same.
    pub fn is_tagged(mark: &MarkView, tag: &str) -> bool {
        mark.tags.iter().any(|own| own.to_lowercase() == tag.to_lowercase())
    }
}

/// Ids as a list for the catalogue.
fn list_of(ids: &[&str]) -> String {
    serde_json::json!(ids).to_string()
}

impl MarkView {
    fn of(session: &str, note: Note) -> Self {
        let Note { tags, pinned, hidden } = note;
        Self { session_id: session.to_owned(), tags, pinned, hidden }
    }
}

/// Changes the marks of sessions, and gives what they are then.
pub fn mark(data: &Path, sessions: &[String], mark: &Mark) -> Result<Vec<MarkView>, AppError> {
    let mark = cleaned(mark)?;
    let data: DataDir = DataDir::open(data).map_err(|error: WriteError| AppError::from(error))?;
    let notes = data::change(&data, |notes| {
        for session in sessions {
            let mut note = notes.of(session);
            apply(&mut note, &mark);
            notes.set(session, &note);
        }
    })?;
    Ok(sessions.iter().map(|session| MarkView::of(session, notes.of(session))).collect())
}

fn apply(note: &mut Note, mark: &Mark) {
    let same = |a: &str, b: &str| a.to_lowercase() == b.to_lowercase();
    match mark {
        Mark::Tag(tags) => {
            for tag in tags {
                if !note.tags.iter().any(|own| same(own, tag)) {
                    note.tags.push(tag.clone());
                }
            }
        }
        Mark::Untag(tags) => note.tags.retain(|own| !tags.iter().any(|tag| same(own, tag))),
        Mark::Pin(pinned) => note.pinned = *pinned,
        Mark::Hide(hidden) => note.hidden = *hidden,
    }
}

/// The same with tags that can be kept.
fn cleaned(mark: &Mark) -> Result<Mark, AppError> {
    let clean = |tags: &[String]| -> Result<Vec<String>, AppError> {
        tags.iter()
            .map(|tag| {
                let tag = tag.trim();
                if tag.is_empty() || tag.chars().any(char::is_control) || tag.chars().count() > LONGEST {
                    let why = "a tag must be one line of at most 100 characters";
                    return Err(refuse(
                        why,
                        "put tags with spaces in quotes: scrollback tag SESSION 'a tag'",
                    ));
                }
                Ok(tag.to_owned())
            })
            .collect()
    };
    Ok(match mark {
        Mark::Tag(tags) => Mark::Tag(clean(tags)?),
        Mark::Untag(tags) => Mark::Untag(clean(tags)?),
        other => other.clone(),
    })
}
