//! Recordings of the window as animated GIFs, by a flag or a key.

use super::State;
use super::saver::RecordingName;
use crate::app::platform::Recorder;
use std::path::PathBuf;
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// Length of a recording by key.
const BY_KEY: Nanos = Nanos::from_secs(4);

/// Longest recording by flag, so that a forgotten window does not fill the memory.
const BY_FLAG: Nanos = Nanos::from_secs(60);

pub struct Recording {
    recorder: Recorder,
    /// Time after which the recording ends.
    longest: Nanos,
    name: RecordingName,
}

impl State {
    /// Begins to record to `path`, until the program quits.
    pub fn record_to(&mut self, path: PathBuf) {
        self.begin_recording(BY_FLAG, RecordingName::Path(path));
    }

    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Begins a recording under an unused name, or ends the recording in progress.
    pub(super) fn toggle_recording(&mut self) {
        if self.recording.is_some() {
            self.end_recording(monotonic());
        } else {
            let name = RecordingName::Stem(self.picture_name());
            self.begin_recording(BY_KEY, name);
        }
    }

    fn begin_recording(&mut self, longest: Nanos, name: RecordingName) {
        let Some(recorder) = Recorder::start() else {
            return;
        };
        self.recording = Some(Recording {
            recorder,
            longest,
            name,
        });
        self.note("recording");
    }

    /// Records the picture on the screen if one is due. `read` reads its pixels. Returns how long the recording has
    /// lasted; `None` without one.
    pub fn record(
        &mut self,
        clock: ClockTime,
        read: fn(&mut Vec<u8>) -> (u16, u16),
    ) -> Option<Nanos> {
        let recording = self.recording.as_mut()?;
        let time = recording.recorder.time(clock);
        if time >= recording.longest {
            self.end_recording(clock);
            return None;
        }
        recording.recorder.record(clock, read);
        Some(time)
    }

    /// Ends the recording in progress and saves it in the background.
    pub(super) fn end_recording(&mut self, clock: ClockTime) {
        if let Some(Recording { recorder, name, .. }) = self.recording.take() {
            self.saver.save_recording(recorder.finish(clock), name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::command::Command;
    use crate::app::state::tests::state;

    fn red(bytes: &mut Vec<u8>) -> (u16, u16) {
        *bytes = vec![255, 0, 0, 255];
        (1, 1)
    }

    fn at_ms(millis: u64) -> ClockTime {
        ClockTime::at(Nanos::from_millis(millis))
    }

    #[test]
    fn recording_ends_after_its_time_or_by_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut state = state();
        assert_eq!(state.record(at_ms(0), red), None);
        state.begin_recording(BY_KEY, RecordingName::Path(path("four")));
        assert_eq!(state.record(at_ms(500), red), Some(Nanos::ZERO));
        let time = state.record(at_ms(4499), red);
        assert_eq!(time, Some(Nanos::from_millis(3999)));
        assert_eq!(state.record(at_ms(4500), red), None);
        assert!(!state.is_recording());
        state.begin_recording(BY_FLAG, RecordingName::Path(path("early")));
        state.record(at_ms(0), red);
        state.apply(Command::Record);
        assert!(!state.is_recording());
        assert_eq!(state.save_the_rest(), Ok(()));
        assert!(path("four").is_file() && path("early").is_file());
    }

    #[test]
    fn quitting_saves_the_recording() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quit");
        let mut state = state();
        state.record_to(path.clone());
        state.record(monotonic(), red);
        assert_eq!(state.save_the_rest(), Ok(()));
        assert!(path.is_file());
        state.record_to("/nowhere/at/all.gif".into());
        state.record(monotonic(), red);
        let reason = state.save_the_rest().unwrap_err();
        assert!(reason.contains("/nowhere/at/all.gif"), "{reason}");
    }
}
