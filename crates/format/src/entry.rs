//! An entry: one JSON object of a session, agent, journal or history file, with its kind and typed body.

use crate::body::{attachment, message, note, progress, system};
use crate::envelope::{self, Envelope};
use crate::id::EntryId;
use crate::json::{Type, Value};
use crate::kind::{AttachmentKind, Kind, NoteKind, ProgressKind, QueueKind, SystemKind};
use crate::shape::{Shape, Shaped};
use crate::time::Time;

/// One decoded object. Everything in it borrows from the line; nothing of the line is lost.
#[derive(Debug, Clone, Copy)]
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
pub enum Dialect {
    /// Sessions, agents, workflow journals: objects with a `type`.
    #[default]
    Session,
    /// `history.jsonl`: one prompt an object.
    History,
    /// `jobs/<id>/timeline.jsonl`: one state of a background job an object.
    Timeline,
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
            Kind::System(kind) => Body::of_system(kind, object),
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
            Kind::System(kind) => system::shape(kind),
            Kind::Attachment(_) => attachment::Attachment::SHAPE,
            Kind::Progress(_) => progress::Progress::SHAPE,
            Kind::Queue(_) => note::QueueOperation::SHAPE,
            Kind::Note(kind) => note::shape(kind),
            Kind::History => note::History::SHAPE,
            Kind::Timeline => note::Timeline::SHAPE,
            Kind::Unknown => return None,
        })
    }

    /// The fields of the object inside it that has a subtype of its own (`attachment`, `data`), and its key.
    pub fn inner_shape(&self) -> Option<(&'static str, &'static Shape)> {
        match self.kind {
            Kind::Attachment(kind) => Some(("attachment", attachment::shape(kind))),
            Kind::Progress(kind) => Some(("data", progress::shape(kind))),
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

/// The typed body of an entry.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "each variant is named by the kind that it holds")]
pub enum Body<'a> {
    User(message::User<'a>),
    Assistant(message::Assistant<'a>),
    ApiError(system::ApiError<'a>),
    CompactBoundary(system::CompactBoundary<'a>),
    MicrocompactBoundary(system::MicrocompactBoundary<'a>),
    LocalCommand(system::LocalCommand<'a>),
    StopHookSummary(system::StopHookSummary<'a>),
    TurnDuration(system::TurnDuration<'a>),
    Remark(Option<SystemKind>, system::Remark<'a>),
    Attachment(AttachmentKind, attachment::Attachment<'a>),
    Progress(ProgressKind, progress::Progress<'a>),
    Queue(QueueKind, note::QueueOperation<'a>),
    AgentColor(note::AgentColor<'a>),
    AgentName(note::AgentName<'a>),
    AgentSetting(note::AgentSetting<'a>),
    AiTitle(note::AiTitle<'a>),
    ApiRequest(note::ApiRequest<'a>),
    ApiRequestBlob(note::ApiRequestBlob<'a>),
    ApiRequestShape(note::ApiRequestShape<'a>),
    AtisLatch(note::AtisLatch<'a>),
    BridgeSession(note::BridgeSession<'a>),
    CostState(note::CostState<'a>),
    CustomTitle(note::CustomTitle<'a>),
    FileHistoryDelta(note::FileHistoryDelta<'a>),
    FileHistorySnapshot(note::FileHistorySnapshot<'a>),
    ForkContextRef(note::ForkContextRef<'a>),
    FrameLink(note::FrameLink<'a>),
    LastPrompt(note::LastPrompt<'a>),
    Mode(note::Mode<'a>),
    PermissionMode(note::PermissionMode<'a>),
    PrLink(note::PrLink<'a>),
    Relocated(note::Relocated<'a>),
    Summary(note::Summary<'a>),
    Tag(note::Tag<'a>),
    HistorySuppression(note::HistorySuppression<'a>),
    Artifacts(NoteKind, note::Artifacts<'a>),
    ToolsUsed(note::ToolsUsed<'a>),
    WorktreeState(note::WorktreeState<'a>),
    Launched(note::Launched<'a>),
    Started(note::Started<'a>),
    JournalResult(note::JournalResult<'a>),
    OtherNote(NoteKind, note::OtherNote<'a>),
    History(note::History<'a>),
    Timeline(note::Timeline<'a>),
    Unknown(Value<'a>),
}

impl<'a> Body<'a> {
    fn of_system(kind: Option<SystemKind>, object: Value<'a>) -> Self {
        match kind {
            Some(SystemKind::ApiError) => Self::ApiError(system::ApiError::over(object)),
            Some(SystemKind::CompactBoundary) => Self::CompactBoundary(system::CompactBoundary::over(object)),
            Some(SystemKind::MicrocompactBoundary) => {
                Self::MicrocompactBoundary(system::MicrocompactBoundary::over(object))
            }
            Some(SystemKind::LocalCommand) => Self::LocalCommand(system::LocalCommand::over(object)),
            Some(SystemKind::StopHookSummary) => Self::StopHookSummary(system::StopHookSummary::over(object)),
            Some(SystemKind::TurnDuration) => Self::TurnDuration(system::TurnDuration::over(object)),
            other => Self::Remark(other, system::Remark::over(object)),
        }
    }

    fn of_note(kind: NoteKind, object: Value<'a>) -> Self {
        match kind {
            NoteKind::AgentColor => Self::AgentColor(note::AgentColor::over(object)),
            NoteKind::AgentName => Self::AgentName(note::AgentName::over(object)),
            NoteKind::AgentSetting => Self::AgentSetting(note::AgentSetting::over(object)),
            NoteKind::AiTitle => Self::AiTitle(note::AiTitle::over(object)),
            NoteKind::ApiRequest => Self::ApiRequest(note::ApiRequest::over(object)),
            NoteKind::ApiRequestBlob => Self::ApiRequestBlob(note::ApiRequestBlob::over(object)),
            NoteKind::ApiRequestShape => Self::ApiRequestShape(note::ApiRequestShape::over(object)),
            NoteKind::AtisLatch => Self::AtisLatch(note::AtisLatch::over(object)),
            NoteKind::BridgeSession => Self::BridgeSession(note::BridgeSession::over(object)),
            NoteKind::CostState => Self::CostState(note::CostState::over(object)),
            NoteKind::CustomTitle => Self::CustomTitle(note::CustomTitle::over(object)),
            NoteKind::FileHistoryDelta => Self::FileHistoryDelta(note::FileHistoryDelta::over(object)),
            NoteKind::FileHistorySnapshot => {
                Self::FileHistorySnapshot(note::FileHistorySnapshot::over(object))
            }
            NoteKind::ForkContextRef => Self::ForkContextRef(note::ForkContextRef::over(object)),
            NoteKind::FrameLink => Self::FrameLink(note::FrameLink::over(object)),
            NoteKind::LastPrompt => Self::LastPrompt(note::LastPrompt::over(object)),
            NoteKind::Mode => Self::Mode(note::Mode::over(object)),
            NoteKind::PermissionMode => Self::PermissionMode(note::PermissionMode::over(object)),
            NoteKind::PrLink => Self::PrLink(note::PrLink::over(object)),
            NoteKind::Relocated => Self::Relocated(note::Relocated::over(object)),
            NoteKind::Summary => Self::Summary(note::Summary::over(object)),
            NoteKind::Tag => Self::Tag(note::Tag::over(object)),
            NoteKind::HistorySuppression => Self::HistorySuppression(note::HistorySuppression::over(object)),
            NoteKind::ArtifactAutoreactLedger | NoteKind::ArtifactCommentMonitor => {
                Self::Artifacts(kind, note::Artifacts::over(object))
            }
            NoteKind::ToolsUsed => Self::ToolsUsed(note::ToolsUsed::over(object)),
            NoteKind::WorktreeState => Self::WorktreeState(note::WorktreeState::over(object)),
            NoteKind::Launched => Self::Launched(note::Launched::over(object)),
            NoteKind::Started => Self::Started(note::Started::over(object)),
            NoteKind::Result | NoteKind::Failed => Self::JournalResult(note::JournalResult::over(object)),
            NoteKind::TurnEnd | NoteKind::Other => Self::OtherNote(kind, note::OtherNote::over(object)),
        }
    }
}
