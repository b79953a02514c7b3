//! The areas beside `projects/`: todos, debug logs, shell snapshots, plans, tasks, pastes, settings.
//!
//! They are named by the ids of the corpus' sessions, so that joining them works, and there are a few more of
//! them than sessions, so that orphans are there too.

use scrollback_compose::tool::task::{Todo, list};
use scrollback_compose::{Id, Moment, area, place};

use super::plan::{self, Job, Nature};
use super::random::Dice;
use super::scale::Scale;
use super::scribe::File;
use super::text::{Flavour, Pools};

/// Marks the stream of the areas, apart from those of the jobs.
const STREAM: u64 = 1 << 40;

/// The id that a job's session will have: the first thing its dice give, after the choice of how it was started.
pub fn session_id(job: &Job) -> Id {
    let mut dice = plan::dice(job.index);
    dice.chance(300);
    Id::uuid(&mut dice)
}

/// Calls `put` with each file of the areas, and `folder` with each empty folder.
pub fn compose(
    scale: &Scale,
    jobs: &[Job],
    pools: &Pools,
    put: &mut impl FnMut(File) -> Result<(), String>,
    folder: &mut impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    let mut dice = Dice::new(plan::SEED, STREAM);
    let owners: Vec<(Id, i64)> = jobs
        .iter()
        .filter(|job| job.nature != Nature::Empty)
        .map(|job| (session_id(job), job.start))
        .collect();
    let owner = |place: u64| &owners[usize::try_from(place).unwrap_or(0) % owners.len()];
    for place in 0..scale.areas.todos {
        put(todos(&mut dice, pools, owner(place), place >= owners.len() as u64))?;
    }
    for place in 0..scale.areas.debug {
        // More logs than sessions: the rest belongs to sessions that are gone.
        let orphan = (Id::uuid(&mut dice), plan::jobs_end());
        let id = if place < owners.len() as u64 { owner(place) } else { &orphan };
        put(debug_log(&mut dice, pools, id))?;
    }
    for place in 0..scale.areas.shell_snapshots {
        put(shell_snapshot(&mut dice, pools, owner(place).1))?;
    }
    for place in 0..scale.areas.session_env {
        folder(&place::session_env(&owner(place).0))?;
    }
    for place in 0..scale.areas.tasks {
        for number in 1..=3 {
            let subject = pools.line(&mut dice, 120).to_owned();
            let bytes = area::task_file(number, &subject, &subject, "Working on it", "pending");
            put(File { path: place::task(&owner(place).0, number), bytes })?;
        }
    }
    texts(scale, &mut dice, pools, put)?;
    let settings = serde_json::json!({ "permissions": { "allow": ["Bash(cargo test:*)"] }, "model": "opus" });
    put(File { path: "settings.json".to_owned(), bytes: area::pretty(&settings) })
}

fn todos(dice: &mut Dice, pools: &Pools, owner: &(Id, i64), second: bool) -> File {
    let agent = if second { Id::uuid(dice) } else { owner.0.clone() };
    let items: Vec<Todo> = if dice.chance(120) {
        ["completed", "in_progress", "pending"]
            .into_iter()
            .map(|status| Todo::new(pools.line(dice, 120), status, "Working on it"))
            .collect()
    } else {
        Vec::new()
    };
    File { path: place::todos(&owner.0, &agent), bytes: list(&items).as_bytes().to_vec() }
}

fn debug_log(dice: &mut Dice, pools: &Pools, owner: &(Id, i64)) -> File {
    let size = dice.skewed(700);
    let mut bytes = format!("{} [DEBUG] session {}\n", Moment::from_millis(owner.1), owner.0).into_bytes();
    bytes.extend_from_slice(pools.piece(dice, Flavour::Output, size).as_bytes());
    bytes.push(b'\n');
    File { path: place::debug_log(&owner.0), bytes }
}

fn shell_snapshot(dice: &mut Dice, pools: &Pools, start: i64) -> File {
    let at = Moment::from_millis(start + i64::try_from(dice.below(9_000)).unwrap_or(0));
    let tail = Id::base36(dice, 6);
    let mut bytes =
        b"# Snapshot file\nunalias -a 2>/dev/null || true\nexport PATH=/usr/local/bin:/usr/bin:/bin\n"
            .to_vec();
    let size = dice.skewed(900);
    bytes.extend_from_slice(pools.piece(dice, Flavour::Code, size).as_bytes());
    bytes.push(b'\n');
    File { path: place::shell_snapshot(at, &tail), bytes }
}

fn texts(
    scale: &Scale,
    dice: &mut Dice,
    pools: &Pools,
    put: &mut impl FnMut(File) -> Result<(), String>,
) -> Result<(), String> {
    for _ in 0..scale.areas.plans {
        let adjective = dice.pick(&["misty", "brave", "quiet", "golden", "wandering", "nimble"]);
        let verb = dice.pick(&["sailing", "baking", "humming", "mapping", "weaving", "leaping"]);
        let noun = Id::hex(dice, 6);
        let size = dice.skewed(1_500);
        let plan = format!("# Plan\n\n{}\n", pools.piece(dice, Flavour::Prose, size));
        put(File { path: place::plan(&format!("{adjective}-{verb}-{noun}")), bytes: plan.into_bytes() })?;
    }
    for _ in 0..scale.areas.pastes {
        let size = dice.skewed(2_000);
        let paste = pools.piece(dice, Flavour::Output, size);
        put(File { path: area::paste_path(paste), bytes: paste.as_bytes().to_vec() })?;
    }
    Ok(())
}
