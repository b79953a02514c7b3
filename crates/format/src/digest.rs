//! Names that the client derives from a SHA-256: file backups and cached pastes.

use sha2::{Digest, Sha256};

/// The first 16 hex digits of the SHA-256 of some bytes.
fn short_sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The name of a file's backup below `file-history/<session>/`: hash of the absolute path, and the version.
///
/// ```
/// assert_eq!(scrollback_format::digest::backup_name("/a", 2).len(), "0123456789abcdef@v2".len());
/// ```
pub fn backup_name(absolute_path: &str, version: u64) -> String {
    format!("{}@v{version}", short_sha256(absolute_path.as_bytes()))
}

/// The name of a pasted text below `paste-cache/`: hash of the content.
pub fn paste_name(content: &[u8]) -> String {
    format!("{}.txt", short_sha256(content))
}
