//! Surgery on the lines of a session: taking lines and blocks out, and giving what is left other names.
//!
//! A [`Script`] is the bytes of a file, line by line. Lines are marked to go ([`Script::drop_lines`],
//! [`Script::drop_blocks`], [`Script::slim`]); [`Script::relink`] then takes them out and mends every reference to them.
//! A line that no step has to change is written back byte for byte, and a line that is not one JSON object is never
//! touched at all. No time is changed. What comes out ends with a newline.
//!
//! What is not here: no choice of lines. Who knows turns and branches says which ones go.

mod block;
mod identity;
mod join;
mod line;
mod note;
mod relink;
mod slim;

use std::collections::BTreeSet;

pub use block::BlockKinds;
pub use identity::{FreshIds, Rename};
pub use join::Seam;
use line::ScriptLine;
pub use relink::Relinked;

/// The lines of a session.
#[derive(Debug, Clone, Default)]
pub struct Script {
    lines: Vec<ScriptLine>,
}

impl Script {
    /// Takes a file apart.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut rest = bytes;
        let mut lines = Vec::new();
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            lines.push(ScriptLine::new(rest[..end].to_vec(), lines.len() as u64 + 1));
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        Self { lines }
    }

    /// The file, with what is marked to go left out.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for line in self.lines.iter().filter(|line| !line.gone) {
            out.extend_from_slice(&line.bytes);
            out.push(b'\n');
        }
        out
    }

    /// Marks lines to go, by their numbers in the file that was read. Lines that are not one object stay.
    pub fn drop_lines(&mut self, numbers: &BTreeSet<u64>) {
        for line in self.lines.iter_mut().filter(|line| line.is_object && numbers.contains(&line.number)) {
            line.gone = true;
        }
    }

    /// How many lines are marked to go.
    pub fn gone(&self) -> usize {
        self.lines.iter().filter(|line| line.gone).count()
    }

    /// How many lines are not one JSON object, and hence never touched. Blank ones are not counted.
    pub fn odd(&self) -> usize {
        let is_blank = |line: &ScriptLine| line.bytes.iter().all(u8::is_ascii_whitespace);
        self.lines.iter().filter(|line| !line.is_object && !is_blank(line)).count()
    }

    /// The ids of the calls that are made in it.
    pub fn calls(&self) -> BTreeSet<String> {
        let calls = self.kept().flat_map(|line| &line.calls);
        calls.map(|call| String::from_utf8_lossy(call).into_owned()).collect()
    }

    /// Is there a line with this id?
    pub fn has(&self, id: &str) -> bool {
        self.kept().any(|line| line.uuid.as_deref() == Some(id.as_bytes()))
    }

    /// Does anybody say anything in it?
    pub fn speaks(&self) -> bool {
        self.kept().any(|line| line.uuid.is_some() && matches!(&*line.kind, b"user" | b"assistant"))
    }

    fn kept(&self) -> impl Iterator<Item = &ScriptLine> {
        self.lines.iter().filter(|line| !line.gone)
    }

    fn kept_mut(&mut self) -> impl Iterator<Item = &mut ScriptLine> {
        self.lines.iter_mut().filter(|line| !line.gone)
    }
}

#[cfg(test)]
mod tests;
