//! Saving on request: starts due saves and logs finished ones.

pub(super) mod recording;

use super::State;
use super::saver::{Outcome, SaveKind};
use crate::app::platform;
use std::path::PathBuf;
use timeslicer::time::monotonic;

impl State {
    /// Starts a requested save, and logs a finished one.
    pub fn save(&mut self) {
        if let Some(outcome) = self.saver.finished(monotonic()) {
            self.note_saved(&outcome);
        }
        self.save_due();
    }

    /// Completes all requested saves before the program quits.
    ///
    /// # Errors
    /// If a save fails, with the first reason.
    pub fn save_the_rest(&mut self) -> Result<(), String> {
        self.end_recording(monotonic());
        let mut all = Ok(());
        loop {
            self.save_due();
            let Some(outcome) = self.saver.wait(monotonic()) else {
                return all;
            };
            self.note_saved(&outcome);
            all = all.and(outcome.1.map(drop));
        }
    }

    fn save_due(&mut self) {
        if let Some(kind) = self.saver.due() {
            let wants_data = kind == SaveKind::Folder;
            let make = wants_data.then(|| self.export()).flatten();
            let stem = self.picture_name();
            let screen = platform::screen();
            self.saver.save(screen, make, PathBuf::new(), stem);
        }
    }

    fn note_saved(&mut self, (kind, result): &Outcome) {
        let (done, failed) = match kind {
            SaveKind::Picture => ("screenshot", "no screenshot"),
            SaveKind::Folder => ("exported", "no export"),
            SaveKind::Recording => ("recorded", "no recording"),
        };
        match result {
            Ok(path) => self.note(format_args!("{done} {}", path.display())),
            Err(sentence) => self.note(format_args!("{failed}: {sentence}")),
        }
    }
}
