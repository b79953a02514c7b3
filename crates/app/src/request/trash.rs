//! `trash`: what edits have removed, to restore or to delete for good.

use schemars::JsonSchema;
use scrollback_edit::UndoneView;
use scrollback_edit::trash::{self, EmptiedView, TrashedView};
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// What is in the trash, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrashRequest {}

impl Request for TrashRequest {
    type Document = Vec<TrashedView>;

    fn answer(&self, desk: &Desk) -> Result<Vec<TrashedView>, AppError> {
        desk.report_interrupted();
        let mut items = trash::trashed(desk.data()?)?;
        items.reverse();
        Ok(items)
    }
}

/// What to restore from the trash.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrashRestoreRequest {
    /// The edit that removed it.
    pub number: u64,
    /// Paths below the store, with what is in them; everything that the edit removed if none are given.
    pub paths: Vec<String>,
}

impl Request for TrashRestoreRequest {
    type Document = UndoneView;

    fn answer(&self, desk: &Desk) -> Result<UndoneView, AppError> {
        let mut recovered = Vec::new();
        let undone =
            desk.changing(|editor| trash::restore_noting(editor, self.number, &self.paths, &mut recovered));
        if undone.as_ref().map_or(true, |undone| undone.made().is_some()) {
            desk.report_recovered(&recovered);
        }
        undone
    }
}

/// What to delete for good.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrashEmptyRequest {
    /// The edit whose originals to delete; those of all edits if none is given. These edits can no longer be undone.
    pub number: Option<u64>,
}

impl Request for TrashEmptyRequest {
    type Document = Vec<EmptiedView>;

    fn answer(&self, desk: &Desk) -> Result<Vec<EmptiedView>, AppError> {
        desk.recover()?;
        trash::empty(self.number, desk.data()?)
    }
}
