//! Client versions: how the `version` field of an entry compares.

use std::fmt;

/// A client version as the entries carry it, `2.1.325`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientVersion {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
    /// Third number.
    pub patch: u32,
}

impl ClientVersion {
    /// Builds a version from its three numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    /// Reads `major.minor.patch`; what follows a `-` or `+` (a pre-release) is left aside.
    pub fn decode(text: &str) -> Option<Self> {
        let core = text.split(['-', '+']).next()?;
        let mut numbers = core.split('.').map(|part| part.parse::<u32>().ok());
        let version = Self::new(numbers.next()??, numbers.next()??, numbers.next()??);
        numbers.next().is_none().then_some(version)
    }
}

impl fmt::Display for ClientVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::ClientVersion;

    #[test]
    fn versions_compare_by_number_not_by_text() {
        let old = ClientVersion::decode("2.1.9");
        let new = ClientVersion::decode("2.1.80");
        assert!(old.is_some() && old < new);
        assert_eq!(ClientVersion::decode("2.1.9-beta.1"), old);
        for bad in ["", "2", "2.1", "2.1.x", "2.1.9.4", "v2.1.9"] {
            assert_eq!(ClientVersion::decode(bad), None, "{bad}");
        }
    }
}
