//! Changes to a running lane.

use super::changed_places::ChangedPlaces;
use super::display::Display;
use super::{Lane, Observer};
use crate::sim::gaze_error::Gazes;
use crate::sim::machine::{DISPLAY_HZ, Machine};
use crate::sim::projectile::{Body, Projectile};
use crate::sim::settings::Setting;
use crate::sim::world::{ENTITIES, Point};
use timeslicer::frame_loop::FrameLoopEntry;
use timeslicer::knob::Knob;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::StrategyEntry;
use timeslicer::strategy::knobs::AS_PUBLISHED;
use timeslicer::time::Nanos;

/// Strategy, frame loop, knobs, requests.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// Changes a setting of the running lane.
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
        if *knob == AS_PUBLISHED {
            if self.settings.knobs.get(knob) != before && self.settings.is_concerned_by(knob) {
                self.set_strategy(self.settings.strategy);
            }
            return;
        }
        if self.settings.knobs.get(knob) != before && self.settings.is_concerned_by(knob) {
            self.changed();
        }
        if *knob == DISPLAY_HZ {
            self.display.own_period = Display::of(&self.settings).own_period;
        }
        let mut own = self.settings.frame_loop.knobs.iter();
        if own.any(|own| own == knob) && self.settings.knobs.get(knob) != before {
            self.game.body = Body::default();
        }
        let knobs = &self.settings.knobs;
        self.game.world.tune(knobs);
        self.game.strategy.tune(knobs);
        self.game.machine.tune(knobs);
        self.frame_loop.tune(knobs);
        if *knob == ENTITIES {
            let (before, count) = (self.game.world.tasks().len(), knobs.get(&ENTITIES) as usize);
            if before > 0 && count == 0 {
                self.population_before_none = Some(before);
            }
            self.game.populate(count);
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

    /// Reports a change to the observer.
    pub(super) fn changed(&mut self) {
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
        self.display.own_period = period;
    }
}

/// Parts, measurements and lists.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// Returns the lane's machine, to set its clock or to stall it.
    pub fn machine_mut(&mut self) -> &mut M {
        &mut self.game.machine
    }

    /// Returns the lane's observer.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.game.observer
    }

    /// Measures the gaze error ([`crate::sim::gaze_error`]) of every frame from now on. This takes a few microseconds
    /// per frame.
    pub fn measure_gazes(&mut self) {
        self.gazes = Some(Gazes::default());
    }

    /// Limits [`Lane::runs`] to the first `limit` runs of each frame; later runs are only counted. A listed run takes
    /// 48 bytes, and a frame on a slow machine may have many updates with a million runs each.
    pub fn list_runs(&mut self, limit: usize) {
        self.game.events.most_listed = limit;
    }

    /// Collects the places of runs, births and deaths from now on, for [`Lane::take_changed_places`].
    pub fn collect_changed_places(&mut self) {
        self.game.events.changed_places = Some(ChangedPlaces::default());
    }

    /// Swaps `places`, which must be empty, with the set of places that changed since the last call. Does nothing
    /// without [`Lane::collect_changed_places`].
    pub fn take_changed_places(&mut self, places: &mut ChangedPlaces) {
        if let Some(changed) = &mut self.game.events.changed_places {
            std::mem::swap(changed, places);
        }
    }

    /// Clears runs, updates, births and deaths. Call this after a picture of the lane has used them.
    pub fn clear_events(&mut self) {
        self.game.events.clear();
    }
}
