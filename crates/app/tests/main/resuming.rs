//! The simulator against the oracle: every recorded case, block by block, must come out as the real client sent it.
//!
//! Left out on both sides is what the client puts in by itself (`injected` in `sent.json`), and a message of nothing
//! else. Cases that cannot agree are listed, with the reason, in SHORTCOMINGS.md; a case that is listed and agrees is
//! as wrong as one that is not and does not.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use scrollback_app::resume::compare::compare;
use scrollback_app::resume::view::{BlockView, ResumeView};
use scrollback_app::resume::{self, Options};
use scrollback_format::generation::Generation;
use scrollback_format::version::ClientVersion;
use scrollback_testkit::{corpus, workspace};
use serde_json::Value;

const PROMPT: &str = "@@hello|oracle@@ oracle question";

/// Texts are cut in `sent.json`.
const CUT: usize = 200;

/// The model that each recorded client was set to, where that matters.
fn model(version: &str) -> Option<&'static str> {
    match version {
        "2.1.200" => Some("claude-opus-4-8"),
        "2.1.325" => Some("claude-opus-5-5"),
        _ => None,
    }
}

/// A block, told the same way from both sides.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    kind: String,
    /// Text, thinking or result, cut.
    text: Option<String>,
    /// Of calls and results.
    id: Option<String>,
    name: Option<String>,
    is_error: Option<bool>,
}

type Message = (String, Vec<Told>);

fn cut(text: &str) -> String {
    text.chars().take(CUT).collect()
}

/// The text with reminders taken out, as the recorder took them out.
fn without_reminders(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<system-reminder>") {
        kept.push_str(before);
        rest = after.split_once("</system-reminder>").map_or("", |(_, after)| after);
    }
    kept + rest
}

/// What is left of one of our blocks; nothing of what the client says by itself.
fn ours(role: &str, block: &BlockView) -> Option<Told> {
    let text = block.text.as_deref();
    let has_reminder = text.is_some_and(|text| text.contains("<system-reminder>"));
    let bare = text.map(without_reminders);
    let text = match block.kind {
        "text" if block.reminder || role == "system" => return None,
        "text" if has_reminder => {
            let bare = bare.as_deref().unwrap_or_default().trim();
            if bare.is_empty() {
                return None;
            }
            Some(cut(bare))
        }
        "tool_result" if has_reminder => bare.as_deref().map(|bare| cut(bare.trim_end())),
        _ => text.map(cut),
    };
    let id = block.id.clone().or_else(|| block.tool_use_id.clone());
    Some(Told { kind: block.kind.to_owned(), text, id, name: block.name.clone(), is_error: block.is_error })
}

fn theirs(block: &Value) -> Option<Told> {
    if block["injected"] == true {
        return None;
    }
    let text = |key: &str| block[key].as_str().map(str::to_owned);
    Some(Told {
        kind: text("type").unwrap(),
        text: text("text").or_else(|| text("thinking")),
        id: text("id").or_else(|| text("tool_use_id")),
        name: text("name"),
        is_error: block["is_error"].as_bool(),
    })
}

fn our_messages(view: &ResumeView) -> Vec<Message> {
    let message = |message: &resume::view::MessageView| {
        let blocks = message.content.iter().filter_map(|block| ours(message.role, block));
        (message.role.to_owned(), blocks.collect::<Vec<_>>())
    };
    view.messages.iter().map(message).filter(|(_, blocks)| !blocks.is_empty()).collect()
}

fn their_messages(sent: &Value) -> Vec<Message> {
    let message = |message: &Value| {
        let blocks = message["content"].as_array().unwrap().iter().filter_map(theirs);
        (message["role"].as_str().unwrap().to_owned(), blocks.collect::<Vec<_>>())
    };
    let messages = sent["messages"].as_array().unwrap().iter().map(message);
    messages.filter(|(_, blocks)| !blocks.is_empty()).collect()
}

/// Words of the conversation that the client wrapped in reminders of its own must be in ours, in the same order.
fn quotes_disagree(view: &ResumeView, sent: &Value) -> Option<String> {
    let wrapped = |block: &&BlockView| block.reminder;
    let mut ours = view.messages.iter().flat_map(|message| &message.content).filter(wrapped);
    let blocks = sent["messages"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|message| message["content"].as_array().unwrap());
    for quote in blocks.flat_map(|block| block["quotes"].as_array().into_iter().flatten()) {
        let quote = quote.as_str().unwrap();
        // What hooks gave the model is no conversation.
        let is_words = quote.starts_with("<task-id>") || quote.starts_with("queued");
        if is_words && !ours.any(|block| block.text.as_deref().is_some_and(|text| text.contains(quote))) {
            return Some(format!("no reminder says {quote}"));
        }
    }
    None
}

/// What is wrong with a case; nothing if both agree.
fn disagreement(case: &corpus::Case, version: &str) -> Option<String> {
    let sent: Value = serde_json::from_slice(&std::fs::read(case.dir.join("sent.json")).unwrap()).unwrap();
    let options = Options {
        generation: Generation::of(ClientVersion::decode(version).unwrap()),
        model: model(version).map(str::to_owned),
        prompt: PROMPT.to_owned(),
        head: None,
        by_characters: false,
    };
    let view = resume::of_file(&case.session(), &options).unwrap();
    if view.outcome != sent["outcome"].as_str().unwrap() {
        return Some(format!("outcome {} instead of {}", view.outcome, sent["outcome"]));
    }
    if matches!(view.outcome, "refused" | "hang") {
        return (!view.messages.is_empty()).then(|| "nothing should be sent".to_owned());
    }
    let (ours, theirs) = (our_messages(&view), their_messages(&sent));
    for at in 0..ours.len().max(theirs.len()) {
        if ours.get(at) != theirs.get(at) {
            return Some(format!("message {at}\n  ours   {:?}\n  theirs {:?}", ours.get(at), theirs.get(at)));
        }
    }
    quotes_disagree(&view, &sent)
}

/// The cases that SHORTCOMINGS.md says cannot agree: lines that begin with "- `version/case`".
fn listed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(workspace().join("SHORTCOMINGS.md")).unwrap_or_default();
    let named = text.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    let is_case =
        |name: &str| corpus::VERSIONS.iter().any(|version| name.starts_with(&format!("{version}/")));
    named.map(|(name, _)| name.to_owned()).filter(|name| is_case(name)).collect()
}

#[test]
fn every_case_is_resumed_as_the_client_did() {
    let (mut wrong, mut cases) = (String::new(), 0);
    let listed = listed();
    for version in corpus::VERSIONS {
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
    assert_eq!(cases, 470);
}

#[test]
fn a_file_and_its_bytes_are_resumed_alike_by_every_client() {
    for version in corpus::VERSIONS {
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
    for version in corpus::VERSIONS {
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
    assert_eq!(basis("base").basis, "recorded");
    assert!(basis("base").tokens > 100);
    // A line is gone: the request is no longer the one that was counted.
    assert_eq!(basis("mut-tool-result-deleted").basis, "characters");
    assert!(basis("mut-tool-result-deleted").tokens > 0);
}
