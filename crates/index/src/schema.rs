//! The catalogue's tables, as SQL. What is in the columns is told in [`crate::table`].
//!
//! The views are what people ask; names that repeat (models, tools, paths) are kept once behind them.

/// Goes up whenever a table, a column or the meaning of one changes.
pub const VERSION: u32 = 6;

/// The whole schema.
pub const SQL: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE names (name INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

-- One row a file that the catalogue was made from. Numbers are never used again. `told` is how long the file was when the
-- text index was told of it.
CREATE TABLE files (
    file INTEGER PRIMARY KEY AUTOINCREMENT,
    root TEXT NOT NULL, folder TEXT NOT NULL, path TEXT NOT NULL, agent INTEGER NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, tail_hash INTEGER NOT NULL,
    side INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT -1
);
CREATE INDEX files_behind ON files (root) WHERE told <> size;

-- What all files of a root look like together.
CREATE TABLE roots (root TEXT PRIMARY KEY, files INTEGER NOT NULL, agents INTEGER NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;

-- Where the next reading of a file begins, and what the readings so far have left.
CREATE TABLE skeletons (
    file INTEGER PRIMARY KEY, resume_offset INTEGER NOT NULL, resume_lines INTEGER NOT NULL,
    rows INTEGER NOT NULL, body BLOB NOT NULL
);

-- How far the text index has come with a file. Loose units are told of a line that had no end yet.
CREATE TABLE text_states (file INTEGER PRIMARY KEY, size INTEGER NOT NULL, rows INTEGER NOT NULL, loose BLOB NOT NULL);

-- Files that the text index must forget.
CREATE TABLE forgotten (file INTEGER PRIMARY KEY);

-- Lines that are on no live thread, or before its last compaction, as ranges of rows.
CREATE TABLE row_states (file INTEGER PRIMARY KEY, dead BLOB NOT NULL, compacted BLOB NOT NULL);

-- The branch and the turn of each row, as runs.
CREATE TABLE placings (file INTEGER PRIMARY KEY, runs BLOB NOT NULL);

CREATE TABLE sessions (
    file INTEGER PRIMARY KEY, session_id TEXT NOT NULL, root TEXT NOT NULL, folder TEXT NOT NULL, path TEXT NOT NULL,
    project TEXT, home TEXT, repository TEXT, kind TEXT NOT NULL, title TEXT, title_source TEXT,
    first_time INTEGER, last_time INTEGER, active_ms INTEGER NOT NULL, bytes INTEGER NOT NULL, lines INTEGER NOT NULL,
    entries INTEGER NOT NULL, prompts INTEGER NOT NULL, turns INTEGER NOT NULL, messages INTEGER NOT NULL,
    tool_calls INTEGER NOT NULL, tool_errors INTEGER NOT NULL, files_written INTEGER NOT NULL,
    inline_agents INTEGER NOT NULL, compactions INTEGER NOT NULL, branches INTEGER NOT NULL,
    reachable_entries INTEGER NOT NULL, unreachable_entries INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL, cache_write_1h INTEGER NOT NULL, output_is_lower_bound INTEGER NOT NULL,
    problems INTEGER NOT NULL, takes_summary INTEGER NOT NULL, first_prompt TEXT, tools TEXT NOT NULL,
    models TEXT NOT NULL, versions TEXT NOT NULL, git_branches TEXT NOT NULL, entrypoints TEXT NOT NULL
);
CREATE INDEX sessions_by_time ON sessions (last_time DESC);
-- Rows of sessions are long: what is asked of all of them at once stands in these in short.
CREATE INDEX sessions_by_id ON sessions (session_id, kind);
CREATE INDEX sessions_by_title ON sessions (session_id, title, last_time, title_source) WHERE title_source <> 'first_prompt';
CREATE INDEX sessions_without_title ON sessions (root, folder) WHERE takes_summary;

CREATE TABLE agents (
    file INTEGER PRIMARY KEY, agent_id TEXT NOT NULL, session_id TEXT NOT NULL, root TEXT NOT NULL,
    folder TEXT NOT NULL, path TEXT NOT NULL, project TEXT, purpose TEXT NOT NULL, agent_type TEXT, description TEXT,
    tool_use_id TEXT, run TEXT, prompt TEXT, first_time INTEGER, last_time INTEGER, bytes INTEGER NOT NULL,
    messages INTEGER NOT NULL, tool_calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, problems INTEGER NOT NULL
);
CREATE INDEX agents_by_session ON agents (session_id);
CREATE INDEX agents_by_id ON agents (agent_id);

-- The names that plans of a session get.
CREATE TABLE slugs (file INTEGER NOT NULL, slug TEXT NOT NULL, PRIMARY KEY (file, slug)) WITHOUT ROWID;

-- By which numbers a session is found by its relatives: see `lineage::marks`. A file that changes keeps those it had: who
-- asks looks at the files themselves then.
CREATE TABLE kin (mark INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (mark, file)) WITHOUT ROWID;

-- What every message of a file was charged, packed (see `charge`): whoever adds them up reads all of them, and a row each would
-- take several times as long and twice the room. `charge_rows` makes rows of it.
CREATE TABLE charges (file INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE VIEW messages AS SELECT c.file, m.key AS number, m.value ->> 0 AS message_id, n.text AS model, m.value ->> 2 AS time,
    m.value ->> 3 AS line, m.value ->> 4 AS input_tokens, m.value ->> 5 AS output_tokens, m.value ->> 6 AS cache_read,
    m.value ->> 7 AS cache_write, m.value ->> 8 AS cache_write_1h, m.value ->> 9 AS web_searches, b.text AS git_branch
    FROM charges c, jsonb_each(charge_rows(c.body)) m
    LEFT JOIN names n ON n.name = m.value ->> 1 LEFT JOIN names b ON b.name = m.value ->> 10;

CREATE TABLE call_rows (
    file INTEGER NOT NULL, number INTEGER NOT NULL, tool_use_id TEXT, tool INTEGER NOT NULL, time INTEGER,
    line INTEGER NOT NULL, path INTEGER, result INTEGER NOT NULL, message INTEGER, PRIMARY KEY (file, number)
) WITHOUT ROWID;
CREATE VIEW calls AS SELECT c.file, c.number, c.tool_use_id, t.text AS tool, c.time, c.line, p.text AS path, c.result, c.message
    FROM call_rows c LEFT JOIN names t ON t.name = c.tool LEFT JOIN names p ON p.name = c.path;

CREATE TABLE touched_rows (
    file INTEGER NOT NULL, path INTEGER NOT NULL, reads INTEGER NOT NULL, writes INTEGER NOT NULL,
    tracked INTEGER NOT NULL, PRIMARY KEY (file, path)
) WITHOUT ROWID;
CREATE INDEX touched_by_path ON touched_rows (path);
CREATE VIEW touched AS SELECT r.file, p.text AS path, r.reads, r.writes, r.tracked
    FROM touched_rows r LEFT JOIN names p ON p.name = r.path;

CREATE TABLE prompts (
    file INTEGER NOT NULL, line INTEGER NOT NULL, turn INTEGER NOT NULL, time INTEGER, text TEXT NOT NULL,
    PRIMARY KEY (file, line)
) WITHOUT ROWID;

-- Which kind of agent a call asked for, by the agent that its result names.
CREATE TABLE made (file INTEGER NOT NULL, agent_id TEXT NOT NULL, agent_type TEXT NOT NULL, PRIMARY KEY (file, agent_id)) WITHOUT ROWID;
CREATE INDEX made_by_agent ON made (agent_id);

CREATE TABLE summaries (
    file INTEGER NOT NULL, number INTEGER NOT NULL, leaf BLOB, text TEXT NOT NULL, PRIMARY KEY (file, number)
) WITHOUT ROWID;
";

/// Everything that a file has left, beside its row in `files`.
pub const BY_FILE: [&str; 12] = [
    "skeletons",
    "placings",
    "row_states",
    "sessions",
    "agents",
    "charges",
    "call_rows",
    "touched_rows",
    "prompts",
    "made",
    "summaries",
    "slugs",
];
