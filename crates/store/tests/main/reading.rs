//! Reading gives back every byte, whatever the file holds, and tails add up to the whole.

use std::ops::ControlFlow;
use std::path::Path;

use proptest::prelude::*;
use scrollback_format::line::{Ending, MAX_LINE, split};
use scrollback_store::{Chunk, LineReader, ReadEnd, ReadPart, Start, large};

type Lines = Vec<(u64, u64, Vec<u8>, Ending)>;

fn read(path: &Path, from: Start) -> (Lines, ReadEnd) {
    let mut lines = Vec::new();
    let end = LineReader::new()
        .read(path, from, |chunk| {
            if let Chunk::Line(line) = chunk {
                lines.push((line.number, line.offset, line.bytes.to_vec(), line.ending));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    (lines, end)
}

fn glue(lines: &Lines) -> Vec<u8> {
    lines.iter().flat_map(|(_, _, bytes, ending)| [bytes.as_slice(), ending.bytes()].concat()).collect()
}

/// The same lines from reading by blocks, each block whole lines; and how long the oversize parts are.
fn read_blocks(path: &Path) -> (Lines, u64, ReadEnd) {
    let (mut lines, mut oversize) = (Vec::new(), 0);
    let end = LineReader::new()
        .read_blocks(path, |part| {
            match part {
                ReadPart::Block(block) => lines.extend(split(block.bytes).map(|line| {
                    let offset = block.offset + line.offset;
                    (block.before + line.number, offset, line.bytes.to_vec(), line.ending)
                })),
                ReadPart::Oversize(part) => oversize += part.bytes.len() as u64,
                ReadPart::Pause => {}
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    (lines, oversize, end)
}

proptest! {
    #[test]
    fn blocks_hold_the_same_lines(
        lines in prop::collection::vec((0..200_000_usize, 1..40_usize), 0..12),
        ended: bool,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.jsonl");
        // A long line now and then, and many short ones, so that blocks end everywhere.
        let mut bytes = Vec::new();
        for (long, short) in &lines {
            bytes.extend(vec![b'x'; *long]);
            bytes.extend(b"\nyy\r\n\n".repeat(*short));
        }
        bytes.extend(if ended { b"".as_slice() } else { b"end" });
        std::fs::write(&path, &bytes).unwrap();
        let (by_line, end) = read(&path, Start::default());
        let (by_block, oversize, block_end) = read_blocks(&path);
        prop_assert!(by_line == by_block);
        prop_assert_eq!((end, oversize), (block_end, 0));
    }

    #[test]
    fn any_bytes_come_back(bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(0), any::<u8>()], 0..3000)) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.jsonl");
        std::fs::write(&path, &bytes).unwrap();
        let (lines, end) = read(&path, Start::default());
        prop_assert_eq!(&glue(&lines), &bytes);
        prop_assert_eq!(end.offset, bytes.len() as u64);
        prop_assert_eq!(end.lines, lines.len() as u64);
    }

    #[test]
    fn a_tail_read_later_equals_the_whole(bytes in prop::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n')], 0..500), cut in 0..500_usize) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.jsonl");
        let cut = cut.min(bytes.len());
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let (mut first, end) = read(&path, Start::default());
        std::fs::write(&path, &bytes).unwrap();
        // The last line without an ending is read again: it may have been finished meanwhile.
        first.truncate(end.resume.lines as usize);
        let (second, _) = read(&path, end.resume);
        first.extend(second);
        prop_assert_eq!(first, read(&path, Start::default()).0);
    }
}

#[test]
fn lines_longer_than_the_buffer_are_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    let mut bytes = b"short\n".to_vec();
    bytes.extend(vec![b'x'; 25 << 20]);
    bytes.extend(b"\nlast");
    std::fs::write(&path, &bytes).unwrap();
    let (lines, end) = read(&path, Start::default());
    assert_eq!(lines.iter().map(|line| line.2.len()).collect::<Vec<_>>(), [5, 25 << 20, 4]);
    assert_eq!(end.resume, Start { offset: bytes.len() as u64 - 4, lines: 2 });
}

#[test]
fn a_line_above_the_limit_is_passed_through_in_parts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    let mut bytes = b"first\n".to_vec();
    bytes.extend(vec![b'y'; MAX_LINE + (3 << 20)]);
    bytes.extend(b"\nlast\n");
    std::fs::write(&path, &bytes).unwrap();
    let (mut total, mut lines, mut firsts) = (0, 0, 0);
    let end = LineReader::new()
        .read(&path, Start::default(), |chunk| {
            match chunk {
                Chunk::Line(line) => {
                    lines += 1;
                    total += line.bytes.len() + line.ending.bytes().len();
                }
                Chunk::Oversize(part) => {
                    assert_eq!(part.number, 2);
                    firsts += usize::from(part.first);
                    total += part.bytes.len();
                }
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((total, lines, firsts), (bytes.len(), 2, 1));
    assert_eq!(end.lines, 3);
    let (lines, oversize, block_end) = read_blocks(&path);
    assert_eq!((glue(&lines).as_slice(), oversize), (b"first\nlast\n".as_slice(), bytes.len() as u64 - 11));
    assert_eq!(block_end, end);
}

/// Runs a job that may hang without the property that it tests, and fails if it does.
fn in_time<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, wait) = std::sync::mpsc::channel();
    std::thread::spawn(move || done.send(job()));
    let over = wait.recv_timeout(std::time::Duration::from_secs(60));
    assert!(over.is_ok(), "it is over in time");
    over.unwrap()
}

fn long_lines(dir: &Path) -> std::path::PathBuf {
    let path = dir.join("long.jsonl");
    let bytes = [1, 3, 3, 9, 5, 5, 0, 2].map(|mb| [vec![b'x'; mb << 20], b"\n".to_vec()].concat()).concat();
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_visitor_of_long_lines_may_read_them_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = long_lines(dir.path());
    let seen = in_time(move || {
        let (mut outer, mut inner) = (0, 0);
        let mut again = LineReader::new();
        LineReader::new()
            .read_blocks(&path, |part| {
                if let ReadPart::Block(block) = part {
                    outer += block.bytes.len();
                    let count = |chunk: Chunk<'_>| {
                        inner += u64::from(matches!(chunk, Chunk::Line(_)));
                        ControlFlow::Continue(())
                    };
                    again.read(&path, Start::default(), count).unwrap();
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        (outer, inner % 8)
    });
    assert_eq!(seen, ((28 << 20) + 8, 0));
}

#[test]
fn a_reader_lets_go_of_a_long_line_before_it_reads_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let path = long_lines(dir.path());
    let pauses = in_time(move || {
        let mut pauses = Vec::new();
        let mut lines = 0;
        let visit = |part: ReadPart<'_>| {
            match part {
                ReadPart::Block(block) => lines = block.before + split(block.bytes).count() as u64,
                ReadPart::Oversize(_) => panic!("no line is as long"),
                ReadPart::Pause => {
                    assert!(!large::is_held());
                    // Another thread may hold one now.
                    let path = path.clone();
                    if pauses.last() != Some(&lines) {
                        let other = std::thread::spawn(move || read(&path, Start::default()).1.lines);
                        assert_eq!(other.join().unwrap(), 8);
                        pauses.push(lines);
                    }
                }
            }
            ControlFlow::Continue(())
        };
        LineReader::new().read_blocks(&path, visit).unwrap();
        pauses
    });
    // The empty line comes with the one before it.
    assert_eq!(pauses, [0, 1, 2, 3, 4, 5, 7, 8]);
}

#[test]
fn what_is_longer_than_any_line_is_let_go_of_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    std::fs::write(&path, [vec![b'x'; MAX_LINE + (20 << 20)], b"\ny\n".to_vec()].concat()).unwrap();
    let (mut longest, mut bytes, mut pauses) = (0, 0, 0);
    let visit = |part: ReadPart<'_>| {
        match part {
            ReadPart::Oversize(part) => {
                bytes += part.bytes.len();
                longest = longest.max(if part.first { 0 } else { part.bytes.len() });
            }
            ReadPart::Pause => pauses += u64::from(bytes > 0),
            ReadPart::Block(block) => assert_eq!((block.before, block.bytes), (1, &b"y\n"[..])),
        }
        ControlFlow::Continue(())
    };
    let end = LineReader::new().read_blocks(&path, visit).unwrap();
    assert_eq!((bytes, end.lines), (MAX_LINE + (20 << 20) + 1, 2));
    assert!(longest < 1 << 20 && pauses > 20, "{longest} bytes at once, {pauses} pauses");
}
