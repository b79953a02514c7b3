//! Scanning one file: blocks through the sieve, candidates through the parser, texts through the expression.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;

use regex_automata::meta::Regex;
use scrollback_format::entry::{Dialect, Entry};
use scrollback_format::json::Text;
use scrollback_format::line::Line;
use scrollback_format::piece::{Parser, Piece, PieceKind};
use scrollback_store::small::Spans;
use scrollback_store::{LineBlock, LineReader, ReadPart};

use super::calls::Calls;
use super::filter::{contains, model};
use super::neighbour::{Neighbours, short};
use super::sieve::Sieve;
use super::stream::Outlet;
use super::target::GrepTarget;
use super::text::{self, CallContext, Speaker};
use super::view::{GrepEntry, GrepFile, GrepHit, GrepNeighbour};
use super::{GrepEvent, GrepQuery, Mode, block, stretch};
use scrollback_model::transcript::FileKind;
use scrollback_session::load::Loader;
use scrollback_session::trouble::TroubleView;

/// How many matches of one entry are told.
const MATCHES: usize = 10_000;
/// A line longer than this is not read again to be shown beside a match.
const LONG_LINE: usize = 4 << 20;

/// Searches files. One per thread: it keeps its buffers and the expression's own.
#[derive(Debug)]
pub struct Scanner<'q> {
    query: &'q GrepQuery,
    regex: Regex,
    sieve: Option<Sieve>,
    reader: LineReader,
    parser: Parser,
    tools: Tools,
}

/// What is needed beside the file that is being read.
#[derive(Debug, Default)]
struct Tools {
    reader: LineReader,
    parser: Parser,
    loader: Loader,
}

impl<'q> Scanner<'q> {
    /// A scanner with its own copy of the expression.
    pub fn new(query: &'q GrepQuery, regex: &Regex, sieve: Option<&Sieve>) -> Self {
        Self {
            query,
            regex: regex.clone(),
            sieve: sieve.cloned(),
            reader: LineReader::new(),
            parser: Parser::new(),
            tools: Tools::default(),
        }
    }

    /// Searches a file and tells what it finds, until it is told to stop.
    pub fn file(&mut self, target: &GrepTarget, outlet: &mut dyn Outlet<GrepEvent>) {
        let query = self.query;
        if !query.filter.takes_agent(target.agent.as_deref(), &target.path) {
            return;
        }
        let mut project = None;
        if let Some(part) = &query.filter.project {
            let known = project_of(target, &mut self.tools.loader);
            if !contains(known.as_deref().unwrap_or(&target.folder), part) {
                return;
            }
            project = Some(known);
        }
        let (before, after) = query.context();
        let mut pass = Pass {
            query,
            target,
            regex: &self.regex,
            sieve: self.sieve.as_ref(),
            tools: &mut self.tools,
            outlet,
            project,
            calls: None,
            spans: None,
            neighbours: Neighbours::new(before, after),
            matched: 0,
        };
        let mut other;
        let parser = match target.dialect {
            Dialect::Session => &mut self.parser,
            dialect => {
                other = Parser::for_dialect(dialect);
                &mut other
            }
        };
        let end = self.reader.read_blocks(&target.path, |part| pass.part(parser, part));
        pass.finish(end.err());
    }
}

/// The directory that a file was begun in.
fn project_of(target: &GrepTarget, loader: &mut Loader) -> Option<String> {
    let head = loader.head(&target.path, FileKind::Session, |seen| seen.cwds.first().is_some()).ok()?;
    head.cwds.first().map(|cwd| head.text(cwd).to_owned())
}

/// One reading of one file.
struct Pass<'p> {
    query: &'p GrepQuery,
    target: &'p GrepTarget,
    regex: &'p Regex,
    sieve: Option<&'p Sieve>,
    tools: &'p mut Tools,
    outlet: &'p mut dyn Outlet<GrepEvent>,
    /// The project, as far as it was asked for already.
    project: Option<Option<String>>,
    calls: Option<Calls>,
    spans: Option<Spans<'p>>,
    neighbours: Neighbours,
    matched: u64,
}

impl<'p> Pass<'p> {
    fn part(&mut self, parser: &mut Parser, part: ReadPart<'_>) -> ControlFlow<()> {
        match part {
            ReadPart::Block(block) => self.block(parser, &block),
            ReadPart::Oversize(part) if part.first => {
                self.skipped(format!("line {} is longer than 64 MB", part.number))
            }
            ReadPart::Oversize(_) => ControlFlow::Continue(()),
            ReadPart::Pause => self.outlet.pause(),
        }
    }

    fn emit(&mut self, event: GrepEvent) -> ControlFlow<()> {
        let size = event.size();
        self.outlet.put(event, size)
    }

    fn block(&mut self, parser: &mut Parser, block: &LineBlock<'_>) -> ControlFlow<()> {
        let sieve = self.sieve;
        if !self.neighbours.is_wanted() {
            return block::each_candidate(block, sieve, |line| self.line(parser, line));
        }
        block::each_line(block, sieve, |line, may_match| {
            let before = self.matched;
            if may_match {
                self.line(parser, line)?;
            }
            if self.matched == before
                && self.neighbours.wants(line.number)
                && let Some(neighbour) = self.neighbour(line)
            {
                self.neighbours.follow(neighbour);
            }
            self.neighbours.pass(&line);
            match self.neighbours.finished(false) {
                Some(hit) => self.emit(GrepEvent::Hit(hit)),
                None => ControlFlow::Continue(()),
            }
        })
    }

    fn line(&mut self, parser: &mut Parser, line: Line<'_>) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        parser.each(line, |piece| {
            if flow.is_continue() {
                flow = self.piece(&piece);
            }
        });
        flow
    }

    fn piece(&mut self, piece: &Piece<'_>) -> ControlFlow<()> {
        let (hit, session) = match &piece.kind {
            PieceKind::Blank | PieceKind::ByteOrderMark => return ControlFlow::Continue(()),
            PieceKind::Entry(entry) => (self.entry(piece, entry), entry.envelope.session_id),
            _ => (self.damaged(piece), None),
        };
        let Some(mut hit) = hit else { return ControlFlow::Continue(()) };
        self.matched += 1;
        if self.matched == 1 {
            let file = self.file(session);
            self.emit(GrepEvent::Begin(file))?;
        }
        match self.query.mode {
            Mode::Count => return ControlFlow::Continue(()),
            Mode::Files => return ControlFlow::Break(()),
            Mode::Hits => {}
        }
        if !self.neighbours.is_wanted() {
            return self.emit(GrepEvent::Hit(hit));
        }
        hit.before = self.before();
        match self.neighbours.hit(hit) {
            Some(last) => self.emit(GrepEvent::Hit(last)),
            None => ControlFlow::Continue(()),
        }
    }

    /// The match that an entry is, if any text of it matches.
    fn entry(&mut self, piece: &Piece<'_>, entry: &Entry<'_>) -> Option<Box<GrepHit>> {
        if !self.query.filter.takes_entry(entry) {
            return None;
        }
        let wants_texts = self.query.mode == Mode::Hits;
        let (mut texts, mut room, mut more) = (Vec::new(), MATCHES, false);
        let mut seen: HashSet<Cow<'_, str>> = HashSet::new();
        let mut whose: Option<(Speaker, Option<String>)> = None;
        text::each(entry, |place, words| {
            let next = ControlFlow::Continue(());
            if !self.query.filter.takes_place(place)
                || self.sieve.is_some_and(|sieve| !sieve.passes(words.raw()))
            {
                return next;
            }
            let text = words.decode();
            if !self.regex.is_match(text.as_ref()) || text::is_base64(&text) || seen.contains(&text) {
                return next;
            }
            let wants_tool = self.query.filter.tool.is_some() || (wants_texts && whose.is_none());
            let tool = place.call.filter(|_| wants_tool).and_then(|call| self.tool(call));
            if !self.query.filter.takes_tool(tool.as_deref()) {
                return next;
            }
            whose.get_or_insert((place.speaker, tool));
            if !wants_texts {
                return ControlFlow::Break(());
            }
            stretch::find(self.regex, &text, || place.field(), &mut texts, (&mut room, &mut more));
            seen.insert(text);
            if more { ControlFlow::Break(()) } else { next }
        });
        let (speaker, tool) = whose?;
        let about = GrepEntry { role: speaker.name(), tool, ..GrepEntry::of(piece, entry) };
        Some(Box::new(GrepHit { entry: about, texts, more, before: Vec::new(), after: Vec::new() }))
    }

    /// The match that a damaged line is, of which the bytes are searched as they are.
    fn damaged(&mut self, piece: &Piece<'_>) -> Option<Box<GrepHit>> {
        if !self.query.filter.takes_damaged() {
            return None;
        }
        let text = String::from_utf8_lossy(piece.bytes);
        let (mut texts, mut room, mut more) = (Vec::new(), MATCHES, false);
        stretch::find(self.regex, &text, String::new, &mut texts, (&mut room, &mut more)).then(|| {
            let entry = GrepEntry::damaged(piece);
            Box::new(GrepHit { entry, texts, more, before: Vec::new(), after: Vec::new() })
        })
    }

    /// The tool of a call.
    fn tool(&mut self, call: CallContext<'_>) -> Option<String> {
        let id = match call {
            CallContext::Of(name) => return Some(name.decode().into_owned()),
            CallContext::For(id) => id.decode(),
        };
        let tools = &mut *self.tools;
        let read = || Calls::of(&self.target.path, &mut tools.reader, &mut tools.parser);
        self.calls.get_or_insert_with(read).tool(&id).map(str::to_owned)
    }

    /// The lines before a match.
    fn before(&mut self) -> Vec<GrepNeighbour> {
        let mut neighbours = Vec::new();
        for place in self.neighbours.untold() {
            if place.len > LONG_LINE {
                continue;
            }
            let mut spans = match self.spans.take() {
                Some(spans) => spans,
                None => match Spans::open(&self.target.path) {
                    Ok(spans) => spans,
                    Err(_) => break,
                },
            };
            if let Ok(bytes) = spans.read(place.offset, place.len) {
                let line = Line::new(place.number, place.offset, bytes, true);
                neighbours.extend(self.neighbour(line));
            }
            self.spans = Some(spans);
        }
        neighbours
    }

    /// A line in short.
    fn neighbour(&mut self, line: Line<'_>) -> Option<GrepNeighbour> {
        // A parser of its own: the line may be asked for while another one is being taken apart.
        let mut parser = std::mem::take(&mut self.tools.parser);
        let mut found = None;
        parser.each(line, |piece| {
            if found.is_none() {
                found = short(&piece, |call| self.tool(call));
            }
        });
        self.tools.parser = parser;
        found
    }

    fn file(&mut self, session: Option<Text<'_>>) -> GrepFile {
        let target = self.target;
        let project = match self.project.take() {
            Some(project) => project,
            None => project_of(target, &mut self.tools.loader),
        };
        GrepFile {
            session_id: target.session.clone().or_else(|| session.map(|id| id.decode().into_owned())),
            agent_id: target.agent.clone(),
            project,
            path: target.path.clone(),
        }
    }

    fn skipped(&mut self, what: String) -> ControlFlow<()> {
        self.emit(GrepEvent::Skipped(TroubleView { path: self.target.path.clone(), what }))
    }

    /// The file is at its end, or could not be read to it.
    fn finish(mut self, error: Option<scrollback_store::ReadError>) {
        if let Some(hit) = self.neighbours.finished(true)
            && self.emit(GrepEvent::Hit(hit)).is_break()
        {
            return;
        }
        // A file that vanished since the walk is none that could have been searched.
        if let Some(error) = error.filter(|error| !error.is_gone())
            && self.skipped(error.source.to_string()).is_break()
        {
            return;
        }
        if self.matched > 0 {
            let _ = self.emit(GrepEvent::End((self.query.mode != Mode::Files).then_some(self.matched)));
        }
    }
}

impl GrepEntry {
    /// What is to say of an entry, but for who speaks.
    pub(super) fn of(piece: &Piece<'_>, entry: &Entry<'_>) -> Self {
        let text = |text: Option<Text<'_>>| text.map(|text| text.decode().into_owned());
        Self {
            line: piece.line,
            offset: piece.offset,
            uuid: text(entry.envelope.uuid),
            time: entry.time(),
            role: Speaker::System.name(),
            kind: entry.kind_name(),
            tool: None,
            model: text(model(entry)),
        }
    }

    /// What is to say of a damaged line.
    pub(super) fn damaged(piece: &Piece<'_>) -> Self {
        let kind = match piece.kind {
            PieceKind::Torn => "torn",
            PieceKind::Stub => "stub",
            PieceKind::Nuls => "nuls",
            PieceKind::Value => "value",
            _ => "fragment",
        };
        Self {
            line: piece.line,
            offset: piece.offset,
            uuid: None,
            time: None,
            role: Speaker::System.name(),
            kind: kind.to_owned(),
            tool: None,
            model: None,
        }
    }
}
