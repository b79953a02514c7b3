//! Where it is noted how often each claim held, by client version, and where it did not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::table::CLAIMS;

/// How many places are kept where a claim did not hold.
pub const PLACES: usize = 3;

/// Where a claim did not hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimPlace {
    /// The file.
    pub path: PathBuf,
    /// The line; 0 if it is about the file.
    pub line: u64,
    /// What is so instead.
    pub detail: String,
}

/// How often a claim held.
#[derive(Debug, Clone, Default)]
pub struct Count {
    /// Times that it held and times that it was asked, by version.
    pub by_version: BTreeMap<String, (u64, u64)>,
    /// Some places where it did not hold, the first ones by path and line.
    pub places: Vec<ClaimPlace>,
}

/// Counts of all claims.
#[derive(Debug, Default)]
pub struct ClaimCounts {
    counts: BTreeMap<&'static str, Count>,
}

impl ClaimCounts {
    /// Notes whether a claim held.
    pub fn note(
        &mut self,
        claim: &'static str,
        version: &str,
        holds: bool,
        place: impl FnOnce() -> ClaimPlace,
    ) {
        debug_assert!(CLAIMS.iter().any(|known| known.id == claim), "{claim} is in the table");
        let count = self.counts.entry(claim).or_default();
        if !count.by_version.contains_key(version) {
            count.by_version.insert(version.to_owned(), (0, 0));
        }
        if let Some((held, asked)) = count.by_version.get_mut(version) {
            *held += u64::from(holds);
            *asked += 1;
        }
        if !holds && count.places.len() < PLACES {
            count.places.push(place());
        }
    }

    /// Takes another sheet's counts in.
    pub fn add(&mut self, other: Self) {
        for (claim, count) in other.counts {
            let own = self.counts.entry(claim).or_default();
            for (version, (held, asked)) in count.by_version {
                let (own_held, own_asked) = own.by_version.entry(version).or_default();
                *own_held += held;
                *own_asked += asked;
            }
            own.places.extend(count.places);
            own.places.sort();
            own.places.truncate(PLACES);
        }
    }

    /// What was noted of a claim.
    pub fn count(&self, claim: &str) -> Option<&Count> {
        self.counts.get(claim)
    }
}

/// A place in a file.
pub fn place(path: &Path, line: u64, detail: impl Into<String>) -> ClaimPlace {
    ClaimPlace { path: path.to_owned(), line, detail: detail.into() }
}
