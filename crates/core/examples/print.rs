//! Prints a session: what was asked, answered and called, turn by turn. One turn at a time is in memory.
//!
//! ```sh
//! cargo run -p scrollback-core --example print -- ~/.claude/projects/-home-ada-orbit/1b2c….jsonl
//! ```

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use scrollback_core::session::item::ItemKind;
use scrollback_core::session::library::Library;
use scrollback_core::session::opened::Opened;
use scrollback_core::session::story::Story;

/// The thread that the client would continue; `n` is the n-th branch.
const LIVE: u64 = 0;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: print SESSION.jsonl")?;
    let opened = Opened::of(Library::of_file(&file)?, None, None)?;
    let story = Story::of(opened.source(), LIVE)?;
    let mut out = std::io::stdout().lock();
    for turn in story.turns(|_| true)? {
        for item in turn?.items {
            match item.what {
                ItemKind::Prompt { text, .. } => writeln!(out, "\n> {text}\n")?,
                ItemKind::Command { command, args } => writeln!(out, "\n> {command} {args}\n")?,
                ItemKind::Answer { text, .. } => writeln!(out, "{text}")?,
                ItemKind::Call(call) => writeln!(out, "* {} {}", call.tool, call.headline)?,
                _ => {}
            }
        }
    }
    Ok(())
}
