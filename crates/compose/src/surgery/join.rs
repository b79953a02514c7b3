//! Joining: one session's lines put after another's, as one conversation.

use std::collections::{BTreeMap, BTreeSet};

use super::Script;
use super::identity::NAMES;
use super::line::{Name, ScriptLine};
use crate::id::Id;

/// Notes that name a session. The first one's count.
const TITLES: [&[u8]; 4] = [b"custom-title", b"agent-name", b"ai-title", b"agent-color"];

/// Where two sessions meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seam {
    /// The id of the line that the first one's conversation ends with.
    pub end: Id,
    /// The number of the line that the second one's conversation begins with.
    pub begin: u64,
}

impl Script {
    /// Puts the lines of another script after these and hangs its beginnings on this one's end.
    ///
    /// Of notes on titles the first session's stay; of notes on where to go on, the second one's; stored API requests go, since they
    /// tell of one session alone. Lines that a compaction in the second one kept, and that the first one has too, stay once.
    pub fn join(&mut self, mut other: Self, joint: &Seam) {
        other.forget_twins(self);
        other.hang_on(&joint.end.as_str().as_bytes().into(), joint.begin);
        let kinds: BTreeSet<&[u8]> = self.kept().map(|line| &*line.kind).collect();
        let titles: Vec<&[u8]> = TITLES.into_iter().filter(|title| kinds.contains(title)).collect();
        let goes_on = other.kept().any(ScriptLine::names_leaf);
        other.drop_where(|line| titles.contains(&&*line.kind) || line.kind.starts_with(b"api-request"));
        self.drop_where(|line| line.kind.starts_with(b"api-request") || !goes_on && line.names_leaf());
        let from = self.lines.last().map_or(0, |line| line.number);
        self.lines.extend(other.lines.into_iter().map(|mut line| {
            line.number += from;
            line
        }));
    }

    /// Do both hold the same lines, or lines of the same messages? What a compaction of the other one kept does not count.
    pub fn overlaps(&self, other: &Self) -> bool {
        let names = |script: &Self, but: &BTreeSet<Name>| -> BTreeSet<Name> {
            let counts = |line: &&ScriptLine| line.uuid.as_ref().is_some_and(|uuid| !but.contains(uuid));
            let lines = script.kept().filter(counts);
            lines.flat_map(|line| [line.uuid.clone(), line.message.clone()]).flatten().collect()
        };
        let own = names(self, &BTreeSet::new());
        names(other, &other.preserved()).iter().any(|name| own.contains(name))
    }

    /// Drops lines that a compaction kept if the session before has them too, and refers to those instead.
    ///
    /// Halves of one session have such lines twice, under ids of their own. They are told by all the rest of their bytes.
    fn forget_twins(&mut self, before: &Self) {
        let preserved = self.preserved();
        let is_preserved =
            |line: &&ScriptLine| line.uuid.as_ref().is_some_and(|uuid| preserved.contains(uuid));
        let times: BTreeSet<Name> =
            self.kept().filter(is_preserved).filter_map(|line| line.name(&["timestamp"])).collect();
        let mut known: BTreeMap<Vec<u8>, Name> = BTreeMap::new();
        for line in before.kept().filter(|_| !times.is_empty()) {
            if line.name(&["timestamp"]).is_some_and(|time| times.contains(&time))
                && let Some(uuid) = &line.uuid
            {
                known.insert(line.nameless(), uuid.clone());
            }
        }
        let mut twins: BTreeMap<Name, Name> = BTreeMap::new();
        for line in self.kept_mut() {
            let uuid = line.uuid.clone().filter(|uuid| preserved.contains(uuid));
            if let Some(uuid) = uuid
                && let Some(twin) = known.get(&line.nameless())
            {
                twins.insert(uuid, twin.clone());
                line.gone = true;
            }
        }
        self.lines.retain(|line| !line.gone);
        self.rename_ids(&twins);
    }

    /// Hangs every beginning on a line of another script. A compaction begins anew on purpose, and names it as what came before.
    fn hang_on(&mut self, end: &Name, begin: u64) {
        let known: BTreeSet<Name> = self.kept().filter_map(|line| line.uuid.clone()).collect();
        let in_tree = |line: &&mut ScriptLine| line.uuid.is_some() && !line.is_sidechain;
        for line in self.kept_mut().filter(in_tree) {
            let is_loose = |name: &Option<Name>| match name {
                None => true,
                Some(name) => line.number == begin && !known.contains(name),
            };
            if line.is_boundary {
                if line.parent.is_none() && is_loose(&line.logical) {
                    line.rename(&["logicalParentUuid"], Some(end));
                }
            } else if is_loose(&line.parent) {
                line.rename(&["parentUuid"], Some(end));
            }
        }
    }

    /// Has the user given it a title?
    pub fn is_entitled(&self) -> bool {
        self.kept().any(|line| &*line.kind == b"custom-title")
    }

    fn drop_where(&mut self, goes: impl Fn(&ScriptLine) -> bool) {
        self.lines.retain(|line| !line.is_object || !goes(line));
    }
}

impl ScriptLine {
    /// Its bytes without any id of a line or session.
    fn nameless(&self) -> Vec<u8> {
        let mut line = self.clone();
        for path in NAMES.into_iter().chain([&["sessionId"][..], &["forkedFrom"]]) {
            line.replace(path, b"null");
        }
        line.bytes
    }
}
