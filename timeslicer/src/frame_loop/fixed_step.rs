//! Fixed step: all updates advance the game by the same amount of time, and frames are drawn at any time.
//!
//! The loop adds the real time that has passed to a debt (Nystrom calls it "lag"). Each update advances the game by one
//! step and pays off one step of debt. The remaining debt is less than a step, apart from [snapping](#snapping). By
//! default, the frame is drawn ahead of the last update by this remainder, which is called extrapolation: alpha = debt
//! / step, always below 1. [`BetweenUpdates`] selects what the frame shows instead: the last update (alpha = 0), or a
//! moment between the last two updates, one step late (alpha = debt / step - 1).
//!
//! The debt has a cap. Without a cap, a machine on which an update takes longer than its step would owe more and more
//! updates in each frame. With the cap, the game slows down but keeps drawing. The cap is at least two steps plus the
//! tolerance of snapping, so that a machine that draws one frame per step never drops debt, however low the cap is set.
//!
//! # Snapping
//!
//! With vsync, frames are regular, but a game reads the clock some tenths of a millisecond too early or too late. If a
//! display refreshes 60 times per second and the game makes 60 updates per second, each update is due just when a frame
//! starts. This jitter then decides in which frame the update runs, so frames have no update, one or two at random, and
//! the motion stutters.
//!
//! The loop may therefore run an update up to one millisecond early or late ([`FixedStep::with_snap`]) if this keeps
//! the rhythm of the last frames. In a steady rhythm, the number of updates in two frames is always one of two
//! successive numbers, and so is the number in three frames, and so on up to twelve. As long as these numbers stay the
//! same, a frame is expected to have as many updates as the frame twelve frames earlier. An update that is due at any
//! other time is not affected.
//!
//! The debt is therefore always between minus the tolerance and one step plus the tolerance, and the game keeps real
//! time at any refresh rate, with adaptive sync, and after a stall. The rule does not need to know the refresh rate.
//! Frames are drawn as if the debt were within one step, so alpha stays in its range.
//!
//! # When to use it
//!
//! Use it if the game should take the same steps on every machine, as physics and replays need, and draw a frame at
//! every refresh of the display. It is the first choice for most games. The game must be able to draw moving objects
//! ahead of their last update, or keep their last two positions and draw between them.
//!
//! # Cost
//!
//! One update per step of real time: several in each frame on a slow display, and none in some frames on a fast
//! display.
//!
//! # Source
//!
//! Robert Nystrom, "Game Programming Patterns", chapter "Game Loop": the last loop, with a fixed update step and
//! variable rendering. Interpolation between the last two updates: Glenn Fiedler, "Fix Your Timestep!".
//!
//! Snapping: the game engine Godot uses a similar method (pull request 17353, "physics jitter fix"). However, if two
//! numbers of updates would keep the rhythm, it chooses the number that is due, so a display with 59.94 Hz disturbs the
//! rhythm twice as often. Tyler Glaiel ("How to make your game run at 60fps") instead rounds the deltas to frame
//! lengths that are known in advance.

use super::snap::Snap;
use super::{BetweenUpdates, Frame, FrameLoop};
use crate::time::{ClockTime, Nanos};
use std::time::Duration;

/// A frame loop that runs one update for each full step of real time. By default, frames between two updates show
/// extrapolated motion. The [module documentation](self) describes the algorithm.
///
/// For a complete game loop, see [`FrameLoop`].
///
/// ```
/// use std::time::Duration;
/// use timeslicer::frame_loop::FixedStep;
/// let frame_loop = FixedStep::new(Duration::from_millis(20), Duration::from_millis(250));
/// ```
#[derive(Clone, Debug)]
pub struct FixedStep {
    step: Nanos,
    cap: Nanos,
    debt: Nanos,
    /// How far the game is ahead of real time, because an update has run slightly early. The debt is then zero.
    ahead: Nanos,
    snap: Snap,
    between_updates: BetweenUpdates,
}

/// The shortest allowed step. Without a minimum, a very short step could cause millions of updates after a stall.
const MIN_STEP: Nanos = Nanos::from_micros(1);

impl FixedStep {
    /// Creates a loop in which each update advances the game by `step`. If the game falls behind by more than `cap`,
    /// the excess is dropped. A `step` below one microsecond counts as one microsecond, and a `cap` below two steps
    /// plus the tolerance of snapping counts as that sum.
    pub fn new(step: Duration, cap: Duration) -> Self {
        let step = Nanos::from(step).max(MIN_STEP);
        Self {
            step,
            cap: Nanos::from(cap).max(step + step),
            debt: Nanos::ZERO,
            ahead: Nanos::ZERO,
            snap: Snap::new(u32::MAX),
            between_updates: BetweenUpdates::Extrapolated,
        }
    }

    /// Lets an update run up to `tolerance` early or late if this keeps the rhythm of the last frames. The default is
    /// one millisecond. At most a quarter of a step has an effect, and zero turns snapping off.
    pub fn with_snap(mut self, tolerance: Duration) -> Self {
        self.set_snap(tolerance);
        self
    }

    /// Changes how early or late an update may run (see [`FixedStep::with_snap`]).
    pub fn set_snap(&mut self, tolerance: Duration) {
        self.snap.tolerance = tolerance.into();
    }

    /// Changes the step and the cap (see [`FixedStep::new`]). The debt is kept. It is real time, so it does not depend
    /// on the step.
    pub fn set_step(&mut self, step: Duration, cap: Duration) {
        let Self { step, cap, .. } = Self::new(step, cap);
        (self.step, self.cap) = (step, cap);
    }

    /// Changes what frames between two updates show.
    pub fn set_between_updates(&mut self, between_updates: BetweenUpdates) {
        self.between_updates = between_updates;
    }
}

impl FrameLoop for FixedStep {
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64 {
        let step = self.step;
        let mut now = ClockTime::at(self.debt + frame.delta);
        let mut reached = ClockTime::at(self.ahead);
        let cap = self.cap.max(step + step + self.snap.tolerance(step));
        frame.debt_dropped = now.saturating_since(reached).saturating_sub(cap);
        now = now - frame.debt_dropped;

        while now >= self.snap.threshold(reached + step, step, frame.updates) {
            frame.update(step);
            reached += step;
        }
        self.snap.note(frame.updates);
        self.debt = now.saturating_since(reached);
        self.ahead = reached.saturating_since(now);
        let drawn = self.debt.min(step - Nanos::from_nanos(1));
        frame.lag = self.debt - drawn;
        self.between_updates.alpha(frame, drawn, step)
    }

    fn step(&self) -> Option<Nanos> {
        Some(self.step)
    }

    fn debt(&self) -> Nanos {
        self.debt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_loop::testing::{AT, MS, TestGame};

    fn fixed_step() -> FixedStep {
        FixedStep::new(MS(20).into(), MS(250).into()).with_snap(Duration::ZERO)
    }

    #[test]
    fn a_stall_is_dropped_except_for_the_cap() {
        let (mut fixed, mut game) = (fixed_step(), TestGame::default());
        game.frame(&mut fixed, Nanos::from_secs(10));
        assert_eq!(game.frame(&mut fixed, MS(5)), (12, 0.5));
        assert_eq!(game.dropped, MS(9_750));
        assert_eq!(game.frame(&mut fixed, MS(5)), (0, 0.75));
    }

    #[test]
    fn a_cap_below_two_steps_drops_nothing_if_frames_are_short() {
        let mut fixed = FixedStep::new(MS(100).into(), MS(0).into());
        let mut game = TestGame::default();
        for _ in 0..1000 {
            game.frame(&mut fixed, Nanos::from_nanos(16_666_667));
        }
        assert_eq!(game.dropped, Nanos::ZERO);
        assert_eq!(
            game.now() + fixed.debt(),
            game.last_start.unwrap().since_start()
        );
    }

    #[test]
    fn the_frame_shows_the_last_update_or_is_drawn_ahead_or_one_step_late() {
        let mut game = TestGame::default();
        for (between, alpha, late) in [
            (BetweenUpdates::LastUpdate, 0.0, 10),
            (BetweenUpdates::Extrapolated, 0.5, 0),
            (BetweenUpdates::Interpolated, -0.5, 20),
        ] {
            let mut fixed = fixed_step();
            fixed.set_between_updates(between);
            let mut frame = Frame::new(AT(50), MS(50), &mut game);
            assert_eq!(fixed.updates(&mut frame), alpha);
            assert_eq!((frame.updates, fixed.debt()), (2, MS(10)));
            assert_eq!((frame.late, frame.drawn_for), (MS(late), AT(50)));
            // The frame shows this game time. With extrapolation it would be 50 ms, the time at which the frame starts.
            let shown = game.now().as_millis_f64() + alpha * 20.0;
            assert_eq!(shown, 50.0 - late as f64);
            game.deltas.clear();
        }
    }
}
