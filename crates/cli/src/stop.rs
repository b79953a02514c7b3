//! Ctrl-C and requests to end. Commands that go on until the user has seen enough end between two looks, with everything
//! written; edits end between two steps, with everything rolled back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use scrollback_app::stop::StopSignal;

/// Sets the signal from now on when the user presses Ctrl-C or someone asks the process to end. A second Ctrl-C ends the
/// program as it always does.
pub fn listen(stop: &StopSignal) {
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        #[cfg(unix)]
        let _ = signal_hook::flag::register_conditional_default(signal, stop.flag());
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop.flag()));
    }
}

/// Signals that are held back while changes are made, so that none are left incomplete. They set the stop signal, which the
/// work looks at between two steps, and everything is rolled back.
#[derive(Debug, Clone, Default)]
pub struct Shield {
    stop: StopSignal,
    /// Signals end the program as they always do: true but while changes are made.
    lowered: Arc<AtomicBool>,
    listening: Arc<OnceLock<()>>,
}

impl Shield {
    /// A shield that turns signals into this one.
    pub fn over(stop: &StopSignal) -> Self {
        Self { stop: stop.clone(), ..Self::default() }
    }

    /// From now on signals are held back.
    pub fn raise(&self) {
        self.lowered.store(false, Ordering::Relaxed);
        self.listening.get_or_init(|| self.listen());
    }

    /// From now on signals end the program again.
    pub fn lower(&self) {
        self.lowered.store(true, Ordering::Relaxed);
    }

    fn listen(&self) {
        for signal in ENDING {
            #[cfg(unix)]
            let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&self.lowered));
            let _ = signal_hook::flag::register(signal, self.stop.flag());
        }
    }
}

/// What asks a program to end; a terminal that is closed does so too.
#[cfg(unix)]
const ENDING: [i32; 3] =
    [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const ENDING: [i32; 2] = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];
