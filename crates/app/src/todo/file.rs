//! Lists in files: `todos/<session>-agent-<agent>.json`, `tasks/<session>/<n>.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scrollback_format::area::{Area, Owner};
use scrollback_format::json::Tape;
use scrollback_store::Root;

use super::{Key, TodoGeneration, TodoItem, TodoState, item};
use scrollback_session::area;
use scrollback_session::trouble::TroubleView;

/// The lists in a root's files.
pub(super) fn read(
    root: &Root,
    generation: TodoGeneration,
    troubles: &mut Vec<TroubleView>,
) -> Vec<(Key, TodoState)> {
    let area = match generation {
        TodoGeneration::Todos => Area::Todos,
        TodoGeneration::Tasks => Area::Tasks,
    };
    let folder = root.path().join(area.name());
    let files = area::files(&folder, ".json", troubles);
    let mut tape = Tape::new();
    match generation {
        TodoGeneration::Todos => {
            files.into_iter().filter_map(|path| todo(root, path, &mut tape, troubles)).collect()
        }
        TodoGeneration::Tasks => tasks(root, files, &mut tape, troubles),
    }
}

fn todo(
    root: &Root,
    path: PathBuf,
    tape: &mut Tape,
    troubles: &mut Vec<TroubleView>,
) -> Option<(Key, TodoState)> {
    let key = key(root, &path);
    let bytes = area::note(area::bytes(&path), troubles)?;
    let items = scanned(&path, &bytes, tape, troubles, item::read_list)?;
    let Some(items) = items else {
        troubles.push(area::trouble(&path, "not a todo list"));
        return None;
    };
    odd(&path, &items, troubles);
    Some((key, state(path, items)))
}

fn tasks(
    root: &Root,
    files: Vec<PathBuf>,
    tape: &mut Tape,
    troubles: &mut Vec<TroubleView>,
) -> Vec<(Key, TodoState)> {
    let mut lists: BTreeMap<PathBuf, Vec<TodoItem>> = BTreeMap::new();
    for path in files {
        let Some(folder) = path.parent().map(Path::to_owned) else { continue };
        let list = lists.entry(folder).or_default();
        let Some(bytes) = area::note(area::bytes(&path), troubles) else { continue };
        let Some(mut task) = scanned(&path, &bytes, tape, troubles, item::read) else { continue };
        odd(&path, std::slice::from_ref(&task), troubles);
        // The name of the file is the number, whatever stands in it.
        task.id = task.id.or_else(|| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        list.push(task);
    }
    let number = |item: &TodoItem| item.id.as_ref().and_then(|id| id.parse::<u64>().ok());
    lists
        .into_iter()
        .map(|(folder, mut items)| {
            items.sort_by_key(|item| (number(item).unwrap_or(u64::MAX), item.id.clone()));
            (key(root, &folder), state(folder, items))
        })
        .collect()
}

fn scanned<R>(
    path: &Path,
    bytes: &[u8],
    tape: &mut Tape,
    troubles: &mut Vec<TroubleView>,
    with: impl FnOnce(scrollback_format::json::Value<'_>) -> R,
) -> Option<R> {
    let whole = tape.scan(bytes).is_ok_and(|end| bytes[end..].iter().all(u8::is_ascii_whitespace));
    let root = if whole { tape.root(bytes) } else { None };
    if root.is_none() {
        troubles.push(area::trouble(path, "not valid JSON"));
    }
    root.map(with)
}

fn odd(path: &Path, items: &[TodoItem], troubles: &mut Vec<TroubleView>) {
    let count = items.iter().filter(|item| item.status == "odd").count();
    if count > 0 {
        troubles.push(area::trouble(path, format!("{count} items without text")));
    }
}

/// When a folder was written to is when any of its files was.
fn state(path: PathBuf, items: Vec<TodoItem>) -> TodoState {
    let modified = if path.is_dir() {
        let files = scrollback_store::walk::files_below(&path).0;
        files.iter().filter_map(|file| area::modified(file)).max()
    } else {
        area::modified(&path)
    };
    TodoState { path, line: None, time: None, modified, items }
}

/// Whose the list at a path is.
fn key(root: &Root, path: &Path) -> Key {
    let relative = path.strip_prefix(root.path()).unwrap_or(path).to_string_lossy().into_owned();
    match Area::of(&relative).owner {
        Owner::Session(session) => Key { session: Some(session.to_string()), ..Key::default() },
        Owner::Agent { session, agent } => {
            let session = session.map(|session| session.to_string());
            Key { session, agent: Some(agent.to_string()), name: None }
        }
        _ => {
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
            Key { name, ..Key::default() }
        }
    }
}
