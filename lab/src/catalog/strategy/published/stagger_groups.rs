//! The strategy "stagger groups" as published in a post on time-slicing, under the name "stagger vector". The tasks are
//! split into groups of equal size, and each frame runs one group.

use super::{Defect, all_but, take_turns};
use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::Inspect;
use crate::catalog::strategy::knobs::GROUPS;
use timeslicer::scheduler::{TaskId, UpdateContext};
use timeslicer::strategy::{Guarantee, Strategy};

#[derive(Clone, Debug)]
struct StaggerGroup {
    groups: Vec<Vec<TaskId>>,
    next: usize,
}

impl StaggerGroup {
    fn new(groups: usize) -> Self {
        Self {
            groups: vec![Vec::new(); groups.max(1)],
            next: 0,
        }
    }

    /// Changes the number of groups. If there are fewer groups than before, the tasks of the last groups are lost.
    fn setup(&mut self, groups: usize) {
        self.groups.resize(groups.max(1), Vec::new());
    }

    fn place(&mut self, task: TaskId) {
        if let Some(smallest) = self.groups.iter_mut().min_by_key(|group| group.len()) {
            smallest.push(task);
        }
    }

    fn next_group(&mut self) -> &mut Vec<TaskId> {
        if self.next >= self.groups.len() {
            self.next = 0;
        }
        self.next += 1;
        &mut self.groups[self.next - 1]
    }
}

#[derive(Clone, Debug)]
pub struct StaggerGroups {
    units: StaggerGroup,
    pending_clean: StaggerGroup,
    lost: u64,
    /// The tasks of the current group that have not run yet.
    turns: Vec<TaskId>,
}

impl StaggerGroups {
    /// Creates a strategy with `groups` empty groups. Zero counts as one.
    pub fn new(groups: usize) -> Self {
        Self {
            units: StaggerGroup::new(groups),
            pending_clean: StaggerGroup::new(groups),
            lost: 0,
            turns: Vec::new(),
        }
    }
}

impl Strategy for StaggerGroups {
    fn insert(&mut self, task: TaskId) {
        self.units.place(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.remove_all(&[task]);
    }

    fn remove_all(&mut self, tasks: &[TaskId]) {
        for &task in tasks {
            self.pending_clean.place(task);
        }
        self.turns.retain(all_but(tasks));
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        if !self.turns.is_empty() {
            take_turns(&mut self.turns, context);
            return;
        }
        self.turns.extend(self.units.next_group().iter());
        take_turns(&mut self.turns, context); // the context skips dead tasks

        // Like the post's `deleteAction`, this searches all groups, but it looks for all dead tasks in a single pass.
        let clean = std::mem::take(self.pending_clean.next_group());
        if !clean.is_empty() {
            let stays = all_but(&clean);
            for group in &mut self.units.groups {
                group.retain(&stays);
            }
        }
    }

    fn backlog(&self) -> usize {
        self.turns.len()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(self.units.groups.len())
    }
}

impl Inspect for StaggerGroups {
    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published groups lost",
            count: self.lost,
            thing: "task",
            matches_ours_while: (self.lost == 0)
                .then_some("no task dies and the number of groups does not change"),
        })
    }

    /// Changes the number of groups. If there are fewer groups than before, the tasks of the last groups are lost, and
    /// each lost task counts as one occurrence of the defect.
    fn tune(&mut self, knobs: &KnobValues) {
        let groups = knobs.get(&GROUPS) as usize;
        if let Some(dropped) = self.units.groups.get(groups.max(1)..) {
            let is_alive = all_but(&self.pending_clean.groups.concat());
            let lost = dropped.iter().flatten().filter(|task| is_alive(task));
            self.lost += lost.count() as u64;
        }
        self.units.setup(groups);
        self.pending_clean.setup(groups);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::strategy;
    use timeslicer::strategy::testing::TestWorld;
    use timeslicer::time::Nanos;

    #[test]
    fn fewer_groups_lose_tasks_only_as_published() {
        fn runs_in_a_round_of_two_groups(mut strategy: impl Inspect) -> (usize, Option<u64>) {
            strategy.tune(&KnobValues::with(&[(&GROUPS, 4.0)]));
            let mut world = TestWorld::new(strategy, 12);
            world.death(3); // in the last group
            let fewer = KnobValues::with(&[(&GROUPS, 2.0)]);
            world.strategy.tune(&fewer);
            let runs = world.runs_in(2, Nanos::from_millis(16)).iter().sum();
            (runs, world.strategy.defect().map(|defect| defect.count))
        }
        let ours = runs_in_a_round_of_two_groups(strategy::StaggerGroups::new(4));
        assert_eq!(ours, (11, None));
        let published = StaggerGroups::new(4);
        let published = runs_in_a_round_of_two_groups(published);
        assert_eq!(published, (6, Some(5)));
    }
}
