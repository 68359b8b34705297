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

/// The kinds of disturbances, in the order of [`SIZES`].
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
}

/// A template for knobs that set how many entities a disturbance affects.
const COUNT: Knob = Knob {
    max: 1_000_000.0,
    default: 100.0,
    ..Knob::COUNT
};

/// The knobs for the sizes of the disturbances that the window can inject. Scheduled disturbances have the same ranges.
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
        help: "This many entities are born at the same time. There are never more than a million.",
        ..COUNT
    },
    Knob {
        key: "disturb-deaths",
        label: "Deaths",
        help: "This many random entities die at the same time, or all if there are fewer.",
        ..COUNT
    },
    Knob {
        key: "disturb-requests",
        label: "Requests",
        default: 400.0,
        help: "This many random entities request a run at the same time. Only event-driven strategies respond.",
        ..COUNT
    },
    Knob {
        key: "disturb-task-us",
        label: "Costly task",
        unit: "µs",
        max: COST.max,
        default: 20_000.0,
        scale: COST.scale,
        help: "A randomly chosen task costs this much from then on.",
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

impl Disturbance {
    /// All disturbances, in the order in which their buttons appear.
    pub const ALL: [Self; 6] = [
        Self::Stall,
        Self::SlowDisplay,
        Self::Births,
        Self::Deaths,
        Self::Heavy,
        Self::Requests,
    ];

    /// Returns the name of the disturbance in flags and in the log. It is part of the key of its size.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Stall => "stall",
            Self::Births => "births",
            Self::Deaths => "deaths",
            Self::Requests => "requests",
            Self::Heavy => "task",
            Self::SlowDisplay => "display",
        }
    }

    pub fn by_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.key() == key)
    }

    pub fn size(self) -> &'static Knob {
        &SIZES[self as usize]
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
            _ => self.size().help,
        }
    }

    pub fn of_size(self, size: f64) -> Effect {
        Effect {
            disturbance: self,
            size,
        }
    }
}

/// A disturbance with its size, in the unit of its knob.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    pub disturbance: Disturbance,
    pub size: f64,
}

impl Effect {
    /// Returns a short label, such as `200 births`.
    fn label(self) -> String {
        let counted = |thing| format::counted(self.size as u64, thing);
        match self.disturbance {
            Disturbance::Stall => format!("Stall {}", format::time(self.time())),
            Disturbance::Births => counted("birth"),
            Disturbance::Deaths => counted("death"),
            Disturbance::Requests => counted("request"),
            Disturbance::Heavy => format!("One {} task", format::time(self.time())),
            Disturbance::SlowDisplay => format!("{} Hz display", format::number(self.size)),
        }
    }

    /// Returns the size of a stall, or the cost of a task.
    fn time(self) -> Nanos {
        self.disturbance.size().span(self.size)
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
    /// If `other` is of the same kind and at the same time, adds its size to this disturbance and returns true. Returns
    /// false if it differs, or if its kind does not add up, such as an expensive task.
    pub fn absorb(&mut self, other: Self) -> bool {
        let kind = self.effect.disturbance;
        let adds_up = !matches!(kind, Disturbance::Heavy | Disturbance::SlowDisplay);
        let is_same = adds_up && self.at == other.at && kind == other.effect.disturbance;
        if is_same {
            self.effect.size += other.effect.size;
        }
        is_same
    }

    /// Returns a short label for the effect that the disturbance had, such as `200 births at 2 s`.
    fn label_of(&self, effect: Effect) -> String {
        format!("{} at {} s", effect.label(), self.at.in_seconds())
    }

    /// Returns the value of the flag that schedules this disturbance, such as `2:births=200`.
    pub fn flag(&self) -> String {
        let Effect { disturbance, size } = self.effect;
        format!("{}:{}={size}", self.at.in_seconds(), disturbance.key())
    }
}

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Injects a disturbance. Injecting a lasting disturbance again undoes it. Returns a short label, or `None` if
    /// there was no effect.
    pub fn disturb(&mut self, disturbance: Disturbance) -> Option<String> {
        let heavy = self.game.world.heavy();
        let effect = disturbance.of_size(self.game.settings.knobs.get(disturbance.size()));
        let (label, effect) = match (disturbance, heavy) {
            (Disturbance::Heavy, Some((_, cost))) => {
                self.game.world.set_heavy_task(None);
                self.changed();
                (format!("{} task removed", format::time(cost)), None)
            }
            (Disturbance::SlowDisplay, _) if self.has_slow_display() => {
                self.set_slow_display(None);
                ("Display restored".to_owned(), None)
            }
            (Disturbance::SlowDisplay, _) => {
                self.set_slow_display(Some(effect.size)); // even if the display is slower
                (effect.label(), None)
            }
            _ => {
                let effect = self.apply(effect)?;
                (effect.label(), Some(effect))
            }
        };
        self.disturbed(&label, effect);
        Some(label)
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
        let heavy = self.game.world.heavy().map(|(task, _)| task);
        let heavy = heavy.filter(|_| effect.is_some_and(|it| it.disturbance == Disturbance::Heavy));
        let observer = &mut self.game.observer;
        observer.disturbed(label, self.begun, effect, heavy, self.is_scheduled);
    }

    /// Does what a disturbance does, without reporting it. Returns what it did, or `None` if there was no effect.
    fn apply(&mut self, mut effect: Effect) -> Option<Effect> {
        let population = self.game.world.tasks().len();
        let count = effect.size as usize;
        match effect.disturbance {
            Disturbance::Stall => self.stall_ahead += effect.time(),
            Disturbance::Births => {
                self.set_knob(&ENTITIES, (population + count) as f64);
                let births = self.game.world.tasks().len().checked_sub(population)?;
                effect.size = births as f64;
            }
            Disturbance::Deaths => {
                let deaths = population.min(count);
                for _ in 0..deaths {
                    if let Some(victim) = self.game.world.random_task() {
                        self.game.kill(&[victim]);
                    }
                }
                self.set_knob(&ENTITIES, (population - deaths) as f64);
                effect.size = deaths as f64;
            }
            Disturbance::Requests => {
                if !self.game.settings.strategy.on_request() || population == 0 {
                    return None;
                }
                let tasks = self.game.world.random_tasks(count);
                for &task in &tasks {
                    self.game.request(task);
                }
                effect.size = tasks.len() as f64;
            }
            Disturbance::Heavy => {
                let task = self.game.world.random_task()?;
                self.game.world.set_heavy_task(Some((task, effect.time())));
                self.changed();
            }
            Disturbance::SlowDisplay => {
                let is_slower = Nanos::from_secs_f64(1.0 / effect.size) > self.display_period;
                is_slower.then(|| self.set_slow_display(Some(effect.size)))?;
            }
        }
        let is_crowd = [Disturbance::Births, Disturbance::Deaths].contains(&effect.disturbance);
        (effect.size > 0.0 || !is_crowd).then_some(effect)
    }

    fn set_slow_display(&mut self, hz: Option<f64>) {
        self.slow_display_hz = hz;
        self.game.machine.slow_display(hz);
        self.changed();
    }

    /// Copies the lasting effects of disturbances from another lane: a slow display and an expensive task.
    pub fn inherit(&mut self, other: &Self) {
        let world = &mut self.game.world;
        let heavy = other.world().heavy();
        let heavy = heavy.and_then(|(task, cost)| Some((world.tasks().at(task.index)?, cost)));
        world.set_heavy_task(heavy);
        if other.has_slow_display() {
            self.set_slow_display(other.slow_display_hz);
        }
    }
}
