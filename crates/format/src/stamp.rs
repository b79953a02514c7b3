//! Change stamps: what is remembered of a file to detect changes later. Pure: no file is touched here.

/// What a file looked like when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Its length.
    pub size: u64,
    /// Its modification time in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Its inode, where there are inodes; else 0.
    pub inode: u64,
    /// A hash of the bytes before `size`, so that a rewrite in place that happens to grow the file is noticed.
    pub tail_hash: u64,
}

/// How many bytes before the end go into [`Stamp::tail_hash`].
pub const TAIL: u64 = 256;

/// How a file changed since a stamp was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileChange {
    /// Nothing.
    None,
    /// Bytes were appended: only what is after this offset has to be read.
    Grown {
        /// The old length.
        from: u64,
    },
    /// Anything else: it has to be read anew.
    Rewritten,
}

impl Stamp {
    /// Compares with the file as it is now. `tail_hash_at` gives the hash of the [`TAIL`] bytes before an offset
    /// of the present file, and is asked only when the cheap facts leave the question open.
    pub fn compare(
        &self,
        size: u64,
        mtime_ns: i64,
        inode: u64,
        tail_hash_at: impl FnOnce(u64) -> Option<u64>,
    ) -> FileChange {
        if size == self.size && mtime_ns == self.mtime_ns && inode == self.inode {
            return FileChange::None;
        }
        if size < self.size {
            return FileChange::Rewritten;
        }
        // An append keeps the inode. Another one is another file, which may have been edited anywhere before it grew.
        if size > self.size && inode != self.inode {
            return FileChange::Rewritten;
        }
        match tail_hash_at(self.size) {
            Some(hash) if hash == self.tail_hash && size == self.size => FileChange::None,
            Some(hash) if hash == self.tail_hash => FileChange::Grown { from: self.size },
            _ => FileChange::Rewritten,
        }
    }
}

/// The hash that stamps use (FNV-1a, 64 bits: a checksum against accidents, stable over versions of this program).
pub fn tail_hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{FileChange, Stamp, tail_hash};

    #[test]
    fn growth_is_told_from_rewriting() {
        let old = Stamp { size: 10, mtime_ns: 5, inode: 1, tail_hash: tail_hash(b"0123456789") };
        let same = || Some(tail_hash(b"0123456789"));
        let other = || Some(tail_hash(b"012345678x"));
        assert_eq!(old.compare(10, 5, 1, |_| None), FileChange::None);
        assert_eq!(old.compare(14, 6, 1, |_| same()), FileChange::Grown { from: 10 });
        assert_eq!(old.compare(14, 6, 1, |_| other()), FileChange::Rewritten);
        assert_eq!(old.compare(14, 6, 2, |_| same()), FileChange::Rewritten);
        assert_eq!(old.compare(9, 6, 1, |_| same()), FileChange::Rewritten);
        assert_eq!(old.compare(10, 6, 1, |_| other()), FileChange::Rewritten);
        assert_eq!(old.compare(10, 6, 2, |_| same()), FileChange::None);
    }
}
