//! One frame loop on one machine: its last frames, and figures of the last second.

use crate::sim::disturbance::Disturbance;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::projectile::{CROSSING, Flight, Motion, Sight};
use crate::sim::settings::Settings;
use crate::stats::MeasuredLane;
use crate::stats::thresholds::SAME_SPEED;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use timeslicer::frame_loop::FrameLoopEntry;
use timeslicer::frame_loop::knobs::INTERPOLATE;
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::{Promise, STRATEGIES, StrategyEntry};
use timeslicer::time::{ClockTime, GameTime, Nanos};

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
    /// True if the lane was disturbed since the last frame.
    is_disturbed: bool,
}

/// A frame, or several in quick succession.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub start: ClockTime,
    pub end: ClockTime,
    pub updates: u32,
    /// Game time of one update.
    pub step: Nanos,
    /// Projectile as it was drawn.
    pub sight: Sight,
    /// Projectile's position after the last update, on the scale of [`Sight::drawn`].
    pub updated: f64,
    /// True if the lane was disturbed just before the frame.
    pub is_disturbed: bool,
    /// Moment of the machine's clock that the last frame's picture shows.
    drawn_for: ClockTime,
    /// Game time that the last frame's picture shows, in nanoseconds.
    shown: f64,
    /// Totals before the frame.
    before: Totals,
}

#[derive(Clone, Copy, Debug)]
struct Totals {
    frames: u64,
    updates: u64,
    game: GameTime,
    busy: Nanos,
    dropped: Nanos,
}

impl Contestant {
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
            is_disturbed: false,
        }
    }

    /// Disturbs the lane. Returns a label if that had an effect.
    pub(super) fn disturb(&mut self, disturbance: Disturbance) -> Option<String> {
        let done = self.lane.disturb(disturbance)?;
        self.is_disturbed = true;
        Some(done)
    }

    /// Takes over the lasting disturbances of `before`.
    pub(super) fn inherit(&mut self, before: &Self) {
        self.lane.inherit(&before.lane);
    }

    pub(super) fn lane(&self) -> &MeasuredLane<Simulated> {
        &self.lane
    }

    pub(super) fn clock(&self) -> ClockTime {
        self.lane.machine().clock()
    }

    /// Returns the frames of the last crossing and one more second, oldest first. The last frame may still be in
    /// progress.
    pub fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    /// Returns true if pictures are drawn between two updates.
    pub fn interpolates(&self) -> bool {
        let settings = self.lane.settings();
        settings.frame_loop.knobs.contains(&INTERPOLATE) && settings.knobs.get(&INTERPOLATE) == 1.0
    }

    pub(super) fn frame(&mut self) {
        let before = self.totals();
        let record = self.lane.frame().clone();
        self.busy += record.length - record.waiting;
        let sight = self.lane.projectile().sight();
        let ahead = record.alpha * record.step.as_nanos() as f64;
        let mut sample = Sample {
            start: record.start,
            end: record.start + record.length,
            updates: record.updates,
            step: record.step,
            updated: sight.drawn - record.alpha * record.step.over(CROSSING),
            sight,
            is_disturbed: std::mem::take(&mut self.is_disturbed),
            drawn_for: self.lane.drawn_for(),
            shown: self.lane.now().since_start().as_nanos() as f64 + ahead,
            before,
        };
        if let Some(last) = self.samples.back_mut()
            && sample.start - last.start < MERGED_WITHIN
            && sample.sight.crossing == last.sight.crossing
        {
            sample.start = last.start;
            sample.updates += last.updates;
            sample.is_disturbed |= last.is_disturbed;
            sample.before = last.before;
            *last = sample;
        } else {
            self.samples.push_back(sample);
        }
        let oldest = record.start - (CROSSING + MEASURED);
        while self.samples.front().is_some_and(|old| old.end < oldest) {
            self.samples.pop_front();
        }
        if let Some(flight) = self.lane.body().last_flight() {
            self.flights.note(flight);
        }
    }

    fn totals(&self) -> Totals {
        let figures = self.lane.totals();
        Totals {
            frames: figures.frames,
            updates: figures.updates,
            game: self.lane.now(),
            busy: self.busy,
            dropped: figures.debt_dropped,
        }
    }

    /// Returns the figures of the last second, or of the last two frames if they take longer than a second; `None`
    /// during the first second.
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
        if first.before.frames == 0 {
            return None; // A loop's first frame is not typical: its delta is zero.
        }
        // In a stall, the frame in progress at `from` may show a much later moment. A speed from there on would leave
        // out the time that the stall cost.
        let from = last.drawn_for - MEASURED;
        let shown = self.samples.partition_point(|it| it.drawn_for <= from);
        let first_picture = &self.samples[shown.clamp(1, begun.min(earlier)) - 1];

        let (before, after) = (&first.before, self.totals());
        let span = (last.end - first.start).as_secs_f64();
        let frames = (after.frames - before.frames) as f64;
        let updates = (after.updates - before.updates) as f64;
        let game = after.game - before.game;
        let passed = last.drawn_for - first_picture.drawn_for;
        Some(LoopStats {
            error_nanos: last.sight.error_nanos,
            step: if updates > 0.0 {
                Nanos::from_nanos_f64(game.as_nanos() as f64 / updates)
            } else {
                last.step
            },
            updates: updates / frames,
            fps: frames / span,
            speed: (last.shown - first_picture.shown) / passed.as_nanos() as f64,
            busy: (after.busy - before.busy).as_secs_f64() / span,
            dropped: (after.dropped - before.dropped).as_secs_f64() / span,
        })
    }

    pub(super) fn is_concerned_by(&self, knob: &Knob) -> bool {
        self.lane.settings().is_concerned_by(knob)
    }
}

/// Returns the strategy that runs all tasks in each update, so that an update's cost depends only on the loop; `None`
/// if the registry has none.
fn runs_all_in_each_update() -> Option<&'static StrategyEntry> {
    let mut all = STRATEGIES.iter().copied();
    all.find(|entry| entry.knobs.is_empty() && (entry.make)().promise() == Promise::Updates(1))
}

/// Figures of a loop on one machine in the last second, or in the last two frames if they take longer than a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopStats {
    /// Error of the picture against real time, in nanoseconds: positive if the picture is ahead.
    pub error_nanos: i64,
    /// Mean game time of an update.
    pub step: Nanos,
    /// Mean number of updates per frame.
    pub updates: f64,
    pub fps: f64,
    /// Game time that passes in the pictures, divided by the machine's time.
    pub speed: f64,
    /// Share of the machine's time that it did not spend waiting.
    pub busy: f64,
    /// Dropped debt, divided by the machine's time.
    pub dropped: f64,
}

impl LoopStats {
    /// Returns true if game time advances as fast as the machine's time.
    pub fn keeps_real_time(&self) -> bool {
        (self.speed - 1.0).abs() <= SAME_SPEED
    }

    /// Returns true if both games are equally fast, in real time or not.
    pub fn is_as_fast_as(&self, other: &Self) -> bool {
        let (slower, faster) = (self.speed.min(other.speed), self.speed.max(other.speed));
        self.keeps_real_time() && other.keeps_real_time() || faster <= slower * (1.0 + SAME_SPEED)
    }

    /// Returns true if the steps are equal. A difference of one nanosecond is ignored, because steps such as
    /// 1/144 s are rounded to whole nanoseconds.
    pub fn has_the_steps_of(&self, other: &Self) -> bool {
        self.step.as_nanos().abs_diff(other.step.as_nanos()) <= 1
    }

    pub(super) fn to_json(self) -> Value {
        json!({
            "error_ms": self.error_nanos as f64 / 1e6,
            "step_ms": self.step.as_millis_f64(),
            "updates_per_frame": self.updates,
            "fps": self.fps,
            "speed": self.speed,
            "busy_share": self.busy,
            "dropped_share": self.dropped,
        })
    }
}

/// Maximum number of stored flights. While as many are stored, later ones are not compared.
const MOST_FLIGHTS: usize = 65_536;

/// Comparison of the last flight that both machines have completed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightEnds {
    pub flight: u64,
    pub identical: bool,
    /// Distance between both ends, in metres.
    pub apart: f64,
}

impl FlightEnds {
    pub(super) fn to_json(self) -> Value {
        json!({
            "flight": self.flight,
            "identical": self.identical,
            "apart_m": self.apart,
        })
    }
}

/// Ends of one machine's flights, by number, from the last one that the other machine has completed, too.
#[derive(Default)]
pub(super) struct Flights(BTreeMap<u64, Motion>);

impl Flights {
    /// Adds the last completed flight.
    pub(super) fn note(&mut self, flight: &Flight) {
        if self.0.len() < MOST_FLIGHTS {
            self.0.insert(flight.number, flight.end);
        }
    }

    /// Compares the last flight that both machines have completed, and forgets earlier ones. Returns `None` if there is
    /// no flight to compare.
    pub(super) fn compare(fast: &mut Self, slow: &mut Self) -> Option<FlightEnds> {
        // A frame that completes several flights adds only the last of them, so numbers may be missing.
        let (last, _) = fast.0.last_key_value()?;
        let mut ends = slow.0.range(..=*last).rev();
        let (flight, on_fast, on_slow) =
            ends.find_map(|(number, end)| Some((*number, *fast.0.get(number)?, *end)))?;
        for flights in [fast, slow] {
            flights.0 = flights.0.split_off(&flight);
        }
        Some(FlightEnds {
            flight,
            identical: on_fast.is_identical(&on_slow),
            apart: on_fast.distance(&on_slow),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::projectile::Body;
    use timeslicer::time::Nanos;

    #[test]
    fn the_last_common_flight_is_compared() {
        // Flights of the fast and of the slow machine, by number and step, and the last comparison.
        type Case<'a> = (&'a [(u64, u64)], &'a [(u64, u64)], Option<(u64, bool)>);

        let flight = |number, step_ms| {
            let mut body = Body::default();
            while body.last_flight().is_none() {
                body.update(Nanos::from_millis(step_ms));
            }
            let end = body.last_flight().unwrap().end;
            Flight { number, end }
        };
        let (mut fast, mut slow) = (Flights::default(), Flights::default());
        let cases: [Case<'_>; 7] = [
            (&[(0, 10), (1, 10), (2, 10)], &[], None),
            (&[], &[(0, 10)], Some((0, true))),
            (&[], &[(0, 10)], Some((0, true))),
            (&[], &[(1, 10), (2, 50)], Some((2, false))),
            (&[], &[(3, 50), (4, 10)], Some((2, false))),
            (&[(3, 50)], &[], Some((3, true))),
            // Flights 5 and 7 of the one machine and 6 of the other ended within a longer frame.
            (
                &[(6, 10), (8, 50)],
                &[(5, 10), (7, 10), (8, 10)],
                Some((8, false)),
            ),
        ];
        for (of_fast, of_slow, expected) in cases {
            for (flights, new) in [(&mut fast, of_fast), (&mut slow, of_slow)] {
                for &(number, step_ms) in new {
                    flights.note(&flight(number, step_ms));
                }
            }
            let ends = Flights::compare(&mut fast, &mut slow);
            assert_eq!(ends.map(|ends| (ends.flight, ends.identical)), expected);
            assert!(ends.is_none_or(|ends| (ends.apart > 0.1) != ends.identical));
        }
    }

    #[test]
    fn the_number_of_stored_flights_is_limited() {
        let (mut fast, mut slow) = (Flights::default(), Flights::default());
        let mut body = Body::default();
        body.update(Nanos::from_secs(9));
        let end = body.last_flight().unwrap().end;
        for number in 0..2 * MOST_FLIGHTS as u64 {
            fast.note(&Flight { number, end });
        }
        assert_eq!(fast.0.len(), MOST_FLIGHTS);
        slow.note(&Flight { number: 0, end });
        assert!(Flights::compare(&mut fast, &mut slow).unwrap().identical);
    }
}
