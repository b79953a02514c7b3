//! Tallies: how many files a root has and what they all look like, in two numbers. As long as those of the catalogue and
//! of the files agree, nothing has changed, and no stamp has to be compared with another.
//!
//! The files may come in any order, and one can be taken out again, so that a batch that changes ten files of many
//! thousand keeps the tally true without looking at the others.

use crate::plan::SeenFile;

/// A tally of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// How many.
    pub files: u64,
    /// The sum of what [`print`] gives of each.
    pub sum: u64,
}

impl Tally {
    /// Of all these.
    pub fn of<'s>(seen: impl IntoIterator<Item = &'s SeenFile>) -> Self {
        let mut tally = Self::default();
        seen.into_iter().for_each(|file| tally.add(file));
        tally
    }

    /// And this one.
    pub fn add(&mut self, file: &SeenFile) {
        self.files += 1;
        self.sum = self.sum.wrapping_add(print(file));
    }

    /// But not this one.
    pub fn remove(&mut self, file: &SeenFile) {
        self.files = self.files.saturating_sub(1);
        self.sum = self.sum.wrapping_sub(print(file));
    }
}

/// A number that no other file has, nor this one when it looks different. Sums of them are compared, so each has to be
/// mixed well: of a hash that only multiplies and adds, two changes could cancel each other out.
fn print(file: &SeenFile) -> u64 {
    let mut hash = bytes(file.path.as_bytes());
    for number in [file.size, file.mtime_ns as u64, file.inode, file.side as u64] {
        hash = mix(hash ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
    mix(hash)
}

/// Stable over versions of the compiler and of libraries: the catalogue keeps sums of it.
fn bytes(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let mut hash = mix(text.len() as u64);
    for word in words {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    }
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    mix(hash ^ u64::from_le_bytes(last))
}

/// Every bit of the result depends on every bit of the number (the finisher of splitmix64).
fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use crate::plan::SeenFile;

    fn seen(path: &str, size: u64, mtime_ns: i64, inode: u64, side: i64) -> SeenFile {
        SeenFile { path: path.into(), size, mtime_ns, inode, side }
    }

    #[test]
    fn order_does_not_matter_and_what_is_taken_out_leaves_nothing() {
        let (a, b) = (seen("/p/a.jsonl", 5, 6, 7, 0), seen("/p/b.jsonl", 6, 5, 8, 0));
        assert_eq!(Tally::of([&a, &b]), Tally::of([&b, &a]));
        let mut tally = Tally::of([&a, &b]);
        tally.remove(&a);
        assert_eq!(tally, Tally::of([&b]));
    }

    #[test]
    fn any_change_of_any_file_shows() {
        let file = seen("/p/0123456789.jsonl", 5, 6, 7, 0);
        let other = seen("/p/other.jsonl", 6, 5, 8, 0);
        let changes = [
            seen("/p/0123456788.jsonl", 5, 6, 7, 0),
            seen("/p/0123456789.json", 5, 6, 7, 0),
            seen("/p/0123456789.jsonl", 6, 6, 7, 0),
            seen("/p/0123456789.jsonl", 5, 5, 7, 0),
            seen("/p/0123456789.jsonl", 5, 6, 8, 0),
            seen("/p/0123456789.jsonl", 5, 6, 7, 1),
        ];
        for changed in &changes {
            assert_ne!(Tally::of([&file, &other]), Tally::of([changed, &other]), "{changed:?}");
        }
        // What one has lost and another won is a change, too.
        let (a, b) = (seen("/p/a", 5, 6, 1, 0), seen("/p/b", 7, 8, 2, 0));
        let swapped = [seen("/p/a", 7, 6, 1, 0), seen("/p/b", 5, 8, 2, 0)];
        assert_ne!(Tally::of([&a, &b]), Tally::of(&swapped));
    }
}
