//! Max frame skip: runs updates of the same length until the game has caught up with the clock, up to a limit per
//! frame.
//!
//! The loop skips rendering rather than updates. Before each update, it checks whether the clock is past the time of
//! the next update, and whether the frame has had fewer than `max_skip` updates. If so, it runs the update. Otherwise
//! it draws. With 50 updates per second and at most 10 per frame, the game keeps real time at 5 frames per second or
//! more. Below that rate, it slows down.
//!
//! As published, the loop reads the clock before each update. A frame therefore also makes up for the time that its own
//! updates take, and it shows the moment after the last update. For example, if an update takes 16 ms and drawing takes
//! 50 ms, a frame needs 12.5 updates of 20 ms to keep real time. With only 10 updates, the game advances by 200 ms in
//! 210 ms of real time.
//!
//! Updates are due exactly one step apart, however late each one runs. For example, after the update that is due at
//! 5000 ms, the next is due at 5020 ms. Each update runs at the beginning of its step, so the game is up to one step
//! ahead of the clock. By default, the frame is drawn ahead of the last update, which is called extrapolation: alpha is
//! `(clock + step - next) / step`, or 1 if the game is behind. [`BetweenUpdates`] selects what the frame shows
//! instead: the last update (alpha = 0), or a moment between the last two updates, one step late (alpha is lower by 1).
//!
//! As published, the loop makes up for a stall of any length, with `max_skip` updates per frame. With a cap, it drops
//! the part of the delay that exceeds the cap. The cap is at least `max_skip` steps, which one frame can make up for,
//! so a machine that is fast enough to keep real time drops nothing. (The tolerance of snapping is added to this.)
//!
//! # Snapping
//!
//! As in [`FixedStep`](super::fixed_step#snapping), an update may run up to one millisecond early or late if this keeps
//! the rhythm of the last frames, so that the jitter of the clock does not change the number of updates per frame. The
//! game is then ahead of the clock by at most one step plus the tolerance. Snapping also prevents another uneven
//! rhythm: as published, an update that is due just when a frame starts waits for the next frame. If that frame's first
//! update takes some time, the next update is due too, so frames with no update and with two updates alternate.
//!
//! # When to use it
//!
//! Use it for the same games as [`FixedStep`](super::FixedStep), if updates take a large part of the frame. The limit
//! on updates keeps frames short, so the game keeps drawing even on a slow machine.
//!
//! # Cost
//!
//! One update per step of real time, at most `max_skip` in a frame.
//!
//! # Source
//!
//! "Come non perdersi nel Game Loop" (an article in Italian): "UPD Costante con `MaxSkipFrame`".

use super::snap::Snap;
use super::{BetweenUpdates, Frame, FrameLoop};
use crate::time::{ClockTime, Nanos};
use std::time::Duration;

/// A frame loop that runs updates until the game has caught up with the clock, but only a limited number in each frame.
/// The [module documentation](self) describes the algorithm.
///
/// For a complete game loop, see [`FrameLoop`].
///
/// ```
/// use std::time::Duration;
/// use timeslicer::frame_loop::MaxFrameSkip;
/// let ms = Duration::from_millis;
/// let frame_loop = MaxFrameSkip::new(ms(20), 10, Some(ms(250)));
/// ```
#[derive(Clone, Debug)]
pub struct MaxFrameSkip {
    step: Nanos,
    max_skip: u32,
    /// [`Nanos::MAX`] if nothing is dropped.
    cap: Nanos,
    /// When the next update is due, or `None` before the first frame.
    next: Option<ClockTime>,
    last_clock: ClockTime,
    snap: Snap,
    between_updates: BetweenUpdates,
}

impl MaxFrameSkip {
    /// Creates a loop in which each update advances the game by `step`. A frame has at most `max_skip` updates, or one
    /// if `max_skip` is zero. If the game falls behind by more than `cap`, the excess is dropped. If `cap` is `None`,
    /// nothing is dropped.
    ///
    /// The cap cannot be lower than `max_skip` steps plus the tolerance of snapping. A lower `cap` is raised to this
    /// time.
    pub fn new(step: Duration, max_skip: u32, cap: Option<Duration>) -> Self {
        Self {
            step: step.into(),
            max_skip: max_skip.max(1),
            cap: cap.map_or(Nanos::MAX, Nanos::from),
            next: None,
            last_clock: ClockTime::START,
            snap: Snap::new(0),
            between_updates: BetweenUpdates::Extrapolated,
        }
    }

    /// Lets an update run up to `tolerance` early or late if this keeps the rhythm of the last frames. The default is
    /// one millisecond. At most a quarter of a step has an effect, and zero turns snapping off.
    pub fn with_snap(mut self, tolerance: Duration) -> Self {
        self.set_snap(tolerance);
        self
    }

    /// Changes how early or late an update may run (see [`MaxFrameSkip::with_snap`]).
    pub fn set_snap(&mut self, tolerance: Duration) {
        self.snap.tolerance = tolerance.into();
    }

    /// Changes how far each update advances the game. The next update is due at the same time as before.
    pub fn set_step(&mut self, step: Duration) {
        self.step = step.into();
    }

    /// Changes the maximum number of updates in a frame. Zero counts as one.
    pub fn set_max_skip(&mut self, max_skip: u32) {
        self.max_skip = max_skip.max(1);
    }

    /// Changes how much of a delay the loop catches up on (see [`MaxFrameSkip::new`]).
    pub fn set_cap(&mut self, cap: Option<Duration>) {
        self.cap = cap.map_or(Nanos::MAX, Nanos::from);
    }

    /// Changes what frames between two updates show.
    pub fn set_between_updates(&mut self, between_updates: BetweenUpdates) {
        self.between_updates = between_updates;
    }
}

impl FrameLoop for MaxFrameSkip {
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64 {
        let start = frame.clock();
        // If the clock was set back, move the next update back by the same time.
        let set_back = self.last_clock.saturating_since(start);
        let mut next = self.next.unwrap_or(start).saturating_sub(set_back);
        let one_frame = self.step.as_nanos().saturating_mul(self.max_skip.into());
        let least = Nanos::from_nanos(one_frame) + self.snap.tolerance(self.step);
        let dropped = start
            .saturating_since(next)
            .saturating_sub(self.cap.max(least));
        frame.debt_dropped = dropped;
        next += dropped;

        while frame.updates < self.max_skip
            && frame.clock() > self.snap.threshold(next, self.step, frame.updates)
        {
            frame.update(self.step);
            next += self.step;
        }
        self.snap.note(frame.updates);

        let clock = frame.clock();
        self.next = Some(next);
        self.last_clock = clock;
        let ahead = (clock + self.step).saturating_since(next).min(self.step);
        frame.drawn_for = clock;
        frame.lag = clock.saturating_since(next);
        self.between_updates.alpha(frame, ahead, self.step)
    }

    fn step(&self) -> Option<Nanos> {
        Some(self.step)
    }

    fn debt(&self) -> Nanos {
        self.next
            .map_or(Nanos::ZERO, |next| self.last_clock.saturating_since(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_loop::testing::{AT, MS, TestGame};

    const CAP: Option<Duration> = Some(Duration::from_millis(250));

    fn max_frame_skip(cap: Option<Duration>) -> MaxFrameSkip {
        MaxFrameSkip::new(Duration::from_millis(20), 10, cap).with_snap(Duration::ZERO)
    }

    #[test]
    fn snapping_keeps_one_update_per_frame_however_long_it_takes() {
        let run = |mut skip: MaxFrameSkip| {
            let mut game = TestGame {
                cost: MS(4),
                ..TestGame::default()
            };
            [0, 20, 40, 60, 80, 100].map(|start| {
                game.clock = AT(start);
                game.frame(&mut skip, MS(0)).0
            })
        };
        // As published, an update that is due at the start of a frame waits for the next frame, which has two updates.
        assert_eq!(run(max_frame_skip(CAP)), [0, 2, 0, 2, 0, 2]);
        assert_eq!(
            run(MaxFrameSkip::new(MS(20).into(), 10, CAP)),
            [0, 2, 1, 1, 1, 1]
        );
    }

    #[test]
    fn a_long_update_is_followed_by_another_before_drawing() {
        let (mut skip, mut game) = (max_frame_skip(CAP), TestGame::default());
        game.frame(&mut skip, MS(1));
        game.cost = MS(25);
        // The first update ends at 26 ms, when the second is already due. Likewise, each update delays the next one.
        assert_eq!(game.frame(&mut skip, MS(1)), (10, 1.0));
        assert_eq!(skip.debt(), MS(251 - 200));
    }

    #[test]
    fn a_stall_is_made_up_for_except_for_debt_above_the_cap() {
        // With each cap: the number of frames with ten updates, the frame after them, and the debt that is dropped.
        for (cap, frames, last, dropped) in
            [(CAP, 1, (3, 0.5), MS(9_750)), (None, 50, (0, 1.0), MS(0))]
        {
            let (mut skip, mut game) = (max_frame_skip(cap), TestGame::default());
            game.frame(&mut skip, Nanos::from_secs(10));
            for _ in 0..frames {
                assert_eq!(game.frame(&mut skip, MS(0)), (10, 1.0));
            }
            assert_eq!(game.frame(&mut skip, MS(0)), last);
            assert_eq!(game.dropped, dropped);
        }
    }

    #[test]
    fn the_cap_spares_debt_that_one_frame_can_pay_off() {
        let mut skip = MaxFrameSkip::new(Duration::from_millis(50), 10, CAP);
        let mut game = TestGame::default();
        for _ in 0..101 {
            game.frame(&mut skip, MS(500));
        }
        assert_eq!((game.now(), game.dropped), (MS(50_000), MS(0)));
    }

    #[test]
    fn the_frame_shows_the_last_update_or_is_drawn_ahead_or_one_step_late() {
        // If the frame starts 45 ms after the first update was due, it makes three updates, up to 60 ms. If it starts
        // 1000 ms after, it makes ten updates: 750 ms are dropped, and 50 ms are left.
        for (start, between, alpha, late, lag) in [
            (45, BetweenUpdates::LastUpdate, 0.0, 5, 0),
            (45, BetweenUpdates::Extrapolated, 0.25, 0, 0),
            (45, BetweenUpdates::Interpolated, -0.75, 20, 0),
            (1000, BetweenUpdates::LastUpdate, 0.0, 20, 50),
            (1000, BetweenUpdates::Extrapolated, 1.0, 0, 50),
            (1000, BetweenUpdates::Interpolated, 0.0, 20, 50),
        ] {
            let (mut skip, mut game) = (max_frame_skip(CAP), TestGame::default());
            skip.set_between_updates(between);
            game.frame(&mut skip, MS(start));
            let mut frame = Frame::new(AT(start), MS(start), &mut game);
            assert_eq!(skip.updates(&mut frame), alpha);
            assert_eq!((frame.late, frame.lag), (MS(late), MS(lag)));
            assert_eq!(frame.drawn_for, AT(start));
        }
    }
}
