//! Functions that several commands share, such as a progress bar, text wrapping and signal handling.

use crate::files::measured;
use crate::sim::settings::Settings;
use crate::text::format;
use std::io::{self, IsTerminal, Write};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The maximum number of characters per line. A table can be wider, but only with extreme settings.
pub(super) const WIDTH: usize = 120;

const PROGRESS_BAR_CHARS: usize = 40;

/// Shows a progress bar if standard error is a terminal. `total` is zero if it is not known yet. `things` is the plural
/// noun for the counted items.
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
    static SHOWN: AtomicUsize = AtomicUsize::new(0);
    if io::stderr().is_terminal() {
        // Spaces overwrite the previous text, because some Windows consoles print escape sequences as text.
        let before = SHOWN.swap(text.len(), Ordering::Relaxed);
        let _ = write!(io::stderr(), "\r{text:<before$}\r"); // a failure must not stop the command
    }
}

/// Prints to standard error which columns and units were recognised in the user's files of costs and frame times.
pub(super) fn print_captures(settings: &Settings) {
    for (kind, recording) in measured::of_settings(settings) {
        let (flag, path, note) = (kind.flag, &recording.path, &recording.note);
        if !note.is_empty() {
            let _ = writeln!(io::stderr(), "--{flag} {path}: {note}"); // a failure must not stop the command
        }
    }
}

/// Wraps `body` at [`WIDTH`] characters. The first line begins with `name`, and all other lines are indented.
pub(super) fn wrapped(name: &str, body: &str, indent: usize) -> String {
    let names = iter::once(name).chain(iter::repeat(""));
    let lines = format::wrapped(body, WIDTH - indent).into_iter().zip(names);
    let lines = lines.map(|(line, name)| format!("{name:<indent$}{line}\n"));
    lines.collect::<Vec<String>>().concat()
}

/// Returns a flag that is set when the user or the system asks the program to end, for example with Ctrl+C. The second
/// request ends the program at once. In a browser, the flag is never set.
pub(super) fn interrupt_flag() -> Arc<AtomicBool> {
    let is_requested = Arc::<AtomicBool>::default();
    #[cfg(any(unix, windows))]
    {
        use crate::files::output::Failure;
        let requested = Arc::clone(&is_requested);
        // If a signal already has a handler or is ignored, for example because of `nohup`, this leaves it as it is.
        let _ = ctrlc::try_set_handler(move || {
            if requested.swap(true, Ordering::Relaxed) {
                std::process::exit(Failure::INTERRUPTED.into());
            }
        });
    }
    is_requested
}
