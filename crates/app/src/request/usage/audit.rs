//! `usage audit`: from raw lines to money, with what each rule dropped.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use scrollback_usage::audit::{self, AuditOptions, AuditView, Raw};
use scrollback_usage::{Book, Rule};
use serde::{Deserialize, Serialize};

use super::UsageScope;
use crate::desk::Desk;
use crate::notice::{Notice, Work};
use crate::request::Request;

/// What to audit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AuditRequest {
    /// Only this session with its agents: an id, the start of one, a path, a title, or `last`.
    pub session: Option<String>,
    /// Only lines dropped by this rule.
    pub rule: Option<Rule>,
    /// Maximum number of dropped lines; none or 0 for all.
    pub limit: Option<usize>,
}

impl Request for AuditRequest {
    type Document = AuditView;

    fn answer(&self, desk: &Desk) -> Result<AuditView, AppError> {
        let context = desk.usage(&UsageScope::default())?;
        let session = desk.resolve_id(self.session.as_deref())?;
        let index = desk.index(&desk.library()?)?;
        let book = Book::of(&index, None)?;
        let mut pricer = context.pricer();
        let raw = Raw::of(&index, &book, session.as_deref())?;
        let progress = desk.progress(Work::Reading, raw.bytes());
        let raw = raw.read(&|bytes| progress.add(bytes));
        drop(progress);
        for path in raw.unread() {
            desk.notice(&Notice::Unreadable(path.to_owned()));
        }
        let limit = self.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX);
        let asked = AuditOptions { session: session.as_deref(), rule: self.rule, limit };
        Ok(audit::audit(&index, &book, &mut pricer, &raw, &asked))
    }
}
