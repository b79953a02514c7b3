//! Edits that real clients have judged, made again: what the program leaves today is loaded as the client loaded what it left then.
//!
//! Ids are drawn from the seeds that the recorder used, so the session has the same name.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use scrollback_testkit::corpus::{self, Case};
use scrollback_testkit::home::Store;
use scrollback_testkit::sent;
use serde_json::Value;

use crate::program::Program;

/// The directory that recorded edits move sessions to.
const ELSEWHERE: &str = "/home/dev/work/elsewhere";

/// The steps of a recorded edit; nothing if the client itself or the library wrote, which the program does not make again.
fn steps(about: &Value) -> Option<Vec<Vec<String>>> {
    let words = |step: &Value| {
        let words = step.as_array()?.iter().filter_map(Value::as_str);
        Some(words.map(str::to_owned).collect::<Vec<_>>())
    };
    let steps: Option<Vec<Vec<String>>> = about["edits"].as_array()?.iter().map(words).collect();
    steps.filter(|steps| steps.iter().all(|step| step[0] != "author"))
}

/// A case with the version of the client that judged it, and what is known of it.
type Judged = (&'static str, Case, Value);

/// Recorded edits of a version's store, those of several clients together.
fn edits(tree: &str) -> BTreeMap<Vec<Vec<String>>, Vec<Judged>> {
    let mut edits: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for version in corpus::JUDGES {
        for case in corpus::edit_cases(version) {
            let about = case.about();
            if let Some(steps) = steps(&about).filter(|steps| about["tree"] == tree && !steps.is_empty()) {
                edits.entry(steps).or_default().push((version, case, about));
            }
        }
    }
    edits
}

fn session(program: &Program, id: &str) -> Option<PathBuf> {
    let mut folders = std::fs::read_dir(program.root().join("projects")).unwrap();
    folders.find_map(|folder| {
        Some(folder.unwrap().path().join(format!("{id}.jsonl"))).filter(|path| path.is_file())
    })
}

/// Makes an edit; what went wrong, if anything.
fn make(program: &Program, steps: &[Vec<String>], elsewhere: &str) -> Result<(), String> {
    for (seed, step) in steps.iter().enumerate() {
        let words: Vec<String> = step.iter().map(|word| word.replace(ELSEWHERE, elsewhere)).collect();
        let asks = !matches!(words[0].as_str(), "undo" | "trash");
        let words: Vec<&str> = words.iter().map(String::as_str).chain(asks.then_some("--yes")).collect();
        let done = program.command(&words).env("SCROLLBACK_SEED", seed.to_string()).output().unwrap();
        if !done.status.success() {
            return Err(format!("{words:?}: {}", String::from_utf8_lossy(&done.stderr)));
        }
    }
    Ok(())
}

/// What is wrong with an edit, for each of the clients that resumed it.
fn wrong(tree: &str, steps: &[Vec<String>], cases: &[Judged]) -> String {
    let store = Store::of_tree(tree);
    let elsewhere = store.home().canonicalize().unwrap().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let program = Program::with(store);
    let (mut wrong, listed) = (String::new(), sent::listed());
    let made = make(&program, steps, elsewhere.to_str().unwrap());
    for (version, case, about) in cases {
        let told = made.clone().and_then(|()| {
            let path = session(&program, about["session_id"].as_str().unwrap()).ok_or("no such session")?;
            let mut words =
                vec!["resume", path.to_str().unwrap(), "--explain", "--json", "--prompt", sent::PROMPT];
            let model = sent::model(version, about);
            words.extend(["--client", version]);
            words.extend(model.iter().flat_map(|model| ["--model", model]));
            Ok(program.json(&words)["clients"][0].take())
        });
        let what = match told {
            Ok(told) => sent::disagreement(&told, &case.sent()),
            Err(what) => Some(what),
        };
        let name = format!("{version}/{}", case.name);
        if let Some(what) = what.filter(|_| !listed.contains(&name)) {
            let _ = writeln!(wrong, "{name}: {what}");
        }
    }
    wrong
}

fn check(tree: &str, at_least: usize) {
    let edits = edits(tree);
    assert!(edits.len() >= at_least, "{tree}: {}", edits.len());
    let wrong: String = edits.iter().map(|(steps, cases)| wrong(tree, steps, cases)).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn edits_of_2_0_29_are_loaded_as_they_were_when_a_client_judged_them() {
    check("2.0.29", 50);
}

#[test]
fn edits_of_2_1_9_are_loaded_as_they_were_when_a_client_judged_them() {
    check("2.1.9", 50);
}

#[test]
fn edits_of_2_1_200_are_loaded_as_they_were_when_a_client_judged_them() {
    check("2.1.200", 50);
}

#[test]
fn edits_of_2_1_325_are_loaded_as_they_were_when_a_client_judged_them() {
    check("2.1.325", 50);
}
