//! What hostile lines cost, in steps.

use super::Parser;
use crate::cost::steps_of;
use crate::line;

const WHOLE: &str = r#"{"type":"mode","mode":"normal","sessionId":"s"}"#;
const DEEP_OBJECT: &str = r#"{"type":"user","a":"#;

/// Lines that want more than one look at each byte, of about `len` bytes.
fn hostile(len: usize) -> Vec<(String, Vec<u8>)> {
    let units: &[&[u8]] = &[
        b"{",
        b"[",
        b"}",
        b"]",
        b"\"",
        b"\\",
        b" ",
        b"1 ",
        b"[]",
        b"{}",
        b"{} ",
        b"{\"\":",
        b"{\"",
        b"{\"a\"",
        b"{\"a\":[",
        b"{\"a\":{\"",
        b"{\"a\":1}",
        b"{\"a\":1}\0",
        b"{\"a\":1}\x01",
        b"{\"a\":\"\x01\"}",
        b"\0",
        b"\0 ",
        b"x\0",
        b"x\0{\"",
        b"{\"a\":\0",
        b"\x01",
        b"\xff",
        b"\\ud83d",
        b"\"\\ud83d\"",
        b"{\"a\":\"\\ud83d\"}",
        b"{\"a\":\"\\\\",
        b"{\"type\":\"mode\"},",
        b"{\"type\":\"mode\"}",
        b"{\"type\":\"mode\"}x",
        b"{\"type\":\"mo{\"type\":\"mode\"}",
        b"{\"a\":1,",
        b"[1,",
        b"\"a\",",
        b"true",
        b"-",
        b"0",
        b"1e",
    ];
    let mut lines = Vec::new();
    for unit in units {
        let many = unit.repeat(len / unit.len());
        let name = String::from_utf8_lossy(unit).escape_debug().to_string();
        // Alone; open and never closed; with a whole object, or a control character, at the very end.
        for (before, after) in [("", ""), (DEEP_OBJECT, ""), ("{\"a\":\"", ""), ("", WHOLE), ("", "\u{1}")] {
            let line = [before.as_bytes(), &many, after.as_bytes()].concat();
            lines.push((format!("{before}{name}…{}", after.escape_debug()), line));
        }
    }
    let nested = |open: &str, close: &str| {
        let times = len / (open.len() + close.len());
        [open.repeat(times), close.repeat(times)].concat().into_bytes()
    };
    lines.push(("nested lists".into(), nested("[", "]")));
    lines.push(("nested objects".into(), nested("{\"a\":", "}")));
    lines.push(("nested objects, with a break".into(), [nested("{\"a\":", "}"), b"!".to_vec()].concat()));
    lines
}

fn steps(line: &[u8]) -> u64 {
    let mut parser = Parser::new();
    steps_of(|| line::split(line).for_each(|line| parser.each(line, |_| ())))
}

#[test]
fn hostile_lines_cost_no_more_than_their_length() {
    let (short, long) = (hostile(20_000), hostile(40_000));
    for ((name, short), (_, long)) in short.iter().zip(&long) {
        let (once, twice) = (steps(short), steps(long));
        assert!(once >= short.len() as u64, "{name}: {once} steps were counted for {} bytes", short.len());
        // Eight times in search of whole objects, twice where strings are looked through for control characters.
        assert!(once <= 24 * short.len() as u64, "{name}: {once} steps for {} bytes", short.len());
        assert!(twice * 10 <= once * 22, "{name}: {once} steps, for twice the bytes {twice}");
    }
}

#[test]
fn memory_is_bounded_whatever_a_line_holds() {
    let most = 24 << 20;
    // One of each five, which differ in their ends alone.
    for (name, line) in hostile(5 << 19).into_iter().step_by(5) {
        let mut parser = Parser::new();
        line::split(&line).for_each(|line| parser.each(line, |_| ()));
        let held = parser.tape.held() + parser.problems.capacity() * size_of::<super::Problem>();
        assert!(held <= most, "{name}: {held} bytes");
    }
}
