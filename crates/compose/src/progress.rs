//! `progress` lines of 2.1.9 and 2.1.80: what a tool, agent or hook was doing meanwhile.
//!
//! They stand beside the chain in 2.1.9 and are links of it in 2.1.80. Other generations have none, and the
//! methods then do nothing.

use scrollback_format::generation::Generation;

use crate::answer::WrittenCall;
use crate::attachment::HookRun;
use crate::envelope::Head;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;

impl<S: IdSource> SessionAuthor<S> {
    /// A command still runs and has printed this so far (2.1.9 only).
    pub fn bash_progress(&mut self, call: &WrittenCall, output: &str, seconds: u64) {
        if self.generation() != Generation::V2_1_9 {
            return;
        }
        let lines = output.lines().count() as u64;
        let data = Object::new()
            .str("type", "bash_progress")
            .str("output", output)
            .str("fullOutput", output)
            .num("elapsedTimeSeconds", seconds)
            .num("totalLines", lines)
            .done();
        let id = format!("bash-progress-{}", seconds.saturating_sub(2));
        self.progress("progress/bash_progress", &data, &id, &call.id);
    }

    /// An agent took up its prompt.
    pub fn agent_progress(&mut self, call: &WrittenCall, message: &Id, agent: &Id, prompt: &str) {
        if !self.has_progress() {
            return;
        }
        let uuid = self.fresh();
        let at = self.now();
        let said = Object::new()
            .str("role", "user")
            .put("content", &Json::list([crate::block::text(prompt)]))
            .done();
        let entry = Object::new()
            .str("type", "user")
            .put("message", &said)
            .str("uuid", uuid.as_str())
            .str("timestamp", &at.to_string())
            .done();
        let data = Object::new()
            .put("message", &entry)
            .when(self.generation() == Generation::V2_1_9, |data| {
                data.put("normalizedMessages", &Json::list([entry.clone()]))
            })
            .str("type", "agent_progress")
            .str("prompt", prompt)
            .str("agentId", agent.as_str())
            .done();
        self.progress("progress/agent_progress", &data, &format!("agent_{message}"), &call.id);
    }

    /// A hook ran.
    pub fn hook_progress(&mut self, run: &HookRun<'_>) {
        if !self.has_progress() {
            return;
        }
        let call = run.call.cloned().unwrap_or_else(|| self.fresh());
        let data = Object::new()
            .str("type", "hook_progress")
            .str("hookEvent", run.event)
            .str("hookName", run.name)
            .str("command", run.command)
            .done();
        let (head, uuid) = (self.head(), self.fresh());
        let at = self.now();
        let line = self
            .open(&head)
            .str("type", "progress")
            .put("data", &data)
            .str("parentToolUseID", call.as_str())
            .str("toolUseID", call.as_str())
            .str("timestamp", &at.to_string())
            .str("uuid", uuid.as_str());
        self.close_progress("progress/hook_progress", &head, line, &uuid);
    }

    fn has_progress(&self) -> bool {
        matches!(self.generation(), Generation::V2_1_9 | Generation::V2_1_80)
    }

    fn progress(&mut self, kind: &'static str, data: &Json, id: &str, call: &Id) {
        let (head, uuid) = (self.head(), self.fresh());
        let at = self.now();
        let line = self
            .open(&head)
            .str("type", "progress")
            .put("data", data)
            .str("toolUseID", id)
            .str("parentToolUseID", call.as_str())
            .str("uuid", uuid.as_str())
            .str("timestamp", &at.to_string());
        self.close_progress(kind, &head, line, &uuid);
    }

    fn close_progress(&mut self, kind: &'static str, head: &Head, line: Object, uuid: &Id) {
        if self.generation() == Generation::V2_1_80 {
            self.close(kind, head, line, uuid);
        } else {
            self.close_aside(kind, head, line);
        }
    }
}
