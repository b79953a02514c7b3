//! `scrollback definitions`: agents, commands, skills and output styles of the user and of projects.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use scrollback_app::definition::{DefinitionKind, DefinitionView, DefinitionsView};
use scrollback_app::request::definitions::DefinitionsRequest;

use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::markdown::markdown;
use crate::paint::{Style, StyledLine, fold};
use crate::scope;

/// Arguments of `definitions`.
#[derive(Debug, Args)]
pub struct DefinitionsArgs {
    /// Show the definition with this name [default: list all].
    pub name: Option<String>,
    /// Only this kind.
    #[arg(long, short, value_name = "KIND", value_parser = kinds())]
    pub kind: Option<DefinitionKind>,
    /// Project whose definitions to include [default: the current directory].
    #[arg(long, short, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Include definitions of every project in the store.
    #[arg(long, short, conflicts_with = "project")]
    pub all: bool,
}

/// The kinds by name.
fn kinds() -> impl TypedValueParser<Value = DefinitionKind> {
    PossibleValuesParser::new(DefinitionKind::ALL.map(DefinitionKind::name))
        .try_map(|name| DefinitionKind::find(&name).ok_or("unknown"))
}

/// Lists definitions, or shows one.
pub fn run(context: &mut Context, args: &DefinitionsArgs) -> Result<(), Failure> {
    let request = DefinitionsRequest {
        name: args.name.clone(),
        kind: args.kind,
        project: args.project.clone(),
        all: args.all,
    };
    let view = context.desk()?.answer(&request)?;
    if context.global.json {
        context.out.document(&view)?;
    } else {
        context.start_pager();
        match &args.name {
            Some(_) => view.definitions.iter().try_for_each(|one| show(context, one))?,
            None => list(context, &view)?,
        }
    }
    if view.definitions.is_empty() { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

fn list(context: &mut Context, view: &DefinitionsView) -> Result<(), Failure> {
    if view.definitions.is_empty() {
        context.out.line(StyledLine::plain("No definitions."))?;
        return scope::troubles(context, &view.troubles);
    }
    let mut grid = Grid::new(vec![
        Column::new("kind"),
        Column::new("name"),
        Column::new("from").shrinks(1, 8).max(40),
        Column::new("description").shrinks(2, 20),
    ]);
    for one in &view.definitions {
        let from = match &one.project {
            Some(project) => context.dir_end(project, 36),
            None => "user".to_owned(),
        };
        let what = match (one.problems.first(), &one.description) {
            (Some(problem), _) => StyledLine::new(format!("! {problem}"), Style::Warning),
            (None, Some(text)) => StyledLine::plain(fold::one_line(text, 120)),
            (None, None) => StyledLine::new("none", Style::Dim),
        };
        let shadow = if one.is_shadowed { " (overridden by the project)" } else { "" };
        grid.row(vec![
            StyledLine::new(one.kind.name(), Style::Dim),
            StyledLine::new(one.name.as_str(), Style::Strong).with(shadow, Style::Dim),
            StyledLine::new(from, Style::Path),
            what,
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    scope::troubles(context, &view.troubles)
}

fn show(context: &mut Context, one: &DefinitionView) -> Result<(), Failure> {
    context.out.line(
        StyledLine::new(one.name.as_str(), Style::Title).with(format!("  {}", one.kind.name()), Style::Dim),
    )?;
    let path = context.short_path(&one.path);
    context.out.line(StyledLine::new(path, Style::Path))?;
    for (name, value) in &one.fields {
        let line =
            StyledLine::new(format!("  {name}: "), Style::Dim).with(fold::one_line(value, 200), Style::Plain);
        context.out.line(line)?;
    }
    for problem in &one.problems {
        context.out.line(StyledLine::new(format!("  ! {problem}"), Style::Warning))?;
    }
    context.out.gap()?;
    let lines = markdown(&one.text, context.page());
    context.out.lines(&lines)?;
    Ok(context.out.gap()?)
}
