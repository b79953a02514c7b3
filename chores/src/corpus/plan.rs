//! Which sessions there will be: generation, project, size, agents, and what happens in them.
//!
//! Drawn from one stream before anything is written, so that each job can then be done on its own, in any order.

use scrollback_format::generation::Generation;

use super::random::Dice;
use super::scale::Scale;

/// The constant behind every corpus.
pub const SEED: u64 = 0x7363_726f_6c6c;

/// Generations in permille of the sessions; the module docs of `corpus` state the same.
pub const MIX: [(Generation, u64); 7] = [
    (Generation::V1_0, 60),
    (Generation::V2_0_29, 160),
    (Generation::V2_0_55, 220),
    (Generation::V2_1_9, 180),
    (Generation::V2_1_80, 120),
    (Generation::V2_1_200, 160),
    (Generation::V2_1_325, 100),
];

/// Relative sizes of sessions: half of them small, a long tail.
const WEIGHTS: [u64; 24] =
    [1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 52, 66, 85, 110, 150, 210, 320, 600];

/// A session stops after the turn that reaches its share, on average so many bytes too late.
const OVERSHOOT: u64 = 75_000;

/// 2026-11-15T18:00:00Z: nothing in a corpus is younger.
const END: i64 = 1_794_765_600_000;
const DAY: i64 = 86_400_000;

/// What a file of its own is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// A conversation.
    Conversation,
    /// No byte.
    Empty,
    /// Side notes only.
    Stub,
}

/// Damage at the end of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// The last line stops in the middle.
    TornTail,
    /// Two whole lines without a newline between them.
    GluedLines,
    /// A torn line, and a whole one right behind it.
    StubBeforeEntry,
    /// A line of NUL bytes.
    NulRun,
}

/// One session to write, with everything below it.
#[derive(Debug, Clone)]
pub struct Job {
    /// The job's number, which seeds its dice.
    pub index: u64,
    /// Its layout.
    pub generation: Generation,
    /// Its working directory.
    pub cwd: String,
    /// When it begins.
    pub start: i64,
    /// About how many bytes it and its agents shall have.
    pub bytes: u64,
    /// How many agents it starts.
    pub agents: u64,
    /// Conversation or less.
    pub nature: Nature,
    /// Damage to plant.
    pub damage: Option<Damage>,
    /// A copy to make: `Some(true)` for `/branch`, `Some(false)` for `--fork-session`.
    pub fork: Option<bool>,
    /// Bytes of one huge line.
    pub huge_line: u64,
    /// Keep backups of edited files.
    pub checkpoints: bool,
    /// Its first prompt is in the history.
    pub in_history: bool,
}

/// The end of the corpus' time.
pub const fn jobs_end() -> i64 {
    END
}

/// The dice of one job.
pub fn dice(index: u64) -> Dice {
    Dice::new(SEED, index + 1)
}

/// All jobs of a scale. Forks are files of the job whose session they copy.
pub fn jobs(scale: &Scale) -> Vec<Job> {
    let mut dice = Dice::new(SEED, 0);
    let count = scale.sessions - scale.forks;
    let projects = projects(scale);
    let mut jobs: Vec<Job> = (0..count).map(|index| job(index, &mut dice, &projects)).collect();
    spread_features(&mut jobs, scale, &mut dice);
    spread_agents(&mut jobs, scale, &mut dice);
    spread_bytes(&mut jobs, scale, &mut dice);
    jobs
}

fn job(index: u64, dice: &mut Dice, projects: &[String]) -> Job {
    let generation = generation(index);
    // Older clients wrote earlier: each generation has its stretch of the last 420 days, overlapping the next.
    let age =
        6 - i64::try_from(MIX.iter().position(|(mixed, _)| *mixed == generation).unwrap_or(0)).unwrap_or(0);
    let back = age * 60 * DAY + i64::try_from(dice.below(80 * 86_400_000)).unwrap_or(0);
    Job {
        index,
        generation,
        cwd: projects[dice.index(projects.len()).min(dice.index(projects.len()))].clone(),
        start: END - DAY - back,
        bytes: 0,
        agents: 0,
        nature: Nature::Conversation,
        damage: None,
        fork: None,
        huge_line: 0,
        checkpoints: false,
        in_history: false,
    }
}

/// The generation of a job: a fixed stride through the thousand gives every prefix about the stated mix.
fn generation(index: u64) -> Generation {
    let mut place = index * 617 % 1000;
    for (generation, permille) in MIX {
        if place < permille {
            return generation;
        }
        place -= permille;
    }
    Generation::NEWEST
}

/// Gives the first jobs their special roles, one after the other, so that the counts are exact.
fn spread_features(jobs: &mut [Job], scale: &Scale, dice: &mut Dice) {
    let mut next = jobs.iter_mut();
    for place in 0..scale.large {
        if let Some(job) = next.next() {
            job.bytes = dice.between(10_000_000, 30_000_000);
            job.huge_line = if place < scale.huge_lines { dice.between(5_000_000, 25_000_000) } else { 0 };
        }
    }
    for place in 0..scale.forks {
        if let Some(job) = next.next() {
            let marked = job.generation >= Generation::V2_1_80 && place % 4 != 0;
            job.fork = Some(marked);
        }
    }
    let damages = [Damage::TornTail, Damage::GluedLines, Damage::StubBeforeEntry, Damage::NulRun];
    for damage in damages.into_iter().flat_map(|damage| (0..scale.damaged).map(move |_| damage)) {
        if let Some(job) = next.next() {
            job.damage = Some(damage);
        }
    }
    let (mut checkpointed, mut empty, mut stubs) = (scale.checkpointed, scale.empty, scale.stubs);
    for job in next {
        // 1.x kept no backups.
        if checkpointed > 0 && job.generation != Generation::V1_0 {
            job.checkpoints = true;
            checkpointed -= 1;
        } else if empty > 0 {
            job.nature = Nature::Empty;
            empty -= 1;
        } else if stubs > 0 {
            job.nature = Nature::Stub;
            stubs -= 1;
        }
    }
    let conversations = jobs.iter_mut().filter(|job| job.nature == Nature::Conversation);
    let stride = usize::try_from(scale.sessions / scale.areas.history.max(1)).unwrap_or(1).clamp(1, 3);
    conversations
        .step_by(stride)
        .take(usize::try_from(scale.areas.history).unwrap_or(0))
        .for_each(|job| job.in_history = true);
}

/// Two warm-ups for each 2.0.x session, the rest of the agents over all conversations.
fn spread_agents(jobs: &mut [Job], scale: &Scale, dice: &mut Dice) {
    let mut left = scale.agents;
    for job in jobs.iter_mut().filter(|job| job.nature == Nature::Conversation) {
        if matches!(job.generation, Generation::V2_0_29 | Generation::V2_0_55) {
            job.agents = left.min(2);
            left -= job.agents;
        }
    }
    let mut hosts: Vec<&mut Job> = jobs
        .iter_mut()
        .filter(|job| job.nature == Nature::Conversation && job.generation != Generation::V1_0)
        .collect();
    while left > 0 && !hosts.is_empty() {
        let more = dice.between(1, 4).min(left);
        let place = dice.index(hosts.len());
        hosts[place].agents += more;
        left -= more;
    }
}

/// Shares the bytes out by weight; the large ones have theirs already.
fn spread_bytes(jobs: &mut [Job], scale: &Scale, dice: &mut Dice) {
    let taken: u64 = jobs.iter().map(|job| job.bytes + job.huge_line).sum();
    let small: Vec<usize> = (0..jobs.len())
        .filter(|place| jobs[*place].nature == Nature::Conversation && jobs[*place].bytes == 0)
        .collect();
    let weights: Vec<u64> = small.iter().map(|_| dice.pick(&WEIGHTS) * dice.between(80, 120)).collect();
    let sum: u64 = weights.iter().sum();
    let left = scale.bytes.saturating_sub(taken);
    let budget = u128::from(left.saturating_sub(small.len() as u64 * OVERSHOOT).max(left / 2));
    for (place, weight) in small.into_iter().zip(weights) {
        let share = budget * u128::from(weight) / u128::from(sum.max(1));
        jobs[place].bytes = u64::try_from(share).unwrap_or(0).max(1_000);
    }
}

/// Working directories: plain ones, and a few that strain the naming of folders.
fn projects(scale: &Scale) -> Vec<String> {
    let names = [
        "orbit",
        "lighthouse",
        "paper-mill",
        "tidepool",
        "ferry",
        "quartz",
        "beacon",
        "harvest",
        "atlas",
        "kiln",
    ];
    let mut projects: Vec<String> = (0..scale.projects)
        .map(|place| {
            let name = names[usize::try_from(place).unwrap_or(0) % names.len()];
            match place / 10 {
                0 => format!("/home/ada/{name}"),
                round => format!("/home/ada/work/team-{round}/{name}"),
            }
        })
        .collect();
    let odd = [
        "/home/ada/プロジェクト/天気".to_owned(),
        "/home/ada/my app (v2.0)".to_owned(),
        format!("/home/ada/{}", "deeply/nested/".repeat(16)),
    ];
    for (place, path) in odd.into_iter().enumerate() {
        if let Some(project) = projects.iter_mut().rev().nth(place) {
            *project = path.trim_end_matches('/').to_owned();
        }
    }
    projects
}

#[cfg(test)]
mod tests {
    use super::{MIX, Nature, jobs};
    use crate::corpus::scale::Scale;

    #[test]
    fn the_plan_keeps_to_its_scale() {
        assert_eq!(MIX.iter().map(|(_, permille)| permille).sum::<u64>(), 1000);
        for name in ["small", "medium", "seed"] {
            let Some(scale) = Scale::find(name) else { continue };
            let jobs = jobs(scale);
            assert_eq!(jobs.len() as u64 + scale.forks, scale.sessions, "{name}");
            assert_eq!(jobs.iter().map(|job| job.agents).sum::<u64>(), scale.agents, "{name}");
            assert_eq!(jobs.iter().filter(|job| job.nature == Nature::Empty).count() as u64, scale.empty);
            assert_eq!(jobs.iter().filter(|job| job.checkpoints).count() as u64, scale.checkpointed);
        }
    }
}
