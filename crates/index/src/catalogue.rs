//! The catalogue: a SQLite database of what every session file holds. Opening, versions, stamps, skeletons.

mod ask;
mod charges;
mod kin;
mod offers;
mod roots;
mod rows;
mod sessions;
mod titles;
mod touched;
mod write;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::{Connection, OptionalExtension, params};
use scrollback_format::stamp::Stamp;
use scrollback_model::pack;
use scrollback_model::placing::Placing;
use scrollback_model::skeleton;
use scrollback_model::transcript::{FileKind, Transcript};

use crate::charge;
use crate::error::IndexError;
use crate::plan::Known;
use crate::ranges::RowRanges;
use crate::schema;

pub use ask::{Cell, QueryResult};
pub use charges::ChargedFile;
pub use offers::{Offered, SharedName};
pub use sessions::{AGENTS, Brief, Condition, ProjectRow, Titled};
pub use touched::Touching;
pub use write::{Batch, Digest, PromptRow};

/// The open catalogue.
#[derive(Debug)]
pub struct Catalogue {
    connection: Connection,
    /// Is a statement of the user's being taken?
    guarded: Arc<AtomicBool>,
    /// How much longer the statement at hand may run.
    patience: Arc<AtomicU64>,
    /// Was something met that is not as it was stored?
    damaged: Arc<AtomicBool>,
}

/// What is kept under this name says that the catalogue is damaged and must be built anew.
const DAMAGED: &str = "damaged";

impl Drop for Catalogue {
    /// Notes damage that was met, so that whoever opens the catalogue next builds it anew. It comes last, when no
    /// transaction that would take it back is open. If it cannot be written, the damage is met again.
    fn drop(&mut self) {
        if self.damaged.load(Ordering::Relaxed) {
            let _ = self.set_meta(DAMAGED, 1);
        }
    }
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
    is_agent: bool,
    resume: (u64, u64),
    /// Its skeleton; none if that is damaged.
    body: Option<Vec<u8>>,
    /// The branch and the turn of each row; none if that is damaged.
    pub placing: Option<Placing>,
}

impl StoredFile {
    /// What the readings of it have left. Of damaged bytes that is nothing, as if the file had never been read.
    pub fn skeleton(&self) -> Skeleton {
        let (resume_offset, resume_lines) = self.resume;
        match self.body.as_deref().and_then(skeleton::decode) {
            Some(transcript) => Skeleton { resume_offset, resume_lines, transcript },
            None => {
                let file_kind = if self.is_agent { FileKind::Agent } else { FileKind::Session };
                let transcript = Transcript { file_kind, ..Transcript::default() };
                Skeleton { resume_offset: 0, resume_lines: 0, transcript }
            }
        }
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

/// A file whose current state is not in the text index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaleFile {
    /// The file.
    pub file: i64,
    /// Where it is.
    pub path: String,
    /// Its length.
    pub size: u64,
    /// How far the text index has come with it.
    pub told: Option<TextState>,
}

const SKELETON: &str = "a skeleton cannot be read";
const CHARGES: &str = "charges cannot be read";

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
        let patience = ask::patience(&mut connection)?;
        connection.set_prepared_statement_cache_capacity(64);
        // SQLite's own `lower` knows ASCII alone.
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        connection.create_scalar_function("lowercase", 1, flags, |context| {
            Ok(context.get::<Option<String>>(0)?.map(|text| text.to_lowercase()))
        })?;
        let damaged = Arc::new(AtomicBool::new(false));
        let met = damaged.clone();
        connection.create_scalar_function("charge_rows", 1, flags, move |context| {
            let body = context.get_raw(0).as_blob_or_null()?.unwrap_or_default();
            charge::rows(body).ok_or_else(|| {
                met.store(true, Ordering::Relaxed);
                rusqlite::Error::UserFunctionError(CHARGES.into())
            })
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
        let catalogue = Self { connection, guarded, patience, damaged };
        match catalogue.kept::<String>("version") {
            Ok(Some(found)) if found == version() => match catalogue.meta(DAMAGED)? {
                None => Ok(catalogue),
                Some(_) => Err(IndexError::Damaged("something in it is not as it was stored")),
            },
            Ok(found) => Err(IndexError::OtherVersion { found: found.unwrap_or_else(|| "none".into()) }),
            Err(error) if error.is_busy() => Err(error),
            Err(_) => Err(IndexError::OtherVersion { found: "unknown".into() }),
        }
    }

    /// What was decoded from something stored. If that failed, the catalogue is noted as damaged.
    fn sound<T>(&self, decoded: Option<T>, what: &'static str) -> Result<T, IndexError> {
        decoded.ok_or_else(|| {
            self.damaged.store(true, Ordering::Relaxed);
            IndexError::Damaged(what)
        })
    }

    /// A number that is kept under a name.
    pub fn meta(&self, key: &str) -> Result<Option<i64>, IndexError> {
        self.kept(key)
    }

    /// A value that is kept under a name.
    fn kept<T: rusqlite::types::FromSql>(&self, key: &str) -> Result<Option<T>, IndexError> {
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
        let transcript = self.sound(row.get_ref(2)?.as_blob().ok().and_then(skeleton::decode), SKELETON)?;
        Ok(Some(Skeleton {
            resume_offset: row.get::<_, i64>(0)? as u64,
            resume_lines: row.get::<_, i64>(1)? as u64,
            transcript,
        }))
    }

    /// A file with its skeleton and its placing, as they are stored. Damage to them is no error: the file itself is there.
    pub fn stored(&self, file: i64) -> Result<Option<StoredFile>, IndexError> {
        let sql =
            "SELECT f.path, f.size, s.resume_offset, s.resume_lines, s.body, p.runs, f.agent FROM files f
            JOIN skeletons s ON s.file = f.file JOIN placings p ON p.file = f.file WHERE f.file = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([file])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let body = row.get_ref(4)?.as_blob().ok().filter(|body| skeleton::is_whole(body));
        let placing = row.get_ref(5)?.as_blob().ok().and_then(Placing::decode);
        Ok(Some(StoredFile {
            path: row.get(0)?,
            size: row.get::<_, i64>(1)? as u64,
            is_agent: row.get(6)?,
            resume: (row.get::<_, i64>(2)? as u64, row.get::<_, i64>(3)? as u64),
            body: self.sound(body, SKELETON).ok().map(<[u8]>::to_vec),
            placing: self.sound(placing, "a placing cannot be read").ok(),
        }))
    }

    /// The files of a root that the text index does not have as they are: number, path, length, and how far it has come.
    pub fn files_behind(&self, root: &str) -> Result<Vec<StaleFile>, IndexError> {
        let sql = "SELECT f.file, f.path, f.size, t.size, t.rows, t.loose FROM files f
            LEFT JOIN text_states t ON t.file = f.file WHERE f.root = ?1 AND f.told <> f.size";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([root])?;
        let mut behind = Vec::new();
        while let Some(row) = rows.next()? {
            let file = row.get(0)?;
            let told = match row.get::<_, Option<i64>>(3)? {
                Some(size) => {
                    let loose = row.get_ref(5)?.as_blob().ok().and_then(pack::unseal);
                    let loose = self.sound(loose, "loose units cannot be read")?;
                    let loose = loose.as_chunks::<8>().0.iter().copied().map(u64::from_le_bytes).collect();
                    Some(TextState { file, size: size as u64, rows: row.get(4)?, loose })
                }
                None => None,
            };
            behind.push(StaleFile { file, path: row.get(1)?, size: row.get::<_, i64>(2)? as u64, told });
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
        let mut rows = statement.query([])?;
        let mut states = Vec::new();
        while let Some(row) = rows.next()? {
            let ranges = |at: usize| {
                let ranges = row.get_ref(at)?.as_blob().ok().and_then(RowRanges::decode);
                self.sound(ranges, "states of rows cannot be read")
            };
            states.push((row.get(0)?, ranges(1)?, ranges(2)?));
        }
        Ok(states)
    }

    /// The connection, for reading.
    pub(crate) fn connection(&self) -> &Connection {
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
            let answer = self.run(&sql, usize::MAX)?;
            for row in answer.rows {
                let cells = row.iter().zip(&answer.columns).filter(|(_, name)| *name != "file");
                let cells: Vec<String> = cells.map(|(cell, _)| cell.to_string()).collect();
                lines.push(format!("{table}|{}", cells.join("|")));
            }
        }
        Ok(lines)
    }
}
