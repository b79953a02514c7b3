//! Plain view models of a session, in the words that `--json` uses. The same thing has the same name everywhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_model::facts::{Counted, SessionKind, TranscriptFacts};
use scrollback_model::title::TitleSource;
use scrollback_model::tokens::Tokens;
use serde::{Deserialize, Serialize};

/// A time as RFC 3339, for `#[serde(with)]`.
pub mod time {
    use scrollback_format::time::Time;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes it.
    pub fn serialize<S: Serializer>(time: &Option<Time>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.collect_str(time),
            None => serializer.serialize_none(),
        }
    }

    /// Reads it.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Time>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let decode = |text: String| {
            Time::decode(&text).ok_or_else(|| serde::de::Error::custom(format!("invalid time '{text}'")))
        };
        text.map(decode).transpose()
    }
}

/// A path as text, for `#[serde(with)]`; bytes that are not UTF-8 become U+FFFD, so that one odd name does not cost the
/// whole answer.
pub mod path {
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes it.
    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&path.to_string_lossy())
    }

    /// Reads it.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        String::deserialize(deserializer).map(PathBuf::from)
    }
}

/// The same for a path that may be missing.
pub mod maybe_path {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes it.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        match path {
            Some(path) => serializer.serialize_str(&path.to_string_lossy()),
            None => serializer.serialize_none(),
        }
    }

    /// Reads it.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<String>::deserialize(deserializer)?.map(PathBuf::from))
    }
}

/// The same for several paths.
pub mod paths {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes them.
    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
    }

    /// Reads them.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.into_iter().map(PathBuf::from).collect())
    }
}

/// Token counts, each message counted once.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TokensView {
    /// Sent, beyond what the cache had.
    pub input: u64,
    /// Received.
    pub output: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written to the cache, in all.
    pub cache_write: u64,
    /// Of these, to live five minutes.
    pub cache_write_5m: u64,
    /// Of these, to live an hour.
    pub cache_write_1h: u64,
    /// Is `output` only a lower bound, because the client never wrote the final count?
    pub output_is_lower_bound: bool,
}

impl TokensView {
    /// The view of these counts.
    pub fn of(tokens: Tokens, output_is_lower_bound: bool) -> Self {
        Self {
            input: tokens.input,
            output: tokens.output,
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
            cache_write_5m: tokens.cache_write_5m,
            cache_write_1h: tokens.cache_write_1h,
            output_is_lower_bound,
        }
    }
}

/// A text with how often it was seen.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CountView {
    /// The text.
    pub name: String,
    /// How often.
    pub count: u64,
}

/// Counted texts as views.
pub fn counts(counted: &[Counted]) -> Vec<CountView> {
    counted.iter().map(|(name, count)| CountView { name: name.clone(), count: *count }).collect()
}

/// A tool with how often it was called.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ToolView {
    /// Its name.
    pub tool: String,
    /// Calls.
    pub calls: u64,
    /// Results that were errors or denials.
    pub errors: u64,
    /// Calls that nothing came back for.
    pub unanswered: u64,
}

/// Why a session is not listed: by the client, or by us because the user said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HiddenBecause {
    /// The user hid it.
    HiddenByUser,
    /// No prompt was typed.
    NoPrompt,
    /// It was run by the SDK or `-p`.
    Sdk,
    /// It belongs to another directory than the current one.
    OtherDirectory,
    /// It runs in the background.
    Background,
    /// It is an agent's.
    Agent,
    /// Its file is empty.
    Empty,
    /// Its file holds a stub only.
    Stub,
    /// Its file holds side notes only.
    SideNotes,
    /// Its file holds no message that the client would load.
    Ghost,
    /// Its file could not be read.
    Unreadable,
}

impl HiddenBecause {
    /// The reason that a kind of file is; none for a conversation.
    pub fn of_kind(kind: SessionKind) -> Option<Self> {
        Some(match kind {
            SessionKind::Conversation => return None,
            SessionKind::Background => Self::Background,
            SessionKind::Agent => Self::Agent,
            SessionKind::Empty => Self::Empty,
            SessionKind::Stub => Self::Stub,
            SessionKind::SideNotes => Self::SideNotes,
            SessionKind::Ghost => Self::Ghost,
            _ => Self::Unreadable,
        })
    }
}

/// One session, as every command shows it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionView {
    /// Its id.
    pub session_id: String,
    /// Where its file is.
    #[serde(with = "crate::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The store that it is in.
    #[serde(with = "crate::view::path")]
    #[schemars(with = "String")]
    pub root: PathBuf,
    /// The folder below `projects/` that its file is in.
    pub folder: String,
    /// The directory in which it was begun.
    pub project: Option<String>,
    /// The directory that its file is at home in now, where that is another one.
    pub home: Option<String>,
    /// The main checkout of the repository, as far as it is known: of a worktree, or of the project itself.
    pub repository: Option<String>,
    /// `conversation`, `background`, `empty`, `stub`, `side_notes`, `ghost`; `unreadable` if its file may not be read.
    pub kind: SessionKind,
    /// What it is called.
    pub title: Option<String>,
    /// `custom`, `ai`, `summary`, `first_prompt`.
    pub title_source: Option<TitleSource>,
    /// The earliest time on any line.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub first_time: Option<Time>,
    /// The latest time on any line.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
    /// How long its turns took together.
    pub active_ms: u64,
    /// Bytes of its file.
    pub bytes: u64,
    /// Lines of its file.
    pub lines: u64,
    /// Entries.
    pub entries: u64,
    /// Prompts on the live thread.
    pub prompts: u64,
    /// Turns on the live thread.
    pub turns: u64,
    /// API messages.
    pub messages: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Tools by name.
    pub tools: Vec<ToolView>,
    /// Agents that it has made.
    pub agents: u64,
    /// Compactions.
    pub compactions: u64,
    /// Conversations left behind by rewinds and edits.
    pub branches: u64,
    /// Lines of the conversation tree on the live thread.
    pub reachable_entries: u64,
    /// Lines of the tree that are not.
    pub unreachable_entries: u64,
    /// Models by messages.
    pub models: Vec<CountView>,
    /// Client versions by lines.
    pub versions: Vec<CountView>,
    /// Git branches by lines.
    pub git_branches: Vec<CountView>,
    /// How the client was started.
    pub entrypoints: Vec<CountView>,
    /// Tokens.
    pub tokens: TokensView,
    /// Problems in the file.
    pub problems: u64,
    /// Why the client's own list does not show it: `sdk`, `no_prompt`, `other_directory`, or its kind; `hidden_by_user` if our own does not. Told by `ls`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_because: Vec<HiddenBecause>,
    /// The user's own tags. Told by `ls`, as are the next two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Kept at the top by the user.
    #[serde(default, skip_serializing_if = "is_not")]
    pub pinned: bool,
    /// Hidden by the user.
    #[serde(default, skip_serializing_if = "is_not")]
    pub hidden: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the serializer hands out references")]
fn is_not(flag: &bool) -> bool {
    !flag
}

/// Where a session's file is.
#[derive(Debug, Clone)]
pub struct SessionPlace {
    /// Its id.
    pub session_id: String,
    /// Its file.
    pub path: PathBuf,
    /// The store.
    pub root: PathBuf,
    /// The folder.
    pub folder: String,
}

impl SessionView {
    /// The view of a session with these facts.
    pub fn of(place: SessionPlace, facts: &TranscriptFacts, agents: u64) -> Self {
        let project = facts.origin.clone();
        let home = home(&place.folder, facts);
        Self {
            session_id: place.session_id,
            path: place.path,
            root: place.root,
            folder: place.folder,
            repository: project.as_deref().and_then(|project| repository(project, facts)),
            project,
            home,
            kind: facts.kind,
            title: facts.title.as_ref().map(|title| title.text.clone()),
            title_source: facts.title.as_ref().map(|title| title.source),
            first_time: facts.span.map(|(first, _)| first),
            last_time: facts.span.map(|(_, last)| last),
            active_ms: facts.active_ms,
            bytes: facts.bytes,
            lines: facts.lines,
            entries: facts.entries,
            prompts: facts.prompts,
            turns: facts.turns,
            messages: facts.messages,
            tool_calls: facts.tools.values().map(|tool| tool.calls).sum(),
            tools: tools(&facts.tools),
            agents,
            compactions: facts.compactions,
            branches: facts.branch_count,
            reachable_entries: facts.reachable,
            unreachable_entries: facts.unreachable,
            models: counts(&facts.models),
            versions: counts(&facts.versions),
            git_branches: counts(&facts.branches),
            entrypoints: counts(&facts.entrypoints),
            tokens: TokensView::of(facts.tokens, facts.output_is_lower_bound),
            problems: facts.problems,
            hidden_because: Vec::new(),
            tags: Vec::new(),
            pinned: false,
            hidden: false,
        }
    }

    /// The view of a session whose file may not be read: nothing is known of it but that it is there.
    pub fn unreadable(place: SessionPlace, bytes: u64) -> Self {
        Self {
            session_id: place.session_id,
            path: place.path,
            root: place.root,
            folder: place.folder,
            project: None,
            home: None,
            repository: None,
            kind: SessionKind::Unreadable,
            title: None,
            title_source: None,
            first_time: None,
            last_time: None,
            active_ms: 0,
            bytes,
            lines: 0,
            entries: 0,
            prompts: 0,
            turns: 0,
            messages: 0,
            tool_calls: 0,
            tools: Vec::new(),
            agents: 0,
            compactions: 0,
            branches: 0,
            reachable_entries: 0,
            unreachable_entries: 0,
            models: Vec::new(),
            versions: Vec::new(),
            git_branches: Vec::new(),
            entrypoints: Vec::new(),
            tokens: TokensView::of(Tokens::default(), false),
            problems: 1,
            hidden_because: Vec::new(),
            tags: Vec::new(),
            pinned: false,
            hidden: false,
        }
    }

    /// Could its file not be read?
    pub fn is_unreadable(&self) -> bool {
        self.kind == SessionKind::Unreadable
    }

    /// Would the client's own list show it?
    pub fn is_conversation(&self) -> bool {
        self.kind.is_spoken()
    }
}

fn tools(tools: &BTreeMap<String, scrollback_model::facts::ToolCount>) -> Vec<ToolView> {
    let mut views: Vec<ToolView> = tools
        .iter()
        .map(|(tool, count)| ToolView {
            tool: tool.clone(),
            calls: count.calls,
            errors: count.errors,
            unanswered: count.unanswered,
        })
        .collect();
    views.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.tool.cmp(&b.tool)));
    views
}

/// The directory that the session's file lies in the folder of, if it is not where the session was begun: the
/// client moves files on entering a worktree and on `/cd`.
fn home(folder: &str, facts: &TranscriptFacts) -> Option<String> {
    let origin = facts.origin.as_deref()?;
    if scrollback_format::folder::belongs(folder, origin) {
        return None;
    }
    let recorded = facts.cwds.iter().map(|(cwd, _)| cwd.as_str());
    let named = [facts.relocated.as_deref(), facts.worktree.as_deref()];
    recorded
        .chain(named.into_iter().flatten())
        .find(|cwd| scrollback_format::folder::belongs(folder, cwd))
        .map(str::to_owned)
}

/// The repository that a project is a worktree of: as its lines say, as its path says, or as git has noted it in the
/// directory, if that is still there.
fn repository(project: &str, facts: &TranscriptFacts) -> Option<String> {
    if let Some(origin) = facts.worktree_origin.as_deref().filter(|origin| *origin != project) {
        return Some(origin.to_owned());
    }
    if let Some((main, _)) = project.split_once("/.claude/worktrees/") {
        return Some(main.to_owned());
    }
    let main = scrollback_store::git::main_checkout(Path::new(project))?;
    Some(main.to_string_lossy().into_owned())
}
