//! `scrollback schema`: kinds and fields by client version.

use clap::Args;
use scrollback_app::census::{self, Census, FieldView, KindView};
use scrollback_app::verify;

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Only this kind, with its fields (`user`, `system/api_error`, …).
    pub kind: Option<String>,
    /// Only what FORMAT.md does not know yet.
    #[arg(long)]
    pub unknown: bool,
}

/// Takes the census.
pub fn run(context: &mut Context, args: &SchemaArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let targets = verify::targets(&library);
    let progress = context.progress(targets.iter().map(|target| target.size).sum());
    let mut census = census::census(&targets, &|bytes| progress.add(bytes));
    drop(progress);
    narrow(&mut census, args)?;
    if context.global.json {
        return Ok(context.out.json(&census)?);
    }
    context.start_pager();
    match &args.kind {
        Some(_) => census.kinds.iter().try_for_each(|kind| fields(context, kind)),
        None => kinds(context, &census, args.unknown),
    }
}

fn narrow(census: &mut Census, args: &SchemaArgs) -> Result<(), Failure> {
    if let Some(wanted) = &args.kind {
        let names: Vec<String> = census.kinds.iter().map(|kind| kind.kind.clone()).collect();
        let group = format!("{wanted}/");
        census.kinds.retain(|kind| kind.kind == *wanted || kind.kind.starts_with(&group));
        if census.kinds.is_empty() {
            let near =
                names.into_iter().max_by(|a, b| strsim::jaro(a, wanted).total_cmp(&strsim::jaro(b, wanted)));
            let failure = Failure::new(Kind::NothingFound, format!("no entry is of kind '{wanted}'"));
            return Err(match near {
                Some(near) => failure.hint(format!("did you mean {near}?")),
                None => failure,
            });
        }
    }
    if args.unknown {
        for kind in &mut census.kinds {
            kind.fields.retain(|field| !field.known);
        }
        census.kinds.retain(|kind| !kind.known || !kind.fields.is_empty());
    }
    Ok(())
}

fn kinds(context: &mut Context, census: &Census, only_unknown: bool) -> Result<(), Failure> {
    if census.kinds.is_empty() {
        let line = if only_unknown {
            "FORMAT.md knows every kind and field in this store."
        } else {
            "There are no entries in this store."
        };
        return Ok(context.out.line(Line::plain(line))?);
    }
    let mut grid = Grid::new(vec![
        Column::new("kind"),
        Column::new("entries").right(),
        Column::new("fields").right(),
        Column::new("versions"),
        Column::new("first"),
        Column::new("last"),
        Column::new(""),
    ]);
    for kind in &census.kinds {
        let news = kind.fields.iter().filter(|field| !field.known).count() as u64;
        let remark = match (kind.known, news) {
            (false, _) => "not in FORMAT.md".to_owned(),
            (true, 0) => String::new(),
            (true, news) => format!("{} not in FORMAT.md", fold::plural(news, "field")),
        };
        grid.row(vec![
            Line::plain(kind.kind.as_str()),
            Line::plain(fold::count(kind.tally.count)),
            Line::plain(fold::count(kind.fields.len() as u64)),
            Line::new(
                range(kind.tally.first_version.as_deref(), kind.tally.last_version.as_deref()),
                Style::Dim,
            ),
            Line::new(date::day(kind.tally.first_time, &context.zone), Style::Time),
            Line::new(date::day(kind.tally.last_time, &context.zone), Style::Time),
            Line::new(remark, Style::Warning),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    let versions: Vec<_> = census
        .versions
        .iter()
        .map(|(version, count)| format!("{version} ({})", fold::count(*count)))
        .collect();
    context.out.gap()?;
    let line = Line::new(
        format!("{} · client versions: {}", fold::plural(census.files, "file"), versions.join(", ")),
        Style::Dim,
    );
    Ok(context.out.line(line)?)
}

fn fields(context: &mut Context, kind: &KindView) -> Result<(), Failure> {
    let head = Line::new(kind.kind.as_str(), Style::Heading);
    let head = head.with(format!("  {}", fold::plural(kind.tally.count, "entry")), Style::Dim);
    context.out.line(head)?;
    let mut grid = Grid::new(vec![
        Column::new("field"),
        Column::new("type"),
        Column::new("in").right(),
        Column::new("versions"),
        Column::new(""),
    ]);
    for field in &kind.fields {
        grid.row(field_row(field));
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    Ok(context.out.gap()?)
}

fn field_row(field: &FieldView) -> Vec<Line> {
    vec![
        Line::plain(field.field.as_str()),
        Line::new(field.types.join(" or "), Style::Dim),
        Line::plain(fold::count(field.tally.count)),
        Line::new(
            range(field.tally.first_version.as_deref(), field.tally.last_version.as_deref()),
            Style::Dim,
        ),
        Line::new(if field.known { "" } else { "not in FORMAT.md" }, Style::Warning),
    ]
}

fn range(first: Option<&str>, last: Option<&str>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first == last => first.to_owned(),
        (Some(first), Some(last)) => format!("{first} .. {last}"),
        _ => "-".to_owned(),
    }
}
