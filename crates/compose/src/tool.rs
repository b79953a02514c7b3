//! What tools give back: the text the model sees, and `toolUseResult` in the shape of each generation.
//!
//! The inputs of the tools are here too, in the order in which the model fills them in.

use scrollback_format::generation::Generation;

use crate::answer::WrittenCall;
use crate::block::AnswerBlock;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::patch;
use crate::usage::Usage;

pub mod shell;
pub mod task;

/// A tool's result.
#[derive(Debug, Clone)]
pub struct ToolOutcome {
    /// What the model is told.
    pub content: Json,
    /// `toolUseResult`.
    pub result: Option<Json>,
    /// `is_error` on the block; most tools leave it out.
    pub is_error: Option<bool>,
}

impl ToolOutcome {
    /// A result in words with its structured twin.
    pub fn new(text: &str, result: Json) -> Self {
        Self { content: Json::text(text), result: Some(result), is_error: None }
    }
}

/// A call of any tool.
pub fn call(name: &str, input: Json) -> AnswerBlock<'_> {
    AnswerBlock::Call { name, input }
}

/// A call of Read.
pub fn read<'a>(path: &str) -> AnswerBlock<'a> {
    call("Read", Object::new().str("file_path", path).done())
}

/// Read gave a text file.
pub fn read_result(generation: Generation, path: &str, content: &str) -> ToolOutcome {
    let lines = content.split('\n').count() as u64;
    let mut shown = String::with_capacity(content.len() + 8 * content.len() / 40);
    for (place, line) in content.split('\n').enumerate() {
        if place > 0 {
            shown.push('\n');
        }
        let number = place + 1;
        if generation >= Generation::V2_1_80 {
            shown.push_str(&number.to_string());
            shown.push('\t');
        } else {
            shown.push_str(&format!("{number:>6}→"));
        }
        shown.push_str(line);
    }
    ToolOutcome::new(&shown, file_result(path, content, lines))
}

/// The `{type: "text", file}` object of a file that was read.
pub fn file_result(path: &str, content: &str, lines: u64) -> Json {
    let file = Object::new()
        .str("filePath", path)
        .str("content", content)
        .num("numLines", lines)
        .num("startLine", 1)
        .num("totalLines", lines)
        .done();
    Object::new().str("type", "text").put("file", &file).done()
}

/// Read gave an image.
pub fn read_image(media_type: &str, base64: &str, size: u64) -> ToolOutcome {
    let source = Object::new().str("type", "base64").str("data", base64).str("media_type", media_type).done();
    let block = Object::new().str("type", "image").put("source", &source).done();
    let file = Object::new().str("base64", base64).str("type", media_type).num("originalSize", size).done();
    let result = Object::new().str("type", "image").put("file", &file).done();
    ToolOutcome { content: Json::list([block]), result: Some(result), is_error: None }
}

/// A call of Write.
pub fn write<'a>(path: &str, content: &str) -> AnswerBlock<'a> {
    call("Write", Object::new().str("file_path", path).str("content", content).done())
}

/// Write made a file, or replaced `old`.
pub fn write_result(generation: Generation, path: &str, old: Option<&str>, content: &str) -> ToolOutcome {
    let current = if generation >= Generation::V2_1_325 {
        " (file state is current in your context — no need to Read it back)"
    } else {
        ""
    };
    let text = match old {
        None => format!("File created successfully at: {path}{current}"),
        Some(_) => format!("The file {path} has been updated successfully.{current}"),
    };
    let patch = old.map_or_else(|| Json::list([]), |old| patch::structured(old, content));
    let result = Object::new()
        .str("type", if old.is_some() { "update" } else { "create" })
        .str("filePath", path)
        .str("content", content)
        .put("structuredPatch", &patch)
        .when(generation >= Generation::V2_0_55, |result| result.str_or_null("originalFile", old))
        .when(generation >= Generation::V2_1_200, |result| result.bool("userModified", false));
    ToolOutcome::new(&text, result.done())
}

/// A call of Edit.
pub fn edit<'a>(generation: Generation, path: &str, old: &str, new: &str) -> AnswerBlock<'a> {
    let input = Object::new()
        .when(generation >= Generation::V2_1_9, |input| input.bool("replace_all", false))
        .str("file_path", path)
        .str("old_string", old)
        .str("new_string", new);
    call("Edit", input.done())
}

/// Edit replaced the first `old` in `file` by `new`.
pub fn edit_result(generation: Generation, path: &str, file: &str, old: &str, new: &str) -> ToolOutcome {
    let changed = file.replacen(old, new, 1);
    let text = match generation {
        Generation::V2_1_325 => format!(
            "The file {path} has been updated successfully. (file state is current in your context — no need to \
             Read it back)"
        ),
        Generation::V2_1_80 | Generation::V2_1_200 => {
            format!("The file {path} has been updated successfully.")
        }
        _ => format!(
            "The file {path} has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n     1→{new}"
        ),
    };
    let result = Object::new()
        .str("filePath", path)
        .str("oldString", old)
        .str("newString", new)
        .str("originalFile", file)
        .put("structuredPatch", &patch::structured(file, &changed))
        .bool("userModified", false)
        .bool("replaceAll", false);
    ToolOutcome::new(&text, result.done())
}

/// A call of Grep for the names of files.
pub fn grep<'a>(pattern: &str, path: &str) -> AnswerBlock<'a> {
    call("Grep", Object::new().str("pattern", pattern).str("path", path).done())
}

/// Grep gave file names.
pub fn grep_files(generation: Generation, files: &[&str]) -> ToolOutcome {
    let count = files.len() as u64;
    let text = format!("Found {count} files\n{}", files.join("\n"));
    let result = Object::new()
        .str("mode", "files_with_matches")
        .put("filenames", &Json::texts(files))
        .num("numFiles", count)
        .when(generation >= Generation::V2_1_325, |result| result.num("totalFiles", count));
    ToolOutcome::new(&text, result.done())
}

/// Grep gave matching lines.
pub fn grep_content(generation: Generation, lines: &str) -> ToolOutcome {
    let count = lines.split('\n').count() as u64;
    let result = Object::new()
        .str("mode", "content")
        .num("numFiles", 0)
        .put("filenames", &Json::list([]))
        .str("content", lines)
        .num("numLines", count)
        .when(generation >= Generation::V2_1_325, |result| result.num("totalLines", count));
    ToolOutcome::new(lines, result.done())
}

/// A call of Glob.
pub fn glob<'a>(pattern: &str) -> AnswerBlock<'a> {
    call("Glob", Object::new().str("pattern", pattern).done())
}

/// Glob gave file names.
pub fn glob_result(generation: Generation, files: &[&str], millis: u64) -> ToolOutcome {
    let count = files.len() as u64;
    let result = Object::new()
        .put("filenames", &Json::texts(files))
        .num("durationMs", millis)
        .num("numFiles", count)
        .bool("truncated", false)
        .when(generation >= Generation::V2_1_200, |result| {
            result.num("totalMatches", count).bool("countIsComplete", true)
        });
    ToolOutcome::new(&files.join("\n"), result.done())
}

/// The name of the agent tool.
pub fn agent_tool(generation: Generation) -> &'static str {
    if generation >= Generation::V2_1_80 { "Agent" } else { "Task" }
}

/// A call that starts an agent.
pub fn agent<'a>(generation: Generation, description: &str, prompt: &str, kind: &str) -> AnswerBlock<'a> {
    let input =
        Object::new().str("description", description).str("prompt", prompt).str("subagent_type", kind);
    call(agent_tool(generation), input.done())
}

/// What an agent did, for the call that waited for it.
#[derive(Debug, Clone)]
pub struct AgentReport<'a> {
    /// Its id.
    pub id: &'a Id,
    /// What it was asked.
    pub prompt: &'a str,
    /// What it answered.
    pub answer: &'a str,
    /// How long it took.
    pub millis: u64,
    /// How many tools it called.
    pub calls: u64,
    /// The counts of its last message.
    pub usage: Usage,
}

/// An agent that was waited for: the way of 2.1.80 and older.
pub fn agent_result(generation: Generation, report: &AgentReport<'_>) -> ToolOutcome {
    let said = Json::list([crate::block::text(report.answer)]);
    let result = Object::new()
        .str("status", "completed")
        .str("prompt", report.prompt)
        .str("agentId", report.id.as_str())
        .put("content", &said)
        .num("totalDurationMs", report.millis)
        .num("totalTokens", report.usage.total())
        .num("totalToolUseCount", report.calls)
        .put("usage", &report.usage.json(generation, true));
    // Inline agents had no file, so nothing named them.
    let result = if generation == Generation::V1_0 { None } else { Some(result.done()) };
    ToolOutcome { content: said, result, is_error: None }
}

/// An agent that was started and left to run: the way of 2.1.200 and newer.
pub fn agent_launched(
    generation: Generation,
    id: &Id,
    description: &str,
    prompt: &str,
    model: &str,
    output: &str,
) -> ToolOutcome {
    let text = format!(
        "Async agent launched successfully.\nagentId: {id} (internal ID - do not mention to user. Use SendMessage with to: \
         '{id}', summary: '<5-10 word recap>' to continue this agent.)\nThe agent is working in the background.\noutput_file: {output}"
    );
    let result = Object::new()
        .bool("isAsync", true)
        .str("status", "async_launched")
        .str("agentId", id.as_str())
        .str("description", description)
        .when(generation >= Generation::V2_1_200, |result| result.str("resolvedModel", model))
        .str("prompt", prompt)
        .str("outputFile", output)
        .when(generation >= Generation::V2_1_80, |result| result.bool("canReadOutputFile", true))
        .when(generation >= Generation::V2_1_325, |result| result.bool("canContinueAgent", true));
    ToolOutcome {
        content: Json::list([crate::block::text(&text)]),
        result: Some(result.done()),
        is_error: None,
    }
}

/// The notice that an agent which ran in the background ended.
pub fn agent_notice(call: &WrittenCall, description: &str, output: &str, report: &AgentReport<'_>) -> String {
    format!(
        "<task-notification>\n<task-id>{}</task-id>\n<tool-use-id>{}</tool-use-id>\n<output-file>{output}</output-file>\n\
         <status>completed</status>\n<summary>Agent \"{description}\" finished</summary>\n<result>{}</result>\n\
         <usage><subagent_tokens>{}</subagent_tokens><tool_uses>{}</tool_uses><duration_ms>{}</duration_ms></usage>\n\
         </task-notification>",
        report.id,
        call.id,
        report.answer,
        report.usage.total(),
        report.calls,
        report.millis
    )
}
