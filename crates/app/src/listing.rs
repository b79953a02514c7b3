//! Listing: sessions that pass some filters, in some order, from the catalogue.

mod agents;
mod fuzzy;

use scrollback_format::folder;
use scrollback_format::time::Time;
use scrollback_index::catalogue::{AGENTS, Condition};
use scrollback_index::error::IndexError;
use serde::{Deserialize, Serialize};

use scrollback_model::facts::SessionKind;
use scrollback_session::catalogue::{Index, Remark};
use scrollback_session::library::Library;
use scrollback_session::marks::Marks;
use scrollback_session::trouble::TroubleView;
use scrollback_session::view::{HiddenBecause, SessionView};

pub use agents::ListedAgent;

/// Which sessions to list.
#[derive(Debug, Clone, Default)]
pub struct ListFilter {
    /// Only projects whose directory contains this.
    pub project: Option<String>,
    /// Only sessions with a line at or after this time.
    pub since: Option<Time>,
    /// Only sessions with a line before this time.
    pub until: Option<Time>,
    /// Only sessions whose title, id, project or branch contains these words, or nearly does.
    pub words: Vec<String>,
    /// Only sessions that were on a branch whose name contains this.
    pub branch: Option<String>,
    /// Only sessions with a model whose name contains this.
    pub model: Option<String>,
    /// Only sessions that called this tool.
    pub tool: Option<String>,
    /// Only sessions whose tools read or wrote a file whose path contains this.
    pub file: Option<String>,
    /// Only sessions of clients whose version begins with this.
    pub client: Option<String>,
    /// A condition of the user's, in SQL over the columns of `sessions`.
    pub condition: Option<String>,
    /// Only sessions with this tag of the user's.
    pub tag: Option<String>,
    /// What users say about sessions.
    pub marks: Marks,
    /// Include sessions without messages (empty files, stubs, side notes, ghosts) and those that the user has hidden.
    pub all: bool,
    /// Maximum number of sessions.
    pub limit: Option<usize>,
}

impl ListFilter {
    /// Is there nothing that a session would have to be?
    fn is_open(&self) -> bool {
        let parts =
            [&self.project, &self.branch, &self.model, &self.tool, &self.file, &self.client, &self.condition];
        self.words.is_empty()
            && self.since.is_none()
            && self.until.is_none()
            && parts.iter().all(|part| part.is_none())
    }
}

/// How to order them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// What it is called.
    pub name: &'static str,
    /// What comes first.
    pub about: &'static str,
    /// What it goes by, in SQL; then newest line first.
    first: Option<&'static str>,
}

/// Every fact has an order of its own; the first one is the usual one. `$agents` counts a session's agents.
pub const ORDERS: [Order; 20] = [
    Order { name: "newest", about: "Most recently active first", first: None },
    Order { name: "oldest", about: "Least recently active first", first: Some("s.last_time ASC NULLS LAST") },
    Order {
        name: "begun",
        about: "Most recently started first",
        first: Some("s.first_time DESC NULLS LAST"),
    },
    Order { name: "size", about: "Largest file first", first: Some("s.bytes DESC") },
    Order { name: "turns", about: "Most turns first", first: Some("s.turns DESC") },
    Order { name: "prompts", about: "Most prompts first", first: Some("s.prompts DESC") },
    Order { name: "messages", about: "Most API messages first", first: Some("s.messages DESC") },
    Order { name: "calls", about: "Most tool calls first", first: Some("s.tool_calls DESC") },
    Order { name: "errors", about: "Most tool errors first", first: Some("s.tool_errors DESC") },
    Order { name: "files", about: "Most files written first", first: Some("s.files_written DESC") },
    Order { name: "agents", about: "Most agents first", first: Some("$agents + s.inline_agents DESC") },
    Order { name: "compactions", about: "Most compactions first", first: Some("s.compactions DESC") },
    Order { name: "branches", about: "Most branches first", first: Some("s.branches DESC") },
    Order { name: "active", about: "Longest active time first", first: Some("s.active_ms DESC") },
    Order {
        name: "tokens",
        about: "Most tokens first, of all kinds",
        first: Some("s.input_tokens + s.output_tokens + s.cache_read + s.cache_write DESC"),
    },
    Order { name: "output", about: "Most output tokens first", first: Some("s.output_tokens DESC") },
    Order { name: "problems", about: "Most problems first", first: Some("s.problems DESC") },
    Order { name: "project", about: "By project, then newest", first: Some("s.project") },
    Order { name: "title", about: "By title", first: Some("s.title") },
    Order { name: "id", about: "By id", first: Some("s.session_id") },
];

impl Order {
    /// The order of this name.
    pub fn find(name: &str) -> Option<Self> {
        ORDERS.into_iter().find(|order| order.name == name)
    }

    fn sql(self) -> String {
        let newest = scrollback_session::catalogue::NEWEST;
        match self.first {
            Some(first) => format!("{}, {newest}", first.replace("$agents", AGENTS)),
            None => newest.to_owned(),
        }
    }
}

impl Default for Order {
    fn default() -> Self {
        let [usual, ..] = ORDERS;
        usual
    }
}

/// What a listing found.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Listing {
    /// The sessions.
    pub sessions: Vec<SessionView>,
    /// How many passed the filters, those beyond the limit included.
    pub matched: u64,
    /// How many empty sessions were left out.
    pub hidden: u64,
    /// How many were left out because the user has hidden them.
    pub hidden_by_user: u64,
    /// How many agents' transcripts there are, which the client never lists and `tree` shows with their sessions.
    pub agents: u64,
    /// Those of the sessions that pass, if everything was asked for.
    pub agent_list: Vec<ListedAgent>,
    /// No session has these words; these are near them.
    pub fuzzy: bool,
    /// Is this as the files are now?
    pub complete: bool,
    /// As of when it is.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub as_of: Option<Time>,
    /// What is worth knowing about how the answer came about.
    pub remarks: Vec<Remark>,
    /// Files and folders that could not be read or are odd.
    pub troubles: Vec<TroubleView>,
}

/// Sessions that a plain list shows: those with messages, and those that cannot be read.
const SHOWN: &str = "s.kind IN ('conversation', 'background', 'unreadable')";

/// Lists sessions. `here` is the working directory, which the client's own list goes by.
pub fn list(
    library: &Library,
    index: &Index,
    filter: &ListFilter,
    order: Order,
    here: Option<&str>,
) -> Result<Listing, IndexError> {
    if let Some(own) = &filter.condition {
        index.catalogue().check_condition(own)?;
    }
    let (passing, fuzzy) = passing(index, filter)?;
    let counts = index.catalogue().sums(&passing, &[SHOWN])?;
    let (all, spoken) = (counts[0] as u64, counts[if filter.all { 0 } else { 1 }] as u64);
    let agent_list =
        if filter.all { agents::of(index, &passing, filter.is_open(), filter.limit)? } else { Vec::new() };
    let mut shown = passing;
    if !filter.all {
        shown.and(SHOWN, []);
    }
    let mut matched = spoken;
    if !filter.all && filter.marks.leave_hidden_out(&mut shown) {
        matched = index.catalogue().sums(&shown, &[])?[0] as u64;
    }
    let order = format!("{}{}", pins_first(&filter.marks), order.sql());
    let mut sessions = index.select(&shown, &order, filter.limit)?;
    let names = here.map(folder::names).unwrap_or_default();
    for view in &mut sessions {
        filter.marks.put(view);
        view.hidden_because = hidden(view, &names);
    }
    Ok(Listing {
        sessions,
        matched,
        hidden: all - spoken,
        hidden_by_user: spoken - matched,
        agents: index.agent_count()?,
        agent_list,
        fuzzy,
        complete: index.remarks.iter().all(|remark| !remark.stale),
        as_of: index.as_of,
        remarks: index.remarks.clone(),
        troubles: library.trouble_views(),
    })
}

/// The sessions that pass a filter; true: none has its words, and these are near them.
fn passing(index: &Index, filter: &ListFilter) -> Result<(Condition, bool), IndexError> {
    let condition = condition(index, filter)?;
    let mut with_words = condition.clone();
    filter.words.iter().for_each(|word| contains(&mut with_words, word));
    if filter.words.is_empty() || index.catalogue().sums(&with_words, &[])?[0] > 0 {
        return Ok((with_words, false));
    }
    let near = fuzzy::near(&index.catalogue().briefs(&condition)?, &filter.words);
    if near.is_empty() {
        return Ok((with_words, false));
    }
    let mut passing = condition;
    let marks = vec!["?"; near.len()].join(", ");
    passing.and(format!("s.path IN ({marks})"), near);
    Ok((passing, true))
}

/// What users have pinned comes before everything else.
pub(crate) fn pins_first(marks: &Marks) -> String {
    let pinned = marks.sessions(|mark| mark.pinned);
    if pinned.is_empty() {
        return String::new();
    }
    let ids: Vec<String> = pinned.iter().map(|id| format!("'{}'", id.replace('\'', "''"))).collect();
    format!("s.session_id IN ({}) DESC, ", ids.join(", "))
}

/// Why the client's own list, in a directory with these folder names, does not show a session.
fn hidden(view: &SessionView, here: &[String]) -> Vec<HiddenBecause> {
    let mut why = Vec::new();
    if view.hidden {
        why.push(HiddenBecause::HiddenByUser);
    }
    match view.kind {
        SessionKind::Conversation if view.prompts == 0 => why.push(HiddenBecause::NoPrompt),
        kind => why.extend(HiddenBecause::of_kind(kind)),
    }
    let sdk = view.entrypoints.iter().any(|way| way.name.starts_with("sdk"));
    if sdk {
        why.push(HiddenBecause::Sdk);
    }
    if !here.is_empty() && !here.contains(&view.folder) {
        why.push(HiddenBecause::OtherDirectory);
    }
    why
}

fn condition(index: &Index, filter: &ListFilter) -> Result<Condition, IndexError> {
    let mut condition = index.all()?;
    let lower = |text: &str| text.to_lowercase();
    if let Some(project) = &filter.project {
        condition.and("instr(lowercase(coalesce(s.project, s.folder)), ?)", [lower(project)]);
    }
    // A session without any time lies neither after nor before one.
    if let Some(since) = filter.since {
        condition.and(format!("s.last_time >= {}", since.0), []);
    }
    if let Some(until) = filter.until {
        condition.and(format!("s.first_time < {}", until.0), []);
    }
    let any = |column: &str, field: &str, test: &str| {
        format!(
            "EXISTS (SELECT 1 FROM json_each(s.{column}) j WHERE {})",
            test.replace('$', &format!("j.value ->> '{field}'"))
        )
    };
    if let Some(branch) = &filter.branch {
        condition.and(any("git_branches", "name", "instr(lowercase($), ?)"), [lower(branch)]);
    }
    if let Some(model) = &filter.model {
        condition.and(any("models", "name", "instr(lowercase($), ?)"), [lower(model)]);
    }
    if let Some(tool) = &filter.tool {
        condition.and(any("tools", "tool", "lowercase($) = ?"), [lower(tool)]);
    }
    if let Some(client) = &filter.client {
        condition.and(any("versions", "name", "instr($, ?) = 1"), [client.clone()]);
    }
    if let Some(file) = &filter.file {
        let touched =
            "EXISTS (SELECT 1 FROM touched t WHERE t.file = s.file AND instr(lowercase(t.path), ?))";
        condition.and(touched, [lower(file)]);
    }
    if let Some(tag) = &filter.tag {
        filter.marks.only(&mut condition, |mark| Marks::is_tagged(mark, tag));
    }
    if let Some(own) = &filter.condition {
        // On lines of its own: it may end in a comment.
        condition.and(format!("{own}\n"), []);
    }
    Ok(condition)
}

/// A word in the title, the id, the project or a branch.
fn contains(condition: &mut Condition, word: &str) {
    let word = word.to_lowercase();
    let part = "instr(lowercase(coalesce(s.title, '')), ?) OR instr(s.session_id, ?) OR instr(lowercase(coalesce(s.project, '')), ?)
        OR EXISTS (SELECT 1 FROM json_each(s.git_branches) j WHERE instr(lowercase(j.value ->> 'name'), ?))";
    condition.and(part, std::iter::repeat_n(word, 4));
}
