//! The screen: a frame drawn from the state, for a terminal of any size. Reads nothing and decides nothing.
//!
//! ```text
//! > words                                    here 2 of 3
//!   title            project turns  last │ Fix the flaky test
//! ▌ Fix the flaky …  ~/orbit     2    8h │ ── 1 ─────────────
//!   retry with back… ~/orbit     3    2d │ You  09:02
//! Enter resume  Esc leave  Tab all sessions
//! ```

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use scrollback_format::time::Time;

use super::row::Columns;
use super::state::{PickScope, PickState};
use super::{ink, keys};
use crate::paint::{Style, StyledLine, Theme, fold, width};

/// With at least this many columns, the conversation is shown next to the list, otherwise below it.
const BESIDE: u16 = 96;
/// The least lines of a list with a conversation below it, of both together.
const BELOW: u16 = 12;
/// With at least this many lines, the list has column headings.
const NAMED: u16 = 6;

/// How things look and are called.
#[derive(Debug, Clone, Copy)]
pub struct Appearance {
    /// Colours, or none.
    pub theme: Theme,
    /// The present.
    pub now: Time,
    /// What Enter does.
    pub enter: &'static str,
}

/// Where the parts of a frame are; what has no room is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Areas {
    input: Rect,
    list: Rect,
    /// Between list and conversation: a column or a line.
    border: Rect,
    pane: Rect,
    footer: Rect,
}

impl Areas {
    fn of(whole: Rect) -> Self {
        let line = |y: u16| Rect { y: whole.y + y, height: 1, ..whole }.intersection(whole);
        let has_footer = whole.height >= 3;
        let body =
            Rect { y: whole.y + 1, height: whole.height.saturating_sub(1 + u16::from(has_footer)), ..whole };
        let none = Rect::default();
        let (mut list, mut border, mut pane) = (body, none, none);
        if body.width >= BESIDE && body.height >= 3 {
            list.width = body.width / 2;
            border = Rect { x: list.right(), width: 1, ..body };
            pane = Rect { x: border.right() + 1, width: body.right() - border.right() - 1, ..body };
        } else if body.height >= BELOW && body.width >= 20 {
            list.height = body.height * 2 / 5;
            border = Rect { y: list.bottom(), height: 1, ..body };
            pane = Rect { y: border.bottom(), height: body.bottom() - border.bottom(), ..body };
        }
        let footer = if has_footer { line(whole.height - 1) } else { none };
        Self { input: line(0), list, border, pane, footer }
    }
}

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, state: &mut PickState, look: Appearance) {
    let areas = Areas::of(frame.area());
    state.pane = (areas.pane.area() > 0).then_some((areas.pane.width, areas.pane.height));
    let mut screen = Screen { frame, look };
    screen.input(areas.input, state);
    if state.help {
        let body = Rect { height: areas.footer.y.saturating_sub(areas.list.y), ..areas.input };
        screen.help(Rect { y: areas.list.y, ..body });
    } else {
        screen.list(areas.list, state);
        screen.border(areas.border, state);
        screen.pane(areas.pane, state);
    }
    screen.footer(areas.footer, state);
}

struct Screen<'s, 'f> {
    frame: &'s mut Frame<'f>,
    look: Appearance,
}

impl Screen<'_, '_> {
    /// Puts a line on a row of an area, cut at its edge.
    fn put(&mut self, area: Rect, row: usize, line: &StyledLine) {
        let area = area.intersection(self.frame.area());
        let Some(row) = u16::try_from(row).ok().filter(|row| *row < area.height) else { return };
        let line = ink::line(&line.cut(usize::from(area.width)), self.look.theme);
        self.frame.buffer_mut().set_line(area.x, area.y + row, &line, area.width);
    }

    fn input(&mut self, area: Rect, state: &PickState) {
        let columns = usize::from(area.width);
        let status = status(state);
        let mark = if columns > 12 { "> " } else { "" };
        // What is typed is worth more than how much there is of it.
        let wanted = width::columns(state.input.text()) + mark.len() + 2;
        let status = if wanted + status.width() <= columns { status } else { StyledLine::empty() };
        let room = columns.saturating_sub(mark.len() + status.width());
        let (text, cursor) = state.input.window(room);
        self.put(area, 0, &StyledLine::new(mark, Style::User).with(text, Style::Strong));
        let place = Rect {
            x: area.right().saturating_sub(status.width() as u16),
            width: status.width() as u16,
            ..area
        };
        self.put(place, 0, &status);
        if area.area() > 0 && !state.help {
            let x = area.x + (mark.len() + cursor).min(columns.saturating_sub(1)) as u16;
            self.frame.set_cursor_position(Position::new(x, area.y));
        }
    }

    fn list(&mut self, area: Rect, state: &mut PickState) {
        if area.area() == 0 {
            return;
        }
        if state.hits.is_empty() {
            return self.put(area, 0, &nothing(state));
        }
        let named = area.height >= NAMED;
        let height = usize::from(area.height) - usize::from(named);
        state.fit_list(height);
        let shown = state.hits.iter().enumerate().skip(state.top).take(height);
        let places =
            || state.hits.iter().skip(state.top).take(height).map(|hit| &state.places[hit.candidate].name);
        let widest = places().map(|name| width::columns(name)).max().unwrap_or(0);
        let columns = Columns::of(usize::from(area.width), widest);
        if named {
            self.put(area, 0, &columns.head());
        }
        for (line, (at, hit)) in shown.enumerate() {
            let candidate = &state.candidates[hit.candidate];
            let place = &state.places[hit.candidate].name;
            let selected = at == state.selected;
            let row = columns.row(candidate, place, hit, &state.query, self.look.now, selected);
            let line = line + usize::from(named);
            self.put(area, line, &row);
            if selected {
                let place = Rect { y: area.y + line as u16, height: 1, ..area };
                self.frame.buffer_mut().set_style(place, Modifier::REVERSED);
            }
        }
    }

    fn border(&mut self, area: Rect, state: &PickState) {
        if area.width == 1 {
            for row in 0..usize::from(area.height) {
                self.put(area, row, &StyledLine::new("│", Style::Dim));
            }
            return;
        }
        let turn = state.hit().and_then(|hit| {
            let prompt = state.candidates[hit.candidate].prompts.get(hit.prompt?)?;
            Some(format!(" turn {} ", prompt.turn))
        });
        let name = turn.unwrap_or_default();
        let rest = usize::from(area.width).saturating_sub(2 + width::columns(&name));
        self.put(area, 0, &StyledLine::new(format!("──{name}{}", "─".repeat(rest)), Style::Dim));
    }

    fn pane(&mut self, area: Rect, state: &mut PickState) {
        if area.area() == 0 {
            return;
        }
        let height = usize::from(area.height);
        let first = state.fit_preview(height);
        let Some(preview) = state.shown() else { return };
        let lines: Vec<StyledLine> = preview.lines.iter().skip(first).take(height).cloned().collect();
        for (row, line) in lines.iter().enumerate() {
            self.put(area, row, &ink::with_words(line, state.query.words()));
        }
    }

    fn footer(&mut self, area: Rect, state: &PickState) {
        let other = if state.scope == PickScope::Here { "all sessions" } else { "only here" };
        let mut line = StyledLine::empty();
        for (key, does) in keys::footer(self.look.enter, other) {
            let gap = if line.is_empty() { "" } else { "  " };
            let more = StyledLine::plain(gap).with(key, Style::Strong).with(format!(" {does}"), Style::Dim);
            if line.width() + more.width() > usize::from(area.width) {
                break;
            }
            line.append(&more);
        }
        self.put(area, 0, &line);
    }

    fn help(&mut self, area: Rect) {
        let keys = keys::help(self.look.enter);
        let widest = keys.iter().map(|(key, _)| width::columns(key)).max().unwrap_or(0);
        // Where there is no room for two columns, each stands where the key ends.
        let wide = usize::from(area.width) > widest + 30;
        for (row, (key, does)) in keys.iter().enumerate() {
            let space = if wide { widest - width::columns(key) + 2 } else { 2 };
            let line =
                StyledLine::plain("  ").with(*key, Style::Strong).with(" ".repeat(space), Style::Plain);
            self.put(area, row, &line.with(*does, Style::Plain));
        }
    }
}

/// Which sessions these are, and how many of them fit.
fn status(state: &PickState) -> StyledLine {
    if let Some(percent) = state.reading {
        return StyledLine::new(format!("reading {percent} %"), Style::Dim);
    }
    let scope = if state.scope == PickScope::Here { "here" } else { "all" };
    let (fit, listed) = (fold::count(state.hits.len() as u64), fold::count(state.listed() as u64));
    StyledLine::new(format!("{scope} {fit} of {listed}"), Style::Dim)
}

/// Why the list is empty.
fn nothing(state: &PickState) -> StyledLine {
    let text = match (state.reading, state.scope) {
        (Some(_), _) => "Reading sessions …",
        (None, _) if state.candidates.is_empty() => "No conversations in this store.",
        (None, PickScope::Here) => "No matches here (Tab searches all sessions).",
        (None, PickScope::All) => "No matches.",
    };
    StyledLine::new(text, Style::Dim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_never_overlap_and_stay_inside() {
        for columns in 0..140 {
            for lines in 0..50 {
                let whole = Rect::new(0, 0, columns, lines);
                let areas = Areas::of(whole);
                let parts = [areas.input, areas.list, areas.border, areas.pane, areas.footer];
                let covered: u32 = parts.iter().filter(|part| part.area() > 0).map(|part| part.area()).sum();
                assert!(covered <= whole.area(), "{columns}x{lines}");
                for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.area() > 0) {
                    assert_eq!(part.intersection(whole), *part, "{columns}x{lines}");
                    let apart = parts[at + 1..].iter().all(|other| part.intersection(*other).area() == 0);
                    assert!(apart, "{columns}x{lines}: {areas:?}");
                }
            }
        }
    }
}
