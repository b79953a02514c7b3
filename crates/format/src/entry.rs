//! An entry: one JSON object of a session, agent, journal or history file, with its kind and typed body.

use crate::body::{attachment, message, note, progress, system};
use crate::envelope::{self, Envelope};
use crate::id::EntryId;
use crate::json::{Type, Value};
use crate::kind::{AttachmentKind, Kind, NoteKind, ProgressKind, QueueKind, SystemKind, kind_table};
use crate::shape::{Shape, Shaped};
use crate::time::Time;

/// One decoded object. Everything in it borrows from the line; nothing of the line is lost.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its common fields.
    pub envelope: Envelope<'a>,
    /// The whole object.
    pub object: Value<'a>,
}

/// Which file an object stands in decides what it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// Sessions, agents, workflow journals: objects with a `type`.
    #[default]
    Session,
    /// `history.jsonl`: one prompt an object.
    History,
    /// `jobs/<id>/timeline.jsonl`: one state of a background job an object.
    Timeline,
}

impl Dialect {
    /// What the lines of a file of this name are.
    pub fn of_file_name(name: &str) -> Self {
        match name {
            "history.jsonl" => Self::History,
            "timeline.jsonl" => Self::Timeline,
            _ => Self::Session,
        }
    }
}

impl<'a> Entry<'a> {
    /// The entry that this object is.
    pub fn of(object: Value<'a>, dialect: Dialect) -> Self {
        let envelope = Envelope::of(object);
        let kind = match dialect {
            Dialect::Session => kind_of(&envelope),
            Dialect::History => Kind::History,
            Dialect::Timeline => Kind::Timeline,
        };
        Self { kind, envelope, object }
    }

    /// Its id.
    pub fn id(&self) -> Option<EntryId> {
        self.envelope.uuid.and_then(EntryId::of)
    }

    /// When it was written. Never guessed.
    pub fn time(&self) -> Option<Time> {
        let text = self.envelope.timestamp?;
        match text.plain().and_then(|raw| std::str::from_utf8(raw).ok()) {
            Some(plain) => Time::decode(plain),
            None => Time::decode(&text.decode()),
        }
    }

    /// The name of its kind with the names that are not known filled in from the line itself.
    pub fn kind_name(&self) -> String {
        if self.kind.is_known() {
            return self.kind.name();
        }
        let name = self.envelope.kind.map_or_else(|| "?".into(), |kind| kind.decode());
        let sub = match self.kind {
            Kind::System(_) => self.envelope.subtype,
            Kind::Attachment(_) => inner_type(self.envelope.attachment),
            Kind::Progress(_) => inner_type(self.envelope.data),
            Kind::Queue(_) => self.envelope.operation,
            _ => None,
        };
        match sub {
            Some(sub) => format!("{name}/{}", sub.decode()),
            None => name.into_owned(),
        }
    }

    /// The typed body.
    pub fn body(&self) -> Body<'a> {
        let object = self.object;
        match self.kind {
            Kind::User => Body::User(message::User::over(object)),
            Kind::Assistant => Body::Assistant(message::Assistant::over(object)),
            Kind::System(kind) => Body::of_system(kind.unwrap_or(SystemKind::Other), object),
            Kind::Attachment(kind) => Body::Attachment(kind, attachment::Attachment::over(object)),
            Kind::Progress(kind) => Body::Progress(kind, progress::Progress::over(object)),
            Kind::Queue(kind) => Body::Queue(kind, note::QueueOperation::over(object)),
            Kind::Note(kind) => Body::of_note(kind, object),
            Kind::History => Body::History(note::History::over(object)),
            Kind::Timeline => Body::Timeline(note::Timeline::over(object)),
            Kind::Unknown => Body::Unknown(object),
        }
    }

    /// The fields that its kind has beyond the envelope's.
    pub fn body_shape(&self) -> Option<&'static Shape> {
        Some(match self.kind {
            Kind::User => message::User::SHAPE,
            Kind::Assistant => message::Assistant::SHAPE,
            Kind::System(kind) => kind.unwrap_or(SystemKind::Other).shape(),
            Kind::Attachment(_) => attachment::Attachment::SHAPE,
            Kind::Progress(_) => progress::Progress::SHAPE,
            Kind::Queue(_) => note::QueueOperation::SHAPE,
            Kind::Note(kind) => kind.shape(),
            Kind::History => note::History::SHAPE,
            Kind::Timeline => note::Timeline::SHAPE,
            Kind::Unknown => return None,
        })
    }

    /// The fields of the object inside it that has a subtype of its own (`attachment`, `data`), and its key.
    pub fn inner_shape(&self) -> Option<(&'static str, &'static Shape)> {
        match self.kind {
            Kind::Attachment(kind) => Some(("attachment", kind.shape())),
            Kind::Progress(kind) => Some(("data", kind.shape())),
            _ => None,
        }
    }

    /// The fields that entries of any kind may have; none for files that have no envelope.
    pub fn envelope_shape(&self) -> Option<&'static Shape> {
        (!matches!(self.kind, Kind::History | Kind::Timeline)).then_some(&envelope::SHAPE)
    }
}

fn inner_type(object: Option<Value<'_>>) -> Option<crate::json::Text<'_>> {
    object.filter(|value| value.kind() == Type::Object)?.get("type")?.text()
}

fn kind_of(envelope: &Envelope<'_>) -> Kind {
    let Some(kind) = envelope.kind else { return Kind::Unknown };
    match kind.raw() {
        b"user" => Kind::User,
        b"assistant" => Kind::Assistant,
        b"system" => Kind::System(envelope.subtype.map(|sub| SystemKind::of(sub.raw()))),
        b"attachment" => Kind::Attachment(
            inner_type(envelope.attachment)
                .map_or(AttachmentKind::Other, |sub| AttachmentKind::of(sub.raw())),
        ),
        b"progress" => Kind::Progress(
            inner_type(envelope.data).map_or(ProgressKind::Other, |sub| ProgressKind::of(sub.raw())),
        ),
        b"queue-operation" => {
            Kind::Queue(envelope.operation.map_or(QueueKind::Other, |sub| QueueKind::of(sub.raw())))
        }
        other => match NoteKind::of(other) {
            NoteKind::Other => Kind::Unknown,
            note => Kind::Note(note),
        },
    }
}

/// Declares the bodies: one variant for each kind of `system` line and of side note in the table, and one for each other kind.
macro_rules! declare_bodies {
    (
        {
            $(#[$system_doc:meta])*
            SystemKind in system, else $other_system:ident {
                $( $system:ident = $system_text:literal : $system_view:ident ),* $(,)?
            }
        }
        {
            $(#[$note_doc:meta])*
            NoteKind in note, else $other_note:ident {
                $( $note:ident = $note_text:literal : $note_view:ident ),* $(,)?
            }
        }
        $( $rest:tt )*
    ) => {
        /// The typed body of an entry.
        #[derive(Debug, Clone, Copy)]
        #[allow(missing_docs, reason = "each variant is named by the kind that it holds")]
        #[non_exhaustive]
        pub enum Body<'a> {
            User(message::User<'a>),
            Assistant(message::Assistant<'a>),
            Attachment(AttachmentKind, attachment::Attachment<'a>),
            Progress(ProgressKind, progress::Progress<'a>),
            Queue(QueueKind, note::QueueOperation<'a>),
            $( $system(system::$system_view<'a>), )*
            OtherSystem(system::$other_system<'a>),
            $( $note(note::$note_view<'a>), )*
            OtherNote(note::$other_note<'a>),
            History(note::History<'a>),
            Timeline(note::Timeline<'a>),
            Unknown(Value<'a>),
        }

        impl<'a> Body<'a> {
            fn of_system(kind: SystemKind, object: Value<'a>) -> Self {
                match kind {
                    $( SystemKind::$system => Self::$system(system::$system_view::over(object)), )*
                    SystemKind::Other => Self::OtherSystem(system::$other_system::over(object)),
                }
            }

            fn of_note(kind: NoteKind, object: Value<'a>) -> Self {
                match kind {
                    $( NoteKind::$note => Self::$note(note::$note_view::over(object)), )*
                    NoteKind::Other => Self::OtherNote(note::$other_note::over(object)),
                }
            }
        }
    };
}

kind_table!(declare_bodies);
