//! One update a frame, and sleep until the next frame is due.

use super::knobs::{DEBT_CAP, DROP_DEBT, debt_cap};
use super::{EARLY, Frame, FrameLoop, FrameLoopEntry, Pace};
use crate::knob::{Knob, KnobValues, Scale};
use crate::time::{ClockTime, Nanos, Periods};

/// The frames a second that the loop aims at.
///
/// The Italian article's example has 25; 60 is what displays show.
pub const LOOP_FPS: Knob = Knob {
    key: "loop-fps",
    label: "Frames",
    unit: "/s",
    min: 1.0,
    max: 1_000.0,
    default: 60.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: false,
    help: "The frames a second that constant-fps keeps; each is an update of the same length.",
};

/// The registry's entry.
pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "constant-fps",
    name: "Constant FPS",
    rule: "Makes one update a frame and sleeps until the next frame is due; a machine that is too slow slows the game.",
    code: "update(); draw(); sleep();",
    source: "Robert Nystrom, Game Programming Patterns, chapter Game Loop: its loop with a sleep; the article Come non perdersi nel Game Loop: Constant FPS",
    knobs: &[LOOP_FPS, DEBT_CAP, DROP_DEBT],
    make: || {
        Box::new(ConstantFps::new(
            LOOP_FPS.default,
            Some(Nanos::from_millis_f64(DEBT_CAP.default)),
        ))
    },
};

/// Makes a frame, with one update, each time that one is due, and sleeps in between.
///
/// Deadlines are absolute: each is one period after the one before, however long the frame took. Periods are exact: 25
/// frames a second are 40 ms each, and 60 frames are a second to the nanosecond (`sleep(16)` would make 62.5 of them).
/// The update's delta is that period.
///
/// The loop does not sleep after a late frame. As published, every late frame is made up for in this way: after a stall
/// of ten seconds the game runs as fast as it can until it has made the 600 missing updates. With a cap, lateness
/// beyond the cap is dropped, and the deadlines move. If every frame is too long, the game slows down either way, since
/// each frame has only one update.
///
/// A frame's update covers the period that begins with the frame, so the game is up to a period ahead of the clock;
/// debt is the time by which it is behind. The picture is of the last update: alpha is always 0.
///
/// ```
/// use timeslice::frame_loop::{ConstantFps, Frame, FrameLoop, Game, Pace};
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
/// let mut frame_loop = ConstantFps::new(25.0, Some(ms(250)));
/// let mut frame = Frame::new(ClockTime::START, ms(0), &mut game);
/// let alpha = frame_loop.updates(&mut frame);
/// assert_eq!((frame.updates(), alpha), (1, 0.0));
/// assert_eq!(frame_loop.pace(), Pace::Until(ClockTime::START + ms(40)));
/// ```
#[derive(Clone, Debug)]
pub struct ConstantFps {
    fps: f64,
    periods: Periods,
    cap: Option<Nanos>,
    /// The delta of the last update.
    period: Nanos,
    /// When the next frame is due; `None` before the first.
    next: Option<ClockTime>,
    debt: Nanos,
}

impl ConstantFps {
    /// Aims at `fps` frames a second and makes up for lateness up to `cap`, or for all of it.
    #[must_use]
    pub fn new(fps: f64, cap: Option<Nanos>) -> Self {
        Self {
            fps,
            periods: Periods::new(fps),
            cap,
            period: Periods::new(fps).next_period(),
            next: None,
            debt: Nanos::ZERO,
        }
    }
}

impl FrameLoop for ConstantFps {
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64 {
        let start = frame.start();
        // A frame is much too early only if the clock was set back: then it is due now.
        let next = self.next.filter(|&next| next - start <= EARLY);
        let due = next.unwrap_or(start);
        let lost = self.cap.map_or(Nanos::ZERO, |cap| (start - due) - cap);
        frame.drop_debt(lost);

        self.period = self.periods.next_period();
        frame.update(self.period);
        let next = due + lost + self.period;
        self.debt = start - next;
        self.next = Some(next);
        0.0
    }

    fn pace(&mut self) -> Pace {
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

    fn tune(&mut self, knobs: &KnobValues) {
        let fps = knobs.get(&LOOP_FPS);
        if fps != self.fps {
            self.fps = fps;
            self.periods = Periods::new(fps); // the frame under way keeps its deadline
        }
        self.cap = debt_cap(knobs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_loop::test_game::TestGame;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;
    const AT: fn(u64) -> ClockTime = |millis| ClockTime::at(MS(millis));
    const CAP: Option<Nanos> = Some(Nanos::from_millis(250));

    #[test]
    fn twenty_five_frames_a_second_are_forty_milliseconds_each() {
        let mut constant = ConstantFps::new(25.0, CAP);
        let mut game = TestGame::default();
        for frame in 0..100 {
            assert_eq!(game.clock, AT(40 * frame));
            assert_eq!(game.frame(&mut constant, MS(frame % 40)), (1, 0.0));
        }
        assert_eq!(game.deltas, [MS(40); 100]);
        assert_eq!(constant.step(), Some(MS(40)));
    }

    #[test]
    fn sixty_frames_are_exactly_a_second_of_both_clocks() {
        let mut constant = ConstantFps::new(60.0, CAP);
        let mut game = TestGame::default();
        for second in 1..=100 {
            for _ in 0..60 {
                game.frame(&mut constant, MS(3));
            }
            assert_eq!(game.clock, AT(1000 * second));
            assert_eq!(game.now(), Nanos::from_secs(second));
        }
    }

    #[test]
    fn one_late_frame_is_made_up_for_by_the_next_ones() {
        let mut constant = ConstantFps::new(25.0, CAP);
        let mut game = TestGame::default();
        for (rest, start) in [(70, 0), (30, 70), (10, 100), (0, 120), (0, 160)] {
            assert_eq!(game.clock, AT(start));
            game.frame(&mut constant, MS(rest));
        }
        assert_eq!(game.dropped, Nanos::ZERO);
    }

    #[test]
    fn frames_that_are_always_too_long_slow_the_game_down() {
        for cap in [CAP, None] {
            let mut constant = ConstantFps::new(25.0, cap);
            let mut game = TestGame::default();
            for _ in 0..1000 {
                game.frame(&mut constant, MS(60));
            }
            assert_eq!(game.clock, AT(60_000));
            assert_eq!(game.now(), Nanos::from_secs(40));
            assert_eq!(game.dropped.is_zero(), cap.is_none());
        }
    }

    /// How many frames after a stall of ten seconds do not sleep, and what they drop.
    fn hurried_after_a_stall(cap: Option<Nanos>) -> (u32, Nanos) {
        let mut constant = ConstantFps::new(60.0, cap);
        let mut game = TestGame::default();
        game.frame(&mut constant, Nanos::from_secs(10));
        let mut hurried = 0;
        loop {
            let before = game.clock;
            game.frame(&mut constant, MS(0));
            if game.clock > before {
                return (hurried, game.dropped);
            }
            hurried += 1;
        }
    }

    #[test]
    fn a_stall_of_ten_seconds_is_dropped_but_for_the_cap() {
        let (hurried, dropped) = hurried_after_a_stall(CAP);
        assert_eq!(hurried, 15); // 250 ms of updates
        // The frame that stalled has its own period.
        let due = Nanos::from_nanos(16_666_667);
        assert_eq!(dropped, Nanos::from_secs(10) - due - MS(250));
        assert_eq!(hurried_after_a_stall(Some(MS(0))).0, 0);
    }

    #[test]
    fn without_a_cap_ten_seconds_are_600_updates_without_sleep() {
        assert_eq!(hurried_after_a_stall(None), (599, Nanos::ZERO));
    }

    #[test]
    fn another_rate_begins_when_the_present_frame_ends() {
        let mut constant = ConstantFps::new(10.0, CAP);
        let mut game = TestGame::default();
        game.frame(&mut constant, MS(0));
        let knobs = KnobValues::with(&[(&LOOP_FPS, 50.0)]);
        let starts = [100, 120, 140, 160].map(|start| {
            constant.tune(&knobs);
            assert_eq!(game.clock, AT(start));
            game.frame(&mut constant, MS(1));
            game.deltas.last().copied()
        });
        assert_eq!(starts, [Some(MS(20)); 4]);
    }

    #[test]
    fn frames_that_begin_a_trifle_early_move_no_deadline() {
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

    #[test]
    fn a_clock_set_back_does_not_wait_for_the_old_deadline() {
        let mut constant = ConstantFps::new(1.0, CAP);
        let mut game = TestGame::default();
        for step in 0..10 {
            game.clock = AT(17 * step); // single steps, each a display's period long
            let mut frame = Frame::new(game.clock, MS(17), &mut game);
            constant.updates(&mut frame);
            let due = AT(1000 + 17 * step);
            assert_eq!(constant.pace(), Pace::Until(due));
        }
    }
}
