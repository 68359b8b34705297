//! Checks independently whether a simulation stays within the limits of a game in every frame after every task has run
//! once. Uses only the simulation's events and frame records.

use super::super::Limits;
use crate::sim::lane::{FrameRecord, Lane, Observer, Run};
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::sim::world::{Crowd, Entity, Ring, Weights};
use std::collections::HashMap;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::time::{GameTime, Nanos};

/// The state of a living entity.
struct Life {
    /// The time of the entity's last run, or of its birth.
    since: GameTime,
    ring: Ring,
    /// Whether the entity has run, or was born after the start.
    is_known: bool,
}

#[derive(Default)]
pub struct Books {
    now: GameTime,
    living: HashMap<TaskId, Life>,
    /// The game time at the end of the first round.
    settled: Option<GameTime>,
    /// The longest wait that ended in this frame or continues after it.
    longest: Nanos,
    /// The measurements after the first round.
    pub seen: Seen,
}

/// The largest values in the frames after the first round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    pub frames: u64,
    pub tasks: Nanos,
    pub longest: Nanos,
    /// The longest hitch that the frame's tasks caused.
    pub hitch: Nanos,
    /// The integral of the staleness near the target, and the time that entities spent there.
    near: [i128; 2],
}

impl Seen {
    /// Returns the mean staleness near the target.
    pub fn near(&self) -> Option<Nanos> {
        let [area, lived] = self.near;
        (lived > 0).then(|| Nanos::from_nanos((area / (2 * lived)) as u64))
    }
}

impl Books {
    fn end(&mut self, task: TaskId, ring: Ring) {
        let Some(life) = self.living.get_mut(&task) else {
            panic!("{task:?} is not alive");
        };
        let since = std::mem::replace(&mut life.since, self.now);
        (life.is_known, life.ring) = (true, ring);
        self.longest = self.longest.max(self.now - since);
        self.count_near(since, ring);
    }

    /// Counts the part of the wait since `since` that lies after the first round.
    fn count_near(&mut self, since: GameTime, ring: Ring) {
        let Some(settled) = self.settled.filter(|_| ring == Ring::Near) else {
            return;
        };
        let nanos = |time: Nanos| i128::from(time.as_nanos());
        let to = nanos(self.now - since);
        let from = nanos(settled.max(since) - since);
        self.seen.near[0] += to * to - from * from;
        self.seen.near[1] += to - from;
    }
}

impl Observer for Books {
    fn born(&mut self, task: TaskId, weights: &Weights) {
        let life = Life {
            since: self.now,
            ring: weights.at(weights.plane.position(task.index)).1,
            is_known: self.now > GameTime::START,
        };
        self.living.insert(task, life);
    }

    fn died(&mut self, task: TaskId, _: &Entity, _: Nanos, weights: &Weights) {
        self.end(task, weights.at(weights.plane.position(task.index)).1);
        self.living.remove(&task);
    }

    fn reweighed(&mut self, _: &Tasks, weights: &Weights, _: GameTime) {
        for (task, life) in &mut self.living {
            life.ring = weights.at(weights.plane.position(task.index)).1;
        }
    }

    fn time_advanced(&mut self, delta: Nanos) {
        self.now += delta;
    }

    fn ran(&mut self, runs: &[Run], _crowd: &Crowd, weights: &Weights) {
        for run in runs {
            let position = weights.plane.position(run.task.index);
            self.end(run.task, weights.at(position).1);
        }
    }

    fn frame_ended(&mut self, frame: &FrameRecord, target: Nanos) {
        let waits = self.living.values().map(|life| self.now - life.since);
        let longest = waits.max().unwrap_or_default().max(self.longest);
        self.longest = Nanos::ZERO;
        if self.settled.is_none() {
            if self.living.values().all(|life| life.is_known) {
                self.settled = Some(self.now);
            }
            return;
        }
        let seen = &mut self.seen;
        seen.frames += 1;
        seen.tasks = seen.tasks.max(frame.task_time);
        seen.longest = seen.longest.max(longest);
        let longest_frame = Nanos::from_nanos(target.as_nanos() * 3 / 2);
        let without_tasks = Nanos::from_nanos(frame.drawing.as_nanos().max(1));
        if frame.length > longest_frame
            && without_tasks <= longest_frame
            && !frame.task_time.is_zero()
        {
            seen.hitch = seen.hitch.max(frame.length);
        }
    }
}

/// Runs a lane for `frames` frames. Returns the measurements after the first round, or `None` if that round did not
/// end.
pub fn kept(settings: &Settings, frames: u64) -> Option<Seen> {
    let machine = Simulated::new(&settings.knobs);
    let mut lane: Lane<Simulated, Books> = Lane::new(settings.clone(), machine);
    while lane.frames() < frames {
        lane.frame();
    }
    let books = lane.observer_mut();
    books.settled?;
    let waits: Vec<(GameTime, Ring)> = books
        .living
        .values()
        .map(|life| (life.since, life.ring))
        .collect();
    for (since, ring) in waits {
        books.count_near(since, ring);
    }
    Some(books.seen)
}

/// Returns the names of the limits that were broken.
pub fn broken(limits: &Limits, seen: &Seen) -> Vec<&'static str> {
    let is_over = |limit: Option<Nanos>, seen: Nanos| limit.is_some_and(|limit| seen > limit);
    let all = [
        ("tasks", is_over(limits.tasks, seen.tasks)),
        (
            "near",
            is_over(limits.near, seen.near().unwrap_or_default()),
        ),
        ("longest", is_over(limits.longest, seen.longest)),
        ("hitches", limits.no_hitches && !seen.hitch.is_zero()),
    ];
    all.into_iter()
        .filter(|(_, is_broken)| *is_broken)
        .map(|(name, _)| name)
        .collect()
}
