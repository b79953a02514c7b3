//! Bash: its calls, and its results in place, spilled to a file, or left running.

use scrollback_format::generation::Generation;

use super::{ToolOutcome, call};
use crate::block::AnswerBlock;
use crate::id::Id;
use crate::json::{Json, Object};

/// A call of Bash.
pub fn bash<'a>(command: &str, description: &str) -> AnswerBlock<'a> {
    call("Bash", Object::new().str("command", command).str("description", description).done())
}

/// A call of Bash that is left running.
pub fn bash_in_background<'a>(command: &str, description: &str) -> AnswerBlock<'a> {
    let input =
        Object::new().str("command", command).str("description", description).bool("run_in_background", true);
    call("Bash", input.done())
}

fn output(generation: Generation, stdout: &str, stderr: &str) -> Object {
    Object::new()
        .str("stdout", stdout)
        .str("stderr", stderr)
        .bool("interrupted", false)
        .bool("isImage", false)
        .when(generation >= Generation::V2_1_80, |result| result.bool("noOutputExpected", false))
}

fn outcome(text: &str, result: Object) -> ToolOutcome {
    ToolOutcome { content: Json::text(text), result: Some(result.done()), is_error: Some(false) }
}

/// Bash ended and printed this.
pub fn bash_result(generation: Generation, stdout: &str, stderr: &str) -> ToolOutcome {
    let text = match (stdout, stderr) {
        (stdout, "") => stdout.to_owned(),
        ("", stderr) => stderr.to_owned(),
        both => format!("{}\n{}", both.0, both.1),
    };
    outcome(&text, output(generation, stdout, stderr))
}

/// Bash opened a pull request; newer clients note that in the result.
pub fn pull_request_result(generation: Generation, url: &str, number: u64) -> ToolOutcome {
    let request = Object::new().num("number", number).str("url", url).str("action", "created").done();
    let result = output(generation, url, "").when(generation >= Generation::V2_1_200, |result| {
        result.put("gitOperation", &Object::new().put("pr", &request).done())
    });
    outcome(url, result)
}

/// Bash printed more than fits: the text went to a file below `tool-results/`, a preview stays in the line.
pub fn bash_spilled(generation: Generation, stdout: &str, path: &str) -> ToolOutcome {
    let preview = clip(stdout, 2000);
    let size = stdout.len() as u64;
    let text = format!(
        "<persisted-output>\nOutput too large ({:.1}KB). Full output saved to: {path}\n\nPreview (first 2KB):\n{preview}\n...\n</persisted-output>",
        stdout.len() as f64 / 1024.0
    );
    let result = output(generation, clip(stdout, 30_000), "")
        .when(generation >= Generation::V2_1_80, |result| {
            result.str("persistedOutputPath", path).num("persistedOutputSize", size)
        });
    outcome(&text, result)
}

/// Bash was left running under this id.
pub fn bash_launched(generation: Generation, id: &Id, path: &str) -> ToolOutcome {
    let place = match generation {
        Generation::V1_0 | Generation::V2_0_29 | Generation::V2_0_55 => String::new(),
        _ => format!(". Output is being written to: {path}"),
    };
    let text = format!("Command running in background with ID: {id}{place}");
    outcome(&text, output(generation, "", "").str("backgroundTaskId", id.as_str()))
}

/// The notice that a command which ran in the background ended.
pub fn bash_notice(id: &Id, description: &str, path: &str, code: i32) -> String {
    format!(
        "<task-notification>\n<task-id>{id}</task-id>\n<output-file>{path}</output-file>\n<status>completed</status>\n\
         <summary>Background command \"{description}\" completed (exit code {code})</summary>\n</task-notification>\n\
         Read the output file to retrieve the result: {path}"
    )
}

/// The first bytes of a text, cut between characters.
fn clip(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
