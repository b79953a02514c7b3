//! `scrollback usage blocks`: stretches of five hours.

use clap::Args;
use scrollback_app::usage::block::{self, BlockView};

use super::till::Till;
use super::{OfArgs, dollars, table};
use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `usage blocks`.
#[derive(Debug, Args)]
pub struct BlocksArgs {
    #[command(flatten)]
    of: OfArgs,
    /// Only the block that lasts still.
    #[arg(long)]
    current: bool,
    /// At most so many, the newest; 0 is all.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
}

/// Tells blocks.
pub fn run(context: &mut Context, args: &BlocksArgs) -> Result<(), Failure> {
    let till = Till::open(context, &args.of)?;
    let library = context.library()?;
    let index = context.index(&library)?;
    let mut pricer = till.pricer();
    let mut book = till.whole_book(context, &index, &mut pricer)?;
    till.of_projects(&mut book);
    let mut blocks = block::blocks(&book, &mut pricer, context.now());
    // Where a block begins depends on those before it: they are made of everything, and left out as a whole.
    let (since, until) = (till.scope.since, till.scope.until);
    blocks.retain(|block| {
        since.is_none_or(|since| block.end > Some(since))
            && until.is_none_or(|until| block.start < Some(until))
    });
    if args.current {
        blocks.retain(|block| block.is_current);
    }
    if args.limit > 0 && blocks.len() > args.limit {
        blocks.drain(..blocks.len() - args.limit);
    }
    if context.global.json {
        return Ok(context.out.json(&blocks)?);
    }
    if blocks.is_empty() {
        return Ok(context.out.line(Line::plain("There is no block."))?);
    }
    context.start_pager();
    let mut grid = Grid::new(vec![
        Column::new("block"),
        Column::new("messages").right(),
        Column::new("tokens").right(),
        Column::new("cost").right(),
        Column::new(""),
    ]);
    for block in &blocks {
        let tokens = &block.usage.tokens;
        let all = [tokens.output, tokens.cache_read, tokens.cache_write];
        let all = all.into_iter().fold(tokens.input, u64::saturating_add);
        grid.row(vec![
            Line::plain(date::minute(block.start, &till.zone)),
            Line::plain(fold::count(block.usage.messages)),
            Line::plain(fold::short_count(all)),
            Line::new(table::cost(&block.usage), Style::Number),
            Line::new(going(block), Style::Warning),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

/// What the current block is on its way to.
fn going(block: &BlockView) -> String {
    let (Some(rate), Some(cost)) = (block.cost_per_hour, block.projected_cost) else {
        return if block.is_current { "now".to_owned() } else { String::new() };
    };
    let tokens = fold::short_count(block.tokens_per_minute.unwrap_or(0));
    format!("now: {}/h, {tokens} tokens/min; {} by its end", dollars(rate), dollars(cost))
}
