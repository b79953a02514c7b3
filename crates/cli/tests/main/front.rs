//! A second front over the desk alone, which is an example of `scrollback-core`, answers every command with the bytes that
//! the program prints with `--json`: this front has no logic that another one would need too.

use std::path::Path;
use std::sync::Arc;

use scrollback_core::desk::{Desk, TimeZone};
use scrollback_format::time::Time;
use scrollback_testkit::{clock, corpus};
use serde_json::Value;

use crate::program::Program;

#[allow(dead_code, reason = "its `main` and what only that calls")]
#[path = "../../../core/examples/front.rs"]
mod example;

/// What a front gave: its output, the first line of its complaint, and its exit code.
#[derive(Debug, PartialEq, Eq)]
struct Given {
    output: String,
    complaint: String,
    code: i32,
}

/// What the program gives for the words of the example.
fn first(program: &Program, store: &Path, cache: Option<&Path>, words: &[&str]) -> Given {
    let root = store.display().to_string();
    let mut arguments = vec!["--root", &root, "--json"];
    match words {
        ["usage", by] => arguments.extend(["usage", "--by", by]),
        _ => arguments.extend(words),
    }
    let cache = cache.unwrap_or(Path::new(""));
    let output = program.command(&arguments).env("SCROLLBACK_CACHE_DIR", cache).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    Given {
        output: String::from_utf8(output.stdout).unwrap(),
        complaint: complaint.lines().next().unwrap_or_default().to_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// What the example gives, at a desk with the program's clock and directories.
fn second(program: &Program, store: &Path, cache: Option<&Path>, words: &[&str]) -> Given {
    let now = Time(clock::NOW.as_millisecond());
    let cwd = program.root().parent().map(Path::to_owned);
    let cache = cache.map(Path::to_owned);
    let desk = Desk { cwd, cache, clock: Arc::new(move || now), zone: TimeZone::UTC, ..example::desk(store) };
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let mut output = Vec::new();
    let done = example::answer(&desk, &words, &mut output);
    Given {
        output: String::from_utf8(output).unwrap(),
        complaint: done.as_ref().err().map(|failure| format!("error: {failure}")).unwrap_or_default(),
        code: done.err().map_or(0, |failure| i32::from(example::code(&failure))),
    }
}

/// Both answer the same, each with an index of its own, and without one. (A search ranks by the whole index where there is
/// one, and by the hit alone where there is none, so that the two are not compared with each other.)
fn check(store: &Path, session: &str, [word, typed]: [&str; 2]) {
    let short = scrollback_format::id::short(session);
    let commands: [&[&str]; 11] = [
        &["ls"],
        &["ls", word],
        &["show", session],
        &["show", short],
        &["show", "last"],
        &["show", "no-such-session"],
        &["search", word],
        &["search", typed, "tool:Bash"],
        &["search", "rol:user"],
        &["usage"],
        &["usage", "model"],
    ];
    let program = Program::new();
    let caches = ["first", "second"].map(|name| program.root().join(name));
    for (indexed, words) in
        [true, false].into_iter().flat_map(|indexed| commands.map(|words| (indexed, words)))
    {
        let [one, other] = caches.each_ref().map(|cache| indexed.then_some(cache.as_path()));
        let expected = first(&program, store, one, words);
        let given = second(&program, store, other, words);
        let differ = expected.output.lines().zip(given.output.lines()).find(|(one, other)| one != other);
        assert_eq!(differ, None, "{words:?}, indexed: {indexed}");
        assert!(given == expected, "{words:?}, indexed: {indexed}: not the same end");
        // That nothing is compared with nothing.
        let fails = words.contains(&"no-such-session") || words.contains(&"rol:user");
        assert_eq!(expected.output.is_empty(), fails, "{words:?}");
        assert_eq!(expected.complaint.is_empty(), !fails, "{words:?}: {}", expected.complaint);
    }
}

/// The session of a store that has most turns.
fn longest(program: &Program, store: &Path) -> String {
    let root = store.display().to_string();
    let listing = program.json(&["--root", &root, "ls", "--json"]);
    let sessions = listing["sessions"].as_array().unwrap();
    let turns = |session: &&Value| session["turns"].as_u64();
    sessions.iter().max_by_key(turns).unwrap()["session_id"].as_str().unwrap().to_owned()
}

#[test]
fn another_front_answers_the_same_about_the_sample() {
    let program = Program::new();
    let store = program.root().join("sample");
    assert!(program.run(&["sample", &store.display().to_string()]).status.success());
    check(&store, &longest(&program, &store), ["flaky", "test"]);
}

#[test]
fn another_front_answers_the_same_about_a_recorded_store() {
    let store = corpus::tree("2.1.325");
    check(&store, &longest(&Program::new(), &store), ["file", "file"]);
}
