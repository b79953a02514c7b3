//! `scrollback index`: the cache behind `ls` and `search`: its status, refreshing it, SQL over it, clearing it.

use clap::{Args, Subcommand};
use scrollback_app::catalogue::IndexStatus;
use scrollback_app::request::index::{
    IndexClear, IndexRefresh, IndexStatusRequest, SqlRequest, TablesRequest,
};
use scrollback_app::tables::SqlAnswer;
use serde_json::Value;

use crate::context::Context;
use crate::csv;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `index`.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// What to do with it.
    #[command(subcommand)]
    pub command: Option<IndexCommand>,
}

/// What can be done with the index.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Show the status of the index (default).
    Status,
    /// Bring the index up to date.
    Refresh,
    /// Query the index in SQL, read-only.
    Sql(SqlArgs),
    /// List the tables of the index and their columns.
    Tables,
    /// Delete the index; it is rebuilt when needed.
    Clear,
}

/// Arguments of `index sql`.
#[derive(Debug, Args)]
pub struct SqlArgs {
    /// A single SELECT statement.
    #[arg(value_name = "SELECT")]
    pub sql: String,
    /// Print CSV.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Maximum number of rows (0 = no limit).
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    pub limit: usize,
}

/// Runs the command.
pub fn run(context: &mut Context, args: &IndexArgs) -> Result<(), Failure> {
    match &args.command {
        None | Some(IndexCommand::Status) => {
            let status = context.desk()?.answer(&IndexStatusRequest {})?;
            show(context, &status)
        }
        Some(IndexCommand::Refresh) => {
            let status = context.desk()?.answer(&IndexRefresh {})?;
            if context.global.quiet && !context.global.json { Ok(()) } else { show(context, &status) }
        }
        Some(IndexCommand::Sql(args)) => sql(context, args),
        Some(IndexCommand::Tables) => tables(context),
        Some(IndexCommand::Clear) => clear(context),
    }
}

fn show(context: &mut Context, status: &IndexStatus) -> Result<(), Failure> {
    if context.global.json {
        return Ok(context.out.document(status)?);
    }
    let path = status.path.as_ref().map_or_else(|| "none (not kept)".into(), |path| context.short_path(path));
    let share = |part: u64| match status.bytes {
        0 => "no files yet".to_owned(),
        all => format!("{:.1} % of the files", part as f64 * 100.0 / all as f64),
    };
    let size = format!("{} ({})", fold::bytes(status.text_bytes), share(status.text_bytes));
    let text = match (status.has_text, status.text_behind) {
        (false, _) => format!("none yet (`{} index refresh` builds it)", context.program()),
        (true, 0) => format!("{size}, up to date"),
        (true, behind) => format!("{size}, {} behind", fold::plural(behind, "file")),
    };
    let rows = [
        ("location", path),
        ("files", format!("{}, {}", fold::plural(status.files, "transcript"), fold::bytes(status.bytes))),
        ("catalogue", format!("{} ({})", fold::bytes(status.catalogue_bytes), share(status.catalogue_bytes))),
        ("text index", text),
        ("last updated", date::minute(status.refreshed, &context.zone)),
    ];
    let mut grid = Grid::new(vec![Column::new(""), Column::new("")]).headless();
    for (name, value) in rows {
        grid.row(vec![StyledLine::new(name, Style::Dim), StyledLine::plain(value)]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn sql(context: &mut Context, args: &SqlArgs) -> Result<(), Failure> {
    let request = SqlRequest { sql: args.sql.clone(), limit: args.limit };
    let answer = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&answer)?);
    }
    if args.csv {
        let mut text = csv::line(answer.columns.iter().map(String::as_str));
        for row in &answer.rows {
            let cells: Vec<String> = row.values().map(cell).collect();
            text.push_str(&csv::line(cells.iter().map(String::as_str)));
        }
        return Ok(context.out.untrusted(text.as_bytes())?);
    }
    context.start_pager();
    let lines = grid(&answer).lines(context.out.fit());
    context.out.lines(&lines)?;
    if answer.more && !context.global.quiet {
        let text = format!("first {} rows (--limit 0 for all)", args.limit);
        context.out.line(StyledLine::new(text, Style::Dim))?;
    }
    Ok(())
}

fn grid(answer: &SqlAnswer) -> Grid {
    let is_number = |at: usize| {
        let mut values = answer.rows.iter().map(|row| row.values().nth(at));
        values.all(|value| value.is_some_and(|value| value.is_number() || value.is_null()))
    };
    let columns = answer.columns.iter().enumerate().map(|(at, name)| {
        let column = Column::new(name).shrinks(1, 8);
        if is_number(at) && !answer.rows.is_empty() { column.right() } else { column }
    });
    let mut grid = Grid::new(columns.collect());
    for row in &answer.rows {
        grid.row(row.values().map(|value| StyledLine::plain(fold::one_line(&cell(value), 200))).collect());
    }
    grid
}

/// A value as SQLite would print it.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

fn tables(context: &mut Context) -> Result<(), Failure> {
    let all = context.journal_desk()?.answer(&TablesRequest {})?;
    if context.global.json {
        return Ok(context.out.document(&all)?);
    }
    context.start_pager();
    for table in all {
        let about = format!("  {}", table.about);
        context.out.line(StyledLine::new(table.table, Style::Heading).with(about, Style::Dim))?;
        let mut grid = Grid::new(vec![Column::new(""), Column::new("").shrinks(1, 20)]).headless();
        for column in table.columns {
            grid.row(vec![
                StyledLine::plain(format!("  {}", column.column)),
                StyledLine::new(column.about, Style::Dim),
            ]);
        }
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
        context.out.gap()?;
    }
    Ok(())
}

fn clear(context: &mut Context) -> Result<(), Failure> {
    let cleared = context.desk()?.answer(&IndexClear {})?;
    if context.global.json {
        return Ok(context.out.document(&cleared)?);
    }
    match &cleared.path {
        Some(path) => context.say(&format!("deleted the index in {}", context.short_path(path))),
        None => context.say("there is no index"),
    }
}
