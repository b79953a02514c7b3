//! Following a session and watching a store: each thing is told once, whatever happens to the files.

#![allow(clippy::disallowed_methods, reason = "a test changes only the home that it has made")]

use scrollback_app::Root;
use scrollback_app::follow::{Follow, News, TurnPart};
use scrollback_app::item::ItemKind;
use scrollback_app::library::Library;
use scrollback_app::scope::Scope;
use scrollback_app::watch::Watcher;
use scrollback_testkit::home::Store;

const S: &str = "58af5b17-64c4-48a6-a208-ec4e531b27c3";

fn file() -> String {
    format!("projects/-p/{S}.jsonl")
}

/// Lines of a conversation, chained in their order.
fn line(number: u32, role: &str, content: &str) -> String {
    let parent = match number {
        1 => "null".to_owned(),
        _ => format!("\"a0000000-0000-4000-8000-{:012}\"", number - 1),
    };
    format!(
        "{{\"type\":\"{role}\",\"uuid\":\"a0000000-0000-4000-8000-{number:012}\",\"parentUuid\":{parent},\"sessionId\":\"{S}\",\"cwd\":\"/p\",\"version\":\"2.1.200\",\"timestamp\":\"2026-11-01T10:00:{number:02}.000Z\",\"message\":{{\"role\":\"{role}\",\"id\":\"m{number}\",\"content\":{content}}}}}\n"
    )
}

fn text(text: &str) -> String {
    format!("[{{\"type\":\"text\",\"text\":\"{text}\"}}]")
}

fn library(store: &Store) -> Library {
    Library::open(vec![Root::new(store.root())]).unwrap()
}

fn follow(store: &Store) -> Follow {
    Follow::new(&library(store), S, None, &store.root().join(file()))
}

/// What turns tell, in short.
fn told(parts: &[TurnPart]) -> Vec<String> {
    let short = |what: &ItemKind| match what {
        ItemKind::Prompt { text, .. } => format!("> {text}"),
        ItemKind::Answer { text, .. } => text.clone(),
        ItemKind::Call(call) => {
            format!("{} {}", call.tool, if call.outcome.is_some() { "done" } else { "runs" })
        }
        other => format!("{other:?}"),
    };
    let part = |part: &TurnPart| {
        let items: Vec<String> = part.turn.items.iter().map(|item| short(&item.what)).collect();
        format!("{}{}: {}", part.turn.turn, if part.goes_on { "+" } else { "" }, items.join(" | "))
    };
    parts.iter().map(part).collect()
}

fn look(follow: &mut Follow) -> Vec<String> {
    match follow.look().unwrap() {
        News::Nothing => Vec::new(),
        News::Gone => vec!["gone".to_owned()],
        News::Changed(change) => {
            let mut all = told(&change.turns);
            all.extend(change.moved_from.map(|_| "moved".to_owned()));
            all.extend(change.rewritten.then(|| "rewritten".to_owned()));
            all.extend(change.agents.iter().map(|agent| format!("agent {}", agent.agent_id)));
            all
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn appends_are_told_once_and_a_call_again_with_its_outcome() {
    let store = Store::new().file(file(), line(1, "user", "\"one\"") + &line(2, "assistant", &text("first")));
    let mut follow = follow(&store);
    assert_eq!(told(&follow.begin(3).unwrap().turns), ["1: > one | first"]);
    assert_eq!(look(&mut follow), [""; 0]);
    store.append(file(), line(3, "user", "\"two\""));
    assert_eq!(look(&mut follow), ["2: > two"]);
    let call = r#"[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]"#;
    store.append(file(), line(4, "assistant", call));
    assert_eq!(look(&mut follow), ["2+: Bash runs"]);
    store.append(file(), line(5, "user", r#"[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]"#));
    assert_eq!(look(&mut follow), ["2+: Bash done"]);
    store.append(file(), line(6, "assistant", &text("second")));
    assert_eq!(look(&mut follow), ["2+: second"]);
    assert_eq!(look(&mut follow), [""; 0]);
}

#[test]
fn only_the_last_turns_are_told_at_first() {
    let turns: String = (1..=6).map(|n| line(n, "user", &format!("\"p{n}\""))).collect();
    let store = Store::new().file(file(), turns);
    let mut follow = follow(&store);
    assert_eq!(told(&follow.begin(2).unwrap().turns), ["5: > p5", "6: > p6"]);
    let mut none = Follow::new(&library(&store), S, None, &store.root().join(file()));
    assert_eq!(told(&none.begin(0).unwrap().turns), [""; 0]);
    store.append(file(), line(7, "user", "\"p7\""));
    assert_eq!(look(&mut none), ["7: > p7"]);
}

#[test]
fn a_half_written_line_is_told_when_it_is_whole() {
    let store = Store::new().file(file(), line(1, "user", "\"one\""));
    let mut follow = follow(&store);
    follow.begin(1).unwrap();
    let next = line(2, "assistant", &text("answer"));
    let (half, rest) = next.split_at(60);
    store.append(file(), half);
    assert_eq!(look(&mut follow), [""; 0]);
    store.append(file(), rest);
    assert_eq!(look(&mut follow), ["1+: answer"]);
    assert_eq!(look(&mut follow), [""; 0]);
}

#[test]
fn moves_agents_rewrites_and_the_end_are_told() {
    let store = Store::new().file(file(), line(1, "user", "\"one\"") + &line(2, "assistant", &text("first")));
    let mut follow = follow(&store);
    follow.begin(1).unwrap();
    let agent = format!("projects/-p/{S}/subagents/agent-a1.jsonl");
    store.put(
        agent,
        line(1, "user", "\"look\"").replace("\"cwd\"", "\"isSidechain\":true,\"agentId\":\"a1\",\"cwd\""),
    );
    assert_eq!(look(&mut follow), ["agent a1"]);
    let moved = format!("projects/-q/{S}.jsonl");
    let whole = store.read(file());
    store.put(&moved, [whole.as_slice(), line(3, "user", "\"two\"").as_bytes()].concat());
    store.remove(file());
    assert_eq!(look(&mut follow), ["2: > two", "moved"]);
    store.put(&moved, line(1, "user", "\"one\""));
    assert_eq!(look(&mut follow), ["rewritten"]);
    store.remove(&moved);
    assert_eq!(look(&mut follow), ["gone"]);
    assert_eq!(look(&mut follow), [""; 0]);
}

fn seen(watcher: &mut Watcher) -> Vec<String> {
    let events = watcher.look().unwrap();
    let told = events.iter().map(|event| {
        let agent = event.agent_id.as_deref().map(|agent| format!("/{agent}")).unwrap_or_default();
        format!("{}{agent} {} {}", &event.project, event.event.name(), event.text).trim_end().to_owned()
    });
    told.collect()
}

#[test]
fn a_watched_store_tells_what_is_new_in_any_file_once() {
    let store = Store::new().file(file(), line(1, "user", "\"before\""));
    let mut watcher = Watcher::new(&library(&store), Scope::default());
    assert_eq!(seen(&mut watcher), [""; 0]);
    store.append(file(), line(2, "assistant", &text("answer")));
    let next = line(3, "user", "\"next\"");
    store.append(file(), &next[..40]);
    assert_eq!(seen(&mut watcher), ["/p answer answer"]);
    store.append(file(), &next[40..]);
    assert_eq!(seen(&mut watcher), ["/p prompt next"]);
    let other = "projects/-q/aaaa5b17-64c4-48a6-a208-ec4e531b27c3.jsonl";
    store.put(other, line(1, "user", "\"hello\""));
    assert_eq!(seen(&mut watcher), ["-q begins", "/p prompt hello"]);
    store.put(other, "");
    assert_eq!(seen(&mut watcher), ["/p rewritten"]);
    std::fs::create_dir_all(store.root().join("projects/-r")).unwrap();
    let moved = store.root().join(format!("projects/-r/{S}.jsonl"));
    std::fs::rename(store.root().join(file()), moved).unwrap();
    let told = seen(&mut watcher);
    assert!(told.len() == 1 && told[0].starts_with("/p moved from "), "{told:?}");
    store.remove(other);
    assert_eq!(seen(&mut watcher), ["/p gone"]);
    assert_eq!(seen(&mut watcher), [""; 0]);
}

#[test]
fn broken_lines_stop_no_watcher() {
    let store = Store::new().file(file(), "");
    let mut watcher =
        Watcher::new(&library(&store), Scope { project: Some("/p".into()), ..Scope::default() });
    store.append(file(), "{\"type\":\n\u{0}\u{0}\n[]\n\n");
    store.append(file(), line(1, "user", "\"one\""));
    assert_eq!(seen(&mut watcher), ["/p prompt one"]);
}
