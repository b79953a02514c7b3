//! `scrollback show`: a conversation, turn by turn.

use clap::Args;
use scrollback_app::request::show::{Conversation, ShowRequest};
use scrollback_app::story::Story;

use crate::context::Context;
use crate::failure::Failure;
use crate::page::{Page, Unfold};

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Session ID or prefix, title, path, or `last`; SESSION/AGENT for a subagent.
    #[arg(default_value = "last")]
    pub session: String,
    /// Only these turns: 3, 3-5, 3- or -5.
    #[arg(long, short, value_name = "TURNS", allow_hyphen_values = true)]
    pub turn: Option<String>,
    /// Open at a line number, or at the ID of an entry, message or tool call.
    #[arg(long, value_name = "HIT", conflicts_with_all = ["turn", "branch"])]
    pub at: Option<String>,
    /// Branch to show, as numbered by `tree` (0 = the live thread).
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    pub branch: u64,
    /// Show thinking.
    #[arg(long)]
    pub thinking: bool,
    /// Show the full input and output of tool calls.
    #[arg(long)]
    pub tools: bool,
    /// Show the conversations of agents where they were called.
    #[arg(long)]
    pub agents: bool,
    /// Also show what the client added: reminders, attachments, hooks, system lines.
    #[arg(long, short)]
    pub all: bool,
    /// Print the raw lines of the file.
    #[arg(long, conflicts_with = "json")]
    pub raw: bool,
}

/// Shows a conversation.
pub fn run(context: &mut Context, args: &ShowArgs) -> Result<(), Failure> {
    let request = ShowRequest {
        session: args.session.clone(),
        turns: args.turn.clone(),
        at: args.at.clone(),
        branch: args.branch,
    };
    let conversation = request.open(&context.desk()?)?;
    if context.global.json {
        return Ok(conversation.write_json(&mut context.out)?);
    }
    let hit = conversation.hit;
    context.start_pager_at(hit.map(|line| format!("▶ line {line}$")).as_deref());
    let story = conversation.story()?;
    if args.raw {
        return raw(context, &conversation, &story);
    }
    let unfold = Unfold {
        // A hit may stand in what is folded otherwise.
        thinking: args.thinking || hit.is_some(),
        tools: args.tools || hit.is_some(),
        agents: args.agents,
        all: args.all,
    };
    let (opened, head) = (&conversation.opened, &conversation.head);
    let source = opened.source();
    let mut page = Page::new(context, unfold, &head.session.session_id);
    page.mark(hit);
    page.head(&head.session, opened.agent.map(|at| &opened.agents.views[at]), source, head.branch)?;
    for turn in story.turns(|number| conversation.is_wanted(number))? {
        page.turn(&turn?, source)?;
    }
    page.foot(story.count(), conversation.is_partial())
}

/// The lines themselves: the whole file, or those of the turns that were asked for.
fn raw(context: &mut Context, conversation: &Conversation, story: &Story<'_>) -> Result<(), Failure> {
    let mut put = |bytes: &[u8]| context.out.untrusted(bytes).map_err(Failure::from);
    if !conversation.is_partial() && conversation.head.branch == 0 {
        return story.raw_file(put);
    }
    story.raw(|number| conversation.is_wanted(number), |line| put(line).and_then(|()| put(b"\n")))
}
