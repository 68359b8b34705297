//! Compares images by the mean colours of blocks. This keeps the reference images small, and ignores edges that another
//! rasteriser rounds differently.

use crate::window::support::image::Image;

/// The side of a block in pixels. A letter fills about one block, and a keycap four.
const BLOCK: u32 = 8;
/// The tolerance for a block, in levels from 0 to 255 of red, green or blue.
const FAINT: u8 = 8;
/// The maximum number of blocks that may differ.
const FEW: usize = 3;

const MARK: [u8; 3] = [0xff, 0x00, 0xff];

/// Reduces an image to the mean colours of its blocks. Blocks at the right and bottom edges may be cut off.
pub fn blocks_of(image: &Image) -> Image {
    let mean = |left: u32, top: u32| {
        let (right, bottom) = (image.width - left, image.height - top);
        let block = image.part(left, top, right.min(BLOCK), bottom.min(BLOCK));
        [0, 1, 2].map(|channel| {
            let levels = block.pixels.iter().map(|pixel| f64::from(pixel[channel]));
            (levels.sum::<f64>() / block.pixels.len() as f64).round() as u8
        })
    };
    let rows = (0..image.height).step_by(BLOCK as usize);
    let pixels = rows.flat_map(|top| {
        let columns = (0..image.width).step_by(BLOCK as usize);
        columns.map(move |left| mean(left, top))
    });
    Image::new(
        image.width.div_ceil(BLOCK),
        image.height.div_ceil(BLOCK),
        pixels.collect(),
    )
}

/// Compares the blocks of two images. If they differ by more than the tolerance, returns a description and the second
/// image with the differing blocks marked.
pub fn difference(kept: &Image, taken: &Image) -> Option<(String, Image)> {
    let sizes = [kept, taken].map(|image| (image.width, image.height));
    if sizes[0] != sizes[1] {
        let what = format!("the size in blocks changes: {sizes:?}");
        return Some((what, taken.clone()));
    }
    let mut marked = taken.clone();
    let mut differing = 0;
    for (pixel, kept) in marked.pixels.iter_mut().zip(&kept.pixels) {
        let mut levels = pixel.iter().zip(kept);
        if levels.any(|(one, other)| one.abs_diff(*other) > FAINT) {
            *pixel = MARK;
            differing += 1;
        }
    }
    let what = format!("{differing} blocks of {BLOCK}x{BLOCK} pixels differ");
    (differing > FEW).then_some((what, marked))
}
