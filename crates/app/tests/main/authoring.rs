//! Sessions that the library writes: in every generation they are what a client loads, and lie as a client's do.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use scrollback_app::Root;
use scrollback_app::author::Author;
use scrollback_app::author::compose::agent::AgentMetaFile;
use scrollback_app::author::compose::checkpoint::Backup;
use scrollback_app::author::compose::compaction::CompactionSpec;
use scrollback_app::author::compose::source::Counter;
use scrollback_app::author::compose::tool::task::Todo;
use scrollback_app::author::compose::{Answer, AnswerBlock, AnswerEnd, Moment, Settings, Usage, tool};
use scrollback_app::edit::{self, EditPlan, LiveCheck};
use scrollback_app::resume::view::{ResumeOutcome, ResumeView};
use scrollback_app::resume::{self, Options};
use scrollback_app::verify::{self, VerifyTarget};
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_store::journal::Op;
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;

use crate::editing::{all, library, turns, watch};

const LATER: Moment = Moment::from_millis(1_900_000_000_000);

fn load(bytes: &[u8], generation: Generation, prompt: &str) -> ResumeView {
    let prompt = prompt.to_owned();
    resume::of_bytes(bytes, &Options { generation, prompt, ..Options::default() }).unwrap()
}

/// Who says what, whoever made it up.
fn said(view: &ResumeView) -> Vec<String> {
    let blocks = view
        .messages
        .iter()
        .flat_map(|message| message.content.iter().map(move |block| (message.role, block)));
    let told = blocks.map(|(role, block)| {
        let text = block.text.as_deref().map(str::trim_end);
        // Of what tells that an agent is gone, only the beginning is known.
        let text = text.map(|text| text.split("<status>").next().unwrap_or(text));
        format!("{role:?} {:?} {text:?} {:?} {:?}", block.kind, block.id, block.tool_use_id)
    });
    told.collect()
}

#[test]
fn a_session_of_our_own_is_loaded_as_it_was_said() {
    for generation in Generation::ALL {
        let store = Store::new();
        let root = Root::new(store.root());
        let settings = Settings::new(generation, "/srv/tide");
        let mut author = Author::begin(&root, settings, Counter::starting(LATER)).unwrap();
        let prompt = author.prompt("Ask somebody.").unwrap();
        let blocks =
            vec![AnswerBlock::Text("I ask."), tool::agent(generation, "ask", "How high?", "general-purpose")];
        let answer = Answer { blocks, usage: Usage::default(), stop: AnswerEnd::ToolUse };
        let call = author.session.answer(&answer).calls.remove(0);
        let mut agent = author.agent("general-purpose", Counter::starting(LATER.plus(77)));
        agent.agent_prompt("How high?");
        agent.reply("Very.", Usage::default());
        let about = AgentMetaFile::new("general-purpose", "ask", Some(&call), "claude-opus-5-5");
        author.take_in(agent, &about).unwrap();
        author.session.failure(&call, "nobody is there");
        author.session.reply("Nobody is there.", Usage::default());
        let backup = Backup {
            path: "a.txt".into(),
            absolute: "/srv/tide/a.txt".into(),
            version: 1,
            existed: true,
            at: LATER,
        };
        author.session.snapshot(&prompt, std::slice::from_ref(&backup));
        author.back_up(&backup, b"before").unwrap();
        author.todos(&[Todo::new("ask", "pending", "asking")]).unwrap();
        author.task(1, "ask", "ask somebody", "pending").unwrap();
        author.remember("Ask somebody.", Some("a paste")).unwrap();
        author.remember("Again.", None).unwrap();
        author.session.note_last_prompt("Ask somebody.");
        author.title("Tides").unwrap();
        let file = author.file();
        let before = all(store.root());
        let data = store.home().join("data");
        let record = author.commit(&data, &watch(Path::new("/nowhere"))).unwrap();
        let bytes = store.read(&file);
        let verdict = verify::verify(&[], &[VerifyTarget::of(store.root().join(&file))], &|_| {});
        assert!(verdict.mismatches.is_empty() && verdict.unknown_kinds.is_empty(), "{generation:?}");
        assert!(verdict.unknown_fields.is_empty(), "{generation:?}: {:?}", verdict.unknown_fields);
        for (path, content) in all(store.root()).iter().filter(|(path, _)| !before.contains_key(*path)) {
            let mode = std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, if content.is_some() { 0o600 } else { 0o700 }, "{}", path.display());
        }
        assert_eq!(store.read("history.jsonl").iter().filter(|byte| **byte == b'\n').count(), 2);
        let sent = said(&load(&bytes, generation, "next"));
        let texts: Vec<&str> =
            ["Ask somebody.", "I ask.", "nobody is there", "Nobody is there.", "next"].into();
        let of = |at: usize| sent.iter().position(|block| block.contains(texts[at]));
        let places: Vec<usize> = (0..texts.len()).map(|at| of(at).unwrap()).collect();
        assert!(places.is_sorted(), "{generation:?}: {sent:?}");
        assert_eq!(sent.len(), 6, "{generation:?}: {sent:?}");
        let library = library(store.root());
        let session = library.sessions().next().unwrap();
        let loaded = library.load(&session, generation).unwrap();
        let agents = scrollback_app::agents::Agents::of(&library, &session, &loaded);
        assert_eq!(agents.views.len(), 1, "{generation:?}");
        edit::undo(Some(record.number), &data, &watch(Path::new("/nowhere"))).unwrap();
        assert!(all(store.root()) == before, "{generation:?}");
    }
}

#[test]
fn a_compaction_of_our_own_hides_what_was_before() {
    for generation in Generation::ALL {
        let store = Store::new();
        let settings = Settings::new(generation, "/w");
        let mut author = Author::begin(&Root::new(store.root()), settings, Counter::starting(LATER)).unwrap();
        author.prompt("long ago").unwrap();
        author.session.reply("it was", Usage::default());
        let compaction = CompactionSpec {
            manual: false,
            tokens_before: 9,
            tokens_after: 1,
            summary: "in short",
            kept: &[],
        };
        author.session.compact(&compaction);
        author.session.reply("so it goes on", Usage::default());
        let sent = said(&load(author.session.sheet().bytes(), generation, "next")).join("\n");
        assert!(
            sent.contains("in short") && sent.contains("so it goes on") && !sent.contains("long ago"),
            "{sent}"
        );
    }
}

/// What a plan puts at the end of a session.
fn appended(plan: &EditPlan) -> Vec<u8> {
    let found = plan.transaction.ops().iter().find_map(|op| match op {
        Op::Append { bytes, .. } => Some(bytes.clone()),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn a_turn_that_is_added_follows_what_the_client_would_have_sent() {
    let mut added = 0;
    for version in corpus::VERSIONS {
        let library = library(&corpus::tree(version));
        for files in library.sessions() {
            let bytes = std::fs::read(&files.found.path).unwrap();
            for generation in Generation::ALL {
                let before = load(&bytes, generation, "And now?");
                let author = Author::resume(&library, &files, Some(generation), Counter::starting(LATER));
                if !matches!(before.outcome, ResumeOutcome::Loaded | ResumeOutcome::Fresh) {
                    assert!(author.is_err());
                    continue;
                }
                let mut author = author.unwrap();
                author.prompt("And now?").unwrap();
                author.session.reply("Now this.", Usage::default());
                author.session.note_last_prompt("And now?");
                let plan = author.plan().unwrap();
                let what = format!("{} {generation:?}", files.found.path.display());
                let mut whole = bytes.clone();
                if !whole.ends_with(b"\n") {
                    whole.push(b'\n');
                }
                whole.extend(appended(&plan));
                let mut expected = said(&before);
                expected.push("Assistant Text Some(\"Now this.\") None None".to_owned());
                expected.push("User Text Some(\"next\") None None".to_owned());
                assert_eq!(said(&load(&whole, generation, "next")), expected, "{what}");
                added += 1;
            }
        }
    }
    assert!(added > 1000, "{added}");
}

fn talk(end: &str) -> Store {
    let line = |kind: &str, n: u32, parent: &str| {
        format!(
            r#"{{"parentUuid":{parent},"isSidechain":false,"cwd":"/x","sessionId":"aaaa1111-0000-4000-8000-000000000001","version":"2.1.325","gitBranch":"trunk","type":"{kind}","message":{{"role":"{kind}","content":[{{"type":"text","text":"{n}"}}]}},"uuid":"0000000{n}-0000-4000-8000-000000000000","timestamp":"2026-11-01T10:0{n}:00.000Z"}}"#
        )
    };
    let lines = [line("user", 1, "null"), line("assistant", 2, r#""00000001-0000-4000-8000-000000000000""#)];
    Store::new().file("projects/-x/aaaa1111-0000-4000-8000-000000000001.jsonl", lines.join("\n") + "\n" + end)
}

fn going_on(store: &Store) -> Author<Counter> {
    let library = library(store.root());
    let files = library.sessions().next().unwrap();
    let mut author = Author::resume(&library, &files, None, Counter::starting(LATER)).unwrap();
    author.prompt("more").unwrap();
    author
}

const FILE: &str = "projects/-x/aaaa1111-0000-4000-8000-000000000001.jsonl";

#[test]
fn new_lines_do_not_run_into_a_torn_one() {
    let store = talk(r#"{"type":"user","mess"#);
    let old = store.read(FILE);
    going_on(&store).commit(&store.home().join("data"), &watch(Path::new("/nowhere"))).unwrap();
    let new = store.read(FILE);
    assert!(new.starts_with(&old) && new[old.len()] == b'\n' && new.ends_with(b"\n"));
    let sent = said(&load(&new, Generation::V2_0_29, "next")).join("\n");
    assert!(sent.contains("more"), "{sent}");
    let last = String::from_utf8(new).unwrap();
    let last = last.lines().last().unwrap();
    assert!(last.contains(r#""cwd":"/x""#) && last.contains(r#""gitBranch":"trunk""#), "{last}");
    assert!(last.contains(r#""parentUuid":"00000002-"#), "{last}");
}

#[test]
fn a_session_in_use_or_changed_meanwhile_is_not_written_to() {
    let store = talk("");
    let data = store.home().join("data");
    let before = store.read(FILE);
    let now = std::fs::metadata(store.root().join(FILE)).unwrap().modified().unwrap();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    let soon = LiveCheck { now: Time(now + 2000), processes: None, own: 0 };
    let error = going_on(&store).commit(&data, &soon).unwrap_err();
    assert!(error.to_string().contains("is in use: it was modified 2 s ago"), "{error}");
    assert_eq!(store.read(FILE), before);
    let author = going_on(&store);
    store.append(FILE, "{\"type\":\"mode\"}\n");
    let changed = store.read(FILE);
    let error = author.commit(&data, &watch(Path::new("/nowhere"))).unwrap_err();
    assert!(error.to_string().contains("has changed since it was read"), "{error}");
    assert_eq!(store.read(FILE), changed);
}

#[test]
fn lines_are_not_written_into_the_past() {
    let store = talk("");
    let library = library(store.root());
    let files = library.sessions().next().unwrap();
    let mut author = Author::resume(&library, &files, None, Counter::default()).unwrap();
    author.prompt("more").unwrap();
    let error = author.plan().unwrap_err();
    assert!(error.to_string().contains("earlier than the session's last one"), "{error}");
    assert_eq!(turns(&library, &files), 1);
}

/// A session with an agent that has answered once.
fn with_agent(generation: Generation) -> (Store, String) {
    let store = Store::new();
    let settings = Settings::new(generation, "/srv/tide");
    let mut author = Author::begin(&Root::new(store.root()), settings, Counter::starting(LATER)).unwrap();
    author.prompt("Ask somebody.").unwrap();
    let blocks = vec![tool::agent(generation, "ask", "How high?", "general-purpose")];
    let answer = Answer { blocks, usage: Usage::default(), stop: AnswerEnd::ToolUse };
    let call = author.session.answer(&answer).calls.remove(0);
    let mut agent = author.agent("general-purpose", Counter::starting(LATER.plus(77)));
    agent.settings.cwd = "/srv/tide/worktree".to_owned();
    agent.settings.model = "claude-small".to_owned();
    agent.prompt("How high?");
    agent.reply("Very.", Usage::default());
    let about = AgentMetaFile::new("general-purpose", "ask", Some(&call), "claude-small");
    let id = agent.agent_id().unwrap().to_string();
    author.take_in(agent, &about).unwrap();
    author.session.failure(&call, "nobody is there");
    author.commit(&store.home().join("data"), &watch(Path::new("/nowhere"))).unwrap();
    (store, id)
}

const MUCH_LATER: Moment = Moment::from_millis(1_950_000_000_000);

fn reopened(store: &Store) -> Author<Counter> {
    let library = library(store.root());
    let files = library.sessions().next().unwrap();
    Author::resume(&library, &files, None, Counter::starting(MUCH_LATER)).unwrap()
}

#[test]
fn an_agent_is_gone_on_with_in_its_own_file() {
    for generation in Generation::ALL.into_iter().filter(|generation| *generation != Generation::V1_0) {
        let (store, id) = with_agent(generation);
        let data = store.home().join("data");
        let before = all(store.root());
        let mut author = reopened(&store);
        let mut agent = author.reopen_agent(&id[..6], Counter::starting(MUCH_LATER)).unwrap();
        assert_eq!(agent.agent_id().unwrap().as_str(), id);
        assert_eq!(
            (agent.settings.cwd.as_str(), agent.settings.model.as_str()),
            ("/srv/tide/worktree", "claude-small"),
            "{generation:?}"
        );
        agent.prompt("And now?");
        agent.reply("Higher.", Usage::default());
        author.take_in_again(agent).unwrap();
        let record = author.commit(&data, &watch(Path::new("/nowhere"))).unwrap();
        let after = all(store.root());
        let changed: Vec<_> =
            after.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes)).collect();
        let [(path, Some(bytes))] = changed.as_slice() else { panic!("{generation:?}: {changed:?}") };
        assert!(path.ends_with(format!("agent-{id}.jsonl")), "{}", path.display());
        let old = before[*path].as_ref().unwrap();
        assert!(bytes.starts_with(old), "{generation:?}");
        let line = |bytes: &[u8], at: usize| -> serde_json::Value {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            serde_json::from_str(text.lines().nth(at).unwrap()).unwrap()
        };
        let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
        let (last, first) = (line(old, lines(old) - 1), line(bytes, lines(old)));
        assert_eq!(first["parentUuid"], last["uuid"], "{generation:?}");
        assert_eq!(first["agentId"], *id);
        assert_eq!(first["sessionId"], last["sessionId"]);
        let library = library(store.root());
        let files = library.sessions().next().unwrap();
        let loaded = library.load(&files, generation).unwrap();
        let agents = scrollback_app::agents::Agents::of(&library, &files, &loaded);
        assert_eq!(agents.views.len(), 1);
        assert_eq!(agents.views[0].messages, 2, "{generation:?}");
        edit::undo(Some(record.number), &data, &watch(Path::new("/nowhere"))).unwrap();
        assert!(all(store.root()) == before, "{generation:?}");
    }
}

#[test]
fn an_agent_that_cannot_be_gone_on_with_is_refused() {
    let (store, id) = with_agent(Generation::V2_1_325);
    let data = store.home().join("data");
    let before = all(store.root());
    let mut author = reopened(&store);
    assert!(author.reopen_agent("nobody", Counter::default()).is_err());
    let early = author.reopen_agent(&id, Counter::default()).map(|mut agent| {
        agent.prompt("And before?");
        agent
    });
    let error = author.reopen_agent(&id, Counter::default()).unwrap_err();
    assert!(error.to_string().contains("is already open"), "{error}");
    let error = author.take_in_again(early.unwrap()).unwrap_err();
    assert!(error.to_string().contains("earlier than the agent's last one"), "{error}");
    let mut other = Counter::default();
    edit::Ids::bits(&mut other);
    let fresh = author.agent("general-purpose", other);
    let error = author.take_in_again(fresh).unwrap_err();
    assert!(error.to_string().contains("no agent "), "{error}");

    // Somebody else has written to it meanwhile.
    let mut author = reopened(&store);
    let mut agent = author.reopen_agent(&id, Counter::starting(MUCH_LATER)).unwrap();
    agent.prompt("And now?");
    author.take_in_again(agent).unwrap();
    let path = before.keys().find(|path| path.ends_with(format!("agent-{id}.jsonl"))).unwrap();
    store.append(path.strip_prefix(store.root()).unwrap(), "{\"type\":\"mode\"}\n");
    let error = author.commit(&data, &watch(Path::new("/nowhere"))).unwrap_err();
    assert!(error.to_string().contains("has changed since it was read"), "{error}");

    let (store, _) = with_agent(Generation::V1_0);
    let error = reopened(&store).reopen_agent("line-", Counter::default()).unwrap_err();
    assert!(error.to_string().contains("is stored in the session's own file"), "{error}");
}

#[test]
fn an_agent_goes_on_from_the_line_that_a_client_went_on_from() {
    let mut checked = 0;
    for version in corpus::VERSIONS {
        let recorded = library(&corpus::tree(version));
        for files in recorded.sessions() {
            let loaded = recorded.load(&files, Generation::NEWEST).unwrap();
            for view in scrollback_app::agents::Agents::of(&recorded, &files, &loaded).views {
                if view.evidence == scrollback_app::model::LinkEvidence::Inline
                    || view.path == files.found.path
                {
                    continue;
                }
                let text = std::fs::read_to_string(&view.path).unwrap();
                let lines: Vec<serde_json::Value> =
                    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
                // A second prompt in words: the client has gone on with the agent.
                let prompt = |line: &&serde_json::Value| {
                    line["type"] == "user" && line["message"]["content"].is_string()
                };
                let Some(second) = lines.iter().filter(prompt).nth(1) else { continue };
                let at = lines.iter().position(|line| line == second).unwrap();
                let store = Store::of_tree(version);
                let path = view.path.strip_prefix(corpus::tree(version)).unwrap().to_owned();
                let head: Vec<&str> = text.lines().take(at).collect();
                store.put(&path, head.join("\n") + "\n");
                let library = library(store.root());
                let files = library.sessions().find(|other| other.id == files.id).unwrap();
                let mut author = Author::resume(&library, &files, None, Counter::starting(LATER)).unwrap();
                let agent = author.reopen_agent(&view.agent_id, Counter::starting(LATER)).unwrap();
                let tail = agent.tail().map(|id| id.as_str().to_owned());
                assert_eq!(tail.as_deref(), second["parentUuid"].as_str(), "{version}: {}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked >= 3, "{checked}");
}
