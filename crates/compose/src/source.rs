//! Where ids and times come from: the caller, so that composing is a pure function of its input.

use crate::clock::Moment;

/// Bits for ids and the time of the next line.
pub trait IdSource {
    /// 64 fresh bits. Their quality decides whether ids collide.
    fn bits(&mut self) -> u64;

    /// The time to stamp the next line with. It may move on with each call.
    fn now(&mut self) -> Moment;
}

impl<S: IdSource + ?Sized> IdSource for &mut S {
    fn bits(&mut self) -> u64 {
        (**self).bits()
    }

    fn now(&mut self) -> Moment {
        (**self).now()
    }
}

/// A source for tests and examples: ids from a counter, one second per line from the epoch given.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    drawn: u64,
    millis: i64,
}

impl Counter {
    /// Counts on from a time.
    pub fn starting(at: Moment) -> Self {
        Self { drawn: 0, millis: at.millis() }
    }
}

impl IdSource for Counter {
    fn bits(&mut self) -> u64 {
        self.drawn += 1;
        // A finaliser spreads the counter over all digits, so that ids in a snapshot look like ids.
        let mixed = self.drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn now(&mut self) -> Moment {
        self.millis += 1000;
        Moment::from_millis(self.millis)
    }
}
