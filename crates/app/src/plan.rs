//! Plans: the Markdown files of `plans/`, with the sessions that made them. A session is known by the slug on its lines and
//! by the calls that wrote or showed the plan.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use memchr::memmem::Finder;
use scrollback_format::content::{Block, Content};
use scrollback_format::json::{Tape, Text, Value};
use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

use scrollback_session::area;
use scrollback_session::catalogue::Index;
use scrollback_session::error::{AppError, Candidate, Noun};
use scrollback_session::library::Library;
use scrollback_session::line_scan::{self, FoundLine};
use scrollback_session::scope::Scope;
use scrollback_session::trouble::TroubleView;
use scrollback_session::view::SessionView;

/// The plans of a store.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlansView {
    /// The plans, last modified first.
    pub plans: Vec<PlanView>,
    /// Files that cannot be read.
    pub troubles: Vec<TroubleView>,
}

/// One plan.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlanView {
    /// Its name: that of its file, without the extension.
    pub name: String,
    /// Its first heading, else its first line.
    pub title: Option<String>,
    /// Its file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// When the file was modified.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub modified: Option<Time>,
    /// Its text, in Markdown.
    pub text: String,
    /// The sessions that it belongs to.
    pub sessions: Vec<PlanSession>,
}

/// A session that a plan belongs to.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlanSession {
    /// Its id.
    pub session_id: String,
    /// Its title.
    pub title: Option<String>,
    /// The directory it was started in.
    pub project: Option<String>,
    /// Do its lines carry the plan's name as their slug?
    pub by_slug: bool,
    /// The calls that wrote, changed or showed the plan.
    pub calls: Vec<PlanCall>,
}

/// A call about a plan.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlanCall {
    /// The tool: `Write`, `Edit`, `ExitPlanMode`.
    pub tool: String,
    /// The agent that called; none for the session itself.
    pub agent_id: Option<String>,
    /// Its line.
    pub line: u64,
    /// When.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
}

/// What one transcript says about plans.
#[derive(Default)]
struct Told {
    session: Option<String>,
    agent: Option<String>,
    slugs: BTreeSet<String>,
    /// By the file's name, or by the plan's text where no file is named.
    calls: Vec<(Named, PlanCall)>,
}

/// How a call names a plan.
enum Named {
    File(String),
    Text(String),
}

/// The plans that pass.
pub fn plans(library: &Library, index: &Index, scope: &Scope) -> Result<PlansView, AppError> {
    let mut troubles = Vec::new();
    let mut plans = Vec::new();
    for root in &library.roots {
        for path in area::files(&root.path().join("plans"), ".md", &mut troubles) {
            if let Some(text) = area::note(area::text(&path), &mut troubles) {
                plans.push(plan(&path, text));
            }
        }
    }
    let told = line_scan::scan_lines(
        &line_scan::transcripts(library),
        &["\"slug\":\"", "ExitPlanMode", "plans/"],
        take,
    );
    let sessions: BTreeMap<String, SessionView> =
        index.sessions()?.into_iter().map(|view| (view.session_id.clone(), view)).collect();
    for plan in &mut plans {
        link(plan, &told, &sessions);
    }
    plans.retain(|plan| {
        let here = scope.project.is_none()
            || plan.sessions.iter().any(|session| scope.has_project(session.project.as_deref()));
        here && scope.has_time(plan.modified)
    });
    plans.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.name.cmp(&b.name)));
    Ok(PlansView { plans, troubles })
}

/// The one plan of a name, else the one with that in its name or title.
pub fn find(plans: Vec<PlanView>, name: &str) -> Result<Vec<PlanView>, AppError> {
    let wanted = name.strip_suffix(".md").unwrap_or(name).to_lowercase();
    let (exact, rest): (Vec<_>, Vec<_>) =
        plans.into_iter().partition(|plan| plan.name.to_lowercase() == wanted);
    if !exact.is_empty() {
        return Ok(exact);
    }
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let (found, rest): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|plan| has(&plan.name) || plan.title.as_deref().is_some_and(has));
    match found.len() {
        0 => {
            let near = near(rest.iter().map(|plan| plan.name.as_str()), &wanted);
            Err(AppError::NotFound { what: Noun::Plan, wanted: name.to_owned(), near })
        }
        1 => Ok(found),
        _ => {
            let candidates = found.into_iter().map(|plan| Candidate { id: plan.name, title: plan.title });
            Err(AppError::Ambiguous {
                wanted: name.to_owned(),
                what: Noun::Plan,
                candidates: candidates.collect(),
            })
        }
    }
}

/// The names most similar to what was asked for, if any is similar at all.
pub(crate) fn near<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> Vec<String> {
    const LEAST: f64 = 0.7;
    let mut scored: Vec<(f64, &str)> =
        names.map(|name| (strsim::jaro_winkler(&name.to_lowercase(), wanted), name)).collect();
    scored.retain(|(score, _)| *score >= LEAST);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

fn plan(path: &Path, text: String) -> PlanView {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let title = lines().find_map(|line| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#')));
    let title = title.or_else(|| lines().next()).map(|title| title.trim().to_owned());
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let modified = area::modified(path);
    PlanView { name, title, path: path.to_owned(), modified, text, sessions: Vec::new() }
}

fn link(plan: &mut PlanView, told: &[Told], sessions: &BTreeMap<String, SessionView>) {
    let mut found: BTreeMap<String, PlanSession> = BTreeMap::new();
    // An agent's plan is named after its session's slug.
    let slug = plan.name.split("-agent-").next().unwrap_or_default();
    for told in told {
        let by_slug = told.slugs.contains(slug);
        let named = |named: &Named| match named {
            Named::File(file) => *file == plan.name,
            // Without a file's name the text has to be the same, and the slug its own.
            Named::Text(text) => by_slug && text.trim() == plan.text.trim(),
        };
        let calls: Vec<PlanCall> =
            told.calls.iter().filter(|(name, _)| named(name)).map(|(_, call)| call.clone()).collect();
        let Some(id) = told.session.as_ref().filter(|_| by_slug || !calls.is_empty()) else { continue };
        let view = sessions.get(id);
        let session = found.entry(id.clone()).or_insert_with(|| PlanSession {
            session_id: id.clone(),
            title: view.and_then(|view| view.title.clone()),
            project: view.and_then(|view| view.project.clone()),
            by_slug: false,
            calls: Vec::new(),
        });
        session.by_slug |= by_slug;
        session.calls.extend(calls);
    }
    plan.sessions = found.into_values().collect();
    for session in &mut plan.sessions {
        session.calls.sort_by_key(|call| call.time);
    }
    plan.sessions.sort_by_key(|session| session.calls.is_empty());
}

fn take(told: &mut Told, transcript: &line_scan::TranscriptRef<'_>, found: FoundLine<'_>) {
    if told.session.is_none() {
        told.session = transcript.session.map(str::to_owned);
        told.agent = transcript.agent.map(str::to_owned);
    }
    slugs(found.bytes, &mut told.slugs);
    let about = |needle: &str| Finder::new(needle).find(found.bytes).is_some();
    if !(about("ExitPlanMode") || about("plans/")) {
        return;
    }
    let mut tape = Tape::new();
    found.entry(&mut tape, |entry| {
        if told.session.is_none() {
            told.session = entry.envelope.session_id.map(|id| id.decode().into_owned());
        }
        let content = entry.envelope.message.and_then(|message| message.get("content")).and_then(Content::of);
        for block in content.into_iter().flat_map(Content::blocks) {
            let Block::ToolUse(call) = block else { continue };
            let (Some(tool), Some(input)) = (call.name(), call.input()) else { continue };
            if let Some(named) = named(tool, input) {
                let call = PlanCall {
                    tool: tool.decode().into_owned(),
                    agent_id: told.agent.clone(),
                    line: found.line,
                    time: entry.time(),
                };
                told.calls.push((named, call));
            }
        }
    });
}

/// The plan that a call is about.
fn named(tool: Text<'_>, input: Value<'_>) -> Option<Named> {
    let text = |key: &str| input.get(key).and_then(Value::text).map(|text| text.decode().into_owned());
    let file = |path: String| {
        let path = Path::new(&path);
        let in_plans = path.parent()?.file_name()? == "plans";
        in_plans.then(|| {
            Named::File(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default())
        })
    };
    if tool.is("ExitPlanMode") {
        return text("planFilePath").and_then(file).or_else(|| text("plan").map(Named::Text));
    }
    let writes = ["Write", "Edit", "MultiEdit"].iter().any(|name| tool.is(name));
    writes.then(|| text("file_path").and_then(file))?
}

/// The slugs on a line, without taking it apart: they are plain words.
fn slugs(bytes: &[u8], found: &mut BTreeSet<String>) {
    const KEY: &[u8] = b"\"slug\":\"";
    for at in Finder::new(KEY).find_iter(bytes) {
        let rest = &bytes[at + KEY.len()..];
        let Some(end) = memchr::memchr(b'"', rest).filter(|end| *end <= 200) else { continue };
        if let Ok(slug) = std::str::from_utf8(&rest[..end])
            && !found.contains(slug)
        {
            found.insert(slug.to_owned());
        }
    }
}
