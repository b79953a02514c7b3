//! Any order of edits, undos, crashes and another client's appends: nothing is ever lost, an undo gives back exactly what
//! was there or refuses.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;
use scrollback_store::journal::{Journal, JournalError, RecordState, Transaction};
use scrollback_store::{Disk, Place, Root, stamp};

use crate::faults::{Faults, Field, Mode, Tree, tree, watch};

#[derive(Debug, Clone)]
enum Action {
    /// Edit: what, to which file, and at which call to die, if at all.
    Apply { ops: Vec<(u8, u8)>, dies: Option<u16> },
    /// Take back the n-th last record.
    Undo { back: u8, dies: Option<u16> },
    /// A client appends to a file, or makes it.
    Client { file: u8 },
    /// The n-th last record's originals go.
    Empty { back: u8 },
}

fn action() -> impl Strategy<Value = Action> {
    let dies = || prop_oneof![2 => Just(None), 1 => (1_u16..250).prop_map(Some)];
    prop_oneof![
        4 => (prop::collection::vec((0_u8..7, any::<u8>()), 1..4), dies())
            .prop_map(|(ops, dies)| Action::Apply { ops, dies }),
        3 => (0_u8..4, dies()).prop_map(|(back, dies)| Action::Undo { back, dies }),
        3 => any::<u8>().prop_map(|file| Action::Client { file }),
        1 => (0_u8..4).prop_map(|back| Action::Empty { back }),
    ]
}

struct Machine {
    field: Field,
    far: bool,
    /// What was there before each record.
    before: BTreeMap<u64, Tree>,
    /// What clients wrote and nobody asked to remove for good.
    lines: Vec<Vec<u8>>,
    counter: u32,
}

impl Machine {
    fn disk(&self, dies: Option<u16>) -> Disk {
        let at = dies.map_or(0, usize::from);
        Disk::behind(Faults::new(at, Mode::Crash, self.far.then_some(self.field.root.as_path())))
    }

    fn open(&self) -> Journal {
        Journal::open_on(&self.field.open(), self.disk(None)).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let is_file = |bytes: &[u8]| bytes != b"/" && bytes != b"nowhere.txt";
        self.field.tree().into_iter().filter(|(_, (_, _, b))| is_file(b)).map(|(name, _)| name).collect()
    }

    fn transaction(&mut self, ops: &[(u8, u8)]) -> Transaction {
        let mut tx = Transaction::new(&Root::new(&self.field.root), "random");
        for (kind, which) in ops {
            self.counter += 1;
            let files = self.files();
            let new = Place::new(&format!("projects/-n{}/{}.jsonl", which % 3, self.counter)).unwrap();
            let text = format!("{{\"ours\":{}}}\n", self.counter).into_bytes();
            let Some(name) = files.get(usize::from(*which) % files.len().max(1)) else { continue };
            let place = Place::new(name).unwrap();
            let stamp = stamp::take(&self.field.root.join(name)).unwrap();
            match kind {
                0 => {
                    tx.folders_for(&new);
                    tx.create(new, text);
                }
                1 => tx.append(place, stamp, text),
                2 => tx.replace(place, stamp, text),
                3 => {
                    tx.folders_for(&new);
                    tx.move_to(place, new);
                }
                4 => tx.remove(place),
                5 => tx.remove(place.parent().unwrap_or(place)),
                _ => {
                    tx.folders_for(&new);
                    tx.copy(&self.field.root.join(name), new, 0);
                }
            }
        }
        tx
    }

    fn step(&mut self, action: &Action) {
        let now = self.field.tree();
        match action {
            Action::Apply { ops, dies } => {
                let tx = self.transaction(ops);
                let result = Journal::open_on(&self.field.open(), self.disk(*dies))
                    .and_then(|mut journal| journal.apply(&tx, &watch()));
                let last = self.last();
                match self.before.keys().next_back() {
                    // A new record that holds: from here it can be taken back.
                    known
                        if last.is_some_and(|(number, state)| {
                            state == RecordState::Committed && known.is_none_or(|known| number > *known)
                        }) =>
                    {
                        self.before.insert(last.unwrap().0, now);
                    }
                    _ => assert_eq!(self.field.tree(), now, "{result:?}"),
                }
            }
            Action::Undo { back, dies } => self.undo(*back, *dies, &now),
            Action::Client { file } => {
                self.counter += 1;
                let files = self.files();
                let name = match files.get(usize::from(*file) % (files.len() + 1)) {
                    Some(name) => name.clone(),
                    None => format!("projects/client{}.jsonl", self.counter),
                };
                let line = format!("{{\"client\":{}}}\n", self.counter).into_bytes();
                let path = self.field.root.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
                file.write_all(&line).unwrap();
                self.lines.push(line);
            }
            Action::Empty { back } => {
                let mut journal = self.open();
                let records = journal.records().unwrap();
                let chosen =
                    records.iter().rev().filter(|record| record.is_undoable()).nth(usize::from(*back));
                let Some(record) = chosen else { return };
                journal.empty(record.number).unwrap();
                drop(journal);
                assert_eq!(self.field.tree(), now);
                // Gone for good, and asked for.
                let kept = self.all_bytes();
                self.lines.retain(|line| holds(&kept, line));
            }
        }
        let kept = self.all_bytes();
        for line in &self.lines {
            assert!(holds(&kept, line), "lost: {}", String::from_utf8_lossy(line));
        }
        for name in self.field.tree().keys() {
            assert!(!name.contains("scrollback"), "{name} is left");
        }
    }

    fn last(&self) -> Option<(u64, RecordState)> {
        self.open().records().unwrap().last().map(|record| (record.number, record.state))
    }

    fn undo(&mut self, back: u8, dies: Option<u16>, now: &Tree) {
        let records = self.open().records().unwrap();
        let chosen = records.iter().rev().filter(|record| record.undoes.is_none()).nth(usize::from(back));
        let Some(record) = chosen else { return };
        let result = Journal::open_on(&self.field.open(), self.disk(dies))
            .and_then(|mut journal| journal.undo(record.number, &watch()));
        let undone = self.open().record(record.number).unwrap().state == RecordState::Undone;
        if !undone || record.state == RecordState::Undone {
            assert!(result.is_err() && self.field.tree() == *now, "{result:?}");
            return;
        }
        if let Err(error) = &result {
            assert!(!matches!(error, JournalError::ModifiedSince { .. }), "{error}");
        }
        let before = &self.before[&record.number];
        let after = self.field.tree();
        for step in &record.steps {
            for path in [Some(&step.path), step.from.as_ref()].into_iter().flatten() {
                assert_eq!(
                    below(&after, path),
                    below(before, path),
                    "{path} after undo of {}",
                    record.number
                );
            }
        }
    }

    /// Everything in the store and in the journal.
    fn all_bytes(&self) -> Vec<Vec<u8>> {
        let journal = self.field.data.join("journal");
        let ours = if journal.is_dir() { tree(&journal) } else { Tree::new() };
        self.field.tree().into_values().chain(ours.into_values()).map(|(_, _, bytes)| bytes).collect()
    }
}

fn holds(all: &[Vec<u8>], line: &[u8]) -> bool {
    all.iter().any(|bytes| bytes.windows(line.len()).any(|window| window == line))
}

fn below(tree: &Tree, path: &str) -> Tree {
    let inside = |name: &str| Path::new(name).starts_with(path);
    tree.iter().filter(|(name, _)| inside(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_in_any_order(far in any::<bool>(), actions in prop::collection::vec(action(), 1..16)) {
        let (before, lines) = Default::default();
        let mut machine = Machine { field: Field::full(), far, before, lines, counter: 0 };
        for action in &actions {
            machine.step(action);
        }
    }
}
