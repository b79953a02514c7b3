//! Claims over the recorded stores: how each stands, by client version.

use std::collections::BTreeMap;

use scrollback_app::Root;
use scrollback_app::claims::{CLAIMS, Claims, claims};
use scrollback_app::library::Library;
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;
use scrollback_testkit::workspace;

const S: &str = "aaaa1111-0000-4000-8000-000000000001";

fn of(root: &std::path::Path) -> Claims {
    claims(&Library::open(vec![Root::new(root)]).unwrap(), &|_| {})
}

#[test]
fn claims_stand_in_the_recorded_stores_as_reviewed() {
    let mut told: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for version in corpus::VERSIONS {
        for view in of(&corpus::tree(version)).claims {
            told.entry(CLAIMS.iter().find(|claim| claim.id == view.claim).unwrap().id)
                .or_default()
                .push(format!("{}/{}", view.holds, view.of));
        }
    }
    let lines = CLAIMS.iter().map(|claim| format!("{:<22} {}", claim.id, told[claim.id].join("  ")));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
    let asked = |claim: &&str| told[*claim].iter().any(|count| !count.ends_with("/0"));
    // The recordings are kept without empty folders.
    let never: Vec<_> = told.keys().filter(|claim| !asked(claim) && **claim != "session-env-empty").collect();
    assert!(never.is_empty(), "{never:?} are asked of no recorded store");
}

/// The section of FORMAT.md that a claim is about cites it, and nothing else is cited.
#[test]
fn format_md_cites_every_claim_where_it_tells_what_is_so() {
    let text = std::fs::read_to_string(workspace().join("FORMAT.md")).unwrap();
    let mut section = String::new();
    let mut cited = Vec::new();
    for line in text.lines() {
        if line.starts_with("## ") || line.starts_with("### ") {
            let number = line.trim_start_matches(['#', ' ']).split(' ').next().unwrap_or_default();
            if number.starts_with(|c: char| c.is_ascii_digit()) {
                section = number.trim_end_matches('.').to_owned();
            }
        }
        if let Some(list) = line.strip_prefix("Claims that `scrollback claims` checks: ") {
            let ids = list.trim_end_matches('.').split(", ").map(|id| id.trim_matches('`').to_owned());
            cited.extend(ids.map(|id| (id, section.clone())));
        }
    }
    let mut expected: Vec<_> =
        CLAIMS.iter().map(|claim| (claim.id.to_owned(), claim.section.to_owned())).collect();
    expected.sort();
    cited.sort();
    assert_eq!(cited, expected);
}

fn user(line: u32, parent: &str, more: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"00000000-0000-4000-8000-{line:012}","parentUuid":{parent},"sessionId":"{S}","cwd":"/a","version":"2.1.9","timestamp":"2026-11-01T10:00:0{line}.000Z","message":{{"role":"user","content":"x"}}{more}}}"#
    )
}

/// How a claim stands in a store with these lines in its one session.
fn check(claim: &str, lines: &[String], expected: (u64, u64)) {
    let store = Store::new().lines(format!("projects/-a/{S}.jsonl"), lines);
    let found = of(store.root());
    let view = found.claims.iter().find(|view| view.claim == claim).unwrap();
    assert_eq!((view.holds, view.of), expected, "{claim}: {:?}", view.counterexamples);
    assert_eq!(view.counterexamples.is_empty(), view.holds == view.of, "{claim}");
}

#[test]
fn what_breaks_a_claim_is_counted_with_its_place() {
    let root = user(1, "null", "");
    let child = |line| user(line, "\"00000000-0000-4000-8000-000000000001\"", "");
    check("parent-in-file", &[root.clone(), child(2)], (1, 1));
    check("parent-in-file", &[child(2)], (0, 1));
    check("parent-before", &[child(2), root.clone()], (0, 1));
    check("uuid-once", &[root.clone(), root.clone()], (1, 2));
    check("one-root", &[root.clone(), user(2, "null", "")], (0, 1));
    check("lines-compact", &[root.replace("\":", "\": ")], (0, 1));
    check("lines-whole", &["{\"type\":\"us".to_owned(), root.clone()], (1, 2));
    check("time-format", &[root.replace(".000Z", "Z")], (0, 1));
    check("lines-in-order", &[child(2), root.clone()], (1, 2));
    check("session-is-file", &[root.replace(S, "other")], (0, 1));
    check("folder-of-cwd", &[root.replace("/a", "/b")], (0, 1));
    check("user-type-external", &[user(1, "null", ",\"userType\":\"internal\"")], (0, 1));
    check("agent-sidechain", &[user(1, "null", ",\"isSidechain\":true")], (0, 1));
    let summary =
        r#"{"type":"summary","summary":"x","leafUuid":"00000000-0000-4000-8000-000000000001"}"#.to_owned();
    check("summary-first", &[root.clone(), summary.clone()], (0, 1));
    check("summary-leaf-here", &[root.clone(), summary.clone()], (1, 1));
    check("summary-leaf-here", &[summary], (0, 1));
    let queue = |operation: &str| {
        format!(
            r#"{{"type":"queue-operation","operation":"{operation}","sessionId":"{S}","timestamp":"2026-11-01T10:00:00.000Z"}}"#
        )
    };
    check("queue-in-pairs", &[root.clone(), queue("enqueue"), queue("dequeue")], (1, 1));
    check("queue-in-pairs", &[root, queue("dequeue")], (0, 1));
}

#[test]
fn damaged_and_odd_files_of_other_areas_break_nothing() {
    let store = Store::new()
        .lines(format!("projects/-a/{S}.jsonl"), [user(1, "null", "")])
        .file("history.jsonl", "{\"sessionId\":7}\n\u{0}\n{")
        .file("paste-cache/0123456789abcdef.txt", "text")
        .file("projects/-a/sessions-index.json", "[")
        .file("plans/odd.md", "x")
        .folder("session-env/x");
    let found = of(store.root());
    let stands = |claim: &str| {
        let view = found.claims.iter().find(|view| view.claim == claim).unwrap();
        (view.holds, view.of)
    };
    assert_eq!(stands("paste-name"), (0, 1));
    assert_eq!(stands("plan-slug"), (0, 1));
    assert_eq!(stands("session-env-empty"), (1, 1));
    assert_eq!((stands("history-session"), stands("index-is-whole")), ((0, 0), (0, 0)));
}
