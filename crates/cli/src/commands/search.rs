//! `scrollback search`: ranked full text over everything, what is before a compaction and in agents included.

use clap::{Args, ValueEnum};
use scrollback_app::catalogue::Index;
use scrollback_app::search::{self, Found, FoundHit, FoundSession, HitOrder, QueryError, Search};

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style, fold, harmless, width, wrap};
use crate::shell;

/// Arguments of `search`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct SearchArgs {
    /// What to look for: words, "phrases", -not, prefix*, a OR b, field:value.
    #[arg(required = true, value_name = "WORDS")]
    pub words: Vec<String>,
    /// In which order.
    #[arg(long, value_name = "ORDER", default_value = "best")]
    pub sort: Sort,
    /// At most so many sessions; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// At most so many hits of each session; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub hits: usize,
    /// Only projects whose directory contains this; `.` is the current directory.
    #[arg(long, value_name = "PART")]
    pub project: Option<String>,
    /// Only what was said at or after this date.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only what was said before this date.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Do not bring the text index up to date: scan what it lacks.
    #[arg(long)]
    pub no_index: bool,
}

const AFTER: &str = "\
Fields: role:user|assistant|tool  tool:Bash  file:src/x.rs  project:  branch:  model:  agent:  session:
        in:prompts|answers|thinking|input|output|titles  since:DATE  until:DATE  is:error|compacted|dead-branch

A hit is a message: all lines of one answer, a prompt, a tool call with its result. docs/search.md tells the details.
Quote the whole query for the shell: scrollback search 'flaky -postgres tool:Bash \"no such file\"'";

/// Orders of hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// Best first.
    Best,
    /// Newest first.
    Time,
}

/// What is refreshed before answering: more is scanned now and refreshed afterwards.
const AT_ONCE: u64 = 24 << 20;

/// Searches.
pub fn run(context: &mut Context, args: &SearchArgs) -> Result<(), Failure> {
    let text = query_text(context, args);
    let wanted = wanted(context, args, &text)?;
    let library = context.library()?;
    let mut index = context.index(&library)?;
    let readiness = search::readiness(&index)?;
    let mut later = false;
    if readiness.can_refresh && readiness.behind_bytes > 0 && !args.no_index {
        if readiness.behind_bytes <= AT_ONCE {
            context.refresh_text(&mut index, readiness.behind_bytes)?;
        } else {
            later = true;
        }
    }
    let progress = context.progress(readiness.behind_bytes);
    let found = search::search(&index, &wanted, &|bytes| progress.add(bytes))?;
    drop(progress);
    let mut found = found;
    for trouble in library.troubles.iter().filter(|trouble| trouble.unread) {
        found.complete = false;
        found.skipped.push(search::Skipped { path: trouble.path.clone(), why: trouble.what.clone() });
    }
    if context.global.json {
        context.out.json(&found)?;
    } else {
        show(context, &found, later)?;
    }
    if later {
        build(context, &mut index, readiness.behind_bytes)?;
    }
    if found.matched == 0 { Err(Failure::quiet(Kind::NothingFound)) } else { Ok(()) }
}

/// The query with what flags add to it.
fn query_text(context: &Context, args: &SearchArgs) -> String {
    let mut text = args.words.join(" ");
    let here = context.env.cwd.as_ref().map(|cwd| cwd.display().to_string());
    let mut add = |field: &str, value: &Option<String>| {
        if let Some(value) = value {
            let value = if field == "project" && value == "." {
                here.clone().unwrap_or_default()
            } else {
                value.clone()
            };
            text = format!("({text}) {field}:\"{}\"", value.replace('"', ""));
        }
    };
    add("project", &args.project);
    add("since", &args.since);
    add("until", &args.until);
    text
}

fn wanted(context: &Context, args: &SearchArgs, text: &str) -> Result<Search, Failure> {
    let date = |text: &str| date::decode(text, context.now(), &context.zone);
    let query = search::parse(text, &date).map_err(|error| bad_query(text, &error))?;
    let most = |count: usize| (count > 0).then_some(count);
    Ok(Search {
        query,
        order: if args.sort == Sort::Best { HitOrder::Best } else { HitOrder::Newest },
        sessions: most(args.limit),
        hits: most(args.hits),
        now: context.now(),
    })
}

/// What is wrong with a query, shown below it.
fn bad_query(query: &str, error: &QueryError) -> Failure {
    // Line breaks would put the caret elsewhere; other control characters become visible signs of the same width.
    let plain = |text: &str| harmless::visible(text);
    let before = width::columns(&plain(query.get(..error.place.start).unwrap_or_default()));
    let inside = width::columns(&plain(query.get(error.place.clone()).unwrap_or_default())).max(1);
    let shown = plain(query);
    let message = format!("{error}\n\n  {shown}\n  {}{}", " ".repeat(before), "^".repeat(inside));
    let failure = Failure::new(Kind::Usage, message);
    match &error.suggestion {
        Some(meant) => failure.hint(format!("did you mean {meant}?")),
        None => failure,
    }
}

fn show(context: &mut Context, found: &Found, later: bool) -> Result<(), Failure> {
    if !later {
        context.start_pager();
    }
    for session in &found.sessions {
        self::session(context, session)?;
    }
    if found.matched == 0 {
        context.out.line(Line::plain("Nothing fits."))?;
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
        let text = format!("{} of {hits} in {sessions}: --limit 0 --hits 0 shows all", fold::count(shown));
        context.out.line(Line::new(text, Style::Dim))?;
    }
    for skipped in &found.skipped {
        let path = context.short_path(&skipped.path);
        context.out.line(
            Line::new("! ", Style::Warning)
                .with(format!("not searched: {path}: {}", skipped.why), Style::Plain),
        )?;
    }
    Ok(())
}

fn session(context: &mut Context, session: &FoundSession) -> Result<(), Failure> {
    let id = &session.name;
    let title = session.title.as_deref().unwrap_or("untitled");
    let mut line = Line::new(id.clone(), Style::Number)
        .with("  ", Style::Plain)
        .with(fold::one_line(title, 70), Style::Title);
    if let Some(project) = &session.project {
        line.push(format!("  {}", context.dir_end(project, 36)), Style::Path);
    }
    line.push(format!("  {}", date::minute(session.last_time, &context.zone)), Style::Time);
    line.push(format!("  {}", fold::plural(session.matched, "hit")), Style::Dim);
    context.out.line(line)?;
    for hit in &session.hits {
        self::hit(context, hit, id)?;
    }
    Ok(context.out.gap()?)
}

fn hit(context: &mut Context, hit: &FoundHit, id: &str) -> Result<(), Failure> {
    let who = match hit.kind {
        "title" => "title".to_owned(),
        "prompt" => "You".to_owned(),
        "summary" => "summary".to_owned(),
        "output" => "output".to_owned(),
        "call" => hit.tool.clone().unwrap_or_else(|| "tool".into()),
        _ => hit.model.clone().unwrap_or_else(|| "model".into()),
    };
    let style = match hit.role {
        "user" => Style::User,
        "assistant" => Style::Assistant,
        _ => Style::Tool,
    };
    let mut head = Line::plain("  ").with(fold::one_line(&who, 40), style);
    if hit.class == "thinking" {
        head.push(" thinks", Style::Dim);
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
            hit.also_in.iter().map(|place| place.session_id.chars().take(8).collect()).collect();
        format!("also in {}", ids.join(", "))
    }));
    head.push(format!("  {}", facts.join(" · ")), Style::Time);
    context.out.line(head)?;
    let indent = Line::plain("    ");
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
    Ok(context.out.line(Line::new(format!("    {program} show {open}"), Style::Dim))?)
}

fn marked(text: &str, matches: &[(usize, usize)]) -> Line {
    let mut line = Line::empty();
    let mut at = 0;
    for (from, to) in matches {
        line.push(text.get(at..*from).unwrap_or_default(), Style::Plain);
        line.push(text.get(*from..*to).unwrap_or_default(), Style::Match);
        at = *to;
    }
    line.push(text.get(at..).unwrap_or_default(), Style::Plain);
    line
}

/// Builds the text index after the answer: where somebody is there to see it, or tells how.
fn build(context: &mut Context, index: &mut Index, bytes: u64) -> Result<(), Failure> {
    if context.global.quiet {
        return Ok(());
    }
    if !context.out.is_terminal() {
        let program = context.program();
        return context.say(&format!(
            "answered by a scan: {program} index refresh makes searching {} instant",
            fold::bytes(bytes)
        ));
    }
    context.out.flush()?;
    context.say(&format!(
        "now indexing {} for the next search (Ctrl-C keeps what is done)",
        fold::bytes(bytes)
    ))?;
    context.refresh_text(index, bytes)
}

#[cfg(test)]
mod tests {
    use super::bad_query;
    use scrollback_app::search::parse;

    #[test]
    fn errors_are_shown_below_the_query() {
        let check = |query: &str, expected: &str| {
            let error = parse(query, &|_| Err("no date".into())).unwrap_err();
            assert_eq!(bad_query(query, &error).text(), expected);
        };
        check("a (b", "error: this parenthesis is never closed\n\n  a (b\n    ^\n");
        check(
            "天気 rol:user",
            "error: there is no field rol:\n\n  天気 rol:user\n       ^^^\n\nhint: did you mean role:user?\n",
        );
        check("x\u{1b}[2J (y", "error: this parenthesis is never closed\n\n  x␛[2J (y\n        ^\n");
    }
}
