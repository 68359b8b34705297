//! Checks the metrics by recomputing each of them from the individual births, deaths, runs and requests.

mod queue;
mod recorder;

use self::recorder::{Range, Recorder};
use super::{METRICS, MeasuredLane, Report, Subject, Sums, Times};
use crate::catalog::frame_loop::FRAME_LOOPS;
use crate::catalog::strategy::STRATEGIES;
use crate::catalog::strategy::knobs::INTERVAL;
use crate::history::{History, PastFrame, WINDOW, WindowStats};
use crate::sim::disturbance::Disturbance;
use crate::sim::lane::{FrameRecord, Lane, Observer};
use crate::sim::machine::{Machine, Simulated};
use crate::sim::world::{CHURN, COST, ENTITIES, FALLOFF, NEAR, Point, REQUESTS, Ring};
use crate::testing::settings;
use proptest::prelude::*;
use std::collections::BTreeMap;
use timeslicer::frame_loop::Pace;
use timeslicer::time::{ClockTime, Nanos};

/// A simulated machine on which the tasks of a frame can take only a limited time.
struct Limited {
    machine: Simulated,
    left: Nanos,
}

impl Machine for Limited {
    fn stall(&mut self, time: Nanos) {
        self.machine.stall(time);
    }
    fn slow_display(&mut self, hz: Option<f64>) {
        self.machine.slow_display(hz);
    }
    fn clock(&self) -> ClockTime {
        self.machine.clock()
    }
    fn has_time_for(&self, cost: impl FnOnce() -> Nanos) -> bool {
        cost() <= self.left
    }
    fn work(&mut self, cost: Nanos) -> Nanos {
        self.left -= cost;
        self.machine.work(cost)
    }
    fn render(&mut self) {
        self.machine.render();
    }
    fn wait(&mut self, frame_start: ClockTime, pace: Pace) {
        self.machine.wait(frame_start, pace);
    }
}

/// Returns a statistic of some durations, such as their mean, in milliseconds. `None` if there are no durations.
fn ms(times: Times, statistic: fn(&Times) -> Nanos) -> Option<f64> {
    (times.count > 0).then(|| statistic(&times).as_millis_f64())
}

/// Returns the mean of the longest 1 % of some durations, in milliseconds.
fn slowest(mut times: Vec<Nanos>) -> Option<f64> {
    times.sort_unstable();
    let faster = times.len() - times.len().div_ceil(100);
    ms(Times::of(&times[faster..]), |it| it.mean)
}

impl Range<'_> {
    /// Computes the metrics, except those that follow from the settings or from other metrics.
    #[rustfmt::skip] // a table
    fn metrics(&self, of: &Subject) -> BTreeMap<&'static str, Option<f64>> {
        let count = self.frames.len() as f64;
        let some = |value: f64| (count > 0.0).then_some(value);
        let sum = |part: fn(&FrameRecord) -> Nanos| self.records().map(part).map(Nanos::as_millis_f64).sum::<f64>();
        let mean = |part| some(sum(part) / count);
        let all_lengths: Vec<Nanos> = self.records().map(FrameRecord::own_length).collect();
        let lengths = Times::of(&all_lengths);
        let most_tasks = self.records().map(|it| it.task_time).max().map(Nanos::as_millis_f64);
        let hitches = self.frames().filter(|it| it.record.own_length().as_nanos() > it.target.as_nanos() * 3 / 2).count() as f64;
        let runs: f64 = self.records().map(|it| f64::from(it.runs)).sum();
        let peak = self.records().map(|it| f64::from(it.runs)).fold(0.0, f64::max);
        let whole = self.ended().filter(|it| it.ends_with_run && !it.is_first && it.start >= self.since);
        let intervals = Times::of(&whole.map(|it| it.end - it.start).collect::<Vec<_>>());
        let requests = self.ended().filter_map(|it| Some(it.end - it.requested_at.filter(|&time| time >= self.since)?));
        let waits = Times::of(&requests.collect::<Vec<_>>());
        let overruns = Times::of(&self.frames().flat_map(|it| it.overruns.clone()).collect::<Vec<_>>());
        let updates = self.records().map(|it| f64::from(it.updates)).sum::<f64>();
        let with = |from, to| self.records().filter(|it| (from..=to).contains(&it.updates)).count() as f64;
        let [all, weighted, near, _, _] = self.integrals();
        let entities = some(self.all.open.len() as f64).filter(|&living| living > 0.0);
        BTreeMap::from([
            ("span_s", Some(sum(|it| it.length) / 1e3)),
            ("frames", Some(count)),
            ("updates", Some(updates)),
            ("tasks", Some(runs)),
            ("frame_ms.mean", ms(lengths, |it| it.mean)),
            ("frame_ms.p50", ms(lengths, |it| it.p50)),
            ("frame_ms.p95", ms(lengths, |it| it.p95)),
            ("frame_ms.p99", ms(lengths, |it| it.p99)),
            ("frame_ms.max", ms(lengths, |it| it.max)),
            ("frames_by_updates.none", some(with(0, 0))),
            ("frames_by_updates.one", some(with(1, 1))),
            ("frames_by_updates.more", some(with(2, u32::MAX))),
            ("fps", some(1e3 * count / sum(|it| it.length)).map(|fps| if fps.is_finite() { fps } else { 0.0 })),
            ("fps_1_percent_low", slowest(all_lengths).map(|slowest| if slowest > 0.0 { 1e3 / slowest } else { 0.0 })),
            ("hitches", some(hitches)),
            ("hitch_percent", some(100.0 * hitches / count)),
            ("tasks_per_frame.mean", some(runs / count)),
            ("tasks_per_frame.peak", some(peak)),
            ("tasks_per_frame.peak_over_mean", some(peak / (runs / count)).filter(|_| runs > 0.0)),
            ("interval_ms.mean", ms(intervals, |it| it.mean)),
            ("interval_ms.deviation", ms(intervals, |it| it.deviation)),
            ("interval_ms.max", ms(intervals, |it| it.max)),
            ("staleness_ms.mean", all.mean()),
            ("staleness_ms.near", near.mean()),
            ("staleness_ms.weighted_mean", weighted.mean()),
            ("staleness_ms.weighted_worst", entities.map(|_| self.worst_weighted().as_millis_f64())),
            ("staleness_ms.worst", entities.map(|_| self.worst_staleness().as_millis_f64())),
            ("staleness_worst_over_mean", all.mean().filter(|mean| *mean > 0.0).map(|mean| self.worst_staleness().as_millis_f64() / mean).filter(|ratio| *ratio >= 1.0)),
            ("request_wait_ms.mean", ms(waits, |it| it.mean)),
            ("request_wait_ms.p99", ms(waits, |it| it.p99)),
            ("request_wait_ms.max", ms(waits, |it| it.max)),
            ("backlog.now", self.records().last().map(|it| it.backlog as f64)),
            ("backlog.peak", self.records().map(|it| it.backlog as f64).reduce(f64::max)),
            ("overrun_ms.count", of.budget.map(|_| overruns.count as f64)),
            ("overrun_percent", of.budget.filter(|_| updates > 0.0).map(|_| 100.0 * overruns.count as f64 / updates)),
            ("overrun_ms.mean", of.budget.and(ms(overruns, |it| it.mean))),
            ("overrun_ms.worst", of.budget.and(ms(overruns, |it| it.max))),
            ("per_frame_ms.tasks", mean(|it| it.task_time)),
            ("per_frame_ms.tasks_max", most_tasks),
            ("per_frame_ms.scheduling", mean(|it| it.scheduling)),
            ("per_frame_ms.drawing", mean(|it| it.drawing)),
            ("per_frame_ms.waiting", mean(|it| it.waiting)),
            ("debt_dropped_ms", Some(sum(|it| it.debt_dropped))),
        ])
    }

    /// Asserts that `report` has these metrics. Quantiles must match to a thousandth and a microsecond, all other
    /// metrics to a nanosecond.
    fn check(&self, report: &Report) {
        /// Metrics that follow from the settings or from other metrics, or that were not measured.
        const OTHERS: [&str; 6] = [
            "entities",
            "staleness_ms.weighted_mean_bound",
            "times_minimum",
            "looking_wrong_percent.mean",
            "budget_ms",
            "utilisation",
        ];
        let expected = self.metrics(&report.subject);
        for metric in METRICS {
            let Some(&expected) = expected.get(metric.key) else {
                assert!(OTHERS.contains(&metric.key), "{}", metric.key);
                continue;
            };
            let is_quantile = metric.key.contains("p9") || metric.key.contains("p5");
            let is_rounded = is_quantile || metric.key == "fps_1_percent_low";
            let leeway = if is_rounded { 1e-3 } else { 1e-6 };
            assert_close(metric.key, (metric.value)(report), expected, leeway);
        }
        let by_ring = self.integrals().into_iter().skip(2);
        for (ring, expected) in Ring::ALL.into_iter().zip(by_ring) {
            let mean = report.staleness.mean_in(ring).map(Nanos::as_millis_f64);
            assert_close("staleness by ring", mean, expected.mean(), 1e-6);
            let interval = report.staleness.interval_in(ring).map(Nanos::as_millis_f64);
            assert_close("interval by ring", interval, expected.interval(), 1e-6);
        }
    }
}

fn assert_close(what: &str, value: Option<f64>, expected: Option<f64>, leeway: f64) {
    let is_close = match (value, expected) {
        (Some(value), Some(expected)) => {
            (value - expected).abs() <= leeway * (expected.abs() + 4.0)
        }
        (value, expected) => value == expected,
    };
    assert!(is_close, "{what}: {value:?}, but {expected:?} expected");
}

/// Makes one of several changes to a lane. Some values of `act` have no effect.
fn act<O: Observer>(lane: &mut Lane<Limited, O>, act: usize, number: u64) {
    let point = Some(Point { x: 0.25, y: 0.125 });
    match act {
        0 => lane.set_strategy(STRATEGIES[number as usize % STRATEGIES.len()]),
        1 => lane.set_knob(&ENTITIES, number as f64),
        2 => lane.set_knob(&INTERVAL, number as f64 / 100.0),
        3 => lane.set_knob(&CHURN, number as f64),
        4 => drop(lane.disturb(Disturbance::ALL[number as usize % Disturbance::ALL.len()])),
        5 => lane.pin_target(point.filter(|_| number < 50)),
        6 => lane.set_knob(&NEAR, number as f64 / 200.0),
        _ => {}
    }
    let left = if number < 30 { 400 } else { 1_000_000 };
    lane.machine_mut().left = Nanos::from_micros(left);
}

/// Metrics that depend on the current entities, so they cannot be calculated for a past frame.
const NOT_OF_THE_PAST: [&str; 3] = [
    "staleness_ms.weighted_mean_bound",
    "staleness_ms.weighted_worst",
    "times_minimum",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn figures_of_any_range_equal_those_of_single_events(
        strategy in 0..STRATEGIES.len(),
        frame_loop in 0..FRAME_LOOPS.len(),
        entities in 0_u32..80,
        churn in 0.0_f64..300.0,
        falloff in 0_u32..5,
        acts in prop::collection::vec((0_usize..60, 0_u64..100), 10..150),
        ends in prop::array::uniform2(0_usize..150),
        interrupted in 0_usize..200,
        looked_at in 0_usize..150,
    ) {
        let set = [
            (&ENTITIES, f64::from(entities)),
            (&CHURN, churn),
            (&COST, 50.0),
            (&REQUESTS, 5.0),
            (&FALLOFF, f64::from(falloff)),
        ];
        let settings = settings(STRATEGIES[strategy].key, FRAME_LOOPS[frame_loop].key, &set);
        let machine = || Limited { machine: Simulated::default(), left: Nanos::ZERO };
        let mut lane: MeasuredLane<Limited> = MeasuredLane::new(settings.clone(), machine());
        let mut twin: Lane<Limited, Recorder> = Lane::new(settings.clone(), machine());
        let mut history = History::default();
        let mut then = None;
        for (number, &(kind, value)) in acts.iter().enumerate() {
            act(&mut lane, kind, value);
            act(&mut twin, kind, value);
            let updated = (lane.begin_frame(), twin.begin_frame());
            let mut past = PastFrame::of(&lane);
            if kind == 7 {
                act(&mut lane, 3, value); // while the frame is drawn
                act(&mut twin, 3, value);
            }
            let drawn = (lane.drawn(updated.0), twin.drawn(updated.1));
            let waited = (lane.wait(drawn.0), twin.wait(drawn.1));
            past.record = lane.finish(waited.0).clone();
            twin.finish(waited.1);
            if number == interrupted {
                past.outside = Nanos::SECOND;
            }
            history.push(past);
            if number == looked_at && kind != 7 {
                then = Some(WindowStats::of(&lane, &history, None));
            }
        }
        let all = twin.observer();
        let [restarted, counted] = all.first;
        let range = |frames: std::ops::Range<usize>, since, until_now| Range { all, frames, since, until_now };

        let is_counted = all.warm_until.is_none();
        let whole = if is_counted { counted..all.frames.len() } else { 0..0 };
        range(whole, all.counted_from, is_counted).check(&lane.report());

        // If a reset came in the middle of a frame, this frame differs: the history keeps the events before the reset.
        let from = history.frames().iter().position(|past| past.sums.restarts == lane.observer().frame.restarts);
        let from = from.unwrap_or(all.frames.len());
        prop_assert!(from == restarted || from == restarted + 1);
        let window = WindowStats::of(&lane, &history, None);
        let mut measured = Nanos::ZERO;
        let mut last = all.frames.len()..all.frames.len();
        while last.start > from && measured < WINDOW && !history.frames()[last.start - 1].is_interrupted() {
            last.start -= 1;
            measured += all.frames[last.start].record.length;
        }
        let is_known = !last.is_empty();
        range(last, all.restarted_at, is_known).check(&window.report);

        if let Some(then) = then {
            let now = WindowStats::of(&lane, &history, Some(&history.frames()[looked_at]));
            prop_assert_eq!((now.report.frames, now.stalest), (then.report.frames, then.stalest));
            for metric in METRICS.iter().filter(|it| !NOT_OF_THE_PAST.contains(&it.key)) {
                let [now, then] = [&now, &then].map(|stats| (metric.value)(&stats.report));
                prop_assert_eq!(now, then, "{}", metric.key);
            }
        }

        let part = ends[0].max(from)..(ends[1] + 1).min(all.frames.len());
        let mut sums = Sums::since(all.restarted_at);
        for past in part.clone().map(|index| &history.frames()[index]) {
            sums.add(&past.record, past.period(), &past.sums);
        }
        let report = Report::new(Subject::of(&lane), &sums);
        range(part, all.restarted_at, false).check(&report);
    }
}
