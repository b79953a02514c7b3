//! Side notes: lines without a uuid that stand beside the tree. The state-like ones are written again and
//! again, and the last one wins.
//!
//! A note that the generation does not know is not written; the methods then do nothing.

use scrollback_format::generation::Generation;

use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;
use crate::usage::Usage;

/// The leaf that the newest client writes when the user rewound to before the first prompt.
const NO_LEAF: &str = "00000000-0000-0000-0000-000000000000";

/// A session's move into a worktree.
#[derive(Debug, Clone)]
pub struct Worktree<'a> {
    /// Where the session was started.
    pub original_cwd: &'a str,
    /// The worktree.
    pub path: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its branch.
    pub branch: &'a str,
    /// The branch left behind.
    pub original_branch: &'a str,
    /// The commit left behind.
    pub head_commit: &'a str,
}

/// The lines by which a client of this generation gives a session a title.
///
/// Clients before 2.1.9 have no titles of the user's: their list shows the `summary` that names the session's leaf. They pass over
/// kinds that they do not know, so the line of later clients is written for these as well.
pub fn title_lines(generation: Generation, session: &str, title: &str, leaf: Option<&str>) -> Vec<u8> {
    let kind = |kind: &str| Object::new().str("type", kind);
    let mut lines = Vec::new();
    let mut line = |object: Object| {
        lines.extend_from_slice(object.done().as_bytes());
        lines.push(b'\n');
    };
    if let Some(leaf) = leaf.filter(|_| generation < Generation::V2_1_9) {
        line(kind("summary").str("summary", title).str("leafUuid", leaf));
    }
    line(kind("custom-title").str("customTitle", title).str("sessionId", session));
    if generation >= Generation::V2_1_80 {
        line(kind("agent-name").str("agentName", title).str("sessionId", session));
    }
    lines
}

/// The sidecar `custom-title.json` as a client writes it.
pub fn title_file(title: &str) -> Vec<u8> {
    Object::new().str("customTitle", title).done().as_bytes().to_vec()
}

impl<S: IdSource> SessionAuthor<S> {
    fn note(&mut self, kind: &'static str, body: impl FnOnce(Object) -> Object) {
        let line = body(Object::new().str("type", kind));
        let line = line.str("sessionId", self.id.as_str());
        self.sheet.line(kind, line);
    }

    fn note_since(&mut self, since: Generation, kind: &'static str, body: impl FnOnce(Object) -> Object) {
        if self.since(since) {
            self.note(kind, body);
        }
    }

    /// An automatic title (up to 2.1.9). It names the leaf it sums up, and no session.
    pub fn summary(&mut self, text: &str, leaf: &Id) {
        if !self.since(Generation::V2_1_80) {
            let line =
                Object::new().str("type", "summary").str("summary", text).str("leafUuid", leaf.as_str());
            self.sheet.line("summary", line);
        }
    }

    /// A title given by the user (2.1.9 and later).
    pub fn custom_title(&mut self, title: &str) {
        self.note_since(Generation::V2_1_9, "custom-title", |line| line.str("customTitle", title));
        self.note_since(Generation::V2_1_80, "agent-name", |line| line.str("agentName", title));
    }

    /// A title made by the model (2.1.200 and later).
    pub fn ai_title(&mut self, title: &str) {
        self.note_since(Generation::V2_1_200, "ai-title", |line| line.str("aiTitle", title));
    }

    /// The colour given with `/color` (2.1.80 and later).
    pub fn agent_color(&mut self, color: &str) {
        self.note_since(Generation::V2_1_80, "agent-color", |line| line.str("agentColor", color));
    }

    /// The last prompt (2.1.80 and later) and the leaf it led to (2.1.200 and later).
    pub fn note_last_prompt(&mut self, prompt: &str) {
        let leaf = self.tail.clone().filter(|_| self.since(Generation::V2_1_200));
        self.note_since(Generation::V2_1_80, "last-prompt", |line| {
            line.str("lastPrompt", prompt).str_if("leafUuid", leaf.as_ref().map(Id::as_str))
        });
    }

    /// The mark that the newest client leaves on a rewind: an explicit leaf, or none.
    pub fn note_rewind(&mut self) {
        let leaf = self.tail.clone();
        let leaf = leaf.as_ref().map_or(NO_LEAF, Id::as_str);
        self.note_since(Generation::V2_1_325, "last-prompt", |line| {
            line.str("leafUuid", leaf).bool("explicit", true)
        });
    }

    /// The states that newer clients repeat at the start of each turn.
    pub fn note_state(&mut self) {
        let mode = self.settings.permission_mode.clone();
        self.note_since(Generation::V2_1_200, "mode", |line| line.str("mode", "normal"));
        self.note_since(Generation::V2_1_200, "permission-mode", |line| line.str("permissionMode", &mode));
        self.note_since(Generation::V2_1_325, "atis-latch", |line| line.str("atis", ""));
    }

    /// The tools used so far, when a new one came up (2.1.325).
    pub(crate) fn note_tools(&mut self, blocks: &[crate::block::AnswerBlock<'_>]) {
        let before = self.tools.len();
        for block in blocks {
            if let crate::block::AnswerBlock::Call { name, .. } = block
                && !self.tools.iter().any(|tool| tool == name)
            {
                self.tools.push((*name).to_owned());
            }
        }
        if self.tools.len() > before && self.agent.is_none() {
            let tools = Json::texts(&self.tools);
            self.note_since(Generation::V2_1_325, "tools-used", |line| line.put("tools", &tools));
        }
    }

    /// What the session has cost so far (2.1.325). Money is text, since only the caller knows prices.
    pub fn cost_state(&mut self, dollars: &str, millis: u64, usage: Usage) {
        if !self.newest() {
            return;
        }
        let cost = Json::raw(dollars.as_bytes().to_vec());
        let started = u64::try_from(self.source.now().millis()).unwrap_or(0).saturating_sub(millis);
        let model = Object::new()
            .num("inputTokens", usage.input)
            .num("outputTokens", usage.output)
            .num("thinkingTokens", 0)
            .num("cacheReadInputTokens", usage.cache_read)
            .num("cacheCreationInputTokens", usage.cache_5m + usage.cache_1h)
            .num("cacheCreationEphemeral5mInputTokens", usage.cache_5m)
            .num("cacheCreationEphemeral1hInputTokens", usage.cache_1h)
            .num("webSearchRequests", 0)
            .put("costUSD", &cost)
            .done();
        let line = Object::new()
            .str("type", "cost-state")
            .str("sessionId", self.id.as_str())
            .put("totalCostUSD", &cost)
            .num("totalAPIDuration", millis * 2 / 3)
            .num("totalAPIDurationWithoutRetries", millis * 2 / 3)
            .num("totalToolDuration", millis / 5)
            .num("totalLinesAdded", 0)
            .num("totalLinesRemoved", 0)
            .num("totalDuration", millis)
            .num("startTime", started)
            .put("modelUsage", &Object::new().put(&self.settings.model, &model).done())
            .bool("hasUnknownModelCost", false);
        self.sheet.line("cost-state", line);
    }

    /// A pull request opened from here (2.1.80 and later).
    pub fn pr_link(&mut self, repository: &str, number: u64) {
        if !self.since(Generation::V2_1_80) {
            return;
        }
        let at = self.now();
        let url = format!("https://github.com/{repository}/pull/{number}");
        let line = Object::new()
            .str("type", "pr-link")
            .str("sessionId", self.id.as_str())
            .num("prNumber", number)
            .str("prUrl", &url)
            .str("prRepository", repository)
            .str("timestamp", &at.to_string());
        self.sheet.line("pr-link", line);
    }

    /// A prompt went into the queue (2.0.55 and later).
    pub fn enqueue(&mut self, content: Option<&str>) {
        let content = content.map(Json::text);
        self.enqueue_with(content.as_ref());
    }

    pub(crate) fn enqueue_with(&mut self, content: Option<&Json>) {
        self.queue("queue-operation/enqueue", "enqueue", content, None);
    }

    /// The next prompt left the queue for a turn of its own.
    pub fn dequeue(&mut self) {
        self.queue("queue-operation/dequeue", "dequeue", None, None);
    }

    /// A queued prompt was taken into the running turn.
    pub fn remove_queued(&mut self, content: &str) {
        let told = Json::text(content);
        let ids = self.newest().then(|| (self.fresh(), self.fresh()));
        let content = ids.is_some().then_some(&told);
        self.queue("queue-operation/remove", "remove", content, ids.as_ref());
    }

    fn queue(
        &mut self,
        kind: &'static str,
        operation: &str,
        content: Option<&Json>,
        taken: Option<&(Id, Id)>,
    ) {
        if !self.since(Generation::V2_0_55) {
            return;
        }
        let at = self.now();
        let mut line = Object::new()
            .str("type", "queue-operation")
            .str("operation", operation)
            .str("timestamp", &at.to_string())
            .str("sessionId", self.id.as_str())
            .put_if("content", content);
        if let Some((command, delivery)) = taken {
            line = line
                .str("reason", "absorbed_mid_turn")
                .str("commandUuid", command.as_str())
                .str("deliveryId", delivery.as_str());
        }
        self.sheet.line(kind, line);
    }

    /// The session moved into a worktree; its file moves with it (2.1.200 and later).
    pub fn enter_worktree(&mut self, worktree: &Worktree<'_>) {
        if !self.since(Generation::V2_1_200) {
            return;
        }
        let state = Object::new()
            .str("originalCwd", worktree.original_cwd)
            .str("preEnterOriginalCwd", worktree.original_cwd)
            .str("worktreePath", worktree.path)
            .str("worktreeName", worktree.name)
            .str("worktreeBranch", worktree.branch)
            .str("originalBranch", worktree.original_branch)
            .str("originalHeadCommit", worktree.head_commit)
            .str("sessionId", self.id.as_str())
            .when(self.newest(), |state| state.str("extensionRoot", worktree.original_cwd))
            .done();
        // The only note that names the session first; the one on the way back does not.
        let moved = Object::new().str("type", "relocated").str("sessionId", self.id.as_str());
        self.sheet.line("relocated", moved.str("relocatedCwd", worktree.path));
        self.note("worktree-state", |line| line.put("worktreeSession", &state));
        worktree.path.clone_into(&mut self.settings.cwd);
        self.settings.branch = Some(worktree.branch.to_owned());
    }

    /// The session left its worktree.
    pub fn exit_worktree(&mut self, cwd: &str, branch: &str) {
        self.note_since(Generation::V2_1_200, "worktree-state", |line| line.null("worktreeSession"));
        self.note_since(Generation::V2_1_200, "relocated", |line| line.str("relocatedCwd", cwd));
        cwd.clone_into(&mut self.settings.cwd);
        self.settings.branch = Some(branch.to_owned());
    }
}
