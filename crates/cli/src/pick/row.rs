//! A row of the list: title, project, turns and age, each in its columns, with the letters that fit marked.

use scrollback_app::picking::PickCandidate;
use scrollback_app::ranking::{Hit, PickQuery};
use scrollback_format::time::Time;

use super::ink::marked;
use crate::paint::{Style, StyledLine, fold, width};

/// More of a title is never looked at.
const LONGEST: usize = 400;

/// How many columns each part has; none is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// Of the title.
    pub title: usize,
    /// Of the project.
    pub project: usize,
    /// Of the number of turns.
    pub turns: usize,
    /// Of the age.
    pub age: usize,
}

impl Columns {
    /// Shares a row out. The project gets what the widest one needs, but no more than a quarter.
    pub fn of(columns: usize, widest_project: usize) -> Self {
        let room = columns.saturating_sub(2);
        let age = if room >= 16 { 5 } else { 0 };
        let turns = if room >= 30 { 5 } else { 0 };
        let project = if room >= 40 { widest_project.clamp(7, (room / 4).clamp(10, 28)) } else { 0 };
        let parts = [project, turns, age].into_iter().filter(|part| *part > 0).map(|part| part + 1);
        let used: usize = parts.sum();
        Self { title: room.saturating_sub(used), project, turns, age }
    }

    /// The names of the columns.
    pub fn head(self) -> StyledLine {
        let name = |text| StyledLine::new(text, Style::Dim);
        self.join(StyledLine::plain("  "), &name("title"), [name("project"), name("turns"), name("last")])
    }

    fn join(
        self,
        mark: StyledLine,
        title: &StyledLine,
        [project, turns, age]: [StyledLine; 3],
    ) -> StyledLine {
        let mut line = mark;
        line.append(&fill(title, self.title, false));
        for (part, columns, right) in
            [(project, self.project, false), (turns, self.turns, true), (age, self.age, true)]
        {
            if columns > 0 {
                line.push(" ", Style::Plain);
                line.append(&fill(&part, columns, right));
            }
        }
        line
    }

    /// A session's row.
    pub fn row(
        self,
        candidate: &PickCandidate,
        place: &str,
        hit: &Hit,
        query: &PickQuery,
        now: Time,
        selected: bool,
    ) -> StyledLine {
        let view = &candidate.view;
        let title = view.title.as_deref().map(|title| fold::one_line(title, LONGEST));
        let mut title = match &title {
            Some(title) => marked(title, &query.marks(title), Style::Plain),
            None => StyledLine::new("untitled", Style::Dim),
        };
        let prompt = hit.prompt.filter(|_| hit.only_in_prompt).and_then(|at| candidate.prompts.get(at));
        if let Some(prompt) = prompt {
            title = title.cut(self.title / 3).with(" ▸ ", Style::Dim);
            title.append(&snippet(&prompt.text, query));
        }
        let mark = if selected { StyledLine::new("▌", Style::User) } else { StyledLine::plain(" ") };
        let mark = if view.pinned { mark.with("*", Style::Strong) } else { mark.with(" ", Style::Plain) };
        let place = end_of(place, self.project);
        let project = marked(&place, &query.marks(&place), Style::Path);
        let turns = StyledLine::new(fold::short_count(view.turns), Style::Dim);
        let age = StyledLine::new(age(view.last_time, now), Style::Time);
        self.join(mark, &title, [project, turns, age])
    }
}

/// A line padded or cut to an exact width.
fn fill(line: &StyledLine, columns: usize, right: bool) -> StyledLine {
    let line = line.cut(columns);
    let space = StyledLine::plain(" ".repeat(columns.saturating_sub(line.width())));
    if right { line.prefixed(&space) } else { space_after(line, &space) }
}

fn space_after(mut line: StyledLine, space: &StyledLine) -> StyledLine {
    line.append(space);
    line
}

/// The end of a directory, which is more telling than its start, cut to a number of columns.
fn end_of(place: &str, columns: usize) -> String {
    let wide = width::columns(place);
    if wide <= columns {
        return place.to_owned();
    }
    let mut left = wide + 1;
    let mut from = 0;
    for (cluster, wide) in width::clusters(place) {
        if left <= columns {
            break;
        }
        left -= wide;
        from += cluster.len();
    }
    format!("{}{}", width::ELLIPSIS, &place[from..])
}

/// A prompt on one line, from a little before the letters that fit.
fn snippet(prompt: &str, query: &PickQuery) -> StyledLine {
    /// Columns before the first letter.
    const BEFORE: usize = 6;
    let text = fold::one_line(prompt, LONGEST);
    let marks = query.marks(&text);
    let first = marks.first().copied().unwrap_or(0);
    let before: Vec<(&str, usize)> = width::clusters(&text[..first]).collect();
    let mut from = first;
    let mut used = 0;
    for (cluster, columns) in before.into_iter().rev() {
        used += columns;
        if used > BEFORE {
            break;
        }
        from -= cluster.len();
    }
    from += usize::from(text[from..].starts_with(' '));
    let rest: Vec<usize> = marks.iter().map(|mark| mark - from).collect();
    let line = marked(&text[from..], &rest, Style::Emphasis);
    if from == 0 { line } else { line.prefixed(&StyledLine::new(width::ELLIPSIS, Style::Dim)) }
}

/// How long ago, in at most five columns: `now`, `5min`, `3h`, `6d`, `3w`, `11mo`, `2y`.
fn age(time: Option<Time>, now: Time) -> String {
    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    let Some(time) = time else { return "-".to_owned() };
    let ms = now.0.saturating_sub(time.0);
    match ms {
        ..MINUTE => "now".to_owned(),
        MINUTE..HOUR => format!("{}min", ms / MINUTE),
        HOUR..DAY => format!("{}h", ms / HOUR),
        _ if ms < 14 * DAY => format!("{}d", ms / DAY),
        _ if ms < 60 * DAY => format!("{}w", ms / (7 * DAY)),
        _ if ms < 365 * DAY => format!("{}mo", ms / (30 * DAY)),
        _ => format!("{}y", ms / (365 * DAY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::frames::state;

    #[test]
    fn ages_are_short() {
        let check = |minutes: i64, expected: &str| {
            assert_eq!(age(Some(Time(0)), Time(minutes * 60_000)), expected, "{minutes}");
        };
        check(-5, "now");
        check(0, "now");
        check(59, "59min");
        check(61, "1h");
        check(24 * 60, "1d");
        check(14 * 24 * 60, "2w");
        check(60 * 24 * 60, "2mo");
        check(364 * 24 * 60, "12mo");
        check(800 * 24 * 60, "2y");
        assert_eq!(age(None, Time(0)), "-");
    }

    #[test]
    fn the_end_of_a_directory_is_kept() {
        for (columns, expected) in
            [(20, "~/work/天気"), (11, "~/work/天気"), (10, "…work/天気"), (4, "…気"), (1, "…")]
        {
            assert_eq!(end_of("~/work/天気", columns), expected, "{columns}");
        }
    }

    #[test]
    fn a_row_fills_its_columns_whatever_is_in_it() {
        let mut state = state("");
        state.act(crate::pick::keys::Act::Scope);
        for words in ["", "t", "hundred", "摂氏", "the"] {
            let query = PickQuery::parse(words);
            for hit in query.rank(&state.candidates, |_| true) {
                for columns in 2..130 {
                    let place = &state.places[hit.candidate].name;
                    let row = Columns::of(columns, 12).row(
                        &state.candidates[hit.candidate],
                        place,
                        &hit,
                        &query,
                        Time(0),
                        true,
                    );
                    assert_eq!(row.width(), columns, "{words} {columns}: {}", row.text());
                }
            }
        }
    }

    #[test]
    fn a_prompt_that_fits_is_shown_around_its_letters() {
        let text = format!("{} needle and more", "word ".repeat(20));
        let line = snippet(&text, &PickQuery::parse("needle"));
        assert_eq!(line.text(), "…word needle and more");
        let marked: Vec<&str> =
            line.spans().iter().filter(|span| span.style() == Style::Match).map(|span| span.text()).collect();
        assert_eq!(marked, ["needle"]);
    }
}
