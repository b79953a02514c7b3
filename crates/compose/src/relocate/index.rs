//! `sessions-index.json`, which one generation keeps in each project folder: entries of sessions that move.

use std::ops::Range;

use scrollback_format::json::{Tape, Value, quoted, set_field};

use super::{Relocation, Splices, object};

/// What was taken out of an index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Taken {
    /// The index without the entries; none if it had none of them.
    pub rest: Option<Vec<u8>>,
    /// The entries, as they stood there.
    pub entries: Vec<Vec<u8>>,
}

/// Takes the entries of some sessions out, with the commas that went with them.
pub fn take_from_index(bytes: &[u8], moves: impl Fn(&str) -> bool) -> Taken {
    let mut tape = Tape::new();
    let mut taken = Taken::default();
    let Some(entries) = object(bytes, &mut tape).and_then(|root| root.get("entries")) else { return taken };
    let items: Vec<(bool, Range<usize>)> =
        entries.items().map(|entry| (session(entry).is_some_and(|id| moves(&id)), entry.span())).collect();
    let mut splices = Splices::default();
    let last_kept = items.iter().rposition(|(moves, _)| !moves);
    for (at, (moves, span)) in items.iter().enumerate() {
        if !moves {
            continue;
        }
        taken.entries.push(bytes[span.clone()].to_vec());
        let gap = match (last_kept, items.get(at + 1)) {
            // Nothing stays: the list becomes empty from its first entry to its last.
            (None, Some((_, next))) => span.start..next.start,
            (None, None) => span.clone(),
            // Before the last one that stays it goes with the comma after it, behind it with the one before.
            (Some(kept), Some((_, next))) if at < kept => span.start..next.start,
            (Some(_), _) => items[at - 1].1.end..span.end,
        };
        splices.put(gap, Vec::new());
    }
    taken.rest = splices.apply(bytes);
    taken
}

/// An index with more entries, after those that it has; none if it is no index.
pub fn join_index(bytes: &[u8], entries: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut tape = Tape::new();
    let list = object(bytes, &mut tape)?.get("entries")?;
    let last = list.items().last().map(Value::span);
    let mut put = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if at > 0 || last.is_some() {
            put.push(b',');
        }
        put.extend_from_slice(b"\n    ");
        put.extend_from_slice(entry);
    }
    let end = last.map_or(list.span().start + 1, |last| last.end);
    let mut splices = Splices::default();
    splices.put(end..end, put);
    splices.apply(bytes)
}

/// An entry (or a whole index) with its paths moved: `projectPath` by the relocation, `fullPath` by its folder.
pub fn moved_index(
    bytes: &[u8],
    relocation: &Relocation,
    folders: &dyn Fn(&str) -> Option<String>,
) -> Vec<u8> {
    let mut tape = Tape::new();
    let Some(root) = object(bytes, &mut tape) else { return bytes.to_vec() };
    let mut splices = Splices::default();
    let entries = root.get("entries");
    let listed = entries.into_iter().flat_map(Value::items);
    for entry in listed.chain(entries.is_none().then_some(root)) {
        relocation.field(entry, &["projectPath"], &mut splices);
        if let Some(full) = entry.get("fullPath")
            && let Some(text) = full.text()
            && let Some(id) = session(entry)
            && let Some(folder) = folders(&id)
        {
            let old = text.decode();
            let mut parts: Vec<&str> = old.split('/').collect();
            if let [.., place, _] = parts.as_mut_slice() {
                *place = &folder;
            }
            splices.put(full.span(), quoted(&parts.join("/")));
        }
    }
    splices.apply(bytes).unwrap_or_else(|| bytes.to_vec())
}

/// An index with another title for a session; none if it does not list the session.
pub fn entitled_index(bytes: &[u8], id: &str, title: &str) -> Option<Vec<u8>> {
    let mut tape = Tape::new();
    let entries = object(bytes, &mut tape)?.get("entries")?;
    let entry = entries.items().find(|entry| session(*entry).as_deref() == Some(id))?;
    let changed = set_field(&bytes[entry.span()], &["customTitle"], &quoted(title)).ok()?;
    let mut splices = Splices::default();
    splices.put(entry.span(), changed);
    splices.apply(bytes)
}

fn session(entry: Value<'_>) -> Option<String> {
    Some(entry.get("sessionId")?.text()?.decode().into_owned())
}

#[cfg(test)]
mod tests {
    use super::{entitled_index, join_index, moved_index, take_from_index};
    use crate::relocate::Relocation;

    fn index(ids: &[&str]) -> String {
        let entries: Vec<String> =
            ids.iter().map(|id| format!("\n    {{\n      \"sessionId\": \"{id}\"\n    }}")).collect();
        format!("{{\n  \"version\": 1,\n  \"entries\": [{}\n  ]\n}}", entries.join(","))
    }

    #[test]
    fn entries_are_taken_with_their_commas() {
        for (ids, moves, left) in [
            (vec!["a", "b", "c"], "b", vec!["a", "c"]),
            (vec!["a", "b", "c"], "a", vec!["b", "c"]),
            (vec!["a", "b", "c"], "c", vec!["a", "b"]),
            (vec!["a", "b", "c"], "ac", vec!["b"]),
            (vec!["a", "b", "c"], "bc", vec!["a"]),
            (vec!["a", "b", "c"], "ab", vec!["c"]),
        ] {
            let taken = take_from_index(index(&ids).as_bytes(), |id| moves.contains(id));
            assert_eq!(String::from_utf8(taken.rest.unwrap()).unwrap(), index(&left), "{moves}");
            assert_eq!(taken.entries.len(), moves.len());
        }
        let all = take_from_index(index(&["a", "b"]).as_bytes(), |_| true);
        let rest = all.rest.unwrap();
        assert!(
            serde_json::from_slice::<serde_json::Value>(&rest).unwrap()["entries"]
                .as_array()
                .unwrap()
                .is_empty()
        );
        assert_eq!(take_from_index(index(&["a"]).as_bytes(), |_| false).rest, None);
    }

    #[test]
    fn entries_are_joined_as_the_client_lists_them() {
        let taken = take_from_index(index(&["a", "b"]).as_bytes(), |id| id == "b");
        let joined = join_index(index(&["x"]).as_bytes(), &taken.entries).unwrap();
        assert_eq!(String::from_utf8(joined).unwrap(), index(&["x", "b"]));
        assert_eq!(join_index(b"[]", &taken.entries), None);
    }

    #[test]
    fn a_title_is_put_into_its_entry_alone() {
        let text = index(&["a", "b"]);
        let once = entitled_index(text.as_bytes(), "b", "one \"two\"").unwrap();
        let value: serde_json::Value = serde_json::from_slice(&once).unwrap();
        assert_eq!(value["entries"][1]["customTitle"], "one \"two\"");
        assert_eq!(value["entries"][0]["customTitle"], serde_json::Value::Null);
        let twice = entitled_index(&once, "b", "three").unwrap();
        let value: serde_json::Value = serde_json::from_slice(&twice).unwrap();
        assert_eq!(value["entries"][1]["customTitle"], "three");
        assert_eq!(entitled_index(text.as_bytes(), "c", "three"), None);
        assert_eq!(entitled_index(b"[]", "a", "three"), None);
    }

    #[test]
    fn paths_of_entries_move() {
        let text =
            r#"{"entries": [{"sessionId": "s", "fullPath": "/h/projects/-a/s.jsonl", "projectPath": "/a"}]}"#;
        let moved = moved_index(text.as_bytes(), &Relocation::new("/a", "/b"), &|_| Some("-b".into()));
        assert_eq!(String::from_utf8(moved).unwrap(), text.replace("-a/", "-b/").replace("\"/a\"", "\"/b\""));
    }
}
