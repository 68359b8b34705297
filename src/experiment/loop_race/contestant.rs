//! One frame loop on one machine, and its last frames.

use super::flight_ends::Flights;
use super::loop_stats::LoopStats;
use super::sample::{RunningTotals, Sample};
use crate::sim::disturbance::Disturbance;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::projectile::CROSSING;
use crate::sim::settings::Settings;
use crate::stats::MeasuredLane;
use std::collections::VecDeque;
use timeslice::frame_loop::FrameLoopEntry;
use timeslice::knob::{Knob, KnobValues};
use timeslice::strategy::{Promise, STRATEGIES, StrategyEntry};
use timeslice::time::{ClockTime, Nanos};

/// The machine's time that figures cover.
const MEASURED: Nanos = Nanos::SECOND;
/// Frames closer together than this are one sample: a loop that never waits makes many.
const APART: Nanos = Nanos::from_micros(500);

/// One loop on one machine.
pub struct Contestant {
    lane: MeasuredLane<Simulated>,
    samples: VecDeque<Sample>,
    pub(super) flights: Flights,
    busy: Nanos,
    /// When it was disturbed, on the machine's clock, oldest first.
    disturbances: VecDeque<ClockTime>,
}

impl Contestant {
    /// Disturbs the lane. Returns a description if that had an effect.
    pub(super) fn disturb(&mut self, disturbance: Disturbance) -> Option<String> {
        let done = self.lane.disturb(disturbance)?;
        self.disturbances.push_back(self.clock());
        Some(done)
    }

    /// Takes over the lasting disturbances of `before`.
    pub(super) fn inherit(&mut self, before: &Self) {
        self.lane.inherit(&before.lane);
    }

    /// The lane itself.
    pub(super) fn lane(&self) -> &MeasuredLane<Simulated> {
        &self.lane
    }

    /// When it was disturbed, on the machine's clock, within the time of [`Contestant::samples`], oldest first.
    #[must_use]
    pub fn disturbances(&self) -> &VecDeque<ClockTime> {
        &self.disturbances
    }

    /// Starts when its machine's clock shows `start`.
    pub(super) fn new(
        entry: &'static FrameLoopEntry,
        knobs: &KnobValues,
        start: ClockTime,
    ) -> Self {
        let default = Settings::default();
        let settings = Settings {
            strategy: runs_all_in_each_update().unwrap_or(default.strategy),
            frame_loop: entry,
            knobs: knobs.clone(),
            ..default
        };
        let mut machine = Simulated::new(knobs);
        machine.wait_until(start);
        let mut lane = MeasuredLane::new(settings, machine);
        lane.list_runs(0);
        Self {
            lane,
            samples: VecDeque::new(),
            flights: Flights::default(),
            busy: Nanos::ZERO,
            disturbances: VecDeque::new(),
        }
    }

    /// The frames of the last crossing and a second, oldest first; the last may still be under way.
    #[must_use]
    pub fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    /// The time of its machine's clock.
    pub(super) fn clock(&self) -> ClockTime {
        self.lane.machine().clock()
    }

    /// Whether the knob concerns it.
    pub(super) fn is_concerned_by(&self, knob: &Knob) -> bool {
        self.lane.settings().is_concerned_by(knob)
    }

    /// Makes a frame.
    pub(super) fn frame(&mut self) {
        let before = self.totals();
        let record = self.lane.frame().clone();
        self.busy += record.length - record.waiting;
        let sight = self.lane.projectile().sight();
        let ahead = record.alpha * record.step.over(CROSSING);
        let sample = Sample {
            start: record.start,
            end: record.start + record.length,
            updates: record.updates,
            step: record.step,
            updated: sight.drawn - ahead,
            sight,
            drawn_for: self.lane.drawn_for(),
            shown: self.lane.now().since_start().as_nanos() as f64
                + record.alpha * record.step.as_nanos() as f64,
            before,
        };
        match self.samples.back_mut() {
            Some(last)
                if sample.start - last.start < APART
                    && sample.sight.crossing == last.sight.crossing =>
            {
                *last = Sample {
                    start: last.start,
                    updates: last.updates + sample.updates,
                    before: last.before,
                    ..sample
                };
            }
            _ => self.samples.push_back(sample),
        }
        let oldest = sample.start - (CROSSING + MEASURED);
        while self.samples.front().is_some_and(|old| old.end < oldest) {
            self.samples.pop_front();
        }
        while self.disturbances.front().is_some_and(|&old| old < oldest) {
            self.disturbances.pop_front();
        }
        if let Some(flight) = self.lane.body().last_flight() {
            self.flights.note(flight);
        }
    }

    fn totals(&self) -> RunningTotals {
        let figures = self.lane.totals();
        RunningTotals {
            frames: figures.frames(),
            updates: figures.updates(),
            game: self.lane.now(),
            busy: self.busy,
            dropped: figures.debt_dropped(),
        }
    }

    /// The figures of the last second, or of its last two frames if these are longer; `None` before that much time.
    #[must_use]
    pub fn stats(&self) -> Option<LoopStats> {
        let earlier = self.samples.len().checked_sub(1)?;
        let last = &self.samples[earlier];
        if last.end.since_start() < MEASURED {
            return None;
        }
        let from = last.end - MEASURED;
        // A speed takes two pictures: start with the frame at `from`, or with the one before it.
        let begun = self.samples.partition_point(|sample| sample.start <= from);
        let first = &self.samples[begun.min(earlier).checked_sub(1)?];
        // A loop's first frame is not typical: its delta is zero.
        (first.before.frames > 0).then(|| LoopStats::between(first, last, &self.totals()))
    }
}

/// The strategy that runs all tasks in each update, whatever knobs say: then an update's cost depends on nothing but the
/// loop. `None` if the registry has none.
fn runs_all_in_each_update() -> Option<&'static StrategyEntry> {
    let mut all = STRATEGIES.iter().copied();
    all.find(|entry| entry.knobs.is_empty() && (entry.make)().promise() == Promise::Updates(1))
}
