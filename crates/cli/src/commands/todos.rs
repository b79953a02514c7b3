//! `scrollback todos` and `scrollback tasks`: lists of both generations, in their files and in the sessions.

use clap::Args;
use scrollback_app::request::todos::TodosRequest;
use scrollback_app::todo::{TodoGeneration, TodoItem, TodoListView, TodoState, TodosView};
use scrollback_format::id;

use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::wrap::Indent;
use crate::paint::{Style, StyledLine, fold, wrap};
use crate::scope::{self, ScopeArgs};

/// Arguments of `todos` and `tasks`.
#[derive(Debug, Args)]
pub struct TodosArgs {
    /// Only lists of this session [default: all sessions].
    pub session: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Only lists with open items.
    #[arg(long, short)]
    pub open: bool,
    /// Include empty lists and descriptions of items.
    #[arg(long, short)]
    pub all: bool,
}

/// Lists todos (up to 2.1.50) or tasks (2.1.80 on).
pub fn run(context: &mut Context, args: &TodosArgs, generation: TodoGeneration) -> Result<(), Failure> {
    let request = TodosRequest {
        generation,
        session: args.session.clone(),
        scope: args.scope.request(),
        open: args.open,
        all: args.all,
    };
    let view = context.desk()?.answer(&request)?;
    if context.global.json {
        context.out.document(&view)?;
    } else {
        context.start_pager();
        show(context, &view, generation, args.all)?;
    }
    if view.lists.is_empty() { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

fn show(
    context: &mut Context,
    view: &TodosView,
    generation: TodoGeneration,
    all: bool,
) -> Result<(), Failure> {
    for list in &view.lists {
        one(context, list, view.unread > 0, all)?;
        context.out.gap()?;
    }
    let (noun, other) = match generation {
        TodoGeneration::Todos => ("todo list", "tasks"),
        TodoGeneration::Tasks => ("task list", "todos"),
    };
    if view.lists.is_empty() {
        context.out.line(StyledLine::plain(format!("No matching {noun}s.")))?;
    }
    if !context.global.quiet {
        if view.empty > 0 {
            let text = format!("{} without items (--all)", fold::plural(view.empty, noun));
            context.out.line(StyledLine::new(text, Style::Dim))?;
        }
        let text = format!("other client versions keep lists elsewhere; see {} {other}", context.program());
        context.out.line(StyledLine::new(text, Style::Dim))?;
    }
    scope::troubles(context, &view.troubles)
}

fn one(context: &mut Context, list: &TodoListView, unread: bool, all: bool) -> Result<(), Failure> {
    let title = match (&list.title, &list.session_id, &list.name) {
        (Some(title), _, _) => StyledLine::new(fold::one_line(title, 80), Style::Strong),
        (None, Some(_), _) if list.session_exists => StyledLine::new("untitled", Style::Dim),
        (None, Some(_), _) if unread => {
            StyledLine::new("session not found; some folders are unreadable", Style::Warning)
        }
        (None, Some(_), _) => StyledLine::new("session is gone", Style::Warning),
        (None, None, name) => StyledLine::new(name.as_deref().unwrap_or_default(), Style::Strong),
    };
    context.out.line(title)?;
    let id = id::short(list.session_id.as_deref().unwrap_or_default());
    let mut facts = StyledLine::new(id, Style::Number);
    if let Some(agent) = &list.agent_id {
        facts.push(format!("/{agent}"), Style::Agent);
    }
    if let Some(project) = &list.project {
        facts.push(format!("  {}", context.dir_end(project, 40)), Style::Path);
    }
    facts.push(format!("  {}", date::minute(list.last_time(), &context.zone)), Style::Time);
    context.out.line(facts)?;
    match (&list.file, &list.session, list.differs) {
        (Some(file), Some(session), true) => {
            part(context, "in the file", file, all)?;
            part(context, "in the session", session, all)
        }
        (Some(state), Some(_), false) => part(context, "in the file and the session", state, all),
        (Some(state), None, _) => part(context, "in the file only", state, all),
        (None, Some(state), _) => part(context, "in the session only", state, all),
        (None, None, _) => Ok(()),
    }
}

fn part(context: &mut Context, place: &str, state: &TodoState, all: bool) -> Result<(), Failure> {
    let done = state.items.iter().filter(|item| item.is_done()).count();
    let line = state.line.map(|line| format!(", line {line}")).unwrap_or_default();
    let text = format!("  {place}{line}: {done} of {} done", state.items.len());
    context.out.line(StyledLine::new(text, Style::Dim))?;
    state.items.iter().try_for_each(|entry| item(context, entry, all))
}

fn item(context: &mut Context, item: &TodoItem, all: bool) -> Result<(), Failure> {
    let (sign, style) = match item.status.as_str() {
        "completed" => ("✔", Style::Success),
        "in_progress" => ("▶", Style::Strong),
        "pending" => ("☐", Style::Plain),
        _ => ("?", Style::Warning),
    };
    let mut line = StyledLine::empty();
    if let Some(id) = &item.id {
        line.push(format!("{id}. "), Style::Number);
    }
    line.push(item.text.as_str(), if item.is_done() { Style::Dim } else { Style::Plain });
    if !item.blocked_by.is_empty() {
        line.push(format!("  blocked by {}", item.blocked_by.join(", ")), Style::Dim);
    }
    if let Some(owner) = &item.owner {
        line.push(format!("  {owner}"), Style::Agent);
    }
    let canvas = context.page();
    let indent = Indent::hanging(StyledLine::new(format!("    {sign} "), style));
    let lines = wrap::words(&line, canvas, &indent);
    context.out.lines(&lines)?;
    if let Some(about) = item.description.as_deref().filter(|about| all && !about.trim().is_empty()) {
        let space = StyledLine::plain("        ");
        let lines = wrap::text(about.trim_end(), Style::Dim, canvas.inset(8));
        let lines: Vec<StyledLine> = lines.into_iter().map(|line| line.prefixed(&space)).collect();
        context.out.lines(&lines)?;
    }
    Ok(())
}
