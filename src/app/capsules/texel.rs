//! State of one capsule, and its encoding as a texel.

use std::f32::consts::TAU;

/// Bytes per texel.
pub(super) const TEXEL: usize = 4;
/// Times are counted modulo this number of milliseconds (2.3 hours), so that a time and a flag fit into three bytes.
pub(super) const TIME_MODULUS: u32 = 1 << 23;
/// Flag of a dead entity, in the first byte.
const DEAD: u8 = 0x80;
/// Number of gaze directions. Their steps of 1.44 degrees are too small to see on a visor.
const GAZES: u8 = 250;
/// Fourth byte of an entity whose gaze is unknown.
const UNKNOWN_GAZE: u8 = 251;
/// Fourth byte of an entity that has not looked anywhere yet. Of the other values, 0 is an empty place and 1 to 250 are
/// gazes. The shader closes the visor if the byte is 253 or more.
const NEVER_LOOKED: u8 = 255;

/// State of one capsule. Times are in milliseconds on the clock of [`Capsules::draw`](super::Capsules::draw), modulo
/// 2^23, so an age beyond 2.3 hours wraps. A time up to eight seconds in the future counts as the present.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CapsuleState {
    Empty,
    /// Fades out, starting at `at_ms`, until only the ring is left.
    Died(u32),
    /// Fades in, starting at `at_ms`. The visor is closed until the first run.
    Born(u32),
    Ran {
        at_ms: u32,
        /// Direction of the gaze at that run, in radians: 0 is to the right, and angles increase clockwise on the
        /// screen. Angles of more than a full turn are valid.
        gaze: f32,
    },
    /// Ran at an unknown time before `at_ms`, with an unknown gaze: the visor is open and blank.
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
            // If the entity was born and died between two pictures, the place stays empty. If it is already dying, it
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

    /// Decodes a texel as the shader does. Returns true if the entity is dead, then the time, then the fourth byte.
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
