//! Functions that several commands share: a progress bar for the terminal, text wrapping, and signal handling.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The maximum number of characters per line. A table can be wider, but only with workloads far beyond those of games.
pub(super) const WIDTH: usize = 120;

/// The number of characters between the brackets of the progress bar.
const BAR: usize = 40;

/// Shows how many of the `things` are done, if standard error is a terminal. `all` is zero until their total number is
/// known.
pub(super) fn show_progress(done: usize, all: usize, things: &str) {
    let full = (BAR * done).checked_div(all).unwrap_or_default().min(BAR);
    let bar = format!("[{}{}]", "#".repeat(full), ".".repeat(BAR - full));
    show(&match all {
        0 => bar,
        _ => format!("{bar} {done} of {all} {things}"),
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

/// Wraps a text at [`WIDTH`] characters. The first line begins with `name`, and the other lines are indented. Numbers
/// stay together with their units.
pub(super) fn wrapped(name: &str, body: &str, indent: usize) -> String {
    const UNITS: [&str; 5] = ["ns", "µs", "ms", "s", "×"];
    let is_unit = |word: &&str| UNITS.contains(&word.trim_end_matches([',', ')', ':']));
    let mut words = body.split(' ').peekable();
    let mut text = String::new();
    let mut line = format!("{name:<indent$}");
    while let Some(word) = words.next() {
        let unit = words.next_if(is_unit);
        let word = unit.map_or_else(|| word.to_owned(), |unit| format!("{word} {unit}"));
        let length = line.chars().count();
        if length > indent && length + 1 + word.chars().count() > WIDTH {
            text = text + &line + "\n";
            line = " ".repeat(indent);
        } else if length > indent {
            line.push(' ');
        }
        line += &word;
    }
    text + &line + "\n"
}

/// A request to end the program, by the user or by the system, such as Ctrl+C.
pub(super) struct Interrupt {
    is_requested: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Starts handling SIGINT and SIGTERM. A second signal ends the program at once. On systems without these signals,
    /// signals keep their default effect.
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

    /// Returns the flag that is set when the program should end.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.is_requested
    }

    /// Returns the number of the signal; `None` if no signal has arrived.
    pub(super) fn signal(&self) -> Option<u8> {
        let signal = self.signal.load(Ordering::Acquire) as u8;
        (signal != 0).then_some(signal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_their_units_when_wrapped() {
        let line = "x".repeat(WIDTH - 5); // has room for a number, but not for its unit
        for words in ["4 ms, off", "7 s · 3", "2 µs"] {
            let text = wrapped("a", &format!("{line} {words}"), 2);
            assert_eq!(text, format!("a {line}\n  {words}\n"));
        }
        let text = wrapped("a", &format!("{line} 3 times"), 2);
        assert_eq!(text, format!("a {line} 3\n  times\n"));
    }
}
