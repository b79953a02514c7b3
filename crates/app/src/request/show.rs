//! `show`: a conversation, turn by turn. Its turns are read as they are asked for, so that a session of any size is shown
//! in little memory.

use std::fmt;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use scrollback_session::error::{AppError, Input, Noun, invalid};
use scrollback_session::opened::Opened;
use scrollback_session::story::{self, Story, TurnView};
use scrollback_session::view::SessionView;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::document::{self, Items};

/// Which conversation to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ShowRequest {
    /// An id, the start of one, a path, a title, or `last`; `SESSION/AGENT` for an agent.
    pub session: String,
    /// Only these turns: `3`, `3-5`, `3-` or `-5`.
    pub turns: Option<String>,
    /// Only the turn with this hit: a line number, or the id of an entry, a message or a tool call.
    pub at: Option<String>,
    /// 0 is the live thread, `n` the n-th branch as `tree` numbers them.
    pub branch: u64,
}

impl Default for ShowRequest {
    fn default() -> Self {
        Self { session: "last".to_owned(), turns: None, at: None, branch: 0 }
    }
}

/// What stands before the turns.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ShownHead {
    /// The session.
    pub session: SessionView,
    /// The agent whose conversation it is; none if it is the session's own.
    pub agent_id: Option<String>,
    /// 0 is the live thread, `n` the n-th branch.
    pub branch: u64,
}

/// A conversation, whole.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// What stands before the turns.
    #[serde(flatten)]
    pub head: ShownHead,
    /// Its turns.
    pub turn_list: Vec<TurnView>,
}

/// A conversation that is opened and whose turns can be read.
#[derive(Debug)]
pub struct Conversation {
    /// The session.
    pub opened: Opened,
    /// What stands before the turns.
    pub head: ShownHead,
    /// The line that was asked for, if one was.
    pub hit: Option<u64>,
    thread: Option<usize>,
    wanted: Option<RangeInclusive<u32>>,
}

impl ShowRequest {
    /// Opens the conversation.
    pub fn open(&self, desk: &Desk) -> Result<Conversation, AppError> {
        let mut wanted = self.turns.as_deref().map(turns).transpose()?;
        let opened = desk.open(&self.session)?;
        let (mut branch, mut hit, mut thread) = (self.branch, None, opened.inline_thread());
        if let Some(at) = &self.at {
            let loaded = opened.source().loaded;
            let place = story::locate(loaded, at)
                .ok_or_else(|| AppError::NoSuchHit { wanted: at.clone(), lines: loaded.transcript.lines })?;
            wanted = Some(place.turn..=place.turn);
            (branch, hit, thread) = (place.branch, Some(place.line), Some(place.thread));
        }
        let agent_id = opened.agent_id().map(str::to_owned);
        let head = ShownHead { session: opened.view(), agent_id, branch };
        let conversation = Conversation { opened, head, hit, thread, wanted };
        conversation.check()?;
        Ok(conversation)
    }
}

impl Conversation {
    /// Is there any turn that was asked for?
    fn check(&self) -> Result<(), AppError> {
        let story = self.story()?;
        match &self.wanted {
            Some(range) if !story.numbers().any(|number| range.contains(&number)) => {
                Err(AppError::OutOfRange {
                    what: Noun::Turn,
                    wanted: u64::from(*range.start()),
                    count: story.count(),
                })
            }
            _ => Ok(()),
        }
    }

    /// The story of its thread.
    pub fn story(&self) -> Result<Story<'_>, AppError> {
        match self.thread {
            Some(thread) => Ok(Story::of_thread(self.opened.source(), thread)),
            None => Story::of(self.opened.source(), self.head.branch),
        }
    }

    /// Was this turn asked for?
    pub fn is_wanted(&self, number: u32) -> bool {
        self.wanted.as_ref().is_none_or(|range| range.contains(&number))
    }

    /// Are only some of its turns wanted?
    pub fn is_partial(&self) -> bool {
        self.wanted.is_some()
    }

    /// Writes it as JSON, turn by turn.
    pub fn write_json(&self, out: &mut impl std::io::Write) -> Result<(), WriteFailure> {
        #[derive(Serialize)]
        struct Streamed<'c, T> {
            #[serde(flatten)]
            head: &'c ShownHead,
            turn_list: T,
        }
        let story = self.story()?;
        let turn_list = Items::new(story.turns(|number| self.is_wanted(number))?);
        let streamed = Streamed { head: &self.head, turn_list };
        let done = document::write_like::<Shown>(out, &streamed);
        match streamed.turn_list.failure() {
            Some(error) => Err(error.into()),
            None => Ok(done?),
        }
    }
}

/// Why a document could not be written to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteFailure {
    /// It could not be had.
    Request(AppError),
    /// The output took no more.
    Output(std::io::Error),
}

impl fmt::Display for WriteFailure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => error.fmt(out),
            Self::Output(error) => write!(out, "cannot write the document: {error}"),
        }
    }
}

impl std::error::Error for WriteFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Request(error) => error.source(),
            Self::Output(error) => Some(error),
        }
    }
}

impl From<AppError> for WriteFailure {
    fn from(error: AppError) -> Self {
        Self::Request(error)
    }
}

impl From<std::io::Error> for WriteFailure {
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

impl Request for ShowRequest {
    type Document = Shown;

    fn answer(&self, desk: &Desk) -> Result<Shown, AppError> {
        let conversation = self.open(desk)?;
        let turn_list = conversation
            .story()?
            .turns(|number| conversation.is_wanted(number))?
            .collect::<Result<_, _>>()?;
        Ok(Shown { head: conversation.head, turn_list })
    }
}

/// `3`, `3-5`, `3-`, `-5`.
pub fn turns(text: &str) -> Result<RangeInclusive<u32>, AppError> {
    let bad = || invalid(Input::Turns, text, "3, 3-5, 3- or -5");
    let number = |part: &str, default: u32| {
        if part.is_empty() { Ok(default) } else { part.parse::<u32>().map_err(|_| bad()) }
    };
    match text.split_once('-') {
        _ if text.is_empty() || text == "-" => Err(bad()),
        Some((from, to)) => {
            let range = number(from, 0)?..=number(to, u32::MAX)?;
            if range.is_empty() { Err(bad()) } else { Ok(range) }
        }
        None => number(text, 0).map(|turn| turn..=turn),
    }
}

#[cfg(test)]
mod tests {
    use super::turns;

    #[test]
    fn turns_are_read_as_a_number_or_a_range() {
        let read = |text: &str| turns(text).ok();
        assert_eq!(read("3"), Some(3..=3));
        assert_eq!(read("3-5"), Some(3..=5));
        assert_eq!(read("3-"), Some(3..=u32::MAX));
        assert_eq!(read("-5"), Some(0..=5));
        for bad in ["", "x", "-", "1-2-3", "5-3"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
