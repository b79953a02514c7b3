//! `scrollback usage blocks`: periods of five hours.

use clap::Args;
use scrollback_app::request::usage::blocks::BlocksRequest;
use scrollback_app::usage::block::UsageBlock;

use super::{OfArgs, dollars, table};
use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `usage blocks`.
#[derive(Debug, Args)]
pub struct BlocksArgs {
    #[command(flatten)]
    of: OfArgs,
    /// Only the current block.
    #[arg(long)]
    current: bool,
    /// Maximum number of blocks, the newest (0 = no limit).
    #[arg(long, short = 'n', value_name = "N", default_value_t = BlocksRequest::LIMIT)]
    limit: usize,
}

/// Shows blocks.
pub fn run(context: &mut Context, args: &BlocksArgs) -> Result<(), Failure> {
    let desk = context.desk()?;
    let request = BlocksRequest { of: args.of.scope(), current: args.current, limit: args.limit };
    let zone = desk.usage(&request.of)?.zone;
    let blocks = desk.answer(&request)?;
    if context.global.json {
        context.out.document(&blocks)?;
    } else if blocks.is_empty() {
        context.out.line(StyledLine::plain("No blocks."))?;
    }
    if blocks.is_empty() {
        return Err(Failure::quiet(ExitKind::NothingFound));
    }
    if context.global.json {
        return Ok(());
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
            StyledLine::plain(date::minute(block.start, &zone)),
            StyledLine::plain(fold::count(block.usage.messages)),
            StyledLine::plain(fold::short_count(all)),
            StyledLine::new(table::cost(&block.usage), Style::Number),
            StyledLine::new(going(block), Style::Warning),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

/// The projection for the current block.
fn going(block: &UsageBlock) -> String {
    let (Some(rate), Some(cost)) = (block.cost_per_hour, block.projected_cost) else {
        return if block.is_current { "now".to_owned() } else { String::new() };
    };
    let tokens = fold::short_count(block.tokens_per_minute.unwrap_or(0));
    format!("now: {}/h, {tokens} tokens/min; projected {}", dollars(rate), dollars(cost))
}
