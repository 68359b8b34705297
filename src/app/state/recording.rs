//! Recordings of the window as animated GIFs, by a flag or a key.

use super::State;
use super::saver::SaveKind;
use crate::app::platform::screen::Shot;
use crate::app::platform::{self, IS_PAGE};
use headless::io::atomic_file::{Failure, write_whole};
use macroquad::texture::Image;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// Length of a recording by key.
const BY_KEY: Nanos = Nanos::from_secs(4);

/// Longest recording by flag, so that a forgotten window does not fill the memory.
const BY_FLAG: Nanos = Nanos::from_secs(60);

/// Shortest time between two pictures: every second frame at 60 Hz.
const SHORTEST: Nanos = Nanos::from_millis(30);

/// Number of pictures that may wait for the encoder. If more are due, they are left out.
const WAITING: usize = 4;

/// A recording in progress. The encoder ends when this is dropped.
pub struct Recording {
    shots: SyncSender<Shot>,
    /// Receives the length of the recording at its end.
    length: Sender<Nanos>,
    /// Times of the first and the last picture.
    times: Option<(ClockTime, ClockTime)>,
    /// Time after which the recording ends.
    longest: Nanos,
}

impl Recording {
    fn time(&self, clock: ClockTime) -> Nanos {
        self.times.map_or(Nanos::ZERO, |(first, _)| clock - first)
    }
}

impl State {
    /// Begins to record to `path`, until the program quits.
    pub fn record_to(&mut self, path: PathBuf) {
        self.begin_recording(BY_FLAG, |gif| write_whole(&path, gif).map(|()| path));
    }

    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Begins a recording under an unused name, or ends the recording in progress.
    pub(super) fn toggle_recording(&mut self) {
        if self.recording.is_some() {
            self.end_recording(monotonic());
        } else {
            let stem = self.picture_name();
            let save = move |gif: &[u8]| platform::save_file(Path::new(""), &stem, ".gif", gif);
            self.begin_recording(BY_KEY, save);
        }
    }

    /// Begins a recording, which `write` will save. A page does not record.
    fn begin_recording(
        &mut self,
        longest: Nanos,
        write: impl FnOnce(&[u8]) -> Result<PathBuf, Failure> + Send + 'static,
    ) {
        if IS_PAGE {
            return;
        }
        let (shots, recorded) = sync_channel(WAITING);
        let (length, end) = channel();
        self.saver.start(SaveKind::Recording, move || {
            let gif = platform::encode(&recorded, &end)?;
            let path = write(&gif).map_err(|failure| failure.to_string())?;
            Ok((path, String::new()))
        });
        self.recording = Some(Recording {
            shots,
            length,
            times: None,
            longest,
        });
        self.note("recording");
    }

    /// Records the picture on the screen if one is due. `read` reads its pixels. Returns how long the recording has
    /// lasted; `None` without one.
    pub fn record(&mut self, clock: ClockTime, read: fn() -> Image) -> Option<Nanos> {
        let recording = self.recording.as_mut()?;
        let time = recording.time(clock);
        if time >= recording.longest {
            self.end_recording(clock);
            return None;
        }
        let last = recording.times.map(|(_, last)| last);
        if last.is_none_or(|last| clock - last >= SHORTEST) {
            let screen = read();
            if screen.width > 0 && screen.height > 0 {
                let first = recording.times.map_or(clock, |(first, _)| first);
                recording.times = Some((first, clock));
                let at = clock - first;
                // If the encoder is late, the picture is lost and the one before it is shown for longer.
                let _ = recording.shots.try_send((screen, at));
            }
        }
        Some(time)
    }

    /// Ends the recording in progress, so that its file can be saved.
    pub(super) fn end_recording(&mut self, clock: ClockTime) {
        if let Some(recording) = self.recording.take() {
            // The encoder is gone if it has failed.
            let _ = recording.length.send(recording.time(clock));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::command::Command;
    use crate::app::state::tests::state;
    use gif::DecodeOptions;

    fn image(colour: [u8; 4], width: u16, height: u16) -> Image {
        Image {
            bytes: colour.repeat(usize::from(width) * usize::from(height)),
            width,
            height,
        }
    }

    fn red() -> Image {
        image([255, 0, 0, 255], 2, 1)
    }

    fn large() -> Image {
        image([0, 0, 255, 255], 4, 2)
    }

    fn nothing() -> Image {
        image([0; 4], 0, 7)
    }

    fn too_early() -> Image {
        panic!("no picture is due")
    }

    fn at_ms(millis: u64) -> ClockTime {
        ClockTime::at(Nanos::from_millis(millis))
    }

    /// Returns the size of a recording, its number of pictures and its length in hundredths of a second.
    fn summary(path: &Path) -> ((u16, u16), usize, u16) {
        let file = std::fs::File::open(path).unwrap();
        let mut decoder = DecodeOptions::new().read_info(file).unwrap();
        let size = (decoder.width(), decoder.height());
        let (mut count, mut length) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            count += 1;
            length += frame.delay;
        }
        (size, count, length)
    }

    #[test]
    fn recording_ends_after_its_time_or_by_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = state();
        assert_eq!(state.record(at_ms(0), red), None);
        let early = folder.path().join("early");
        let path = early.clone();
        state.begin_recording(BY_KEY, |gif| write_whole(&path, gif).map(|()| path));
        assert_eq!(state.record(at_ms(500), red), Some(Nanos::ZERO));
        let time = state.record(at_ms(4499), red);
        assert_eq!(time, Some(Nanos::from_millis(3999)));
        assert_eq!(state.record(at_ms(4500), red), None);
        assert!(!state.is_recording());
        let late = folder.path().join("late");
        state.record_to(late.clone());
        state.record(at_ms(0), red);
        state.apply(Command::Record);
        assert!(!state.is_recording());
        assert_eq!(state.save_the_rest(), Ok(()));
        assert!(early.is_file() && late.is_file());
    }

    #[test]
    fn pictures_are_30_ms_apart_and_keep_the_first_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.gif");
        let mut state = state();
        state.record_to(path.clone());
        state.record(at_ms(1000), red);
        state.record(at_ms(1029), too_early);
        state.record(at_ms(1030), large);
        state.record(at_ms(1059), too_early);
        state.end_recording(at_ms(1250));
        assert_eq!(state.save_the_rest(), Ok(()));
        assert_eq!(summary(&path), ((2, 1), 2, 25));
    }

    #[test]
    fn a_recording_that_cannot_be_saved_has_a_reason() {
        for (path, read, reason) in [
            (
                "/nowhere/at/all.gif",
                red as fn() -> Image,
                "/nowhere/at/all.gif",
            ),
            ("unused.gif", nothing, "no pixels"),
        ] {
            let mut state = state();
            state.record_to(path.into());
            state.record(monotonic(), read);
            let given = state.save_the_rest().unwrap_err();
            assert!(given.contains(reason), "{given}");
        }
    }
}
