//! The list of all documents: their names, versions, and what each holds. Docs, schemas and tests are made from it.

use scrollback_files::diff::FileDiff;
use scrollback_files::history::{FileLog, FileShown};
use scrollback_files::listing::SessionFileList;
use scrollback_inspect::census::Census;
use scrollback_inspect::claims::Claims;
use scrollback_inspect::settings::SettingsView;
use scrollback_inspect::stock::du::Du;
use scrollback_inspect::stock::orphans::Orphans;
use scrollback_inspect::stock::retention::Retention;
use scrollback_inspect::verify::VerifyReport;
use scrollback_search::grep::view::GrepReport;
use scrollback_search::search::SearchResults;
use scrollback_session::catalogue::IndexStatus;
use scrollback_session::error::{AppError, Noun};
use scrollback_session::view::SessionView;
use scrollback_usage::audit::AuditView;
use scrollback_usage::block::UsageBlock;
use scrollback_usage::compare::CompareView;
use scrollback_usage::ledger::LedgerView;
use scrollback_usage::recorded::RecordedView;
use scrollback_usage::status_line::StatusLine;
use scrollback_usage::time::TimeView;
use scrollback_usage::view::UsageView;

use crate::definition::DefinitionsView;
use crate::document::{Document, DocumentKind, DocumentView};
use crate::edits::Edited;
use crate::follow::TurnPart;
use crate::history::HistoryView;
use crate::info::Info;
use crate::listing::Listing;
use crate::log::{LogEntry, LogView};
use crate::overview::Overview;
use crate::picking::PickCandidate;
use crate::plan::PlansView;
use crate::ps::PsView;
use crate::request::index::IndexCleared;
use crate::request::resume::Explained;
use crate::request::sample::SampleWritten;
use crate::request::show::Shown;
use crate::snapshot::SnapshotsView;
use crate::tables::{SqlAnswer, TableView};
use crate::todo::TodosView;
use crate::watch::WatchEvent;
use crate::whereis::Whereabouts;
use scrollback_edit::trash::{EmptiedView, TrashedView};
use scrollback_edit::{RecordView, UndoneView};
use scrollback_session::marks::MarkView;
use scrollback_session::resume::command::ResumeCommand;
use scrollback_session::tree::TreeView;

macro_rules! documents {
    ($($(#[$list:ident])? $name:literal $version:literal $type:ty: $about:literal;)*) => {
        $(impl Document for $type {
            const NAME: &'static str = $name;
            const VERSION: u32 = $version;
            $(documents!(@$list);)?
        })*

        /// Every document, in the order of the help.
        pub const ALL: &[DocumentKind] = &[$(DocumentKind::of::<$type>($about)),*];
    };
    (@list) => { const IS_LIST: bool = true; };
}

documents! {
    "ls" 1 Listing: "Sessions that match, newest first or as sorted.";
    "show" 1 Shown: "A conversation, turn by turn.";
    "search" 1 SearchResults: "Sessions with matching messages, best first.";
    "pick" 1 SessionView: "The session that was picked.";
    #[list] "pick-candidates" 1 Vec<PickCandidate>: "The conversations that can be picked, with their prompts.";
    "files-ls" 1 SessionFileList: "The files of a session, with their versions.";
    "files-log" 1 FileLog: "The versions of a file over all sessions, newest first.";
    "files-show" 1 FileShown: "A version of a file, with its text.";
    "files-diff" 1 FileDiff: "Two versions of files, compared.";
    "grep" 1 GrepReport: "Files with matching entries, in the order of their paths.";
    #[list] "json-schema" 1 Vec<DocumentView>: "The documents that `--json` prints.";
    "where" 1 Whereabouts: "The folder names of a directory, or the directories of a folder.";
    "index" 1 IndexStatus: "How the index stands; also printed by `index refresh`.";
    "index-sql" 1 SqlAnswer: "The rows of a SELECT statement over the index.";
    #[list] "index-tables" 1 Vec<TableView>: "The tables of the index and their columns.";
    "index-clear" 1 IndexCleared: "Where the index was that `index clear` deleted.";
    "sample" 1 SampleWritten: "Where the built-in sample was written to.";
    "overview" 1 Overview: "What is in the store: projects, sizes, newest conversations.";
    "usage" 1 UsageView: "Token usage and cost, by day or by something else.";
    #[list] "usage-blocks" 1 Vec<UsageBlock>: "Five-hour blocks, oldest first.";
    "usage-audit" 1 AuditView: "From raw lines to money: what each rule dropped.";
    "usage-statusline" 1 StatusLine: "What one session has cost so far.";
    "usage-time" 1 TimeView: "Where the time of a session went.";
    "usage-recorded" 1 RecordedView: "Totals recorded by clients, beside calculated ones.";
    "usage-compare" 1 CompareView: "Our sums beside those of another tool.";
    "usage-ledger" 1 LedgerView: "Whether a ledger is kept.";
    "du" 1 Du: "Disk usage by area, project, session and more.";
    "orphans" 1 Orphans: "Files that belong to no session any more.";
    "retention" 1 Retention: "What the client will delete, and when.";
    "history" 1 HistoryView: "Prompts of all projects, newest first.";
    "todos" 1 TodosView: "Todo lists or task lists, newest first.";
    "plans" 1 PlansView: "Plans with the sessions that made them.";
    #[list] "settings" 1 Vec<SettingsView>: "The client's settings, one object per store.";
    "ps" 1 PsView: "Running clients, and what ended ones left behind.";
    "definitions" 1 DefinitionsView: "Agents, commands, skills and output styles.";
    "snapshots" 1 SnapshotsView: "Shell snapshots, newest first.";
    "verify" 1 VerifyReport: "Problems found in every file, and what FORMAT.md does not describe.";
    "schema" 1 Census: "Kinds and fields of entries by client version.";
    "claims" 1 Claims: "Claims about the format, checked against this store.";
    "resume" 1 ResumeCommand: "The command that resumes a session in the client, printed by `resume --print`.";
    "resume-explain" 1 Explained: "What one or two clients would send if they resumed a session.";
    "tree" 1 TreeView: "The threads of a session, with its compactions and agents.";
    "info" 1 Info: "Everything about one session, and what in the store belongs to it.";
    "tail" 1 TurnPart: "What is new in one turn of a session, one object per line.";
    "watch" 1 WatchEvent: "Something that happened in a session, one object per line.";
    "logs" 1 LogView: "The client's own log of a session, or its last entries.";
    "logs-follow" 1 LogEntry: "An entry of a log that is followed, one object per line.";
    "edit" 1 Edited: "An edit, planned or made (`fork`, `trim`, `split`, `merge`, `rename`, `move`, `rm`, `files restore`, `files rewind`).";
    #[list] "marks" 1 Vec<MarkView>: "Tags, pins and hidden sessions after a change (`tag`, `pin`, `hide`).";
    #[list] "trash" 1 Vec<TrashedView>: "What edits have removed, newest first.";
    #[list] "trash-empty" 1 Vec<EmptiedView>: "What was deleted for good.";
    "undo" 1 UndoneView: "What an undo, or a restore from the trash, has done.";
    #[list] "journal" 1 Vec<RecordView>: "The edits that were made, newest first.";
}

/// The document of this name.
pub fn find(name: &str) -> Result<&'static DocumentKind, AppError> {
    ALL.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let mut near: Vec<&str> = ALL.iter().map(|kind| kind.name).collect();
        near.sort_by(|a, b| strsim::jaro_winkler(name, b).total_cmp(&strsim::jaro_winkler(name, a)));
        let near = near.into_iter().take(3).map(str::to_owned).collect();
        AppError::NotFound { what: Noun::Document, wanted: name.to_owned(), near }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::*;

    /// Documents about sessions, which share their words.
    const OF_SESSIONS: [&str; 5] = ["ls", "show", "tree", "info", "tail"];

    fn properties(schema: &Value, found: &mut dyn FnMut(&str, &str)) {
        match schema {
            Value::Array(items) => items.iter().for_each(|item| properties(item, found)),
            Value::Object(fields) => {
                // The lines of a hunk are called as in the client's `structuredPatch`.
                let is_hunk = fields.get("properties").is_some_and(|known| known.get("old_start").is_some());
                for (name, field) in fields.get("properties").and_then(Value::as_object).into_iter().flatten()
                {
                    for kind in ["integer", "array"] {
                        let is_kind = |value: &Value| value == kind;
                        let kinds = field.get("type");
                        let listed =
                            kinds.and_then(Value::as_array).is_some_and(|all| all.iter().any(is_kind));
                        if !is_hunk && (kinds.is_some_and(is_kind) || listed) {
                            found(name, kind);
                        }
                    }
                }
                fields.values().for_each(|value| properties(value, found));
            }
            _ => {}
        }
    }

    #[test]
    fn no_name_is_a_number_in_one_document_of_sessions_and_a_list_in_another() {
        let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for name in OF_SESSIONS {
            let schema = find(name).unwrap().schema().to_value();
            properties(&schema, &mut |name, kind| {
                kinds.entry(name.to_owned()).or_default().insert(kind.to_owned());
            });
        }
        assert!(kinds.len() > 50, "the schemas were read");
        let both: Vec<&String> =
            kinds.iter().filter(|(_, kinds)| kinds.len() > 1).map(|(name, _)| name).collect();
        assert_eq!(both, [""; 0], "a count is `<noun>s`, a list `<noun>_list`, ids are `<noun>_ids`");
    }
}
