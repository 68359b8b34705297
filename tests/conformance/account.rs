//! Real time in books of our own: of every frame, what was simulated, is owed and was dropped is the time that has
//! passed, to the nanosecond, also where the clock is set back.

use timeslice::frame_loop::EARLY;
use timeslice::time::{ClockTime, GameTime, Nanos};
use timeslice_lab::sim::machine::{Machine, Simulated};
use timeslice_lab::stats::MeasuredLane;

/// What is known of a lane before a frame.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) start: ClockTime,
    now: GameTime,
}

impl Before {
    /// The frame that is to start then.
    pub(crate) fn new(lane: &MeasuredLane<Simulated>, start: ClockTime) -> Self {
        Self {
            start,
            now: lane.now(),
        }
    }
}

/// The account of one frame loop from its first frame on.
#[derive(Default)]
pub(crate) struct Account {
    last_start: Option<ClockTime>,
    debt: Nanos,
    /// When the next update is due, in loops with deadlines.
    next: Option<ClockTime>,
    /// What the clock showed last.
    seen: ClockTime,
}

impl Account {
    /// The frame's updates are made; nothing else of it yet.
    pub(crate) fn frame(&mut self, lane: &MeasuredLane<Simulated>, before: Before) {
        let Before { start, now } = before;
        let passed = self.last_start.map_or(Nanos::ZERO, |last| start - last);
        self.last_start = Some(start);
        let frame = lane.last_frame();
        let key = lane.settings().frame_loop.key;
        let what = format!("{key}: {frame:?}, after {passed}");
        let (advanced, dropped) = (lane.now() - now, frame.debt_dropped);
        assert!((0.0..=1.0).contains(&frame.alpha), "{what}");
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
                let owed = self.debt + passed;
                assert_eq!(owed, advanced + dropped + frame.debt, "{what}");
                assert!(frame.debt < frame.step && frame.alpha < 1.0, "{what}");
                self.debt = frame.debt;
            }
            "constant-fps" => {
                assert_eq!(frame.updates, 1, "{what}");
                // Where the clock was set back to well before it was due, it is due now.
                let next = self.next.filter(|&next| next - start <= EARLY);
                let due = next.unwrap_or(start);
                let next = due + dropped + advanced;
                assert_eq!(frame.debt, start - next, "{what}");
                self.next = Some(next);
            }
            "max-frame-skip" => {
                let clock = start + lane.stalled();
                let due = self.next.unwrap_or(clock) - (self.seen - clock);
                let next = due + dropped + advanced;
                self.seen = lane.machine().clock();
                assert_eq!(frame.debt, self.seen - next, "{what}");
                self.next = Some(next);
            }
            _ => {} // a new one keeps to what all do
        }
        if !["constant-fps", "variable-step"].contains(&key) {
            let simulated = Nanos::from_nanos(u64::from(frame.updates) * frame.step.as_nanos());
            assert_eq!(advanced, simulated, "{what}");
        }
    }
}
