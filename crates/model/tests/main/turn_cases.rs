//! Where turns begin and how their end is known.

use scrollback_format::generation::Generation;
use scrollback_format::line;
use scrollback_format::piece::Parser;
use scrollback_model::facts::Anatomy;
use scrollback_model::fold::Fold;
use scrollback_model::transcript::FileKind;

/// Lines in a word each: they follow one another in one chain.
fn check(words: &str, expected: &[&str]) {
    let mut text = String::new();
    for (at, word) in words.split_whitespace().enumerate() {
        let parent = if at == 0 { "null".to_owned() } else { format!("\"n{}\"", at - 1) };
        let head =
            format!(r#""uuid":"n{at}","parentUuid":{parent},"timestamp":"2026-11-01T10:00:{at:02}.000Z""#);
        let user = |content: &str, more: &str| {
            format!(r#"{{"type":"user",{head},{more}"message":{{"role":"user","content":{content}}}}}"#)
        };
        let answer = |stop: &str| {
            format!(
                r#"{{"type":"assistant",{head},"message":{{"id":"m{at}","model":"x","stop_reason":{stop},"content":[{{"type":"text","text":"a"}}]}}}}"#
            )
        };
        text += &match word {
            "prompt" => user("\"hello\"", ""),
            "meta" => user("\"Caveat\"", "\"isMeta\":true,"),
            "command" => user("\"<command-name>/x</command-name>\"", ""),
            "printed" => user("\"<local-command-stdout>x</local-command-stdout>\"", ""),
            "bash" => user("\"<bash-input>ls</bash-input>\"", ""),
            "listed" => user("\"<bash-stdout>x</bash-stdout>\"", ""),
            "notified" => user("\"<task-notification><task-id>a1</task-id>\"", ""),
            "interrupted" => user("[{\"type\":\"text\",\"text\":\"[Request interrupted by user]\"}]", ""),
            "summary" => user("\"This session is being continued\"", "\"isCompactSummary\":true,"),
            "result" => user("[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"x\"}]", ""),
            "answer" => answer("\"end_turn\""),
            "open" => answer("null"),
            "cut" => answer("\"max_tokens\""),
            "refused" => answer("\"refusal\""),
            "call" => format!(
                r#"{{"type":"assistant",{head},"message":{{"id":"m{at}","stop_reason":null,"content":[{{"type":"tool_use","id":"t","name":"Bash","input":{{}}}}]}}}}"#
            ),
            "error" => format!(
                r#"{{"type":"assistant",{head},"isApiErrorMessage":true,"message":{{"id":"m{at}","model":"<synthetic>","stop_reason":"stop_sequence","content":[]}}}}"#
            ),
            "duration" => format!(r#"{{"type":"system","subtype":"turn_duration",{head},"durationMs":5}}"#),
            other => panic!("{other}"),
        };
        text.push('\n');
    }
    let (mut parser, mut fold) = (Parser::new(), Fold::new(FileKind::Session));
    for line in line::split(text.as_bytes()) {
        parser.each(line, |piece| fold.piece(&piece));
    }
    let transcript = fold.finish(0, 0);
    let anatomy = Anatomy::of(&transcript, Generation::NEWEST);
    let turns: Vec<String> = anatomy
        .turns
        .iter()
        .map(|turn| {
            format!(
                "{}:{:?} {}..{} {:?} {:?}",
                turn.number, turn.begin, turn.range.start, turn.range.end, turn.end, turn.evidence
            )
        })
        .collect();
    assert_eq!(turns, expected, "{words}");
}

#[test]
fn a_turn_runs_from_a_prompt_to_its_answer() {
    check("prompt answer prompt open", &["1:Prompt 0..2 Done StopReason", "2:Prompt 2..4 Open EndOfThread"]);
    check("prompt open prompt answer", &["1:Prompt 0..2 Done NextPrompt", "2:Prompt 2..4 Done StopReason"]);
    check("prompt call result answer", &["1:Prompt 0..4 Done StopReason"]);
    check("prompt open duration", &["1:Prompt 0..3 Done TurnDuration"]);
}

#[test]
fn other_ends_are_told_apart() {
    check("prompt cut", &["1:Prompt 0..2 MaxTokens StopReason"]);
    check("prompt refused", &["1:Prompt 0..2 Refused StopReason"]);
    check("prompt call interrupted", &["1:Prompt 0..3 Interrupted Line"]);
    check("prompt error", &["1:Prompt 0..2 Failed Line"]);
    check("prompt", &["1:Prompt 0..1 Unanswered EndOfThread"]);
    check("prompt call result duration", &["1:Prompt 0..4 Done TurnDuration"]);
    check("prompt call", &["1:Prompt 0..2 Unfinished EndOfThread"]);
    check("prompt call result", &["1:Prompt 0..3 Unfinished EndOfThread"]);
}

#[test]
fn commands_and_notifications_begin_a_turn_only_if_answered() {
    check(
        "prompt answer command printed prompt answer",
        &["1:Prompt 0..4 Done StopReason", "2:Prompt 4..6 Done StopReason"],
    );
    check("command meta answer", &["1:Command 0..3 Done StopReason"]);
    check(
        "prompt answer notified answer",
        &["1:Prompt 0..2 Done StopReason", "2:Notification 2..4 Done StopReason"],
    );
    check("bash listed prompt answer", &["1:Bash 0..4 Done StopReason"]);
    check("bash listed answer", &["1:Bash 0..3 Done StopReason"]);
}

#[test]
fn a_summary_before_the_first_prompt_is_turn_zero() {
    check("summary prompt answer", &["0:System 0..1 Unanswered NextPrompt", "1:Prompt 1..3 Done StopReason"]);
}
