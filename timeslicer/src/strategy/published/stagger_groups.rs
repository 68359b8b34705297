//! Stagger groups: the stagger-vector post. Groups of equal size, each with a timer; one group runs per frame.

use super::{Defect, Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::{Pattern, Promise};
use crate::time::Nanos;
use std::collections::HashSet;

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
    fn new(groups: usize) -> Self {
        let mut group = Self {
            groups: Vec::new(),
            next: 0,
        };
        group.setup(groups);
        group
    }

    /// Changes the number of groups. The tasks of groups that are dropped are lost.
    fn setup(&mut self, groups: usize) {
        self.groups.resize(groups.max(1), Group::default());
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
    lost: u64,
}

impl StaggerGroups {
    /// Creates `groups` groups, at least one, without tasks.
    pub fn new(groups: usize) -> Self {
        Self {
            units: StaggerGroup::new(groups),
            pending_clean: StaggerGroup::new(groups),
            lost: 0,
        }
    }

    /// Changes the number of groups. Fewer groups lose the tasks of the last ones.
    pub fn set_groups(&mut self, groups: usize) {
        if let Some(dropped) = self.units.groups.get(groups.max(1)..) {
            let dead = self.pending_clean.groups.iter();
            let dead: HashSet<&TaskId> = dead.flat_map(|group| &group.group).collect();
            let dropped = dropped.iter().flat_map(|group| &group.group);
            self.lost += dropped.filter(|&unit| !dead.contains(unit)).count() as u64;
        }
        self.units.setup(groups);
        self.pending_clean.setup(groups);
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

    fn promise(&self) -> Promise {
        Promise::Updates(self.units.groups.len())
    }

    fn pattern(&self) -> Option<Pattern> {
        Some(Pattern::Groups(self.units.groups.len()))
    }

    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published groups lost",
            count: self.lost,
            thing: "task",
        })
    }
}
