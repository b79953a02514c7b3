//! Laws of the resume simulator: any graph and any bytes have an outcome, and every entry is sent or has a reason.

use std::collections::BTreeSet;

use proptest::prelude::*;
use scrollback_format::generation::Generation;
use scrollback_model::resume::outcome::{BlockSource, ClientOutcome, Resumed};
use scrollback_model::resume::reading::ClientReading;
use scrollback_model::resume::{self, ResumeInput};

/// A line of a session, as wild as lines can be.
fn some_line() -> impl Strategy<Value = String> {
    let parts = (
        0..16_usize,
        prop::option::weighted(0.85, 0..20_usize),
        0..14_u8,
        prop::option::weighted(0.9, 0..600_u16),
        prop::bool::weighted(0.1),
        0..5_u8,
        0..16_usize,
    );
    parts.prop_map(|(id, parent, kind, time, sidechain, message, other)| {
        let uuid = |at: usize| format!("00000000-0000-4000-8000-{at:012}");
        let parent = parent.map_or("null".to_owned(), |at| format!("\"{}\"", uuid(at)));
        let time = time.map_or(String::new(), |time| {
            format!(",\"timestamp\":\"2026-11-01T10:{:02}:{:02}.000Z\"", time / 60 % 60, time % 60)
        });
        let common = format!("\"uuid\":\"{}\",\"parentUuid\":{parent},\"isSidechain\":{sidechain}{time}", uuid(id));
        let answer = |content: String| {
            format!(
                r#"{{"type":"assistant",{common},"message":{{"id":"m{message}","model":"x{}","content":{content}}}}}"#,
                message % 2
            )
        };
        match kind {
            0 | 1 => format!(r#"{{"type":"user",{common},"message":{{"role":"user","content":"p{id}"}}}}"#),
            2 => answer(r#"[{"type":"text","text":"a"}]"#.into()),
            3 => answer(format!(r#"[{{"type":"tool_use","id":"t{other}","name":"Bash","input":{{}}}}]"#)),
            4 => answer(r#"[{"type":"thinking","thinking":"","signature":"s"}]"#.into()),
            5 => answer(r#"[{"type":"text","text":" "}]"#.into()),
            6 => answer("[]".into()),
            7 => format!(
                r#"{{"type":"user",{common},"toolUseResult":{{"isAsync":true,"agentId":"g"}},"message":{{"content":[{{"type":"tool_result","tool_use_id":"t{other}","content":"r"}}]}}}}"#
            ),
            8 => format!(
                r#"{{"type":"system","subtype":"compact_boundary",{common},"compactMetadata":{{"preservedSegment":{{"headUuid":"{}","anchorUuid":"{}","tailUuid":"{}"}}}}}}"#,
                uuid(other),
                uuid(id + 1),
                uuid(other / 2)
            ),
            9 => format!(r#"{{"type":"attachment",{common},"attachment":{{"type":"queued_command","prompt":"q"}}}}"#),
            10 => format!(r#"{{"type":"last-prompt","leafUuid":"{}","explicit":{sidechain}}}"#, uuid(other)),
            11 => format!(r#"{{"type":"brand-new",{common}}}{{"type":"mode"}}"#),
            12 => "{\"type\":\"user\",\"uu".to_owned(),
            _ => format!(r#"{{"type":"system","subtype":"local_command",{common},"content":"c"}}"#),
        }
    })
}

fn is_told(text: &str, generation: Generation) -> Result<Resumed, TestCaseError> {
    let reading = ClientReading::of(text.as_bytes(), generation);
    let resumed = resume::resume(&reading, &ResumeInput { model: Some("x1"), prompt: "new" });
    let mut sent = BTreeSet::new();
    let mut blocks = BTreeSet::new();
    for block in resumed.messages.iter().flat_map(|message| &message.blocks) {
        sent.extend(block.source.row());
        if let BlockSource::Line(row, at) = block.source {
            prop_assert!(blocks.insert((row, at)), "a block is sent once");
        }
    }
    let whole: BTreeSet<u32> = resumed
        .dropped
        .iter()
        .filter(|dropped| dropped.block.is_none())
        .filter_map(|dropped| dropped.row)
        .collect();
    let all: BTreeSet<u32> = (0..reading.transcript.rows.len() as u32).collect();
    prop_assert!(sent.is_disjoint(&whole));
    prop_assert_eq!(&(&sent | &whole), &all);
    let sends = matches!(resumed.outcome, ClientOutcome::Loaded | ClientOutcome::Fresh);
    prop_assert_eq!(sends, !resumed.messages.is_empty());
    prop_assert!(resumed.messages.iter().all(|message| !message.blocks.is_empty()));
    Ok(resumed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_graph_is_resumed_and_every_entry_told(lines in prop::collection::vec(some_line(), 0..40)) {
        let text = lines.join("\n");
        for generation in Generation::ALL {
            is_told(&text, generation)?;
        }
    }

    #[test]
    fn any_bytes_are_resumed(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for generation in Generation::ALL {
            let resumed = resume::resume(&ClientReading::of(&bytes, generation), &ResumeInput::default());
            prop_assert!(matches!(resumed.outcome, ClientOutcome::Refused(_)) || !resumed.messages.is_empty());
        }
    }
}

#[test]
fn long_chains_and_many_gaps_cost_no_more_than_their_length() {
    let line = |at: usize, parent: &str| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"u{at}\",\"parentUuid\":{parent},\"timestamp\":\"2026-11-01T10:00:{:02}.{:03}Z\",\"message\":{{\"content\":\"p\"}}}}\n",
            at / 1000 % 60,
            at % 1000
        )
    };
    let chain: String = (1..20_000).map(|at| line(at, &format!("\"u{}\"", at - 1))).collect();
    let gaps: String = (1..20_000).map(|at| line(at, "\"gone\"")).collect();
    for text in [chain, gaps] {
        let resumed =
            resume::resume(&ClientReading::of(text.as_bytes(), Generation::NEWEST), &ResumeInput::default());
        // All prompts are one message; the answer that is made up stands between them and the new one.
        assert_eq!(resumed.messages[0].blocks.len(), 19_999);
    }
}
