//! The state of a capsule, and how it is encoded as a texel for the shader.

use std::f32::consts::TAU;

pub(super) const TEXEL_BYTES: usize = 4;
/// Times wrap around after this number of milliseconds (2.3 hours), so that a time and a flag fit into three bytes.
pub(super) const TIME_MODULUS: u32 = 1 << 23;
const DEAD_FLAG: u8 = 0x80;
/// The number of gaze directions that a texel can store. The difference between neighbours is too small to see.
const GAZE_DIRECTIONS: u8 = 250;
/// The value of a texel's fourth byte if the entity's gaze direction is unknown.
const UNKNOWN_GAZE: u8 = 251;
/// The value of the fourth byte if the entity has not looked yet. The shader draws a closed visor from 253 on.
const NEVER_LOOKED: u8 = 255;

/// The state of a capsule. Times are in milliseconds and wrap around after 2.3 hours, like the clock that
/// [`Capsules::draw`](super::Capsules::draw) uses. A time that is up to eight seconds in the future is treated as the
/// current time instead of a time 2.3 hours ago.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CapsuleState {
    Empty,
    /// The entity died at this time. Its capsule fades out until only a ring is left.
    Died(u32),
    /// The entity was born at this time and fades in. Its visor is closed until the first run.
    Born(u32),
    Ran {
        at_ms: u32,
        /// The direction in which the entity looked when it ran, in radians. Zero is to the right, and the angle
        /// increases clockwise.
        gaze: f32,
    },
    /// The entity last ran at an unknown time before this one. Its visor is blank, as its direction is unknown, too.
    Forgotten(u32),
}

impl CapsuleState {
    /// `before` is the previous texel of the capsule, because a dead entity keeps the gaze direction that it contains.
    pub(super) fn texel(self, before: [u8; TEXEL_BYTES]) -> [u8; TEXEL_BYTES] {
        let pack = |at_ms: u32, flag: u8, gaze: u8| {
            let [_, high, middle, low] = (at_ms % TIME_MODULUS).to_be_bytes();
            [high | flag, middle, low, gaze]
        };
        match self {
            CapsuleState::Empty => [0; TEXEL_BYTES],
            // If the entity was born and died between two frames, the slot stays empty. If it is already dying, it
            // keeps its time of death.
            CapsuleState::Died(_) if before[3] == 0 || before[0] & DEAD_FLAG != 0 => before,
            CapsuleState::Died(at_ms) => pack(at_ms, DEAD_FLAG, before[3]),
            CapsuleState::Born(at_ms) => pack(at_ms, 0, NEVER_LOOKED),
            CapsuleState::Forgotten(at_ms) => pack(at_ms, 0, UNKNOWN_GAZE),
            CapsuleState::Ran { at_ms, gaze } => {
                // The cast turns NaN into 0.
                let step = (gaze / TAU).rem_euclid(1.0) * f32::from(GAZE_DIRECTIONS);
                pack(at_ms, 0, 1 + (step.round() as u8) % GAZE_DIRECTIONS)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: [u8; TEXEL_BYTES] = [0; TEXEL_BYTES];

    /// Decodes a texel as the shader does. Returns whether the entity is dead, the time, and the fourth byte.
    fn read([high, middle, low, gaze]: [u8; TEXEL_BYTES]) -> (bool, u32, u8) {
        let time = u32::from_be_bytes([0, high & !DEAD_FLAG, middle, low]);
        (high & DEAD_FLAG != 0, time, gaze)
    }

    #[test]
    fn texels_round_trip() {
        for at_ms in [0, 1, 255, 256, 65_535, 65_536, TIME_MODULUS - 1] {
            let born = CapsuleState::Born(at_ms).texel(NOTHING);
            assert_eq!(read(born), (false, at_ms, NEVER_LOOKED));
            for degrees in -720_i16..=720 {
                let gaze = f32::from(degrees).to_radians();
                let ran = CapsuleState::Ran { at_ms, gaze }.texel(born);
                let (dead, time, code) = read(ran);
                assert_eq!((dead, time), (false, at_ms));
                assert!((1..=GAZE_DIRECTIONS).contains(&code));
                let back = f32::from(code - 1) / f32::from(GAZE_DIRECTIONS) * TAU;
                assert!(
                    (back - gaze).cos() > 0.9998,
                    "{degrees} came back as {back}"
                );
                let died = CapsuleState::Died(at_ms).texel(ran);
                assert_eq!(read(died), (true, at_ms, code));
            }
        }
        assert_eq!(CapsuleState::Empty.texel([1, 2, 3, 4]), NOTHING);
    }

    #[test]
    fn dying_keep_their_gaze_and_unseen_leave_no_ghost() {
        let died = |at_ms| CapsuleState::Died(at_ms);
        assert_eq!(died(7).texel(NOTHING), NOTHING);
        let born = CapsuleState::Born(5).texel(NOTHING);
        let going = died(7).texel(born);
        assert_eq!(read(going), (true, 7, NEVER_LOOKED));
        assert_eq!(died(300).texel(going), going, "already dying");
    }
}
