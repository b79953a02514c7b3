//! The rule table: what sets one client apart from the next when it resumes a session. One row a generation.
//!
//! Everything that differs is a column here and is read by one walk; nothing asks for a version elsewhere. The rows
//! were read off real clients, version by version (docs/resume.md has them in words). 1.x was never recorded: it gets
//! the row of 2.0.29. 2.0.55 and 2.1.80 were probed by hand, and what was not seen there is taken from the recorded
//! neighbour whose other rules they share.

use scrollback_format::generation::Generation;
use scrollback_format::kind::AttachmentKind;

/// What becomes of two objects on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Glued {
    /// Both are lost: the line is no JSON.
    Lost,
    /// The first one is read.
    First,
}

/// What a walk does where it cannot go on to the parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detour {
    /// It goes round for ever.
    Hangs,
    /// It ends: what stands before is not sent.
    Ends,
    /// It goes on at the latest line before, in time.
    ByTime,
}

/// What becomes of parallel tool calls that the chain of parents does not reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parallel {
    /// They stay away.
    AsChained,
    /// They are put back after the last line of their message, in order of their times.
    ByTime,
    /// They are put back among the lines of their message, before the first that stands later in the file.
    ByPlace,
}

/// What becomes of thinking of another model than the one that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Thinking {
    /// It is sent.
    Sent,
    /// It is left out.
    Dropped,
    /// The client sends nothing and never ends.
    Hangs,
}

/// What becomes of a tool call that the session ended in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenCall {
    /// It is left out.
    Dropped,
    /// The client adds a result that reports the interruption.
    Answered,
}

/// What becomes of a prompt that was taken into a running turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Queued {
    /// It is stored in no line of the conversation.
    Lost,
    /// It is given again as a reminder.
    Reminder,
    /// It is sent as the user's text, in the words that were stored with it.
    Text,
}

/// When a new prompt comes with what the client tells the model by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredListing {
    /// It makes no difference to what is sent of the conversation.
    Apart,
    /// With every new prompt, for none of it is stored.
    Always,
    /// Where the conversation has no such line yet.
    Unless(AttachmentKind),
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// A byte order mark makes the first line unreadable.
    pub mark_costs_a_line: bool,
    /// Two objects on one line.
    pub glued: Glued,
    /// A file in which no line has a time is refused.
    pub needs_times: bool,
    /// A `last-prompt` that names an agent's line makes the client refuse.
    pub refuses_sidechain_leaf: bool,
    /// A parent that is in no line.
    pub gap: Detour,
    /// A chain that bites its tail.
    pub cycle: Detour,
    /// Parallel calls and results beside the chain.
    pub parallel: Parallel,
    /// The calls of an answer are sent after its words, in whatever order they stand.
    pub calls_come_last: bool,
    /// Attachments and remarks below the leaf belong to the conversation too.
    pub takes_notes_below_leaf: bool,
    /// Lines that a compaction kept are spliced in, and what else is before it is forgotten.
    pub splices_kept: bool,
    /// Answers that are API errors are sent as the model's words.
    pub sends_api_errors: bool,
    /// Answers of nothing but white space are sent.
    pub sends_blank: bool,
    /// An answer without any block is sent as `(no content)`; else it is left out.
    pub fills_empty: bool,
    /// Thinking that no words or calls of the same message follow is sent.
    pub sends_lone_thinking: bool,
    /// An answer left out for being blank keeps the user messages around it apart.
    pub blank_keeps_apart: bool,
    /// Results of calls that are not there are sent.
    pub sends_orphan_results: bool,
    /// A call that the session ended in.
    pub open_call: OpenCall,
    /// Thinking of another model.
    pub other_thinking: Thinking,
    /// Thinking of a message that names no model.
    pub unnamed_thinking: Thinking,
    /// What local commands printed (`system/local_command`) is sent as the user's text.
    pub sends_local_commands: bool,
    /// Pictures of `attachment` lines are sent again.
    pub sends_attachments: bool,
    /// A prompt that was taken into a running turn.
    pub queued: Queued,
    /// After results that make tools known to the model comes a text that says so.
    pub says_tool_loaded: bool,
    /// Notifications of background tasks are sent inside a reminder.
    pub wraps_notifications: bool,
    /// A background agent or shell command that was running at the end is told to be gone.
    pub tells_killed_tasks: bool,
    /// After a tool result or an attachment as the last line, the client asks the model to go on.
    pub asks_to_continue: bool,
    /// A text that another text follows in one message gets a newline.
    pub joins_with_newline: bool,
    /// Where instructions of the project were stored, the new prompt comes with a reminder of them before it.
    pub repeats_instructions: bool,
    /// What it tells the model by itself comes with the new prompt.
    pub listing: StoredListing,
    /// Lines of one answer become one message though results stand between them.
    pub merges_over_results: bool,
    /// A conversation that ends with a command of the client's own is answered before the new prompt.
    pub answers_commands: bool,
    /// What local commands printed at the end goes with the new prompt; what is made up comes before it.
    pub commands_go_with_prompt: bool,
    /// Tools that have another name by now: calls are sent by the new one.
    pub new_names: &'static [(&'static str, &'static str)],
}

/// 2.0.29, and 1.x for want of better knowledge.
const V2_0_29: Rules = Rules {
    mark_costs_a_line: true,
    glued: Glued::Lost,
    needs_times: false,
    refuses_sidechain_leaf: false,
    gap: Detour::Ends,
    cycle: Detour::Hangs,
    parallel: Parallel::AsChained,
    calls_come_last: false,
    takes_notes_below_leaf: false,
    splices_kept: false,
    sends_api_errors: true,
    sends_blank: true,
    fills_empty: false,
    sends_lone_thinking: true,
    blank_keeps_apart: false,
    sends_orphan_results: true,
    open_call: OpenCall::Dropped,
    other_thinking: Thinking::Sent,
    unnamed_thinking: Thinking::Sent,
    sends_local_commands: false,
    sends_attachments: false,
    queued: Queued::Lost,
    says_tool_loaded: false,
    wraps_notifications: false,
    tells_killed_tasks: false,
    asks_to_continue: false,
    joins_with_newline: false,
    repeats_instructions: false,
    listing: StoredListing::Apart,
    merges_over_results: false,
    answers_commands: true,
    commands_go_with_prompt: false,
    new_names: &[],
};

const V2_0_55: Rules = Rules { sends_api_errors: false, ..V2_0_29 };

const V2_1_9: Rules =
    Rules { mark_costs_a_line: false, sends_lone_thinking: false, merges_over_results: true, ..V2_0_55 };

const V2_1_80: Rules = Rules {
    needs_times: true,
    cycle: Detour::Ends,
    parallel: Parallel::ByTime,
    splices_kept: true,
    sends_blank: false,
    fills_empty: true,
    blank_keeps_apart: true,
    sends_orphan_results: false,
    sends_local_commands: true,
    asks_to_continue: true,
    joins_with_newline: true,
    listing: StoredListing::Always,
    commands_go_with_prompt: true,
    ..V2_1_9
};

const V2_1_200: Rules = Rules {
    glued: Glued::First,
    refuses_sidechain_leaf: true,
    gap: Detour::ByTime,
    cycle: Detour::ByTime,
    takes_notes_below_leaf: true,
    blank_keeps_apart: false,
    other_thinking: Thinking::Dropped,
    unnamed_thinking: Thinking::Hangs,
    sends_attachments: true,
    queued: Queued::Reminder,
    tells_killed_tasks: true,
    listing: StoredListing::Unless(AttachmentKind::SkillListing),
    commands_go_with_prompt: false,
    new_names: &[("Task", "Agent")],
    ..V2_1_80
};

const V2_1_325: Rules = Rules {
    parallel: Parallel::ByPlace,
    calls_come_last: true,
    unnamed_thinking: Thinking::Dropped,
    open_call: OpenCall::Answered,
    queued: Queued::Text,
    says_tool_loaded: true,
    wraps_notifications: true,
    asks_to_continue: false,
    repeats_instructions: true,
    listing: StoredListing::Unless(AttachmentKind::Environment),
    answers_commands: false,
    ..V2_1_200
};

impl Rules {
    /// The row of a generation.
    pub const fn of(generation: Generation) -> &'static Self {
        match generation {
            Generation::V1_0 | Generation::V2_0_29 => &V2_0_29,
            Generation::V2_0_55 => &V2_0_55,
            Generation::V2_1_9 => &V2_1_9,
            Generation::V2_1_80 => &V2_1_80,
            Generation::V2_1_200 => &V2_1_200,
            // A newer generation: as the newest one that is known.
            _ => &V2_1_325,
        }
    }
}
