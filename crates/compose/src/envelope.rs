//! The fields that every line of the tree shares, in the order of the generation.
//!
//! Up to 2.1.9 they come first, from 2.1.80 on most of them come last.

use scrollback_format::generation::Generation;

use crate::id::Id;
use crate::json::Object;
use crate::session::SessionAuthor;
use crate::source::IdSource;

/// What the envelope of one line needs to know.
#[derive(Debug, Clone, Default)]
pub(crate) struct Head {
    pub parent: Option<Id>,
    /// `logicalParentUuid`, on compaction boundaries only.
    pub logical: Option<Option<Id>>,
    /// The line carries the turn's `promptId` (user lines do).
    pub prompt: bool,
    /// The line carries `session_id` in the newest generation (lines that went over the API do).
    pub wire: bool,
}

impl<S: IdSource> SessionAuthor<S> {
    /// The head of a line that hangs on the chain's end.
    pub(crate) fn head(&self) -> Head {
        Head { parent: self.tail.clone(), ..Head::default() }
    }

    /// Opens a line of the tree.
    pub(crate) fn open(&self, head: &Head) -> Object {
        let settings = &self.settings;
        let mut line = Object::new().str_or_null("parentUuid", head.parent.as_ref().map(Id::as_str));
        if let Some(logical) = &head.logical {
            line = line.str_or_null("logicalParentUuid", logical.as_ref().map(Id::as_str));
        }
        line = line.bool("isSidechain", self.agent.is_some());
        if settings.generation.facts().envelope_last {
            let prompt = self.prompt_id.as_ref().filter(|_| head.prompt);
            return line.str_if("promptId", prompt.map(Id::as_str)).str_if("agentId", self.tagged());
        }
        let branch = settings.branch.as_deref().unwrap_or("");
        line.str("userType", "external")
            .str("cwd", &settings.cwd)
            .str("sessionId", self.id.as_str())
            .str("version", &settings.version)
            // 1.0.17, by which the generation is named, did not have the branch yet.
            .when(self.since(Generation::V2_0_29), |line| line.str("gitBranch", branch))
            .str_if("agentId", self.tagged())
            .str_if(
                "slug",
                self.slug.as_deref().filter(|_| self.since(Generation::V2_0_55) && self.agent.is_none()),
            )
    }

    /// Closes a line of the tree and moves the chain's end to it.
    pub(crate) fn close(&mut self, kind: &'static str, head: &Head, line: Object, uuid: &Id) {
        self.close_aside(kind, head, line);
        self.tail = Some(uuid.clone());
    }

    /// Closes a line of the tree that the chain passes by.
    pub(crate) fn close_aside(&mut self, kind: &'static str, head: &Head, line: Object) {
        let settings = &self.settings;
        let line = if settings.generation.facts().envelope_last {
            let wire = (self.newest() && head.wire && self.is_tui() && self.agent.is_none())
                .then(|| self.cleared_from.as_ref().unwrap_or(&self.id).as_str());
            line.str_if("session_id", wire)
                .str("userType", "external")
                .str("entrypoint", settings.entrypoint.name())
                .str("cwd", &settings.cwd)
                .str("sessionId", self.id.as_str())
                .str("version", &settings.version)
                .str("gitBranch", settings.branch.as_deref().unwrap_or("HEAD"))
                .str_if("slug", self.slug.as_deref().filter(|_| self.agent.is_none()))
                .when(self.background && self.newest(), |line| line.str("sessionKind", "bg"))
        } else {
            line
        };
        self.messages += 1;
        self.sheet.line(kind, line);
    }
}
