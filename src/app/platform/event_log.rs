//! Log of events in the window, one per line, for tests and scripts that drive the program.

use crate::app::platform;
use headless::io::atomic_file::Failure;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// Output of the log; `None` if no log was requested.
#[derive(Default)]
pub struct Log(Option<Box<dyn Write>>);

impl Log {
    /// Opens the log's output; `-` is standard output, or the browser's console on a page.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self(None));
        };
        Ok(Self(Some(platform::open_log(path)?)))
    }

    /// Returns a log that writes to `out`.
    #[cfg(test)]
    pub fn to(out: impl Write + 'static) -> Self {
        Self(Some(Box::new(out)))
    }

    /// Writes an event after `frame` frames. Stops logging if a write fails, because the reader has gone.
    pub fn line(&mut self, frame: u64, what: impl Display) {
        if let Some(out) = &mut self.0
            && writeln!(out, "{frame} {what}")
                .and_then(|()| out.flush())
                .is_err()
        {
            self.0 = None;
        }
    }
}
