//! Functions for images of the window.

use egui::Rect;
use image::RgbImage;
use image::imageops::crop_imm;
use std::collections::HashSet;
use std::path::Path;

pub fn read(path: &Path) -> RgbImage {
    let image = image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    image.into_rgb8()
}

/// Returns the part of the image inside `rect`, which is in pixels.
pub fn inside(image: &RgbImage, rect: Rect) -> RgbImage {
    let [left, top, width, height] =
        [rect.left(), rect.top(), rect.width(), rect.height()].map(|side| side as u32);
    crop_imm(image, left, top, width, height).to_image()
}

pub fn colours(image: &RgbImage) -> usize {
    image.pixels().collect::<HashSet<_>>().len()
}
