//! `scrollback ps`: clients that run, and what dead ones left behind.

use clap::Args;
use scrollback_app::ps::{self, ClientView, PsView};

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `ps`.
#[derive(Debug, Args)]
pub struct PsArgs {
    /// Also what clients and editors that are gone left behind.
    #[arg(long, short)]
    pub all: bool,
}

/// Lists clients.
pub fn run(context: &mut Context, args: &PsArgs) -> Result<(), Failure> {
    let library = context.library()?;
    let index = context.index(&library)?;
    let view = ps::ps(&library, &index, &context.watch())?;
    if context.global.json {
        context.out.json(&view)?;
    } else {
        show(context, &view, args.all)?;
    }
    let any = view.clients.iter().any(|client| args.all || client.state != "gone");
    if any { Ok(()) } else { Err(Failure::quiet(Kind::NothingFound)) }
}

fn show(context: &mut Context, view: &PsView, all: bool) -> Result<(), Failure> {
    let shown: Vec<&ClientView> =
        view.clients.iter().filter(|client| all || client.state != "gone").collect();
    if shown.is_empty() {
        context.out.line(Line::plain("No client is seen at work in this store."))?;
    } else {
        let mut grid = Grid::new(vec![
            Column::new("process").right(),
            Column::new("state"),
            Column::new("session"),
            Column::new("title").shrinks(2, 16),
            Column::new("directory").shrinks(1, 10).max(40),
            Column::new("client"),
            Column::new("since"),
            Column::new("wrote"),
        ]);
        for client in shown {
            grid.row(row(context, client));
        }
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
    }
    editors(context, view, all)?;
    for warning in &view.warnings {
        context.out.line(Line::new(format!("! {warning}"), Style::Warning))?;
    }
    if context.global.quiet {
        return Ok(());
    }
    let gone = view.clients.iter().filter(|client| client.state == "gone").count() as u64;
    if gone > 0 && !all {
        let text =
            format!("{} left behind by clients that are gone: --all shows them", fold::plural(gone, "file"));
        context.out.line(Line::new(text, Style::Dim))?;
    }
    for unknown in &view.unknown {
        context.out.line(Line::new(unknown.as_str(), Style::Dim))?;
    }
    Ok(())
}

fn row(context: &Context, client: &ClientView) -> Vec<Line> {
    let state = match (client.state, client.status.as_deref()) {
        ("running", Some(status)) => Line::new(status, Style::Success),
        ("running", None) => Line::new("running", Style::Success),
        ("gone", _) => Line::new("gone", Style::Dim),
        (state, _) => Line::new(state, Style::Warning),
    };
    let short = |id: &str| id.chars().take(8).collect::<String>();
    let session = match (&client.session_id, &client.perhaps_session_id) {
        (Some(id), _) => Line::new(short(id), Style::Number),
        (None, Some(id)) => Line::new(format!("{}?", short(id)), Style::Dim),
        (None, None) if client.torn => Line::new("torn file", Style::Warning),
        (None, None) => Line::new("unknown", Style::Dim),
    };
    let title = client.title.as_deref().or(client.name.as_deref()).unwrap_or_default();
    let directory = client.directory.as_ref().map(|path| context.dir_end(path, 36)).unwrap_or_default();
    let kind = [client.version.as_deref(), client.kind.as_deref()];
    let kind: Vec<&str> = kind.into_iter().flatten().collect();
    vec![
        Line::new(client.pid.to_string(), Style::Number),
        state,
        session,
        Line::plain(fold::one_line(title, 60)),
        Line::new(directory, Style::Path),
        Line::new(kind.join(" "), Style::Dim),
        Line::new(date::minute(client.started, &context.zone), Style::Time),
        Line::new(date::minute(client.written, &context.zone), Style::Time),
    ]
}

fn editors(context: &mut Context, view: &PsView, all: bool) -> Result<(), Failure> {
    for editor in view.editors.iter().filter(|editor| all || editor.state != "gone") {
        let name = editor.name.as_deref().unwrap_or("an editor");
        let folders: Vec<String> = editor.folders.iter().map(|path| context.short_path(path)).collect();
        let pid = editor.pid.map(|pid| format!(", process {pid}")).unwrap_or_default();
        let mut line = Line::new(format!("{name} on port {}{pid}", editor.port), Style::Plain);
        line.push(format!("  {}", folders.join(" ")), Style::Path);
        match (editor.torn, editor.state) {
            (true, _) => line.push("  torn file", Style::Warning),
            (_, "gone") => line.push("  gone", Style::Dim),
            _ => {}
        }
        context.out.line(line)?;
    }
    Ok(())
}
