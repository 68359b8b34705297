//! The event log, and detection of a settled picture.

use crate::app::platform::event_log::Log;
use std::fmt::Display;

/// Number of pictures until an event is fully visible. The first picture shows the change and the controls that it moved;
/// a new scale takes a second picture. The display may need two more pictures to catch up.
const SETTLES_IN: u32 = 4;

/// Log of events in the window, for tests and scripts that drive the program.
pub struct Journal {
    log: Log,
    /// Number of pictures left until every event is visible.
    unsettled: u32,
}

impl Journal {
    /// Returns a journal that writes to `log`.
    pub fn new(log: Log) -> Self {
        Self {
            log,
            unsettled: SETTLES_IN,
        }
    }

    /// Logs an event that changes the picture.
    pub fn note(&mut self, frame: u64, what: impl Display) {
        self.line(frame, what);
        self.unsettled = SETTLES_IN;
    }

    /// Logs an event that does not change the picture.
    pub fn line(&mut self, frame: u64, what: impl Display) {
        self.log.line(frame, what);
    }

    /// Counts a picture displayed while the game is paused, and logs `settled` once pictures stop changing.
    pub fn displayed(&mut self, frame: u64) {
        if self.unsettled > 0 {
            self.unsettled -= 1;
            if self.unsettled == 0 {
                self.line(frame, "settled");
            }
        }
    }
}
