//! The wire: lines become the messages of one API request.

use scrollback_format::kind::{AttachmentKind, Kind};

use super::ending;
use super::load::Load;
use super::outcome::{BlockSource, Made, Reason, Sender, SentBlock, SentMessage};
use super::part::{Bit, BitKind};
use super::rules::{Queued, StoredListing};
use crate::role::Role;
use crate::row::{MessageRef, RowIndex};
use crate::symbol::Symbol;

/// Something to be sent, before neighbours are merged.
struct Item {
    speaker: Sender,
    message: Option<MessageRef>,
    blocks: Vec<SentBlock>,
    /// It came beside a prompt and is sent before it.
    beside: bool,
    /// Keeps apart what stands before and after it, and is not sent itself.
    gap: bool,
}

/// The messages of a request.
pub(super) fn messages(load: &Load<'_>, made: &[Made], prompt_chars: usize) -> Vec<SentMessage> {
    let (rows, commands) = load.rows.split_at(ending::of_prompt(load));
    let mut items: Vec<Item> = rows.iter().filter_map(|row| item(load, *row)).collect();
    lift(&mut items);
    let mut open = load.open.iter();
    items.extend(made.iter().map(|made| made_up(load, *made, &mut open)));
    items.extend(commands.iter().filter_map(|row| item(load, *row)));
    let prompt = Bit { chars: u32::try_from(prompt_chars).unwrap_or(u32::MAX), ..words(false) };
    items.push(alone(Sender::User, prompt, BlockSource::Made(Made::Prompt)));
    let fenced = made.is_empty() && comes_after_error(load) && comes_with_reminder(load);
    merge(load, items, fenced)
}

/// An API error stands right before the new prompt. It is left out last, and so keeps what comes with the prompt behind it.
fn comes_after_error(load: &Load<'_>) -> bool {
    let is_error = |row: &RowIndex| load.left_out.get(row) == Some(&Reason::ApiError);
    let last = load.rows.iter().rev().find(|row| load.is_in(**row) || is_error(row));
    last.is_some_and(is_error)
}

/// The client tells the model something of its own with the new prompt: what changed, or what was never stored.
fn comes_with_reminder(load: &Load<'_>) -> bool {
    let stored = |kind| load.rows.iter().any(|row| load.kind(*row) == Kind::Attachment(kind));
    load.rules.repeats_instructions && stored(AttachmentKind::Instructions)
        || match load.rules.listing {
            StoredListing::Apart => false,
            StoredListing::Always => true,
            StoredListing::Unless(listing) => !stored(listing),
        }
}

fn words(blank: bool) -> Bit {
    Bit { kind: BitKind::Text, call: None, tool: None, is_error: false, blank, chars: 0 }
}

fn alone(speaker: Sender, bit: Bit, source: BlockSource) -> Item {
    let block = SentBlock { bit, source, reminder: false, newline: false };
    Item { speaker, message: None, blocks: vec![block], beside: false, gap: false }
}

fn item(load: &Load<'_>, row: RowIndex) -> Option<Item> {
    if !load.is_in(row) {
        let apart = load.rules.blank_keeps_apart && load.left_out.get(&row) == Some(&Reason::BlankText);
        return apart.then(|| Item {
            speaker: Sender::Assistant,
            message: None,
            blocks: Vec::new(),
            beside: false,
            gap: true,
        });
    }
    let kind = load.kind(row);
    let speaker = match kind {
        Kind::Assistant => Sender::Assistant,
        Kind::Attachment(AttachmentKind::QueuedCommand) if load.rules.queued == Queued::Reminder => {
            Sender::System
        }
        _ => Sender::User,
    };
    let beside = matches!(kind, Kind::Attachment(_));
    if kind == Kind::Attachment(AttachmentKind::QueuedCommand) {
        let bit = load.bits(row).first().copied()?;
        let parts = load.reading.parts[row as usize].told_in_parts;
        if parts > 0 && load.rules.queued == Queued::Text {
            let part = |at| SentBlock {
                bit,
                source: BlockSource::Rendered(row, at),
                reminder: true,
                newline: false,
            };
            let blocks = (0..parts).map(part).collect();
            return Some(Item { speaker: Sender::System, message: None, blocks, beside, gap: false });
        }
        let reminder = load.rules.queued == Queued::Reminder;
        let source = if reminder { BlockSource::Line(row, 0) } else { BlockSource::Rendered(row, 0) };
        let block = SentBlock { bit, source, reminder, newline: false };
        return Some(Item { speaker, message: None, blocks: vec![block], beside, gap: false });
    }
    if load.bits(row).is_empty() {
        return Some(Item {
            message: load.message(row),
            ..alone(speaker, words(false), BlockSource::Made(Made::NoContent(row)))
        });
    }
    let reminder = load.rules.wraps_notifications
        && load.role(row) == Role::Notification
        && load.reading.parts[row as usize].says_origin;
    let block = |(at, bit)| SentBlock { bit, source: BlockSource::Line(row, at), reminder, newline: false };
    let mut blocks: Vec<SentBlock> = load.left(row).map(block).collect();
    if load.rules.says_tool_loaded && load.reading.parts[row as usize].loads_tools {
        let source = BlockSource::Made(Made::ToolLoaded(row));
        blocks.push(SentBlock { bit: words(false), source, reminder: false, newline: false });
    }
    Some(Item { speaker, message: load.message(row), blocks, beside, gap: false })
}

fn made_up<'s>(load: &Load<'_>, made: Made, open: &mut impl Iterator<Item = &'s Symbol>) -> Item {
    let source = BlockSource::Made(made);
    match made {
        Made::NoResponse => alone(Sender::Assistant, words(false), source),
        Made::InterruptedCall => {
            let call = open.next().copied();
            let bit = Bit { kind: BitKind::ToolResult, call, is_error: true, ..words(false) };
            alone(Sender::User, bit, source)
        }
        Made::KilledTask(_) => {
            let mut item = alone(Sender::User, words(false), source);
            item.blocks[0].reminder = load.rules.wraps_notifications;
            item
        }
        Made::Continue | Made::Prompt | Made::NoContent(_) | Made::ToolLoaded(_) => {
            alone(Sender::User, words(false), source)
        }
    }
}

fn holds_result(item: &Item) -> bool {
    item.blocks.iter().any(|block| block.bit.kind == BitKind::ToolResult)
}

/// What came beside a prompt is sent before it: right after the answer or the result before.
fn lift(items: &mut Vec<Item>) {
    let mut lifted: Vec<Item> = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        if !item.beside {
            lifted.push(item);
            continue;
        }
        let stops = |before: &Item| {
            before.speaker != Sender::User || holds_result(before) || before.beside || before.gap
        };
        let at = lifted.iter().rposition(stops).map_or(0, |at| at + 1);
        lifted.insert(at, item);
    }
    *items = lifted;
}

/// Neighbours in the user's name become one message; lines of one answer too, though results stand between them.
fn merge(load: &Load<'_>, items: Vec<Item>, fenced: bool) -> Vec<SentMessage> {
    let mut sent: Vec<(SentMessage, Option<MessageRef>)> = Vec::new();
    let mut apart = false;
    for item in items {
        if item.gap {
            apart = true;
            continue;
        }
        let target = match item.speaker {
            Sender::User if !apart => sent.last_mut().filter(|(last, _)| last.speaker == Sender::User),
            Sender::Assistant => same_answer(&mut sent, item.message, load.rules.merges_over_results),
            _ => None,
        };
        apart = false;
        match target {
            Some((message, _)) => join(load, message, item.blocks, fenced),
            None => sent.push((SentMessage { speaker: item.speaker, blocks: item.blocks }, item.message)),
        }
    }
    sent.into_iter().map(|(message, _)| message).collect()
}

fn same_answer(
    sent: &mut [(SentMessage, Option<MessageRef>)],
    message: Option<MessageRef>,
    over_results: bool,
) -> Option<&mut (SentMessage, Option<MessageRef>)> {
    message?;
    for found in sent.iter_mut().rev() {
        let (before, of) = &*found;
        if before.speaker == Sender::Assistant && *of == message {
            return Some(found);
        }
        let is_result = before.speaker == Sender::User
            && before.blocks.iter().any(|block| block.bit.kind == BitKind::ToolResult);
        if !is_result || !over_results {
            return None;
        }
    }
    None
}

fn join(load: &Load<'_>, message: &mut SentMessage, blocks: Vec<SentBlock>, fenced: bool) {
    let is_text = |block: &SentBlock| block.bit.kind == BitKind::Text;
    // A reminder stands between the two, and is no text of the conversation.
    let fenced = fenced && blocks.iter().any(|block| block.source == BlockSource::Made(Made::Prompt));
    if load.rules.joins_with_newline
        && message.speaker == Sender::User
        && !fenced
        && blocks.first().is_some_and(is_text)
        && let Some(last) = message.blocks.last_mut().filter(|last| is_text(last))
    {
        last.newline = true;
    }
    let adds = |kind: BitKind| blocks.iter().any(|block| block.bit.kind == kind);
    let ends_with_call = message.blocks.last().is_some_and(|last| last.bit.kind == BitKind::ToolUse);
    let (adds_result, adds_call) = (adds(BitKind::ToolResult), adds(BitKind::ToolUse));
    message.blocks.extend(blocks);
    // Sorted only where something is out of order, since a message may have thousands of lines.
    match message.speaker {
        // Results come first in a message, as the API wants them.
        Sender::User if adds_result => {
            message.blocks.sort_by_key(|block| block.bit.kind != BitKind::ToolResult);
        }
        Sender::Assistant if load.rules.calls_come_last && (ends_with_call || adds_call) => {
            message.blocks.sort_by_key(|block| block.bit.kind == BitKind::ToolUse);
        }
        _ => {}
    }
}
