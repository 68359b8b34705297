//! What is counted while a lane runs.

use super::Distribution;
use super::promises::{Kept, Promises};
use super::recovery::Usual;
use crate::sim::lane::{FrameEnded, UpdateBegun};
use crate::sim::world::World;
use std::collections::HashSet;
use timeslice::scheduler::TaskId;
use timeslice::strategy::Promise;
use timeslice::time::{ClockTime, GameTime, Nanos};

/// After a change of strategy, frame loop or knob the figures begin with the first frame that starts this
/// long after it, by the machine's clock: what the change itself costs (births, a burst, caches) is no property
/// of what runs now. It is short beside the seconds that figures are read over, and longer than any burst that
/// a switch leaves behind on a machine that keeps up.
pub const WARM_UP: Nanos = Nanos::from_millis(250);

/// From so much on it is known how many hitches a second there are.
const KNOWN: Nanos = Nanos::from_millis(500);

/// Counts what a lane does: every frame, update and run, each in constant time.
///
/// It begins with the lane; [`Collector::change`] begins it anew after [`WARM_UP`], [`Collector::clear`] at once.
/// Intervals and requests that began earlier than that do not count, and a staleness counts from then on.
#[derive(Clone, Debug)]
pub struct Collector {
    pub(super) promises: Promises,
    /// Until when nothing is counted.
    warm_until: Option<ClockTime>,
    /// The game time from which on it counts.
    pub(super) game_from: GameTime,
    /// The game time of the last update.
    now: GameTime,
    wanted: Option<Nanos>,
    budget: Option<Nanos>,
    batch: Batch,
    pub(super) sums: Sums,
    pub(super) lengths: Distribution,
    /// The time in tasks of each frame.
    pub(super) frame_tasks: Distribution,
    pub(super) intervals: Distribution,
    pub(super) off_wanted: Distribution,
    pub(super) overruns: Distribution,
    pub(super) request_waits: Distribution,
    /// The numbers of the entities that have starved.
    pub(super) starved: HashSet<u64>,
    /// What hitches there were before it was last cleared.
    before: Usual,
}

/// What is merely added up.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub(super) frames: u64,
    pub(super) updates: u64,
    pub(super) runs: u64,
    pub(super) peak_runs: u32,
    pub(super) hitches: u64,
    /// The machine's time, and the game's.
    pub(super) span: Nanos,
    /// The delta of the first frame, and the longest frame, stalls included.
    pub(super) first_delta: Nanos,
    pub(super) longest: Nanos,
    pub(super) game_span: Nanos,
    pub(super) task_time: Nanos,
    pub(super) scheduling: Nanos,
    pub(super) drawing: Nanos,
    pub(super) waiting: Nanos,
    pub(super) debt_dropped: Nanos,
    pub(super) backlog_first: usize,
    pub(super) backlog_last: usize,
    pub(super) backlog_peak: usize,
    pub(super) worst_staleness: Nanos,
    pub(super) late: u64,
    /// The machine's time while nothing was done to the lane, and the hitches in it.
    calm_span: Nanos,
    calm_hitches: u64,
    calm_longest: Nanos,
    /// The share that looks wrong, times the frame's length in seconds; the time in which it was measured; and
    /// its worst.
    pub(super) wrong_s: f64,
    pub(super) gazed: Nanos,
    pub(super) wrong_worst: f64,
}

/// Runs of one elapsed time in a row. Who ran together mostly runs together again, so what they have in common
/// is counted once.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    elapsed: Nanos,
    intervals: u64,
    /// Requests that waited for one time, and which.
    requests: u64,
    requests_waited: Nanos,
}

impl Default for Collector {
    fn default() -> Self {
        Self::new()
    }
}

impl Collector {
    /// Of nothing yet; counts from the start.
    #[must_use]
    pub fn new() -> Self {
        Self {
            promises: Promises::new(),
            warm_until: None,
            game_from: GameTime::START,
            now: GameTime::START,
            wanted: None,
            budget: None,
            batch: Batch::default(),
            sums: Sums::default(),
            lengths: Distribution::new(),
            frame_tasks: Distribution::new(),
            intervals: Distribution::new(),
            off_wanted: Distribution::new(),
            overruns: Distribution::new(),
            request_waits: Distribution::new(),
            starved: HashSet::new(),
            before: Usual::default(),
        }
    }

    /// Forgets everything, at the game time `now`, and counts from here on.
    pub fn clear(&mut self, now: GameTime) {
        self.before = self.usual();
        self.warm_until = None;
        self.game_from = now;
        self.batch = Batch::default();
        self.sums = Sums::default();
        for spread in [
            &mut self.lengths,
            &mut self.frame_tasks,
            &mut self.intervals,
            &mut self.off_wanted,
            &mut self.overruns,
            &mut self.request_waits,
        ] {
            spread.clear();
        }
        self.starved.clear();
        self.promises.clear();
    }

    /// Something was changed when the machine's clock showed `clock` and the game's `now`: forgets everything,
    /// and counts again from [`WARM_UP`] on.
    pub fn change(&mut self, clock: ClockTime, now: GameTime) {
        self.clear(now);
        self.warm_until = Some(clock + WARM_UP);
    }

    /// Whether nothing is counted yet, because something was changed just now.
    #[must_use]
    pub fn is_warming_up(&self) -> bool {
        self.warm_until.is_some()
    }

    /// Another strategy has taken over: nobody has asked it for anything yet.
    pub(crate) fn switch_strategy(&mut self) {
        self.promises.switch();
    }

    /// A frame begins when the machine's clock shows `start` and the game's `now`.
    pub(crate) fn begin_frame(&mut self, start: ClockTime, now: GameTime) {
        if self.warm_until.is_some_and(|until| start >= until) {
            self.clear(now);
        }
    }

    /// An update begins.
    pub(crate) fn begin_update(&mut self, update: &UpdateBegun) {
        self.sums.game_span += update.delta;
        self.now = update.now;
        self.budget = update.budget;
        self.wanted = update.promise.wanted_interval();
        self.promises
            .begin_update(update.promise, update.delta, update.step);
    }

    /// The update is over, after so much time in tasks.
    pub(crate) fn end_update(&mut self, in_tasks: Nanos) {
        self.count_batch();
        self.count_requests();
        if let Some(budget) = self.budget
            && in_tasks > budget
            && !self.is_warming_up()
        {
            self.overruns.add(in_tasks - budget);
        }
    }

    pub(crate) fn born(&mut self, task: TaskId) {
        self.promises.born(task);
    }

    /// The entity of that number dies, `stale` after its last run.
    pub(crate) fn died(&mut self, task: TaskId, number: u64, stale: Nanos) {
        let stale = stale.min(self.now - self.game_from);
        if !self.is_warming_up() {
            self.sums.worst_staleness = self.sums.worst_staleness.max(stale);
            if self.promises.kept(task, stale) == Kept::Starved {
                self.starved.insert(number);
            }
        }
        self.promises.died(task);
    }

    /// A task asks for a run at the game time `now`; the strategy then promises `wait`.
    pub(crate) fn asks(&mut self, task: TaskId, now: GameTime, wait: Promise) {
        self.promises.asks(task, now, wait);
    }

    /// The task of the entity of that number runs, `elapsed` after its last run; after its birth for its
    /// `first`, which makes no interval.
    pub(crate) fn run(&mut self, task: TaskId, number: u64, elapsed: Nanos, first: bool) {
        if elapsed != self.batch.elapsed {
            self.count_batch();
            self.batch.elapsed = elapsed;
        }
        self.batch.intervals += u64::from(!first);
        let stale = elapsed.min(self.now - self.game_from);
        let (kept, asked) = self.promises.runs(task, stale);
        if kept != Kept::OnTime && !self.is_warming_up() {
            self.sums.late += 1;
            if kept == Kept::Starved {
                self.starved.insert(number);
            }
        }
        if let Some(asked) = asked.filter(|&asked| asked >= self.game_from)
            && !self.is_warming_up()
        {
            let waited = self.now - asked;
            if waited != self.batch.requests_waited {
                self.count_requests();
                self.batch.requests_waited = waited;
            }
            self.batch.requests += 1;
        }
        // Before any interval: also who runs for the first time has waited.
        if !self.is_warming_up() {
            self.sums.worst_staleness = self.sums.worst_staleness.max(stale);
        }
    }

    /// How many entities have starved, or do now. Looks at those that do.
    pub(crate) fn starved(&self, world: &World, now: GameTime) -> u64 {
        if self.is_warming_up() {
            return 0;
        }
        let tasks = world.tasks();
        let stale = |task| {
            let last_run = tasks.last_run(task).unwrap_or(now);
            (now - last_run).min(now - self.game_from)
        };
        // Who waits longer stands further in front.
        let starving = world
            .by_staleness()
            .take_while(|&task| self.promises.kept(task, stale(task)) == Kept::Starved);
        let asking = self.promises.starved_requests();
        let all = if self.promises.is_of_requests() {
            asking.filter_map(|index| tasks.at(index)).collect()
        } else {
            starving.collect::<Vec<_>>()
        };
        let new = all.into_iter().filter(|&task| {
            let number = world.entity(task).map(|entity| entity.number);
            number.is_some_and(|number| !self.starved.contains(&number))
        });
        self.starved.len() as u64 + new.count() as u64
    }

    fn count_requests(&mut self) {
        let count = std::mem::take(&mut self.batch.requests);
        self.request_waits
            .add_many(self.batch.requests_waited, count);
    }

    fn count_batch(&mut self) {
        let elapsed = self.batch.elapsed;
        let intervals = std::mem::take(&mut self.batch.intervals);
        let began_before = elapsed > self.now - self.game_from;
        if intervals == 0 || began_before || self.is_warming_up() {
            return;
        }
        self.intervals.add_many(elapsed, intervals);
        if let Some(wanted) = self.wanted {
            let off = (elapsed - wanted).max(wanted - elapsed); // one of them is zero
            self.off_wanted.add_many(off, intervals);
        }
    }

    /// What hitches there are while nothing is done to the lane: before the last change where little was measured
    /// since.
    pub(crate) fn usual(&self) -> Usual {
        let sums = &self.sums;
        if sums.calm_span < KNOWN {
            return self.before;
        }
        Usual {
            rate: sums.calm_span.rate_of(sums.calm_hitches),
            longest: sums.calm_longest,
        }
    }

    /// A frame is over. The time that a stall took is no part of its measured length. It is calm if no disturbance may
    /// have caused its hitches.
    pub(crate) fn frame(&mut self, ended: &FrameEnded<'_>, is_calm: bool) {
        if self.is_warming_up() {
            return;
        }
        let sums = &mut self.sums;
        let frame = ended.record;
        let length = frame.length - ended.stall;
        if sums.frames == 0 {
            sums.backlog_first = frame.backlog;
            sums.first_delta = frame.delta;
        }
        sums.frames += 1;
        sums.updates += u64::from(frame.updates);
        sums.runs += u64::from(frame.runs);
        sums.peak_runs = sums.peak_runs.max(frame.runs);
        let is_hitch = length > hitch_from(ended.target);
        sums.hitches += u64::from(is_hitch);
        if is_calm {
            sums.calm_span += frame.length;
            sums.calm_hitches += u64::from(is_hitch);
            sums.calm_longest = sums.calm_longest.max(length);
        }
        sums.span += frame.length;
        sums.task_time += frame.task_time;
        sums.scheduling += frame.scheduling;
        sums.drawing += frame.drawing;
        sums.waiting += frame.waiting;
        sums.debt_dropped += frame.debt_dropped;
        sums.backlog_last = frame.backlog;
        sums.backlog_peak = sums.backlog_peak.max(frame.backlog);
        let stalest = ended.worst_staleness.min(self.now - self.game_from);
        sums.worst_staleness = sums.worst_staleness.max(stalest);
        if let Some(share) = frame.looking_wrong {
            sums.wrong_s += share * frame.length.as_secs_f64();
            sums.gazed += frame.length;
            sums.wrong_worst = sums.wrong_worst.max(share);
        }
        self.lengths.add(length);
        sums.longest = sums.longest.max(frame.length);
        self.frame_tasks.add(frame.task_time);
    }
}

/// A frame that lasts longer than this, one and a half times the length that it was to have, is a hitch.
#[must_use]
pub fn hitch_from(aimed: Nanos) -> Nanos {
    aimed + Nanos::from_nanos(aimed.as_nanos() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslice::frame_loop;

    use crate::sim::lane::Length;
    use crate::sim::machine::{DISPLAY_HZ, Machine, RENDER_MS, Simulated};
    use crate::sim::settings::FADE;
    use crate::sim::world::{CHURN, COST, ENTITIES};
    use crate::stats::MeasuredLane;
    use crate::stats::test_lane::lane;
    use timeslice::strategy::STRATEGIES;
    use timeslice::strategy::knobs::INTERVAL;
    use timeslice::strategy::max_per_frame::MAX_TASKS;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    fn run(lane: &mut MeasuredLane<Simulated>, frames: u64) {
        let length = Length::Frames(lane.frames() + frames);
        while lane.is_within(length) {
            lane.frame();
        }
    }

    #[test]
    fn a_fresh_lane_counts_from_its_first_frame() {
        let mut lane = lane("every-frame", &[]);
        run(&mut lane, 7);
        let report = lane.report();
        assert_eq!((report.frames, report.updates, report.runs), (7, 7, 2800));
        assert_eq!(
            report.interval.count,
            6 * 400,
            "the first run makes no interval"
        );
        assert!(!report.warming_up);
    }

    #[test]
    fn a_change_begins_a_new_window_after_the_warm_up() {
        type Change = fn(&mut MeasuredLane<Simulated>);
        let changes: [Change; 3] = [
            |lane| lane.set_knob(&COST, 50.0),
            |lane| lane.set_strategy(STRATEGIES[1]),
            |lane| lane.set_frame_loop(frame_loop::FRAME_LOOPS[3]),
        ];
        for change in changes {
            let mut lane = lane("every-frame", &[(&DISPLAY_HZ, 100.0), (&ENTITIES, 10.0)]);
            run(&mut lane, 50);
            change(&mut lane);
            let report = lane.report();
            assert!(report.warming_up && report.frames == 0);
            run(&mut lane, 25);
            assert!(lane.report().warming_up, "{WARM_UP} ms are not over");
            run(&mut lane, 3);
            let report = lane.report();
            assert_eq!((report.warming_up, report.frames), (false, 3));
            assert_eq!(report.span, MS(30));
            assert_eq!(lane.frames(), 78, "what counts since the start goes on");
        }
    }

    #[test]
    fn a_knob_that_is_not_turned_or_concerns_nothing_that_runs_changes_nothing() {
        let mut lane = lane("every-frame", &[]);
        run(&mut lane, 5);
        lane.set_knob(&COST, COST.default);
        lane.set_knob(&FADE, 700.0);
        lane.set_knob(&MAX_TASKS, 9.0);
        assert_eq!(lane.report().frames, 5);
    }

    #[test]
    fn clearing_counts_at_once_and_what_began_before_makes_no_interval() {
        let mut lane = lane("fixed-interval", &[(&DISPLAY_HZ, 100.0)]);
        run(&mut lane, 100);
        lane.clear_statistics();
        run(&mut lane, 49);
        let report = lane.report();
        assert_eq!((report.frames, report.interval.count), (49, 0));
        assert!(report.runs > 0 && report.worst_staleness <= MS(490));
        run(&mut lane, 51);
        let report = lane.report();
        assert_eq!(report.interval.count, 51 * 8, "of the last 51 frames");
        assert_eq!(report.interval.mean, MS(500));
    }

    #[test]
    fn a_hitch_is_a_frame_of_more_than_one_and_a_half_periods_of_the_display() {
        let hitches = |cost_us| {
            let set = [(&DISPLAY_HZ, 100.0), (&ENTITIES, 1.0), (&COST, cost_us)];
            let mut lane = lane("every-frame", &set);
            run(&mut lane, 10);
            lane.report().hitches
        };
        assert_eq!([hitches(15_000.0), hitches(15_001.0)], [0, 10]);
    }

    #[test]
    fn a_loop_with_a_rate_of_its_own_is_held_against_that() {
        let mut lane = lane(
            "every-frame",
            &[(&frame_loop::constant_fps::LOOP_FPS, 25.0)],
        );
        run(&mut lane, 10);
        lane.set_frame_loop(frame_loop::by_key("constant-fps").unwrap());
        run(&mut lane, 30);
        let report = lane.report();
        assert_eq!((report.pacing.target, report.hitches), (MS(40), 0));
        assert!(!report.pacing.waits_for_display);
    }

    #[test]
    fn the_window_tells_the_period_of_a_real_display() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 1.0)]);
        lane.set_display_period(MS(5));
        run(&mut lane, 10);
        assert_eq!(lane.report().hitches, 10);
    }

    #[test]
    fn interval_strategies_obey_the_law_and_it_is_told_beside_what_was_measured() {
        for (strategy, entities, render_ms, hz) in [
            ("fixed-interval", 1000.0, 4.0, 1000.0),
            ("fixed-interval", 2000.0, 4.0, 1000.0),
            ("all-at-once", 1000.0, 4.0, 1000.0),
            ("fixed-interval", 1000.0, 4.0, 60.0),
            ("fixed-interval", 2000.0, 4.0, 60.0),
        ] {
            let set = [
                (&ENTITIES, entities),
                (&COST, 200.0),
                (&INTERVAL, 0.5),
                (&RENDER_MS, render_ms),
                (&DISPLAY_HZ, hz),
            ];
            let mut lane = lane(strategy, &set);
            while lane.is_within(Length::Time(Nanos::from_secs(10))) {
                lane.frame();
            }
            let report = lane.report();
            let utilisation = entities * 0.2e-3 / 0.5;
            assert!((report.utilisation().unwrap() - utilisation).abs() < 0.001);
            let law = (render_ms / (1.0 - utilisation)).max(1000.0 / hz);
            let predicted = report.predicted_frame().unwrap().as_millis_f64();
            assert!((predicted / law - 1.0).abs() < 1e-3, "{predicted}, {law}");
            let measured = report.frame.mean.as_millis_f64();
            assert!((measured / law - 1.0).abs() < 0.05, "{measured}, {law}");
        }
    }

    #[test]
    fn no_prediction_is_made_where_the_law_does_not_hold() {
        let bursts = lane("all-at-once", &[(&INTERVAL, 0.5)]);
        let overload = lane("fixed-interval", &[(&ENTITIES, 9000.0)]);
        let mut unsynced = lane("fixed-interval", &[]);
        unsynced.set_frame_loop(frame_loop::by_key("unsynced").unwrap());
        for mut lane in [bursts, overload, unsynced] {
            run(&mut lane, 200);
            assert!(lane.report().utilisation().is_some());
            assert_eq!(lane.report().predicted_frame(), None);
        }
        let mut turns = lane("max-per-frame", &[]);
        run(&mut turns, 10);
        assert_eq!(turns.report().utilisation(), None);
    }

    #[test]
    fn the_figures_are_those_of_the_runs_one_by_one() {
        for entry in STRATEGIES {
            let set = [(&ENTITIES, 90.0), (&CHURN, 20.0), (&COST, 700.0)];
            let mut lane = lane(entry.key, &set);
            let (mut intervals, mut off) = (Distribution::new(), Distribution::new());
            let (mut worst, mut peak, mut overruns) = (Nanos::ZERO, 0, Distribution::new());
            for _ in 0..400 {
                lane.frame();
                for run in lane.runs() {
                    worst = worst.max(run.elapsed);
                    if !run.first {
                        intervals.add(run.elapsed);
                        off.add((run.elapsed - MS(500)).max(MS(500) - run.elapsed));
                    }
                }
                peak = peak.max(lane.last_frame().runs);
                worst = worst.max(lane.worst_staleness());
                let over = lane.last_frame().task_time - MS(4);
                if !over.is_zero() {
                    overruns.add(over);
                }
            }
            let report = lane.report();
            let about = |one: Nanos, other: Nanos| one.as_nanos().abs_diff(other.as_nanos()) < 10;
            let (counted, exact) = (report.interval, intervals.times());
            assert_eq!((counted.count, counted.p99), (exact.count, exact.p99));
            assert!(about(counted.mean, exact.mean) && about(counted.deviation, exact.deviation));
            assert_eq!(report.peak_runs, peak);
            assert!(report.worst_staleness >= worst, "{}", entry.key);
            if report.wanted.is_some() {
                let exact = off.times();
                assert_eq!(
                    (report.off_wanted.p99, report.off_wanted.max),
                    (exact.p99, exact.max)
                );
            }
            if report.budget.is_some() {
                assert!(overruns.count() > 0);
                assert_eq!(report.overrun, overruns.times());
            }
        }
    }

    #[test]
    fn who_starves_now_counts_and_who_did_counts_once() {
        let set = [(&ENTITIES, 40.0), (&DISPLAY_HZ, 100.0), (&INTERVAL, 0.1)];
        let mut lane = lane("fixed-interval", &set);
        run(&mut lane, 100);
        assert_eq!(lane.report().starved, 0);
        // The machine stands still for a second, and the game with its next frame makes up for it.
        for _ in 0..2 {
            lane.machine_mut().stall(Nanos::SECOND);
            run(&mut lane, 50);
        }
        let report = lane.report();
        assert_eq!(report.starved, 40);
        assert_eq!(report.late, 80);
    }
}
