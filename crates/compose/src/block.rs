//! Content blocks: what a user sends and what a model answers with.

use scrollback_format::generation::Generation;

use crate::id::Id;
use crate::json::{Json, Object};

/// One block of an answer. Each becomes a line of its own.
#[derive(Debug, Clone)]
pub enum AnswerBlock<'a> {
    /// Prose.
    Text(&'a str),
    /// Thinking. From 2.1.200 on the client stores the signature only, so the text is left out there.
    Thinking {
        /// What was thought.
        text: &'a str,
        /// The API's signature over it.
        signature: &'a str,
    },
    /// A tool call; its id is drawn when it is written.
    Call {
        /// The tool.
        name: &'a str,
        /// Its input object.
        input: Json,
    },
}

impl AnswerBlock<'_> {
    /// The block as it stands in `message.content`.
    pub(crate) fn json(&self, generation: Generation, call: &Id) -> Json {
        match self {
            Self::Text(text) => self::text(text),
            Self::Thinking { text, signature } => {
                let kept = if generation >= Generation::V2_1_200 { "" } else { text };
                Object::new().str("type", "thinking").str("thinking", kept).str("signature", signature).done()
            }
            Self::Call { name, input } => Object::new()
                .str("type", "tool_use")
                .str("id", call.as_str())
                .str("name", name)
                .put("input", input)
                .done(),
        }
    }
}

/// A text block of a user's content.
pub fn text(text: &str) -> Json {
    Object::new().str("type", "text").str("text", text).done()
}

/// An image block, from base64.
pub fn image(media_type: &str, base64: &str) -> Json {
    let source = Object::new().str("type", "base64").str("media_type", media_type).str("data", base64).done();
    Object::new().str("type", "image").put("source", &source).done()
}
