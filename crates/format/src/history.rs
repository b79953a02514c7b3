//! `history.jsonl`: prompts typed in the terminal, one a line, of all projects.
//!
//! Old clients write neither the session nor what was pasted; later ones a hash of the paste, whose text is in
//! `paste-cache`. Some that came before wrote the text itself into the entry.

use std::ops::Range;

use crate::id::SessionId;
use crate::json::{Tape, Text, Value};
use crate::time::Time;

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What was typed, with a placeholder for what was pasted.
    pub display: String,
    /// What was pasted, in the order of the entry.
    pub pastes: Vec<Paste>,
    /// When.
    pub time: Option<Time>,
    /// The working directory.
    pub project: Option<String>,
    /// The session, 2.0.55 on.
    pub session: Option<SessionId>,
}

/// Something pasted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paste {
    /// Its number in the placeholder.
    pub id: u64,
    /// `text` or `image`.
    pub kind: Option<String>,
    /// The text, if the entry has it.
    pub content: Option<String>,
    /// The name of its file in `paste-cache`, without the ending.
    pub hash: Option<String>,
}

/// Why a line is no prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryOddity {
    /// It is no JSON: torn, or written over.
    NotJson,
    /// It is JSON, but no object.
    NotObject,
    /// It has no `display`, or one that is no text.
    NoDisplay,
}

impl HistoryOddity {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotJson => "is not valid JSON",
            Self::NotObject => "is not an object",
            Self::NoDisplay => "has no prompt text",
        }
    }
}

/// The prompt on a line. Fields of another type than the client gives them are taken as missing.
pub fn decode(line: &[u8], tape: &mut Tape) -> Result<Prompt, HistoryOddity> {
    let end = tape.scan(line).map_err(|_| HistoryOddity::NotJson)?;
    if !line[end..].iter().all(u8::is_ascii_whitespace) {
        return Err(HistoryOddity::NotJson);
    }
    let root = tape.root(line).ok_or(HistoryOddity::NotJson)?;
    let text = |value: Value<'_>, key: &str| {
        value.get(key).and_then(Value::text).map(Text::decode).map(|text| text.into_owned())
    };
    if root.fields().next().is_none() && !root.raw().starts_with(b"{") {
        return Err(HistoryOddity::NotObject);
    }
    let pastes = root.get("pastedContents").into_iter().flat_map(Value::fields).map(|(key, paste)| Paste {
        id: paste.get("id").and_then(Value::u64).or_else(|| key.decode().parse().ok()).unwrap_or(0),
        kind: text(paste, "type"),
        content: text(paste, "content"),
        hash: text(paste, "contentHash"),
    });
    let time = root.get("timestamp").and_then(|time| match time.u64() {
        Some(millis) => i64::try_from(millis).ok().map(Time),
        None => time.text().and_then(|time| Time::decode(&time.decode())),
    });
    Ok(Prompt {
        display: text(root, "display").ok_or(HistoryOddity::NoDisplay)?,
        pastes: pastes.collect(),
        time,
        project: text(root, "project"),
        session: text(root, "sessionId").map(SessionId::new),
    })
}

/// Where placeholders for pastes stand in a prompt: `[Pasted text #1 +59 lines]`, with their numbers.
pub fn placeholders(display: &str) -> Vec<(Range<usize>, u64)> {
    const BEGINNINGS: [&str; 3] = ["[Pasted text #", "[...Truncated text #", "[Image #"];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = display[at..].find('[').map(|open| at + open) {
        at = open + 1;
        let rest = &display[open..];
        let Some(begin) = BEGINNINGS.into_iter().find(|begin| rest.starts_with(begin)) else { continue };
        let Some(close) = rest.find(']') else { break };
        let digits: String = rest[begin.len()..].chars().take_while(char::is_ascii_digit).collect();
        if let Ok(number) = digits.parse() {
            found.push((open..open + close + 1, number));
            at = open + close + 1;
        }
    }
    found
}

/// Does a text that was sent fit a prompt as it was typed: the same, but for what stands in place of pastes? Gives what
/// stands there, in order.
pub fn unpaste<'t>(display: &str, sent: &'t str) -> Option<Vec<&'t str>> {
    let marks = placeholders(display);
    let mut rest =
        sent.strip_prefix(&display[..marks.first().map_or(display.len(), |(range, _)| range.start)])?;
    let mut pasted = Vec::new();
    for (number, (range, _)) in marks.iter().enumerate() {
        let next = marks.get(number + 1).map_or(display.len(), |(range, _)| range.start);
        let between = &display[range.end..next];
        let end = match (between.is_empty(), number + 1 == marks.len()) {
            (true, true) => rest.len(),
            // Two pastes side by side cannot be told apart: the first is taken to be all.
            (true, false) => rest.len(),
            (false, true) => rest.rfind(between).filter(|at| at + between.len() == rest.len())?,
            (false, false) => rest.find(between)?,
        };
        pasted.push(&rest[..end]);
        rest = &rest[(end + between.len()).min(rest.len())..];
    }
    rest.is_empty().then_some(pasted)
}

#[cfg(test)]
mod tests {
    use super::{HistoryOddity, decode, placeholders, unpaste};
    use crate::json::Tape;

    #[test]
    fn entries_of_every_generation_are_read() {
        let mut tape = Tape::new();
        let old = decode(br#"{"display":"hi","pastedContents":{},"timestamp":5,"project":"/p"}"#, &mut tape)
            .unwrap();
        assert_eq!((old.display.as_str(), old.time.unwrap().0, old.session), ("hi", 5, None));
        let new = br#"{"display":"[Pasted text #1 +2 lines]","pastedContents":{"1":{"id":1,"type":"text","contentHash":"ab"},"2":{"id":2,"content":"x"}},"sessionId":"s"}"#;
        let new = decode(new, &mut tape).unwrap();
        assert_eq!(new.pastes[0].hash.as_deref(), Some("ab"));
        assert_eq!(new.pastes[1].content.as_deref(), Some("x"));
        assert_eq!(new.session.unwrap().as_str(), "s");
    }

    #[test]
    fn odd_lines_say_why_and_wrong_types_are_missing() {
        let mut tape = Tape::new();
        for (line, odd) in [
            (r#"{"display":"a"#, HistoryOddity::NotJson),
            (r#"{"display":"a"}{"display":"b"}"#, HistoryOddity::NotJson),
            ("", HistoryOddity::NotJson),
            ("[1]", HistoryOddity::NotObject),
            ("{}", HistoryOddity::NoDisplay),
            (r#"{"display":7}"#, HistoryOddity::NoDisplay),
        ] {
            assert_eq!(decode(line.as_bytes(), &mut tape), Err(odd), "{line}");
        }
        let line =
            br#"{"display":"\ud83d a","timestamp":[],"project":7,"sessionId":null,"pastedContents":[1]}"#;
        let prompt = decode(line, &mut tape).unwrap();
        assert_eq!((prompt.time, prompt.project, prompt.session, prompt.pastes), (None, None, None, vec![]));
    }

    #[test]
    fn placeholders_are_found_and_what_stands_there_is_cut_out() {
        let display = "see [Pasted text #1 +59 lines] and [x] [Image #2] [Pasted text #";
        assert_eq!(placeholders(display).into_iter().map(|(_, n)| n).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(unpaste("a [Pasted text #1] b", "a long\ntext b"), Some(vec!["long\ntext"]));
        assert_eq!(unpaste("[Pasted text #1 +59 lines]", "all of it"), Some(vec!["all of it"]));
        assert_eq!(unpaste("[Pasted text #1] x [Pasted text #2]", "one x two"), Some(vec!["one", "two"]));
        assert_eq!(unpaste("same", "same"), Some(vec![]));
        assert_eq!(unpaste("same", "other"), None);
        assert_eq!(unpaste("a [Pasted text #1] b", "a c"), None);
    }
}
