//! `scrollback tail`: the end of a conversation, and what is added to it.

use clap::Args;
use scrollback_app::follow::{News, SessionChange, TurnPart};
use scrollback_app::request::tail::{Tail, TailRequest};

use crate::context::Context;
use crate::failure::Failure;
use crate::page::{Page, Unfold};
use crate::paint::fold;
use crate::stop;

/// Arguments of `tail`.
#[derive(Debug, Args)]
pub struct TailArgs {
    /// Session ID or prefix, title, path, or `last`; SESSION/AGENT for a subagent.
    #[arg(default_value = "last")]
    pub session: String,
    /// Number of existing turns to show first.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 3, alias = "turns")]
    pub limit: usize,
    /// Exit after showing existing turns.
    #[arg(long)]
    pub no_follow: bool,
    /// Show thinking.
    #[arg(long)]
    pub thinking: bool,
    /// Show the full input and output of tool calls.
    #[arg(long)]
    pub tools: bool,
    /// Also show what the client adds: reminders, attachments, hooks, system lines.
    #[arg(long, short)]
    pub all: bool,
}

/// Shows the end of a conversation and follows it until Ctrl-C.
pub fn run(context: &mut Context, args: &TailArgs) -> Result<(), Failure> {
    stop::listen(&context.stop);
    let request = TailRequest { session: args.session.clone(), turns: args.limit };
    let mut tail = request.open(&context.desk()?)?;
    if context.global.json {
        return json(context, &mut tail, args);
    }
    let unfold = Unfold { thinking: args.thinking, tools: args.tools, agents: false, all: args.all };
    let mut page = Page::new(context, unfold, &tail.session_id);
    if !args.no_follow {
        page.follow();
    }
    let first = &tail.first;
    let agent = first.opened.agent.map(|at| &first.opened.agents.views[at]);
    page.head(&first.view, agent, first.opened.source(), 0)?;
    paint(&mut page, first)?;
    page.flush()?;
    while !args.no_follow
        && let Some(news) = tail.poll()?
    {
        match news {
            News::Gone => page.remark("! the file is gone: deleted, or moved out of the store")?,
            News::Changed(change) => paint(&mut page, &change)?,
            _ => continue,
        }
        page.flush()?;
    }
    Ok(())
}

fn paint(page: &mut Page<'_>, change: &SessionChange) -> Result<(), Failure> {
    if change.moved_from.is_some() {
        page.remark(&format!("the file was moved: {}", change.view.path.display()))?;
    }
    if change.rewritten {
        page.remark("! the file was rewritten and is shorter than before")?;
    }
    let source = change.opened.source();
    for part in &change.turns {
        if part.goes_on { page.more(&part.turn, source)? } else { page.turn(&part.turn, source)? }
    }
    for agent in &change.agents {
        let what = agent.description.as_deref().or(agent.prompt.as_deref()).unwrap_or(agent.purpose.name());
        page.remark(&format!("agent {} started: {}", agent.agent_id, fold::one_line(what, 60)))?;
    }
    Ok(())
}

/// One JSON object per line, each a turn or what is new in it.
fn json(context: &mut Context, tail: &mut Tail, args: &TailArgs) -> Result<(), Failure> {
    put(context, &tail.first.turns)?;
    while !args.no_follow
        && let Some(news) = tail.poll()?
    {
        if let News::Changed(change) = news {
            put(context, &change.turns)?;
        }
    }
    Ok(())
}

fn put(context: &mut Context, parts: &[TurnPart]) -> Result<(), Failure> {
    for part in parts {
        context.out.json_line(part)?;
    }
    Ok(context.out.flush()?)
}
