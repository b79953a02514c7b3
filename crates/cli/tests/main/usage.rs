//! `usage`: judged by a second count in Python; parts add up to the whole; the way of refreshing does not matter.

#![allow(clippy::disallowed_methods, reason = "files of a store of the test's own are removed")]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scrollback_testkit::home::Store;
use scrollback_testkit::{corpus, workspace};
use serde_json::Value;

use crate::program::Program;

const BY: [&str; 11] =
    ["day", "week", "month", "hour", "model", "project", "session", "agent", "tool", "branch", "purpose"];
const S: &str = "aaaa1111-0000-4000-8000-000000000001";

#[test]
fn a_second_count_in_python_comes_to_the_same() {
    for version in corpus::VERSIONS {
        let program = Program::with(Store::of_tree(version));
        let output = Command::new("python3")
            .arg(workspace().join("tools/judge/usage.py"))
            .arg(env!("CARGO_BIN_EXE_scrollback"))
            .arg(program.root())
            .env("HOME", program.root().parent().unwrap())
            .env_remove("CLAUDE_CONFIG_DIR")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn sums(view: &Value) -> Vec<u128> {
    let rows = view["rows"].as_array().unwrap();
    let sum = |of: &dyn Fn(&Value) -> u128| rows.iter().map(of).sum();
    let count = |name: &'static str| move |row: &Value| u128::from(row["tokens"][name].as_u64().unwrap());
    vec![
        sum(&|row| u128::from(row["messages"].as_u64().unwrap())),
        sum(&count("input")),
        sum(&count("output")),
        sum(&count("cache_read")),
        sum(&count("cache_write")),
        sum(&|row| pico(&row["cost"]["total"])),
    ]
}

/// Dollars as a whole number of pico-dollars.
fn pico(dollars: &Value) -> u128 {
    let (whole, part) = match dollars.as_str().unwrap().split_once('.') {
        Some((whole, part)) => (whole, part),
        None => (dollars.as_str().unwrap(), ""),
    };
    format!("{whole}{part:0<12}").parse().unwrap()
}

#[test]
fn the_parts_of_every_partition_add_up_to_the_whole() {
    for version in corpus::VERSIONS {
        let program = Program::with(Store::of_tree(version));
        let of = |by: &str| sums(&program.json(&["usage", "--by", by, "--limit", "0", "--json"]));
        let expected = of("model");
        assert!(expected[2] > 0, "{version} has output");
        for by in BY {
            assert_eq!(of(by), expected, "{version} by {by}");
        }
    }
}

#[test]
fn a_trend_is_the_cost_in_parts() {
    let program = Program::with(Store::of_tree("2.1.325"));
    let view = program.json(&["usage", "--by", "session", "--limit", "0", "--json"]);
    let rows = view["rows"].as_array().unwrap();
    assert!(rows.len() > 20);
    for row in rows.iter().chain([&view["total"]]) {
        let trend = row["trend"].as_array().unwrap();
        assert_eq!(trend.len(), 12);
        assert_eq!(trend.iter().map(pico).sum::<u128>(), pico(&row["cost"]["total"]), "{}", row["key"]);
    }
    assert_eq!(program.json(&["usage", "--json"])["total"]["trend"], Value::Null);
}

/// Files below a directory, by their names.
fn files_below(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// The lines of answers in a store and their output tokens, read by themselves.
fn lines_of_answers(root: &Path) -> (Vec<(PathBuf, u64)>, u64) {
    let (mut files, mut lines, mut output) = (Vec::new(), Vec::new(), 0);
    files_below(&root.join("projects"), &mut files);
    let is_session = |path: &&PathBuf| {
        path.extension().is_some_and(|end| end == "jsonl") && !path.ends_with("journal.jsonl")
    };
    for path in files.iter().filter(is_session) {
        let text = std::fs::read(path).unwrap();
        for (line, number) in text.split(|byte| *byte == b'\n').zip(1..) {
            let Ok(entry) = serde_json::from_slice::<Value>(line) else { continue };
            let (message, is_charged) = match entry["type"].as_str() {
                Some("assistant") => (&entry["message"], entry["message"]["id"].is_string()),
                Some("progress") => (&entry["data"]["message"]["message"], false),
                _ => continue,
            };
            if is_charged || message["usage"].is_object() {
                lines.push((path.clone(), number));
                output += message["usage"]["output_tokens"].as_u64().unwrap_or(0);
            }
        }
    }
    (lines, output)
}

#[test]
fn the_audit_accounts_for_every_line() {
    for version in corpus::VERSIONS {
        let program = Program::with(Store::of_tree(version));
        let view = program.json(&["usage", "audit", "--limit", "0", "--json"]);
        let stages = view["stages"].as_array().unwrap();
        let names: Vec<_> = stages.iter().map(|stage| stage["stage"].as_str().unwrap()).collect();
        assert_eq!(names, ["raw", "line", "copy", "no_request", "sidechain", "priced"]);
        let count = |stage: &Value, name: &str| stage[name].as_u64().unwrap();
        for pair in stages.windows(2) {
            let left = count(&pair[0], "left") - count(&pair[1], "dropped");
            assert_eq!(left, count(&pair[1], "left"), "{version} {}", pair[1]["stage"]);
        }
        let (lines, output) = lines_of_answers(program.root());
        assert_eq!(count(&stages[0], "left"), lines.len() as u64, "{version}");
        assert_eq!(stages[0]["tokens"]["output"], output, "{version}");
        // What is dropped is told line by line, each once, and what is paid for it is no line that was dropped.
        let dropped: BTreeSet<(PathBuf, u64)> = view["dropped"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| (PathBuf::from(line["path"].as_str().unwrap()), line["line"].as_u64().unwrap()))
            .collect();
        assert_eq!(dropped.len() as u64, lines.len() as u64 - view["paid"].as_u64().unwrap(), "{version}");
        for (path, line) in &dropped {
            let known = (program.root().join(path), *line);
            assert!(lines.contains(&known), "{version}: {} line {line}", path.display());
        }
        // The last stages are what is paid.
        let usage = program.json(&["usage", "--json"]);
        assert_eq!(stages[5]["cost"], usage["total"]["cost"]["total"], "{version}");
        assert_eq!(stages[4]["tokens"], usage["total"]["tokens"], "{version}");
        let costs: Vec<u128> = stages.iter().map(|stage| pico(&stage["cost"])).collect();
        assert!(costs.is_sorted_by(|a, b| a >= b), "{version}: {costs:?}");
        let of_rule = program.json(&["usage", "audit", "--rule", "copy", "--limit", "0", "--json"]);
        let copies = of_rule["dropped"].as_array().unwrap();
        assert!(copies.iter().all(|line| line["rule"] == "copy"));
        assert_eq!(copies.len() as u64, count(&stages[2], "dropped"));
    }
}

#[test]
fn the_audit_tells_what_each_rule_saved() {
    let (few, all) =
        (r#"{"input_tokens":1000,"output_tokens":1}"#, r#"{"input_tokens":1000,"output_tokens":100}"#);
    let fork = "bbbb2222-0000-4000-8000-000000000002";
    let program = Program::with(
        Store::new()
            .lines(
                format!("projects/-a/{S}.jsonl"),
                [answer(S, "m", "r", "1", few), answer(S, "m", "r", "2", few)],
            )
            .lines(format!("projects/-a/{fork}.jsonl"), [answer(fork, "m", "r", "3", all)]),
    );
    let view = program.json(&["usage", "audit", "--json"]);
    let told: Vec<(u64, &str)> = view["stages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stage| (stage["tokens"]["output"].as_u64().unwrap(), stage["cost"].as_str().unwrap()))
        .collect();
    // 3 dollars a million in, 15 out: the charge that is paid has the counts of its copy.
    let paid = (100, "0.0045");
    assert_eq!(told, [(102, "0.01053"), (101, "0.007515"), paid, paid, paid, paid]);
    let dropped: Vec<(&str, u64, u64)> = view["dropped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            let number = |name: &str| line[name].as_u64().unwrap();
            (line["rule"].as_str().unwrap(), number("line"), number("paid_line"))
        })
        .collect();
    assert_eq!(dropped, [("copy", 1, 1), ("line", 2, 1)]);
    // Of a session alone: what is another's is dropped from it.
    let view = program.json(&["usage", "audit", fork, "--json"]);
    assert_eq!((&view["paid"], &view["stages"][0]["left"]), (&0.into(), &1.into()));
    assert!(view["dropped"][0]["paid_in"].as_str().unwrap().contains(S));
}

#[test]
fn the_line_that_counts_is_the_one_with_the_most_output() {
    let lines = [1, 1, 500].map(|output| {
        answer(S, "m", "r", "1", &format!(r#"{{"input_tokens":10,"output_tokens":{output}}}"#))
    });
    let program = Program::with(Store::new().lines(format!("projects/-a/{S}.jsonl"), lines));
    let view = program.json(&["usage", "audit", "--json"]);
    let told: Vec<_> = view["dropped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["line"].as_u64().unwrap(), line["paid_line"].as_u64().unwrap()))
        .collect();
    assert_eq!(told, [(1, 3), (2, 3)]);
}

/// A line of a conversation, with a prompt or an answer.
fn said(uuid: &str, parent: Option<&str>, second: u32, what: &str) -> String {
    let parent =
        parent.map_or("null".to_owned(), |parent| format!("\"{parent}00-0000-4000-8000-000000000000\""));
    let uuid = format!("{uuid}00-0000-4000-8000-000000000000");
    format!(
        r#"{{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":"/a","sessionId":"{S}","version":"2.1.325","timestamp":"2026-11-01T10:00:{second:02}.000Z","uuid":"{uuid}",{what}}}"#
    )
}

#[test]
fn purposes_tell_what_was_rewound_what_failed_and_what_agents_did() {
    let prompt = r#""type":"user","message":{"role":"user","content":"hello"}"#;
    let answer = |id: &str| {
        format!(
            r#""type":"assistant","requestId":"r{id}","message":{{"id":"{id}","role":"assistant","model":"claude-sonnet-4-5","content":[{{"type":"text","text":"well"}}],"usage":{{"input_tokens":1000,"output_tokens":100}}}}"#
        )
    };
    let failed = r#""type":"assistant","isApiErrorMessage":true,"message":{"id":"e","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error"}],"usage":{"input_tokens":0,"output_tokens":0}}"#;
    let own = [
        said("000000a1", None, 1, prompt),
        said("000000a2", Some("000000a1"), 2, &answer("left")),
        // Rewound to the beginning, and asked anew.
        said("000000a3", None, 3, prompt),
        said("000000a4", Some("000000a3"), 4, &answer("kept")),
        said("000000a5", Some("000000a4"), 5, prompt),
        said("000000a6", Some("000000a5"), 6, failed),
    ];
    let agent = said("000000b1", None, 7, &format!("\"agentId\":\"a1234567\",{}", answer("agent")));
    let agent = agent.replace("\"isSidechain\":false", "\"isSidechain\":true");
    let program = Program::with(
        Store::new()
            .lines(format!("projects/-a/{S}.jsonl"), own)
            .lines(format!("projects/-a/{S}/subagents/agent-a1234567.jsonl"), [agent]),
    );
    let view = program.json(&["usage", "--by", "purpose", "--json"]);
    let found: Vec<(&str, u64, &str)> = view["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let cost = row["cost"]["total"].as_str().unwrap();
            (row["key"].as_str().unwrap(), row["messages"].as_u64().unwrap(), cost)
        })
        .collect();
    let expected = [
        ("conversation", 1, "0.0045"),
        ("left_behind", 1, "0.0045"),
        ("task", 1, "0.0045"),
        ("error", 1, "0"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn budgets_and_the_time_zone_may_stand_in_the_config() {
    let usage = r#"{"input_tokens":1000000,"output_tokens":100}"#;
    let late = answer(S, "m", "r", "1", usage).replace("T10:00", "T23:30");
    let program = Program::with(Store::new().lines(format!("projects/-a/{S}.jsonl"), [late]));
    let config = program.root().join("config.toml");
    let run = |args: &[&str]| program.command(args).env("SCROLLBACK_CONFIG", &config).output().unwrap();
    assert_eq!(run(&["usage", "--budget"]).status.code(), Some(2), "there is none");
    std::fs::write(&config, "[usage]\ntime_zone = \"Asia/Tokyo\"\nbudgets = [\"1/month\", \"50/week\"]\n")
        .unwrap();
    let output = run(&["usage", "--json"]);
    assert_eq!(output.status.code(), Some(0), "nobody asked to fail");
    let view: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&view["time_zone"], &view["rows"][0]["key"]), (&"Asia/Tokyo".into(), &"2026-11-02".into()));
    let budgets = serde_json::json!([
        { "span": "month", "most": "1", "spent": "3.0015", "is_over": true },
        { "span": "week", "most": "50", "spent": "0", "is_over": false },
    ]);
    assert_eq!(view["budgets"], budgets);
    // What is looked at is not what was spent.
    assert_eq!(run(&["usage", "--budget", "--since", "2026-11-05"]).status.code(), Some(6));
    let said = String::from_utf8(run(&["usage"]).stdout).unwrap();
    assert!(said.contains("This month: $3.00 of $1.00 (300 %): over budget."), "{said}");
    std::fs::write(&config, "[usage]\nbudgets = [\"much\"]\n").unwrap();
    assert_eq!(run(&["usage"]).status.code(), Some(2));
}

fn answer(session: &str, message: &str, request: &str, time: &str, usage: &str) -> String {
    let request = if request.is_empty() { String::new() } else { format!("\"requestId\":\"{request}\",") };
    format!(
        r#"{{"type":"assistant","uuid":"{message}{time}","parentUuid":null,"sessionId":"{session}","cwd":"/a","version":"2.1.325","timestamp":"2026-11-0{time}T10:00:00.000Z",{request}"message":{{"id":"{message}","role":"assistant","model":"claude-sonnet-4-5","content":[],"usage":{usage}}}}}"#
    )
}

/// What a store with these lines in one session costs, exactly, and how many messages are paid.
fn check(name: &str, files: &[(&str, Vec<String>)], cost: &str, messages: u64) {
    let mut store = Store::new();
    for (file, lines) in files {
        store = store.lines(format!("projects/-a/{file}.jsonl"), lines);
    }
    let view = Program::with(store).json(&["usage", "--json"]);
    assert_eq!(view["total"]["cost"]["total"], cost, "{name}");
    assert_eq!(view["total"]["messages"], messages, "{name}");
}

/// Sonnet 4.5: 3, 15, 0.30, 3.75 and 6 dollars a million; until 2026-10-21 twice and one and a half times that above 200,000
/// tokens.
#[test]
fn costs_worked_out_by_hand() {
    let one = |usage: &str| vec![(S, vec![answer(S, "m", "r", "1", usage)])];
    check("in and out", &one(r#"{"input_tokens":1000,"output_tokens":100}"#), "0.0045", 1);
    let hour = r#"{"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":1000,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":1000}}"#;
    check("an hour's cache", &one(hour), "0.006", 1);
    let split = r#"{"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":1000,"ephemeral_1h_input_tokens":1000}}"#;
    check("no sum, but its parts", &one(split), "0.00975", 1);
    let rest = r#"{"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":3000,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":1000}}"#;
    check("more than its parts", &one(rest), "0.0135", 1);
    let read = r#"{"input_tokens":0,"output_tokens":0,"cache_read_input_tokens":1}"#;
    check("one cached token", &one(read), "0.0000003", 1);
    let long = r#"{"input_tokens":200001,"output_tokens":1000}"#;
    check("a request that was long until October 2026", &one(long), "0.615003", 1);
    let before = answer(S, "m", "r", "1", long).replace("2026-11-01", "2026-09-01");
    check("a long request", &[(S, vec![before])], "1.222506", 1);
    let spaced = answer(S, "m", "r", "1", r#"{ "input_tokens" : 1000 , "output_tokens" : 100 }"#)
        .replace("\":", "\" : ");
    check("spaces between tokens", &[(S, vec![spaced])], "0.0045", 1);
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    let grown = vec![
        answer(S, "m", "r", "1", r#"{"input_tokens":1000,"output_tokens":1}"#),
        answer(S, "m", "r", "2", usage),
    ];
    check("lines of one message", &[(S, grown)], "0.0045", 1);
    let fork = |request: &str| {
        let other = "bbbb2222-0000-4000-8000-000000000002";
        vec![
            (S, vec![answer(S, "m", "r", "1", usage)]),
            (other, vec![answer(other, "m", request, "2", usage)]),
        ]
    };
    check("a fork", &fork("r"), "0.0045", 1);
    check("a fork without its request", &fork(""), "0.0045", 1);
    check("another request", &fork("q"), "0.009", 2);
    let mut aside = fork("q");
    aside[1].0 = "aaaa1111-0000-4000-8000-000000000001/subagents/agent-aside_question-1";
    check("a side question", &aside, "0.0045", 1);
    let nameless = answer(S, "m", "r", "1", usage).replace("\"id\":\"m\",", "");
    check("no message id", &[(S, vec![nameless])], "0.0045", 1);
    let unknown = answer(S, "m", "r", "1", usage).replace("claude-sonnet-4-5", "gpt-x");
    check("an unknown model", &[(S, vec![unknown])], "0", 1);
}

#[test]
fn a_message_is_booked_on_the_day_of_its_earliest_copy() {
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    let other = "0000aaaa-0000-4000-8000-000000000002";
    let store = Store::new()
        .lines(format!("projects/-a/{other}.jsonl"), [answer(other, "m", "", "5", usage)])
        .lines(format!("projects/-a/{S}.jsonl"), [answer(S, "m", "r", "1", usage)]);
    let view = Program::with(store).json(&["usage", "--json"]);
    let days: Vec<_> = view["rows"].as_array().unwrap().iter().map(|row| row["key"].clone()).collect();
    assert_eq!(days, ["2026-11-01"]);
    assert_eq!(view["copies_dropped"], 1);
}

#[test]
fn an_unknown_model_is_listed_and_a_budget_ends_with_its_own_code() {
    let usage = r#"{"input_tokens":1000000,"output_tokens":100}"#;
    let line = answer(S, "m", "r", "1", usage);
    let unknown = line.replace("claude-sonnet-4-5", "gpt-x").replace("\"id\":\"m\"", "\"id\":\"n\"");
    let program = Program::with(Store::new().lines(format!("projects/-a/{S}.jsonl"), [line, unknown]));
    let view = program.json(&["usage", "--json"]);
    assert_eq!(view["unknown_models"], serde_json::json!({ "gpt-x": 1 }));
    let code = |budget: &str| program.run(&["usage", "--budget", budget]).status.code();
    assert_eq!(code("1/month"), Some(6));
    assert_eq!(code("100/month"), Some(0));
    assert_eq!(code("1/day"), Some(0), "nothing was spent today");
    assert_eq!(code("much"), Some(2));
}

#[test]
fn refreshing_in_steps_and_in_any_order_comes_to_the_same() {
    let whole = Program::with(Store::of_tree("2.1.200"));
    let told = |program: &Program| {
        let mut view = program.json(&["usage", "--by", "session", "--limit", "0", "--json"]);
        view["as_of"] = Value::Null;
        view
    };
    let expected = told(&whole);
    let stepped = Program::with(Store::new());
    let mut folders: Vec<_> = std::fs::read_dir(whole.root().join("projects"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    folders.reverse();
    for half in folders.chunks(folders.len() / 2 + 1) {
        for folder in half {
            let to = stepped.root().join("projects").join(folder.file_name().unwrap());
            let copied = Command::new("cp").arg("-r").arg(folder).arg(&to).status().unwrap();
            std::fs::create_dir_all(stepped.root().join("projects")).unwrap();
            if !copied.success() {
                assert!(Command::new("cp").arg("-r").arg(folder).arg(&to).status().unwrap().success());
            }
        }
        told(&stepped);
    }
    assert_eq!(told(&stepped), expected);
}

/// What the status line is if the client says this.
fn status_line(program: &Program, said: &str) -> String {
    let mut command = program.command(&["usage", "statusline"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_status_line_is_about_the_session_on_standard_input() {
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    let store = Store::new().lines(format!("projects/-a/{S}.jsonl"), [answer(S, "m", "r", "1", usage)]);
    let program = Program::with(store);
    let expected = "$0.0045 session · $0.00 today · 1.0k context · claude-sonnet-4-5\n";
    assert_eq!(status_line(&program, &format!("{{\"session_id\":\"{S}\"}}")), expected);
    let path = program.root().join(format!("projects/-a/{S}.jsonl"));
    let by_path = serde_json::json!({ "transcript_path": path }).to_string();
    assert_eq!(status_line(&program, &by_path), expected);
}

#[test]
fn dates_are_of_the_zone_that_days_are_of() {
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    // 2026-11-02 in Tokyo begins at 15:00 of the day before.
    let at = |message: &str, hour: &str| {
        answer(S, message, message, "1", usage).replace("T10:00", &format!("T{hour}:00"))
    };
    let store = Store::new().lines(format!("projects/-a/{S}.jsonl"), [at("m", "14"), at("n", "16")]);
    let program = Program::with(store);
    let view = program.json(&[
        "usage",
        "--json",
        "--time-zone",
        "Asia/Tokyo",
        "--since",
        "2026-11-02",
        "--until",
        "2026-11-03",
    ]);
    assert_eq!((&view["total"]["messages"], &view["rows"][0]["key"]), (&1.into(), &"2026-11-02".into()));
}

#[test]
fn what_something_cost_does_not_depend_on_the_zone_of_the_reader() {
    // The day on which long requests of this model lost their own price, from both sides.
    let long = r#"{"input_tokens":200001,"output_tokens":1000}"#;
    let lines = ["2026-10-20T23:30", "2026-10-21T00:30"]
        .map(|time| answer(S, time, time, "1", long).replace("2026-11-01T10:00", time));
    let program = Program::with(Store::new().lines(format!("projects/-a/{S}.jsonl"), lines));
    let cost = |zone: &str| {
        let view = program.json(&["usage", "--json", "--time-zone", zone]);
        view["total"]["cost"]["total"].as_str().unwrap().to_owned()
    };
    assert_eq!(cost("UTC"), cost("Pacific/Honolulu"));
    assert_eq!(cost("UTC"), cost("Asia/Tokyo"));
}

#[test]
fn what_has_no_time_is_a_row_of_its_own() {
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    let timeless = answer(S, "n", "q", "1", usage).replace("2026-11-01T10:00:00.000Z", "once");
    let store =
        Store::new().lines(format!("projects/-a/{S}.jsonl"), [answer(S, "m", "r", "1", usage), timeless]);
    let program = Program::with(store);
    for by in BY {
        let view = program.json(&["usage", "--by", by, "--json"]);
        assert_eq!(sums(&view)[0], 2, "{by}");
        assert_eq!(view["without_time"], 1, "{by}");
    }
    let said = program.told(&["usage"]);
    assert!(said.contains("(none)") && said.contains("1 message without a time."), "{said}");
}

#[test]
fn absurd_counts_are_no_end() {
    let usage = r#"{"input_tokens":18446744073709551615,"output_tokens":18446744073709551615,"cache_read_input_tokens":18446744073709551615,"cache_creation":{"ephemeral_5m_input_tokens":18446744073709551615,"ephemeral_1h_input_tokens":18446744073709551615}}"#;
    let lines = [answer(S, "m", "r", "1", usage), answer(S, "n", "q", "2", usage)];
    let program = Program::with(Store::new().lines(format!("projects/-a/{S}.jsonl"), lines));
    for args in [&["usage"][..], &["usage", "audit"], &["usage", "blocks"], &["usage", "--by", "session"]] {
        assert_eq!(program.run(args).status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn one_message_with_ever_new_requests_takes_no_more_than_its_lines() {
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    let lines: Vec<String> =
        (0..20_000).map(|request| answer(S, "m", &format!("r{request}"), "1", usage)).collect();
    let program = Program::with(Store::new().lines(format!("projects/-a/{S}.jsonl"), lines));
    assert_eq!(program.json(&["usage", "--json"])["total"]["messages"], 20_000);
}

#[test]
fn what_programs_read_has_all_rows() {
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    let hours = (0..40).map(|day| {
        answer(S, &format!("m{day}"), "r", "1", usage)
            .replace("2026-11-01", &format!("2026-{:02}-{:02}", 1 + day / 28, 1 + day % 28))
    });
    let program =
        Program::with(Store::new().lines(format!("projects/-a/{S}.jsonl"), hours.collect::<Vec<_>>()));
    assert_eq!(program.json(&["usage", "--json"])["rows"].as_array().unwrap().len(), 40);
    let csv = String::from_utf8(program.run(&["usage", "--csv"]).stdout).unwrap();
    assert_eq!(csv.lines().count(), 41);
    assert!(program.told(&["usage"]).contains("30 of 40 rows"));
}

#[test]
fn a_session_without_a_file_has_cost_nothing_yet() {
    let program = Program::with(Store::new().lines("projects/-a/x.txt", ["x"]));
    assert_eq!(status_line(&program, &format!("{{\"session_id\":\"{S}\"}}")), "$0.00 session\n");
}

#[test]
fn a_ledger_knows_its_store_and_what_is_left_of_a_session() {
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    let agent = format!("projects/-a/{S}/subagents/agent-a1234567.jsonl");
    let store = Store::new()
        .lines(format!("projects/-a/{S}.jsonl"), [answer(S, "m", "r", "1", usage)])
        .lines(&agent, [answer(S, "n", "q", "1", usage)]);
    let own = store.root().join(format!("projects/-a/{S}.jsonl"));
    let program = Program::with(store);
    program.json(&["usage", "ledger", "on", "--json"]);
    // Some clients delete a session and leave its agents.
    std::fs::remove_file(own).unwrap();
    for _ in 0..2 {
        let view = program.json(&["usage", "--json"]);
        assert_eq!((&view["total"]["messages"], &view["from_ledger"]), (&2.into(), &1.into()));
    }
    assert_eq!(sums(&program.json(&["usage", "--by", "hour", "--json"]))[0], 2);
    let blocks = program.json(&["usage", "blocks", "--json"]);
    assert_eq!(blocks[0]["messages"], 1, "the hours of what is gone are not known");
    assert_eq!(program.json(&["usage", "--json", "--project", "gone"])["total"]["messages"], 0);
    let other = tempfile::tempdir().unwrap();
    let other = other.path().to_str().unwrap();
    assert_eq!(program.json(&["usage", "--json", "--root", other])["total"]["messages"], 0);
}

/// A session, a fork of it, and one of its own.
fn forked() -> Store {
    let usage = r#"{"input_tokens":1000,"output_tokens":100}"#;
    let (fork, other) = ("bbbb2222-0000-4000-8000-000000000002", "cccc3333-0000-4000-8000-000000000003");
    Store::new()
        .lines(
            format!("projects/-a/{S}.jsonl"),
            [answer(S, "m", "r", "1", usage), answer(S, "own", "q", "2", usage)],
        )
        .lines(format!("projects/-a/{fork}.jsonl"), [answer(fork, "m", "r", "1", usage)])
        .lines(format!("projects/-a/{other}.jsonl"), [answer(other, "n", "p", "3", usage)])
}

#[test]
fn a_ledger_keeps_what_was_spent_when_sessions_are_gone_and_counts_nothing_twice() {
    let store = forked();
    let (own, fork) =
        (store.root().join(format!("projects/-a/{S}.jsonl")), "bbbb2222-0000-4000-8000-000000000002");
    let fork = store.root().join(format!("projects/-a/{fork}.jsonl"));
    let program = Program::with(store);
    let spent = || {
        let view = program.json(&["usage", "--json"]);
        (
            view["total"]["cost"]["total"].as_str().unwrap().to_owned(),
            view["total"]["messages"].as_u64().unwrap(),
        )
    };
    let before = spent();
    assert_eq!(before, ("0.0135".to_owned(), 3));
    let kept = program.json(&["usage", "ledger", "--json"]);
    assert_eq!(kept["is_kept"], false, "it is off unless it is asked for");
    assert_eq!(program.json(&["usage", "ledger", "on", "--json"])["sessions"], 2);
    // The original goes: its copy in the fork is still there and must not be paid twice.
    std::fs::remove_file(&own).unwrap();
    assert_eq!(spent(), before);
    std::fs::remove_file(&fork).unwrap();
    assert_eq!(spent(), before);
    let ledger = std::fs::read_to_string(
        program.root().parent().unwrap().join(".local/share/scrollback/usage-ledger.jsonl"),
    );
    assert!(!ledger.unwrap().contains("hello"));
    assert_eq!(program.json(&["usage", "ledger", "off", "--json"])["is_kept"], false);
    assert_eq!(spent(), ("0.0045".to_owned(), 1));
}

#[test]
fn another_tools_days_are_set_beside_ours() {
    let program = Program::with(forked());
    let theirs = program.root().join("theirs.json");
    let day = |day: u32, input: u64| {
        serde_json::json!({ "date": format!("2026-11-0{day}"), "inputTokens": input,
        "outputTokens": 100, "cacheCreationTokens": 0, "cacheReadTokens": 0, "totalCost": 0.0045 })
    };
    std::fs::write(&theirs, serde_json::json!({ "daily": [day(1, 2000), day(2, 1000)] }).to_string())
        .unwrap();
    let view = program.json(&["usage", "compare", theirs.to_str().unwrap(), "--json"]);
    assert_eq!(view["agree"], 1);
    let keys: Vec<_> = view["rows"].as_array().unwrap().iter().map(|row| row["key"].clone()).collect();
    assert_eq!(keys, ["2026-11-01", "2026-11-03"]);
    std::fs::write(&theirs, "{}").unwrap();
    assert_eq!(program.run(&["usage", "compare", theirs.to_str().unwrap()]).status.code(), Some(2));
}

#[test]
fn what_the_newest_client_recorded_is_reproduced_to_the_cent_where_its_lines_are_complete() {
    let view = Program::with(Store::of_tree("2.1.325")).json(&["usage", "recorded", "--all", "--json"]);
    let sessions = view["sessions"].as_array().unwrap();
    assert_eq!((sessions.len(), view["agree"].as_u64()), (100, Some(85)));
    for row in sessions {
        // Where the tokens are the same, so is the money.
        let same = row["recorded_output"] == row["calculated_output"];
        assert!(!same || row["why"] == "same", "{row}");
    }
    // A fork that the same process went on in has the total of both; the session that it came from has its own.
    let why = |id: &str| {
        let row = sessions.iter().find(|row| row["session_id"].as_str().unwrap().starts_with(id)).unwrap();
        row["why"].as_str().unwrap().to_owned()
    };
    assert_eq!((why("7c5475bb").as_str(), why("87e592b3").as_str()), ("carried_over", "more_recorded"));
    let sum = |name: &str| sessions.iter().map(|row| pico(&row[name])).sum::<u128>();
    assert!(pico(&view["recorded"]) < sum("recorded"), "a process counts once");
    assert_eq!(pico(&view["calculated"]), sum("calculated"));
}

#[test]
fn prices_of_the_config_go_over_the_table() {
    let program = Program::with(forked());
    let config = program.root().join("config.toml");
    let cost = |text: &str| {
        std::fs::write(&config, text).unwrap();
        let output =
            program.command(&["usage", "--json"]).env("SCROLLBACK_CONFIG", &config).output().unwrap();
        let view: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        (output.status.code(), view.map(|view| view["total"]["cost"]["total"].clone()))
    };
    let own = "[[prices]]\nmodel = \"claude-sonnet-4-5\"\ninput = 1\noutput = 10\n";
    assert_eq!(cost(own), (Some(0), Some("0.006".into())));
    assert_eq!(cost("").0, Some(0));
    for wrong in ["prices = 1", "[[prices]]\nmodel = \"x\"\n", "[[prices]]\nunknown = 1\n", "["] {
        assert_eq!(cost(wrong).0, Some(2), "{wrong}");
    }
}

#[test]
fn time_is_told_turn_by_turn() {
    let line = |kind: &str, id: u32, second: u32, more: &str| {
        let parent =
            if id == 1 { "null".to_owned() } else { format!("\"00000000-0000-4000-8000-{:012}\"", id - 1) };
        format!(
            r#"{{"type":"{kind}","uuid":"00000000-0000-4000-8000-{id:012}","parentUuid":{parent},"sessionId":"{S}","cwd":"/a","version":"2.1.9","timestamp":"2026-11-01T10:00:{second:02}.000Z",{more}}}"#
        )
    };
    let text = |role: &str, content: &str| format!(r#""message":{{"role":"{role}","content":{content}}}"#);
    let call = r#"[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]"#;
    let back = r#"[{"type":"tool_result","tool_use_id":"t","content":"x"}]"#;
    let store = Store::new().lines(
        format!("projects/-a/{S}.jsonl"),
        [
            line("user", 1, 0, &text("user", "\"one\"")),
            line("assistant", 2, 5, &text("assistant", call)),
            line("user", 3, 12, &text("user", back)),
            line("assistant", 4, 15, &text("assistant", "[{\"type\":\"text\",\"text\":\"done\"}]")),
            line("user", 5, 45, &text("user", "\"two\"")),
            line("assistant", 6, 47, &text("assistant", "[{\"type\":\"text\",\"text\":\"done\"}]")),
        ],
    );
    let view = Program::with(store).json(&["usage", "time", S, "--json"]);
    let spent = |turn: &Value| {
        ["model_ms", "tool_ms", "user_ms", "other_ms"].map(|name| turn[name].as_u64().unwrap())
    };
    assert_eq!(spent(&view["turns"][0]), [8000, 7000, 0, 0]);
    assert_eq!(spent(&view["turns"][1]), [2000, 0, 30000, 0]);
    assert_eq!(spent(&view["total"]), [10000, 7000, 30000, 0]);
}
