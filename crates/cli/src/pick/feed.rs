//! The shelf: the candidates, read by a thread of their own while one types already.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use scrollback_app::desk::Desk;
use scrollback_app::error::AppError;
use scrollback_app::notice::{Notice, Reporter, Work};
use scrollback_app::picking::PickCandidate;
use scrollback_app::request::pick::PickRequest;

use crate::failure::{ExitKind, Failure};

/// Candidates on their way.
pub struct CandidateFeed {
    count: Arc<Count>,
    coming: Option<Receiver<Result<Vec<PickCandidate>, AppError>>>,
}

/// How far reading has come. Notices would be drawn over: the list itself shows what there is.
#[derive(Default)]
struct Count {
    total: AtomicU64,
    done: AtomicU64,
}

impl Reporter for Count {
    fn begin(&self, _: Work, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    fn advance(&self, bytes: u64) {
        self.done.fetch_add(bytes, Ordering::Relaxed);
    }

    fn end(&self) {}

    fn notice(&self, _: &Notice) {}
}

impl CandidateFeed {
    /// Begins to read: the index is brought up to date, which takes a while the first time.
    pub fn read(desk: Desk) -> Self {
        let count = Arc::new(Count::default());
        let (sender, receiver) = channel();
        let desk = Desk { reporter: Arc::<Count>::clone(&count), ..desk };
        std::thread::spawn(move || {
            // Nobody may be there any more to take them.
            let _ = sender.send(desk.answer(&PickRequest {}));
        });
        Self { count, coming: Some(receiver) }
    }

    /// How much is read, of a hundred; none once all was taken.
    pub fn percent(&self) -> Option<u8> {
        self.coming.as_ref()?;
        let total = self.count.total.load(Ordering::Relaxed);
        let done = self.count.done.load(Ordering::Relaxed).min(total);
        Some((done * 100).checked_div(total).unwrap_or(0) as u8)
    }

    /// The candidates, once they are there.
    pub fn take(&mut self) -> Result<Option<Vec<PickCandidate>>, Failure> {
        let Some(coming) = &self.coming else { return Ok(None) };
        match coming.try_recv() {
            Ok(candidates) => {
                self.coming = None;
                Ok(Some(candidates?))
            }
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => {
                Err(Failure::new(ExitKind::Bug, "reading the sessions crashed"))
            }
        }
    }
}
