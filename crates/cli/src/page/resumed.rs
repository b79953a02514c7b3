//! The page of a resumed session: numbered messages with their lines, then what is not sent, by reason.

use std::collections::BTreeMap;

use scrollback_app::resume::compare::{Differences, OnlyView};
use scrollback_app::resume::view::{
    BitKind, BlockView, LeafRule, MadeUp, MessageView, Reason, ResumeOutcome, ResumeView, Sender, TokenBasis,
    reason_words,
};

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// How many places are named before the rest is counted.
const PLACES: usize = 8;

/// What one client makes of a session.
pub fn alone(context: &mut Context, session: &str, view: &ResumeView) -> Result<(), Failure> {
    head(context, session, &format!("as resumed by {}", view.client))?;
    outcome(context, view)?;
    messages(context, view)?;
    dropped(context, view)?;
    if view.messages.is_empty() {
        return Ok(());
    }
    Ok(context.out.line(StyledLine::new(format!("Tokens: {}.", view.tokens.basis.words()), Style::Dim))?)
}

fn head(context: &mut Context, session: &str, how: &str) -> Result<(), Failure> {
    let line = StyledLine::new(session, Style::Number).with(format!("  {how}"), Style::Dim);
    context.out.line(line)?;
    Ok(context.out.gap()?)
}

fn outcome(context: &mut Context, view: &ResumeView) -> Result<(), Failure> {
    let good = view.outcome == ResumeOutcome::Loaded;
    let mut line =
        StyledLine::new(outcome_words(view.outcome), if good { Style::Success } else { Style::Warning });
    if let Some(reason) = why(view) {
        line.push(format!(": {reason}"), Style::Plain);
    }
    context.out.line(line)?;
    if let (Some(leaf), Some(rule)) = (view.leaf_line, view.leaf_rule) {
        context.out.line(StyledLine::plain(format!("continues from line {leaf}: {}", rule_words(rule))))?;
    }
    if !view.bridged_lines.is_empty() {
        let text = format!(
            "parent message missing, continues at the previous message by time: {}",
            lines(&view.bridged_lines)
        );
        context.out.line(StyledLine::new(text, Style::Warning))?;
    }
    if !view.messages.is_empty() {
        context.out.line(StyledLine::plain(counts(view)))?;
    }
    Ok(context.out.gap()?)
}

fn counts(view: &ResumeView) -> String {
    let totals = &view.totals;
    let mut parts = vec![
        format!("{} from {}", fold::plural(totals.messages, "message"), fold::plural(totals.lines, "line")),
        tokens(view),
    ];
    if totals.made_up > 0 {
        parts.push(format!("{} added", fold::plural(totals.made_up, "placeholder block")));
    }
    if totals.losses > 0 {
        parts.push(format!("{} not sent", fold::count(totals.losses)));
    }
    parts.join(" · ")
}

fn tokens(view: &ResumeView) -> String {
    format!("about {} tokens ({})", fold::count(view.tokens.tokens), basis(view.tokens.basis))
}

fn messages(context: &mut Context, view: &ResumeView) -> Result<(), Failure> {
    if view.messages.is_empty() {
        return Ok(());
    }
    let mut grid = Grid::new(vec![
        Column::new("").right(),
        Column::new("role"),
        Column::new("lines"),
        Column::new("content").shrinks(1, 30),
    ]);
    for (message, number) in view.messages.iter().zip(1_u64..) {
        let role = match message.role {
            Sender::User => Style::User,
            Sender::Assistant => Style::Assistant,
            _ => Style::Dim,
        };
        grid.row(vec![
            StyledLine::new(fold::count(number), Style::Number),
            StyledLine::new(message.role.name(), role),
            StyledLine::new(lines(&message.lines), Style::Dim),
            content(context, message),
        ]);
    }
    let painted = grid.lines(context.out.fit());
    context.out.lines(&painted)?;
    Ok(context.out.gap()?)
}

/// All blocks of a message on one line.
fn content(context: &Context, message: &MessageView) -> StyledLine {
    let room = (context.page().width / message.content.len().clamp(1, 3)).max(24);
    let mut line = StyledLine::empty();
    for (at, block) in message.content.iter().enumerate() {
        if at > 0 {
            line.push(" · ", Style::Dim);
        }
        let (text, style) = glance(block, room);
        line.push(text, style);
    }
    line
}

fn glance(block: &BlockView, room: usize) -> (String, Style) {
    let words = || fold::one_line(block.text.as_deref().unwrap_or_default(), room);
    match (block.kind, block.made_up) {
        (_, Some(MadeUp::Prompt)) => (format!("new prompt: {}", words()), Style::Strong),
        (_, Some(_)) => (format!("placeholder: {}", words()), Style::Warning),
        (BitKind::Text, _) if block.reminder => (format!("reminder: {}", words()), Style::Dim),
        (BitKind::Text, _) => (words(), Style::Plain),
        (BitKind::ToolUse, _) => (format!("→ {}", block.name.as_deref().unwrap_or("?")), Style::Tool),
        (BitKind::ToolResult, _) if block.is_error == Some(true) => (format!("← {}", words()), Style::Error),
        (BitKind::ToolResult, _) => (format!("← {}", words()), Style::Plain),
        (kind, _) => (kind.name().replace('_', " "), Style::Dim),
    }
}

fn dropped(context: &mut Context, view: &ResumeView) -> Result<(), Failure> {
    let mut by_reason: BTreeMap<(bool, &str), (Reason, Vec<u64>)> = BTreeMap::new();
    for dropped in &view.dropped {
        let places = by_reason.entry((!dropped.loss, dropped.reason.name()));
        places.or_insert((dropped.reason, Vec::new())).1.push(dropped.line);
    }
    if by_reason.is_empty() {
        return Ok(());
    }
    context.out.line(StyledLine::new("Not sent", Style::Heading))?;
    let mut grid = Grid::new(vec![
        Column::new("").right(),
        Column::new("").shrinks(2, 30),
        Column::new("").shrinks(1, 12),
    ])
    .headless();
    for ((harmless, _), (reason, places)) in by_reason {
        let style = if harmless { Style::Dim } else { Style::Plain };
        grid.row(vec![
            StyledLine::new(fold::count(places.len() as u64), Style::Number),
            StyledLine::new(reason_words(reason), style),
            StyledLine::new(named(&places), Style::Dim),
        ]);
    }
    let painted = grid.lines(context.out.fit());
    context.out.lines(&painted)?;
    Ok(context.out.gap()?)
}

/// A fact of what a client loads, in words.
type Fact = fn(&ResumeView) -> String;

/// What two clients make of a session, and where they differ.
pub fn compared(
    context: &mut Context,
    session: &str,
    views: [&ResumeView; 2],
    differences: &Differences,
) -> Result<(), Failure> {
    let [first, second] = views.map(|view| view.client.as_str());
    head(context, session, &format!("as resumed by {first} and {second}"))?;
    let mut grid = Grid::new(vec![Column::new(""), Column::new(first), Column::new(second)]);
    let rows: [(&str, Fact); 8] = [
        ("outcome", |view| outcome_words(view.outcome).to_owned()),
        ("continues from", |view| view.leaf_line.map(|line| format!("line {line}")).unwrap_or_default()),
        ("because", |view| view.leaf_rule.map(rule_words).unwrap_or_default().to_owned()),
        ("messages", |view| fold::count(view.totals.messages)),
        ("from lines", |view| fold::count(view.totals.lines)),
        ("placeholders", |view| fold::count(view.totals.made_up)),
        ("not sent", |view| fold::count(view.totals.losses)),
        ("tokens", |view| format!("{} ({})", fold::count(view.tokens.tokens), basis(view.tokens.basis))),
    ];
    for (name, tell) in rows {
        let [one, other] = views.map(tell);
        let style = if one == other { Style::Plain } else { Style::Strong };
        grid.row(vec![
            StyledLine::new(name, Style::Dim),
            StyledLine::new(one, style),
            StyledLine::new(other, style),
        ]);
    }
    let painted = grid.lines(context.out.fit());
    context.out.lines(&painted)?;
    context.out.gap()?;
    for view in views {
        if let Some(reason) = why(view) {
            context.out.line(StyledLine::new(format!("{}: {reason}", view.client), Style::Warning))?;
            context.out.gap()?;
        }
    }
    only(context, first, second, &differences.only_first)?;
    only(context, second, first, &differences.only_second)?;
    verdict(context, views, differences)
}

fn only(context: &mut Context, who: &str, other: &str, only: &[OnlyView]) -> Result<(), Failure> {
    if only.is_empty() {
        return Ok(());
    }
    let mut by_reason: BTreeMap<Option<&str>, (Option<Reason>, Vec<u64>)> = BTreeMap::new();
    for line in only {
        let places = by_reason.entry(line.reason.map(Reason::name));
        places.or_insert((line.reason, Vec::new())).1.push(line.line);
    }
    context.out.line(StyledLine::new(format!("Sent by {who} only"), Style::Heading))?;
    for (reason, places) in by_reason.into_values() {
        let why = reason.map_or("sent in another form", reason_words);
        let line = StyledLine::plain(format!("  {}", named(&places)));
        context.out.line(line.with(format!("  {other}: {why}"), Style::Dim))?;
    }
    Ok(context.out.gap()?)
}

fn verdict(context: &mut Context, views: [&ResumeView; 2], differences: &Differences) -> Result<(), Failure> {
    let line = match (differences.same, differences.first_difference) {
        (true, _) => StyledLine::new("Both send the same messages.", Style::Success),
        (false, Some(at)) => {
            let order = if differences.same_order { "" } else { "; shared messages are in another order" };
            StyledLine::new(format!("First difference: message {at}{order}."), Style::Warning)
        }
        (false, None) => StyledLine::new("Both send the same messages, with another outcome.", Style::Plain),
    };
    context.out.line(line)?;
    let Some(at) = differences.first_difference.and_then(|at| usize::try_from(at - 1).ok()) else {
        return Ok(());
    };
    for view in views {
        let mut line = StyledLine::new(format!("  {}  ", view.client), Style::Dim);
        match view.messages.get(at) {
            Some(message) => {
                line.push(format!("{}, {}: ", message.role.name(), named(&message.lines)), Style::Dim);
                line.append(&content(context, message));
            }
            None => line.push("no message", Style::Dim),
        }
        context.out.line(line)?;
    }
    Ok(())
}

/// Why a session is not loaded.
fn why(view: &ResumeView) -> Option<String> {
    view.reason.map(|reason| reason.words(view.reason_line))
}

const fn outcome_words(outcome: ResumeOutcome) -> &'static str {
    match outcome {
        ResumeOutcome::Loaded => "loads",
        ResumeOutcome::Fresh => "starts fresh",
        ResumeOutcome::Refused => "refuses",
        _ => "hangs",
    }
}

const fn rule_words(rule: LeafRule) -> &'static str {
    match rule {
        LeafRule::LatestTime => "the latest message",
        LeafRule::LastPrompt => "named by the last-prompt line, or below the line it names",
        LeafRule::LastLine => "the last line",
        LeafRule::BelowLastLine => "the latest message below the last line",
        _ => "the message that the client chooses",
    }
}

const fn basis(basis: TokenBasis) -> &'static str {
    match basis {
        TokenBasis::Recorded => "recorded",
        _ => "estimated",
    }
}

/// Line numbers with the word before them.
fn named(numbers: &[u64]) -> String {
    match numbers {
        [] => "no line".to_owned(),
        [one] => format!("line {one}"),
        several => format!("lines {}", lines(several)),
    }
}

/// Line numbers in few words: runs as `3-5`, and after some of them how many more there are.
fn lines(numbers: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last == number || *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let mut text = runs.iter().take(PLACES).map(run).collect::<Vec<_>>().join(", ");
    let more: u64 = runs.iter().skip(PLACES).map(|(first, last)| last - first + 1).sum();
    if more > 0 {
        text.push_str(&format!(" and {} more", fold::count(more)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_are_shown_in_runs() {
        assert_eq!(lines(&[]), "");
        assert_eq!(lines(&[3]), "3");
        assert_eq!(lines(&[3, 4, 5, 7, 7, 9]), "3-5, 7, 9");
        assert_eq!(lines(&[20, 21, 3]), "20-21, 3");
        let many: Vec<u64> = (1..40).step_by(2).collect();
        assert_eq!(lines(&many), "1, 3, 5, 7, 9, 11, 13, 15 and 12 more");
    }
}
