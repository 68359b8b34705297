//! Compares all frame loops. Each loop runs on two machines and fires the same shot on both. One machine is fast and the
//! other one slow, or only one of them has a clock with jitter.
//!
//! The machines are simulated, and their clocks advance together. The comparison shows whether the game behaves the
//! same on both machines. It checks whether the game runs at the same speed, whether updates have the same step length,
//! and whether the shot ends at the same position.

mod loop_machine;
pub mod projectile;
mod verdict;

use crate::catalog::frame_loop::knobs::{ONCE_PER_FRAME, SNAP, STEP};
use crate::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use crate::catalog::knob::{Knob, KnobValues};
pub use loop_machine::{LoopMachine, LoopStats, Sample};

use super::driver::Driver;
use crate::sim::disturbance::Disturbance;
use crate::sim::machine::{self, ADAPTIVE_SYNC, DISPLAY_HZ, JITTER_MS, RENDER_MS, SPEED};
use crate::sim::settings::{HITCH, Owner, all_knobs};
use crate::sim::world::{COST, ENTITIES};
use projectile::{LAP, Motion};
use timeslicer::time::{ClockTime, Nanos};

/// The maximum number of frames per call of [`LoopComparison::advance`], so that a call takes only a few milliseconds
/// and the window stays responsive. After a knob change, machines simulate the last few seconds again. At a very high
/// frame rate, this takes several calls.
const MAX_FRAMES: u64 = 50_000;

/// The default cost of a task in microseconds. It is so high that tasks clearly slow down the slow machine.
const DEFAULT_COST_MICROS: f64 = 1000.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];
}

/// The two machines that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machines {
    /// A fast machine with a 144 Hz display, which draws a frame in 3 ms, and a slow one with a 60 Hz display, which
    /// takes 50 ms and shows each frame for at least four refreshes.
    FastAndSlow,
    /// Two equal machines with 60 Hz displays. Only the clock of the second one has jitter. The step is as long as a
    /// frame, and `SNAP` is off, so that jitter alone can change the number of updates per frame.
    ExactAndJittery,
}

impl Machines {
    pub const ALL: [Self; 2] = [Self::FastAndSlow, Self::ExactAndJittery];

    pub fn names(self) -> [&'static str; 2] {
        match self {
            Self::FastAndSlow => ["fast", "slow"],
            Self::ExactAndJittery => ["exact", "jittery"],
        }
    }

    pub fn titles(self) -> [&'static str; 2] {
        match self {
            Self::FastAndSlow => ["Fast machine", "Slow machine"],
            Self::ExactAndJittery => ["Exact clock", "Jittery clock"],
        }
    }

    fn knobs(self, side: Side) -> Vec<(&'static Knob, f64)> {
        match (self, side) {
            (Self::FastAndSlow, Side::Left) => {
                vec![(&DISPLAY_HZ, 144.0), (&SPEED, 2.0), (&RENDER_MS, 3.0)]
            }
            (Self::FastAndSlow, Side::Right) => {
                vec![(&DISPLAY_HZ, 60.0), (&SPEED, 0.5), (&RENDER_MS, 50.0)]
            }
            (Self::ExactAndJittery, _) => {
                let jitter = if side == Side::Right { 0.3 } else { 0.0 };
                vec![
                    (&DISPLAY_HZ, 60.0),
                    (&RENDER_MS, 3.0),
                    (&JITTER_MS, jitter),
                    (&STEP, 1000.0 / 60.0),
                    (&SNAP, 0.0),
                ]
            }
        }
    }
}

pub struct LoopComparison {
    pub machines: Machines,
    pub rows: Vec<LoopRow>,
    knobs: [KnobValues; 2],
    driver: Driver,
}

pub struct LoopRow {
    pub entry: &'static FrameLoopEntry,
    /// The frame loop on each machine.
    pub loop_machines: [LoopMachine; 2],
}

/// Returns the knobs that always have the same value on both machines: the cost of a task, the length of a hitch, and
/// all frame loop knobs except `ONCE_PER_FRAME`, which would move the tasks out of the updates that are compared.
pub fn shared_knobs() -> impl Iterator<Item = &'static Knob> {
    let of_loops = all_knobs()
        .into_iter()
        .filter(|(owner, knob)| *owner == Owner::FrameLoop && **knob != ONCE_PER_FRAME);
    [&COST, &HITCH]
        .into_iter()
        .chain(of_loops.map(|(_, knob)| knob))
}

/// Returns the initial knob values of both machines. The values in `given` are used for the shared knobs, for adaptive
/// sync, and for the jitter of the second machine.
fn initial_knobs(machines: Machines, given: &KnobValues) -> [KnobValues; 2] {
    Side::BOTH.map(|side| {
        let mut knobs = KnobValues::with(&machines.knobs(side));
        knobs.set(&ADAPTIVE_SYNC, given.get(&ADAPTIVE_SYNC));
        if let Some(jitter) = given.given(&JITTER_MS).filter(|_| side == Side::Right) {
            knobs.set(&JITTER_MS, jitter);
        }
        knobs.set(&ENTITIES, 1.0);
        knobs.set(&COST, DEFAULT_COST_MICROS);
        for knob in shared_knobs() {
            if let Some(value) = given.given(knob) {
                knobs.set(knob, value);
            }
        }
        knobs
    })
}

impl LoopComparison {
    /// Creates a comparison with the task cost, the adaptive sync and the frame loop knobs in `given`. If `given`
    /// contains a jitter, the machines are equal, except that only the second one has this jitter. All other machine
    /// knobs have defaults.
    pub fn new(given: &KnobValues) -> Self {
        let machines = if given.get(&JITTER_MS) > 0.0 {
            Machines::ExactAndJittery
        } else {
            Machines::FastAndSlow
        };
        Self::with_knobs(machines, initial_knobs(machines, given))
    }

    pub fn of(machines: Machines) -> Self {
        Self::with_knobs(machines, initial_knobs(machines, &KnobValues::default()))
    }

    fn with_knobs(machines: Machines, knobs: [KnobValues; 2]) -> Self {
        let row = |&entry| LoopRow::new(entry, &knobs, ClockTime::START);
        Self {
            rows: FRAME_LOOPS.iter().map(row).collect(),
            machines,
            knobs,
            driver: Driver::default(),
        }
    }

    /// Stores the values of the [`shared_knobs`] and the jitter of the second machine in `knobs`, from which
    /// [`LoopComparison::new`] can restore them.
    pub fn give_knobs(&self, knobs: &mut KnobValues) {
        let has_jitter = self.machines == Machines::ExactAndJittery;
        for knob in shared_knobs().chain(has_jitter.then_some(&JITTER_MS)) {
            let value = self.knob(Side::Right, knob);
            // Leave out knobs that `LoopComparison::new` would set to the same value by default.
            if initial_knobs(self.machines, knobs)[Side::Right as usize].get(knob) != value
                || *knob == JITTER_MS
            {
                knobs.set(knob, value);
            }
        }
    }

    pub fn restart(&mut self) {
        *self = Self::with_knobs(self.machines, self.knobs.clone());
    }

    /// Advances all machines by the given time. If this would take too long, stops early and returns false. Simulated
    /// time then passes more slowly than real time.
    pub fn advance(&mut self, by: Nanos) -> bool {
        let to = self.driver.time + by;
        self.driver.advance(
            self.rows.iter_mut().flat_map(|row| &mut row.loop_machines),
            |loop_machine| loop_machine.clock(),
            |loop_machine| {
                loop_machine.frame();
                1
            },
            to,
            MAX_FRAMES,
        )
    }

    pub fn time(&self) -> Nanos {
        self.driver.time
    }

    /// Returns the default knob values of both machines.
    pub fn default_knobs(&self) -> [KnobValues; 2] {
        initial_knobs(self.machines, &KnobValues::default())
    }

    pub fn knob(&self, side: Side, knob: &Knob) -> f64 {
        self.knobs[side as usize].get(knob)
    }

    pub fn has_slow_display(&self) -> bool {
        self.rows[0].loop_machines[0].lane.has_slow_display()
    }

    /// Returns the current refresh rate of a machine's display. The disturbance "Slow display" lowers it.
    pub fn refresh_hz(&self, side: Side) -> f64 {
        let loop_machine = &self.rows[0].loop_machines[side as usize];
        loop_machine.lane.machine().refresh_hz()
    }

    /// Returns the number of tasks that run in each update. It is the same on all machines.
    pub fn tasks_per_update(&self) -> usize {
        self.rows[0].loop_machines[0].lane.world().tasks().len()
    }

    /// Returns true if the user has made a task much more expensive, and its entity is still alive on at least one
    /// machine.
    pub fn has_heavy_task(&self) -> bool {
        let mut loop_machines = self.rows.iter().flat_map(|row| &row.loop_machines);
        loop_machines.any(|it| it.lane.world().heavy().is_some())
    }

    /// Applies a disturbance, such as a stall or a burst of births, to all machines.
    pub fn disturb(&mut self, disturbance: Disturbance, sizes: &KnobValues) {
        let loop_machines = self.rows.iter_mut().flat_map(|row| &mut row.loop_machines);
        let lanes = loop_machines.map(|loop_machine| &mut loop_machine.lane);
        self.driver.disturb(lanes, disturbance, sizes);
        // A disturbance can change the number of entities. Store the number, so that loops that restart later use it,
        // too.
        for (knobs, loop_machine) in self.knobs.iter_mut().zip(&self.rows[0].loop_machines) {
            knobs.set(&ENTITIES, loop_machine.lane.settings().knobs.get(&ENTITIES));
        }
    }

    /// Sets a knob. The knobs of a machine, such as its speed, are set only for `side`. All other knobs are set for
    /// both machines.
    ///
    /// The affected loops start again a few seconds in the past, when the projectile began to cross the screen. All
    /// results are then measured with the new value. Otherwise, one part of a shot could be simulated with the old step
    /// length and another part with the new one. Also, a machine that has just simulated a frame of several minutes
    /// would stand still until the other machines catch up.
    pub fn set_knob(&mut self, side: Side, knob: &'static Knob, value: f64) {
        let is_of_machine = machine::KNOBS.contains(knob);
        let before = self.knob(side, knob);
        for (other, knobs) in Side::BOTH.into_iter().zip(&mut self.knobs) {
            if other == side || !is_of_machine {
                knobs.set(knob, value);
            }
        }
        let value = self.knob(side, knob);
        if value == before {
            return;
        }
        let into_lap = Nanos::from_nanos(self.time().as_nanos() % LAP.as_nanos());
        let start = ClockTime::at(self.time().saturating_sub(into_lap + LAP));
        for row in &mut self.rows {
            if row.loop_machines[0].lane.settings().is_concerned_by(knob) {
                let mut new = LoopRow::new(row.entry, &self.knobs, start);
                for (loop_machine, before) in new.loop_machines.iter_mut().zip(&row.loop_machines) {
                    loop_machine.lane.inherit(&before.lane);
                }
                *row = new;
            }
        }
        self.advance(Nanos::ZERO); // so that a paused comparison catches up, too
    }
}

impl LoopRow {
    fn new(entry: &'static FrameLoopEntry, knobs: &[KnobValues; 2], start: ClockTime) -> Self {
        Self {
            entry,
            loop_machines: knobs
                .each_ref()
                .map(|knobs| LoopMachine::new(entry, knobs, start)),
        }
    }

    /// Returns statistics of both machines over the last second. Returns `None` until both have been measured.
    pub fn stats(&self) -> Option<[LoopStats; 2]> {
        let [left, right] = &self.loop_machines;
        Some([left.stats()?, right.stats()?])
    }

    /// Returns the end of the last shot that has ended on both machines, or `None` if there is none yet.
    pub fn shot_ends(&self) -> Option<[&Motion; 2]> {
        let [fast, slow] = self.loop_machines.each_ref().map(|it| &it.body.ends);
        let flight = fast.len().min(slow.len()).checked_sub(1)?;
        Some([&fast[flight], &slow[flight]])
    }

    /// Returns true if the last shot ended at exactly the same position on both machines, down to the last bit. The
    /// same input then gives the same result on both. Returns `None` until a shot has ended on both machines.
    pub fn is_reproducible(&self) -> Option<bool> {
        let ends = self.shot_ends();
        ends.map(|[fast, slow]| fast.bits() == slow.bits())
    }
}

#[cfg(test)]
mod tests;
