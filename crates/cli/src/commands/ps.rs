//! `scrollback ps`: running clients, and what ended ones left behind.

use clap::Args;
use scrollback_app::ps::{ClientState, ClientView, PsView};
use scrollback_app::request::ps::PsRequest;
use scrollback_format::id;

use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `ps`.
#[derive(Debug, Args)]
pub struct PsArgs {
    /// Include stale files of clients and editors that have ended.
    #[arg(long, short)]
    pub all: bool,
}

/// Lists clients.
pub fn run(context: &mut Context, args: &PsArgs) -> Result<(), Failure> {
    let view = context.desk()?.answer(&PsRequest {})?;
    if context.global.json {
        context.out.document(&view)?;
    } else {
        show(context, &view, args.all)?;
    }
    let any = view.clients.iter().any(|client| args.all || client.state != ClientState::Gone);
    if any { Ok(()) } else { Err(Failure::quiet(ExitKind::NothingFound)) }
}

fn show(context: &mut Context, view: &PsView, all: bool) -> Result<(), Failure> {
    let shown: Vec<&ClientView> =
        view.clients.iter().filter(|client| all || client.state != ClientState::Gone).collect();
    if shown.is_empty() {
        context.out.line(StyledLine::plain("No running clients."))?;
    } else {
        let mut grid = Grid::new(vec![
            Column::new("process").right(),
            Column::new("state"),
            Column::new("session"),
            Column::new("title").shrinks(2, 16),
            Column::new("directory").shrinks(1, 10).max(40),
            Column::new("client"),
            Column::new("started"),
            Column::new("modified"),
        ]);
        for client in shown {
            grid.row(row(context, client));
        }
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
    }
    editors(context, view, all)?;
    for warning in &view.warnings {
        context.out.line(StyledLine::new(format!("! {warning}"), Style::Warning))?;
    }
    if context.global.quiet {
        return Ok(());
    }
    let gone = view.clients.iter().filter(|client| client.state == ClientState::Gone).count() as u64;
    if gone > 0 && !all {
        let text = format!("{} left behind by ended clients (--all)", fold::plural(gone, "file"));
        context.out.line(StyledLine::new(text, Style::Dim))?;
    }
    for unknown in &view.unknown {
        context.out.line(StyledLine::new(unknown.as_str(), Style::Dim))?;
    }
    Ok(())
}

fn row(context: &Context, client: &ClientView) -> Vec<StyledLine> {
    let state = match (client.state, client.status.as_deref()) {
        (ClientState::Running, Some(status)) => StyledLine::new(status, Style::Success),
        (ClientState::Running, None) => StyledLine::new("running", Style::Success),
        (ClientState::Gone, _) => StyledLine::new("gone", Style::Dim),
        (state, _) => StyledLine::new(state.name(), Style::Warning),
    };
    let short = |id: &str| id::short(id).to_owned();
    let session = match (&client.session_id, &client.perhaps_session_id) {
        (Some(id), _) => StyledLine::new(short(id), Style::Number),
        (None, Some(id)) => StyledLine::new(format!("{}?", short(id)), Style::Dim),
        (None, None) if client.torn => StyledLine::new("incomplete file", Style::Warning),
        (None, None) => StyledLine::new("unknown", Style::Dim),
    };
    let title = client.title.as_deref().or(client.name.as_deref()).unwrap_or_default();
    let directory = client.directory.as_ref().map(|path| context.dir_end(path, 36)).unwrap_or_default();
    let kind = [client.version.as_deref(), client.kind.as_deref()];
    let kind: Vec<&str> = kind.into_iter().flatten().collect();
    vec![
        StyledLine::new(client.pid.to_string(), Style::Number),
        state,
        session,
        StyledLine::plain(fold::one_line(title, 60)),
        StyledLine::new(directory, Style::Path),
        StyledLine::new(kind.join(" "), Style::Dim),
        StyledLine::new(date::minute(client.started, &context.zone), Style::Time),
        StyledLine::new(date::minute(client.written, &context.zone), Style::Time),
    ]
}

fn editors(context: &mut Context, view: &PsView, all: bool) -> Result<(), Failure> {
    for editor in view.editors.iter().filter(|editor| all || editor.state != ClientState::Gone) {
        let name = editor.name.as_deref().unwrap_or("editor");
        let folders: Vec<String> = editor.folders.iter().map(|path| context.short_path(path)).collect();
        let pid = editor.pid.map(|pid| format!(", process {pid}")).unwrap_or_default();
        let mut line = StyledLine::new(format!("{name} on port {}{pid}", editor.port), Style::Plain);
        line.push(format!("  {}", folders.join(" ")), Style::Path);
        match (editor.torn, editor.state) {
            (true, _) => line.push("  incomplete file", Style::Warning),
            (_, ClientState::Gone) => line.push("  gone", Style::Dim),
            _ => {}
        }
        context.out.line(line)?;
    }
    Ok(())
}
