//! Grep finds exactly what decoding everything finds: by law over any escapes, and by another program over the corpus.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use proptest::prelude::*;
use scrollback_app::grep::pattern::Pattern;
use scrollback_app::grep::target::{self, GrepTarget};
use scrollback_app::grep::{GrepQuery, Mode, PreparedGrep};
use scrollback_testkit::home::Store;
use scrollback_testkit::{corpus, workspace};

fn pattern(text: &str, flags: &str) -> Pattern {
    let has = |flag: char| flags.contains(flag);
    Pattern { text: text.to_owned(), regex: has('e'), ignore_case: has('i'), words: has('w') }
}

fn search(pattern: &Pattern) -> PreparedGrep {
    PreparedGrep::new(GrepQuery { pattern: pattern.clone(), ..GrepQuery::default() }).unwrap()
}

/// The matching lines of each file.
fn lines(search: &PreparedGrep, targets: &[GrepTarget]) -> BTreeSet<(PathBuf, u64)> {
    let report = search.report(targets);
    assert!(report.complete, "{:?}", report.skipped);
    let hits = report
        .sessions
        .iter()
        .flat_map(|session| session.hits.iter().map(|hit| (session.file.path.clone(), hit.entry.line)));
    hits.collect()
}

/// A character of those that make trouble: escaped, folded, of several bytes, of two halves.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        4 => prop::sample::select(vec!['a', 'b', 'k', 'K', 's', '_', ' ']),
        2 => prop::sample::select(vec!['"', '\\', '/', '\n', '\t', '\u{1}', '\u{7f}']),
        2 => prop::sample::select(vec!['ä', 'Ä', 'ß', 'ſ', '\u{212a}', '\u{2028}', '\u{fffd}', '日', '😀', '😁', '𐐀', '𐐨']),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(character(), 0..12).prop_map(|chars| chars.into_iter().collect())
}

/// A string as JSON may write it, each character in one of its forms.
fn written(text: &str, forms: &[u8]) -> String {
    let mut out = String::from("\"");
    for (c, form) in text.chars().zip(forms.iter().cycle()) {
        let short = match c {
            '"' => Some("\\\""),
            '\\' => Some("\\\\"),
            '/' => Some("\\/"),
            '\n' => Some("\\n"),
            '\t' => Some("\\t"),
            _ => None,
        };
        let may_be_raw = c >= ' ' && c != '"' && c != '\\';
        match (form % 4, short) {
            (0 | 1, _) if may_be_raw => out.push(c),
            (0..=2, Some(short)) => out.push_str(short),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&if form % 8 < 4 {
                        format!("\\u{unit:04x}")
                    } else {
                        format!("\\u{unit:04X}")
                    });
                }
            }
        }
    }
    out + "\""
}

fn sought() -> impl Strategy<Value = Pattern> {
    let literal = (prop::collection::vec(character(), 1..4), "[iw]{0,2}")
        .prop_map(|(chars, flags)| pattern(&chars.into_iter().collect::<String>(), &flags));
    let expressions = [
        "a.b",
        "[ab]+k",
        r"\w+/",
        "a|b\"",
        r"(ä|k)\\",
        r"^a",
        r"s$",
        r"\bk",
        "a{2}",
        "(?i)äs",
        "[^a]k",
        "😀|/",
        r"\n.",
        "x*",
        "𐐀.?",
    ];
    let regex = (prop::sample::select(expressions.to_vec()), "[iw]{0,2}")
        .prop_map(|(expression, flags)| pattern(expression, &format!("e{flags}")));
    prop_oneof![3 => literal, 2 => regex]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_sieve_changes_nothing(
        texts in prop::collection::vec((text(), prop::collection::vec(any::<u8>(), 1..12)), 1..24),
        sought in sought(),
    ) {
        let entries: Vec<String> = texts
            .iter()
            .map(|(text, forms)| format!("{{\"type\":\"user\",\"message\":{{\"content\":{}}}}}", written(text, forms)))
            .collect();
        let store = Store::new().lines("projects/-x/s.jsonl", &entries);
        let (targets, _) = target::named(store.root()).unwrap();
        let found: Vec<u64> = lines(&search(&sought), &targets).into_iter().map(|(_, line)| line).collect();
        let all: Vec<u64> =
            lines(&search(&sought).without_sieve(), &targets).into_iter().map(|(_, line)| line).collect();
        prop_assert_eq!(&found, &all, "{:?} in {:?}", sought, entries);
        // And what another decoder reads, searched with the same expression.
        let judged: Vec<u64> = entries
            .iter()
            .zip(1..)
            .filter(|(entry, _)| {
                let value: serde_json::Value = serde_json::from_str(entry).unwrap();
                sought.is_in(value["message"]["content"].as_str().unwrap()).unwrap()
            })
            .map(|(_, line)| line)
            .collect();
        prop_assert_eq!(&found, &judged, "{:?} in {:?}", sought, entries);
    }

    #[test]
    fn any_bytes_are_searched_the_same_with_and_without_the_sieve(
        bytes in prop::collection::vec(prop_oneof![
            6 => prop::sample::select(br#"ab{}",:[]\/u0061"#.to_vec()), 1 => Just(b'\n'), 1 => any::<u8>()
        ], 0..400),
        sought in sought(),
    ) {
        let store = Store::new().file("projects/-x/s.jsonl", &bytes);
        let (targets, _) = target::named(store.root()).unwrap();
        prop_assert_eq!(lines(&search(&sought), &targets), lines(&search(&sought).without_sieve(), &targets));
    }
}

/// Patterns with their flags, for the corpus.
const PATTERNS: [(&str, &str); 66] = [
    ("hello", ""),
    ("Hello", ""),
    ("hello", "i"),
    ("HELLO", "i"),
    ("hello", "w"),
    ("hell", "w"),
    ("the", "w"),
    ("the", "iw"),
    ("a", ""),
    ("e", "i"),
    ("@@hello@@", ""),
    ("@@", ""),
    ("\"", ""),
    ("\\", ""),
    ("\n", ""),
    ("\\n", ""),
    ("\t", ""),
    ("/", ""),
    ("//", ""),
    ("/home/dev", ""),
    ("日本語", ""),
    ("ü", ""),
    ("Ü", "i"),
    ("é", "i"),
    ("😀", ""),
    ("🤖", ""),
    ("⑂", ""),
    ("→", ""),
    ("\u{2028}", ""),
    ("\u{fffd}", ""),
    ("\u{1b}", ""),
    ("{\"", ""),
    ("\"type\":\"error\"", ""),
    ("print(1)", ""),
    ("Error", ""),
    ("error", "iw"),
    ("Bash", ""),
    ("Bash", "w"),
    ("mcp__", ""),
    ("claude-", ""),
    ("toolu_", ""),
    ("msg_mock", ""),
    ("2.1.9", ""),
    ("no such text anywhere", ""),
    ("mock plan", "i"),
    ("[vendor text removed]", ""),
    ("Generated with [Claude Code](", ""),
    ("alpha\nbeta", ""),
    ("1\talpha", ""),
    ("<command-name>", ""),
    ("-", "w"),
    (r"hel+o", "e"),
    (r"^\s*alpha$", "e"),
    (r"\d{4}-\d\d-\d\d", "e"),
    (r"[A-Z]{3,}_[a-z]+", "e"),
    (r"foo|bar|baz", "ei"),
    (r"(mock|plan)\s+\w+", "e"),
    (r#""[^"]*":"#, "e"),
    (r"\\n", "e"),
    (r"\bmock\b", "ei"),
    (r"^$", "e"),
    (r"x*", "e"),
    (r".", "ew"),
    (r"https?://\S+", "e"),
    (r"[^\x00-\x7f]+", "e"),
    (r"prompt.{0,20}(?:tool|agent)", "ei"),
];

#[test]
fn another_program_finds_the_same_lines_in_every_recorded_store() {
    let files: Vec<PathBuf> = corpus::VERSIONS
        .iter()
        .flat_map(|version| corpus::jsonl_files(&corpus::tree(version).join("projects")))
        .collect();
    let targets: Vec<GrepTarget> = files.iter().cloned().map(GrepTarget::of).collect();
    let patterns = PATTERNS.map(|(text, flags)| pattern(text, flags));
    let asked: Vec<_> = patterns
        .iter()
        .map(|pattern| {
            serde_json::json!({
                "pattern": pattern.text, "regex": pattern.regex, "ignore_case": pattern.ignore_case, "words": pattern.words,
            })
        })
        .collect();
    let store = Store::new().file("queries.json", serde_json::to_vec(&asked).unwrap());
    let output = Command::new("python3")
        .arg(workspace().join("tools/judge/grep.py"))
        .arg(store.root().join("queries.json"))
        .args(&files)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let judged: Vec<Vec<(usize, u64)>> = serde_json::from_slice(&output.stdout).unwrap();
    let mut found_any = 0;
    for (at, (pattern, judged)) in patterns.iter().zip(judged).enumerate() {
        let judged: BTreeSet<_> =
            judged.into_iter().map(|(file, line)| (files[file].clone(), line)).collect();
        let found = lines(&search(pattern), &targets);
        let (missed, invented): (Vec<_>, Vec<_>) =
            (judged.difference(&found).collect(), found.difference(&judged).collect());
        assert!(
            missed.is_empty() && invented.is_empty(),
            "{pattern:?}: missed {missed:?}, invented {invented:?}"
        );
        found_any += usize::from(!found.is_empty());
        // Counting and naming files agree with showing.
        if at % 8 != 0 {
            continue;
        }
        let query = |mode| GrepQuery { pattern: pattern.clone(), mode, ..GrepQuery::default() };
        let counted = PreparedGrep::new(query(Mode::Count)).unwrap().report(&targets);
        assert!(counted.matched as usize >= found.len(), "{pattern:?}");
        let named = PreparedGrep::new(query(Mode::Files)).unwrap().report(&targets);
        assert_eq!(named.matched as usize, found.iter().map(|(path, _)| path).collect::<BTreeSet<_>>().len());
    }
    assert!(found_any > 45, "{found_any}");
}
