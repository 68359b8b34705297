//! Records the window as an animated GIF. The encoder runs in the background and gets each frame while the game runs.

use super::State;
use super::saver::SaveKind;
use crate::app::platform::screen::CapturedFrame;
use crate::app::platform::{self, IS_PAGE};
use lab::files::output::{Failure, write_whole};
use macroquad::texture::Image;
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use timeslicer::time::{ClockTime, Nanos};

const KEY_RECORDING_LENGTH: Nanos = Nanos::from_secs(4);

/// The maximum length of a recording that was started with a command-line flag. Without a maximum, a forgotten
/// recording would use up the memory.
const MAX_FLAG_RECORDING_LENGTH: Nanos = Nanos::from_secs(60);

/// At least this much time passes between two recorded frames. At 60 Hz, every second frame is recorded.
const MIN_TIME_BETWEEN_FRAMES: Nanos = Nanos::from_millis(30);

/// The number of frames that may wait for the encoder. Further frames are skipped.
const MAX_WAITING_FRAMES: usize = 4;

/// A recording in progress. When it is dropped, the encoder finishes the file.
pub struct Recording {
    frames: SyncSender<CapturedFrame>,
    /// The times of the first and the latest recorded frame, or `None` if no frame has been recorded yet.
    times: Option<(ClockTime, ClockTime)>,
    max_length: Nanos,
}

impl State {
    /// Starts a recording that is saved to `path` when the program quits, or earlier if it becomes too long.
    pub fn record_to(&mut self, path: PathBuf) {
        self.begin_recording(MAX_FLAG_RECORDING_LENGTH, |gif| {
            write_whole(&path, gif).map(|()| path)
        });
    }

    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Starts a recording with an unused file name, or stops the current recording.
    pub(super) fn toggle_recording(&mut self) {
        if self.recording.take().is_none() {
            let stem = self.screenshot_name();
            let save = move |gif: &[u8]| platform::save_file(&stem, ".gif", gif);
            self.begin_recording(KEY_RECORDING_LENGTH, save);
        }
    }

    /// Starts a recording that lasts at most `max_length`. `write` saves the finished recording. Does nothing in a
    /// browser, which does not support recording.
    fn begin_recording(
        &mut self,
        max_length: Nanos,
        write: impl FnOnce(&[u8]) -> Result<PathBuf, Failure> + Send + 'static,
    ) {
        if IS_PAGE {
            return;
        }
        let (frames, recorded) = sync_channel(MAX_WAITING_FRAMES);
        self.saver.start(SaveKind::Recording, move || {
            let gif = platform::encode(&recorded)?;
            write(&gif).map_err(|failure| failure.to_string())
        });
        self.recording = Some(Recording {
            frames,
            times: None,
            max_length,
        });
        self.note("recording");
    }

    /// Adds the current frame to the recording if enough time has passed since the last recorded frame. Returns how
    /// long the recording has lasted, or `None` if there is no recording.
    pub fn record(&mut self, clock: ClockTime, read_pixels: fn() -> Image) -> Option<Nanos> {
        let recording = self.recording.as_mut()?;
        let (first, last) = recording.times.unzip();
        let time = first.map_or(Nanos::ZERO, |first| clock - first);
        if time >= recording.max_length {
            self.recording = None;
            return None;
        }
        if last.is_none_or(|last| clock - last >= MIN_TIME_BETWEEN_FRAMES) {
            let screen = read_pixels();
            if screen.width > 0 && screen.height > 0 {
                recording.times = Some((first.unwrap_or(clock), clock));
                // If the encoder is late, this frame is lost and the previous one is shown for longer.
                let _ = recording.frames.try_send((screen, time));
            }
        }
        Some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::command::Command;
    use crate::app::state::tests::state;
    use gif::DecodeOptions;
    use std::fs::File;

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

    fn at_ms(millis: u64) -> ClockTime {
        ClockTime::at(Nanos::from_millis(millis))
    }

    #[test]
    fn recording_ends_after_its_time_or_by_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = state();
        assert_eq!(state.record(at_ms(0), red), None);
        let early = folder.path().join("early");
        let path = early.clone();
        state.begin_recording(KEY_RECORDING_LENGTH, |gif| {
            write_whole(&path, gif).map(|()| path)
        });
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
    fn frames_are_30_ms_apart_and_keep_the_first_size() {
        let too_early = || panic!("no picture is due");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.gif");
        let mut state = state();
        state.record_to(path.clone());
        state.record(at_ms(1000), red);
        state.record(at_ms(1029), too_early);
        state.record(at_ms(1220), || image([0, 0, 255, 255], 4, 2));
        state.record(at_ms(1249), too_early);
        assert_eq!(state.save_the_rest(), Ok(()));
        let file = File::open(path).unwrap();
        let mut decoder = DecodeOptions::new().read_info(file).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (2, 1));
        let (mut count, mut hundredths) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            count += 1;
            hundredths += frame.delay;
        }
        assert_eq!((count, hundredths), (2, 26));
    }

    #[test]
    fn a_recording_without_a_pixel_has_a_reason() {
        let mut state = state();
        state.record_to("unused.gif".into());
        state.record(at_ms(0), || image([0; 4], 0, 7));
        let reason = state.save_the_rest().unwrap_err();
        assert!(reason.contains("no pixels"), "{reason}");
    }
}
