//! Runs the independent judge (`tools/judge/baseline.py`) and reads what it says.
//!
//! The fields are told in `tools/judge/README.md`. Nothing is computed here: the point of the judge is
//! that no line of it is ours.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::workspace;

/// Names with how often each occurs.
pub type JudgedCounts = BTreeMap<String, u64>;

/// What the judge says about one root.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// The root as it was given.
    pub root: PathBuf,
    /// The files of entries, by path.
    pub files: Vec<FileVerdict>,
    /// Sums over the root.
    pub totals: Totals,
}

/// What the judge says about one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileVerdict {
    /// Relative to the root, with `/`.
    pub path: String,
    /// `session`, `agent` or `journal`, by the name.
    pub role: String,
    /// The file's stem.
    pub session: String,
    /// Size.
    pub bytes: u64,
    /// Pieces between newlines.
    pub lines: u64,
    /// Whole objects found.
    pub objects: u64,
    /// Lines of which something belongs to no object.
    pub broken_lines: u64,
    /// Objects by kind.
    pub entries_by_kind: JudgedCounts,
    /// The least timestamp, as written.
    pub first_time: Option<String>,
    /// The greatest timestamp, as written.
    pub last_time: Option<String>,
    /// What a person typed.
    pub prompts: u64,
    /// Distinct message ids.
    pub messages: u64,
    /// Assistant lines without a message id.
    pub anonymous_messages: u64,
    /// Distinct models, sorted.
    pub models: Vec<String>,
    /// Tool calls by name, each id once.
    pub tool_uses: JudgedCounts,
    /// Sums of usage, each message once.
    pub tokens: JudgedTokens,
}

/// Sums over a root.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Number of files.
    pub files: u64,
    /// Sum of sizes.
    pub bytes: u64,
    /// Sum of lines.
    pub lines: u64,
    /// Sum of objects.
    pub objects: u64,
    /// Sum of broken lines.
    pub broken_lines: u64,
    /// Sum of prompts; a copied prompt counts in each file.
    pub prompts: u64,
    /// Sum of messages; a copied message counts in each file.
    pub messages: u64,
    /// Objects by kind.
    pub entries_by_kind: JudgedCounts,
    /// Tool calls by name; a copied call counts in each file.
    pub tool_uses: JudgedCounts,
    /// Distinct models, sorted.
    pub models: Vec<String>,
    /// Sum of the files' usage; a copied message counts in each file.
    pub tokens: JudgedTokens,
    /// Distinct message ids over the whole root.
    pub unique_messages: u64,
    /// Usage with each message id once over the whole root.
    pub unique_tokens: JudgedTokens,
}

/// Sums of usage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedTokens {
    /// `input_tokens`.
    pub input: u64,
    /// `output_tokens`.
    pub output: u64,
    /// `cache_read_input_tokens`.
    pub cache_read: u64,
    /// `cache_creation_input_tokens`: the aggregate.
    pub cache_creation: u64,
    /// `cache_creation.ephemeral_5m_input_tokens`.
    pub cache_creation_5m: u64,
    /// `cache_creation.ephemeral_1h_input_tokens`.
    pub cache_creation_1h: u64,
    /// What was written to the cache in all: of each message the aggregate, or its parts where they come to more.
    pub cache_write: u64,
}

#[derive(Deserialize)]
struct Document {
    judge: u32,
    roots: Vec<Verdict>,
}

/// The version of the document that this module reads.
const DOCUMENT_VERSION: u32 = 1;

/// Asks the judge about some roots.
///
/// # Errors
/// A sentence that says what failed: no Python, the judge's own complaint, or a document of another shape.
pub fn ask(roots: &[impl AsRef<Path>]) -> Result<Vec<Verdict>, String> {
    let script = workspace().join("tools/judge/baseline.py");
    let output = Command::new("python3")
        .arg(&script)
        .args(roots.iter().map(AsRef::as_ref))
        .output()
        .map_err(|cause| format!("python3 cannot be started: {cause}"))?;
    if !output.status.success() {
        return Err(format!("{}: {}", script.display(), String::from_utf8_lossy(&output.stderr).trim()));
    }
    let document: Document =
        serde_json::from_slice(&output.stdout).map_err(|cause| format!("the judge's document: {cause}"))?;
    if document.judge != DOCUMENT_VERSION {
        return Err(format!("the judge's document has version {}, not {DOCUMENT_VERSION}", document.judge));
    }
    Ok(document.roots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::home::Store;

    fn judged(text: &str) -> FileVerdict {
        let store = Store::new().file("projects/-a/s.jsonl", text);
        ask(&[store.root()]).unwrap().remove(0).files.remove(0)
    }

    fn check(text: &str, lines: u64, objects: u64, broken: u64) {
        let file = judged(text);
        assert_eq!((file.lines, file.objects, file.broken_lines), (lines, objects, broken), "{text:?}");
    }

    #[test]
    fn lines_and_objects_are_counted_as_the_docstring_says() {
        let note = r#"{"type":"mode","sessionId":"x"}"#;
        check("", 0, 0, 0);
        check("\n", 1, 0, 0);
        check(note, 1, 1, 0);
        check(&format!("{note}\r\n\n{note}\n"), 3, 2, 0);
        check(&format!("\u{feff}{note}{note}\n"), 1, 2, 0);
        check(&format!("{{\"type\":\"us{note}\n"), 1, 1, 1);
        check(r#"{"type":"user","message":{"content":[{"type":"text","text":"a"}]"#, 1, 0, 1);
        check(&format!("\0\0\0{note}\ngarbage\n"), 2, 1, 1);
    }

    #[test]
    fn usage_counts_once_per_message() {
        let line = |output: u64| {
            format!(
                r#"{{"type":"assistant","message":{{"id":"m","model":"x","usage":{{"input_tokens":7,"output_tokens":{output}}},"content":[{{"type":"tool_use","id":"t","name":"Bash"}}]}}}}"#
            )
        };
        let file = judged(&format!("{}\n{}\n{}\n", line(3), line(120), line(3)));
        assert_eq!((file.messages, file.tokens.input, file.tokens.output), (1, 7, 120));
        assert_eq!(file.tool_uses, JudgedCounts::from([("Bash".to_owned(), 1)]));
    }

    #[test]
    fn prompts_are_told_from_what_the_client_writes() {
        let user = |content: &str, more: &str| {
            format!(r#"{{"type":"user","message":{{"role":"user","content":{content}}}{more}}}"#)
        };
        let text = [
            user(r#""hello""#, ""),
            user(r#"[{"type":"text","text":"hello"},{"type":"image"}]"#, ""),
            user(r#""hello""#, r#","isMeta":true"#),
            user(r#""hello""#, r#","isSidechain":true"#),
            user(r#""summary""#, r#","isCompactSummary":true"#),
            user(r#""<command-name>/clear</command-name>""#, ""),
            user(r#"[{"type":"text","text":"[Request interrupted by user]"}]"#, ""),
            user(r#"[{"type":"tool_result","tool_use_id":"t","content":"hello"}]"#, ""),
        ];
        assert_eq!(judged(&text.join("\n")).prompts, 2);
    }
}
