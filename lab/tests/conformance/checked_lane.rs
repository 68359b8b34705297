//! A lane on a simulated machine in which every run is checked by a [`Record`], and every frame by an [`Account`] of
//! real time.

use crate::account::Account;
use crate::record::Record;
use crate::values::{fraction, own_knobs, value_at};
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use lab::measure::{METRICS, MeasuredLane, verdict};
use lab::sim::disturbance::Disturbance;
use lab::sim::machine::{LEAST_FRAME, Machine, Simulated};
use lab::sim::world::{CHURN, ENTITIES, REQUESTS};
use lab::testing::lane_of;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;
use timeslicer::frame_loop::Pace;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{ClockTime, GameTime, Nanos};

#[derive(Clone, Debug)]
pub(crate) enum Event {
    Frame,
    Stall(Nanos),
    Request(Index),
    /// Stalls for this real time, and then makes a frame as if there had been no stall.
    Hold(Nanos),
    /// Makes a frame that starts one step after the start of the last frame, whatever the length of that frame.
    Step,
    /// Sets the clock back into the last frame, to this fraction of its length, and makes a frame.
    SetBack(f64),
    Disturbance(Index),
    Report,
    TurnKnob(Index, f64),
    SwitchStrategy(Index),
    SwitchLoop(Index),
}

/// The step length for loops that do not define one.
const PERIOD: Nanos = Nanos::from_nanos(16_666_667);

pub(crate) fn events(count: usize) -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        16 => Just(Event::Frame),
        1 => stall().prop_map(Event::Stall),
        4 => any::<Index>().prop_map(Event::Request),
        2 => any::<Index>().prop_map(Event::Disturbance),
        1 => stall().prop_map(Event::Hold),
        1 => Just(Event::Step),
        1 => fraction().prop_map(Event::SetBack),
        1 => Just(Event::Report),
        2 => (any::<Index>(), fraction()).prop_map(|(knob, at)| Event::TurnKnob(knob, at)),
        1 => any::<Index>().prop_map(Event::SwitchStrategy),
        1 => any::<Index>().prop_map(Event::SwitchLoop),
    ];
    vec(event, 0..count)
}

fn stall() -> impl Strategy<Value = Nanos> {
    prop_oneof![0..100_000_000u64, Just(10_000_000_000)].prop_map(Nanos::from_nanos)
}

pub(crate) struct CheckedLane {
    pub(crate) lane: MeasuredLane<Simulated>,
    record: Record,
    account: Account,
    /// Whether the lane may have made random requests of its own, which are not recorded.
    has_unknown_requests: bool,
}

impl CheckedLane {
    pub(crate) fn new(
        strategy: &StrategyEntry,
        frame_loop: &FrameLoopEntry,
        set: &[(&Knob, f64)],
    ) -> Self {
        let mut checked = Self {
            lane: lane_of(strategy.key, frame_loop.key, set),
            record: Record::default(),
            account: Account::default(),
            has_unknown_requests: false,
        };
        checked.lane.measure_gazes();
        checked.record_changes();
        checked
    }

    /// Records the births and deaths between two frames, and restarts the guaranteed waits.
    fn settle(&mut self) {
        self.record_changes();
        let guarantee = self.lane.strategy().guarantee();
        self.record.settle(guarantee);
    }

    fn record_changes(&mut self) {
        for (born, task) in self.births() {
            self.record.born(task, born);
        }
        let tasks = self.lane.world().tasks();
        for task in self.record.tasks() {
            if !tasks.contains(task) {
                self.record.died(task);
            }
        }
    }

    pub(crate) fn frame(&mut self) {
        self.frame_at(self.lane.machine().clock());
    }

    /// Sets the clock to `start` and makes a frame.
    fn frame_at(&mut self, start: ClockTime) {
        let now = self.lane.now();
        self.has_unknown_requests |= self.lane.settings().knobs.get(&REQUESTS) > 0.0;
        self.lane.machine_mut().set_clock(start);
        let updated = self.lane.begin_frame_at(start);
        self.account.frame(&self.lane, now);
        self.lane.machine_mut().render();
        let drawn = self.lane.drawn(updated);
        let waited = self.lane.wait(drawn);
        let frame = self.lane.finish(waited);
        let parts = frame.task_time + frame.scheduling + frame.drawing + frame.waiting;
        assert_eq!(parts, frame.length, "{frame:?}");
        assert!(frame.length >= LEAST_FRAME, "{frame:?}");
        self.record_frame();
        assert_eq!(self.record.tasks().len(), self.lane.world().tasks().len());
    }

    fn record_frame(&mut self) {
        let on_request = self.lane.settings().strategy.on_request();
        let must_be_requested = on_request && !self.has_unknown_requests;
        let mut births = self.births().into_iter().peekable();
        for update in self.lane.updates() {
            while let Some((born, task)) = births.next_if(|(born, _)| *born <= update.time) {
                self.record.born(task, born);
            }
            self.record.update_began(update.time);
            for run in &self.lane.runs()[update.runs_before..][..update.runs] {
                assert_eq!(run.time, update.time);
                self.record.ran(run.task, run.elapsed, must_be_requested);
            }
        }
        self.record_changes();
    }

    /// Returns the tasks that are not recorded yet, and when they were born. If a task has died already, its first run
    /// shows when it was born; if it never ran, it leaves no trace.
    fn births(&self) -> BTreeSet<(GameTime, TaskId)> {
        let world = self.lane.world();
        let living = world.tasks().iter();
        let living = living.filter_map(|task| Some((world.entity(task)?.born, task)));
        let runs = self.lane.runs().iter().filter(|run| run.first);
        let dead = runs.filter(|run| world.entity(run.task).is_none());
        let dead = dead.map(|run| (run.time - run.elapsed, run.task));
        let is_new = |(_, task): &(GameTime, TaskId)| !self.record.has(*task);
        living.chain(dead).filter(is_new).collect()
    }

    /// Applies an event. If the event makes a frame, asserts that the guarantees are kept.
    pub(crate) fn apply(&mut self, event: &Event) {
        let last = self.lane.last_frame();
        let (last_start, last_length) = (last.start, last.length);
        match event {
            Event::Frame => self.frame(),
            Event::Hold(time) => {
                self.lane.machine_mut().stall(*time);
                self.frame_at(last_start + last_length);
            }
            // A single step in the window starts its frame at the same time.
            Event::Step => self.frame_at(match self.lane.pace() {
                _ if self.lane.frames() == 0 => ClockTime::START,
                Pace::Until(due) => due.max(last_start),
                Pace::Display | Pace::Nothing => last_start + PERIOD,
            }),
            Event::SetBack(fraction) => {
                let into = Nanos::from_secs_f64(last_length.as_secs_f64() * fraction);
                self.frame_at((last_start + into).min(self.lane.machine().clock()));
            }
            Event::Stall(time) => return self.lane.machine_mut().stall(*time),
            Event::Request(pick) => return self.request(*pick),
            Event::Disturbance(pick) => return self.disturb(*pick.get(&Disturbance::ALL)),
            Event::TurnKnob(pick, fraction) => {
                let knob = *pick.get(&own_knobs());
                // Keep the numbers of entities and births small, so that thousands of cases take little time.
                let value = if *knob == ENTITIES {
                    fraction * 60.0
                } else if *knob == CHURN {
                    fraction * 100.0
                } else {
                    value_at(knob, *fraction)
                };
                self.lane.set_knob(knob, value);
                return self.settle();
            }
            Event::SwitchStrategy(pick) => {
                self.lane
                    .set_strategy(STRATEGIES[pick.index(STRATEGIES.len())]);
                self.record.strategy_switched();
                return self.settle();
            }
            Event::SwitchLoop(pick) => {
                self.lane
                    .set_frame_loop(FRAME_LOOPS[pick.index(FRAME_LOOPS.len())]);
                self.account = self.account.of_new_loop();
                return self.settle();
            }
            Event::Report => return self.check_report(),
        }
        let guarantee = self.lane.strategy().guarantee();
        self.record.assert_guarantee_kept(guarantee);
    }

    fn disturb(&mut self, disturbance: Disturbance) {
        self.lane.disturb(disturbance);
        self.settle();
        if disturbance == Disturbance::AllRequest {
            let guarantee = self.lane.strategy().guarantee();
            for task in self.record.tasks() {
                self.record.requested(task, guarantee);
            }
        }
    }

    fn request(&mut self, pick: Index) {
        let tasks = self.record.tasks();
        if !tasks.is_empty() {
            let task = *pick.get(&tasks);
            self.lane.request(task);
            let guarantee = self.lane.strategy().guarantee();
            self.record.requested(task, guarantee);
        }
    }

    /// Asserts that metrics are finite and not negative, fractions are at most 100 %, percentiles are ordered, and the
    /// verdict contains no NaN.
    pub(crate) fn check_report(&self) {
        let report = self.lane.report();
        for metric in METRICS {
            let value = (metric.value)(&report);
            let most = if metric.unit == "%" { 100.0 } else { f64::MAX };
            let is_valid = value.is_none_or(|value| (0.0..=most).contains(&value));
            assert!(is_valid, "{}: {value:?}", metric.key);
        }
        for times in [&report.frame, &report.frame_tasks, &report.request_wait] {
            let quantiles = [times.p50, times.p95, times.p99, times.max];
            let is_ordered = quantiles.is_sorted() && times.mean <= times.max;
            assert!(is_ordered, "{times:?}");
        }
        assert!(report.hitches <= report.frames);
        let verdict = verdict(&report).to_string();
        let is_finite = !verdict.contains("NaN") && !verdict.contains("inf ");
        assert!(is_finite, "{verdict}");
    }
}
