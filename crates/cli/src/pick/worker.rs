//! A thread that paints previews. Only the latest request is answered; older ones are dropped.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use scrollback_app::picking::PickCandidate;

use super::preview::{self, PreviewPane, PreviewRequest};
use crate::context::Context;
use crate::paint::{Canvas, Style, StyledLine, Theme};

/// Takes requests and returns previews.
pub struct PreviewWorker {
    tray: Arc<Tray>,
    made: Receiver<PreviewPane>,
    /// To be waited for: it may hold the sample's directory, which goes away with its last holder.
    painter: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Tray {
    slot: Mutex<Slot>,
    changed: Condvar,
}

#[derive(Default)]
struct Slot {
    wish: Option<PreviewRequest>,
    /// Goes up with every wish, so that the painter sees that another one came.
    number: u64,
    closed: bool,
}

impl Tray {
    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next request with its number; None once the picker is gone.
    fn next(&self) -> Option<(PreviewRequest, u64)> {
        let mut slot = self.slot();
        loop {
            if slot.closed {
                return None;
            }
            if let Some(wish) = slot.wish.take() {
                return Some((wish, slot.number));
            }
            slot = self.changed.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn is_stale(&self, number: u64) -> bool {
        let slot = self.slot();
        slot.closed || slot.number != number
    }
}

impl PreviewWorker {
    /// A desk for these candidates.
    pub fn open(context: &Context, theme: Theme, candidates: Arc<Vec<PickCandidate>>) -> Self {
        let tray = Arc::new(Tray::default());
        let (sender, made) = channel();
        let own = Arc::clone(&tray);
        let is_sample = context.is_sample();
        let context = context.keeping(Canvas::new(1, theme));
        let painter = std::thread::spawn(move || {
            while let Some((wish, number)) = own.next() {
                let Some(candidate) = candidates.get(wish.candidate) else { continue };
                let canvas = Canvas::new(usize::from(wish.width).max(1), theme);
                let mut context = context.keeping(canvas);
                let mut tell = |preview| {
                    let _ = sender.send(preview);
                };
                let done = preview::paint(&mut context, candidate, wish, &|| own.is_stale(number), &mut tell);
                if let Err(failure) = done {
                    let lines = vec![StyledLine::new(failure.message, Style::Error)];
                    tell(PreviewPane { wish, lines, anchor: 0 });
                }
            }
        });
        Self { tray, made, painter: is_sample.then_some(painter) }
    }

    /// Wishes for a preview, instead of whatever was wished for before.
    pub fn wish(&self, wish: PreviewRequest) {
        let mut slot = self.tray.slot();
        slot.wish = Some(wish);
        slot.number += 1;
        self.tray.changed.notify_one();
    }

    /// A preview, if one comes within this time.
    pub fn take(&self, patience: Duration) -> Option<PreviewPane> {
        self.made.recv_timeout(patience).ok()
    }
}

impl Drop for PreviewWorker {
    fn drop(&mut self) {
        self.tray.slot().closed = true;
        self.tray.changed.notify_one();
        if let Some(painter) = self.painter.take() {
            let _ = painter.join();
        }
    }
}
