//! `scrollback index`: the cache behind `ls` and `search`: how it stands, refreshing it, asking it, throwing it away.

use clap::{Args, Subcommand};
use scrollback_app::catalogue::{self, Cleared, Place};
use scrollback_app::tables::{self, Cell};
use serde_json::{Map, Value};

use crate::context::Context;
use crate::csv;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

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
    /// Tell how it stands (the default).
    Status,
    /// Bring catalogue and text index up to date.
    Refresh,
    /// Ask the catalogue in SQL; nothing that writes is taken.
    Sql(SqlArgs),
    /// Tell the tables of the catalogue and their columns.
    Tables,
    /// Throw it away. The next command builds what it needs anew.
    Clear,
}

/// Arguments of `index sql`.
#[derive(Debug, Args)]
pub struct SqlArgs {
    /// One SELECT statement.
    #[arg(value_name = "SELECT")]
    pub sql: String,
    /// Print CSV.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// At most so many rows; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub limit: usize,
}

/// Runs the command.
pub fn run(context: &mut Context, args: &IndexArgs) -> Result<(), Failure> {
    match &args.command {
        None | Some(IndexCommand::Status) => status(context),
        Some(IndexCommand::Refresh) => refresh(context),
        Some(IndexCommand::Sql(args)) => sql(context, args),
        Some(IndexCommand::Tables) => tables(context),
        Some(IndexCommand::Clear) => clear(context),
    }
}

fn status(context: &mut Context) -> Result<(), Failure> {
    let library = context.library()?;
    let index = context.index(&library)?;
    let status = index.status()?;
    if context.global.json {
        return Ok(context.out.json(&status)?);
    }
    let path = status
        .path
        .as_ref()
        .map_or_else(|| "nowhere: it goes away with this command".into(), |path| context.short_path(path));
    let share = |part: u64| match status.bytes {
        0 => "of no files yet".to_owned(),
        all => format!("{:.1} % of the files", part as f64 * 100.0 / all as f64),
    };
    let text = match (status.has_text, status.text_behind) {
        (false, _) => {
            format!("none yet: {} index refresh, or the first search, builds it", context.program())
        }
        (true, 0) => format!("{} ({}), up to date", fold::bytes(status.text_bytes), share(status.text_bytes)),
        (true, behind) => format!(
            "{} ({}), {} behind",
            fold::bytes(status.text_bytes),
            share(status.text_bytes),
            fold::plural(behind, "file")
        ),
    };
    let rows = [
        ("place", path),
        ("files", format!("{} with {}", fold::plural(status.files, "transcript"), fold::bytes(status.bytes))),
        ("catalogue", format!("{} ({})", fold::bytes(status.catalogue_bytes), share(status.catalogue_bytes))),
        ("text index", text),
        ("last change", date::minute(status.refreshed, &context.zone)),
    ];
    let mut grid = Grid::new(vec![Column::new(""), Column::new("")]).headless();
    for (name, value) in rows {
        grid.row(vec![Line::new(name, Style::Dim), Line::plain(value)]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn refresh(context: &mut Context) -> Result<(), Failure> {
    let library = context.library()?;
    let mut index = context.index(&library)?;
    if !index.is_kept() {
        // Why not was told when it was opened, unless no place was named at all.
        let failure = Failure::new(Kind::Io, "there is no index to refresh");
        return Err(match context.cache() {
            Place::Nowhere => {
                failure.hint("SCROLLBACK_CACHE_DIR, XDG_CACHE_HOME or HOME names a place for one")
            }
            Place::Cache(_) => failure,
        });
    }
    let bytes = scrollback_app::search::readiness(&index)?.behind_bytes;
    context.refresh_text(&mut index, bytes)?;
    if context.global.quiet && !context.global.json {
        return Ok(());
    }
    drop(index);
    status(context)
}

fn sql(context: &mut Context, args: &SqlArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let index = context.index(&library)?;
    let most = if args.limit == 0 { usize::MAX } else { args.limit };
    let answer = tables::ask(&index, &args.sql, most).map_err(|message| {
        Failure::new(Kind::Usage, message)
            .hint(format!("{} index tables tells tables and columns", context.program()))
    })?;
    if context.global.json {
        let rows: Vec<Value> = answer.rows.iter().map(|row| object(&answer.columns, row)).collect();
        return Ok(context
            .out
            .json(&serde_json::json!({ "columns": answer.columns, "rows": rows, "more": answer.more }))?);
    }
    if args.csv {
        let mut text = csv::line(answer.columns.iter().map(String::as_str));
        for row in &answer.rows {
            let cells: Vec<String> = row.iter().map(ToString::to_string).collect();
            text.push_str(&csv::line(cells.iter().map(String::as_str)));
        }
        return Ok(context.out.bytes(text.as_bytes())?);
    }
    context.start_pager();
    let is_number = |at: usize| {
        answer
            .rows
            .iter()
            .all(|row| matches!(row.get(at), Some(Cell::Number(_) | Cell::Real(_) | Cell::Null)))
    };
    let columns = answer.columns.iter().enumerate().map(|(at, name)| {
        let column = Column::new(name).shrinks(1, 8);
        if is_number(at) && !answer.rows.is_empty() { column.right() } else { column }
    });
    let mut grid = Grid::new(columns.collect());
    for row in &answer.rows {
        grid.row(row.iter().map(|cell| Line::plain(fold::one_line(&cell.to_string(), 200))).collect());
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    if answer.more && !context.global.quiet {
        context
            .out
            .line(Line::new(format!("the first {} rows: --limit 0 shows all", args.limit), Style::Dim))?;
    }
    Ok(())
}

fn object(columns: &[String], row: &[Cell]) -> Value {
    let value = |cell: &Cell| match cell {
        Cell::Null => Value::Null,
        Cell::Number(number) => Value::from(*number),
        Cell::Real(number) => Value::from(*number),
        other => Value::from(other.to_string()),
    };
    let mut object = Map::new();
    for (column, cell) in columns.iter().zip(row) {
        // Two columns may have one name; an object has each once.
        let mut name = column.clone();
        let mut number = 2;
        while object.contains_key(&name) {
            name = format!("{column}_{number}");
            number += 1;
        }
        object.insert(name, value(cell));
    }
    Value::Object(object)
}

fn tables(context: &mut Context) -> Result<(), Failure> {
    let all = tables::all();
    if context.global.json {
        return Ok(context.out.json(&all)?);
    }
    context.start_pager();
    for table in all {
        context
            .out
            .line(Line::new(table.table, Style::Heading).with(format!("  {}", table.about), Style::Dim))?;
        let mut grid = Grid::new(vec![Column::new(""), Column::new("").shrinks(1, 20)]).headless();
        for column in table.columns {
            grid.row(vec![Line::plain(format!("  {}", column.column)), Line::new(column.about, Style::Dim)]);
        }
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
        context.out.gap()?;
    }
    Ok(())
}

fn clear(context: &mut Context) -> Result<(), Failure> {
    let Place::Cache(path) = context.cache() else {
        return Err(Failure::new(Kind::NothingFound, "there is no index"));
    };
    match catalogue::clear(&path) {
        Ok(Cleared::Gone(path)) => {
            context.say(&format!("the index in {} is gone", context.short_path(&path)))
        }
        Ok(Cleared::None) => context.say("there was no index"),
        Ok(Cleared::Busy) => Err(Failure::new(Kind::Refused, "another scrollback is at work in the index")),
        Err(error) => Err(Failure::new(Kind::Io, error.to_string())),
    }
}
