//! The catalogue: a SQLite database of what every session file holds. Opening, versions, stamps, skeletons.

mod ask;
mod charges;
mod kin;
mod roots;
mod rows;
mod sessions;
mod titles;
mod touched;
mod write;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::{Connection, OptionalExtension, params};
use scrollback_format::stamp::Stamp;
use scrollback_model::skeleton;
use scrollback_model::transcript::Transcript;

use crate::charge;
use crate::error::IndexError;
use crate::plan::Known;
use crate::ranges::RowRanges;
use crate::schema;

pub use ask::{Answer, Cell};
pub use charges::ChargedFile;
pub use sessions::{AGENTS, Brief, Condition, ProjectRow, Titled};
pub use touched::Touching;
pub use write::{Batch, Digest, PromptRow};

/// The open catalogue.
#[derive(Debug)]
pub struct Catalogue {
    connection: Connection,
    /// Is a statement of the user's being taken?
    guarded: Arc<AtomicBool>,
}

/// What readings of a file have left.
#[derive(Debug)]
pub struct Skeleton {
    /// Offset of the first byte that is not in it.
    pub resume_offset: u64,
    /// Lines before that.
    pub resume_lines: u64,
    /// The rows of whole lines.
    pub transcript: Transcript,
}

/// A file as the catalogue keeps it: taking it apart needs no catalogue, and can be done elsewhere.
#[derive(Debug)]
pub struct StoredFile {
    /// Where it is.
    pub path: String,
    /// Its length when it was read.
    pub size: u64,
    resume: (u64, u64),
    body: Vec<u8>,
    /// The branch and the turn of each row.
    pub placing: Vec<u8>,
}

impl StoredFile {
    /// What the readings of it have left.
    pub fn skeleton(&self) -> Result<Skeleton, IndexError> {
        let (resume_offset, resume_lines) = self.resume;
        Ok(Skeleton { resume_offset, resume_lines, transcript: decoded(&self.body)? })
    }
}

/// How far the text index has come with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextState {
    /// The file.
    pub file: i64,
    /// Its length then.
    pub size: u64,
    /// Rows that were told.
    pub rows: u32,
    /// Keys of units that were told of a line without an end.
    pub loose: Vec<u64>,
}

/// A file that the text index does not have as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    /// The file.
    pub file: i64,
    /// Where it is.
    pub path: String,
    /// Its length.
    pub size: u64,
    /// How far the text index has come with it.
    pub told: Option<TextState>,
}

fn decoded(body: &[u8]) -> Result<Transcript, IndexError> {
    skeleton::decode(body).ok_or(IndexError::Damaged("a skeleton cannot be read"))
}

/// A row of file, path, size, mtime_ns, inode, tail_hash, side.
fn known(row: &rusqlite::Row<'_>) -> rusqlite::Result<Known> {
    let stamp = Stamp {
        size: row.get::<_, i64>(2)? as u64,
        mtime_ns: row.get(3)?,
        inode: row.get::<_, i64>(4)? as u64,
        tail_hash: row.get::<_, i64>(5)? as u64,
    };
    Ok(Known { file: row.get(0)?, path: row.get(1)?, stamp, side: row.get(6)? })
}

fn version() -> String {
    format!("{}.{}", schema::VERSION, skeleton::VERSION)
}

impl Catalogue {
    /// Opens the catalogue of this file, made if it is not there.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(10))?;
        connection.execute_batch(
            "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000;
             PRAGMA mmap_size = 268435456; PRAGMA temp_store = MEMORY;",
        )?;
        Self::prepare(connection)
    }

    /// A catalogue of this process alone, in a file without a name that goes away with it.
    pub fn private() -> Result<Self, IndexError> {
        let connection = Connection::open("")?;
        connection.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000;",
        )?;
        Self::prepare(connection)
    }

    fn prepare(mut connection: Connection) -> Result<Self, IndexError> {
        let guarded = Arc::new(AtomicBool::new(false));
        let guard = guarded.clone();
        connection.authorizer(Some(move |context: AuthContext<'_>| {
            if guard.load(Ordering::Relaxed) { ask::may(&context) } else { Authorization::Allow }
        }))?;
        connection.set_prepared_statement_cache_capacity(64);
        // SQLite's own `lower` knows ASCII alone.
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        connection.create_scalar_function("lowercase", 1, flags, |context| {
            Ok(context.get::<Option<String>>(0)?.map(|text| text.to_lowercase()))
        })?;
        connection.create_scalar_function("charge_rows", 1, flags, |context| {
            let body = context.get_raw(0).as_blob_or_null()?.unwrap_or_default();
            charge::rows(body)
                .ok_or_else(|| rusqlite::Error::UserFunctionError("charges cannot be read".into()))
        })?;
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        if tables == 0 {
            // Two processes may come here at once: one makes the tables, the other waits and finds them.
            connection.execute_batch("BEGIN IMMEDIATE")?;
            let tables: i64 =
                connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
            if tables == 0 {
                connection.execute_batch(schema::SQL)?;
                connection.execute("INSERT INTO meta VALUES ('version', ?1)", [version()])?;
            }
            connection.execute_batch("COMMIT")?;
        }
        let catalogue = Self { connection, guarded };
        match catalogue.meta::<String>("version") {
            Ok(Some(found)) if found == version() => Ok(catalogue),
            Ok(found) => Err(IndexError::OtherVersion { found: found.unwrap_or_else(|| "none".into()) }),
            Err(error) if error.is_busy() => Err(error),
            Err(_) => Err(IndexError::OtherVersion { found: "unknown".into() }),
        }
    }

    /// A value that is kept under a name.
    pub fn meta<T: rusqlite::types::FromSql>(&self, key: &str) -> Result<Option<T>, IndexError> {
        let sql = "SELECT value FROM meta WHERE key = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([key], |row| row.get(0)).optional()?)
    }

    /// Keeps a number under a name.
    pub fn set_meta(&self, key: &str, value: i64) -> Result<(), IndexError> {
        let sql = "INSERT OR REPLACE INTO meta VALUES (?1, ?2)";
        self.connection.prepare_cached(sql)?.execute(params![key, value])?;
        Ok(())
    }

    /// The files of a root, as they were last seen.
    pub fn known(&self, root: &str) -> Result<Vec<Known>, IndexError> {
        let sql = "SELECT file, path, size, mtime_ns, inode, tail_hash, side FROM files WHERE root = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map([root], known)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// What the readings of a file have left.
    pub fn skeleton(&self, file: i64) -> Result<Option<Skeleton>, IndexError> {
        let sql = "SELECT resume_offset, resume_lines, body FROM skeletons WHERE file = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([file])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let body = row.get_ref(2)?.as_blob().map_err(|_| IndexError::Damaged("a skeleton is no blob"))?;
        let transcript = decoded(body)?;
        Ok(Some(Skeleton {
            resume_offset: row.get::<_, i64>(0)? as u64,
            resume_lines: row.get::<_, i64>(1)? as u64,
            transcript,
        }))
    }

    /// A file with its skeleton and its placing, as they are stored.
    pub fn stored(&self, file: i64) -> Result<Option<StoredFile>, IndexError> {
        let sql = "SELECT f.path, f.size, s.resume_offset, s.resume_lines, s.body, p.runs FROM files f
            JOIN skeletons s ON s.file = f.file JOIN placings p ON p.file = f.file WHERE f.file = ?1";
        let found = self.connection.prepare_cached(sql)?.query_row([file], |row| {
            Ok(StoredFile {
                path: row.get(0)?,
                size: row.get::<_, i64>(1)? as u64,
                resume: (row.get::<_, i64>(2)? as u64, row.get::<_, i64>(3)? as u64),
                body: row.get(4)?,
                placing: row.get(5)?,
            })
        });
        Ok(found.optional()?)
    }

    /// The files of a root that the text index does not have as they are: number, path, length, and how far it has come.
    pub fn files_behind(&self, root: &str) -> Result<Vec<Behind>, IndexError> {
        let sql = "SELECT f.file, f.path, f.size, t.size, t.rows, t.loose FROM files f
            LEFT JOIN text_states t ON t.file = f.file WHERE f.root = ?1 AND f.told <> f.size";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([root])?;
        let mut behind = Vec::new();
        while let Some(row) = rows.next()? {
            let file = row.get(0)?;
            let told = match row.get::<_, Option<i64>>(3)? {
                Some(size) => {
                    let loose: Vec<u8> = row.get(5)?;
                    let loose = loose.chunks_exact(8).filter_map(|key| key.try_into().ok());
                    let loose = loose.map(u64::from_le_bytes).collect();
                    Some(TextState { file, size: size as u64, rows: row.get(4)?, loose })
                }
                None => None,
            };
            behind.push(Behind { file, path: row.get(1)?, size: row.get::<_, i64>(2)? as u64, told });
        }
        Ok(behind)
    }

    /// Files of a root whose text is not in the text index as they are: how many, and how many bytes they grew by.
    pub fn text_behind(&self, root: &str) -> Result<(u64, u64), IndexError> {
        let sql = "SELECT count(*), coalesce(sum(size - max(told, 0)), 0) FROM files
            WHERE root = ?1 AND size > 0 AND told <> size";
        let behind = self.connection.prepare_cached(sql)?.query_row([root], |row| {
            Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)?.max(0) as u64))
        })?;
        Ok(behind)
    }

    /// Files whose units the text index must forget.
    pub fn forgotten(&self) -> Result<Vec<i64>, IndexError> {
        let mut statement = self.connection.prepare_cached("SELECT file FROM forgotten")?;
        let files = statement.query_map([], |row| row.get(0))?;
        Ok(files.collect::<Result<_, _>>()?)
    }

    /// The rows of a file that are dead, and those that were compacted away.
    pub fn row_states(&self) -> Result<Vec<(i64, RowRanges, RowRanges)>, IndexError> {
        let mut statement = self.connection.prepare_cached("SELECT file, dead, compacted FROM row_states")?;
        let states = statement.query_map([], |row| {
            let ranges = |at: usize| Ok::<_, rusqlite::Error>(RowRanges::decode(row.get_ref(at)?.as_blob()?));
            Ok((row.get(0)?, ranges(1)?, ranges(2)?))
        })?;
        Ok(states.collect::<Result<_, rusqlite::Error>>()?)
    }

    /// The connection, for reading.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Everything in it, table by table, in an order that does not depend on how it came about: for tests.
    pub fn dump(&self) -> Result<Vec<String>, IndexError> {
        let mut lines = Vec::new();
        let tables = [
            "sessions",
            "agents",
            "messages",
            "calls",
            "touched",
            "prompts",
            "summaries",
            "row_states",
            "placings",
        ];
        for table in tables {
            let sql = format!(
                "SELECT f.path AS of_path, t.* FROM {table} t JOIN files f ON f.file = t.file ORDER BY 1, 3{}",
                // A placing has one column, and one row a file.
                if table == "placings" { "" } else { ", 4" }
            );
            let answer = self.ask(&sql, usize::MAX)?;
            for row in answer.rows {
                let cells = row.iter().zip(&answer.columns).filter(|(_, name)| *name != "file");
                let cells: Vec<String> = cells.map(|(cell, _)| cell.to_string()).collect();
                lines.push(format!("{table}|{}", cells.join("|")));
            }
        }
        Ok(lines)
    }
}
