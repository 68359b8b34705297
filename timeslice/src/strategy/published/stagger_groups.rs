//! Stagger groups: the stagger-vector post. Groups of equal size, each with a timer; one group runs per frame.

use super::{Form, Units};
use crate::scheduler::TaskId;
use crate::time::Nanos;

#[derive(Clone, Debug, Default)]
struct Group {
    elapsed: Nanos,
    group: Vec<TaskId>,
}

#[derive(Clone, Debug)]
struct StaggerGroup {
    groups: Vec<Group>,
    next: usize,
}

impl StaggerGroup {
    fn setup(groups: usize) -> Self {
        Self {
            groups: vec![Group::default(); groups.max(1)],
            next: 0,
        }
    }

    fn place(&mut self, unit: TaskId) {
        let mut selected = 0;
        for (index, group) in self.groups.iter().enumerate() {
            if group.group.len() < self.groups[selected].group.len() {
                selected = index;
            }
        }
        self.groups[selected].group.push(unit);
    }

    fn next_group(&mut self) -> &mut Group {
        if self.next >= self.groups.len() {
            self.next = 0;
        }
        self.next += 1;
        &mut self.groups[self.next - 1]
    }
}

/// Splits the tasks into groups and runs the next group in each update.
#[derive(Clone, Debug)]
pub struct StaggerGroups {
    units: StaggerGroup,
    pending_clean: StaggerGroup,
}

impl StaggerGroups {
    /// Creates `groups` groups, at least one, without tasks.
    #[must_use]
    pub fn new(groups: usize) -> Self {
        Self {
            units: StaggerGroup::setup(groups),
            pending_clean: StaggerGroup::setup(groups),
        }
    }
}

impl Form for StaggerGroups {
    fn insert(&mut self, unit: TaskId) {
        self.units.place(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.pending_clean.place(unit);
    }

    fn update<U: Units>(&mut self, delta: Nanos, units: &mut U) {
        for group in &mut self.units.groups {
            group.elapsed += delta;
        }
        let selected = self.units.next_group();
        let elapsed = std::mem::take(&mut selected.elapsed);
        for &unit in &selected.group {
            if units.is_dead(unit) {
                continue;
            }
            units.act(unit, elapsed);
        }

        // The post's `deleteAction` searches all groups.
        let clean = std::mem::take(&mut self.pending_clean.next_group().group);
        for dead in clean {
            for group in &mut self.units.groups {
                group.group.retain(|&unit| unit != dead);
            }
        }
    }
}
