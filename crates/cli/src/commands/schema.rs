//! `scrollback schema`: kinds and fields by client version.

use clap::Args;
use scrollback_app::census::{Census, FieldView, KindView};
use scrollback_app::request::schema::SchemaRequest;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Only this kind, with its fields (user, system/api_error, …).
    pub kind: Option<String>,
    /// Only what is not in FORMAT.md.
    #[arg(long)]
    pub unknown: bool,
}

/// Shows kinds, or the fields of one.
pub fn run(context: &mut Context, args: &SchemaArgs) -> Result<(), Failure> {
    let request = SchemaRequest { kind: args.kind.clone(), unknown: args.unknown };
    let census = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&census)?);
    }
    context.start_pager();
    match &args.kind {
        Some(_) => census.kinds.iter().try_for_each(|kind| fields(context, kind)),
        None => kinds(context, &census, args.unknown),
    }
}

fn kinds(context: &mut Context, census: &Census, only_unknown: bool) -> Result<(), Failure> {
    if census.kinds.is_empty() {
        let line =
            if only_unknown { "Every kind and field in this store is in FORMAT.md." } else { "No entries." };
        return Ok(context.out.line(StyledLine::plain(line))?);
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
            StyledLine::plain(kind.kind.as_str()),
            StyledLine::plain(fold::count(kind.tally.count)),
            StyledLine::plain(fold::count(kind.fields.len() as u64)),
            StyledLine::new(
                range(kind.tally.first_version.as_deref(), kind.tally.last_version.as_deref()),
                Style::Dim,
            ),
            StyledLine::new(date::day(kind.tally.first_time, &context.zone), Style::Time),
            StyledLine::new(date::day(kind.tally.last_time, &context.zone), Style::Time),
            StyledLine::new(remark, Style::Warning),
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
    let line = StyledLine::new(
        format!("{} · client versions: {}", fold::plural(census.files, "file"), versions.join(", ")),
        Style::Dim,
    );
    Ok(context.out.line(line)?)
}

fn fields(context: &mut Context, kind: &KindView) -> Result<(), Failure> {
    let head = StyledLine::new(kind.kind.as_str(), Style::Heading);
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

fn field_row(field: &FieldView) -> Vec<StyledLine> {
    let types: Vec<&str> = field.types.iter().map(|kind| kind.name()).collect();
    vec![
        StyledLine::plain(field.field.as_str()),
        StyledLine::new(types.join(" or "), Style::Dim),
        StyledLine::plain(fold::count(field.tally.count)),
        StyledLine::new(
            range(field.tally.first_version.as_deref(), field.tally.last_version.as_deref()),
            Style::Dim,
        ),
        StyledLine::new(if field.known { "" } else { "not in FORMAT.md" }, Style::Warning),
    ]
}

fn range(first: Option<&str>, last: Option<&str>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first == last => first.to_owned(),
        (Some(first), Some(last)) => format!("{first} .. {last}"),
        _ => "-".to_owned(),
    }
}
