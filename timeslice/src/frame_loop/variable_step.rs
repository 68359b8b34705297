//! One update a frame, as long as the last frame was.

use super::{Frame, FrameLoop, FrameLoopEntry, Pace};

/// The registry's entry.
pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "variable-step",
    name: "Variable step",
    rule: "Makes one update a frame, whose delta is the real time since the last; waits for the display.",
    code: "update(delta); draw();",
    source: "Robert Nystrom, Game Programming Patterns, chapter Game Loop; what engines give to user code",
    knobs: &[],
    make: || Box::new(VariableStep),
};

/// Makes one update a frame, whose delta is the real time since the last frame started: the game keeps real time on
/// every machine, but no two machines take the same steps.
///
/// No time is left over, so alpha is always 0.
///
/// ```
/// use timeslice::frame_loop::{Frame, FrameLoop, Game, VariableStep};
/// use timeslice::time::{ClockTime, Nanos};
/// # struct MyGame(ClockTime);
/// # impl Game for MyGame {
/// #     fn update(&mut self, _delta: Nanos) {}
/// #     fn clock(&self) -> ClockTime {
/// #         self.0
/// #     }
/// # }
/// # let mut game = MyGame(ClockTime::START);
///
/// let ms = Nanos::from_millis;
/// let mut frame_loop = VariableStep;
/// let mut frame = Frame::new(ClockTime::START, ms(50), &mut game);
/// let alpha = frame_loop.updates(&mut frame);
/// assert_eq!((frame.updates(), alpha), (1, 0.0));
/// ```
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
    use crate::frame_loop::test_game::TestGame;
    use crate::time::Nanos;

    #[test]
    fn each_frame_has_one_update_as_long_as_the_last_frame() {
        let mut game = TestGame::default();
        let lengths = [
            Nanos::ZERO,
            Nanos::from_nanos(16_666_667),
            Nanos::from_secs(10),
            Nanos::from_secs(36_000),
        ];
        for length in lengths {
            assert_eq!(game.frame(&mut VariableStep, length), (1, 0.0));
        }
        game.frame(&mut VariableStep, Nanos::ZERO);
        assert_eq!(game.deltas[1..], lengths);
        assert_eq!(game.now(), game.clock.since_start());
    }
}
