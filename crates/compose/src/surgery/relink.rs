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
        let unpaired = self.pair();
        self.drop_notes();
        let family = Family::of(&self.lines);
        let leaf = leaf.and_then(|number| {
            let line = self.kept().find(|line| line.number == number)?;
            line.uuid.clone()
        });
        let last_note = self.lines.iter().rposition(|line| !line.gone && line.names_leaf());
        let mut relinked = Relinked { unpaired, ..Relinked::default() };
        for (at, line) in self.lines.iter_mut().enumerate().filter(|(_, line)| !line.gone && line.is_object) {
            let before = line.parent.clone();
            line.mend_parents(&family);
            relinked.moved += u64::from(line.parent != before);
            line.mend_leaf(&family, leaf.as_ref().filter(|_| last_note == Some(at)));
            if line.is_boundary {
                line.mend_kept(&family);
            }
        }
        relinked.gone = self.gone() as u64;
        self.lines.retain(|line| !line.gone);
        relinked
    }
}

impl ScriptLine {
    /// Is it a note that says where to go on?
    pub(super) fn names_leaf(&self) -> bool {
        &*self.kind == b"last-prompt" && self.name(&["leafUuid"]).is_some()
    }

    fn mend_parents(&mut self, family: &Family) {
        for (field, name) in
            [("parentUuid", self.parent.clone()), ("logicalParentUuid", self.logical.clone())]
        {
            let Some(name) = name.filter(|name| family.is_gone(name)) else { continue };
            match family.way(&name) {
                Way::To(name) | Way::Nowhere(name) => self.rename(&[field], Some(&name)),
                Way::Root => self.rename(&[field], None),
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

    /// What a compaction kept, as far as it is left.
    fn mend_kept(&mut self, family: &Family) {
        const SEGMENT: [&str; 2] = ["compactMetadata", "preservedSegment"];
        const MESSAGES: [&str; 2] = ["compactMetadata", "preservedMessages"];
        let field = |outer: [&'static str; 2], inner: &'static str| [outer[0], outer[1], inner];
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

    fn mend_list(&mut self, path: &[&str], family: &Family) {
        let names = |root: Value<'_>| -> Option<Vec<Name>> {
            let list = path.iter().try_fold(root, |value, key| value.get(key))?;
            Some(list.items().filter_map(raw).collect())
        };
        let Some(names) = self.read(names).flatten() else { return };
        if names.iter().any(|name| family.is_gone(name)) {
            let left: Vec<Vec<u8>> =
                names.iter().filter(|name| !family.is_gone(name)).map(|name| quote(name)).collect();
            let list = [b"[".to_vec(), left.join(&b','), b"]".to_vec()].concat();
            self.replace(path, &list);
        }
    }
}
