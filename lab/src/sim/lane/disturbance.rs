//! Disturbances that the user can inject into a running game to see how the strategy copes with them.
//!
//! To add a disturbance, add a variant, its entry and its effect. All of them are in this file.

use super::{Lane, Observer};
use crate::sim::machine::Machine;
use crate::sim::world::ENTITIES;
use crate::text::format;
use timeslicer::time::Nanos;

pub const STALL: Nanos = Nanos::from_millis(500);
const POPULATION_STEP: usize = 100;
pub const SLOW_HZ: f64 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    Stall,
    Births,
    Deaths,
    /// Makes one task cost [`HEAVY`](crate::sim::world::HEAVY). Injecting this disturbance again restores the task's
    /// original cost.
    Heavy,
    AllRequest,
    /// Lowers the display's refresh rate to [`SLOW_HZ`]. Injecting this disturbance again restores the original rate.
    SlowDisplay,
    /// Kills all entities. Injecting this disturbance again restores the original number of entities.
    KillAll,
}

/// The words of a disturbance.
pub struct Entry {
    pub key: &'static str,
    /// A short label for the button of the disturbance and for its marks in the plots.
    pub name: &'static str,
    /// A sentence that describes the effect, for the tooltip of the button.
    pub explained: &'static str,
}

impl Disturbance {
    /// All disturbances, in the order in which their buttons appear.
    pub const ALL: [Self; 7] = [
        Self::Stall,
        Self::SlowDisplay,
        Self::Births,
        Self::Deaths,
        Self::Heavy,
        Self::AllRequest,
        Self::KillAll,
    ];

    pub const fn entry(self) -> Entry {
        match self {
            Self::Stall => Entry {
                key: "stall",
                name: "Stall 500 ms",
                explained: "Stalls the machine for half a second.",
            },
            Self::Births => Entry {
                key: "births",
                name: "100 births",
                explained: "Adds 100 entities at once.",
            },
            Self::Deaths => Entry {
                key: "deaths",
                name: "100 deaths",
                explained: "Kills 100 random entities at once.",
            },
            Self::Heavy => Entry {
                key: "heavy",
                name: "One 20 ms task",
                explained: "Makes one entity's task cost 20 ms. Repeat to restore the usual cost.",
            },
            Self::AllRequest => Entry {
                key: "all-request",
                name: "All request",
                explained: "Makes all entities request a run at the same time. Only event-driven strategies respond.",
            },
            Self::SlowDisplay => Entry {
                key: "slow-display",
                name: "30 Hz display",
                explained: "Slows the display down to 30 Hz. Repeat to restore it.",
            },
            Self::KillAll => Entry {
                key: "kill-all",
                name: "Kill all",
                explained: "Kills all entities. Repeat to restore the population.",
            },
        }
    }
}

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Injects a disturbance. Injecting a lasting disturbance again undoes it. Returns a short label, or `None` if
    /// there was no effect.
    pub fn disturb(&mut self, disturbance: Disturbance) -> Option<String> {
        let label = self.apply(disturbance)?;
        self.is_disturbed = true;
        let heavy = self.game.world.heavy_task();
        let new_heavy = heavy.filter(|_| disturbance == Disturbance::Heavy);
        self.game.observer.disturbed(&label, self.begun, new_heavy);
        Some(label)
    }

    /// Does what the disturbance does, without reporting it. Returns the same label as [`Lane::disturb`].
    fn apply(&mut self, disturbance: Disturbance) -> Option<String> {
        let population = self.game.world.tasks().len();
        let mut label = disturbance.entry().name;
        match disturbance {
            Disturbance::Stall => self.stall_ahead += STALL,
            Disturbance::Births => return self.set_population(population + POPULATION_STEP),
            Disturbance::Deaths => {
                let deaths = population.min(POPULATION_STEP);
                for _ in 0..deaths {
                    if let Some(victim) = self.game.world.random_task() {
                        self.game.kill(&[victim]);
                    }
                }
                self.set_knob(&ENTITIES, (population - deaths) as f64);
                return (deaths > 0).then(|| format::counted(deaths as u64, "death"));
            }
            Disturbance::Heavy => {
                let world = &mut self.game.world;
                if world.heavy_task().is_some() {
                    world.set_heavy_task(None);
                    label = "20 ms task removed";
                } else {
                    let task = world.random_task()?;
                    world.set_heavy_task(Some(task));
                }
                self.changed();
            }
            Disturbance::AllRequest => {
                if !self.game.settings.strategy.on_request() || population == 0 {
                    return None;
                }
                for task in self.game.world.tasks().iter().collect::<Vec<_>>() {
                    self.game.request(task);
                }
            }
            Disturbance::SlowDisplay => {
                self.set_slow_display(!self.has_slow_display);
                if !self.has_slow_display {
                    label = "Display restored";
                }
            }
            Disturbance::KillAll if population > 0 => self.set_knob(&ENTITIES, 0.0),
            Disturbance::KillAll => {
                let killed = self.population_before_none.take();
                return self.set_population(killed.unwrap_or(ENTITIES.default as usize));
            }
        }
        Some(label.to_owned())
    }

    /// Sets the number of entities. Returns a label with the number of births, or `None` if there are none.
    fn set_population(&mut self, count: usize) -> Option<String> {
        let before = self.game.world.tasks().len();
        self.set_knob(&ENTITIES, count as f64);
        let births = self.game.world.tasks().len().checked_sub(before)?;
        (births > 0).then(|| format::counted(births as u64, "birth"))
    }

    fn set_slow_display(&mut self, slow: bool) {
        self.has_slow_display = slow;
        self.game.machine.slow_display(slow.then_some(SLOW_HZ));
        self.changed();
    }

    /// Copies the lasting effects of disturbances from another lane: a slow display, an expensive task, and the number
    /// of entities to restore.
    pub fn inherit(&mut self, other: &Self) {
        self.population_before_none = other.population_before_none;
        let world = &mut self.game.world;
        let heavy = other.world().heavy_task();
        world.set_heavy_task(heavy.and_then(|task| world.tasks().at(task.index)));
        if other.has_slow_display {
            self.set_slow_display(true);
        }
    }
}
