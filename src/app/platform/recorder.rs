//! Recordings of the window. Pictures are reduced and encoded on another thread, so that frames do not wait for it.

use headless::io::animation::{Animation, Picture};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use timeslicer::time::{ClockTime, Nanos};

/// Shortest time between two pictures: every second frame at 60 Hz.
const SHORTEST: Nanos = Nanos::from_millis(30);

/// Number of pictures that may wait for the encoder. If more are due, they are left out.
const WAITING: usize = 4;

pub struct Recorder {
    shots: SyncSender<Shot>,
    encoder: JoinHandle<Result<Option<Animation>, String>>,
    /// Times of the first and the last picture.
    times: Option<(ClockTime, ClockTime)>,
}

struct Shot {
    /// Pixels at four bytes each, bottom row first.
    bytes: Vec<u8>,
    size: (u16, u16),
    at: Nanos,
}

impl Recorder {
    /// Starts the encoder. `None` if the system refuses another thread.
    pub fn start() -> Option<Self> {
        let (shots, received) = sync_channel(WAITING);
        let encoder = thread::Builder::new()
            .name("recorder".to_owned())
            .spawn(move || encode(&received))
            .ok()?;
        Some(Self {
            shots,
            encoder,
            times: None,
        })
    }

    /// Records the picture on the screen if the last one is old enough. `read` reads the pixels into a buffer and
    /// returns the width and height. The size of the first picture is the size of the recording.
    pub fn record(&mut self, clock: ClockTime, read: fn(&mut Vec<u8>) -> (u16, u16)) {
        let first = match self.times {
            Some((_, last)) if clock - last < SHORTEST => return,
            Some((first, _)) => first,
            None => clock,
        };
        let mut bytes = Vec::new();
        let size = read(&mut bytes);
        if size.0 == 0 || size.1 == 0 {
            return;
        }
        self.times = Some((first, clock));
        let at = clock - first;
        // If the encoder is late, the picture is lost and the one before it is shown for longer.
        let _ = self.shots.try_send(Shot { bytes, size, at });
    }

    pub fn time(&self, clock: ClockTime) -> Nanos {
        self.times.map_or(Nanos::ZERO, |(first, _)| clock - first)
    }

    /// Ends the recording. Returns a function that waits for the encoder and returns the file.
    pub fn finish(
        self,
        clock: ClockTime,
    ) -> impl FnOnce() -> Result<Vec<u8>, String> + Send + 'static {
        let length = self.time(clock);
        let Self { shots, encoder, .. } = self;
        drop(shots); // the encoder ends after the last picture
        move || {
            let lost = || Err("recording failed unexpectedly".to_owned());
            let animation = encoder.join().unwrap_or_else(|_| lost())?;
            let animation = animation.ok_or("nothing was recorded: the window has no pixels")?;
            animation.finish(length).map_err(failed)
        }
    }
}

fn failed(error: impl std::fmt::Display) -> String {
    format!("cannot encode the recording: {error}")
}

/// Adds all pictures to an animation; `None` without any. Pictures of a resized window are fitted to the first.
fn encode(shots: &Receiver<Shot>) -> Result<Option<Animation>, String> {
    let mut animation: Option<Animation> = None;
    for Shot { bytes, size, at } in shots {
        let recorded = animation.as_ref().map(Animation::size);
        let Some(to) = recorded.or_else(|| Picture::recorded_size(size)) else {
            continue;
        };
        let picture = Picture::of_screen(&bytes, size, to);
        match &mut animation {
            Some(animation) => animation.add(&picture, at).map_err(failed)?,
            None => animation = Some(Animation::begin(picture).map_err(failed)?),
        }
    }
    Ok(animation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gif::DecodeOptions;

    fn at_ms(millis: u64) -> ClockTime {
        ClockTime::at(Nanos::from_millis(millis))
    }

    fn red(bytes: &mut Vec<u8>) -> (u16, u16) {
        *bytes = [255, 0, 0, 255].repeat(2);
        (2, 1)
    }

    fn large(bytes: &mut Vec<u8>) -> (u16, u16) {
        *bytes = [0, 0, 255, 255].repeat(8);
        (4, 2)
    }

    fn nothing(_: &mut Vec<u8>) -> (u16, u16) {
        (0, 7)
    }

    fn too_early(_: &mut Vec<u8>) -> (u16, u16) {
        panic!("no picture is due")
    }

    /// Returns the size of a recording, its number of pictures and its length in hundredths of a second.
    fn summary(file: &[u8]) -> ((u16, u16), usize, u16) {
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
    fn pictures_are_30_ms_apart_at_least() {
        let mut recorder = Recorder::start().unwrap();
        recorder.record(at_ms(1000), red);
        recorder.record(at_ms(1029), too_early);
        recorder.record(at_ms(1030), red);
        recorder.record(at_ms(1059), too_early);
        assert_eq!(recorder.time(at_ms(1200)), Nanos::from_millis(200));
    }

    #[test]
    fn recording_keeps_the_first_size_and_the_length() {
        let mut recorder = Recorder::start().unwrap();
        recorder.record(at_ms(1000), red);
        recorder.record(at_ms(1100), large);
        let file = recorder.finish(at_ms(1250))().unwrap();
        assert_eq!(summary(&file), ((2, 1), 2, 25));
    }

    #[test]
    fn window_without_pixels_records_nothing() {
        let mut recorder = Recorder::start().unwrap();
        recorder.record(at_ms(0), nothing);
        let reason = recorder.finish(at_ms(100))().unwrap_err();
        assert!(reason.contains("no pixels"), "{reason}");
    }
}
