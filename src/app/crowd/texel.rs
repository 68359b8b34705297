//! How the state of a capsule is encoded as a texel for the shader.

use std::f32::consts::TAU;

pub(super) const TEXEL_BYTES: usize = 4;
/// Times wrap around after this number of milliseconds (2.3 hours), so that a time and a flag fit into three bytes.
pub(super) const TIME_MODULUS: u32 = 1 << 23;
const DEAD_FLAG: u8 = 0x80;
/// The number of gaze directions that a texel can store. The difference between neighbours is too small to see.
const GAZE_DIRECTIONS: u8 = 250;
/// The value of a texel's fourth byte if the entity's gaze direction is unknown.
const UNKNOWN_GAZE: u8 = 251;
/// The value of a texel's fourth byte if the entity has not looked at the target yet. If this byte is 253 or more, the
/// shader draws a closed visor.
const NEVER_LOOKED: u8 = 255;

/// What the shader knows of a capsule. Times are in milliseconds and wrap around after 2.3 hours, like the clock that
/// [`Capsules::draw`](super::Capsules::draw) uses. A time that is up to eight seconds in the future is treated as the
/// current time instead of a time 2.3 hours ago.
pub(super) type Texel = [u8; TEXEL_BYTES];

pub(super) const EMPTY: Texel = [0; TEXEL_BYTES];

fn pack(at_ms: u32, flag: u8, gaze: u8) -> Texel {
    let [_, high, middle, low] = (at_ms % TIME_MODULUS).to_be_bytes();
    [high | flag, middle, low, gaze]
}

/// Returns the texel of an entity that was born at this time and fades in. Its visor is closed until the first run.
pub(super) fn born(at_ms: u32) -> Texel {
    pack(at_ms, 0, NEVER_LOOKED)
}

/// Returns the texel of an entity that last ran at this time. `gaze` is the direction in which it looked then, in
/// radians. Zero is to the right, and the angle increases clockwise.
pub(super) fn ran(at_ms: u32, gaze: f32) -> Texel {
    // The cast turns NaN into 0.
    let step = (gaze / TAU).rem_euclid(1.0) * f32::from(GAZE_DIRECTIONS);
    pack(at_ms, 0, 1 + (step.round() as u8) % GAZE_DIRECTIONS)
}

/// Returns the texel of an entity that last ran at an unknown time before this one. Its visor is blank, as its
/// direction is unknown, too.
pub(super) fn forgotten(at_ms: u32) -> Texel {
    pack(at_ms, 0, UNKNOWN_GAZE)
}

/// Returns the texel of an entity that died at this time. Its capsule fades out until only a ring is left. It keeps the
/// gaze direction of `before`, the previous texel of the capsule.
pub(super) fn died(at_ms: u32, before: Texel) -> Texel {
    // If the entity was born and died between two frames, the slot stays empty. If it is already dying, it keeps its
    // time of death.
    if before[3] == 0 || before[0] & DEAD_FLAG != 0 {
        return before;
    }
    pack(at_ms, DEAD_FLAG, before[3])
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Decodes a texel as the shader does. Returns whether the entity is dead, the time, and the fourth byte.
    pub(in crate::app::crowd) fn read([high, middle, low, gaze]: Texel) -> (bool, u32, u8) {
        let time = u32::from_be_bytes([0, high & !DEAD_FLAG, middle, low]);
        (high & DEAD_FLAG != 0, time, gaze)
    }

    #[test]
    fn texels_round_trip() {
        for at_ms in [0, 1, 255, 256, 65_535, 65_536, TIME_MODULUS - 1] {
            assert_eq!(read(born(at_ms)), (false, at_ms, NEVER_LOOKED));
            for degrees in -720_i16..=720 {
                let gaze = f32::from(degrees).to_radians();
                let ran = ran(at_ms, gaze);
                let (dead, time, code) = read(ran);
                assert_eq!((dead, time), (false, at_ms));
                assert!((1..=GAZE_DIRECTIONS).contains(&code));
                let back = f32::from(code - 1) / f32::from(GAZE_DIRECTIONS) * TAU;
                assert!(
                    (back - gaze).cos() > 0.9998,
                    "{degrees} came back as {back}"
                );
                assert_eq!(read(died(at_ms, ran)), (true, at_ms, code));
            }
        }
    }

    #[test]
    fn dying_keep_their_gaze_and_unseen_leave_no_ghost() {
        assert_eq!(died(7, EMPTY), EMPTY);
        let going = died(7, born(5));
        assert_eq!(read(going), (true, 7, NEVER_LOOKED));
        assert_eq!(died(300, going), going, "already dying");
    }
}
