//! Compaction: a boundary that is a new root, and the summary that hangs on it.
//!
//! Nothing above is deleted. From 2.1.200 on the boundary names a stretch of old lines that stays in the
//! conversation; those lines are not written again and keep their parents.

use scrollback_format::generation::Generation;

use crate::envelope::Head;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;

/// What to compact to.
#[derive(Debug, Clone)]
pub struct CompactionSpec<'a> {
    /// `/compact` by hand, else automatic.
    pub manual: bool,
    /// Tokens before.
    pub tokens_before: u64,
    /// Tokens after.
    pub tokens_after: u64,
    /// The summary.
    pub summary: &'a str,
    /// The lines that stay, oldest first (2.1.200 and later).
    pub kept: &'a [Id],
}

/// The lines that a compaction left.
#[derive(Debug, Clone)]
pub struct Compacted {
    /// The boundary.
    pub boundary: Id,
    /// The summary.
    pub summary: Id,
}

impl<S: IdSource> SessionAuthor<S> {
    /// Compacts the conversation; what follows hangs on the summary.
    pub fn compact(&mut self, compaction: &CompactionSpec<'_>) -> Compacted {
        let summary = self.fresh();
        let boundary = self.boundary(compaction, &summary);
        self.summary_line(compaction.summary, &summary);
        if compaction.manual {
            let command = "<command-name>/compact</command-name>\n            <command-message>compact</command-message>\n            <command-args></command-args>";
            self.caveat();
            self.plain(command);
            self.plain("<local-command-stdout>Compacted </local-command-stdout>");
        }
        Compacted { boundary, summary }
    }

    fn boundary(&mut self, compaction: &CompactionSpec<'_>, summary: &Id) -> Id {
        let head = Head { logical: Some(self.tail.clone()), ..Head::default() };
        let uuid = self.fresh();
        let at = self.now().to_string();
        let metadata = self.metadata(compaction, summary);
        let line = self
            .open(&head)
            .str("type", "system")
            .str("subtype", "compact_boundary")
            .str("content", "Conversation compacted");
        let line = if self.newest() && !compaction.manual {
            line.str("level", "info")
                .put("compactMetadata", &metadata)
                .str("uuid", uuid.as_str())
                .str("timestamp", &at)
        } else {
            line.bool("isMeta", false)
                .str("timestamp", &at)
                .str("uuid", uuid.as_str())
                .str("level", "info")
                .put("compactMetadata", &metadata)
        };
        self.close("system/compact_boundary", &head, line, &uuid);
        uuid
    }

    fn metadata(&self, compaction: &CompactionSpec<'_>, summary: &Id) -> Json {
        let trigger = if compaction.manual { "manual" } else { "auto" };
        let metadata = Object::new().str("trigger", trigger).num("preTokens", compaction.tokens_before);
        if !self.since(Generation::V2_1_200) {
            return metadata.done();
        }
        let dropped = compaction.tokens_before.saturating_sub(compaction.tokens_after);
        let tokens = |metadata: Object| {
            metadata.num("postTokens", compaction.tokens_after).num("cumulativeDroppedTokens", dropped)
        };
        let early = self.newest() && !compaction.manual;
        let metadata = metadata.when(early, tokens).num("durationMs", 8431);
        let metadata = match (compaction.kept.first(), compaction.kept.last()) {
            (Some(first), Some(last)) => preserved(metadata, compaction.kept, first, last, summary),
            _ => metadata,
        };
        let running = |metadata: Object| metadata.put("runningTurnPrompt", &Json::empty());
        metadata.when(!early, tokens).when(early, running).done()
    }

    fn summary_line(&mut self, text: &str, uuid: &Id) {
        let head = Head { prompt: true, ..self.head() };
        let at = self.now();
        let message = Object::new().str("role", "user").str("content", text).done();
        let line = self
            .open(&head)
            .str("type", "user")
            .put("message", &message)
            .bool("isVisibleInTranscriptOnly", true)
            .bool("isCompactSummary", true)
            .str("uuid", uuid.as_str())
            .str("timestamp", &at.to_string())
            .when(self.newest(), |line| line.put("turnPosition", &self.turn_position()));
        self.close("user", &head, line, uuid);
    }
}

fn preserved(metadata: Object, kept: &[Id], first: &Id, last: &Id, summary: &Id) -> Object {
    let segment = Object::new()
        .str("headUuid", first.as_str())
        .str("anchorUuid", summary.as_str())
        .str("tailUuid", last.as_str())
        .done();
    let uuids = Json::texts(kept.iter().map(Id::as_str));
    let messages =
        Object::new().str("anchorUuid", summary.as_str()).put("uuids", &uuids).put("allUuids", &uuids).done();
    metadata.put("preservedSegment", &segment).put("preservedMessages", &messages)
}
