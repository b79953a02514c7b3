//! `attachment` lines (2.1.200 and later): what the client put into the conversation unasked.
//!
//! They are links of the chain. In the newest generation most carry `rendered`, the text the model was given.
//! Older generations have none, and the methods then do nothing.

use scrollback_format::generation::Generation;

use crate::envelope::Head;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;

/// How the newest client showed an attachment to the model.
#[derive(Debug, Clone, Default)]
pub struct Rendering {
    /// The texts; none means that nothing was shown.
    pub texts: Vec<String>,
    /// Shown as the user, else as the system.
    pub as_user: bool,
}

impl Rendering {
    /// Nothing is shown.
    pub fn none() -> Self {
        Self::default()
    }

    /// One reminder of the system.
    pub fn system(text: &str) -> Self {
        Self { texts: vec![format!("<system-reminder>\n{text}\n</system-reminder>")], as_user: false }
    }

    /// One reminder in the user's name.
    pub fn user(text: &str) -> Self {
        Self { as_user: true, ..Self::system(text) }
    }
}

/// One run of a hook.
#[derive(Debug, Clone)]
pub struct HookRun<'a> {
    /// `PreToolUse`, `SessionStart`, …
    pub event: &'a str,
    /// The event and what it matched, `PreToolUse:Bash`.
    pub name: &'a str,
    /// The call it ran for, if any.
    pub call: Option<&'a Id>,
    /// Its command line.
    pub command: &'a str,
    /// What it printed.
    pub stdout: &'a str,
    /// How long it took.
    pub millis: u64,
}

impl<S: IdSource> SessionAuthor<S> {
    /// Writes any attachment. `kind` is `attachment/<type>`.
    pub fn attach(&mut self, kind: &'static str, attachment: &Json, rendering: &Rendering) -> Option<Id> {
        if !self.since(Generation::V2_1_200) {
            return None;
        }
        let wire = matches!(
            kind,
            "attachment/session_context"
                | "attachment/date"
                | "attachment/remote_session_change"
                | "attachment/prompt_snapshot"
                | "attachment/queued_command"
        );
        let head = Head { wire, ..self.head() };
        let uuid = self.fresh();
        let at = self.now();
        let line = self
            .open(&head)
            .put("attachment", attachment)
            .str("type", "attachment")
            .str("uuid", uuid.as_str())
            .str("timestamp", &at.to_string());
        let shown = self.newest() && !rendering.texts.is_empty();
        let line = line
            .when(shown, |line| render(line, rendering))
            .when(shown && kind == "attachment/remote_session_change", |line| {
                line.bool("renderedBesideToolResult", true)
            });
        self.close(kind, &head, line, &uuid);
        Some(uuid)
    }

    /// A prompt that was typed while the client worked and went into the running turn.
    ///
    /// Generations before 2.1.200 keep it in the queue's lines only.
    pub fn absorb_queued(&mut self, prompt: &str) -> Option<Id> {
        self.enqueue(Some(prompt));
        let at = self.now().to_string();
        let attachment = Object::new().str("type", "queued_command").str("prompt", prompt);
        let attachment = if self.newest() {
            let (source, delivery) = (self.fresh(), self.fresh());
            attachment
                .str("source_uuid", source.as_str())
                .str("delivery_id", delivery.as_str())
                .str("commandMode", "prompt")
                .put("origin", &Object::new().str("kind", "human").done())
                .str("timestamp", &at)
                .bool("humanTurn", true)
        } else {
            attachment.str("commandMode", "prompt").str("timestamp", &at)
        };
        let rendering =
            Rendering::system(&format!("The user sent a message while you were working:\n{prompt}"));
        let uuid = self.attach("attachment/queued_command", &attachment.done(), &rendering);
        self.remove_queued(prompt);
        uuid
    }

    /// A hook that ran well.
    pub fn hook_success(&mut self, run: &HookRun<'_>) -> Option<Id> {
        let call = run.call.cloned().unwrap_or_else(|| self.fresh());
        let attachment = Object::new()
            .str("type", "hook_success")
            .str("hookName", run.name)
            .str("toolUseID", call.as_str())
            .str("hookEvent", run.event)
            .str("content", run.stdout.trim_end())
            .str("stdout", run.stdout)
            .str("stderr", "")
            .num("exitCode", 0)
            .str("command", run.command)
            .num("durationMs", run.millis);
        self.attach("attachment/hook_success", &attachment.done(), &Rendering::none())
    }

    /// A file that the user named with `@`.
    pub fn attach_file(&mut self, path: &str, shown_as: &str, content: &str) -> Option<Id> {
        let lines = content.split('\n').count() as u64;
        let attachment = Object::new()
            .str("type", "file")
            .str("filename", path)
            .put("content", &crate::tool::file_result(path, content, lines))
            .str("displayPath", shown_as)
            .when(self.newest(), |attachment| {
                attachment.put("savedCopyFraming", &Object::new().bool("enveloped", false).done())
            });
        let rendering = Rendering::user(&format!("Result of calling the Read tool:\n{content}"));
        self.attach("attachment/file", &attachment.done(), &rendering)
    }

    /// A file that changed on disk while the session ran.
    pub fn attach_edited_file(&mut self, path: &str, snippet: &str) -> Option<Id> {
        let attachment =
            Object::new().str("type", "edited_text_file").str("filename", path).str("snippet", snippet);
        self.attach("attachment/edited_text_file", &attachment.done(), &Rendering::system(snippet))
    }

    /// Plan mode began.
    pub fn attach_plan_mode(&mut self, path: &str) -> Option<Id> {
        let attachment = Object::new()
            .str("type", "plan_mode")
            .str("reminderType", "full")
            .bool("isSubAgent", false)
            .str("planFilePath", path)
            .bool("planExists", false);
        self.attach("attachment/plan_mode", &attachment.done(), &Rendering::system("Plan mode is active."))
    }

    /// The list of open tasks, repeated for the model (2.1.200).
    pub fn attach_task_reminder(&mut self) -> Option<Id> {
        let attachment =
            Object::new().str("type", "task_reminder").put("content", &Json::list([])).num("itemCount", 0);
        self.attach("attachment/task_reminder", &attachment.done(), &Rendering::none())
    }
}

fn render(line: Object, rendering: &Rendering) -> Object {
    let texts = rendering.texts.iter().map(|text| Object::new().str("content", text).done());
    line.put("rendered", &Json::list(texts))
        .str("renderedRole", if rendering.as_user { "user" } else { "system" })
}
