//! Functions that several commands share, such as a progress bar and text wrapping.

use crate::text::format;
use std::io::{self, IsTerminal, Write};
use std::iter;

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
