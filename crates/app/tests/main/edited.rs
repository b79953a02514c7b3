//! Sessions that our edits left, judged by the real clients that resumed them: the simulator and the preview said what was sent, and
//! a copy is sent as the original was.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use scrollback_testkit::corpus::{self, Case};
use scrollback_testkit::sent::{self, ComparedBlock, RecordedMessage};
use serde_json::Value;

use crate::resuming::{disagreement, told};

/// Every recorded edit, with the version of the client that resumed it.
fn each(mut with: impl FnMut(&'static str, &Case)) {
    for version in corpus::JUDGES {
        for case in corpus::edit_cases(version) {
            with(version, &case);
        }
    }
}

fn text<'a>(about: &'a Value, key: &str) -> &'a str {
    about[key].as_str().unwrap()
}

#[test]
fn every_edited_session_is_resumed_as_the_client_did() {
    let (mut wrong, mut cases) = (String::new(), 0);
    let listed = sent::listed();
    each(|version, case| {
        cases += 1;
        let name = format!("{version}/{}", case.name);
        match (disagreement(case, version), listed.contains(&name)) {
            (Some(what), false) => {
                let _ = writeln!(wrong, "{name}: {what}");
            }
            (None, true) => {
                let _ = writeln!(wrong, "{name} agrees: take it off the list");
            }
            _ => {}
        }
    });
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(cases, 1214);
}

#[test]
fn the_client_loaded_what_the_preview_promised() {
    let (mut wrong, mut promises) = (String::new(), 0);
    let listed = sent::listed();
    each(|version, case| {
        let (about, name) = (case.about(), format!("{version}/{}", case.name));
        let promised = &about["promised"];
        if promised.is_null() || listed.contains(&name) {
            return;
        }
        promises += 1;
        let view = told(case, version);
        let is_prompt = |message: &RecordedMessage| matches!(message.1.as_slice(), [only] if is_prompt(only));
        let said =
            |messages: Vec<RecordedMessage>| messages.iter().filter(|message| !is_prompt(message)).count();
        // Messages that only remind the model of something are counted by us, and are no part of what was recorded.
        let all = view["messages"].as_array().unwrap().iter().filter(|message| {
            let mut blocks = message["content"].as_array().unwrap().iter();
            blocks.any(|block| block["made_up"] != "prompt")
        });
        let reminders = all.count() - said(sent::ours(&view));
        let sent = said(sent::theirs(&case.sent()));
        let messages = promised["messages"].as_u64().unwrap();
        let loaded = (sent + reminders) as u64;
        if promised["outcome"] != about["outcome"] || messages != loaded {
            let _ =
                writeln!(wrong, "{name}: {promised} was promised, {} with {loaded} came", about["outcome"]);
        }
    });
    assert!(wrong.is_empty(), "{wrong}");
    assert!(promises > 100, "{promises}");
}

fn is_prompt(block: &ComparedBlock) -> bool {
    block.text.as_deref() == Some(sent::PROMPT)
}

/// What the client that resumed an edited session sends of the original.
fn original(version: &str, about: &Value) -> Value {
    let (tree, subject) = (text(about, "tree"), text(about, "subject"));
    let (cases, name) = if tree == version {
        (corpus::oracle_cases(version), subject.to_owned())
    } else {
        (corpus::edit_cases(version), format!("edit-none-{subject}-of-{tree}"))
    };
    let case = cases.into_iter().find(|case| case.name == name);
    case.unwrap_or_else(|| panic!("{version} was never asked about {subject} of {tree}")).sent()
}

/// Blocks with who says them, without what stands at the end of every request: what is made up there, and the prompt.
/// Where one text follows another, clients put a newline between.
fn blocks(messages: Vec<RecordedMessage>) -> Vec<(String, ComparedBlock)> {
    let made_up = ["No response requested.", "Continue from where you left off."];
    let mut all: Vec<(String, ComparedBlock)> = messages
        .into_iter()
        .flat_map(|(role, blocks)| blocks.into_iter().map(move |block| (role.clone(), block)))
        .collect();
    all.retain(|(_, block)| !is_prompt(block));
    while all
        .last()
        .is_some_and(|(_, block)| block.text.as_deref().is_some_and(|text| made_up.contains(&text.trim())))
    {
        all.pop();
    }
    for (_, block) in &mut all {
        block.text = block.text.take().map(|text| text.trim_end().to_owned());
    }
    all
}

#[test]
fn a_copy_is_sent_as_the_original_was() {
    let (mut wrong, mut checked) = (String::new(), BTreeMap::<String, u32>::new());
    each(|version, case| {
        let about = case.about();
        let of = text(&about, "of");
        if of.is_empty() {
            return;
        }
        *checked.entry(of.to_owned()).or_default() += 1;
        let (was, is) = (sent::theirs(&original(version, &about)), sent::theirs(&case.sent()));
        let what = match of {
            "same" => sent::difference(&is, &was),
            "part" => {
                let (was, is) = (blocks(was), blocks(is));
                let longer =
                    || format!("{:?} is not a part", is.iter().zip(&was).find(|(is, was)| is != was));
                (!was.starts_with(&is)).then(longer)
            }
            _ => Some(format!("nothing is known of '{of}'")),
        };
        if let Some(what) = what {
            let _ = writeln!(wrong, "{version}/{}: {what}", case.name);
        }
    });
    assert!(wrong.is_empty(), "{wrong}");
    assert!(checked["same"] > 50 && checked["part"] > 20, "{checked:?}");
}
