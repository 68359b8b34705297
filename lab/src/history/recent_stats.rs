//! Computes statistics of the few seconds before now or before a past frame. They change slowly enough to be read.

use super::{History, LongestWait, PastFrame};
use crate::catalog::strategy::knobs::BUDGET;
use crate::measure::{MOST_SAMPLED, MeasuredLane, Report, Sums};
use crate::sim::machine::Machine;
use crate::text::format;
use timeslicer::time::{ClockTime, Nanos};

/// How much time on the machine's clock the displayed statistics cover.
pub const WINDOW: Nanos = Nanos::from_secs(2);

/// How long the displayed statistics stay unchanged, so that the numbers can be read.
const REFRESH_INTERVAL: Nanos = Nanos::from_millis(250);

/// Statistics of the few seconds before the newest frame or a past frame. They begin after the last setting change or
/// interruption of the program. Unlike in other reports, the warm-up ([`crate::measure::WARM_UP`]) is included.
pub struct WindowStats {
    pub report: Report,
    /// The number of the past frame with which the statistics end, or `None` if they end with the newest frame.
    pub past: Option<u64>,
    /// The entity that was waiting longest when the last frame ended. `None` if there were no entities.
    pub stalest: Option<LongestWait>,
    /// Whether the intervals between some runs are no longer recorded. Metrics in game time are then unknown.
    pub has_forgotten: bool,
}

impl WindowStats {
    /// Computes statistics of the frames up to the newest one or to `past`, over at least [`WINDOW`] on the machine's
    /// clock, but not beyond the last reset or interruption. For a past frame, the theoretical bounds are not computed.
    pub fn of<M: Machine>(
        lane: &MeasuredLane<M>,
        history: &History,
        past: Option<&PastFrame>,
    ) -> Self {
        let frames = history.frames();
        let (end, newest) = match past {
            Some(past) => {
                let number = past.record.number;
                let end = frames.partition_point(|frame| frame.record.number <= number);
                (end, &past.sums)
            }
            None => (frames.len(), &lane.observer().frame),
        };
        let (mut first, mut measured) = (end, Nanos::ZERO);
        while measured < WINDOW
            && let Some(past) = first.checked_sub(1).map(|index| &frames[index])
            && past.sums.restarts == newest.restarts
            && !past.is_interrupted()
        {
            measured += past.record.length;
            first -= 1;
        }
        let mut sums = Sums::since(newest.restarted_at);
        let (mut stalest, mut has_forgotten) = (None, false);
        for past in frames.range(first..end) {
            sums.add(&past.record, past.period(), &past.sums);
            stalest = past.stalest;
            has_forgotten |= past.has_forgotten_intervals();
        }
        Self {
            report: match past {
                Some(past) => Report::new(past.subject.clone(), &sums),
                None => Report::over(lane, &sums, MOST_SAMPLED),
            },
            past: past.map(|past| past.record.number),
            stalest,
            has_forgotten,
        }
    }

    /// Returns a caption that says which frames these statistics cover, such as `last 2.0 s` or `frames 115 to 234`.
    pub fn caption(&self) -> String {
        match (self.past, self.report.frames) {
            (_, 0) => "no frames measured".to_owned(),
            (Some(last), count) => {
                let [first, last] = [last + 1 - count, last].map(format::grouped);
                format!("frames {first} to {last}")
            }
            (None, _) => {
                let secs = self.report.span.as_secs_f64();
                let secs = format::fixed(secs, usize::from(secs < 99.95));
                format!("last {secs} s")
            }
        }
    }
}

/// The displayed statistics. [`WINDOW`] defines how much time they cover.
pub struct RecentStats {
    pub present: WindowStats,
    past: Option<WindowStats>,
    key: RefreshKey,
    at: ClockTime,
}

/// If one of these values changes, the displayed statistics are refreshed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RefreshKey {
    world: u64,
    restarts: u64,
    disturbed_at: Option<u64>,
    /// The time budget of an update. It is part of the key because a new budget does not always reset the metrics.
    budget: Nanos,
    /// The number of the current frame if the game is paused, so that each single step refreshes the statistics.
    paused_at: Option<u64>,
    looked_at: Option<u64>,
}

impl RecentStats {
    /// Returns the displayed statistics, up to the past frame that the user is looking at or the newest frame.
    pub fn shown(&self) -> &WindowStats {
        self.past.as_ref().unwrap_or(&self.present)
    }

    /// Returns the statistics in `held`. Computes them again if they are too old or if a setting has changed. `past` is
    /// the past frame on screen, and `clock` is the time of any monotonic clock.
    pub fn update<'a, M: Machine>(
        held: &'a mut Option<Self>,
        lane: &MeasuredLane<M>,
        history: &History,
        is_paused: bool,
        past: Option<&PastFrame>,
        clock: ClockTime,
    ) -> &'a Self {
        let key = RefreshKey {
            world: lane.world().id,
            restarts: lane.observer().frame.restarts,
            disturbed_at: lane.recovery().map(|it| it.from),
            budget: lane.settings().knobs.span(&BUDGET),
            paused_at: is_paused.then(|| lane.last_frame().number),
            looked_at: past.map(|past| past.record.number),
        };
        let still_good = held
            .take()
            .filter(|old| old.key == key && clock < old.at + REFRESH_INTERVAL);
        held.insert(still_good.unwrap_or_else(|| Self {
            present: WindowStats::of(lane, history, None),
            past: past.map(|past| WindowStats::of(lane, history, Some(past))),
            key,
            at: clock,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::time_budget;
    use crate::history::PastFrame;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::machine::Simulated;
    use crate::sim::world::{COST, ENTITIES};
    use crate::testing::{history_with_change, lane};

    #[test]
    fn past_figures_name_their_frames_and_end_there() {
        let lane = lane("fixed-interval", &[]);
        let history = history_with_change(&[100; 50], 45);
        for (number, first, expected) in [
            (9, 0, "frames 0 to 9"),
            (39, 20, "frames 20 to 39"),
            (44, 25, "frames 25 to 44"),
            (47, 45, "frames 45 to 47"),
        ] {
            let past = history.frame(number).unwrap();
            let stats = WindowStats::of(&lane, &history, Some(past));
            assert_eq!(stats.caption(), expected);
            assert_eq!(stats.report.frames, number + 1 - first);
        }
        let mut interrupted = history.frames()[49].clone();
        (interrupted.record.number, interrupted.outside) = (50, Nanos::SECOND);
        interrupted.sums.restarts += 1;
        let mut history = history;
        history.push(interrupted);
        let past = history.frame(50).unwrap();
        let stats = WindowStats::of(&lane, &history, Some(past));
        assert_eq!(stats.caption(), "no frames measured");
    }

    struct Watched {
        lane: MeasuredLane<Simulated>,
        history: History,
        held: Option<RecentStats>,
    }

    impl Watched {
        fn new() -> Self {
            Self {
                lane: lane("fixed-interval", &[(&ENTITIES, 10.0), (&COST, 0.0)]),
                history: History::default(),
                held: None,
            }
        }

        fn frames(&mut self, count: u64) {
            for _ in 0..count {
                self.lane.frame();
                self.history.push(PastFrame::of(&self.lane));
            }
        }

        fn shown_at(&mut self, clock_ms: u64, is_paused: bool) -> &Report {
            let clock = ClockTime::at(Nanos::from_millis(clock_ms));
            let (lane, history) = (&self.lane, &self.history);
            let held = &mut self.held;
            let recent = RecentStats::update(held, lane, history, is_paused, None, clock);
            &recent.present.report
        }
    }

    #[test]
    fn figures_are_held_but_not_across_a_change() {
        let mut watched = Watched::new();
        watched.frames(1);
        assert_eq!(watched.shown_at(1, false).frames, 1);
        watched.frames(5);
        assert_eq!(watched.shown_at(90, false).frames, 1, "they are held");
        assert_eq!(watched.shown_at(251, false).frames, 6);
        watched.frames(2);
        watched.lane.set_knob(&COST, 1.0);
        let count = watched.shown_at(252, false).frames;
        assert_eq!(count, 0, "they start at the change");
        watched.frames(3);
        assert_eq!(watched.shown_at(260, false).frames, 0);
        assert_eq!(watched.shown_at(503, false).frames, 3);
        let another = Watched::new();
        (watched.lane, watched.history) = (another.lane, another.history);
        assert_eq!(watched.shown_at(504, false).frames, 0, "another run");
    }

    #[test]
    fn paused_figures_change_only_with_a_step() {
        let mut watched = Watched::new();
        watched.frames(3);
        assert_eq!(watched.shown_at(1, true).frames, 3);
        watched.frames(1);
        assert_eq!(watched.shown_at(2, true).frames, 4);
        assert_eq!(watched.shown_at(90_000, true).frames, 4);
    }

    #[test]
    fn disturbance_is_reported_at_once_but_not_forever() {
        let mut watched = Watched::new();
        watched.frames(100);
        assert!(watched.shown_at(0, false).subject.recoveries.is_empty());
        watched.lane.disturb(Disturbance::Stall);
        watched.frames(10);
        assert_eq!(watched.shown_at(1, false).subject.recoveries.len(), 1);
        watched.frames(1000);
        assert!(watched.shown_at(1_000, false).subject.recoveries.is_empty());
    }

    #[test]
    fn statistics_follow_the_budget_at_once() {
        let mut watched = Watched::new();
        watched.lane.set_strategy(&time_budget::ENTRY);
        for budget in [4.0, 2.0] {
            watched.lane.set_knob(&BUDGET, budget);
            let shown = watched.shown_at(1, false).subject.budget;
            assert_eq!(shown, Some(BUDGET.span(budget)));
        }
    }
}
