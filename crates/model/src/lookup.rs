//! Lookups over a transcript that is taken apart: which call, result, joint or branch belongs to what. Made in one pass, so
//! that a walk over all turns asks each question in one step and not by going through a list once a line.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use scrollback_format::time::Time;

use crate::cost;
use crate::row::RowIndex;
use crate::symbol::Symbol;
use crate::thread::{JointKind, ThreadKind, Threads};
use crate::transcript::{ToolResult, Transcript};

/// Places by what they are asked for.
#[derive(Debug, Default)]
pub struct Lookup {
    calls: FxHashMap<Symbol, usize>,
    last_outcomes: FxHashMap<Symbol, usize>,
    outcomes_on: FxHashMap<RowIndex, Vec<usize>>,
    joints: FxHashMap<RowIndex, JointKind>,
    branches: Vec<usize>,
    branches_at: FxHashMap<RowIndex, Vec<usize>>,
    absorbed: Vec<(Time, RowIndex)>,
}

impl Lookup {
    /// The lookups of a transcript and its threads.
    pub fn of(transcript: &Transcript, threads: &Threads) -> Self {
        let mut lookup = Self { absorbed: absorbed(transcript), ..Self::default() };
        for (at, call) in transcript.calls.iter().enumerate() {
            cost::step(1);
            lookup.calls.entry(call.id).or_insert(at);
        }
        for (at, outcome) in transcript.outcomes.iter().enumerate() {
            cost::step(1);
            lookup.last_outcomes.insert(outcome.call, at);
            lookup.outcomes_on.entry(outcome.row).or_default().push(at);
        }
        for joint in &threads.joints {
            cost::step(1);
            lookup.joints.entry(joint.row).or_insert(joint.kind);
        }
        for (number, (thread, branch)) in threads.branches().enumerate() {
            cost::step(1);
            lookup.branches.push(thread);
            if let Some(fork) = branch.fork.filter(|_| branch.kind != ThreadKind::Sidechain) {
                lookup.branches_at.entry(fork).or_default().push(number);
            }
        }
        lookup
    }

    /// The place of a call in the transcript's list.
    pub fn call(&self, id: Symbol) -> Option<usize> {
        cost::step(1);
        self.calls.get(&id).copied()
    }

    /// The last result of a call.
    pub fn last_outcome<'t>(&self, transcript: &'t Transcript, call: Symbol) -> Option<&'t ToolResult> {
        cost::step(1);
        self.last_outcomes.get(&call).and_then(|at| transcript.outcomes.get(*at))
    }

    /// The results on a row, in their order.
    pub fn outcomes_on<'t>(
        &self,
        transcript: &'t Transcript,
        row: RowIndex,
    ) -> impl Iterator<Item = &'t ToolResult> {
        let places = self.outcomes_on.get(&row).map_or(&[][..], Vec::as_slice);
        cost::step(1 + places.len());
        places.iter().filter_map(|at| transcript.outcomes.get(*at))
    }

    /// How a row follows the one before it, if its parent does not say so.
    pub fn joint(&self, row: RowIndex) -> Option<JointKind> {
        cost::step(1);
        self.joints.get(&row).copied()
    }

    /// The threads that are branches: the n-th branch is at `n - 1`.
    pub fn branches(&self) -> &[usize] {
        &self.branches
    }

    /// The branches that go off after a row, as places in [`Self::branches`], in their order.
    pub fn branches_at(&self, row: RowIndex) -> &[usize] {
        let branches = self.branches_at.get(&row).map_or(&[][..], Vec::as_slice);
        cost::step(1 + branches.len());
        branches
    }

    /// Prompts of the queue that were taken into a running turn, from one time on and before another, by time.
    pub fn absorbed(&self, from: Option<Time>, until: Option<Time>) -> &[(Time, RowIndex)] {
        let place = |time: Time| self.absorbed.partition_point(|(at, _)| *at < time);
        let start = from.map_or(0, place);
        let end = until.map_or(self.absorbed.len(), place).max(start);
        cost::step(1 + end - start);
        &self.absorbed[start..end]
    }
}

/// The line that takes a prompt out follows the one that put it in, which holds the text.
fn absorbed(transcript: &Transcript) -> Vec<(Time, RowIndex)> {
    let mut absorbed = Vec::new();
    let mut waiting = VecDeque::new();
    for event in &transcript.queue {
        cost::step(1);
        if event.enqueue {
            waiting.push_back(event.row);
        } else if let Some(row) = waiting.pop_front()
            && event.absorbed
            && let Some(time) = transcript.row(row).time()
        {
            absorbed.push((time, row));
        }
    }
    // At a tie in the order in which they were taken.
    absorbed.sort_by_key(|(time, _)| *time);
    absorbed
}

#[cfg(test)]
mod tests {
    use scrollback_format::generation::Generation;
    use scrollback_format::line;
    use scrollback_format::piece::Parser;

    use crate::cost::steps_of;
    use crate::facts::Anatomy;
    use crate::fold::Fold;
    use crate::transcript::{FileKind, Transcript};

    /// A session with so many calls, results, branches and prompts in the queue.
    fn session(count: usize) -> Transcript {
        let mut text =
            String::from(r#"{"type":"user","uuid":"u","parentUuid":null,"message":{"content":"p"}}"#);
        for number in 0..count {
            let minute = format!("2026-11-01T10:{:02}:{:02}.000Z", number / 60 % 60, number % 60);
            text.push_str(&format!(
                r#"
{{"type":"assistant","uuid":"a{number}","parentUuid":"u","message":{{"id":"m{number}","content":[{{"type":"tool_use","id":"t{number}","name":"Bash","input":{{}}}}]}}}}
{{"type":"user","uuid":"r{number}","parentUuid":"a{number}","message":{{"content":[{{"type":"tool_result","tool_use_id":"t{number}","content":"x"}}]}}}}
{{"type":"user","uuid":"p{number}","parentUuid":"r{number}","message":{{"content":"next"}}}}
{{"type":"queue-operation","operation":"enqueue","content":"later","timestamp":"{minute}"}}
{{"type":"queue-operation","operation":"remove","timestamp":"{minute}"}}"#
            ));
        }
        let (mut parser, mut fold) = (Parser::new(), Fold::new(FileKind::Session));
        for line in line::split(text.as_bytes()) {
            parser.each(line, |piece| fold.piece(&piece));
        }
        fold.finish(0, 0)
    }

    /// Asks everything of every row and call, as the walk over all turns of all branches does.
    fn ask_all(count: usize) -> u64 {
        let transcript = session(count);
        let anatomy = Anatomy::of(&transcript, Generation::NEWEST);
        steps_of(|| {
            let lookup = anatomy.lookup(&transcript);
            assert_eq!(lookup.branches().len(), count - 1);
            let (mut results, mut branches) = (0, 0);
            for row in 0..transcript.rows.len() as u32 {
                let _ = lookup.joint(row);
                results += lookup.outcomes_on(&transcript, row).count();
                branches += lookup.branches_at(row).len();
            }
            assert_eq!((results, branches), (count, count - 1));
            for (at, call) in transcript.calls.iter().enumerate() {
                assert_eq!(lookup.call(call.id), Some(at));
                assert!(
                    lookup.last_outcome(&transcript, call.id).is_some_and(|outcome| outcome.call == call.id)
                );
            }
            for pair in transcript.queue.windows(3) {
                let times = [pair[0].row, pair[2].row].map(|row| transcript.row(row).time());
                assert!(lookup.absorbed(times[0], times[1]).len() <= 1);
            }
            assert_eq!(lookup.absorbed(None, None).len(), count);
        })
    }

    #[test]
    fn all_questions_together_cost_no_more_than_the_rows() {
        let (once, twice) = (ask_all(1_000), ask_all(2_000));
        assert!((5_000..=40_000).contains(&once), "{once} steps");
        assert!(twice * 10 <= once * 22, "{once} steps, for twice the rows {twice}");
    }
}
