//! One thing to be done, as files and calls write it.

use scrollback_format::json::{Text, Type, Value};

use super::TodoItem;

/// Parses an item. A value that is not an item is kept unchanged and marked `odd`.
pub(super) fn read(value: Value<'_>) -> TodoItem {
    let text =
        |key: &str| value.get(key).and_then(Value::text).map(Text::decode).map(|text| text.into_owned());
    // A todo has content, a task a subject.
    let Some(words) = text("content").or_else(|| text("subject")) else {
        let shown = String::from_utf8_lossy(value.raw()).chars().take(200).collect();
        return TodoItem { text: shown, status: "odd".to_owned(), ..TodoItem::default() };
    };
    let list = |key: &str| -> Vec<String> {
        let items = value.get(key).into_iter().flat_map(Value::items);
        items.filter_map(id_of).collect()
    };
    TodoItem {
        id: value.get("id").and_then(id_of),
        text: words,
        status: text("status").unwrap_or_else(|| "pending".to_owned()),
        active_form: text("activeForm"),
        description: text("description"),
        blocks: list("blocks"),
        blocked_by: list("blockedBy"),
        owner: text("owner"),
    }
}

/// The items of a list, and whether it is one.
pub(super) fn read_list(value: Value<'_>) -> Option<Vec<TodoItem>> {
    (value.kind() == Type::Array).then(|| value.items().map(read).collect())
}

/// A number or a text that names a task.
pub(super) fn id_of(value: Value<'_>) -> Option<String> {
    match value.text() {
        Some(text) => Some(text.decode().into_owned()),
        None => value.u64().map(|number| number.to_string()),
    }
}

/// Do two lists differ? Details that only one of them can have do not count.
pub(super) fn differ(file: &[TodoItem], session: &[TodoItem]) -> bool {
    let told = |items: &[TodoItem]| -> Vec<(String, String)> {
        items.iter().map(|item| (item.text.clone(), item.status.clone())).collect()
    };
    told(file) != told(session)
}
