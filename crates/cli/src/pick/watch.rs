//! The watch: waits for keys, candidates and previews, whichever comes first, and draws what they change.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{self, Event, KeyEventKind};
use scrollback_app::picking::{Here, PickCandidate};

use super::feed::CandidateFeed;
use super::preview::PreviewRequest;
use super::screen::{self, Appearance};
use super::state::{KeyEffect, PickState, SessionPlaceName};
use super::terminal::Terminal;
use super::worker::PreviewWorker;
use super::{End, keys};
use crate::context::Context;
use crate::failure::Failure;

/// How long a frame waits for its preview, so that the pane does not flicker.
const GRACE: Duration = Duration::from_millis(20);
/// How often one looks for what other threads have made.
const BUSY: Duration = Duration::from_millis(20);
/// How often one looks for signals otherwise.
const IDLE: Duration = Duration::from_millis(250);
/// Columns of a project's name at the most.
const PLACE_COLUMNS: usize = 28;

/// Lets the user pick among the sessions of a desk.
pub fn pick(context: &mut Context, words: &str, look: Appearance) -> Result<End, Failure> {
    let desk = context.desk()?;
    // Before the terminal is taken: errors and notices are for the screen that was there.
    desk.library()?;
    desk.marks();
    let context: &Context = context;
    let mut terminal = Terminal::open()?;
    let mut watch = Watch {
        context,
        look,
        state: PickState::new(words),
        shelf: CandidateFeed::read(desk),
        desk: None,
        wished: None,
    };
    watch.run(&mut terminal)
}

struct Watch<'c> {
    context: &'c Context,
    look: Appearance,
    state: PickState,
    shelf: CandidateFeed,
    desk: Option<PreviewWorker>,
    wished: Option<PreviewRequest>,
}

impl Watch<'_> {
    fn run(&mut self, terminal: &mut Terminal) -> Result<End, Failure> {
        let mut changed = true;
        loop {
            if terminal.is_stopped() {
                return Ok(End::Interrupted);
            }
            changed |= self.take_candidates()?;
            changed |= self.take_previews(Duration::ZERO);
            if changed {
                let look = self.look;
                terminal.draw(|frame| screen::draw(frame, &mut self.state, look))?;
                // The frame has found out how wide the pane is.
                self.wish();
            }
            changed = false;
            let waits = self.state.reading.is_some() || self.state.wish() != self.shown();
            if !event::poll(if waits { BUSY } else { IDLE })? {
                continue;
            }
            // Everything that was typed meanwhile counts before the next frame.
            while event::poll(Duration::ZERO)? {
                changed = true;
                match self.take(event::read()?) {
                    KeyEffect::Stay => {}
                    KeyEffect::Leave => return Ok(End::Left),
                    KeyEffect::Interrupt => return Ok(End::Interrupted),
                    KeyEffect::Picked(at, deed) => {
                        let view = self.state.candidates.get(at).map(|candidate| candidate.view.clone());
                        return Ok(view.map_or(End::Left, |view| End::Picked(Box::new(view), deed)));
                    }
                }
            }
            self.wish();
            if self.state.wish() != self.shown() {
                self.take_previews(GRACE);
            }
        }
    }

    fn take(&mut self, event: Event) -> KeyEffect {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                keys::act(key).map_or(KeyEffect::Stay, |act| self.state.act(act))
            }
            Event::Paste(text) => {
                self.state.paste(&text);
                KeyEffect::Stay
            }
            _ => KeyEffect::Stay,
        }
    }

    /// What the pane shows now.
    fn shown(&self) -> Option<PreviewRequest> {
        self.state.shown().map(|preview| preview.wish)
    }

    fn wish(&mut self) {
        let wish = self.state.wish();
        if wish != self.wished
            && let Some(desk) = &self.desk
        {
            self.wished = wish;
            wish.into_iter().for_each(|wish| desk.wish(wish));
        }
    }

    fn take_candidates(&mut self) -> Result<bool, Failure> {
        let before = self.state.reading;
        if before.is_none() {
            return Ok(false);
        }
        let Some(candidates) = self.shelf.take()? else {
            self.state.reading = self.shelf.percent();
            return Ok(self.state.reading != before);
        };
        let here = self.context.env.cwd.as_deref().map(Here::of);
        let places = candidates.iter().map(|candidate| self.place(candidate, here.as_ref())).collect();
        self.state.fill(candidates, places);
        self.desk =
            Some(PreviewWorker::open(self.context, self.look.theme, Arc::clone(&self.state.candidates)));
        self.wish();
        Ok(true)
    }

    fn place(&self, candidate: &PickCandidate, here: Option<&Here>) -> SessionPlaceName {
        let view = &candidate.view;
        let name = match &view.project {
            Some(project) => self.context.dir_end(project, PLACE_COLUMNS),
            None => format!("[{}]", view.folder),
        };
        SessionPlaceName { name, is_here: here.is_some_and(|here| here.has(view)) }
    }

    fn take_previews(&mut self, patience: Duration) -> bool {
        let Some(desk) = &self.desk else { return false };
        let mut taken = false;
        let mut patience = patience;
        while let Some(preview) = desk.take(patience) {
            self.state.show(preview);
            taken = true;
            patience = Duration::ZERO;
        }
        taken
    }
}
