//! `scrollback usage audit`: from raw lines to money.

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::usage::Book;
use scrollback_app::usage::audit::{self, AuditView};
use scrollback_app::usage::cost::Pricer;

use super::{OfArgs, dollars, prices};
use crate::config;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `usage audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Only this session with its agents: an id, the start of one, a path, a title, or `last`.
    session: Option<String>,
    /// At most so many dropped charges; 0 is all.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
}

/// Audits.
pub fn run(context: &mut Context, args: &AuditArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let session = match &args.session {
        Some(session) => Some(context.resolve(&library, session)?.id.as_str().to_owned()),
        None => None,
    };
    let index = context.index(&library)?;
    let book = Book::of(&index, session.as_deref()).map_err(AppError::from)?;
    let config = config::load(&context.env)?;
    let prices = prices(&config)?;
    let mut pricer = Pricer::new(&prices, OfArgs::default().zone(context, &config)?);
    let progress = context.progress(audit::bytes(&index, &book));
    let raw = audit::raw(&index, &book, &|bytes| progress.add(bytes));
    drop(progress);
    let mut view = audit::audit(&index, &book, &mut pricer, raw).map_err(AppError::from)?;
    let all = view.dropped.len();
    view.dropped.truncate(if args.limit == 0 { usize::MAX } else { args.limit });
    if context.global.json {
        return Ok(context.out.json(&view)?);
    }
    context.start_pager();
    print(context, &view, all)
}

fn print(context: &mut Context, view: &AuditView, all: usize) -> Result<(), Failure> {
    let right = |title: &str| Column::new(title).right();
    let mut grid = Grid::new(vec![
        Column::new("after"),
        right("dropped"),
        right("left"),
        right("input"),
        right("output"),
        right("cache write"),
        right("cache read"),
        Column::new("").shrinks(1, 16),
    ]);
    for stage in &view.stages {
        let tokens = &stage.tokens;
        grid.row(vec![
            Line::new(stage.stage, Style::Code),
            Line::plain(fold::count(stage.dropped)),
            Line::plain(fold::count(stage.left)),
            Line::plain(fold::count(tokens.input)),
            Line::plain(fold::count(tokens.output)),
            Line::plain(fold::count(tokens.cache_write)),
            Line::plain(fold::count(tokens.cache_read)),
            Line::new(stage.says, Style::Dim),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    context.out.gap()?;
    let text = format!(
        "{} are paid, {} of them made up by the client: {}.",
        fold::plural(view.paid, "message"),
        fold::count(view.synthetic),
        dollars(view.cost)
    );
    context.out.line(Line::new(text, Style::Strong))?;
    if view.dropped.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    let more = if all > view.dropped.len() {
        format!("  {} of {}", view.dropped.len(), fold::count(all as u64))
    } else {
        String::new()
    };
    context.out.line(Line::new("Dropped", Style::Heading).with(more, Style::Dim))?;
    let mut grid = Grid::new(vec![
        Column::new("rule"),
        right("output"),
        Column::new("line").shrinks(0, 20),
        Column::new("paid in").shrinks(1, 20),
    ]);
    for dropped in &view.dropped {
        grid.row(vec![
            Line::new(dropped.rule, Style::Code),
            Line::plain(fold::count(dropped.output)),
            Line::new(format!("{}:{}", context.short_path(&dropped.path), dropped.line), Style::Path),
            Line::new(context.short_path(&dropped.paid_in), Style::Dim),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}
