//! The envelope: the fields that entries of many kinds share, gathered in one pass over the top-level keys.

use crate::json::{Text, Value};
use crate::shape::{Field, Inside, Shape, Shaped, Types, view};

view! {
    /// The line that a copied line of a `/branch` was copied from.
    ForkedFrom "forkedFrom" closed { session_id: "sessionId" text, message_uuid: "messageUuid" text }
}

/// Whether a reference is absent, explicitly null, or there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Link<'a> {
    /// No such key (or a value that is no id).
    #[default]
    Absent,
    /// `null`: the start of a chain.
    Null,
    /// An id.
    To(Text<'a>),
}

impl<'a> Link<'a> {
    fn of(value: Value<'a>) -> Self {
        match value.text() {
            Some(text) => Self::To(text),
            None if value.is_null() => Self::Null,
            None => Self::Absent,
        }
    }

    /// The id, if there is one.
    pub fn to(self) -> Option<Text<'a>> {
        match self {
            Self::To(text) => Some(text),
            _ => None,
        }
    }
}

macro_rules! envelope {
    ($( $(#[$doc:meta])* $field:ident : $key:literal $kind:ident ),* $(,)?) => {
        /// The common fields of an entry. Those that are absent or of the wrong type are `None`.
        #[derive(Debug, Clone, Copy, Default)]
        #[non_exhaustive]
        pub struct Envelope<'a> {
            $( $(#[$doc])* pub $field: envelope!(@type 'a $kind), )*
        }

        impl<'a> Envelope<'a> {
            /// Gathers the common fields of an object. Of doubled keys the last one counts.
            pub fn of(object: Value<'a>) -> Self {
                let mut envelope = Self::default();
                for (key, value) in object.fields() {
                    match key.plain() {
                        Some(name) => envelope.take(name, value),
                        None => envelope.take(key.decode().as_bytes(), value),
                    }
                }
                envelope
            }

            #[inline]
            fn take(&mut self, key: &[u8], value: Value<'a>) {
                // Byte-string patterns compile to a switch on the length and a comparison.
                match key {
                    $( $key => self.$field = envelope!(@get value $kind), )*
                    _ => {}
                }
            }
        }
    };
    (@type $l:lifetime text) => { Option<Text<$l>> };
    (@type $l:lifetime link) => { Link<$l> };
    (@type $l:lifetime flag) => { bool };
    (@type $l:lifetime value) => { Option<Value<$l>> };
    (@get $v:ident text) => { $v.text() };
    (@get $v:ident link) => { Link::of($v) };
    (@get $v:ident flag) => { $v.bool() == Some(true) };
    (@get $v:ident value) => { Some($v).filter(|value| !value.is_null()) };
}

envelope! {
    /// What the entry is.
    kind: b"type" text,
    /// What it is more exactly.
    subtype: b"subtype" text,
    /// Its id.
    uuid: b"uuid" text,
    /// The entry that it follows.
    parent_uuid: b"parentUuid" link,
    /// The entry that it follows across a compaction.
    logical_parent_uuid: b"logicalParentUuid" link,
    /// When it was written.
    timestamp: b"timestamp" text,
    /// The session it belongs to (in a copy, sometimes the old one).
    session_id: b"sessionId" text,
    /// The working directory.
    cwd: b"cwd" text,
    /// The client's version.
    version: b"version" text,
    /// The branch that was checked out.
    git_branch: b"gitBranch" text,
    /// Part of an agent's transcript.
    is_sidechain: b"isSidechain" flag,
    /// Not typed by the user.
    is_meta: b"isMeta" flag,
    /// The summary that a compaction made.
    is_compact_summary: b"isCompactSummary" flag,
    /// An answer that is an API error.
    is_api_error_message: b"isApiErrorMessage" flag,
    /// The agent it belongs to.
    agent_id: b"agentId" text,
    /// The API request that it came from.
    request_id: b"requestId" text,
    /// How the client was started.
    entrypoint: b"entrypoint" text,
    /// `bg` for a background session.
    session_kind: b"sessionKind" text,
    /// The name that plans of this session get.
    slug: b"slug" text,
    /// The prompt that it belongs to.
    prompt_id: b"promptId" text,
    /// The tool call that this result answers, by the uuid of its line.
    source_tool_assistant_uuid: b"sourceToolAssistantUUID" text,
    /// The session before a `/clear`.
    previous_session_id: b"session_id" text,
    /// The line that it is a copy of.
    forked_from: b"forkedFrom" value,
    /// The API message.
    message: b"message" value,
    /// The tool's own account of its result.
    tool_use_result: b"toolUseResult" value,
    /// What an `attachment` attaches.
    attachment: b"attachment" value,
    /// What a `progress` reports.
    data: b"data" value,
    /// The operation of a `queue-operation`.
    operation: b"operation" text,
}

/// The fields that may stand on an entry of any kind. The body's shape has the rest.
pub static SHAPE: Shape = Shape {
    name: "envelope",
    closed: true,
    fields: &[
        text("type"),
        text("uuid"),
        text("parentUuid"),
        text("logicalParentUuid"),
        text("timestamp"),
        text("sessionId"),
        text("session_id"),
        text("cwd"),
        text("version"),
        text("gitBranch"),
        text("userType"),
        text("entrypoint"),
        text("slug"),
        text("agentId"),
        text("sessionKind"),
        text("teamName"),
        text("agentName"),
        text("agentColor"),
        flag("isSidechain"),
        flag("isMeta"),
        Field {
            key: "forkedFrom",
            accepts: Types::OBJECT,
            inside: Inside::Object(<ForkedFrom<'static> as Shaped<'static>>::SHAPE),
        },
    ],
};

const fn text(key: &'static str) -> Field {
    Field { key, accepts: Types::TEXT, inside: Inside::Leaf }
}

const fn flag(key: &'static str) -> Field {
    Field { key, accepts: Types::BOOL, inside: Inside::Leaf }
}
