//! Records the window as an animated GIF. The encoder runs in the background and gets each frame while the game runs.

use super::screen::CapturedFrame;
use lab::files::output::write_whole;
use macroquad::texture::Image;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use timeslicer::time::{ClockTime, Nanos};

/// The maximum length of a recording. Without a maximum, a forgotten recording would use up the memory.
const MAX_LENGTH: Nanos = Nanos::from_secs(60);

/// At least this much time passes between two recorded frames. At 60 Hz, every second frame is recorded.
const MIN_TIME_BETWEEN_FRAMES: Nanos = Nanos::from_millis(30);

/// The number of frames that may wait for the encoder. Further frames are skipped.
const MAX_WAITING_FRAMES: usize = 4;

pub struct Recording {
    /// The channel to the encoder, or `None` once the recording has reached its maximum length.
    frames: Option<SyncSender<CapturedFrame>>,
    outcome: Receiver<Result<(), String>>,
    /// The times of the first and the latest recorded frame, or `None` if no frame has been recorded yet.
    times: Option<(ClockTime, ClockTime)>,
}

impl Recording {
    /// Starts a recording that is saved to `path`.
    pub fn begin(path: PathBuf) -> Self {
        let (frames, recorded) = sync_channel(MAX_WAITING_FRAMES);
        let outcome = super::in_background(move || {
            let gif = super::encode(&recorded)?;
            write_whole(&path, &gif).map_err(|failure| failure.to_string())
        });
        Self {
            frames: Some(frames),
            outcome,
            times: None,
        }
    }

    /// Adds the current frame to the recording if enough time has passed since the last recorded frame.
    pub fn add_frame(&mut self, clock: ClockTime, read_pixels: fn() -> Image) {
        let (first, last) = self.times.unzip();
        let time = first.map_or(Nanos::ZERO, |first| clock - first);
        if time >= MAX_LENGTH {
            self.frames = None;
        }
        let is_due = last.is_none_or(|last| clock - last >= MIN_TIME_BETWEEN_FRAMES);
        if let Some(frames) = self.frames.as_ref().filter(|_| is_due) {
            let screen = read_pixels();
            if screen.width > 0 && screen.height > 0 {
                self.times = Some((first.unwrap_or(clock), clock));
                // If the encoder is late, this frame is lost and the previous one is shown for longer.
                let _ = frames.try_send((screen, time));
            }
        }
    }

    /// Waits until the encoder has saved the recording.
    pub fn finish(self) -> Result<(), String> {
        drop(self.frames);
        let lost = |_| Err("the recording could not be saved because of an error".to_owned());
        self.outcome.recv().unwrap_or_else(lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn not_due() -> Image {
        panic!("no frame is due")
    }

    #[test]
    fn frames_are_30_ms_apart_and_keep_the_first_size_for_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.gif");
        let mut recording = Recording::begin(path.clone());
        let blue: fn() -> Image = || image([0, 0, 255, 255], 4, 2);
        for (millis, pixels) in [
            (1000, red as fn() -> Image),
            (1029, not_due),
            (1220, blue),
            (1249, not_due),
            (61_000, not_due),
        ] {
            recording.add_frame(ClockTime::at(Nanos::from_millis(millis)), pixels);
        }
        assert_eq!(recording.finish(), Ok(()));
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
        let mut recording = Recording::begin("unused.gif".into());
        recording.add_frame(ClockTime::START, || image([0; 4], 0, 7));
        let reason = recording.finish().unwrap_err();
        assert!(reason.contains("no pixels"), "{reason}");
    }
}
