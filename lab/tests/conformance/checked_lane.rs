//! A lane on a simulated machine in which every frame is checked by an [`Account`] of real time.

use crate::account::Account;
use crate::values::{fraction, own_knobs, value_at};
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::knobs::BUDGET;
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use lab::measure::{Capacity, METRICS, MeasuredLane, verdict};
use lab::sim::disturbance::Disturbance;
use lab::sim::machine::{LEAST_FRAME, Machine, Simulated};
use lab::sim::world::{CHURN, ENTITIES};
use lab::testing::lane_of;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;
use timeslicer::frame_loop::Pace;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Guarantee;
use timeslicer::time::{ClockTime, Nanos};

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

/// The maximum number of frames to wait for a guarantee. If it takes longer, it is not checked.
const MOST_FRAMES: usize = 2_000;

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
    account: Account,
}

impl CheckedLane {
    pub(crate) fn new(
        strategy: &StrategyEntry,
        frame_loop: &FrameLoopEntry,
        set: &[(&Knob, f64)],
    ) -> Self {
        let mut checked = Self {
            lane: lane_of(strategy.key, frame_loop.key, set),
            account: Account::default(),
        };
        checked.lane.measure_gazes();
        checked
    }

    pub(crate) fn frame(&mut self) {
        self.frame_at(self.lane.machine().clock());
    }

    /// Sets the clock to `start` and makes a frame.
    fn frame_at(&mut self, start: ClockTime) {
        let now = self.lane.now();
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
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        let last = self.lane.last_frame();
        let (last_start, last_length) = (last.start, last.length);
        match event {
            Event::Frame => self.frame(),
            Event::Hold(time) => {
                self.lane.machine_mut().stall(*time);
                self.frame_at(last_start + last_length);
            }
            // The window chooses the same start time when the user advances a paused game by one frame.
            Event::Step => self.frame_at(match self.lane.pace() {
                _ if self.lane.frames() == 0 => ClockTime::START,
                Pace::Until(due) => due.max(last_start),
                Pace::Display | Pace::Nothing => last_start + PERIOD,
            }),
            Event::SetBack(fraction) => {
                let into = Nanos::from_secs_f64(last_length.as_secs_f64() * fraction);
                self.frame_at((last_start + into).min(self.lane.machine().clock()));
            }
            Event::Stall(time) => self.lane.machine_mut().stall(*time),
            Event::Request(pick) => self.request(*pick),
            Event::Disturbance(pick) => drop(self.lane.disturb(*pick.get(&Disturbance::ALL))),
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
            }
            Event::SwitchStrategy(pick) => {
                self.lane
                    .set_strategy(STRATEGIES[pick.index(STRATEGIES.len())]);
            }
            Event::SwitchLoop(pick) => {
                self.lane
                    .set_frame_loop(FRAME_LOOPS[pick.index(FRAME_LOOPS.len())]);
                self.account = self.account.of_new_loop();
            }
            Event::Report => self.check_report(),
        }
    }

    fn request(&mut self, pick: Index) {
        let tasks = self.lane.world().tasks();
        if !tasks.is_empty() {
            let task = tasks.nth(pick.index(tasks.len()));
            self.lane.request(task.expect("a living task"));
        }
    }

    /// Requests all tasks, and asserts that each of them runs within the guarantee of the strategy unless it dies first.
    pub(crate) fn check_guarantee(&mut self) {
        let mut waiting: Vec<TaskId> = self.lane.world().tasks().iter().collect();
        for &task in &waiting {
            self.lane.request(task);
        }
        let (from, guarantee) = (self.lane.now(), self.lane.strategy().guarantee());
        let (interval, mut updates) = match guarantee {
            Guarantee::Updates(updates) | Guarantee::Request { updates } => (Nanos::ZERO, updates),
            Guarantee::Interval(interval) => (interval, 1),
            Guarantee::Eventually { interval, updates } => (interval, updates + 1),
        };
        for _ in 0..MOST_FRAMES {
            self.frame();
            let have_run: BTreeSet<TaskId> = self.lane.runs().iter().map(|run| run.task).collect();
            let tasks = self.lane.world().tasks();
            waiting.retain(|task| tasks.contains(*task) && !have_run.contains(task));
            // Count only updates after the interval is over. No time may have passed, for example in the first update
            // of a new frame loop or because of clock jitter.
            let ends = self.lane.updates().iter().map(|update| update.time);
            let ends = ends.filter(|end| *end > from && *end - from >= interval);
            updates = updates.saturating_sub(ends.count());
            if updates == 0 {
                break;
            }
        }
        let all_ran = waiting.is_empty();
        assert!(updates > 0 || all_ran, "{guarantee:?} since {from}");
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
        let budget = self.lane.settings().knobs.span(&BUDGET);
        let capacity = Capacity::of(&report, budget);
        let is_finite = capacity.utilisation.is_finite();
        assert!(is_finite, "{capacity:?}");
        let verdict = verdict(&report).to_string();
        let is_finite = !verdict.contains("NaN") && !verdict.contains("inf ");
        assert!(is_finite, "{verdict}");
    }
}
