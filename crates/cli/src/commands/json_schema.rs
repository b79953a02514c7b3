//! `scrollback json-schema`: the documents that `--json` prints, and the JSON Schema of each.

use clap::Args;
use scrollback_app::documents;
use scrollback_app::json_schema::DocumentsRequest;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine};

/// Arguments of `json-schema`.
#[derive(Debug, Args)]
#[command(after_help = "For the kinds of entries in the store and their fields, see `scrollback schema`.")]
pub struct JsonSchemaArgs {
    /// Name of a document; without one, all documents are listed.
    pub document: Option<String>,
}

/// Lists documents, or prints the schema of one.
pub fn run(context: &mut Context, args: &JsonSchemaArgs) -> Result<(), Failure> {
    if let Some(name) = &args.document {
        let schema = documents::find(name)?.schema();
        return Ok(context.out.json(&schema)?);
    }
    let documents = context.journal_desk()?.answer(&DocumentsRequest {})?;
    if context.global.json {
        return Ok(context.out.document(&documents)?);
    }
    context.start_pager();
    let columns =
        vec![Column::new("document"), Column::new("version").right(), Column::new("").shrinks(1, 20)];
    let mut grid = Grid::new(columns);
    for document in &documents {
        grid.row(vec![
            StyledLine::plain(&document.name),
            StyledLine::new(document.version.to_string(), Style::Number),
            StyledLine::new(&document.about, Style::Dim),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}
