//! Everything about one session: its facts, files, commands, agents, lineage, and what of the store belongs to it.

use std::collections::BTreeMap;
use std::path::Path;

use scrollback_format::entry::{Dialect, Entry};
use scrollback_format::json::{Tape, Value};
use scrollback_format::time::Time;
use scrollback_format::tool::ToolInput;
use scrollback_model::transcript::Transcript;
use scrollback_store::small::Spans;
use serde::{Deserialize, Serialize};

use scrollback_inspect::crossref::{self, BelongingView, MissingView};
use scrollback_inspect::verify::{PlaceView, ProblemView};
use scrollback_session::agents::{AgentView, Agents};
use scrollback_session::catalogue::Index;
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles};
use scrollback_session::lineage::{self, LineageView};
use scrollback_session::loaded::Loaded;
use scrollback_session::view::{CountView, SessionView, counts};

/// A file that tools touched.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FileView {
    /// Its path.
    pub path: String,
    /// Reads.
    pub reads: u64,
    /// Writes and edits.
    pub writes: u64,
}

/// A pull request.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PrView {
    /// Its number.
    pub number: u64,
    /// Its address.
    pub url: String,
}

/// Everything about one session.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Info {
    /// What every command shows of it.
    #[serde(flatten)]
    pub session: SessionView,
    /// Its working directories by lines.
    pub cwds: Vec<CountView>,
    /// Entries by kind.
    pub entries_by_kind: BTreeMap<String, u64>,
    /// Files that tools touched, most written first.
    pub file_list: Vec<FileView>,
    /// Commands that Bash ran, most often first.
    pub commands: Vec<CountView>,
    /// Its agents.
    pub agent_list: Vec<AgentView>,
    /// What it came from, and what came from it.
    pub lineage: LineageView,
    /// Pull requests.
    pub pull_requests: Vec<PrView>,
    /// Names of its plans.
    pub slugs: Vec<String>,
    /// Entries replaced by a later one with the same id.
    pub replaced_entries: u64,
    /// Entries whose parent is missing.
    pub dangling_entries: u64,
    /// Problems by class.
    pub problem_list: Vec<ProblemView>,
    /// What in the store belongs to it.
    pub belongings: Vec<BelongingView>,
    /// What it names that is missing.
    pub missing: Vec<MissingView>,
    /// When the index, which knows the other sessions, was last updated; none if they were read for this.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub others_as_of: Option<Time>,
}

/// Gathers everything about a session. `temporary` is where clients leave output of tasks.
pub fn info(
    library: &Library,
    files: &SessionFiles<'_>,
    loaded: &Loaded,
    index: Option<&Index>,
    temporary: Option<&Path>,
) -> Result<Info, AppError> {
    let agents = Agents::of_with(library, files, loaded, index);
    of_agents(library, files, loaded, &agents, index, temporary)
}

/// The same for a session whose agents are loaded.
pub fn of_agents(
    library: &Library,
    files: &SessionFiles<'_>,
    loaded: &Loaded,
    agents: &Agents,
    index: Option<&Index>,
    temporary: Option<&Path>,
) -> Result<Info, AppError> {
    let map = crossref::crossref(library, files, loaded, agents, temporary)?;
    let facts = &loaded.facts;
    let mut touched: Vec<FileView> = facts
        .files
        .iter()
        .map(|(path, touch)| FileView { path: path.clone(), reads: touch.reads, writes: touch.writes })
        .collect();
    touched.sort_by(|a, b| (b.writes, b.reads, &a.path).cmp(&(a.writes, a.reads, &b.path)));
    let kinds = &loaded.transcript.kinds;
    Ok(Info {
        session: SessionView::of(library.place(files), facts, agents.views.len() as u64),
        cwds: counts(&facts.cwds),
        entries_by_kind: kinds.iter().map(|(kind, count)| (kind.name(), *count)).collect(),
        file_list: touched,
        commands: commands(files, &loaded.transcript)?,
        lineage: lineage::lineage(library, files, &loaded.transcript, index),
        agent_list: agents.views.clone(),
        pull_requests: facts
            .pr_links
            .iter()
            .map(|(number, url)| PrView { number: *number, url: url.clone() })
            .collect(),
        slugs: facts.slugs.clone(),
        replaced_entries: facts.replaced,
        dangling_entries: facts.dangling,
        problem_list: problems(files, &loaded.transcript),
        belongings: map.belongings,
        missing: map.missing,
        others_as_of: index.and_then(|index| index.as_of),
    })
}

fn problems(files: &SessionFiles<'_>, transcript: &Transcript) -> Vec<ProblemView> {
    let place = |problem: &scrollback_format::problem::Problem| PlaceView {
        path: files.found.path.clone(),
        line: problem.line,
        offset: problem.offset,
        detail: problem.detail.as_deref().map(str::to_owned),
    };
    let classes = transcript.problems.0.iter();
    classes
        .map(|(class, (count, places))| ProblemView {
            class: *class,
            meaning: class.meaning().to_owned(),
            count: *count,
            places: places.iter().map(place).collect(),
        })
        .collect()
}

/// The commands that Bash ran, read again from the lines that hold them.
fn commands(files: &SessionFiles<'_>, transcript: &Transcript) -> Result<Vec<CountView>, AppError> {
    let bash = transcript.symbols.find("Bash");
    let calls: Vec<_> = transcript.calls.iter().filter(|call| Some(call.tool) == bash).collect();
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut spans = Spans::open(&files.found.path)?;
    let mut tape = Tape::new();
    for call in calls {
        let row = transcript.row(call.row);
        let bytes = spans.read(row.offset, row.len as usize)?;
        if tape.scan(bytes).is_err() {
            continue;
        }
        let Some(root) = tape.root(bytes) else { continue };
        let content =
            Entry::of(root, Dialect::Session).envelope.message.and_then(|message| message.get("content"));
        let block = content.and_then(|content| content.items().nth(call.block as usize));
        let input = block.and_then(|block| block.get("input"));
        let command = input.and_then(|input: Value<'_>| ToolInput::of(b"Bash", input).command());
        if let Some(command) = command {
            *counts.entry(command.decode().into_owned()).or_default() += 1;
        }
    }
    let mut commands: Vec<CountView> =
        counts.into_iter().map(|(name, count)| CountView { name, count }).collect();
    commands.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    Ok(commands)
}
