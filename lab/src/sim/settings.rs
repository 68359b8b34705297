//! The settings of a simulated game: a strategy, a frame loop, a value for each knob, and a random seed.

use super::disturbance::{Disturbance, SIZES, Scheduled};
use super::machine::{ADAPTIVE_SYNC, DISPLAY_HZ};
use super::recording::Recording;
use super::world::{
    COST, COST_PER_RUN, COST_SPREAD, EAGER, ENTITIES, Point, REQUESTS, TARGET_SPEED, requests_per_s,
};
use super::{machine, world};
use crate::catalog::frame_loop::knobs::{GAME_SPEED, ONCE_PER_FRAME, STEP};
use crate::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry, variable_step};
use crate::catalog::knob::{Knob, KnobValues, Scale};
use crate::catalog::strategy::{STRATEGIES, StrategyEntry, fixed_interval};
use timeslicer::frame_loop::Pace;
use timeslicer::time::{Nanos, Periods};

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub strategy: &'static StrategyEntry,
    pub frame_loop: &'static FrameLoopEntry,
    pub knobs: KnobValues,
    /// The seed for all random numbers. The same seed always produces the same births, deaths, costs and requests.
    pub seed: u64,
    /// The point at which the target is pinned, or `None` if the target moves along its path.
    pub target: Option<Point>,
    /// Task costs from the user's file. If `None`, the knobs determine the costs.
    pub own_costs: Option<Recording>,
    /// Frame times from the user's file, which replace the display of simulated machines.
    pub frame_times: Option<Recording>,
    /// Disturbances that happen at given times, in their order.
    pub scheduled: Vec<Scheduled>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    FrameLoop(&'static FrameLoopEntry),
    Target(Option<Point>),
    Knob(&'static Knob, f64),
    Strategy(&'static StrategyEntry),
    OwnCosts(Option<Recording>),
    FrameTimes(Option<Recording>),
}

impl Setting {
    /// Returns the command-line flag for the setting, without the dashes, and its value. Returns `None` for defaults
    /// that have no flag, such as a moving target.
    pub fn flag(&self) -> Option<(&'static str, String)> {
        Some(match self {
            Self::FrameLoop(entry) => ("loop", entry.key.to_owned()),
            Self::Target(point) => ("target", (*point)?.to_string()),
            Self::Knob(knob, value) => (knob.key, knob.nearest(*value).to_string()),
            Self::Strategy(entry) => ("strategy", entry.key.to_owned()),
            Self::OwnCosts(own) => ("costs", own.as_ref()?.path.to_string()),
            Self::FrameTimes(times) => ("frame-times", times.as_ref()?.path.to_string()),
        })
    }
}

impl Default for Settings {
    /// Returns settings with a strategy that suits most games and the frame loop that most engines use.
    fn default() -> Self {
        Self {
            strategy: &fixed_interval::ENTRY,
            frame_loop: &variable_step::ENTRY,
            knobs: KnobValues::default(),
            seed: 0,
            target: None,
            own_costs: None,
            frame_times: None,
            scheduled: Vec::new(),
        }
    }
}

impl Settings {
    /// Returns true if the target does not move, because it is pinned or its speed is zero.
    pub fn target_rests(&self) -> bool {
        self.target.is_some() || self.knobs.get(&TARGET_SPEED) == 0.0
    }

    /// Returns the target length of a frame: the frame loop's own period if it has one, otherwise the display's.
    pub fn frame_period(&self) -> Nanos {
        let frame_loop = self.frame_loop.build(&self.knobs);
        let period = frame_loop.target_period();
        period.unwrap_or_else(|| self.display_period())
    }

    /// Returns true if frames wait for a simulated display that refreshes at fixed times.
    pub fn has_fixed_refresh(&self) -> bool {
        let is_fixed = self.knobs.get(&ADAPTIVE_SYNC) == 0.0 && self.frame_times.is_none();
        is_fixed && (self.frame_loop.make)().pace() == Pace::Display
    }

    /// Returns the mean of the recorded frame times if they replace a display that the frame loop waits for.
    pub fn recorded_mean(&self) -> Option<Nanos> {
        let recorded = self.frame_times.as_ref().map(|it| it.mean);
        recorded.filter(|_| (self.frame_loop.make)().pace() == Pace::Display)
    }

    /// Returns the period of the simulated display, or the median of the recorded frame times.
    pub fn display_period(&self) -> Nanos {
        let period = || Periods::new(self.knobs.get(&DISPLAY_HZ)).next_period();
        self.frame_times
            .as_ref()
            .map_or_else(period, |it| it.median)
    }

    /// Returns true if tasks run once per frame instead of in each update of a frame loop with a fixed step.
    pub fn runs_tasks_once(&self) -> bool {
        self.frame_loop.knobs.contains(&ONCE_PER_FRAME) && self.knobs.get(&ONCE_PER_FRAME) == 1.0
    }

    /// Returns the game time that should pass per second of real time.
    pub fn game_speed(&self) -> f64 {
        let has_speed = self.frame_loop.knobs.contains(&GAME_SPEED);
        if has_speed {
            self.knobs.get(&GAME_SPEED)
        } else {
            1.0
        }
    }

    /// Returns the game time that passes in an update that simulates this much real time.
    pub fn game_time(&self, real: Nanos) -> Nanos {
        match self.game_speed() {
            1.0 => real,
            // Return the step itself, because the real time that it corresponds to is rounded.
            _ if self.frame_loop.knobs.contains(&STEP) && !self.runs_tasks_once() => {
                self.knobs.span(&STEP)
            }
            speed => Nanos::from_nanos_f64(real.as_nanos() as f64 * speed),
        }
    }

    pub fn mean_cost(&self) -> Nanos {
        let by_knob = || self.knobs.span(&COST);
        self.own_costs.as_ref().map_or_else(by_knob, |it| it.mean)
    }

    /// Returns the mean number of tasks that are requested per frame, if each update serves all requests.
    pub fn requested_per_frame(&self) -> f64 {
        let frame = self.frame_period().as_secs_f64() * self.game_speed();
        let has_step = self.frame_loop.knobs.contains(&STEP) && !self.runs_tasks_once();
        let update = if has_step {
            self.knobs.span(&STEP).as_secs_f64()
        } else {
            frame
        };
        let eager = self.knobs.get(&EAGER) / 100.0;
        let per_s = requests_per_s(self.knobs.get(&REQUESTS), eager, update);
        self.knobs.get(&ENTITIES) * per_s * frame
    }

    /// Returns true if entities make requests, at random times or in a scheduled burst.
    pub fn has_requests(&self) -> bool {
        let mut scheduled = self.scheduled.iter();
        self.knobs.get(&REQUESTS) + self.knobs.get(&EAGER) > 0.0
            || scheduled.any(|it| it.effect.disturbance == Disturbance::Requests)
    }

    /// Returns the sum of the highest 1 % of the costs, as a fraction of the sum of all costs.
    pub fn tail(&self) -> f64 {
        /// The 99th percentile of the standard normal distribution.
        const P99: f64 = 2.326_348;
        self.own_costs.as_ref().map_or_else(
            || {
                // The spread is the standard deviation of a log-normal distribution divided by its mean.
                let sigma = world::log_variance(self.knobs.get(&COST_SPREAD)).sqrt();
                libm::erfc((P99 - sigma) / std::f64::consts::SQRT_2) / 2.0
            },
            Recording::tail,
        )
    }

    pub fn costs_differ(&self) -> bool {
        match &self.own_costs {
            Some(own) => own.cost_range()[0] != own.cost_range()[1],
            None => self.knobs.get(&COST_SPREAD) > 0.0,
        }
    }

    /// Returns the range of the task costs. If costs depend on the knobs, one in a thousand is above and one below it.
    pub fn cost_range(&self) -> [Nanos; 2] {
        /// One in a thousand normally distributed values is more than this many standard deviations above the mean.
        const ONE_IN_A_THOUSAND: f64 = 3.09;
        if let Some(own) = &self.own_costs {
            return own.cost_range();
        }
        let variance = world::log_variance(self.knobs.get(&COST_SPREAD));
        let median = self.knobs.get(&COST) * 1e3 * libm::exp(-variance / 2.0);
        [-ONE_IN_A_THOUSAND, ONE_IN_A_THOUSAND]
            .map(|rank| Nanos::from_nanos_f64(median * libm::exp(rank * variance.sqrt())))
    }

    /// Returns all settings in which `other` differs from `self`, except for the seed and the knobs of `ignored_owner`.
    pub fn changes_to(&self, other: &Self, ignored_owner: Option<Owner>) -> Vec<Setting> {
        let mut changes = vec![
            Setting::FrameLoop(other.frame_loop),
            Setting::Target(other.target),
        ];
        for (owner, knob) in all_knobs() {
            if Some(owner) != ignored_owner {
                changes.push(Setting::Knob(knob, other.knobs.get(knob)));
            }
        }
        changes.push(Setting::OwnCosts(other.own_costs.clone()));
        if ignored_owner != Some(Owner::Machine) {
            changes.push(Setting::FrameTimes(other.frame_times.clone()));
        }
        changes.push(Setting::Strategy(other.strategy));
        changes.retain(|change| !self.have(change));
        changes
    }

    /// Returns the flags of all settings that differ from their defaults, without the dashes, and their values.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        let default = Self::default();
        let changes = default.changes_to(self, None).into_iter();
        let seed = (self.seed != default.seed).then(|| ("seed", self.seed.to_string()));
        let scheduled = self.scheduled.iter().map(|it| ("at", it.flag()));
        let changes = changes.filter_map(|it| it.flag());
        let file = self.own_costs.as_ref().or(self.frame_times.as_ref());
        let of_files = file.into_iter().flat_map(|it| it.flags.to_vec());
        changes
            .chain(seed)
            .chain(scheduled)
            .chain(of_files)
            .collect()
    }

    pub(crate) fn have(&self, setting: &Setting) -> bool {
        match setting {
            Setting::FrameLoop(entry) => *entry == self.frame_loop,
            Setting::Target(point) => *point == self.target,
            Setting::Knob(knob, value) => knob.nearest(*value) == self.knobs.get(knob),
            Setting::Strategy(entry) => *entry == self.strategy,
            Setting::OwnCosts(own) => *own == self.own_costs,
            Setting::FrameTimes(times) => *times == self.frame_times,
        }
    }

    pub fn set(&mut self, setting: Setting) {
        match setting {
            Setting::FrameLoop(entry) => self.frame_loop = entry,
            Setting::Target(point) => self.target = point,
            Setting::Knob(knob, value) => self.knobs.set(knob, value),
            Setting::Strategy(entry) => self.strategy = entry,
            Setting::OwnCosts(own) => self.own_costs = own,
            Setting::FrameTimes(times) => self.frame_times = times,
        }
    }

    /// Returns true if the knob has an effect with these settings. For example, the knobs of other strategies and of
    /// other frame loops have no effect.
    pub fn is_concerned_by(&self, knob: &Knob) -> bool {
        let is_replaced = self.own_costs.is_some() && [COST, COST_SPREAD].contains(knob)
            || self.frame_times.is_some() && [DISPLAY_HZ, ADAPTIVE_SYNC].contains(knob);
        let is_ignored = is_replaced
            || [REQUESTS, EAGER].contains(knob) && !self.strategy.on_request()
            || *knob == COST_PER_RUN && !self.costs_differ();
        let is_of_strategy = self.strategy.reads(knob, &self.knobs);
        let is_of_loop = self.frame_loop.knobs.contains(knob);
        let is_of_workload = world::KNOBS.contains(knob) && !is_ignored;
        let is_of_machine = machine::KNOBS.contains(knob) && !is_replaced;
        is_of_workload || is_of_strategy || is_of_loop || is_of_machine || *knob == HITCH
    }
}

pub const FADE: Knob = Knob {
    key: "fade-ms",
    label: "Flash fade",
    min: 20.0,
    max: 10_000.0,
    default: 500.0,
    scale: Scale::Logarithmic { from: 20.0 },
    help: "Time that a capsule takes to fade from red to white after a run. After twice this time, the capsule is grey.",
    ..Knob::MILLIS
};

/// A frame that is longer than this many times its target counts as a hitch. Hitches are counted everywhere, and a
/// recommended setting must not cause any.
pub const HITCH: Knob = Knob {
    key: "hitch",
    label: "Hitch",
    unit: "x",
    min: 1.0,
    max: 10.0,
    default: 1.5,
    scale: Scale::Logarithmic { from: 1.0 },
    help: "A frame that takes longer than this many times its target is a hitch. The target is the display's period, or \
        the period of the loop Constant FPS.",
    ..Knob::NUMBER
};

/// The part of the program to which a knob belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Workload,
    /// A single strategy, or several strategies that share the knob.
    Strategy,
    FrameLoop,
    Machine,
    Limit,
    /// Knobs of the window, which do not affect the simulation.
    Window,
}

impl Owner {
    pub fn name(self) -> &'static str {
        match self {
            Self::Workload => "Workload",
            Self::Strategy => "Strategies",
            Self::FrameLoop => "Frame loops",
            Self::Machine => "Simulated machine",
            Self::Limit => "Limits of your game",
            Self::Window => "Window",
        }
    }
}

/// Returns each knob once, together with its owner. The knobs are sorted by their owners.
pub fn all_knobs() -> Vec<(Owner, &'static Knob)> {
    let mut all = Vec::new();
    let mut add =
        |owner, knobs: &'static [Knob]| all.extend(knobs.iter().map(|knob| (owner, knob)));
    add(Owner::Workload, world::KNOBS);
    for entry in STRATEGIES {
        add(Owner::Strategy, entry.knobs);
    }
    for entry in FRAME_LOOPS {
        add(Owner::FrameLoop, entry.knobs);
    }
    add(Owner::Machine, machine::KNOBS);
    add(Owner::Limit, &[HITCH]);
    add(Owner::Window, &[FADE]);
    add(Owner::Window, &SIZES);
    let mut keys = std::collections::BTreeSet::new();
    all.retain(|(_, knob)| keys.insert(knob.key));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_and_defaults_in_range() {
        let strategies = STRATEGIES.iter().map(|entry| entry.key);
        let frame_loops = FRAME_LOOPS.iter().map(|entry| entry.key);
        let all = all_knobs();
        let knobs = all.iter().map(|(_, knob)| knob.key);
        let mut keys = std::collections::BTreeSet::new();
        for key in strategies.chain(frame_loops).chain(knobs) {
            assert!(keys.insert(key), "{key}");
        }
        for (_, knob) in &all {
            assert!(knob.takes(knob.default), "{}", knob.key);
            let is_range = knob.min < knob.max;
            assert!(is_range && knob.help.ends_with('.'), "{}", knob.key);
        }
        let own = STRATEGIES.iter().flat_map(|entry| entry.knobs);
        for knob in own.chain(FRAME_LOOPS.iter().flat_map(|entry| entry.knobs)) {
            let (_, listed) = all.iter().find(|(_, listed)| *listed == knob).unwrap();
            assert_eq!(format!("{listed:?}"), format!("{knob:?}"), "two of one key");
        }
    }
}
