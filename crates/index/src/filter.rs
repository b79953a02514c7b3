//! Filters: what a query asks of a unit beside its words, and of the file that it is in.

use rustc_hash::FxHashMap;
use scrollback_format::time::Time;
use scrollback_model::text::{TextClass, UnitText};
use scrollback_model::unit::UnitKind;

use crate::catalogue::Catalogue;
use crate::error::IndexError;
use crate::query::{Classes, Filter};
use crate::ranges::RowRanges;
use crate::token;

/// What is known of a file beside its units.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileFacts {
    /// The session that it is, or belongs to.
    pub session_id: String,
    /// The session's directory, in lower case.
    pub project: String,
    /// The session's branches, in lower case, one a line.
    pub branches: String,
    /// Of an agent's file: its id and type, in lower case.
    pub agent: Option<(String, String)>,
    /// Rows on no live thread.
    pub dead: RowRanges,
    /// Rows before the last compaction.
    pub compacted: RowRanges,
}

impl FileFacts {
    /// Does a filter about files, or about lines of a file, hold? None for filters about other things.
    pub fn passes(&self, filter: &Filter, first_row: Option<u32>) -> Option<bool> {
        Some(match filter {
            Filter::Project(part) => self.project.contains(part.as_str()),
            Filter::Branch(part) => self.branches.lines().any(|branch| branch.contains(part.as_str())),
            Filter::Session(start) => self.session_id.starts_with(start.as_str()),
            Filter::Agent(part) => self
                .agent
                .as_ref()
                .is_some_and(|(id, kind)| id.starts_with(part.as_str()) || kind.contains(part.as_str())),
            Filter::DeadBranch => first_row.is_some_and(|row| self.dead.has(row)),
            Filter::Compacted => first_row.is_some_and(|row| self.compacted.has(row)),
            _ => return None,
        })
    }
}

/// Do filters that look at files need more than their places?
pub fn asks_of_files(filters: &[&Filter]) -> bool {
    filters.iter().any(|filter| {
        matches!(filter, Filter::Project(_) | Filter::Branch(_) | Filter::Session(_) | Filter::Agent(_))
    })
}

/// Do they look at threads?
pub fn asks_of_threads(filters: &[&Filter]) -> bool {
    filters.iter().any(|filter| matches!(filter, Filter::DeadBranch | Filter::Compacted))
}

/// Does a filter hold for this unit of a file?
pub fn holds(filter: &Filter, unit: &UnitText, facts: &FileFacts) -> bool {
    if let Some(passes) = facts.passes(filter, unit.rows.first().copied()) {
        return passes;
    }
    match filter {
        Filter::Role(role) => unit.kind.role() == *role,
        Filter::Tool(name, prefix) => unit.tool.as_ref().is_some_and(|tool| {
            let tool = tool.to_lowercase();
            if *prefix { tool.starts_with(name.as_str()) } else { tool == *name }
        }),
        Filter::File(words) => unit.path.as_ref().is_some_and(|path| has_path(path, words)),
        Filter::Model(part) => {
            unit.model.as_ref().is_some_and(|model| model.to_lowercase().contains(part.as_str()))
        }
        Filter::Since(time) => unit.time.is_some_and(|own| own >= *time),
        Filter::Until(time) => unit.time.is_some_and(|own| own < *time),
        Filter::In(classes) => unit.texts.iter().any(|(class, _)| classes.has(*class)),
        Filter::Error => unit.is_error,
        _ => false,
    }
}

/// Has a path these words side by side? Its camelCase words count as a whole or by their parts.
fn has_path(path: &str, words: &[String]) -> bool {
    let mut matcher = crate::phrase::match_words(words, false);
    token::Tokenizer::default().each(path, |token| matcher.token(&token));
    matcher.found()
}

/// A unit's kind, its classes and whether it failed, in one number.
pub fn pack(unit: &UnitText) -> u64 {
    let classes = unit.texts.iter().fold(0, |classes, (class, _)| classes | Classes::one(*class).0);
    unit.kind as u64 | u64::from(unit.is_error) << 3 | u64::from(classes) << 4
}

/// What [`pack`] made of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed(pub u64);

impl Packed {
    /// Its kind.
    pub fn kind(self) -> UnitKind {
        UnitKind::ALL.get(self.0 as usize & 7).copied().unwrap_or(UnitKind::Output)
    }

    /// Did it fail?
    pub fn is_error(self) -> bool {
        self.0 & 8 != 0
    }

    /// Its classes.
    pub fn classes(self) -> Classes {
        Classes((self.0 >> 4) as u8 & Classes::ALL.0)
    }
}

/// The weight that a class's matches have.
pub fn weight(class: TextClass) -> f32 {
    match class {
        TextClass::Titles => 3.0,
        TextClass::Prompts => 2.0,
        TextClass::Answers => 1.5,
        TextClass::Input => 1.0,
        TextClass::Thinking => 0.8,
        // Output, which is long and says little.
        _ => 0.6,
    }
}

/// How much the age of a unit takes from its score: nothing now, a half in the end.
pub fn recency(time: Option<Time>, now: Time) -> f32 {
    const MONTH_MS: f32 = 30.0 * 86_400_000.0;
    let Some(time) = time else { return 0.5 };
    let age = now.0.saturating_sub(time.0).max(0) as f32;
    0.5 + 0.5 / (1.0 + age / MONTH_MS)
}

impl Catalogue {
    /// What is known of the files of some roots, as far as these filters ask.
    pub fn file_facts(
        &self,
        roots: &[String],
        filters: &[&Filter],
    ) -> Result<FxHashMap<i64, FileFacts>, IndexError> {
        let mut facts: FxHashMap<i64, FileFacts> = FxHashMap::default();
        let named = asks_of_files(filters);
        for root in roots {
            if named {
                self.session_facts(root, &mut facts)?;
                self.agent_facts(root, &mut facts)?;
            } else {
                let mut statement =
                    self.connection().prepare_cached("SELECT file FROM files WHERE root = ?1")?;
                let found = statement.query_map([root], |row| row.get::<_, i64>(0))?;
                for file in found {
                    facts.insert(file?, FileFacts::default());
                }
            }
        }
        if asks_of_threads(filters) {
            for (file, dead, compacted) in self.row_states()? {
                if let Some(known) = facts.get_mut(&file) {
                    (known.dead, known.compacted) = (dead, compacted);
                }
            }
        }
        Ok(facts)
    }

    fn session_facts(&self, root: &str, facts: &mut FxHashMap<i64, FileFacts>) -> Result<(), IndexError> {
        let sql = "SELECT file, session_id, project, git_branches FROM sessions WHERE root = ?1";
        let mut statement = self.connection().prepare_cached(sql)?;
        let mut rows = statement.query([root])?;
        while let Some(row) = rows.next()? {
            let project: Option<String> = row.get(2)?;
            let branches: String = row.get(3)?;
            let own = FileFacts {
                session_id: row.get(1)?,
                project: project.unwrap_or_default().to_lowercase(),
                branches: branch_names(&branches),
                ..FileFacts::default()
            };
            facts.insert(row.get(0)?, own);
        }
        Ok(())
    }

    fn agent_facts(&self, root: &str, facts: &mut FxHashMap<i64, FileFacts>) -> Result<(), IndexError> {
        // An agent's project and branches are its session's. What its meta file does not tell, the call that made it does.
        let sql = "SELECT a.file, a.session_id, s.project, coalesce(s.git_branches, '[]'), a.agent_id,
            coalesce(a.agent_type, (SELECT m.agent_type FROM made m WHERE m.agent_id = a.agent_id), ''), a.project
            FROM agents a LEFT JOIN sessions s ON s.session_id = a.session_id AND s.root = a.root AND s.folder = a.folder
            WHERE a.root = ?1";
        let mut statement = self.connection().prepare_cached(sql)?;
        let mut rows = statement.query([root])?;
        while let Some(row) = rows.next()? {
            let project: Option<String> = row.get(2)?;
            let own: Option<String> = row.get(6)?;
            let branches: String = row.get(3)?;
            let (id, kind): (String, String) = (row.get(4)?, row.get(5)?);
            let known = FileFacts {
                session_id: row.get(1)?,
                project: project.or(own).unwrap_or_default().to_lowercase(),
                branches: branch_names(&branches),
                agent: Some((id.to_lowercase(), kind.to_lowercase())),
                ..FileFacts::default()
            };
            facts.insert(row.get(0)?, known);
        }
        Ok(())
    }
}

fn branch_names(json: &str) -> String {
    #[derive(serde::Deserialize)]
    struct Counted {
        name: String,
    }
    let list: Vec<Counted> = serde_json::from_str(json).unwrap_or_default();
    list.into_iter().map(|branch| branch.name.to_lowercase()).collect::<Vec<_>>().join("\n")
}
