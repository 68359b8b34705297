//! Constant FPS: one update per frame, then sleep until the next frame is due.
//!
//! Deadlines are absolute: each deadline is one period after the previous one, however long the frame took. Periods are
//! exact, so 60 frames at 60 frames per second take exactly one second. (Calling `sleep(16)` in each frame would give
//! 62.5 frames per second.) The delta of each update is the period.
//!
//! After a late frame, the loop does not sleep until the game has caught up. As published, the loop makes up for any
//! delay: after a stall of ten seconds, the game rushes through 600 updates. With a cap, the loop drops the part of the
//! delay that exceeds the cap, and moves all later deadlines by the dropped time. If every frame takes too long, the
//! game slows down even without a cap, because each frame has only one update.
//!
//! The update covers the period that begins with the frame, so the game is up to one period ahead of the clock. The
//! frame shows the state after this update: alpha is always 0.
//!
//! # When to use it
//!
//! Use it if every machine should take the same steps and show each of them, at a rate that the slowest machine can
//! keep. However, the deadlines ignore the display, so motion is uneven unless the loop and the display have the same
//! rate.
//!
//! # Cost
//!
//! One update per frame. The processor sleeps for the remaining time.
//!
//! # Source
//!
//! Robert Nystrom, "Game Programming Patterns", chapter "Game Loop": the loop with a sleep. "Come non perdersi nel Game
//! Loop" (an article in Italian): "Constant FPS".

use super::{EARLY, Frame, FrameLoop, Pace};
use crate::time::{ClockTime, Nanos, Periods};
use std::time::Duration;

/// A frame loop that runs one update per frame and then sleeps until the next frame is due. The [module
/// documentation](self) describes the algorithm.
///
/// For a complete game loop, see [`FrameLoop`].
///
/// ```
/// use std::time::Duration;
/// use timeslicer::frame_loop::ConstantFps;
/// let frame_loop = ConstantFps::new(25.0, Some(Duration::from_millis(250)));
/// ```
#[derive(Clone, Debug)]
pub struct ConstantFps {
    fps: f64,
    periods: Periods,
    /// [`Nanos::MAX`] if nothing is dropped.
    cap: Nanos,
    /// The planned length of the current frame, which is also the delta of its update.
    period: Nanos,
    /// When the next frame should start, or `None` before the first frame.
    next: Option<ClockTime>,
    debt: Nanos,
}

impl ConstantFps {
    /// Creates a loop with a rate of `fps` frames per second. After a delay, the loop catches up by at most `cap` and
    /// drops the rest of the delay. If `cap` is `None`, it catches up on the whole delay.
    pub fn new(fps: f64, cap: Option<Duration>) -> Self {
        Self {
            fps,
            periods: Periods::new(fps),
            cap: cap.map_or(Nanos::MAX, Nanos::from),
            period: Periods::new(fps).next_period(),
            next: None,
            debt: Nanos::ZERO,
        }
    }

    /// Changes the rate. The current frame keeps its deadline. Does nothing if the rate stays the same.
    pub fn set_fps(&mut self, fps: f64) {
        if fps != self.fps {
            self.fps = fps;
            self.periods = Periods::new(fps);
        }
    }

    /// Changes how much of a delay the loop catches up on. If `cap` is `None`, it catches up on the whole delay.
    pub fn set_cap(&mut self, cap: Option<Duration>) {
        self.cap = cap.map_or(Nanos::MAX, Nanos::from);
    }
}

impl FrameLoop for ConstantFps {
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64 {
        let start = frame.start;
        // If a frame starts much too early, the clock must have been set back, so treat the frame as due now.
        let next = self
            .next
            .filter(|&next| next.saturating_since(start) <= EARLY);
        let due = next.unwrap_or(start);
        let behind = start.saturating_since(due);
        let dropped = behind.saturating_sub(self.cap);
        frame.debt_dropped = dropped;

        self.period = self.periods.next_period();
        frame.update(self.period);
        let due = due + dropped;
        frame.lag = start.saturating_since(due);
        let next = due + self.period;
        self.debt = start.saturating_since(next);
        self.next = Some(next);
        0.0
    }

    fn pace(&self) -> Pace {
        self.next.map_or(Pace::Nothing, Pace::Until)
    }

    fn step(&self) -> Option<Nanos> {
        Some(self.period)
    }

    fn target_period(&self) -> Option<Nanos> {
        Some(Nanos::from_secs_f64(1.0 / self.fps))
    }

    fn debt(&self) -> Nanos {
        self.debt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_loop::testing::{AT, MS, TestGame};

    const CAP: Option<Duration> = Some(Duration::from_millis(250));

    #[test]
    fn frames_take_exactly_a_second_on_both_clocks() {
        for fps in [25, 60] {
            let mut constant = ConstantFps::new(f64::from(fps), CAP);
            let mut game = TestGame::default();
            for second in 1..=100 {
                for _ in 0..fps {
                    game.frame(&mut constant, MS(3));
                }
                assert_eq!(game.clock, AT(1000 * second));
                assert_eq!(game.now(), Nanos::from_secs(second));
            }
        }
    }

    #[test]
    fn a_stall_is_made_up_for_except_for_debt_above_the_cap() {
        // The debt is one period less than the stall, because the update of the stalled frame covers one period.
        let debt = Nanos::from_secs(10) - Nanos::from_nanos(16_666_667);
        for (cap, frames, dropped) in [
            (CAP, 15, debt - MS(250)),
            (Some(Duration::ZERO), 0, debt),
            (None, 599, MS(0)),
        ] {
            let mut constant = ConstantFps::new(60.0, cap);
            let mut game = TestGame::default();
            game.frame(&mut constant, Nanos::from_secs(10));
            let without_sleep = (0..).take_while(|_| {
                let before = game.clock;
                game.frame(&mut constant, MS(0));
                game.clock == before
            });
            assert_eq!(without_sleep.count(), frames);
            assert_eq!(game.dropped, dropped);
        }
    }

    #[test]
    fn slightly_early_frames_move_no_deadline() {
        let mut constant = ConstantFps::new(60.0, CAP);
        let mut game = TestGame::default();
        let mut due = ClockTime::START;
        for early in [0, 900, 0, 300, 1000] {
            game.clock = due - Nanos::from_micros(early);
            let mut frame = Frame::new(game.clock, MS(17), &mut game);
            constant.updates(&mut frame);
            assert_eq!(constant.debt(), Nanos::ZERO);
            due += *game.deltas.last().unwrap();
            assert_eq!(constant.pace(), Pace::Until(due));
        }
    }
}
