//! Titles: what a session is called, and where that comes from.

use crate::transcript::Transcript;

/// Where a title comes from, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum TitleSource {
    /// The user gave it.
    Custom,
    /// The client made it up (2.1.123 on).
    Ai,
    /// The client made it up (up to 2.1.22); found by its leaf, often in another file.
    Summary,
    /// The first prompt.
    FirstPrompt,
}

impl TitleSource {
    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Custom => "custom",
            Self::Ai => "ai",
            Self::Summary => "summary",
            Self::FirstPrompt => "first_prompt",
        }
    }

    /// The source with this name.
    pub fn find(name: &str) -> Option<Self> {
        [Self::Custom, Self::Ai, Self::Summary, Self::FirstPrompt]
            .into_iter()
            .find(|source| source.name() == name)
    }
}

/// A title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    /// One line of text.
    pub text: String,
    /// Where it comes from.
    pub source: TitleSource,
}

/// The title of a session. `sidecar` is what `custom-title.json` says, `summary` the title that a `summary` line
/// of the folder gives to a leaf in this transcript.
pub fn choose(transcript: &Transcript, sidecar: Option<&str>, summary: Option<&str>) -> Option<Title> {
    let candidates = [
        (TitleSource::Custom, transcript.custom_title.as_deref().or(sidecar)),
        (TitleSource::Ai, transcript.ai_title.as_deref()),
        (TitleSource::Summary, summary),
        (TitleSource::FirstPrompt, transcript.first_prompt.as_deref()),
    ];
    candidates.into_iter().find_map(|(source, text)| {
        let text = one_line(text?, if source == TitleSource::FirstPrompt { 160 } else { usize::MAX });
        (!text.is_empty()).then_some(Title { text, source })
    })
}

/// The text on one line; a long one is cut at a word.
fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() > most {
            line.push('…');
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
