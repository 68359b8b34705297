//! Strategies side by side: each in a lane of its own, on a simulated machine of its own, with the same seed and
//! settings, so that all meet the same births, deaths, requests, costs and target.
//!
//! The command `compare` and the window's view take their figures from here, so that both say the same.

use super::edit_log::EditLog;
use crate::sim::disturbance::Disturbance;
use crate::sim::lane::FrameRecord;
use crate::sim::lane::Length;
use crate::sim::machine::{DISPLAY_HZ, Machine, Simulated};
use crate::sim::settings::Settings;
use crate::stats::MeasuredLane;
use crate::stats::Report;
use std::collections::VecDeque;
use timeslice::frame_loop::FrameLoopEntry;
use timeslice::knob::{Knob, KnobValues};
use timeslice::strategy::StrategyEntry;
use timeslice::time::Nanos;

/// So many frames and runs, counted together, are simulated in one go: some 10 ms of work, so that a window that
/// advances all lanes between two pictures stays smooth. A frame is never cut in two, so one of a million runs
/// takes what it takes.
pub const MOST_STEPS: u64 = 300_000;

/// So many of each lane's last frames are remembered.
pub const RECENT: usize = 320;

/// Lanes that differ in their strategy alone.
pub struct Comparison {
    settings: Settings,
    strategies: Vec<&'static StrategyEntry>,
    lanes: Vec<MeasuredLane<Simulated>>,
    /// Each lane's last frames, oldest first.
    recent: Vec<VecDeque<FrameRecord>>,
    /// For each lane, the numbers of those frames before which something was done to it.
    disturbances: Vec<Vec<u64>>,
    /// So many of each lane's runs are listed in a frame.
    most_listed: usize,
    /// What was done to lanes last, in a word or two.
    last_shock: String,
    time: Nanos,
    edit_log: EditLog,
}

impl Comparison {
    /// A lane for each of `strategies`, at its start. The settings' own strategy does not count.
    #[must_use]
    pub fn new(settings: &Settings, strategies: &[&'static StrategyEntry]) -> Self {
        let mut comparison = Self {
            settings: settings.clone(),
            strategies: strategies.to_vec(),
            lanes: Vec::new(),
            recent: Vec::new(),
            disturbances: Vec::new(),
            most_listed: 0,
            last_shock: String::new(),
            time: Nanos::ZERO,
            edit_log: EditLog::default(),
        };
        comparison.restart();
        comparison
    }

    /// Begins anew with the knobs, the frame loop and the seed as they are.
    pub fn restart(&mut self) {
        self.time = Nanos::ZERO;
        self.edit_log = EditLog::default();
        self.lanes.clear(); // first: lanes of a million take gigabytes, and a page has four
        let lane = |&strategy: &&'static StrategyEntry| {
            let settings = Settings {
                strategy,
                ..self.settings.clone()
            };
            let machine = Simulated::new(&settings.knobs);
            let mut lane = MeasuredLane::new(settings, machine);
            lane.measure_gazes();
            lane.list_runs(self.most_listed);
            lane
        };
        self.lanes = self.strategies.iter().map(lane).collect();
        self.recent = vec![VecDeque::with_capacity(RECENT); self.lanes.len()];
        self.disturbances = vec![Vec::new(); self.lanes.len()];
    }

    /// From here on lanes list the first `most` runs of each frame, for who shows them; else none.
    pub fn list_runs(&mut self, most: usize) {
        self.most_listed = most;
        for lane in &mut self.lanes {
            lane.list_runs(most);
        }
    }

    /// So much time passes on all machines. Returns false where that was more than [`MOST_STEPS`]: then their
    /// time goes slower.
    pub fn advance(&mut self, by: Nanos) -> bool {
        self.advance_to(Length::Time(self.time + by), MOST_STEPS)
    }

    /// Every lane goes on to `length` from its start, in so many `steps` at the most, frames and runs counted
    /// together; the hindmost lane always first, so that they stay together. Returns whether all are there.
    ///
    /// A lane makes every frame that starts within `length` and no other: in how many goes it came there makes
    /// no difference to its figures.
    pub fn advance_to(&mut self, length: Length, steps: u64) -> bool {
        let mut steps_left = steps;
        let arrived = loop {
            let lanes = self.lanes.iter_mut().zip(&mut self.recent);
            let behind = lanes.filter(|(lane, _)| lane.is_within(length));
            let Some((hindmost, recent)) = behind.min_by_key(|(lane, _)| match length {
                Length::Frames(_) => lane.frames(),
                Length::Time(_) => lane.machine().clock().since_start().as_nanos(),
            }) else {
                break true;
            };
            if steps_left == 0 {
                break false;
            }
            let costs = hindmost.steps_per_frame();
            let frame = hindmost.frame();
            let runs = frame.runs;
            if recent.len() == RECENT {
                recent.pop_front();
            }
            recent.push_back(frame.clone());
            steps_left = steps_left.saturating_sub(costs + u64::from(runs));
        };
        let clocks = self
            .lanes
            .iter()
            .map(|lane| lane.machine().clock().since_start());
        let reached = clocks.min().unwrap_or(Nanos::ZERO);
        self.time = match length {
            // Their frames may end later; they have all come this far.
            Length::Time(to) if arrived => to,
            Length::Time(to) => reached.clamp(self.time, to.max(self.time)),
            Length::Frames(_) => reached,
        };
        arrived
    }

    /// Lets those lanes that are behind come as far as the others, so that all have made the frames that start
    /// within its time, and no other: what the command `compare` makes in that time. It is a frame of each at
    /// the most, where there was more to simulate than was allowed; otherwise they are even already.
    pub fn even_out(&mut self) {
        let begun = self.lanes.iter().filter(|lane| lane.frames() > 0);
        let last_start = begun
            .map(|lane| lane.last_frame().start.since_start())
            .max();
        if let Some(last_start) = last_start.filter(|&start| start >= self.time) {
            let to = last_start + Nanos::from_nanos(1);
            self.advance_to(Length::Time(to), u64::MAX);
        }
    }

    /// How much of `length` the hindmost lane has behind it, from 0 to 1.
    #[must_use]
    pub fn progress(&self, length: Length) -> f64 {
        let done = self.lanes.iter().map(|lane| match length {
            Length::Frames(frames) => lane.frames() as f64 / frames as f64,
            Length::Time(time) => lane.machine().clock().since_start().over(time),
        });
        // Of nothing there is nothing left to do.
        done.fold(1.0, |least, done| if done < least { done } else { least })
    }

    /// The simulated time since its start.
    #[must_use]
    pub fn time(&self) -> Nanos {
        self.time
    }

    /// The lanes, in the order of their strategies.
    #[must_use]
    pub fn lanes(&self) -> &[MeasuredLane<Simulated>] {
        &self.lanes
    }

    /// Their strategies.
    #[must_use]
    pub fn strategies(&self) -> &[&'static StrategyEntry] {
        &self.strategies
    }

    /// The last frames of the lane of that number, oldest first.
    ///
    /// # Panics
    /// Where there is no such lane.
    #[must_use]
    pub fn recent(&self, lane: usize) -> &VecDeque<FrameRecord> {
        &self.recent[lane]
    }

    /// The numbers of the frames of the lane of that number, as far as they are remembered, before which
    /// something was done to it, oldest first.
    ///
    /// # Panics
    /// Where there is no such lane.
    #[must_use]
    pub fn disturbances(&self, lane: usize) -> &[u64] {
        &self.disturbances[lane]
    }

    /// The length that frames are to have.
    #[must_use]
    pub fn target_period(&self) -> Nanos {
        let hz = self.settings.knobs.get(&DISPLAY_HZ);
        let display = Nanos::from_secs_f64(1.0 / hz);
        self.lanes
            .first()
            .map_or(display, MeasuredLane::target_period)
    }

    /// Whether the displays have dropped to a lower rate.
    #[must_use]
    pub fn has_slow_display(&self) -> bool {
        self.lanes
            .first()
            .is_some_and(MeasuredLane::has_slow_display)
    }

    /// What was done to lanes last, in a word or two, as long as the figures of any have it in them.
    #[must_use]
    pub fn counted_disturbance(&self) -> Option<&str> {
        let is_counted = self.lanes.iter().any(MeasuredLane::counts_disturbance);
        is_counted.then_some(&self.last_shock)
    }

    /// Does `disturbance` to all lanes.
    pub fn disturb(&mut self, disturbance: Disturbance) {
        let mut done = None;
        for (lane, disturbances) in self.lanes.iter_mut().zip(&mut self.disturbances) {
            let Some(what) = lane.disturb(disturbance) else {
                continue;
            };
            done = Some(what);
            let next = lane.frames();
            disturbances.retain(|&frame| frame + RECENT as u64 > next && frame != next);
            disturbances.push(next);
        }
        if let Some(what) = done {
            self.last_shock.clone_from(&what);
            self.edit_log.happened(self.time, what);
        }
        if let Some(lane) = self.lanes.first() {
            self.settings.knobs = lane.settings().knobs.clone();
        }
    }

    /// The lanes, for what is to happen to all of them, or to one.
    pub fn lanes_mut(&mut self) -> &mut [MeasuredLane<Simulated>] {
        &mut self.lanes
    }

    /// What each lane did since its last change, in the order of their strategies.
    #[must_use]
    pub fn reports(&self) -> Vec<Report> {
        self.lanes.iter().map(MeasuredLane::report).collect()
    }

    /// What all lanes have in common, but for their strategies.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What was changed since it began: with nothing in it, the command `compare` makes the same figures.
    #[must_use]
    pub fn edit_log(&self) -> &EditLog {
        &self.edit_log
    }

    /// The knobs that all lanes have in common.
    #[must_use]
    pub fn knobs(&self) -> &KnobValues {
        &self.settings.knobs
    }

    /// The settings of the lane of that number, to go on with elsewhere.
    #[must_use]
    pub fn settings_of(&self, lane: usize) -> Option<&Settings> {
        self.lanes.get(lane).map(MeasuredLane::settings)
    }

    /// Turns a knob in all lanes. Those that it does not concern go on measuring.
    pub fn set_knob(&mut self, knob: &Knob, value: f64) {
        let before = self.settings.knobs.get(knob);
        self.settings.knobs.set(knob, value);
        let value = self.settings.knobs.get(knob);
        if value != before {
            let what = format!("--{} {value}", knob.key);
            self.edit_log.set(self.time, knob.key, what);
        }
        for lane in &mut self.lanes {
            lane.set_knob(knob, value);
        }
    }

    /// Changes the frame loop in all lanes.
    pub fn set_frame_loop(&mut self, frame_loop: &'static FrameLoopEntry) {
        self.settings.frame_loop = frame_loop;
        let what = format!("--loop {}", frame_loop.key);
        self.edit_log.set(self.time, "loop", what);
        for lane in &mut self.lanes {
            lane.set_frame_loop(frame_loop);
        }
    }

    /// All lanes measure anew from here on.
    pub fn clear_statistics(&mut self) {
        let what = "figures begin anew".to_owned();
        self.edit_log.happened(self.time, what);
        self.lanes
            .iter_mut()
            .for_each(MeasuredLane::clear_statistics);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{CHURN, COST, ENTITIES};
    use crate::stats::FIGURES;
    use timeslice::strategy::STRATEGIES;
    use timeslice::strategy::knobs::INTERVAL;
    use timeslice::strategy::stagger_groups::GROUPS;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    fn comparison() -> Comparison {
        let set = [(&ENTITIES, 200.0), (&COST, 150.0), (&CHURN, 20.0)];
        let settings = Settings {
            knobs: KnobValues::with(&set),
            seed: 5,
            ..Settings::default()
        };
        Comparison::new(&settings, STRATEGIES)
    }

    fn figures(comparison: &Comparison) -> Vec<String> {
        let reports = comparison.reports();
        reports.iter().map(|it| it.to_json().to_string()).collect()
    }

    #[test]
    fn in_how_many_goes_it_advances_makes_no_difference() {
        let mut at_once = comparison();
        assert!(at_once.advance_to(Length::Time(Nanos::from_secs(5)), u64::MAX));
        let mut bit_by_bit = comparison();
        let mut by = 1;
        while bit_by_bit.time() < Nanos::from_secs(5) {
            by = by * 7 % 61; // 7, 49, 38, 22 ...
            let left = Nanos::from_secs(5) - bit_by_bit.time();
            bit_by_bit.advance(MS(by).min(left));
        }
        assert_eq!(figures(&at_once), figures(&bit_by_bit));
        let mut in_small_steps = comparison();
        while !in_small_steps.advance_to(Length::Time(Nanos::from_secs(5)), 10) {}
        assert_eq!(figures(&at_once), figures(&in_small_steps));
    }

    #[test]
    fn more_work_than_allowed_slows_time_down_and_lanes_stay_together() {
        let mut comparison = comparison();
        let length = Length::Time(Nanos::from_secs(5));
        assert!(!comparison.advance_to(length, 5_000));
        let reached = comparison.time();
        assert!(reached > Nanos::ZERO && reached < Nanos::from_secs(5));
        assert!(comparison.progress(length) < 1.0);
        for lane in comparison.lanes() {
            let clock = lane.machine().clock().since_start();
            assert!(clock >= reached && clock < reached + MS(100), "{clock}");
        }
        while !comparison.advance_to(length, 5_000) {}
        assert_eq!(comparison.time(), Nanos::from_secs(5));
        assert_eq!(comparison.progress(length), 1.0);
    }

    #[test]
    fn all_lanes_meet_the_same_births_and_deaths() {
        let mut comparison = comparison();
        comparison.set_knob(&COST, 0.0);
        comparison.advance_to(Length::Frames(300), u64::MAX);
        // By the same game time: where tasks cost nothing, all frames are as long.
        assert!(
            comparison
                .lanes()
                .iter()
                .all(|lane| lane.now() == comparison.lanes()[0].now())
        );
        let living = |lane: &MeasuredLane<Simulated>| -> Vec<u64> {
            let world = lane.world();
            let entities = world.tasks().iter().filter_map(|task| world.entity(task));
            entities.map(|entity| entity.number).collect()
        };
        let all: Vec<Vec<u64>> = comparison.lanes().iter().map(living).collect();
        assert!(all.iter().all(|it| *it == all[0]));
        assert!(
            all[0].iter().any(|&number| number > 200),
            "somebody was born"
        );
    }

    #[test]
    fn a_knob_is_turned_in_all_lanes_and_those_that_it_concerns_measure_anew() {
        let mut comparison = comparison();
        comparison.advance(Nanos::SECOND);
        comparison.set_knob(&GROUPS, 7.0);
        for report in comparison.reports() {
            let concerned = report.strategy.key == "stagger-groups";
            assert_eq!(report.warming_up, concerned, "{}", report.strategy.key);
        }
        comparison.set_knob(&INTERVAL, 0.2);
        comparison.restart();
        assert_eq!(comparison.knobs().get(&INTERVAL), 0.2);
        assert_eq!(comparison.time(), Nanos::ZERO);
        assert!(comparison.reports().iter().all(|report| report.frames == 0));
    }

    #[test]
    fn nothing_to_compare_is_done_at_once() {
        let mut none = Comparison::new(&Settings::default(), &[]);
        assert!(none.advance(Nanos::SECOND) && none.reports().is_empty());
        assert_eq!(none.progress(Length::Frames(0)), 1.0);
    }

    #[test]
    fn every_strategy_has_every_figure_or_says_that_there_is_none() {
        let mut comparison = comparison();
        comparison.advance(Nanos::SECOND);
        for report in comparison.reports() {
            for figure in FIGURES {
                let value = (figure.of)(&report);
                assert!(value.is_none_or(f64::is_finite), "{}", figure.key);
            }
        }
    }

    #[test]
    fn lanes_that_were_held_up_are_evened_out_to_what_the_command_makes_in_that_time() {
        let mut held_up = 0;
        for steps in (1..40).map(|count| count * 97) {
            let mut comparison = comparison();
            comparison.advance_to(Length::Time(Nanos::from_secs(5)), steps);
            let before = comparison.time();
            comparison.even_out();
            let time = comparison.time();
            held_up += u32::from(time > before);
            let mut command = self::comparison();
            assert!(command.advance_to(Length::Time(time), u64::MAX));
            assert_eq!(figures(&comparison), figures(&command), "{steps} steps");
            comparison.even_out();
            assert_eq!(comparison.time(), time);
        }
        assert!(held_up > 5, "{held_up}");
        let mut none = Comparison::new(&Settings::default(), STRATEGIES);
        none.even_out();
        assert_eq!(none.time(), Nanos::ZERO);
    }

    #[test]
    fn what_was_changed_by_hand_is_told_until_it_begins_anew() {
        let mut comparison = comparison();
        comparison.advance(Nanos::SECOND);
        comparison.set_knob(&ENTITIES, 200.0); // as it is
        assert!(comparison.edit_log().is_empty());
        for disturbance in [Disturbance::Stall, Disturbance::Births, Disturbance::Births] {
            comparison.disturb(disturbance);
        }
        comparison.disturb(Disturbance::SlowDisplay);
        comparison.disturb(Disturbance::SlowDisplay);
        comparison.set_knob(&ENTITIES, 90.0);
        comparison.clear_statistics();
        let told = [
            "Stall 500 ms",
            "100 births",
            "100 births",
            "30 Hz display",
            "Display back",
            "--entities 90",
            "figures begin anew",
        ];
        assert_eq!(
            comparison.edit_log().lines(),
            told.map(|what| format!("at 1 s: {what}"))
        );
        // Nobody was left to die, and that is no change.
        comparison.set_knob(&ENTITIES, 0.0);
        let before = comparison.edit_log().lines();
        comparison.disturb(Disturbance::Deaths);
        assert_eq!(comparison.edit_log().lines(), before);
        comparison.restart();
        assert!(comparison.edit_log().is_empty());
    }

    #[test]
    fn each_lanes_last_frames_are_remembered_and_no_more() {
        let mut comparison = comparison();
        assert!(comparison.advance_to(Length::Time(Nanos::from_secs(9)), u64::MAX));
        for (index, lane) in comparison.lanes().iter().enumerate() {
            let recent = comparison.recent(index);
            assert!(recent.len() <= RECENT);
            assert_eq!(recent.back(), Some(lane.last_frame()));
        }
        comparison.restart();
        assert!(comparison.recent(0).is_empty());
    }

    #[test]
    fn a_shock_happens_to_all_lanes_and_the_knobs_follow() {
        let mut comparison = comparison();
        comparison.disturb(Disturbance::Births);
        comparison.advance(MS(100));
        assert!((0..7).all(|lane| comparison.disturbances(lane) == [0]));
        assert_eq!(comparison.knobs().get(&ENTITIES), 300.0);
        let living = |lane: &MeasuredLane<Simulated>| lane.world().tasks().len();
        assert!(comparison.lanes().iter().all(|lane| living(lane) == 300));
    }
}
