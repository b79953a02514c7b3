//! What users say about sessions: tags, pins, hidden ones. A small file of ours, never in the store.
//!
//! ```text
//! <data>/data.json   {"format":1,"sessions":{"<id>":{"tags":["x"],"pinned":true,"hidden":false}}}
//! ```
//!
//! Fields that this version does not know are kept. Changes happen under the lock of the data directory, and replace the
//! file as a whole.

use serde_json::{Map, Value, json};

use crate::disk::Disk;
use crate::journal_error::JournalError;
use crate::own::{DataDir, DataLock};
use crate::small;
use crate::write::{FileAttributes, put};

/// The form of the file. One of a higher form is read as far as it is understood, and never written.
const FORMAT: u64 = 1;

/// More than anyone writes by hand.
const LIMIT: u64 = 64 << 20;

/// What is said about one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note {
    /// Tags, in the order in which they were given.
    pub tags: Vec<String>,
    /// Kept at the top.
    pub pinned: bool,
    /// Not listed unless asked for.
    pub hidden: bool,
}

/// What is said about all sessions.
#[derive(Debug, Clone)]
pub struct Notes {
    all: Map<String, Value>,
}

impl Notes {
    /// Reads the file; none is as good as an empty one. A broken one is an error: writing over it would lose it.
    pub fn load(data: &DataDir) -> Result<Self, JournalError> {
        let path = data.notes();
        let bytes = match small::read(&path, LIMIT) {
            Ok((bytes, _)) => bytes,
            Err(error) if error.is_gone() => return Ok(Self { all: Map::new() }),
            Err(error) => return Err(JournalError::Damaged { path, why: error.source.to_string() }),
        };
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(all)) => Ok(Self { all }),
            Ok(_) => Err(JournalError::Damaged { path, why: "it is no object".to_owned() }),
            Err(error) => Err(JournalError::Damaged { path, why: error.to_string() }),
        }
    }

    /// What is said about a session.
    pub fn of(&self, session: &str) -> Note {
        self.sessions().and_then(|sessions| sessions.get(session)).map(read).unwrap_or_default()
    }

    /// Every session that something is said about.
    pub fn all(&self) -> Vec<(&str, Note)> {
        let sessions = self.sessions().into_iter().flatten();
        sessions
            .map(|(id, note)| (id.as_str(), read(note)))
            .filter(|(_, note)| *note != Note::default())
            .collect()
    }

    /// Says something about a session. Fields that we do not know stay.
    pub fn set(&mut self, session: &str, note: &Note) {
        let sessions = self.all.entry("sessions").or_insert_with(|| json!({}));
        if !sessions.is_object() {
            *sessions = json!({});
        }
        let Some(sessions) = sessions.as_object_mut() else { return };
        let entry = sessions.entry(session).or_insert_with(|| json!({}));
        if !entry.is_object() {
            *entry = json!({});
        }
        let Some(entry) = entry.as_object_mut() else { return };
        let mut put = |key: &str, value: Value, empty: bool| {
            if empty {
                entry.shift_remove(key);
            } else {
                entry.insert(key.to_owned(), value);
            }
        };
        put("tags", json!(note.tags), note.tags.is_empty());
        put("pinned", json!(true), !note.pinned);
        put("hidden", json!(true), !note.hidden);
        if entry.is_empty() {
            sessions.shift_remove(session);
        }
    }

    /// Writes the file, while the lock is held.
    pub fn save(&mut self, data: &DataDir, disk: &Disk, _lock: &DataLock) -> Result<(), JournalError> {
        let path = data.notes();
        let format = self.all.get("format").and_then(Value::as_u64).unwrap_or(FORMAT);
        if format > FORMAT {
            let why = "it was written by a newer version of this program".to_owned();
            return Err(JournalError::Damaged { path, why });
        }
        self.all.insert("format".to_owned(), json!(FORMAT));
        let mut bytes = serde_json::to_vec_pretty(&self.all)
            .map_err(|error| JournalError::Damaged { path: path.clone(), why: error.to_string() })?;
        bytes.push(b'\n');
        Ok(put(disk, &path, &bytes, FileAttributes::default(), true)?)
    }

    fn sessions(&self) -> Option<&Map<String, Value>> {
        self.all.get("sessions").and_then(Value::as_object)
    }
}

/// Reads, changes and writes the file under the lock.
pub fn change(data: &DataDir, change: impl FnOnce(&mut Notes)) -> Result<Notes, JournalError> {
    let lock = data.lock()?;
    let mut notes = Notes::load(data)?;
    change(&mut notes);
    notes.save(data, &Disk::real(), &lock)?;
    Ok(notes)
}

fn read(value: &Value) -> Note {
    let is = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or(false);
    let tags = value.get("tags").and_then(Value::as_array).into_iter().flatten();
    let tags = tags.filter_map(Value::as_str).map(str::to_owned).collect();
    Note { tags, pinned: is("pinned"), hidden: is("hidden") }
}
