//! The digest of a turn: what of it is conversation and what is noise, how it ended, and what came of each tool call in a
//! few words. Decided here once, so that every front folds and remarks on the same things; a front only paints.

pub mod call;

use scrollback_model::turn::TurnEnd;
use serde::{Deserialize, Serialize};

use crate::item::ItemKind;
use crate::story::{BegunBy, TurnView};

/// What an item is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ItemClass {
    /// Part of the conversation: always shown.
    Conversation,
    /// What the model thought.
    Thinking,
    /// A thought of which only the signature is stored.
    SealedThinking,
    /// What the client adds: reminders, hooks, progress, attachments that the user did not choose.
    Noise,
}

/// Attachments that the user chose, or that say what came of a goal.
const TELLING_ATTACHMENTS: [&str; 2] = ["file", "goal_status"];

impl ItemClass {
    /// The class of an item.
    pub fn of(what: &ItemKind) -> Self {
        match what {
            ItemKind::Thinking { text, redacted: false, .. } if text.is_empty() => Self::SealedThinking,
            ItemKind::Thinking { .. } => Self::Thinking,
            ItemKind::Meta { .. }
            | ItemKind::Progress { .. }
            | ItemKind::Synthetic { .. }
            | ItemKind::System { .. }
            | ItemKind::Unknown { .. } => Self::Noise,
            ItemKind::Attachment { kind, .. } if !TELLING_ATTACHMENTS.contains(&kind.as_str()) => Self::Noise,
            ItemKind::Output { text } if text.trim().is_empty() => Self::Noise,
            _ => Self::Conversation,
        }
    }
}

/// How much of a conversation is wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Detail {
    /// What the model thought.
    pub thinking: bool,
    /// What the client adds.
    pub noise: bool,
}

impl Detail {
    /// Is this item wanted?
    pub fn includes(self, what: &ItemKind) -> bool {
        match ItemClass::of(what) {
            ItemClass::Conversation => true,
            ItemClass::Thinking => self.thinking,
            ItemClass::SealedThinking => self.thinking && self.noise,
            ItemClass::Noise => self.noise,
        }
    }
}

/// What a reader has to know about the end of a turn, where it did not end as turns do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EndNote {
    /// Nothing answers the prompt.
    NoAnswer,
    /// A tool was called and its result is not stored.
    DuringCall,
    /// A tool result is the last that is stored.
    AfterResult,
    /// The user denied a tool call.
    Denied,
    /// The answer was cut off at the token limit.
    TokenLimit,
    /// The model refused.
    Refused,
}

impl EndNote {
    /// The note on a turn, if there is something to note. While the session is followed (`continues`), the turn may go on.
    pub fn of(turn: &TurnView, continues: bool) -> Option<Self> {
        match turn.end {
            TurnEnd::Unanswered | TurnEnd::Unfinished if continues => None,
            TurnEnd::Unanswered if turn.begun_by != BegunBy::None => Some(Self::NoAnswer),
            TurnEnd::Unfinished if has_open_call(turn) => Some(Self::DuringCall),
            TurnEnd::Unfinished => Some(Self::AfterResult),
            TurnEnd::Denied => Some(Self::Denied),
            TurnEnd::MaxTokens => Some(Self::TokenLimit),
            TurnEnd::Refused => Some(Self::Refused),
            _ => None,
        }
    }

    /// The note, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoAnswer => "no answer is stored",
            Self::DuringCall => "the turn ends during a tool call",
            Self::AfterResult => "the turn ends after a tool result",
            Self::Denied => "the turn ends: a tool call was denied",
            Self::TokenLimit => "the answer was cut off: token limit reached",
            Self::Refused => "the model refused",
        }
    }
}

/// Did a turn end in another way than turns do?
pub const fn is_notable(end: TurnEnd) -> bool {
    !matches!(end, TurnEnd::Done | TurnEnd::Open)
}

fn has_open_call(turn: &TurnView) -> bool {
    turn.items.iter().any(|item| matches!(&item.what, ItemKind::Call(call) if call.outcome.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::{CallItem, Item, OutcomeItem};
    use scrollback_model::turn::EndEvidence;

    fn call(outcome: Option<OutcomeItem>) -> Item {
        let call = CallItem {
            tool_use_id: "t1".into(),
            tool: "Bash".into(),
            model: None,
            headline: String::new(),
            file_path: None,
            input: None,
            outcome,
            agent_ids: Vec::new(),
        };
        Item { line: 1, uuid: None, time: None, what: ItemKind::Call(Box::new(call)) }
    }

    fn turn(end: TurnEnd, items: Vec<Item>) -> TurnView {
        TurnView {
            turn: 1,
            begun_by: BegunBy::Prompt,
            end,
            end_evidence: EndEvidence::EndOfThread,
            first_time: None,
            last_time: None,
            items,
        }
    }

    #[test]
    fn a_turn_whose_calls_all_have_results_does_not_end_during_a_call() {
        let open = turn(TurnEnd::Unfinished, vec![call(None)]);
        let closed = turn(TurnEnd::Unfinished, vec![call(Some(OutcomeItem::default()))]);
        assert_eq!(EndNote::of(&open, false), Some(EndNote::DuringCall));
        assert_eq!(EndNote::of(&closed, false), Some(EndNote::AfterResult));
        assert_eq!(EndNote::of(&open, true), None, "it may still get its result");
        assert_eq!(EndNote::of(&turn(TurnEnd::Done, Vec::new()), false), None);
    }

    #[test]
    fn noise_is_what_nobody_said_or_chose() {
        let attachment = |kind: &str| ItemKind::Attachment { kind: kind.into(), text: String::new() };
        let thinking = |text: &str, redacted| ItemKind::Thinking { text: text.into(), model: None, redacted };
        let check =
            |what: ItemKind, expected: ItemClass| assert_eq!(ItemClass::of(&what), expected, "{what:?}");
        check(attachment("file"), ItemClass::Conversation);
        check(attachment("todo_reminder"), ItemClass::Noise);
        check(ItemKind::Output { text: " \n".into() }, ItemClass::Noise);
        check(ItemKind::Output { text: "x".into() }, ItemClass::Conversation);
        check(ItemKind::Meta { text: "x".into() }, ItemClass::Noise);
        check(thinking("x", false), ItemClass::Thinking);
        check(thinking("", true), ItemClass::Thinking);
        check(thinking("", false), ItemClass::SealedThinking);
        let folded = Detail::default();
        assert!(!folded.includes(&thinking("x", false)) && !folded.includes(&attachment("hook")));
        assert!(!Detail { thinking: true, noise: false }.includes(&thinking("", false)));
    }
}
