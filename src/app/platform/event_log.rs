//! Log of events in the window, one per line, for tests and scripts that drive the program.

use crate::app::platform;
use headless::io::atomic_file::Failure;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// Number of pictures until an event is fully visible. The first picture shows the change and the controls that it moved;
/// a new scale takes a second picture. The display may need two more pictures to catch up.
const SETTLES_IN: u32 = 4;

pub struct Log {
    /// `None` if no log was requested.
    out: Option<Box<dyn Write>>,
    /// Number of pictures left until every event is visible.
    unsettled: u32,
}

impl Default for Log {
    /// Returns a log without output.
    fn default() -> Self {
        Self {
            out: None,
            unsettled: SETTLES_IN,
        }
    }
}

impl Log {
    /// Opens the log's output; `-` is standard output, or the browser's console on a page.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        Ok(Self {
            out: path.map(platform::open_log).transpose()?,
            ..Self::default()
        })
    }

    #[cfg(test)]
    pub fn to(out: impl Write + 'static) -> Self {
        Self {
            out: Some(Box::new(out)),
            ..Self::default()
        }
    }

    /// Writes an event that changes the picture, after `frame` frames.
    pub fn note(&mut self, frame: u64, what: impl Display) {
        self.line(frame, what);
        self.unsettled = SETTLES_IN;
    }

    /// Writes an event that does not change the picture. Stops logging if a write fails, because the reader has gone.
    pub fn line(&mut self, frame: u64, what: impl Display) {
        if let Some(out) = &mut self.out
            && writeln!(out, "{frame} {what}")
                .and_then(|()| out.flush())
                .is_err()
        {
            self.out = None;
        }
    }

    /// Counts a picture displayed while the game is paused, and writes `settled` once pictures stop changing.
    pub fn displayed(&mut self, frame: u64) {
        if self.unsettled > 0 {
            self.unsettled -= 1;
            if self.unsettled == 0 {
                self.line(frame, "settled");
            }
        }
    }
}
