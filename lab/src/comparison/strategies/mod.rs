//! Compares strategies by running each of them on its own simulated machine. All strategies get the same seed and
//! settings. In every simulation, entities are therefore born and die at the same game times, their tasks have the same
//! costs, and the target moves in the same way.
//!
//! The window advances all simulations together, whereas the `compare` command runs them one after another.

use super::driver::Driver;
use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::StrategyEntry;
use crate::catalog::strategy::knobs::BUDGET;
use crate::measure::{MeasuredLane, Recovery, Report};
use crate::sim::disturbance::Disturbance;
use crate::sim::lane::FrameRecord;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::settings::{HITCH, Owner, Setting, Settings};
use crate::text::sentence::Clause;
use std::collections::VecDeque;
use timeslicer::frame_loop::Pace;
use timeslicer::time::Nanos;

/// The maximum number of steps per call of [`Comparison::advance`], so that a call takes about 10 ms and the window
/// stays responsive. A frame costs `STEPS_PER_FRAME` steps, plus one for each task that runs in it. A frame is never
/// split, so a frame in which a million tasks run takes longer.
const MAX_STEPS: u64 = 300_000;

/// The cost of a frame in steps, in addition to one step for each task that runs in it. Measuring a frame takes about
/// as long as running this many tasks.
pub(super) const STEPS_PER_FRAME: u64 = 100;

/// The longest that changed settings wait for a frame with the old settings to end ([`Comparison::follow`]).
const LONGEST_FRAME: Nanos = Nanos::from_secs(10);

/// How many of the most recent frames to keep for each strategy.
pub const RECENT: usize = 320;

/// Creates the simulation of a strategy for a comparison. The strategy in `settings` is ignored.
pub fn compared_lane(
    settings: &Settings,
    strategy: &'static StrategyEntry,
) -> MeasuredLane<Simulated> {
    let settings = Settings {
        strategy,
        ..settings.clone()
    };
    let mut lane = MeasuredLane::new(settings, Simulated::default());
    lane.measure_gazes();
    lane
}

/// Returns a report of a strategy in which an update counts as an overrun if it exceeds the user's time budget, even if
/// the strategy itself does not use a budget.
pub fn compared_report(mut report: Report, lane: &MeasuredLane<Simulated>) -> Report {
    report.subject.limit = Some(lane.settings().knobs.span(&BUDGET));
    report
}

pub struct Comparison {
    settings: Settings,
    strategies: Vec<&'static StrategyEntry>,
    pub lanes: Vec<MeasuredLane<Simulated>>,
    recent: Vec<VecDeque<FrameRecord>>,
    driver: Driver,
}

impl Comparison {
    /// Creates a comparison of several strategies. The strategy in `settings` is ignored.
    pub fn new(settings: &Settings, strategies: &[&'static StrategyEntry]) -> Self {
        let mut comparison = Self {
            settings: settings.clone(),
            strategies: strategies.to_vec(),
            lanes: Vec::new(),
            recent: Vec::new(),
            driver: Driver::default(),
        };
        comparison.restart();
        comparison
    }

    pub fn restart(&mut self) {
        self.driver = Driver::default();
        // Free memory first, because simulations of a million entities take gigabytes, and a web page has only 4 GB.
        self.lanes.clear();
        let lane = |&strategy: &&'static StrategyEntry| {
            let mut lane = compared_lane(&self.settings, strategy);
            lane.collect_changed_slots();
            lane
        };
        self.lanes = self.strategies.iter().map(lane).collect();
        self.recent = vec![VecDeque::new(); self.lanes.len()];
    }

    /// Advances all simulations by the given time. If this would take too long, stops early and returns false.
    /// Simulated time then passes more slowly than real time.
    pub fn advance(&mut self, by: Nanos) -> bool {
        self.advance_to(self.driver.time + by, MAX_STEPS)
    }

    /// Advances all simulations to clock time `to`, but stops after about `max_steps` steps (see `MAX_STEPS`). Returns
    /// true if all simulations have reached this time.
    pub fn advance_to(&mut self, to: Nanos, max_steps: u64) -> bool {
        self.driver.advance(
            self.lanes.iter_mut().zip(&mut self.recent),
            |(lane, _)| lane.machine().clock().since_start(),
            |(lane, recent)| {
                let frame = lane.frame();
                if recent.len() == RECENT {
                    recent.pop_front();
                }
                recent.push_back(frame.clone());
                STEPS_PER_FRAME + u64::from(frame.runs)
            },
            to,
            max_steps,
        )
    }

    /// Advances the simulations that lag behind, so that all of them have reached the same time. The `compare` command
    /// can then reproduce the results.
    ///
    /// This call is needed only after [`Comparison::advance_to`] has stopped early, because some simulations are then a
    /// frame behind the others.
    pub fn even_out(&mut self) {
        let begun = self.lanes.iter().filter(|lane| lane.frames() > 0);
        let starts = begun.map(|lane| lane.last_frame().start.since_start());
        if let Some(last) = starts.max().filter(|&start| start >= self.driver.time) {
            self.advance_to(last + Nanos::from_nanos(1), u64::MAX);
        }
    }

    pub fn time(&self) -> Nanos {
        self.driver.time
    }

    pub fn recent(&self, lane: usize) -> &VecDeque<FrameRecord> {
        &self.recent[lane]
    }

    pub fn target_period(&self) -> Nanos {
        self.lanes.first().map_or_else(
            || self.settings.display_period(),
            MeasuredLane::target_period,
        )
    }

    /// Returns how much game time a frame covers on average on a machine that is fast enough.
    pub fn game_time_per_frame(&self) -> Nanos {
        let step = self.lanes.first().and_then(MeasuredLane::fixed_step);
        step.filter(|_| self.speed_follows_machine())
            .unwrap_or_else(|| self.target_period())
    }

    pub fn has_slow_display(&self) -> bool {
        self.lanes
            .first()
            .is_some_and(MeasuredLane::has_slow_display)
    }

    /// Returns the label of the most recent disturbance, such as `100 births`. Returns `None` if its effect is not known
    /// for any strategy, for example because a setting has been changed since.
    pub fn last_disturbance(&self) -> Option<&str> {
        let mut lanes = 0..self.lanes.len();
        let recovery = lanes.find_map(|lane| self.last_recovery(lane))?;
        Some(&recovery.name)
    }

    /// Returns the recovery of a strategy from the last disturbance by the user or, if there was none, from the last
    /// scheduled one.
    pub fn last_recovery(&self, lane: usize) -> Option<&Recovery> {
        let label = self.driver.last_disturbance.as_ref();
        let recovery = self.lanes[lane].observer().recoveries.last();
        recovery.filter(|recovery| label.is_none_or(|label| recovery.name == *label))
    }

    /// Describes how the most recent disturbance affected a strategy. Returns `None` if there was no disturbance, if it
    /// does not affect this strategy, or if a setting has been changed since.
    pub fn effect(&self, lane: usize) -> Option<Clause> {
        self.last_recovery(lane).map(Recovery::effect)
    }

    /// Returns true if the user has made a task much more expensive, and its entity is still alive in at least one
    /// simulation.
    pub fn has_heavy_task(&self) -> bool {
        let mut lanes = self.lanes.iter();
        lanes.any(|lane| lane.world().heavy().is_some())
    }

    /// Applies a disturbance, such as a stall or a burst of births, to all simulations.
    pub fn disturb(&mut self, disturbance: Disturbance, sizes: &KnobValues) {
        self.driver
            .disturb(self.lanes.iter_mut(), disturbance, sizes);
        if let Some(lane) = self.lanes.first() {
            self.settings.knobs = lane.settings().knobs.clone();
        }
    }

    pub fn reports(&self) -> Vec<Report> {
        let report = |lane: &MeasuredLane<Simulated>| compared_report(lane.report(), lane);
        self.lanes.iter().map(report).collect()
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns true if the game runs as fast as the machine allows. This is the case if the frame loop never waits and
    /// each update advances the game by a fixed step. Strategies that do less work then simulate more game time per
    /// second. Returns false before the first frame.
    pub fn speed_follows_machine(&self) -> bool {
        let follows = |lane: &MeasuredLane<Simulated>| {
            let waits = lane.frames() == 0 || lane.pace() != Pace::Nothing;
            !waits && lane.fixed_step().is_some()
        };
        self.lanes.first().is_some_and(follows)
    }

    /// Applies changed settings to the running simulations. The strategy, the seed and knobs that only affect drawing
    /// are ignored. If a changed knob affects a simulation that would not end its frame for seconds, for example because
    /// the user has made the tasks too expensive by mistake, all simulations start again and show the new settings.
    pub fn follow(&mut self, settings: &Settings) {
        let changes = self.settings.changes_to(settings, Some(Owner::Window));
        let latest = self.driver.time + LONGEST_FRAME;
        let stuck = self
            .lanes
            .iter()
            .filter(|lane| lane.machine().clock().since_start() > latest);
        let mut settings_of_stuck = stuck.map(MeasuredLane::settings);
        let restarts = settings_of_stuck.any(|of_lane| {
            changes.iter().any(|change| match change {
                Setting::Knob(knob, _) => **knob != HITCH && of_lane.is_concerned_by(knob),
                _ => false,
            })
        });
        for change in changes {
            self.set(change);
        }
        if restarts {
            self.restart();
        }
    }

    /// Changes a setting in all simulations, each of which keeps its own strategy. Simulations that are not affected by
    /// the change keep their statistics.
    pub fn set(&mut self, setting: Setting) {
        if self.settings.have(&setting) {
            return;
        }
        if !matches!(setting, Setting::Strategy(_)) {
            for lane in &mut self.lanes {
                lane.set(setting.clone());
            }
        }
        self.settings.set(setting);
    }
}

#[cfg(test)]
mod tests;
