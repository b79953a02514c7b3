//! Lines of a block: those that may match, found without taking the others apart.

use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter, memrchr};
use scrollback_format::line::{Line, split};
use scrollback_store::LineBlock;

use super::sieve::Sieve;

/// Gives each line that may match to `visit`, until it says stop. Without a sieve any line may.
pub fn each_candidate<'b>(
    block: &LineBlock<'b>,
    sieve: Option<&Sieve>,
    mut visit: impl FnMut(Line<'b>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(sieve) = sieve else {
        return split(block.bytes).try_for_each(|line| visit(placed(block, line)));
    };
    let mut places = sieve.places(block.bytes);
    let (mut from, mut number) = (0, block.before);
    while let Some(at) = places.after(from) {
        let start = memrchr(b'\n', &block.bytes[from..at]).map_or(from, |newline| from + newline + 1);
        number += memchr_iter(b'\n', &block.bytes[from..start]).count() as u64 + 1;
        let newline = memchr(b'\n', &block.bytes[at..]).map(|newline| at + newline);
        let end = newline.unwrap_or(block.bytes.len());
        let offset = block.offset + start as u64;
        visit(Line::new(number, offset, &block.bytes[start..end], newline.is_some()))?;
        from = end + 1;
        if from >= block.bytes.len() {
            break;
        }
    }
    ControlFlow::Continue(())
}

/// Gives every line to `visit`, with whether it may match.
pub fn each_line<'b>(
    block: &LineBlock<'b>,
    sieve: Option<&Sieve>,
    mut visit: impl FnMut(Line<'b>, bool) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut places = sieve.map(|sieve| sieve.places(block.bytes));
    let mut from = 0;
    for line in split(block.bytes) {
        let end = from + line.bytes.len() + line.ending.bytes().len();
        let may_match = match &mut places {
            Some(places) => places.after(from).is_some_and(|at| at < end),
            None => true,
        };
        from = end;
        visit(placed(block, line), may_match)?;
    }
    ControlFlow::Continue(())
}

/// A line of a block as a line of its file.
fn placed<'b>(block: &LineBlock<'_>, line: Line<'b>) -> Line<'b> {
    Line { number: block.before + line.number, offset: block.offset + line.offset, ..line }
}
