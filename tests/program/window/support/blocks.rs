//! Compares images by the mean colours of blocks. This keeps the reference images small, and ignores edges that another
//! rasteriser rounds differently.

use crate::tools::other_program;
use image::imageops::crop_imm;
use image::{GenericImageView, Rgb, RgbImage};

/// The side of a block in pixels. A letter fills about one block, and a keycap four.
const BLOCK: u32 = 8;
/// The tolerance for a block, in levels from 0 to 255 of red, green or blue.
const FAINT: u8 = 8;
/// The maximum number of blocks that may differ, out of 16,000. More may differ if another build is tested, because the
/// OpenGL library of another system smooths edges between two pixels differently, such as those of the marks in Loops.
const FEW: usize = 3;
const FEW_ELSEWHERE: usize = 64;

const MARK: Rgb<u8> = Rgb([0xff, 0x00, 0xff]);

/// Reduces an image to the mean colours of its blocks. Blocks at the right and bottom edges may be cut off.
pub fn blocks_of(image: &RgbImage) -> RgbImage {
    let (width, height) = image.dimensions();
    RgbImage::from_fn(width.div_ceil(BLOCK), height.div_ceil(BLOCK), |x, y| {
        let block = crop_imm(image, x * BLOCK, y * BLOCK, BLOCK, BLOCK);
        let count = f64::from(block.width() * block.height());
        Rgb([0, 1, 2].map(|channel| {
            let levels = block.pixels().map(|(.., pixel)| f64::from(pixel[channel]));
            (levels.sum::<f64>() / count).round() as u8
        }))
    })
}

/// Compares the blocks of two images. If they differ by more than the tolerance, returns a description and the second
/// image with the differing blocks marked.
pub fn difference(kept: &RgbImage, taken: &RgbImage) -> Option<(String, RgbImage)> {
    let sizes = [kept, taken].map(RgbImage::dimensions);
    if sizes[0] != sizes[1] {
        let what = format!("the size in blocks changes: {sizes:?}");
        return Some((what, taken.clone()));
    }
    let mut marked = taken.clone();
    let mut differing = 0;
    for (pixel, kept) in marked.pixels_mut().zip(kept.pixels()) {
        let mut levels = pixel.0.into_iter().zip(kept.0);
        if levels.any(|(one, other)| one.abs_diff(other) > FAINT) {
            *pixel = MARK;
            differing += 1;
        }
    }
    let what = format!("{differing} blocks of {BLOCK}x{BLOCK} pixels differ");
    let few = match other_program() {
        Some(_) => FEW_ELSEWHERE,
        None => FEW,
    };
    (differing > few).then_some((what, marked))
}
