//! `cargo xtask docs [--check]`: the reference of the `--json` documents, made from the view models' own comments.
//!
//! The types that are printed are the documentation: a field without a comment does not compile without a warning,
//! so this cannot lag behind. It reads source text only and never runs the program.

mod view;

use std::fmt::Write as _;
use std::path::PathBuf;

use view::{View, views};

/// What each command prints, by the name of its view model.
const COMMANDS: [(&str, &str); 44] = [
    ("scrollback", "Overview"),
    ("scrollback ls", "Listing"),
    ("scrollback show", "Shown"),
    ("scrollback tree", "TreeView"),
    ("scrollback info", "Info"),
    ("scrollback resume --explain", "Explained"),
    ("scrollback fork, trim, rename, move, rm", "Edited"),
    ("scrollback undo", "RecordView"),
    ("scrollback journal", "RecordView"),
    ("scrollback files ls", "SessionFileList"),
    ("scrollback files log", "FileLog"),
    ("scrollback files show", "FileShown"),
    ("scrollback files diff", "FileDiff"),
    ("scrollback files restore, files rewind", "Edited"),
    ("scrollback search", "Found"),
    ("scrollback grep", "GrepReport"),
    ("scrollback index", "IndexStatus"),
    ("scrollback verify", "Verdict"),
    ("scrollback schema", "Census"),
    ("scrollback claims", "Claims"),
    ("scrollback usage", "UsageView"),
    ("scrollback usage blocks", "BlockView"),
    ("scrollback usage audit", "AuditView"),
    ("scrollback usage time", "TimeView"),
    ("scrollback usage recorded", "RecordedView"),
    ("scrollback usage compare", "CompareView"),
    ("scrollback usage ledger", "LedgerView"),
    ("scrollback du", "Du"),
    ("scrollback orphans", "Orphans"),
    ("scrollback retention", "Retention"),
    ("scrollback where DIR", "DirectoryView"),
    ("scrollback where FOLDER", "FolderView"),
    ("scrollback tag, pin, hide", "MarkView"),
    ("scrollback trash", "TrashedView"),
    ("scrollback history", "HistoryView"),
    ("scrollback todos, tasks", "TodosView"),
    ("scrollback plans", "PlansView"),
    ("scrollback settings", "SettingsView"),
    ("scrollback ps", "PsView"),
    ("scrollback tail", "TurnPart"),
    ("scrollback watch", "WatchEvent"),
    ("scrollback logs", "LogView"),
    ("scrollback definitions", "DefinitionsView"),
    ("scrollback snapshots", "SnapshotsView"),
];

const HEAD: &str = "\
# The `--json` documents

<!-- Made by `cargo xtask docs` from the comments of the view models; do not edit. -->

Every command that lists prints one JSON document with `--json`. Names are snake_case and mean the same everywhere: a
session is always `session_id`, an agent `agent_id`, an entry `uuid`, a line `line` (counted from 1), a byte in a file
`offset`, a time RFC 3339 in UTC, a duration `…_ms`. What is not known is `null`; lists are never left out. New fields may be
added; names and meanings of those that are here stay. `scrollback where FOLDER` prints a list, since several roots may have
the folder, and so do `scrollback journal`, `tag`, `pin`, `hide`, `trash` and `settings` (one a root). What has no end is one
document a line: `scrollback tail`, `watch`, and `logs --follow` (a `LogEntry` each).

";

/// Writes the reference, or checks that it is up to date.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let path = scrollback_testkit::workspace().join("docs/json.md");
    let text = render()?;
    match arguments {
        [] => std::fs::write(&path, text).map_err(|cause| cause.to_string()),
        [flag] if flag == "--check" => {
            let written = std::fs::read_to_string(&path).unwrap_or_default();
            if written == text {
                Ok(())
            } else {
                Err("docs/json.md is out of date: run cargo xtask docs".into())
            }
        }
        _ => Err("usage: cargo xtask docs [--check]".into()),
    }
}

fn render() -> Result<String, String> {
    let views = all()?;
    let mut text = HEAD.to_owned();
    text.push_str("| command | document |\n|---|---|\n");
    for (command, name) in COMMANDS {
        find(&views, name)?;
        let _ = writeln!(text, "| `{command} --json` | [{name}](#{}) |", name.to_lowercase());
    }
    let mut named: Vec<String> = COMMANDS.iter().map(|(_, name)| (*name).to_owned()).collect();
    named.dedup();
    let mut at = 0;
    while let Some(name) = named.get(at).cloned() {
        at += 1;
        let view = find(&views, &name)?;
        section(&mut text, view);
        for used in view.uses() {
            if views.iter().any(|view| view.name == used) && !named.contains(&used) {
                named.push(used);
            }
        }
    }
    Ok(text)
}

fn section(text: &mut String, view: &View) {
    let _ = write!(text, "\n## {}\n\n{}\n\n", view.name, view.comment);
    for (variant, fields) in &view.parts {
        if !variant.name.is_empty() {
            let _ = write!(text, "`\"type\": \"{}\"`: {}\n\n", variant.name, variant.comment);
        }
        if fields.is_empty() {
            continue;
        }
        text.push_str("| field | type | meaning |\n|---|---|---|\n");
        for field in fields {
            let comment = field.comment.replace('|', "\\|");
            let _ = writeln!(text, "| `{}` | {} | {comment} |", field.name, field.kind_in_words());
        }
        text.push('\n');
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
}

fn find<'v>(views: &'v [View], name: &str) -> Result<&'v View, String> {
    views.iter().find(|view| view.name == name).ok_or_else(|| format!("there is no view model {name}"))
}

fn all() -> Result<Vec<View>, String> {
    let workspace = scrollback_testkit::workspace();
    let mut files: Vec<PathBuf> = Vec::new();
    let dirs = [
        "crates/app/src",
        "crates/app/src/edit",
        "crates/app/src/files",
        "crates/app/src/grep",
        "crates/app/src/resume",
        "crates/app/src/search",
        "crates/app/src/settings",
        "crates/app/src/stock",
        "crates/app/src/usage",
        "crates/cli/src",
        "crates/cli/src/commands",
        "crates/cli/src/commands/files",
    ];
    for dir in dirs {
        let entries = std::fs::read_dir(workspace.join(dir)).map_err(|cause| cause.to_string())?;
        files.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()));
    }
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let source = std::fs::read_to_string(&path).map_err(|cause| cause.to_string())?;
        found.extend(views(&source));
    }
    Ok(found)
}
