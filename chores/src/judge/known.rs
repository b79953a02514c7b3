//! The generated corpus, whose totals its maker wrote down while it wrote: what we read must add up to them.

use std::collections::BTreeMap;
use std::path::Path;

use scrollback_app::library::Library;
use scrollback_app::load::Loader;
use scrollback_app::{FileKind, Root, verify};
use scrollback_model::tokens::Tokens;
use serde_json::Value;

/// Every difference between a generated store and its `TOTALS.json`, as a sentence.
pub fn disagreements(corpus: &Path) -> Result<Vec<String>, String> {
    let read = std::fs::read(corpus.join("TOTALS.json")).map_err(|cause| cause.to_string())?;
    let known: Value = serde_json::from_slice(&read).map_err(|cause| cause.to_string())?;
    let library = Library::open(vec![Root::new(corpus.join("store"))]).map_err(|cause| cause.to_string())?;
    let mut targets = verify::targets(&library);
    targets.retain(|target| !target.path.ends_with("history.jsonl"));
    let ours = verify::verify(&[], &targets, &|_| {});
    let problem = |class: &str| {
        ours.problems.iter().find(|problem| problem.class.name() == class).map_or(0, |problem| problem.count)
    };
    let number = |path: &str| known.pointer(path).and_then(Value::as_u64).unwrap_or(u64::MAX);
    let with_copies = |path: &str| number(&format!("/{path}")) + number(&format!("/copied/{path}"));
    let sum = Sum::of(&targets)?;
    let mut rows = vec![
        ("files", ours.files, number("/jsonl/files")),
        ("bytes", ours.bytes, number("/jsonl/bytes")),
        ("torn tails", problem("torn_line"), number("/problems/torn_tails")),
        ("glued lines", problem("glued_objects"), number("/problems/glued_lines")),
        ("stubs before an entry", problem("stub"), number("/problems/stub_before_entry")),
        ("NUL runs", problem("nul_run"), number("/problems/nul_runs")),
        ("messages", sum.messages, with_copies("messages")),
        ("input tokens", sum.tokens.input, with_copies("tokens/input")),
        ("output tokens", sum.tokens.output, with_copies("tokens/output")),
        ("cache reads", sum.tokens.cache_read, with_copies("tokens/cache_read")),
        ("5 minute writes", sum.tokens.cache_write_5m, with_copies("tokens/cache_creation_5m")),
        ("1 hour writes", sum.tokens.cache_write_1h, with_copies("tokens/cache_creation_1h")),
        ("mismatches", ours.mismatches.len() as u64, 0),
        ("unknown kinds", ours.unknown_kinds.len() as u64, 0),
        ("unknown fields", ours.unknown_fields.len() as u64, 0),
    ];
    let tools = known["tool_calls"].as_object().cloned().unwrap_or_default();
    for (tool, count) in &tools {
        let copied = known["copied"]["tool_calls"][tool].as_u64().unwrap_or(0);
        let found = sum.tools.get(tool).copied().unwrap_or(0);
        rows.push((tool.as_str(), found, count.as_u64().unwrap_or(0) + copied));
    }
    let differing = rows.iter().filter(|(_, ours, known)| ours != known);
    Ok(differing.map(|(what, ours, known)| format!("{what}: {ours} read, {known} written")).collect())
}

/// What all files of a store hold together, each file by itself.
#[derive(Default)]
struct Sum {
    messages: u64,
    tokens: Tokens,
    tools: BTreeMap<String, u64>,
}

impl Sum {
    fn of(targets: &[verify::VerifyTarget]) -> Result<Self, String> {
        let mut sum = Self::default();
        let mut loader = Loader::new();
        for target in targets {
            let transcript =
                loader.transcript(&target.path, FileKind::Session).map_err(|cause| cause.to_string())?;
            // What the client made up in place of an answer is no message of the API's.
            let made_up = |model| transcript.text(model) == "<synthetic>";
            let of_api = transcript.messages.iter().filter(|message| !message.model.is_some_and(made_up));
            sum.messages += of_api.count() as u64;
            sum.tokens += transcript.tokens();
            for call in &transcript.calls {
                *sum.tools.entry(transcript.text(call.tool).to_owned()).or_default() += 1;
            }
        }
        Ok(sum)
    }
}
