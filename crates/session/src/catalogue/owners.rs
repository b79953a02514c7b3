//! Owners: the session that each file is, or belongs to, as a number.

use rustc_hash::FxHashMap;

/// The sessions of files, numbered.
#[derive(Debug, Default)]
pub struct Owners {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// By the file's number.
    of_file: Vec<u32>,
}

/// A file that belongs to none.
const NONE: u32 = u32::MAX;

impl Owners {
    /// Notes that a file of the catalogue belongs to a session.
    pub fn insert(&mut self, file: i64, session_id: &str) {
        let Ok(file) = usize::try_from(file) else { return };
        let number = match self.numbers.get(session_id) {
            Some(number) => *number,
            None => {
                let number = self.names.len() as u32;
                self.names.push(session_id.to_owned());
                self.numbers.insert(session_id.to_owned(), number);
                number
            }
        };
        if self.of_file.len() <= file {
            self.of_file.resize(file + 1, NONE);
        }
        self.of_file[file] = number;
    }

    /// The session of a file.
    pub fn find(&self, file: i64) -> Option<u32> {
        let number = self.of_file.get(usize::try_from(file).ok()?).copied();
        number.filter(|number| *number != NONE)
    }

    /// The number of a session.
    pub fn number(&self, session_id: &str) -> Option<u32> {
        self.numbers.get(session_id).copied()
    }

    /// The id of a session.
    pub fn name(&self, number: u32) -> Option<&str> {
        self.names.get(number as usize).map(String::as_str)
    }

    /// How many sessions there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }
}
