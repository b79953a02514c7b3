//! What a client sends: the requests that were recorded, and what we say it would send, told the same way and compared.
//!
//! Both sides are JSON: `sent.json` of a case, and the program's own `resume --explain --json`. Left out on both is what the
//! client puts in by itself (`injected` in `sent.json`), and a message of nothing else.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::corpus::RESUMERS;
use crate::workspace;

/// The prompt that every case was resumed with.
pub const PROMPT: &str = "@@hello|oracle@@ oracle question";

/// Texts are cut in `sent.json`.
const CUT: usize = 200;

/// The model that a case was resumed with, where that matters: as recorded, else the one that the client was set to.
pub fn model(version: &str, about: &Value) -> Option<String> {
    let set = match version {
        "2.1.200" => Some("claude-opus-4-8"),
        "2.1.325" | "2.1.327" => Some("claude-opus-5-5"),
        _ => None,
    };
    about["model"].as_str().or(set).map(str::to_owned)
}

/// The cases that SHORTCOMINGS.md says cannot agree: lines that begin with "- `version/case`".
pub fn listed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(workspace().join("SHORTCOMINGS.md")).unwrap_or_default();
    let named = text.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    let is_case = |name: &str| RESUMERS.iter().any(|version| name.starts_with(&format!("{version}/")));
    named.map(|(name, _)| name.to_owned()).filter(|name| is_case(name)).collect()
}

/// A block, told the same way from both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedBlock {
    /// Its type.
    pub kind: String,
    /// Text, thinking or result, cut.
    pub text: Option<String>,
    /// Of calls and results.
    pub id: Option<String>,
    /// Of calls: the tool.
    pub name: Option<String>,
    /// Of results.
    pub is_error: Option<bool>,
}

/// A role and its blocks.
pub type RecordedMessage = (String, Vec<ComparedBlock>);

/// What we say is sent.
pub fn ours(view: &Value) -> Vec<RecordedMessage> {
    messages(view, our_block)
}

/// What was sent.
pub fn theirs(sent: &Value) -> Vec<RecordedMessage> {
    messages(sent, |_, block| their_block(block))
}

/// What is wrong with what we say of a case; nothing if both agree.
pub fn disagreement(view: &Value, sent: &Value) -> Option<String> {
    let (our, their) = (&view["outcome"], &sent["outcome"]);
    if our != their {
        return Some(format!("outcome {our} instead of {their}"));
    }
    let (our, mut their) = (ours(view), theirs(sent));
    cut_alike(&our, &mut their);
    if sent["outcome"] == "refused" || sent["outcome"] == "hang" {
        return (!our.is_empty()).then(|| "nothing should be sent".to_owned());
    }
    difference(&our, &their).or_else(|| quotes_disagree(view, sent))
}

/// Of what we know only the beginning, ours ends with an ellipsis: as much is compared.
fn cut_alike(our: &[RecordedMessage], their: &mut [RecordedMessage]) {
    let blocks = |(our, their)| {
        let (our, their): (&RecordedMessage, &mut RecordedMessage) = (our, their);
        our.1.iter().zip(&mut their.1).for_each(|(our, their)| {
            let known = our.text.as_deref().and_then(|text| text.trim_end().strip_suffix('…'));
            if known.is_some_and(|known| their.text.as_deref().is_some_and(|text| text.starts_with(known))) {
                their.text.clone_from(&our.text);
            }
        });
    };
    our.iter().zip(their).for_each(blocks);
}

/// The first message in which two requests differ.
pub fn difference(our: &[RecordedMessage], their: &[RecordedMessage]) -> Option<String> {
    let at = (0..our.len().max(their.len())).find(|at| our.get(*at) != their.get(*at))?;
    Some(format!("message {at}\n  ours   {:?}\n  theirs {:?}", our.get(at), their.get(at)))
}

fn messages(request: &Value, block: impl Fn(&str, &Value) -> Option<ComparedBlock>) -> Vec<RecordedMessage> {
    let message = |message: &Value| {
        let role = message["role"].as_str().unwrap_or_default();
        let blocks = items(&message["content"]).filter_map(|value| block(role, value));
        (role.to_owned(), blocks.collect::<Vec<_>>())
    };
    items(&request["messages"]).map(message).filter(|(_, blocks)| !blocks.is_empty()).collect()
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// What is left of one of our blocks; nothing of what the client says by itself.
fn our_block(role: &str, block: &Value) -> Option<ComparedBlock> {
    let field = |key: &str| block[key].as_str().map(str::to_owned);
    let (kind, text) = (field("type").unwrap_or_default(), field("text"));
    let has_reminder = text.as_ref().is_some_and(|text| text.contains("<system-reminder>"));
    let bare = text.as_deref().map(without_reminders);
    let text = match kind.as_str() {
        "text" if block["reminder"] == true || role == "system" => return None,
        "text" if has_reminder => {
            let bare = bare.as_deref().unwrap_or_default().trim();
            if bare.is_empty() {
                return None;
            }
            Some(cut(bare))
        }
        "tool_result" if has_reminder => bare.as_deref().map(|bare| cut(bare.trim_end())),
        _ => text.as_deref().map(cut),
    };
    let id = field("id").or_else(|| field("tool_use_id"));
    Some(ComparedBlock { kind, text, id, name: field("name"), is_error: block["is_error"].as_bool() })
}

fn their_block(block: &Value) -> Option<ComparedBlock> {
    if block["injected"] == true {
        return None;
    }
    let field = |key: &str| block[key].as_str().map(str::to_owned);
    Some(ComparedBlock {
        kind: field("type").unwrap_or_default(),
        text: field("text").or_else(|| field("thinking")),
        id: field("id").or_else(|| field("tool_use_id")),
        name: field("name"),
        is_error: block["is_error"].as_bool(),
    })
}

fn cut(text: &str) -> String {
    text.chars().take(CUT).collect()
}

/// The text with reminders taken out, as the recorder took them out.
fn without_reminders(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<system-reminder>") {
        kept.push_str(before);
        rest = after.split_once("</system-reminder>").map_or("", |(_, after)| after);
    }
    kept + rest
}

/// Words of the conversation that the client wrapped in reminders of its own must be in ours, in the same order.
fn quotes_disagree(view: &Value, sent: &Value) -> Option<String> {
    let blocks = |request| items(request).flat_map(|message: &Value| items(&message["content"]));
    let mut ours = blocks(&view["messages"]).filter(|block| block["reminder"] == true);
    for quote in blocks(&sent["messages"]).flat_map(|block| items(&block["quotes"])) {
        let quote = quote.as_str().unwrap_or_default();
        // What hooks gave the model is no conversation.
        let is_words = quote.starts_with("<task-id>") || quote.starts_with("queued");
        if is_words && !ours.any(|block| block["text"].as_str().is_some_and(|text| text.contains(quote))) {
            return Some(format!("no reminder says {quote}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(content: &Value) -> Value {
        json!({"outcome": "loaded", "messages": [{"role": "user", "content": content}]})
    }

    #[test]
    fn requests_differ_by_block_text_and_outcome_but_not_by_reminders() {
        let sent = request(&json!([{"type": "text", "injected": true}, {"type": "text", "text": "a"}]));
        let same =
            request(&json!([{"type": "text", "text": "x", "reminder": true}, {"type": "text", "text": "a"}]));
        assert_eq!(disagreement(&same, &sent), None);
        let other = request(&json!([{"type": "text", "text": "b"}]));
        assert!(disagreement(&other, &sent).is_some_and(|what| what.starts_with("message 0")));
        let more = request(&json!([{"type": "text", "text": "a"}, {"type": "image"}]));
        assert!(disagreement(&more, &sent).is_some());
        let refused = json!({"outcome": "refused", "messages": []});
        assert!(disagreement(&refused, &sent).is_some_and(|what| what.starts_with("outcome")));
        let quotes = request(&json!([{"type": "text", "injected": true, "quotes": ["queued into"]}]));
        assert!(disagreement(&request(&json!([])), &quotes).is_some());
    }
}
