//! Resuming: the command that does it, and what a client would then send, with the words, the losses and the size.
//!
//! The rules are `model::resume`'s; here lines are read, texts attached and tokens estimated. A session is a file, or
//! bytes in memory, so that an edit can be previewed before it is written. Nothing is sent, and nothing is started.

pub mod command;
pub mod compare;
mod estimate;
pub mod view;
mod words;

use std::ops::ControlFlow;
use std::path::Path;

use scrollback_format::entry::{Dialect, Entry};
use scrollback_format::generation::Generation;
use scrollback_format::json::Tape;
use scrollback_model::resume::outcome::{BlockSource, Made, Resumed, SentBlock, SentMessage};
use scrollback_model::resume::part::BitKind;
use scrollback_model::resume::reading::{ClientReading, Reader};
use scrollback_model::resume::{self, ResumeInput};
use scrollback_model::row::RowIndex;
use scrollback_store::small::Spans;
use scrollback_store::{Chunk, LineReader, Start};

use crate::error::AppError;
use view::{BlockView, MessageView, ResumeView};

/// What the client is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The client.
    pub generation: Generation,
    /// The model that continues; that of the last answer if none is given.
    pub model: Option<String>,
    /// The new prompt.
    pub prompt: String,
    /// How many characters of each text are kept; all if none.
    pub head: Option<usize>,
    /// Estimate tokens by characters alone: what an edit leaves is never what the API counted.
    pub by_characters: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            generation: Generation::NEWEST,
            model: None,
            prompt: "…".to_owned(),
            head: None,
            by_characters: false,
        }
    }
}

/// What a client makes of a session file.
pub fn of_file(path: &Path, options: &Options) -> Result<ResumeView, AppError> {
    let mut reader = Reader::new(options.generation);
    LineReader::new().read(path, Start::default(), |chunk| {
        match chunk {
            Chunk::Line(line) => reader.line(line),
            Chunk::Oversize(part) if part.first => reader.too_long(part.number),
            Chunk::Oversize(_) => {}
        }
        ControlFlow::Continue(())
    })?;
    view(&reader.finish(), options, &mut Spans::open(path)?)
}

/// What a client would make of a session file with these bytes.
pub fn of_bytes(bytes: &[u8], options: &Options) -> Result<ResumeView, AppError> {
    view(&ClientReading::of(bytes, options.generation), options, &mut &*bytes)
}

/// Where lines are read again for their texts.
trait Lines {
    fn line(&mut self, offset: u64, len: usize) -> Result<&[u8], AppError>;
}

impl Lines for &[u8] {
    fn line(&mut self, offset: u64, len: usize) -> Result<&[u8], AppError> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        Ok(self.get(from..from.saturating_add(len)).unwrap_or_default())
    }
}

impl Lines for Spans<'_> {
    fn line(&mut self, offset: u64, len: usize) -> Result<&[u8], AppError> {
        Ok(self.read(offset, len)?)
    }
}

fn view(reading: &ClientReading, options: &Options, lines: &mut impl Lines) -> Result<ResumeView, AppError> {
    let asked = ResumeInput { model: options.model.as_deref(), prompt: &options.prompt };
    let resumed = resume::resume(reading, &asked);
    let mut teller = MessageViewer { reading, options, lines, tape: Tape::new() };
    let messages =
        resumed.messages.iter().map(|message| teller.message(message)).collect::<Result<_, _>>()?;
    Ok(ResumeView::of(
        reading,
        &resumed,
        messages,
        estimate::tokens(reading, &resumed, options.by_characters),
    ))
}

struct MessageViewer<'t, L> {
    reading: &'t ClientReading,
    options: &'t Options,
    lines: &'t mut L,
    tape: Tape,
}

impl<L: Lines> MessageViewer<'_, L> {
    fn message(&mut self, message: &SentMessage) -> Result<MessageView, AppError> {
        let content = message.blocks.iter().map(|block| self.block(block)).collect::<Result<Vec<_>, _>>()?;
        let mut lines: Vec<u64> = content.iter().filter_map(|block| block.line).collect();
        lines.dedup();
        Ok(MessageView { role: message.speaker, content, lines, synthetic: message.is_synthetic() })
    }

    fn block(&mut self, block: &SentBlock) -> Result<BlockView, AppError> {
        let symbol = |symbol: Option<_>| symbol.map(|symbol| self.reading.symbols.text(symbol).to_owned());
        let (call, name) = (symbol(block.bit.call), symbol(block.bit.tool));
        let row = block.source.row();
        let (id, tool_use_id) = match block.bit.kind {
            BitKind::ToolResult => (None, call),
            _ => (call, None),
        };
        Ok(BlockView {
            kind: block.bit.kind,
            text: self.text(block)?,
            id,
            name,
            tool_use_id,
            is_error: (block.bit.kind == BitKind::ToolResult).then_some(block.bit.is_error),
            line: row.map(|row| u64::from(self.reading.transcript.row(row).line)),
            block: match block.source {
                BlockSource::Line(_, at) => Some(at),
                _ => None,
            },
            made_up: match block.source {
                BlockSource::Made(made) => Some(view::made_up(made)),
                _ => None,
            },
            reminder: block.reminder,
        })
    }

    /// The text of a block that has one, with what is put after it.
    fn text(&mut self, block: &SentBlock) -> Result<Option<String>, AppError> {
        if !matches!(block.bit.kind, BitKind::Text | BitKind::Thinking | BitKind::ToolResult) {
            return Ok(None);
        }
        let prompt = &self.options.prompt;
        let mut text = match block.source {
            BlockSource::Made(made @ Made::KilledTask(row)) => {
                self.entry(row, |entry| words::made(made, prompt, Some(entry)))?
            }
            BlockSource::Made(made) => words::made(made, prompt, None),
            source @ (BlockSource::Line(row, _) | BlockSource::Rendered(row, _)) => {
                self.entry(row, |entry| words::stored(source, entry))?
            }
        };
        if block.newline {
            text.push('\n');
        }
        if let Some((end, _)) = self.options.head.and_then(|head| text.char_indices().nth(head)) {
            text.truncate(end);
        }
        Ok(Some(text))
    }

    fn entry(&mut self, row: RowIndex, tell: impl Fn(&Entry<'_>) -> String) -> Result<String, AppError> {
        let row = self.reading.transcript.row(row);
        let bytes = self.lines.line(row.offset, row.len as usize)?;
        // A file that was changed under us no longer has the line.
        let root = self.tape.scan(bytes).ok().and_then(|_| self.tape.root(bytes));
        Ok(root.map(|root| tell(&Entry::of(root, Dialect::Session))).unwrap_or_default())
    }
}

/// The rows that a message comes from; none where it was made up for a line without being one.
fn sources(resumed: &Resumed) -> impl DoubleEndedIterator<Item = (&SentBlock, RowIndex)> {
    let blocks = resumed.messages.iter().flat_map(|message| &message.blocks);
    blocks.filter_map(|block| match block.source {
        BlockSource::Line(row, _) | BlockSource::Rendered(row, _) => Some((block, row)),
        BlockSource::Made(_) => None,
    })
}
