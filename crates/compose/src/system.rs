//! `system` lines: commands the client answered itself, durations, hooks, retries, notices.

use scrollback_format::generation::Generation;

use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;

/// One hook that ran when the model stopped.
#[derive(Debug, Clone)]
pub struct StopHook<'a> {
    /// Its command line.
    pub command: &'a str,
    /// How long it took.
    pub millis: u64,
}

impl<S: IdSource> SessionAuthor<S> {
    pub(crate) fn system(
        &mut self,
        kind: &'static str,
        body: impl FnOnce(Object, &Self, &Id, &str) -> Object,
    ) -> Id {
        let head = self.head();
        let uuid = self.fresh();
        let at = self.now().to_string();
        let subtype = kind.strip_prefix("system/").unwrap_or(kind);
        let line = self.open(&head).str("type", "system").str("subtype", subtype);
        let line = body(line, self, &uuid, &at);
        self.close(kind, &head, line, &uuid);
        uuid
    }

    /// A command that the client answered itself, or its output; `ran` names the command on the output.
    pub fn local_command(&mut self, content: &str, ran: Option<(&str, &str)>) -> Id {
        self.system("system/local_command", |line, session, uuid, at| {
            let ran = ran.filter(|_| session.newest());
            let ran = ran.map(|(name, args)| Object::new().str("command", name).str("args", args).done());
            line.str("content", content)
                .str("level", "info")
                .str("timestamp", at)
                .str("uuid", uuid.as_str())
                .bool("isMeta", false)
                .put_if("commandRun", ran.as_ref())
        })
    }

    /// How long the turn took (2.1.200 and later).
    pub fn turn_duration(&mut self, millis: u64) -> Option<Id> {
        if !self.since(Generation::V2_1_200) {
            return None;
        }
        let messages = self.messages;
        Some(self.system("system/turn_duration", |line, _, uuid, at| {
            line.num("durationMs", millis)
                .num("messageCount", messages)
                .str("timestamp", at)
                .str("uuid", uuid.as_str())
                .bool("isMeta", false)
        }))
    }

    /// The hooks that ran when the model stopped (2.1.200 and later).
    pub fn stop_hooks(&mut self, hooks: &[StopHook<'_>], errors: &[&str]) -> Option<Id> {
        if !self.since(Generation::V2_1_200) {
            return None;
        }
        let call = self.fresh();
        let infos =
            Json::list(hooks.iter().map(|hook| {
                Object::new().str("command", hook.command).num("durationMs", hook.millis).done()
            }));
        let count = hooks.len() as u64;
        Some(self.system("system/stop_hook_summary", |line, _, uuid, at| {
            line.num("hookCount", count)
                .put("hookInfos", &infos)
                .put("hookErrors", &Json::texts(errors))
                .put("hookAdditionalContext", &Json::list([]))
                .bool("preventedContinuation", false)
                .str("stopReason", "")
                .bool("hasOutput", true)
                .str("level", "suggestion")
                .str("timestamp", at)
                .str("uuid", uuid.as_str())
                .str("toolUseID", call.as_str())
        }))
    }

    /// A notice to the user.
    pub fn informational(&mut self, content: &str) -> Id {
        let level = if self.since(Generation::V2_1_200) { "notice" } else { "info" };
        self.system("system/informational", |line, _, uuid, at| {
            line.str("content", content)
                .bool("isMeta", false)
                .str("timestamp", at)
                .str("uuid", uuid.as_str())
                .str("level", level)
        })
    }

    /// The API was overloaded and is tried again. 2.1.200 writes no such line.
    pub fn retry(&mut self, attempt: u64, wait: u64) -> Option<Id> {
        if self.generation() == Generation::V2_1_200 {
            return None;
        }
        let request = Id::request(&mut self.source);
        let error = overloaded(self.newest(), &request);
        Some(self.system("system/api_error", |line, session, uuid, at| {
            line.str("level", "error")
                .put("error", &error)
                .num("retryInMs", wait)
                .num("retryAttempt", attempt)
                .num("maxRetries", 10)
                .when(session.newest(), |line| line.str("source", "request_retry"))
                .str("timestamp", at)
                .str("uuid", uuid.as_str())
        }))
    }
}

fn overloaded(newest: bool, request: &Id) -> Json {
    let inner = Object::new().str("type", "overloaded_error").str("message", "Overloaded").done();
    let body =
        Object::new().str("type", "error").put("error", &inner).str("request_id", request.as_str()).done();
    if !newest {
        return Object::new()
            .num("status", 529)
            .put("headers", &Json::empty())
            .str("requestID", request.as_str())
            .put("error", &body)
            .done();
    }
    Object::new()
        .str("message", &format!("529 {}", String::from_utf8_lossy(body.as_bytes())))
        .num("status", 529)
        .str("requestId", request.as_str())
        .str("formatted", "529 Overloaded")
        .null("connection")
        .bool("isNetworkDown", false)
        .null("rateLimits")
        .null("noResponse")
        .done()
}
