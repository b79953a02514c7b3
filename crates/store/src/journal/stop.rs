//! The wish to stop, as a plain value: whoever asks for changes may set it, the journal looks at it between steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that says that changes are to be stopped. What was made by then is rolled back; what is made whole by then stays.
#[derive(Debug, Clone, Default)]
pub struct JournalStop(Arc<AtomicBool>);

impl JournalStop {
    /// A flag that is shared with whoever sets it.
    pub fn sharing(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }

    /// Is it set?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
