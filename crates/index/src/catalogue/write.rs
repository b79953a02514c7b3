//! Writing: digests of files into the tables, a batch at a time. A batch is one transaction: all of it or nothing.

use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;
use scrollback_format::stamp::Stamp;
use scrollback_model::charge::{Charge, ChargeMarks};
use scrollback_model::pack;
use scrollback_model::placing::Placing;
use scrollback_model::symbol::Symbol;
use scrollback_model::transcript::Transcript;
use scrollback_model::usage::ChargeCopy;

use super::roots::Whole;
use super::rows::Rows;
use super::{Catalogue, TextState};
use crate::charge::{ChargePacker, ChargeRow};
use crate::error::IndexError;
use crate::ranges::RowRanges;
use crate::schema::BY_FILE;
use crate::table::{AgentRow, SessionRow};

/// What is told of one file.
#[derive(Debug)]
pub struct Digest {
    /// Its number, if it has one already.
    pub file: Option<i64>,
    /// The store.
    pub root: String,
    /// The folder below `projects/`.
    pub folder: String,
    /// Where it is.
    pub path: String,
    /// What it looks like.
    pub stamp: Stamp,
    /// The stamp of what stands beside it.
    pub side: i64,
    /// Where the next reading begins: offset and lines before it.
    pub resume: (u64, u64),
    /// Rows of whole lines, and their skeleton.
    pub rows: u32,
    /// The skeleton of whole lines.
    pub skeleton: Vec<u8>,
    /// The whole of it, a last line without an end included.
    pub transcript: Transcript,
    /// Rows on no live thread.
    pub dead: RowRanges,
    /// Rows before the last compaction of the live thread.
    pub compacted: RowRanges,
    /// The branch and the turn of each row.
    pub placing: Placing,
    /// Of a session.
    pub session: Option<SessionRow>,
    /// Of an agent.
    pub agent: Option<AgentRow>,
    /// Prompts on the live thread.
    pub prompts: Vec<PromptRow>,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptRow {
    /// Its line.
    pub line: u32,
    /// Its turn.
    pub turn: u32,
    /// Its time, in milliseconds.
    pub time: Option<i64>,
    /// Its first words.
    pub text: String,
}

/// A transaction that is being filled. Dropped without [`Batch::commit`], nothing of it happened.
pub struct Batch<'c> {
    catalogue: &'c Catalogue,
    names: FxHashMap<String, i64>,
    /// Sessions whose title a summary may give, and folders whose summaries changed.
    pub(super) untitled: Vec<i64>,
    pub(super) folders: Vec<(String, String)>,
    /// Roots whose files have changed.
    pub(super) roots: FxHashMap<String, Whole>,
    /// Files that were forgotten.
    pub(super) gone: Vec<i64>,
    open: bool,
}

impl Catalogue {
    /// Begins a batch. Waits for another writer for a while, then gives up.
    pub fn batch(&self) -> Result<Batch<'_>, IndexError> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Batch {
            catalogue: self,
            names: FxHashMap::default(),
            untitled: Vec::new(),
            folders: Vec::new(),
            roots: FxHashMap::default(),
            gone: Vec::new(),
            open: true,
        })
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if self.open {
            // Nothing can be done about a rollback that fails; SQLite rolls back when it opens the file next.
            let _ = self.catalogue.connection.execute_batch("ROLLBACK");
        }
    }
}

impl Batch<'_> {
    fn connection(&self) -> &Connection {
        &self.catalogue.connection
    }

    /// Puts a digest in place of what was known of its file, and gives the file's number.
    pub fn put(&mut self, digest: &Digest) -> Result<i64, IndexError> {
        let file = match digest.file {
            Some(file) => {
                self.forget_summaries(file, &digest.root, &digest.folder)?;
                self.clear(file)?;
                self.tally_out(file)?;
                file
            }
            None => 0,
        };
        let stamp = &digest.stamp;
        let own = digest.file;
        let sql = "INSERT INTO files (file, root, folder, path, agent, size, mtime_ns, inode, tail_hash, side)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (file) DO UPDATE SET size = ?6, mtime_ns = ?7, inode = ?8, tail_hash = ?9, side = ?10";
        self.connection().prepare_cached(sql)?.execute(params![
            own,
            digest.root,
            digest.folder,
            digest.path,
            digest.agent.is_some(),
            stamp.size as i64,
            stamp.mtime_ns,
            stamp.inode as i64,
            stamp.tail_hash as i64,
            digest.side
        ])?;
        let file = if own.is_some() { file } else { self.connection().last_insert_rowid() };
        self.tally_in(file)?;
        self.skeleton(file, digest)?;
        if let Some(session) = &digest.session {
            SessionRow { file, ..session.clone() }.put(self.connection())?;
            if session.takes_summary {
                self.untitled.push(file);
            }
            self.marks(file, &digest.transcript)?;
            self.slugs(file, &digest.transcript)?;
        }
        if let Some(agent) = &digest.agent {
            AgentRow { file, ..agent.clone() }.put(self.connection())?;
        }
        self.charges(file, digest)?;
        self.calls(file, &digest.transcript)?;
        self.prompts(file, &digest.prompts)?;
        self.summaries(file, digest)?;
        Ok(file)
    }

    fn skeleton(&self, file: i64, digest: &Digest) -> Result<(), IndexError> {
        let sql = "INSERT OR REPLACE INTO skeletons VALUES (?1, ?2, ?3, ?4, ?5)";
        let (offset, lines) = digest.resume;
        let body = &digest.skeleton;
        self.connection().prepare_cached(sql)?.execute(params![
            file,
            offset as i64,
            lines as i64,
            digest.rows,
            body
        ])?;
        let runs = digest.placing.encode();
        let sql = "INSERT OR REPLACE INTO placings VALUES (?1, ?2)";
        self.connection().prepare_cached(sql)?.execute(params![file, runs])?;
        if !digest.dead.is_empty() || !digest.compacted.is_empty() {
            let sql = "INSERT OR REPLACE INTO row_states VALUES (?1, ?2, ?3)";
            let states = params![file, digest.dead.encode(), digest.compacted.encode()];
            self.connection().prepare_cached(sql)?.execute(states)?;
        }
        Ok(())
    }

    fn name(&mut self, text: &str) -> Result<i64, IndexError> {
        if let Some(&name) = self.names.get(text) {
            return Ok(name);
        }
        let sql = "INSERT INTO names (text) VALUES (?1) ON CONFLICT (text) DO UPDATE SET text = text RETURNING name";
        let name = self.connection().prepare_cached(sql)?.query_row([text], |row| row.get(0))?;
        self.names.insert(text.to_owned(), name);
        Ok(name)
    }

    fn charges(&mut self, file: i64, digest: &Digest) -> Result<(), IndexError> {
        let transcript = &digest.transcript;
        let own = transcript.messages.iter().map(|message| Charge {
            id: message.id,
            model: message.model,
            tokens: message.tokens,
            row: message.first_row,
            terms: message.terms,
        });
        let mut packer = ChargePacker::default();
        for Charge { id, model, tokens, row, terms } in own.chain(transcript.charges.iter().copied()) {
            let mut number = |name: Option<Symbol>| -> Result<Option<u32>, IndexError> {
                let number = name.map(|name| self.name(transcript.text(name))).transpose()?;
                Ok(number.map(|number| number as u32))
            };
            let (model, branch) = (number(model)?, number(terms.branch)?);
            // Lines of agents in a session's file are on threads of their own.
            let is_left = digest.dead.has(row) && !terms.marks.has(ChargeMarks::SIDECHAIN);
            let row = transcript.row(row);
            let copy = ChargeCopy {
                message: 0,
                request: terms.request,
                file: 0,
                time: row.time(),
                model: model.unwrap_or(u32::MAX),
                tokens,
                searches: terms.web_searches,
                grade: terms.grade,
                marks: if is_left { terms.marks.with(ChargeMarks::LEFT) } else { terms.marks },
            };
            packer.push(transcript.text(id), &ChargeRow { copy, number: 0, branch, line: row.line });
        }
        let sql = "INSERT INTO charges VALUES (?1, ?2)";
        self.connection().prepare_cached(sql)?.execute(params![file, packer.finish()])?;
        Ok(())
    }

    fn calls(&mut self, file: i64, transcript: &Transcript) -> Result<(), IndexError> {
        let mut results = FxHashMap::default();
        for outcome in &transcript.outcomes {
            let result = results.entry(outcome.call).or_insert(1);
            *result = if outcome.is_error { 2 } else { *result };
        }
        let mut touched: FxHashMap<i64, (i64, i64, i64)> = FxHashMap::default();
        let catalogue = self.catalogue;
        let mut rows = Rows::new(&catalogue.connection, "call_rows");
        for (number, call) in transcript.calls.iter().enumerate() {
            let tool = self.name(transcript.text(call.tool))?;
            let path = call.file.map(|path| self.name(transcript.text(path))).transpose()?;
            if let Some(path) = path {
                let (reads, writes, _) = touched.entry(path).or_default();
                *(if call.writes { writes } else { reads }) += 1;
            }
            let row = transcript.row(call.row);
            // An id is 30 bytes, and what it is good for is to find the call that made an agent.
            let id = call.prompt.or(call.agent_type).map(|_| transcript.text(call.id));
            let message = row.message.map(|message| message.index() as i64);
            rows.push([
                file.into(),
                (number as i64).into(),
                id.into(),
                tool.into(),
                row.time().map(|time| time.0).into(),
                i64::from(row.line).into(),
                path.into(),
                results.get(&call.id).copied().unwrap_or(0).into(),
                message.into(),
            ])?;
        }
        rows.finish()?;
        self.made(file, transcript)?;
        for path in &transcript.tracked {
            touched.entry(self.name(transcript.text(*path))?).or_default().2 = 1;
        }
        let mut touched: Vec<_> = touched.into_iter().collect();
        touched.sort_unstable();
        let mut rows = Rows::new(&catalogue.connection, "touched_rows");
        for (path, (reads, writes, tracked)) in touched {
            rows.push([file.into(), path.into(), reads.into(), writes.into(), tracked.into()])?;
        }
        rows.finish()
    }

    /// The kinds of agents that calls of this file asked for, where their results name the agent.
    fn made(&self, file: i64, transcript: &Transcript) -> Result<(), IndexError> {
        for outcome in transcript.outcomes.iter().filter(|outcome| outcome.agent.is_some()) {
            let call = transcript.calls.iter().find(|call| call.id == outcome.call);
            if let (Some(agent), Some(kind)) = (outcome.agent, call.and_then(|call| call.agent_type)) {
                let sql = "INSERT OR REPLACE INTO made VALUES (?1, ?2, ?3)";
                let row = params![file, transcript.text(agent), transcript.text(kind)];
                self.connection().prepare_cached(sql)?.execute(row)?;
            }
        }
        Ok(())
    }

    fn prompts(&self, file: i64, prompts: &[PromptRow]) -> Result<(), IndexError> {
        let mut rows = Rows::new(self.connection(), "prompts");
        // Lines that are glued together may hold two prompts: the last one counts.
        for (at, prompt) in prompts.iter().enumerate() {
            if prompts.get(at + 1).is_none_or(|next| next.line != prompt.line) {
                let (line, turn) = (i64::from(prompt.line), i64::from(prompt.turn));
                rows.push([
                    file.into(),
                    line.into(),
                    turn.into(),
                    prompt.time.into(),
                    prompt.text.as_str().into(),
                ])?;
            }
        }
        rows.finish()
    }

    fn summaries(&mut self, file: i64, digest: &Digest) -> Result<(), IndexError> {
        let sql = "INSERT INTO summaries VALUES (?1, ?2, ?3, ?4)";
        for (number, summary) in digest.transcript.summaries.iter().enumerate() {
            let leaf = summary.leaf.map(|leaf| leaf.to_bytes());
            let row = params![file, number as i64, leaf, summary.text];
            self.connection().prepare_cached(sql)?.execute(row)?;
        }
        if !digest.transcript.summaries.is_empty() {
            self.folders.push((digest.root.clone(), digest.folder.clone()));
        }
        Ok(())
    }

    /// A folder whose summaries go has to be looked at again.
    fn forget_summaries(&mut self, file: i64, root: &str, folder: &str) -> Result<(), IndexError> {
        let sql = "SELECT count(*) FROM summaries WHERE file = ?1";
        let count: i64 = self.connection().prepare_cached(sql)?.query_row([file], |row| row.get(0))?;
        if count > 0 {
            self.folders.push((root.to_owned(), folder.to_owned()));
        }
        Ok(())
    }

    fn clear(&self, file: i64) -> Result<(), IndexError> {
        for table in BY_FILE {
            let sql = format!("DELETE FROM {table} WHERE file = ?1");
            self.connection().prepare_cached(&sql)?.execute([file])?;
        }
        Ok(())
    }

    /// Forgets a file: it is gone, or has become another one.
    pub fn forget(&mut self, file: i64) -> Result<(), IndexError> {
        let sql = "SELECT root, folder FROM files WHERE file = ?1";
        let place: Option<(String, String)> = rusqlite::OptionalExtension::optional(
            self.connection().prepare_cached(sql)?.query_row([file], |row| Ok((row.get(0)?, row.get(1)?))),
        )?;
        let Some((root, folder)) = place else { return Ok(()) };
        self.forget_summaries(file, &root, &folder)?;
        self.clear(file)?;
        self.tally_out(file)?;
        let connection = self.connection();
        connection.prepare_cached("DELETE FROM files WHERE file = ?1")?.execute([file])?;
        connection.prepare_cached("DELETE FROM text_states WHERE file = ?1")?.execute([file])?;
        connection.prepare_cached("INSERT OR REPLACE INTO forgotten VALUES (?1)")?.execute([file])?;
        self.gone.push(file);
        Ok(())
    }

    /// Notes where a file is now. `session` and `agent` rows follow it.
    pub fn relocate(&mut self, file: i64, root: &str, folder: &str, path: &str) -> Result<(), IndexError> {
        self.tally_out(file)?;
        for table in ["files", "sessions", "agents"] {
            let sql = format!("UPDATE {table} SET root = ?2, folder = ?3, path = ?4 WHERE file = ?1");
            self.connection().prepare_cached(&sql)?.execute(params![file, root, folder, path])?;
        }
        self.tally_in(file)
    }

    /// Notes a stamp alone: the bytes are those that were read.
    pub fn touch(&mut self, file: i64, stamp: &Stamp, side: i64) -> Result<(), IndexError> {
        let sql = "UPDATE files SET size = ?2, mtime_ns = ?3, inode = ?4, tail_hash = ?5, side = ?6 WHERE file = ?1";
        let (size, hash) = (stamp.size as i64, stamp.tail_hash as i64);
        let row = params![file, size, stamp.mtime_ns, stamp.inode as i64, hash, side];
        self.tally_out(file)?;
        self.connection().prepare_cached(sql)?.execute(row)?;
        self.tally_in(file)
    }

    /// Notes how far the text index has come with a file.
    pub fn put_text_state(&mut self, state: &TextState) -> Result<(), IndexError> {
        let loose = pack::seal(state.loose.iter().flat_map(|key| key.to_le_bytes()).collect());
        let sql = "INSERT OR REPLACE INTO text_states VALUES (?1, ?2, ?3, ?4)";
        let row = params![state.file, state.size as i64, state.rows, loose];
        self.connection().prepare_cached(sql)?.execute(row)?;
        let sql = "UPDATE files SET told = ?2 WHERE file = ?1";
        self.connection().prepare_cached(sql)?.execute(params![state.file, state.size as i64])?;
        Ok(())
    }

    /// Notes that the text index has forgotten these files.
    pub fn put_forgotten(&mut self, files: &[i64]) -> Result<(), IndexError> {
        for file in files {
            self.connection().prepare_cached("DELETE FROM forgotten WHERE file = ?1")?.execute([file])?;
        }
        Ok(())
    }

    /// Notes that there is no text index any more.
    pub fn clear_text(&mut self) -> Result<(), IndexError> {
        self.connection()
            .execute_batch("DELETE FROM text_states; DELETE FROM forgotten; UPDATE files SET told = -1;")?;
        Ok(())
    }

    /// Keeps a number under a name, with the rest of the batch.
    pub fn set_meta(&mut self, key: &str, value: i64) -> Result<(), IndexError> {
        self.catalogue.set_meta(key, value)
    }

    /// Settles titles and makes everything in the batch true at once.
    pub fn commit(mut self) -> Result<(), IndexError> {
        self.settle_titles()?;
        self.settle_kin()?;
        self.settle_roots()?;
        self.connection().execute_batch("COMMIT")?;
        self.open = false;
        Ok(())
    }

    pub(super) fn catalogue(&self) -> &Catalogue {
        self.catalogue
    }
}
