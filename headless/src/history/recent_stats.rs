//! Statistics of the last seconds, held long enough to be read. The status, the table and the plots cover the same
//! frames.

use super::{History, StatsTable, WINDOW, WindowStats};
use crate::sim::machine::Machine;
use crate::stats::{Capacity, MeasuredLane, status};
use crate::text::rich::RichText;
use timeslicer::strategy::StrategyEntry;
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{ClockTime, Nanos};

/// Time between two updates of the statistics while the game runs.
const HELD: Nanos = Nanos::from_millis(250);

/// Statistics of the last [`WINDOW`], in words and as a table.
#[derive(Clone, Debug)]
pub struct RecentStats {
    pub stats: WindowStats,
    pub status: RichText,
    pub table: StatsTable,
    /// Number of entities that fit the budget.
    pub capacity: Capacity,
    key: HeldFor,
    at: ClockTime,
}

/// State for which the statistics were computed. If it changes, the statistics are updated at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HeldFor {
    strategy: &'static StrategyEntry,
    epoch: u64,
    restarts: u64,
    /// First frame after the last disturbance.
    disturbed_at: Option<u64>,
    /// The budget restarts no figures of a strategy without one.
    budget: Nanos,
    /// Last frame, if the game is paused.
    paused_at: Option<u64>,
}

impl RecentStats {
    /// Returns the statistics in `held`. Updates them first if they are old, or if anything was changed or stepped.
    /// `clock` is the time of any monotonic clock, and `clock_step` the resolution of the machine's, as in [`status()`].
    pub fn update<'a, M: Machine>(
        held: &'a mut Option<Self>,
        lane: &MeasuredLane<M>,
        history: &History,
        is_paused: bool,
        clock_step: Option<Nanos>,
        clock: ClockTime,
    ) -> &'a Self {
        let key = HeldFor {
            strategy: lane.settings().strategy,
            epoch: history.epoch(),
            restarts: lane.frame_sums().restarts,
            disturbed_at: lane.recovery().map(|it| it.from),
            budget: Nanos::from_millis_f64(lane.settings().knobs.get(&BUDGET)),
            paused_at: is_paused.then(|| lane.last_frame().number),
        };
        let still_good = held
            .take()
            .filter(|old| old.key == key && (is_paused || clock < old.at + HELD));
        held.insert(still_good.unwrap_or_else(|| {
            let stats = WindowStats::of(lane, history, WINDOW);
            Self {
                status: status(&stats.report, is_paused, clock_step),
                table: StatsTable::of(&stats),
                capacity: Capacity::of(lane),
                stats,
                key,
                at: clock,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::machine::Simulated;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::Report;
    use crate::testing::lane;

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
                let record = self.lane.frame().clone();
                let past = self.history.begin(&self.lane);
                self.history.end(past, record);
            }
        }

        /// Returns the report that is shown at this time.
        fn shown_at(&mut self, clock_ms: u64, is_paused: bool) -> &Report {
            let clock = ClockTime::at(Nanos::from_millis(clock_ms));
            let (lane, history) = (&self.lane, &self.history);
            let recent = RecentStats::update(&mut self.held, lane, history, is_paused, None, clock);
            &recent.stats.report
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
        watched.history.restart();
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
        assert_eq!(watched.shown_at(0, false).subject.recovery, None);
        watched.lane.disturb(Disturbance::Stall);
        watched.frames(10);
        assert!(watched.shown_at(1, false).subject.recovery.is_some());
        watched.frames(1000);
        assert_eq!(watched.shown_at(1_000, false).subject.recovery, None);
    }
}
