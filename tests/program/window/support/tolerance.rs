//! Compares pictures with a tolerance.
//!
//! Only the mean colours of blocks are compared. This keeps the reference pictures small, and ignores edges that
//! another rasteriser rounds differently. All parts of the picture are compared.

use crate::window::support::lab::Place;
use crate::window::support::picture::Picture;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

/// Side of a block in pixels. A letter fills about one block, a keycap four.
pub const BLOCK: u32 = 8;
/// Side of a patch in blocks. A difference too faint for a block counts if it covers a whole patch.
const PATCH: u32 = 8;
/// Tolerance for a block, in levels of 255 for each of red, green and blue.
const FAINT: f64 = 8.0;
/// Tolerance for a patch, in levels. It is lower than for a block, because rounding cancels out over 64 blocks, but a
/// tint does not.
const FAINT_PATCH: f64 = 1.5;
/// Number of blocks that may differ.
const FEW: usize = 3;

/// Colour of the blocks that differ.
const MARK: [u8; 3] = [0xff, 0x00, 0xff];

/// Reduces a picture to the mean colours of its blocks.
pub fn blocks_of(picture: &Picture) -> Picture {
    let (width, height) = (
        picture.width.div_ceil(BLOCK),
        picture.height.div_ceil(BLOCK),
    );
    let mean = |index: u32| {
        let (left, top) = (index % width * BLOCK, index / width * BLOCK);
        // Blocks at the right and bottom edges may be cut off.
        let (right, bottom) = (picture.width - left, picture.height - top);
        let block = picture.part(left, top, right.min(BLOCK), bottom.min(BLOCK));
        mean_of(block.pixels()).map(|level| level.round() as u8)
    };
    Picture::new(width, height, (0..width * height).map(mean).collect())
}

fn mean_of(pixels: &[[u8; 3]]) -> [f64; 3] {
    [0, 1, 2].map(|channel| {
        let sum: u64 = pixels.iter().map(|pixel| u64::from(pixel[channel])).sum();
        sum as f64 / pixels.len() as f64
    })
}

/// Returns how far the means of two lists of colours are apart, in levels: the largest difference of red, green or
/// blue.
fn apart(one: &[[u8; 3]], other: &[[u8; 3]]) -> f64 {
    let (one, other) = (mean_of(one), mean_of(other));
    let levels = one
        .iter()
        .zip(other)
        .map(|(one, other)| (one - other).abs());
    levels.fold(0.0, f64::max)
}

/// Returns the column and row of every `step`-th cell of a grid in both directions.
fn cells(columns: Range<u32>, rows: Range<u32>, step: u32) -> impl Iterator<Item = (u32, u32)> {
    let step = step as usize;
    rows.step_by(step)
        .flat_map(move |y| columns.clone().step_by(step).map(move |x| (x, y)))
}

/// A difference between two pictures.
#[derive(Debug, PartialEq)]
pub enum Difference {
    /// The two sizes, in blocks.
    Size([(u32, u32); 2]),
    /// Blocks of different colours.
    Blocks {
        /// Columns and rows of the blocks.
        places: BTreeSet<(u32, u32)>,
        /// Largest difference, in levels.
        most: f64,
    },
}

/// Returns the difference between the blocks of two pictures, if it is above the tolerance.
pub fn difference(kept: &Picture, taken: &Picture) -> Option<Difference> {
    let sizes = [kept, taken].map(|picture| (picture.width, picture.height));
    if sizes[0] != sizes[1] {
        return Some(Difference::Size(sizes));
    }
    let mut places = BTreeSet::new();
    let mut most: f64 = 0.0;
    for (x, y) in cells(0..kept.width, 0..kept.height, 1) {
        let off = apart(&[kept.at(x, y)], &[taken.at(x, y)]);
        if off > FAINT {
            places.insert((x, y));
            most = most.max(off);
        }
    }
    let clear = places.clone();
    for (left, top) in cells(0..kept.width, 0..kept.height, PATCH) {
        let columns = left..(left + PATCH).min(kept.width);
        let rows = top..(top + PATCH).min(kept.height);
        // Blocks above their own tolerance are already listed.
        let rest = cells(columns, rows, 1).filter(|place| !clear.contains(place));
        let rest: Vec<(u32, u32)> = rest.collect();
        let colours = |picture: &Picture| rest.iter().map(|&(x, y)| picture.at(x, y)).collect();
        let (one, other): (Vec<_>, Vec<_>) = (colours(kept), colours(taken));
        let off_by = apart(&one, &other);
        if rest.len() > FEW && off_by > FAINT_PATCH {
            let pairs = rest.into_iter().zip(one).zip(other);
            let off = pairs.filter(|((_, one), other)| apart(&[*one], &[*other]) > FAINT_PATCH);
            places.extend(off.map(|((place, _), _)| place));
            most = most.max(off_by);
        }
    }
    (places.len() > FEW).then_some(Difference::Blocks { places, most })
}

impl Difference {
    /// Returns the name of each control with differing blocks, and the number of these blocks, highest number first. If
    /// several controls cover a block, the smallest control counts. `places` are in pixels.
    pub fn names(&self, places: &HashMap<String, Place>) -> Vec<(String, usize)> {
        let Self::Blocks { places: blocks, .. } = self else {
            return Vec::new();
        };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for &(column, row) in blocks {
            let middle = |index: u32| f64::from(index * BLOCK + BLOCK / 2);
            let (x, y) = (middle(column), middle(row));
            let covering = places.iter().filter(|(_, place)| place.contains(x, y));
            let area = |place: &Place| place.width * place.height;
            let smallest = covering.min_by(|(_, a), (_, b)| area(a).total_cmp(&area(b)));
            *counts
                .entry(smallest.map_or("?", |(name, _)| name))
                .or_default() += 1;
        }
        let mut names: Vec<(String, usize)> = counts
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count))
            .collect();
        names.sort_by_key(|(_, count)| Reverse(*count));
        names
    }

    /// Returns the picture, dimmed, with the differing blocks marked.
    pub fn marked(&self, picture: &Picture) -> Picture {
        let is_marked = |index: usize| match self {
            Self::Size(_) => false,
            Self::Blocks { places, .. } => {
                let index = index as u32;
                let (x, y) = (index % picture.width, index / picture.width);
                places.contains(&(x / BLOCK, y / BLOCK))
            }
        };
        let pixels = picture.pixels().iter().enumerate();
        let pixels = pixels.map(|(index, &pixel)| {
            if is_marked(index) {
                [0, 1, 2].map(|channel| pixel[channel] / 2 + MARK[channel] / 2)
            } else {
                pixel.map(|level| level / 3)
            }
        });
        Picture::new(picture.width, picture.height, pixels.collect())
    }
}

impl Display for Difference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size([kept, taken]) => {
                write!(
                    f,
                    "the size was {kept:?} blocks of {BLOCK}x{BLOCK} pixels and is {taken:?}"
                )
            }
            Self::Blocks { places, most } => {
                let count = places.len();
                write!(
                    f,
                    "{count} blocks of {BLOCK}x{BLOCK} pixels differ, by up to {most:.0} of 255 levels"
                )
            }
        }
    }
}

/// Returns a picture of 160x96 pixels without uniform areas.
fn pattern() -> Picture {
    let pixel = |index: u32| [index % 160, index / 160 * 2, index % 7 * 30].map(|it| it as u8);
    Picture::new(160, 96, (0..160 * 96).map(pixel).collect())
}

#[test]
fn rounding_is_no_difference() {
    let kept = blocks_of(&pattern());
    assert_eq!((kept.width, kept.height), (20, 12));
    assert_eq!(difference(&kept, &kept), None);
    // Every pixel is off by up to three levels at random.
    let mut off = (0_u32..).map(|index| (index.wrapping_mul(2_654_435_761) >> 16) % 7);
    let mut round = |level: u8| (level + 3).saturating_sub(off.next().unwrap_or(0) as u8);
    let pixels = pattern()
        .pixels()
        .iter()
        .map(|pixel| pixel.map(&mut round))
        .collect();
    let rounded = blocks_of(&Picture::new(160, 96, pixels));
    assert_eq!(difference(&kept, &rounded), None);
}

#[test]
fn a_faint_tint_is_found_over_a_patch() {
    let kept = blocks_of(&pattern());
    let tint = |&[red, green, blue]: &[u8; 3]| [red + 2, green, blue];
    let tinted = kept.pixels().iter().map(tint).collect();
    let found = difference(&kept, &Picture::new(20, 12, tinted)).expect("a difference");
    assert!(matches!(found, Difference::Blocks { places, .. } if places.len() == 240));
}

#[test]
fn another_size_is_a_difference() {
    let kept = blocks_of(&pattern());
    let taken = kept.part(0, 0, 19, 12);
    let found = difference(&kept, &taken);
    assert_eq!(found, Some(Difference::Size([(20, 12), (19, 12)])));
}

#[test]
fn blocks_at_the_edges_can_be_smaller() {
    let cut = blocks_of(&pattern().part(0, 0, 9, 17));
    assert_eq!((cut.width, cut.height), (2, 3));
    let corner = pattern().part(8, 16, 1, 1);
    assert_eq!(cut.pixels()[5], corner.pixels()[0]);
}
