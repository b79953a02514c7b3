//! Where new ids and times come from: chance and the present, or a number for tests.

use std::hash::{BuildHasher, RandomState};

use scrollback_edit::{Ids, Moment};
use scrollback_format::time::Time;

/// Draws ids.
#[derive(Debug)]
pub struct Random {
    seed: Option<u64>,
    drawn: u64,
    now: Moment,
}

impl Random {
    /// From chance, or from a number; all times are the present.
    pub fn new(seed: Option<u64>, now: Time) -> Self {
        Self { seed, drawn: 0, now: Moment::from_millis(now.0) }
    }
}

impl Ids for Random {
    fn bits(&mut self) -> u64 {
        self.drawn += 1;
        match self.seed {
            // SplitMix64: the same ids for the same number, and they look like ids.
            Some(seed) => {
                let mixed = seed.wrapping_add(self.drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                mixed ^ (mixed >> 31)
            }
            // A system that gives no randomness has still given some to the process.
            None => getrandom::u64().unwrap_or_else(|_| RandomState::new().hash_one(self.drawn)),
        }
    }

    fn now(&mut self) -> Moment {
        self.now
    }
}

#[cfg(test)]
mod tests {
    use scrollback_edit::{Id, Ids};
    use scrollback_format::time::Time;

    use super::Random;

    #[test]
    fn a_seed_gives_the_same_ids_and_chance_gives_others() {
        let draw = |seed| Id::uuid(&mut Random::new(seed, Time(0)));
        assert_eq!(draw(Some(1)), draw(Some(1)));
        assert_ne!(draw(Some(1)), draw(Some(2)));
        assert_ne!(draw(None), draw(None));
        let mut random = Random::new(None, Time(0));
        assert_ne!(random.bits(), random.bits());
    }
}
