//! Encodes frames as an animated GIF, without depending on the window.
//!
//! Each frame stores only the pixels that have changed visibly since the previous one. If a frame would make the file
//! grow too fast, it is left out, and the previous frame is shown for longer.

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use timeslicer::time::Nanos;

/// The maximum file size in bytes at the start of a recording, and the number of bytes by which this maximum increases
/// per second. After four seconds, for example, the file may be 3 MB in size.
const MAX_BYTES: (u64, u64) = (400_000, 650_000);

/// The number of colours in a frame. More colours would make the file larger, but the image hardly better.
const COLOURS: usize = 96;

/// The number of entries in the palette of a frame. The last entry is for pixels that have not changed.
const PALETTE_SIZE: usize = 128;
const UNCHANGED: u8 = PALETTE_SIZE as u8 - 1;

/// The palette of a frame is computed from only one in this many pixels, to save time. The first pixel of each shade
/// (see [`SHADES`]) is also used, so that rare colours are kept.
const SAMPLING_INTERVAL: usize = 30;

const MIN_LAST_FRAME_CENTIS: u64 = 4;

const MAX_WIDTH: u16 = 960;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub size: (u16, u16),
    /// The red, green and blue values of the pixels, row by row from the top.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Returns the size of the recording for a screen of the given size. A screen that is too wide is scaled down
    /// proportionally. Returns `None` if the screen has no pixels.
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
    size: (u16, u16),
    /// The colour that each pixel had when it last changed visibly.
    shown: Vec<[u8; 3]>,
    /// The last frame and its time in hundredths of a second. The frame is written when the next frame arrives, because
    /// only then is its duration known.
    last: (Frame<'static>, u64),
}

impl Animation {
    /// Creates an animation with its first frame, which is shown at time zero. All other frames must have the same
    /// size.
    pub fn begin(first: Image) -> Result<Self, EncodingError> {
        let Image { size, pixels } = first;
        let mut encoder = Encoder::new(Vec::new(), size.0, size.1, &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        let all: Vec<_> = pixels.iter().copied().map(Some).collect();
        Ok(Self {
            encoder,
            size,
            last: (encoded(&all, size.0), 0),
            shown: pixels,
        })
    }

    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Adds a frame that appears at time `at`, where zero is the time of the first frame. The frame is left out if
    /// there is no visible change, or if the file would become too large.
    pub fn add(&mut self, picture: &Image, at: Nanos) -> Result<(), EncodingError> {
        assert_eq!(picture.size, self.size, "all frames have the same size");
        let pairs = picture.pixels.iter().zip(&self.shown);
        let changed: Vec<_> = pairs
            .map(|(&new, &shown)| (!looks_like(shown, new)).then_some(new))
            .collect();
        if changed.iter().all(Option::is_none) {
            return Ok(());
        }
        let frame = encoded(&changed, self.size.0);
        let at_centis = centis(at);
        let (last, last_at) = &self.last;
        let size = self.encoder.get_ref().len() as u64 + encoded_size(last) + encoded_size(&frame);
        if size > max_bytes(at) || at_centis <= *last_at {
            return Ok(());
        }
        for (shown, new) in self.shown.iter_mut().zip(changed) {
            *shown = new.unwrap_or(*shown);
        }
        let last = std::mem::replace(&mut self.last, (frame, at_centis));
        self.write(last, at_centis)
    }

    /// Returns the contents of the file. The last frame is shown until time `end`, where zero is the time of the first
    /// frame.
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

/// Encodes the rows from the first to the last one in which pixels have changed. Pixels that have not changed are
/// `None`.
fn encoded(changed: &[Option<[u8; 3]>], width: u16) -> Frame<'static> {
    let mut rows = changed.chunks(width.into());
    let is_changed = |row: &[Option<_>]| row.iter().any(Option::is_some);
    let top = rows.position(is_changed).unwrap_or(0);
    let bottom = top + rows.rposition(is_changed).map_or(0, |row| row + 1);
    let changed = &changed[top * usize::from(width)..(bottom + 1) * usize::from(width)];
    let quantizer = quantizer(changed.iter().flatten());
    let mut palette = quantizer.color_map_rgb();
    palette.resize(PALETTE_SIZE * 3, 0);
    // Looking up a colour is slow, so it is done only once for each shade.
    let mut known: Vec<Option<u8>> = vec![None; SHADES];
    let mut index_of = |&[red, green, blue]: &[u8; 3]| {
        let find = || quantizer.index_of(&[red, green, blue, u8::MAX]) as u8;
        *known[shade([red, green, blue])].get_or_insert_with(find)
    };
    let index = |pixel: &Option<_>| pixel.as_ref().map_or(UNCHANGED, &mut index_of);
    let indices = changed.iter().map(index);
    let mut frame = Frame {
        top: top as u16,
        width,
        height: (bottom - top + 1) as u16,
        buffer: Cow::Owned(indices.collect()),
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        palette: Some(palette),
        ..Frame::default()
    };
    frame.make_lzw_pre_encoded();
    frame
}

fn quantizer<'a>(pixels: impl Iterator<Item = &'a [u8; 3]>) -> NeuQuant {
    let mut is_new = vec![true; SHADES];
    let is_sampled = |(number, pixel): &(usize, &[u8; 3])| {
        std::mem::take(&mut is_new[shade(**pixel)]) || number.is_multiple_of(SAMPLING_INTERVAL)
    };
    let sample = pixels.enumerate().filter(is_sampled);
    let rgba: Vec<u8> = sample
        .flat_map(|(_, &[red, green, blue])| [red, green, blue, u8::MAX])
        .collect();
    NeuQuant::new(1, COLOURS, &rgba)
}

/// The number of shades. A shade is a colour without the two lowest bits of red, green and blue.
const SHADES: usize = 1 << 18;

fn shade(colour: [u8; 3]) -> usize {
    let [red, green, blue] = colour.map(|value| usize::from(value >> 2));
    red << 12 | green << 6 | blue
}

fn encoded_size(frame: &Frame<'_>) -> u64 {
    const HEAD: usize = 32;
    (HEAD + PALETTE_SIZE * 3 + frame.buffer.len()) as u64
}

/// Converts a time to hundredths of a second, the unit of time in GIF files. Pass the time since the first frame, not
/// the delay between two frames. Otherwise, rounding errors would accumulate.
fn centis(time: Nanos) -> u64 {
    const UNIT: u64 = 10_000_000;
    (time.as_nanos() + UNIT / 2) / UNIT
}

fn max_bytes(at: Nanos) -> u64 {
    let (start, per_s) = MAX_BYTES;
    start + (at.as_secs_f64() * per_s as f64) as u64
}

/// Returns true if two colours are so similar that a viewer does not notice the change. The eye sees finer differences
/// between dark colours.
fn looks_like(shown: [u8; 3], pixel: [u8; 3]) -> bool {
    let brightest = shown.into_iter().chain(pixel).fold(0, u8::max);
    let most = (brightest / 8).saturating_sub(2).max(1);
    shown.iter().zip(pixel).all(|(a, b)| a.abs_diff(b) <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn ms(millis: u64) -> Nanos {
        Nanos::from_millis(millis)
    }

    /// An image as a viewer shows it, with the GIF frame that made it. The pixels of the GIF frame are removed.
    struct Decoded {
        pixels: Vec<[u8; 3]>,
        frame: Frame<'static>,
    }

    fn decoded(file: &[u8]) -> Vec<Decoded> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(file).expect("a GIF");
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut pixels = vec![[0; 3]; width * height];
        let mut all = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a whole GIF") {
            assert_eq!(frame.dispose, DisposalMethod::Keep);
            let (colours, _) = frame.buffer.as_chunks::<4>();
            for (y, row) in colours.chunks(frame.width.into()).enumerate() {
                let start = (usize::from(frame.top) + y) * width + usize::from(frame.left);
                for (pixel, &[red, green, blue, alpha]) in pixels[start..].iter_mut().zip(row) {
                    if alpha > 0 {
                        *pixel = [red, green, blue];
                    }
                }
            }
            all.push(Decoded {
                pixels: pixels.clone(),
                frame: Frame {
                    buffer: Cow::Borrowed(&[]),
                    ..frame.clone()
                },
            });
        }
        all
    }

    fn delays(all: &[Decoded]) -> Vec<u16> {
        all.iter().map(|it| it.frame.delay).collect()
    }

    #[test]
    fn pictures_come_back_with_their_times_and_changes() {
        let pictures = [
            picture(&[], RED),
            picture(&[9, 10, 18], RED), // columns 1 and 2 of rows 1 and 2
            picture(&[9, 10, 18, 31], TEAL),
        ];
        let mut animation = Animation::begin(pictures[0].clone()).unwrap();
        animation.add(&pictures[1], ms(33)).unwrap();
        animation.add(&pictures[2], ms(66)).unwrap();
        let all = decoded(&animation.finish(ms(100)).unwrap());
        // Times are rounded to hundredths, so the delays add up.
        assert_eq!(delays(&all), [3, 4, 4]);
        for (shown, picture) in all.iter().zip(&pictures) {
            for (shown, pixel) in shown.pixels.iter().zip(&picture.pixels) {
                let is_near = shown.iter().zip(pixel).all(|(a, b)| a.abs_diff(*b) <= 4);
                assert!(is_near, "{pixel:?} is {shown:?}");
            }
        }
        let rect = |frame: &Frame<'_>| (frame.left, frame.top, frame.width, frame.height);
        assert_eq!(rect(&all[0].frame), (0, 0, 8, 4));
        assert_eq!(
            rect(&all[1].frame),
            (0, 1, 8, 2),
            "only the rows that changed"
        );
    }

    #[test]
    fn a_picture_without_a_change_prolongs_the_last() {
        let mut animation = Animation::begin(picture(&[3], RED)).unwrap();
        for at in [40, 80, 120] {
            // An invisible change counts as no change.
            let similar = picture(&[3], [254, 69, 55]);
            animation.add(&similar, ms(at)).unwrap();
        }
        animation.add(&picture(&[4], RED), ms(160)).unwrap();
        let all = decoded(&animation.finish(ms(160)).unwrap());
        assert_eq!(delays(&all), [16, 4], "the last picture is shown briefly");
    }

    #[test]
    fn rare_colours_are_kept_among_many() {
        let shade = |at: usize| [(at % 251) as u8, (at % 83) as u8, 30];
        let mut pixels: Vec<[u8; 3]> = (0..60_000).map(shade).collect();
        for (at, pixel) in pixels[30_000..30_100].iter_mut().enumerate() {
            *pixel = TEAL.map(|value| value - at as u8 / 4);
        }
        let animation = Animation::begin(Image {
            size: (300, 200),
            pixels: pixels.clone(),
        });
        let all = decoded(&animation.unwrap().finish(ms(40)).unwrap());
        for (shown, pixel) in all[0].pixels.iter().zip(&pixels).skip(30_000).take(100) {
            let is_near = shown.iter().zip(pixel).all(|(a, b)| a.abs_diff(*b) <= 64);
            assert!(is_near, "{pixel:?} is {shown:?}");
        }
    }

    #[test]
    fn four_seconds_of_noise_take_at_most_3_mb() {
        // Random greys do not compress.
        let mut seed = 1_u32;
        let mut grey = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [(seed >> 24) as u8; 3]
        };
        let pictures = [1, 2, 3].map(|_| Image {
            size: (960, 600),
            pixels: (0..960 * 600).map(|_| grey()).collect(),
        });
        let mut animation = Animation::begin(pictures[0].clone()).unwrap();
        for (at, picture) in (1..=10).zip(pictures.iter().cycle().skip(1)) {
            animation.add(picture, ms(at * 400)).unwrap();
        }
        let file = animation.finish(ms(4100)).unwrap();
        assert!(file.len() <= 3_000_000, "{} bytes", file.len());
        let delays = delays(&decoded(&file));
        assert!(delays.len() > 2, "{delays:?}");
        assert_eq!(delays.iter().sum::<u16>(), 410, "the times are kept");
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
