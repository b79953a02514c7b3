//! Agents that copies of a session take along: those beside it (2.0.x) under new names, those below it with what they refer to.

use std::collections::BTreeSet;

use scrollback_app::Root;
use scrollback_app::agents::{AgentView, Agents};
use scrollback_app::author::Author;
use scrollback_app::author::compose::agent::AgentMetaFile;
use scrollback_app::author::compose::source::Counter;
use scrollback_app::author::compose::{Answer, AnswerBlock, AnswerEnd, Moment, Settings, Usage, tool};
use scrollback_app::edit::{self, BlockKinds, EditPlan, Fork, Ids, Merge, Point, Split, Trim};
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::model::{AgentPurpose, LinkEvidence};
use scrollback_format::generation::Generation;
use scrollback_testkit::home::Store;
use serde_json::Value;

use crate::editing::{ALL, turns};
use crate::places::{Field, watch};

const NOON: Moment = Moment::from_millis(1_700_000_000_000);

fn session<'l>(library: &'l Library, id: &str) -> SessionFiles<'l> {
    library.sessions().find(|files| files.id.as_str() == id).unwrap()
}

/// The agents of a session, but those that only warmed up.
fn agents(library: &Library, files: &SessionFiles<'_>) -> Vec<AgentView> {
    let loaded = library.load(files, Generation::NEWEST).unwrap();
    let mut views = Agents::of(library, files, &loaded).views;
    views.retain(|view| view.purpose != AgentPurpose::Warmup);
    views.sort_by_key(|view| (view.first_time, view.prompt.clone(), view.tool_use_id.clone()));
    views
}

/// The lines of an agent, without the names that a copy changes.
fn text(view: &AgentView) -> Vec<Value> {
    let bytes = std::fs::read(&view.path).unwrap();
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let nameless = |line: &[u8]| {
        let mut line: Value = serde_json::from_slice(line).unwrap();
        for name in ["sessionId", "agentId", "cwd"] {
            line.as_object_mut().unwrap().remove(name);
        }
        line
    };
    lines.map(nameless).collect()
}

/// What each agent of a session is known by: its call, its words, and how the call is known.
fn told(agents: &[AgentView]) -> Vec<(Option<String>, LinkEvidence, Vec<Value>)> {
    agents.iter().map(|view| (view.tool_use_id.clone(), view.evidence, text(view))).collect()
}

/// Every line of an agent's file names the session that it belongs to, and itself.
fn is_whole(view: &AgentView) {
    let text = std::fs::read_to_string(&view.path).unwrap();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["sessionId"], *view.session_id);
        assert_eq!(line["agentId"], *view.agent_id);
    }
    assert!(view.path.ends_with(format!("agent-{}.jsonl", view.agent_id)), "{}", view.path.display());
}

/// Makes an edit, gives the copies' agents to `look`, and takes it back: then everything is as it was.
fn made(field: &Field, plan: &EditPlan, look: impl FnOnce(&[Vec<AgentView>])) {
    let was = field.library();
    let old: BTreeSet<String> =
        was.sessions().flat_map(|files| agents(&was, &files)).map(|view| view.agent_id).collect();
    let copies: Vec<String> = plan.after().iter().map(|load| load.session_id.clone()).collect();
    field.there_and_back(plan, |field| {
        let library = field.library();
        let of = |id: &String| agents(&library, &session(&library, id));
        let found: Vec<Vec<AgentView>> = copies.iter().map(of).collect();
        let all: Vec<&AgentView> = found.iter().flatten().collect();
        all.iter().for_each(|view| is_whole(view));
        let new: BTreeSet<&String> = all.iter().map(|view| &view.agent_id).collect();
        assert_eq!(new.len(), all.len(), "each has a name of its own");
        assert!(new.iter().all(|id| !old.contains(*id) && id.len() == 8), "{new:?}");
        look(&found);
    });
}

/// A source that has given some ids already, so that they are not given again.
fn drawn(at: Moment, ids: i64) -> Counter {
    let mut source = Counter::starting(at);
    (0..ids).for_each(|_| {
        Ids::bits(&mut source);
    });
    source
}

fn ids() -> Counter {
    Counter::starting(NOON)
}

#[test]
fn recorded_agents_beside_a_session_go_along_with_every_copy() {
    let field = Field::of_tree("2.0.29");
    let library = field.library();
    let elsewhere = field.store.home().canonicalize().unwrap();
    let with: Vec<SessionFiles<'_>> =
        library.sessions().filter(|files| !agents(&library, files).is_empty()).collect();
    assert!(with.len() >= 8, "{}", with.len());
    for (number, files) in with.iter().enumerate() {
        let originals = agents(&library, files);
        assert!(originals.iter().all(|view| view.path.parent() == files.found.path.parent()));
        let forks = [
            Fork { fresh_ids: true, mark: false, ..ALL },
            Fork { to: Some(elsewhere.clone()), ..ALL },
            Fork { at: Some(Point::Turn(turns(&library, files))), ..ALL },
        ];
        for fork in [ALL, forks[number % 3].clone()] {
            let moved = fork.to.clone();
            let plan = edit::fork(&library, files, &fork, &mut ids()).unwrap();
            made(&field, &plan, |copies| {
                assert_eq!(told(&copies[0]), told(&originals), "{}", files.found.path.display());
                for view in &copies[0] {
                    let text = std::fs::read_to_string(&view.path).unwrap();
                    let there = elsewhere.to_str().unwrap();
                    assert_eq!(text.contains(&format!(r#""cwd":"{there}""#)), moved.is_some());
                }
            });
        }
        if number >= 4 {
            continue;
        }
        let plan = edit::fork(&library, files, &Fork { agents: false, ..ALL }, &mut ids()).unwrap();
        made(&field, &plan, |copies| assert!(copies[0].is_empty()));
        let tools = Trim { blocks: BlockKinds { tools: true, ..BlockKinds::default() }, ..Trim::default() };
        let plan = edit::trim(&library, files, &tools, &mut ids()).unwrap();
        made(&field, &plan, |copies| assert!(copies[0].is_empty(), "without their calls they stay"));
        for turn in 2..=turns(&library, files).min(4) {
            let split = Split { at: turn, ..Split::default() };
            let plan = edit::split(&library, files, &split, &mut ids()).unwrap();
            made(&field, &plan, |copies| {
                let mut both = copies.concat();
                both.sort_by_key(|view| (view.first_time, view.prompt.clone(), view.tool_use_id.clone()));
                assert_eq!(told(&both), told(&originals), "{} at {turn}", files.found.path.display());
            });
        }
    }
    for pair in with.windows(2).step_by(3) {
        let plan = edit::merge(&library, [&pair[0], &pair[1]], &Merge::default(), &mut ids()).unwrap();
        let mut originals = [agents(&library, &pair[0]), agents(&library, &pair[1])].concat();
        originals.sort_by_key(|view| (view.first_time, view.prompt.clone(), view.tool_use_id.clone()));
        made(&field, &plan, |copies| assert_eq!(told(&copies[0]), told(&originals)));
    }
}

/// Writes two sessions of two turns, each turn with an agent; and a warm-up beside them.
fn written(generation: Generation) -> (Field, [String; 2]) {
    let field = Field::of(Store::new());
    let root = Root::new(field.store.root());
    let names = [0, 1].map(|number| {
        let later = NOON.plus(number * 10_000_000);
        let source = drawn(later, 1000 + number * 100);
        let mut author = Author::begin(&root, Settings::new(generation, "/srv/tide"), source).unwrap();
        for turn in 0..2 {
            let prompt = format!("How high is wave {number}{turn}?");
            author.prompt(&format!("Ask about {number}{turn}.")).unwrap();
            let block: AnswerBlock<'_> = tool::agent(generation, "ask", &prompt, "general-purpose");
            let answer = Answer { blocks: vec![block], usage: Usage::default(), stop: AnswerEnd::ToolUse };
            let call = author.session.answer(&answer).calls.remove(0);
            let own = drawn(later.plus(turn * 1_000_000), 2000 + number * 200 + turn * 50);
            let mut agent = author.agent("general-purpose", own);
            agent.agent_prompt(&prompt);
            agent.reply("Very.", Usage::default());
            let id = agent.agent_id().unwrap().clone();
            let about = AgentMetaFile::new("general-purpose", "ask", Some(&call), "claude-opus-5-5");
            author.take_in(agent, &about).unwrap();
            let report = tool::AgentReport {
                id: &id,
                prompt: &prompt,
                answer: "Very.",
                millis: 1,
                calls: 0,
                usage: Usage::default(),
            };
            author.session.result(&call, &tool::agent_result(generation, &report));
            author.session.reply("Very high.", Usage::default());
        }
        let name = author.session.id().to_string();
        author.commit(&field.data, &watch()).unwrap();
        name
    });
    let warm = format!(
        r#"{{"parentUuid":null,"isSidechain":true,"cwd":"/srv/tide","sessionId":"{}","version":"2.0.29","agentId":"00000000","type":"user","message":{{"role":"user","content":"Warmup"}},"uuid":"b84f0311-6a38-4278-838d-630a2226bbda","timestamp":"2026-11-15T23:59:42.414Z"}}"#,
        names[0]
    );
    field.store.put("projects/-srv-tide/agent-00000000.jsonl", warm + "\n");
    (field, names)
}

#[test]
fn agents_go_with_the_turn_that_called_them() {
    for generation in [Generation::V2_0_29, Generation::V2_0_55] {
        let (field, names) = written(generation);
        let library = field.library();
        let [first, second] = names.each_ref().map(|id| session(&library, id));
        let [one, other] = [&first, &second].map(|files| agents(&library, files));
        assert_eq!((one.len(), other.len()), (2, 2), "{generation:?}");
        assert!(one.iter().all(|view| view.evidence == LinkEvidence::Result), "{generation:?}");
        let at = Fork { at: Some(Point::Turn(1)), ..ALL };
        let plan = edit::fork(&library, &first, &at, &mut ids()).unwrap();
        made(&field, &plan, |copies| assert_eq!(told(&copies[0]), told(&one[..1])));
        let trim = Trim { from: Some(2), ..Trim::default() };
        let plan = edit::trim(&library, &first, &trim, &mut ids()).unwrap();
        made(&field, &plan, |copies| assert_eq!(told(&copies[0]), told(&one[1..])));
        let plan = edit::split(&library, &first, &Split { at: 2, ..Split::default() }, &mut ids()).unwrap();
        made(&field, &plan, |copies| {
            assert_eq!(told(&copies[0]), told(&one[..1]));
            assert_eq!(told(&copies[1]), told(&one[1..]));
        });
        let plan = edit::merge(&library, [&first, &second], &Merge::default(), &mut ids()).unwrap();
        let both = [one.clone(), other.clone()].concat();
        made(&field, &plan, |copies| assert_eq!(told(&copies[0]), told(&both)));
    }
}

#[test]
fn a_new_name_is_none_that_any_folder_has() {
    let (field, names) = written(Generation::V2_0_29);
    let drawn = |field: &Field| {
        let library = field.library();
        let plan = edit::fork(&library, &session(&library, &names[0]), &ALL, &mut ids()).unwrap();
        let paths = plan.transaction.ops().iter().map(|op| op.path().as_str().to_owned());
        paths.filter(|path| path.contains("/agent-")).collect::<Vec<_>>()
    };
    let first = drawn(&field);
    assert_eq!(first.len(), 2);
    field.store.put(first[0].replace("-srv-tide", "-elsewhere"), "{}\n");
    let second = drawn(&field);
    assert!(second.len() == 2 && !second.contains(&first[0]), "{first:?} {second:?}");
}

#[test]
fn a_forked_agent_names_the_line_of_the_copy() {
    let field = Field::of_tree("2.1.200");
    let library = field.library();
    let forked = |library: &Library, files: &SessionFiles<'_>| {
        let found = agents(library, files).into_iter().find(|view| view.purpose == AgentPurpose::Fork)?;
        let text = std::fs::read_to_string(&found.path).unwrap();
        let head: Value = serde_json::from_str(text.lines().next()?).unwrap();
        Some((head["parentSessionId"].clone(), head["parentLastUuid"].as_str().unwrap().to_owned()))
    };
    let files = library.sessions().find(|files| forked(&library, files).is_some()).unwrap();
    let (_, last) = forked(&library, &files).unwrap();
    let place = |library: &Library, files: &SessionFiles<'_>, id: &str| {
        let text = std::fs::read_to_string(&files.found.path).unwrap();
        assert_eq!(library.sessions().filter(|other| other.id == files.id).count(), 1);
        text.lines().position(|line| line.contains(&format!(r#""uuid":"{id}""#)))
    };
    let line = place(&library, &files, &last).unwrap();
    for fresh_ids in [false, true] {
        let plan = edit::fork(&library, &files, &Fork { fresh_ids, ..ALL }, &mut ids()).unwrap();
        let copy = plan.after()[0].session_id.clone();
        field.there_and_back(&plan, |field| {
            let library = field.library();
            let copied = session(&library, &copy);
            let (parent, id) = forked(&library, &copied).unwrap();
            assert_eq!(parent, *copy);
            assert_eq!(place(&library, &copied, &id), Some(line));
            assert_eq!(id != last, fresh_ids);
        });
    }
    // A copy that ends before that line has nothing that the agent could go on from.
    let all = turns(&library, &files);
    let split = Split { at: all, ..Split::default() };
    let plan = edit::split(&library, &files, &split, &mut ids()).unwrap();
    let halves: Vec<String> = plan.after().iter().map(|load| load.session_id.clone()).collect();
    field.there_and_back(&plan, |field| {
        let library = field.library();
        let has: Vec<bool> =
            halves.iter().map(|id| forked(&library, &session(&library, id)).is_some()).collect();
        assert_eq!(has.iter().filter(|has| **has).count(), 1, "{has:?}");
    });
}
