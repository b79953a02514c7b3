//! `scrollback definitions`: agents, commands, skills and output styles that the user and projects bring.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use scrollback_app::definition::{self, DefinitionView, DefinitionsView, KINDS};

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::markdown::markdown;
use crate::paint::{Line, Style, fold};
use crate::scope;

/// Arguments of `definitions`.
#[derive(Debug, Args)]
pub struct DefinitionsArgs {
    /// Show what is called so (default: list them).
    pub name: Option<String>,
    /// Only this kind.
    #[arg(long, short, value_name = "KIND", value_parser = PossibleValuesParser::new(KINDS.map(|(kind, _)| kind)))]
    pub kind: Option<String>,
    /// The project whose definitions count too (default: the current directory).
    #[arg(long, short, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Those of every project that the store knows.
    #[arg(long, short, conflicts_with = "project")]
    pub all: bool,
}

/// Lists definitions, or shows one.
pub fn run(context: &mut Context, args: &DefinitionsArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let mut projects: Vec<PathBuf> =
        args.project.clone().or_else(|| context.env.cwd.clone()).into_iter().collect();
    if args.all {
        let index = context.index(&library)?;
        let known = index.sessions()?.into_iter().filter_map(|view| view.project).map(PathBuf::from);
        projects.extend(known.filter(|path| path.is_dir()));
        projects.sort();
        projects.dedup();
    }
    let mut view = definition::definitions(&library, &projects);
    view.definitions.retain(|one| args.kind.as_deref().is_none_or(|kind| kind == one.kind));
    if let Some(name) = &args.name {
        view.definitions.retain(|one| one.name == *name);
    }
    if context.global.json {
        context.out.json(&view)?;
    } else {
        context.start_pager();
        match &args.name {
            Some(_) => view.definitions.iter().try_for_each(|one| show(context, one))?,
            None => list(context, &view)?,
        }
    }
    match (&args.name, view.definitions.is_empty()) {
        (Some(name), true) => Err(Failure::new(Kind::NothingFound, format!("nothing is called '{name}'"))
            .hint("`scrollback definitions` lists them; --all looks in every project")),
        (None, true) => Err(Failure::quiet(Kind::NothingFound)),
        _ => Ok(()),
    }
}

fn list(context: &mut Context, view: &DefinitionsView) -> Result<(), Failure> {
    if view.definitions.is_empty() {
        context.out.line(Line::plain("Neither the user nor this project defines anything."))?;
        return scope::troubles(context, &view.troubles);
    }
    let mut grid = Grid::new(vec![
        Column::new("kind"),
        Column::new("name"),
        Column::new("from").shrinks(1, 8).max(40),
        Column::new("what for").shrinks(2, 20),
    ]);
    for one in &view.definitions {
        let from = match &one.project {
            Some(project) => context.dir_end(project, 36),
            None => "user".to_owned(),
        };
        let what = match (one.problems.first(), &one.description) {
            (Some(problem), _) => Line::new(format!("! {problem}"), Style::Warning),
            (None, Some(text)) => Line::plain(fold::one_line(text, 120)),
            (None, None) => Line::new("does not say", Style::Dim),
        };
        let shadow = if one.is_shadowed { " (the project's counts)" } else { "" };
        grid.row(vec![
            Line::new(one.kind, Style::Dim),
            Line::new(one.name.as_str(), Style::Strong).with(shadow, Style::Dim),
            Line::new(from, Style::Path),
            what,
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    scope::troubles(context, &view.troubles)
}

fn show(context: &mut Context, one: &DefinitionView) -> Result<(), Failure> {
    context
        .out
        .line(Line::new(one.name.as_str(), Style::Title).with(format!("  {}", one.kind), Style::Dim))?;
    let path = context.short_path(&one.path);
    context.out.line(Line::new(path, Style::Path))?;
    for (name, value) in &one.fields {
        let line =
            Line::new(format!("  {name}: "), Style::Dim).with(fold::one_line(value, 200), Style::Plain);
        context.out.line(line)?;
    }
    for problem in &one.problems {
        context.out.line(Line::new(format!("  ! {problem}"), Style::Warning))?;
    }
    context.out.gap()?;
    let lines = markdown(&one.text, context.page());
    context.out.lines(&lines)?;
    Ok(context.out.gap()?)
}
