//! Compares images by the mean colours of blocks. This keeps the reference images small, and ignores edges that another
//! rasteriser rounds differently.

use crate::window::support::image::Image;

/// The side of a block in pixels. A letter fills about one block, and a keycap four.
const BLOCK: u32 = 8;
/// The side of a patch in blocks. A tint that is too faint to count in a block counts if it covers a whole patch.
const PATCH: u32 = 8;
/// The tolerance for a block, in levels from 0 to 255 of red, green or blue.
const FAINT: f64 = 8.0;
/// The tolerance for a patch, in the same levels. It is lower than for a block, because rounding errors cancel out over
/// 64 blocks, but a tint does not.
const FAINT_PATCH: f64 = 1.5;
/// The maximum number of blocks that may differ.
const FEW: usize = 3;

const MARK: [u8; 3] = [0xff, 0x00, 0xff];

/// Splits an image into squares, from left to right and from top to bottom. Squares at the right and bottom edges may
/// be cut off.
fn squares(image: &Image, side: u32) -> impl Iterator<Item = Image> + '_ {
    let tops = (0..image.height).step_by(side as usize);
    tops.flat_map(move |top| {
        let lefts = (0..image.width).step_by(side as usize);
        lefts.map(move |left| {
            let (right, bottom) = (image.width - left, image.height - top);
            image.part(left, top, right.min(side), bottom.min(side))
        })
    })
}

fn mean_of(image: &Image) -> [f64; 3] {
    [0, 1, 2].map(|channel| {
        let levels = image.pixels.iter().map(|pixel| f64::from(pixel[channel]));
        levels.sum::<f64>() / image.pixels.len() as f64
    })
}

/// Returns the largest difference between the mean red, green or blue levels of two images.
fn apart(one: &Image, other: &Image) -> f64 {
    let means = mean_of(one).into_iter().zip(mean_of(other));
    means
        .map(|(one, other)| (one - other).abs())
        .fold(0.0, f64::max)
}

/// Reduces an image to the mean colours of its blocks.
pub fn blocks_of(image: &Image) -> Image {
    let mean = |block: Image| mean_of(&block).map(|level| level.round() as u8);
    Image::new(
        image.width.div_ceil(BLOCK),
        image.height.div_ceil(BLOCK),
        squares(image, BLOCK).map(mean).collect(),
    )
}

/// Compares the blocks of two images. If they differ by more than the tolerance, returns a description and the second
/// image with the differing blocks marked.
pub fn difference(kept: &Image, taken: &Image) -> Option<(String, Image)> {
    let sizes = [kept, taken].map(|image| (image.width, image.height));
    if sizes[0] != sizes[1] {
        return Some((
            format!("the size in blocks changes: {sizes:?}"),
            taken.clone(),
        ));
    }
    let pairs = squares(kept, 1).zip(squares(taken, 1));
    let blocks: Vec<bool> = pairs
        .map(|(one, other)| apart(&one, &other) > FAINT)
        .collect();
    let pairs = squares(kept, PATCH).zip(squares(taken, PATCH));
    let is_tinted = |(one, other): &(Image, Image)| {
        let is_whole = one.pixels.len() == (PATCH * PATCH) as usize;
        is_whole && apart(one, other) > FAINT_PATCH
    };
    let tinted = pairs.filter(is_tinted).count();
    let differing = blocks.iter().filter(|differs| **differs).count();
    if differing <= FEW && tinted == 0 {
        return None;
    }
    let pixels = taken.pixels.iter().zip(&blocks);
    let pixels = pixels.map(|(pixel, differs)| {
        if *differs {
            MARK
        } else {
            pixel.map(|it| it / 3)
        }
    });
    let marked = Image::new(taken.width, taken.height, pixels.collect());
    let what = format!("{differing} blocks of {BLOCK}x{BLOCK} pixels and {tinted} patches differ");
    Some((what, marked))
}

#[test]
fn changes_are_found_and_rounding_is_ignored() {
    let image = |pixel: &dyn Fn(u32) -> [u8; 3]| {
        blocks_of(&Image::new(160, 96, (0..160 * 96).map(pixel).collect()))
    };
    let pattern = |index: u32| [index % 160, index / 160 * 2, index % 7 * 30].map(|it| it as u8);
    let kept = image(&pattern);
    // Each level is off by up to three, at random.
    let noise = |index: u32| (index.wrapping_mul(2_654_435_761) >> 16) as u8 % 7;
    let rounded = |index| pattern(index).map(|it| (it + 3).saturating_sub(noise(index)));
    for same in [kept.clone(), image(&rounded)] {
        assert!(difference(&kept, &same).is_none());
    }
    let moved = |index: u32| pattern(index.saturating_sub(20));
    let tinted = |index| pattern(index).map(|it| it.saturating_sub(2));
    for changed in [image(&moved), image(&tinted), kept.part(0, 0, 19, 12)] {
        assert!(difference(&kept, &changed).is_some());
    }
}
