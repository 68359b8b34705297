//! Checks independently that no real time is lost. In every frame, simulated time, debt and dropped debt must add up to
//! the time that has passed, to the nanosecond, even if the clock is set back.

use lab::catalog::frame_loop::knobs::{INTERPOLATE, SNAP};
use lab::measure::MeasuredLane;
use lab::sim::machine::{JITTER_MS, Machine, Simulated};
use timeslicer::frame_loop::EARLY;
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// The real time that a frame loop has accounted for since its first frame.
#[derive(Default)]
pub(crate) struct Account {
    last_start: Option<ClockTime>,
    /// The nanoseconds that a fixed step has yet to make up for. Negative if an update ran early.
    remainder: i64,
    /// The deadline of the next update, in loops with deadlines.
    next: Option<ClockTime>,
    seen: ClockTime,
    had_jitter: bool,
    /// Whether a frame could not be accounted for, so that the loop's debt is unknown.
    is_unknown: bool,
}

impl Account {
    pub(crate) fn of_new_loop(&self) -> Self {
        Self {
            had_jitter: self.had_jitter,
            ..Self::default()
        }
    }

    /// Checks a frame after its updates and before it is drawn. `now` is the game time before the updates.
    pub(crate) fn frame(&mut self, lane: &MeasuredLane<Simulated>, now: GameTime) {
        let frame = lane.last_frame();
        let start = frame.start;
        self.had_jitter |= lane.settings().knobs.get(&JITTER_MS) > 0.0;
        let passed = match self.last_start {
            Some(_) if self.had_jitter => frame.delta,
            last => last.map_or(Nanos::ZERO, |last| start.saturating_since(last)),
        };
        self.last_start = Some(start);
        let key = lane.settings().frame_loop.key;
        let what = format!("{key}: {frame:?}, after {passed}");
        let (advanced, dropped) = (lane.now() - now, frame.debt_dropped);
        let range = match lane.settings().knobs.get(&INTERPOLATE) {
            0.0 => 0.0..=0.0,
            1.0 => 0.0..=1.0,
            _ => -1.0..=0.0,
        };
        assert!(range.contains(&frame.alpha), "{what}");
        // With jitter, loops that read the clock again cannot be checked, because the error of each reading is unknown.
        // At another game speed, real time is rounded and does not add up to the nanosecond.
        let reads_again = ["constant-fps", "max-frame-skip"].contains(&key);
        self.is_unknown |= self.had_jitter && reads_again || lane.settings().game_speed() != 1.0;
        if lane.settings().runs_tasks_once() && !self.is_unknown {
            assert_eq!((frame.updates, advanced), (1, passed), "{what}");
            self.is_unknown = true;
        }
        if self.is_unknown {
            return;
        }
        match key {
            "unsynced" => {
                assert_eq!((frame.updates, advanced), (1, frame.step), "{what}");
                assert_eq!((frame.debt, dropped), (Nanos::ZERO, Nanos::ZERO), "{what}");
            }
            "variable-step" => {
                assert_eq!((frame.updates, advanced), (1, passed), "{what}");
                assert_eq!((frame.debt, dropped), (Nanos::ZERO, Nanos::ZERO), "{what}");
            }
            "fixed-step" => {
                let [passed, advanced, dropped, debt, step] =
                    [passed, advanced, dropped, frame.debt, frame.step].map(signed);
                self.remainder += passed - advanced - dropped;
                assert_eq!(debt, self.remainder.max(0), "{what}");
                let snap = signed(lane.settings().knobs.span(&SNAP)).min(step / 4);
                assert!(debt < step + snap && frame.alpha < 1.0, "{what}");
                if frame.updates > 0 {
                    assert!(self.remainder >= -snap, "{what}");
                }
            }
            "constant-fps" => {
                assert_eq!(frame.updates, 1, "{what}");
                // If the clock was set back, the deadline may be far in the future. The update is then due now.
                let next = self
                    .next
                    .filter(|&next| next.saturating_since(start) <= EARLY);
                let due = next.unwrap_or(start);
                let next = due + dropped + advanced;
                assert_eq!(frame.debt, start.saturating_since(next), "{what}");
                self.next = Some(next);
            }
            "max-frame-skip" => {
                let clock = start + frame.stall;
                let due = self
                    .next
                    .unwrap_or(clock)
                    .saturating_sub(self.seen.saturating_since(clock));
                let next = due + dropped + advanced;
                self.seen = lane.machine().clock();
                assert_eq!(frame.debt, self.seen.saturating_since(next), "{what}");
                self.next = Some(next);
            }
            _ => {} // a new loop gets only the checks that all loops have in common
        }
        if !["constant-fps", "variable-step"].contains(&key) {
            let simulated = Nanos::from_nanos(u64::from(frame.updates) * frame.step.as_nanos());
            assert_eq!(advanced, simulated, "{what}");
        }
    }
}

fn signed(time: Nanos) -> i64 {
    time.as_nanos().cast_signed()
}
