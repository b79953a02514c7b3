//! Dropping what no reader needs.

use std::collections::BTreeSet;

use super::Script;
use super::line::Name;

impl Script {
    /// Marks to go: lines that tell of progress, earlier copies of a line that was written again under the same id
    /// (the last one counts), and stored API requests.
    pub fn slim(&mut self) {
        let mut later: BTreeSet<Name> = BTreeSet::new();
        for line in self.lines.iter_mut().rev().filter(|line| line.is_object && !line.gone) {
            let is_copy = line.uuid.as_ref().is_some_and(|uuid| !later.insert(uuid.clone()));
            let is_noise = &*line.kind == b"progress" || line.kind.starts_with(b"api-request");
            line.gone = is_copy || is_noise;
        }
    }
}
