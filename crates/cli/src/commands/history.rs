//! `scrollback history`: prompts of all projects, with their sessions.

use clap::Args;
use scrollback_app::history::{HistoryView, PasteSource, PastedView, TypedView};
use scrollback_app::request::history::HistoryRequest;
use scrollback_format::id;

use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::{Style, StyledLine, fold, wrap};
use crate::scope::{self, ScopeArgs};

/// Arguments of `history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// Only prompts that contain all of these words; typos are tolerated.
    pub words: Vec<String>,
    /// Match the words as one exact phrase.
    #[arg(long, short)]
    pub exact: bool,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Only prompts of this session.
    #[arg(long, short, value_name = "SESSION")]
    pub session: Option<String>,
    /// Maximum number of prompts (0 = no limit).
    #[arg(long, short = 'n', value_name = "N", default_value_t = HistoryRequest::LIMIT)]
    pub limit: usize,
    /// Show full prompts and pasted text.
    #[arg(long, short)]
    pub all: bool,
}

/// How much of a prompt, and of a paste, is shown.
const PROMPT_LINES: usize = 6;
const PASTE_LINES: usize = 3;

/// Lists prompts.
pub fn run(context: &mut Context, args: &HistoryArgs) -> Result<(), Failure> {
    let request = HistoryRequest {
        words: args.words.clone(),
        exact: args.exact,
        scope: args.scope.request(),
        session: args.session.clone(),
        limit: args.limit,
    };
    let view = context.desk()?.answer(&request)?;
    if context.global.json {
        context.out.document(&view)?;
    } else {
        context.start_pager();
        show(context, &view, args)?;
    }
    if view.prompts.is_empty() { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

fn show(context: &mut Context, view: &HistoryView, args: &HistoryArgs) -> Result<(), Failure> {
    for prompt in &view.prompts {
        entry(context, prompt, args.all)?;
        context.out.gap()?;
    }
    if view.prompts.is_empty() {
        context.out.line(StyledLine::plain("No matching prompts."))?;
    }
    let shown = view.prompts.len() as u64;
    if !context.global.quiet && view.fuzzy {
        context.out.line(StyledLine::new("no exact match; showing similar prompts", Style::Dim))?;
    }
    if !context.global.quiet && shown < view.matched {
        let text = format!(
            "{} of {} (--limit 0 shows all)",
            fold::count(shown),
            fold::plural(view.matched, "prompt")
        );
        context.out.line(StyledLine::new(text, Style::Dim))?;
    }
    scope::troubles(context, &view.troubles)
}

fn entry(context: &mut Context, prompt: &TypedView, all: bool) -> Result<(), Failure> {
    let mut head = StyledLine::new(date::minute(prompt.time, &context.zone), Style::Time);
    if let Some(project) = &prompt.project {
        head.push(format!("  {}", context.dir_end(project, 40)), Style::Path);
    }
    match (&prompt.session_id, prompt.session_exists) {
        (Some(_), true) => head.push(format!("  {}", opens(context, prompt)), Style::Dim),
        (Some(id), false) => head.push(format!("  session {} is gone", short(id)), Style::Dim),
        (None, _) => head.push("  session unknown", Style::Dim),
    }
    context.out.line(head)?;
    let canvas = context.page().inset(2);
    let lines = wrap::text(prompt.text.trim_end(), Style::Plain, canvas);
    let lines = if all { lines } else { fold::clip_lines(lines, PROMPT_LINES) };
    let bar = StyledLine::new("▌ ", Style::User);
    let lines: Vec<StyledLine> = lines.into_iter().map(|line| line.prefixed(&bar)).collect();
    context.out.lines(&lines)?;
    prompt.pasted.iter().try_for_each(|paste| pasted(context, paste, all))
}

/// The command that opens the place where a prompt was typed.
fn opens(context: &Context, prompt: &TypedView) -> String {
    let id = prompt.session_id.as_deref().map(short).unwrap_or_default();
    let mut command = format!("{} show {id}", context.program());
    match (prompt.turn, prompt.branch, prompt.session_line) {
        (Some(turn), Some(0), _) => command.push_str(&format!(" --turn {turn}")),
        (_, _, Some(line)) => command.push_str(&format!(" --at {line}")),
        _ => {}
    }
    command
}

fn short(id: &str) -> String {
    id::short(id).to_owned()
}

fn pasted(context: &mut Context, paste: &PastedView, all: bool) -> Result<(), Failure> {
    let mut head = StyledLine::new(format!("  #{} ", paste.id), Style::Dim);
    let Some(text) = &paste.text else {
        let what = if paste.kind == "text" {
            "pasted text no longer available".to_owned()
        } else {
            paste.kind.clone()
        };
        head.push(what, Style::Dim);
        return Ok(context.out.line(head)?);
    };
    let lines = fold::plural(text.lines().count() as u64, "line");
    head.push(
        format!("{lines} pasted (from the {})", paste.from.map(PasteSource::name).unwrap_or_default()),
        Style::Dim,
    );
    context.out.line(head)?;
    let canvas = context.page().inset(4);
    let lines = wrap::text(text.trim_end(), Style::Dim, canvas);
    let lines = if all { lines } else { fold::clip_lines(lines, PASTE_LINES) };
    let space = StyledLine::plain("    ");
    let lines: Vec<StyledLine> = lines.into_iter().map(|line| line.prefixed(&space)).collect();
    Ok(context.out.lines(&lines)?)
}
