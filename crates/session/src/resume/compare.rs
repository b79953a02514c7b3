//! Two clients, or a session before and after an edit, side by side: what one sends and the other does not.

use std::collections::{BTreeMap, BTreeSet};

use scrollback_model::resume::outcome::{Reason, Sender};
use scrollback_model::resume::part::BitKind;
use serde::{Deserialize, Serialize};

use super::view::ResumeView;

/// What two resumed sessions differ in.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Differences {
    /// Do both send the same messages, block for block?
    pub same: bool,
    /// Lines that the first sends and the second does not.
    pub only_first: Vec<OnlyView>,
    /// Lines that the second sends and the first does not.
    pub only_second: Vec<OnlyView>,
    /// Do both send what both send in the same order?
    pub same_order: bool,
    /// Where messages that both send first differ otherwise (merged, placeholders, texts): its number, counted from 1.
    pub first_difference: Option<u64>,
}

/// A line that only one of the two sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OnlyView {
    /// The line.
    pub line: u64,
    /// Why the other does not send it.
    pub reason: Option<Reason>,
}

/// What two clients make of the same lines.
pub fn compare(first: &ResumeView, second: &ResumeView) -> Differences {
    let (of_first, of_second) = (lines(first), lines(second));
    let both = |view: &ResumeView| -> Vec<(u64, Option<u32>)> {
        let shared = |line: &u64| of_first.contains(line) && of_second.contains(line);
        let blocks = view.messages.iter().flat_map(|message| &message.content);
        blocks.filter_map(|block| Some((block.line.filter(shared)?, block.block))).collect()
    };
    let count = first.messages.len().max(second.messages.len());
    let differs = |at: &usize| shape(first, *at) != shape(second, *at);
    let first_difference = (0..count).find(differs).map(|at| at as u64 + 1);
    Differences {
        same: first_difference.is_none() && first.outcome == second.outcome,
        only_first: only(&of_first, &of_second, second),
        only_second: only(&of_second, &of_first, first),
        same_order: both(first) == both(second),
        first_difference,
    }
}

fn lines(view: &ResumeView) -> BTreeSet<u64> {
    view.messages.iter().flat_map(|message| message.lines.iter().copied()).collect()
}

fn only(these: &BTreeSet<u64>, others: &BTreeSet<u64>, other: &ResumeView) -> Vec<OnlyView> {
    let reasons: BTreeMap<u64, Reason> =
        other.dropped.iter().rev().map(|dropped| (dropped.line, dropped.reason)).collect();
    these
        .difference(others)
        .map(|line| OnlyView { line: *line, reason: reasons.get(line).copied() })
        .collect()
}

type Shape<'v> = (Sender, Vec<(BitKind, Option<&'v str>, Option<u64>, Option<u32>, bool)>);

fn shape(view: &ResumeView, at: usize) -> Option<Shape<'_>> {
    let message = view.messages.get(at)?;
    let blocks = message.content.iter();
    let blocks =
        blocks.map(|block| (block.kind, block.text.as_deref(), block.line, block.block, block.reminder));
    Some((message.role, blocks.collect()))
}
