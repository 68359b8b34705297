//! Compares all frame loops: each flies the same shot on a fast machine and on a slow one.
//!
//! Each loop has two lanes, on simulated machines whose clocks advance together. The difference between the two lanes
//! shows the loop's character: two speeds of the game, steps of different lengths, a bullet that lands in two places.
//! The drawing and the main view's lane are elsewhere.

mod loop_machine;
mod verdict;

pub use loop_machine::{LoopMachine, LoopStats, Sample};

use super::change_log::ChangeLog;
use crate::sim::disturbance::Disturbance;
use crate::sim::machine::{self, DISPLAY_HZ, RENDER_MS, SPEED};
use crate::sim::projectile::LAP;
use crate::sim::settings::{Owner, all_knobs};
use crate::sim::world::{COST, ENTITIES, HeavyTask};
use serde_json::{Map, Value, json};
use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::time::{ClockTime, Nanos};

/// Maximum number of frames simulated at once. They take a few milliseconds, so a very fast machine does not block the
/// window. If tasks and drawing take no time, the machines make 260,000 frames per second and need several pictures to
/// catch up after a knob has changed.
const MOST_FRAMES: u32 = 50_000;

/// Default cost of an update's task, in microseconds: enough to slow the slow machine down.
const FIRST_COST: f64 = 1000.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A display of 144 Hz, with pictures that take little time.
    Fast,
    /// Pictures take 50 ms each, so at most 20 are drawn per second.
    Slow,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Fast, Self::Slow];

    fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Slow => "slow",
        }
    }

    fn knobs(self) -> [(&'static Knob, f64); 3] {
        match self {
            Self::Fast => [(&DISPLAY_HZ, 144.0), (&SPEED, 2.0), (&RENDER_MS, 3.0)],
            Self::Slow => [(&DISPLAY_HZ, 60.0), (&SPEED, 0.5), (&RENDER_MS, 50.0)],
        }
    }
}

pub struct LoopComparison {
    rows: Vec<LoopRow>,
    time: Nanos,
    knobs: [KnobValues; 2],
    change_log: ChangeLog,
    /// Label of the last disturbance.
    disturbance: String,
}

pub struct LoopRow {
    pub entry: &'static FrameLoopEntry,
    /// The loop on the fast machine and on the slow one.
    pub loop_machines: [LoopMachine; 2],
}

/// Comparison of the last flight that both machines have completed.
pub struct ShotEnds {
    pub flight: usize,
    pub identical: bool,
    /// Distance between both ends, in metres.
    pub apart: f64,
}

/// Returns the knobs that both machines share, each once: the cost of a task, and the loops' knobs.
pub fn shared_knobs() -> impl Iterator<Item = &'static Knob> {
    let of_loops = all_knobs()
        .into_iter()
        .filter(|(owner, _)| *owner == Owner::FrameLoop);
    std::iter::once(&COST).chain(of_loops.map(|(_, knob)| knob))
}

/// Returns the knobs of a new comparison's machines; values in `given` replace defaults.
fn first_knobs(given: &KnobValues) -> [KnobValues; 2] {
    Side::BOTH.map(|side| {
        let mut knobs = KnobValues::with(&side.knobs());
        knobs.set(&ENTITIES, 1.0);
        knobs.set(&COST, FIRST_COST);
        for knob in shared_knobs() {
            if let Some(value) = given.given(knob) {
                knobs.set(knob, value);
            }
        }
        knobs
    })
}

impl Default for LoopComparison {
    fn default() -> Self {
        Self::new(&KnobValues::default())
    }
}

impl LoopComparison {
    /// Creates a comparison at its start. The cost of a task and the loops' knobs come from `given`; the machines' knobs are
    /// always the comparison's own.
    pub fn new(given: &KnobValues) -> Self {
        Self::with_knobs(first_knobs(given))
    }

    fn with_knobs(knobs: [KnobValues; 2]) -> Self {
        let row = |&entry| LoopRow::new(entry, &knobs, ClockTime::START);
        Self {
            rows: FRAME_LOOPS.iter().map(row).collect(),
            time: Nanos::ZERO,
            knobs,
            change_log: ChangeLog::default(),
            disturbance: String::new(),
        }
    }

    /// Copies the shared knobs into `knobs`, so that a new comparison with `knobs` equals this one. Leaves out values that
    /// the new comparison would have anyway. The machines' knobs are not copied.
    pub fn give_knobs(&self, knobs: &mut KnobValues) {
        for knob in shared_knobs() {
            let value = self.knob(Side::Fast, knob);
            if first_knobs(knobs)[Side::Fast as usize].get(knob) != value {
                knobs.set(knob, value);
            }
        }
    }

    pub fn restart(&mut self) {
        *self = Self::with_knobs(self.knobs.clone());
    }

    /// Advances all machines by `by`; the machine furthest behind always goes first. Stops early and returns false if
    /// that is too much to simulate at once; simulated time then slows down.
    pub fn advance(&mut self, by: Nanos) -> bool {
        let to = self.time + by;
        let mut frames_left = MOST_FRAMES;
        loop {
            let all = self.rows.iter_mut().flat_map(|row| &mut row.loop_machines);
            let Some(hindmost) = all.min_by_key(|loop_machine| loop_machine.clock()) else {
                return true;
            };
            let reached = hindmost.clock();
            if reached >= to || frames_left == 0 {
                self.time = self.time.max(reached.min(to));
                return reached >= to;
            }
            hindmost.frame();
            frames_left -= 1;
        }
    }

    pub fn time(&self) -> Nanos {
        self.time
    }

    pub fn rows(&self) -> &[LoopRow] {
        &self.rows
    }

    /// Returns the knobs of a new comparison's machines, the fast one first.
    pub fn default_knobs() -> [KnobValues; 2] {
        first_knobs(&KnobValues::default())
    }

    pub fn knob(&self, side: Side, knob: &Knob) -> f64 {
        self.knobs[side as usize].get(knob)
    }

    pub fn change_log(&self) -> &ChangeLog {
        &self.change_log
    }

    pub fn has_slow_display(&self) -> bool {
        self.rows[0].loop_machines[0].lane.has_slow_display()
    }

    /// Returns the refresh rate of a machine's display, which the disturbance "30 Hz display" lowers.
    pub fn refresh_hz(&self, side: Side) -> f64 {
        let loop_machine = &self.rows[0].loop_machines[side as usize];
        loop_machine.lane.machine().refresh_hz()
    }

    /// Returns the number of tasks that run in each update. It is the same in all lanes.
    pub fn tasks_per_update(&self) -> usize {
        self.rows[0].loop_machines[0].lane.world().tasks().len()
    }

    /// Returns the heavy task of the first machine on which it still lives.
    pub fn heavy_task(&self) -> Option<HeavyTask> {
        let mut loop_machines = self.rows.iter().flat_map(|row| &row.loop_machines);
        loop_machines.find_map(|it| it.lane.world().heavy_task())
    }

    /// Disturbs all machines. A heavy task that has died on some machines is removed from the others.
    pub fn disturb(&mut self, disturbance: Disturbance) {
        let removes = disturbance == Disturbance::Heavy && self.heavy_task().is_some();
        let loop_machines = self.rows.iter_mut().flat_map(|row| &mut row.loop_machines);
        let loop_machines =
            loop_machines.filter(|it| !removes || it.lane.world().heavy_task().is_some());
        let done = loop_machines.filter_map(|it| it.lane.disturb(disturbance));
        if let Some(label) = done.last() {
            self.disturbance.clone_from(&label);
            self.change_log.add(self.time, None, label);
        }
        // Rows that start again keep the number of entities.
        for (knobs, loop_machine) in self.knobs.iter_mut().zip(&self.rows[0].loop_machines) {
            knobs.set(&ENTITIES, loop_machine.lane.settings().knobs.get(&ENTITIES));
        }
    }

    /// Sets a knob. A machine's knob is set on `side` only; any other knob is set on both machines.
    ///
    /// The affected loops start again from the beginning of the previous lap. So everything shown, measured and
    /// compared belongs to the current knobs: no flight mixes two step lengths, and no machine is minutes ahead
    /// after one long frame.
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
        let owner = if is_of_machine {
            format!(" of the {} machine", side.name())
        } else {
            String::new()
        };
        let label = format!("--{} {value}{owner}", knob.key);
        let subject = format!("{}{owner}", knob.key);
        self.change_log.add(self.time, Some(&subject), label);

        let into_lap = Nanos::from_nanos(self.time.as_nanos() % LAP.as_nanos());
        let start = ClockTime::at(self.time - into_lap - LAP);
        for row in &mut self.rows {
            if row.loop_machines[0].lane.settings().is_concerned_by(knob) {
                let mut new = LoopRow::new(row.entry, &self.knobs, start);
                for (loop_machine, before) in new.loop_machines.iter_mut().zip(&row.loop_machines) {
                    loop_machine.lane.inherit(&before.lane);
                }
                *row = new;
            }
        }
        self.advance(Nanos::ZERO); // so that a paused loop_comparison catches up, too
    }

    /// Returns every figure of every loop on both machines, the sentences about them, and the machines' knobs. Figures
    /// that are not measured yet are null.
    pub fn to_json(&self) -> Value {
        let values = |side, knobs: Vec<&Knob>| -> Map<String, Value> {
            let value = |knob: &Knob| (knob.key.to_owned(), json!(self.knob(side, knob)));
            knobs.into_iter().map(value).collect()
        };
        let machine = |side| values(side, machine::KNOBS.iter().collect());
        json!({
            "time_s": self.time.as_secs_f64(),
            "verdict": self.verdict().to_string(),
            "jerks": self.jerks().to_string(),
            "fast": machine(Side::Fast),
            "slow": machine(Side::Slow),
            "both": values(Side::Fast, shared_knobs().collect()),
            "loops": self.rows.iter().map(LoopRow::to_json).collect::<Vec<_>>(),
        })
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

    /// Returns the figures of the last second on each machine; `None` before there are any.
    pub fn stats(&self) -> Option<[LoopStats; 2]> {
        let [fast, slow] = &self.loop_machines;
        Some([fast.stats()?, slow.stats()?])
    }

    /// Returns the comparison of the last flight that both machines have completed; `None` before the first.
    pub fn shot_ends(&self) -> Option<ShotEnds> {
        let [fast, slow] = self.loop_machines.each_ref().map(|it| &it.lane.body().ends);
        let flight = fast.len().min(slow.len()).checked_sub(1)?;
        let (fast, slow) = (fast[flight], slow[flight]);
        Some(ShotEnds {
            flight,
            identical: fast.bits() == slow.bits(),
            apart: fast.distance(&slow),
        })
    }

    /// Returns true if both machines play the same game, step for step, from the same input; `None` before both have
    /// completed a flight. Two games are the same if their last common flight ends with the same bits.
    pub fn is_reproducible(&self) -> Option<bool> {
        self.shot_ends().map(|ends| ends.identical)
    }

    fn to_json(&self) -> Value {
        let [fast, slow] = &self.loop_machines;
        json!({
            "loop": self.entry.key,
            "lesson": self.summary().to_string(),
            "fast": fast.stats().map(LoopStats::to_json),
            "slow": slow.stats().map(LoopStats::to_json),
            "ends": self.shot_ends().map(|ends| json!({
                "flight": ends.flight,
                "identical": ends.identical,
                "apart_m": ends.apart,
            })),
        })
    }
}

#[cfg(test)]
mod tests;
