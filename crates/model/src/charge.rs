//! Charges: what the API counted of a message beside its tokens, and charges of a file that are no message of its own.
//!
//! How charges of many files become one bill is described in [`crate::usage`].

use scrollback_format::body::message::Usage;
use scrollback_format::json::Text;
use serde::{Deserialize, Serialize};

use crate::row::RowIndex;
use crate::symbol::Symbol;
use crate::tokens::Tokens;

/// How a request was served, which prices depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Grade(u8);

/// The service tier that the API names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Tier {
    /// `standard`, or nothing is said.
    #[default]
    Standard,
    /// `priority`
    Priority,
    /// `batch`
    Batch,
    /// Another one.
    Other,
}

impl Tier {
    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Priority => "priority",
            Self::Batch => "batch",
            Self::Other => "other",
        }
    }
}

impl Grade {
    const FAST: u8 = 4;
    const US: u8 = 8;

    /// What a line's usage says.
    pub fn of(usage: Usage<'_>) -> Self {
        let tier = match usage.service_tier() {
            None => 0,
            Some(tier) if tier.is("standard") => 0,
            Some(tier) if tier.is("priority") => 1,
            Some(tier) if tier.is("batch") => 2,
            Some(_) => 3,
        };
        let fast = usage.speed().is_some_and(|speed| speed.is("fast"));
        let us = usage.inference_geo().is_some_and(|geo| geo.is("us"));
        Self(tier | if fast { Self::FAST } else { 0 } | if us { Self::US } else { 0 })
    }

    /// The grade with this number.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Its number.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The service tier.
    pub const fn tier(self) -> Tier {
        match self.0 & 3 {
            0 => Tier::Standard,
            1 => Tier::Priority,
            2 => Tier::Batch,
            _ => Tier::Other,
        }
    }

    /// Was it bound to one country, for more money?
    pub const fn is_us(self) -> bool {
        self.0 & Self::US != 0
    }

    /// Was it served faster, for more money?
    pub const fn is_fast(self) -> bool {
        self.0 & Self::FAST != 0
    }
}

/// What is special about a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct ChargeMarks(u8);

impl ChargeMarks {
    /// `/branch` copied it from another session.
    pub const FORKED: Self = Self(1);
    /// A sidechain line of a session's file, or a line of an agent's.
    pub const SIDECHAIN: Self = Self(2);
    /// It stands for an API error.
    pub const ERROR: Self = Self(4);
    /// A copy of an agent's message in a progress line.
    pub const PROGRESS: Self = Self(8);
    /// The message has no id: the line's `uuid` stands for it.
    pub const BY_UUID: Self = Self(16);
    /// A second request of a message that the file has already.
    pub const OTHER_REQUEST: Self = Self(32);
    /// It is on no live thread of its session: rewound, retried, or left for another branch. A fold does not tell: whoever
    /// has the threads adds it.
    pub const LEFT: Self = Self(64);

    /// The marks with this number.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Their number.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// These and those.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Are they of a message of the file's own, and not of a charge beside its messages?
    pub const fn is_message(self) -> bool {
        self.0 & (Self::PROGRESS.0 | Self::BY_UUID.0 | Self::OTHER_REQUEST.0) == 0
    }

    /// These, but not those.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Are all of those among these?
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What the API counted of a message beside its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChargeTerms {
    /// A number for `requestId`; 0 if there is none. It only distinguishes requests of one message.
    pub request: u32,
    /// Web searches.
    pub web_searches: u32,
    /// How it was served.
    pub grade: Grade,
    /// What is special about it.
    pub marks: ChargeMarks,
    /// The branch that was checked out.
    pub branch: Option<Symbol>,
}

/// A charge that is no message of the file's own: of a line without a message id, of a progress line, or of a second
/// request.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Charge {
    /// `message.id`, or the line's `uuid`.
    pub id: Symbol,
    /// The model.
    pub model: Option<Symbol>,
    /// Its tokens.
    pub tokens: Tokens,
    /// Its first row.
    pub row: RowIndex,
    /// The rest.
    pub terms: ChargeTerms,
}

/// A number for a request: FNV-1a, the same in every version, since it is kept.
pub fn request_number(id: Option<Text<'_>>) -> u32 {
    let Some(id) = id.filter(|id| !id.is_empty()) else { return 0 };
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    id.raw().iter().fold(0x811c_9dc5, step).max(1)
}

/// Takes what another line of the same charge says: the largest output count is right, and it wins as a whole.
pub fn larger(known: &mut Tokens, line: Tokens) {
    if (line.output, line.total()) > (known.output, known.total()) {
        *known = line;
    }
}
