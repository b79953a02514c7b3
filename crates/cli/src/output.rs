//! Output: where lines go. A pager for long output on a terminal; a closed pipe is a reader who has seen enough.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use scrollback_app::document::{self, Document};

use crate::paint::harmless::harmless;
use crate::paint::{Canvas, StyledLine, paint};

/// Where a command writes.
pub struct Output {
    sink: Sink,
    canvas: Canvas,
    is_terminal: bool,
    /// The start of a character that stands at the end of what was written last.
    unfinished: Vec<u8>,
}

enum Sink {
    Stdout(BufWriter<io::Stdout>),
    Pager(Child, BufWriter<ChildStdin>),
    /// Lines that another painter takes.
    Kept(Vec<StyledLine>),
    /// Taken apart already.
    Closed,
}

impl Output {
    /// Standard output with this canvas.
    pub fn stdout(canvas: Canvas) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let sink = Sink::Stdout(BufWriter::with_capacity(64 << 10, io::stdout()));
        Self { sink, canvas, is_terminal, unfinished: Vec::new() }
    }

    /// Lines that are kept, for who paints them elsewhere.
    pub fn kept(canvas: Canvas) -> Self {
        Self { sink: Sink::Kept(Vec::new()), canvas, is_terminal: false, unfinished: Vec::new() }
    }

    /// The lines that were kept so far.
    pub fn take_kept(&mut self) -> Vec<StyledLine> {
        match &mut self.sink {
            Sink::Kept(lines) => std::mem::take(lines),
            _ => Vec::new(),
        }
    }

    /// Sends what follows through a pager, if this is a terminal and the pager starts.
    /// `less` then opens where these words stand first.
    pub fn page(&mut self, pager: Option<&str>, at: Option<&str>) {
        if !self.is_terminal {
            return;
        }
        let command = pager.unwrap_or("less");
        let mut words = command.split_whitespace();
        let Some(program) = words.next() else { return };
        let mut child = Command::new(program);
        child.args(words).stdin(Stdio::piped());
        if program.ends_with("less") && command == program {
            // Quit if it fits, keep colours, leave the screen as it is.
            child.args(["-F", "-R", "-X"]);
            if let Some(words) = at {
                // A few lines from the top, so that what leads there is seen too.
                child.args(["-j4", &format!("+/{words}")]);
            }
        }
        if let Ok(mut child) = child.spawn()
            && let Some(stdin) = child.stdin.take()
        {
            self.sink = Sink::Pager(child, BufWriter::new(stdin));
        }
    }

    /// What is painted on.
    pub fn canvas(&self) -> Canvas {
        self.canvas
    }

    /// The width to fit tables to: the terminal's, or none in a pipe, where nothing may be lost.
    pub fn fit(&self) -> Option<usize> {
        self.is_terminal.then_some(self.canvas.width)
    }

    /// Is it a terminal?
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Lets everything out that was written so far.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(out) => out.flush(),
            Sink::Pager(_, out) => out.flush(),
            Sink::Kept(_) | Sink::Closed => Ok(()),
        }
    }

    /// Writes lines.
    pub fn lines(&mut self, lines: &[StyledLine]) -> io::Result<()> {
        if let Sink::Kept(kept) = &mut self.sink {
            kept.extend_from_slice(lines);
            return Ok(());
        }
        let text = paint(lines, self.canvas.theme);
        self.bytes(text.as_bytes())
    }

    /// Writes one line.
    pub fn line(&mut self, line: StyledLine) -> io::Result<()> {
        self.lines(&[line])
    }

    /// Writes an empty line.
    pub fn gap(&mut self) -> io::Result<()> {
        self.line(StyledLine::empty())
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(out) => out.write_all(bytes),
            Sink::Pager(_, out) => out.write_all(bytes),
            Sink::Kept(_) | Sink::Closed => Ok(()),
        }
    }

    /// Writes what stands in files of a store: as it is, except to a terminal, which would obey what is in it. Parts of a file
    /// may be cut anywhere.
    pub fn untrusted(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.is_terminal {
            return self.bytes(bytes);
        }
        let mut part = std::mem::take(&mut self.unfinished);
        part.extend_from_slice(bytes);
        self.unfinished = part.split_off(part.len() - unfinished(&part));
        self.bytes(harmless(&String::from_utf8_lossy(&part)).as_bytes())
    }

    /// Writes a document as JSON.
    pub fn document<D: Document>(&mut self, document: &D) -> io::Result<()> {
        document::write(self, document)
    }

    /// Writes a value as JSON, indented for people and in one piece for programs alike.
    pub fn json(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(value).map_err(io::Error::other)?;
        text.push(b'\n');
        self.bytes(&text)
    }

    /// Writes a value as JSON on one line, for lists that have no end.
    pub fn json_line(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(value).map_err(io::Error::other)?;
        text.push(b'\n');
        self.bytes(&text)
    }

    /// Flushes, and waits for the pager to be closed.
    pub fn finish(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.unfinished);
        self.bytes(String::from_utf8_lossy(&rest).as_bytes())?;
        match std::mem::replace(&mut self.sink, Sink::Closed) {
            Sink::Stdout(mut out) => out.flush(),
            Sink::Pager(mut child, mut out) => {
                let flushed = out.flush();
                drop(out);
                child.wait()?;
                flushed
            }
            Sink::Kept(_) | Sink::Closed => Ok(()),
        }
    }
}

/// How many bytes at the end are the start of a character whose rest is still to come.
fn unfinished(bytes: &[u8]) -> usize {
    let length = |first: u8| match first {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => 1,
    };
    let first = bytes.iter().rev().take(3).position(|byte| byte & 0xC0 != 0x80);
    let Some((back, first)) = first.and_then(|at| Some((at + 1, bytes.get(bytes.len() - at - 1)?))) else {
        return 0;
    };
    if length(*first) > back { back } else { 0 }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::flush(self)
    }
}

#[cfg(test)]
mod tests {
    use super::unfinished;

    #[test]
    fn a_cut_character_waits_for_its_rest() {
        let text = "aé€😀";
        for cut in 0..=text.len() {
            let start = (0..=cut).rev().find(|&at| text.is_char_boundary(at)).unwrap();
            assert_eq!(unfinished(&text.as_bytes()[..cut]), cut - start, "{cut}");
        }
        assert_eq!(unfinished(b"\x80\x80\x80\x80"), 0, "what is no text waits for nothing");
    }
}
