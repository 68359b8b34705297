//! Changes to a running lane: settings and disturbances.

use super::{Disturbed, Lane, Observer, simulated_period};
use crate::sim::disturbance::{Disturbance, HEAVY, POPULATION_STEP, SLOW_HZ, STALL};
use crate::sim::machine::{self, DISPLAY_HZ, Machine};
use crate::sim::projectile::{Body, Projectile};
use crate::sim::settings::{Setting, Settings};
use crate::sim::world::{self, ENTITIES, Point};
use crate::text::format;
use timeslicer::frame_loop::FrameLoopEntry;
use timeslicer::knob::Knob;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::StrategyEntry;
use timeslicer::strategy::knobs::AS_PUBLISHED;
use timeslicer::time::Nanos;

impl<M: Machine, O: Observer> Lane<M, O> {
    pub fn set(&mut self, setting: Setting) {
        match setting {
            Setting::FrameLoop(entry) => self.set_frame_loop(entry),
            Setting::Target(point) => self.pin_target(point),
            Setting::Knob(knob, value) => self.set_knob(knob, value),
            Setting::Strategy(entry) => self.set_strategy(entry),
        }
    }

    /// Sets a knob of the running lane. A new number of entities takes effect at once: entities are born, or those in
    /// the last places die. A knob of the frame loop restarts the body's flight, because a flight with mixed steps is
    /// not comparable. A knob that selects another form of the strategy switches to it.
    pub fn set_knob(&mut self, knob: &Knob, value: f64) {
        let before = self.settings.knobs.get(knob);
        self.settings.knobs.set(knob, value);
        if self.settings.knobs.get(knob) == before {
            return;
        }
        let is_concerned = self.settings.is_concerned_by(knob);
        if *knob == AS_PUBLISHED {
            if is_concerned {
                self.set_strategy(self.settings.strategy);
            }
            return;
        }
        if is_concerned {
            self.changed();
        }
        self.tune(knob);
        if *knob == DISPLAY_HZ {
            self.display_period = simulated_period(&self.settings);
        }
        if *knob == ENTITIES {
            let count = self.settings.knobs.get(&ENTITIES) as usize;
            let before = self.game.world.tasks().len();
            if before > 0 && count == 0 {
                self.population_before_none = Some(before);
            }
            self.game.populate(count);
        }
    }

    /// Passes the new value of a knob to the parts that have it.
    fn tune(&mut self, knob: &Knob) {
        let Settings {
            strategy,
            frame_loop,
            knobs,
            ..
        } = &self.settings;
        if world::KNOBS.contains(knob) {
            self.game.world.tune(knobs);
        }
        if strategy.reads(knob, knobs) {
            self.game.strategy.tune(knobs);
        }
        if frame_loop.knobs.contains(knob) {
            self.frame_loop.tune(knobs);
            self.game.body = Body::default();
        }
        if machine::KNOBS.contains(knob) {
            self.game.machine.tune(knobs);
        }
    }

    /// Changes the strategy of the running lane. Entities keep their history, so elapsed times continue. The new
    /// strategy starts as it would in a new lane, with the stalest entity first. Requests still open in the old
    /// strategy are dropped, so that the switch causes no burst.
    pub fn set_strategy(&mut self, strategy: &'static StrategyEntry) {
        self.settings.strategy = strategy;
        self.game.strategy = strategy.build(&self.settings.knobs);
        self.game.on_request = strategy.on_request();

        let tasks = self.game.world.tasks();
        let first = self.game.world.stalest().map_or(0, |task| task.index);
        let order = (first..tasks.end())
            .chain(0..first)
            .filter_map(|index| tasks.at(index));
        order.for_each(|task| self.game.strategy.insert(task));
        self.game.observer.strategy_switched();
        self.changed();
    }

    /// Changes the frame loop of the running lane. The new loop starts as it would in a new lane, with a delta of zero
    /// and deadlines counted from now, so that the switch causes no burst. Projectile and body start again.
    pub fn set_frame_loop(&mut self, frame_loop: &'static FrameLoopEntry) {
        self.settings.frame_loop = frame_loop;
        self.frame_loop = (frame_loop.make)();
        self.frame_loop.tune(&self.settings.knobs);
        self.loop_begins = true;
        self.projectile = Projectile::default();
        self.game.body = Body::default();
        self.pace = self.frame_loop.pace();
        self.changed();
    }

    fn changed(&mut self) {
        let (clock, now) = (self.game.machine.clock(), self.game.now);
        self.game.observer.changed(clock, now);
    }

    /// Pins the target, so that it rests at `point` whatever the pointer does; with `None` it moves again. Figures
    /// restart, because the theoretical bounds hold only while the target rests.
    pub fn pin_target(&mut self, point: Option<Point>) {
        if point != self.settings.target {
            self.settings.target = point;
            self.game.world.pin_target(point);
            self.changed();
        }
    }

    /// Sets the pointer that the target follows unless it is pinned; with `None` it moves along its orbit.
    pub fn set_pointer(&mut self, pointer: Option<Point>) {
        self.game.world.set_pointer(pointer);
    }

    /// Requests a run of the task, if it is alive.
    pub fn request(&mut self, task: TaskId) {
        if self.game.world.tasks().contains(task) {
            self.game.request(task);
        }
    }

    /// Sets the display's period. On a simulated machine it follows the knob; on the host the window measures it.
    pub fn set_display_period(&mut self, period: Nanos) {
        self.display_period = period;
    }
}

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Injects `disturbance`. Injecting [`Disturbance::SlowDisplay`] or [`Disturbance::KillAll`] again restores the
    /// display or the number of entities. Returns a label of two or three words; `None` if there was no effect.
    pub fn disturb(&mut self, disturbance: Disturbance) -> Option<String> {
        let count = self.game.world.tasks().len();
        let mut heavy = None;
        let own_name = disturbance.name().to_owned();
        let name = match disturbance {
            Disturbance::Stall => {
                self.stall_ahead += STALL;
                own_name
            }
            Disturbance::Births => self.repopulate(count + POPULATION_STEP)?,
            Disturbance::Deaths => {
                for _ in 0..POPULATION_STEP {
                    if let Some(victim) = self.game.world.random_task() {
                        self.game.death(victim);
                    }
                }
                let left = self.game.world.tasks().len();
                self.set_knob(&ENTITIES, left as f64);
                let died = count - left;
                (died > 0).then(|| format::counted(died as u64, "death"))?
            }
            Disturbance::Heavy => {
                let task = self.game.world.random_task()?;
                self.game.world.make_heavy(task, HEAVY);
                heavy = Some(task);
                self.changed();
                own_name
            }
            Disturbance::AllRequest => {
                let all: Vec<TaskId> = self.game.world.tasks().iter().collect();
                if !self.game.on_request || all.is_empty() {
                    return None;
                }
                for task in all {
                    self.game.request(task);
                }
                own_name
            }
            Disturbance::SlowDisplay => {
                self.set_slow_display(!self.has_slow_display);
                if self.has_slow_display {
                    own_name
                } else {
                    "Display restored".to_owned()
                }
            }
            Disturbance::KillAll if count > 0 => {
                self.set_knob(&ENTITIES, 0.0);
                own_name
            }
            Disturbance::KillAll => {
                let before = self.population_before_none.take();
                self.repopulate(before.unwrap_or(ENTITIES.default as usize))?
            }
        };
        self.game.observer.disturbed(&Disturbed {
            disturbance,
            name: &name,
            first_frame: self.begun,
            heavy,
        });
        Some(name)
    }

    /// Sets the number of entities, within its knob's range. Returns a label with the number of births; `None` if there
    /// were none.
    fn repopulate(&mut self, to: usize) -> Option<String> {
        let before = self.game.world.tasks().len();
        self.set_knob(&ENTITIES, ENTITIES.nearest(to as f64));
        let born = self.game.world.tasks().len().saturating_sub(before);
        (born > 0).then(|| format::counted(born as u64, "birth"))
    }

    fn set_slow_display(&mut self, slow: bool) {
        self.has_slow_display = slow;
        self.game.machine.slow_display(slow.then_some(SLOW_HZ));
        self.changed();
    }

    /// Takes over the lasting effects of disturbances from the lane `other`: a slow display, heavy tasks, and the
    /// number of entities to restore.
    pub fn inherit(&mut self, other: &Self) {
        self.population_before_none = other.population_before_none;
        let world = &mut self.game.world;
        for (index, cost) in other.world().heavy() {
            if let Some(task) = world.tasks().at(index) {
                world.make_heavy(task, cost);
            }
        }
        if other.has_slow_display {
            self.set_slow_display(true);
        }
    }
}
