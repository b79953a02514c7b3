//! `claims`: statements about the format, checked against the store.

use schemars::JsonSchema;
use scrollback_inspect::claims::{self, Claims};
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::notice::Work;

/// Which claims to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ClaimsRequest {
    /// Only this claim, by its id.
    pub claim: Option<String>,
    /// Only claims that do not hold everywhere.
    pub broken: bool,
}

impl Request for ClaimsRequest {
    type Document = Claims;

    fn answer(&self, desk: &Desk) -> Result<Claims, AppError> {
        let wanted = self.claim.as_deref().map(claims::find).transpose()?;
        let library = desk.library()?;
        let files = library.folders.iter().flat_map(|(_, folder)| &folder.files);
        let bytes = files.filter_map(|found| found.look).map(|look| look.size).sum();
        let progress = desk.progress(Work::Reading, bytes);
        let mut found = claims::claims(&library, &|bytes| progress.add(bytes));
        drop(progress);
        found.claims.retain(|view| wanted.is_none_or(|wanted| view.claim == wanted.id));
        found.claims.retain(|view| !self.broken || !view.holds_everywhere());
        Ok(found)
    }
}
