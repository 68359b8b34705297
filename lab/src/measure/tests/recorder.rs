//! Records the events of a lane independently, so that tests can recompute what the code measures.

use crate::measure::fixed_weight::FixedWeight;
use crate::measure::thresholds::WARM_UP;
use crate::sim::lane::{FrameRecord, Observer, Run};
use crate::sim::world::{Crowd, Weights, World};
use std::collections::BTreeMap;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// An interval between a birth or run and the next run or death of the same entity.
#[derive(Clone)]
pub(crate) struct Interval {
    pub task: TaskId,
    pub start: GameTime,
    /// When the interval ended, or the current time if it has not ended yet.
    pub end: GameTime,
    /// The entity's weights at the start and at the end of the interval.
    pub weights: [FixedWeight; 2],
    pub frame: Option<usize>,
    pub is_first: bool,
    pub ends_with_run: bool,
    pub requested_at: Option<GameTime>,
}

#[derive(Default)]
pub(crate) struct Frame {
    pub record: FrameRecord,
    pub target: Nanos,
    pub began: GameTime,
    pub ended: GameTime,
    pub overruns: Vec<Nanos>,
    /// The weighted staleness of the stalest entity after the updates.
    pub stalest: Option<(FixedWeight, Nanos)>,
}

#[derive(Default)]
pub(crate) struct Recorder {
    pub now: GameTime,
    pub restarted_at: GameTime,
    /// The same game time as `restarted_at`, or the end of the warm-up after it.
    pub counted_from: GameTime,
    pub warm_until: Option<ClockTime>,
    pub requests: BTreeMap<TaskId, GameTime>,
    pub open: BTreeMap<TaskId, Interval>,
    pub ended: Vec<Interval>,
    pub frames: Vec<Frame>,
    pub is_in_frame: bool,
    /// The indices of the first frame after the last reset and of the first frame after the warm-up.
    pub first: [usize; 2],
}

impl Recorder {
    fn clear(&mut self) {
        self.restarted_at = self.now;
        self.first[0] = self.frames.len();
        if self.is_in_frame {
            // The current frame is included, but what has happened in it so far is discarded.
            self.first[0] -= 1;
            let index = self.frames.len() - 1;
            self.frames[index] = Frame {
                began: self.now,
                ended: self.now,
                ..Frame::default()
            };
            for interval in &mut self.ended {
                interval.frame = interval.frame.filter(|&frame| frame != index);
            }
        }
        self.count_from_now();
    }

    fn count_from_now(&mut self) {
        self.counted_from = self.now;
        self.first[1] = self.first[0].max(self.frames.len() - usize::from(self.is_in_frame));
        self.warm_until = None;
    }

    fn begin(&mut self, task: TaskId, weight: FixedWeight, is_first: bool) {
        let interval = Interval {
            task,
            start: self.now,
            end: self.now,
            weights: [weight; 2],
            frame: None,
            is_first,
            ends_with_run: false,
            requested_at: None,
        };
        self.open.insert(task, interval);
    }

    fn end(&mut self, task: TaskId, weight: FixedWeight, ends_with_run: bool) {
        let mut interval = self.open.remove(&task).expect("an interval");
        interval.requested_at = self.requests.remove(&task);
        interval.end = self.now;
        interval.weights[1] = weight;
        interval.frame = self.is_in_frame.then(|| self.frames.len() - 1);
        interval.ends_with_run = ends_with_run;
        self.ended.push(interval);
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame")
    }
}

impl Observer for Recorder {
    fn born(&mut self, task: TaskId, weights: &Weights) {
        self.begin(task, FixedWeight::of(weights, task.index), true);
    }

    fn died(&mut self, task: TaskId, _staleness: Nanos, weights: &Weights) {
        self.end(task, FixedWeight::of(weights, task.index), false);
    }

    fn reweighed(&mut self, _tasks: &Tasks, weights: &Weights, _now: GameTime) {
        for interval in self.open.values_mut() {
            interval.weights = [FixedWeight::of(weights, interval.task.index); 2];
        }
    }

    fn requested(&mut self, task: TaskId, requested_at: GameTime) {
        self.requests.entry(task).or_insert(requested_at);
    }

    fn frame_began(&mut self, clock: ClockTime, _now: GameTime) {
        if self.warm_until.is_some_and(|until| clock >= until) {
            self.count_from_now();
        }
        self.is_in_frame = true;
        self.frames.push(Frame {
            began: self.now,
            ended: self.now,
            ..Frame::default()
        });
    }

    fn time_advanced(&mut self, delta: Nanos) {
        self.now += delta;
    }

    fn ran(&mut self, runs: &[Run], _crowd: &Crowd, weights: &Weights) {
        for run in runs {
            let weight = FixedWeight::of(weights, run.task.index);
            self.end(run.task, weight, true);
            self.begin(run.task, weight, false);
        }
    }

    fn update_ended(&mut self, task_time: Nanos, budget: Nanos, _is_clock_exact: bool) {
        let overrun = task_time.saturating_sub(budget);
        if !overrun.is_zero() {
            self.frame().overruns.push(overrun);
        }
    }

    fn updates_ended(&mut self, stalest: Option<(TaskId, Nanos)>, _: &World, _speed: f64) {
        let stalest = stalest.map(|(task, stale)| (self.open[&task].weights[0], stale));
        let now = self.now;
        let frame = self.frame();
        (frame.stalest, frame.ended) = (stalest, now);
    }

    fn frame_ended(&mut self, record: &FrameRecord, target: Nanos) {
        let frame = self.frame();
        frame.record = record.clone();
        frame.target = target;
        self.is_in_frame = false;
    }

    fn strategy_switched(&mut self) {
        self.requests.clear();
    }

    fn changed(&mut self, clock: ClockTime, _now: GameTime) {
        self.clear();
        self.warm_until = Some(clock + WARM_UP);
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Integral {
    pub stale: f64,
    /// The integral of the living entities' weights over time.
    pub lived: f64,
    pub runs: u64,
}

impl Integral {
    fn add(&mut self, area: Self, weight: f64) {
        self.stale += weight * area.stale;
        self.lived += weight * area.lived;
    }

    pub fn mean(self) -> Option<f64> {
        (self.lived > 0.0).then(|| self.stale / self.lived)
    }

    pub fn interval(self) -> Option<f64> {
        (self.runs > 0).then(|| self.lived / self.runs as f64)
    }
}

pub(crate) struct Range<'a> {
    pub all: &'a Recorder,
    pub frames: std::ops::Range<usize>,
    /// The game time from which waiting counts.
    pub since: GameTime,
    /// Whether entities that are still waiting count, too.
    pub until_now: bool,
}

impl Range<'_> {
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.frames.clone().map(|index| &self.all.frames[index])
    }

    pub fn records(&self) -> impl Iterator<Item = &FrameRecord> {
        self.frames().map(|frame| &frame.record)
    }

    fn is_within(&self, interval: &Interval) -> bool {
        interval.frame.is_some_and(|it| self.frames.contains(&it))
    }

    pub fn ended(&self) -> impl Iterator<Item = &Interval> {
        self.all.ended.iter().filter(|it| self.is_within(it))
    }

    /// Returns the part at the end of an interval that counts as waiting.
    fn waited(&self, interval: &Interval) -> Nanos {
        (interval.end - interval.start).min(interval.end - self.since)
    }

    /// Returns the intervals of entities that are still waiting, if these count.
    fn waiting(&self) -> impl Iterator<Item = Interval> {
        let open = self.all.open.values().filter(|_| self.until_now);
        open.map(|interval| Interval {
            end: self.all.now,
            ..interval.clone()
        })
    }

    /// Returns the integrals of staleness over these frames, for all entities, weighted, and in each ring.
    pub fn integrals(&self) -> [Integral; 5] {
        let open = self.all.open.values().map(|interval| Interval {
            end: self.all.now,
            ..interval.clone()
        });
        let mut integrals = [Integral::default(); 5];
        for interval in self.all.ended.iter().cloned().chain(open) {
            let mut area = Integral::default();
            for frame in self.frames() {
                let from = interval.start.max(frame.began);
                let to = interval.end.min(frame.ended);
                if from < to {
                    let [young, old] =
                        [from, to].map(|time| (time - interval.start).as_millis_f64());
                    area.stale += (old * old - young * young) / 2.0;
                    area.lived += old - young;
                }
            }
            let weight = interval.weights[usize::from(self.is_within(&interval))];
            integrals[0].add(area, 1.0);
            integrals[1].add(area, weight.weight());
            integrals[2 + weight.ring()].add(area, 1.0);
        }
        for run in self.ended().filter(|it| it.ends_with_run) {
            integrals[2 + run.weights[1].ring()].runs += 1;
        }
        integrals
    }

    pub fn worst_staleness(&self) -> Nanos {
        let stalest = self.frames().filter_map(|frame| {
            let (_, stale) = frame.stalest?;
            Some(stale.min(frame.ended - self.since))
        });
        let ended = self.ended().map(|it| self.waited(it));
        stalest.chain(ended).max().unwrap_or_default()
    }

    pub fn worst_weighted(&self) -> Nanos {
        let stalest = self.frames().filter_map(|frame| {
            let (weight, stale) = frame.stalest?;
            Some(weight.times(stale.min(frame.ended - self.since)))
        });
        let ended = self.ended().map(|it| it.weights[1].times(self.waited(it)));
        let waiting = self
            .waiting()
            .map(|it| it.weights[0].times(self.waited(&it)));
        stalest
            .chain(ended)
            .chain(waiting)
            .max()
            .unwrap_or_default()
    }
}
