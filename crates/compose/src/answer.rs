//! Answers: one API message, written as one line per block, with the counts each generation leaves on them.
//!
//! Which line has the final `output_tokens` and a `stop_reason` differs: on the last one (2.0.x, 2.1.80), on
//! none (2.1.9), on all (2.1.200 and later). A message that was cut off has neither.

use scrollback_format::generation::Generation;

use crate::block::AnswerBlock;
use crate::envelope::Head;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;
use crate::usage::Usage;

/// Why a message ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerEnd {
    /// The model was done.
    EndTurn,
    /// The model waits for results.
    ToolUse,
    /// The answer grew too long.
    MaxTokens,
    /// The user cut it off.
    Cut,
}

impl AnswerEnd {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::EndTurn => Some("end_turn"),
            Self::ToolUse => Some("tool_use"),
            Self::MaxTokens => Some("max_tokens"),
            Self::Cut => None,
        }
    }
}

/// A message to write.
#[derive(Debug, Clone)]
pub struct Answer<'a> {
    /// Its blocks, in order.
    pub blocks: Vec<AnswerBlock<'a>>,
    /// Its final counts.
    pub usage: Usage,
    /// Why it ended.
    pub stop: AnswerEnd,
}

/// A tool call as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenCall {
    /// `toolu_…`.
    pub id: Id,
    /// The line that holds it.
    pub line: Id,
    /// The tool.
    pub name: String,
}

/// A message that was written.
#[derive(Debug, Clone)]
pub struct Written {
    /// `msg_…`.
    pub message: Id,
    /// Its lines.
    pub lines: Vec<Id>,
    /// Its tool calls.
    pub calls: Vec<WrittenCall>,
    /// The counts that a reader of the lines can know.
    pub usage: Usage,
}

impl<S: IdSource> SessionAuthor<S> {
    /// Writes an answer of the session's model.
    pub fn answer(&mut self, answer: &Answer<'_>) -> Written {
        let message = Id::message(&mut self.source);
        let request = Id::request(&mut self.source);
        let usage = answer.usage.readable(self.generation(), answer.stop == AnswerEnd::Cut);
        let mut written = Written { message, lines: Vec::new(), calls: Vec::new(), usage };
        self.note_tools(&answer.blocks);
        for (place, block) in answer.blocks.iter().enumerate() {
            let call = Id::call(&mut self.source);
            let line = self.answer_line(answer, place, &written.message, &request, &call);
            if let AnswerBlock::Call { name, .. } = block {
                written.calls.push(WrittenCall { id: call, line: line.clone(), name: (*name).to_owned() });
            }
            written.lines.push(line);
        }
        written
    }

    /// An answer of one text block that ends the turn.
    pub fn reply(&mut self, text: &str, usage: Usage) -> Written {
        self.answer(&Answer { blocks: vec![AnswerBlock::Text(text)], usage, stop: AnswerEnd::EndTurn })
    }

    fn answer_line(&mut self, answer: &Answer<'_>, place: usize, id: &Id, request: &Id, call: &Id) -> Id {
        let head = Head { wire: true, ..self.head() };
        let message = self.message_json(answer, place, id, call);
        let uuid = self.fresh();
        let at = self.now();
        let line = self.open(&head).put("message", &message);
        let line = self.stream_fields(line, &answer.blocks[place], place);
        let line = line
            .str("requestId", request.as_str())
            .when(self.newest(), |line| self.request_fields(line))
            .str_if("attributionAgent", self.attribution())
            .str("type", "assistant")
            .str("uuid", uuid.as_str())
            .str("timestamp", &at.to_string())
            .when(self.newest(), |line| {
                line.str("effort", "medium").str("perTurnEffort", "medium").str("madeBy", "model")
            });
        self.close("assistant", &head, line, &uuid);
        uuid
    }

    fn message_json(&self, answer: &Answer<'_>, place: usize, id: &Id, call: &Id) -> Json {
        let generation = self.generation();
        let (finished, stopped) = quirk(generation, answer.stop, place, answer.blocks.len());
        let stop = answer.stop.name().filter(|_| stopped);
        Object::new()
            .str("id", id.as_str())
            .str("type", "message")
            .str("role", "assistant")
            .str("model", &self.settings.model)
            .put("content", &Json::list([answer.blocks[place].json(generation, call)]))
            .str_or_null("stop_reason", stop)
            .null("stop_sequence")
            .put("usage", &answer.usage.json(generation, finished))
            .when(self.since(Generation::V2_1_200), |message| message.null("stop_details"))
            .done()
    }

    fn stream_fields(&self, line: Object, block: &AnswerBlock<'_>, place: usize) -> Object {
        if !self.newest() {
            return line;
        }
        let line = match block {
            AnswerBlock::Text(_) => line,
            AnswerBlock::Thinking { text, .. } => {
                line.num("thinkingDurationMs", 40 + text.len() as u64 * 9).str("thinkingDisplay", "omitted")
            }
            AnswerBlock::Call { input, .. } => {
                line.num("toolInputStreamMs", 1 + input.as_bytes().len() as u64 / 3)
            }
        };
        line.num("apiBlockIndex", place as u64)
    }

    fn request_fields(&self, line: Object) -> Object {
        line.str_if("requestRef", self.request.last().map(Id::as_str))
            .str("requestedModel", &self.settings.model)
            .str("promptCacheRequested", "5m")
    }

    fn attribution(&self) -> Option<&str> {
        self.agent.as_ref().filter(|_| self.since(Generation::V2_1_200)).map(|agent| agent.kind.as_str())
    }
}

/// Does the line at `place` of `count` have the final counts, and does it have the stop reason?
fn quirk(generation: Generation, stop: AnswerEnd, place: usize, count: usize) -> (bool, bool) {
    let last = place + 1 == count;
    match generation {
        _ if stop == AnswerEnd::Cut => (false, false),
        // The first of several blocks is flushed before the stream ends; the last two come together.
        Generation::V1_0 | Generation::V2_0_29 | Generation::V2_0_55 => {
            (last || place > 0 || count < 3, last || (count > 2 && place + 2 == count))
        }
        Generation::V2_1_9 => (false, false),
        Generation::V2_1_80 => (last, last),
        _ => (true, true),
    }
}

#[cfg(test)]
mod tests {
    use scrollback_format::generation::Generation;

    use super::{AnswerEnd, quirk};

    #[test]
    fn final_counts_stand_where_the_generation_puts_them() {
        let on = |generation| {
            (0..3).map(|place| quirk(generation, AnswerEnd::ToolUse, place, 3)).collect::<Vec<_>>()
        };
        assert_eq!(on(Generation::V2_0_29), [(false, false), (true, true), (true, true)]);
        assert_eq!(on(Generation::V2_1_9), [(false, false); 3]);
        assert_eq!(on(Generation::V2_1_80), [(false, false), (false, false), (true, true)]);
        assert_eq!(on(Generation::V2_1_325), [(true, true); 3]);
        assert_eq!(quirk(Generation::V2_1_325, AnswerEnd::Cut, 2, 3), (false, false));
    }
}
