//! Replaying edits of notebooks of clients that did not record what came out: a cell replaced, put in or taken out, and
//! the whole written anew with one space a level, as the client writes notebooks.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// What a NotebookEdit asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CellEdit {
    /// The cell, by its id or as `cell-N`.
    pub cell: Option<String>,
    /// What it holds then.
    pub source: String,
    /// `code` or `markdown`.
    pub kind: Option<String>,
    /// `replace`, `insert` or `delete`.
    pub mode: String,
    /// The id that a new cell was given.
    pub new_cell: Option<String>,
}

/// The notebook after an edit; none if it is no notebook, or has no such cell.
pub fn edited(before: &[u8], edit: &CellEdit) -> Option<Vec<u8>> {
    let mut book: Value = serde_json::from_slice(before).ok()?;
    let minor = (book.get("nbformat")?.as_u64()?, book.get("nbformat_minor")?.as_u64()?);
    let cells = book.get_mut("cells")?.as_array_mut()?;
    let place = match &edit.cell {
        Some(cell) => Some(find(cells, cell)?),
        None => None,
    };
    match (edit.mode.as_str(), place) {
        ("replace", Some(at)) => {
            let cell = cells.get_mut(at)?.as_object_mut()?;
            cell.insert("source".into(), edit.source.clone().into());
            if cell.get("cell_type").is_some_and(|kind| kind == "code") {
                cell.insert("execution_count".into(), Value::Null);
                cell.insert("outputs".into(), json!([]));
            }
            if let Some(kind) = edit.kind.as_ref().filter(|kind| cell.get("cell_type") != Some(&json!(kind)))
            {
                cell.insert("cell_type".into(), kind.clone().into());
            }
        }
        ("insert", at) => {
            let at = at.map_or(0, |at| at + 1);
            cells.insert(at.min(cells.len()), new_cell(edit, minor)?);
        }
        ("delete", Some(at)) => {
            cells.remove(at);
        }
        _ => return None,
    }
    written(&book)
}

fn find(cells: &[Value], wanted: &str) -> Option<usize> {
    let by_id = cells.iter().position(|cell| cell.get("id").is_some_and(|id| id == wanted));
    let by_place = || wanted.strip_prefix("cell-")?.parse().ok().filter(|at| *at < cells.len());
    by_id.or_else(by_place)
}

fn new_cell(edit: &CellEdit, (major, minor): (u64, u64)) -> Option<Value> {
    let mut cell = Map::new();
    let kind = edit.kind.as_deref()?;
    cell.insert("cell_type".into(), kind.into());
    // Cells have ids from 4.5 on; the client draws them, so one that was not recorded is not known.
    if (major, minor) >= (4, 5) {
        cell.insert("id".into(), edit.new_cell.clone()?.into());
    }
    cell.insert("source".into(), edit.source.clone().into());
    cell.insert("metadata".into(), json!({}));
    if kind == "code" {
        cell.insert("execution_count".into(), Value::Null);
        cell.insert("outputs".into(), json!([]));
    }
    Some(cell.into())
}

fn written(book: &Value) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let format = serde_json::ser::PrettyFormatter::with_indent(b" ");
    book.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, format)).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{CellEdit, edited};

    const BEFORE: &str = r#"{"cells": [{"cell_type": "code", "id": "c1", "metadata": {}, "execution_count": null, "outputs": [], "source": ["print(1)"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"#;

    fn edit(cell: Option<&str>, mode: &str) -> CellEdit {
        CellEdit {
            cell: cell.map(Into::into),
            source: "print(2)".into(),
            kind: Some("code".into()),
            mode: mode.into(),
            new_cell: None,
        }
    }

    #[test]
    fn a_replaced_cell_is_what_a_client_recorded() {
        let recorded = "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"id\": \"c1\",\n   \"metadata\": {},\n   \"execution_count\": null,\n   \"outputs\": [],\n   \"source\": \"print(2)\"\n  }\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}";
        let found = edited(BEFORE.as_bytes(), &edit(Some("c1"), "replace")).unwrap();
        assert_eq!(String::from_utf8(found).unwrap(), recorded);
    }

    #[test]
    fn what_cannot_be_known_is_not_made_up() {
        assert_eq!(edited(BEFORE.as_bytes(), &edit(Some("c1"), "insert")), None);
        assert_eq!(edited(BEFORE.as_bytes(), &edit(Some("c9"), "replace")), None);
        assert_eq!(edited(b"no notebook", &edit(Some("c1"), "replace")), None);
        let gone = edited(BEFORE.as_bytes(), &edit(Some("cell-0"), "delete")).unwrap();
        assert!(String::from_utf8(gone).unwrap().contains("\"cells\": []"));
    }
}
