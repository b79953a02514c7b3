//! How versions are shown, the same in every subcommand.

use scrollback_app::files::version::{Certainty, Evidence};
use scrollback_app::files::view::{EvidenceView, VersionState, VersionView};

use crate::context::Context;
use crate::date;
use crate::paint::{Style, StyledLine, fold};

/// Letters of a session ID shown in lists.
const SHORT: usize = 8;

/// How a state is known, in words.
pub fn evidence(version: &VersionView) -> StyledLine {
    let line = StyledLine::plain(names(version));
    if version.unseen { line.with("  changed outside", Style::Warning) } else { line }
}

/// Each kind of evidence once.
fn names(version: &VersionView) -> String {
    let mut names: Vec<&str> = Vec::new();
    for evidence in &version.evidence {
        let name = word(evidence.by);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// The client's own word for a kind of evidence.
pub fn word(by: Evidence) -> &'static str {
    match by {
        Evidence::Write => "Write",
        Evidence::Edit => "Edit",
        Evidence::MultiEdit => "MultiEdit",
        Evidence::NotebookEdit => "NotebookEdit",
        Evidence::Original => "originalFile",
        Evidence::Read => "Read",
        other => other.name(),
    }
}

/// How sure it is.
pub fn certainty(version: &VersionView) -> StyledLine {
    let style = match version.certainty {
        Certainty::Exact => Style::Success,
        Certainty::Replayed => Style::Plain,
        Certainty::Partial => Style::Warning,
        Certainty::Lost => Style::Error,
    };
    StyledLine::new(version.certainty.name(), style)
}

/// Its size, or why it is unknown.
pub fn size(version: &VersionView) -> StyledLine {
    match (version.state, version.bytes) {
        (VersionState::Absent, _) => StyledLine::new("no file", Style::Dim),
        (_, Some(bytes)) => StyledLine::new(fold::bytes(bytes), Style::Number),
        _ => StyledLine::new("?", Style::Dim),
    }
}

/// The turn, and the branch if it is not the live thread.
pub fn turn(evidence: &EvidenceView) -> String {
    let turn = evidence.turn.map_or_else(|| "-".to_owned(), |turn| turn.to_string());
    if evidence.branch == 0 { turn } else { format!("{turn} (branch {})", evidence.branch) }
}

/// The session, and the agent if it was one.
pub fn who(evidence: &EvidenceView) -> StyledLine {
    let short: String = evidence.session_id.chars().take(SHORT).collect();
    let line = StyledLine::new(short, Style::Number);
    match &evidence.agent_id {
        Some(agent) => {
            line.with(format!(" agent {}", agent.chars().take(SHORT).collect::<String>()), Style::Agent)
        }
        None => line,
    }
}

/// One sentence about a version: `v3 of 7, replayed, 2026-11-01 10:00, session 1a2b3c4d turn 4`.
pub fn sentence(context: &Context, version: &VersionView, versions: u64) -> String {
    let mut text = format!("v{} of {versions}, {}", version.version, version.certainty.name());
    if version.time.is_some() {
        text.push_str(&format!(", {}", date::minute(version.time, &context.zone)));
    }
    if let Some(first) = version.evidence.first() {
        text.push_str(&format!(", session {}", who(first).text()));
        if first.turn.is_some() {
            text.push_str(&format!(" turn {}", turn(first)));
        }
        text.push_str(&format!(", by {}", names(version)));
    }
    if version.unseen {
        text.push_str(", changed outside of tools");
    }
    text
}
