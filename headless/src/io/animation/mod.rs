//! Encoder of animated GIFs. It knows nothing of the window.
//!
//! Each picture stores only the pixels that have changed visibly since the last one. A picture that would make the file
//! grow too fast is left out, and the one before it is shown for longer.

mod palette;
mod picture;

pub use picture::Picture;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use palette::{Palette, TABLE};
use std::borrow::Cow;
use timeslicer::time::Nanos;

/// Size in bytes that a file may have at its start, and the growth per second: 3 MB after four seconds.
const ALLOWED: (u64, u64) = (400_000, 650_000);

/// Index of unchanged pixels.
const UNCHANGED: u8 = TABLE as u8 - 1;

/// A new palette is made if one in this many pixels has no near colour in the palette.
const STRANGE: usize = 3000;

/// Shortest time that the last picture is shown, in hundredths of a second.
const SHORTEST: u64 = 4;

/// An animation that grows by a picture at a time and loops forever.
pub struct Animation {
    encoder: Encoder<Vec<u8>>,
    size: (u16, u16),
    palette: Palette,
    /// True if the palette is not the file's, so that each picture needs a copy.
    has_own_palette: bool,
    /// Number of pixels without a near colour that makes a new palette worthwhile.
    most_strange: usize,
    /// The last picture as decoders show it.
    shown: Vec<[u8; 3]>,
    /// The last picture and its time in hundredths of a second. It is written when the next one ends it.
    last: Option<(Frame<'static>, u64)>,
}

/// Changed pixels of a picture.
struct Changes {
    /// Indices of all pixels.
    indices: Vec<u8>,
    /// The picture as decoders show it.
    shown: Vec<[u8; 3]>,
    /// Number of pixels whose colour is far from the one in the palette.
    strange: usize,
}

impl Animation {
    /// Begins with the picture at time zero. The file gets the picture's size.
    ///
    /// # Errors
    /// If the picture cannot be encoded.
    pub fn begin(first: &Picture) -> Result<Self, EncodingError> {
        let (width, height) = first.size;
        let palette = Palette::of(&first.pixels);
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette.table())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut animation = Self {
            encoder,
            size: first.size,
            palette,
            has_own_palette: false,
            most_strange: first.pixels.len() / STRANGE,
            shown: Vec::new(),
            last: None,
        };
        let whole = animation.changes(&first.pixels);
        let frame = animation.frame(&whole.indices, (0, 0, width, height));
        animation.shown = whole.shown;
        animation.last = Some((frame, 0));
        Ok(animation)
    }

    /// Size of all pictures.
    #[must_use]
    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Adds a picture of the same size, shown `at` this time after the first. Leaves it out if nothing has changed, or
    /// if the file would become too large.
    ///
    /// # Errors
    /// If the picture cannot be encoded.
    ///
    /// # Panics
    /// If the picture has another size.
    pub fn add(&mut self, picture: &Picture, at: Nanos) -> Result<(), EncodingError> {
        assert_eq!(picture.size, self.size, "all pictures have one size");
        let mut changes = self.changes(&picture.pixels);
        if changes.strange > self.most_strange {
            self.palette = Palette::of(&picture.pixels);
            self.has_own_palette = true;
            changes = self.changes(&picture.pixels);
            // A picture with too many colours for any palette does not need a new one each time.
            self.most_strange = picture.pixels.len() / STRANGE + 2 * changes.strange;
        }
        let Some(rect) = changed_rect(&changes.indices, usize::from(self.size.0)) else {
            return Ok(());
        };
        let frame = self.frame(&changes.indices, rect);
        let at_centis = centis(at);
        let size = self.bytes() + stored(&frame);
        if size > allowed(at)
            || self
                .last
                .as_ref()
                .is_some_and(|(_, last)| at_centis <= *last)
        {
            return Ok(());
        }
        self.write_last(at_centis)?;
        self.shown = changes.shown;
        self.last = Some((frame, at_centis));
        Ok(())
    }

    /// Returns the file. Its last picture is shown until `end`, the time after the first.
    ///
    /// # Errors
    /// If the picture cannot be encoded.
    pub fn finish(mut self, end: Nanos) -> Result<Vec<u8>, EncodingError> {
        let last = self.last.as_ref().map_or(0, |(_, at)| *at);
        self.write_last(centis(end).max(last + SHORTEST))?;
        self.encoder.into_inner()
    }

    /// Finds the pixels that differ visibly from the ones shown.
    fn changes(&mut self, pixels: &[[u8; 3]]) -> Changes {
        let mut changes = Changes {
            indices: vec![UNCHANGED; pixels.len()],
            shown: self.shown.clone(),
            strange: 0,
        };
        let is_first = changes.shown.is_empty();
        changes.shown.resize(pixels.len(), [0; 3]);
        for ((&pixel, shown), index) in pixels
            .iter()
            .zip(&mut changes.shown)
            .zip(&mut changes.indices)
        {
            if !is_first && looks_like(*shown, pixel) {
                continue;
            }
            let (nearest, colour) = self.palette.nearest(pixel);
            changes.strange += usize::from(is_strange(colour, pixel));
            if is_first || colour != *shown {
                (*index, *shown) = (nearest, colour);
            }
        }
        changes
    }

    /// Encodes a rectangle of the indices.
    fn frame(&self, indices: &[u8], (left, top, width, height): Rect) -> Frame<'static> {
        let rows = indices.chunks(usize::from(self.size.0));
        let rows = rows.skip(top.into()).take(height.into());
        let part = rows.flat_map(|row| &row[left.into()..][..width.into()]);
        let mut frame = Frame {
            left,
            top,
            width,
            height,
            buffer: Cow::Owned(part.copied().collect()),
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            palette: self.has_own_palette.then(|| self.palette.table()),
            ..Frame::default()
        };
        frame.make_lzw_pre_encoded();
        frame
    }

    /// Number of bytes so far.
    fn bytes(&self) -> u64 {
        let last = self.last.as_ref().map_or(0, |(frame, _)| stored(frame));
        self.encoder.get_ref().len() as u64 + last
    }

    fn write_last(&mut self, end: u64) -> Result<(), EncodingError> {
        let Some((mut frame, at)) = self.last.take() else {
            return Ok(());
        };
        frame.delay = u16::try_from(end - at).unwrap_or(u16::MAX);
        self.encoder.write_lzw_pre_encoded_frame(&frame)
    }
}

/// Size of an encoded picture in the file, with its palette.
fn stored(frame: &Frame<'_>) -> u64 {
    const HEAD: usize = 32;
    let palette = frame.palette.as_ref().map_or(0, Vec::len);
    (HEAD + palette + frame.buffer.len()) as u64
}

/// Left, top, width and height.
type Rect = (u16, u16, u16, u16);

/// Returns the smallest rectangle with all changed pixels; `None` if there are none.
fn changed_rect(indices: &[u8], width: usize) -> Option<Rect> {
    let is_changed = |index: &u8| *index != UNCHANGED;
    let mut rows = None;
    let mut columns = (width, 0);
    for (y, row) in indices.chunks(width).enumerate() {
        let Some(left) = row.iter().position(is_changed) else {
            continue;
        };
        let right = row.iter().rposition(is_changed).unwrap_or(left);
        columns = (columns.0.min(left), columns.1.max(right));
        rows = Some((rows.map_or(y, |(top, _)| top), y));
    }
    let (top, bottom) = rows?;
    let (left, right) = columns;
    let side = |from: usize, to: usize| (to - from + 1) as u16;
    Some((
        left as u16,
        top as u16,
        side(left, right),
        side(top, bottom),
    ))
}

/// Time in hundredths of a second, the unit of GIFs. Rounding the times instead of the delays keeps their sum right.
fn centis(time: Nanos) -> u64 {
    const UNIT: u64 = 10_000_000;
    (time.as_nanos() + UNIT / 2) / UNIT
}

/// Size in bytes that the file may have at this time.
fn allowed(at: Nanos) -> u64 {
    let (start, per_s) = ALLOWED;
    start + (at.as_secs_f64() * per_s as f64) as u64
}

/// True if two colours are so similar that the change is invisible in motion. The eye sees finer steps in dark colours.
fn looks_like(shown: [u8; 3], pixel: [u8; 3]) -> bool {
    let brightest = pixel
        .iter()
        .chain(&shown)
        .fold(0, |most, &value| value.max(most));
    let most = (brightest / 8).saturating_sub(2).max(1);
    shown.iter().zip(pixel).all(|(a, b)| a.abs_diff(b) <= most)
}

/// True if the palette has no good colour for this pixel.
fn is_strange(colour: [u8; 3], pixel: [u8; 3]) -> bool {
    const FAR: u8 = 24;
    colour.iter().zip(pixel).any(|(a, b)| a.abs_diff(b) > FAR)
}

#[cfg(test)]
mod tests;
