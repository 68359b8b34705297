//! Ctrl-C while files are written: nothing incomplete is to be left.

#[cfg(unix)]
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user, or the system, has asked the program to end.
#[derive(Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from here on. Who asks twice does not have to wait.
    #[cfg(unix)]
    pub(super) fn listen() -> Self {
        let asked = Self::default();
        for (signal, status) in [(SIGINT, 130), (SIGTERM, 143)] {
            // In this order: the first time it is noted, the second time it is the end. Where there is no listening,
            // it is the end at once, as for programs that do not listen.
            let ends = signal_hook::flag::register_conditional_shutdown(
                signal,
                status,
                Arc::clone(&asked.0),
            );
            let _ = ends.and_then(|_| signal_hook::flag::register(signal, Arc::clone(&asked.0)));
        }
        asked
    }

    /// There is no listening here: it is the end at once.
    #[cfg(not(unix))]
    pub(super) fn listen() -> Self {
        Self::default()
    }

    /// Whether it is to end.
    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
