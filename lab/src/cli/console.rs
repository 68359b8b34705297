//! Functions that several commands share, such as a progress bar, text wrapping and signal handling.

use crate::text::format;
use std::io::{self, IsTerminal, Write};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The maximum number of characters per line. A table can be wider, but only with extreme settings.
pub(super) const WIDTH: usize = 120;

const PROGRESS_BAR_CHARS: usize = 40;

/// Shows a progress bar if standard error is a terminal. `total` is zero if it is not known yet. `things` is the plural
/// noun that is printed after the numbers.
pub(super) fn show_progress(done: usize, total: usize, things: &str) {
    let full = (PROGRESS_BAR_CHARS * done)
        .checked_div(total)
        .unwrap_or_default()
        .min(PROGRESS_BAR_CHARS);
    let bar = format!(
        "[{}{}]",
        "#".repeat(full),
        ".".repeat(PROGRESS_BAR_CHARS - full)
    );
    show(&match total {
        0 => bar,
        _ => format!("{bar} {done} of {total} {things}"),
    });
}

pub(super) fn clear_progress() {
    show("");
}

fn show(text: &str) {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K{text}"); // a failure must not stop the command
    }
}

/// Wraps `body` at [`WIDTH`] characters. The first line begins with `name`, and all other lines are indented.
pub(super) fn wrapped(name: &str, body: &str, indent: usize) -> String {
    let names = iter::once(name).chain(iter::repeat(""));
    let lines = format::wrapped(body, WIDTH - indent).into_iter().zip(names);
    let lines = lines.map(|(line, name)| format!("{name:<indent$}{line}\n"));
    lines.collect::<Vec<String>>().concat()
}

/// Receives requests to end the program, such as Ctrl+C.
pub(super) struct Interrupt {
    is_requested: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Starts handling SIGINT and SIGTERM. The second signal ends the program at once. Does nothing on systems without
    /// these signals.
    pub(super) fn listen() -> Self {
        let (is_requested, signal) = (Arc::<AtomicBool>::default(), Arc::default());
        #[cfg(any(unix, windows))]
        {
            use signal_hook::{consts, flag};
            for number in [consts::SIGINT, consts::SIGTERM] {
                // Actions run in the order of their registration. The shutdown is registered before the flag, so that
                // the first signal only sets the flag, and the second signal ends the program. If an action cannot be
                // registered, the signal keeps its default effect.
                let (is_second, status) = (Arc::clone(&is_requested), 128 + number);
                let _ = flag::register_conditional_shutdown(number, status, is_second)
                    .and_then(|_| {
                        flag::register_usize(number, Arc::clone(&signal), number as usize)
                    })
                    .and_then(|_| flag::register(number, Arc::clone(&is_requested)));
            }
        }
        Self {
            is_requested,
            signal,
        }
    }

    pub(super) fn flag(&self) -> &AtomicBool {
        &self.is_requested
    }

    pub(super) fn signal(&self) -> Option<u8> {
        let signal = self.signal.load(Ordering::Acquire) as u8;
        (signal != 0).then_some(signal)
    }
}
