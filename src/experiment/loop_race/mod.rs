//! All frame loops side by side: the same shot, on a fast machine and on a slow one.
//!
//! Each loop has two lanes of its own, on simulated machines whose clocks go together. What a loop is good for
//! shows in the difference between its two lanes: one game that is faster than the other, steps of different
//! lengths, a bullet that ends in two places.

mod contestant;
mod flight_ends;
mod json;
mod row_stats;
mod verdict;

pub use contestant::{Contestant, Sample};
pub use flight_ends::FlightEnds;
pub use row_stats::RowStats;

use super::edit_log::EditLog;
use crate::sim::disturbance::Disturbance;
use crate::sim::machine;
use crate::sim::machine::{DISPLAY_HZ, RENDER_MS, SPEED};
use crate::sim::projectile::CROSSING;
use crate::sim::world::{COST, ENTITIES};
use flight_ends::Flights;
use timeslice::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslice::knob::{Knob, KnobValues};
use timeslice::time::{ClockTime, Nanos};

/// No more frames than this are simulated in one go, so that no machine, however fast, holds up the window: they
/// take a few milliseconds. Where nothing takes any time, the machines make 260,000 a second: a knob that is
/// turned then takes some pictures to be caught up with.
const MOST_FRAMES: u32 = 50_000;

/// All machines go on by this much before any goes on by more.
const SLICE: Nanos = Nanos::from_millis(10);

/// What an update's task costs where nobody says otherwise, in microseconds: enough for the slow machine to feel.
const FIRST_COST: f64 = 1000.0;

/// The two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A display of 144 Hz, and pictures that take little time.
    Fast,
    /// Pictures take 50 ms: 20 of them a second.
    Slow,
}

impl Side {
    /// Both of them.
    pub const BOTH: [Self; 2] = [Self::Fast, Self::Slow];

    /// What is said behind what is of its machine alone.
    fn of_machine(self) -> &'static str {
        match self {
            Self::Fast => " of the fast machine",
            Self::Slow => " of the slow machine",
        }
    }

    /// Its machine's knobs as they are at first.
    fn knobs(self) -> [(&'static Knob, f64); 3] {
        match self {
            Self::Fast => [(&DISPLAY_HZ, 144.0), (&SPEED, 2.0), (&RENDER_MS, 3.0)],
            Self::Slow => [(&DISPLAY_HZ, 60.0), (&SPEED, 0.5), (&RENDER_MS, 50.0)],
        }
    }
}

/// All frame loops, each on both machines.
pub struct Race {
    rows: Vec<Row>,
    time: Nanos,
    knobs: [KnobValues; 2],
    edit_log: EditLog,
}

/// One frame loop on both machines.
pub struct Row {
    /// The loop.
    pub entry: &'static FrameLoopEntry,
    contestants: [Contestant; 2],
    ends: Option<FlightEnds>,
}

/// The knobs that both machines share, each once: the cost of a task, and the loops'.
pub fn shared_knobs() -> impl Iterator<Item = &'static Knob> {
    let of_loops = FRAME_LOOPS.iter().flat_map(|entry| entry.knobs);
    let mut seen: Vec<&str> = Vec::new();
    let is_new = move |knob: &&Knob| {
        let is_new = !seen.contains(&knob.key);
        seen.push(knob.key);
        is_new
    };
    [&COST].into_iter().chain(of_loops).filter(is_new)
}

/// The knobs of a new race's machines, of which these were `given`.
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

impl Default for Race {
    fn default() -> Self {
        Self::new(&KnobValues::default())
    }
}

impl Race {
    /// At the start. Of what was `given` it takes the cost of a task and the loops' knobs; the machines are its
    /// own.
    #[must_use]
    pub fn new(given: &KnobValues) -> Self {
        let knobs = first_knobs(given);
        let rows = FRAME_LOOPS.iter();
        Self {
            rows: rows
                .map(|&entry| Row::new(entry, &knobs, ClockTime::START))
                .collect(),
            time: Nanos::ZERO,
            knobs,
            edit_log: EditLog::default(),
        }
    }

    /// Sets those of `knobs` that a race takes, so that a new one of them is as this one is; where it would be
    /// anyway, they stay. The machines' are a race's own.
    pub fn give_knobs(&self, knobs: &mut KnobValues) {
        for knob in shared_knobs() {
            let value = self.knob(Side::Fast, knob);
            if first_knobs(knobs)[Side::Fast as usize].get(knob) != value {
                knobs.set(knob, value);
            }
        }
    }

    /// Begins anew with the knobs as they are.
    pub fn restart(&mut self) {
        self.time = Nanos::ZERO;
        self.edit_log = EditLog::default();
        for row in &mut self.rows {
            *row = Row::new(row.entry, &self.knobs, ClockTime::START);
        }
    }

    /// So much time passes on all machines. Returns false where that was more than could be simulated: then
    /// their time goes slower.
    pub fn advance(&mut self, by: Nanos) -> bool {
        let mut frames = MOST_FRAMES;
        let to = self.time + by;
        loop {
            // Little by little, so that the first rows do not use up what there is for all.
            let next = to.min(self.time + SLICE);
            let mut reached = next;
            for contestant in self.rows.iter_mut().flat_map(|row| &mut row.contestants) {
                while contestant.clock().since_start() < next && frames > 0 {
                    contestant.frame();
                    frames -= 1;
                }
                reached = reached.min(contestant.clock().since_start());
            }
            self.time = self.time.max(reached);
            if reached < next || next == to {
                self.rows.iter_mut().for_each(Row::compare);
                return reached == to;
            }
        }
    }

    /// The simulated time since its start.
    #[must_use]
    pub fn time(&self) -> Nanos {
        self.time
    }

    /// The loops, in the registry's order.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The value of a knob of one machine, or of one that both share.
    #[must_use]
    pub fn knob(&self, side: Side, knob: &Knob) -> f64 {
        self.knobs[side as usize].get(knob)
    }

    /// What was changed since it began.
    #[must_use]
    pub fn edit_log(&self) -> &EditLog {
        &self.edit_log
    }

    /// Whether the displays have dropped to a lower rate.
    #[must_use]
    pub fn has_slow_display(&self) -> bool {
        let first = self.rows.first();
        first.is_some_and(|row| row.contestants[0].lane().has_slow_display())
    }

    /// Does `disturbance` to all lanes at once.
    pub fn disturb(&mut self, disturbance: Disturbance) {
        let contestants = self.rows.iter_mut().flat_map(|row| &mut row.contestants);
        let done = contestants.filter_map(|contestant| contestant.disturb(disturbance));
        if let Some(what) = done.collect::<Vec<_>>().pop() {
            self.edit_log.happened(self.time, what);
        }
        // Rows that begin anew have as many entities.
        for side in Side::BOTH {
            if let Some(row) = self.rows.first() {
                let entities = row.contestant(side).lane().settings().knobs.get(&ENTITIES);
                self.knobs[side as usize].set(&ENTITIES, entities);
            }
        }
    }

    /// Sets a knob: a machine's on that `side`, any other on both.
    ///
    /// The loops that it concerns begin anew a crossing before the present one, so that all that is seen,
    /// measured and compared is of the knobs as they are: no flight is of two kinds of steps, and no machine
    /// that made one frame of minutes has to be waited for.
    pub fn set_knob(&mut self, side: Side, knob: &'static Knob, value: f64) {
        let own = machine::KNOBS.contains(knob);
        let mut turned = false;
        for other in Side::BOTH {
            if own && other != side {
                continue;
            }
            let knobs = &mut self.knobs[other as usize];
            let before = knobs.get(knob);
            knobs.set(knob, value);
            turned |= knobs.get(knob) != before;
        }
        if !turned {
            return;
        }
        let now = self.knob(side, knob);
        let of = if own { side.of_machine() } else { "" };
        let (subject, what) = (
            knob.key.to_owned() + of,
            format!("--{} {now}{of}", knob.key),
        );
        self.edit_log.set(self.time, &subject, what);
        let into_crossing = Nanos::from_nanos(self.time.as_nanos() % CROSSING.as_nanos());
        let start = self.time - into_crossing - CROSSING;
        for row in &mut self.rows {
            if row
                .contestants
                .iter()
                .any(|contestant| contestant.is_concerned_by(knob))
            {
                let before =
                    std::mem::replace(row, Row::new(row.entry, &self.knobs, ClockTime::at(start)));
                for (contestant, before) in row.contestants.iter_mut().zip(&before.contestants) {
                    contestant.inherit(before);
                }
            }
        }
        self.advance(Nanos::ZERO); // also while time stands
    }
}

impl Row {
    /// Both machines begin at `start`.
    fn new(entry: &'static FrameLoopEntry, knobs: &[KnobValues; 2], start: ClockTime) -> Self {
        Self {
            entry,
            contestants: Side::BOTH
                .map(|side| Contestant::new(entry, &knobs[side as usize], start)),
            ends: None,
        }
    }

    /// The loop on one of the machines.
    #[must_use]
    pub fn contestant(&self, side: Side) -> &Contestant {
        &self.contestants[side as usize]
    }

    /// What it did on each machine in the last second; none before that was measured.
    #[must_use]
    pub fn facts(&self) -> Option<[RowStats; 2]> {
        let [fast, slow] = &self.contestants;
        Some([fast.facts()?, slow.facts()?])
    }

    /// How the last flight that both machines have flown ended; none before the first.
    #[must_use]
    pub fn ends(&self) -> Option<FlightEnds> {
        self.ends
    }

    fn compare(&mut self) {
        let [fast, slow] = &mut self.contestants;
        self.ends = Flights::compare(&mut fast.flights, &mut slow.flights).or(self.ends);
    }
}

#[cfg(test)]
mod tests;
