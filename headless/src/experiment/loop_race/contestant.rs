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
use timeslicer::frame_loop::FrameLoopEntry;
use timeslicer::frame_loop::knobs::INTERPOLATE;
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::{Promise, STRATEGIES, StrategyEntry};
use timeslicer::time::{ClockTime, Nanos};

/// Span of the machine's time that figures cover.
const MEASURED: Nanos = Nanos::SECOND;
/// Frames closer together than this are merged into one sample, because a loop that never waits makes too many frames
/// to keep.
const MERGED_WITHIN: Nanos = Nanos::from_micros(500);

/// One frame loop on one machine.
pub struct Contestant {
    lane: MeasuredLane<Simulated>,
    samples: VecDeque<Sample>,
    pub(super) flights: Flights,
    busy: Nanos,
    /// Times of disturbances on the machine's clock, oldest first.
    disturbances: VecDeque<ClockTime>,
}

impl Contestant {
    /// Disturbs the lane. Returns a label if that had an effect.
    pub(super) fn disturb(&mut self, disturbance: Disturbance) -> Option<String> {
        let done = self.lane.disturb(disturbance)?;
        self.disturbances.push_back(self.clock());
        Some(done)
    }

    /// Takes over the lasting disturbances of `before`.
    pub(super) fn inherit(&mut self, before: &Self) {
        self.lane.inherit(&before.lane);
    }

    pub(super) fn lane(&self) -> &MeasuredLane<Simulated> {
        &self.lane
    }

    /// Returns the times of disturbances on the machine's clock within the span of [`Contestant::samples`], oldest
    /// first.
    #[must_use]
    pub fn disturbances(&self) -> &VecDeque<ClockTime> {
        &self.disturbances
    }

    /// Creates a contestant whose machine's clock shows `start`.
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

    /// Returns the frames of the last crossing and one more second, oldest first. The last frame may still be in
    /// progress.
    #[must_use]
    pub fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    pub(super) fn clock(&self) -> ClockTime {
        self.lane.machine().clock()
    }

    /// Returns true if pictures are drawn between two updates.
    #[must_use]
    pub fn interpolates(&self) -> bool {
        let settings = self.lane.settings();
        settings.frame_loop.knobs.contains(&INTERPOLATE) && settings.knobs.get(&INTERPOLATE) == 1.0
    }

    /// Returns true if the knob affects the lane.
    pub(super) fn is_concerned_by(&self, knob: &Knob) -> bool {
        self.lane.settings().is_concerned_by(knob)
    }

    /// Makes a frame and samples it.
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
                if sample.start - last.start < MERGED_WITHIN
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

    /// Returns the figures of the last second, or of the last two frames if they take longer than a second; `None`
    /// during the first second.
    #[must_use]
    pub fn stats(&self) -> Option<LoopStats> {
        let earlier = self.samples.len().checked_sub(1)?;
        let last = &self.samples[earlier];
        if last.end.since_start() < MEASURED {
            return None;
        }
        let from = last.end - MEASURED;
        // A speed needs two pictures, so start with the frame in progress at `from` or, if that is the last frame, with
        // the previous one.
        let begun = self.samples.partition_point(|sample| sample.start <= from);
        let first = &self.samples[begun.min(earlier).checked_sub(1)?];
        // In a stall, the frame in progress at `from` may show a much later moment. A speed from there on would leave
        // out the time that the stall cost.
        let from = last.drawn_for - MEASURED;
        let shown = self.samples.partition_point(|it| it.drawn_for <= from);
        let first_picture = &self.samples[shown.clamp(1, begun.min(earlier)) - 1];
        // A loop's first frame is not typical: its delta is zero.
        (first.before.frames > 0)
            .then(|| LoopStats::between(first, last, first_picture, &self.totals()))
    }
}

/// Returns the strategy that runs all tasks in each update, so that an update's cost depends only on the loop; `None`
/// if the registry has none.
fn runs_all_in_each_update() -> Option<&'static StrategyEntry> {
    let mut all = STRATEGIES.iter().copied();
    all.find(|entry| entry.knobs.is_empty() && (entry.make)().promise() == Promise::Updates(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::loop_race::{Race, Side};
    use crate::sim::machine::RENDER_MS;
    use crate::sim::world::ENTITIES;
    use timeslicer::frame_loop::fixed_step;
    use timeslicer::frame_loop::knobs::STEP;

    #[test]
    fn rows_report_recovery_from_a_disturbance() {
        let mut race = Race::new(&KnobValues::default());
        race.advance(Nanos::from_secs(3));
        race.disturb(Disturbance::Stall);
        race.advance(Nanos::SECOND);
        for row in race.rows() {
            let summary = row.summary().to_string();
            let name = Disturbance::Stall.name();
            assert!(summary.starts_with(name), "{summary}");
            for side in Side::BOTH {
                assert_eq!(row.contestant(side).disturbances().len(), 1);
            }
        }
        while race.time() < Nanos::from_secs(15) {
            race.advance(Nanos::from_millis(500));
        }
        for row in race.rows() {
            let summary = row.summary().to_string();
            assert!(!summary.contains(Disturbance::Stall.name()), "{summary}");
            assert!(row.contestant(Side::Fast).disturbances().is_empty());
        }
    }

    /// Returns the crossing and the error of every loop on both machines.
    fn errors(race: &Race) -> Vec<(u64, i64)> {
        let contestants = race.rows().iter().flat_map(|row| &row.contestants);
        let sight = |contestant: &Contestant| contestant.lane().projectile().sight();
        let errors = contestants.map(sight);
        errors
            .map(|sight| (sight.crossing, sight.error_nanos))
            .collect()
    }

    /// A loop that loses time in a stall is never ahead of the same loop without the stall, wherever in a crossing the
    /// stall is.
    #[test]
    fn no_loop_gets_ahead_by_a_stall() {
        const PICTURE: Nanos = Nanos::from_millis(25);
        // Frames begin at other times after the stall, so errors may differ by a frame of the slow machine.
        const FRAME: i64 = 60_000_000;
        let mut race = Race::default();
        let without_stall: Vec<_> = (0..280)
            .map(|_| {
                race.advance(PICTURE);
                errors(&race)
            })
            .collect();
        for stall in (100_usize..180).step_by(2) {
            let mut race = Race::default();
            for picture in 0..stall + 100 {
                race.advance(PICTURE);
                if picture == stall {
                    race.disturb(Disturbance::Stall);
                }
                // During the stall the last picture stays, so compare with the pictures of as long a time.
                let recent = &without_stall[picture.saturating_sub(24)..=picture];
                for (index, (crossing, error)) in errors(&race).into_iter().enumerate() {
                    let same = recent.iter().map(|errors| errors[index]);
                    let same = same.filter(|other| other.0 == crossing);
                    let Some(most) = same.map(|other| other.1).max() else {
                        continue;
                    };
                    let time = race.time();
                    assert!(error <= most + FRAME, "{index}: {error}, {most} at {time}");
                }
            }
        }
    }

    #[test]
    fn pictures_without_interpolation_jump_by_whole_steps() {
        let step = Nanos::from_millis(40);
        for interpolate in [1.0, 0.0] {
            let set = [(&STEP, step.as_millis_f64()), (&INTERPOLATE, interpolate)];
            let mut race = Race::new(&KnobValues::with(&set));
            race.advance(Nanos::from_millis(3_900));
            let mut rows = race.rows().iter();
            let row = rows.find(|row| row.entry == &fixed_step::ENTRY).unwrap();
            let contestant = row.contestant(Side::Fast);
            assert_eq!(contestant.interpolates(), interpolate == 1.0);
            let stats = contestant.stats().unwrap();
            assert!(stats.keeps_real_time(), "{stats:?}");
            let samples: Vec<_> = contestant.samples().iter().collect();
            for pair in samples
                .windows(2)
                .filter(|pair| pair[0].sight.crossing == pair[1].sight.crossing)
            {
                let length = (pair[1].start - pair[0].start).over(CROSSING);
                let [drawn, updated] = [
                    pair[1].sight.drawn - pair[0].sight.drawn,
                    pair[1].updated - pair[0].updated,
                ];
                let jump = if pair[1].updates == 0 {
                    0.0
                } else {
                    step.over(CROSSING)
                };
                assert!((updated - jump).abs() < 1e-6);
                let expected = if interpolate == 1.0 { length } else { jump };
                assert!((drawn - expected).abs() < 1e-6, "{drawn} {expected}");
                let error = pair[1].sight.error_nanos;
                let late = if interpolate == 1.0 {
                    0
                } else {
                    step.as_nanos().cast_signed()
                };
                assert!((-late - 1..=1).contains(&error), "{error}");
            }
        }
    }

    #[test]
    fn restarted_rows_keep_lasting_disturbances() {
        let mut race = Race::new(&KnobValues::default());
        race.advance(Nanos::from_secs(3));
        let entities = race.knob(Side::Fast, &ENTITIES);
        race.disturb(Disturbance::Births);
        race.disturb(Disturbance::SlowDisplay);
        race.set_knob(Side::Fast, &RENDER_MS, 1.0);
        race.advance(Nanos::SECOND);
        for row in race.rows() {
            for side in Side::BOTH {
                let lane = row.contestant(side).lane();
                assert!(lane.has_slow_display() && lane.recovery().is_none());
                assert_eq!(lane.world().tasks().len() as f64, entities + 100.0);
            }
        }
    }
}
