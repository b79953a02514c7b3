//! `journal` and `undo`: the edits that were made, and undoing one.

use schemars::JsonSchema;
use scrollback_edit::{self as edit, RecordView, UndoneView};
use scrollback_session::error::{AppError, Hint};
use scrollback_store::JournalError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// How many edits are listed by default.
pub const LIMIT: usize = 50;

/// Which edits to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JournalRequest {
    /// The maximum number of edits, newest first; 50 if none is given, 0 for no limit.
    pub limit: Option<usize>,
}

impl Request for JournalRequest {
    type Document = Vec<RecordView>;

    fn answer(&self, desk: &Desk) -> Result<Vec<RecordView>, AppError> {
        let mut records = edit::list(desk.data()?)?;
        records.reverse();
        match self.limit.unwrap_or(LIMIT) {
            0 => {}
            limit => records.truncate(limit),
        }
        Ok(records)
    }
}

/// Which edit to undo.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UndoRequest {
    /// Its number in the journal. If none is given, an interrupted edit is rolled back; if there is none, the last edit that
    /// can be undone is.
    pub number: Option<u64>,
}

impl Request for UndoRequest {
    type Document = UndoneView;

    fn answer(&self, desk: &Desk) -> Result<UndoneView, AppError> {
        let mut recovered = Vec::new();
        let undone = desk.changing(|editor| editor.undo_noting(self.number, &mut recovered));
        // The document itself says so where nothing else was done.
        if undone.as_ref().map_or(true, |undone| undone.made().is_some()) {
            desk.report_recovered(&recovered);
        }
        undone.map_err(|error| if self.number.is_none() { older(desk, error) } else { error })
    }
}

/// The last edit cannot be undone, because what it left was modified since: one before it may be.
fn older(desk: &Desk, error: AppError) -> AppError {
    let AppError::Journal(reason) = &error else { return error };
    let JournalError::ModifiedSince { number, .. } = **reason else { return error };
    let found = desk.data().and_then(|data| edit::undoable_before(number, data)).ok().flatten();
    error.with_hint(match found {
        Some(RecordView { number, title, .. }) => Hint::command(
            &["undo", &number.to_string()],
            format!("undoes the last edit that can still be undone: {title}"),
        ),
        None => Hint::say("no edit before it can be undone either"),
    })
}
