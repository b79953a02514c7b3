//! Markdown as lines for a terminal.
//!
//! Answers of a model are Markdown more often than not, and never promise to be well-formed; whatever comes
//! in, all of its words come out. HTML is shown as the text it is, images as their description, links with
//! their address. Under a plain theme the marks that carry meaning stay: `#` of headings, the backticks of
//! code. Footnotes and mathematics are left as they were written.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::harmless::harmless;
use super::highlight::highlight;
use super::line::StyledLine;
use super::nest::{Nest, quote};
use super::style::Style;
use super::table::Table;
use super::wrap::{self, Indent};
use super::{Canvas, width};

/// The lines of `text`.
pub fn markdown(text: &str, canvas: Canvas) -> Vec<StyledLine> {
    let text = harmless(text);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut walk = Walk::new(canvas);
    for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
        // A single tilde means "about" far more often than it means "no longer".
        let tilde = text.get(range).is_some_and(|source| !source.starts_with("~~"));
        match event {
            Event::Start(Tag::Strikethrough) if tilde => walk.text("~"),
            Event::End(TagEnd::Strikethrough) if tilde => walk.text("~"),
            event => walk.event(event),
        }
    }
    walk.flush();
    walk.nest.finish()
}

/// The state between two events.
struct Walk {
    canvas: Canvas,
    nest: Nest,
    /// The sentence that is being collected.
    line: StyledLine,
    styles: Vec<Style>,
    lists: Vec<List>,
    code: Option<Code>,
    table: Option<Table>,
    links: Vec<Link>,
}

struct List {
    next: Option<u64>,
    /// Whether items are paragraphs, with empty lines between them.
    loose: bool,
}

/// A link that is open: its address and the text that was shown for it so far.
struct Link {
    address: String,
    shown: String,
}

struct Code {
    language: String,
    text: String,
}

impl Walk {
    fn new(canvas: Canvas) -> Self {
        Self {
            canvas,
            nest: Nest::new(canvas),
            line: StyledLine::empty(),
            styles: Vec::new(),
            lists: Vec::new(),
            code: None,
            table: None,
            links: Vec::new(),
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.inline_code(&code),
            Event::Html(html) => self.html(&html),
            Event::InlineHtml(html) if is_break(&html) => self.hard_break(),
            Event::InlineHtml(html) => self.text(&html),
            // Answers in a chat are written line by line: a break that Markdown would join was meant.
            Event::SoftBreak if self.table.is_none() => self.hard_break(),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.hard_break(),
            Event::Rule => self.rule(),
            Event::TaskListMarker(done) => {
                let (mark, style) = if done { ("☑ ", Style::Success) } else { ("☐ ", Style::Dim) };
                self.line.push(mark, style);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => {
                self.flush();
                if let Some(list) = self.lists.last_mut() {
                    list.loose = true;
                }
            }
            Tag::Heading { level, .. } => self.start_heading(level),
            Tag::BlockQuote(_) => {
                self.flush();
                self.nest.begin();
                self.nest.open(quote());
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.code = Some(Code { language: language(&kind), text: String::new() });
            }
            Tag::List(next) => self.start_list(next),
            Tag::Item => self.start_item(),
            Tag::Table(alignments) => {
                self.flush();
                self.table = Some(Table { alignments, rows: Vec::new() });
            }
            Tag::TableHead => self.start_row(Style::Strong),
            Tag::TableRow => self.start_row(Style::Plain),
            Tag::Emphasis => self.nested_style(Style::Emphasis),
            Tag::Strong => self.nested_style(Style::Strong),
            Tag::Strikethrough => {
                self.plain_mark("~~");
                self.styles.push(Style::Struck);
            }
            Tag::Link { dest_url, .. } => {
                self.links.push(Link { address: dest_url.into_string(), shown: String::new() });
                self.styles.push(Style::Link);
            }
            Tag::Image { .. } => {
                self.styles.push(Style::Dim);
                self.text("[image: ");
            }
            _ => self.flush(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_block(),
            TagEnd::Heading(_) => {
                self.styles.pop();
                self.end_block();
                // What follows belongs to the heading: no empty line between.
                self.nest.set_gap(false);
            }
            TagEnd::BlockQuote(_) | TagEnd::Item => {
                self.flush();
                self.nest.close();
                if !matches!(tag, TagEnd::Item) {
                    self.nest.set_gap(true);
                }
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => self.end_list(),
            TagEnd::Table => self.end_table(),
            TagEnd::TableCell => self.end_cell(),
            TagEnd::TableHead | TagEnd::TableRow | TagEnd::Emphasis | TagEnd::Strong => {
                self.styles.pop();
            }
            TagEnd::Strikethrough => {
                self.styles.pop();
                self.plain_mark("~~");
            }
            TagEnd::Link => self.end_link(),
            TagEnd::Image => {
                self.text("]");
                self.styles.pop();
            }
            _ => self.flush(),
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    /// Pushes a style inside another: emphasis adds up, and a heading or link stays what it is.
    fn nested_style(&mut self, style: Style) {
        let style = match (self.style(), style) {
            (Style::Strong, Style::Emphasis) | (Style::Emphasis, Style::Strong) => Style::StrongEmphasis,
            (Style::Plain, style) => style,
            (outer, _) => outer,
        };
        self.styles.push(style);
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some(code) => code.text.push_str(text),
            None => self.sentence(text, self.style()),
        }
    }

    fn sentence(&mut self, text: &str, style: Style) {
        if let Some(link) = self.links.last_mut() {
            link.shown.push_str(text);
        }
        self.line.push(text, style);
    }

    /// A mark of the source that stays where roles cannot be seen.
    fn plain_mark(&mut self, mark: &str) {
        if self.canvas.theme.is_plain() {
            self.text(mark);
        }
    }

    fn inline_code(&mut self, code: &str) {
        self.plain_mark("`");
        self.sentence(code, if self.style() == Style::Struck { Style::Struck } else { Style::Code });
        self.plain_mark("`");
    }

    fn html(&mut self, html: &str) {
        for line in html.lines() {
            self.line.push(line, Style::Plain);
            self.flush();
        }
    }

    fn hard_break(&mut self) {
        if self.table.is_some() {
            // A cell is one sentence; its line breaks are only hints.
            self.text(" ");
        } else {
            self.flush();
        }
    }

    /// Writes the sentence that was collected.
    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.nest.begin();
            self.nest.add_words(&line);
        }
    }

    fn end_block(&mut self) {
        self.flush();
        self.nest.set_gap(true);
    }

    fn start_heading(&mut self, level: HeadingLevel) {
        self.flush();
        self.nest.set_gap(true);
        self.styles.push(Style::Heading);
        self.plain_mark(&format!("{} ", "#".repeat(level as usize)));
    }

    fn rule(&mut self) {
        self.flush();
        self.nest.begin();
        let columns = self.nest.canvas().width.min(40);
        self.nest.add(&[StyledLine::new("─".repeat(columns), Style::Dim)]);
        self.nest.set_gap(true);
    }

    fn end_link(&mut self) {
        self.styles.pop();
        let Some(Link { address, shown }) = self.links.pop() else { return };
        let bare = address.strip_prefix("mailto:").unwrap_or(&address);
        if !address.is_empty() && shown.replace('`', "") != bare {
            self.line.push(format!(" ({address})"), Style::Dim);
        }
    }
}

/// Lists, code and tables: blocks with a state of their own.
impl Walk {
    fn start_list(&mut self, next: Option<u64>) {
        self.flush();
        self.nest.begin();
        self.lists.push(List { next, loose: false });
    }

    fn start_item(&mut self) {
        self.flush();
        let depth = self.lists.len();
        let mut marker = "•".to_owned();
        if let Some(list) = self.lists.last_mut() {
            if list.loose {
                self.nest.set_gap(true);
            }
            match &mut list.next {
                Some(number) => {
                    marker = format!("{number}.");
                    *number = number.saturating_add(1);
                }
                None if depth.is_multiple_of(2) => marker = "◦".to_owned(),
                None => {}
            }
        }
        self.nest.begin();
        self.nest.open(Indent::hanging(StyledLine::new(marker, Style::Dim).with(" ", Style::Plain)));
    }

    fn end_list(&mut self) {
        self.flush();
        self.lists.pop();
        if self.lists.last().is_none_or(|outer| outer.loose) {
            self.nest.set_gap(true);
        }
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        self.nest.begin();
        self.nest.open(Indent::every(StyledLine::plain("  ")));
        if !code.language.is_empty() {
            self.nest.add(&[StyledLine::new(code.language.as_str(), Style::Dim)]);
        }
        let canvas = self.nest.canvas();
        for line in highlight(&code.text, &code.language, canvas.theme) {
            self.nest.add(&wrap::code(&line, canvas, &Indent::none()));
        }
        self.nest.close();
        self.nest.set_gap(true);
    }

    fn start_row(&mut self, style: Style) {
        if let Some(table) = &mut self.table {
            table.rows.push(Vec::new());
        }
        self.styles.push(style);
    }

    fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.line);
        if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
            row.push(cell);
        }
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else { return };
        self.nest.begin();
        let lines = table.lines(self.nest.canvas());
        self.nest.add(&lines);
        self.nest.set_gap(true);
    }
}

/// The language of a block: the first word after its fence, without options such as `rust,ignore`.
fn language(kind: &CodeBlockKind<'_>) -> String {
    let CodeBlockKind::Fenced(info) = kind else { return String::new() };
    let word = info.split([' ', ',', '{', ':']).next().unwrap_or_default();
    width::cut(word, 20)
}

/// `<br>`, `<br/>`, `<br />`.
fn is_break(html: &str) -> bool {
    let name = html.trim_start_matches('<').trim_end_matches(['>', '/', ' ']);
    name.eq_ignore_ascii_case("br")
}

#[cfg(test)]
mod tests;
