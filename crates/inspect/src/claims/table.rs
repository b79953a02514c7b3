//! The table of claims: what FORMAT.md and older descriptions state of the store, each with the id that FORMAT.md cites.

/// A statement that can be checked against a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// By what FORMAT.md cites it.
    pub id: &'static str,
    /// What is claimed.
    pub says: &'static str,
    /// The section of FORMAT.md that tells how far it is so.
    pub section: &'static str,
}

macro_rules! claims {
    ($( $id:literal $section:literal $says:literal )*) => {
        /// Every claim, in the order of FORMAT.md.
        pub const CLAIMS: &[Claim] = &[$( Claim { id: $id, says: $says, section: $section } ),*];
    };
}

claims! {
    "lines-whole" "3" "A line is one JSON object, and nothing else."
    "lines-ended" "3" "The last line of a file has an end."
    "lines-compact" "3" "No space stands between the tokens of a line."
    "time-format" "3" "`timestamp` is written as 2026-11-15T18:00:00.000Z."
    "lines-in-order" "3" "Timestamps never go back from line to line."
    "first-line-cwd" "3" "The first line of a session has `cwd`."
    "session-is-file" "4" "`sessionId` of a line is the name of its file."
    "one-version" "4" "All lines of a session are of one client version."
    "user-type-external" "4" "`userType` is `external`."
    "uuid-once" "4" "A `uuid` stands once in a file."
    "tree-has-uuid" "4" "Lines of the tree have `uuid` and `parentUuid`."
    "notes-have-none" "5.5" "Side notes have neither `uuid` nor `parentUuid`."
    "parent-in-file" "9.1" "`parentUuid` names a line of the same file."
    "parent-before" "9.1" "A line stands after its parent."
    "first-is-root" "9.1" "The first line of the tree has no parent."
    "one-root" "9.1" "A session has one line without a parent."
    "message-chained" "9.2" "Lines of one `message.id` hang one below the other."
    "one-block-a-line" "9.2" "A line of the assistant has one content block."
    "result-on-call" "9.2" "A tool result hangs on the line of its call."
    "result-has-call" "9.2" "A tool result answers a call of the same file."
    "call-has-result" "9.2" "A call has a result."
    "stop-reason-last" "8" "The last line of a message has a `stop_reason`."
    "usage-on-every-line" "8" "`output_tokens` is the same on every line of a message."
    "one-request" "8" "Lines of one `message.id` have one `requestId`."
    "api-error-synthetic" "5.1" "An API error is a message of the model `<synthetic>`."
    "synthetic-is-free" "8" "A synthetic message has no tokens."
    "failed-result-is-text" "7.2" "`toolUseResult` of a failed call is a text."
    "boundary-is-root" "9.3" "A `compact_boundary` has no parent."
    "boundary-goes-on" "9.3" "`logicalParentUuid` of a boundary names a line of the file."
    "summary-on-boundary" "9.3" "A compaction's summary hangs on its boundary."
    "preserved-in-file" "9.3" "What a compaction kept is in the file."
    "queue-in-pairs" "9.6" "Every `enqueue` is followed by a `dequeue`, `remove` or `popAll`."
    "summary-first" "14" "A `summary` is the first line of its file."
    "summary-leaf-here" "14" "`leafUuid` of a `summary` is in the same file."
    "last-prompt-leaf" "9.4" "`leafUuid` of a `last-prompt` is in the file."
    "last-line-is-leaf" "14" "The last line of the tree has no child."
    "folder-of-cwd" "12" "A session lies in the folder of its first `cwd`."
    "backup-name" "11" "A backup is named by the hash of the file's path and its version."
    "backup-on-disk" "11" "A backup that a snapshot names is there."
    "snapshot-of-line" "5.5" "A snapshot's `messageId` names a line of the file."
    "agent-in-session" "10.1" "Lines of an agent have the `sessionId` of its session."
    "agent-is-file" "10.1" "`agentId` of an agent's lines is the name of its file."
    "agent-first-root" "10.1" "The first line of an agent has no parent."
    "agent-prompt-first" "10.1" "The first line of an agent is its prompt."
    "agent-sidechain" "10.1" "Lines of an agent have `isSidechain`, and those of a session have not."
    "agent-linked" "10.1" "A result or the meta file names the call that made an agent."
    "paste-name" "11" "A cached paste is named by the hash of its text."
    "history-session" "11" "`sessionId` of a line of history.jsonl is a session of this store."
    "plan-slug" "11" "A plan is named by the `slug` of a session."
    "session-env-empty" "11" "The folders in session-env are empty."
    "index-is-whole" "11" "sessions-index.json lists every session of its folder."
}
