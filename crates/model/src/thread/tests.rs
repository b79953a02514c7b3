//! What hostile graphs cost, in steps.

use scrollback_format::generation::Generation;
use scrollback_format::id::EntryId;
use scrollback_format::kind::{Kind, SystemKind};
use scrollback_format::time::Time;

use crate::cost::steps_of;
use crate::facts::{Anatomy, TranscriptFacts};
use crate::placing::Placing;
use crate::role::Role;
use crate::row::{MessageRef, Row};
use crate::transcript::{Compaction, Transcript};

/// Rows that are put together by hand: thousands of lines need not be parsed to see what their graph costs.
#[derive(Default)]
struct Sketch(Transcript);

impl Sketch {
    fn id(number: usize) -> Option<EntryId> {
        EntryId::from_bytes((number as u128 + 1).to_be_bytes())
    }

    fn add(&mut self, role: Role, parent: Option<usize>) -> &mut Row {
        let number = self.0.rows.len();
        let kind = match role {
            Role::Answer => Kind::Assistant,
            Role::Boundary => Kind::System(Some(SystemKind::CompactBoundary)),
            Role::Prompt | Role::ToolResult => Kind::User,
            _ => Kind::System(None),
        };
        let mut row = Row::new(kind, role, number as u64 + 1, number as u64 * 10, 9);
        row.id = Self::id(number);
        row.parent = parent.and_then(Self::id);
        row.set_time(Some(Time(number as i64 * 1000)));
        self.0.rows.push(row);
        let last = self.0.rows.len() - 1;
        &mut self.0.rows[last]
    }

    fn message(&mut self, lines: u32) {
        let id = self.0.symbols.intern(b"m");
        self.0.messages.push(crate::transcript::Message {
            id,
            model: None,
            tokens: Default::default(),
            stop: None,
            lines,
            first_row: 0,
            terms: Default::default(),
        });
    }
}

type Shape = (&'static str, fn(usize) -> Transcript);

/// Graphs of about `n` rows.
const SHAPES: &[Shape] = &[
    ("one chain", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|at| _ = sketch.add(Role::Prompt, at.checked_sub(1)));
        sketch.0
    }),
    ("one chain, last line first", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|at| _ = sketch.add(Role::Prompt, Some(at + 1).filter(|parent| *parent < n)));
        sketch.0
    }),
    ("children of one parent", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|at| _ = sketch.add(Role::Prompt, (at > 0).then_some(0)));
        sketch.0
    }),
    ("quiet children of one parent", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|at| {
            _ = sketch.add(if at == 0 { Role::Prompt } else { Role::System }, (at > 0).then_some(0));
        });
        sketch.0
    }),
    ("a quiet chain with a wide fan on each line", |n| {
        let mut sketch = Sketch::default();
        sketch.add(Role::Prompt, None);
        for at in 1..n {
            let spine = at.saturating_sub(1) / 300 * 300;
            sketch.add(Role::System, Some(spine));
        }
        sketch.0
    }),
    ("two lines that lead to each other", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|at| _ = sketch.add(Role::Prompt, Some(at ^ 1)));
        sketch.0
    }),
    ("lines that lead to themselves", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|at| _ = sketch.add(Role::Prompt, Some(at)));
        sketch.0
    }),
    ("roots", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|_| _ = sketch.add(Role::Prompt, None));
        sketch.0
    }),
    ("parents that are in no line", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|at| _ = sketch.add(Role::Prompt, Some(n + at)));
        sketch.0
    }),
    ("roots with an agent's line each", |n| {
        let mut sketch = Sketch::default();
        for at in 0..n {
            let row = sketch.add(Role::Prompt, (at % 2 == 1).then(|| at - 1));
            row.mark(at % 2 == 1, at % 2 == 0);
        }
        sketch.0
    }),
    ("agents in the session's file", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|_| sketch.add(Role::Prompt, None).mark(true, true));
        sketch.0
    }),
    ("one agent, last line first", |n| {
        let mut sketch = Sketch::default();
        (0..n).for_each(|at| sketch.add(Role::Prompt, Some(at + 1).filter(|up| *up < n)).mark(true, false));
        sketch.0
    }),
    ("compactions", |n| {
        let mut sketch = Sketch::default();
        for at in 0..n {
            let boundary = at % 2 == 1;
            sketch.add(
                if boundary { Role::Boundary } else { Role::Prompt },
                at.checked_sub(1).filter(|_| !boundary),
            );
            if boundary {
                sketch.0.compactions.push(Compaction {
                    row: at as u32,
                    logical_parent: Sketch::id(at - 1),
                    trigger: None,
                    pre_tokens: None,
                    post_tokens: None,
                });
            }
        }
        sketch.0
    }),
    ("one message whose lines stand far apart", |n| {
        let mut sketch = Sketch::default();
        sketch.message(n as u32 / 70);
        for at in 0..n {
            let far = at % 70 == 0;
            let row = sketch.add(if far { Role::Answer } else { Role::Prompt }, at.checked_sub(1));
            row.message = MessageRef::new(0).filter(|_| far);
        }
        sketch.0
    }),
    ("one message on every branch", |n| {
        let mut sketch = Sketch::default();
        sketch.message(n as u32);
        for at in 0..n {
            let parent = if at % 2 == 0 { (at > 0).then_some(0) } else { Some(at - 1) };
            sketch.add(if at % 2 == 0 { Role::Prompt } else { Role::Answer }, parent).message =
                MessageRef::new(0).filter(|_| at % 2 == 1);
        }
        sketch.0
    }),
];

fn steps(transcript: &Transcript) -> u64 {
    steps_of(|| {
        for generation in [Generation::V1_0, Generation::NEWEST] {
            let anatomy = Anatomy::of(transcript, generation);
            let placed: usize = anatomy.threads.threads.iter().map(|thread| thread.rows.len()).sum();
            assert_eq!(placed, transcript.rows.len());
            let _ = Placing::of(transcript, &anatomy);
            let _ = TranscriptFacts::of(transcript, &anatomy, None, None);
        }
    })
}

#[test]
fn any_graph_costs_no_more_than_its_rows() {
    for (name, shape) in SHAPES {
        let (once, twice) = (steps(&shape(3_000)), steps(&shape(6_000)));
        assert!(once >= 3_000, "{name}: {once} steps were counted");
        assert!(once <= 3_000 * 40, "{name}: {once} steps");
        assert!(twice * 10 <= once * 23, "{name}: {once} steps, for twice the rows {twice}");
    }
}
