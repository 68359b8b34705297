//! Handles Ctrl-C while files are written, so that no incomplete file is left.

#[cfg(unix)]
use signal_hook::consts::{SIGINT, SIGTERM};
#[cfg(unix)]
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A request to end the program by SIGINT or SIGTERM.
#[derive(Debug, Default)]
pub(super) struct Interrupt {
    requested: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Starts handling the signals. The second signal ends the program at once.
    #[cfg(unix)]
    pub(super) fn listen() -> Self {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // Actions run in this order. The shutdown comes before the flag is set, so that the first signal only sets
            // the flag and the second one finds it set. If an action cannot be registered, the signal keeps its default
            // effect.
            let requested = || Arc::clone(&interrupt.requested);
            let number = Arc::clone(&interrupt.signal);
            let shutdown = flag::register_conditional_shutdown(signal, 128 + signal, requested());
            let _ = shutdown
                .and_then(|_| flag::register_usize(signal, number, signal as usize))
                .and_then(|_| flag::register(signal, requested()));
        }
        interrupt
    }

    /// Does nothing: here the signals end the program at once.
    #[cfg(not(unix))]
    pub(super) fn listen() -> Self {
        Self::default()
    }

    /// Returns the signal that requested the end, if any.
    pub(super) fn signal(&self) -> Option<u8> {
        let requested = self.requested.load(Ordering::Acquire);
        requested.then(|| self.signal.load(Ordering::Relaxed) as u8)
    }
}
