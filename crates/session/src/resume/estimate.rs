//! How large the request will be: what the API counted the last time, or characters.

use scrollback_format::kind::Kind;
use scrollback_model::resume::outcome::{Reason, Resumed};
use scrollback_model::resume::reading::ClientReading;
use scrollback_model::role::Role;
use scrollback_model::tokens::Tokens;

use super::view::{TokenBasis, TokenEstimate};

/// A token is about four characters of English.
const CHARS_A_TOKEN: u64 = 4;

/// Losses that make the request another one than that of the last answer.
const CHANGES: [Reason; 13] = [
    Reason::NotJson,
    Reason::Glued,
    Reason::ByteOrderMark,
    Reason::TooLong,
    Reason::CutOff,
    Reason::LostParallel,
    Reason::OrphanCall,
    Reason::OrphanResult,
    Reason::BlankText,
    Reason::EmptyContent,
    Reason::LoneThinking,
    Reason::OtherModel,
    Reason::BeforeStart,
];

/// The size of what is sent.
pub(super) fn tokens(reading: &ClientReading, resumed: &Resumed, by_characters: bool) -> TokenEstimate {
    let all: u64 = chars(resumed, 0);
    let counted = if by_characters { None } else { recorded(reading, resumed) };
    counted.unwrap_or(TokenEstimate { tokens: all.div_ceil(CHARS_A_TOKEN), basis: TokenBasis::Characters })
}

/// What the API counted for the last answer, with what follows it, if all that was sent then is sent again.
fn recorded(reading: &ClientReading, resumed: &Resumed) -> Option<TokenEstimate> {
    let transcript = &reading.transcript;
    let is_answer =
        |row| transcript.row(row).kind == Kind::Assistant && transcript.row(row).role == Role::Answer;
    let (_, answer) = super::sources(resumed).rev().find(|(_, row)| is_answer(*row))?;
    let message = transcript.row(answer).message?;
    let counted = transcript.messages[message.index()].tokens;
    let summarised = |row| transcript.row(row).role == Role::CompactSummary && row > answer;
    let is_other = resumed.dropped.iter().any(|dropped| CHANGES.contains(&dropped.reason))
        || super::sources(resumed).any(|(_, row)| summarised(row));
    if counted == Tokens::default() || is_other {
        return None;
    }
    let at = resumed
        .messages
        .iter()
        .rposition(|sent| sent.blocks.iter().any(|block| block.source.row() == Some(answer)))?;
    Some(TokenEstimate {
        tokens: counted.total() + chars(resumed, at + 1).div_ceil(CHARS_A_TOKEN),
        basis: TokenBasis::Recorded,
    })
}

/// The characters of messages from one on.
fn chars(resumed: &Resumed, from: usize) -> u64 {
    let blocks = resumed.messages.iter().skip(from).flat_map(|message| &message.blocks);
    blocks.map(|block| u64::from(block.bit.chars)).sum()
}
