//! Golden: every session, turn, thread and agent of the recorded trees, as reviewed snapshots.

use std::fmt::Write as _;

use scrollback_app::Root;
use scrollback_app::agents::Agents;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::story::{Story, StorySource};
use scrollback_app::{lineage, tree, verify};
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_testkit::corpus;

fn library(version: &str) -> Library {
    Library::open(vec![Root::new(corpus::tree(version))]).unwrap()
}

/// Every line parses, nothing is unknown, and the one thing odd is the file that was torn on purpose.
fn check_clean(version: &str) {
    let library = library(version);
    let verdict = verify::verify(&library.troubles, &verify::targets(&library), &|_| {});
    let names = |list: &[verify::UnknownView]| list.iter().map(|item| item.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&verdict.unknown_kinds), [""; 0], "{version}");
    assert_eq!(names(&verdict.unknown_fields), [""; 0], "{version}");
    assert!(verdict.mismatches.is_empty(), "{version}");
    let problems: Vec<_> =
        verdict.problems.iter().map(|problem| (problem.class.name(), problem.count)).collect();
    assert_eq!(problems, [("torn_line", 1)], "{version}");
}

#[test]
fn every_line_of_the_recorded_trees_is_known() {
    corpus::VERSIONS.into_iter().for_each(check_clean);
}

/// One paragraph a session: its facts, its turns, its branches, its agents, its origins.
fn describe(version: &str) -> String {
    let library = library(version);
    let mut text = String::new();
    let index = Index::open(&library, &CachePlace::Nowhere, Time(0), &|_| {}).unwrap();
    let mut views = index.sessions().unwrap();
    views.sort_by(|a, b| (&a.folder, &a.session_id).cmp(&(&b.folder, &b.session_id)));
    for view in views {
        let files = library.sessions().find(|files| files.found.path == view.path).unwrap();
        writeln!(
            text,
            "{} {} {} [{}] {} turns, {} prompts, {} messages, {} calls, {} branches, {} compactions, {}+{} entries, {} out",
            short(&view.folder),
            view.session_id.get(..8).unwrap_or(&view.session_id),
            view.kind.name(),
            view.title_source.map_or("-", |source| source.name()),
            view.turns,
            view.prompts,
            view.messages,
            view.tool_calls,
            view.branches,
            view.compactions,
            view.reachable_entries,
            view.unreachable_entries,
            view.tokens.output,
        )
        .unwrap();
        describe_inside(&library, &files, &mut text);
    }
    text
}

/// A word of a document.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()
}

fn short(folder: &str) -> String {
    folder.replace("-home-dev-work-", "").chars().take(24).collect()
}

fn describe_inside(library: &Library, files: &SessionFiles<'_>, text: &mut String) {
    let loaded = library.load(files, Generation::NEWEST).unwrap();
    let agents = Agents::of(library, files, &loaded);
    let source = StorySource { path: &files.found.path, loaded: &loaded, agents: &agents, agent: None };
    for thread in tree::tree(files.id.as_str(), source).unwrap().threads {
        if thread.branch > 0 {
            writeln!(text, "  {} {} from line {:?}", word(&thread.kind), thread.branch, thread.fork_line)
                .unwrap();
        }
        let story = Story::of(source, thread.branch).unwrap();
        for turn in story.turns(|_| true).unwrap() {
            let turn = turn.unwrap();
            writeln!(
                text,
                "    {} by {}: {} items, {} ({})",
                turn.turn,
                word(&turn.begun_by),
                turn.items.len(),
                turn.end.name(),
                word(&turn.end_evidence)
            )
            .unwrap();
        }
    }
    for agent in &agents.views {
        let of = agent.parent_agent_id.as_deref().unwrap_or("session");
        writeln!(
            text,
            "  agent {} {} of {of}, by {} at line {:?}",
            agent.agent_id,
            agent.purpose.name(),
            agent.evidence.name(),
            agent.call_line
        )
        .unwrap();
    }
    for origin in lineage::lineage(library, files, &loaded.transcript, None).origins {
        let from = origin.session_id.unwrap_or_default();
        let from = from.get(..8).unwrap_or(&from).to_owned();
        writeln!(
            text,
            "  from {from}: {} by {}, {} shared",
            origin.descent.name(),
            origin.evidence.name(),
            origin.shared_entries
        )
        .unwrap();
    }
}

#[test]
fn sessions_of_2_0_29_are_as_reviewed() {
    insta::assert_snapshot!("tree-2.0.29", describe("2.0.29"));
}

#[test]
fn sessions_of_2_1_9_are_as_reviewed() {
    insta::assert_snapshot!("tree-2.1.9", describe("2.1.9"));
}

#[test]
fn sessions_of_2_1_200_are_as_reviewed() {
    insta::assert_snapshot!("tree-2.1.200", describe("2.1.200"));
}

#[test]
fn sessions_of_2_1_325_are_as_reviewed() {
    insta::assert_snapshot!("tree-2.1.325", describe("2.1.325"));
}
