//! Assistant lines that no model wrote: API errors that ended a turn, and the client's own stand-ins.

use scrollback_format::generation::Generation;

use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;
use crate::usage::Usage;

impl<S: IdSource> SessionAuthor<S> {
    /// The API refused, and the turn ended. `kind` is the client's word for it (`rate_limit`, `server_error`, …).
    pub fn api_error(&mut self, text: &str, kind: &str, status: u64) -> Id {
        let request = Id::request(&mut self.source);
        let named = self.since(Generation::V2_0_55);
        let newer = self.since(Generation::V2_1_200);
        let newest = self.newest();
        self.synthetic(text, |line| {
            line.when(newer, |line| line.str("requestId", request.as_str()))
                .when(named, |line| line.str("error", kind))
                .bool("isApiErrorMessage", true)
                .when(newer, |line| line.num("apiErrorStatus", status))
                .when(newest, |line| {
                    line.str("apiErrorType", &format!("{kind}_error"))
                        .str("perTurnEffort", "medium")
                        .bool("failedResponseHadNoToolCall", true)
                        .str("madeBy", "model")
                })
        })
    }

    /// `No response requested.`: what the client answers itself when a resumed session ends without an answer.
    pub fn no_response(&mut self) -> Id {
        let newest = self.newest();
        self.synthetic("No response requested.", |line| {
            line.bool("isApiErrorMessage", false).when(newest, |line| line.str("madeBy", "other"))
        })
    }

    fn synthetic(&mut self, text: &str, marks: impl FnOnce(Object) -> Object) -> Id {
        let head = self.head();
        let uuid = self.fresh();
        let at = self.now();
        let message_id = self.fresh();
        let line = self
            .open(&head)
            .str("type", "assistant")
            .str("uuid", uuid.as_str())
            .str("timestamp", &at.to_string())
            .put("message", &self.synthetic_message(&message_id, text));
        self.close("assistant", &head, marks(line), &uuid);
        uuid
    }

    fn synthetic_message(&self, id: &Id, text: &str) -> Json {
        Object::new()
            .when(self.newest(), |message| message.null("diagnostics"))
            .str("id", id.as_str())
            .null("container")
            .str("model", "<synthetic>")
            .str("role", "assistant")
            .when(self.since(Generation::V2_1_200), |message| message.null("stop_details"))
            .str("stop_reason", "stop_sequence")
            .str("stop_sequence", "")
            .str("type", "message")
            .put("usage", &Usage::synthetic(self.generation()))
            .put("content", &Json::list([crate::block::text(text)]))
            .when(self.since(Generation::V2_0_55), |message| message.null("context_management"))
            .done()
    }
}
