//! Roles that text can play, and how a theme shows each.
//!
//! Code that lays out text names a role, never a colour: a theme alone knows escape codes. Only the 16
//! colours of the terminal's own palette are used, because those are the ones that its user has already
//! made readable on a dark or a light background; plain white, black and yellow text is avoided, since
//! each vanishes on one of the two.

use anstyle::{AnsiColor, Effects};

/// What a piece of text means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are their own description; the others have one")]
pub enum Style {
    #[default]
    Plain,
    Strong,
    Emphasis,
    StrongEmphasis,
    Struck,
    /// Less important than what is around it: frames, hints, what was left out.
    Dim,
    Heading,
    Link,
    /// Code inside a sentence.
    Code,
    /// Code on lines of its own that has no finer role.
    CodeBlock,
    /// The bar of a quotation.
    Quote,
    User,
    Assistant,
    Tool,
    Agent,
    Error,
    Warning,
    Success,
    Added,
    /// The words that make an added line differ from the removed one.
    AddedWord,
    Removed,
    /// The words that make a removed line differ from the added one.
    RemovedWord,
    /// What separates the hunks of a diff.
    Hunk,
    /// What a search found.
    Match,
    Title,
    Time,
    Number,
    Path,
    /// In code: a word of the language.
    Keyword,
    /// In code: a string.
    Literal,
    /// In code: a number, a character, `true`.
    Constant,
    /// In code: the name of a function.
    Function,
    /// In code: the name of a type, a tag, a key.
    Type,
    /// In code: a comment.
    Comment,
}

/// How roles look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    colour: bool,
}

impl Theme {
    /// No escape code at all: for files, pipes, and who asked for no colour.
    pub fn plain() -> Self {
        Self { colour: false }
    }

    /// The 16 colours of the terminal's palette.
    pub fn colour() -> Self {
        Self { colour: true }
    }

    /// Whether roles are invisible, so that meaning has to be carried by characters.
    pub fn is_plain(self) -> bool {
        !self.colour
    }

    /// The escape codes of a role; none under a plain theme.
    pub fn codes(self, style: Style) -> anstyle::Style {
        if self.colour { coloured(style) } else { anstyle::Style::new() }
    }
}

fn coloured(style: Style) -> anstyle::Style {
    use AnsiColor::{Black, Blue, BrightBlue, Cyan, Green, Magenta, Red, Yellow};
    let none = anstyle::Style::new();
    let with = |colour: AnsiColor| none.fg_color(Some(colour.into()));
    match style {
        Style::Plain | Style::CodeBlock => none,
        Style::Strong | Style::Title => none.bold(),
        Style::Emphasis => none.italic(),
        Style::StrongEmphasis => none.bold().italic(),
        Style::Struck => none.effects(Effects::STRIKETHROUGH | Effects::DIMMED),
        // The attribute and not "bright black": palettes such as Solarized give that the background's colour.
        Style::Dim | Style::Time | Style::Quote => none.dimmed(),
        Style::Comment => none.dimmed().italic(),
        Style::Heading => with(Magenta).bold(),
        Style::Link => with(BrightBlue).underline(),
        Style::Code | Style::Number | Style::Constant | Style::Path => with(Cyan),
        Style::User => with(BrightBlue).bold(),
        Style::Assistant => with(Magenta).bold(),
        Style::Tool => with(Cyan).bold(),
        Style::Agent => with(Green).bold(),
        Style::Error => with(Red).bold(),
        // Bold makes yellow dark enough on a light background.
        Style::Warning => with(Yellow).bold(),
        Style::Success | Style::Added | Style::Literal => with(Green),
        Style::AddedWord => with(Green).bold().underline(),
        Style::Removed => with(Red),
        Style::RemovedWord => with(Red).bold().underline(),
        Style::Hunk => with(Cyan).dimmed(),
        Style::Match => with(Black).bg_color(Some(Yellow.into())),
        Style::Keyword => with(Magenta),
        Style::Function => with(BrightBlue),
        Style::Type => with(Blue).bold(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_theme_has_no_codes() {
        for style in [Style::Error, Style::Heading, Style::Match, Style::Keyword] {
            assert_eq!(Theme::plain().codes(style), anstyle::Style::new(), "{style:?}");
            assert_ne!(Theme::colour().codes(style), anstyle::Style::new(), "{style:?}");
        }
    }
}
