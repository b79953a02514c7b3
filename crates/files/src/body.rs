//! What a version of a file holds: bytes in hand, or a backup on disk that is read when it is needed.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scrollback_store::{ReadError, small};

use super::replay::without_returns;

/// Larger backups are never held: they can be shown and restored, but nothing is replayed on them.
pub const HELD: u64 = 64 << 20;

/// The content of a file.
#[derive(Debug, Clone)]
pub enum FileBody {
    /// In hand.
    Held {
        /// The bytes.
        bytes: Arc<[u8]>,
        /// They come from a text that the client decoded: line ends, a mark at the beginning and bytes that are no UTF-8 may
        /// have been others.
        decoded: bool,
    },
    /// A backup, byte for byte as the file was.
    Blob {
        /// Where it is.
        path: PathBuf,
        /// How long it is.
        size: u64,
        /// The permissions that the client gave it: those of the file.
        mode: Option<u32>,
    },
}

impl FileBody {
    /// A text of a transcript.
    pub fn text(text: String) -> Self {
        Self::Held { bytes: text.into_bytes().into(), decoded: true }
    }

    /// Bytes as they are.
    pub fn bytes(bytes: Vec<u8>) -> Self {
        Self::Held { bytes: bytes.into(), decoded: false }
    }

    /// How long it is.
    pub fn size(&self) -> u64 {
        match self {
            Self::Held { bytes, .. } => bytes.len() as u64,
            Self::Blob { size, .. } => *size,
        }
    }

    /// Is it byte for byte what was on disk, whatever a client may have decoded?
    pub fn is_verbatim(&self) -> bool {
        matches!(self, Self::Blob { .. } | Self::Held { decoded: false, .. })
    }

    /// The bytes, if they are not too many and can be read.
    pub fn load(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Held { bytes, .. } => Some(Arc::clone(bytes)),
            Self::Blob { path, .. } => read(path).map(Into::into),
        }
    }

    /// Gives all bytes to `take`, part by part.
    pub fn each<E: From<ReadError>>(&self, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::Held { bytes, .. } => take(bytes),
            Self::Blob { path, .. } => small::copy(path, take),
        }
    }

    /// Are they the same file? A decoded text is the same as bytes that would be decoded to it.
    pub fn same(&self, other: &Self) -> bool {
        if let (Self::Blob { path: own, .. }, Self::Blob { path: their, .. }) = (self, other)
            && own == their
        {
            return true;
        }
        let verbatim = self.is_verbatim() && other.is_verbatim();
        let (small, large) = (self.size().min(other.size()), self.size().max(other.size()));
        // A line break is twice as long with a return, and a character that stands for a byte three times.
        if (verbatim && small != large) || large > small.saturating_mul(3) + 3 {
            return false;
        }
        let (Some(own), Some(their)) = (self.load(), other.load()) else { return false };
        own == their || !verbatim && as_text(&own) == as_text(&their)
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let (bytes, more) = small::read(path, HELD).ok()?;
    (!more).then_some(bytes)
}

/// A file as the client's tools see it.
pub fn as_text(bytes: &[u8]) -> Vec<u8> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(_) => Cow::Borrowed(bytes),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    };
    without_returns(&text)
}

#[cfg(test)]
mod tests {
    use super::FileBody;

    #[test]
    fn a_decoded_text_is_the_same_as_the_bytes_it_was_decoded_from() {
        let text = |text: &str| FileBody::text(text.into());
        let bytes = |bytes: &[u8]| FileBody::bytes(bytes.to_vec());
        assert!(text("a\nb\n").same(&bytes(b"a\r\nb\r\n")));
        assert!(text("a\n").same(&bytes(b"\xef\xbb\xbfa\n")));
        assert!(text("a \u{fffd}").same(&bytes(b"a \xff")));
        assert!(!bytes(b"a\nb\n").same(&bytes(b"a\r\nb\r\n")));
        assert!(!text("a\n").same(&bytes(b"b\n")));
        assert!(text("").same(&bytes(b"")));
    }
}
