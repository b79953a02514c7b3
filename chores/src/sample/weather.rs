//! The project `/home/ada/天気`: small, old, and in other scripts. Sessions of 1.0 and 2.0.29, a torn file, an empty one.

use scrollback_compose::tool;
use scrollback_compose::tool::task::{self, Todo};
use scrollback_compose::{AnswerBlock, AnswerEnd, Entrypoint, Id, place};
use scrollback_format::generation::Generation;

use super::lighthouse::warm_ups;
use super::scene::{Cast, Scene};
use super::store::Store;
use super::words::weather as words;

const CWD: &str = "/home/ada/天気";

fn cast(generation: Generation, start: &'static str, number: u64) -> Cast {
    Cast { generation, cwd: CWD, start, number, entrypoint: Entrypoint::Cli }
}

/// All sessions of the project.
pub fn tell(store: &mut Store) {
    first_version(store);
    forecast(store);
    torn(store);
}

/// 1.0: the agent's lines stand among the session's own.
fn first_version(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V1_0, "2026-11-05T18:30:00.200Z", 401));
    let generation = scene.generation();
    scene.ask(store, "Gibt es hier schon einen Parser für METAR-Meldungen? Schau bitte gründlich nach.");
    let launch = scene.answer(
        vec![
            AnswerBlock::Text("Ich lasse danach suchen."),
            tool::agent(generation, "METAR suchen", "Suche im ganzen Projekt nach METAR.", "general-purpose"),
        ],
        AnswerEnd::ToolUse,
    );
    let mut search = scene.helper("general-purpose");
    search.take_up("Suche im ganzen Projekt nach METAR.");
    let acts = vec![search.bash("rg -il metar", "Suchen", "docs/quellen.md")];
    search.step(store, "", "", acts);
    let done = search.answer(
        vec![AnswerBlock::Text("Nur eine Erwähnung in docs/quellen.md, kein Code.")],
        AnswerEnd::EndTurn,
    );
    let clock = search.session.source.clock();
    scene.session.absorb(search.session.take());
    scene.catch_up(clock);
    let nobody = Id::from("");
    let report = tool::AgentReport {
        id: &nobody,
        prompt: "",
        answer: "Nur eine Erwähnung in docs/quellen.md, kein Code.",
        millis: 4_000,
        calls: 1,
        usage: done.usage,
    };
    scene.result(&launch.calls[0], &tool::agent_result(generation, &report));
    scene.say("Nein. METAR kommt nur in `docs/quellen.md` vor; einen Parser gibt es nicht.");
    scene.close(store);
}

/// 2.0.29: unicode throughout, an agent beside the session, a todo list, a failed edit, a title in a later file.
fn forecast(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_0_29, "2026-11-05T21:07:55.660Z", 402));
    let generation = scene.generation();
    scene.session.settings.branch = None;
    scene.file("予報.py", words::FORECAST);
    scene.ask(store, "予報.py の気温が華氏になっています。摂氏に直してください。🌡️");
    let open = [
        Todo::new("単位を確かめる", "in_progress", "単位を確かめています"),
        Todo::new("摂氏に直す", "pending", "直しています"),
    ];
    let acts = vec![
        Scene::act(task::todo_write(&open), task::todo_result(generation, &[], &open)),
        scene.read("予報.py"),
    ];
    scene.step(store, "", "まず単位を確かめます。", acts);
    let written = scene
        .answer(vec![tool::edit(generation, &scene.path("予報.py"), "temp_f", "temp_c")], AnswerEnd::ToolUse);
    scene.session.failure(&written.calls[0], "<tool_use_error>Found 2 matches of the string to replace, but replace_all is false.</tool_use_error>");
    let acts = vec![scene.edit("予報.py", words::FORECAST_OLD, words::FORECAST_NEW)];
    scene.step(store, "", "", acts);
    let launch = scene.answer(
        vec![tool::agent(generation, "検算", "予報.py の換算式を検算してください。", "general-purpose")],
        AnswerEnd::ToolUse,
    );
    let mut check = scene.helper("general-purpose");
    check.take_up("予報.py の換算式を検算してください。");
    let report = check.report(store, "(212 − 32) × 5 / 9 = 100。正しいです。✅", None);
    scene.catch_up(report.clock);
    scene.result(&launch.calls[0], &tool::agent_result(generation, &report.as_tool(0)));
    let last = scene.say("摂氏に直しました。換算式も検算済みです (212 °F → 100 °C)。");
    let id = scene.session.id().clone();
    let done: Vec<Todo> =
        open.iter().map(|todo| Todo { status: "completed".to_owned(), ..todo.clone() }).collect();
    store.put(&place::todos(&id, &id), task::list(&done).as_bytes().to_vec());
    warm_ups(&mut scene, store);
    scene.close(store);

    // The title of this session was written into the file of a later one, which holds nothing else.
    let mut ghost = Scene::new(&cast(generation, "2026-11-05T21:30:00.000Z", 403));
    ghost.session.summary("気温の単位を摂氏に修正", &last.lines[0]);
    ghost.close(store);
    // And one that was left before its first prompt was stored.
    let empty = Scene::new(&cast(generation, "2026-11-05T21:31:00.000Z", 404));
    store.put(&empty.session.path(), Vec::new());
}

/// 2.0.29, killed in the middle of a write: the last line is torn.
fn torn(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_0_29, "2026-11-06T06:12:31.090Z", 405));
    scene.session.settings.branch = None;
    scene.ask(store, "Welche Stationen melden seit gestern nichts mehr?");
    let acts = vec![scene.bash("python3 stationen.py --still 24h", "Stille Stationen", "EDDB\nRJTT\nKSEA")];
    scene.step(store, "", "", acts);
    scene.answer(vec![AnswerBlock::Text("Drei Stationen schweigen seit mehr als 24 Stunden: Berlin (EDDB), Haneda (RJTT) und Seattle (KSEA).")], AnswerEnd::EndTurn);
    let lines = scene.session.take().into_bytes();
    // The cut falls into ASCII, so that the rest is still text.
    let kept = lines.len() - 180;
    store.put(&scene.session.path(), lines[..kept].to_vec());
}
