//! Two colour ramps for the capsules. One shows how long ago an entity ran, and the other shows its weight. Both have a
//! logarithmic scale.

/// Returns the colour at a position on a colour ramp, from 0 to 1. The colours of the ramp are evenly spaced, and
/// colours between them are interpolated.
pub fn colour(ramp: &[[u8; 3]], position: f32) -> [u8; 3] {
    let step = position.clamp(0.0, 1.0) * (ramp.len() - 1) as f32;
    let below = (step as usize).min(ramp.len() - 2);
    let share = step - below as f32;
    let [low, high] = [below, below + 1].map(|index| ramp[index].map(f32::from));
    [0, 1, 2].map(|channel| (low[channel] + (high[channel] - low[channel]) * share).round() as u8)
}

/// The colour ramp for staleness, which is the time since an entity last ran, or since its birth if it has not run yet.
///
/// The colours are on a straight line in the Oklab colour space (Björn Ottosson, 2020), from dark blue to light yellow.
/// Equal steps therefore look equal. Each step is lighter than the one before, so that colour-blind users can also tell
/// them apart.
pub const STALENESS: [[u8; 3]; 5] = [
    [41, 63, 143],
    [88, 109, 146],
    [141, 149, 142],
    [197, 190, 129],
    [255, 229, 100],
];

/// The colours for the lowest and for the highest weight.
pub const SIGNIFICANCE: [[u8; 3]; 2] = [[88, 92, 100], [46, 196, 182]];

/// The staleness, in milliseconds, up to which a capsule has the first colour of the ramp. This is the length of a
/// frame at 60 fps.
const FRESH_MS: f32 = 1000.0 / 60.0;
/// The staleness, in milliseconds, from which a capsule has the last colour of the ramp.
pub const STALE_MS: f32 = 10_000.0;
/// How many halvings of the weight the colour ramp covers. Its range is from a weight of 1 down to 1/32. All lower
/// weights have the same colour.
const MAX_HALVINGS: f32 = 5.0;

/// Converts the time since the last run to a position on the colour ramp, from 0 (just now) to 1 (long ago).
pub fn staleness_fraction(ms: f32) -> f32 {
    let octaves = |ms: f32| (ms / FRESH_MS).log2();
    (octaves(ms.max(FRESH_MS)) / octaves(STALE_MS)).min(1.0)
}

/// Converts a weight to a position on the colour ramp, from 0 (lowest weight) to 1 (highest weight).
pub fn weight_fraction(weight: f32) -> f32 {
    let halvings = -weight.log2();
    (1.0 - halvings / MAX_HALVINGS).clamp(0.0, 1.0)
}

/// Returns the colour ramps as `#define` lines for the capsule shader.
pub fn shader() -> String {
    let mut definitions = format!(
        "#define FRESHEST {:.6}\n#define PER_OCTAVE {:.6}\n#define PER_HALVING {:.6}\n",
        FRESH_MS.log2(),
        4.0 / (STALE_MS / FRESH_MS).log2(),
        1.0 / MAX_HALVINGS,
    );
    for (name, ramp) in [("STALE", &STALENESS[..]), ("WEIGHT", &SIGNIFICANCE)] {
        for (step, colour) in ramp.iter().enumerate() {
            let [red, green, blue] = colour.map(|channel| f32::from(channel) / 255.0);
            let define = format!("#define {name}_{step} vec3({red:.4}, {green:.4}, {blue:.4})\n");
            definitions.push_str(&define);
        }
    }
    definitions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oklab(place: f32) -> [f64; 3] {
        let [red, green, blue] = colour(&STALENESS, place).map(|channel| {
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
    fn each_halving_is_an_equal_step() {
        assert_eq!((weight_fraction(1.0), weight_fraction(2.0)), (1.0, 1.0));
        for halvings in 0..5 {
            let step = weight_fraction(0.5_f32.powi(halvings))
                - weight_fraction(0.5_f32.powi(halvings + 1));
            assert!((step - 0.2).abs() < 1e-6, "{halvings}");
        }
        assert_eq!((weight_fraction(0.01), weight_fraction(0.0)), (0.0, 0.0));
        assert_eq!(
            [0.0, 1.0].map(|place| colour(&SIGNIFICANCE, place)),
            SIGNIFICANCE
        );
    }
}
