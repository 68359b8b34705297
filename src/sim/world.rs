//! The world: entities that are born and die, each with a task that costs time, and the target that they
//! watch.

use super::random::{Arrivals, Chance, Stream};
use timeslice::knob::{Knob, KnobValues, Scale};
use timeslice::scheduler::{AgeList, TaskId, Tasks};
use timeslice::time::{GameTime, Nanos};

/// How many entities live.
pub const ENTITIES: Knob = Knob {
    key: "entities",
    label: "Entities",
    unit: "",
    min: 0.0,
    max: 1_000_000.0,
    default: 400.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: true,
    help: "How many entities live, each with one task.",
};

/// The mean cost of a task.
pub const COST: Knob = Knob {
    key: "cost-us",
    label: "Task cost",
    unit: "µs",
    min: 0.0,
    max: 20_000.0,
    default: 100.0,
    scale: Scale::Logarithmic { from: 0.1 },
    whole: false,
    help: "The mean cost of a task, in processor time; `run` takes 0 where none is given.",
};

/// How unequal the tasks' costs are.
pub const COST_SPREAD: Knob = Knob {
    key: "cost-spread",
    label: "Cost spread",
    unit: "",
    min: 0.0,
    max: 3.0,
    default: 0.0,
    scale: Scale::Linear,
    whole: false,
    help: "How unequal the tasks' costs are: their standard deviation over their mean (log-normal). Each entity has its own, and keeps it.",
};

/// How often each entity asks for a run.
pub const REQUESTS: Knob = Knob {
    key: "requests-per-s",
    label: "Requests",
    unit: "/s",
    min: 0.0,
    max: 100.0,
    default: 2.0,
    scale: Scale::Logarithmic { from: 0.01 },
    whole: false,
    help: "How often each entity asks for a run, at random; only strategies that run on request listen.",
};

/// How often an entity dies and another is born.
pub const CHURN: Knob = Knob {
    key: "churn-per-s",
    label: "Churn",
    unit: "/s",
    min: 0.0,
    max: 10_000.0,
    default: 0.0,
    scale: Scale::Logarithmic { from: 0.1 },
    whole: false,
    help: "How often, at random, one entity dies and one is born.",
};

/// The knobs of the workload, in the order of their sliders.
pub static KNOBS: &[Knob] = &[ENTITIES, COST, COST_SPREAD, REQUESTS, CHURN];

/// A point in the world: from (0, 0), top left, to (1, 1), bottom right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From left to right.
    pub x: f32,
    /// From top to bottom.
    pub y: f32,
}

/// One inhabitant. When its task last ran stands in [`World::tasks`].
///
/// It is a cache line: a run looks at all of it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Entity {
    /// Its number in the order of birth, from 0; never used again.
    pub number: u64,
    /// When it was born, in game time.
    pub born: GameTime,
    /// How often its task has run.
    pub runs: u64,
    /// Where the target was when its task last ran: there it looks until it runs again.
    pub seen: Point,
    /// When its task first ran; zero before.
    first_run: GameTime,
    /// The sum of its intervals' squares, in seconds squared.
    squares_s2: f64,
    cost: Cost,
}

/// What an entity's task costs.
#[derive(Clone, Copy, Debug)]
enum Cost {
    /// So many times the workload's mean.
    Usual {
        /// How dear it is among its fellows, in standard deviations of the logarithm.
        rank: f32,
        /// The cost over the mean: [`weight_of`] the rank.
        weight: f64,
    },
    /// This, whatever the workload's mean is.
    Heavy(Nanos),
}

impl Entity {
    /// When its task first ran; none before.
    #[must_use]
    pub fn first_run(&self) -> Option<GameTime> {
        (self.runs > 0).then_some(self.first_run)
    }

    /// Mean and standard deviation, in seconds, of the intervals between its runs, the last of which was
    /// at `last_run`; none before its second run.
    #[must_use]
    pub fn intervals(&self, last_run: GameTime) -> Option<(f64, f64)> {
        let count = self.runs.saturating_sub(1) as f64;
        let mean = (last_run - self.first_run).as_secs_f64() / count;
        let variance = (self.squares_s2 / count - mean * mean).max(0.0);
        (count > 0.0).then(|| (mean, variance.sqrt()))
    }
}

/// All that lives, and the target.
#[derive(Clone, Debug)]
pub struct World {
    tasks: Tasks,
    crowd: Crowd,
    next_number: u64,
    costs: Chance,
    churn: Arrivals,
    churn_per_s: f64,
    requests: Arrivals,
    requests_per_s: f64,
    pointer: Option<Point>,
}

/// The entities by their task's index, and what a run of a task needs to know.
#[derive(Clone, Debug)]
pub struct Crowd {
    entities: Vec<Entity>,
    /// Everyone in the order of their last run, or birth: the stalest in front.
    by_age: AgeList,
    mean_cost_ns: f64,
    spread: f64,
    target: Point,
}

impl World {
    /// An empty world with the workload of `knobs`; what comes by chance comes from `seed`.
    #[must_use]
    pub fn new(knobs: &KnobValues, seed: u64) -> Self {
        let mut world = Self {
            tasks: Tasks::new(),
            crowd: Crowd {
                entities: Vec::new(),
                by_age: AgeList::new(),
                mean_cost_ns: 0.0,
                spread: 0.0,
                target: orbit(GameTime::START),
            },
            next_number: 0,
            costs: Chance::new(seed, Stream::Costs),
            churn: Arrivals::new(Chance::new(seed, Stream::Churn)),
            churn_per_s: 0.0,
            requests: Arrivals::new(Chance::new(seed, Stream::Requests)),
            requests_per_s: 0.0,
            pointer: None,
        };
        world.tune(knobs);
        world
    }

    /// Takes the workload's present values, but for the number of entities: births and deaths are the
    /// lane's, since strategies must hear of them. Looks at every entity only when the spread of costs
    /// changes.
    pub fn tune(&mut self, knobs: &KnobValues) {
        self.churn_per_s = knobs.get(&CHURN);
        self.requests_per_s = knobs.get(&REQUESTS);
        self.crowd.mean_cost_ns = knobs.get(&COST) * 1e3;
        let spread = knobs.get(&COST_SPREAD);
        if spread != self.crowd.spread {
            self.crowd.spread = spread;
            for entity in &mut self.crowd.entities {
                if let Cost::Usual { rank, weight } = &mut entity.cost {
                    *weight = weight_of(*rank, spread);
                }
            }
        }
    }

    /// An entity is born at `now`.
    pub fn birth(&mut self, now: GameTime) -> TaskId {
        let task = self.tasks.insert(now);
        let rank = self.costs.normal() as f32;
        let entity = Entity {
            number: self.next_number,
            born: now,
            runs: 0,
            seen: self.crowd.target,
            first_run: GameTime::START,
            squares_s2: 0.0,
            cost: Cost::Usual {
                rank,
                weight: weight_of(rank, self.crowd.spread),
            },
        };
        self.next_number += 1;
        self.crowd.by_age.push(task);
        match self.crowd.entities.get_mut(task.index as usize) {
            Some(place) => *place = entity,
            None => self.crowd.entities.push(entity),
        }
        task
    }

    /// An entity dies. False where it was dead already.
    pub fn death(&mut self, task: TaskId) -> bool {
        self.crowd.by_age.remove(task);
        self.tasks.remove(task)
    }

    /// The time has become `now`: the target moves to the pointer, or along its orbit where there is
    /// none.
    pub fn move_target(&mut self, now: GameTime) {
        self.crowd.target = self.pointer.unwrap_or_else(|| orbit(now));
    }

    /// From now on the target is where the pointer is; on its orbit where there is none.
    pub fn set_pointer(&mut self, pointer: Option<Point>) {
        self.pointer = pointer;
    }

    /// Whether the pointer leads the target.
    #[must_use]
    pub fn is_led(&self) -> bool {
        self.pointer.is_some()
    }

    /// A task drawn at random; none if none lives.
    pub fn random_task(&mut self) -> Option<TaskId> {
        let count = self.tasks.len();
        let nth = (count > 0).then(|| self.churn.chance().below(count))?;
        self.tasks.nth(nth)
    }

    /// From now on, whatever the knobs say, the task costs `cost` for as long as it lives.
    pub fn make_heavy(&mut self, task: TaskId, cost: Nanos) {
        if self.tasks.contains(task) {
            self.crowd.entities[task.index as usize].cost = Cost::Heavy(cost);
        }
    }

    /// Whose tasks have become heavy, by their index, and what each costs. Looks at every entity.
    pub fn heavy(&self) -> impl Iterator<Item = (u32, Nanos)> {
        let living = self.tasks.iter();
        living.filter_map(|task| match self.crowd.entities[task.index as usize].cost {
            Cost::Heavy(cost) => Some((task.index, cost)),
            Cost::Usual { .. } => None,
        })
    }

    /// How many exchanges of one entity for another are expected in `delta`.
    #[must_use]
    pub fn expected_churn(&self, delta: Nanos) -> f64 {
        if self.tasks.is_empty() {
            0.0
        } else {
            self.churn_per_s * delta.as_secs_f64()
        }
    }

    /// The one that dies next within so many expected exchanges, if any; takes off what it used.
    pub fn next_churned(&mut self, expected: &mut f64) -> Option<TaskId> {
        self.churn.next_within(expected).then_some(())?;
        self.tasks.nth(self.churn.chance().below(self.tasks.len()))
    }

    /// Tells `ask` who asks for a run in `delta`, in the order of asking. Each entity asks at random, at
    /// its own rate, so all of them together do at the sum of the rates, and it may be any of them.
    pub fn requests(&mut self, delta: Nanos, mut ask: impl FnMut(TaskId)) {
        let each = self.requests_per_s * delta.as_secs_f64();
        let mut expected = each * self.tasks.len() as f64;
        if each > 1.0 {
            // Most ask, many of them again and again: whether each does at all is what counts.
            let share = 1.0 - libm::exp(-each);
            let chance = self.requests.chance();
            self.tasks
                .iter()
                .filter(|_| chance.unit() < share)
                .for_each(ask);
            return;
        }
        while self.requests.next_within(&mut expected) {
            let drawn = self.requests.chance().below(self.tasks.len());
            self.tasks.nth(drawn).map(&mut ask);
        }
    }

    /// The tasks that live.
    #[must_use]
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// The entity whose task this is, while it lives.
    #[must_use]
    pub fn entity(&self, task: TaskId) -> Option<&Entity> {
        self.tasks
            .contains(task)
            .then(|| &self.crowd.entities[task.index as usize])
    }

    /// Where the living entity with this index looks; none where there is none.
    #[must_use]
    pub fn seen_by(&self, index: u32) -> Option<Point> {
        self.tasks.at(index)?;
        Some(self.crowd.entities[index as usize].seen)
    }

    /// The entity whose last run (or birth) is the longest ago. Constant time.
    #[must_use]
    pub fn stalest(&self) -> Option<TaskId> {
        self.crowd.by_age.front()
    }

    /// Everyone, the one whose last run (or birth) is the longest ago first.
    pub fn by_staleness(&self) -> impl Iterator<Item = TaskId> {
        self.crowd.by_age.iter()
    }

    /// What a run of the task costs while it lives.
    #[must_use]
    pub fn cost(&self, task: TaskId) -> Option<Nanos> {
        self.tasks.contains(task).then(|| self.crowd.cost(task))
    }

    /// Where the target is.
    #[must_use]
    pub fn target(&self) -> Point {
        self.crowd.target
    }

    /// How many entities have been born so far.
    #[must_use]
    pub fn born_so_far(&self) -> u64 {
        self.next_number
    }

    /// What a run needs at once.
    pub(crate) fn tasks_and_crowd(&mut self) -> (&mut Tasks, &mut Crowd) {
        (&mut self.tasks, &mut self.crowd)
    }
}

impl Crowd {
    /// What a run of this living task costs.
    #[must_use]
    pub fn cost(&self, task: TaskId) -> Nanos {
        match self.entities[task.index as usize].cost {
            Cost::Usual { weight, .. } => Nanos::from_nanos_f64(self.mean_cost_ns * weight),
            Cost::Heavy(cost) => cost,
        }
    }

    /// The task runs: its entity looks where the target is now. Returns the entity's number, and whether it had
    /// never run before.
    pub(crate) fn ran(&mut self, task: TaskId, now: GameTime, elapsed: Nanos) -> (u64, bool) {
        self.by_age.move_to_end(task);
        let entity = &mut self.entities[task.index as usize];
        let first = entity.runs == 0;
        if first {
            entity.first_run = now;
        } else {
            entity.squares_s2 += elapsed.as_secs_f64() * elapsed.as_secs_f64();
        }
        entity.runs += 1;
        entity.seen = self.target;
        (entity.number, first)
    }
}

/// A log-normal cost of mean 1 whose standard deviation is `spread`, at `rank` deviations.
fn weight_of(rank: f32, spread: f64) -> f64 {
    if spread == 0.0 {
        return 1.0;
    }
    let variance = libm::log(1.0 + spread * spread);
    libm::exp(f64::from(rank) * variance.sqrt() - variance / 2.0)
}

/// Where the target is when nobody leads it: from side to side and back in nine seconds, up and down in seven, so
/// that it is where it was, going the same way, only after a minute. A gaze that is stale is rarely right by chance.
fn orbit(now: GameTime) -> Point {
    let angle = |secs: u64| {
        let period = Nanos::from_secs(secs);
        let turn =
            (now.since_start().as_nanos() % period.as_nanos()) as f64 / period.as_nanos() as f64;
        turn * std::f64::consts::TAU
    };
    Point {
        x: (0.5 + 0.38 * libm::cos(angle(9))) as f32,
        y: (0.5 + 0.36 * libm::sin(angle(7))) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(set: &[(&Knob, f64)], count: usize) -> World {
        let mut world = World::new(&KnobValues::with(set), 1);
        for _ in 0..count {
            world.birth(GameTime::START);
        }
        world
    }

    fn costs(world: &World) -> Vec<f64> {
        world
            .tasks
            .iter()
            .map(|task| world.crowd.cost(task).as_nanos() as f64 / 1e3)
            .collect()
    }

    #[test]
    fn entities_are_numbered_in_the_order_of_birth_and_numbers_are_never_used_again() {
        let mut world = world(&[], 3);
        let second = world.tasks.at(1).unwrap();
        world.death(second);
        let newborn = world.birth(GameTime::START);
        assert_eq!(newborn.index, 1);
        assert_eq!(world.entity(newborn).unwrap().number, 3);
        assert!(world.entity(second).is_none());
    }

    #[test]
    fn without_spread_every_task_costs_the_same_to_the_nanosecond() {
        let world = world(&[(&COST, 123.0)], 50);
        assert!(costs(&world).iter().all(|&cost| cost == 123.0));
    }

    #[test]
    fn with_spread_costs_keep_their_mean_and_have_the_deviation_asked_for() {
        let world = world(&[(&COST, 100.0), (&COST_SPREAD, 0.4)], 50_000);
        let costs = costs(&world);
        let mean = costs.iter().sum::<f64>() / costs.len() as f64;
        let variance = costs.iter().map(|cost| (cost - mean).powi(2)).sum::<f64>();
        let deviation = (variance / costs.len() as f64).sqrt();
        assert!((mean - 100.0).abs() < 1.0, "{mean}");
        assert!((deviation - 40.0).abs() < 1.0, "{deviation}");
    }

    #[test]
    fn a_knob_turned_while_it_runs_changes_the_cost_of_the_living() {
        let mut world = world(&[(&COST, 100.0)], 10);
        world.tune(&KnobValues::with(&[(&COST, 50.0), (&COST_SPREAD, 1.0)]));
        let costs = costs(&world);
        assert!(costs.iter().any(|&cost| cost != costs[0]));
    }

    #[test]
    fn requests_come_at_the_rate_asked_for_however_long_the_delta() {
        for (updates, delta_ms) in [(10_000, 1), (100, 100)] {
            let mut world = world(&[(&REQUESTS, 2.0)], 100);
            let mut count = 0;
            for _ in 0..updates {
                world.requests(Nanos::from_millis(delta_ms), |_| count += 1);
            }
            assert!((1_850..=2_150).contains(&count), "{count} of 2000"); // 100 x 2 x 10 s
        }
    }

    #[test]
    fn in_a_delta_of_many_seconds_each_asks_at_most_once() {
        let mut world = world(&[(&REQUESTS, 100.0)], 1000);
        let mut count = 0;
        world.requests(Nanos::from_secs(10), |_| count += 1);
        assert_eq!(count, 1000);
    }

    #[test]
    fn an_empty_world_asks_for_nothing_and_nobody_dies() {
        let mut world = world(&[(&CHURN, 1000.0)], 0);
        world.requests(Nanos::SECOND, |_| panic!("nobody is there"));
        assert_eq!(world.expected_churn(Nanos::SECOND), 0.0);
    }

    #[test]
    fn an_entity_knows_its_intervals_from_its_second_run_on() {
        let mut world = world(&[], 1);
        let task = world.tasks.at(0).unwrap();
        let mut last_run = GameTime::START;
        let mut seen = Vec::new();
        for millis in [100, 400, 1000] {
            let now = GameTime::at(Nanos::from_millis(millis));
            world.crowd.ran(task, now, now - last_run);
            last_run = now;
            seen.push(world.entity(task).unwrap().intervals(now));
        }
        assert_eq!(seen[0], None);
        assert_eq!(seen[1].map(|(mean, _)| mean), Some(0.3));
        let (mean, deviation) = seen[2].unwrap(); // 0.3 s and 0.6 s
        assert!((mean - 0.45).abs() < 1e-9 && (deviation - 0.15).abs() < 1e-9);
    }

    #[test]
    fn the_target_follows_the_pointer_and_returns_to_its_orbit() {
        let mut world = world(&[], 0);
        let pointer = Point { x: 0.1, y: 0.9 };
        world.set_pointer(Some(pointer));
        world.move_target(GameTime::at(Nanos::SECOND));
        assert_eq!(world.target(), pointer);
        world.set_pointer(None);
        world.move_target(GameTime::at(Nanos::from_secs(63)));
        assert_eq!(world.target(), orbit(GameTime::START));
    }
}
