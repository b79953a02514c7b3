//! A screen as a drawing: a quiet window with real text in it. Each character has the x of its cell, so that columns stand
//! under each other whatever font the viewer has.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use vt100::Screen;

use super::glyph;
use super::palette::{BACKGROUND, EDGE, Look, TEXT, TITLE};

/// A cell. Letters of common fonts are 0.6 as wide as they are high.
const CELL: (u32, u32) = (8, 19);
/// What is as high as gives letters of a cell's width.
const FONT: &str = "13.3px";
/// From the top of a cell to the foot of its letters.
const FOOT: u32 = 14;
/// The room around the cells, and the bar above them.
const MARGIN: u32 = 18;
const BAR: u32 = 34;
const FONTS: &str = "ui-monospace,SFMono-Regular,'SF Mono',Menlo,'Cascadia Mono',Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

/// Cells of a row that look the same and are written at once.
struct Run {
    look: Look,
    text: String,
    places: Vec<u32>,
}

/// Text without a gap: not every viewer places each letter by itself, and those that do not would close one.
struct Piece {
    class: String,
    foot: u32,
    places: Vec<u32>,
    text: String,
}

impl Piece {
    const fn new(class: String, foot: u32) -> Self {
        Self { class, foot, places: Vec::new(), text: String::new() }
    }

    /// Adds what a cell shows.
    fn put(&mut self, x: u32, cell: &str, out: &mut String) {
        let follows = self.places.last().is_none_or(|last| *last + CELL.0 == x);
        if cell == " " && (self.text.is_empty() || self.text.ends_with(' ')) || !follows {
            self.write(out);
        }
        if cell != " " || !self.text.is_empty() {
            self.places.extend(cell.chars().map(|_| x));
            self.text.push_str(cell);
        }
    }

    /// Writes what there is, and begins anew.
    fn write(&mut self, out: &mut String) {
        let text = self.text.trim_end();
        if !text.is_empty() {
            let places: Vec<String> =
                self.places.iter().take(text.chars().count()).map(ToString::to_string).collect();
            let _ = writeln!(
                out,
                "<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>",
                self.class,
                places.join(" "),
                self.foot,
                escaped(text)
            );
        }
        self.places.clear();
        self.text.clear();
    }
}

/// Paints a screen.
pub fn paint(screen: &Screen, (columns, lines): (u16, u16), title: &str) -> String {
    let lines = used(screen, columns, lines);
    let width = u32::from(columns) * CELL.0 + 2 * MARGIN;
    let height = u32::from(lines) * CELL.1 + BAR + MARGIN;
    let mut looks: BTreeMap<String, String> = BTreeMap::new();
    let (mut behind, mut shapes, mut words) =
        (String::new(), BTreeMap::<String, String>::new(), String::new());
    for row in 0..lines {
        let y = BAR + u32::from(row) * CELL.1;
        for run in runs(screen, row, columns) {
            let (first, last) = (run.places.first().copied(), run.places.last().copied());
            let (Some(first), Some(last)) = (first, last) else { continue };
            if let Some(colour) = &run.look.behind {
                let long = last + CELL.0 - first;
                let _ = writeln!(
                    behind,
                    "<path fill=\"{colour}\" shape-rendering=\"crispEdges\" d=\"M{first} {y}h{long}v{}h-{long}z\"/>",
                    CELL.1
                );
            }
            let class = class(&run.look, &mut looks);
            let mut piece = Piece::new(class, y + FOOT);
            let mut signs = run.text.chars().peekable();
            for x in &run.places {
                // A cell has one sign and what is put on top of it.
                let mut cell = String::new();
                cell.extend(signs.next());
                while let Some(mark) = signs.next_if(|sign| is_mark(*sign)) {
                    cell.push(mark);
                }
                let sign = cell.chars().next().unwrap_or(' ');
                match glyph::path(sign, (*x, y), CELL) {
                    Some(path) => {
                        shapes.entry(shade(&run.look)).or_default().push_str(&path);
                        piece.write(&mut words);
                    }
                    None => piece.put(*x, &cell, &mut words),
                }
            }
            piece.write(&mut words);
        }
    }
    let mut svg = window((width, height), title, &looks);
    svg.push_str(&behind);
    for (shade, path) in &shapes {
        let _ = writeln!(svg, "<path {shade} d=\"{path}\"/>");
    }
    svg.push_str(&words);
    svg.push_str("</svg>\n");
    svg
}

/// The window: its looks, its frame, its bar.
fn window((width, height): (u32, u32), title: &str, looks: &BTreeMap<String, String>) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n<style>\ntext{{font:{FONT} {FONTS};fill:{TEXT}}}\n.title{{fill:{TITLE};text-anchor:middle}}\n",
        title = escaped(title)
    );
    for (rules, name) in looks {
        let _ = writeln!(svg, ".{name}{{{rules}}}");
    }
    let _ = write!(
        svg,
        "</style>\n<rect x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"9\" fill=\"{BACKGROUND}\" stroke=\"{EDGE}\"/>\n",
        width - 1,
        height - 1
    );
    for (at, colour) in ["#e0695f", "#d9ac4a", "#63b35d"].into_iter().enumerate() {
        let _ = writeln!(svg, "<circle cx=\"{}\" cy=\"17\" r=\"5\" fill=\"{colour}\"/>", 20 + 17 * at);
    }
    let _ = writeln!(svg, "<text class=\"title\" x=\"{}\" y=\"21\">{}</text>", width / 2, escaped(title));
    svg
}

/// The lines up to the last one with something in it.
fn used(screen: &Screen, columns: u16, lines: u16) -> u16 {
    let is_empty = |row: u16| {
        (0..columns).all(|at| screen.cell(row, at).is_none_or(|cell| cell.contents().trim().is_empty()))
    };
    (0..lines).rev().find(|row| !is_empty(*row)).map_or(1, |row| row + 1)
}

fn runs(screen: &Screen, row: u16, columns: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for at in 0..columns {
        let Some(cell) = screen.cell(row, at) else { continue };
        if cell.is_wide_continuation() {
            continue;
        }
        let (look, x) = (Look::of(cell), MARGIN + u32::from(at) * CELL.0);
        let text = if cell.has_contents() { cell.contents() } else { " " };
        match runs.last_mut().filter(|run| run.look == look) {
            Some(run) => {
                run.text.push_str(text);
                run.places.push(x);
            }
            None => runs.push(Run { look, text: text.to_owned(), places: vec![x] }),
        }
    }
    runs
}

/// Is it drawn on top of the sign before it?
const fn is_mark(sign: char) -> bool {
    matches!(sign as u32, 0x300..=0x36f | 0x200d | 0xfe00..=0xfe0f | 0x20d0..=0x20ff)
}

/// The name of a look, and its rules once.
fn class(look: &Look, looks: &mut BTreeMap<String, String>) -> String {
    let mut rules = format!("fill:{}", look.ink);
    for (has, rule) in [
        (look.bold, ";font-weight:600"),
        (look.dim, ";opacity:.62"),
        (look.italic, ";font-style:italic"),
        (look.underline, ";text-decoration:underline"),
    ] {
        if has {
            rules.push_str(rule);
        }
    }
    let next = format!("s{}", looks.len());
    looks.entry(rules).or_insert(next).clone()
}

fn shade(look: &Look) -> String {
    let dim = if look.dim { " opacity=\".62\"" } else { "" };
    format!("fill=\"{}\"{dim}", look.ink)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::paint;

    #[test]
    fn every_character_stands_in_its_cell() {
        let size = |number| NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN);
        let mut parser = vt100::Parser::new(size(3), size(20), 0);
        parser.process("a天b \u{1b}[32;1m<&>\u{1b}[0m".as_bytes());
        let svg = paint(parser.screen(), (20, 3), "x");
        assert!(svg.contains(r#"x="18 26" y="48">a天</text>"#), "{svg}");
        assert!(svg.contains(r#"x="42" y="48">b</text>"#), "{svg}");
        assert!(svg.contains(r#"x="58 66 74" y="48">&lt;&amp;&gt;</text>"#), "{svg}");
        assert!(svg.contains("fill:#8fcf7e;font-weight:600"), "{svg}");
    }
}
