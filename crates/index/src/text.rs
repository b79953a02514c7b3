//! The text index: units in tantivy. What a doc holds, writing it, and keeping it in step with the catalogue.
//!
//! What may change later (title, thread, project) is not in here: queries get that from the catalogue.
//! Every commit carries a number that the catalogue keeps too; if the two differ, the last batch is told again,
//! which changes nothing that was right.

mod compile;
mod matcher;
mod scope;
mod search;
mod stream;

use std::path::Path;
use std::sync::OnceLock;

use scrollback_model::text::{TextClass, UnitText};
use scrollback_model::unit::UnitKey;
use tantivy::indexer::{LogMergePolicy, NoMergePolicy};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{
    Executor, Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyDocument, Term,
};

use crate::error::IndexError;
use crate::filter;

pub use crate::phrase::{MatchSpan, Matcher, match_words};
pub use matcher::UnitMatcher;
pub use scope::{FileScope, FileSet};
pub use search::{Ranked, Ranking};
pub use stream::TOKENIZER;

/// Goes up whenever what a doc holds, or what a token is, changes.
pub const VERSION: u32 = 1;

/// The fields of a doc.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    /// Which unit it is: its file's number and its key there.
    pub key: Field,
    /// Its file, to forget all of it at once.
    pub file: Field,
    /// Its kind, classes and whether it failed.
    pub about: Field,
    /// When.
    pub time: Field,
    /// Its first row.
    pub row: Field,
    /// What copies of it share.
    pub copy: Field,
    /// The tool, in lower case.
    pub tool: Field,
    /// The model, in lower case.
    pub model: Field,
    /// The words of the path.
    pub path: Field,
    /// The words, by class; titles have none here.
    pub classes: [Field; 5],
}

/// The classes that have a field.
pub(crate) const TEXT_CLASSES: [TextClass; 5] =
    [TextClass::Prompts, TextClass::Answers, TextClass::Thinking, TextClass::Input, TextClass::Output];

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let words = |fieldnorms: bool| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_fieldnorms(fieldnorms)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        TextOptions::default().set_indexing_options(indexing)
    };
    let fields = Fields {
        key: builder.add_u64_field("key", INDEXED | FAST),
        file: builder.add_u64_field("file", INDEXED),
        about: builder.add_u64_field("about", FAST),
        time: builder.add_i64_field("time", FAST),
        row: builder.add_u64_field("row", FAST),
        copy: builder.add_u64_field("copy", FAST),
        tool: builder.add_text_field("tool", STRING),
        model: builder.add_text_field("model", STRING),
        path: builder.add_text_field("path", words(false)),
        classes: TEXT_CLASSES.map(|class| builder.add_text_field(class.name(), words(true))),
    };
    (builder.build(), fields)
}

/// A unit's number in the whole index.
pub fn unit_number(file: i64, key: u64) -> u64 {
    (file as u64) << UnitKey::BITS | key
}

/// The file and the key of a unit's number.
pub fn of_number(number: u64) -> (i64, u64) {
    ((number >> UnitKey::BITS) as i64, number & ((1 << UnitKey::BITS) - 1))
}

/// The open text index.
pub struct TextIndex {
    index: Index,
    fields: Fields,
    reader: IndexReader,
    /// The threads that search, once they were needed.
    executor: OnceLock<Executor>,
}

impl std::fmt::Debug for TextIndex {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("TextIndex").field("index", &self.index).finish_non_exhaustive()
    }
}

/// How much memory a writer takes before it writes a segment, all threads together.
const BUDGET: usize = 96 << 20;
/// A small refresh has one thread: starting more takes longer than they save.
const SMALL_BUDGET: usize = 24 << 20;

impl TextIndex {
    /// Opens the index of this folder, if there is one.
    pub fn open(dir: &Path) -> Result<Option<Self>, IndexError> {
        if !dir.join("meta.json").exists() {
            return Ok(None);
        }
        let (expected, fields) = schema();
        let index = Index::open_in_dir(dir)?;
        if index.schema() != expected {
            return Err(IndexError::OtherVersion { found: "another schema".into() });
        }
        Self::of(index, fields).map(Some)
    }

    /// Makes an empty index in this folder, which must be there and empty.
    pub fn create(dir: &Path) -> Result<Self, IndexError> {
        let (schema, fields) = schema();
        let settings =
            IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
        let index = Index::builder().schema(schema).settings(settings).create_in_dir(dir)?;
        Self::of(index, fields)
    }

    /// Opens every piece, so that one that is lost or damaged is noticed now and not in the middle of a question.
    fn of(index: Index, fields: Fields) -> Result<Self, IndexError> {
        index.tokenizers().register(TOKENIZER, stream::WordTokenizer::default());
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { index, fields, reader, executor: OnceLock::new() })
    }

    /// The number of the last commit and the version that wrote it; 0 before the first.
    pub fn batch(&self) -> Result<i64, IndexError> {
        let payload = self.index.load_metas()?.payload;
        let Some(payload) = payload else { return Ok(0) };
        let (version, batch) = payload.split_once(' ').unwrap_or(("", ""));
        if version != VERSION.to_string() {
            return Err(IndexError::OtherVersion { found: version.to_owned() });
        }
        batch.parse().map_err(|_| IndexError::Damaged("the text index has no batch number"))
    }

    /// Begins to write. `large`: with several threads.
    pub fn writer(&self, large: bool) -> Result<TextWriter<'_>, IndexError> {
        let threads =
            if large { std::thread::available_parallelism().map_or(1, usize::from).min(4) } else { 1 };
        let writer: IndexWriter = self.index.writer_with_num_threads(
            threads,
            if large { BUDGET.max(threads * (16 << 20)) } else { SMALL_BUDGET },
        )?;
        if large {
            writer.set_merge_policy(Box::new(merge_policy()));
        } else {
            writer.set_merge_policy(Box::new(NoMergePolicy));
        }
        Ok(TextWriter { index: self, writer })
    }

    /// How many pieces it is in: every small refresh adds one.
    pub fn segments(&self) -> Result<usize, IndexError> {
        Ok(self.index.load_metas()?.segments.len())
    }
}

fn merge_policy() -> LogMergePolicy {
    let mut policy = LogMergePolicy::default();
    policy.set_min_num_segments(6);
    policy.set_max_docs_before_merge(2_000_000);
    policy
}

/// Writes units.
pub struct TextWriter<'i> {
    index: &'i TextIndex,
    writer: IndexWriter,
}

impl TextWriter<'_> {
    /// Forgets all units of a file.
    pub fn forget_file(&self, file: i64) {
        self.writer.delete_term(Term::from_field_u64(self.index.fields.file, file as u64));
    }

    /// Forgets one unit.
    pub fn forget_unit(&self, file: i64, key: u64) {
        self.writer.delete_term(Term::from_field_u64(self.index.fields.key, unit_number(file, key)));
    }

    /// Adds a unit. `copy` is what copies of it in other files share.
    pub fn add(&self, file: i64, unit: UnitText, copy: u64) -> Result<(), IndexError> {
        let fields = &self.index.fields;
        let mut doc = TantivyDocument::new();
        doc.add_u64(fields.key, unit_number(file, unit.key.number()));
        doc.add_u64(fields.file, file as u64);
        doc.add_u64(fields.about, filter::pack(&unit));
        doc.add_i64(fields.time, unit.time.map_or(i64::MIN, |time| time.0));
        doc.add_u64(fields.row, unit.rows.first().map_or(0, |row| u64::from(*row)));
        doc.add_u64(fields.copy, copy);
        if let Some(tool) = &unit.tool {
            doc.add_text(fields.tool, tool.to_lowercase());
        }
        if let Some(model) = &unit.model {
            doc.add_text(fields.model, model.to_lowercase());
        }
        if let Some(path) = &unit.path {
            doc.add_text(fields.path, path);
        }
        for (class, text) in unit.texts {
            if let Some(at) = TEXT_CLASSES.iter().position(|known| *known == class) {
                doc.add_text(fields.classes[at], text);
            }
        }
        self.writer.add_document(doc)?;
        Ok(())
    }

    /// Makes everything so far true at once, under this number.
    pub fn commit(&mut self, batch: i64) -> Result<(), IndexError> {
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(&format!("{VERSION} {batch}"));
        prepared.commit()?;
        Ok(())
    }

    /// Waits until pieces that are being joined are joined.
    pub fn finish(self) -> Result<(), IndexError> {
        Ok(self.writer.wait_merging_threads()?)
    }
}
