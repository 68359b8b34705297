//! Recordings by `--record` and by key: animated GIFs.

use crate::window::support::lab::Lab;
use gif::{ColorOutput, DecodeOptions};
use std::fs::{self, File};
use std::path::Path;

/// A decoded recording.
struct Recording {
    size: (u16, u16),
    /// Pictures as a viewer shows them, in four bytes per pixel.
    pictures: Vec<Vec<u8>>,
    /// Length in hundredths of a second.
    length: u64,
}

impl Recording {
    /// Reads a file.
    fn read(path: &Path) -> Self {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let file = File::open(path).expect("the recording is saved");
        let mut decoder = options.read_info(file).expect("a GIF");
        let size = (decoder.width(), decoder.height());
        let width = usize::from(size.0) * 4;
        let mut screen = vec![0; width * usize::from(size.1)];
        let (mut pictures, mut length) = (Vec::new(), 0);
        while let Some(frame) = decoder.read_next_frame().expect("a whole GIF") {
            let rows = screen.chunks_mut(width).skip(frame.top.into());
            let own = usize::from(frame.width) * 4;
            for (row, changed) in rows.zip(frame.buffer.chunks(own)) {
                let part = &mut row[usize::from(frame.left) * 4..][..own];
                for (pixel, new) in part.chunks_mut(4).zip(changed.chunks(4)) {
                    if new[3] > 0 {
                        pixel.copy_from_slice(new);
                    }
                }
            }
            pictures.push(screen.clone());
            length += u64::from(frame.delay);
        }
        Self {
            size,
            pictures,
            length,
        }
    }

    /// Returns true if two pictures differ.
    fn moves(&self) -> bool {
        self.pictures.windows(2).any(|pair| pair[0] != pair[1])
    }
}

#[test]
fn a_flag_records_until_the_last_frame() {
    let Some(lab) = Lab::start(&["--frames", "30", "--record", "flag.gif"]) else {
        return;
    };
    let end = lab.end().expect_success();
    assert!(end.lines.iter().any(|line| line.matches("recorded")));
    let recording = Recording::read(&end.folder().join("flag.gif"));
    assert_eq!(recording.size, (960, 600));
    // 30 ms apart at least, plus the first.
    let most = recording.length as usize / 3 + 1;
    let count = recording.pictures.len();
    assert!((2..=most.min(30)).contains(&count), "{count} pictures");
    assert!(recording.moves());
    let (first, last) = (&recording.pictures[0], &recording.pictures[count - 1]);
    assert!(first != last);
}

#[test]
fn a_key_records_four_seconds_in_at_most_3_mb() {
    let flags = ["--cost-us", "0", "--strategy", "every-frame"];
    let Some(mut lab) = Lab::open(&flags) else {
        return;
    };
    lab.press_for("g", "recording");
    let line = lab.wait_for("recorded");
    let name = line.text.strip_prefix("recorded ").expect("a name");
    assert!(name.starts_with("timeslice-lab-every-frame-"), "{name}");
    let path = lab.folder().join(name);
    let bytes = fs::metadata(&path).expect("the recording is saved").len();
    let recording = Recording::read(&path);
    // A slow picture may end later, which allows more bytes.
    let allowed = 400_000 + 6_500 * recording.length.max(400);
    assert!(bytes <= allowed, "{bytes} bytes");
    assert!(recording.length >= 400, "{}", recording.length);
    assert!(recording.moves());
}
