//! The fold: one pass over the pieces of a file, entry by entry, into a [`Transcript`].
//!
//! It can stop anywhere and go on later with what was appended: folding a file in two parts gives the same as
//! folding it whole.

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::body::message::{Assistant, AssistantMessage, Usage};
use scrollback_format::content::{Block, Content, ToolUseBlock};
use scrollback_format::entry::{Body, Entry};
use scrollback_format::envelope::Link;
use scrollback_format::id::EntryId;
use scrollback_format::json::{Text, Value};
use scrollback_format::kind::{AttachmentKind, ProgressKind, QueueKind};
use scrollback_format::piece::Piece;
use scrollback_format::problem::Problem;
use scrollback_format::shape::Shaped;
use scrollback_format::time::Time;
use scrollback_format::tool::{AgentInput, AgentResult, ToolInput, ToolUseResult, WorkflowResult};

use crate::charge::{self, Charge, ChargeMarks, ChargeTerms, Grade};
use crate::role::{self, Role};
use crate::row::{MessageRef, Row, RowIndex};
use crate::symbol::{SeenTexts, Symbol, Symbols};
use crate::tokens::Tokens;
use crate::transcript::{
    Compaction, FileKind, ForkMark, LeafPointer, Mention, Message, QueueEvent, StopReason, Summary, ToolCall,
    ToolResult, Transcript,
};

/// How much of a prompt or title is kept.
const HEAD: usize = 400;

/// Folds pieces into a transcript.
#[derive(Debug, Default)]
pub struct Fold {
    transcript: Transcript,
    message_at: FxHashMap<Symbol, u32>,
    call_at: FxHashMap<Symbol, u32>,
    charge_at: FxHashMap<(Symbol, u32), u32>,
    tracked: FxHashSet<Symbol>,
    pr_links: FxHashSet<(u64, Symbol)>,
    calls_made: u64,
}

impl Fold {
    /// A fold over a file of this kind.
    pub fn new(file_kind: FileKind) -> Self {
        Self { transcript: Transcript { file_kind, ..Transcript::default() }, ..Self::default() }
    }

    /// Goes on with what an earlier fold left: the same as if it had never stopped.
    pub fn resume(transcript: Transcript) -> Self {
        let message_at = transcript.messages.iter().zip(0..).map(|(message, at)| (message.id, at)).collect();
        let call_at = transcript.calls.iter().zip(0..).map(|(call, at)| (call.id, at)).collect();
        let tracked = transcript.tracked.iter().copied().collect();
        let pr_links = transcript.pr_links.iter().copied().collect();
        let charges = transcript.charges.iter().zip(0..);
        let charge_at = charges.map(|(charge, at)| ((charge.id, charge.terms.request), at)).collect();
        Self { transcript, message_at, call_at, charge_at, tracked, pr_links, calls_made: 0 }
    }

    /// Takes the next piece.
    pub fn piece(&mut self, piece: &Piece<'_>) {
        for problem in piece.problems {
            self.transcript.problems.note(problem);
        }
        if let Some(entry) = piece.entry() {
            self.entry(entry, piece.line, piece.offset, piece.bytes.len());
        }
    }

    /// Notes a problem that is not in a piece, such as a line above the limit.
    pub fn problem(&mut self, problem: &Problem) {
        self.transcript.problems.note(problem);
    }

    /// The transcript of what was taken so far.
    pub fn so_far(&self) -> &Transcript {
        &self.transcript
    }

    /// The transcript of what was taken; `lines` and `bytes` are the file's.
    pub fn finish(mut self, lines: u64, bytes: u64) -> Transcript {
        self.transcript.lines = lines;
        self.transcript.bytes = bytes;
        self.transcript
    }

    fn entry(&mut self, entry: &Entry<'_>, line: u64, offset: u64, len: usize) {
        let role = role::of(entry);
        let mut row = Row::new(entry.kind, role, line, offset, len);
        row.id = entry.id();
        row.parent = entry.envelope.parent_uuid.to().and_then(EntryId::of);
        row.mark(entry.envelope.is_sidechain, entry.envelope.parent_uuid == Link::Null);
        let time = entry.time();
        row.set_time(time);
        self.span(time);
        *self.transcript.kinds.entry(entry.kind).or_default() += 1;
        self.common(entry);
        let index = self.transcript.rows.len() as RowIndex;
        let calls_before = self.calls_made;
        row.message = self.body(entry, role, index);
        if self.calls_made > calls_before {
            row.mark_call();
        }
        self.transcript.rows.push(row);
    }

    fn span(&mut self, time: Option<Time>) {
        let Some(time) = time else { return };
        self.transcript.span = Some(match self.transcript.span {
            Some((first, last)) => (first.min(time), last.max(time)),
            None => (time, time),
        });
    }

    fn common(&mut self, entry: &Entry<'_>) {
        let envelope = &entry.envelope;
        let t = &mut self.transcript;
        note(&mut t.cwds, &mut t.symbols, envelope.cwd);
        note(&mut t.branches, &mut t.symbols, envelope.git_branch);
        note(&mut t.versions, &mut t.symbols, envelope.version);
        note(&mut t.entrypoints, &mut t.symbols, envelope.entrypoint);
        note(&mut t.session_ids, &mut t.symbols, envelope.session_id);
        note(&mut t.agent_ids, &mut t.symbols, envelope.agent_id);
        note(&mut t.slugs, &mut t.symbols, envelope.slug);
        note(&mut t.session_kinds, &mut t.symbols, envelope.session_kind);
        if let Some(previous) = envelope.previous_session_id
            && envelope.session_id.is_some_and(|own| own != previous)
        {
            t.previous_session = Some(intern(&mut t.symbols, previous));
        }
        if let Some(forked) = envelope.forked_from {
            self.fork(forked);
        }
    }

    fn fork(&mut self, forked: Value<'_>) {
        let Some(session) = forked.get("sessionId").and_then(Value::text) else { return };
        let last = forked.get("messageUuid").and_then(Value::text).and_then(EntryId::of);
        let session = intern(&mut self.transcript.symbols, session);
        let lines = self.transcript.fork_mark.map_or(0, |mark| mark.lines) + 1;
        self.transcript.fork_mark = Some(ForkMark { session, last, lines });
    }

    fn body(&mut self, entry: &Entry<'_>, role: Role, index: RowIndex) -> Option<MessageRef> {
        match entry.body() {
            Body::Assistant(assistant) => return self.assistant(entry, assistant, index),
            Body::User(_) => self.user(entry, role, index),
            Body::Progress(ProgressKind::Agent, progress) => {
                self.agent_progress(progress.value(), index);
                self.progress_charge(entry, index);
            }
            Body::Attachment(AttachmentKind::QueuedCommand, _) if role == Role::Notification => {
                let prompt = entry.envelope.attachment.and_then(|attachment| attachment.get("prompt"));
                self.notification(prompt.and_then(Content::of), index);
            }
            Body::Attachment(
                AttachmentKind::File | AttachmentKind::AlreadyReadFile | AttachmentKind::EditedTextFile,
                _,
            ) => {
                let attachment = entry.envelope.attachment;
                self.tracks(attachment.and_then(|file| file.get("filename")).and_then(Value::text));
            }
            Body::FileHistoryDelta(delta) => self.tracks(delta.tracking_path()),
            Body::FileHistorySnapshot(snapshot) => {
                let backups = snapshot.snapshot().and_then(|snapshot| snapshot.tracked_file_backups());
                backups.into_iter().flat_map(Value::fields).for_each(|(path, _)| self.tracks(Some(path)));
            }
            _ => self.note(entry, index),
        }
        None
    }

    /// Notes a file that a checkpoint or an attachment names.
    fn tracks(&mut self, path: Option<Text<'_>>) {
        let Some(path) = path else { return };
        let path = intern(&mut self.transcript.symbols, path);
        if self.tracked.insert(path) {
            self.transcript.tracked.push(path);
        }
    }

    fn note(&mut self, entry: &Entry<'_>, index: RowIndex) {
        let t = &mut self.transcript;
        match entry.body() {
            Body::Summary(note) => {
                let leaf = note.leaf_uuid().and_then(EntryId::of);
                if let Some(text) = note.summary() {
                    t.summaries.push(Summary { text: text.head(HEAD).into(), leaf });
                }
            }
            Body::CustomTitle(note) => {
                t.custom_title = note.custom_title().map(|text| text.head(HEAD).into());
            }
            Body::AiTitle(note) => t.ai_title = note.ai_title().map(|text| text.head(HEAD).into()),
            Body::LastPrompt(note) => {
                // Before 2.1.200 the line names no leaf, and does not take one back.
                if let Some(leaf) = note.leaf_uuid() {
                    let explicit = note.explicit() == Some(true);
                    t.leaf_pointer = Some(LeafPointer { row: index, leaf: EntryId::of(leaf), explicit });
                }
            }
            Body::CompactBoundary(boundary) => {
                let meta = boundary.compact_metadata();
                t.compactions.push(Compaction {
                    row: index,
                    logical_parent: entry.envelope.logical_parent_uuid.to().and_then(EntryId::of),
                    trigger: meta.and_then(|meta| meta.trigger()).map(|text| intern(&mut t.symbols, text)),
                    pre_tokens: meta.and_then(|meta| meta.pre_tokens()),
                    post_tokens: meta.and_then(|meta| meta.post_tokens()),
                });
            }
            Body::Queue(kind, queue) => {
                let absorbed = kind == QueueKind::Remove;
                t.queue.push(QueueEvent { row: index, enqueue: kind == QueueKind::Enqueue, absorbed });
                self.notification(queue.content(), index);
            }
            Body::PrLink(link) => {
                if let (Some(number), Some(url)) = (link.pr_number(), link.pr_url()) {
                    let link = (number, intern(&mut t.symbols, url));
                    if self.pr_links.insert(link) {
                        t.pr_links.push(link);
                    }
                }
            }
            Body::Relocated(note) => {
                t.relocated = note.relocated_cwd().map(|text| intern(&mut t.symbols, text));
            }
            Body::WorktreeState(note) => {
                let session = note.worktree_session();
                let path = session.and_then(|session| session.worktree_path());
                t.worktree = path.map(|text| intern(&mut t.symbols, text));
                if let Some(origin) = session.and_then(|session| session.original_cwd()) {
                    t.worktree_origin = Some(intern(&mut t.symbols, origin));
                }
            }
            Body::ForkContextRef(note) => {
                if let Some(session) = note.parent_session_id() {
                    let last = note.parent_last_uuid().and_then(EntryId::of);
                    t.fork_context = Some((intern(&mut t.symbols, session), last));
                }
            }
            _ => {}
        }
    }

    fn assistant(
        &mut self,
        entry: &Entry<'_>,
        assistant: Assistant<'_>,
        index: RowIndex,
    ) -> Option<MessageRef> {
        let message = assistant.message()?;
        let terms = self.terms(entry, message.usage(), entry.envelope.request_id);
        let reference = self.message(message, index, terms);
        if reference.is_none() && message.usage().is_some() {
            // Without an id of the message, the line's own stands for it.
            let id = entry.envelope.uuid;
            let terms = ChargeTerms { marks: terms.marks.with(ChargeMarks::BY_UUID), ..terms };
            self.charge(id, message, index, terms);
        }
        for (block, item) in message.content().into_iter().flat_map(Content::blocks).enumerate() {
            if let Block::ToolUse(call) = item {
                self.call(call, index, block as u32);
            }
        }
        reference
    }

    fn terms(
        &mut self,
        entry: &Entry<'_>,
        usage: Option<Usage<'_>>,
        request: Option<Text<'_>>,
    ) -> ChargeTerms {
        let envelope = &entry.envelope;
        let t = &mut self.transcript;
        let mut marks = ChargeMarks::default();
        for (holds, mark) in [
            (envelope.forked_from.is_some(), ChargeMarks::FORKED),
            (envelope.is_sidechain || t.file_kind == FileKind::Agent, ChargeMarks::SIDECHAIN),
            (envelope.is_api_error_message, ChargeMarks::ERROR),
        ] {
            marks = if holds { marks.with(mark) } else { marks };
        }
        let searches = usage.and_then(|usage| usage.server_tool_use()?.web_search_requests());
        ChargeTerms {
            request: charge::request_number(request),
            web_searches: searches.unwrap_or(0).min(u64::from(u32::MAX)) as u32,
            grade: usage.map(Grade::of).unwrap_or_default(),
            marks,
            branch: envelope
                .git_branch
                .filter(|branch| !branch.is_empty())
                .map(|branch| intern(&mut t.symbols, branch)),
        }
    }

    /// Adds this line to its message: the largest output count wins, and any line may tell why it stopped.
    fn message(
        &mut self,
        message: AssistantMessage<'_>,
        index: RowIndex,
        terms: ChargeTerms,
    ) -> Option<MessageRef> {
        let t = &mut self.transcript;
        let id = intern(&mut t.symbols, message.id()?);
        let tokens = message.usage().map(Tokens::of).unwrap_or_default();
        let stop = message.stop_reason().map(stop_of);
        let model = message.model().map(|model| intern(&mut t.symbols, model));
        let at = *self.message_at.entry(id).or_insert_with(|| {
            t.messages.push(Message { id, model, tokens, stop, lines: 0, first_row: index, terms });
            t.messages.len() as u32 - 1
        });
        let known = &mut t.messages[at as usize];
        known.lines += 1;
        known.stop = stop.or(known.stop);
        known.model = known.model.or(model);
        if known.terms.request != 0 && terms.request != 0 && known.terms.request != terms.request {
            let terms = ChargeTerms { marks: terms.marks.with(ChargeMarks::OTHER_REQUEST), ..terms };
            self.charge(message.id(), message, index, terms);
            return MessageRef::new(at as usize);
        }
        charge::larger(&mut known.tokens, tokens);
        if known.terms.request == 0 {
            known.terms.request = terms.request;
        }
        known.terms.web_searches = known.terms.web_searches.max(terms.web_searches);
        MessageRef::new(at as usize)
    }

    /// Adds a line to a charge that is no message of the file's own.
    fn charge(
        &mut self,
        id: Option<Text<'_>>,
        message: AssistantMessage<'_>,
        row: RowIndex,
        terms: ChargeTerms,
    ) {
        let Some(id) = id else { return };
        let t = &mut self.transcript;
        let id = intern(&mut t.symbols, id);
        let tokens = message.usage().map(Tokens::of).unwrap_or_default();
        let model = message.model().map(|model| intern(&mut t.symbols, model));
        let at = *self.charge_at.entry((id, terms.request)).or_insert_with(|| {
            t.charges.push(Charge { id, model, tokens, row, terms });
            t.charges.len() as u32 - 1
        });
        let known = &mut t.charges[at as usize];
        known.model = known.model.or(model);
        charge::larger(&mut known.tokens, tokens);
        known.terms.web_searches = known.terms.web_searches.max(terms.web_searches);
    }

    /// A progress line repeats a message of a running agent, with what it was charged.
    fn progress_charge(&mut self, entry: &Entry<'_>, row: RowIndex) {
        let Some(inner) = entry.envelope.data.and_then(|data| data.get("message")) else { return };
        let Some(message) = inner.get("message").map(AssistantMessage::over) else { return };
        if message.usage().is_none() {
            return;
        }
        let request = inner.get("requestId").and_then(Value::text);
        let terms = self.terms(entry, message.usage(), request);
        let marks = terms.marks.with(ChargeMarks::PROGRESS).with(ChargeMarks::SIDECHAIN);
        self.charge(message.id(), message, row, ChargeTerms { marks, ..terms });
    }

    fn call(&mut self, call: ToolUseBlock<'_>, row: RowIndex, block: u32) {
        let (Some(id), Some(tool)) = (call.id(), call.name()) else { return };
        self.calls_made += 1;
        let t = &mut self.transcript;
        let id = intern(&mut t.symbols, id);
        let input = call.input().map(|input| ToolInput::of(tool.raw(), input));
        let file = input.and_then(ToolInput::file_path).map(|path| intern(&mut t.symbols, path));
        let writes = input.is_some_and(ToolInput::writes);
        let agent = match input {
            Some(ToolInput::Agent(agent)) => Some(agent),
            _ => None,
        };
        let mut head = |text: Option<Text<'_>>| text.map(|text| t.symbols.intern(text.head(HEAD).as_bytes()));
        let prompt = head(agent.and_then(AgentInput::prompt));
        let agent_type = head(agent.and_then(AgentInput::subagent_type));
        let description = head(agent.and_then(AgentInput::description));
        let tool = intern(&mut t.symbols, tool);
        let call = ToolCall { row, block, id, tool, file, writes, prompt, agent_type, description };
        // A line that stands twice (a replay) repeats its calls; the later line is the one that counts.
        match self.call_at.get(&id) {
            Some(&at) => t.calls[at as usize] = call,
            None => {
                self.call_at.insert(id, t.calls.len() as u32);
                t.calls.push(call);
            }
        }
    }

    fn user(&mut self, entry: &Entry<'_>, role: Role, index: RowIndex) {
        let content = entry.envelope.message.and_then(|message| message.get("content")).and_then(Content::of);
        match role {
            Role::ToolResult => self.results(entry, content, index),
            Role::Prompt => self.prompt(entry, content, index),
            Role::Notification => self.notification(content, index),
            _ => {}
        }
    }

    fn prompt(&mut self, entry: &Entry<'_>, content: Option<Content<'_>>, index: RowIndex) {
        let Some(text) = content.and_then(Content::first_text) else { return };
        let t = &mut self.transcript;
        if entry.envelope.is_sidechain && t.file_kind == FileKind::Session {
            if entry.envelope.parent_uuid == Link::Null {
                t.inline_agents.push((index, t.symbols.intern(text.head(HEAD).as_bytes())));
            }
        } else if t.first_prompt.is_none() {
            t.first_prompt = Some(text.head(HEAD).into());
        }
    }

    fn results(&mut self, entry: &Entry<'_>, content: Option<Content<'_>>, row: RowIndex) {
        let account = entry.envelope.tool_use_result.and_then(ToolUseResult::of);
        let t = &mut self.transcript;
        let agent = account
            .and_then(|account| account.as_view::<AgentResult<'_>>())
            .and_then(|result| result.agent_id().or_else(|| result.resumed_agent_id()))
            .map(|id| intern(&mut t.symbols, id));
        let run = account
            .and_then(|account| account.as_view::<WorkflowResult<'_>>())
            .and_then(|result| result.run_id())
            .map(|id| intern(&mut t.symbols, id));
        for block in content.into_iter().flat_map(Content::blocks) {
            if let Block::ToolResult(result) = block
                && let Some(call) = result.tool_use_id()
            {
                let call = intern(&mut t.symbols, call);
                let is_error = result.is_error() == Some(true);
                t.outcomes.push(ToolResult { row, call, is_error, agent, run });
            }
        }
    }

    fn agent_progress(&mut self, line: Value<'_>, row: RowIndex) {
        let agent = line.get("data").and_then(|data| data.get("agentId")).and_then(Value::text);
        let call = line.get("parentToolUseID").and_then(Value::text);
        if let Some(agent) = agent {
            let t = &mut self.transcript;
            let agent = intern(&mut t.symbols, agent);
            let call = call.map(|call| intern(&mut t.symbols, call));
            t.mentions.push(Mention { row, agent, call });
        }
    }

    /// `<task-notification><task-id>AGENT</task-id><tool-use-id>CALL</tool-use-id>…`
    fn notification(&mut self, content: Option<Content<'_>>, row: RowIndex) {
        let Some(text) = content.and_then(Content::first_text) else { return };
        if !text.starts_with("<task-notification>") {
            return;
        }
        let head = text.head(1024);
        let t = &mut self.transcript;
        if let Some(agent) = between(&head, "<task-id>", "</task-id>") {
            let agent = t.symbols.intern(agent.as_bytes());
            let call = between(&head, "<tool-use-id>", "</tool-use-id>");
            let call = call.map(|call| t.symbols.intern(call.as_bytes()));
            t.mentions.push(Mention { row, agent, call });
        }
    }
}

/// What stands between two tags.
pub fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let from = text.find(open)? + open.len();
    let len = text[from..].find(close)?;
    Some(&text[from..from + len])
}

fn stop_of(reason: Text<'_>) -> StopReason {
    match reason.raw() {
        b"end_turn" => StopReason::EndTurn,
        b"tool_use" => StopReason::ToolUse,
        b"stop_sequence" => StopReason::StopSequence,
        b"max_tokens" | b"model_context_window_exceeded" => StopReason::MaxTokens,
        b"refusal" => StopReason::Refusal,
        _ => StopReason::Other,
    }
}

fn intern(symbols: &mut Symbols, text: Text<'_>) -> Symbol {
    match text.plain() {
        Some(plain) => symbols.intern(plain),
        None => symbols.intern(text.decode().as_bytes()),
    }
}

fn note(seen: &mut SeenTexts, symbols: &mut Symbols, text: Option<Text<'_>>) {
    if let Some(text) = text {
        seen.note(intern(symbols, text));
    }
}
