//! The corpus' own dice: xoshiro256** seeded by splitmix64, whole numbers only.
//!
//! No floating point takes part in any decision, so the same seed gives the same corpus on every machine.

use scrollback_compose::{IdSource, Moment};

/// A stream of numbers and a clock that moves on with each line.
#[derive(Debug, Clone)]
pub struct Dice {
    state: [u64; 4],
    clock: i64,
}

/// Multiples of a median, in eighths: half of them below 1, a long tail above.
const SKEW: [u64; 16] = [1, 2, 3, 4, 4, 5, 6, 7, 8, 10, 12, 16, 22, 34, 64, 150];

impl Dice {
    /// The stream of one piece of the corpus.
    pub fn new(seed: u64, piece: u64) -> Self {
        let mut mix = seed ^ piece.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let state = [(); 4].map(|()| splitmix(&mut mix));
        Self { state, clock: 0 }
    }

    /// Sets the clock, in epoch milliseconds.
    pub fn set_clock(&mut self, millis: i64) {
        self.clock = millis;
    }

    /// The clock, in epoch milliseconds.
    pub fn clock(&self) -> i64 {
        self.clock
    }

    /// Lets time pass.
    pub fn pause(&mut self, millis: u64) {
        self.clock += i64::try_from(millis).unwrap_or(0);
    }

    fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number below `bound` (which is not zero).
    pub fn below(&mut self, bound: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(bound.max(1));
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True in `permille` of a thousand cases.
    pub fn chance(&mut self, permille: u64) -> bool {
        self.below(1000) < permille
    }

    /// One of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.index(list.len())]
    }

    /// A place in a list that is not empty.
    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or(0)
    }

    /// A size around a median, with a long tail: the mean is near three times the median.
    pub fn skewed(&mut self, median: u64) -> usize {
        let eighths = self.pick(&SKEW);
        let size = median * eighths / 8;
        usize::try_from(size - size / 4 + self.below(size / 2 + 1)).unwrap_or(0).max(1)
    }
}

impl IdSource for Dice {
    fn bits(&mut self) -> u64 {
        self.next()
    }

    fn now(&mut self) -> Moment {
        let step = self.between(3, 900);
        self.pause(step);
        Moment::from_millis(self.clock)
    }
}

fn splitmix(mix: &mut u64) -> u64 {
    *mix = mix.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *mix;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn the_stream_never_changes() {
        let mut dice = Dice::new(1, 2);
        let drawn: Vec<u64> = (0..4).map(|_| dice.below(1000)).collect();
        let mut again = Dice::new(1, 2);
        assert_eq!(drawn, (0..4).map(|_| again.below(1000)).collect::<Vec<_>>());
        assert_ne!(Dice::new(1, 3).below(u64::MAX), Dice::new(1, 2).below(u64::MAX));
    }
}
