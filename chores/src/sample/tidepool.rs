//! The project `/home/ada/tidepool`: a web front end. A picture, a rewind, a background session, `/clear`, headless runs.

use scrollback_compose::copy::{CopySpec, fork};
use scrollback_compose::tool::shell;
use scrollback_compose::{AnswerBlock, AnswerEnd, Entrypoint, Id, Json, Moment, area, block};
use scrollback_format::generation::Generation;

use super::scene::{Cast, Scene};
use super::store::Store;
use super::words::tidepool as words;

const CWD: &str = "/home/ada/tidepool";

fn cast(generation: Generation, start: &'static str, number: u64, entrypoint: Entrypoint) -> Cast {
    Cast { generation, cwd: CWD, start, number, entrypoint }
}

/// All sessions of the project.
pub fn tell(store: &mut Store) {
    headless(store);
    chart(store);
}

/// 2.1.325: a picture of a broken chart, a first try, a rewind and a second try; then `/fork` in the background.
fn chart(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_1_325, "2026-11-12T10:22:37.515Z", 301, Entrypoint::Cli));
    scene.file("src/Chart.tsx", words::CHART);
    let text = "[Image #1] The tide chart clips the highest wave. What is wrong?";
    let content = Json::list([block::text(text), block::image("image/png", words::PICTURE)]);
    scene.ask_with(store, text, &content);
    let acts = vec![scene.read("src/Chart.tsx")];
    scene.step(
        store,
        "The picture shows the line leaving the top by a few pixels.",
        "I see the line leave the frame at the top. Let me look at the scale.",
        acts,
    );
    let looked = scene.say("The scale ends at the *mean* of the day, `d3.mean(points)`, instead of its maximum. I can either widen the domain or clamp the line. Which one?");
    let fork_point = looked.lines.last().cloned();
    let shared = scene.session.sheet().bytes().to_vec();

    scene.wait(35);
    let before = scene.session.tail().cloned();
    scene.ask(store, "Clamp it.");
    let acts = vec![scene.edit("src/Chart.tsx", words::CHART_LINE, words::CHART_CLAMPED)];
    scene.step(store, "", "", acts);
    scene.say("Clamped: waves above the frame are now drawn flat at its edge.");

    scene.wait(80);
    scene.session.rewind(before);
    scene.session.note_rewind();
    scene.file("src/Chart.tsx", words::CHART);
    scene.ask(store, "Widen the domain instead, with ten percent of air above.");
    let acts = vec![scene.edit("src/Chart.tsx", words::CHART_OLD, words::CHART_NEW)];
    scene.step(store, "", "", acts);
    let acts = vec![scene.bash(
        "npm test -- --run Chart",
        "Run the chart's tests",
        " ✓ src/Chart.test.tsx (6 tests) 41ms\n\n Test Files  1 passed (1)\n      Tests  6 passed (6)",
    )];
    scene.step(store, "", "", acts);
    scene.say(words::CHART_ANSWER);
    scene.session.ai_title("Tide chart clips the highest wave");
    let from = scene.session.id().clone();
    paste(&mut scene, store);
    scene.close(store);
    background(store, &shared, &from, fork_point);
    cleared(store, &from);
}

/// A long paste: the history keeps a placeholder, the text lies in the paste cache.
fn paste(scene: &mut Scene, store: &mut Store) {
    scene.wait(300);
    let pasted = words::STACK;
    scene.remember(store, "What does this mean? [Pasted text #1 +6 lines]", Some(pasted));
    store.put(&area::paste_path(pasted), pasted.as_bytes().to_vec());
    let text = format!("What does this mean? {pasted}");
    scene.session.note_state();
    scene.session.prompt(&text);
    let cut = scene.answer(
        vec![AnswerBlock::Text("The resize observer fires while the chart is unmounted, so")],
        AnswerEnd::Cut,
    );
    scene.session.interruption(false, Some(&cut.message));
    scene.end_turn();
}

/// `/fork` of the newest client: a session of its own that runs in the background.
fn background(store: &mut Store, shared: &[u8], from: &Id, boundary: Option<Id>) {
    let generation = Generation::V2_1_325;
    let mut scene = Scene::new(&cast(generation, "2026-11-12T10:41:19.004Z", 302, Entrypoint::Cli));
    scene.session.background = true;
    let to = scene.session.id().clone();
    let at = Moment::from_millis(scene.session.source.clock());
    let copied = fork(shared, &CopySpec { generation, from, to: &to, branch: false, at });
    store.append(&scene.session.path(), &copied.bytes);
    scene.session.rewind(boundary);
    scene.ask(store, "Write a story for the chart in Storybook, with spring and neap tide.");
    let acts = vec![scene.write("src/Chart.stories.tsx", words::STORY)];
    scene.step(store, "", "", acts);
    scene.say("Two stories: `SpringTide` and `NeapTide`.");
    scene.session.ai_title("⑂ Write a story for the chart");
    let short = scrollback_format::id::short(to.as_str());
    let state = serde_json::json!({
        "state": "done", "detail": "Two stories: `SpringTide` and `NeapTide`.", "tempo": "idle",
        "inFlight": { "tasks": 0, "queued": 0, "kinds": [], "drainableMonitors": 0 },
        "tokens": 18_204, "output": null, "children": null, "template": "bg",
        "intent": "Write a story for the chart in Storybook", "name": "⑂ Write a story for the chart", "nameSource": "auto",
        "sessionId": to.as_str(), "resumeSessionId": to.as_str(), "daemonShort": short, "cliVersion": "2.1.325", "cwd": CWD,
        "forkSourceAlive": true, "forkBoundaryAt": at.to_string(), "forkSessionId": to.as_str(),
        "forkParentSessionId": from.as_str(), "interactiveLineage": true, "backend": "daemon",
        "createdAt": at.to_string(), "updatedAt": at.plus(41_000).to_string(), "firstTerminalAt": null,
    });
    store.put(&format!("jobs/{short}/state.json"), area::pretty(&state));
    store.put(&format!("jobs/{short}/parent-transcript.jsonl"), shared.to_vec());
    let moment = serde_json::json!({ "at": at.plus(41_000).to_string(), "state": "done", "detail": "Two stories", "text": "Two stories: `SpringTide` and `NeapTide`." });
    store.put(&format!("jobs/{short}/timeline.jsonl"), format!("{moment}\n").into_bytes());
    scene.close(store);
}

/// `/clear`: a new session whose lines still name the one before.
fn cleared(store: &mut Store, from: &Id) {
    let mut scene = Scene::new(&cast(Generation::V2_1_325, "2026-11-12T11:02:44.871Z", 303, Entrypoint::Cli));
    scene.session.cleared_from = Some(from.clone());
    scene.session.slash_command("clear", "", "");
    scene.remember(store, "/clear", None);
    scene.session.custom_command(
        "release-notes",
        "0.9",
        "Write release notes for version 0.9 from the commits since v0.8, grouped by user-visible area.",
    );
    scene.session.preamble(super::scene::SYSTEM);
    let acts = vec![scene.bash(
        "git log --oneline v0.8..",
        "Commits since the last release",
        "3f2a9c1 chart: widen the domain\n88d01be tides: neap and spring in the legend\n0c7e5aa deps: d3 7.9",
    )];
    scene.step(store, "", "", acts);
    scene.say(words::NOTES);
    scene.close(store);
}

/// 2.1.200, headless: a nightly check that asks one thing.
fn headless(store: &mut Store) {
    let mut scene =
        Scene::new(&cast(Generation::V2_1_200, "2026-11-09T04:00:02.100Z", 304, Entrypoint::SdkCli));
    scene.ask(store, "Are there npm packages with known vulnerabilities? Answer in one line of JSON.");
    let act = Scene::act(
        shell::bash("npm audit --json | jq -c '.metadata.vulnerabilities'", "Audit"),
        shell::bash_result(
            scene.generation(),
            "{\"info\":0,\"low\":1,\"moderate\":0,\"high\":0,\"critical\":0,\"total\":1}",
            "",
        ),
    );
    scene.step(store, "", "", vec![act]);
    scene.say("{\"vulnerable\":1,\"worst\":\"low\",\"package\":\"brace-expansion\"}");
    scene.close(store);
}
