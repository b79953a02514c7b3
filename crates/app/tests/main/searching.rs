//! Searches find what a second implementation finds: tools/judge/search.py, written from docs/search.md alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scrollback_app::Root;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::library::Library;
use scrollback_app::search::{self, HitOrder, Search, parse};
use scrollback_format::time::Time;
use scrollback_testkit::{corpus, workspace};

type Place3 = (String, u64, String);

fn date(text: &str) -> Result<Time, String> {
    let whole = [text.to_owned(), format!("{text}Z"), format!("{text}T00:00:00Z")];
    whole.iter().find_map(|text| Time::decode(text)).ok_or_else(|| format!("'{text}' is no date"))
}

fn library(root: &Path) -> Library {
    Library::open(vec![Root::new(root)]).unwrap()
}

fn open(root: &Path, cache: &Path, text: bool) -> Index {
    let mut index =
        Index::open(&library(root), &CachePlace::Cache(cache.to_owned()), Time(0), &|_| {}).unwrap();
    if text {
        index.refresh_text(&|_| {}).unwrap();
    }
    index
}

fn ask(index: &Index, root: &Path, query: &str) -> Option<Vec<Place3>> {
    let query = parse(query, &date).ok()?;
    let wanted = Search { query, order: HitOrder::Best, sessions: None, hits: None, now: Time(0) };
    let places = search::places(index, &wanted).unwrap();
    let below = |path: PathBuf| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    let mut hits: Vec<Place3> =
        places.into_iter().map(|(path, line, kind)| (below(path), line, kind.to_owned())).collect();
    hits.sort();
    Some(hits)
}

fn judge(arguments: &[&str], root: &Path, input: &str) -> String {
    use std::io::Write;
    let mut child = Command::new("python3")
        .arg(workspace().join("tools/judge/search.py"))
        .arg(arguments[0])
        .arg(root)
        .args(&arguments[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// What the judge says of each query; none for one that it calls an error.
fn verdicts(root: &Path, queries: &str) -> Vec<(String, Option<Vec<Place3>>)> {
    let told = judge(&["query"], root, queries);
    let verdict = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let query = value["query"].as_str().unwrap().to_owned();
        let hits = value["hits"].as_array().map(|hits| {
            let hit = |hit: &serde_json::Value| {
                (
                    hit[0].as_str().unwrap().to_owned(),
                    hit[1].as_u64().unwrap(),
                    hit[2].as_str().unwrap().to_owned(),
                )
            };
            let mut hits: Vec<Place3> = hits.iter().map(hit).collect();
            hits.sort();
            hits
        });
        (query, hits)
    };
    told.lines().map(verdict).collect()
}

/// Compares every query, by the index and by a scan, and tells all that differ.
fn compare(name: &str, root: &Path, seed: &str) {
    let by_hand = std::fs::read_to_string(workspace().join("tools/judge/queries.txt")).unwrap();
    let drawn = judge(&["make", "--seed", seed, "--count", "160"], root, "");
    let queries = format!("{by_hand}{drawn}");
    let cache = tempfile::tempdir().unwrap();
    let scan = open(root, &cache.path().join("scan"), false);
    let index = open(root, &cache.path().join("index"), true);
    let mut wrong = Vec::new();
    let all = verdicts(root, &queries);
    assert!(all.len() >= 300, "{} queries", all.len());
    for (query, expected) in &all {
        for (how, index) in [("index", &index), ("scan", &scan)] {
            let found = ask(index, root, query);
            if found != *expected {
                let only = |a: &Option<Vec<Place3>>, b: &Option<Vec<Place3>>| match (a, b) {
                    (Some(a), Some(b)) => {
                        format!("{:?}", a.iter().filter(|hit| !b.contains(hit)).take(4).collect::<Vec<_>>())
                    }
                    (Some(a), None) => format!("{} hits", a.len()),
                    (None, _) => "an error".to_owned(),
                };
                wrong.push(format!(
                    "{name} {how} {query:?}: ours only {}, judge only {}",
                    only(&found, expected),
                    only(expected, &found)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), all.len() * 2, wrong.join("\n"));
}

macro_rules! trees {
    ($( $name:ident: $version:literal $seed:literal; )*) => { $(
        #[test]
        fn $name() {
            compare($version, &corpus::tree($version), $seed);
        }
    )* };
}

trees! {
    the_judge_agrees_on_2_0_29: "2.0.29" "1";
    the_judge_agrees_on_2_1_9: "2.1.9" "2";
    the_judge_agrees_on_2_1_200: "2.1.200" "3";
    the_judge_agrees_on_2_1_325: "2.1.325" "4";
}
