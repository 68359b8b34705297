//! What happens in the window, a line each: for tests and scripts that drive it.

use crate::app::platform;
use crate::io::atomic_file::Failure;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// Where the lines go; nowhere unless it was asked for.
#[derive(Default)]
pub struct Log(Option<Box<dyn Write>>);

impl Log {
    /// Opens the file; `-` is standard output, on a page the browser's console.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self(None));
        };
        Ok(Self(Some(platform::open_log(path)?)))
    }

    /// Something happened after so many frames. A log that nobody reads any more is given up.
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
