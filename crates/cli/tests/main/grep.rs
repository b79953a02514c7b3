//! `scrollback grep` as a user runs it: whole outputs, exit codes, closed pipes, hostile text, limits, filters.

use std::io::Read;
use std::process::Stdio;

use scrollback_app::grep::pattern::Pattern;
use scrollback_app::grep::{GrepQuery, Mode, PreparedGrep, target};
use scrollback_testkit::home::Store;
use serde_json::Value;

use crate::program::Program;

macro_rules! snapshots {
    ($( $name:ident: $( $argument:literal )*; )*) => { $(
        #[test]
        fn $name() {
            let arguments: &[&str] = &["--sample", "grep", $( $argument ),*];
            insta::assert_snapshot!(stringify!($name), Program::new().told(arguments));
        }
    )* };
}

snapshots! {
    grep_a_word: "reconnect";
    grep_with_neighbours: "Backoff type" "-C" "1";
    grep_regex_ignoring_case: "-e" "-i" r"^fix(ed)?\b";
    grep_whole_words: "-w" "cap" "--role" "user";
    grep_counts: "retry" "--count";
    grep_limited: "the" "--limit" "3";
    grep_as_json: "Survey the callers" "--json";
    grep_counts_as_json: "retry" "--count" "--json" "--limit" "2";
    grep_files_as_json: "retry" "--files" "--json";
    grep_nothing: "no such text anywhere";
    grep_bad_pattern: "-e" "fo(o";
    grep_help: "--help";
}

fn code(program: &Program, arguments: &[&str]) -> i32 {
    program.run(arguments).status.code().unwrap()
}

fn user(text: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"u","sessionId":"s","timestamp":"2026-11-01T10:00:00.000Z","message":{{"role":"user","content":{}}}}}"#,
        serde_json::to_string(text).unwrap()
    )
}

/// The lines that match, over all files.
fn found(program: &Program, arguments: &[&str]) -> Vec<u64> {
    let mut all = vec!["grep", "--json"];
    all.extend(arguments);
    let document = program.json(&all);
    let hits = |session: &Value| session["hits"].as_array().unwrap().clone();
    let sessions = document["sessions"].as_array().unwrap().iter();
    sessions.flat_map(hits).map(|hit| hit["line"].as_u64().unwrap()).collect()
}

#[test]
fn text_is_found_as_it_reads_and_not_as_it_is_stored() {
    let odd = r#"{"type":"user","message":{"content":"\u0068\u00e9llo \/ \ud83d\ude00"}}"#;
    let lines = [user("say \"hi\"\nC:\\temp"), user("grüße"), odd.to_owned()];
    let program = Program::with(Store::new().lines("projects/-x/s.jsonl", lines));
    for (pattern, expected) in [
        ("say \"hi\"", &[1][..]),
        ("\"hi\"\nC:\\t", &[1]),
        ("\\n", &[]),
        ("\\\"", &[]),
        ("grüße", &[2]),
        ("héllo / 😀", &[3]),
        ("u0068", &[]),
        ("2026-11", &[]),
    ] {
        assert_eq!(found(&program, &[pattern]), expected, "{pattern}");
    }
    assert_eq!(found(&program, &["GRÜSSE", "-i"]), [0; 0], "folding is simple");
    assert_eq!(found(&program, &["GRÜßE", "-i"]), [2]);
}

#[test]
fn damaged_lines_are_searched_as_they_stand() {
    let text =
        format!("{}\n{{\"type\":\"user\",\"message\":{{\"content\":\"torn needle\\n", user("whole needle"));
    let program = Program::with(Store::new().file("projects/-x/s.jsonl", text));
    assert_eq!(found(&program, &["needle"]), [1, 2]);
    assert_eq!(found(&program, &["needle\\n"]), [2]);
    assert_eq!(found(&program, &["needle", "--role", "user"]), [1]);
    assert_eq!(program.json(&["grep", "torn", "--json"])["sessions"][0]["hits"][0]["kind"], "torn");
}

#[test]
fn the_document_that_is_written_bit_by_bit_is_the_report() {
    let program = Program::new();
    let tree = scrollback_testkit::corpus::tree("2.1.325").join("projects");
    let (targets, _) = target::named(&tree).unwrap();
    for mode in [Mode::Hits, Mode::Count, Mode::Files] {
        let pattern = Pattern { text: "@@hello@@".into(), ..Pattern::default() };
        let query = GrepQuery { pattern, mode, before: 1, after: 2, ..GrepQuery::default() };
        let report = serde_json::to_value(PreparedGrep::new(query).unwrap().report(&targets)).unwrap();
        let flag = match mode {
            Mode::Hits => "--quiet",
            Mode::Count => "--count",
            Mode::Files => "--files",
        };
        let tree = tree.display().to_string();
        let mut written = program.json(&["grep", "@@hello@@", "-B1", "-A2", "--json", flag, &tree]);
        let schema = written.as_object_mut().unwrap().remove("schema");
        assert_eq!(schema, Some("grep/1".into()));
        assert!(report["matched"].as_u64().unwrap() > 1);
        assert!(written == report, "{flag}");
    }
}

#[test]
fn exit_codes_are_as_documented() {
    let program = Program::new();
    for (arguments, expected) in [
        (&["--sample", "grep", "the"][..], 0),
        (&["--sample", "grep", "no such text anywhere"], 1),
        (&["--sample", "grep", "no such text anywhere", "--json"], 1),
        (&["--sample", "grep", "-e", "fo(o"], 2),
        (&["--sample", "grep", "the", "--since", "someday"], 2),
        (&["--sample", "grep", "the", "/nowhere"], 5),
        (&["--sample", "grep"], 2),
    ] {
        assert_eq!(code(&program, arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let program = Program::new();
    let trees = scrollback_testkit::corpus::trees().display().to_string();
    for more in [&["--json"][..], &[], &["--files"]] {
        let mut arguments = vec!["grep", "e", trees.as_str()];
        arguments.extend(more);
        let mut child =
            program.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{more:?}");
        assert_eq!(output.status.code(), Some(0), "{more:?}");
    }
}

#[test]
fn hostile_text_is_harmless() {
    let text = "needle\u{1b}]0;owned\u{7} \u{1b}[2J\u{202e}gnp.exe\u{9b}5n\0\rneedle\t\u{200b}";
    let line =
        user(text).replace("\"uuid\":\"u\"", &format!("\"cwd\":{}", serde_json::to_string(text).unwrap()));
    let program = Program::with(Store::new().lines("projects/-x/s.jsonl", [line.clone(), user("x"), line]));
    for arguments in [&["grep", "needle"][..], &["grep", "x", "-C", "1"], &["grep", "needle", "-c"]] {
        let output = program.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        let odd =
            told.chars().find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}'));
        assert_eq!(odd, None, "{arguments:?}: {told}");
    }
}

#[test]
fn a_limit_ends_the_search_and_says_so() {
    let program = Program::new();
    let all = program.json(&["--sample", "grep", "the", "--json"]);
    let some = program.json(&["--sample", "grep", "the", "--json", "--limit", "7"]);
    assert_eq!((&all["complete"], &all["limited"]), (&Value::Bool(true), &Value::Bool(false)));
    assert_eq!((&some["complete"], &some["limited"]), (&Value::Bool(false), &Value::Bool(true)));
    assert_eq!(some["matched"], 7);
    let lines = |document: &Value| -> Vec<u64> {
        let sessions = document["sessions"].as_array().unwrap();
        let hits = sessions.iter().flat_map(|session| session["hits"].as_array().unwrap());
        hits.map(|hit| hit["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines(&some), lines(&all)[..7], "the first ones, in the files' order");
}

#[test]
fn filters_take_texts_and_not_only_lines() {
    let call = r#"{"type":"assistant","gitBranch":"feature/x","timestamp":"2026-11-02T10:00:00.000Z","message":{"id":"m","model":"claude-opus-9","content":[{"type":"text","text":"needle said"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"needle run"}}]}}"#;
    let result = r#"{"type":"user","timestamp":"2026-11-03T10:00:00.000Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"needle failed"}]},"toolUseResult":"needle failed"}"#;
    let request = r#"{"type":"api-request","params":{"x":"needle sent"}}"#;
    let store = Store::new()
        .lines("projects/-x/s.jsonl", [user("needle").as_str(), call, result, request])
        .lines("projects/-x/s/subagents/agent-abc.jsonl", [user("needle of the agent")])
        .file("projects/-x/s/subagents/agent-abc.meta.json", r#"{"agentType":"Explore"}"#);
    let program = Program::with(store);
    for (arguments, expected) in [
        // Files come in the order of their paths: the folder of a session before its file.
        (&[][..], &[1, 1, 2, 3][..]),
        (&["--requests"], &[1, 1, 2, 3, 4]),
        (&["--role", "user"], &[1, 1]),
        (&["--role", "assistant"], &[2]),
        (&["--role", "tool"], &[2, 3]),
        (&["--role", "system"], &[]),
        (&["--tool", "bash"], &[2, 3]),
        (&["--tool", "ba*"], &[2, 3]),
        (&["--tool", "Read"], &[]),
        (&["--errors"], &[3]),
        (&["--model", "OPUS"], &[2]),
        (&["--branch", "feature"], &[2]),
        (&["--since", "2026-11-02"], &[2, 3]),
        (&["--until", "2026-11-02"], &[1, 1]),
        (&["--agent", "*"], &[1]),
        (&["--agent", "ab"], &[1]),
        (&["--agent", "explore"], &[1]),
        (&["--agent", "other"], &[]),
        (&["--project=-X"], &[1, 1, 2, 3]),
        (&["--project", "elsewhere"], &[]),
    ] {
        let mut all = vec!["needle"];
        all.extend(arguments);
        assert_eq!(found(&program, &all), expected, "{arguments:?}");
    }
    let document = program.json(&["grep", "needle failed", "--json"]);
    let hit = &document["sessions"][0]["hits"][0];
    assert_eq!((&hit["tool"], &hit["role"]), (&"Bash".into(), &"tool".into()));
    assert_eq!(hit["texts"].as_array().unwrap().len(), 1, "a text that stands twice counts once: {hit}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_told() {
    let store = Store::new().lines("projects/-x/s.jsonl", [user("needle")]);
    // A link to nothing is unreadable for everybody, root too.
    std::os::unix::fs::symlink("/nowhere", store.root().join("projects/-x/gone.jsonl")).unwrap();
    let program = Program::with(store);
    let document = program.json(&["grep", "needle", "--json"]);
    assert_eq!((&document["complete"], &document["matched"]), (&Value::Bool(false), &1.into()));
    assert_eq!(document["skipped"].as_array().unwrap().len(), 1);
    let told = program.told(&["grep", "needle"]);
    assert!(told.contains("warning: not searched: ~/.claude/projects/-x/gone.jsonl"), "{told}");
}

const MB: usize = 1 << 20;

/// Lines that hold the word, with lines of these sizes before, between and after them. They are begun in a directory
/// and answer a tool call, so that a match asks for what only a second reading of the file can tell.
fn among_long_lines(sizes: &[usize]) -> (Vec<String>, Vec<u64>) {
    let long = |size: &usize| user(&"x".repeat(*size));
    let result = r#"{"type":"user","uuid":"r","cwd":"/work","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"needle"}]}}"#;
    let mut lines: Vec<String> = sizes.iter().map(long).collect();
    let mut found = vec![lines.len() as u64 + 1];
    lines.extend([result.to_owned(), long(&sizes[0]), user("a needle again")]);
    found.push(lines.len() as u64);
    lines.push(long(&(2 * MB)));
    (lines, found)
}

#[test]
fn long_lines_before_between_and_after_matches_are_passed() {
    let mut store = Store::new();
    let mut expected = Vec::new();
    for (n, sizes) in
        [&[1][..], &[2], &[3], &[4], &[6], &[8], &[10], &[16], &[1, 2, 3, 4], &[3, 3, 3]].iter().enumerate()
    {
        let (lines, found) = among_long_lines(&sizes.iter().map(|size| size * MB).collect::<Vec<_>>());
        store = store.lines(format!("projects/-x/{n}.jsonl"), lines);
        expected.extend(found);
    }
    let program = Program::with(store);
    let json = program.run_in_time(&["grep", "needle", "--json"]);
    let document: Value = serde_json::from_slice(&json.stdout).unwrap();
    let sessions = document["sessions"].as_array().unwrap();
    let hits = sessions.iter().flat_map(|session| session["hits"].as_array().unwrap());
    let lines: Vec<u64> = hits.map(|hit| hit["line"].as_u64().unwrap()).collect();
    assert_eq!((lines, &document["complete"]), (expected.clone(), &true.into()));
    assert!(sessions.iter().all(|session| session["project"] == "/work"), "{sessions:?}");
    let text = program.run_in_time(&["grep", "needle", "-C", "1"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert_eq!(text.matches("a needle again").count() * 2, expected.len());
}

#[test]
fn a_line_above_the_limit_before_a_match_is_passed_and_told() {
    let lines = [user(&"x".repeat(65 * MB)), user(&"x".repeat(3 * MB)), user("needle")];
    let program = Program::with(Store::new().lines("projects/-x/s.jsonl", lines));
    for arguments in [&["grep", "needle"][..], &["grep", "needle", "--json"]] {
        let output = program.run_in_time(arguments);
        let told = [output.stdout, output.stderr].concat();
        let told = String::from_utf8_lossy(&told);
        assert!(told.contains("needle") && told.contains("line 1 is longer than 64 MB"), "{told}");
    }
}

#[test]
fn long_matches_that_wait_for_their_turn_hold_nobody_up() {
    // The first file is the smallest, so it is begun last; what the others find is then more than may be kept, and all
    // of it is in long lines.
    let long = user(&format!("needle {}", "x".repeat(5 * MB)));
    let mut store = Store::new().lines("projects/-x/0.jsonl", [user(&"x".repeat(3 * MB)), user("needle")]);
    for n in 1..4 {
        store = store.lines(format!("projects/-x/{n}.jsonl"), (0..3).map(|_| &long));
    }
    let program = Program::with(store);
    let output = program.run_in_time(&["grep", "needle", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["matched"], &document["complete"]), (&10.into(), &true.into()));
}
