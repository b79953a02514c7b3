//! `scrollback search`: ranked full text over everything, compacted text and agents included.

use clap::{Args, ValueEnum};
use scrollback_app::model::{Speaker, TextClass, UnitKind};
use scrollback_app::request::ScopeRequest;
use scrollback_app::request::index::IndexRefresh;
use scrollback_app::request::search::SearchRequest;
use scrollback_app::search::{FoundHit, FoundSession, HitOrder, SearchResults};
use scrollback_format::id;

use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::{Style, StyledLine, fold, width, wrap};
use crate::shell;

/// Arguments of `search`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct SearchArgs {
    /// Search query: words, "phrases", -not, prefix*, a OR b, field:value.
    #[arg(required = true, value_name = "WORDS")]
    pub words: Vec<String>,
    /// Sort order.
    #[arg(long, value_name = "ORDER", default_value = "best")]
    pub sort: Sort,
    /// Maximum number of sessions (0 = no limit).
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Maximum number of hits per session (0 = no limit).
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub hits: usize,
    /// Only projects whose path contains this text; `.` is the current directory.
    #[arg(long, short, value_name = "PART")]
    pub project: Option<String>,
    /// Only messages at or after this date.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only messages before this date.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Do not refresh the text index; scan what it lacks.
    #[arg(long)]
    pub no_index: bool,
}

const AFTER: &str = "\
Fields: role:user|assistant|tool  tool:Bash  file:src/x.rs  project:  branch:  model:  agent:  session:
        in:prompts|answers|thinking|input|output|titles  since:DATE  until:DATE  is:error|compacted|dead-branch

A hit is a message: all lines of one answer, a prompt, a tool call with its result. See docs/search.md for details.
Quote the whole query for the shell: scrollback search 'flaky -postgres tool:Bash \"no such file\"'";

/// Orders of hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// Best first.
    Best,
    /// Newest first.
    Time,
}

/// Searches.
pub fn run(context: &mut Context, args: &SearchArgs) -> Result<(), Failure> {
    let found = context.desk()?.answer(&args.request())?;
    let later = found.pending_bytes > 0 && !args.no_index;
    if context.global.json {
        context.out.document(&found)?;
    } else {
        show(context, &found, later)?;
    }
    if later {
        build(context, found.pending_bytes)?;
    }
    if found.matched == 0 { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

impl SearchArgs {
    fn request(&self) -> SearchRequest {
        SearchRequest {
            query: self.words.join(" "),
            sort: if self.sort == Sort::Best { HitOrder::Best } else { HitOrder::Newest },
            limit: self.limit,
            hits: self.hits,
            scope: ScopeRequest {
                project: self.project.clone(),
                since: self.since.clone(),
                until: self.until.clone(),
            },
            no_index: self.no_index,
        }
    }
}

fn show(context: &mut Context, found: &SearchResults, later: bool) -> Result<(), Failure> {
    if !later {
        context.start_pager();
    }
    for session in &found.sessions {
        self::session(context, session)?;
    }
    if found.matched == 0 {
        context.out.line(StyledLine::plain("No matches."))?;
    }
    if context.global.quiet {
        return Ok(());
    }
    // A hit stands for its copies, which are counted too.
    let hits = found.sessions.iter().flat_map(|session| &session.hits);
    let shown: u64 = hits.map(|hit| 1 + hit.also_in.len() as u64).sum();
    if shown < found.matched {
        let (hits, sessions) =
            (fold::plural(found.matched, "hit"), fold::plural(found.matched_sessions, "session"));
        let text =
            format!("{} of {hits} in {sessions} shown (--limit 0 --hits 0 for all)", fold::count(shown));
        context.out.line(StyledLine::new(text, Style::Dim))?;
    }
    for skipped in &found.skipped {
        let path = context.short_path(&skipped.path);
        context.out.line(
            StyledLine::new("! ", Style::Warning)
                .with(format!("not searched: {path}: {}", skipped.why), Style::Plain),
        )?;
    }
    Ok(())
}

fn session(context: &mut Context, session: &FoundSession) -> Result<(), Failure> {
    let id = &session.name;
    context.out.line(head(context, session))?;
    for hit in &session.hits {
        self::hit(context, hit, id)?;
    }
    Ok(context.out.gap()?)
}

/// Columns of a title: as many as it is given at most, and as few as still say something.
const TITLE: (usize, usize) = (70, 24);

/// The line above the hits of a session. On a terminal it is one line: the title gives way, then the project.
fn head(context: &Context, session: &FoundSession) -> StyledLine {
    let mut project = session.project.as_ref().map(|project| context.dir_end(project, 36));
    let date = date::minute(session.last_time, &context.zone);
    let hits = fold::plural(session.matched, "hit");
    let mut room = TITLE.0;
    if let Some(width) = context.out.fit() {
        let fixed: usize = [&session.name, &date, &hits].map(|part| width::columns(part) + 2).iter().sum();
        let beside = project.as_ref().map_or(0, |project| width::columns(project) + 2);
        if fixed + beside + TITLE.1 > width {
            project = None;
        }
        let beside = project.as_ref().map_or(0, |project| width::columns(project) + 2);
        room = width.saturating_sub(fixed + beside).clamp(8, TITLE.0);
    }
    let title = session.title.as_deref().unwrap_or("untitled");
    let mut line = StyledLine::new(session.name.clone(), Style::Number)
        .with("  ", Style::Plain)
        .with(fold::one_line(title, room), Style::Title);
    if let Some(project) = project {
        line.push(format!("  {project}"), Style::Path);
    }
    line.with(format!("  {date}"), Style::Time).with(format!("  {hits}"), Style::Dim)
}

fn hit(context: &mut Context, hit: &FoundHit, id: &str) -> Result<(), Failure> {
    let who = match hit.kind {
        UnitKind::Title => "title".to_owned(),
        UnitKind::Prompt => "You".to_owned(),
        UnitKind::Summary => "summary".to_owned(),
        UnitKind::Output => "output".to_owned(),
        UnitKind::Call => hit.tool.clone().unwrap_or_else(|| "tool".into()),
        _ => hit.model.clone().unwrap_or_else(|| "model".into()),
    };
    let style = match hit.role {
        Speaker::User => Style::User,
        Speaker::Assistant => Style::Assistant,
        _ => Style::Tool,
    };
    let mut head = StyledLine::plain("  ").with(fold::one_line(&who, 40), style);
    if hit.class == Some(TextClass::Thinking) {
        head.push(" thinking", Style::Dim);
    }
    if hit.is_error {
        head.push(" error", Style::Error);
    }
    let mut facts = vec![date::minute(hit.time, &context.zone)];
    facts.extend(hit.turn.filter(|turn| *turn > 0).map(|turn| format!("turn {turn}")));
    facts.extend((hit.branch > 0).then(|| format!("branch {}", hit.branch)));
    facts.extend(hit.agent_id.as_ref().map(|agent| format!("agent {agent}")));
    facts.extend((!hit.also_in.is_empty()).then(|| {
        let ids: Vec<String> =
            hit.also_in.iter().map(|place| id::short(&place.session_id).to_owned()).collect();
        format!("also in {}", ids.join(", "))
    }));
    head.push(format!("  {}", facts.join(" · ")), Style::Time);
    context.out.line(head)?;
    let indent = StyledLine::plain("    ");
    let canvas = context.page().inset(4);
    for line in wrap::words(&marked(&hit.snippet, &hit.matches), canvas, &wrap::Indent::none()) {
        context.out.line(line.prefixed(&indent))?;
    }
    let open = match &hit.agent_id {
        Some(agent) => format!("{} --at {}", shell::word(&format!("{id}/{agent}")), hit.line),
        None if hit.line == 0 => shell::word(id),
        None => format!("{} --at {}", shell::word(id), hit.line),
    };
    let program = context.program();
    Ok(context.out.line(StyledLine::new(format!("    {program} show {open}"), Style::Dim))?)
}

fn marked(text: &str, matches: &[(usize, usize)]) -> StyledLine {
    let mut line = StyledLine::empty();
    let mut at = 0;
    for (from, to) in matches {
        line.push(text.get(at..*from).unwrap_or_default(), Style::Plain);
        line.push(text.get(*from..*to).unwrap_or_default(), Style::Match);
        at = *to;
    }
    line.push(text.get(at..).unwrap_or_default(), Style::Plain);
    line
}

/// Builds the text index after the answer if someone is there to see it, else says how to.
fn build(context: &mut Context, bytes: u64) -> Result<(), Failure> {
    if context.global.quiet {
        return Ok(());
    }
    let size = fold::bytes(bytes);
    if !context.out.is_terminal() {
        let program = context.program();
        return context.say(&format!(
            "scanned {size} that are not indexed yet; `{program} index refresh` makes searches instant"
        ));
    }
    context.out.flush()?;
    context.say(&format!("indexing {size} for the next search (Ctrl-C keeps what is done)"))?;
    context.desk()?.answer(&IndexRefresh {})?;
    Ok(())
}
