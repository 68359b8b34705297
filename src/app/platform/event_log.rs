//! A log of what happens in the window, one event per line, for tests and scripts that drive the program.

use crate::app::platform;
use lab::files::output::Failure;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// The number of frames until an event is fully visible. A layout change can take two frames, and the display can be
/// two frames late.
const FRAMES_TO_SETTLE: u32 = 4;

pub type WriteLine = Box<dyn FnMut(&str) -> io::Result<()>>;

#[derive(Default)]
pub struct Log {
    pub write: Option<WriteLine>,
    pub displayed: u32,
}

impl Log {
    /// Opens the log. The path `-` means standard output, or the console in a browser.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let write = path.map(platform::open_log).transpose()?;
        Ok(Self {
            write,
            displayed: 0,
        })
    }

    /// Logs an event that changes what is on screen. `frame` is the number of the next frame.
    pub fn note(&mut self, frame: u64, what: impl Display) {
        self.line(frame, what);
        self.displayed = 0;
    }

    /// Logs an event that does not change the screen. After a failure, logging stops, as its reader has probably ended.
    pub fn line(&mut self, frame: u64, what: impl Display) {
        if let Some(write) = &mut self.write
            && write(&format!("{frame} {what}")).is_err()
        {
            self.write = None;
        }
    }

    /// Counts a frame displayed during a pause. Logs `settled` when the effect of the last event is fully visible.
    pub fn displayed(&mut self, frame: u64) {
        self.displayed = self.displayed.saturating_add(1);
        if self.displayed == FRAMES_TO_SETTLE {
            self.line(frame, "settled");
        }
    }
}
