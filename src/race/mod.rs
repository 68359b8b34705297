//! All frame loops side by side: the same shot, on a fast machine and on a slow one.
//!
//! Each loop has two lanes of its own, on simulated machines whose clocks go together. What a loop is good for
//! shows in the difference between its two lanes: one game that is faster than the other, steps of different
//! lengths, a bullet that ends in two places.

use crate::figure;
use crate::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use crate::knob::{Knob, KnobValues};
use crate::lane::Lane;
use crate::machine::{self, DISPLAY_HZ, Machine, RENDER_MS, SPEED, Simulated};
use crate::observe::sentence::Said;
use crate::projectile::{CROSSING, Flight, Sight};
use crate::settings::Settings;
use crate::strategy::{by_key, every_frame};
use crate::time::Nanos;
use crate::world::{COST, ENTITIES};
use std::collections::VecDeque;

/// Figures are of so much of a machine's time.
const MEASURED: Nanos = Nanos::SECOND;
/// Frames closer together than this are one sample: a loop that waits for nothing makes many.
const APART: Nanos = Nanos::from_micros(500);
/// No more frames than this are simulated in one go, so that no machine, however fast, holds up the window.
const MOST_FRAMES: u32 = 40_000;
/// So many flights are remembered, until the slower machine has flown them, too.
const FLIGHTS: usize = 4096;
/// A game keeps real time if it is no further from it than this.
const REAL_TIME: f64 = 0.01;

/// The two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A display of 144 Hz, and pictures that take little time.
    Fast,
    /// Pictures take 50 ms: 20 of them a second.
    Slow,
}

impl Side {
    /// Both of them.
    pub const BOTH: [Self; 2] = [Self::Fast, Self::Slow];

    /// Its machine's knobs as they are at first.
    fn knobs(self) -> [(&'static Knob, f64); 3] {
        match self {
            Self::Fast => [(&DISPLAY_HZ, 144.0), (&SPEED, 2.0), (&RENDER_MS, 3.0)],
            Self::Slow => [(&DISPLAY_HZ, 60.0), (&SPEED, 0.5), (&RENDER_MS, 50.0)],
        }
    }
}

/// All frame loops, each on both machines.
pub struct Race {
    rows: Vec<Row>,
    time: Nanos,
    knobs: [KnobValues; 2],
}

/// One frame loop on both machines.
pub struct Row {
    /// The loop.
    pub entry: &'static FrameLoopEntry,
    runners: [Runner; 2],
}

/// One loop on one machine.
pub struct Runner {
    lane: Lane<Simulated>,
    samples: VecDeque<Sample>,
    flights: VecDeque<Flight>,
    /// Frames before this time are of other knobs.
    changed: Nanos,
    busy: Nanos,
}

/// A frame as it was, or several in quick succession; sums are since the start.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// When it started, on the machine's clock.
    pub start: Nanos,
    /// When it ended.
    pub end: Nanos,
    /// How many updates it made.
    pub updates: u32,
    /// The game time of one of them.
    pub step: Nanos,
    /// What was to be seen of the projectile.
    pub sight: Sight,
    /// Where it was after the last update, as [`Sight::drawn`].
    pub updated: f64,
    /// When the last of them started, and the game time that its picture showed, in nanoseconds.
    shown_at: Nanos,
    shown: f64,
    frames_before: u64,
    updates_before: u64,
    busy_before: Nanos,
    now_before: Nanos,
    dropped_before: Nanos,
}

/// What a loop did on one machine in the last second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// How far the picture is from true time, in nanoseconds: above zero it is ahead.
    pub error_nanos: i64,
    /// The mean game time of an update.
    pub step: Nanos,
    /// Updates a frame, on the mean.
    pub updates: f64,
    /// Pictures a second.
    pub fps: f64,
    /// The game time that pictures showed over the machine's time.
    pub speed: f64,
    /// The share of the machine's time in which it did not sleep.
    pub busy: f64,
    /// Debt that was given up, over the machine's time.
    pub dropped: f64,
}

/// How the last flight that both machines have flown ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// Its number, from 0.
    pub flight: u64,
    /// Whether both ended in the same bits.
    pub identical: bool,
    /// How far apart they ended, in metres.
    pub apart: f64,
}

impl Default for Race {
    fn default() -> Self {
        Self::new()
    }
}

impl Race {
    /// At the start, with the machines and loops as they are at first.
    #[must_use]
    pub fn new() -> Self {
        let knobs = Side::BOTH.map(|side| {
            let mut all = side.knobs().to_vec();
            all.extend([(&ENTITIES, 1.0), (&COST, 1000.0)]);
            KnobValues::with(&all)
        });
        let mut race = Self {
            rows: Vec::new(),
            time: Nanos::ZERO,
            knobs,
        };
        race.restart();
        race
    }

    /// Begins anew with the knobs as they are.
    pub fn restart(&mut self) {
        self.time = Nanos::ZERO;
        self.rows = FRAME_LOOPS
            .iter()
            .map(|&entry| Row {
                entry,
                runners: Side::BOTH.map(|side| Runner::new(entry, &self.knobs[side as usize])),
            })
            .collect();
    }

    /// So much time passes on all machines. Returns false where that was more than could be simulated: then
    /// their time goes slower.
    pub fn advance(&mut self, by: Nanos) -> bool {
        let mut frames = MOST_FRAMES;
        let to = self.time + by;
        let mut reached = to;
        for runner in self.rows.iter_mut().flat_map(|row| &mut row.runners) {
            while runner.lane.machine().now() < to && frames > 0 {
                runner.frame();
                frames -= 1;
            }
            reached = reached.min(runner.lane.machine().now());
        }
        self.time = reached.max(self.time).min(to);
        frames > 0
    }

    /// The time on all machines' clocks.
    #[must_use]
    pub fn time(&self) -> Nanos {
        self.time
    }

    /// The loops, in the registry's order.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The value of a knob of one machine, or of one that both share.
    #[must_use]
    pub fn knob(&self, side: Side, knob: &Knob) -> f64 {
        self.knobs[side as usize].get(knob)
    }

    /// Turns a knob: one of a machine's on that `side`, any other on both.
    pub fn turn(&mut self, side: Side, knob: &'static Knob, value: f64) {
        let own = machine::KNOBS.iter().any(|of| of.key == knob.key);
        for other in Side::BOTH {
            if own && other != side {
                continue;
            }
            self.knobs[other as usize].set(knob, value);
            for row in &mut self.rows {
                row.runners[other as usize].turn(knob, value);
            }
        }
    }

    /// What both machines' figures say together, in a sentence: which loops are fair.
    #[must_use]
    pub fn verdict(&self) -> Said {
        let mut said = Said::default();
        let fair = self.rows.iter().filter(|row| row.is_fair() == Some(true));
        let fair: Vec<String> = fair.map(|row| row.entry.name.to_lowercase()).collect();
        let known = self.rows.iter().all(|row| row.is_fair().is_some());
        if !known {
            said.say("each bullet flies for four seconds of game time; then it shows where it ends on the two machines");
            return said;
        }
        match fair.as_slice() {
            [] => said.say("!no loop plays the same game at the same speed on both machines!"),
            [one] => said.say(&format!(
                "only {one} plays the same game, at the same speed, on both machines"
            )),
            [most @ .., last] => said.say(&format!(
                "{} and {last} play the same game, at the same speed, on both machines",
                most.join(", ")
            )),
        }
        let ratio = |row: &Row| {
            let [fast, slow] = row.facts()?.map(|facts| facts.speed);
            (slow > 0.0).then(|| (fast / slow, row.entry.name.to_lowercase()))
        };
        let widest = self.rows.iter().filter_map(ratio);
        let widest = widest.max_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((ratio, name)) = widest.filter(|(ratio, _)| *ratio > 1.0 + REAL_TIME) {
            let ratio = figure::number(ratio);
            said.say(&format!(
                "!{name} runs *{ratio}×* as fast on one as on the other!"
            ));
        }
        said
    }
}

impl Row {
    /// The loop on one of the machines.
    #[must_use]
    pub fn runner(&self, side: Side) -> &Runner {
        &self.runners[side as usize]
    }

    /// What it did on each machine in the last second; none before that was measured.
    #[must_use]
    pub fn facts(&self) -> Option<[Facts; 2]> {
        let [fast, slow] = &self.runners;
        Some([fast.facts()?, slow.facts()?])
    }

    /// How the last flight that both machines have flown ended.
    #[must_use]
    pub fn ends(&self) -> Option<Ends> {
        let [fast, slow] = &self.runners;
        let mut both = slow.flights.iter().rev().filter_map(|slow| {
            let mut of_number = fast.flights.iter();
            let fast = of_number.find(|fast| fast.number == slow.number)?;
            Some((fast, slow))
        });
        let (fast, slow) = both.next()?;
        Some(Ends {
            flight: slow.number,
            identical: fast.end.is_identical(&slow.end),
            apart: fast.end.distance(&slow.end),
        })
    }

    /// Whether both machines play the same game at the same speed; none before that is known.
    fn is_fair(&self) -> Option<bool> {
        let [fast, slow] = self.facts()?;
        if !fast.keeps_real_time() || !slow.keeps_real_time() {
            return Some(false);
        }
        Some(self.ends()?.identical)
    }

    /// What there is to learn from it, as far as the figures bear it out.
    #[must_use]
    pub fn lesson(&self) -> Said {
        let mut said = Said::default();
        let Some([fast, slow]) = self.facts() else {
            return said;
        };
        let speed = |facts: &Facts| figure::number(facts.speed);
        match (fast.keeps_real_time(), slow.keeps_real_time()) {
            (true, true) => said.say("real time on both"),
            (true, false) => said.say(&format!(
                "!*{}×* real time on the slow machine!",
                speed(&slow)
            )),
            (false, true) => said.say(&format!(
                "!*{}×* real time on the fast machine!",
                speed(&fast)
            )),
            (false, false) => said.say(&format!(
                "!*{}×* real time here, *{}×* there!",
                speed(&fast),
                speed(&slow)
            )),
        }
        let millis = |time: Nanos| figure::number(time.as_millis_f64());
        let (here, there) = (millis(fast.step), millis(slow.step));
        if here == there {
            said.say(&format!("equal steps of *{here}* ms"));
        } else {
            said.say(&format!("steps of *{here}* ms here, *{there}* ms there"));
        }
        if let Some(ends) = self.ends() {
            if ends.identical {
                said.say("both end in the same bits");
            } else {
                let apart = figure::number(ends.apart);
                said.say(&format!("!they end *{apart}* m apart!"));
            }
        }
        let resting = [("fast", fast), ("slow", slow)];
        for (name, facts) in resting {
            if facts.dropped > 0.0 {
                let dropped = figure::number(facts.dropped * 1000.0);
                said.say(&format!(
                    "the {name} machine gives up *{dropped}* ms of each second"
                ));
            }
        }
        if fast.busy > 0.999 {
            said.say("the fast machine never rests");
        }
        said
    }
}

impl Facts {
    /// Whether the game's time goes as fast as the machine's.
    #[must_use]
    pub fn keeps_real_time(&self) -> bool {
        (self.speed - 1.0).abs() <= REAL_TIME
    }
}

impl Runner {
    fn new(entry: &'static FrameLoopEntry, knobs: &KnobValues) -> Self {
        let settings = Settings {
            strategy: by_key(every_frame::ENTRY.key).unwrap_or(&every_frame::ENTRY),
            frame_loop: entry,
            knobs: knobs.clone(),
            ..Settings::default()
        };
        Self {
            lane: Lane::new(settings, Simulated::new(knobs)),
            samples: VecDeque::new(),
            flights: VecDeque::new(),
            changed: Nanos::ZERO,
            busy: Nanos::ZERO,
        }
    }

    /// The frames of the last crossing and a second, oldest first; the last may still be under way.
    #[must_use]
    pub fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    fn turn(&mut self, knob: &Knob, value: f64) {
        let settings = self.lane.settings();
        let concerned = settings.is_concerned_by(knob) && settings.knobs.get(knob) != value;
        self.lane.set_knob(knob, value);
        if concerned {
            self.changed = self.lane.machine().now();
        }
    }

    fn frame(&mut self) {
        let figures = self.lane.figures();
        let before = (figures.frames(), figures.updates(), figures.debt_dropped());
        let (now_before, busy_before) = (self.lane.now(), self.busy);
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
            shown_at: record.start,
            shown: self.lane.now().as_nanos() as f64 + record.alpha * record.step.as_nanos() as f64,
            frames_before: before.0,
            updates_before: before.1,
            busy_before,
            now_before,
            dropped_before: before.2,
        };
        match self.samples.back_mut() {
            Some(last)
                if sample.start - last.start < APART
                    && sample.sight.crossing == last.sight.crossing =>
            {
                *last = Sample {
                    start: last.start,
                    updates: last.updates + sample.updates,
                    frames_before: last.frames_before,
                    updates_before: last.updates_before,
                    busy_before: last.busy_before,
                    now_before: last.now_before,
                    dropped_before: last.dropped_before,
                    ..sample
                };
            }
            _ => self.samples.push_back(sample),
        }
        let oldest = sample.start - (CROSSING + MEASURED);
        while self.samples.front().is_some_and(|old| old.end < oldest) {
            self.samples.pop_front();
        }
        self.note_flight();
    }

    fn note_flight(&mut self) {
        let Some(&flight) = self.lane.body().last_flight() else {
            self.flights.clear(); // it flies anew
            return;
        };
        if self.flights.back().map(|last| last.number) != Some(flight.number) {
            self.flights.push_back(flight);
            if self.flights.len() > FLIGHTS {
                self.flights.pop_front();
            }
        }
    }

    /// What it did in the last second; none before a second has passed since the last change.
    #[must_use]
    pub fn facts(&self) -> Option<Facts> {
        let last = self.samples.back()?;
        let from = last.end.as_nanos().checked_sub(MEASURED.as_nanos())?;
        let from = Nanos::from_nanos(from);
        let first = self.samples.partition_point(|sample| sample.start < from);
        let first = self.samples.get(first).unwrap_or(last);
        if from < self.changed {
            return None;
        }
        let figures = self.lane.figures();
        let span = (last.end - first.start).as_secs_f64();
        let frames = (figures.frames() - first.frames_before) as f64;
        let updates = (figures.updates() - first.updates_before) as f64;
        let game = self.lane.now() - first.now_before;
        let shown = (last.shown - first.shown) / (last.shown_at - first.shown_at).as_nanos() as f64;
        Some(Facts {
            error_nanos: self.lane.projectile().error_nanos(),
            step: if updates > 0.0 {
                Nanos::from_nanos_f64(game.as_nanos() as f64 / updates)
            } else {
                last.step
            },
            updates: updates / frames,
            fps: frames / span,
            speed: if shown.is_finite() { shown } else { 0.0 },
            busy: (self.busy - first.busy_before).as_secs_f64() / span,
            dropped: (figures.debt_dropped() - first.dropped_before).as_secs_f64() / span,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_loop::knobs::STEP;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    /// A race after so many seconds, watched at 60 pictures a second.
    fn watched(mut race: Race, secs: u64) -> Race {
        let end = race.time() + Nanos::from_secs(secs);
        while race.time() < end {
            assert!(race.advance(MS(16)));
        }
        race
    }

    fn row<'a>(race: &'a Race, key: &str) -> &'a Row {
        let row = race.rows().iter().find(|row| row.entry.key == key);
        row.unwrap_or_else(|| panic!("no row {key}"))
    }

    fn facts(race: &Race, key: &str) -> [Facts; 2] {
        row(race, key).facts().unwrap()
    }

    #[test]
    fn every_frame_loop_runs_on_both_machines() {
        let race = watched(Race::new(), 2);
        let keys: Vec<&str> = race.rows().iter().map(|row| row.entry.key).collect();
        let all: Vec<&str> = FRAME_LOOPS.iter().map(|entry| entry.key).collect();
        assert_eq!(keys, all);
        for row in race.rows() {
            for side in Side::BOTH {
                let clock = row.runner(side).lane.machine().now();
                assert!(clock >= race.time() && clock < race.time() + MS(100));
                assert!(row.runner(side).facts().is_some());
            }
        }
    }

    #[test]
    fn unsynced_goes_as_fast_as_the_machine() {
        let race = watched(Race::new(), 3);
        let [fast, slow] = facts(&race, "unsynced");
        // 3 ms a picture and half a millisecond of work, 20 ms of game time each; 52 ms on the slow one.
        assert!((fast.speed - 20.0 / 3.5).abs() < 0.05, "{fast:?}");
        assert!((slow.speed - 20.0 / 52.0).abs() < 0.01, "{slow:?}");
        assert!(fast.busy > 0.999 && slow.busy > 0.999);
        let lesson = row(&race, "unsynced").lesson();
        assert!(lesson.is_warning());
        assert!(
            lesson
                .text()
                .starts_with("5.71× real time here, 0.38× there · equal steps of 20 ms"),
            "{}",
            lesson.text()
        );
    }

    #[test]
    fn a_variable_step_keeps_real_time_but_ends_elsewhere() {
        let race = watched(Race::new(), 6);
        let row = row(&race, "variable-step");
        let [fast, slow] = row.facts().unwrap();
        assert!(fast.keeps_real_time() && slow.keeps_real_time());
        assert!((fast.fps - 144.0).abs() < 1.5, "{fast:?}");
        assert!(!row.ends().unwrap().identical);
        let text = row.lesson().text();
        let start = "real time on both · steps of 6.94 ms here, 52 ms there · they end ";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn fixed_steps_are_fair_and_end_in_the_same_bits() {
        let race = watched(Race::new(), 6);
        for key in ["fixed-step", "max-frame-skip"] {
            let row = row(&race, key);
            assert!(row.ends().unwrap().identical, "{key}");
            assert_eq!(row.is_fair(), Some(true), "{key}");
            let text = row.lesson().text();
            let start = "real time on both · equal steps of 20 ms · both end in the same bits";
            assert!(text.starts_with(start), "{key}: {text}");
        }
        let verdict = race.verdict().text();
        let start =
            "fixed step and max frame skip play the same game, at the same speed, on both machines";
        assert!(verdict.starts_with(start), "{verdict}");
        assert!(
            verdict.contains("unsynced runs 14.9× as fast on one as on the other"),
            "{verdict}"
        );
    }

    #[test]
    fn constant_fps_is_right_only_where_the_machine_keeps_up() {
        let race = watched(Race::new(), 3);
        let [fast, slow] = facts(&race, "constant-fps");
        assert!(fast.keeps_real_time() && !slow.keeps_real_time());
        assert!(fast.busy < 0.3, "{fast:?}");
        let text = row(&race, "constant-fps").lesson().text();
        assert!(
            text.starts_with("0.32× real time on the slow machine"),
            "{text}"
        );
    }

    #[test]
    fn a_machine_whose_updates_cost_more_than_their_step_gives_time_up() {
        let mut race = Race::new();
        race.turn(Side::Slow, &COST, 15_000.0); // 30 ms on the slow machine, 7.5 ms on the fast one
        let race = watched(race, 4);
        let [fast, slow] = facts(&race, "fixed-step");
        assert!(fast.keeps_real_time(), "{fast:?}");
        assert!(slow.speed < 0.7 && slow.dropped > 0.3, "{slow:?}");
        let text = row(&race, "fixed-step").lesson().text();
        assert!(text.contains("the slow machine gives up "), "{text}");
    }

    #[test]
    fn a_machines_knob_is_its_own_and_any_other_is_shared() {
        let mut race = watched(Race::new(), 3);
        race.turn(Side::Slow, &RENDER_MS, 1.0);
        race.turn(Side::Fast, &STEP, 10.0);
        assert_eq!(race.knob(Side::Fast, &RENDER_MS), 3.0);
        assert_eq!(race.knob(Side::Slow, &STEP), 10.0);
        assert_eq!(row(&race, "fixed-step").facts(), None, "measured anew");
        let race = watched(race, 3);
        let [fast, slow] = facts(&race, "fixed-step");
        assert_eq!((fast.step, slow.step), (MS(10), MS(10)));
        assert!((slow.fps - 60.0).abs() < 1.5, "{slow:?}");
    }

    #[test]
    fn nothing_is_said_before_it_was_measured() {
        let race = Race::new();
        assert!(race.rows().iter().all(|row| row.lesson().parts.is_empty()));
        assert!(
            race.verdict()
                .text()
                .starts_with("each bullet flies for four seconds")
        );
    }

    #[test]
    fn a_machine_that_makes_too_many_frames_slows_time_down_and_nothing_else() {
        let mut race = Race::new();
        race.turn(Side::Fast, &RENDER_MS, 0.0);
        race.turn(Side::Fast, &COST, 0.0);
        assert!(!race.advance(Nanos::from_secs(60)));
        assert!(race.time() < Nanos::from_secs(60));
        let before = race.time();
        race.advance(MS(16));
        assert!(race.time() > before || before.is_zero());
        let samples = race.rows()[0].runner(Side::Fast).samples().len();
        assert!(samples < 12_000, "{samples}");
    }

    #[test]
    fn the_picture_is_behind_or_ahead_by_what_the_error_says() {
        let race = watched(Race::new(), 3);
        for row in race.rows() {
            for side in Side::BOTH {
                let runner = row.runner(side);
                let (last, facts) = (runner.samples().back().unwrap(), runner.facts().unwrap());
                let off = (last.sight.drawn - last.sight.truth) * CROSSING.as_nanos() as f64;
                assert!(
                    (off - facts.error_nanos as f64).abs() < 1e3,
                    "{}",
                    row.entry.key
                );
            }
        }
    }

    #[test]
    fn a_restart_begins_at_zero_with_the_knobs_as_they_are() {
        let mut race = watched(Race::new(), 3);
        race.turn(Side::Fast, &STEP, 10.0);
        race.restart();
        assert_eq!(race.time(), Nanos::ZERO);
        assert_eq!(race.knob(Side::Slow, &STEP), 10.0);
        assert!(race.rows()[0].facts().is_none());
    }
}
