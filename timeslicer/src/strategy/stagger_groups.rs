//! Stagger groups: splits the tasks into groups and runs one group per update.
//!
//! A newborn task joins the smallest group. Dead tasks are skipped, but count towards the size of their group until
//! they are deleted. The dead tasks are split into groups, too, and each update deletes the tasks of one of these
//! groups.
//!
//! In the original post, every task of a group receives the time since the group's last run. Here [`UpdateContext`]
//! measures the elapsed time of each task, so a newborn task's first elapsed time counts from its birth.
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
//! are groups.
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
use std::collections::BTreeSet;
use std::ops::Range;

/// A strategy that splits the tasks into groups and runs the next group in each update. The [module
/// documentation](self) describes the algorithm.
///
/// See [`Timeslicer`](crate::Timeslicer) for an example of how a game uses a strategy.
///
/// ```
/// use timeslicer::strategy::StaggerGroups;
/// let strategy = StaggerGroups::new(30);
/// ```
#[derive(Clone, Debug)]
pub struct StaggerGroups {
    groups: Vec<Group>,
    running: GroupTurns,
    /// The positions in the current group of the tasks that did not run because the update was stopped. `None` if the
    /// turn of the group has not begun.
    unfinished: Option<Range<usize>>,
    /// The dead tasks that have not been deleted yet, as indices into the vector `members`. Each update deletes the
    /// tasks of one inner vector.
    dead: Vec<Vec<u32>>,
    deleting: GroupTurns,
    members: Vec<Member>,
    /// The indices of unused elements of the vector `members`, which can be reused.
    free: Vec<u32>,
    /// For each task index, the position of the living task in the vector `members`, or [`NONE`] if no living task has
    /// this index.
    member_of: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Group {
    /// The tasks in the order of their turns. The id of a removed task is replaced with an outdated one, so that the
    /// task is skipped.
    tasks: Vec<TaskId>,
    /// The index of each task in `StaggerGroups::members`, in the same order as `tasks`.
    members: Vec<u32>,
}

/// The place of a living task, or of a dead task that has not been deleted yet.
#[derive(Clone, Copy, Debug, Default)]
struct Member {
    group: u32,
    position: u32,
}

/// The element of `member_of` for an index without a living task. It is not a valid index of `members`.
const NONE: u32 = u32::MAX;

impl StaggerGroups {
    /// Creates a strategy with `groups` empty groups. Zero counts as one.
    pub fn new(groups: usize) -> Self {
        let groups = groups.max(1);
        Self {
            groups: vec![Group::default(); groups],
            running: GroupTurns::new(groups),
            unfinished: None,
            dead: vec![Vec::new(); groups],
            deleting: GroupTurns::new(groups),
            members: Vec::new(),
            free: Vec::new(),
            member_of: Vec::new(),
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
        for member in former.member_of.iter().filter(|&&member| member != NONE) {
            let Member { group, position } = former.members[*member as usize];
            self.insert(former.groups[group as usize].tasks[position as usize]);
        }
    }

    fn delete(&mut self, member: u32) {
        let Member { group, position } = self.members[member as usize];
        let [number, place] = [group, position].map(|it| it as usize);
        let group = &mut self.groups[number];
        group.tasks.swap_remove(place);
        group.members.swap_remove(place);
        if let Some(&moved) = group.members.get(place) {
            self.members[moved as usize].position = position;
        }
        let left = group.tasks.len();
        self.running.resize(number, left + 1, left);
        self.free.push(member);
    }
}

impl Strategy for StaggerGroups {
    fn insert(&mut self, task: TaskId) {
        let member_of = task.entry_in(&mut self.member_of, NONE);
        if *member_of != NONE {
            return;
        }
        let number = self.free.pop().unwrap_or(self.members.len() as u32);
        *member_of = number;
        let (group, position) = self.running.join_smallest();
        let member = Member {
            group: group as u32,
            position: position as u32,
        };
        match self.members.get_mut(number as usize) {
            Some(free) => *free = member,
            None => self.members.push(member),
        }
        let group = &mut self.groups[group];
        group.tasks.push(task);
        group.members.push(number);
    }

    fn remove(&mut self, task: TaskId) {
        let Some(member_of) = self.member_of.get_mut(task.index as usize) else {
            return;
        };
        let number = *member_of;
        let Some(&Member { group, position }) = self.members.get(number as usize) else {
            return; // the number is `NONE`
        };
        let group = &mut self.groups[group as usize];
        let entry = &mut group.tasks[position as usize];
        if *entry == task {
            *member_of = NONE;
            // If another strategy takes over for a while, the task stays alive and may be inserted again. The old entry
            // must not run it then, so the entry gets an older id.
            entry.generation = task.generation.wrapping_sub(1);
            let (deleting, _) = self.deleting.join_smallest();
            self.dead[deleting].push(number);
        }
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let group = &self.groups[self.running.next];
        // Tasks that were born during the turn have to wait for the next one, because otherwise it might never end.
        let mut turns = self.unfinished.take().unwrap_or(0..group.tasks.len());
        turns.start += context.run(&group.tasks[turns.clone()]).taken; // skips dead tasks
        if context.is_stopped() {
            self.unfinished = Some(turns);
            return;
        }
        self.running.end_turn();
        let group = self.deleting.end_turn();
        let dead = std::mem::take(&mut self.dead[group]);
        if !dead.is_empty() {
            self.deleting.resize(group, dead.len(), 0);
            for member in dead {
                self.delete(member);
            }
        }
    }

    fn backlog(&self) -> usize {
        let group = &self.groups[self.running.next];
        let waiting = self.unfinished.clone().unwrap_or_default();
        let is_living = |&place: &usize| {
            let index = group.tasks[place].index as usize;
            self.member_of[index] == group.members[place]
        };
        waiting.filter(is_living).count()
    }

    saved_as!("stagger-groups", |own| own.groups(), |it| {
        own.set_groups(it);
    });

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(self.groups.len())
    }
}

/// The sizes of all groups, and the index of the group whose turn is next.
#[derive(Clone, Debug)]
struct GroupTurns {
    /// The index of the group whose turn is next.
    next: usize,
    /// Pairs of a group's size and its index, sorted by size, so that the smallest group is found without a search.
    by_size: BTreeSet<(usize, usize)>,
}

impl GroupTurns {
    /// Creates empty groups. The number of groups must be at least one.
    fn new(groups: usize) -> Self {
        Self {
            next: 0,
            by_size: (0..groups).map(|group| (0, group)).collect(),
        }
    }

    /// Adds a member to the smallest group, or to the first of several equally small groups. Returns the group's index
    /// and its previous size.
    fn join_smallest(&mut self) -> (usize, usize) {
        let (size, group) = self.by_size.pop_first().unwrap_or_default(); // there is at least one group
        self.by_size.insert((size + 1, group));
        (group, size)
    }

    fn resize(&mut self, group: usize, from: usize, to: usize) {
        self.by_size.remove(&(from, group));
        self.by_size.insert((to, group));
    }

    /// Ends the turn of the current group and returns the index of that group.
    fn end_turn(&mut self) -> usize {
        let group = self.next;
        self.next += 1;
        if self.next == self.by_size.len() {
            self.next = 0;
        }
        group
    }
}

saved_fields! {
    StaggerGroups { groups, running, unfinished, dead, deleting, members, free, member_of }
    Group { tasks, members }
    Member { group, position }
    GroupTurns { next, by_size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::time::Nanos;

    const FRAME: Nanos = Nanos::from_millis(33);

    fn sizes(world: &TestWorld<StaggerGroups>) -> Vec<usize> {
        let groups = world.strategy.groups.iter();
        groups.map(|group| group.tasks.len()).collect()
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
    fn dead_tasks_are_skipped_and_deleted_group_by_group() {
        let mut world = TestWorld::new(StaggerGroups::new(2), 6);
        (0..6).for_each(|index| world.death(index));
        assert_eq!(
            sizes(&world),
            [3, 3],
            "dead tasks count until they are deleted"
        );
        assert!(world.update(FRAME).is_empty());
        assert_eq!(sizes(&world).iter().sum::<usize>(), 3);
        assert!(world.update(FRAME).is_empty());
        assert_eq!(sizes(&world), [0, 0]);
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
