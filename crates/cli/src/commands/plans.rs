//! `scrollback plans`: plans, and the sessions that made them.

use clap::Args;
use scrollback_app::plan::{self, PlanSession, PlanView, PlansView};

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::markdown::markdown;
use crate::paint::{Line, Style, fold};
use crate::scope::{self, ScopeArgs};

/// Arguments of `plans`.
#[derive(Debug, Args)]
pub struct PlansArgs {
    /// Show this plan: its name, or a part of its name or title (default: list them).
    pub name: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Print the file as it is.
    #[arg(long, conflicts_with = "json", requires = "name")]
    pub raw: bool,
}

/// Lists plans, or shows one.
pub fn run(context: &mut Context, args: &PlansArgs) -> Result<(), Failure> {
    let scope = args.scope.resolve(context)?;
    let library = context.library()?;
    let index = context.index(&library)?;
    let mut view = plan::plans(&library, &index, &scope)?;
    if let Some(name) = &args.name {
        view.plans = find(view.plans, name)?;
    }
    if context.global.json {
        context.out.json(&view)?;
    } else {
        context.start_pager();
        match (view.plans.as_slice(), &args.name) {
            ([plan], Some(_)) if args.raw => context.out.bytes(plan.text.as_bytes())?,
            ([plan], Some(_)) => show(context, plan)?,
            _ => list(context, &view)?,
        }
    }
    if view.plans.is_empty() { Err(Failure::quiet(Kind::NothingFound)) } else { Ok(()) }
}

/// The one plan of a name; by a part of it where no plan is called just so.
fn find(plans: Vec<PlanView>, name: &str) -> Result<Vec<PlanView>, Failure> {
    let wanted = name.strip_suffix(".md").unwrap_or(name).to_lowercase();
    let (exact, rest): (Vec<_>, Vec<_>) =
        plans.into_iter().partition(|plan| plan.name.to_lowercase() == wanted);
    if !exact.is_empty() {
        return Ok(exact);
    }
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let near: Vec<PlanView> =
        rest.into_iter().filter(|plan| has(&plan.name) || plan.title.as_deref().is_some_and(has)).collect();
    match near.len() {
        0 => Err(Failure::new(Kind::NothingFound, format!("no plan is called '{name}'"))
            .hint("`scrollback plans` lists them")),
        1 => Ok(near),
        count => {
            let failure = Failure::new(Kind::Usage, format!("'{name}' could be {count} plans"));
            Err(near.iter().take(12).fold(failure, |failure, plan| failure.hint(plan.name.as_str())))
        }
    }
}

fn list(context: &mut Context, view: &PlansView) -> Result<(), Failure> {
    if view.plans.is_empty() {
        context.out.line(Line::plain("There is no plan that fits."))?;
        return scope::troubles(context, &view.troubles);
    }
    let mut grid = Grid::new(vec![
        Column::new("plan"),
        Column::new("title").shrinks(2, 16),
        Column::new("session"),
        Column::new("project").shrinks(1, 10).max(40),
        Column::new("written"),
    ]);
    for plan in &view.plans {
        let sessions: Vec<String> = plan.sessions.iter().map(short).collect();
        let project = plan.sessions.iter().find_map(|session| session.project.as_ref());
        let project = project.map(|project| context.dir_end(project, 36)).unwrap_or_default();
        grid.row(vec![
            Line::new(plan.name.as_str(), Style::Strong),
            Line::plain(fold::one_line(plan.title.as_deref().unwrap_or_default(), 80)),
            Line::new(
                if sessions.is_empty() { "none".to_owned() } else { sessions.join(" ") },
                Style::Number,
            ),
            Line::new(project, Style::Path),
            Line::new(date::minute(plan.modified, &context.zone), Style::Time),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    scope::troubles(context, &view.troubles)
}

fn short(session: &PlanSession) -> String {
    session.session_id.chars().take(8).collect()
}

fn show(context: &mut Context, plan: &PlanView) -> Result<(), Failure> {
    let path = context.short_path(&plan.path);
    let written = date::minute(plan.modified, &context.zone);
    context.out.line(Line::new(path, Style::Path).with(format!("  {written}"), Style::Time))?;
    for session in &plan.sessions {
        let mut line = Line::new(short(session), Style::Number);
        line.push(
            format!("  {}", fold::one_line(session.title.as_deref().unwrap_or("untitled"), 60)),
            Style::Plain,
        );
        if session.by_slug {
            line.push("  its lines carry this name", Style::Dim);
        }
        context.out.line(line)?;
        for call in &session.calls {
            let target = match &call.agent_id {
                Some(agent) => format!("{}/{agent}", short(session)),
                None => short(session),
            };
            let text = format!("  {}  {} show {target} --at {}", call.tool, context.program(), call.line);
            context.out.line(Line::new(text, Style::Dim))?;
        }
    }
    if plan.sessions.is_empty() {
        context.out.line(Line::new("no session of this store made it", Style::Dim))?;
    }
    context.out.gap()?;
    let lines = markdown(&plan.text, context.page());
    Ok(context.out.lines(&lines)?)
}
