//! Colours of staleness: the time since an entity's last run, or since its birth.
//!
//! The colours are on a straight line through the colour space Oklab (Björn Ottosson, 2020), from dark blue through
//! grey to light yellow. Only lightness distinguishes them, so equal steps look equal, even to colour-blind users. The
//! scale is logarithmic: a doubling from one frame to two changes the colour as much as one from five seconds to ten.

/// Colours at equal steps from [`FRESH_MS`] to [`STALE_MS`].
pub const COLOURS: [[u8; 3]; 5] = [
    [41, 63, 143],
    [88, 109, 146],
    [141, 149, 142],
    [197, 190, 129],
    [255, 229, 100],
];

/// Entities up to this staleness are fresh: one frame at 60 fps.
pub const FRESH_MS: f32 = 1000.0 / 60.0;
/// The colour does not change beyond this staleness.
pub const STALE_MS: f32 = 10_000.0;

/// Position of a staleness on the scale, from 0 to 1.
pub fn place(ms: f32) -> f32 {
    let octaves = |ms: f32| (ms / FRESH_MS).log2();
    (octaves(ms.max(FRESH_MS)) / octaves(STALE_MS)).min(1.0)
}

/// Colour at a position on the scale.
pub fn colour(place: f32) -> [u8; 3] {
    let step = place.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f32;
    let below = (step as usize).min(COLOURS.len() - 2);
    let share = step - below as f32;
    let mix = |channel: usize| {
        let [one, other] = [below, below + 1].map(|index| f32::from(COLOURS[index][channel]));
        (one + (other - one) * share).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// Returns the scale as definitions for the capsules' shader: its ends, and the colour of each step.
pub fn shader() -> String {
    let mut text = format!(
        "#define FRESHEST {:.6}\n#define PER_OCTAVE {:.6}\n",
        FRESH_MS.log2(),
        (COLOURS.len() - 1) as f32 / (STALE_MS / FRESH_MS).log2()
    );
    for (index, colour) in COLOURS.iter().enumerate() {
        let [red, green, blue] = colour.map(|channel| f32::from(channel) / 255.0);
        let vector = format!("vec3({red:.4}, {green:.4}, {blue:.4})");
        text = text + "#define STALE_" + &index.to_string() + " " + &vector + "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lightness and the two colour axes in Oklab for a position on the scale.
    fn oklab(place: f32) -> [f64; 3] {
        let [red, green, blue] = colour(place).map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        let long =
            (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let middle =
            (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let short =
            (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        [
            0.210_454_255_3 * long + 0.793_617_785_0 * middle - 0.004_072_046_8 * short,
            1.977_998_495_1 * long - 2.428_592_205_0 * middle + 0.450_593_709_9 * short,
            0.025_904_037_1 * long + 0.782_771_766_2 * middle - 0.808_675_766_0 * short,
        ]
    }

    #[test]
    fn equal_steps_look_equal_and_differ_in_lightness() {
        let shades: Vec<[f64; 3]> = (0..=16).map(|step| oklab(step as f32 / 16.0)).collect();
        let step = |pair: &[[f64; 3]]| {
            let square = |axis: usize| (pair[1][axis] - pair[0][axis]).powi(2);
            (square(0) + square(1) + square(2)).sqrt()
        };
        let steps: Vec<f64> = shades.windows(2).map(step).collect();
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        for (pair, step) in shades.windows(2).zip(&steps) {
            assert!((step / mean - 1.0).abs() < 0.2, "{step} of {mean}");
            let lighter = pair[1][0] - pair[0][0];
            assert!(lighter > 0.6 * mean, "{lighter} of {mean}");
        }
    }

    #[test]
    fn scale_goes_from_one_frame_to_ten_seconds() {
        assert_eq!((place(0.0), place(FRESH_MS)), (0.0, 0.0));
        assert_eq!((place(STALE_MS), place(f32::MAX)), (1.0, 1.0));
        assert!(place(100.0) < place(101.0));
        assert_eq!(colour(place(0.0)), COLOURS[0]);
        assert_eq!(colour(place(1e9)), COLOURS[4]);
        assert_eq!(colour(0.5), COLOURS[2]);
    }
}
