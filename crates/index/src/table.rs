//! The rows of the catalogue's tables. `scrollback index tables` prints these comments; docs/catalogue.md tells the same.

use crate::row::row;

row! {
    /// One row per session file.
    SessionRow of "sessions" {
        /// The file: see `files`.
        file: i64,
        /// The session's id: the stem of its file name.
        session_id: String,
        /// The store it is in.
        root: String,
        /// The folder below `projects/`.
        folder: String,
        /// Where the file is.
        path: String,
        /// The directory that it was started in.
        project: Option<String>,
        /// The directory that its file is stored under now, if it is another one.
        home: Option<String>,
        /// The main checkout of the repository, if known.
        repository: Option<String>,
        /// `conversation`, `background`, `empty`, `stub`, `side_notes`, `ghost`, `unreadable`.
        kind: String,
        /// Its title.
        title: Option<String>,
        /// `custom`, `ai`, `summary`, `first_prompt`.
        title_source: Option<String>,
        /// The earliest time on any line, in milliseconds since 1970.
        first_time: Option<i64>,
        /// The latest time on any line.
        last_time: Option<i64>,
        /// Total duration of its turns, in milliseconds.
        active_ms: i64,
        /// Bytes of its file.
        bytes: i64,
        /// Lines of its file.
        lines: i64,
        /// Entries.
        entries: i64,
        /// Prompts on the live thread.
        prompts: i64,
        /// Turns on the live thread.
        turns: i64,
        /// API messages.
        messages: i64,
        /// Tool calls.
        tool_calls: i64,
        /// Results of tools that were errors.
        tool_errors: i64,
        /// Files that tools changed.
        files_written: i64,
        /// Agents in the session's own file; others are in `agents`.
        inline_agents: i64,
        /// Compactions.
        compactions: i64,
        /// Branches: conversations abandoned by rewinds and edits.
        branches: i64,
        /// Lines of the tree on the live thread.
        reachable_entries: i64,
        /// Lines of the tree that are not.
        unreachable_entries: i64,
        /// Input tokens, each message once.
        input_tokens: i64,
        /// Output tokens.
        output_tokens: i64,
        /// Tokens read from the cache.
        cache_read: i64,
        /// Tokens written to the cache.
        cache_write: i64,
        /// Of these, with a lifetime of five minutes.
        cache_write_5m: i64,
        /// Of these, with a lifetime of one hour.
        cache_write_1h: i64,
        /// Are the output tokens only a lower bound?
        output_is_lower_bound: bool,
        /// Problems in the file.
        problems: i64,
        /// May a `summary` line of its folder give it a title?
        takes_summary: bool,
        /// The first prompt, the title of last resort.
        first_prompt: Option<String>,
        /// Tools, as JSON: `[{"tool", "calls", "errors", "unanswered"}]`.
        tools: String,
        /// Models, as JSON: `[{"name", "count"}]`.
        models: String,
        /// Client versions, as JSON.
        versions: String,
        /// Git branches, as JSON.
        git_branches: String,
        /// How the client was started, as JSON.
        entrypoints: String,
    }
}

row! {
    /// One row per agent file.
    AgentRow of "agents" {
        /// The file: see `files`.
        file: i64,
        /// The agent's id.
        agent_id: String,
        /// The session that it belongs to.
        session_id: String,
        /// The store it is in.
        root: String,
        /// The folder below `projects/`.
        folder: String,
        /// Where the file is.
        path: String,
        /// The directory of its first line.
        project: Option<String>,
        /// `task`, `workflow`, `fork`, `warmup`, `prompt_suggestion`, `aside`, `compaction`.
        purpose: String,
        /// The type of agent, such as `general-purpose`, if known.
        agent_type: Option<String>,
        /// The caller's description of the task, if known.
        description: Option<String>,
        /// The tool call that started it, if known.
        tool_use_id: Option<String>,
        /// The workflow run that it belongs to.
        run: Option<String>,
        /// Its first prompt, cut.
        prompt: Option<String>,
        /// The earliest time on any line, in milliseconds since 1970.
        first_time: Option<i64>,
        /// The latest time on any line.
        last_time: Option<i64>,
        /// Bytes of its file.
        bytes: i64,
        /// API messages.
        messages: i64,
        /// Tool calls.
        tool_calls: i64,
        /// Input tokens, each message once.
        input_tokens: i64,
        /// Output tokens.
        output_tokens: i64,
        /// Tokens read from the cache.
        cache_read: i64,
        /// Tokens written to the cache.
        cache_write: i64,
        /// Problems in the file.
        problems: i64,
    }
}

/// A table's name, what it holds, its columns with what they hold.
pub type OtherTable = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The tables that people may ask, beside `sessions` and `agents`: name, what it holds, columns with what they hold.
pub const OTHERS: &[OtherTable] = &[
    (
        "files",
        " One row per file in the index.",
        &[
            ("file", " Its number."),
            ("root", " The store."),
            ("folder", " The folder below `projects/`."),
            ("path", " Where it is."),
            ("agent", " Is it an agent's file?"),
            ("size", " Its size when it was read."),
            ("mtime_ns", " Its modification time then."),
        ],
    ),
    (
        "messages",
        " One row per API message of a file, however many lines it has.",
        &[
            ("file", " The file."),
            ("number", " Its place in the file."),
            ("message_id", " `message.id`."),
            ("model", " The model."),
            ("time", " Its first line's time, in milliseconds since 1970."),
            ("line", " Its first line."),
            ("input_tokens", " Tokens sent."),
            ("output_tokens", " Tokens received."),
            ("cache_read", " Tokens read from the cache."),
            ("cache_write", " Tokens written to the cache."),
            ("cache_write_1h", " Of these, with a lifetime of one hour."),
            ("web_searches", " Web searches that the API made for it."),
            ("git_branch", " The git branch that was checked out."),
        ],
    ),
    (
        "calls",
        " One row per tool call of a file.",
        &[
            ("file", " The file."),
            ("number", " Its place in the file."),
            ("tool_use_id", " `tool_use.id`, of calls that may make an agent."),
            ("tool", " The tool."),
            ("time", " The time of its line."),
            ("line", " Its line."),
            ("path", " The file that it reads or writes."),
            ("result", " 0: no result, 1: a result, 2: an error."),
            ("message", " The message that makes it: `number` in `messages`."),
        ],
    ),
    (
        "touched",
        " One row per file that tools of a session or agent read or wrote, or that its checkpoints or attachments name.",
        &[
            ("file", " The session's or agent's file."),
            ("path", " The path as recorded: absolute, or relative to the working directory."),
            ("reads", " How often it was read."),
            ("writes", " How often it was written."),
            ("tracked", " Does a checkpoint or an attachment name it?"),
        ],
    ),
    (
        "prompts",
        " One row per prompt on the live thread.",
        &[
            ("file", " The file."),
            ("line", " Its line."),
            ("turn", " Its turn."),
            ("time", " Its time."),
            ("text", " Its first 300 bytes or so."),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::{AgentRow, OTHERS, SessionRow};

    #[test]
    fn the_page_about_the_catalogue_tells_every_column() {
        let page = include_str!("../../../docs/catalogue.md");
        let rows = [("sessions", SessionRow::COLUMNS), ("agents", AgentRow::COLUMNS)];
        let others = OTHERS.iter().map(|(table, _, columns)| (*table, *columns));
        for (table, columns) in rows.into_iter().chain(others) {
            let (_, section) = page.split_once(&format!("\n### `{table}`\n")).expect(table);
            let section = section.split("\n### ").next().unwrap_or_default();
            let told: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
            let expected: Vec<String> =
                columns.iter().map(|(column, about)| format!("| `{column}` |{about} |")).collect();
            assert_eq!(told, expected, "{table}");
        }
    }
}
