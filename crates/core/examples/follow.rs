//! Follows a session file as it grows: one row an entry, and what is odd about a line.
//!
//! ```sh
//! cargo run -p scrollback-core --example follow -- ~/.claude/projects/-home-ada-orbit/1b2c….jsonl
//! ```

use std::error::Error;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use scrollback_core::format::line::Ending;
use scrollback_core::format::piece::Parser;
use scrollback_core::store::{Chunk, LineReader, Start};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: follow SESSION.jsonl")?;
    let (mut reader, mut parser, mut from) = (LineReader::new(), Parser::new(), Start::default());
    loop {
        let mut rows = Vec::new();
        let end = reader.read(&file, from, |chunk| {
            match chunk {
                // The client is still writing it: the next look has it whole.
                Chunk::Line(line) if line.ending == Ending::None => {}
                Chunk::Line(line) => parser.each(line, |piece| {
                    for problem in piece.problems {
                        rows.push(format!("{:>6}  ! {}", piece.line, problem.class.meaning()));
                    }
                    if let Some(entry) = piece.entry() {
                        let time = entry.time().map(|time| time.to_string()).unwrap_or_default();
                        rows.push(format!("{:>6}  {time:24}  {}", piece.line, entry.kind_name()));
                    }
                }),
                Chunk::Oversize(part) => {
                    rows.push(format!("{:>6}  … {} bytes", part.number, part.bytes.len()));
                }
            }
            ControlFlow::Continue(())
        })?;
        from = end.resume;
        let mut out = std::io::stdout().lock();
        rows.iter().try_for_each(|row| writeln!(out, "{row}"))?;
        std::thread::sleep(Duration::from_millis(250));
    }
}
