//! Tests: what we compose has its keys in the order of genuine lines, at every depth.
//!
//! `genuine.jsonl` holds one line of each kind that the recorded clients wrote, texts cut short. A composed line
//! and a genuine one of the same client and kind must agree in the order of the keys that both have.

use std::collections::{BTreeMap, BTreeSet};

use scrollback_format::generation::Generation;
use serde_json::Value;

use crate::answer::{Answer, AnswerEnd};
use crate::attachment::HookRun;
use crate::block::AnswerBlock;
use crate::checkpoint::Backup;
use crate::compaction::CompactionSpec;
use crate::note::Worktree;
use crate::result::Denial;
use crate::session::{SessionAuthor, Settings};
use crate::source::Counter;
use crate::system::StopHook;
use crate::tool::task::{self, Todo};
use crate::tool::{self, AgentReport, shell};
use crate::{Id, Moment, Usage};

const GENUINE: &str = include_str!("genuine.jsonl");

/// Everything that a session of a generation can hold.
fn everything(generation: Generation) -> Vec<Value> {
    let mut session = SessionAuthor::new(Settings::new(generation, "/w"), Counter::default());
    session.note_state();
    let prompt = session.prompt("hello");
    session.preamble("You help.");
    tools(&mut session);
    notes(&mut session, &prompt);
    lines_of_the_client(&mut session);
    let mut agent = session.agent("general-purpose", Counter::default());
    agent.agent_prompt("Look.");
    agent.preamble("You help.");
    agent.request("You help.", &["Bash"], &[crate::block::text("x")]);
    agent.reply("Seen.", Usage::default());
    session.absorb(agent.take());
    let text = String::from_utf8_lossy(session.sheet().bytes()).into_owned();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_default()).collect()
}

fn tools(session: &mut SessionAuthor<Counter>) {
    let generation = session.generation();
    let todos = [Todo::new("a", "pending", "b")];
    let id = Id::from("a1");
    let report =
        AgentReport { id: &id, prompt: "p", answer: "a", millis: 1, calls: 1, usage: Usage::default() };
    let blocks = vec![
        AnswerBlock::Thinking { text: "t", signature: "s" },
        AnswerBlock::Text("x"),
        shell::bash("ls", "list"),
        tool::read("/w/a"),
        tool::write("/w/a", "x"),
        tool::edit(generation, "/w/a", "a", "b"),
        tool::grep("a", "/w"),
        tool::glob("*"),
        task::todo_write(&todos),
        task::create("a", "b", "c"),
        tool::agent(generation, "d", "p", "general-purpose"),
        shell::bash("rm", "remove"),
    ];
    session.request("You help.", &["Bash"], &[crate::block::text("x")]);
    let calls = session.answer(&Answer { blocks, usage: Usage::default(), stop: AnswerEnd::ToolUse }).calls;
    let launched = if generation >= Generation::V2_1_200 {
        tool::agent_launched(generation, &id, "d", "p", "m", "/o")
    } else {
        tool::agent_result(generation, &report)
    };
    let outcomes = [
        shell::bash_result(generation, "x", ""),
        tool::read_result(generation, "/w/a", "x"),
        tool::write_result(generation, "/w/a", None, "x"),
        tool::edit_result(generation, "/w/a", "a", "a", "b"),
        tool::grep_files(generation, &["a"]),
        tool::glob_result(generation, &["a"], 1),
        task::todo_result(generation, &[], &todos),
        task::created(1, "a"),
        launched,
    ];
    for (call, outcome) in calls.iter().zip(&outcomes) {
        session.result(call, outcome);
    }
    session.refusal(&calls[calls.len() - 1], "no", Denial::UserRejected);
    session.failure(&calls[0], "broken");
    session.bash_progress(&calls[0], "x", 2);
    session.agent_progress(&calls[0], &id, &id, "p");
}

fn notes(session: &mut SessionAuthor<Counter>, prompt: &Id) {
    let backup = Backup {
        path: "a".into(),
        absolute: "/w/a".into(),
        version: 1,
        existed: true,
        at: Moment::default(),
    };
    session.snapshot(prompt, std::slice::from_ref(&backup));
    session.snapshot_update(prompt, prompt, std::slice::from_ref(&backup), &backup);
    session.summary("s", prompt);
    session.custom_title("t");
    session.ai_title("t");
    session.agent_color("red");
    session.note_last_prompt("p");
    session.pr_link("a/b", 1);
    session.cost_state("0.1", 1, Usage::default());
    session.enqueue(Some("x"));
    session.dequeue();
    session.remove_queued("x");
    session.enter_worktree(&Worktree {
        original_cwd: "/w",
        path: "/w/t",
        name: "t",
        branch: "b",
        original_branch: "main",
        head_commit: "c",
    });
}

fn lines_of_the_client(session: &mut SessionAuthor<Counter>) {
    let run = HookRun { event: "Stop", name: "Stop", call: None, command: "true", stdout: "", millis: 1 };
    session.hook_success(&run);
    session.hook_progress(&run);
    session.absorb_queued("x");
    session.attach_file("/w/a", "a", "x");
    session.attach_plan_mode("/p");
    session.attach_task_reminder();
    session.attach_edited_file("/w/a", "x");
    session.slash_command("color", "red", "set");
    session.bash_mode("ls", "x", "");
    session.informational("x");
    session.retry(1, 5);
    session.stop_hooks(&[StopHook { command: "true", millis: 1 }], &[]);
    session.turn_duration(1);
    session.api_error("API Error", "unknown", 500);
    session.interruption(false, None);
    let kept: Vec<Id> = session.tail().cloned().into_iter().collect();
    session.compact(&CompactionSpec {
        manual: true,
        tokens_before: 2,
        tokens_after: 1,
        summary: "s",
        kept: &kept,
    });
}

/// What tells kinds of lines apart, finer than `type`.
fn kind(entry: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let detail = match entry["type"].as_str().unwrap_or("") {
        "system" => text(&entry["subtype"]),
        "attachment" => text(&entry["attachment"]["type"]),
        "progress" => text(&entry["data"]["type"]),
        "queue-operation" => text(&entry["operation"]),
        "assistant" if entry["isApiErrorMessage"].is_boolean() => "error".to_owned(),
        "user" => user_detail(entry),
        _ => String::new(),
    };
    format!("{} {detail} {}", text(&entry["type"]), entry["isSidechain"])
}

/// Results by the first key of their structured twin, and the other lines by their marks.
fn user_detail(entry: &Value) -> String {
    let result = &entry["toolUseResult"];
    match result.as_object().and_then(|result| result.keys().next()) {
        Some(first) => first.clone(),
        None if result.is_string() => "failed".to_owned(),
        None => format!("{} {}", entry["isMeta"], entry["isCompactSummary"]),
    }
}

/// Complains where the keys that both have come in another order.
fn compare(ours: &Value, genuine: &Value, place: &str, complaints: &mut BTreeSet<String>) {
    match (ours, genuine) {
        (Value::Object(a), Value::Object(b)) => {
            let mine: Vec<&String> = a.keys().filter(|key| b.contains_key(*key)).collect();
            let theirs: Vec<&String> = b.keys().filter(|key| a.contains_key(*key)).collect();
            if mine != theirs {
                complaints.insert(format!("{place}: {mine:?} is {theirs:?}"));
            }
            for key in mine {
                compare(&a[key], &b[key], &format!("{place}.{key}"), complaints);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for (a, b) in a.iter().zip(b).filter(|(a, b)| a["type"] == b["type"]) {
                compare(a, b, place, complaints);
            }
        }
        _ => {}
    }
}

#[test]
fn keys_come_in_the_order_of_the_client() {
    let composed: BTreeMap<String, Vec<Value>> = Generation::ALL
        .into_iter()
        .map(|generation| (generation.facts().recorded.to_string(), everything(generation)))
        .collect();
    let mut genuine: BTreeMap<(String, String), Vec<Value>> = BTreeMap::new();
    for line in GENUINE.lines() {
        let mut entry: Value = serde_json::from_str(line).unwrap_or_default();
        let client = entry["client"].as_str().unwrap_or("").to_owned();
        let line = entry["line"].take();
        genuine.entry((client, kind(&line))).or_default().push(line);
    }
    let mut complaints = BTreeSet::new();
    let mut compared = 0;
    for ((client, wanted), lines) in &genuine {
        for ours in composed.get(client).into_iter().flatten().filter(|ours| kind(ours) == *wanted) {
            compared += 1;
            // Clients vary a little themselves; to agree with one of their lines is enough.
            let told: Vec<BTreeSet<String>> = lines
                .iter()
                .map(|line| {
                    let mut told = BTreeSet::new();
                    compare(ours, line, &format!("{client} {wanted}"), &mut told);
                    told
                })
                .collect();
            if told.iter().all(|told| !told.is_empty()) {
                complaints.extend(told.into_iter().flatten());
            }
        }
    }
    assert!(compared > 150, "only {compared} lines were compared");
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn no_field_is_unknown_to_the_client() {
    let mut known: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for line in GENUINE.lines() {
        let genuine: Value = serde_json::from_str(line).unwrap_or_default();
        let keys = genuine["line"].as_object().into_iter().flat_map(|entry| entry.keys().cloned());
        let client = genuine["client"].as_str().unwrap_or("").to_owned();
        let kind = genuine["line"]["type"].as_str().unwrap_or("").to_owned();
        known.entry((client, kind)).or_default().extend(keys);
    }
    for generation in Generation::ALL {
        let client = generation.facts().recorded.to_string();
        for entry in everything(generation) {
            let kind = entry["type"].as_str().unwrap_or("").to_owned();
            if let Some(known) = known.get(&(client.clone(), kind.clone())) {
                let ours = entry.as_object().into_iter().flat_map(|entry| entry.keys());
                let odd: Vec<&String> = ours.filter(|key| !known.contains(*key)).collect();
                assert!(odd.is_empty(), "{client} {kind}: {odd:?}");
            }
        }
    }
}
