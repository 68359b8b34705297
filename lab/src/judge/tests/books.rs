//! Measures independently, from the events and frame records of a simulation, what the limits of a game apply to. Only
//! frames after every task has run once are measured.

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
struct Books {
    now: GameTime,
    living: HashMap<TaskId, Life>,
    /// The game time at the end of the first round.
    settled: Option<GameTime>,
    /// The longest wait that ended in this frame.
    longest: Nanos,
    seen: Seen,
}

/// What happened after the first round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    pub frames: Vec<Frame>,
    /// The integral of the staleness near the target, and the time that entities spent there.
    near: [i128; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    tasks: Nanos,
    /// The longest wait that ended in this frame or continues after it.
    longest: Nanos,
    length: Nanos,
    target: Nanos,
    drawing: Nanos,
}

/// How a simulation compares with the limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// The largest measured value, as a multiple of its limit.
    pub most: f64,
    pub frames: usize,
    /// The number of frames that exceed a limit.
    pub exceeded: usize,
}

impl Seen {
    pub fn near(&self) -> Option<Nanos> {
        let [area, lived] = self.near;
        (lived > 0).then(|| Nanos::from_nanos((area / (2 * lived)) as u64))
    }

    pub fn mean_frame(&self) -> f64 {
        let sum: f64 = self.frames.iter().map(|it| it.length.as_secs_f64()).sum();
        sum / self.frames.len() as f64
    }

    pub fn excess(&self, limits: &Limits) -> Excess {
        let over = |limit: Option<Nanos>, measured: Nanos| {
            limit.map_or(0.0, |limit| measured.over(limit.max(Nanos::from_nanos(1))))
        };
        let of_frame = |frame: &Frame| {
            let longest = Nanos::from_nanos(frame.target.as_nanos() * 3 / 2);
            let may_be_late = !limits.holds_frame_rate || frame.drawing > longest;
            let hitch = if may_be_late || frame.tasks.is_zero() {
                Nanos::ZERO
            } else {
                frame.length
            };
            let waits = over(limits.longest, frame.longest);
            over(limits.tasks, frame.tasks)
                .max(waits)
                .max(hitch.over(longest))
        };
        let of_frames: Vec<f64> = self.frames.iter().map(of_frame).collect();
        let least = self
            .frames
            .iter()
            .map(|it| it.target.max(it.drawing).as_secs_f64());
        let least = least.sum::<f64>() / self.frames.len() as f64;
        let slow = if limits.holds_frame_rate {
            self.mean_frame() / (1.02 * least)
        } else {
            0.0
        };
        let near = over(limits.near, self.near().unwrap_or_default());
        Excess {
            most: of_frames.iter().copied().fold(slow.max(near), f64::max),
            frames: of_frames.len(),
            exceeded: of_frames.iter().filter(|it| **it > 1.0).count(),
        }
    }
}

impl Books {
    fn end(&mut self, task: TaskId, ring: Ring) {
        let life = self.living.get_mut(&task).expect("the task is alive");
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

fn ring(task: TaskId, weights: &Weights) -> Ring {
    weights.at(weights.plane.position(task.index)).1
}

impl Observer for Books {
    fn born(&mut self, task: TaskId, weights: &Weights) {
        let life = Life {
            since: self.now,
            ring: ring(task, weights),
            is_known: self.now > GameTime::START,
        };
        self.living.insert(task, life);
    }

    fn died(&mut self, task: TaskId, _: &Entity, _: Nanos, weights: &Weights) {
        self.end(task, ring(task, weights));
        self.living.remove(&task);
    }

    fn reweighed(&mut self, _: &Tasks, weights: &Weights, _: GameTime) {
        for (task, life) in &mut self.living {
            life.ring = ring(*task, weights);
        }
    }

    fn time_advanced(&mut self, delta: Nanos) {
        self.now += delta;
    }

    fn ran(&mut self, runs: &[Run], _crowd: &Crowd, weights: &Weights) {
        for run in runs {
            self.end(run.task, ring(run.task, weights));
        }
    }

    fn frame_ended(&mut self, frame: &FrameRecord, target: Nanos) {
        let waits = self.living.values().map(|life| self.now - life.since);
        let longest = waits.max().unwrap_or_default().max(self.longest);
        self.longest = Nanos::ZERO;
        if self.settled.is_some() {
            self.seen.frames.push(Frame {
                tasks: frame.task_time,
                longest,
                length: frame.length,
                target,
                drawing: frame.drawing,
            });
        } else if self.living.values().all(|life| life.is_known) {
            self.settled = Some(self.now);
        }
    }
}

/// Runs a lane for `frames` frames. Returns `None` if the first round did not end.
pub fn seen(settings: &Settings, frames: u64) -> Option<Seen> {
    let machine = Simulated::new(&settings.knobs);
    let mut lane: Lane<Simulated, Books> = Lane::new(settings.clone(), machine);
    while lane.frames() < frames {
        lane.frame();
    }
    let books = lane.observer_mut();
    books.settled?;
    let waits = books.living.values().map(|life| (life.since, life.ring));
    for (since, ring) in waits.collect::<Vec<_>>() {
        books.count_near(since, ring);
    }
    Some(books.seen.clone())
}
