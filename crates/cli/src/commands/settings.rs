//! `scrollback settings`: what the client is told, and by which file.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::settings::{self, LayerView, Places, RuleView, SettingView, SettingsView};

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};
use crate::scope;

/// Arguments of `settings`.
#[derive(Debug, Args)]
pub struct SettingsArgs {
    /// Only settings whose name contains this.
    pub name: Option<String>,
    /// The project whose settings count too (default: the current directory).
    #[arg(long, short, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Only managed settings and the user's own.
    #[arg(long, short, conflicts_with = "project")]
    pub user: bool,
}

/// Tells the settings.
pub fn run(context: &mut Context, args: &SettingsArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let project = match &args.project {
        _ if args.user => None,
        Some(project) if !project.is_dir() => {
            return Err(Failure::new(
                Kind::NothingFound,
                format!("there is no directory {}", project.display()),
            ));
        }
        Some(project) => Some(project.clone()),
        // The sample's projects are nowhere on this machine.
        None if context.is_sample() => None,
        None => context.env.cwd.clone(),
    };
    let project = project.map(|path| std::path::absolute(&path).unwrap_or(path));
    // The managed settings of this machine say nothing about the sample.
    let managed = context.env.managed_dir.clone().filter(|_| !context.is_sample());
    let places = Places { managed, project };
    let mut views: Vec<SettingsView> =
        library.roots.iter().map(|root| settings::settings(root, &places)).collect();
    if let Some(name) = &args.name {
        let wanted = name.to_lowercase();
        views
            .iter_mut()
            .for_each(|view| view.values.retain(|value| value.key.to_lowercase().contains(&wanted)));
    }
    let found = args.name.is_none() || views.iter().any(|view| !view.values.is_empty());
    if context.global.json {
        context.out.json(&views)?;
    } else {
        context.start_pager();
        views.iter().try_for_each(|view| show(context, view, args.name.is_some()))?;
    }
    if found { Ok(()) } else { Err(Failure::quiet(Kind::NothingFound)) }
}

fn show(context: &mut Context, view: &SettingsView, narrowed: bool) -> Result<(), Failure> {
    if !narrowed {
        layers(context, &view.layers)?;
        cleanup(context, view)?;
        permissions(context, view)?;
    }
    let others: Vec<&SettingView> =
        view.values.iter().filter(|value| narrowed || !value.key.starts_with("permissions.")).collect();
    if others.is_empty() {
        context.out.line(Line::new(
            if narrowed { "No setting is called so." } else { "Nothing else is set." },
            Style::Dim,
        ))?;
    } else {
        let mut grid =
            Grid::new(vec![Column::new("setting"), Column::new("value").shrinks(1, 20), Column::new("from")]);
        for value in others {
            row(&mut grid, value);
        }
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
    }
    scope::troubles(context, &view.troubles)
}

fn row(grid: &mut Grid, value: &SettingView) {
    grid.row(vec![
        Line::new(value.key.as_str(), Style::Strong),
        Line::plain(fold::one_line(value.value.get(), 200)),
        Line::new(names(&value.layers), Style::Dim),
    ]);
    for other in &value.overridden {
        let text = format!("not {}", fold::one_line(other.value.get(), 200));
        grid.row(vec![Line::empty(), Line::new(text, Style::Dim), Line::new(other.layer, Style::Dim)]);
    }
}

fn names(layers: &[&'static str]) -> String {
    layers.join(", ")
}

fn layers(context: &mut Context, layers: &[LayerView]) -> Result<(), Failure> {
    context.out.line(Line::new("Files, strongest first", Style::Heading))?;
    for layer in layers {
        // A file that no client reads is worth a line only if it is there.
        if layer.layer == "user_local" && !layer.exists {
            continue;
        }
        let path = context.short_path(&layer.path);
        let mut line = Line::new(format!("  {:<10} ", layer.layer.replace('_', " ")), Style::Plain);
        line.push(path, Style::Path);
        let told = match (layer.exists, layer.is_used) {
            (false, _) => "  not there".to_owned(),
            (true, true) => format!("  {}", fold::plural(layer.settings, "setting")),
            (true, false) if layer.layer == "user_local" => "  no client is known to read it".to_owned(),
            (true, false) => "  broken".to_owned(),
        };
        line.push(told, if layer.exists && !layer.is_used { Style::Warning } else { Style::Dim });
        context.out.line(line)?;
    }
    Ok(context.out.gap()?)
}

fn cleanup(context: &mut Context, view: &SettingsView) -> Result<(), Failure> {
    let by = match view.cleanup_by {
        Some(layer) => format!("cleanupPeriodDays, {layer}"),
        None => "the client's default".to_owned(),
    };
    let days = fold::plural(view.cleanup_period_days, "day");
    let mut line = Line::plain("The client deletes what is older than ").with(days, Style::Strong);
    line.push(format!(" ({by})"), Style::Dim);
    context.out.line(line)?;
    if view.cleanup_paused {
        context.out.line(Line::new(
            "A file is broken: the client is said to delete nothing until it is mended.",
            Style::Warning,
        ))?;
    }
    Ok(context.out.gap()?)
}

fn permissions(context: &mut Context, view: &SettingsView) -> Result<(), Failure> {
    let own = &view.permissions;
    let mut heading = Line::new("Permissions", Style::Heading);
    if let Some(mode) = &own.default_mode {
        heading.push(format!("  begins in {mode}"), Style::Dim);
    }
    context.out.line(heading)?;
    let groups: [(&str, &[RuleView], Style); 4] = [
        ("never", &own.deny, Style::Error),
        ("asked", &own.ask, Style::Warning),
        ("allowed", &own.allow, Style::Success),
        ("also in", &own.additional_directories, Style::Path),
    ];
    let mut any = false;
    for (name, rules, style) in groups {
        for rule in rules {
            any = true;
            let line = Line::new(format!("  {name:<8} "), style)
                .with(rule.rule.as_str(), Style::Plain)
                .with(format!("  {}", names(&rule.layers)), Style::Dim);
            context.out.line(line)?;
        }
    }
    if !any {
        context.out.line(Line::new("  no rules", Style::Dim))?;
    }
    Ok(context.out.gap()?)
}
