//! What names and values are of, so that a message can say it in words and a program can tell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a name can be a name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Noun {
    /// A session.
    Session,
    /// An agent.
    Agent,
    /// A turn.
    Turn,
    /// A branch.
    Branch,
    /// A compaction.
    Compaction,
    /// A file that sessions touched.
    File,
    /// A plan.
    Plan,
    /// A shell snapshot.
    Snapshot,
    /// A definition.
    Definition,
    /// A log.
    Log,
    /// An area of the store.
    Area,
    /// A kind of entry.
    Kind,
    /// A claim about the format.
    Claim,
    /// A record of the journal or the trash.
    Record,
    /// A project.
    Project,
    /// A document of `--json`.
    Document,
    /// A folder below `projects/`.
    Folder,
}

impl Noun {
    /// The singular, for people.
    pub const fn one(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Agent => "agent",
            Self::Turn => "turn",
            Self::Branch => "branch",
            Self::Compaction => "compaction",
            Self::File => "file",
            Self::Plan => "plan",
            Self::Snapshot => "snapshot",
            Self::Definition => "definition",
            Self::Log => "log",
            Self::Area => "area",
            Self::Kind => "kind",
            Self::Claim => "claim",
            Self::Record => "record",
            Self::Project => "project",
            Self::Document => "document",
            Self::Folder => "folder",
        }
    }

    /// The plural, for people.
    pub const fn many(self) -> &'static str {
        match self {
            Self::Session => "sessions",
            Self::Agent => "agents",
            Self::Turn => "turns",
            Self::Branch => "branches",
            Self::Compaction => "compactions",
            Self::File => "files",
            Self::Plan => "plans",
            Self::Snapshot => "snapshots",
            Self::Definition => "definitions",
            Self::Log => "logs",
            Self::Area => "areas",
            Self::Kind => "kinds",
            Self::Claim => "claims",
            Self::Record => "records",
            Self::Project => "projects",
            Self::Document => "documents",
            Self::Folder => "folders",
        }
    }
}

/// What a value was given as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Input {
    /// A date.
    Date,
    /// A range of turns.
    Turns,
    /// A point of a conversation.
    Point,
    /// A client version.
    ClientVersion,
    /// A time zone.
    TimeZone,
    /// A budget.
    Budget,
    /// A search query.
    Query,
    /// A regular expression.
    Pattern,
    /// A condition or statement in SQL.
    Sql,
    /// A directory.
    Directory,
    /// A title, tag or other short text.
    Text,
    /// A version of a file.
    FileVersion,
    /// The configuration file.
    Config,
    /// Anything else that was given.
    Argument,
}

impl Input {
    /// What it is called, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::Turns => "turn range",
            Self::Point => "point",
            Self::ClientVersion => "client version",
            Self::TimeZone => "time zone",
            Self::Budget => "budget",
            Self::Query => "query",
            Self::Pattern => "regular expression",
            Self::Sql => "SQL",
            Self::Directory => "directory",
            Self::Text => "text",
            Self::FileVersion => "file version",
            Self::Config => "configuration",
            Self::Argument => "argument",
        }
    }
}
