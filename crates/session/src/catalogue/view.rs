//! Rows of the catalogue as views and back: the same session looks the same, wherever it was read from.

use std::path::PathBuf;

use scrollback_format::time::Time;
use scrollback_index::catalogue::{Brief, Condition};
use scrollback_index::error::IndexError;
use scrollback_index::table::SessionRow;
use scrollback_model::facts::SessionKind;
use scrollback_model::title::TitleSource;
use scrollback_model::tokens::Tokens;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Index;
use crate::view::{SessionView, TokensView};

/// A view as a row. `path` is the file's in the catalogue's words.
pub fn row(view: &SessionView, path: &str) -> SessionRow {
    let tokens = &view.tokens;
    SessionRow {
        file: 0,
        session_id: view.session_id.clone(),
        root: view.root.to_string_lossy().into_owned(),
        folder: view.folder.clone(),
        path: path.to_owned(),
        project: view.project.clone(),
        home: view.home.clone(),
        repository: view.repository.clone(),
        kind: view.kind.name().to_owned(),
        title: view.title.clone(),
        title_source: view.title_source.map(|source| source.name().to_owned()),
        first_time: view.first_time.map(|time| time.0),
        last_time: view.last_time.map(|time| time.0),
        active_ms: view.active_ms as i64,
        bytes: view.bytes as i64,
        lines: view.lines as i64,
        entries: view.entries as i64,
        prompts: view.prompts as i64,
        turns: view.turns as i64,
        messages: view.messages as i64,
        tool_calls: view.tool_calls as i64,
        tool_errors: view.tools.iter().map(|tool| tool.errors as i64).sum(),
        files_written: 0,
        inline_agents: 0,
        compactions: view.compactions as i64,
        branches: view.branches as i64,
        reachable_entries: view.reachable_entries as i64,
        unreachable_entries: view.unreachable_entries as i64,
        input_tokens: tokens.input as i64,
        output_tokens: tokens.output as i64,
        cache_read: tokens.cache_read as i64,
        cache_write: tokens.cache_write as i64,
        cache_write_5m: tokens.cache_write_5m as i64,
        cache_write_1h: tokens.cache_write_1h as i64,
        output_is_lower_bound: tokens.output_is_lower_bound,
        problems: view.problems as i64,
        takes_summary: false,
        first_prompt: None,
        tools: json(&view.tools),
        models: json(&view.models),
        versions: json(&view.versions),
        git_branches: json(&view.git_branches),
        entrypoints: json(&view.entrypoints),
    }
}

fn json<T: Serialize>(list: &[T]) -> String {
    serde_json::to_string(list).unwrap_or_else(|_| "[]".into())
}

fn list<T: DeserializeOwned>(json: &str) -> Vec<T> {
    serde_json::from_str(json).unwrap_or_default()
}

impl Index {
    /// The view of a row.
    pub fn view(&self, row: SessionRow, agents: u64) -> SessionView {
        let tokens = Tokens {
            input: row.input_tokens as u64,
            output: row.output_tokens as u64,
            cache_read: row.cache_read as u64,
            cache_write: row.cache_write as u64,
            cache_write_5m: row.cache_write_5m as u64,
            cache_write_1h: row.cache_write_1h as u64,
        };
        SessionView {
            path: self.given_path(&row.path),
            root: self.given_root(&row.root),
            session_id: row.session_id,
            folder: row.folder,
            project: row.project,
            home: row.home,
            repository: row.repository,
            kind: SessionKind::find(&row.kind).unwrap_or(SessionKind::Unreadable),
            title: row.title,
            title_source: row.title_source.as_deref().and_then(TitleSource::find),
            first_time: row.first_time.map(Time),
            last_time: row.last_time.map(Time),
            active_ms: row.active_ms as u64,
            bytes: row.bytes as u64,
            lines: row.lines as u64,
            entries: row.entries as u64,
            prompts: row.prompts as u64,
            turns: row.turns as u64,
            messages: row.messages as u64,
            tool_calls: row.tool_calls as u64,
            tools: list(&row.tools),
            agents: agents + row.inline_agents as u64,
            compactions: row.compactions as u64,
            branches: row.branches as u64,
            reachable_entries: row.reachable_entries as u64,
            unreachable_entries: row.unreachable_entries as u64,
            models: list(&row.models),
            versions: list(&row.versions),
            git_branches: list(&row.git_branches),
            entrypoints: list(&row.entrypoints),
            tokens: TokensView::of(tokens, row.output_is_lower_bound),
            problems: row.problems as u64,
            hidden_because: Vec::new(),
            tags: Vec::new(),
            pinned: false,
            hidden: false,
        }
    }

    /// Views of the sessions that a condition picks, in an order, up to a limit.
    pub fn select(
        &self,
        condition: &Condition,
        order: &str,
        limit: Option<usize>,
    ) -> Result<Vec<SessionView>, IndexError> {
        let rows = self.db.sessions(condition, order, limit)?;
        Ok(rows.into_iter().map(|(row, agents)| self.view(row, agents)).collect())
    }

    /// Every session of these roots.
    pub fn all(&self) -> Result<Condition, IndexError> {
        let all = self.has_all_roots()?;
        Ok(if all { Condition::default() } else { Condition::of_roots(&self.root_names()) })
    }

    /// The earliest and the latest time in sessions.
    pub fn span(&self, condition: &Condition) -> Result<(Option<Time>, Option<Time>), IndexError> {
        let ends = |order: &str| -> Result<Option<SessionView>, IndexError> {
            Ok(self.select(condition, order, Some(1))?.into_iter().next())
        };
        let first = ends("s.first_time ASC NULLS LAST")?.and_then(|view| view.first_time);
        Ok((first, ends("s.last_time DESC NULLS LAST")?.and_then(|view| view.last_time)))
    }

    /// How many agents' files there are.
    pub fn agent_count(&self) -> Result<u64, IndexError> {
        let mut count = 0;
        for root in self.root_names() {
            count += self.db.agents_in(&root)?;
        }
        Ok(count)
    }

    /// What names sessions, newest first, with their paths in the user's words.
    pub fn briefs(&self) -> Result<Vec<(Brief, PathBuf)>, IndexError> {
        let briefs = self.db.briefs(&self.all()?)?;
        Ok(briefs.into_iter().map(|brief| (brief.clone(), self.given_path(&brief.path))).collect())
    }

    /// Every session, newest first.
    pub fn sessions(&self) -> Result<Vec<SessionView>, IndexError> {
        self.select(&self.all()?, NEWEST, None)
    }

    /// The session with this id: the one that was written last, of several.
    pub fn session_brief(&self, session_id: &str) -> Result<Option<Brief>, IndexError> {
        let mut condition = self.all()?;
        condition.and("s.session_id = ?", [session_id.to_owned()]);
        Ok(self.db.briefs(&condition)?.into_iter().next())
    }

    /// The path of a file by its number.
    pub fn path_of(&self, file: i64) -> Result<Option<PathBuf>, IndexError> {
        Ok(self.db.path(file)?.map(|path| self.given_path(&path)))
    }
}

/// Most recently active first; what has no time last.
pub const NEWEST: &str = "s.last_time DESC NULLS LAST, s.session_id, s.path";
