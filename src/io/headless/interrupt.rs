//! Ctrl-C while files are written: nothing incomplete is to be left.

#[cfg(unix)]
use signal_hook::consts::{SIGINT, SIGTERM};
#[cfg(unix)]
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether the user, or the system, has asked the program to end.
#[derive(Debug, Default)]
pub(super) struct Interrupt {
    asked: Arc<AtomicBool>,
    /// By which signal.
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Listens from here on. Who asks twice does not have to wait.
    #[cfg(unix)]
    pub(super) fn listen() -> Self {
        let asked = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first time it is noted, the second time it is the end. Where there is no listening,
            // it is the end at once, as for programs that do not listen.
            let [again, note] = [&asked.asked, &asked.asked].map(Arc::clone);
            let by = Arc::clone(&asked.signal);
            let ends = flag::register_conditional_shutdown(signal, 128 + signal, again);
            let _ = ends
                .and_then(|_| flag::register_usize(signal, by, signal as usize))
                .and_then(|_| flag::register(signal, note));
        }
        asked
    }

    /// There is no listening here: it is the end at once.
    #[cfg(not(unix))]
    pub(super) fn listen() -> Self {
        Self::default()
    }

    /// The signal by which it is to end, if it is.
    pub(super) fn signal(&self) -> Option<u8> {
        let asked = self.asked.load(Ordering::Acquire);
        asked.then(|| self.signal.load(Ordering::Relaxed) as u8)
    }
}
