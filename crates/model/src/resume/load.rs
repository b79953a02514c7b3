//! Loading: which lines of a chain, and which of their blocks, a client lets through.

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::kind::{AttachmentKind, Kind, SystemKind};

use super::outcome::{Reason, Snag};
use super::part::{Bit, BitKind};
use super::reading::ClientReading;
use super::rules::{OpenCall, Parallel, Queued, Rules, Thinking};
use crate::role::Role;
use crate::row::{MessageRef, RowIndex};
use crate::symbol::Symbol;

/// The lines of a conversation, and what is left of each.
pub(super) struct Load<'r> {
    pub(super) reading: &'r ClientReading,
    pub(super) rules: &'r Rules,
    /// Lines, first to last, those that are left out included.
    pub(super) rows: Vec<RowIndex>,
    /// Lines that are left out whole.
    pub(super) left_out: FxHashMap<RowIndex, Reason>,
    /// Blocks that are left out.
    pub(super) lost: FxHashMap<(RowIndex, u32), Reason>,
    /// Calls at the very end that have no result and are to get one.
    pub(super) open: Vec<Symbol>,
}

impl<'r> Load<'r> {
    pub(super) fn of(reading: &'r ClientReading, rules: &'r Rules, rows: Vec<RowIndex>) -> Self {
        let (left_out, lost) = (FxHashMap::default(), FxHashMap::default());
        Self { reading, rules, rows, left_out, lost, open: Vec::new() }
    }

    /// Leaves out all that this client leaves out. `model` is the one that goes on.
    pub(super) fn sift(&mut self, model: Option<Symbol>) -> Result<(), Snag> {
        self.silent();
        self.orphans();
        self.thinking_of_others(model)?;
        self.settle();
        self.blank();
        self.lone_thinking();
        self.empty();
        Ok(())
    }

    pub(super) fn kind(&self, row: RowIndex) -> Kind {
        self.reading.transcript.row(row).kind
    }

    pub(super) fn role(&self, row: RowIndex) -> Role {
        self.reading.transcript.row(row).role
    }

    pub(super) fn message(&self, row: RowIndex) -> Option<MessageRef> {
        self.reading.transcript.row(row).message
    }

    pub(super) fn bits(&self, row: RowIndex) -> &'r [Bit] {
        &self.reading.parts[row as usize].bits
    }

    /// The blocks of a row that are still in, with their numbers.
    pub(super) fn left(&self, row: RowIndex) -> impl Iterator<Item = (u32, Bit)> {
        let bits = self.bits(row).iter().zip(0..);
        bits.filter(move |(_, at)| !self.lost.contains_key(&(row, *at))).map(|(bit, at)| (at, *bit))
    }

    pub(super) fn is_in(&self, row: RowIndex) -> bool {
        !self.left_out.contains_key(&row)
    }

    fn answers(&self) -> Vec<RowIndex> {
        let is_answer = |row: &RowIndex| self.kind(*row) == Kind::Assistant && self.is_in(*row);
        self.rows.iter().copied().filter(is_answer).collect()
    }

    /// Lines that say nothing to the model.
    fn silent(&mut self) {
        for &row in &self.rows {
            let reason = match self.kind(row) {
                Kind::User | Kind::Assistant => continue,
                Kind::System(Some(SystemKind::LocalCommand)) if self.rules.sends_local_commands => continue,
                Kind::Attachment(_) if !self.rules.sends_attachments => Reason::Attachment,
                Kind::Attachment(AttachmentKind::QueuedCommand) if self.rules.queued != Queued::Lost => {
                    continue;
                }
                Kind::Attachment(AttachmentKind::File) if !self.bits(row).is_empty() => continue,
                Kind::Attachment(_) => Reason::Reminder,
                _ => Reason::Remark,
            };
            self.left_out.insert(row, reason);
        }
    }

    /// Calls without results, and results without calls.
    fn orphans(&mut self) {
        let of_kind = |rows: &[RowIndex], kind: BitKind| -> FxHashSet<Symbol> {
            let bits = rows.iter().flat_map(|row| self.bits(*row));
            bits.filter(|bit| bit.kind == kind).filter_map(|bit| bit.call).collect()
        };
        let made = of_kind(&self.rows, BitKind::ToolUse);
        let answered = of_kind(&self.rows, BitKind::ToolResult);
        let everywhere: Vec<RowIndex> = (0..self.reading.parts.len() as RowIndex).collect();
        let answered_elsewhere = of_kind(&everywhere, BitKind::ToolResult);
        let tail = self.tail();
        for (at, &row) in self.rows.iter().enumerate() {
            for (bit, number) in self.bits(row).iter().zip(0..) {
                let Some(call) = bit.call else { continue };
                let reason = match bit.kind {
                    BitKind::ToolUse if answered.contains(&call) => continue,
                    BitKind::ToolUse if at >= tail && self.rules.open_call == OpenCall::Answered => {
                        self.open.push(call);
                        continue;
                    }
                    BitKind::ToolUse
                        if self.rules.parallel == Parallel::AsChained
                            && answered_elsewhere.contains(&call) =>
                    {
                        Reason::LostParallel
                    }
                    BitKind::ToolUse => Reason::OrphanCall,
                    BitKind::ToolResult if !self.rules.sends_orphan_results && !made.contains(&call) => {
                        Reason::OrphanResult
                    }
                    _ => continue,
                };
                self.lost.insert((row, number), reason);
            }
        }
    }

    /// Where the last message of the model begins, if nothing but results of its calls follows it.
    fn tail(&self) -> usize {
        let mut tail = self.rows.len();
        let mut message = None;
        for (at, &row) in self.rows.iter().enumerate().rev() {
            match self.kind(row) {
                Kind::User if !self.reading.parts[row as usize].has_result() => break,
                Kind::Assistant if message.is_some() && message != self.message(row) => break,
                Kind::Assistant => {
                    message = self.message(row);
                    tail = at;
                    if message.is_none() {
                        break;
                    }
                }
                _ => {}
            }
        }
        tail
    }

    fn thinking_of_others(&mut self, model: Option<Symbol>) -> Result<(), Snag> {
        for row in self.answers() {
            let own = self.reading.parts[row as usize].model;
            let rule = match own {
                None => self.rules.unnamed_thinking,
                Some(_) if own == model => continue,
                Some(_) => self.rules.other_thinking,
            };
            for (bit, number) in self.bits(row).iter().zip(0..).filter(|(bit, _)| bit.kind.is_thinking()) {
                let _ = bit;
                match rule {
                    Thinking::Sent => {}
                    Thinking::Dropped => {
                        self.lost.insert((row, number), Reason::OtherModel);
                    }
                    Thinking::Hangs => return Err(Snag::NoModel(row)),
                }
            }
        }
        Ok(())
    }

    /// A line of which every block is left out is left out itself.
    fn settle(&mut self) {
        for &row in &self.rows {
            let first = self.lost.get(&(row, 0)).copied();
            if let Some(reason) = first
                && self.left(row).next().is_none()
            {
                self.left_out.entry(row).or_insert(reason);
            }
        }
    }

    /// Answers of nothing but white space.
    fn blank(&mut self) {
        if self.rules.sends_blank {
            return;
        }
        for row in self.answers() {
            let bits = self.bits(row);
            if !bits.is_empty() && bits.iter().all(|bit| bit.kind == BitKind::Text && bit.blank) {
                self.left_out.insert(row, Reason::BlankText);
            }
        }
    }

    /// Thinking whose message says nothing else.
    fn lone_thinking(&mut self) {
        if self.rules.sends_lone_thinking {
            return;
        }
        let answers = self.answers();
        let only_thinks = |row: RowIndex| self.left(row).all(|(_, bit)| bit.kind.is_thinking());
        let speaks: FxHashSet<MessageRef> =
            answers.iter().filter(|row| !only_thinks(**row)).filter_map(|row| self.message(*row)).collect();
        let lone: Vec<RowIndex> = answers
            .into_iter()
            .filter(|row| only_thinks(*row) && self.left(*row).next().is_some())
            .filter(|row| self.message(*row).is_none_or(|message| !speaks.contains(&message)))
            .collect();
        self.left_out.extend(lone.into_iter().map(|row| (row, Reason::LoneThinking)));
    }

    /// Lines without any block.
    fn empty(&mut self) {
        for &row in &self.rows {
            let fills = self.rules.fills_empty && self.kind(row) == Kind::Assistant;
            if self.bits(row).is_empty() && !fills {
                self.left_out.entry(row).or_insert(Reason::EmptyContent);
            }
        }
    }
}
