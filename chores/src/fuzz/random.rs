//! Repeatable random numbers (SplitMix64). Never the system's: a run must be the same a year later.

/// A stream of numbers.
pub struct Random(u64);

impl Random {
    /// The stream of some input of some series.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut stream = Self(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        stream.next();
        stream
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % bound).unwrap_or_default()
    }

    /// One of some things.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len()))
    }

    /// A range within `0..length`, short ones more often than long ones.
    pub fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let longest = [4, 64, length][self.below(3)].min(length - start);
        start..start + self.below(longest + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_stay_inside() {
        let mut random = Random::new(1, 1);
        for length in [0, 1, 2, 1_000] {
            for _ in 0..1_000 {
                let range = random.range(length);
                assert!(range.start <= range.end && range.end <= length);
            }
        }
    }
}
