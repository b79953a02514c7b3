//! The registry of fuzz targets: plain functions over bytes that must return, whatever the bytes.
//!
//! A target panics when a promise of the library is broken; `cargo xtask fuzz` drives all of them with a stable
//! mutator, `fuzz/` drives the same ones with libFuzzer. To add one: write the function, add a row to
//! [`TARGETS`], add a file of the same name in `fuzz/fuzz_targets/`.

use scrollback_format::check::{Checker, FieldPath, Findings};
use scrollback_format::folder::{CUT, FolderRule, belongs, encode};
use scrollback_format::generation::Generation;
use scrollback_format::json::Value;
use scrollback_format::line;
use scrollback_format::piece::Parser;
use scrollback_format::shape::Types;
use scrollback_model::facts::{Anatomy, TranscriptFacts};
use scrollback_model::fold::Fold;
use scrollback_model::transcript::FileKind;

/// A fuzz target: takes any bytes, panics when a promise is broken.
pub type Target = fn(&[u8]);

/// Every target with its name.
pub const TARGETS: &[(&str, Target)] =
    &[("lines", lines), ("entries", entries), ("folder", folder), ("threads", threads)];

/// The target of a name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}

/// Runs one target on some bytes: what the files of `fuzz/fuzz_targets/` call.
pub fn run(name: &str, bytes: &[u8]) {
    let target = find(name).unwrap_or_else(|| panic!("no fuzz target is named {name}"));
    target(bytes);
}

/// Lines and pieces: numbered and placed without a gap, and put together they are the bytes again.
fn lines(bytes: &[u8]) {
    let mut parser = Parser::new();
    let mut whole = Vec::with_capacity(bytes.len());
    for (number, line) in (1..).zip(line::split(bytes)) {
        assert_eq!((line.number, line.offset), (number, whole.len() as u64));
        parser.each(line, |piece| {
            assert_eq!((piece.line, piece.offset), (number, whole.len() as u64));
            whole.extend_from_slice(piece.bytes);
        });
        whole.extend_from_slice(line.ending.bytes());
    }
    assert!(whole == bytes, "{} bytes were read as {}", bytes.len(), whole.len());
}

/// Threads: whatever the lines say of their parents, each entry with an id is in one thread, or replaced.
fn threads(bytes: &[u8]) {
    let (mut parser, mut fold) = (Parser::new(), Fold::new(FileKind::Session));
    for line in line::split(bytes) {
        parser.each(line, |piece| fold.piece(&piece));
    }
    let transcript = fold.finish(0, 0);
    for generation in Generation::ALL {
        let anatomy = Anatomy::of(&transcript, generation);
        let placed: usize = anatomy.threads.threads.iter().map(|thread| thread.rows.len()).sum();
        let with_id = transcript.rows.iter().filter(|row| row.id.is_some()).count();
        assert_eq!(placed + anatomy.graph.replaced.len(), with_id);
        let _ = TranscriptFacts::of(&transcript, &anatomy, None, None);
    }
}

/// Entries: every view of every entry can be taken, whatever its fields hold.
fn entries(bytes: &[u8]) {
    let (mut parser, mut checker) = (Parser::new(), Checker::new());
    for line in line::split(bytes) {
        parser.each(line, |piece| {
            let Some(entry) = piece.entry() else { return };
            let names = (entry.kind_name(), entry.id(), entry.time());
            assert!(!entry.kind.is_known() || names.0 == entry.kind.name(), "{names:?}");
            // Debug goes through every field of the typed body.
            assert!(!format!("{:?}", entry.body()).is_empty());
            checker.check(entry, &mut Walk);
        });
    }
}

/// Asks for the path of everything that a check finds.
struct Walk;

impl Findings for Walk {
    fn known(&mut self, trail: &FieldPath<'_>, value: Value<'_>) {
        self.unknown(trail, value);
    }

    fn unknown(&mut self, trail: &FieldPath<'_>, value: Value<'_>) {
        let _ = (trail.path(), value.kind(), value.text().map(|text| text.decode().len()));
    }

    fn wrong_type(&mut self, trail: &FieldPath<'_>, _: Types, value: Value<'_>) {
        self.unknown(trail, value);
    }

    fn doubled(&mut self, trail: &FieldPath<'_>) {
        let _ = trail.path();
    }
}

/// Folder names: every name is ASCII letters, digits and dashes, belongs to its path, and is cut where the rule cuts.
fn folder(bytes: &[u8]) {
    let path = String::from_utf8_lossy(bytes);
    for rule in FolderRule::ALL {
        let name = encode(&path, rule);
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{name}");
        assert!(!rule.cut || name.len() <= CUT + 1 + 6, "{name}");
        assert!(belongs(&name, &path), "{name}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_bears_awkward_inputs() {
        let deep = "[".repeat(5_000);
        let inputs: [&[u8]; 7] =
            [b"", b"\n", b"{", b"\xff\xfe{\"type\"", b"\0\0\0", b"{}{}\r\n\xef\xbb\xbf{", deep.as_bytes()];
        for (name, target) in TARGETS {
            for input in inputs {
                target(input);
            }
            assert!(find(name).is_some());
        }
    }
}
