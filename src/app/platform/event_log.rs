//! Log of events in the window, one per line, for tests and scripts that drive the program.

use crate::app::platform;
use headless::io::atomic_file::Failure;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// Number of pictures until an event is fully visible. The first picture shows the change and the controls that it moved;
/// a new scale takes a second picture. The display may need two more pictures to catch up.
const SETTLES_IN: u32 = 4;

/// Writes a line of the log.
pub type WriteLine = Box<dyn FnMut(&str) -> io::Result<()>>;

#[derive(Default)]
pub struct Log {
    /// `None` if no log was requested.
    pub write: Option<WriteLine>,
    /// Number of pictures displayed since the last event.
    pub displayed: u32,
}

impl Log {
    /// Opens the log's output; `-` is standard output, or the browser's console on a page.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let write = path.map(platform::open_log).transpose()?;
        Ok(Self {
            write,
            displayed: 0,
        })
    }

    /// Writes an event that changes the picture, after `frame` frames.
    pub fn note(&mut self, frame: u64, what: impl Display) {
        self.line(frame, what);
        self.displayed = 0;
    }

    /// Writes an event that does not change the picture. Stops logging if a write fails, because the reader has gone.
    pub fn line(&mut self, frame: u64, what: impl Display) {
        if let Some(write) = &mut self.write
            && write(&format!("{frame} {what}")).is_err()
        {
            self.write = None;
        }
    }

    /// Counts a picture displayed while the game is paused, and writes `settled` once pictures stop changing.
    pub fn displayed(&mut self, frame: u64) {
        self.displayed = self.displayed.saturating_add(1);
        if self.displayed == SETTLES_IN {
            self.line(frame, "settled");
        }
    }
}
