//! Strategies side by side: each in a lane of its own, on a simulated machine of its own, with the same seed and
//! settings, so that all meet the same births, deaths, requests, costs and target.
//!
//! The command `compare` and the window's view take their figures from here, so that both say the same.

use crate::experiment::edit_log::EditLog;
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
    last_disturbance: String,
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
            last_disturbance: String::new(),
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
        is_counted.then_some(&self.last_disturbance)
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
            self.last_disturbance.clone_from(&what);
            self.edit_log.note(self.time, what);
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
        self.edit_log.note(self.time, what);
        self.lanes
            .iter_mut()
            .for_each(MeasuredLane::clear_statistics);
    }
}

#[cfg(test)]
mod tests;
