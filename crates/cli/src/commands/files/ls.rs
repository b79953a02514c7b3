//! `scrollback files ls`: the files of one session.

use clap::Args;
use scrollback_app::files::listing::{SessionFile, SessionFileList};
use scrollback_app::request::files::FilesLsRequest;
use scrollback_format::id;

use super::told;
use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `files ls`.
#[derive(Debug, Args)]
pub struct FilesLsArgs {
    /// Session ID or prefix, title, path, or `last`.
    #[arg(default_value = "last")]
    pub session: String,
    /// Only files that tools wrote.
    #[arg(long, short)]
    pub written: bool,
}

/// Lists the files of a session.
pub fn run(context: &mut Context, args: &FilesLsArgs) -> Result<(), Failure> {
    let request = FilesLsRequest { session: args.session.clone(), written: args.written };
    let list = context.desk()?.answer(&request)?;
    if context.global.json {
        context.out.document(&list)?;
    }
    if list.files.is_empty() {
        let what = if args.written { "wrote" } else { "touched" };
        return Err(Failure::new(
            ExitKind::NothingFound,
            format!("session {} {what} no files", list.session_id),
        ));
    }
    if context.global.json {
        return Ok(());
    }
    context.start_pager();
    head(context, &list)?;
    for file in &list.files {
        one(context, file)?;
    }
    for problem in &list.problems {
        context.out.line(StyledLine::new(problem, Style::Warning))?;
    }
    Ok(())
}

fn head(context: &mut Context, list: &SessionFileList) -> Result<(), Failure> {
    let mut line = StyledLine::new(&list.session_id, Style::Number);
    line.push(format!("  {}", fold::plural(list.files.len() as u64, "file")), Style::Plain);
    if let Some(project) = &list.project {
        line.push(format!("  {}", context.short_dir(project)), Style::Path);
    }
    context.out.line(line)?;
    Ok(context.out.gap()?)
}

fn one(context: &mut Context, file: &SessionFile) -> Result<(), Failure> {
    let path = file.below.clone().unwrap_or_else(|| context.short_dir(&file.path));
    let mut line = StyledLine::new(path, Style::Path);
    let mut counts = Vec::new();
    if file.reads > 0 {
        counts.push(fold::plural(file.reads, "read"));
    }
    if file.writes > 0 {
        counts.push(fold::plural(file.writes, "write"));
    }
    if file.tracked {
        counts.push("checkpoints".to_owned());
    }
    line.push(format!("  {}", counts.join(", ")), Style::Dim);
    context.out.line(line)?;
    let columns = vec![
        Column::new(""),
        Column::new(""),
        Column::new(""),
        Column::new(""),
        Column::new("").right(),
        Column::new("").shrinks(1, 12),
    ];
    let mut grid = Grid::new(columns).headless();
    let mut problems = Vec::new();
    for version in &file.versions {
        let Some(first) = version.evidence.first() else { continue };
        let agent = first.agent_id.as_ref().map(|agent| format!(" agent {}", id::short(agent)));
        grid.row(vec![
            StyledLine::plain(" "),
            StyledLine::new(date::minute(version.time, &context.zone), Style::Time),
            StyledLine::new(format!("turn {}", told::turn(first)), Style::Number)
                .with(agent.unwrap_or_default(), Style::Agent),
            told::certainty(version),
            told::size(version),
            told::evidence(version),
        ]);
        problems.extend(&version.problems);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    for problem in problems {
        context.out.line(StyledLine::new(format!("  {problem}"), Style::Warning))?;
    }
    Ok(context.out.gap()?)
}
