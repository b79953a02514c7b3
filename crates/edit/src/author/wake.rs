//! Waking a session: the line that a client goes on from, and what it makes up before the next prompt.

use scrollback_compose::{Id, IdSource, SessionAuthor, Settings, WrittenCall};
use scrollback_format::generation::Generation;
use scrollback_format::json::{Tape, Value};

use crate::subject::Subject;
use scrollback_session::error::{AppError, refuse};
use scrollback_session::resume::view::{BitKind, BlockView, MadeUp, ResumeOutcome};
use scrollback_session::resume::{self, Options};

/// Where and how a conversation goes on.
#[derive(Debug)]
pub(super) struct Wake {
    /// The line that the next one hangs on.
    pub tail: Option<Id>,
    made: Vec<Made>,
}

/// What the client writes by itself.
#[derive(Debug)]
enum Made {
    /// The result of a call that the session ended in.
    Interrupted(WrittenCall, String),
    /// It asks the model to go on.
    Continue(String),
    /// It answers what was not answered.
    NoResponse,
    /// It tells that an agent or a shell command is gone.
    Gone(String),
}

impl Wake {
    /// What a client of this generation would do with a session.
    pub(super) fn of(subject: &Subject<'_>, generation: Generation) -> Result<Self, AppError> {
        let view = resume::of_bytes(&subject.bytes, &Options { generation, ..Options::default() })?;
        if !matches!(view.outcome, ResumeOutcome::Loaded | ResumeOutcome::Fresh) {
            let why =
                view.reason.map_or(view.outcome.name().to_owned(), |reason| reason.words(view.reason_line));
            return Err(refuse(
                format!("{} would not resume session {}: {why}", view.client, subject.id),
                "`scrollback resume SESSION --explain` shows why",
            ));
        }
        let script = subject.script();
        let id_at = |line: Option<u64>| line.and_then(|line| script.id_at(line));
        let blocks = || view.messages.iter().flat_map(|message| &message.content);
        let call = |result: &BlockView| {
            let made =
                blocks().find(|block| block.kind == BitKind::ToolUse && block.id == result.tool_use_id)?;
            let id = Id::from(made.id.as_deref()?);
            Some(WrittenCall { id, line: id_at(made.line)?, name: made.name.clone().unwrap_or_default() })
        };
        let made = blocks().filter_map(|block| {
            let text = || block.text.clone().unwrap_or_default();
            match block.made_up? {
                MadeUp::InterruptedCall => Some(Made::Interrupted(call(block)?, text())),
                MadeUp::Continue => Some(Made::Continue(text())),
                MadeUp::NoResponse => Some(Made::NoResponse),
                MadeUp::KilledTask => Some(Made::Gone(text())),
                _ => None,
            }
        });
        Ok(Self { tail: id_at(view.leaf_line), made: made.collect() })
    }

    /// Writes what is made up.
    pub(super) fn write<S: IdSource>(self, session: &mut SessionAuthor<S>) {
        for made in self.made {
            match made {
                Made::Interrupted(call, text) => {
                    session.failure(&call, &text);
                }
                Made::Continue(text) => {
                    session.meta(&text);
                }
                Made::NoResponse => {
                    session.no_response();
                }
                Made::Gone(text) => {
                    // Only the beginning of the client's own words is known.
                    let head = text.trim_end_matches('…');
                    let rest = if head.ends_with("<status>") { "killed</status>" } else { "</summary>" };
                    session.task_notification(&format!("{head}{rest}\n</task-notification>"));
                }
            }
        }
    }
}

/// What the last lines of a session say about the client that wrote them.
pub(super) fn settings(subject: &Subject<'_>, generation: Generation) -> Settings {
    let said = |path: &[&str], no: &str| last(&subject.bytes, path, no, false);
    let cwd = said(&["cwd"], "").or_else(|| subject.directory()).unwrap_or_default();
    let mut settings = Settings::new(generation, &cwd);
    // Newer clients write this where there is no repository.
    settings.branch = said(&["gitBranch"], "").filter(|branch| branch != "HEAD");
    settings.version = said(&["version"], "").unwrap_or(settings.version);
    settings.model = said(&["message", "model"], "<synthetic>").unwrap_or(settings.model);
    settings
}

/// The last text in a field of a line of the conversation, or of an agent, other than `no`.
pub(super) fn last(bytes: &[u8], path: &[&str], no: &str, of_agent: bool) -> Option<String> {
    let mut tape = Tape::new();
    for line in bytes.rsplit(|byte| *byte == b'\n') {
        if tape.scan(line).is_err() {
            continue;
        }
        let Some(root) = tape.root(line) else { continue };
        if !of_agent && root.get("isSidechain").and_then(Value::bool) == Some(true) {
            continue;
        }
        let value = path.iter().try_fold(root, |value, key| value.get(key)).and_then(Value::text);
        let text = value.map(|text| text.decode().into_owned());
        if let Some(text) = text.filter(|text| text != no && !text.is_empty()) {
            return Some(text);
        }
    }
    None
}
