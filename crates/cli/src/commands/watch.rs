//! `scrollback watch`: everything that happens in a store, one line per event.

use clap::Args;
use scrollback_app::request::watch::WatchRequest;
use scrollback_app::watch::{WatchEvent, WatchKind};
use scrollback_format::id;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine, fold};
use crate::stop;

/// Arguments of `watch`.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Only projects whose path contains this text; `.` is the current directory.
    #[arg(long, short, value_name = "PART")]
    pub project: Option<String>,
    /// Also show thinking, tool results, and what the client adds.
    #[arg(long, short)]
    pub all: bool,
}

/// Shows what happens until Ctrl-C.
pub fn run(context: &mut Context, args: &WatchArgs) -> Result<(), Failure> {
    stop::listen(&context.stop);
    let request = WatchRequest { project: args.project.clone(), all: args.all };
    let mut watch = request.open(&context.desk()?)?;
    context.say("watching; press Ctrl-C to stop")?;
    while let Some(events) = watch.poll()? {
        for event in &events {
            if context.global.json {
                context.out.json_line(event)?;
            } else {
                let line = line(context, event);
                context.out.line(line)?;
            }
        }
        context.out.flush()?;
    }
    Ok(())
}

fn line(context: &Context, event: &WatchEvent) -> StyledLine {
    let id = id::short(&event.session_id);
    let mut line = StyledLine::new(date::second(event.time, &context.zone), Style::Time);
    line.push(format!("  {id}"), Style::Number);
    if let Some(agent) = &event.agent_id {
        let agent = id::short(agent);
        line.push(format!("/{agent}"), Style::Agent);
    }
    line.push(format!("  {}", context.dir_end(&event.project, 24)), Style::Path);
    let style = match event.event {
        WatchKind::Prompt | WatchKind::Command => Style::User,
        WatchKind::Answer => Style::Assistant,
        WatchKind::Call => Style::Tool,
        WatchKind::Failure | WatchKind::Error => Style::Error,
        WatchKind::Interruption
        | WatchKind::Compaction
        | WatchKind::Moved
        | WatchKind::Rewritten
        | WatchKind::Gone => Style::Warning,
        WatchKind::Begins | WatchKind::Title => Style::Title,
        _ => Style::Dim,
    };
    let name = event.tool.as_deref().unwrap_or(event.event.name());
    line.push(format!("  {name}"), style);
    let room = context.out.canvas().width.saturating_sub(line.width() + 2).max(20);
    line.push(format!("  {}", fold::one_line(&event.text, room)), Style::Plain);
    line
}
