//! `scrollback orphans`: what belongs to no session any more.

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::library::Library;
use scrollback_app::stock::orphans::{self, Orphan, Ties};
use scrollback_format::area::Area;

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `orphans`.
#[derive(Debug, Args)]
pub struct OrphansArgs {
    /// Only this area.
    #[arg(long)]
    pub area: Option<String>,
}

/// Finds orphans.
pub fn run(context: &mut Context, args: &OrphansArgs) -> Result<(), Failure> {
    let area = args.area.as_deref().map(area).transpose()?;
    let (stock, _) = context.stock()?;
    // Which plans are still somebody's only the lines of sessions tell.
    let index = context.index(&Library::open(stock.roots.clone())?)?;
    let ties = Ties::of(&stock.roots, &index).map_err(AppError::from)?;
    let mut found = orphans::orphans(&stock, &ties, &context.watch());
    if let Some(area) = area {
        found.orphans.retain(|orphan| orphan.area == area.name());
        found.files = found.orphans.iter().map(|orphan| orphan.files).sum();
        found.bytes = found.orphans.iter().map(|orphan| orphan.bytes).sum();
    }
    if context.global.json {
        return Ok(context.out.json(&found)?);
    }
    if found.orphans.is_empty() {
        let text = match area {
            Some(area) => format!("Everything in {} belongs to a session.", area.name()),
            None => "Everything belongs to a session.".to_owned(),
        };
        context.out.line(Line::plain(text))?;
        return unread(context, found.unread);
    }
    context.start_pager();
    let mut grid = Grid::new(vec![
        Column::new("area"),
        Column::new("path").shrinks(1, 24).keeps_end(),
        Column::new("why").shrinks(0, 12),
        Column::new("files").right(),
        Column::new("size").right(),
        Column::new("last written"),
    ]);
    for orphan in &found.orphans {
        grid.row(vec![
            Line::plain(orphan.area),
            Line::new(context.short_path(&orphan.path), Style::Path),
            Line::new(why(orphan), Style::Dim),
            Line::plain(fold::count(orphan.files)),
            Line::plain(fold::bytes(orphan.bytes)),
            Line::new(date::day(orphan.last_time, &context.zone), Style::Time),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    context.out.gap()?;
    let text = format!(
        "{} with {} in {}. Nothing was changed.",
        fold::plural(found.orphans.len() as u64, "orphan"),
        fold::bytes(found.bytes),
        fold::plural(found.files, "file"),
    );
    context.out.line(Line::new(text, Style::Dim))?;
    unread(context, found.unread)
}

/// The area of this name.
fn area(name: &str) -> Result<Area, Failure> {
    Area::named(name).ok_or_else(|| {
        let names: Vec<&str> = Area::ALL.iter().map(|area| area.name()).collect();
        Failure::new(Kind::Usage, format!("no area is called '{name}'"))
            .hint(format!("areas: {}", names.join(", ")))
    })
}

/// Folders of sessions that nobody could look into: what is in them may have what is listed.
fn unread(context: &mut Context, folders: u64) -> Result<(), Failure> {
    if folders == 0 {
        return Ok(());
    }
    context.out.gap()?;
    let noun = if folders == 1 { "folder" } else { "folders" };
    let text = format!(
        "{} {noun} of sessions could not be read: what seems to have no session may have one there.",
        fold::count(folders)
    );
    Ok(context.out.line(Line::new(text, Style::Warning))?)
}

fn why(orphan: &Orphan) -> &'static str {
    match orphan.why {
        "slug_unknown" => "no session has this slug",
        "paste_unused" => "no prompt names it",
        "process_gone" => "its process is over",
        "project_empty" => "no session is in it",
        "session_unseen" => "its session is not where we can read",
        _ => "its session is gone",
    }
}
