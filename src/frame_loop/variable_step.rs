//! One update a frame, as long as the last frame was.

use super::{Frame, FrameLoop, FrameLoopEntry, Pace};

/// The registry's entry.
pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "variable-step",
    name: "Variable step",
    rule: "Makes one update a frame, whose delta is the real time since the last; waits for the display.",
    source: "the game-loop chapter and the Italian article; what engines give to user code",
    knobs: &[],
    make: || Box::new(VariableStep),
};

/// Makes one update a frame, whose delta is the real time since the last frame started: the game keeps
/// real time on every machine, but no two machines take the same steps.
///
/// Nothing is left over, so alpha is always 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct VariableStep;

impl FrameLoop for VariableStep {
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64 {
        frame.update(frame.delta());
        0.0
    }

    fn pace(&mut self) -> Pace {
        Pace::Display
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_loop::Game;
    use crate::time::Nanos;

    struct Deltas(Vec<Nanos>);

    impl Game for Deltas {
        fn update(&mut self, delta: Nanos) {
            self.0.push(delta);
        }
    }

    #[test]
    fn each_frame_has_one_update_of_the_frames_own_delta() {
        let mut game = Deltas(Vec::new());
        let deltas = [
            Nanos::ZERO,
            Nanos::from_nanos(16_666_667),
            Nanos::from_secs(10),
        ];
        for delta in deltas {
            let mut frame = Frame::new(delta, &mut game);
            assert_eq!(VariableStep.updates(&mut frame), 0.0);
            assert_eq!(frame.updates(), 1);
        }
        assert_eq!(game.0, deltas);
    }
}
