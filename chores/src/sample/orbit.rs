//! The project `/home/ada/orbit`: a satellite tracker in Rust. A flaky test, a retry, a long night, a worktree.

use scrollback_compose::agent::AgentMetaFile;
use scrollback_compose::attachment::HookRun;
use scrollback_compose::compaction::CompactionSpec;
use scrollback_compose::note::Worktree;
use scrollback_compose::system::StopHook;
use scrollback_compose::tool::task::{self, Todo};
use scrollback_compose::tool::{self, shell};
use scrollback_compose::{
    AnswerBlock, AnswerEnd, Entrypoint, Id, Moment, Object, Written, WrittenCall, area, place,
};
use scrollback_format::generation::Generation;

use super::scene::{Cast, Report, Scene};
use super::store::Store;
use super::words::orbit as words;

const CWD: &str = "/home/ada/orbit";

fn cast(generation: Generation, start: &'static str, number: u64) -> Cast {
    Cast { generation, cwd: CWD, start, number, entrypoint: Entrypoint::Cli }
}

/// All sessions of the project.
pub fn tell(store: &mut Store) {
    long_night(store);
    retry_with_backoff(store);
    worktree(store);
    flaky_test(store);
}

/// 2.1.325: a flaky test is found and fixed; hooks, a pull request, file history.
fn flaky_test(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_1_325, "2026-11-15T09:12:04.118Z", 101));
    scene.file("tests/reconnect.rs", words::FLAKY_TEST);
    scene.file("src/link.rs", words::LINK);
    hook(&mut scene, "SessionStart", "SessionStart:startup", None, "just --list");
    scene.ask(
        store,
        "`reconnects_after_drop` fails about one time in ten on CI. Find out why and fix it, please.",
    );
    let acts = vec![
        scene.bash(
            "rg -n reconnects_after_drop",
            "Find the test",
            "tests/reconnect.rs:4:async fn reconnects_after_drop() {",
        ),
        scene.read("tests/reconnect.rs"),
        scene.read("src/link.rs"),
    ];
    scene.step(store, words::FLAKY_THOUGHT, "I'll look at the test and at what it exercises.", acts);
    let acts = vec![scene.bash_fails(
        "for i in $(seq 20); do cargo test -q reconnects_after_drop || break; done",
        "Run it until it fails",
        "Exit code 101\nthread 'reconnects_after_drop' panicked at tests/reconnect.rs:13:5:\nassertion failed: link.is_up()",
    )];
    scene.step(store, "", "Let me make it fail here first.", acts);
    let acts = vec![scene.edit("tests/reconnect.rs", words::FLAKY_OLD, words::FLAKY_NEW)];
    scene.step(store, "", words::FLAKY_FOUND, acts);
    let acts = vec![scene.edit("src/link.rs", words::LINK_OLD, words::LINK_NEW)];
    scene.step(
        store,
        "",
        "The link has to say when it is up again, so that the test can wait for that.",
        acts,
    );
    let acts = vec![scene.bash(
        "for i in $(seq 200); do cargo test -q reconnects_after_drop || break; done; echo $i",
        "Run it two hundred times",
        "200",
    )];
    let written = scene.step(store, "", "", acts);
    hook(&mut scene, "PostToolUse", "PostToolUse:Bash", written.calls.first(), "cargo fmt --check");
    scene.answer(vec![AnswerBlock::Text(words::FLAKY_ANSWER)], AnswerEnd::EndTurn);
    scene.session.stop_hooks(&[StopHook { command: "just lint", millis: 1840 }], &[]);
    scene.end_turn();
    scene.session.ai_title("Fix the flaky reconnect test");
    scene.wait(140);
    pull_request(&mut scene, store);
    scene.close(store);
}

fn hook(scene: &mut Scene, event: &str, name: &str, call: Option<&WrittenCall>, command: &str) {
    let call = call.map(|call| &call.id);
    let run = HookRun { event, name, call, command, stdout: "ok\n", millis: 41 };
    scene.session.hook_success(&run);
}

fn pull_request(scene: &mut Scene, store: &mut Store) {
    scene.ask(store, "Great. Open a PR.");
    let generation = scene.generation();
    let url = "https://github.com/ada/orbit/pull/118";
    let act = Scene::act(
        shell::bash("gh pr create --fill", "Open the pull request"),
        shell::pull_request_result(generation, url, 118),
    );
    scene.step(store, "", "", vec![act]);
    scene.session.pr_link("ada/orbit", 118);
    scene.say(&format!("Opened [ada/orbit#118]({url})."));
}

/// 2.1.200: agents that work in the background, one of them with an agent of its own; tasks; a queued prompt.
fn retry_with_backoff(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_1_200, "2026-11-13T14:03:51.402Z", 102));
    let generation = scene.generation();
    scene.file("src/fetch.rs", words::FETCH);
    scene.ask(store, "Add retry with exponential backoff and jitter to `fetch_elements`. Check first how the other callers handle errors.");
    let tasks = ["Survey the callers of fetch_elements", "Add the Backoff type", "Use it in fetch_elements"];
    let acts = (1..)
        .zip(tasks)
        .map(|(number, subject)| {
            Scene::act(task::create(subject, subject, "Working on it"), task::created(number, subject))
        })
        .collect();
    scene.step(store, "Three steps. The survey can run beside the rest.", "I'll set up the steps.", acts);

    let (launch, output, report) = survey(&mut scene, store);
    let acts = vec![scene.write("src/backoff.rs", words::BACKOFF)];
    scene.step(store, "", "While it looks, the type itself:", acts);
    scene.session.absorb_queued("please cap the delay at 30 s");
    let acts = vec![scene.edit(
        "src/backoff.rs",
        "MAX: Duration = Duration::from_secs(60)",
        "MAX: Duration = Duration::from_secs(30)",
    )];
    scene.step(store, "", "Capped at 30 s, as you just asked.", acts);
    let job = Id::shell(&mut scene.session.source, generation);
    let log = format!("/tmp/claude-1000/-home-ada-orbit/{}/tasks/{job}.output", scene.session.id());
    let act = Scene::act(
        shell::bash_in_background("cargo test --workspace", "Run all tests"),
        shell::bash_launched(generation, &job, &log),
    );
    scene.step(store, "", "", vec![act]);
    scene
        .say("The type is in place and all tests run in the background; I'll go on when the survey is back.");

    scene.catch_up(report.clock + 2_000);
    let notice = tool::agent_notice(&launch.calls[0], "Survey callers", &output, &report.as_tool(2));
    scene.session.task_notification(&notice);
    let acts = vec![
        scene.edit("src/fetch.rs", words::FETCH_OLD, words::FETCH_NEW),
        Scene::act(task::update(1, "completed"), task::updated(generation, 1, "pending", "completed")),
    ];
    scene.step(
        store,
        "",
        "The survey is back: all three callers take an error as final, so retrying inside is safe.",
        acts,
    );
    scene.session.task_notification(&shell::bash_notice(&job, "Run all tests", &log, 0));
    scene.say(words::RETRY_ANSWER);
    scene.session.custom_title("retry with backoff");
    put_tasks(store, scene.session.id(), &tasks);
    scene.close(store);
}

fn put_tasks(store: &mut Store, id: &Id, tasks: &[&str]) {
    for (number, subject) in (1..).zip(tasks) {
        let status = if number == 1 { "completed" } else { "in_progress" };
        store.put(
            &place::task(id, number),
            area::task_file(number, subject, subject, "Working on it", status),
        );
    }
    store.put(&format!("tasks/{id}/.lock"), Vec::new());
}

/// The agent in the background, which has an agent of its own. Gives its call, its output file and its report.
fn survey(scene: &mut Scene, store: &mut Store) -> (Written, String, Report) {
    let generation = scene.generation();
    let model = scene.session.settings.model.clone();
    let prompt = "List every caller of fetch_elements in /home/ada/orbit and how each handles Err.";
    let launch = scene.answer(
        vec![
            AnswerBlock::Text("An agent surveys the callers meanwhile."),
            tool::agent(generation, "Survey callers", prompt, "Explore"),
        ],
        AnswerEnd::ToolUse,
    );
    let mut survey = scene.helper("Explore");
    let survey_id = survey.session.agent_id().cloned().unwrap_or_else(|| Id::from("a"));
    let output = format!("/tmp/claude-1000/-home-ada-orbit/{}/tasks/{survey_id}.output", scene.session.id());
    scene.result(
        &launch.calls[0],
        &tool::agent_launched(generation, &survey_id, "Survey callers", prompt, &model, &output),
    );
    survey.take_up(prompt);
    let acts = vec![survey.bash(
        "rg -n 'fetch_elements\\(' src",
        "Find callers",
        "src/main.rs:41\nsrc/sync.rs:88\nsrc/web/api.rs:130",
    )];
    survey.step(store, "", "", acts);
    check_handler(&mut survey, store, &model);
    let meta = AgentMetaFile {
        background: true,
        ..AgentMetaFile::new("Explore", "Survey callers", launch.calls.first(), &model)
    };
    let report = survey.report(store, words::SURVEY, Some((&launch.calls[0], &meta)));
    (launch, output, report)
}

/// The agent of the agent.
fn check_handler(survey: &mut Scene, store: &mut Store, model: &str) {
    let generation = survey.generation();
    let prompt =
        "Does src/web/api.rs turn an error of fetch_elements into a 502? Answer yes or no, with the line.";
    let launch = survey.answer(
        vec![tool::agent(generation, "Check the API handler", prompt, "general-purpose")],
        AnswerEnd::ToolUse,
    );
    let mut inner = survey.helper("general-purpose");
    inner.take_up(prompt);
    let acts = vec![inner.bash(
        "sed -n 120,140p src/web/api.rs",
        "Read the handler",
        "    Err(error) => StatusCode::BAD_GATEWAY.into_response(),",
    )];
    inner.step(store, "", "", acts);
    let meta = AgentMetaFile {
        depth: 2,
        ..AgentMetaFile::new("general-purpose", "Check the API handler", launch.calls.first(), model)
    };
    let report = inner.report(store, "Yes, line 134.", Some((&launch.calls[0], &meta)));
    survey.catch_up(report.clock);
    survey.result(&launch.calls[0], &tool::agent_result(Generation::V2_1_80, &report.as_tool(1)));
}

/// 2.1.9: a long session with a compaction by hand, todos, output that went to a file, and an agent it waited for.
fn long_night(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_1_9, "2026-11-07T20:41:16.007Z", 103));
    let generation = scene.generation();
    scene.session.settings.branch = Some("sgp4".to_owned());
    scene.file("src/sgp4.rs", words::SGP4);
    scene
        .ask(store, "Port the SGP4 propagator from the C++ reference. Vectors are in testdata/sgp4-ver.tle.");
    let open = [
        Todo::new("Read the reference", "in_progress", "Reading the reference"),
        Todo::new("Port sgp4init", "pending", "Porting sgp4init"),
        Todo::new("Check all 667 vectors", "pending", "Checking vectors"),
    ];
    let acts = vec![Scene::act(task::todo_write(&open), task::todo_result(generation, &[], &open))];
    scene.step(
        store,
        "The reference is long. I read it in one go and keep the vectors as the judge.",
        "",
        acts,
    );
    read_reference(&mut scene, store);
    scene.session.slug = Some("quiet-spinning-sputnik".to_owned());
    let acts = vec![scene.edit("src/sgp4.rs", "    todo!()\n", words::SGP4_BODY)];
    scene.step(store, "", "Now the port of `sgp4init`.", acts);

    check_vectors(&mut scene, store);
    let id = scene.session.id().clone();
    let done: Vec<Todo> =
        open.iter().map(|todo| Todo { status: "completed".to_owned(), ..todo.clone() }).collect();
    let acts = vec![Scene::act(task::todo_write(&done), task::todo_result(generation, &open, &done))];
    scene.step(store, "", "", acts);
    let before =
        scene.say("All 667 vectors agree to 1e-9 km. `sgp4init` and `sgp4` are ported; deep space is next.");
    scene.session.summary("Port the SGP4 propagator to Rust", &before.lines[0]);
    store.put(&place::todos(&id, &id), task::list(&done).as_bytes().to_vec());
    put_index(&scene, store);

    scene.wait(600);
    scene.remember(store, "/compact", None);
    scene.session.compact(&CompactionSpec {
        manual: true,
        tokens_before: 148_213,
        tokens_after: 3_900,
        summary: words::NIGHT_SUMMARY,
        kept: &[],
    });
    scene.wait(60);
    scene.ask(store, "Continue with the deep space part (dscom, dpper).");
    let acts = vec![scene.read("src/sgp4.rs")];
    scene.step(store, "", "I pick up where the summary ends.", acts);
    scene.say("Deep space needs the lunar-solar terms first; I laid out `struct DeepSpace` with the 42 coefficients and a test for satellite 11801.");
    scene.close(store);
}

/// The agent that is waited for.
fn read_reference(scene: &mut Scene, store: &mut Store) {
    let generation = scene.generation();
    let prompt = "Read vendor/sgp4.cpp and list every function with its inputs.";
    let launch = scene.answer(
        vec![tool::agent(generation, "Summarise the reference", prompt, "general-purpose")],
        AnswerEnd::ToolUse,
    );
    let mut reader = scene.helper("general-purpose");
    let reader_id = reader.session.agent_id().cloned().unwrap_or_else(|| Id::from("a"));
    scene.session.agent_progress(&launch.calls[0], &launch.message, &reader_id, prompt);
    reader.take_up(prompt);
    let acts = vec![reader.bash(
        "grep -n '^void\\|^bool' vendor/sgp4.cpp",
        "List functions",
        "212:void dpper\n401:void dscom\n1188:bool sgp4init\n1672:bool sgp4",
    )];
    reader.step(store, "", "", acts);
    let report = reader.report(store, "Four functions matter: dpper, dscom, sgp4init, sgp4.", None);
    scene.catch_up(report.clock);
    scene.result(&launch.calls[0], &tool::agent_result(generation, &report.as_tool(1)));
}

/// Output that is too long for a line.
fn check_vectors(scene: &mut Scene, store: &mut Store) {
    let generation = scene.generation();
    let dump: String = (0..667)
        .map(|n| {
            format!(
                "vector {n:>3}: r = [{}.{:04}, {}.{:04}] ok\n",
                6_900 + n % 90,
                n * 37 % 9_999,
                n % 7,
                n * 91 % 9_999
            )
        })
        .collect();
    let id = scene.session.id().clone();
    let written = scene.answer(
        vec![shell::bash("cargo test vectors -- --nocapture", "Check the vectors")],
        AnswerEnd::ToolUse,
    );
    scene.session.bash_progress(&written.calls[0], "vector   0: ok\n", 2);
    if let Some(path) = place::tool_result(generation, CWD, &id, &written.calls[0].id, &id) {
        let outcome = shell::bash_spilled(generation, &dump, &format!("/home/ada/.claude/{path}"));
        store.put(&path, dump.into_bytes());
        scene.result(&written.calls[0], &outcome);
    }
}

/// The index that this client kept beside its sessions.
fn put_index(scene: &Scene, store: &mut Store) {
    let id = scene.session.id().clone();
    let at = Moment::from_millis(scene.session.source.clock());
    let path = format!("/home/ada/.claude/{}", scene.session.path());
    let indexed = area::Indexed {
        session: &id,
        path: &path,
        cwd: CWD,
        first_prompt: "Port the SGP4 propagator from the C++ reference.",
        messages: 18,
        span: (at.plus(-900_000), at),
    };
    store.put("projects/-home-ada-orbit/sessions-index.json", area::sessions_index(&[indexed]));
}

/// 2.1.200: the session moves into a worktree, and its file with it.
fn worktree(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_1_200, "2026-11-14T16:20:00.350Z", 104));
    scene.ask(
        store,
        "Try replacing the hand-written TLE parser by winnow, in a worktree so that I can keep working here.",
    );
    let path = "/home/ada/orbit/.claude/worktrees/winnow";
    let input = Object::new().str("name", "winnow").done();
    let act = Scene::act(tool::call("EnterWorktree", input), task::worktree_entered(path, "worktree-winnow"));
    scene.step(store, "", "", vec![act]);
    scene.session.enter_worktree(&Worktree {
        original_cwd: CWD,
        path,
        name: "winnow",
        branch: "worktree-winnow",
        original_branch: "main",
        head_commit: "5d1c2f0a9be84c6a7f3e1d20b6a9c8e7f4d3b2a1",
    });
    scene.file("Cargo.toml", "[package]\nname = \"orbit\"\n\n[dependencies]\ntokio = \"1\"\n");
    let acts = vec![
        scene.edit("Cargo.toml", "tokio = \"1\"\n", "tokio = \"1\"\nwinnow = \"0.7\"\n"),
        scene.bash("cargo build -q 2>&1 | tail -1; wc -l src/tle.rs", "Build", "214 src/tle.rs"),
    ];
    scene.step(store, "", "Now in the worktree.", acts);
    let questions = task::question(
        "Keep the old parser behind a feature?",
        "Old parser",
        &[("Yes", "as `legacy-tle`"), ("No", "delete it")],
    );
    let act = Scene::act(
        tool::call("AskUserQuestion", Object::new().put("questions", &questions).done()),
        task::answered(scene.generation(), &questions, "Keep the old parser behind a feature?", "No"),
    );
    scene.step(store, "", "", vec![act]);
    scene.say("The winnow parser passes all tests at 96 lines instead of 214. It is on `worktree-winnow`; the old one is gone, as you chose.");
    scene.session.agent_color("green");
    scene.session.ai_title("Replace the TLE parser by winnow");
    scene.close(store);
}
