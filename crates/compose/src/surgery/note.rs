//! Side notes that belong to a line or a stretch, and go with it. Notes on the session itself stay.

use std::collections::BTreeSet;

use super::Script;
use super::line::Name;

impl Script {
    /// Marks the notes to go that belong to what goes.
    ///
    /// A checkpoint goes with its message, an entry of the queue with the line that follows it. Stored requests go
    /// with whatever goes, since they hold all of it once more.
    pub(super) fn drop_notes(&mut self) {
        if self.lines.iter().all(|line| !line.gone) {
            return;
        }
        let left: BTreeSet<Name> = self.kept().filter_map(|line| line.uuid.clone()).collect();
        let gone: BTreeSet<Name> = self
            .lines
            .iter()
            .filter(|line| line.gone)
            .filter_map(|line| line.uuid.clone())
            .filter(|name| !left.contains(name))
            .collect();
        let said_goes = |line: &super::ScriptLine| !matches!(&*line.kind, b"progress");
        let talk_goes = self.lines.iter().any(|line| line.gone && line.uuid.is_some() && said_goes(line));
        // Without a following line of the tree, the one before tells.
        let mut follows =
            self.lines.iter().rev().find(|line| line.uuid.is_some()).is_some_and(|line| line.gone);
        for line in self.lines.iter_mut().rev() {
            if let Some(uuid) = &line.uuid {
                // A copy that is written again later, or a sign of progress, tells nothing about its neighbours.
                if !line.gone || gone.contains(uuid) && &*line.kind != b"progress" {
                    follows = line.gone;
                }
                continue;
            }
            let of = |path: &[&str]| line.name(path).is_some_and(|name| gone.contains(&name));
            let goes = match &*line.kind {
                b"file-history-snapshot" => of(&["messageId"]) || of(&["snapshot", "messageId"]),
                b"file-history-delta" => of(&["messageId"]) || of(&["snapshotMessageId"]),
                b"queue-operation" => follows,
                kind => talk_goes && kind.starts_with(b"api-request"),
            };
            line.gone |= goes;
        }
    }
}
