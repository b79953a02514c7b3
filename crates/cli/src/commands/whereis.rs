//! `scrollback where`: a directory's folder name, and a folder's directories.

use clap::Args;
use scrollback_app::request::whereis::WhereRequest;
use scrollback_app::whereis::{FolderName, FolderView};

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `where`.
#[derive(Debug, Args)]
pub struct WhereArgs {
    /// Directory, or name of a folder in projects/ [default: the current directory].
    #[arg(allow_hyphen_values = true)]
    pub what: Option<String>,
}

/// Shows it.
pub fn run(context: &mut Context, args: &WhereArgs) -> Result<(), Failure> {
    let found = context.desk()?.answer(&WhereRequest { what: args.what.clone() })?;
    if context.global.json {
        return Ok(context.out.document(&found)?);
    }
    if let Some(directory) = &found.directory {
        context.out.line(StyledLine::new(directory.as_str(), Style::Path))?;
    }
    found.folders.iter().try_for_each(|folder| show_name(context, folder))?;
    found.named.iter().try_for_each(|folder| show_folder(context, folder))
}

fn show_name(context: &mut Context, folder: &FolderName) -> Result<(), Failure> {
    let line = StyledLine::plain("  ")
        .with(folder.folder.as_str(), Style::Strong)
        .with(format!("  {}", folder.clients), Style::Dim);
    context.out.line(line)?;
    for path in &folder.exists_in {
        let path = context.short_path(path);
        context.out.line(StyledLine::plain("    ").with(path, Style::Path))?;
    }
    if folder.exists_in.is_empty() {
        context.out.line(StyledLine::new("    not in this store", Style::Dim))?;
    }
    Ok(())
}

fn show_folder(context: &mut Context, view: &FolderView) -> Result<(), Failure> {
    let path = context.short_path(&view.path);
    context.out.line(StyledLine::new(path, Style::Path))?;
    for directory in &view.directories {
        let mut line = StyledLine::plain("  ").with(directory.directory.as_str(), Style::Strong);
        line.push(format!("  {}", fold::plural(directory.sessions, "session")), Style::Dim);
        if !directory.exists {
            line.push("  missing", Style::Warning);
        }
        if !directory.matches {
            line.push("  moved here from its own folder", Style::Warning);
        }
        context.out.line(line)?;
    }
    if view.directories.is_empty() {
        context.out.line(StyledLine::new("  no directory recorded", Style::Dim))?;
    }
    if view.directories.iter().filter(|directory| directory.matches).count() > 1 {
        context.out.line(StyledLine::new(
            "  several directories share this folder: their names differ only in punctuation",
            Style::Warning,
        ))?;
    }
    Ok(())
}
