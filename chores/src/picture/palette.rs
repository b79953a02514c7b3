//! Colours: a dark terminal that looks well on a light and on a dark page.

use vt100::{Cell, Color};

/// Behind everything.
pub const BACKGROUND: &str = "#171b24";
/// The edge of the window, which sets it off from a page of the same darkness.
pub const EDGE: &str = "#39414f";
/// Text without a colour of its own.
pub const TEXT: &str = "#d5dae3";
/// The words in the frame.
pub const TITLE: &str = "#8b94a3";

/// The 16 colours, as the program asks for them.
const COLOURS: [&str; 16] = [
    "#171b24", "#f07a7a", "#8fcf7e", "#e2bf6c", "#6ea8f0", "#c792ea", "#63c7c9", "#b8bfca", "#5c6675",
    "#ff9a94", "#a9e398", "#f2d58a", "#86b9ff", "#dbb0f7", "#8adfe0", "#f1f4f8",
];

fn colour(of: Color, usual: &'static str) -> String {
    match of {
        Color::Default => usual.to_owned(),
        Color::Idx(number) => COLOURS.get(usize::from(number)).copied().unwrap_or(usual).to_owned(),
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

/// How a cell looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Of its letters.
    pub ink: String,
    /// Behind them, if that is not the window's.
    pub behind: Option<String>,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
}

impl Look {
    pub fn of(cell: &Cell) -> Self {
        let (mut ink, mut behind) = (colour(cell.fgcolor(), TEXT), colour(cell.bgcolor(), BACKGROUND));
        if cell.inverse() {
            std::mem::swap(&mut ink, &mut behind);
        }
        Self {
            ink,
            behind: Some(behind).filter(|behind| behind != BACKGROUND),
            bold: cell.bold(),
            dim: cell.dim(),
            italic: cell.italic(),
            underline: cell.underline(),
        }
    }
}
