//! The simulated game world: the entities, the tasks that they need to run, and the target that they watch.
//!
//! Births, deaths, costs and requests are random ([`super::random`]). A strategy, which is not part of the world,
//! decides which tasks run.

mod knobs;
mod plane;
mod significance;
#[cfg(test)]
mod tests;

pub use knobs::{
    CHURN, COST, COST_PER_RUN, COST_SPREAD, EAGER, ENTITIES, FALLOFF, KNOBS, NEAR, REQUESTS,
    TARGET_SPEED, WEIGHT_STEPS,
};
pub use plane::{HEIGHT, Plane, Point, WIDTH};
pub use significance::{Ring, Significance, Weights};

use super::random::{Arrivals, Rng, Stream};
use super::recording::Recording;
use crate::catalog::knob::KnobValues;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use timeslicer::scheduler::{AgeList, TaskId, TaskSet, Tasks};
use timeslicer::time::{GameTime, Nanos};

pub struct World {
    /// A number that no other world has. A different number means that another simulation has replaced this one.
    pub id: u64,
    pub(super) tasks: Tasks,
    pub(super) crowd: Crowd,
    next_number: u64,
    costs: Rng,
    churn: Arrivals,
    churn_per_s: f64,
    requests: Arrivals,
    requests_per_s: f64,
    eager_share: f64,
    /// The tasks of the entities that ask again as soon as they have run.
    eager: TaskSet,
    target_speed: f64,
    /// The game time at which the target last moved.
    target_moved: GameTime,
    /// How far the target has moved along its orbit, as the game time that this takes at the default speed.
    target_progress: GameTime,
    /// The position of the pointer. The target follows the pointer unless the target is pinned.
    pub pointer: Option<Point>,
}

impl World {
    /// Creates an empty world with the workload that `knobs` describe. Random numbers depend only on `seed`.
    pub fn new(knobs: &KnobValues, seed: u64) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let crowd = Crowd {
            entities: Vec::new(),
            relative_costs: Vec::new(),
            by_age: AgeList::default(),
            mean_cost_ns: 0.0,
            mean_cost: Nanos::ZERO,
            spread: 0.0,
            cost_per_run: 0.0,
            seed,
            own_costs: None,
            heavy: None,
            target: orbit(GameTime::START),
            plane: Plane::with_slots(0),
            significance: Significance::new(NEAR.default, FALLOFF.default),
        };
        let mut world = Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            tasks: Tasks::new(),
            crowd,
            next_number: 0,
            costs: Rng::new(seed, Stream::Costs),
            churn: Arrivals::new(Rng::new(seed, Stream::Churn)),
            churn_per_s: 0.0,
            requests: Arrivals::new(Rng::new(seed, Stream::Requests)),
            requests_per_s: 0.0,
            eager_share: 0.0,
            eager: TaskSet::default(),
            target_speed: TARGET_SPEED.default,
            target_moved: GameTime::START,
            target_progress: GameTime::START,
            pointer: None,
        };
        world.tune(knobs);
        world
    }

    /// Applies the workload knobs, except for the number of entities, because the lane must notify the strategy of
    /// births and deaths. This is slow only if the cost spread or the share of eager entities has changed, which
    /// affects every entity.
    pub fn tune(&mut self, knobs: &KnobValues) {
        self.churn_per_s = knobs.get(&CHURN);
        self.requests_per_s = knobs.get(&REQUESTS);
        self.target_speed = knobs.get(&TARGET_SPEED);
        self.crowd.mean_cost_ns = knobs.get(&COST) * 1e3;
        self.crowd.mean_cost = Nanos::from_nanos_f64(self.crowd.mean_cost_ns);
        self.crowd.significance = Significance::new(knobs.get(&NEAR), knobs.get(&FALLOFF));
        self.crowd.significance.has_steps = knobs.get(&WEIGHT_STEPS) > 0.0;
        let (spread, per_run) = (knobs.get(&COST_SPREAD), knobs.get(&COST_PER_RUN));
        if (spread, per_run) != (self.crowd.spread, self.crowd.cost_per_run) {
            (self.crowd.spread, self.crowd.cost_per_run) = (spread, per_run);
            self.crowd.set_relative_costs();
        }
        let eager_share = knobs.get(&EAGER) / 100.0;
        if eager_share != self.eager_share {
            self.eager_share = eager_share;
            self.eager = TaskSet::default();
            for task in self.tasks.iter() {
                if self.is_eager(self.crowd.entity(task).number) {
                    self.eager.insert(task);
                }
            }
        }
    }

    /// Returns true if the entity with this number is eager. If the share of eager entities grows, they stay eager.
    fn is_eager(&self, number: u64) -> bool {
        let seed = self.crowd.seed ^ number.wrapping_mul(APART);
        self.eager_share > 0.0 && Rng::new(seed, Stream::Eager).unit() < self.eager_share
    }

    /// Replaces the costs of all tasks with costs from the user's file. If `None`, the knobs determine the costs again.
    /// The order of the entities by cost stays the same.
    pub fn set_own_costs(&mut self, own: Option<Recording>) {
        self.crowd.own_costs = own;
        self.crowd.set_relative_costs();
    }

    /// Allocates the memory for `count` entities in a single step, so that a large crowd gets no more memory than it
    /// needs. The slots of dead entities are reused.
    pub fn reserve_for(&mut self, count: usize) {
        let entities = &mut self.crowd.entities;
        entities.reserve(count.saturating_sub(entities.len()));
    }

    pub fn birth(&mut self, now: GameTime) -> TaskId {
        let task = self.tasks.insert(now);
        let cost_rank = self.costs.normal() as f32;
        let entity = Entity {
            number: self.next_number,
            born: now,
            runs: 0,
            position: self.crowd.plane.position(task.index),
            seen: self.crowd.target,
            first_run: GameTime::START,
            cost_rank,
        };
        if self.is_eager(self.next_number) {
            self.eager.insert(task);
        }
        self.next_number += 1;
        self.crowd.set_relative_cost(task, cost_rank);
        self.crowd.by_age.push(task);
        match self.crowd.entities.get_mut(task.index as usize) {
            Some(slot) => *slot = entity,
            None => self.crowd.entities.push(entity),
        }
        task
    }

    pub fn death(&mut self, task: TaskId) -> bool {
        self.crowd.heavy.take_if(|(heavy, _)| *heavy == task);
        self.crowd.by_age.remove(task);
        self.eager.remove(task);
        self.tasks.remove(task)
    }

    /// Moves the target to its position at game time `now`. The target stays at the pinned point if there is one.
    /// Otherwise it follows the pointer, and without a pointer it moves along its orbit. A target with zero speed does
    /// not follow the pointer.
    pub fn move_target(&mut self, now: GameTime, pinned: Option<Point>) {
        let passed = now - self.target_moved;
        self.target_moved = now;
        let speed = self.target_speed / TARGET_SPEED.default;
        self.target_progress += if speed == 1.0 {
            passed
        } else {
            Nanos::from_nanos_f64(passed.as_nanos() as f64 * speed)
        };
        let pointer = self.pointer.filter(|_| speed > 0.0);
        let guided = pinned.or(pointer);
        self.crowd.target = guided.unwrap_or_else(|| orbit(self.target_progress));
    }

    pub fn random_task(&mut self) -> Option<TaskId> {
        self.tasks.nth(self.churn.rng.below(self.tasks.len()))
    }

    /// Returns `count` different random tasks, or all tasks if there are fewer.
    pub fn random_tasks(&mut self, count: usize) -> Vec<TaskId> {
        let mut tasks: Vec<TaskId> = self.tasks.iter().collect();
        if count < tasks.len() {
            for chosen in 0..count {
                let other = self.requests.rng.below(tasks.len() - chosen);
                tasks.swap(chosen, chosen + other);
            }
            tasks.truncate(count);
        }
        tasks
    }

    /// Makes one task expensive until it dies, and restores the cost of the previous expensive task. If `None`, only
    /// restores that cost.
    pub fn set_heavy_task(&mut self, heavy: Option<(TaskId, Nanos)>) {
        self.crowd.heavy = heavy.filter(|(task, _)| self.tasks.contains(*task));
    }

    /// Returns the expensive task and its cost.
    pub fn heavy(&self) -> Option<(TaskId, Nanos)> {
        self.crowd.heavy
    }

    /// Returns the expected number of deaths during `delta`. Each entity that dies is replaced by a newborn.
    pub fn expected_churn(&self, delta: Nanos) -> f64 {
        if self.tasks.is_empty() {
            0.0
        } else {
            self.churn_per_s * delta.as_secs_f64()
        }
    }

    /// Draws the next death at random and returns the task of the dying entity. Returns `None` if there is no other
    /// death in the span of time in which `expected` deaths are expected. Each death reduces `expected` to the number
    /// of deaths expected after it. The caller must add a newborn entity after each death.
    pub fn draw_death(&mut self, expected: &mut f64) -> Option<TaskId> {
        if !self.churn.next_within(expected) {
            return None;
        }
        let nth = self.churn.rng.below(self.tasks.len());
        self.tasks.nth(nth)
    }

    /// Draws the requests that have been made during the last `delta` at random. Passes them to `ask` in order of
    /// arrival, several at a time, each with the time since it was made. Eager entities have made theirs just after the
    /// previous update, and all others at random times.
    pub fn requests(&mut self, delta: Nanos, mut ask: impl FnMut(&[(TaskId, Nanos)])) {
        if !delta.is_zero() {
            for eager in self.eager.tasks().chunks(ASKED_TOGETHER) {
                let requests: Vec<_> = eager.iter().map(|&task| (task, delta)).collect();
                ask(&requests);
            }
        }
        let slice_length = delta.as_nanos() as f64 / f64::from(ARRIVAL_SLICES);
        let ago = |slice: u32| Nanos::from_nanos_f64(slice_length * (f64::from(slice) + 0.5));
        let each = self.requests_per_s * delta.as_secs_f64();
        let all = each * self.tasks.len() as f64;
        if each > 1.0 {
            // Most entities make a request, many of them several. Repeated requests make no difference, so this draws
            // only one number per entity and derives the time of its first request from that.
            let share = 1.0 - libm::exp(-each);
            let rng = &mut self.requests.rng;
            let first = |task| {
                let drawn = rng.unit();
                let passed = -libm::log(1.0 - drawn) / each;
                (drawn < share).then(|| (arrival_slice(1.0 - passed), task))
            };
            let mut first: Vec<(u32, TaskId)> = self.tasks.iter().filter_map(first).collect();
            first.sort_by_key(|&(slice, _)| Reverse(slice));
            let first: Vec<_> = first
                .iter()
                .map(|&(slice, task)| (task, ago(slice)))
                .collect();
            first.chunks(ASKED_TOGETHER).for_each(ask);
            return;
        }
        let mut requests = Vec::with_capacity(ASKED_TOGETHER);
        let mut expected = all;
        while self.requests.next_within(&mut expected) {
            let nth = self.requests.rng.below(self.tasks.len());
            if let Some(task) = self.tasks.nth(nth) {
                requests.push((task, ago(arrival_slice(expected / all))));
            }
            if requests.len() == ASKED_TOGETHER {
                ask(&requests);
                requests.clear();
            }
        }
        ask(&requests);
    }

    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    pub fn entity(&self, task: TaskId) -> Option<&Entity> {
        self.tasks
            .contains(task)
            .then(|| &self.crowd.entities[task.index as usize])
    }

    pub fn stalest(&self) -> Option<TaskId> {
        self.crowd.by_age.front()
    }

    pub fn by_staleness(&self) -> impl Iterator<Item = TaskId> {
        self.crowd.by_age.iter()
    }

    /// Returns all tasks, or a deterministic, evenly spread sample if there are more than `most`.
    pub fn sampled(&self, most: usize) -> impl Iterator<Item = TaskId> {
        let count = self.tasks.len();
        (0..count.min(most)).filter_map(move |turn| {
            let nth = if count <= most {
                turn
            } else {
                spread(turn, count)
            };
            self.tasks.nth(nth)
        })
    }

    pub fn cost(&self, task: TaskId) -> Option<Nanos> {
        self.tasks
            .contains(task)
            .then(|| self.crowd.mean_cost(task))
    }

    pub fn weights(&self) -> Weights {
        Weights {
            significance: self.crowd.significance,
            plane: self.plane(),
            target: self.crowd.target,
        }
    }

    /// Moves every entity to the position of its slot if the plane has changed since the last call.
    pub(super) fn place_entities(&mut self) {
        let plane = self.plane();
        if plane != self.crowd.plane {
            for (slot, entity) in (0..).zip(&mut self.crowd.entities) {
                entity.position = plane.position(slot);
            }
            self.crowd.plane = plane;
        }
    }

    /// Returns the plane with all slots, including free ones.
    pub fn plane(&self) -> Plane {
        Plane::with_slots(self.tasks.end())
    }

    pub fn target(&self) -> Point {
        self.crowd.target
    }

    pub fn born_so_far(&self) -> u64 {
        self.next_number
    }
}

/// How many different arrival times the requests between two updates can have. Limited because the statistics need
/// memory for each of these times.
const ARRIVAL_SLICES: u32 = 256;

/// The maximum number of requests that are passed on together.
const ASKED_TOGETHER: usize = 64;

/// Returns the number of the time slice, below [`ARRIVAL_SLICES`], in which a request arrived. `share` is how long ago
/// it arrived, as a fraction of the time since the previous update.
fn arrival_slice(share: f64) -> u32 {
    ((share * f64::from(ARRIVAL_SLICES)) as u32).min(ARRIVAL_SLICES - 1)
}

/// Returns how many runs an entity requests per second of game time on average, if each update serves all requests.
/// Until a request is served, its entity makes no others. Eager entities make one in every update.
pub fn requests_per_s(rate: f64, eager_share: f64, update_s: f64) -> f64 {
    let share = -libm::expm1(-rate * update_s);
    (eager_share + (1.0 - eager_share) * share) / update_s
}

/// The numbers of entities are multiplied by this large number, so that no two entities have the same random numbers.
const APART: u64 = 0xD134_2543_DE82_EF95;

/// All entities, in the order of their tasks' indices, and the data that a task run needs.
pub struct Crowd {
    entities: Vec<Entity>,
    /// The usual cost of each task, which is the mean of its runs, indexed by [`TaskId::index`]. It is relative to the
    /// mean cost of all tasks, or in nanoseconds if the costs come from the user's file. Empty if all tasks have the same
    /// cost.
    relative_costs: Vec<f64>,
    /// All entities in the order of their last runs, so that the stalest entity comes first. For an entity that has
    /// never run, its birth counts instead.
    by_age: AgeList,
    mean_cost_ns: f64,
    /// The rounded mean cost, which is the usual cost of each task if all tasks have the same cost.
    mean_cost: Nanos,
    spread: f64,
    /// The value of [`COST_PER_RUN`].
    cost_per_run: f64,
    /// The seed of the world, from which the costs of single runs are drawn.
    seed: u64,
    /// The costs from the user's file. If there are any, the mean cost and the spread are not used.
    own_costs: Option<Recording>,
    heavy: Option<(TaskId, Nanos)>,
    target: Point,
    /// The plane for which the positions of the entities have been computed.
    plane: Plane,
    significance: Significance,
}

impl Crowd {
    /// Returns the cost of the next run of `task`, which must be alive. A run costs the same under every strategy,
    /// because its cost depends only on the entity and on how often the entity has run.
    pub fn cost(&self, task: TaskId) -> Nanos {
        if self.cost_per_run == 0.0
            || self.has_equal_costs()
            || self.heavy.is_some_and(|(heavy, _)| heavy == task)
        {
            return self.mean_cost(task);
        }
        let entity = self.entity(task);
        let apart = entity.number.wrapping_mul(APART);
        let mut rng = Rng::new(
            self.seed ^ apart.wrapping_add(u64::from(entity.runs)),
            Stream::Runs,
        );
        let of_entity = f64::from(entity.cost_rank) * (1.0 - self.cost_per_run).sqrt();
        let rank = of_entity + rng.normal() * self.cost_per_run.sqrt();
        self.absolute(match &self.own_costs {
            Some(own) => own.cost_at_rank(rank).as_nanos() as f64,
            None => relative_cost(rank, log_variance(self.spread)),
        })
    }

    /// Returns the usual cost of `task`, which must be alive.
    pub fn mean_cost(&self, task: TaskId) -> Nanos {
        match self.heavy {
            Some((heavy, cost)) if heavy == task => cost,
            _ if self.relative_costs.is_empty() => self.mean_cost,
            _ => self.absolute(self.relative_costs[task.index as usize]),
        }
    }

    /// Converts a cost from the unit of [`Crowd::relative_costs`].
    fn absolute(&self, relative: f64) -> Nanos {
        let unit_ns = match self.own_costs {
            Some(_) => 1.0,
            None => self.mean_cost_ns,
        };
        Nanos::from_nanos_f64(unit_ns * relative)
    }

    /// Returns true if all tasks have the same usual cost. A task that a disturbance has made expensive is not
    /// considered.
    fn has_equal_costs(&self) -> bool {
        self.own_costs.is_none() && self.spread == 0.0
    }

    /// Returns the usual cost of an entity with this [`Entity::cost_rank`], in the unit of [`Crowd::relative_costs`].
    fn relative_cost(&self, rank: f32) -> f64 {
        let of_entity = 1.0 - self.cost_per_run;
        match &self.own_costs {
            Some(own) => own.mean_at_rank(rank, self.cost_per_run).as_nanos() as f64,
            None => relative_cost(f64::from(rank), log_variance(self.spread) * of_entity),
        }
    }

    /// Sets the usual cost of the newborn `task`.
    fn set_relative_cost(&mut self, task: TaskId, rank: f32) {
        if self.has_equal_costs() {
            return;
        }
        let cost = self.relative_cost(rank);
        match self.relative_costs.get_mut(task.index as usize) {
            Some(slot) => *slot = cost,
            None => self.relative_costs.push(cost),
        }
    }

    fn set_relative_costs(&mut self) {
        self.relative_costs = if self.has_equal_costs() {
            Vec::new()
        } else {
            let ranks = self.entities.iter().map(|entity| entity.cost_rank);
            ranks.map(|rank| self.relative_cost(rank)).collect()
        };
    }

    /// Returns the entity of `task`, which must be alive.
    pub(super) fn entity(&self, task: TaskId) -> &Entity {
        &self.entities[task.index as usize]
    }

    /// Returns the position of the entity of `task`, which must be alive.
    #[inline]
    pub(crate) fn position(&self, task: TaskId) -> Point {
        self.entity(task).position
    }

    /// Moves `tasks`, which have just run, to the end of the order by staleness. The last of them is then the least
    /// stale one.
    #[inline]
    pub(super) fn move_to_end(&mut self, tasks: impl Iterator<Item = TaskId>) {
        for task in tasks {
            self.by_age.move_to_end(task);
        }
    }

    /// Records a run of `task` and turns the entity's gaze to the target's current position. Returns the entity's
    /// number and whether this is its first run. The order by staleness changes only when [`Crowd::move_to_end`] is
    /// called.
    #[inline]
    pub(super) fn ran(&mut self, task: TaskId, now: GameTime) -> (u64, bool) {
        let entity = &mut self.entities[task.index as usize];
        let first = entity.runs == 0;
        if first {
            entity.first_run = now;
        }
        entity.runs = entity.runs.saturating_add(1);
        entity.seen = self.target;
        (entity.number, first)
    }
}

/// An entity of the world. The time of its last run is in [`World::tasks`].
///
/// The fields that every run needs come first. For most entities, these fields are then in the same cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Entity {
    /// The entity's number in the order of birth, from 0. Numbers are never reused.
    pub number: u64,
    /// The number of runs. It stops growing at 2^32 - 1.
    pub runs: u32,
    /// The entity's position in the plane. If the grid of slots has changed, the position is updated before the next
    /// tasks run.
    pub position: Point,
    /// Where the target was at the task's last run, or at the entity's birth before the first run. The entity looks at
    /// this point until its next run.
    pub seen: Point,
    /// The rank of the entity's usual cost, as a number from the standard normal distribution. A higher number means a
    /// higher cost.
    cost_rank: f32,
    pub born: GameTime,
    /// The game time of the first run, or [`GameTime::START`] if the task has not run yet.
    first_run: GameTime,
}

impl Entity {
    /// Returns true if the entity has ever looked at the target. Entities that exist when the game starts look at the
    /// target from the beginning.
    pub fn has_looked(&self) -> bool {
        self.runs > 0 || self.born == GameTime::START
    }

    /// Returns the game time of the task's first run, or `None` if it has not yet run.
    pub fn first_run(&self) -> Option<GameTime> {
        (self.runs > 0).then_some(self.first_run)
    }
}

/// Returns a cost relative to the mean cost. The costs have a log-normal distribution with mean 1, and their logarithms
/// have this variance. `rank` is how many standard deviations the logarithm of the cost is above its mean.
fn relative_cost(rank: f64, variance: f64) -> f64 {
    libm::exp(rank * variance.sqrt() - variance / 2.0)
}

/// Returns the variance of the logarithm of the costs. `spread` is the standard deviation of the costs divided by their
/// mean.
pub(crate) fn log_variance(spread: f64) -> f64 {
    libm::log(1.0 + spread * spread)
}

/// Returns a number below `count`. Consecutive values of `turn` give evenly spread numbers.
fn spread(turn: usize, count: usize) -> usize {
    /// 2^32 divided by the golden ratio. Multiples of this number are spread evenly over all values of a `u32`.
    const GOLDEN: u32 = 2_654_435_769;
    let point = (turn as u32).wrapping_mul(GOLDEN);
    ((u64::from(point) * count as u64) >> 32) as usize
}

/// Returns the position of the target on its orbit if it moves at the default speed. The orbit repeats only after 63
/// seconds, so that an entity that has not looked for a while rarely looks in the right direction by chance.
pub(crate) fn orbit(now: GameTime) -> Point {
    let angle = |secs: u64| {
        let period = Nanos::from_secs(secs);
        let turn =
            (now.since_start().as_nanos() % period.as_nanos()) as f64 / period.as_nanos() as f64;
        turn * std::f64::consts::TAU
    };
    Point {
        x: WIDTH * (0.5 + 0.38 * libm::cos(angle(9))) as f32,
        y: HEIGHT * (0.5 + 0.36 * libm::sin(angle(7))) as f32,
    }
}
