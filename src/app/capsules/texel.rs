//! The state of one capsule, and its texel.

use std::f32::consts::TAU;

/// Bytes of a texel.
pub(super) const TEXEL: usize = 4;
/// Times are counted modulo this many milliseconds (2.3 hours): they share three bytes with one flag.
pub(super) const TIME_MODULUS: u32 = 1 << 23;
/// The flag for an entity that died, in the first byte.
const DEAD: u8 = 0x80;
/// Number of directions of gaze: steps of 1.44 degrees, which no visor shows.
const GAZES: u8 = 250;
/// Fourth byte of an entity whose gaze is unknown.
const LOOKS_SOMEWHERE: u8 = 251;
/// Fourth byte of an entity that has not looked anywhere yet. 0 is an empty place, 1 to 250 are gazes,
/// and from 252 on the shader closes the visor.
const NEVER_LOOKED: u8 = 255;

/// The state of one capsule. Times are in milliseconds on the caller's clock, the one that the picture is drawn
/// by; they count modulo 2^23 ms, so an age beyond 2.3 hours looks like one less that much. A time up to
/// eight seconds ahead of now counts as now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CapsuleState {
    /// A free place: a faint ring on the floor.
    Empty,
    /// Empties softly from `at_ms` on, to the ring.
    Died {
        /// When it died.
        at_ms: u32,
    },
    /// Appears softly from `at_ms` on, its visor closed until its first run.
    Born {
        /// When it was born.
        at_ms: u32,
    },
    /// Flashed at `at_ms` and has been cooling since.
    Ran {
        /// When its task ran last.
        at_ms: u32,
        /// Its gaze then, in radians: any number of turns, 0 to the right, clockwise on the screen.
        gaze: f32,
    },
    /// Ran at an unknown time before `at_ms`; its gaze is unknown: the visor is open and blank.
    Forgotten {
        /// The latest time of its last run.
        at_ms: u32,
    },
}

impl CapsuleState {
    /// Returns the texel that replaces `before`: the dying keep their gaze.
    pub(super) fn texel(self, before: [u8; TEXEL]) -> [u8; TEXEL] {
        let pack = |at_ms: u32, flag: u8, gaze: u8| {
            let [_, high, middle, low] = (at_ms % TIME_MODULUS).to_be_bytes();
            [high | flag, middle, low, gaze]
        };
        match self {
            CapsuleState::Empty => [0; TEXEL],
            // Born and dead in one picture, or dying already.
            CapsuleState::Died { .. } if before[3] == 0 || before[0] & DEAD != 0 => before,
            CapsuleState::Died { at_ms } => pack(at_ms, DEAD, before[3]),
            CapsuleState::Born { at_ms } => pack(at_ms, 0, NEVER_LOOKED),
            CapsuleState::Forgotten { at_ms } => pack(at_ms, 0, LOOKS_SOMEWHERE),
            CapsuleState::Ran { at_ms, gaze } => {
                // NaN becomes 0: the cast saturates.
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

    /// What the shader reads from a texel: dead or not, the time, the fourth byte.
    fn read([high, middle, low, gaze]: [u8; TEXEL]) -> (bool, u32, u8) {
        let time = u32::from_be_bytes([0, high & !DEAD, middle, low]);
        (high & DEAD != 0, time, gaze)
    }

    #[test]
    fn a_texel_gives_back_what_was_put_in() {
        for at_ms in [0, 1, 255, 256, 65_535, 65_536, TIME_MODULUS - 1] {
            let born = CapsuleState::Born { at_ms }.texel(NOTHING);
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
                let died = CapsuleState::Died { at_ms }.texel(ran);
                assert_eq!(read(died), (true, at_ms, code));
            }
        }
        assert_eq!(CapsuleState::Empty.texel([1, 2, 3, 4]), NOTHING);
    }

    #[test]
    fn no_state_but_empty_is_all_zero() {
        let ran = CapsuleState::Ran {
            at_ms: 0,
            gaze: 0.0,
        };
        let at_ms = 0;
        for state in [
            CapsuleState::Born { at_ms },
            CapsuleState::Forgotten { at_ms },
            ran,
        ] {
            assert_ne!(state.texel(NOTHING), NOTHING, "{state:?}");
        }
    }

    #[test]
    fn the_dying_keep_their_gaze_and_the_unseen_leave_no_ghost() {
        let died = |at_ms| CapsuleState::Died { at_ms };
        assert_eq!(died(7).texel(NOTHING), NOTHING);
        let born = CapsuleState::Born { at_ms: 5 }.texel(NOTHING);
        let going = died(7).texel(born);
        assert_eq!(read(going), (true, 7, NEVER_LOOKED));
        assert_eq!(died(300).texel(going), going, "it goes on going");
    }

    #[test]
    fn a_forgotten_gaze_is_none_of_those_that_are_known() {
        let forgotten = CapsuleState::Forgotten { at_ms: 9 }.texel(NOTHING);
        assert_eq!(read(forgotten), (false, 9, LOOKS_SOMEWHERE));
        const { assert!(GAZES < LOOKS_SOMEWHERE && LOOKS_SOMEWHERE < NEVER_LOOKED) };
    }

    #[test]
    fn times_wrap_and_a_nan_gaze_is_to_the_right() {
        let gaze = f32::NAN;
        let ran = CapsuleState::Ran {
            at_ms: TIME_MODULUS + 5,
            gaze,
        }
        .texel(NOTHING);
        assert_eq!(read(ran), (false, 5, 1));
    }
}
