//! What a search found, painted: the file, the entry, the lines that match.

use std::collections::HashMap;

use scrollback_app::grep::view::{GrepEntry, GrepFile, GrepHit, GrepNeighbour, GrepText};
use scrollback_app::model::Speaker;

use crate::context::Context;
use crate::date;
use crate::paint::{Style, StyledLine, fold, width};

/// How many matching lines of an entry are shown on a terminal.
const LINES: usize = 5;
/// The columns before the lines of a text.
const INDENT: &str = "        ";
/// How much of a neighbour is shown.
const SHORT: usize = 160;

/// The head of a file's matches.
pub fn file(context: &Context, file: &GrepFile) -> Vec<StyledLine> {
    let mut head = match &file.session_id {
        Some(session) => StyledLine::new(session.as_str(), Style::Number),
        None => StyledLine::empty(),
    };
    if let Some(agent) = &file.agent_id {
        let before = if head.is_empty() { "" } else { " " };
        head.push(format!("{before}agent {agent}"), Style::Agent);
    }
    if let Some(project) = &file.project {
        head.push(format!("  {}", context.short_dir(project)), Style::Strong);
    }
    vec![head, StyledLine::new(context.short_path(&file.path), Style::Path)]
}

/// The first and the last line of a match with its neighbours.
pub fn reach(hit: &GrepHit) -> (u64, u64) {
    let first = hit.before.first().map_or(hit.entry.line, |near| near.entry.line);
    (first, hit.after.last().map_or(hit.entry.line, |near| near.entry.line))
}

/// What parts matches with neighbours that do not touch.
pub fn gap() -> StyledLine {
    StyledLine::new(format!("{:>6}", "⋮"), Style::Dim)
}

/// An entry that matches, with its neighbours.
pub fn hit(context: &Context, hit: &GrepHit) -> Vec<StyledLine> {
    let mut lines: Vec<StyledLine> = hit.before.iter().map(|near| neighbour(context, near)).collect();
    lines.push(about(context, &hit.entry, Style::Number));
    let room = context.out.fit().map(|width| width.saturating_sub(INDENT.len()).max(8));
    let all = room.is_none() || context.global.verbose;
    let (mut hidden, mut shown) = (0, 0);
    // A result often stands twice in its entry, a little different: its lines are shown once.
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for (text, line) in hit.texts.iter().flat_map(|text| matching_lines(text).map(move |line| (text, line))) {
        let words = &text.text[line.0..line.1];
        if *seen.entry(words).or_insert(&text.field) != text.field {
            continue;
        }
        if shown >= LINES && !all {
            hidden += 1;
            continue;
        }
        shown += 1;
        let mut painted = StyledLine::plain(INDENT);
        painted.append(&marked(words, &within(text, line), room));
        lines.push(painted);
    }
    if hidden > 0 {
        let more = format!("{INDENT}… {} more (-v for all)", fold::plural(hidden, "line"));
        lines.push(StyledLine::new(more, Style::Dim));
    }
    if hit.more {
        lines.push(StyledLine::new(format!("{INDENT}… and more matches"), Style::Dim));
    }
    lines.extend(hit.after.iter().map(|near| neighbour(context, near)));
    lines
}

/// Number, time and speaker of an entry.
fn about(context: &Context, entry: &GrepEntry, number: Style) -> StyledLine {
    let line = StyledLine::new(format!("{:>6}", entry.line), number);
    let time = entry.time.map(|time| format!("  {}", date::minute(Some(time), &context.zone)));
    let (who, style) = who(entry);
    line.with(time.unwrap_or_default(), Style::Time).with("  ", Style::Plain).with(who, style)
}

fn who(entry: &GrepEntry) -> (&str, Style) {
    match entry.speaker() {
        Speaker::User => ("You", Style::User),
        Speaker::Assistant => (entry.model.as_deref().unwrap_or("Assistant"), Style::Assistant),
        Speaker::Tool => (entry.tool.as_deref().unwrap_or("tool"), Style::Tool),
        _ => (&entry.kind, Style::Dim),
    }
}

fn neighbour(context: &Context, near: &GrepNeighbour) -> StyledLine {
    let line = about(context, &near.entry, Style::Dim);
    let text = fold::one_line(&near.text, SHORT);
    let line = line.with(format!("  {text}"), Style::Dim);
    match context.out.fit() {
        Some(width) => line.cut(width),
        None => line,
    }
}

/// The lines of a stretch, as byte ranges. Those that only hold the break a match ends with are left out.
fn matching_lines(text: &GrepText) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    let whole = text.text.strip_suffix('\n').unwrap_or(&text.text);
    whole.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, start + line.len())
    })
}

/// The matches of a line, counted from its start.
fn within(text: &GrepText, (start, end): (usize, usize)) -> Vec<(usize, usize)> {
    // Matches come in order: those of a long text's later lines need not look at all before them.
    let first = text.matches.partition_point(|matched| matched.1 as usize <= start);
    text.matches[first..]
        .iter()
        .map(|matched| (matched.0 as usize, matched.1 as usize))
        .take_while(|matched| matched.0 < end)
        .map(|(from, to)| (from.max(start) - start, to.min(end) - start))
        .filter(|(from, to)| from < to)
        .collect()
}

/// A line with its matches marked, cut around the first one where there is no room for all of it.
fn marked(line: &str, matches: &[(usize, usize)], room: Option<usize>) -> StyledLine {
    let (mut from, mut until) = (0, line.len());
    let first = matches.first().map_or(0, |matched| matched.0);
    if let Some(room) = room
        && (line.len() > room * 16 || width::columns(line) > room)
    {
        // A third of the room before the match, so that it is read in its sentence. A column has few bytes.
        let lead = if first <= room / 2 { first } else { room / 3 };
        from = boundary(line, first - lead);
        until = boundary(line, (from + room * 16).min(line.len()));
    }
    let mut painted = StyledLine::empty();
    if from > 0 {
        painted.push(width::ELLIPSIS, Style::Dim);
    }
    let mut at = from;
    for &(start, end) in matches {
        let (start, end) = (start.max(at), end.min(until));
        if start >= end {
            continue;
        }
        painted.push(&line[at..start], Style::Plain);
        painted.push(&line[start..end], Style::Match);
        at = end;
    }
    painted.push(&line[at..until], Style::Plain);
    match room {
        Some(room) => painted.cut(room),
        None => painted,
    }
}

/// The last start of a character at or before a byte.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, matches: &[(usize, usize)], room: Option<usize>, expected: &str) {
        let painted = marked(line, matches, room);
        let told: String = painted
            .spans()
            .iter()
            .map(|span| match span.style() {
                Style::Match => format!("[{}]", span.text()),
                _ => span.text().to_owned(),
            })
            .collect();
        assert_eq!(told, expected, "{line:?}");
        assert!(room.is_none_or(|room| painted.width() <= room));
    }

    #[test]
    fn lines_are_cut_around_the_first_match() {
        check("a bc d", &[(2, 4)], None, "a [bc] d");
        check("a bc d bc", &[(2, 4), (7, 9)], Some(20), "a [bc] d [bc]");
        check(&format!("{}x{}", "a".repeat(30), "b".repeat(30)), &[(30, 31)], Some(12), "…aaaa[x]bbbbb…");
        check(&format!("x{}", "b".repeat(30)), &[(0, 1)], Some(8), "[x]bbbbbb…");
        check("ééééééééééééx", &[(24, 25)], Some(9), "…éé[x]");
    }

    #[test]
    fn a_match_over_lines_is_marked_on_each() {
        let text =
            GrepText { field: String::new(), at: 0, text: "ab\ncd\n".into(), matches: vec![(1, 4), (5, 6)] };
        let lines: Vec<_> = matching_lines(&text).collect();
        assert_eq!(lines, [(0, 2), (3, 5)]);
        assert_eq!(within(&text, lines[0]), [(1, 2)]);
        assert_eq!(within(&text, lines[1]), [(0, 1)]);
    }
}
