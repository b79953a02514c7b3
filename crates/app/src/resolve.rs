//! Resolving what a user calls a session: an id, a unique prefix of one, a path, a title, or `last`.

use std::path::Path;

use scrollback_format::folder;

use crate::error::AppError;
use crate::library::{Library, SessionFiles};
use crate::view::SessionView;

/// A session, or an agent of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionArg {
    /// The session.
    pub session: String,
    /// The agent: `SESSION/AGENT`.
    pub agent: Option<String>,
}

impl SessionArg {
    /// Takes apart what was typed. A path is left whole.
    pub fn parse(text: &str) -> Self {
        let whole = || Self { session: text.to_owned(), agent: None };
        if text.ends_with(".jsonl") || text.starts_with(['/', '.', '~']) {
            return whole();
        }
        match text.split_once('/') {
            Some((session, agent))
                if !session.is_empty() && !agent.is_empty() && !agent.contains([' ', '/']) =>
            {
                let agent = agent.strip_prefix("agent-").unwrap_or(agent);
                Self { session: session.to_owned(), agent: Some(agent.to_owned()) }
            }
            _ => whole(),
        }
    }
}

/// The session that `wanted` names. `cwd` is where `last` is looked for first.
pub fn resolve<'l>(
    library: &'l Library,
    wanted: &str,
    cwd: Option<&Path>,
) -> Result<SessionFiles<'l>, AppError> {
    if wanted.trim().is_empty() {
        return Err(AppError::NoSuchSession { wanted: wanted.to_owned(), near: Vec::new() });
    }
    if wanted.eq_ignore_ascii_case("last") {
        return last(library, cwd);
    }
    if let Some(found) = by_path(library, wanted) {
        return Ok(found);
    }
    let mut exact = Vec::new();
    let mut prefixed = Vec::new();
    for files in library.sessions() {
        if files.id.as_str() == wanted {
            exact.push(files);
        } else if wanted.len() >= 2 && files.id.as_str().starts_with(wanted) {
            prefixed.push(files);
        }
    }
    // The same id in several roots or folders: the file that was written last is the one in use.
    if let Some(newest) = exact.into_iter().max_by_key(|files| files.found.mtime_ns()) {
        return Ok(newest);
    }
    let first = prefixed.first().map(|files| files.id.clone());
    if let Some(first) = first {
        if prefixed.iter().all(|files| *files.id == first) {
            return prefixed
                .into_iter()
                .max_by_key(|files| files.found.mtime_ns())
                .ok_or_else(|| none(library, wanted));
        }
        let candidates =
            prefixed.iter().take(12).map(|files| (files.id.to_string(), String::new())).collect();
        return Err(AppError::Ambiguous { wanted: wanted.to_owned(), what: "sessions", candidates });
    }
    by_title(library, wanted)
}

fn by_path<'l>(library: &'l Library, wanted: &str) -> Option<SessionFiles<'l>> {
    let path = std::fs::canonicalize(wanted).ok()?;
    library.sessions().find(|files| std::fs::canonicalize(&files.found.path).is_ok_and(|own| own == path))
}

fn by_title<'l>(library: &'l Library, wanted: &str) -> Result<SessionFiles<'l>, AppError> {
    let views = library.views(|_| true, &|_| {});
    let wanted_lower = wanted.to_lowercase();
    let titled = |test: &dyn Fn(&str) -> bool| -> Vec<&SessionView> {
        views
            .iter()
            .filter(|view| view.title.as_deref().is_some_and(|title| test(&title.to_lowercase())))
            .collect()
    };
    let mut found = titled(&|title| title == wanted_lower);
    if found.is_empty() && wanted.chars().count() >= 3 {
        found = titled(&|title| title.contains(&wanted_lower));
    }
    match found.as_slice() {
        [] => Err(none_among(&views, wanted)),
        [one] => library
            .sessions()
            .find(|files| files.found.path == one.path)
            .ok_or_else(|| none_among(&views, wanted)),
        several => Err(AppError::Ambiguous {
            wanted: wanted.to_owned(),
            what: "sessions",
            candidates: several
                .iter()
                .take(12)
                .map(|view| (view.session_id.clone(), view.title.clone().unwrap_or_default()))
                .collect(),
        }),
    }
}

/// The conversation with the latest line in the current directory's project, else in all.
fn last<'l>(library: &'l Library, cwd: Option<&Path>) -> Result<SessionFiles<'l>, AppError> {
    let here = cwd.and_then(Path::to_str).map(folder::names).unwrap_or_default();
    let in_folder = |files: &SessionFiles<'_>| here.contains(&library.folder(files.folder).1.name);
    for scope in [&in_folder as &dyn Fn(&SessionFiles<'_>) -> bool, &|_| true] {
        let views = library.views(scope, &|_| {});
        let newest = views.iter().filter(|view| view.is_conversation()).max_by_key(|view| view.last_time);
        if let Some(newest) = newest
            && let Some(files) = library.sessions().find(|files| files.found.path == newest.path)
        {
            return Ok(files);
        }
    }
    Err(AppError::NoSuchSession { wanted: "last".into(), near: Vec::new() })
}

fn none(library: &Library, wanted: &str) -> AppError {
    none_among(&library.views(|_| true, &|_| {}), wanted)
}

/// Nothing has this name; what is near it is worth a hint.
fn none_among(views: &[SessionView], wanted: &str) -> AppError {
    let mut near: Vec<(f64, String)> = Vec::new();
    for view in views {
        let by_id = strsim::jaro_winkler(wanted, &view.session_id);
        let title = view.title.as_deref().unwrap_or_default();
        let by_title = strsim::jaro_winkler(&wanted.to_lowercase(), &title.to_lowercase());
        if by_id > 0.85 && by_id >= by_title {
            near.push((by_id, view.session_id.clone()));
        } else if by_title > 0.8 {
            near.push((by_title, format!("{} ({title})", view.session_id)));
        }
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near = near.into_iter().take(3).map(|(_, name)| name).collect();
    AppError::NoSuchSession { wanted: wanted.to_owned(), near }
}

#[cfg(test)]
mod tests {
    use super::SessionArg;

    #[test]
    fn an_agent_is_named_after_a_slash() {
        let check = |text: &str, session: &str, agent: Option<&str>| {
            let expected = SessionArg { session: session.into(), agent: agent.map(Into::into) };
            assert_eq!(SessionArg::parse(text), expected, "{text}");
        };
        check("1a2b", "1a2b", None);
        check("1a2b/a77", "1a2b", Some("a77"));
        check("1a2b/agent-a77", "1a2b", Some("a77"));
        check("/tmp/x.jsonl", "/tmp/x.jsonl", None);
        check("./x", "./x", None);
        check("fix the a/b test", "fix the a/b test", None);
    }
}
