//! The simulator against the oracle: every recorded case, block by block, must come out as the real client sent it.
//!
//! Cases that cannot agree are listed, with the reason, in SHORTCOMINGS.md; a case that is listed and agrees is
//! as wrong as one that is not and does not.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use scrollback_app::resume::compare::compare;
use scrollback_app::resume::view::TokenBasis;
use scrollback_app::resume::{self, Options};
use scrollback_format::generation::Generation;
use scrollback_format::version::ClientVersion;
use scrollback_testkit::{corpus, sent};
use serde_json::Value;

/// What the simulator says of a session file, as JSON.
pub fn told(case: &corpus::Case, version: &str) -> Value {
    let options = Options {
        generation: Generation::of(ClientVersion::decode(version).unwrap()),
        model: sent::model(version, &case.about()),
        prompt: sent::PROMPT.to_owned(),
        head: None,
        by_characters: false,
    };
    serde_json::to_value(resume::of_file(&case.session(), &options).unwrap()).unwrap()
}

/// What is wrong with a case; nothing if both agree.
pub fn disagreement(case: &corpus::Case, version: &str) -> Option<String> {
    sent::disagreement(&told(case, version), &case.sent())
}

#[test]
fn every_case_is_resumed_as_the_client_did() {
    let (mut wrong, mut cases) = (String::new(), 0);
    let listed = sent::listed();
    for version in corpus::RESUMERS {
        for case in corpus::oracle_cases(version) {
            cases += 1;
            let name = format!("{version}/{}", case.name);
            match (disagreement(&case, version), listed.contains(&name)) {
                (Some(what), false) => {
                    let _ = writeln!(wrong, "{name}: {what}");
                }
                (None, true) => {
                    let _ = writeln!(wrong, "{name} agrees: take it off the list");
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(cases, 1124);
}

#[test]
fn a_file_and_its_bytes_are_resumed_alike_by_every_client() {
    for version in corpus::RESUMERS {
        for case in corpus::oracle_cases(version).iter().step_by(9) {
            let bytes = std::fs::read(case.session()).unwrap();
            for generation in Generation::ALL {
                let options = Options { generation, ..Options::default() };
                let (file, memory) = (
                    resume::of_file(&case.session(), &options).unwrap(),
                    resume::of_bytes(&bytes, &options).unwrap(),
                );
                assert_eq!(
                    serde_json::to_string(&file).unwrap(),
                    serde_json::to_string(&memory).unwrap(),
                    "{version}/{}",
                    case.name
                );
                let differences = compare(&file, &memory);
                assert!(differences.same && differences.same_order && differences.only_first.is_empty());
            }
        }
    }
}

#[test]
fn every_line_is_sent_or_has_a_reason() {
    for version in corpus::RESUMERS {
        for case in corpus::oracle_cases(version) {
            let bytes = std::fs::read(case.session()).unwrap();
            let whole: BTreeSet<u64> = (1..)
                .zip(bytes.split(|byte| *byte == b'\n'))
                .filter(|(_, line)| !line.trim_ascii().is_empty())
                .map(|(number, _)| number)
                .collect();
            for generation in Generation::ALL {
                let view = resume::of_bytes(&bytes, &Options { generation, ..Options::default() }).unwrap();
                let mut told: BTreeSet<u64> = view.dropped.iter().map(|dropped| dropped.line).collect();
                told.extend(view.messages.iter().flat_map(|message| &message.lines));
                assert_eq!(told, whole, "{version}/{} {generation:?}", case.name);
            }
        }
    }
}

#[test]
fn an_estimate_says_what_it_rests_on() {
    let case =
        |name: &str| corpus::oracle_cases("2.1.325").into_iter().find(|case| case.name == name).unwrap();
    let basis = |name: &str| resume::of_file(&case(name).session(), &Options::default()).unwrap().tokens;
    assert_eq!(basis("base").basis, TokenBasis::Recorded);
    assert!(basis("base").tokens > 100);
    // A line is gone: the request is no longer the one that was counted.
    assert_eq!(basis("mut-tool-result-deleted").basis, TokenBasis::Characters);
    assert!(basis("mut-tool-result-deleted").tokens > 0);
}
