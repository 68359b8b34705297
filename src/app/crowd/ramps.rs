//! Two logarithmic colour ramps for the capsules: by how long ago an entity ran, and by its weight.

/// Returns the colour at a position on a colour ramp, from 0 to 1, whose colours are evenly spaced.
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

pub const SIGNIFICANCE: [[u8; 3]; 2] = [[88, 92, 100], [46, 196, 182]];

/// The staleness, in milliseconds, up to which a capsule has the first colour: the length of a frame at 60 fps.
const FRESH_MS: f32 = 1000.0 / 60.0;
/// The staleness, in milliseconds, from which a capsule has the last colour of the ramp.
pub const STALE_MS: f32 = 10_000.0;
/// How many halvings of the weight, from 1 down to 1/32, the ramp covers. Lower weights have the same colour.
const MAX_HALVINGS: f32 = 5.0;

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
