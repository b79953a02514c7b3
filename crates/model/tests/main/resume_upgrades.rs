//! Sessions of one client that another one resumes: rules that no client's own files show. Each was seen in a recorded case
//! (`edit-none-*` of corpus/edits.tar.gz), whose smallest form stands here.

use scrollback_format::generation::Generation;
use scrollback_model::resume::outcome::{BlockSource, Made, Resumed, Sender};
use scrollback_model::resume::reading::ClientReading;
use scrollback_model::resume::{self, ResumeInput};

/// Lines that hang one on the other.
fn chain(lines: &[&str]) -> String {
    let line = |(at, rest): (usize, &&str)| {
        let parent = at.checked_sub(1).map_or("null".to_owned(), |up| format!("\"u{up}\""));
        format!(
            "{{\"uuid\":\"u{at}\",\"parentUuid\":{parent},\"timestamp\":\"2026-11-01T10:00:{at:02}.000Z\",{rest}}}\n"
        )
    };
    lines.iter().enumerate().map(line).collect()
}

fn prompt(text: &str) -> String {
    format!(r#""type":"user","message":{{"role":"user","content":"{text}"}}"#)
}

fn answer(id: &str, content: &str) -> String {
    format!(
        r#""type":"assistant","message":{{"id":"{id}","model":"x","role":"assistant","content":[{content}]}}"#
    )
}

fn call(message: &str, id: &str, name: &str) -> String {
    answer(message, &format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}"#))
}

fn result(id: &str) -> String {
    format!(
        r#""type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"r"}}]}}"#
    )
}

fn resumed(text: &str, generation: Generation) -> (ClientReading, Resumed) {
    let reading = ClientReading::of(text.as_bytes(), generation);
    let resumed = resume::resume(&reading, &ResumeInput::default());
    (reading, resumed)
}

/// How many blocks each message has, the model's with a minus.
fn shape(text: &str, generation: Generation) -> Vec<i64> {
    let (_, resumed) = resumed(text, generation);
    let sign = |speaker| if speaker == Sender::Assistant { -1 } else { 1 };
    resumed.messages.iter().map(|message| sign(message.speaker) * message.blocks.len() as i64).collect()
}

#[test]
fn a_tool_that_was_renamed_since_is_called_by_its_new_name() {
    let text = chain(&[
        &prompt("go"),
        &call("m1", "t1", "Task"),
        &result("t1"),
        &call("m2", "t2", "Bash"),
        &result("t2"),
    ]);
    let names = |generation| {
        let (reading, resumed) = resumed(&text, generation);
        let blocks = resumed.messages.iter().flat_map(|message| &message.blocks);
        blocks
            .filter_map(|block| block.bit.tool)
            .map(|tool| reading.symbols.text(tool).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(Generation::V2_1_9), ["Task", "Bash"]);
    assert_eq!(names(Generation::V2_1_200), ["Agent", "Bash"]);
    assert_eq!(names(Generation::V2_1_325), ["Agent", "Bash"]);
}

#[test]
fn results_between_the_lines_of_an_answer_part_it_for_the_oldest_clients_only() {
    let text = chain(&[
        &prompt("go"),
        &call("m1", "t1", "Bash"),
        &result("t1"),
        &call("m1", "t2", "Bash"),
        &result("t2"),
        &answer("m2", r#"{"type":"text","text":"done"}"#),
    ]);
    assert_eq!(shape(&text, Generation::V2_0_29), [1, -1, 1, -1, 1, -1, 1]);
    assert_eq!(shape(&text, Generation::V2_1_9), [1, -2, 2, -1, 1]);
}

#[test]
fn the_newest_client_answers_no_command_of_its_own() {
    let text = chain(&[
        &prompt("hi"),
        &answer("m1", r#"{"type":"text","text":"ho"}"#),
        &prompt("<command-name>/exit</command-name>"),
        &prompt("<local-command-stdout>Bye</local-command-stdout>"),
    ]);
    let made = |generation| {
        let (_, resumed) = resumed(&text, generation);
        let blocks = resumed.messages.iter().flat_map(|message| &message.blocks);
        blocks.filter(|block| block.source == BlockSource::Made(Made::NoResponse)).count()
    };
    assert_eq!(made(Generation::V2_1_200), 1);
    assert_eq!(made(Generation::V2_1_325), 0);
    assert_eq!(shape(&text, Generation::V2_1_325), [1, -1, 3]);
    // What a user said and nobody answered is answered by all.
    let text = chain(&[&prompt("hi")]);
    assert_eq!(shape(&text, Generation::V2_1_325), [1, -1, 1]);
}

#[test]
fn a_reminder_with_the_prompt_stands_between_it_and_a_prompt_that_failed() {
    let error = r#""type":"assistant","isApiErrorMessage":true,"message":{"id":"e","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}"#;
    let listing = |kind: &str| format!(r#""type":"attachment","attachment":{{"type":"{kind}"}}"#);
    let newline = |lines: &[&str], generation| {
        let (_, resumed) = resumed(&chain(lines), generation);
        resumed.messages.last().unwrap().blocks[0].newline
    };
    let (hi, ho, again) = (prompt("hi"), answer("m1", r#"{"type":"text","text":"ho"}"#), prompt("again"));
    // Nothing of what the client tells the model is stored: it comes with the new prompt.
    assert!(!newline(&[&hi, &ho, &again, error], Generation::V2_1_200));
    assert!(!newline(&[&hi, &ho, &again, error], Generation::V2_1_325));
    let of_200 = listing("skill_listing");
    assert!(newline(&[&hi, &of_200, &ho, &again, error], Generation::V2_1_200));
    assert!(!newline(&[&hi, &of_200, &ho, &again, error], Generation::V2_1_325));
    let of_325 = listing("environment");
    assert!(newline(&[&hi, &of_325, &ho, &again, error], Generation::V2_1_325));
    // Without an error between them, reminders stand before both.
    let command = prompt("<command-name>/exit</command-name>");
    assert!(newline(&[&hi, &ho, &command], Generation::V2_1_325));
}

#[test]
fn a_shell_command_that_nothing_tells_the_end_of_is_told_to_be_gone() {
    let started = r#""type":"user","toolUseResult":{"stdout":"","backgroundTaskId":"b1"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"started"}]}"#;
    let (go, call, done) =
        (prompt("go"), call("m1", "t1", "Bash"), answer("m2", r#"{"type":"text","text":"started"}"#));
    let told = prompt(
        "<task-notification>\\n<task-id>b1</task-id>\\n<status>completed</status>\\n</task-notification>",
    );
    let seen = answer("m3", r#"{"type":"text","text":"seen"}"#);
    let made = |lines: &[&str], generation| {
        let (_, resumed) = resumed(&chain(lines), generation);
        let blocks = resumed.messages.iter().flat_map(|message| &message.blocks);
        blocks.filter(|block| matches!(block.source, BlockSource::Made(Made::KilledTask(_)))).count()
    };
    let lost = [go.as_str(), &call, started, &done];
    assert_eq!(made(&lost, Generation::V2_1_9), 0);
    assert_eq!(made(&lost, Generation::V2_1_200), 1);
    assert_eq!(made(&lost, Generation::V2_1_325), 1);
    assert_eq!(made(&[&lost[..], &[&told, &seen]].concat(), Generation::V2_1_325), 0);
}

#[test]
fn a_notification_is_wrapped_only_where_the_line_says_that_it_is_one() {
    let told = prompt("<task-notification>\\n<task-id>b1</task-id>\\n</task-notification>");
    let origin = format!(r#""origin":{{"kind":"task-notification"}},{told}"#);
    let wrapped = |line: &str, generation| {
        let text = chain(&[&prompt("go"), &answer("m1", r#"{"type":"text","text":"a"}"#), line]);
        let (_, resumed) = resumed(&text, generation);
        resumed.messages.iter().flat_map(|message| &message.blocks).any(|block| block.reminder)
    };
    assert!(!wrapped(&told, Generation::V2_1_325) && !wrapped(&origin, Generation::V2_1_200));
    assert!(wrapped(&origin, Generation::V2_1_325));
}
