//! The event log, and when the picture has settled.

use crate::app::platform::event_log::Log;
use std::fmt::Display;

/// A change shows in the next picture, and a moved control in the one after that; the rest is for the display.
const SETTLES_IN: u32 = 4;

/// What happens in the window, for tests and scripts that drive the program.
pub struct Journal {
    log: Log,
    /// Pictures until everything that was noted is visible.
    unsettled: u32,
}

impl Journal {
    /// Writes to `log`.
    pub fn new(log: Log) -> Self {
        Self {
            log,
            unsettled: SETTLES_IN,
        }
    }

    /// Notes something that changes the picture.
    pub fn note(&mut self, frame: u64, what: impl Display) {
        self.line(frame, what);
        self.unsettled = SETTLES_IN;
    }

    /// Notes something that the picture does not wait for.
    pub fn line(&mut self, frame: u64, what: impl Display) {
        self.log.line(frame, what);
    }

    /// Counts a picture that is displayed while the game is paused, and notes when it no longer changes.
    pub fn displayed(&mut self, frame: u64) {
        if self.unsettled > 0 {
            self.unsettled -= 1;
            if self.unsettled == 0 {
                self.line(frame, "settled");
            }
        }
    }
}
