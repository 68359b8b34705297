//! The logarithmic colour ramp for capsules that show how long ago their entities ran.

/// Returns the colour at a position on the colour ramp, from 0 to 1.
pub fn colour(position: f32) -> [u8; 3] {
    let step = position.clamp(0.0, 1.0) * (STALENESS.len() - 1) as f32;
    let below = (step as usize).min(STALENESS.len() - 2);
    let share = step - below as f32;
    let [low, high] = [below, below + 1].map(|index| STALENESS[index].map(f32::from));
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
        let [red, green, blue] = colour.map(|channel| f32::from(channel) / 255.0);
        let define = format!("#define STALE_{step} vec3({red:.4}, {green:.4}, {blue:.4})\n");
        definitions.push_str(&define);
    }
    definitions
}
