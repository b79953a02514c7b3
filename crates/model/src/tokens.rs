//! Token counts of messages: all lines of one `message.id` repeat them, and the largest output count is right.

use std::ops::AddAssign;

use scrollback_format::body::message::Usage;
use serde::{Deserialize, Serialize};

/// Tokens of one message, or a sum of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tokens {
    /// Sent, beyond what the cache had.
    pub input: u64,
    /// Received.
    pub output: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written to the cache, in all.
    pub cache_write: u64,
    /// Of these, to live five minutes.
    pub cache_write_5m: u64,
    /// Of these, to live an hour.
    pub cache_write_1h: u64,
}

impl Tokens {
    /// The counts that a line carries.
    pub fn of(usage: Usage<'_>) -> Self {
        let split = usage.cache_creation();
        let cache_write_5m = split.and_then(|split| split.ephemeral_5m_input_tokens()).unwrap_or(0);
        let cache_write_1h = split.and_then(|split| split.ephemeral_1h_input_tokens()).unwrap_or(0);
        Self {
            input: usage.input_tokens().unwrap_or(0),
            output: usage.output_tokens().unwrap_or(0),
            cache_read: usage.cache_read_input_tokens().unwrap_or(0),
            // Before 2.1.152 the aggregate could be 0 while the split was not.
            cache_write: usage
                .cache_creation_input_tokens()
                .unwrap_or(0)
                .max(cache_write_5m.saturating_add(cache_write_1h)),
            cache_write_5m,
            cache_write_1h,
        }
    }

    /// What was sent: what is in the context.
    pub fn sent(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Everything together. Absurd counts come to the largest number.
    pub fn total(&self) -> u64 {
        self.output.saturating_add(self.sent())
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        for (own, more) in [
            (&mut self.input, other.input),
            (&mut self.output, other.output),
            (&mut self.cache_read, other.cache_read),
            (&mut self.cache_write, other.cache_write),
            (&mut self.cache_write_5m, other.cache_write_5m),
            (&mut self.cache_write_1h, other.cache_write_1h),
        ] {
            *own = own.saturating_add(more);
        }
    }
}
