//! `scrollback where`: a directory's folder name, and a folder's directories.

use std::path::Path;

use clap::Args;
use scrollback_app::whereis::{self, DirectoryView, FolderView};

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style, fold};

/// Arguments of `where`.
#[derive(Debug, Args)]
pub struct WhereArgs {
    /// A directory, or the name of a folder below projects/ (default: the current directory).
    #[arg(allow_hyphen_values = true)]
    pub what: Option<String>,
}

/// Tells it.
pub fn run(context: &mut Context, args: &WhereArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let cwd = context.env.cwd.as_deref();
    let what = match (&args.what, cwd) {
        (Some(what), _) => what.clone(),
        (None, Some(cwd)) => cwd.display().to_string(),
        (None, None) => return Err(Failure::new(Kind::Usage, "there is no current directory; name one")),
    };
    let is_name = !what.contains(['/', '\\']) && !Path::new(&what).is_dir();
    if is_name {
        let folders = whereis::folder(&library, &what);
        if folders.is_empty() {
            return Err(Failure::new(
                Kind::NothingFound,
                format!("no folder below projects/ is named {what}"),
            )
            .hint("a directory is written as a path: scrollback where ./name"));
        }
        if context.global.json {
            return Ok(context.out.json(&folders)?);
        }
        return folders.iter().try_for_each(|folder| tell_folder(context, folder));
    }
    // The client takes the real path; a directory that is gone is taken as it is written.
    let real = std::fs::canonicalize(&what).ok().or_else(|| std::path::absolute(&what).ok());
    let real = real.map_or(what, |path| path.to_string_lossy().into_owned());
    let view = whereis::directory(&library, &real);
    if context.global.json {
        return Ok(context.out.json(&view)?);
    }
    tell_directory(context, &view)
}

fn tell_directory(context: &mut Context, view: &DirectoryView) -> Result<(), Failure> {
    context.out.line(Line::new(view.directory.as_str(), Style::Path))?;
    for folder in &view.folders {
        let line = Line::plain("  ")
            .with(folder.folder.as_str(), Style::Strong)
            .with(format!("  {}", folder.clients), Style::Dim);
        context.out.line(line)?;
        for path in &folder.exists_in {
            let path = context.short_path(path);
            context.out.line(Line::plain("    ").with(path, Style::Path))?;
        }
        if folder.exists_in.is_empty() {
            context.out.line(Line::new("    not in this store", Style::Dim))?;
        }
    }
    Ok(())
}

fn tell_folder(context: &mut Context, view: &FolderView) -> Result<(), Failure> {
    let path = context.short_path(&view.path);
    context.out.line(Line::new(path, Style::Path))?;
    for directory in &view.directories {
        let mut line = Line::plain("  ").with(directory.directory.as_str(), Style::Strong);
        line.push(format!("  {}", fold::plural(directory.sessions, "session")), Style::Dim);
        if !directory.exists {
            line.push("  gone", Style::Warning);
        }
        if !directory.matches {
            line.push("  moved here from its own folder", Style::Warning);
        }
        context.out.line(line)?;
    }
    if view.directories.is_empty() {
        context.out.line(Line::new("  no line in it names a directory", Style::Dim))?;
    }
    if view.directories.iter().filter(|directory| directory.matches).count() > 1 {
        context.out.line(Line::new(
            "  several directories share this folder: their names differ only in signs",
            Style::Warning,
        ))?;
    }
    Ok(())
}
