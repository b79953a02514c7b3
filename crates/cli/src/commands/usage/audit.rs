//! `scrollback usage audit`: from raw lines to money.

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::usage::audit::{self, AuditView, DroppedView, Raw};
use scrollback_app::usage::cost::Pricer;
use scrollback_app::usage::{Book, Rule};

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
    /// Only lines that this rule dropped.
    #[arg(long, value_parser = Rule::ALL.map(Rule::name))]
    rule: Option<String>,
    /// At most so many dropped lines; 0 is all.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
}

/// Audits.
pub fn run(context: &mut Context, args: &AuditArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let session = context.resolve_id(&library, args.session.as_deref())?;
    let index = context.index(&library)?;
    let book = Book::of(&index, session.as_deref()).map_err(AppError::from)?;
    let config = config::load(&context.env)?;
    let prices = prices(&config)?;
    let mut pricer = Pricer::new(&prices, OfArgs::default().zone(context, &config)?);
    let raw = Raw::of(&index, &book, session.as_deref()).map_err(AppError::from)?;
    let progress = context.progress(raw.bytes());
    let raw = raw.read(&|bytes| progress.add(bytes));
    drop(progress);
    let mut view = audit::audit(&index, &book, &mut pricer, &raw);
    if let Some(rule) = &args.rule {
        view.dropped.retain(|dropped| dropped.rule == rule);
    }
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
        right("cost"),
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
            Line::new(dollars(stage.cost), Style::Number),
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
    for (model, messages) in &view.unknown_models {
        let text = format!("{model} has no price: {} are in no sum.", fold::plural(*messages, "message"));
        context.out.line(Line::new(text, Style::Dim))?;
    }
    drops(context, view, all)
}

fn drops(context: &mut Context, view: &AuditView, all: usize) -> Result<(), Failure> {
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
        Column::new("output").right(),
        Column::new("line").shrinks(0, 20),
        Column::new("paid in").shrinks(1, 20),
    ]);
    for dropped in &view.dropped {
        grid.row(vec![
            Line::new(dropped.rule, Style::Code),
            Line::plain(fold::count(dropped.output)),
            Line::new(format!("{}:{}", context.short_path(&dropped.path), dropped.line), Style::Path),
            Line::new(paid_in(context, dropped), Style::Dim),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

/// Where what is paid instead stands: the line alone, if it is in the same file.
fn paid_in(context: &Context, dropped: &DroppedView) -> String {
    if dropped.paid_in == dropped.path {
        return format!("line {}", dropped.paid_line);
    }
    format!("{}:{}", context.short_path(&dropped.paid_in), dropped.paid_line)
}
