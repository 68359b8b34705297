//! The window's icon: the logo's three rising bars, the middle one red, on a dark rounded square.

use crate::app::widgets::theme;
use egui::{Color32, Pos2, Rect, pos2};
use macroquad::miniquad::conf::Icon;

/// Samples along each side of a pixel, for antialiasing.
const SAMPLES: usize = 4;

/// Returns the icon in the sizes that operating systems need.
pub fn icon() -> Icon {
    Icon {
        small: painted::<16, { 16 * 16 * 4 }>(),
        medium: painted::<32, { 32 * 32 * 4 }>(),
        big: painted::<64, { 64 * 64 * 4 }>(),
    }
}

/// Returns `SIDE` rows of `SIDE` pixels from the top, four bytes each: red, green, blue, alpha.
fn painted<const SIDE: usize, const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (index, pixel) in bytes.chunks_exact_mut(4).enumerate() {
        let (row, column) = (index / SIDE, index % SIDE);
        let mut sum = [0u32; 4];
        for sample in 0..SAMPLES * SAMPLES {
            let along = |pixel: usize, sample: usize| {
                let place = (sample as f32 + 0.5) / SAMPLES as f32;
                (pixel as f32 + place) / SIDE as f32
            };
            let at = pos2(
                along(column, sample % SAMPLES),
                along(row, sample / SAMPLES),
            );
            if let Some(ink) = ink_at(at) {
                let parts = [ink.r(), ink.g(), ink.b(), 1];
                for (sum, part) in sum.iter_mut().zip(parts) {
                    *sum += u32::from(part);
                }
            }
        }
        let covered = sum[3];
        for (byte, sum) in pixel.iter_mut().zip(sum) {
            *byte = (sum / covered.max(1)) as u8;
        }
        pixel[3] = (covered * 255 / (SAMPLES * SAMPLES) as u32) as u8;
    }
    bytes
}

/// Returns the colour at a point of the unit square, or `None` outside the rounded square.
fn ink_at(at: Pos2) -> Option<Color32> {
    // Lengths are in sixteenths of the side, so that edges are on whole pixels at each size.
    let bar = |left: f32, top: f32, height: f32| {
        let rect = [left, top, left + 3.0, top + height].map(|sixteenth| sixteenth / 16.0);
        Rect::from_min_max(pos2(rect[0], rect[1]), pos2(rect[2], rect[3]))
    };
    let bars = [
        (bar(2.0, 9.0, 4.0), theme::BRIGHT),
        (bar(6.5, 6.0, 5.0), theme::RED),
        (bar(11.0, 3.0, 5.0), theme::BRIGHT),
    ];
    let ground = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
    let found = bars.iter().find(|(bar, _)| is_within(*bar, 0.03, at));
    let ink = found.map_or(theme::BAR, |(_, ink)| *ink);
    is_within(ground, 0.2, at).then_some(ink)
}

/// True if `at` is inside `rect` with corners rounded by `radius`.
fn is_within(rect: Rect, radius: f32, at: Pos2) -> bool {
    let core = rect.shrink(radius);
    (at - core.clamp(at)).length() <= radius
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(bytes: &[u8], side: usize, column: usize, row: usize) -> [u8; 4] {
        let at = (row * side + column) * 4;
        bytes[at..at + 4].try_into().unwrap()
    }

    #[test]
    fn corners_are_transparent_and_the_middle_is_red() {
        let icon = icon();
        for (bytes, side) in [
            (icon.small.as_slice(), 16),
            (icon.medium.as_slice(), 32),
            (icon.big.as_slice(), 64),
        ] {
            assert_eq!(pixel(bytes, side, 0, 0)[3], 0, "{side}");
            let middle = pixel(bytes, side, side / 2, side / 2);
            let red = theme::RED;
            assert_eq!(middle, [red.r(), red.g(), red.b(), 255], "{side}");
        }
    }

    #[test]
    fn the_three_bars_rise() {
        let bytes = painted::<64, { 64 * 64 * 4 }>();
        let top_of = |column: usize| {
            let ground = theme::BAR.r();
            (8..56).find(|&row| pixel(&bytes, 64, column, row)[0] > ground + 60)
        };
        let tops = [14, 32, 50].map(|column| top_of(column).expect("a bar"));
        assert!(tops[0] > tops[1] && tops[1] > tops[2], "{tops:?}");
    }
}
