//! Neighbours: the entries before and after a match, in short.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use scrollback_format::line::Line;
use scrollback_format::piece::{Piece, PieceKind};

use super::text::{self, CallContext, PlaceText};
use super::view::{GrepEntry, GrepHit, GrepNeighbour};

/// How much of a text is shown, in bytes.
const SHORT: usize = 400;

/// Where a line is.
#[derive(Debug, Clone, Copy)]
pub struct LinePlace {
    /// Its number.
    pub number: u64,
    /// Its first byte.
    pub offset: u64,
    /// How long it is, without its ending.
    pub len: usize,
}

/// Keeps track of what stands around matches while a file is read from its start.
#[derive(Debug, Default)]
pub struct Neighbours {
    before: usize,
    after: usize,
    recent: VecDeque<LinePlace>,
    /// The last line that was told.
    told: u64,
    /// The last match, while entries after it are wanted.
    pending: Option<Box<GrepHit>>,
}

impl Neighbours {
    /// Entries before and after each match.
    pub fn new(before: usize, after: usize) -> Self {
        Self { before, after, ..Self::default() }
    }

    /// Are any wanted?
    pub fn is_wanted(&self) -> bool {
        self.before > 0 || self.after > 0
    }

    /// The lines before a match that were not told yet.
    pub fn untold(&self) -> Vec<LinePlace> {
        self.recent.iter().filter(|line| line.number > self.told).copied().collect()
    }

    /// Takes a match and gives the one before it, of which all is known now.
    pub fn hit(&mut self, hit: Box<GrepHit>) -> Option<Box<GrepHit>> {
        self.told = self.told.max(hit.entry.line);
        self.pending.replace(hit)
    }

    /// Is a line after the last match wanted?
    pub fn wants(&self, number: u64) -> bool {
        number > self.told && self.pending.as_ref().is_some_and(|hit| hit.after.len() < self.after)
    }

    /// Takes a line after the last match.
    pub fn follow(&mut self, neighbour: GrepNeighbour) {
        self.told = neighbour.entry.line;
        if let Some(hit) = &mut self.pending {
            hit.after.push(neighbour);
        }
    }

    /// A line was read.
    pub fn pass(&mut self, line: &Line<'_>) {
        if self.before == 0 || line.bytes.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        if self.recent.len() == self.before {
            self.recent.pop_front();
        }
        let place = LinePlace { number: line.number, offset: line.offset, len: line.bytes.len() };
        self.recent.push_back(place);
    }

    /// The last match, if nothing more is wanted after it, or if the file is at its end.
    pub fn finished(&mut self, at_end: bool) -> Option<Box<GrepHit>> {
        let is_full = self.pending.as_ref().is_some_and(|hit| hit.after.len() >= self.after);
        if at_end || is_full { self.pending.take() } else { None }
    }
}

/// A piece in short; nothing for blanks. `tool` tells the name of a call's tool.
pub fn short(
    piece: &Piece<'_>,
    tool: impl FnOnce(CallContext<'_>) -> Option<String>,
) -> Option<GrepNeighbour> {
    match &piece.kind {
        PieceKind::Blank | PieceKind::ByteOrderMark => None,
        PieceKind::Entry(entry) => {
            let mut first = None;
            text::each(entry, |place, words| {
                let text = match words {
                    PlaceText::Text(text) => text.head(SHORT),
                    PlaceText::Raw(bytes) => String::from_utf8_lossy(&bytes[..bytes.len().min(SHORT)]),
                };
                // A call's name is told beside it.
                let is_name = matches!(place.call, Some(CallContext::Of(name)) if name.raw() == words.raw());
                if is_name || text.trim().is_empty() {
                    return ControlFlow::Continue(());
                }
                first = Some((place.speaker, place.call, text.into_owned()));
                ControlFlow::Break(())
            });
            let mut about = GrepEntry::of(piece, entry);
            let mut text = String::new();
            if let Some((speaker, call, words)) = first {
                about.role = speaker.name();
                about.tool = call.and_then(tool);
                text = words;
            }
            Some(GrepNeighbour { entry: about, text })
        }
        _ => {
            let bytes = &piece.bytes[..piece.bytes.len().min(SHORT)];
            let text = String::from_utf8_lossy(bytes).into_owned();
            Some(GrepNeighbour { entry: GrepEntry::damaged(piece), text })
        }
    }
}
