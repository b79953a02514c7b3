//! Typed inputs and results of the well-known tools. What is not listed stays reachable as the raw value.

use crate::json::{Text, Type, Value};
use crate::shape::{Shaped, view};

view! {
    /// Input of `Bash`.
    BashInput "Bash" open { command: "command" text, description: "description" text, timeout: "timeout" u64, run_in_background: "run_in_background" bool }
    /// Input of `Read`.
    ReadInput "Read" open { file_path: "file_path" text, offset: "offset" u64, limit: "limit" u64 }
    /// Input of `Write`.
    WriteInput "Write" open { file_path: "file_path" text, content: "content" text }
    /// Input of `Edit`.
    EditInput "Edit" open { file_path: "file_path" text, old_string: "old_string" text, new_string: "new_string" text, replace_all: "replace_all" bool }
    /// Input of `MultiEdit`.
    MultiEditInput "MultiEdit" open { file_path: "file_path" text, edits: "edits" items(EditInput) }
    /// Input of `NotebookEdit`.
    NotebookEditInput "NotebookEdit" open { notebook_path: "notebook_path" text, cell_id: "cell_id" text, new_source: "new_source" text, edit_mode: "edit_mode" text }
    /// Input of `Grep` and `Glob`.
    PatternInput "Grep" open { pattern: "pattern" text, path: "path" text, glob: "glob" text, output_mode: "output_mode" text }
    /// Input of `Task` and `Agent`.
    AgentInput "Agent" open { prompt: "prompt" text, description: "description" text, subagent_type: "subagent_type" text, model: "model" text, run_in_background: "run_in_background" bool }
    /// Input of `WebFetch`.
    WebFetchInput "WebFetch" open { url: "url" text, prompt: "prompt" text }
    /// Input of `WebSearch`.
    WebSearchInput "WebSearch" open { query: "query" text }
    /// Input of `TodoWrite`.
    TodoInput "TodoWrite" open { todos: "todos" list }
    /// Input of `Skill` and `SlashCommand`.
    SkillInput "Skill" open { skill: "skill" text, command: "command" text, args: "args" text }
    /// Input of `ExitPlanMode`.
    PlanInput "ExitPlanMode" open { plan: "plan" text }

    /// Result of `Bash`.
    BashResult "Bash" open { stdout: "stdout" text, stderr: "stderr" text, interrupted: "interrupted" bool, is_image: "isImage" bool, background_task_id: "backgroundTaskId" text, return_code_interpretation: "returnCodeInterpretation" text, persisted_output_path: "persistedOutputPath" text, persisted_output_size: "persistedOutputSize" u64 }
    /// Result of `Edit`, `MultiEdit` and `Write`.
    EditResult "Edit" open { kind: "type" text, file_path: "filePath" text, old_string: "oldString" text, new_string: "newString" text, content: "content" text, original_file: "originalFile" text, structured_patch: "structuredPatch" items(Hunk), user_modified: "userModified" bool, replace_all: "replaceAll" bool }
    /// One hunk of a structured patch.
    Hunk "structuredPatch" open { old_start: "oldStart" u64, old_lines: "oldLines" u64, new_start: "newStart" u64, new_lines: "newLines" u64, lines: "lines" list }
    /// Result of `Task` and `Agent`.
    AgentResult "Agent" open { agent_id: "agentId" text, status: "status" text, is_async: "isAsync" bool, prompt: "prompt" text, description: "description" text, total_tokens: "totalTokens" u64, total_duration_ms: "totalDurationMs" u64, total_tool_use_count: "totalToolUseCount" u64, output_file: "outputFile" text, resumed_agent_id: "resumedAgentId" text }
    /// Result of `Workflow`.
    WorkflowResult "Workflow" open { run_id: "runId" text, task_id: "taskId" text, workflow_name: "workflowName" text, transcript_dir: "transcriptDir" text, script_path: "scriptPath" text, status: "status" text }
    /// Result of `Read`.
    ReadResult "Read" open { kind: "type" text, file: "file" open }
}

/// The input of a tool call, typed by the tool's name.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "each variant is named by its tool")]
#[non_exhaustive]
pub enum ToolInput<'a> {
    Bash(BashInput<'a>),
    Read(ReadInput<'a>),
    Write(WriteInput<'a>),
    Edit(EditInput<'a>),
    MultiEdit(MultiEditInput<'a>),
    NotebookEdit(NotebookEditInput<'a>),
    Pattern(PatternInput<'a>),
    Agent(AgentInput<'a>),
    WebFetch(WebFetchInput<'a>),
    WebSearch(WebSearchInput<'a>),
    Todo(TodoInput<'a>),
    Skill(SkillInput<'a>),
    Plan(PlanInput<'a>),
    /// A tool that is not listed, or an input that is no object.
    Other(Value<'a>),
}

impl<'a> ToolInput<'a> {
    /// The input of a call of the tool with this name.
    pub fn of(tool: &[u8], input: Value<'a>) -> Self {
        if input.kind() != Type::Object {
            return Self::Other(input);
        }
        match tool {
            b"Bash" => Self::Bash(BashInput::over(input)),
            b"Read" => Self::Read(ReadInput::over(input)),
            b"Write" => Self::Write(WriteInput::over(input)),
            b"Edit" => Self::Edit(EditInput::over(input)),
            b"MultiEdit" => Self::MultiEdit(MultiEditInput::over(input)),
            b"NotebookEdit" => Self::NotebookEdit(NotebookEditInput::over(input)),
            b"Grep" | b"Glob" => Self::Pattern(PatternInput::over(input)),
            b"Task" | b"Agent" => Self::Agent(AgentInput::over(input)),
            b"WebFetch" => Self::WebFetch(WebFetchInput::over(input)),
            b"WebSearch" => Self::WebSearch(WebSearchInput::over(input)),
            b"TodoWrite" => Self::Todo(TodoInput::over(input)),
            b"Skill" | b"SlashCommand" => Self::Skill(SkillInput::over(input)),
            b"ExitPlanMode" => Self::Plan(PlanInput::over(input)),
            _ => Self::Other(input),
        }
    }

    /// The file that the call reads or writes.
    pub fn file_path(self) -> Option<Text<'a>> {
        match self {
            Self::Read(input) => input.file_path(),
            Self::Write(input) => input.file_path(),
            Self::Edit(input) => input.file_path(),
            Self::MultiEdit(input) => input.file_path(),
            Self::NotebookEdit(input) => input.notebook_path(),
            _ => None,
        }
    }

    /// Does the call change the file?
    pub fn writes(self) -> bool {
        matches!(self, Self::Write(_) | Self::Edit(_) | Self::MultiEdit(_) | Self::NotebookEdit(_))
    }

    /// The command that it runs.
    pub fn command(self) -> Option<Text<'a>> {
        match self {
            Self::Bash(input) => input.command(),
            _ => None,
        }
    }

    /// What describes the call best to a person.
    pub fn headline(self) -> Option<Text<'a>> {
        match self {
            Self::Bash(input) => input.command(),
            Self::Pattern(input) => input.pattern(),
            Self::Agent(input) => input.description().or_else(|| input.prompt()),
            Self::WebFetch(input) => input.url(),
            Self::WebSearch(input) => input.query(),
            Self::Skill(input) => input.skill().or_else(|| input.command()),
            Self::Plan(input) => input.plan(),
            Self::Todo(_) => None,
            Self::Other(value) => first_text(value),
            file => file.file_path(),
        }
    }
}

/// The first string field of an object, or the first question it asks: the best guess at what an unknown tool's call
/// is about.
fn first_text(value: Value<'_>) -> Option<Text<'_>> {
    let question =
        value.get("questions").and_then(|list| list.items().next()).and_then(|first| first.get("question"));
    value.fields().find_map(|(_, field)| field.text()).or_else(|| question?.text())
}

/// `toolUseResult`: the tool's own account, as an object, a string (errors) or a list (MCP).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum ToolUseResult<'a> {
    /// The usual: an object with fields by tool.
    Object(Value<'a>),
    /// An error, mostly.
    Text(Text<'a>),
    /// Blocks.
    List(Value<'a>),
}

impl<'a> ToolUseResult<'a> {
    /// The result that this value is.
    pub fn of(value: Value<'a>) -> Option<Self> {
        match value.kind() {
            Type::Object => Some(Self::Object(value)),
            Type::Array => Some(Self::List(value)),
            Type::String => value.text().map(Self::Text),
            _ => None,
        }
    }

    /// The object seen as the result of a certain tool.
    pub fn as_view<V: Shaped<'a>>(self) -> Option<V> {
        match self {
            Self::Object(value) => Some(V::over(value)),
            _ => None,
        }
    }
}
