//! Tool results: user lines that answer a call.
//!
//! Up to 2.0.x parallel results are chained one after the other. From 2.1.9 on each hangs on its own call
//! (named again in `sourceToolAssistantUUID`), and what follows hangs on the last one written.

use scrollback_format::generation::Generation;

use crate::answer::WrittenCall;
use crate::envelope::Head;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;
use crate::tool::ToolOutcome;

/// How a call was refused, as newer clients record it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// The user said no.
    UserRejected,
    /// A rule said no.
    PermissionRule,
}

impl Denial {
    fn name(self) -> &'static str {
        match self {
            Self::UserRejected => "user-rejected",
            Self::PermissionRule => "permission-rule",
        }
    }
}

impl<S: IdSource> SessionAuthor<S> {
    /// A call that worked.
    pub fn result(&mut self, call: &WrittenCall, outcome: &ToolOutcome) -> Id {
        let mut block = Object::new()
            .str("tool_use_id", call.id.as_str())
            .str("type", "tool_result")
            .put("content", &outcome.content);
        if let Some(is_error) = outcome.is_error {
            block = block.bool("is_error", is_error);
        }
        self.write_result(call, &block.done(), outcome.result.as_ref(), None)
    }

    /// A call that failed: the message, and `Error: …` as `toolUseResult`.
    pub fn failure(&mut self, call: &WrittenCall, message: &str) -> Id {
        let said = Json::text(&format!("Error: {message}"));
        self.write_result(call, &failed(call, message), Some(&said), None)
    }

    /// A call that was not allowed.
    pub fn refusal(&mut self, call: &WrittenCall, message: &str, denial: Denial) -> Id {
        let said = match denial {
            Denial::UserRejected => Json::text("User rejected tool use"),
            Denial::PermissionRule => Json::text(&format!("Error: {message}")),
        };
        self.write_result(call, &failed(call, message), Some(&said), Some(denial))
    }

    fn write_result(
        &mut self,
        call: &WrittenCall,
        block: &Json,
        result: Option<&Json>,
        denial: Option<Denial>,
    ) -> Id {
        let own = self.generation().facts().results_hang_on_their_call;
        let parent = if own { Some(call.line.clone()) } else { self.tail.clone() };
        let head = Head { parent, prompt: true, wire: true, ..Head::default() };
        let (line, uuid) = self.open_user_with(&head, &Json::list([block.clone()]), |line| line);
        // From 2.1.80 on the files of agents do without the structured result.
        let result = result.filter(|_| self.agent.is_none() || !self.since(Generation::V2_1_80));
        let denied = denial.filter(|_| self.since(Generation::V2_1_200)).map(Denial::name);
        let shell = self.newest() && call.name == "Bash" && denial.is_none();
        let line = line
            .put_if("toolUseResult", result)
            .str_if("toolDenialKind", denied)
            .when(shell, |line| line.bool("sandboxed", false))
            .when(own, |line| line.str("sourceToolAssistantUUID", call.line.as_str()))
            .when(self.newest() && denial.is_none(), |line| line.put("permissionDecision", &accepted()));
        self.close("user", &head, line, &uuid);
        uuid
    }
}

fn failed(call: &WrittenCall, message: &str) -> Json {
    Object::new()
        .str("type", "tool_result")
        .str("content", message)
        .bool("is_error", true)
        .str("tool_use_id", call.id.as_str())
        .done()
}

fn accepted() -> Json {
    Object::new().str("decision", "accept").str("source", "config").str("reasonType", "mode").done()
}
