//! `scrollback show`: a conversation, turn by turn.

use std::ops::RangeInclusive;

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::library::{Library, Loaded, SessionFiles};
use scrollback_app::opened::Opened;
use scrollback_app::resolve::SessionArg;
use scrollback_app::story::{self, Story, TurnView};
use scrollback_app::view::SessionView;
use serde::Serialize;

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::page::{Page, Unfold};

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// An id, the start of one, a path, a title, or `last`; SESSION/AGENT for a subagent.
    #[arg(default_value = "last")]
    pub session: String,
    /// Only these turns: 3, 3-5, 3- or -5.
    #[arg(long, short, value_name = "TURNS", allow_hyphen_values = true)]
    pub turn: Option<String>,
    /// Open at a hit: a line number, or the id of an entry, a message or a tool call.
    #[arg(long, value_name = "HIT", conflicts_with_all = ["turn", "branch"])]
    pub at: Option<String>,
    /// Another branch than the live one, as `tree` numbers them.
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    pub branch: u64,
    /// Show what the model thought.
    #[arg(long)]
    pub thinking: bool,
    /// Open tool calls: all of their input and output.
    #[arg(long)]
    pub tools: bool,
    /// Show agents' conversations where they were called.
    #[arg(long)]
    pub agents: bool,
    /// Show what the client put in too: reminders, attachments, hooks, system lines.
    #[arg(long, short)]
    pub all: bool,
    /// Print the lines as they stand in the file.
    #[arg(long, conflicts_with = "json")]
    pub raw: bool,
}

/// A conversation.
#[derive(Serialize)]
struct Shown {
    /// The session.
    session: SessionView,
    /// The agent whose conversation it is; none if it is the session's own.
    agent_id: Option<String>,
    /// 0 is the live thread, `n` the n-th branch.
    branch: u64,
    /// Its turns.
    turns: Vec<TurnView>,
}

/// Shows a conversation.
pub fn run(context: &mut Context, args: &ShowArgs) -> Result<(), Failure> {
    let mut wanted = args.turn.as_deref().map(turns).transpose()?;
    let named = SessionArg::parse(&args.session);
    let library = context.session(&named.session)?;
    let files = context.resolve(&library, &named.session)?;
    let index = context.session_index(&library);
    let opened = Opened::of(&library, &files, named.agent.as_deref(), index.as_ref())?;
    let (session, agents, agent) = (&opened.session, &opened.agents, opened.agent);
    let source = opened.source();
    let mut branch = args.branch;
    let mut hit = None;
    let story = match (opened.inline_thread(), &args.at) {
        (_, Some(at)) => {
            let place = story::locate(source.loaded, at).ok_or_else(|| AppError::NoSuchHit {
                wanted: at.clone(),
                lines: source.loaded.transcript.lines,
            })?;
            wanted = Some(place.turn..=place.turn);
            branch = place.branch;
            hit = Some(place.line);
            Story::of_thread(source, place.thread)
        }
        (Some(thread), None) => Story::of_thread(source, thread),
        (None, None) => Story::of(source, args.branch)?,
    };
    if let Some(range) = &wanted
        && !story.numbers().any(|number| range.contains(&number))
    {
        let count = story.count();
        return Err(AppError::OutOfRange { what: "turn", wanted: u64::from(*range.start()), count }.into());
    }
    let pick = |number: u32| wanted.as_ref().is_none_or(|range| range.contains(&number));
    if context.global.json {
        return json(
            context,
            &library,
            &files,
            session,
            &story,
            agents.views.len() as u64,
            agent.map(|at| agents.views[at].agent_id.clone()),
            branch,
            pick,
        );
    }
    context.start_pager_at(hit.map(|line| format!("▶ line {line}$")).as_deref());
    if args.raw {
        return raw(context, &story, wanted.is_none() && branch == 0, pick);
    }
    let unfold = Unfold {
        // A hit may stand in what is folded otherwise.
        thinking: args.thinking || hit.is_some(),
        tools: args.tools || hit.is_some(),
        agents: args.agents,
        all: args.all,
    };
    let view = SessionView::of(library.place(&files), &session.facts, agents.views.len() as u64);
    let mut page = Page::new(context, unfold, &view.session_id);
    page.mark(hit);
    page.head(&view, agent.map(|at| &agents.views[at]), source, branch)?;
    story.each(pick, |turn| page.turn(&turn, source).map_err(into_app))?;
    page.foot(story.count(), wanted.is_some())
}

#[allow(clippy::too_many_arguments, reason = "one call, of what `run` has just put together")]
fn json(
    context: &mut Context,
    library: &Library,
    files: &SessionFiles<'_>,
    session: &Loaded,
    story: &Story<'_>,
    agents: u64,
    agent_id: Option<String>,
    branch: u64,
    pick: impl Fn(u32) -> bool,
) -> Result<(), Failure> {
    let mut turns = Vec::new();
    story.each(pick, |turn| {
        turns.push(turn);
        Ok(())
    })?;
    let view = SessionView::of(library.place(files), &session.facts, agents);
    Ok(context.out.json(&Shown { session: view, agent_id, branch, turns })?)
}

/// The lines themselves: the whole file, or those of the turns that were asked for.
fn raw(
    context: &mut Context,
    story: &Story<'_>,
    whole: bool,
    pick: impl Fn(u32) -> bool,
) -> Result<(), Failure> {
    let mut put = |bytes: &[u8]| context.out.bytes(bytes).map_err(|error| into_app(error.into()));
    if whole {
        return Ok(story.raw_file(put)?);
    }
    Ok(story.raw(pick, |line| put(line).and_then(|()| put(b"\n")))?)
}

/// Painting fails only when nobody reads any more or the disk is full; both end the walk.
fn into_app(failure: Failure) -> AppError {
    let kind =
        if failure.kind == Kind::Closed { std::io::ErrorKind::BrokenPipe } else { std::io::ErrorKind::Other };
    AppError::Output(std::io::Error::new(kind, failure.message))
}

/// `3`, `3-5`, `3-`, `-5`.
pub fn turns(text: &str) -> Result<RangeInclusive<u32>, Failure> {
    let bad = || Failure::new(Kind::Usage, format!("'{text}' names no turns")).hint("3, 3-5, 3- and -5 do");
    let number = |part: &str, default: u32| {
        if part.is_empty() { Ok(default) } else { part.parse::<u32>().map_err(|_| bad()) }
    };
    match text.split_once('-') {
        _ if text.is_empty() || text == "-" => Err(bad()),
        Some((from, to)) => {
            let range = number(from, 0)?..=number(to, u32::MAX)?;
            if range.is_empty() { Err(bad()) } else { Ok(range) }
        }
        None => number(text, 0).map(|turn| turn..=turn),
    }
}

#[cfg(test)]
mod tests {
    use super::turns;

    #[test]
    fn turns_are_read_as_a_number_or_a_range() {
        assert_eq!(turns("3").unwrap(), 3..=3);
        assert_eq!(turns("3-5").unwrap(), 3..=5);
        assert_eq!(turns("3-").unwrap(), 3..=u32::MAX);
        assert_eq!(turns("-5").unwrap(), 0..=5);
        assert!(
            turns("").is_err()
                && turns("x").is_err()
                && turns("-").is_err()
                && turns("1-2-3").is_err()
                && turns("5-3").is_err()
        );
    }
}
