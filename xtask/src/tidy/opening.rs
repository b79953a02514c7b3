//! Every source file opens with module docs: what it is for and what it never does.

use super::finding::Finding;
use super::tracked::TextFile;

/// Checks one source file.
pub fn check(file: &TextFile) -> Option<Finding> {
    let opens =
        file.text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with("//!"));
    (!opens).then(|| Finding::error(&file.path, 1, "does not open with module docs (`//!`)"))
}
