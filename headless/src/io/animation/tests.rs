//! Tests of animations: a decoder gets the pictures, times and sizes that were added.

use super::*;
use gif::{ColorOutput, DecodeOptions};

const GREY: [u8; 3] = [40, 40, 40];
const RED: [u8; 3] = [255, 68, 56];
const TEAL: [u8; 3] = [46, 196, 182];

/// A picture of 8 by 4 pixels: grey, with some pixels of another colour.
fn picture(changed: &[usize], colour: [u8; 3]) -> Picture {
    let mut pixels = vec![GREY; 32];
    for &at in changed {
        pixels[at] = colour;
    }
    Picture {
        size: (8, 4),
        pixels,
    }
}

fn ms(millis: u64) -> Nanos {
    Nanos::from_millis(millis)
}

/// A decoded picture.
struct Decoded {
    /// The whole picture as a viewer shows it.
    pixels: Vec<[u8; 3]>,
    delay: u16,
    rect: Rect,
}

/// Decodes a file, as a viewer does.
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
        let rect = (frame.left, frame.top, frame.width, frame.height);
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
            delay: frame.delay,
            rect,
        });
    }
    all
}

/// Random greys, so that a picture of them does not compress.
fn noise(count: usize, mut seed: u32) -> Vec<[u8; 3]> {
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        [(seed >> 24) as u8; 3]
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn pictures_come_back_with_their_times() {
    let pictures = [
        picture(&[], RED),
        picture(&[9, 10, 18], RED),
        picture(&[31], TEAL),
    ];
    let mut animation = Animation::begin(&pictures[0]).unwrap();
    animation.add(&pictures[1], ms(33)).unwrap();
    animation.add(&pictures[2], ms(66)).unwrap();
    let all = decoded(&animation.finish(ms(100)).unwrap());
    let delays: Vec<u16> = all.iter().map(|frame| frame.delay).collect();
    // Times are rounded to hundredths, so the delays add up.
    assert_eq!(delays, [3, 4, 4]);
    for (frame, picture) in all.iter().zip(&pictures) {
        assert_eq!(frame.pixels, picture.pixels);
    }
}

#[test]
fn only_the_changed_rectangle_is_stored() {
    let mut animation = Animation::begin(&picture(&[], RED)).unwrap();
    // Columns 1 and 2 of rows 1 and 2. The pixel at 17 stays grey.
    animation.add(&picture(&[9, 10, 18], RED), ms(40)).unwrap();
    let all = decoded(&animation.finish(ms(80)).unwrap());
    assert_eq!(all[0].rect, (0, 0, 8, 4));
    assert_eq!(all[1].rect, (1, 1, 2, 2));
    assert_eq!(all[1].pixels[17], GREY);
}

#[test]
fn a_picture_without_a_change_prolongs_the_last() {
    let mut animation = Animation::begin(&picture(&[3], RED)).unwrap();
    for at in [40, 80, 120] {
        // An invisible change counts as none.
        animation
            .add(&picture(&[3], [254, 69, 55]), ms(at))
            .unwrap();
    }
    animation.add(&picture(&[4], RED), ms(160)).unwrap();
    let all = decoded(&animation.finish(ms(160)).unwrap());
    let delays: Vec<u16> = all.iter().map(|frame| frame.delay).collect();
    assert_eq!(delays, [16, 4], "the last picture is shown for a moment");
}

#[test]
fn new_colours_get_a_palette_of_their_own() {
    let grey = |at: usize| [(at % 200) as u8; 3];
    let size = (40, 40);
    let first: Vec<[u8; 3]> = (0..1600).map(grey).collect();
    let mut second = first.clone();
    second[300..700].fill(TEAL);
    let mut third = second.clone();
    third[301] = grey(301);
    let pictures = [first, second, third].map(|pixels| Picture { size, pixels });
    let mut animation = Animation::begin(&pictures[0]).unwrap();
    animation.add(&pictures[1], ms(40)).unwrap();
    animation.add(&pictures[2], ms(80)).unwrap();
    for (frame, picture) in decoded(&animation.finish(ms(120)).unwrap())
        .iter()
        .zip(&pictures)
    {
        for (shown, pixel) in frame.pixels.iter().zip(&picture.pixels) {
            assert!(!is_strange(*shown, *pixel), "{pixel:?} is {shown:?}");
        }
    }
}

#[test]
fn four_seconds_of_noise_take_at_most_3_mb() {
    let size = (960, 600);
    let pictures = [1, 2, 3].map(|seed| Picture {
        size,
        pixels: noise(960 * 600, seed),
    });
    let mut animation = Animation::begin(&pictures[0]).unwrap();
    for (at, picture) in (1..=10).zip(pictures.iter().cycle().skip(1)) {
        animation.add(picture, ms(at * 400)).unwrap();
    }
    let file = animation.finish(ms(4000)).unwrap();
    assert!(file.len() <= 3_000_000, "{} bytes", file.len());
    let all = decoded(&file);
    assert!(all.len() > 2, "{} pictures", all.len());
    let length: u64 = all.iter().map(|frame| u64::from(frame.delay)).sum();
    assert_eq!(length, 400, "the times are kept");
}
