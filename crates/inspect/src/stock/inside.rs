//! What transcripts are made of: bytes by kind of entry and by tool, and the longest lines. The catalogue knows where each
//! entry stands, so that no file is read for it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use scrollback_index::catalogue::Catalogue;
use scrollback_index::error::IndexError;
use scrollback_model::transcript::Transcript;
use serde::{Deserialize, Serialize};

use scrollback_session::catalogue::Index;

/// Bytes of one kind of entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct KindUse {
    /// The kind; `-` is for ends of lines and for what is no entry.
    pub kind: String,
    /// Entries.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Bytes of the calls of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ToolUse {
    /// The tool.
    pub tool: String,
    /// Its calls.
    pub calls: u64,
    /// Bytes of the lines that hold its calls or their results. A line with several is the first one's.
    pub bytes: u64,
}

/// A long line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LineUse {
    /// The session.
    pub session_id: String,
    /// The file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The line.
    pub line: u64,
    /// The kind of its entry.
    pub kind: String,
    /// Its tool, if it holds a call or a result.
    pub tool: Option<String>,
    /// Its bytes.
    pub bytes: u64,
}

/// What the transcripts of an index are made of.
#[derive(Debug, Default)]
pub struct TranscriptStock {
    /// By kind, largest first.
    pub kinds: Vec<KindUse>,
    /// By tool, largest first.
    pub tools: Vec<ToolUse>,
    /// The longest lines, longest first.
    pub lines: Vec<LineUse>,
}

#[derive(Default)]
struct Sums {
    kinds: BTreeMap<String, (u64, u64)>,
    tools: BTreeMap<String, (u64, u64)>,
    /// File, row and length of the longest lines so far.
    longest: Vec<(u64, i64, u32)>,
}

/// Adds up every transcript that the catalogue has of these roots; `longest` lines are kept.
pub fn inside(index: &Index, longest: usize) -> Result<TranscriptStock, IndexError> {
    let db = index.catalogue();
    let mut sums = Sums::default();
    for root in index.root_names() {
        for known in db.known(&root)? {
            let Some(stored) = db.stored(known.file)? else { continue };
            let path = index.given_path(&stored.path);
            let Some(transcript) = scrollback_session::catalogue::whole_transcript(&path, &stored) else {
                continue;
            };
            sums.add(&transcript, known.file, known.stamp.size, longest);
        }
    }
    let mut kinds: Vec<KindUse> =
        sums.kinds.into_iter().map(|(kind, (entries, bytes))| KindUse { kind, entries, bytes }).collect();
    kinds.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.kind.cmp(&b.kind)));
    let mut tools: Vec<ToolUse> =
        sums.tools.into_iter().map(|(tool, (calls, bytes))| ToolUse { tool, calls, bytes }).collect();
    tools.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.tool.cmp(&b.tool)));
    let lines = sums.longest.into_iter().map(|(bytes, file, row)| line(index, db, bytes, file, row));
    Ok(TranscriptStock {
        kinds,
        tools,
        lines: lines.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect(),
    })
}

impl Sums {
    fn add(&mut self, transcript: &Transcript, file: i64, size: u64, longest: usize) {
        let mut rest = size;
        for (at, row) in transcript.rows.iter().enumerate() {
            let bytes = u64::from(row.len);
            rest = rest.saturating_sub(bytes);
            let (entries, sum) = self.kinds.entry(row.kind.name()).or_default();
            *entries += 1;
            *sum += bytes;
            if self.longest.len() < longest || self.longest.last().is_some_and(|last| bytes > last.0) {
                let place = self.longest.partition_point(|known| known.0 >= bytes);
                self.longest.insert(place, (bytes, file, at as u32));
                self.longest.truncate(longest);
            }
        }
        if rest > 0 {
            self.kinds.entry("-".to_owned()).or_default().1 += rest;
        }
        for (row, tool) in tool_rows(transcript) {
            self.tools.entry(tool.to_owned()).or_default().1 += u64::from(transcript.rows[row as usize].len);
        }
        for call in &transcript.calls {
            self.tools.entry(transcript.text(call.tool).to_owned()).or_default().0 += 1;
        }
    }
}

/// The tool of each row that holds a call or a result: the first one's.
fn tool_rows(transcript: &Transcript) -> BTreeMap<u32, &str> {
    let mut rows = BTreeMap::new();
    let mut tools = FxHashMap::default();
    for call in &transcript.calls {
        let tool = transcript.text(call.tool);
        tools.insert(call.id, tool);
        rows.entry(call.row).or_insert(tool);
    }
    for outcome in &transcript.outcomes {
        if let Some(tool) = tools.get(&outcome.call) {
            rows.entry(outcome.row).or_insert(tool);
        }
    }
    rows
}

fn line(
    index: &Index,
    db: &Catalogue,
    bytes: u64,
    file: i64,
    row: u32,
) -> Result<Option<LineUse>, IndexError> {
    let Some(stored) = db.stored(file)? else { return Ok(None) };
    let path = index.given_path(&stored.path);
    let Some(transcript) = scrollback_session::catalogue::whole_transcript(&path, &stored) else {
        return Ok(None);
    };
    let found = &transcript.rows[row as usize];
    let owners = index.owners()?;
    let owner = owners.find(file).and_then(|number| owners.name(number)).map(str::to_owned);
    Ok(Some(LineUse {
        session_id: owner.unwrap_or_default(),
        path,
        line: u64::from(found.line),
        kind: found.kind.name(),
        tool: tool_rows(&transcript).get(&row).map(|tool| (*tool).to_owned()),
        bytes,
    }))
}
