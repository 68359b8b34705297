//! Encodes frames as an animated GIF, without depending on the window.
//!
//! All frames share one palette. Each frame stores only the pixels whose entry in the palette has changed since the
//! previous one.

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use timeslicer::time::Nanos;

/// The levels of red, green and blue in the palette, which contains all combinations of them. Greys fill the remaining
/// entries. Dark levels are close to each other, because most of the window is dark.
const LEVELS: [u8; 6] = [0, 30, 60, 110, 180, 255];
const COLOURS: u8 = 6 * 6 * 6;
const GREYS: u8 = UNCHANGED - COLOURS;
/// The transparent palette entry, which marks pixels that have not changed since the previous frame.
const UNCHANGED: u8 = u8::MAX;

/// A colour counts as grey if its channels differ by at most this much.
const GREY_TINT: u8 = 20;

const MIN_LAST_FRAME_CENTIS: u64 = 4;

const MAX_WIDTH: u16 = 960;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub size: (u16, u16),
    /// The red, green and blue values of the pixels, row by row from the top.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Returns the size at which a screen is recorded. Wide screens are scaled down. `None` if it has no pixels.
    pub fn recorded_size((width, height): (u16, u16)) -> Option<(u16, u16)> {
        if width == 0 || height == 0 {
            return None;
        }
        if width <= MAX_WIDTH {
            return Some((width, height));
        }
        let height = f64::from(height) * f64::from(MAX_WIDTH) / f64::from(width);
        Some((MAX_WIDTH, (height.round() as u16).max(1)))
    }
}

/// An animated GIF that grows by one frame at a time and loops forever.
pub struct Animation {
    encoder: Encoder<Vec<u8>>,
    /// For each pixel, the index of its current colour in the palette.
    shown: Vec<u8>,
    /// The last frame and its start time in hundredths of a second. It is not written yet, as its duration is unknown.
    last: (Frame<'static>, u64),
}

impl Animation {
    /// Creates an animation with its first frame, shown at time zero. All later frames must have the same size.
    pub fn begin(first: &Image) -> Result<Self, EncodingError> {
        let (width, height) = first.size;
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let shown: Vec<u8> = first.pixels.iter().copied().map(entry).collect();
        Ok(Self {
            encoder,
            last: (encoded(shown.clone(), first.size), 0),
            shown,
        })
    }

    pub fn size(&self) -> (u16, u16) {
        (self.last.0.width, self.last.0.height)
    }

    /// Adds a frame that is shown at time `at` after the first frame. Does nothing if no pixel visibly changed.
    pub fn add(&mut self, picture: &Image, at: Nanos) -> Result<(), EncodingError> {
        assert_eq!(picture.size, self.size(), "all frames have the same size");
        let entries: Vec<u8> = picture.pixels.iter().copied().map(entry).collect();
        let pairs = entries.iter().zip(&self.shown);
        let changed = pairs.map(|(new, shown)| if new == shown { UNCHANGED } else { *new });
        let changed: Vec<u8> = changed.collect();
        if changed.iter().all(|entry| *entry == UNCHANGED) {
            return Ok(());
        }
        let frame = encoded(changed, picture.size);
        let at_centis = centis(at);
        if at_centis <= self.last.1 {
            return Ok(());
        }
        self.shown = entries;
        let last = std::mem::replace(&mut self.last, (frame, at_centis));
        self.write(last, at_centis)
    }

    /// Returns the contents of the file. The last frame is shown until `end`, a time since the first frame.
    pub fn finish(mut self, end: Nanos) -> Result<Vec<u8>, EncodingError> {
        let last = std::mem::take(&mut self.last);
        let end = centis(end).max(last.1 + MIN_LAST_FRAME_CENTIS);
        self.write(last, end)?;
        self.encoder.into_inner()
    }

    fn write(&mut self, (mut frame, at): (Frame<'_>, u64), end: u64) -> Result<(), EncodingError> {
        frame.delay = u16::try_from(end - at).unwrap_or(u16::MAX);
        self.encoder.write_lzw_pre_encoded_frame(&frame)
    }
}

/// Encodes the pixels of a frame. Pixels that have not changed take hardly any space.
fn encoded(pixels: Vec<u8>, (width, height): (u16, u16)) -> Frame<'static> {
    let mut frame = Frame {
        width,
        height,
        buffer: Cow::Owned(pixels),
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        ..Frame::default()
    };
    frame.make_lzw_pre_encoded();
    frame
}

fn palette() -> Vec<u8> {
    let colours = LEVELS
        .iter()
        .flat_map(|red| LEVELS.map(|green| LEVELS.map(|blue| [*red, green, blue])));
    let greys = (0..GREYS).map(|grey| [(u16::from(grey) * 255 / u16::from(GREYS - 1)) as u8; 3]);
    let all = colours.flatten().chain(greys).chain([[0; 3]]);
    all.flatten().collect()
}

fn entry([red, green, blue]: [u8; 3]) -> u8 {
    let tint = red.max(green).max(blue) - red.min(green).min(blue);
    if tint <= GREY_TINT {
        let grey = (u16::from(green) * u16::from(GREYS - 1) + 127) / 255;
        return COLOURS + grey as u8;
    }
    let [red, green, blue] = [red, green, blue].map(nearest_level);
    (red * 6 + green) * 6 + blue
}

fn nearest_level(brightness: u8) -> u8 {
    let borders = LEVELS.windows(2).map(|pair| u8::midpoint(pair[0], pair[1]));
    borders.filter(|border| brightness > *border).count() as u8
}

/// Converts a time to hundredths of a second, the unit of time in GIF files. Pass the time since the first frame, not
/// the delay between two frames. Otherwise, rounding errors would accumulate.
fn centis(time: Nanos) -> u64 {
    const UNIT: u64 = 10_000_000;
    (time.as_nanos() + UNIT / 2) / UNIT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MS;
    use gif::{ColorOutput, DecodeOptions};

    const GREY: [u8; 3] = [40, 40, 40];
    const RED: [u8; 3] = [255, 68, 56];
    const TEAL: [u8; 3] = [46, 196, 182];

    /// Returns a grey image of 8 by 4 pixels, some of which have another colour.
    fn picture(changed: &[usize], colour: [u8; 3]) -> Image {
        let mut pixels = vec![GREY; 32];
        for &at in changed {
            pixels[at] = colour;
        }
        Image {
            size: (8, 4),
            pixels,
        }
    }

    /// Decodes a file. Returns the delay of each frame, and its pixels, which replace those of the previous one.
    fn decoded(file: &[u8]) -> Vec<(u16, Vec<[u8; 3]>)> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(file).expect("a GIF");
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let size = [decoder.width(), decoder.height()].map(usize::from);
        let mut pixels = vec![[0; 3]; size[0] * size[1]];
        let mut all = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a whole GIF") {
            assert_eq!(frame.dispose, DisposalMethod::Keep);
            let (colours, _) = frame.buffer.as_chunks::<4>();
            let shown = pixels.iter_mut();
            for (pixel, &[red, green, blue, alpha]) in shown.zip(colours) {
                if alpha > 0 {
                    *pixel = [red, green, blue];
                }
            }
            all.push((frame.delay, pixels.clone()));
        }
        all
    }

    #[test]
    fn pictures_come_back_with_their_times_and_changes() {
        let pictures = [
            picture(&[], RED),
            picture(&[9, 10, 18], RED), // columns 1 and 2 of rows 1 and 2
            picture(&[9, 10, 18, 31], TEAL),
        ];
        let mut animation = Animation::begin(&pictures[0]).unwrap();
        animation.add(&pictures[1], MS(33)).unwrap();
        // This frame has the same palette entries as the previous one, so it is not stored.
        let similar = picture(&[9, 10, 18], [254, 69, 55]);
        animation.add(&similar, MS(50)).unwrap();
        animation.add(&pictures[2], MS(66)).unwrap();
        let all = decoded(&animation.finish(MS(67)).unwrap());
        // Times are rounded, not delays, so the delays add up to the rounded time of the last frame.
        let delays: Vec<u16> = all.iter().map(|(delay, _)| *delay).collect();
        assert_eq!(delays, [3, 4, 4]);
        for ((_, shown), picture) in all.iter().zip(&pictures) {
            for (shown, pixel) in shown.iter().zip(&picture.pixels) {
                let is_near = shown.iter().zip(pixel).all(|(a, b)| a.abs_diff(*b) <= 20);
                assert!(is_near, "{pixel:?} is {shown:?}");
            }
        }
    }

    #[test]
    fn screens_wider_than_the_limit_shrink() {
        for (screen, expected) in [
            ((1280, 800), Some((960, 600))),
            ((900, 2000), Some((900, 2000))),
            ((16_384, 1), Some((960, 1))),
            ((0, 800), None),
            ((800, 0), None),
        ] {
            assert_eq!(Image::recorded_size(screen), expected);
        }
    }
}
