//! Stagger groups: splits the tasks into groups and runs one group per update.
//!
//! A newborn task joins the smallest group. A dead task leaves a gap in its group, which is closed after the group's next
//! turn.
//!
//! In the original post, dead tasks are split into groups, too, and each update deletes one of these groups from the lists
//! of the living. Every task of a group receives the time since the group's last run. Here [`UpdateContext`] measures the
//! elapsed time of each task, so a newborn task's first elapsed time counts from its birth.
//!
//! # When to use it
//!
//! Use it if each task should run once in a fixed number of updates, however much game time passes in an update. With
//! 30 groups, each task runs once per second at 30 updates per second, and twice per second at 60. Deaths leave groups
//! of different sizes until newborn tasks fill the smaller groups. For an interval in seconds use
//! [`FixedInterval`](super::FixedInterval).
//!
//! # Cost
//!
//! Each update runs one group, which has (tasks / groups) tasks on average. A task waits for as many updates as there
//! are groups. The birth of a task takes time in proportion to the number of groups, to find the smallest one.
//!
//! # If an update is stopped
//!
//! The next updates run the remaining tasks of the group before the next group runs.
//!
//! # Source
//!
//! A post on time-slicing with a "stagger vector" (in English).

use super::{Guarantee, Strategy};
use crate::scheduler::{TaskId, UpdateContext, saved_as, saved_fields};

/// A strategy that splits the tasks into groups and runs the next group in each update. The [module
/// documentation](self) describes the algorithm, and [`Timeslicer`](crate::Timeslicer) has an example of how a game
/// uses a strategy.
///
/// ```
/// use timeslicer::strategy::StaggerGroups;
/// let strategy = StaggerGroups::new(30);
/// ```
#[derive(Clone, Debug)]
pub struct StaggerGroups {
    groups: Vec<Group>,
    /// The index of the group whose turn is next.
    next: usize,
    /// The number of entries of the next group's `tasks` that have been handled, because the last update was stopped
    /// after these.
    taken: usize,
    /// The length of the next group's `tasks` when the group began to run, or 0 if it has not begun.
    end: usize,
    /// The place of each task, indexed by [`TaskId::index`].
    places: Vec<Place>,
}

#[derive(Clone, Debug, Default)]
struct Group {
    /// The tasks in the order of their turns. Each removed task leaves a gap, which contains [`TaskId::NONE`].
    tasks: Vec<TaskId>,
    /// The number of tasks without the gaps.
    living: usize,
}

/// The group of a task, and the task's position in the group.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    group: u32,
    position: u32,
}

/// The place of a task that is in no group.
const NOWHERE: Place = Place {
    group: u32::MAX,
    position: 0,
};

impl StaggerGroups {
    /// Creates a strategy with `groups` empty groups. Zero counts as one.
    pub fn new(groups: usize) -> Self {
        Self {
            groups: vec![Group::default(); groups.max(1)],
            next: 0,
            taken: 0,
            end: 0,
            places: Vec::new(),
        }
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Changes the number of groups and distributes all living tasks evenly among them. Does nothing if the number
    /// stays the same.
    pub fn set_groups(&mut self, groups: usize) {
        if groups.max(1) == self.groups.len() {
            return;
        }
        let former = std::mem::replace(self, Self::new(groups));
        for place in former.places {
            if let Some(group) = former.groups.get(place.group as usize) {
                self.insert(group.tasks[place.position as usize]);
            }
        }
    }

    /// Closes the gaps in the next group. The tasks keep their order.
    fn close_gaps(&mut self) {
        let group = &mut self.groups[self.next];
        if group.living < group.tasks.len() {
            group.tasks.retain(|&task| task != TaskId::NONE);
            for (position, task) in (0..).zip(&group.tasks) {
                self.places[task.index as usize].position = position;
            }
        }
    }
}

impl Strategy for StaggerGroups {
    fn insert(&mut self, task: TaskId) {
        let groups = 0..self.groups.len();
        let smallest = groups.min_by_key(|&group| self.groups[group].living);
        let smallest = smallest.unwrap_or(0); // there is at least one group
        let place = task.entry_in(&mut self.places, NOWHERE);
        if place.group == NOWHERE.group {
            let group = &mut self.groups[smallest];
            *place = Place {
                group: smallest as u32,
                position: group.tasks.len() as u32,
            };
            group.tasks.push(task);
            group.living += 1;
        }
    }

    fn remove(&mut self, task: TaskId) {
        let Some(place) = self.places.get_mut(task.index as usize) else {
            return;
        };
        let Some(group) = self.groups.get_mut(place.group as usize) else {
            return;
        };
        let entry = &mut group.tasks[place.position as usize];
        if *entry == task {
            *entry = TaskId::NONE;
            *place = NOWHERE;
            group.living -= 1;
        }
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let tasks = &self.groups[self.next].tasks;
        if self.taken == 0 {
            // Tasks that join the group during its turn wait for the next turn. Otherwise, the turn might never end.
            self.end = tasks.len();
        }
        self.taken += context.run(&tasks[self.taken..self.end]).taken; // skips the gaps
        if context.is_stopped() {
            return;
        }
        self.close_gaps();
        self.taken = 0;
        self.end = 0;
        self.next = (self.next + 1) % self.groups.len();
    }

    fn backlog(&self) -> usize {
        let waiting = &self.groups[self.next].tasks[self.taken..self.end];
        waiting.iter().filter(|&&task| task != TaskId::NONE).count()
    }

    saved_as!("stagger-groups", |own| own.groups(), |it| {
        own.set_groups(it);
    });

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(self.groups.len())
    }
}

saved_fields! {
    StaggerGroups { groups, next, taken, end, places }
    Group { tasks, living }
    Place { group, position }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::time::Nanos;

    const FRAME: Nanos = Nanos::from_millis(33);

    fn sizes(world: &TestWorld<StaggerGroups>) -> Vec<usize> {
        let groups = world.strategy.groups.iter();
        groups.map(|group| group.living).collect()
    }

    #[test]
    fn newborn_tasks_join_the_first_of_the_smallest_groups() {
        let mut world = TestWorld::new(StaggerGroups::new(3), 7);
        let groups = [vec![0, 3, 6], vec![1, 4], vec![2, 5]];
        for group in groups.iter().chain(&groups) {
            assert_eq!(world.update(FRAME), *group);
        }
    }

    #[test]
    fn the_interval_depends_on_the_frame_rate() {
        for (frame_ms, interval_ms) in [(10, 300), (40, 1200)] {
            let mut world = TestWorld::new(StaggerGroups::new(30), 30);
            let frame = Nanos::from_millis(frame_ms);
            for _ in 0..30 {
                world.update(frame);
            }
            assert_eq!(
                world.update_elapsed(frame),
                [(0, Nanos::from_millis(interval_ms))]
            );
        }
    }

    #[test]
    fn a_newborn_replaces_a_dead_task_in_its_group() {
        let mut world = TestWorld::new(StaggerGroups::new(2), 6);
        world.death(2);
        world.birth();
        let ran = [(); 3].map(|()| world.update(FRAME));
        assert_eq!(ran, [vec![0, 4, 2], vec![1, 3, 5], vec![0, 4, 2]]);
        let group = &world.strategy.groups[0];
        assert_eq!(group.tasks.len(), 3, "the gap is closed");
    }

    #[test]
    fn changing_the_number_of_groups_regroups_the_living() {
        let mut world = TestWorld::new(StaggerGroups::new(5), 10);
        world.death(3);
        world.strategy.set_groups(2);
        assert_eq!(sizes(&world), [5, 4]);
        let mut ran: Vec<u32> = (0..2).flat_map(|_| world.update(FRAME)).collect();
        ran.sort_unstable();
        assert_eq!(ran, [0, 1, 2, 4, 5, 6, 7, 8, 9]);
    }
}
