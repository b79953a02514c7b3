//! Filters: which files, entries and texts are searched at all.

use std::path::Path;

use scrollback_format::entry::Entry;
use scrollback_format::json::{Text, Value};
use scrollback_format::kind::{Kind, NoteKind};
use scrollback_format::time::Time;
use scrollback_store::small;

use super::text::{MatchPlace, Speaker};

/// What to search, beside the pattern. What is not set lets everything through.
#[derive(Debug, Clone, Default)]
pub struct GrepFilter {
    /// Only files begun in a directory that contains this.
    pub project: Option<String>,
    /// Only entries at or after this time.
    pub since: Option<Time>,
    /// Only entries before this time.
    pub until: Option<Time>,
    /// Only what this one says.
    pub speaker: Option<Speaker>,
    /// Only calls of this tool and what came back; `name*` for all that begin so.
    pub tool: Option<String>,
    /// Only entries written on a git branch whose name contains this.
    pub branch: Option<String>,
    /// Only answers and calls of a model whose name contains this.
    pub model: Option<String>,
    /// Only agents whose id begins with this or whose type contains it; `*` for any agent.
    pub agent: Option<String>,
    /// Only what tools gave back as errors.
    pub errors: bool,
    /// Also stored API requests.
    pub requests: bool,
}

impl GrepFilter {
    /// May anything in an entry be searched?
    pub fn takes_entry(&self, entry: &Entry<'_>) -> bool {
        if !self.requests && is_request(entry.kind) {
            return false;
        }
        if self.since.is_some() || self.until.is_some() {
            // An entry without a time lies neither after nor before one.
            let Some(time) = entry.time() else { return false };
            if self.since.is_some_and(|since| time < since) || self.until.is_some_and(|until| time >= until) {
                return false;
            }
        }
        let has =
            |text: Option<Text<'_>>, part: &str| text.is_some_and(|text| contains(&text.decode(), part));
        if self.branch.as_deref().is_some_and(|part| !has(entry.envelope.git_branch, part)) {
            return false;
        }
        self.model.as_deref().is_none_or(|part| has(model(entry), part))
    }

    /// Does it need a damaged line to say what such a line cannot?
    pub fn takes_damaged(&self) -> bool {
        let no_time = self.since.is_none() && self.until.is_none();
        let nothing = self.tool.is_none() && self.branch.is_none() && self.model.is_none() && !self.errors;
        no_time && nothing && self.speaker.is_none_or(|speaker| speaker == Speaker::System)
    }

    /// May a text be searched, as far as it can be told without knowing the tools' names?
    pub fn takes_place(&self, place: &MatchPlace<'_>) -> bool {
        self.speaker.is_none_or(|speaker| speaker == place.speaker)
            && (!self.errors || place.is_error)
            && (self.tool.is_none() || place.call.is_some())
    }

    /// Is this tool asked for?
    pub fn takes_tool(&self, tool: Option<&str>) -> bool {
        let Some(wanted) = self.tool.as_deref() else { return true };
        let Some(tool) = tool.map(str::to_lowercase) else { return false };
        let wanted = wanted.to_lowercase();
        match wanted.strip_suffix('*') {
            Some(start) => tool.starts_with(start),
            None => tool == wanted,
        }
    }

    /// Is the agent with this id and this file asked for?
    pub fn takes_agent(&self, agent: Option<&str>, path: &Path) -> bool {
        let Some(wanted) = self.agent.as_deref() else { return true };
        let Some(agent) = agent else { return false };
        wanted == "*"
            || agent.starts_with(wanted)
            || agent_type(path).is_some_and(|kind| contains(&kind, wanted))
    }
}

/// The model that an answer comes from.
pub fn model<'a>(entry: &Entry<'a>) -> Option<Text<'a>> {
    entry.envelope.message.filter(|_| entry.kind == Kind::Assistant)?.get("model").and_then(Value::text)
}

/// Does a text contain a part, case aside?
pub fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

fn is_request(kind: Kind) -> bool {
    matches!(kind, Kind::Note(NoteKind::ApiRequest | NoteKind::ApiRequestBlob | NoteKind::ApiRequestShape))
}

/// What an agent's `.meta.json` says that it is.
fn agent_type(path: &Path) -> Option<String> {
    let (bytes, _) = small::read(&path.with_extension("meta.json"), 256 << 10).ok()?;
    let value: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    value.get("agentType")?.as_str().map(str::to_owned)
}
