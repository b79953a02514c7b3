//! Tests: the keys of each kind stand in the order in which the client wrote them.
//!
//! The expected orders were read from genuine lines of the recorded trees.

use scrollback_format::generation::Generation;
use serde_json::Value;

use crate::answer::{Answer, AnswerEnd};
use crate::attachment::HookRun;
use crate::block::AnswerBlock;
use crate::checkpoint::Backup;
use crate::compaction::CompactionSpec;
use crate::session::{Entrypoint, SessionAuthor, Settings};
use crate::source::Counter;
use crate::tool::{self, shell};
use crate::{Moment, Usage};

const OLD: &str = "parentUuid isSidechain userType cwd sessionId version gitBranch";
const NEW: &str = "userType entrypoint cwd sessionId version gitBranch";

fn session(generation: Generation, entrypoint: Entrypoint) -> SessionAuthor<Counter> {
    let settings = Settings { entrypoint, ..Settings::new(generation, "/home/dev/work") };
    SessionAuthor::new(settings, Counter::default())
}

fn entries(session: &SessionAuthor<Counter>) -> Vec<Value> {
    let text = String::from_utf8_lossy(session.sheet().bytes()).into_owned();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_default()).collect()
}

fn keys(value: &Value) -> String {
    value.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>().join(" ")).unwrap_or_default()
}

/// The keys of the session's last line are these.
fn check(session: &SessionAuthor<Counter>, expected: &str) {
    assert_eq!(entries(session).last().map(keys).unwrap_or_default(), expected);
}

fn turn(generation: Generation) -> SessionAuthor<Counter> {
    let mut session = session(generation, Entrypoint::SdkCli);
    session.prompt("hello");
    let calls = vec![AnswerBlock::Text("I look."), shell::bash("ls", "list"), shell::bash("pwd", "where")];
    let usage = Usage { input: 4, output: 120, output_at_start: 3, ..Usage::default() };
    let written = session.answer(&Answer { blocks: calls, usage, stop: AnswerEnd::ToolUse });
    for call in &written.calls {
        session.result(call, &shell::bash_result(generation, "one", ""));
    }
    session
}

#[test]
fn prompts() {
    let run = |generation, entrypoint, expected: String| {
        let mut session = session(generation, entrypoint);
        session.prompt("hello");
        check(&session, &expected);
    };
    let (tui, sdk) = (Entrypoint::Cli, Entrypoint::SdkCli);
    run(Generation::V2_0_29, sdk, format!("{OLD} type message uuid timestamp"));
    run(Generation::V2_0_29, tui, format!("{OLD} type message uuid timestamp thinkingMetadata"));
    run(Generation::V2_1_9, tui, format!("{OLD} type message uuid timestamp thinkingMetadata todos"));
    let user = "parentUuid isSidechain promptId type message uuid timestamp permissionMode";
    run(Generation::V2_1_80, tui, format!("{user} {NEW}"));
    run(Generation::V2_1_200, sdk, format!("{user} promptSource {NEW}"));
    run(Generation::V2_1_200, tui, format!("{user} origin promptSource {NEW}"));
    run(Generation::V2_1_325, tui, format!("{user} origin promptSource turnOrigin turnPosition {NEW}"));
    run(Generation::V2_1_325, sdk, format!("{user} promptSource turnOrigin turnPosition {NEW}"));
}

#[test]
fn answers() {
    let newest = "apiBlockIndex requestId requestRef requestedModel promptCacheRequested type uuid timestamp effort perTurnEffort madeBy";
    for (generation, expected) in [
        (Generation::V2_0_29, format!("{OLD} message requestId type uuid timestamp")),
        (Generation::V2_1_9, format!("{OLD} message requestId type uuid timestamp")),
        (Generation::V2_1_200, format!("parentUuid isSidechain message requestId type uuid timestamp {NEW}")),
        (Generation::V2_1_325, format!("parentUuid isSidechain message {newest} {NEW}")),
    ] {
        let mut session = session(generation, Entrypoint::SdkCli);
        session.prompt("hello");
        session.request("You help.", &["Bash"], &[]);
        session.reply("Hello.", Usage::default());
        check(&session, &expected);
        let message = entries(&session).last().map(|entry| entry["message"].clone()).unwrap_or_default();
        let details = if generation >= Generation::V2_1_200 { " stop_details" } else { "" };
        assert_eq!(
            keys(&message),
            format!("id type role model content stop_reason stop_sequence usage{details}")
        );
    }
}

#[test]
fn usage() {
    let usage = |generation| -> String {
        let json = Usage::default().json(generation, true);
        keys(&serde_json::from_slice(json.as_bytes()).unwrap_or_default())
    };
    let first = "input_tokens cache_creation_input_tokens cache_read_input_tokens";
    assert_eq!(usage(Generation::V2_1_9), format!("{first} cache_creation output_tokens service_tier"));
    assert_eq!(
        usage(Generation::V2_1_200),
        format!(
            "{first} output_tokens server_tool_use service_tier cache_creation inference_geo iterations speed"
        )
    );
    assert_eq!(
        usage(Generation::V2_1_325),
        format!(
            "{first} output_tokens output_tokens_details server_tool_use service_tier cache_creation inference_geo iterations speed fallback_credit"
        )
    );
}

#[test]
fn results() {
    let new = "parentUuid isSidechain promptId type message uuid timestamp toolUseResult";
    for (generation, expected) in [
        (Generation::V2_0_29, format!("{OLD} type message uuid timestamp toolUseResult")),
        (
            Generation::V2_1_9,
            format!("{OLD} type message uuid timestamp toolUseResult sourceToolAssistantUUID"),
        ),
        (Generation::V2_1_200, format!("{new} sourceToolAssistantUUID {NEW}")),
        (Generation::V2_1_325, format!("{new} sandboxed sourceToolAssistantUUID permissionDecision {NEW}")),
    ] {
        check(&turn(generation), &expected);
    }
}

#[test]
fn parallel_results_hang_on_each_other_and_later_on_their_calls() {
    for generation in Generation::ALL {
        let session = turn(generation);
        let entries = entries(&session);
        let results: Vec<&Value> = entries.iter().filter(|entry| !entry["toolUseResult"].is_null()).collect();
        assert_eq!(results.len(), 2, "{generation:?}");
        let chained = results[1]["parentUuid"] == results[0]["uuid"];
        assert_eq!(chained, !generation.facts().results_hang_on_their_call, "{generation:?}");
    }
}

#[test]
fn errors() {
    for (generation, expected) in [
        (Generation::V2_0_29, format!("{OLD} type uuid timestamp message isApiErrorMessage")),
        (Generation::V2_1_9, format!("{OLD} type uuid timestamp message error isApiErrorMessage")),
        (
            Generation::V2_1_200,
            format!(
                "parentUuid isSidechain type uuid timestamp message requestId error isApiErrorMessage apiErrorStatus {NEW}"
            ),
        ),
        (
            Generation::V2_1_325,
            format!(
                "parentUuid isSidechain type uuid timestamp message requestId error isApiErrorMessage apiErrorStatus apiErrorType perTurnEffort failedResponseHadNoToolCall madeBy {NEW}"
            ),
        ),
    ] {
        let mut session = session(generation, Entrypoint::Cli);
        session.api_error("API Error: 500", "server_error", 500);
        check(&session, &expected);
    }
}

#[test]
fn compaction_boundaries() {
    let logical = "parentUuid logicalParentUuid isSidechain";
    let body = "type subtype content isMeta timestamp uuid level compactMetadata";
    let auto = "type subtype content level compactMetadata uuid timestamp";
    for (generation, manual, expected) in [
        (Generation::V2_0_29, false, format!("{logical} userType cwd sessionId version gitBranch {body}")),
        (Generation::V2_1_200, true, format!("{logical} {body} {NEW}")),
        (Generation::V2_1_325, false, format!("{logical} {auto} {NEW}")),
    ] {
        let mut session = turn(generation);
        let kept = session.tail().cloned().into_iter().collect::<Vec<_>>();
        let compaction =
            CompactionSpec { manual, tokens_before: 9, tokens_after: 2, summary: "s", kept: &kept };
        session.compact(&compaction);
        let boundary = entries(&session).into_iter().find(|entry| entry["subtype"] == "compact_boundary");
        assert_eq!(boundary.as_ref().map(keys).unwrap_or_default(), expected);
        let segment = &boundary.unwrap_or_default()["compactMetadata"]["preservedSegment"];
        assert_eq!(segment.is_object(), generation >= Generation::V2_1_200);
    }
}

#[test]
fn system_lines_and_attachments() {
    let mut session = session(Generation::V2_1_325, Entrypoint::SdkCli);
    session.turn_duration(5);
    check(
        &session,
        &format!("parentUuid isSidechain type subtype durationMs messageCount timestamp uuid isMeta {NEW}"),
    );
    session.retry(1, 529);
    check(
        &session,
        &format!(
            "parentUuid isSidechain type subtype level error retryInMs retryAttempt maxRetries source timestamp uuid {NEW}"
        ),
    );
    session.stop_hooks(&[], &[]);
    check(
        &session,
        &format!(
            "parentUuid isSidechain type subtype hookCount hookInfos hookErrors hookAdditionalContext preventedContinuation stopReason hasOutput level timestamp uuid toolUseID {NEW}"
        ),
    );
    session.local_command("x", Some(("color", "red")));
    check(
        &session,
        &format!("parentUuid isSidechain type subtype content level timestamp uuid isMeta commandRun {NEW}"),
    );
    session.attach_file("/w/a", "a", "x");
    check(
        &session,
        &format!("parentUuid isSidechain attachment type uuid timestamp rendered renderedRole {NEW}"),
    );
    let run = HookRun { event: "Stop", name: "Stop", call: None, command: "true", stdout: "", millis: 1 };
    session.hook_success(&run);
    check(&session, &format!("parentUuid isSidechain attachment type uuid timestamp {NEW}"));
    let hook = entries(&session).pop().map(|entry| keys(&entry["attachment"])).unwrap_or_default();
    assert_eq!(hook, "type hookName toolUseID hookEvent content stdout stderr exitCode command durationMs");
}

#[test]
fn side_notes() {
    let mut session = session(Generation::V2_1_325, Entrypoint::Cli);
    let prompt = session.prompt("hello");
    session.note_last_prompt("hello");
    check(&session, "type lastPrompt leafUuid sessionId");
    session.note_rewind();
    check(&session, "type leafUuid explicit sessionId");
    session.remove_queued("x");
    check(&session, "type operation timestamp sessionId content reason commandUuid deliveryId");
    session.pr_link("ada/orbit", 42);
    check(&session, "type sessionId prNumber prUrl prRepository timestamp");
    session.cost_state("0.5", 100, Usage::default());
    check(
        &session,
        "type sessionId totalCostUSD totalAPIDuration totalAPIDurationWithoutRetries totalToolDuration totalLinesAdded totalLinesRemoved totalDuration startTime modelUsage hasUnknownModelCost",
    );
    session.request("You help.", &["Bash"], &[]);
    check(
        &session,
        "type sessionId id timestamp version querySource shapeHash params keep tail cacheControl requestDigest",
    );
    let backup = Backup {
        path: "a".into(),
        absolute: "/w/a".into(),
        version: 1,
        existed: false,
        at: Moment::default(),
    };
    session.snapshot(&prompt, std::slice::from_ref(&backup));
    check(&session, "type messageId snapshot isSnapshotUpdate");
    session.snapshot_update(&prompt, &prompt, &[], &backup);
    check(&session, "type messageId snapshotMessageId trackingPath backup timestamp");
}

#[test]
fn progress_is_beside_the_chain_and_later_in_it() {
    for (generation, linked) in [(Generation::V2_1_9, false), (Generation::V2_1_80, true)] {
        let mut session = turn(generation);
        let before = session.tail().cloned();
        let run = HookRun { event: "Stop", name: "Stop", call: None, command: "true", stdout: "", millis: 1 };
        session.hook_progress(&run);
        assert_eq!(session.tail().cloned() != before, linked);
    }
}

#[test]
fn tool_results_have_the_shape_of_their_generation() {
    let shape = |outcome: tool::ToolOutcome| {
        let result = outcome.result.map(|json| json.as_bytes().to_vec()).unwrap_or_default();
        keys(&serde_json::from_slice(&result).unwrap_or_default())
    };
    let write = |generation| shape(tool::write_result(generation, "/w/a", None, "x"));
    assert_eq!(write(Generation::V2_0_29), "type filePath content structuredPatch");
    assert_eq!(write(Generation::V2_1_9), "type filePath content structuredPatch originalFile");
    assert_eq!(
        write(Generation::V2_1_200),
        "type filePath content structuredPatch originalFile userModified"
    );
    let edit = shape(tool::edit_result(Generation::V2_1_9, "/w/a", "a\n", "a", "b"));
    assert_eq!(edit, "filePath oldString newString originalFile structuredPatch userModified replaceAll");
    let bash = |generation| shape(shell::bash_result(generation, "", ""));
    assert_eq!(bash(Generation::V2_1_9), "stdout stderr interrupted isImage");
    assert_eq!(bash(Generation::V2_1_80), "stdout stderr interrupted isImage noOutputExpected");
}
