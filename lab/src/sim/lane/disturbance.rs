//! Disturbances that the user can inject into a running game to see how the strategy copes with them, or that happen at
//! given times of a simulation.
//!
//! To add a disturbance, add a variant, its entry and its effect. All of them are in this file.

use super::{Lane, Observer};
use crate::catalog::knob::Knob;
use crate::sim::machine::Machine;
use crate::sim::world::{COST, ENTITIES};
use crate::text::format;
use timeslicer::time::Nanos;

/// The kinds of disturbances with a size, in the order of [`SIZES`], and those without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    Stall,
    Births,
    Deaths,
    Requests,
    /// Makes one task expensive. Injecting this disturbance again restores the task's original cost.
    Heavy,
    /// Lowers the display's refresh rate. Injecting this disturbance again restores the original rate.
    SlowDisplay,
    /// Kills all entities. Injecting this disturbance again restores the original number of entities.
    KillAll,
}

/// A template for the numbers of entities that a disturbance concerns.
const COUNT: Knob = Knob {
    max: 1_000_000.0,
    default: 100.0,
    ..Knob::COUNT
};

/// The sizes of the window's disturbances, in the order of their effects. A scheduled disturbance has the same range.
pub static SIZES: [Knob; 6] = [
    Knob {
        key: "disturb-stall-ms",
        label: "Stall",
        max: 600_000.0,
        default: 500.0,
        help: "The machine stalls for this time.",
        ..Knob::MILLIS
    },
    Knob {
        key: "disturb-births",
        label: "Births",
        help: "This number of entities are born at once, up to a million in all.",
        ..COUNT
    },
    Knob {
        key: "disturb-deaths",
        label: "Deaths",
        help: "This number of random entities die at once, or all of them.",
        ..COUNT
    },
    Knob {
        key: "disturb-requests",
        label: "Requests",
        default: 400.0,
        help: "This number of random entities request a run at once. Only strategies on request respond.",
        ..COUNT
    },
    Knob {
        key: "disturb-task-us",
        label: "Costly task",
        unit: "µs",
        max: COST.max,
        default: 20_000.0,
        scale: COST.scale,
        help: "From then on, one random task has this cost.",
        ..Knob::NUMBER
    },
    Knob {
        key: "disturb-display-hz",
        label: "Slow display",
        unit: "Hz",
        max: 1_000.0,
        default: 30.0,
        whole: false,
        help: "The display's refresh rate falls to this value.",
        ..COUNT
    },
];

/// Returns the name of a kind of effect, such as `stall`, which is part of the key of its size.
pub fn kind(size: &Knob) -> &'static str {
    size.key.split('-').nth(1).unwrap_or_default()
}

/// What a disturbance does, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    Stall(Nanos),
    Births(usize),
    Deaths(usize),
    /// This number of random entities request a run at the same time.
    Requests(usize),
    /// From now on, one random task has this cost.
    Task(Nanos),
    /// Lowers the display's refresh rate to this number of frames per second.
    Display(f64),
}

impl Effect {
    /// Returns the effect with this name and size, or `None` if there is no such effect.
    pub fn of(kind: &str, size: f64) -> Option<Self> {
        let count = size as usize;
        Some(match kind {
            "stall" => Self::Stall(Nanos::from_nanos_f64(size * 1e6)),
            "births" => Self::Births(count),
            "deaths" => Self::Deaths(count),
            "requests" => Self::Requests(count),
            "task" => Self::Task(Nanos::from_micros_f64(size)),
            "display" => Self::Display(size),
            _ => return None,
        })
    }

    /// Returns the effect as a flag has it, such as `births=200`.
    pub fn flag(self) -> String {
        match self {
            Self::Stall(time) => format!("stall={}", time.as_millis_f64()),
            Self::Births(count) => format!("births={count}"),
            Self::Deaths(count) => format!("deaths={count}"),
            Self::Requests(count) => format!("requests={count}"),
            Self::Task(cost) => format!("task={}", cost.as_nanos() as f64 / 1e3),
            Self::Display(hz) => format!("display={hz}"),
        }
    }

    /// Returns a short label, such as `200 births`.
    fn label(self) -> String {
        match self {
            Self::Stall(time) => format!("Stall {}", format::time(time)),
            Self::Births(count) => format::counted(count as u64, "birth"),
            Self::Deaths(count) => format::counted(count as u64, "death"),
            Self::Requests(count) => format::counted(count as u64, "request"),
            Self::Task(cost) => format!("One {} task", format::time(cost)),
            Self::Display(hz) => format!("{} Hz display", format::number(hz)),
        }
    }
}

/// A disturbance that happens at a given time of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheduled {
    /// The time on the machine's clock. The disturbance happens in the first frame that starts then or later.
    pub at: Nanos,
    pub effect: Effect,
}

impl Scheduled {
    /// Adds the size of a disturbance of the same kind at the same time. Returns false if the other one is different.
    pub fn absorb(&mut self, other: Self) -> bool {
        match (&mut self.effect, other.effect) {
            _ if self.at != other.at => return false,
            (Effect::Stall(time), Effect::Stall(more)) => *time += more,
            (Effect::Births(count), Effect::Births(more))
            | (Effect::Deaths(count), Effect::Deaths(more))
            | (Effect::Requests(count), Effect::Requests(more)) => *count += more,
            _ => return false,
        }
        true
    }

    /// Returns a short label for the effect that the disturbance had, such as `200 births at 2 s`.
    fn label_of(&self, effect: Effect) -> String {
        format!("{} at {} s", effect.label(), self.at.in_seconds())
    }

    /// Returns the value of its flag, such as `2:births=200`.
    pub fn flag(&self) -> String {
        format!("{}:{}", self.at.in_seconds(), self.effect.flag())
    }
}

impl Disturbance {
    /// All disturbances, in the order in which their buttons appear.
    pub const ALL: [Self; 7] = [
        Self::Stall,
        Self::SlowDisplay,
        Self::Births,
        Self::Deaths,
        Self::Heavy,
        Self::Requests,
        Self::KillAll,
    ];

    /// Returns the name of the disturbance in the log.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Stall => "stall",
            Self::Births => "births",
            Self::Deaths => "deaths",
            Self::Heavy => "heavy",
            Self::Requests => "all-request",
            Self::SlowDisplay => "slow-display",
            Self::KillAll => "kill-all",
        }
    }

    /// Returns the knob for the size of the disturbance, if it has one.
    pub fn size(self) -> Option<&'static Knob> {
        SIZES.get(self as usize)
    }

    /// Returns a short label for the button of the disturbance.
    pub fn name(self) -> &'static str {
        self.size().map_or("Kill all", |size| size.label)
    }

    /// Returns sentences that describe the effect, for the tooltip of the button.
    pub fn explained(self) -> &'static str {
        match self {
            Self::Heavy => {
                "From now on, one random task has this cost. Repeat to restore its usual cost."
            }
            Self::SlowDisplay => {
                "The display's refresh rate falls to this value. Repeat to restore it."
            }
            Self::KillAll => "All entities die. Repeat to restore the population.",
            _ => self.size().map_or("", |size| size.help),
        }
    }
}

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Injects a disturbance. Injecting a lasting disturbance again undoes it. Returns a short label, or `None` if
    /// there was no effect.
    pub fn disturb(&mut self, disturbance: Disturbance) -> Option<String> {
        let population = self.game.world.tasks().len();
        let knobs = &self.game.settings.knobs;
        let size = disturbance.size();
        let effect = size.and_then(|size| Effect::of(kind(size), knobs.get(size)));
        let heavy = self.game.world.heavy();
        let (label, effect) = match (disturbance, heavy, effect) {
            (Disturbance::Heavy, Some((_, cost)), _) => {
                self.game.world.set_heavy_task(None);
                self.changed();
                (format!("{} task removed", format::time(cost)), None)
            }
            (Disturbance::SlowDisplay, ..) if self.has_slow_display() => {
                self.set_slow_display(None);
                ("Display restored".to_owned(), None)
            }
            (_, _, Some(Effect::Display(hz))) => {
                self.set_slow_display(Some(hz)); // even if the display is slower
                (Effect::Display(hz).label(), None)
            }
            (_, _, Some(effect)) => self.labelled(effect)?,
            (Disturbance::KillAll, ..) if population > 0 => {
                self.set_knob(&ENTITIES, 0.0);
                (disturbance.name().to_owned(), None)
            }
            _ => {
                let killed = self.population_before_none.take();
                let count = killed.unwrap_or(ENTITIES.default as usize);
                self.labelled(Effect::Births(count))?
            }
        };
        self.disturbed(&label, effect);
        Some(label)
    }

    fn labelled(&mut self, effect: Effect) -> Option<(String, Option<Effect>)> {
        let effect = self.apply(effect)?;
        Some((effect.label(), Some(effect)))
    }

    /// Injects the disturbances that are due when a frame starts. Unlike those that the user injects, they belong to the
    /// simulation, so they do not reset its metrics.
    pub(super) fn inject_scheduled(&mut self, start: Nanos) {
        while let Some(&scheduled) = self.game.settings.scheduled.get(self.injected)
            && scheduled.at <= start
        {
            self.injected += 1;
            self.is_scheduled = true;
            match self.apply(scheduled.effect) {
                Some(effect) => self.disturbed(&scheduled.label_of(effect), Some(effect)),
                None => self.without_effect.push(scheduled),
            }
            self.is_scheduled = false;
        }
    }

    /// Describes the scheduled disturbances that had no effect, and those that have not happened yet.
    pub fn idle_disturbances(&self) -> impl Iterator<Item = String> {
        let label = |it: &Scheduled| it.label_of(it.effect);
        let without = self.without_effect.iter();
        let without = without.map(move |it| format!("{}: no effect", label(it)));
        let later = self.game.settings.scheduled[self.injected..].iter();
        without.chain(later.map(move |it| format!("{}: not reached", label(it))))
    }

    fn disturbed(&mut self, label: &str, effect: Option<Effect>) {
        self.is_disturbed = true;
        let heavy = self.game.world.heavy_task();
        let heavy = heavy.filter(|_| matches!(effect, Some(Effect::Task(_))));
        let observer = &mut self.game.observer;
        observer.disturbed(label, self.begun, effect, heavy, self.is_scheduled);
    }

    /// Does what a disturbance does, without reporting it. Returns what it did, or `None` if there was no effect.
    fn apply(&mut self, effect: Effect) -> Option<Effect> {
        let population = self.game.world.tasks().len();
        match effect {
            Effect::Stall(time) => self.stall_ahead += time,
            Effect::Births(count) => {
                self.set_knob(&ENTITIES, (population + count) as f64);
                let births = self.game.world.tasks().len().checked_sub(population)?;
                return (births > 0).then_some(Effect::Births(births));
            }
            Effect::Deaths(count) => {
                let deaths = population.min(count);
                for _ in 0..deaths {
                    if let Some(victim) = self.game.world.random_task() {
                        self.game.kill(&[victim]);
                    }
                }
                self.set_knob(&ENTITIES, (population - deaths) as f64);
                return (deaths > 0).then_some(Effect::Deaths(deaths));
            }
            Effect::Requests(count) => {
                if !self.game.settings.strategy.on_request() || population == 0 {
                    return None;
                }
                let tasks = self.game.world.random_tasks(count);
                for &task in &tasks {
                    self.game.request(task);
                }
                return Some(Effect::Requests(tasks.len()));
            }
            Effect::Task(cost) => {
                let task = self.game.world.random_task()?;
                self.game.world.set_heavy_task(Some((task, cost)));
                self.changed();
            }
            Effect::Display(hz) => {
                let is_slower = Nanos::from_secs_f64(1.0 / hz) > self.display_period;
                is_slower.then(|| self.set_slow_display(Some(hz)))?;
            }
        }
        Some(effect)
    }

    fn set_slow_display(&mut self, hz: Option<f64>) {
        self.slow_display_hz = hz;
        self.game.machine.slow_display(hz);
        self.changed();
    }

    /// Copies the lasting effects of disturbances from another lane: a slow display, an expensive task, and the number
    /// of entities to restore.
    pub fn inherit(&mut self, other: &Self) {
        self.population_before_none = other.population_before_none;
        let world = &mut self.game.world;
        let heavy = other.world().heavy();
        let heavy = heavy.and_then(|(task, cost)| Some((world.tasks().at(task.index)?, cost)));
        world.set_heavy_task(heavy);
        if other.has_slow_display() {
            self.set_slow_display(other.slow_display_hz);
        }
    }
}
