//! Resolving what a user calls a session: an id, a unique prefix of one, a path, a title, or `last`.

use std::path::{Path, PathBuf};

use scrollback_format::folder;
use scrollback_index::catalogue::Brief;

use crate::error::AppError;
use crate::library::{Library, SessionFiles};

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

/// What names the sessions of a store, newest first. Asked only where an id is not enough.
pub type Names<'n> = dyn FnMut() -> Result<Vec<(Brief, PathBuf)>, AppError> + 'n;

/// The session that `wanted` names. `cwd` is where `last` is looked for first.
pub fn resolve<'l>(
    library: &'l Library,
    wanted: &str,
    cwd: Option<&Path>,
    names: &mut Names<'_>,
) -> Result<SessionFiles<'l>, AppError> {
    if wanted.trim().is_empty() {
        return Err(AppError::NoSuchSession { wanted: wanted.to_owned(), near: Vec::new() });
    }
    if wanted.eq_ignore_ascii_case("last") {
        return last(library, cwd, &names()?);
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
                .ok_or_else(|| none(&[], wanted));
        }
        let candidates =
            prefixed.iter().take(12).map(|files| (files.id.to_string(), String::new())).collect();
        return Err(AppError::Ambiguous { wanted: wanted.to_owned(), what: "sessions", candidates });
    }
    by_title(library, wanted, &names()?)
}

fn by_path<'l>(library: &'l Library, wanted: &str) -> Option<SessionFiles<'l>> {
    let path = std::fs::canonicalize(wanted).ok()?;
    library.sessions().find(|files| std::fs::canonicalize(&files.found.path).is_ok_and(|own| own == path))
}

fn by_title<'l>(
    library: &'l Library,
    wanted: &str,
    names: &[(Brief, PathBuf)],
) -> Result<SessionFiles<'l>, AppError> {
    let wanted_lower = wanted.to_lowercase();
    let titled = |test: &dyn Fn(&str) -> bool| -> Vec<&(Brief, PathBuf)> {
        let has = |brief: &Brief| brief.title.as_deref().is_some_and(|title| test(&title.to_lowercase()));
        names.iter().filter(|(brief, _)| has(brief)).collect()
    };
    let mut found = titled(&|title| title == wanted_lower);
    if found.is_empty() && wanted.chars().count() >= 3 {
        found = titled(&|title| title.contains(&wanted_lower));
    }
    // In the order of the files, so that an answer does not depend on what was said last.
    found.sort_by(|(_, a), (_, b)| a.cmp(b));
    match found.as_slice() {
        [] => Err(none(names, wanted)),
        [(_, path)] => {
            library.sessions().find(|files| files.found.path == *path).ok_or_else(|| none(names, wanted))
        }
        several => Err(AppError::Ambiguous {
            wanted: wanted.to_owned(),
            what: "sessions",
            candidates: several
                .iter()
                .take(12)
                .map(|(brief, _)| (brief.session_id.clone(), brief.title.clone().unwrap_or_default()))
                .collect(),
        }),
    }
}

/// The conversation with the latest line in the current directory's project, else in all.
fn last<'l>(
    library: &'l Library,
    cwd: Option<&Path>,
    names: &[(Brief, PathBuf)],
) -> Result<SessionFiles<'l>, AppError> {
    let here = cwd.and_then(Path::to_str).map(folder::names).unwrap_or_default();
    let spoken = |brief: &Brief| matches!(brief.kind.as_str(), "conversation" | "background");
    let in_folder = |brief: &Brief| here.contains(&brief.folder);
    let newest = names.iter().find(|(brief, _)| spoken(brief) && in_folder(brief));
    let newest = newest.or_else(|| names.iter().find(|(brief, _)| spoken(brief)));
    newest
        .and_then(|(_, path)| library.sessions().find(|files| files.found.path == *path))
        .ok_or_else(|| AppError::NoSuchSession { wanted: "last".into(), near: Vec::new() })
}

/// Nothing has this name; what is near it is worth a hint.
fn none(names: &[(Brief, PathBuf)], wanted: &str) -> AppError {
    let mut near: Vec<(f64, String)> = Vec::new();
    for (brief, _) in names {
        let by_id = strsim::jaro_winkler(wanted, &brief.session_id);
        let title = brief.title.as_deref().unwrap_or_default();
        let by_title = strsim::jaro_winkler(&wanted.to_lowercase(), &title.to_lowercase());
        if by_id > 0.85 && by_id >= by_title {
            near.push((by_id, brief.session_id.clone()));
        } else if by_title > 0.8 {
            near.push((by_title, format!("{} ({title})", brief.session_id)));
        }
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
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
