//! `scrollback usage audit`: from raw lines to money.

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::usage::audit::{self, Asked, AuditView, DroppedView, Raw};
use scrollback_app::usage::{Book, Rule};

use super::till::Till;
use super::{OfArgs, dollars, table};
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// How many dropped lines people are shown.
const LINES: usize = 20;

/// Arguments of `usage audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Only this session with its agents: an id, the start of one, a path, a title, or `last`.
    session: Option<String>,
    /// Only lines that this rule dropped.
    #[arg(long, value_parser = Rule::ALL.map(Rule::name))]
    rule: Option<String>,
    /// At most so many dropped lines; 0 is all. Without it 20, and all with --json.
    #[arg(long, short = 'n')]
    limit: Option<usize>,
}

/// Audits.
pub fn run(context: &mut Context, args: &AuditArgs) -> Result<(), Failure> {
    let till = Till::open(context, &OfArgs::default())?;
    let library = context.library()?;
    let session = context.resolve_id(&library, args.session.as_deref())?;
    let index = context.index(&library)?;
    let book = Book::of(&index, None).map_err(AppError::from)?;
    let mut pricer = till.pricer();
    let raw = Raw::of(&index, &book, session.as_deref()).map_err(AppError::from)?;
    let progress = context.progress(raw.bytes());
    let raw = raw.read(&|bytes| progress.add(bytes));
    drop(progress);
    for path in raw.unread() {
        context.say(&format!("{} could not be read", context.short_path(path)))?;
    }
    let asked = Asked {
        session: session.as_deref(),
        rule: args.rule.as_deref().and_then(|name| Rule::ALL.into_iter().find(|rule| rule.name() == name)),
        limit: match args.limit {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None if context.global.json => usize::MAX,
            None => LINES,
        },
    };
    let view = audit::audit(&index, &book, &mut pricer, &raw, &asked);
    if context.global.json {
        return Ok(context.out.json(&view)?);
    }
    context.start_pager();
    print(context, &view)
}

fn print(context: &mut Context, view: &AuditView) -> Result<(), Failure> {
    let right = |title: &str| Column::new(title).right();
    let mut grid = Grid::new(vec![
        Column::new("after"),
        right("dropped"),
        right("left"),
        right("input").goes(3),
        right("output"),
        right("cache write").goes(4),
        right("cache read").goes(4),
        right("cost"),
        Column::new("").shrinks(1, 16).goes(2),
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
        "{} left, {} of them made up by the client: {}.",
        fold::plural(view.paid, "message"),
        fold::count(view.synthetic),
        dollars(view.cost)
    );
    context.out.line(Line::new(text, Style::Strong))?;
    for (model, messages) in &view.unknown_models {
        context.out.line(Line::new(table::unpriced(model, *messages), Style::Dim))?;
    }
    drops(context, view)
}

fn drops(context: &mut Context, view: &AuditView) -> Result<(), Failure> {
    if view.dropped.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    let more = if view.dropped_lines > view.dropped.len() as u64 {
        format!("  {} of {}; --limit 0 shows all", view.dropped.len(), fold::count(view.dropped_lines))
    } else {
        String::new()
    };
    context.out.line(Line::new("Dropped", Style::Heading).with(more, Style::Dim))?;
    let mut grid = Grid::new(vec![
        Column::new("rule"),
        Column::new("output").right(),
        Column::new("line").shrinks(1, 20).keeps_end(),
        Column::new("paid in").shrinks(0, 20).keeps_end(),
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
