//! Taking lines out, and mending every reference to them.
//!
//! | reference | becomes |
//! |---|---|
//! | `parentUuid`, `logicalParentUuid` | the nearest ancestor that is left; null if there is none |
//! | `leafUuid` of `last-prompt`, `summary` | the nearest ancestor that is left; the line goes if there is none |
//! | `compactMetadata.preservedSegment` | the first and last of its lines that are left; taken out if there is none |
//! | `compactMetadata.preservedMessages` | those that are left; taken out if there is none |
//! | `sourceToolAssistantUUID` | taken out |
//!
//! A reference that led nowhere before is left as it is.

use std::collections::{BTreeMap, BTreeSet};

use scrollback_format::json::Value;

use super::Script;
use super::line::{Name, ScriptLine, quote, raw};
use crate::clock::Moment;

/// What a relinking did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Relinked {
    /// Lines that went.
    pub gone: u64,
    /// Blocks that went because their other half did.
    pub unpaired: u64,
    /// Lines that hang on another line now.
    pub moved: u64,
}

const SEGMENT: [&str; 2] = ["compactMetadata", "preservedSegment"];
const MESSAGES: [&str; 2] = ["compactMetadata", "preservedMessages"];

fn field(outer: [&'static str; 2], inner: &'static str) -> [&'static str; 3] {
    [outer[0], outer[1], inner]
}

/// Where a name leads to, once lines are gone.
enum Way {
    /// To this line, which is left.
    To(Name),
    /// To nothing: everything above is gone.
    Root,
    /// To a line that was never there.
    Nowhere(Name),
}

struct Family {
    /// The parent of each id, as its last line says.
    parents: BTreeMap<Name, Option<Name>>,
    left: BTreeSet<Name>,
}

impl Family {
    fn of(lines: &[ScriptLine]) -> Self {
        let mut family = Self { parents: BTreeMap::new(), left: BTreeSet::new() };
        for line in lines {
            if let Some(uuid) = &line.uuid {
                family.parents.insert(uuid.clone(), line.parent.clone());
                if !line.gone {
                    family.left.insert(uuid.clone());
                }
            }
        }
        family
    }

    fn is_left(&self, name: &Name) -> bool {
        self.left.contains(name)
    }

    fn is_gone(&self, name: &Name) -> bool {
        self.parents.contains_key(name) && !self.is_left(name)
    }

    /// The nearest of a line and those above it that is left.
    fn way(&self, name: &Name) -> Way {
        let mut seen = BTreeSet::new();
        let mut at = name;
        loop {
            if self.is_left(at) {
                return Way::To(at.clone());
            }
            match self.parents.get(at) {
                None => return Way::Nowhere(at.clone()),
                Some(Some(parent)) if seen.insert(at) => at = parent,
                Some(_) => return Way::Root,
            }
        }
    }

    /// The lines from the last of a segment to its first, if the one leads to the other.
    fn segment(&self, head: &Name, tail: &Name) -> Option<Vec<Name>> {
        let mut found = vec![tail.clone()];
        while found.last() != Some(head) {
            let parent = self.parents.get(found.last()?)?.clone()?;
            if found.contains(&parent) {
                return None;
            }
            found.push(parent);
        }
        Some(found)
    }
}

impl Script {
    /// Takes out the lines that are marked to go. `leaf` is the line that the conversation is to go on from, where that
    /// is another one than the notes say.
    pub fn relink(&mut self, leaf: Option<u64>) -> Relinked {
        self.mend(leaf, false)
    }

    /// The same for what is cut off from all that was before: what hung on it begins anew, though a gap was further up.
    pub fn uproot(&mut self, leaf: Option<u64>) -> Relinked {
        self.mend(leaf, true)
    }

    /// Takes back the marks of lines that a compaction which stays has kept in the conversation.
    pub fn keep_preserved(&mut self) {
        let kept = self.preserved();
        for line in self.lines.iter_mut().filter(|line| line.gone) {
            line.gone = !line.uuid.as_ref().is_some_and(|uuid| kept.contains(uuid));
        }
    }

    /// The lines that compactions which stay have kept.
    pub(super) fn preserved(&self) -> BTreeSet<Name> {
        let family = Family::of(&self.lines);
        self.kept().filter(|line| line.is_boundary).flat_map(|line| line.preserved(&family)).collect()
    }

    fn mend(&mut self, leaf: Option<u64>, uproots: bool) -> Relinked {
        let unpaired = self.pair();
        self.drop_notes();
        let family = Family::of(&self.lines);
        let leaf = leaf.and_then(|number| {
            let line = self.kept().find(|line| line.number == number)?;
            line.uuid.clone()
        });
        let last_note = self.lines.iter().rposition(|line| !line.gone && line.names_leaf());
        // The last note alone counts. If it goes, an earlier one must not come to power.
        let all_go = leaf.is_none()
            && last_note
                .and_then(|at| self.lines[at].name(&["leafUuid"]))
                .is_some_and(|name| family.is_gone(&name) && !matches!(family.way(&name), Way::To(_)));
        for line in self.lines.iter_mut().filter(|line| all_go && line.names_leaf()) {
            line.gone = true;
        }
        let mut relinked = Relinked { unpaired, ..Relinked::default() };
        for (at, line) in self.lines.iter_mut().enumerate().filter(|(_, line)| !line.gone && line.is_object) {
            let before = line.parent.clone();
            line.mend_parents(&family, uproots);
            relinked.moved += u64::from(line.parent != before);
            line.mend_leaf(&family, leaf.as_ref().filter(|_| last_note == Some(at)));
            if line.is_boundary {
                line.mend_kept(&family);
            }
        }
        relinked.gone = self.gone() as u64;
        self.lines.retain(|line| !line.gone);
        if let Some(leaf) = leaf {
            self.end_with(&leaf);
            self.name_leaf(&leaf);
        }
        relinked
    }

    /// Adds a note on where to go on where there is none and the last line of the tree is another one: newer clients would take
    /// that, be it a late sign of progress. Older ones pass over the note.
    fn name_leaf(&mut self, leaf: &Name) {
        let last = self.lines.iter().rfind(|line| line.uuid.is_some() && !line.is_sidechain);
        if self.lines.iter().any(ScriptLine::names_leaf)
            || last.is_none_or(|last| last.uuid.as_ref() == Some(leaf))
        {
            return;
        }
        let session = last.and_then(|last| last.name(&["sessionId"])).unwrap_or_default();
        let line = [
            br#"{"type":"last-prompt","leafUuid":"#,
            &*quote(leaf),
            br#","sessionId":"#,
            &*quote(&session),
            b"}",
        ];
        let number = self.lines.last().map_or(1, |line| line.number + 1);
        self.lines.push(ScriptLine::new(line.concat(), number));
    }

    /// Makes a line the latest one, by a millisecond, where another one is as late: old clients go on from the latest.
    fn end_with(&mut self, leaf: &Name) {
        let time = |line: &ScriptLine| {
            let time = line.name(&["timestamp"])?;
            Moment::parse(std::str::from_utf8(&time).ok()?)
        };
        let others = self.lines.iter().filter(|line| line.uuid.as_ref().is_some_and(|uuid| uuid != leaf));
        let latest = others.filter(|line| !line.is_sidechain).filter_map(time).max();
        let Some(line) = self.lines.iter_mut().rfind(|line| line.uuid.as_ref() == Some(leaf)) else { return };
        if let (Some(own), Some(latest)) = (time(line), latest)
            && own <= latest
        {
            let later = Moment::from_millis(latest.millis() + 1).to_string();
            line.rename(&["timestamp"], Some(later.as_bytes()));
        }
    }
}

impl ScriptLine {
    /// Is it a note that says where to go on?
    pub(super) fn names_leaf(&self) -> bool {
        &*self.kind == b"last-prompt" && self.name(&["leafUuid"]).is_some()
    }

    fn mend_parents(&mut self, family: &Family, uproots: bool) {
        for (field, name) in
            [("parentUuid", self.parent.clone()), ("logicalParentUuid", self.logical.clone())]
        {
            let Some(name) = name.filter(|name| family.is_gone(name)) else { continue };
            match family.way(&name) {
                Way::To(name) => self.rename(&[field], Some(&name)),
                Way::Nowhere(name) if !uproots => self.rename(&[field], Some(&name)),
                Way::Root | Way::Nowhere(_) => self.rename(&[field], None),
            }
        }
        if self.name(&["sourceToolAssistantUUID"]).is_some_and(|name| family.is_gone(&name)) {
            self.remove(&["sourceToolAssistantUUID"]);
        }
    }

    fn mend_leaf(&mut self, family: &Family, leaf: Option<&Name>) {
        let is_note = matches!(&*self.kind, b"last-prompt" | b"summary");
        let Some(old) = is_note.then(|| self.name(&["leafUuid"])).flatten() else { return };
        let new = match leaf {
            Some(leaf) => leaf.clone(),
            None if !family.is_gone(&old) => return,
            None => match family.way(&old) {
                Way::To(name) => name,
                Way::Root | Way::Nowhere(_) => {
                    self.gone = true;
                    return;
                }
            },
        };
        if new != old {
            self.rename(&["leafUuid"], Some(&new));
            // The words and the insistence belonged to the old leaf.
            self.remove(&["lastPrompt"]);
            self.remove(&["explicit"]);
        }
    }

    /// The lines that a compaction kept.
    fn preserved(&self, family: &Family) -> Vec<Name> {
        let ends = ["headUuid", "tailUuid"].map(|end| self.name(&field(SEGMENT, end)));
        let mut kept = match ends {
            [Some(head), Some(tail)] => family.segment(&head, &tail).unwrap_or_default(),
            _ => Vec::new(),
        };
        for list in ["uuids", "allUuids"] {
            kept.extend(self.names(&field(MESSAGES, list)).unwrap_or_default());
        }
        kept
    }

    /// What a compaction kept, as far as it is left.
    fn mend_kept(&mut self, family: &Family) {
        for outer in [SEGMENT, MESSAGES] {
            let path = field(outer, "anchorUuid");
            if let Some(anchor) = self.name(&path).filter(|anchor| family.is_gone(anchor)) {
                match family.way(&anchor) {
                    Way::To(name) => self.rename(&path, Some(&name)),
                    // Without its summary, what was kept hangs on the boundary itself.
                    Way::Root | Way::Nowhere(_) => {
                        let own = self.uuid.clone();
                        self.rename(&path, own.as_deref());
                    }
                }
            }
        }
        let (head, tail) = (self.name(&field(SEGMENT, "headUuid")), self.name(&field(SEGMENT, "tailUuid")));
        if let (Some(head), Some(tail)) = (head, tail)
            && let Some(segment) = family.segment(&head, &tail)
            && segment.iter().any(|name| family.is_gone(name))
        {
            let left: Vec<&Name> = segment.iter().filter(|name| family.is_left(name)).collect();
            match (left.last(), left.first()) {
                (Some(head), Some(tail)) => {
                    self.rename(&field(SEGMENT, "headUuid"), Some(head));
                    self.rename(&field(SEGMENT, "tailUuid"), Some(tail));
                }
                _ => self.remove(&SEGMENT),
            }
        }
        for list in ["uuids", "allUuids"] {
            self.mend_list(&field(MESSAGES, list), family);
        }
        let empty = |line: &Self| {
            line.read(|root| {
                let list = field(MESSAGES, "uuids").iter().try_fold(root, |value, key| value.get(key));
                list.is_some_and(|list| list.items().next().is_none())
            })
        };
        if empty(self) == Some(true) {
            self.remove(&MESSAGES);
        }
    }

    /// The ids in a list, if it is there.
    fn names(&self, path: &[&str]) -> Option<Vec<Name>> {
        let names = |root: Value<'_>| -> Option<Vec<Name>> {
            let list = path.iter().try_fold(root, |value, key| value.get(key))?;
            Some(list.items().filter_map(raw).collect())
        };
        self.read(names).flatten()
    }

    fn mend_list(&mut self, path: &[&str], family: &Family) {
        let Some(names) = self.names(path) else { return };
        if names.iter().any(|name| family.is_gone(name)) {
            let left: Vec<Vec<u8>> =
                names.iter().filter(|name| !family.is_gone(name)).map(|name| quote(name)).collect();
            let list = [b"[".to_vec(), left.join(&b','), b"]".to_vec()].concat();
            self.replace(path, &list);
        }
    }
}
