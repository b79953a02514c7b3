//! Filing: which area and whose a path is.

use super::{Area, Owner, ProjectFile, Reading};
use crate::id::{AgentId, SessionId, is_uuid};

/// What a path says of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed<'p> {
    /// The area.
    pub area: Area,
    /// Whose it is.
    pub owner: Owner,
    /// The project folder, of what is below `projects/` (or in the temporary directory).
    pub folder: Option<&'p str>,
    /// How it is read.
    pub reading: Reading,
    /// Is it a name that a client, or for its own files a user, is known to give there?
    pub known: bool,
    /// Is it never to be opened?
    pub secret: bool,
}

/// Is this file never to be opened, only counted: credentials, keys, and the locks of editors, which hold a token? Of a
/// lock its other fields are read, to tell which editors are at work; the token is left in it.
///
/// The path is relative to the root, parts separated by `/`.
pub fn is_secret(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == ".credentials.json"
        || name.ends_with(".key")
        || path == "daemon/auth"
        || path.starts_with("daemon/auth/")
        || path.strip_prefix("ide/").is_some_and(|lock| lock.ends_with(".lock"))
}

pub(super) fn of(path: &str) -> Filed<'_> {
    let (first, inside) = match path.split_once('/') {
        Some((first, inside)) => (first, Some(inside)),
        None => (path, None),
    };
    let mut filed = match (first, inside) {
        ("projects", Some(inside)) => project(inside),
        (file, None) if file.contains('.') => top_file(file),
        (folder, inside) => match top_folder(folder) {
            Some(area) => inside.map_or_else(|| whole(area), |inside| below(area, inside)),
            None => top_file(path),
        },
    };
    if is_secret(path) {
        filed.secret = true;
        filed.reading = Reading::Secret;
    }
    filed
}

fn plain(area: Area, owner: Owner, known: bool, name: &str) -> Filed<'_> {
    Filed { area, owner, folder: None, reading: Reading::of_name(name), known, secret: false }
}

/// The folder of an area itself.
fn whole(area: Area) -> Filed<'static> {
    Filed { area, owner: Owner::None, folder: None, reading: Reading::Binary, known: true, secret: false }
}

fn top_folder(name: &str) -> Option<Area> {
    Some(match name {
        "backups" => Area::Config,
        "local" => Area::Downloads,
        "rules" | "themes" | "hooks" => Area::Instructions,
        ".trash" | "feedback" | "logs" | "dev-mods" => Area::Leftovers,
        // Names of areas that are files.
        "history" | "settings" | "config" | "credentials" | "instructions" | "leftovers" | "last-cleanup"
        | "stats-cache" | "scratch" | "unknown" => return None,
        name => Area::named(name)?,
    })
}

fn top_file(name: &str) -> Filed<'_> {
    let area = match name {
        "history.jsonl" => Area::History,
        "settings.json" | "settings.local.json" => Area::Settings,
        ".credentials.json" => Area::Credentials,
        "CLAUDE.md" | "keybindings.json" => Area::Instructions,
        "stats-cache.json" => Area::StatsCache,
        ".last-cleanup" => Area::LastCleanup,
        "daemon.log" => Area::Daemon,
        _ if name == ".claude.json" || name.starts_with(".claude.json.") => Area::Config,
        _ if name.starts_with("feedback") => Area::Leftovers,
        ".trash" => return whole(Area::Leftovers),
        _ => Area::Unknown,
    };
    let mut filed = plain(area, Owner::None, area != Area::Unknown, name);
    if matches!(area, Area::Config) {
        filed.reading = Reading::Json;
    } else if area == Area::LastCleanup {
        filed.reading = Reading::Text;
    }
    filed
}

fn project(inside: &str) -> Filed<'_> {
    let Some((folder, path)) = inside.split_once('/') else {
        // A folder, or a file beside the folders: the name alone does not tell.
        let owner = Owner::Project(inside.into());
        return Filed { folder: Some(inside), ..plain(Area::Projects, owner, true, "") };
    };
    let file = ProjectFile::of(path);
    let mine = || Owner::Project(folder.into());
    let first = path.split('/').next().unwrap_or(path);
    let (area, owner, known) = match file {
        ProjectFile::Session(session) | ProjectFile::SetAside(session) => {
            (Area::Projects, Owner::Session(session), true)
        }
        ProjectFile::FlatAgent(agent) => (Area::Projects, Owner::Agent { session: None, agent }, true),
        ProjectFile::Agent { session, agent, .. } | ProjectFile::AgentMeta { session, agent } => {
            (Area::Projects, Owner::Agent { session: Some(session), agent }, true)
        }
        ProjectFile::Journal { session, .. }
        | ProjectFile::WorkflowRun { session, .. }
        | ProjectFile::WorkflowScript(session)
        | ProjectFile::ToolResult { session, .. }
        | ProjectFile::CustomTitle(session) => (Area::Projects, Owner::Session(session), true),
        ProjectFile::SessionsIndex => (Area::Projects, mine(), true),
        ProjectFile::Memory => (Area::Memory, mine(), true),
        ProjectFile::Odd if path == "memory" => (Area::Memory, mine(), true),
        ProjectFile::Odd if is_uuid(first) => {
            (Area::Projects, Owner::Session(SessionId::new(first)), is_session_folder(path))
        }
        ProjectFile::Odd => (Area::Projects, mine(), false),
    };
    let typed = area == Area::Projects && path.ends_with(".jsonl") && known;
    let reading = if typed { Reading::Typed } else { Reading::of_name(path) };
    Filed { area, owner, folder: Some(folder), reading, known, secret: false }
}

/// Is it a folder that a session has, and no file?
fn is_session_folder(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    matches!(
        parts.as_slice(),
        [] | ["subagents" | "tool-results" | "workflows"]
            | ["subagents", "workflows"]
            | ["workflows", "scripts"]
            | ["subagents", "workflows", _]
    )
}

fn below(area: Area, inside: &str) -> Filed<'_> {
    let (first, rest) = match inside.split_once('/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (inside, None),
    };
    let name = inside.rsplit('/').next().unwrap_or(inside);
    let (owner, known) = match area {
        Area::FileHistory | Area::SessionEnv | Area::Tasks | Area::ImageCache | Area::Uploads => {
            let known = is_uuid(first) && rest.is_none_or(|rest| is_own(area, rest));
            (session(first), known)
        }
        Area::Debug => match first.strip_suffix(".txt") {
            Some(stem) if rest.is_none() => (session(stem), is_uuid(stem)),
            _ => (Owner::None, inside == "latest"),
        },
        Area::Todos => todo(inside),
        Area::Plans => match inside.strip_suffix(".md") {
            // An agent's plan is named after that of its session.
            Some(slug) if rest.is_none() => (Owner::Slug(slug.into()), true),
            _ => (Owner::None, false),
        },
        Area::PasteCache => match inside.strip_suffix(".txt") {
            Some(hash) if is_hex(hash, 16) => (Owner::Prompt(hash.into()), true),
            _ => (Owner::None, false),
        },
        Area::Sessions => process(inside),
        Area::Ide => (Owner::None, inside.strip_suffix(".lock").is_some_and(is_number)),
        Area::Jobs if is_hex(first, 8) => (Owner::Short(first.into()), true),
        Area::Jobs => (Owner::None, inside == "pins.json"),
        Area::Daemon => match inside.strip_prefix("gateway-routed/") {
            Some(short) if is_hex(short, 8) => (Owner::Short(short.into()), true),
            _ => (
                Owner::None,
                matches!(first, "roster.json" | "control.key" | "auth" | "dispatch" | "gateway-routed"),
            ),
        },
        Area::UsageData => usage(inside),
        Area::ShellSnapshots => (Owner::None, name.starts_with("snapshot-") && name.ends_with(".sh")),
        Area::Config => (Owner::None, inside.starts_with(".claude.json.")),
        Area::Telemetry => (telemetry(name), true),
        _ => (Owner::None, true),
    };
    let mut filed = plain(area, owner, known, name);
    match area {
        Area::FileHistory => filed.reading = Reading::Binary,
        Area::Config => filed.reading = Reading::Json,
        Area::Jobs if name == "parent-transcript.jsonl" => filed.reading = Reading::Typed,
        Area::Tasks if first == ".lock" || rest == Some(".lock") => filed.reading = Reading::Text,
        _ => {}
    }
    filed
}

fn session(name: &str) -> Owner {
    if is_uuid(name) { Owner::Session(SessionId::new(name)) } else { Owner::None }
}

/// Is it a name that the client gives in a session's folder of this area?
fn is_own(area: Area, rest: &str) -> bool {
    match area {
        Area::FileHistory => rest.split_once("@v").is_some_and(|(hash, n)| is_hex(hash, 16) && is_number(n)),
        Area::Tasks => {
            matches!(rest, ".lock" | ".highwatermark") || rest.strip_suffix(".json").is_some_and(is_number)
        }
        _ => true,
    }
}

fn todo(inside: &str) -> (Owner, bool) {
    let named = inside.strip_suffix(".json").and_then(|stem| stem.split_once("-agent-"));
    let Some((owner, agent)) = named.filter(|(session, _)| is_uuid(session)) else {
        return (Owner::None, false);
    };
    let session = SessionId::new(owner);
    let owner = match agent {
        agent if agent == session.as_str() => Owner::Session(session),
        agent => Owner::Agent { session: Some(session), agent: AgentId::new(agent) },
    };
    (owner, true)
}

fn process(inside: &str) -> (Owner, bool) {
    let (pid, end) = inside.split_once('.').unwrap_or((inside, ""));
    match pid.parse() {
        Ok(pid) if end == "json" || end.ends_with("key") => (Owner::Process(pid), true),
        _ => (Owner::None, false),
    }
}

fn usage(inside: &str) -> (Owner, bool) {
    match inside.split_once('/') {
        None => (Owner::None, inside.starts_with("report") || matches!(inside, "session-meta" | "facets")),
        Some(("session-meta" | "facets", file)) => {
            let stem = file.strip_suffix(".json").unwrap_or(file);
            (session(stem), is_uuid(stem))
        }
        Some(_) => (Owner::None, false),
    }
}

/// Events that failed carry their session in the middle of their name.
fn telemetry(name: &str) -> Owner {
    name.split('.').find(|part| is_uuid(part)).map_or(Owner::None, session)
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
