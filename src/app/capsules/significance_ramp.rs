//! Colours of significance: the weight of an entity, which depends on its distance from the target.
//!
//! The scale is logarithmic: halving the weight changes the colour by one of [`HALVINGS`] equal steps.

/// Colours of the least and of the full weight.
const ENDS: [[u8; 3]; 2] = [[88, 92, 100], [46, 196, 182]];
/// The colour does not change below one half to this power.
pub const HALVINGS: f32 = 5.0;

/// Position of a weight on the scale: 1 for the full weight, 0 for the least.
pub fn place(weight: f32) -> f32 {
    let halvings = -weight.log2();
    (1.0 - halvings / HALVINGS).clamp(0.0, 1.0)
}

/// Colour at a position on the scale.
pub fn colour(place: f32) -> [u8; 3] {
    let [least, most] = ENDS.map(|colour| colour.map(f32::from));
    let mix = |channel: usize| {
        let (from, to) = (least[channel], most[channel]);
        (from + (to - from) * place.clamp(0.0, 1.0)).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// Returns the scale as definitions for the capsules' shader.
pub fn shader() -> String {
    let vector = |colour: [u8; 3]| {
        let [red, green, blue] = colour.map(|channel| f32::from(channel) / 255.0);
        format!("vec3({red:.4}, {green:.4}, {blue:.4})")
    };
    let [least, most] = ENDS.map(vector);
    format!(
        "#define LEAST_WEIGHT {least}\n#define FULL_WEIGHT {most}\n#define PER_HALVING {:.6}\n",
        1.0 / HALVINGS
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_halving_is_an_equal_step() {
        assert_eq!((place(1.0), place(2.0)), (1.0, 1.0));
        for halvings in 0..5 {
            let step = place(0.5_f32.powi(halvings)) - place(0.5_f32.powi(halvings + 1));
            assert!((step - 0.2).abs() < 1e-6, "{halvings}");
        }
        assert_eq!((place(0.01), place(0.0)), (0.0, 0.0));
        assert_eq!([colour(0.0), colour(1.0)], ENDS);
    }
}
