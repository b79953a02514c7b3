//! Bad input in every area: torn, of the wrong type, huge, not to be read, with hostile names. What is good beside it is
//! told, what is bad is a trouble, and nothing panics.

use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::edit::LiveCheck;
use scrollback_app::history::{self, HistoryView};
use scrollback_app::library::Library;
use scrollback_app::log::{Level, Log};
use scrollback_app::scope::Scope;
use scrollback_app::settings::{self, SettingsLayer, SettingsPlaces};
use scrollback_app::stock::Stock;
use scrollback_app::stock::orphans::{self, OrphanReason, Ties};
use scrollback_app::todo::{self, TodoGeneration};
use scrollback_app::{Root, Trouble, definition, plan, snapshot};
use scrollback_format::time::Time;
use scrollback_testkit::home::Store;

const S: &str = "58af5b17-64c4-48a6-a208-ec4e531b27c3";

fn opened(store: &Store) -> (Library, Index) {
    let library = Library::open(vec![Root::new(store.root())]).unwrap();
    let index = Index::open(&library, &CachePlace::Nowhere, Time(0), &|_| {}).unwrap();
    (library, index)
}

fn typed(store: &Store, filter: &history::HistoryFilter) -> HistoryView {
    let (library, index) = opened(store);
    history::history(&library, &index, filter).unwrap()
}

fn prompt(uuid: &str, text: &str, time: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"{uuid}","parentUuid":null,"sessionId":"{S}","cwd":"/p","timestamp":"{time}","message":{{"role":"user","content":"{text}"}}}}"#
    )
}

#[test]
fn odd_lines_of_the_history_are_told_and_the_rest_is_read() {
    let store = Store::new().file(
        "history.jsonl",
        "{\"display\":\"one\",\"timestamp\":1000,\"project\":\"/p\"}\n\n[1]\n{\"display\":7}\n\u{0}\u{0}\n{\"display\":\"two\\u001b[2J\",\"timestamp\":\"x\",\"project\":[],\"pastedContents\":{\"1\":{\"contentHash\":\"../../x\"}}}\n{\"display\":\"torn",
    );
    let view = typed(&store, &history::HistoryFilter::default());
    let texts: Vec<&str> = view.prompts.iter().map(|prompt| prompt.text.as_str()).collect();
    assert_eq!(texts, ["one", "two\u{1b}[2J"]);
    let told: Vec<String> = view.troubles.iter().map(|trouble| trouble.what.clone()).collect();
    assert_eq!(
        told,
        [
            "line 3 is not an object",
            "line 4 has no prompt text",
            "line 5 is not valid JSON",
            "line 7 is not valid JSON",
            "line 6 has an invalid paste name",
        ]
    );
}

#[test]
fn a_prompt_without_its_session_is_found_by_directory_time_and_text() {
    let at = |seconds: u32| format!("2026-11-01T10:00:{seconds:02}.000Z");
    let millis = Time::decode(&at(1)).unwrap().0;
    let store = Store::new()
        .lines(
            format!("projects/-p/{S}.jsonl"),
            [prompt("a0000000-0000-4000-8000-000000000001", "see a long paste here", &at(2))],
        )
        .lines(
            "history.jsonl",
            [
                format!(r#"{{"display":"see [Pasted text #1 +3 lines] here","timestamp":{millis},"project":"/p"}}"#),
                format!(r#"{{"display":"elsewhere","timestamp":{millis},"project":"/q"}}"#),
                format!(r#"{{"display":"gone","timestamp":{millis},"project":"/p","sessionId":"x"}}"#),
            ],
        );
    let view = typed(&store, &history::HistoryFilter::default());
    let of = |text: &str| view.prompts.iter().find(|prompt| prompt.text.starts_with(text)).unwrap();
    let found = of("see");
    assert_eq!(
        (found.session_id.as_deref(), found.session_by, found.turn),
        (Some(S), Some(history::SessionEvidence::Project), Some(1))
    );
    assert_eq!(
        (found.pasted[0].text.as_deref(), found.pasted[0].from),
        (Some("a long paste"), Some(history::PasteSource::Session))
    );
    assert_eq!((of("elsewhere").session_id.as_deref(), of("elsewhere").session_exists), (None, false));
    assert_eq!((of("gone").session_id.as_deref(), of("gone").session_exists), (Some("x"), false));
}

#[test]
fn words_are_looked_for_whole_then_nearly_and_exactly_where_asked() {
    let lines = ["fix the flaky reconnect test", "Fix the Port", "unrelated"]
        .map(|text| format!(r#"{{"display":"{text}","timestamp":1000,"project":"/p"}}"#));
    let store = Store::new().lines("history.jsonl", lines);
    let find = |words: &str, exact: bool| {
        let words = words.split(' ').map(str::to_owned).collect();
        let view =
            typed(&store, &history::HistoryFilter { words, exact, ..history::HistoryFilter::default() });
        (view.prompts.len(), view.fuzzy)
    };
    assert_eq!(find("fix the", false), (2, false));
    assert_eq!(find("the fix", false), (2, false));
    assert_eq!(find("reconect", false), (1, true));
    assert_eq!(find("fix the", true), (1, false));
    assert_eq!(find("the fix", true), (0, false));
    assert_eq!(find("zzzzzz", false), (0, false));
}

#[test]
fn broken_lists_are_troubles_and_the_others_are_told() {
    let agent = format!("{S}-agent-{S}.json");
    let store = Store::new()
        .file(format!("todos/{agent}"), r#"[{"content":"one","status":"pending"},7,{"status":"x"}]"#)
        .file(format!("todos/{S}-agent-a1.json"), "[{\"content\":\"to")
        .file(format!("todos/{S}-agent-a2.json"), "{}")
        .file("todos/\u{1b}[2J.json", "[]")
        .folder(format!("todos/{S}-agent-a3.json"))
        .file(format!("tasks/{S}/1.json"), r#"{"subject":"two","blockedBy":[3,"4",null]}"#)
        .file(format!("tasks/{S}/2.json"), "")
        .file(format!("tasks/{S}/.lock"), "")
        .file("tasks/team/10.json", r#"{"subject":"b","id":10}"#)
        .file("tasks/team/9.json", r#"{"subject":"a"}"#);
    let (library, index) = opened(&store);
    let filter = todo::TodoFilter::default();
    let todos = todo::lists(&library, &index, TodoGeneration::Todos, &filter).unwrap();
    let items: Vec<&str> = todos.lists[0].items().iter().map(|item| item.status.as_str()).collect();
    assert_eq!(items, ["pending", "odd", "odd"]);
    assert_eq!((todos.lists.len(), todos.empty, todos.troubles.len()), (1, 1, 3), "{:?}", todos.troubles);
    let tasks = todo::lists(&library, &index, TodoGeneration::Tasks, &filter).unwrap();
    assert_eq!(tasks.troubles.len(), 1);
    let mut told: Vec<(Option<&str>, Vec<&str>)> = tasks
        .lists
        .iter()
        .map(|list| (list.name.as_deref(), list.items().iter().map(|item| item.text.as_str()).collect()))
        .collect();
    told.sort();
    assert_eq!(told, [(None, vec!["two"]), (Some("team"), vec!["a", "b"])]);
}

#[test]
fn tasks_of_a_session_are_told_from_its_calls_where_their_files_are_gone() {
    let call = |uuid: u32, id: &str, name: &str, input: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"b0000000-0000-4000-8000-00000000000{uuid}","parentUuid":null,"sessionId":"{S}","timestamp":"2026-11-01T10:00:0{uuid}.000Z","message":{{"id":"m{uuid}","role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]}}}}"#
        )
    };
    let made = |id: &str, number: u32| {
        format!(
            r#"{{"type":"user","uuid":"c0000000-0000-4000-8000-00000000000{number}","parentUuid":null,"sessionId":"{S}","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"ok"}}]}},"toolUseResult":{{"task":{{"id":"{number}","subject":"x"}}}}}}"#
        )
    };
    let store = Store::new().lines(
        format!("projects/-p/{S}.jsonl"),
        [
            call(1, "t1", "TaskCreate", r#"{"subject":"first"}"#),
            made("t1", 1),
            call(2, "t2", "TaskCreate", r#"{"subject":"second"}"#),
            made("t2", 2),
            call(3, "t3", "TaskUpdate", r#"{"taskId":"2","status":"in_progress","addBlockedBy":["1"]}"#),
            call(4, "t4", "TaskUpdate", r#"{"taskId":"9","status":"completed"}"#),
            call(5, "t5", "TaskCreate", r#"{"subject":"never answered"}"#),
        ],
    );
    let (library, index) = opened(&store);
    let tasks = todo::lists(&library, &index, TodoGeneration::Tasks, &todo::TodoFilter::default()).unwrap();
    let list = &tasks.lists[0];
    assert!(list.file.is_none() && list.session_exists);
    let told: Vec<_> = list
        .items()
        .iter()
        .map(|item| {
            (item.id.as_deref(), item.status.as_str(), item.blocks.as_slice(), item.blocked_by.as_slice())
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some("1"), "pending", &["2".to_owned()][..], &[][..]),
            (Some("2"), "in_progress", &[][..], &["1".to_owned()][..]),
        ]
    );
}

#[test]
fn plans_without_a_session_and_odd_files_are_told() {
    let store = Store::new()
        .file("plans/empty.md", "")
        .file("plans/odd.md", b"\xff\xfe# Not UTF-8\n")
        .file("plans/notes.txt", "no plan");
    let (library, index) = opened(&store);
    let view = plan::plans(&library, &index, &Scope::default()).unwrap();
    let mut names: Vec<(&str, Option<&str>, usize)> = view
        .plans
        .iter()
        .map(|plan| (plan.name.as_str(), plan.title.as_deref(), plan.sessions.len()))
        .collect();
    names.sort();
    assert_eq!(names, [("empty", None, 0), ("odd", Some("\u{fffd}\u{fffd}# Not UTF-8"), 0)]);
}

#[test]
fn settings_are_joined_and_each_broken_file_is_a_trouble() {
    let store = Store::new()
        .file("settings.json", r#"{"model":"haiku","cleanupPeriodDays":"soon","permissions":{"allow":["Read",7],"deny":"x"},"env":{"GH_TOKEN":"abc","PATH":"/bin"}}"#)
        .file("settings.local.json", r#"{"model":"never read"}"#)
        .file("../work/.claude/settings.json", r#"{"model":"opus","cleanupPeriodDays":9,"permissions":{"allow":["Read","Bash(ls)"]}}"#)
        .file("../work/.claude/settings.local.json", "{\"model\":")
        .file("../managed/managed-settings.json", r#"{"permissions":{"deny":["WebFetch"]}}"#)
        .file("../managed/managed-settings.d/10-x.json", "[]");
    let home = store.home();
    let places = SettingsPlaces { managed: Some(home.join("managed")), project: Some(home.join("work")) };
    let view = settings::settings(&Root::new(store.root()), &places);
    assert_eq!((view.cleanup_period_days, view.cleanup_by), (9, Some(SettingsLayer::Project)));
    assert!(view.cleanup_paused);
    let model = view.values.iter().find(|value| value.key == "model").unwrap();
    assert_eq!(
        (model.value.get(), &*model.layers, model.overridden.len()),
        ("\"opus\"", &[SettingsLayer::Project][..], 1)
    );
    let token = view.values.iter().find(|value| value.key == "env.GH_TOKEN").unwrap();
    assert_eq!(token.value.get(), "\"…\"");
    let allow: Vec<(&str, usize)> =
        view.permissions.allow.iter().map(|rule| (rule.rule.as_str(), rule.layers.len())).collect();
    assert_eq!(allow, [("Bash(ls)", 1), ("Read", 2)]);
    assert_eq!(view.permissions.deny[0].layers, [SettingsLayer::Managed]);
    let mut told: Vec<&str> = view.troubles.iter().map(|trouble| trouble.what.as_str()).collect();
    told.sort_unstable();
    assert_eq!(told.len(), 5, "{told:?}");
}

#[test]
fn definitions_with_bad_heads_are_listed_with_what_is_wrong() {
    let store = Store::new()
        .file("agents/good.md", "---\nname: scout\ndescription: looks around\n---\nDo.\n")
        .file("agents/torn.md", "---\nname: x\n")
        .file("agents/bare.md", "No head.\n")
        .file("commands/git/pr.md", "Open a PR.\n")
        .file("skills/map/SKILL.md", "---\ndescription: [draws, maps]\n---\n")
        .file("skills/map/more.md", "beside it")
        .folder("output-styles/odd.md");
    let (library, _) = opened(&store);
    let view = definition::definitions(&library, &[]);
    let told: Vec<(&str, &str, usize)> =
        view.definitions.iter().map(|one| (one.kind.name(), one.name.as_str(), one.problems.len())).collect();
    assert_eq!(
        told,
        [
            ("agent", "bare", 2),
            ("agent", "scout", 0),
            ("agent", "torn", 1),
            ("command", "git:pr", 0),
            ("skill", "map", 0),
        ]
    );
}

#[test]
fn snapshots_of_odd_names_are_listed_too() {
    let store = Store::new()
        .file("shell-snapshots/snapshot-zsh-1794786169809-78cnjq.sh", "alias ll='ls -l'\nfoo () {\n}\n")
        .file("shell-snapshots/notes", "");
    let (library, _) = opened(&store);
    let view = snapshot::snapshots(&library, &Scope::default());
    let told: Vec<(Option<&str>, bool, u64)> = view
        .snapshots
        .iter()
        .map(|one| (one.shell.as_deref(), one.time.is_some(), one.aliases + one.functions))
        .collect();
    assert_eq!(told, [(Some("zsh"), true, 2), (None, false, 0)]);
}

#[test]
fn a_log_is_read_on_from_where_it_ended_and_anew_when_it_shrank() {
    let path = format!("debug/{S}.txt");
    let store = Store::new().file(&path, "[DEBUG] one\n[ERROR] two\n  more\n[DEBUG] to");
    let roots = [Root::new(store.root())];
    assert!(Log::find(&roots, "another", Level::Debug).is_none());
    let mut log = Log::find(&roots, S, Level::Debug).unwrap();
    let read = |log: &mut Log| {
        let mut texts = Vec::new();
        log.read(|entry| texts.push(entry.text)).unwrap();
        texts.extend(log.finish().map(|entry| entry.text));
        texts
    };
    assert_eq!(read(&mut log), ["one", "two\n  more"]);
    store.append(&path, "rn\n[INFO] three\n");
    assert_eq!(read(&mut log), ["torn", "three"]);
    store.put(&path, "[WARN] anew\n");
    assert_eq!(read(&mut log), ["anew"]);
    let mut errors = Log::find(&roots, S, Level::Error).unwrap();
    assert_eq!(errors.last(5, true).unwrap().len(), 0);
}

#[test]
fn a_last_line_without_an_end_is_told_to_whoever_does_not_wait() {
    let told = |text: &str, least: Level, count: usize| -> Vec<(u64, String)> {
        let store = Store::new().file(format!("debug/{S}.txt"), text);
        let mut log = Log::find(&[Root::new(store.root())], S, least).unwrap();
        log.last(count, true).unwrap().into_iter().map(|entry| (entry.line, entry.text)).collect()
    };
    let (one, two) = ((1, "one".to_owned()), (2, "two".to_owned()));
    assert_eq!(told("[DEBUG] one\n[ERROR] two", Level::Debug, 9), [one.clone(), two.clone()]);
    assert_eq!(told("[DEBUG] one\n[ERROR] two", Level::Debug, 1), std::slice::from_ref(&two));
    assert_eq!(told("[DEBUG] one\n[ERROR] two", Level::Error, 9), [two]);
    assert_eq!(told("[DEBUG] one\n  more", Level::Debug, 9), [(1, "one\n  more".to_owned())]);
    assert_eq!(told("[DEBUG] one\n", Level::Debug, 9), [one]);
}

/// What a walk meets where a folder may not be read. Whoever runs the tests may read everything.
fn unreadable(store: &Store, path: &str) -> Trouble {
    Trouble { path: store.root().join(path), what: "Permission denied".to_owned(), unread: true }
}

#[test]
fn nothing_is_an_orphan_for_want_of_a_session_that_nobody_could_look_for() {
    let store = Store::new()
        .file(format!("debug/{S}.txt"), "[DEBUG] one\n")
        .file("plans/my-plan.md", "# plan")
        .file("paste-cache/0123456789abcdef.txt", "pasted")
        .folder("projects/-closed")
        .folder("projects/-empty");
    let why = |troubles: Vec<Trouble>| -> (u64, Vec<(&'static str, OrphanReason)>) {
        let mut stock = Stock::of(vec![Root::new(store.root())], None, None).unwrap();
        stock.inventories[0].troubles.extend(troubles);
        let watch = LiveCheck { now: Time(0), processes: None, own: 1 };
        let found = orphans::orphans(&stock, &Ties::default(), &watch);
        (found.unread, found.orphans.iter().map(|orphan| (orphan.area.name(), orphan.why)).collect())
    };
    let all = |session: OrphanReason, slug: OrphanReason, projects: usize| {
        let mut all = vec![("debug", session), ("paste-cache", OrphanReason::PasteUnused), ("plans", slug)];
        all.extend(vec![("projects", OrphanReason::ProjectEmpty); projects]);
        all
    };
    assert_eq!(why(Vec::new()), (0, all(OrphanReason::SessionGone, OrphanReason::SlugUnknown, 2)));
    assert_eq!(
        why(vec![unreadable(&store, "projects/-closed")]),
        (1, all(OrphanReason::SessionUnseen, OrphanReason::SessionUnseen, 1))
    );
    // What lies elsewhere hides no session.
    assert_eq!(
        why(vec![unreadable(&store, "plugins/x")]),
        (0, all(OrphanReason::SessionGone, OrphanReason::SlugUnknown, 2))
    );
}

#[test]
fn lists_tell_of_folders_where_their_session_may_be() {
    let store =
        Store::new().file(format!("tasks/{S}/1.json"), r#"{"id":"1","subject":"x","status":"pending"}"#);
    let (mut library, index) = opened(&store);
    let lists = |library: &Library| {
        let view = todo::lists(library, &index, TodoGeneration::Tasks, &todo::TodoFilter::default()).unwrap();
        (view.unread, view.lists[0].session_exists, view.troubles.len())
    };
    assert_eq!(lists(&library), (0, false, 0));
    library.troubles.push(unreadable(&store, "projects/-closed"));
    library.troubles.push(unreadable(&store, "projects/-open/notes"));
    assert_eq!(lists(&library), (1, false, 1));
}
