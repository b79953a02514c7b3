//! `scrollback plans`: plans, and the sessions that made them.

use clap::Args;
use scrollback_app::plan::{PlanSession, PlanView, PlansView};
use scrollback_app::request::plans::PlansRequest;
use scrollback_format::id;

use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::markdown::markdown;
use crate::paint::{Style, StyledLine, fold};
use crate::scope::{self, ScopeArgs};

/// Arguments of `plans`.
#[derive(Debug, Args)]
pub struct PlansArgs {
    /// Show this plan: its name, or part of its name or title [default: list all].
    pub name: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Print the raw file.
    #[arg(long, conflicts_with = "json", requires = "name")]
    pub raw: bool,
}

/// Lists plans, or shows one.
pub fn run(context: &mut Context, args: &PlansArgs) -> Result<(), Failure> {
    let request = PlansRequest { name: args.name.clone(), scope: args.scope.request() };
    let view = context.desk()?.answer(&request)?;
    if context.global.json {
        context.out.document(&view)?;
    } else {
        context.start_pager();
        match (view.plans.as_slice(), &args.name) {
            ([plan], Some(_)) if args.raw => context.out.untrusted(plan.text.as_bytes())?,
            ([plan], Some(_)) => show(context, plan)?,
            _ => list(context, &view)?,
        }
    }
    if view.plans.is_empty() { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

fn list(context: &mut Context, view: &PlansView) -> Result<(), Failure> {
    if view.plans.is_empty() {
        context.out.line(StyledLine::plain("No matching plans."))?;
        return scope::troubles(context, &view.troubles);
    }
    let mut grid = Grid::new(vec![
        Column::new("plan"),
        Column::new("title").shrinks(2, 16),
        Column::new("session"),
        Column::new("project").shrinks(1, 10).max(40),
        Column::new("modified"),
    ]);
    for plan in &view.plans {
        let sessions: Vec<String> = plan.sessions.iter().map(short).collect();
        let project = plan.sessions.iter().find_map(|session| session.project.as_ref());
        let project = project.map(|project| context.dir_end(project, 36)).unwrap_or_default();
        grid.row(vec![
            StyledLine::new(plan.name.as_str(), Style::Strong),
            StyledLine::plain(fold::one_line(plan.title.as_deref().unwrap_or_default(), 80)),
            StyledLine::new(
                if sessions.is_empty() { "none".to_owned() } else { sessions.join(" ") },
                Style::Number,
            ),
            StyledLine::new(project, Style::Path),
            StyledLine::new(date::minute(plan.modified, &context.zone), Style::Time),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    scope::troubles(context, &view.troubles)
}

fn short(session: &PlanSession) -> String {
    id::short(&session.session_id).to_owned()
}

fn show(context: &mut Context, plan: &PlanView) -> Result<(), Failure> {
    let path = context.short_path(&plan.path);
    let written = date::minute(plan.modified, &context.zone);
    context.out.line(StyledLine::new(path, Style::Path).with(format!("  {written}"), Style::Time))?;
    for session in &plan.sessions {
        let mut line = StyledLine::new(short(session), Style::Number);
        line.push(
            format!("  {}", fold::one_line(session.title.as_deref().unwrap_or("untitled"), 60)),
            Style::Plain,
        );
        if session.by_slug {
            line.push("  named by its slug", Style::Dim);
        }
        context.out.line(line)?;
        for call in &session.calls {
            let target = match &call.agent_id {
                Some(agent) => format!("{}/{agent}", short(session)),
                None => short(session),
            };
            let text = format!("  {}  {} show {target} --at {}", call.tool, context.program(), call.line);
            context.out.line(StyledLine::new(text, Style::Dim))?;
        }
    }
    if plan.sessions.is_empty() {
        context.out.line(StyledLine::new("not made by any session in this store", Style::Dim))?;
    }
    context.out.gap()?;
    let lines = markdown(&plan.text, context.page());
    Ok(context.out.lines(&lines)?)
}
