//! Finding text: ranked search over the text index with a scan of what it lacks, and grep over every file.

pub mod grep;
pub mod search;
