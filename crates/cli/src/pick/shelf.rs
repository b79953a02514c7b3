//! The shelf: the candidates, read by a thread of their own while one types already.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use scrollback_app::catalogue::{Index, Place, Survey};
use scrollback_app::edit::mark::Marks;
use scrollback_app::error::AppError;
use scrollback_app::library::Library;
use scrollback_app::picking::{self, Candidate};
use scrollback_format::time::Time;

use crate::failure::{Failure, Kind};

/// Candidates on their way.
pub struct Shelf {
    total: u64,
    done: Arc<AtomicU64>,
    coming: Option<Receiver<Result<Vec<Candidate>, AppError>>>,
}

impl Shelf {
    /// Begins to read: the catalogue kept in `place` is brought up to date, which takes a while the first time.
    pub fn read(library: &Library, place: Place, marks: Marks, now: Time) -> Self {
        let survey = Survey::of(library);
        let total = survey.bytes();
        let done = Arc::new(AtomicU64::new(0));
        let (sender, receiver) = channel();
        let count = Arc::clone(&done);
        std::thread::spawn(move || {
            let progress = |bytes| {
                count.fetch_add(bytes, Ordering::Relaxed);
            };
            let index = Index::of_survey(&survey, &place, now, &progress);
            let found = index.and_then(|index| picking::candidates(&index, &marks)).map_err(AppError::from);
            // Nobody may be there any more to take them.
            let _ = sender.send(found);
        });
        Self { total, done, coming: Some(receiver) }
    }

    /// How much is read, of a hundred; none once all was taken.
    pub fn percent(&self) -> Option<u8> {
        self.coming.as_ref()?;
        let done = self.done.load(Ordering::Relaxed).min(self.total);
        Some((done * 100).checked_div(self.total).unwrap_or(0) as u8)
    }

    /// The candidates, once they are there.
    pub fn take(&mut self) -> Result<Option<Vec<Candidate>>, Failure> {
        let Some(coming) = &self.coming else { return Ok(None) };
        match coming.try_recv() {
            Ok(candidates) => {
                self.coming = None;
                Ok(Some(candidates?))
            }
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => {
                Err(Failure::new(Kind::Bug, "reading the sessions came to a sudden end"))
            }
        }
    }
}
