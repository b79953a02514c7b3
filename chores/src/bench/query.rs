//! Queries of six classes, drawn from the words that stand in a store, and how long each takes in one process.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use scrollback_app::Root;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::library::Library;
use scrollback_app::search::{self, HitOrder, Search};
use scrollback_format::time::Time;

/// The classes of queries.
pub const CLASSES: [&str; 6] = ["rare", "common", "phrase", "AND", "prefix", "field"];

/// How many queries of each class.
const COUNT: usize = 200;

/// Asks every query once to warm up and once for the clock; prints `class p50 p99` in milliseconds, a class a line.
pub fn time_all(store: &Path, cache: &Path) -> Result<(), String> {
    let index = open(store, cache)?;
    let now = Time(i64::MAX / 2);
    for (class, queries) in drawn(&index)? {
        let mut times = Vec::with_capacity(queries.len());
        for query in &queries {
            let wanted = wanted(query, now)?;
            let begun = Instant::now();
            search::search(&index, &wanted, &|_| {}).map_err(|error| error.to_string())?;
            times.push(begun.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!("{class} {:.2} {:.2}", at(0.5), at(0.99));
    }
    Ok(())
}

/// Prints some queries of each class, `class<TAB>query`, for processes of their own.
pub fn print_some(store: &Path, cache: &Path, most: usize) -> Result<(), String> {
    let index = open(store, cache)?;
    for (class, queries) in drawn(&index)? {
        for query in queries.iter().step_by(COUNT / most) {
            println!("{class}\t{query}");
        }
    }
    Ok(())
}

fn open(store: &Path, cache: &Path) -> Result<Index, String> {
    let library = Library::open(vec![Root::new(store)]).map_err(|error| error.to_string())?;
    Index::open(&library, &CachePlace::Cache(cache.to_owned()), Time(0), &|_| {})
        .map_err(|error| error.to_string())
}

fn wanted(query: &str, now: Time) -> Result<Search, String> {
    let date = |text: &str| Time::decode(text).ok_or_else(|| "no date".to_owned());
    let query = search::parse(query, &date).map_err(|error| format!("{query}: {error:?}"))?;
    Ok(Search { query, order: HitOrder::Best, sessions: Some(10), hits: Some(3), now })
}

/// Words of prompts with how many prompts have them, and pairs that stand side by side.
fn drawn(index: &Index) -> Result<Vec<(&'static str, Vec<String>)>, String> {
    let sql = "SELECT text FROM prompts ORDER BY file, line LIMIT 20000";
    let answer =
        index.catalogue().ask(sql, usize::MAX, &index.root_names()).map_err(|error| error.to_string())?;
    let texts: Vec<String> = answer
        .rows
        .iter()
        .filter_map(|row| row.first())
        .map(|cell| cell.to_string().to_lowercase())
        .collect();
    let is_word = |word: &str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<String, usize> = BTreeMap::new();
    for text in &texts {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.iter().filter(|word| is_word(word)).for_each(|word| *counts.entry(word).or_default() += 1);
        for pair in words.windows(2).filter(|pair| pair.iter().all(|word| is_word(word))) {
            *pairs.entry(pair.join(" ")).or_default() += 1;
        }
    }
    let mut by_count: Vec<(usize, &str)> = counts.iter().map(|(word, count)| (*count, *word)).collect();
    by_count.sort_unstable();
    let words: Vec<&str> = by_count.iter().map(|(_, word)| *word).collect();
    if words.len() < 10 || pairs.is_empty() {
        return Err("the store has too few words to ask for".into());
    }
    let many = &words[words.len() - words.len().min(50)..];
    let pairs: Vec<&String> = pairs.keys().collect();
    let of = |make: &dyn Fn(usize) -> String| (0..COUNT).map(make).collect::<Vec<String>>();
    // Rare words come from ids that stand in one place only; prose of a made-up store repeats its words.
    let rare = rare_words(index)?;
    let fields = ["role:user", "role:assistant", "role:tool", "tool:Bash", "in:output", "in:answers"];
    Ok(vec![
        ("rare", of(&|at| rare[at % rare.len()].clone())),
        ("common", of(&|at| many[at % many.len()].to_owned())),
        ("phrase", of(&|at| format!("\"{}\"", pairs[at * 7 % pairs.len()]))),
        ("AND", of(&|at| format!("{} {}", many[at % many.len()], words[at * 13 % words.len()]))),
        ("prefix", of(&|at| format!("{}*", &words[at * 11 % words.len()][..3]))),
        ("field", of(&|at| format!("{} {}", fields[at % fields.len()], many[at * 3 % many.len()]))),
    ])
}

/// The last names of paths that one file alone has touched.
fn rare_words(index: &Index) -> Result<Vec<String>, String> {
    let sql = "SELECT path FROM touched GROUP BY path HAVING count(*) = 1 ORDER BY path LIMIT 4000";
    let answer =
        index.catalogue().ask(sql, usize::MAX, &index.root_names()).map_err(|error| error.to_string())?;
    let names = answer.rows.iter().filter_map(|row| row.first()).filter_map(|cell| {
        let path = cell.to_string();
        let name = path.rsplit('/').next()?.to_owned();
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)).then_some(name)
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() { Err("no file was touched once".into()) } else { Ok(names) }
}
