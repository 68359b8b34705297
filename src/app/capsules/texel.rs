//! The state of a capsule and its encoding as a texel.

use std::f32::consts::TAU;

/// Size of a texel, in bytes.
pub(super) const TEXEL: usize = 4;
/// Times wrap at this number of milliseconds (2.3 hours), so that a time and a flag fit into three bytes.
pub(super) const TIME_MODULUS: u32 = 1 << 23;
/// Bit in a texel's first byte that marks a dead entity.
const DEAD: u8 = 0x80;
/// Number of gaze directions that a texel can encode. The steps of 1.44 degrees are too small to see on a visor.
const GAZES: u8 = 250;
/// Value of a texel's fourth byte if the gaze is unknown.
const UNKNOWN_GAZE: u8 = 251;
/// Value of a texel's fourth byte if the entity has not looked anywhere yet. The shader closes the visor for values
/// from 253. A value of 0 marks an empty slot, and 1 to 250 are gaze directions.
const NEVER_LOOKED: u8 = 255;

/// The state of a capsule. Times are in milliseconds on the clock of [`Capsules::draw`](super::Capsules::draw), modulo
/// 2^23, so an age of more than 2.3 hours wraps around. Times up to eight seconds in the future are treated as the
/// current time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CapsuleState {
    Empty,
    /// The entity died at this time. Its capsule fades out until only a ring is left.
    Died(u32),
    /// The entity was born at this time and fades in. Its visor is closed until its first run.
    Born(u32),
    Ran {
        at_ms: u32,
        /// Direction in which the entity looked when it ran, in radians. 0 is to the right, and angles increase
        /// clockwise on the screen. Angles of more than a full turn are valid.
        gaze: f32,
    },
    /// The entity ran at an unknown time before this time, and its gaze is unknown. Its visor is open and blank.
    Forgotten(u32),
}

impl CapsuleState {
    /// Returns the texel that replaces `before`. A dying entity keeps its gaze.
    pub(super) fn texel(self, before: [u8; TEXEL]) -> [u8; TEXEL] {
        let pack = |at_ms: u32, flag: u8, gaze: u8| {
            let [_, high, middle, low] = (at_ms % TIME_MODULUS).to_be_bytes();
            [high | flag, middle, low, gaze]
        };
        match self {
            CapsuleState::Empty => [0; TEXEL],
            // If the entity was born and died between two frames, the slot stays empty. If it is already dying, it
            // keeps its time of death.
            CapsuleState::Died(_) if before[3] == 0 || before[0] & DEAD != 0 => before,
            CapsuleState::Died(at_ms) => pack(at_ms, DEAD, before[3]),
            CapsuleState::Born(at_ms) => pack(at_ms, 0, NEVER_LOOKED),
            CapsuleState::Forgotten(at_ms) => pack(at_ms, 0, UNKNOWN_GAZE),
            CapsuleState::Ran { at_ms, gaze } => {
                // The cast turns NaN into 0.
                let step = (gaze / TAU).rem_euclid(1.0) * f32::from(GAZES);
                pack(at_ms, 0, 1 + (step.round() as u8) % GAZES)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: [u8; TEXEL] = [0; TEXEL];

    /// Decodes a texel as the shader does. Returns whether the entity is dead, the time, and the fourth byte.
    fn read([high, middle, low, gaze]: [u8; TEXEL]) -> (bool, u32, u8) {
        let time = u32::from_be_bytes([0, high & !DEAD, middle, low]);
        (high & DEAD != 0, time, gaze)
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
                assert!((1..=GAZES).contains(&code));
                let back = f32::from(code - 1) / f32::from(GAZES) * TAU;
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
