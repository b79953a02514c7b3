//! `json-schema`: the documents that requests are answered with, and the JSON Schema of each.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::document::DocumentView;
use crate::documents;
use crate::request::Request;

/// Asks which documents there are. The schema of one is had from [`documents::find`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentsRequest {}

impl Request for DocumentsRequest {
    type Document = Vec<DocumentView>;

    fn answer(&self, _: &Desk) -> Result<Vec<DocumentView>, AppError> {
        let view = |kind: &crate::document::DocumentKind| DocumentView {
            name: kind.name.to_owned(),
            version: kind.version,
            is_list: kind.is_list,
            about: kind.about.to_owned(),
        };
        Ok(documents::ALL.iter().map(view).collect())
    }
}
