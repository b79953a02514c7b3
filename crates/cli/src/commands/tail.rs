//! `scrollback tail`: the end of a conversation, and what is added to it.

use std::time::Duration;

use clap::Args;
use scrollback_app::follow::{Change, Follow, News, TurnPart};
use scrollback_app::resolve::SessionArg;

use crate::context::Context;
use crate::failure::Failure;
use crate::page::{Page, Unfold};
use crate::paint::fold;
use crate::stop::Stop;

/// Arguments of `tail`.
#[derive(Debug, Args)]
pub struct TailArgs {
    /// An id, the start of one, a path, a title, or `last`; SESSION/AGENT for a subagent.
    #[arg(default_value = "last")]
    pub session: String,
    /// Begin with so many turns that are there already.
    #[arg(long, short = 'n', value_name = "TURNS", default_value_t = 3)]
    pub turns: usize,
    /// End when they are shown.
    #[arg(long)]
    pub no_follow: bool,
    /// Show what the model thinks.
    #[arg(long)]
    pub thinking: bool,
    /// Open tool calls: all of their input and output.
    #[arg(long)]
    pub tools: bool,
    /// Show what the client puts in too: reminders, attachments, hooks, system lines.
    #[arg(long, short)]
    pub all: bool,
}

/// How often is looked. A look that finds nothing asks the system three questions.
const PERIOD: Duration = Duration::from_millis(250);

/// Shows the end of a conversation and goes on with it until Ctrl-C.
pub fn run(context: &mut Context, args: &TailArgs) -> Result<(), Failure> {
    let stop = Stop::listen();
    let named = SessionArg::parse(&args.session);
    let library = context.library_for(&named.session)?;
    let files = context.resolve(&library, &named.session)?;
    let mut follow = Follow::new(&library, files.id.as_str(), named.agent.clone(), &files.found.path);
    let first = follow.begin(args.turns)?;
    if context.global.json {
        return json(context, &mut follow, &first, args, &stop);
    }
    let unfold = Unfold { thinking: args.thinking, tools: args.tools, agents: false, all: args.all };
    let mut page = Page::new(context, unfold, files.id.as_str());
    if !args.no_follow {
        page.follow();
    }
    let agent = first.opened.agent.map(|at| &first.opened.agents.views[at]);
    page.head(&first.view, agent, first.opened.source(), 0)?;
    paint(&mut page, &first)?;
    page.flush()?;
    while !args.no_follow && stop.wait(PERIOD) {
        match follow.look()? {
            News::Nothing => continue,
            News::Gone => page.remark("! its file is gone: it was removed, or moved out of the store")?,
            News::Changed(change) => paint(&mut page, &change)?,
        }
        page.flush()?;
    }
    Ok(())
}

fn paint(page: &mut Page<'_>, change: &Change) -> Result<(), Failure> {
    if change.moved_from.is_some() {
        page.remark(&format!("the client moved the session: {}", change.view.path.display()))?;
    }
    if change.rewritten {
        page.remark("! the file was written anew and holds less than before")?;
    }
    let source = change.opened.source();
    for part in &change.turns {
        if part.goes_on { page.more(&part.turn, source)? } else { page.turn(&part.turn, source)? }
    }
    for agent in &change.agents {
        let what = agent.description.as_deref().or(agent.prompt.as_deref()).unwrap_or(agent.purpose);
        page.remark(&format!("agent {} began: {}", agent.agent_id, fold::one_line(what, 60)))?;
    }
    Ok(())
}

/// One JSON object a line, a turn or what is new in it each.
fn json(
    context: &mut Context,
    follow: &mut Follow,
    first: &Change,
    args: &TailArgs,
    stop: &Stop,
) -> Result<(), Failure> {
    put(context, &first.turns)?;
    while !args.no_follow && stop.wait(PERIOD) {
        if let News::Changed(change) = follow.look()? {
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
