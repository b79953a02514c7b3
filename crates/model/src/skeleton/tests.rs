//! Damage to stored bytes is noticed, and where a checksum would not have told, it is harmless.

use proptest::prelude::*;
use scrollback_format::generation::Generation;
use scrollback_format::line;
use scrollback_format::piece::Parser;

use super::{decode, encode, ids, is_whole, unpack};
use crate::facts::{Anatomy, TranscriptFacts};
use crate::fold::Fold;
use crate::pack;
use crate::placing::Placing;
use crate::transcript::{FileKind, Transcript};
use crate::unit::Units;

/// A session with something in every table.
const SESSION: &str = r#"
{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","cwd":"/w","version":"2.1.100","gitBranch":"main","slug":"a-b","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"hi"},"forkedFrom":{"sessionId":"o","messageUuid":"x"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","cwd":"/w2","requestId":"r1","timestamp":"2026-11-01T10:00:01.000Z","message":{"id":"msg_01a","model":"m","stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":5},"content":[{"type":"tool_use","id":"toolu_01a","name":"Task","input":{"prompt":"do","subagent_type":"t","description":"d"}}]}}
{"type":"assistant","uuid":"a2","parentUuid":"a1","sessionId":"s","requestId":"r1","timestamp":"2026-11-01T10:00:02.000Z","message":{"id":"msg_01a","model":"m","usage":{"input_tokens":3,"output_tokens":5},"content":[{"type":"tool_use","id":"toolu_01b","name":"Edit","input":{"file_path":"/w/x"}}]}}
{"type":"user","uuid":"r1","parentUuid":"a1","sessionId":"s","timestamp":"2026-11-01T10:00:03.000Z","toolUseResult":{"agentId":"ag1"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01a","content":"ok"}]}}
{"type":"user","uuid":"r2","parentUuid":"a2","sessionId":"s","timestamp":"2026-11-01T10:00:03.500Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01b","is_error":true,"content":"no"}]}}
{"type":"progress","uuid":"p1","parentUuid":"a2","parentToolUseID":"toolu_01a","data":{"type":"agent_progress","agentId":"ag1","message":{"requestId":"r9","message":{"id":"msg_01p","usage":{"output_tokens":2}}}}}
{"type":"queue-operation","operation":"enqueue","content":"later","timestamp":"2026-11-01T10:00:04.000Z"}
{"type":"queue-operation","operation":"remove","timestamp":"2026-11-01T10:00:05.000Z"}
{"type":"assistant","uuid":"a3","parentUuid":"r2","sessionId":"s","requestId":"r2","timestamp":"2026-11-01T10:00:06.000Z","message":{"id":"msg_01b","model":"m","stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":1},"content":[{"type":"text","text":"done"}]}}
{"type":"user","uuid":"u2","parentUuid":"a3","sessionId":"s","timestamp":"2026-11-01T10:01:00.000Z","message":{"role":"user","content":"again"}}
{"type":"user","uuid":"u3","parentUuid":"a3","sessionId":"s","timestamp":"2026-11-01T10:02:00.000Z","message":{"role":"user","content":"or so"}}
{"type":"system","subtype":"compact_boundary","uuid":"c1","parentUuid":null,"logicalParentUuid":"u3","timestamp":"2026-11-01T10:03:00.000Z","compactMetadata":{"trigger":"auto","preTokens":9,"postTokens":1}}
{"type":"user","uuid":"u4","parentUuid":"c1","sessionId":"s","timestamp":"2026-11-01T10:03:01.000Z","isCompactSummary":true,"message":{"role":"user","content":"summary"}}
{"type":"user","uuid":"s1","parentUuid":null,"isSidechain":true,"sessionId":"s","timestamp":"2026-11-01T10:03:02.000Z","message":{"role":"user","content":"do"}}
{"type":"assistant","uuid":"a4","parentUuid":"gone","sessionId":"s","timestamp":"2026-11-01T10:03:03.000Z","message":{"model":"m","usage":{"output_tokens":1},"content":[]}}
{"type":"summary","summary":"a title","leafUuid":"a3"}
{"type":"custom-title","customTitle":"mine"}
{"type":"pr-link","prNumber":7,"prUrl":"https://x/7","sessionId":"s"}
{"type":"last-prompt","leafUuid":"u4","sessionId":"s"}
{"type":"file-history-snapshot","messageId":"x","snapshot":{"trackedFileBackups":{"/w/x":{"version":1}}}}
torn"#;

fn transcript() -> Transcript {
    let (mut parser, mut fold) = (Parser::new(), Fold::new(FileKind::Session));
    for line in line::split(SESSION.trim_start().as_bytes()) {
        parser.each(line, |piece| fold.piece(&piece));
    }
    fold.finish(21, SESSION.len() as u64)
}

/// Everything that is made of a transcript.
fn use_all(transcript: Transcript) {
    for generation in [Generation::NEWEST, Generation::V1_0] {
        let anatomy = Anatomy::of(&transcript, generation);
        let _ = TranscriptFacts::of(&transcript, &anatomy, None, None);
        let placing = Placing::of(&transcript, &anatomy);
        (0..transcript.rows.len())
            .for_each(|row| assert!(placing.at(row as u32).1 <= transcript.rows.len() as u64));
    }
    let _ = Units::from(&transcript, 0).keys().count();
    let _ = crate::agent::link(&transcript, &[]);
    let _ = crate::agent::link_inline(&transcript);
    let _ = encode(&transcript);
    let mut fold = Fold::resume(transcript);
    let mut parser = Parser::new();
    for line in line::split(SESSION.trim_start().as_bytes()) {
        parser.each(line, |piece| fold.piece(&piece));
    }
}

/// How stored bytes may change.
#[derive(Debug, Clone)]
enum Damage {
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Extend(Vec<u8>),
    Swap(prop::sample::Index, prop::sample::Index),
    Zero(prop::sample::Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), 1..=255_u8).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        at().prop_map(Damage::Cut),
        prop::collection::vec(any::<u8>(), 1..40).prop_map(Damage::Extend),
        (at(), at()).prop_map(|(a, b)| Damage::Swap(a, b)),
        (at(), 1..64_usize).prop_map(|(at, len)| Damage::Zero(at, len)),
    ]
}

impl Damage {
    fn make(&self, bytes: &mut Vec<u8>) {
        let len = bytes.len();
        if len == 0 {
            return;
        }
        match self {
            Self::Flip(at, bits) => bytes[at.index(len)] ^= bits,
            Self::Cut(at) => bytes.truncate(at.index(len)),
            Self::Extend(more) => bytes.extend(more),
            Self::Swap(a, b) => bytes.swap(a.index(len), b.index(len)),
            Self::Zero(at, count) => {
                let at = at.index(len);
                let end = (at + count).min(len);
                bytes[at..end].fill(0);
            }
        }
    }
}

#[test]
fn damaged_bytes_are_no_transcript() {
    assert!(decode(b"").is_none());
    assert!(decode(&[0xFF; 64]).is_none());
    assert!(decode(&[0; 64]).is_none());
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let stored = encode(&transcript());
    assert!(decode(&stored).is_some() && is_whole(&stored));
    for at in 0..stored.len() {
        assert!(decode(&stored[..at]).is_none() && ids(&stored[..at]).is_none(), "cut at {at}");
        for bit in 0..8 {
            let mut bent = stored.clone();
            bent[at] ^= 1 << bit;
            assert!(decode(&bent).is_none() && ids(&bent).is_none(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn a_sample_has_something_in_every_table() {
    let t = transcript();
    let tables = [
        t.messages.len(),
        t.charges.len(),
        t.calls.len(),
        t.outcomes.len(),
        t.mentions.len(),
        t.compactions.len(),
        t.summaries.len(),
        t.inline_agents.len(),
        t.tracked.len(),
        t.queue.len(),
        t.pr_links.len(),
        t.problems.count() as usize,
    ];
    assert!(tables.iter().all(|len| *len > 0), "{tables:?}");
    assert!(t.leaf_pointer.is_some() && t.fork_mark.is_some());
}

#[test]
fn each_flipped_byte_under_a_good_seal_is_refused_or_harmless() {
    let sealed = encode(&transcript());
    let body = pack::unseal(&sealed).unwrap();
    for at in 0..body.len() {
        for bits in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
            let mut bent = body.to_vec();
            bent[at] ^= bits;
            unpack(&bent).into_iter().for_each(use_all);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_damage_is_noticed(damages in prop::collection::vec(damage(), 1..4)) {
        let stored = encode(&transcript());
        let mut bent = stored.clone();
        damages.iter().for_each(|damage| damage.make(&mut bent));
        prop_assume!(bent != stored);
        prop_assert!(decode(&bent).is_none());
        prop_assert!(ids(&bent).is_none());
    }

    #[test]
    fn damage_under_a_good_seal_is_refused_or_harmless(damages in prop::collection::vec(damage(), 1..6)) {
        let sealed = encode(&transcript());
        let mut bent = pack::unseal(&sealed).unwrap().to_vec();
        damages.iter().for_each(|damage| damage.make(&mut bent));
        unpack(&bent).into_iter().for_each(use_all);
    }
}
