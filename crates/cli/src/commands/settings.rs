//! `scrollback settings`: the client's settings, and which file each comes from.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::request::settings::SettingsRequest;
use scrollback_app::settings::{LayerView, RuleView, SettingView, SettingsLayer, SettingsView};

use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};
use crate::scope;

/// Arguments of `settings`.
#[derive(Debug, Args)]
pub struct SettingsArgs {
    /// Only settings whose name contains this text.
    pub name: Option<String>,
    /// Project whose settings apply [default: the current directory].
    #[arg(long, short, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Only managed and user settings.
    #[arg(long, short, conflicts_with = "project")]
    pub user: bool,
}

/// Shows the settings.
pub fn run(context: &mut Context, args: &SettingsArgs) -> Result<(), Failure> {
    let request = SettingsRequest { name: args.name.clone(), project: args.project.clone(), user: args.user };
    let views = context.desk()?.answer(&request)?;
    let found = args.name.is_none() || views.iter().any(|view| !view.values.is_empty());
    if context.global.json {
        context.out.document(&views)?;
    } else {
        context.start_pager();
        views.iter().try_for_each(|view| show(context, view, args.name.is_some()))?;
    }
    if found { Ok(()) } else { Err(Failure::quiet(ExitKind::NothingFound)) }
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
        context.out.line(StyledLine::new(
            if narrowed { "No matching settings." } else { "No other settings." },
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
        StyledLine::new(value.key.as_str(), Style::Strong),
        StyledLine::plain(fold::one_line(value.value.get(), 200)),
        StyledLine::new(names(&value.layers), Style::Dim),
    ]);
    for other in &value.overridden {
        let text = format!("not {}", fold::one_line(other.value.get(), 200));
        grid.row(vec![
            StyledLine::empty(),
            StyledLine::new(text, Style::Dim),
            StyledLine::new(other.layer.name(), Style::Dim),
        ]);
    }
}

fn names(layers: &[SettingsLayer]) -> String {
    let names: Vec<&str> = layers.iter().map(|layer| layer.name()).collect();
    names.join(", ")
}

fn layers(context: &mut Context, layers: &[LayerView]) -> Result<(), Failure> {
    context.out.line(StyledLine::new("Files, strongest first", Style::Heading))?;
    for layer in layers {
        // A file that no client reads is worth a line only if it exists.
        if layer.layer == SettingsLayer::UserLocal && !layer.exists {
            continue;
        }
        let path = context.short_path(&layer.path);
        let mut line =
            StyledLine::new(format!("  {:<10} ", layer.layer.name().replace('_', " ")), Style::Plain);
        line.push(path, Style::Path);
        let state = match (layer.exists, layer.is_used) {
            (false, _) => "  missing".to_owned(),
            (true, true) => format!("  {}", fold::plural(layer.settings, "setting")),
            (true, false) if layer.layer == SettingsLayer::UserLocal => {
                "  not read by any known client".to_owned()
            }
            (true, false) => "  broken".to_owned(),
        };
        line.push(state, if layer.exists && !layer.is_used { Style::Warning } else { Style::Dim });
        context.out.line(line)?;
    }
    Ok(context.out.gap()?)
}

fn cleanup(context: &mut Context, view: &SettingsView) -> Result<(), Failure> {
    let by = match view.cleanup_by {
        Some(layer) => format!("cleanupPeriodDays, {}", layer.name()),
        None => "default".to_owned(),
    };
    let days = fold::plural(view.cleanup_period_days, "day");
    let mut line = StyledLine::plain("The client deletes files older than ").with(days, Style::Strong);
    line.push(format!(" ({by})"), Style::Dim);
    context.out.line(line)?;
    if view.cleanup_paused {
        context.out.line(StyledLine::new(
            "A file is broken: the client (as reported) deletes nothing until it is fixed.",
            Style::Warning,
        ))?;
    }
    Ok(context.out.gap()?)
}

fn permissions(context: &mut Context, view: &SettingsView) -> Result<(), Failure> {
    let own = &view.permissions;
    let mut heading = StyledLine::new("Permissions", Style::Heading);
    if let Some(mode) = &own.default_mode {
        heading.push(format!("  default mode {mode}"), Style::Dim);
    }
    context.out.line(heading)?;
    let groups: [(&str, &[RuleView], Style); 4] = [
        ("deny", &own.deny, Style::Error),
        ("ask", &own.ask, Style::Warning),
        ("allow", &own.allow, Style::Success),
        ("also in", &own.additional_directories, Style::Path),
    ];
    let mut any = false;
    for (name, rules, style) in groups {
        for rule in rules {
            any = true;
            let line = StyledLine::new(format!("  {name:<8} "), style)
                .with(rule.rule.as_str(), Style::Plain)
                .with(format!("  {}", names(&rule.layers)), Style::Dim);
            context.out.line(line)?;
        }
    }
    if !any {
        context.out.line(StyledLine::new("  no rules", Style::Dim))?;
    }
    Ok(context.out.gap()?)
}
