//! `scrollback watch`: everything that happens in a store, one line an event.

use std::time::Duration;

use clap::Args;
use scrollback_app::watch::{WatchEvent, Watcher};

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::{Line, Style, fold};
use crate::scope::ScopeArgs;
use crate::stop::Stop;

/// Arguments of `watch`.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Only projects whose directory contains this; `.` is the current directory.
    #[arg(long, short, value_name = "PART")]
    pub project: Option<String>,
    /// Also thoughts, results, and what the client puts in.
    #[arg(long, short)]
    pub all: bool,
}

/// How often is looked. A look walks over all names of the store.
const PERIOD: Duration = Duration::from_millis(500);

/// Tells what happens until Ctrl-C.
pub fn run(context: &mut Context, args: &WatchArgs) -> Result<(), Failure> {
    let stop = Stop::listen();
    let scope = ScopeArgs { project: args.project.clone(), ..ScopeArgs::default() }.resolve(context)?;
    let library = context.library()?;
    let mut watcher = Watcher::new(&library, scope);
    context.say("watching; Ctrl-C ends")?;
    while stop.wait(PERIOD) {
        for event in watcher.look()?.iter().filter(|event| args.all || event.is_plain()) {
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

fn line(context: &Context, event: &WatchEvent) -> Line {
    let id: String = event.session_id.chars().take(8).collect();
    let mut line = Line::new(date::second(event.time, &context.zone), Style::Time);
    line.push(format!("  {id}"), Style::Number);
    if let Some(agent) = &event.agent_id {
        let agent: String = agent.chars().take(8).collect();
        line.push(format!("/{agent}"), Style::Agent);
    }
    line.push(format!("  {}", context.dir_end(&event.project, 24)), Style::Path);
    let style = match event.event {
        "prompt" | "command" => Style::User,
        "answer" => Style::Assistant,
        "call" => Style::Tool,
        "failure" | "error" => Style::Error,
        "interruption" | "compaction" | "moved" | "rewritten" | "gone" => Style::Warning,
        "begins" | "title" => Style::Title,
        _ => Style::Dim,
    };
    let name = event.tool.as_deref().unwrap_or(event.event);
    line.push(format!("  {name}"), style);
    let room = context.out.canvas().width.saturating_sub(line.width() + 2).max(20);
    line.push(format!("  {}", fold::one_line(&event.text, room)), Style::Plain);
    line
}
