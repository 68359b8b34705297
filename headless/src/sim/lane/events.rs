//! Events of a lane that a picture shows: runs, updates, births and deaths, and the places that they changed.

use super::{Change, Run, Update};
use timeslicer::scheduler::TaskId;

/// Events since the last [`Events::clear`].
#[derive(Debug)]
pub(super) struct Events {
    pub(super) runs: Vec<Run>,
    /// Maximum number of listed runs per frame.
    pub(super) most_listed: usize,
    pub(super) unlisted: usize,
    /// Number of runs of this frame, including unlisted and cleared ones.
    pub(super) run_count: usize,
    pub(super) updates: Vec<Update>,
    pub(super) changes: Vec<Change>,
    /// Places changed since they were last taken for a picture; `None` if there are no pictures.
    pub(super) changed_places: Option<ChangedPlaces>,
}

impl Events {
    pub(super) fn new() -> Self {
        Self {
            runs: Vec::new(),
            most_listed: usize::MAX,
            unlisted: 0,
            run_count: 0,
            updates: Vec::new(),
            changes: Vec::new(),
            changed_places: None,
        }
    }

    pub(super) fn ran(&mut self, run: Run) {
        self.run_count += 1;
        self.place_changed(run.task);
        if self.runs.len() < self.most_listed {
            self.runs.push(run);
        } else {
            self.unlisted += 1;
        }
    }

    pub(super) fn changed(&mut self, change: Change) {
        let (Change::Born(task) | Change::Died(task)) = change;
        self.place_changed(task);
        self.changes.push(change);
    }

    fn place_changed(&mut self, task: TaskId) {
        if let Some(places) = &mut self.changed_places {
            places.insert(task.index);
        }
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.unlisted = 0;
        self.updates.clear();
        self.changes.clear();
    }
}

/// A set of places, one bit each. Its size depends on the population, not on the number of frames between two pictures.
#[derive(Clone, Debug, Default)]
pub struct ChangedPlaces {
    words: Vec<u64>,
}

impl ChangedPlaces {
    pub fn insert(&mut self, place: u32) {
        let (word, bit) = (place as usize / 64, place % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    /// Removes all places and passes each to `take`, in ascending order.
    pub fn drain(&mut self, mut take: impl FnMut(u32)) {
        for (word, first) in self.words.iter_mut().zip((0_u32..).step_by(64)) {
            let mut bits = std::mem::take(word);
            while bits != 0 {
                take(first + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }
}
