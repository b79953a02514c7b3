//! The project `/home/ada/lighthouse`: a Python service. A migration is planned, a night shift goes wrong, a branch.

use scrollback_compose::agent::{AgentMetaFile, journal};
use scrollback_compose::compaction::CompactionSpec;
use scrollback_compose::copy::{CopySpec, fork};
use scrollback_compose::result::Denial;
use scrollback_compose::tool::task::{self, Run};
use scrollback_compose::tool::{self, shell};
use scrollback_compose::{AnswerBlock, AnswerEnd, Entrypoint, Id, Moment, Object, area, place};
use scrollback_format::generation::Generation;

use super::scene::{Cast, Scene};
use super::store::Store;
use super::words::lighthouse as words;

const CWD: &str = "/home/ada/lighthouse";

fn cast(generation: Generation, start: &'static str, number: u64) -> Cast {
    Cast { generation, cwd: CWD, start, number, entrypoint: Entrypoint::Cli }
}

/// All sessions of the project.
pub fn tell(store: &mut Store) {
    queued_prompts(store);
    rough_night(store);
    migration(store);
}

/// 2.1.325: plan mode, a workflow over many files, and a compaction that came by itself and kept its tail.
fn migration(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_1_325, "2026-11-14T08:30:11.640Z", 201));
    let generation = scene.generation();
    scene.session.settings.permission_mode = "plan".to_owned();
    scene.session.slug = Some("plan-the-postgres-migration-amber-heron".to_owned());
    let plan_path = "/home/ada/.claude/plans/plan-the-postgres-migration-amber-heron.md";
    scene
        .ask(store, "Plan the move from SQLite to Postgres. No downtime above five minutes, and a way back.");
    scene.session.attach_plan_mode(plan_path);
    let acts = vec![
        scene.bash(
            "rg -c 'sqlite3|execute\\(' app | sort -t: -k2 -nr | head -5",
            "Where SQL is",
            "app/store.py:61\napp/jobs.py:22\napp/report.py:14\napp/auth.py:9\napp/web.py:3",
        ),
        scene.bash("sqlite3 data/light.db 'select count(*) from readings'", "Size", "48211907"),
    ];
    scene.step(
        store,
        "48 million rows: a plain dump takes longer than five minutes. Dual writes, then.",
        "I'll see how much SQL there is and how much data.",
        acts,
    );
    let act = Scene::act(
        task::exit_plan(generation, words::PLAN, plan_path),
        task::plan_approved(generation, words::PLAN, plan_path),
    );
    scene.step(store, "", "", vec![act]);
    store.put("plans/plan-the-postgres-migration-amber-heron.md", words::PLAN.as_bytes().to_vec());
    scene.session.settings.permission_mode = "acceptEdits".to_owned();
    workflow(&mut scene, store);
    let last = scene.say(words::MIGRATION_ANSWER);
    scene.session.ai_title("Plan the SQLite to Postgres migration");
    scene.wait(900);
    let prompt = scene.ask(store, "Write the dual-write layer for app/store.py.");
    let kept = [last.lines[0].clone(), prompt];
    scene.session.compact(&CompactionSpec {
        manual: false,
        tokens_before: 968_114,
        tokens_after: 5_210,
        summary: words::MIGRATION_SUMMARY,
        kept: &kept,
    });
    let acts = vec![scene.write("app/dual.py", words::DUAL)];
    scene.step(store, "", "The layer as planned:", acts);
    scene.say("`app/dual.py` writes to both and reads from SQLite. `DUAL_WRITE=off` is the way back.");
    scene.session.custom_title("postgres migration");
    let id = scene.session.id().clone();
    if let Some(path) = place::title_sidecar(generation, CWD, &id) {
        store.put(&path, area::title_sidecar("postgres migration"));
    }
    scene.close(store);
}

/// A workflow: a script that runs an agent per file.
fn workflow(scene: &mut Scene, store: &mut Store) {
    let generation = scene.generation();
    let model = scene.session.settings.model.clone();
    let id = scene.session.id().clone();
    let folder = place::session_folder(generation, CWD, &id);
    let (run, job) = (Id::workflow(&mut scene.session.source), Id::from("w7k2m9qxd"));
    let transcripts = format!("/home/ada/.claude/{folder}/subagents/workflows/{run}");
    let script_path = format!("{folder}/workflows/scripts/port-queries-{run}.js");
    let launched = Run {
        id: &run,
        task: &job,
        name: "port-queries",
        summary: "Port each module's SQL",
        transcripts: &transcripts,
        script: &format!("/home/ada/.claude/{script_path}"),
    };
    let input = Object::new().str("script", words::SCRIPT).done();
    scene.step(
        store,
        "",
        "One agent per module.",
        vec![Scene::act(tool::call("Workflow", input), task::workflow_launched(&launched))],
    );
    let mut lines = Vec::new();
    for (label, answer) in [
        ("app/jobs.py", "22 statements ported, 2 used `INSERT OR REPLACE`."),
        ("app/report.py", "14 statements ported, none special."),
    ] {
        lines.extend(workflow_agent(
            scene,
            store,
            &format!("{folder}/subagents/workflows/{run}"),
            label,
            answer,
        ));
    }
    store.put(&format!("{folder}/subagents/workflows/{run}/journal.jsonl"), lines);
    store.put(&script_path, words::SCRIPT.as_bytes().to_vec());
    let at = Moment::from_millis(scene.session.source.clock());
    let state = serde_json::json!({
        "runId": run.as_str(), "timestamp": at.to_string(), "taskId": job.as_str(), "script": words::SCRIPT,
        "scriptPath": launched.script, "result": "2 modules ported", "agentCount": 2, "logs": [], "durationMs": 61_204,
        "summary": "Port each module's SQL", "workflowName": "port-queries", "status": "completed",
        "startTime": at.millis() - 61_204, "defaultModel": model, "totalTokens": 41_880, "totalToolCalls": 2,
    });
    store.put(&format!("{folder}/workflows/{run}.json"), state.to_string().into_bytes());
}

/// One agent of the workflow; gives its lines of the journal.
fn workflow_agent(scene: &mut Scene, store: &mut Store, folder: &str, label: &str, answer: &str) -> Vec<u8> {
    let generation = scene.generation();
    let model = scene.session.settings.model.clone();
    let mut lines = Vec::new();
    let mut agent = scene.helper("workflow-subagent");
    let agent_id = agent.session.agent_id().cloned().unwrap_or_else(|| Id::from("a"));
    agent.take_up(&format!("Port the SQL of {label} to Postgres."));
    let acts = vec![agent.bash(&format!("rg -n 'execute' {label} | wc -l"), "Count", "22")];
    agent.step(store, "", "", acts);
    agent.answer(vec![AnswerBlock::Text(answer)], AnswerEnd::EndTurn);
    let file = format!("{folder}/agent-{agent_id}.jsonl");
    store.put(&file, agent.session.take().into_bytes());
    let meta = scrollback_compose::agent::meta(
        generation,
        &AgentMetaFile::new("workflow-subagent", label, None, &model),
    );
    store.put(&place::agent_meta(&file), meta.map(|json| json.as_bytes().to_vec()).unwrap_or_default());
    let key = format!("v2:{}", Id::hex(&mut scene.session.source, 64));
    for json in [
        journal(generation, &key, &agent_id, label, None),
        journal(generation, &key, &agent_id, label, Some(answer)),
    ] {
        lines.extend_from_slice(json.as_bytes());
        lines.push(b'\n');
    }
    scene.catch_up(agent.session.source.clock());
    lines
}

/// 2.1.80: an overloaded API, an interruption, a refusal, bash mode, a command; then `/branch`.
fn rough_night(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_1_80, "2026-11-10T22:15:42.930Z", 202));
    scene.file("app/jobs.py", words::JOBS);
    scene.ask(store, "The nightly job died at 03:12. Logs are below /var/log/lighthouse.");
    let acts =
        vec![scene.bash("journalctl -u lighthouse --since 03:00 | tail -4", "Read the log", words::LOG)];
    scene.step(store, "", "I'll read the log around that time.", acts);
    two_checks(&mut scene, store);
    scene.say(words::NIGHT_ANSWER);
    let branch_point = scene.session.sheet().bytes().to_vec();

    scene.session.bash_mode(
        "ls -1t /var/lib/lighthouse/tmp | head -3",
        "export-1731.parquet\nexport-1730.parquet\nexport-1729.parquet",
        "",
    );
    scene.remember(store, "!ls -1t /var/lib/lighthouse/tmp | head -3", None);
    scene.wait(45);
    scene.ask(store, "Delete the old exports before each run.");
    let written = scene.answer(
        vec![
            AnswerBlock::Text("I'd clean up right away, too:"),
            shell::bash("rm -rf /var/lib/lighthouse/tmp/*", "Delete exports"),
        ],
        AnswerEnd::ToolUse,
    );
    scene.session.refusal(&written.calls[0], "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.", Denial::UserRejected);
    scene.session.interruption(true, None);
    second_try(&mut scene, store);
    let from = scene.session.id().clone();
    scene.close(store);
    branch(store, &branch_point, &from);
}

/// An agent and a command side by side.
fn two_checks(scene: &mut Scene, store: &mut Store) {
    let generation = scene.generation();
    let prompt = "Was the disk of lighthouse full around 03:12? Use sar.";
    let launch = scene.answer(
        vec![
            AnswerBlock::Text("Two things to check at once."),
            tool::agent(generation, "Check disk history", prompt, "general-purpose"),
            shell::bash("df -h /var/lib/lighthouse", "Disk now"),
        ],
        AnswerEnd::ToolUse,
    );
    let mut disk = scene.helper("general-purpose");
    let disk_id = disk.session.agent_id().cloned().unwrap_or_else(|| Id::from("a"));
    scene.session.agent_progress(&launch.calls[0], &launch.message, &disk_id, prompt);
    disk.take_up(prompt);
    let acts = vec![disk.bash(
        "sar -F MOUNT -s 03:00:00 -e 03:30:00",
        "History of the disk",
        "03:10:01  /dev/sda2  99.8\n03:20:01  /dev/sda2  41.2",
    )];
    disk.step(store, "", "", acts);
    let meta =
        AgentMetaFile::new("general-purpose", "Check disk history", launch.calls.first(), "claude-opus-4-6");
    let report =
        disk.report(store, "Yes: 99.8 % at 03:10, back to 41 % at 03:20.", Some((&launch.calls[0], &meta)));
    scene.result(
        &launch.calls[1],
        &shell::bash_result(generation, "/dev/sda2  220G   91G  119G  44% /var/lib/lighthouse", ""),
    );
    scene.catch_up(report.clock);
    scene.result(&launch.calls[0], &tool::agent_result(generation, &report.as_tool(1)));
}

/// Overloaded, another model, and then the change.
fn second_try(scene: &mut Scene, store: &mut Store) {
    scene.wait(30);
    scene.ask(store, "Not by hand! Only in the job, and only files older than a day.");
    scene.session.retry(1, 612);
    scene.session.retry(2, 1_180);
    scene.session.api_error("API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}", "overloaded", 529);
    scene.session.slash_command("model", "sonnet", "Set model to \u{1b}[1msonnet\u{1b}[22m");
    scene.remember(store, "/model sonnet", None);
    scene.wait(20);
    scene.ask(store, "go on");
    let acts = vec![scene.edit("app/jobs.py", words::JOBS_OLD, words::JOBS_NEW)];
    scene.step(store, "", "", acts);
    scene.say("The job now drops exports older than a day before it starts, and logs how many.");
}

/// `/branch` of the rough night, from before the clean-up.
fn branch(store: &mut Store, lines: &[u8], from: &Id) {
    let mut scene = Scene::new(&cast(Generation::V2_1_80, "2026-11-11T07:50:09.110Z", 203));
    let to = scene.session.id().clone();
    let at = Moment::from_millis(scene.session.source.clock());
    let copied = fork(lines, &CopySpec { generation: Generation::V2_1_80, from, to: &to, branch: true, at });
    store.append(&scene.session.path(), &copied.bytes);
    scene.session.rewind(copied.tail);
    scene.session.custom_title("disk alert (Branch)");
    scene.session.slash_command(
        "branch",
        "disk alert",
        &format!("Branched conversation \"disk alert\". You are now in the new branch (session {to})."),
    );
    scene.ask(store, "Instead of cleaning up: alert at 90 %. What would that take?");
    scene.say(words::ALERT_ANSWER);
    scene.close(store);
}

/// 2.0.55: prompts that queued up while it worked; then the same conversation forked without a mark.
fn queued_prompts(store: &mut Store) {
    let mut scene = Scene::new(&cast(Generation::V2_0_55, "2026-11-06T11:05:30.271Z", 204));
    scene.session.slug = Some("golden-humming-lamp".to_owned());
    scene.file("README.md", "# lighthouse\n\nReads lamps.\n");
    scene.ask(store, "Write a section about deployment into the README.");
    let acts = vec![scene.read("README.md")];
    scene.step(store, "Short, and only what is true.", "", acts);
    scene.session.enqueue(Some("mention systemd"));
    scene.session.enqueue(Some("and in a friendly tone"));
    let acts = vec![scene.edit("README.md", "Reads lamps.\n", words::DEPLOY)];
    scene.step(store, "", "", acts);
    scene.say("Added a section *Deployment*.");
    scene.session.dequeue();
    scene.session.queued_prompt("mention systemd\nand in a friendly tone");
    scene.say("It names the systemd unit now, and says hello first.");
    let (lines, from) = (scene.session.sheet().bytes().to_vec(), scene.session.id().clone());
    warm_ups(&mut scene, store);
    scene.close(store);

    let mut forked = Scene::new(&cast(Generation::V2_0_55, "2026-11-06T15:44:02.900Z", 205));
    let to = forked.session.id().clone();
    let at = Moment::from_millis(forked.session.source.clock());
    let copied =
        fork(&lines, &CopySpec { generation: Generation::V2_0_55, from: &from, to: &to, branch: false, at });
    store.append(&forked.session.path(), &copied.bytes);
    forked.session.rewind(copied.tail);
    forked.session.slug = Some("golden-humming-lamp".to_owned());
    forked.ask(store, "Translate the section to German, as README.de.md.");
    let acts = vec![forked.write(
        "README.de.md",
        "# lighthouse\n\nHallo! Ein Dienst, der Lampen liest. Start: `systemctl start lighthouse`.\n",
    )];
    forked.step(store, "", "", acts);
    forked.say("`README.de.md` ist da.");
    forked.close(store);
}

/// The two agents that 2.0.x leaves beside every session.
pub fn warm_ups(scene: &mut Scene, store: &mut Store) {
    for _ in 0..2 {
        let mut warm = scene.helper("general-purpose");
        warm.take_up("Warmup");
        warm.report(store, "I'm ready to help you search and explore the codebase.", None);
    }
}
