//! The logarithmic colour ramp for capsules that show how long ago their entities ran.

use egui::Color32;

/// The colour ramp for staleness, which is the time since an entity last ran, or since its birth if it has not run yet.
///
/// The colours are on a straight line in the Oklab colour space (Björn Ottosson, 2020), from dark blue to light yellow.
/// Equal steps therefore look equal. Each step is lighter than the one before, so that colour-blind users can also tell
/// them apart.
pub const STALENESS: [Color32; 5] = [
    Color32::from_rgb(41, 63, 143),
    Color32::from_rgb(88, 109, 146),
    Color32::from_rgb(141, 149, 142),
    Color32::from_rgb(197, 190, 129),
    Color32::from_rgb(255, 229, 100),
];

/// The staleness, in milliseconds, up to which a capsule has the first colour: the length of a frame at 60 fps.
const FRESH_MS: f32 = 1000.0 / 60.0;
/// The staleness, in milliseconds, from which a capsule has the last colour of the ramp.
pub const STALE_MS: f32 = 10_000.0;

/// Returns the colour ramp as `#define` lines for the capsule shader.
pub fn shader() -> String {
    let mut definitions = format!(
        "#define FRESHEST {:.6}\n#define PER_OCTAVE {:.6}\n",
        FRESH_MS.log2(),
        4.0 / (STALE_MS / FRESH_MS).log2(),
    );
    for (step, colour) in STALENESS.iter().enumerate() {
        let [red, green, blue, _] = colour.to_array().map(|channel| f32::from(channel) / 255.0);
        let define = format!("#define STALE_{step} vec3({red:.4}, {green:.4}, {blue:.4})\n");
        definitions.push_str(&define);
    }
    definitions
}
