//! Lists in the lines of sessions: what the last `TodoWrite` said, and what `TaskCreate` and `TaskUpdate` made of tasks.

use std::collections::BTreeMap;
use std::path::PathBuf;

use scrollback_format::content::{Block, Content};
use scrollback_format::entry::Entry;
use scrollback_format::json::{Tape, Text, Value};
use scrollback_format::time::Time;

use super::{Key, TodoGeneration, TodoItem, TodoState, item};
use scrollback_session::library::Library;
use scrollback_session::line_scan::{self, FoundLine, TranscriptRef};

/// What one file contributes.
#[derive(Default)]
struct Told {
    path: PathBuf,
    session: Option<String>,
    agent: Option<String>,
    line: u64,
    time: Option<Time>,
    items: Option<Vec<TodoItem>>,
    /// Calls that made a task, whose number is only known from the result.
    asked: BTreeMap<String, TodoItem>,
}

/// The lists recorded in the transcripts of a library's sessions and agents.
pub(super) fn read(library: &Library, generation: TodoGeneration) -> Vec<(Key, TodoState)> {
    let needles: &[&str] = match generation {
        TodoGeneration::Todos => &["\"TodoWrite\"", "\"todos\":["],
        TodoGeneration::Tasks => &["\"TaskCreate\"", "\"TaskUpdate\"", "\"toolUseResult\":{\"task\":"],
    };
    let transcripts = line_scan::transcripts(library);
    let told = line_scan::scan_lines(&transcripts, needles, |told: &mut Told, transcript, found| {
        take(told, transcript, found, generation);
    });
    // A session of the same id in two folders: the later line counts.
    let mut lists: BTreeMap<Key, TodoState> = BTreeMap::new();
    for told in told {
        let Some(items) = told.items else { continue };
        let key = Key { session: told.session, agent: told.agent, name: None };
        let state =
            TodoState { path: told.path, line: Some(told.line), time: told.time, modified: None, items };
        match lists.get(&key) {
            Some(known) if known.time > state.time => {}
            _ => {
                lists.insert(key, state);
            }
        }
    }
    lists.into_iter().collect()
}

fn take(told: &mut Told, transcript: &TranscriptRef<'_>, found: FoundLine<'_>, generation: TodoGeneration) {
    let mut tape = Tape::new();
    found.entry(&mut tape, |entry| {
        let changed = match generation {
            TodoGeneration::Todos => todos(told, entry),
            TodoGeneration::Tasks => tasks(told, entry),
        };
        if changed {
            told.line = found.line;
            told.time = entry.time().or(told.time);
            told.path = transcript.path.to_owned();
            told.agent = transcript.agent.map(str::to_owned);
            let own = || entry.envelope.session_id.map(|id| id.decode().into_owned());
            told.session = transcript.session.map(str::to_owned).or_else(own);
        }
    });
}

/// Calls on a line: id, tool and input.
fn calls<'a>(entry: &Entry<'a>) -> impl Iterator<Item = (Option<Text<'a>>, Text<'a>, Value<'a>)> {
    let content = entry.envelope.message.and_then(|message| message.get("content")).and_then(Content::of);
    content.into_iter().flat_map(Content::blocks).filter_map(|block| match block {
        Block::ToolUse(call) => Some((call.id(), call.name()?, call.input()?)),
        _ => None,
    })
}

fn todos(told: &mut Told, entry: &Entry<'_>) -> bool {
    let written = calls(entry)
        .filter(|(_, name, _)| name.is("TodoWrite"))
        .filter_map(|(_, _, input)| item::read_list(input.get("todos")?))
        .last();
    // Later clients of the old generation repeat the list on each line of the user's. An empty one says nothing new.
    let repeated = || entry.object.get("todos").and_then(item::read_list).filter(|list| !list.is_empty());
    let Some(items) = written.or_else(repeated) else { return false };
    told.items = Some(items);
    true
}

fn tasks(told: &mut Told, entry: &Entry<'_>) -> bool {
    let mut changed = false;
    for (id, name, input) in calls(entry) {
        if name.is("TaskCreate") {
            let id = id.map(|id| id.decode().into_owned()).unwrap_or_default();
            told.asked.insert(id, item::read(input));
        } else if name.is("TaskUpdate") {
            changed |= update(told, input);
        }
    }
    changed | created(told, entry)
}

/// A result that says which number a new task has.
fn created(told: &mut Told, entry: &Entry<'_>) -> bool {
    let task = entry.envelope.tool_use_result.and_then(|result| result.get("task"));
    let Some(number) = task.and_then(|task| task.get("id")).and_then(item::id_of) else { return false };
    let content = entry.envelope.message.and_then(|message| message.get("content")).and_then(Content::of);
    let call = content.into_iter().flat_map(Content::blocks).find_map(|block| match block {
        Block::ToolResult(result) => result.tool_use_id().map(|id| id.decode().into_owned()),
        _ => None,
    });
    let Some(mut made) = call.and_then(|call| told.asked.remove(&call)) else { return false };
    made.id = Some(number);
    told.items.get_or_insert_default().push(made);
    true
}

fn update(told: &mut Told, input: Value<'_>) -> bool {
    let Some(number) = input.get("taskId").and_then(item::id_of) else { return false };
    // A task of another list, or one that was not made: that makes no list.
    let Some(items) = told.items.as_mut() else { return false };
    let Some(at) = items.iter().position(|item| item.id.as_ref() == Some(&number)) else { return false };
    let text = |key: &str| input.get(key).and_then(Value::text).map(|text| text.decode().into_owned());
    let ids = |key: &str| -> Vec<String> {
        input.get(key).into_iter().flat_map(Value::items).filter_map(item::id_of).collect()
    };
    let (blocks, blocked_by) = (ids("addBlocks"), ids("addBlockedBy"));
    if text("status").as_deref() == Some("deleted") {
        items.remove(at);
        return true;
    }
    // Both ends of a link know it, as in the files.
    for item in items.iter_mut() {
        let Some(id) = item.id.clone() else { continue };
        link(&mut item.blocks, blocked_by.contains(&id), &number);
        link(&mut item.blocked_by, blocks.contains(&id), &number);
    }
    let item = &mut items[at];
    item.status = text("status").unwrap_or_else(|| item.status.clone());
    item.text = text("subject").unwrap_or_else(|| item.text.clone());
    item.description = text("description").or_else(|| item.description.take());
    item.active_form = text("activeForm").or_else(|| item.active_form.take());
    item.owner = text("owner").or_else(|| item.owner.take());
    blocks.iter().for_each(|id| link(&mut item.blocks, true, id));
    blocked_by.iter().for_each(|id| link(&mut item.blocked_by, true, id));
    true
}

fn link(list: &mut Vec<String>, wanted: bool, id: &str) {
    if wanted && !list.iter().any(|known| known == id) {
        list.push(id.to_owned());
    }
}
