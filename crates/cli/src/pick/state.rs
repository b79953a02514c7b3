//! The state: what is typed, found, selected and shown, and what each key makes of it. Knows no terminal.

use std::sync::Arc;

use scrollback_app::picking::PickCandidate;
use scrollback_app::ranking::{Hit, PickQuery};

use super::Deed;
use super::input::TextInput;
use super::keys::Act;
use super::preview::{PreviewPane, PreviewRequest};

/// Which sessions are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickScope {
    /// Those of the current directory or its repository.
    Here,
    /// All.
    All,
}

/// What follows from a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyEffect {
    /// Nothing but what is drawn.
    Stay,
    /// Picking ends with a session: its place among the candidates.
    Picked(usize, Deed),
    /// Picking ends with nothing.
    Leave,
    /// Picking ends at once.
    Interrupt,
}

/// One session that can be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPlaceName {
    /// Its directory, for people.
    pub name: String,
    /// Is it of the current directory or its repository?
    pub is_here: bool,
}

/// Everything that a frame is drawn from.
#[derive(Debug)]
pub struct PickState {
    /// What is typed.
    pub input: TextInput,
    /// Which sessions are listed.
    pub scope: PickScope,
    /// All sessions, pinned ones first, then newest first.
    pub candidates: Arc<Vec<PickCandidate>>,
    /// Where each of them is.
    pub places: Vec<SessionPlaceName>,
    /// What is looked for.
    pub query: PickQuery,
    /// What fits, best first.
    pub hits: Vec<Hit>,
    /// The selected row.
    pub selected: usize,
    /// The first row that is drawn.
    pub top: usize,
    /// How much is read yet, of a hundred; none if all is.
    pub reading: Option<u8>,
    /// What the pane shows.
    pub preview: Option<PreviewPane>,
    /// How far the pane is scrolled from where the prompt stands.
    pub scroll: isize,
    /// Columns and lines of the pane, as it was drawn last; none if there is no room for one.
    pub pane: Option<(u16, u16)>,
    /// Is the list of keys shown?
    pub help: bool,
    scope_was_chosen: bool,
}

impl PickState {
    /// Before anything is read.
    pub fn new(words: &str) -> Self {
        let input = TextInput::new(words);
        Self {
            query: PickQuery::parse(input.text()),
            input,
            scope: PickScope::Here,
            candidates: Arc::default(),
            places: Vec::new(),
            hits: Vec::new(),
            selected: 0,
            top: 0,
            reading: Some(0),
            preview: None,
            scroll: 0,
            pane: None,
            help: false,
            scope_was_chosen: false,
        }
    }

    /// Takes the sessions, once they are read. Where none is of this place, all are listed.
    pub fn fill(&mut self, candidates: Vec<PickCandidate>, places: Vec<SessionPlaceName>) {
        self.reading = None;
        if !self.scope_was_chosen && !places.iter().any(|place| place.is_here) {
            self.scope = PickScope::All;
        }
        self.candidates = Arc::new(candidates);
        self.places = places;
        self.rank();
    }

    fn rank(&mut self) {
        let (scope, places) = (self.scope, &self.places);
        let wanted = |at: usize| scope == PickScope::All || places.get(at).is_some_and(|place| place.is_here);
        self.hits = self.query.rank(&self.candidates, wanted);
        self.select(0);
        self.top = 0;
    }

    fn select(&mut self, row: usize) {
        self.selected = row.min(self.hits.len().saturating_sub(1));
        self.scroll = 0;
    }

    /// How many sessions there are in the scope.
    pub fn listed(&self) -> usize {
        match self.scope {
            PickScope::All => self.candidates.len(),
            PickScope::Here => self.places.iter().filter(|place| place.is_here).count(),
        }
    }

    /// The selected row.
    pub fn hit(&self) -> Option<&Hit> {
        self.hits.get(self.selected)
    }

    /// What the pane should show.
    pub fn wish(&self) -> Option<PreviewRequest> {
        let (width, _) = self.pane?;
        self.hit().map(|hit| PreviewRequest { candidate: hit.candidate, prompt: hit.prompt, width })
    }

    /// The preview, if it is one of the selected session.
    pub fn shown(&self) -> Option<&PreviewPane> {
        let selected = self.hit()?.candidate;
        self.preview.as_ref().filter(|preview| preview.wish.candidate == selected)
    }

    /// Takes a preview, if it is still the one that is wished for.
    pub fn show(&mut self, preview: PreviewPane) {
        if self.wish() == Some(preview.wish) {
            self.preview = Some(preview);
        }
    }

    /// The first line of the conversation that a pane of this height shows; the scrolling is kept inside.
    pub fn fit_preview(&mut self, height: usize) -> usize {
        let Some((anchor, lines)) = self.shown().map(|preview| (preview.anchor, preview.lines.len())) else {
            return 0;
        };
        let last = lines.saturating_sub(height);
        let first = anchor.saturating_add_signed(self.scroll).min(last);
        if self.scroll != 0 {
            self.scroll = first as isize - anchor as isize;
        }
        first
    }

    /// Scrolls the list so that the selected row is visible.
    pub fn fit_list(&mut self, height: usize) {
        let least = (self.selected + 1).saturating_sub(height);
        self.top = self.top.clamp(least, self.selected.max(least));
    }

    /// What is pasted is typed.
    pub fn paste(&mut self, text: &str) {
        self.edit(|input| input.insert(text));
    }

    /// Does what a key asks for.
    pub fn act(&mut self, act: Act) -> KeyEffect {
        if self.help && act != Act::Interrupt {
            self.help = false;
            return KeyEffect::Stay;
        }
        match act {
            Act::Type('?') if self.input.text().is_empty() => self.help = true,
            Act::Type(c) => self.edit(|input| input.insert(c.encode_utf8(&mut [0; 4]))),
            Act::Backspace => self.edit(TextInput::backspace),
            Act::Delete => self.edit(TextInput::delete),
            Act::DeleteWord => self.edit(TextInput::delete_word),
            Act::Left => self.input.left(),
            Act::Right => self.input.right(),
            Act::Home => self.input.home(),
            Act::End => self.input.end(),
            Act::Move(rows) => self.select(self.selected.saturating_add_signed(rows)),
            Act::Scroll(halves) => {
                let half = self.pane.map_or(1, |(_, height)| isize::from(height as i16) / 2).max(1);
                self.scroll = self.scroll.saturating_add(halves.saturating_mul(half));
            }
            Act::Scope => self.change_scope(),
            Act::Help => self.help = true,
            Act::Pick(deed) => {
                return self.hit().map_or(KeyEffect::Stay, |hit| KeyEffect::Picked(hit.candidate, deed));
            }
            Act::Leave => return KeyEffect::Leave,
            Act::Interrupt => return KeyEffect::Interrupt,
        }
        KeyEffect::Stay
    }

    fn edit(&mut self, change: impl FnOnce(&mut TextInput)) {
        change(&mut self.input);
        let query = PickQuery::parse(self.input.text());
        if query != self.query {
            self.query = query;
            self.rank();
        }
    }

    /// The other scope, with the same session selected if it is there too.
    fn change_scope(&mut self) {
        self.scope_was_chosen = true;
        let selected = self.hit().map(|hit| hit.candidate);
        self.scope = if self.scope == PickScope::Here { PickScope::All } else { PickScope::Here };
        self.rank();
        if let Some(row) = self.hits.iter().position(|hit| Some(hit.candidate) == selected) {
            self.select(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::StyledLine;
    use crate::pick::frames::{sample, state};

    fn type_in(state: &mut PickState, text: &str) {
        for c in text.chars() {
            assert_eq!(state.act(Act::Type(c)), KeyEffect::Stay);
        }
    }

    fn ids(state: &PickState) -> Vec<&str> {
        state.hits.iter().map(|hit| &state.candidates[hit.candidate].view.session_id[..4]).collect()
    }

    #[test]
    fn this_place_comes_first_and_tab_shows_all() {
        let mut state = state("");
        assert_eq!((state.scope, ids(&state)), (PickScope::Here, vec!["8583", "08aa"]));
        state.act(Act::Move(1));
        state.act(Act::Scope);
        assert_eq!(state.scope, PickScope::All);
        assert_eq!(ids(&state)[state.selected], "08aa", "the selected session stays selected");
        state.act(Act::Scope);
        assert_eq!(ids(&state).len(), 2);
    }

    #[test]
    fn where_nothing_is_of_this_place_all_are_listed() {
        let (candidates, places) = sample();
        let elsewhere =
            places.into_iter().map(|place| SessionPlaceName { is_here: false, ..place }).collect();
        let mut state = PickState::new("");
        state.fill(candidates, elsewhere);
        assert_eq!(state.scope, PickScope::All);
        assert!(!state.hits.is_empty());
    }

    #[test]
    fn typing_narrows_and_selects_the_best() {
        let mut state = state("");
        state.act(Act::Scope);
        state.act(Act::Move(2));
        type_in(&mut state, "migr");
        assert_eq!((ids(&state), state.selected), (vec!["1fab"], 0));
        type_in(&mut state, "zzz");
        assert!(state.hits.is_empty());
        assert_eq!(state.act(Act::Pick(Deed::Accept)), KeyEffect::Stay, "there is nothing to take");
        state.act(Act::DeleteWord);
        assert_eq!(state.hits.len(), state.candidates.len());
    }

    #[test]
    fn what_is_typed_before_all_is_read_counts() {
        let mut state = PickState::new("migr");
        assert_eq!(state.act(Act::Pick(Deed::Accept)), KeyEffect::Stay);
        state.act(Act::Scope);
        let (candidates, places) = sample();
        state.fill(candidates, places);
        assert_eq!(ids(&state), ["1fab"]);
    }

    #[test]
    fn moving_stays_inside_the_list() {
        let mut state = state("");
        state.act(Act::Move(-1));
        assert_eq!(state.selected, 0);
        state.act(Act::Move(9));
        assert_eq!(state.selected, 1);
        assert_eq!(state.act(Act::Pick(Deed::Show)), KeyEffect::Picked(state.hits[1].candidate, Deed::Show));
        state.fit_list(1);
        assert_eq!(state.top, 1);
        state.act(Act::Move(-1));
        state.fit_list(1);
        assert_eq!(state.top, 0);
        state.fit_list(0);
    }

    #[test]
    fn only_the_preview_that_is_wished_for_is_taken_and_scrolled_inside() {
        let mut state = state("");
        state.pane = Some((40, 10));
        let wish = state.wish().unwrap();
        let preview = |wish| PreviewPane { wish, lines: vec![StyledLine::plain("x"); 30], anchor: 12 };
        state.show(preview(PreviewRequest { width: 41, ..wish }));
        assert!(state.shown().is_none());
        state.show(preview(wish));
        assert_eq!(state.fit_preview(10), 12);
        state.act(Act::Scroll(-1));
        assert_eq!(state.fit_preview(10), 7);
        state.act(Act::Scroll(40));
        assert_eq!(state.fit_preview(10), 20);
        state.act(Act::Scroll(-1));
        assert_eq!(state.fit_preview(10), 15, "scrolling past the end is not remembered");
        state.act(Act::Move(1));
        assert!(state.shown().is_none(), "another session, another preview");
    }

    #[test]
    fn help_is_told_and_closed_by_any_key() {
        let mut state = state("");
        state.act(Act::Type('?'));
        assert!(state.help);
        assert_eq!(state.act(Act::Leave), KeyEffect::Stay);
        assert!(!state.help);
        assert_eq!(state.act(Act::Leave), KeyEffect::Leave);
        state.act(Act::Help);
        assert_eq!(state.act(Act::Interrupt), KeyEffect::Interrupt);
        let mut state = PickState::new("why");
        state.act(Act::Type('?'));
        assert_eq!(state.input.text(), "why?");
    }
}
