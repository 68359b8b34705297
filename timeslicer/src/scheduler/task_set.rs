use super::{TaskId, saved_fields};

/// A set of tasks in contiguous memory, for strategies that run all tasks in any order.
/// [`UpdateContext::run_round`](super::UpdateContext::run_round) runs the tasks. If tasks take turns, use a
/// [`Ring`](super::Ring) instead.
///
/// Inserting and removing take constant time. The tasks are in insertion order until the first removal, because each
/// removal moves the last task into the gap. If the game stops an update before all tasks have run, the tasks that have
/// already run come first. A new task is inserted among them, so that it does not run before all other tasks have run.
///
/// ```
/// use timeslicer::scheduler::{TaskSet, Tasks};
/// use timeslicer::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut all = TaskSet::default();
/// for task in [a, b, c] {
///     all.insert(task);
/// }
/// all.remove(a);
/// assert_eq!(all.tasks(), [c, b]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct TaskSet {
    pub(super) tasks: Vec<TaskId>,
    /// The number of tasks that have had their turn in a round that the game has stopped, or `None` if there is no such
    /// round. These tasks come first.
    pub(super) done: Option<usize>,
    /// The position of each task in the vector `tasks`, indexed by [`TaskId::index`]. It is [`NOWHERE`] if the task is
    /// not in the set.
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl TaskSet {
    /// Returns all tasks.
    pub fn tasks(&self) -> &[TaskId] {
        &self.tasks
    }

    /// Returns true if the game stopped an update before all tasks had run. The next call of
    /// [`UpdateContext::run_round`](super::UpdateContext::run_round) then runs only the remaining tasks.
    pub fn is_in_round(&self) -> bool {
        self.done.is_some()
    }

    /// Returns the number of tasks that have not run yet because the game stopped an update, or zero if all tasks have
    /// run.
    pub fn backlog(&self) -> usize {
        self.done.map_or(0, |done| self.tasks.len() - done)
    }

    /// Adds `task`. Does nothing if a task with the same index is already in the set.
    pub fn insert(&mut self, task: TaskId) {
        let place = task.entry_in(&mut self.places, NOWHERE);
        if *place == NOWHERE {
            *place = self.tasks.len() as u32;
            self.tasks.push(task);
            if let Some(done) = self.done.filter(|&done| done > 0) {
                // The new task runs in the next round. Otherwise, births could extend this round forever.
                let last = self.tasks.len() - 1;
                self.tasks.swap(done, last);
                self.note_place(done);
                self.note_place(last);
                self.done = Some(done + 1);
            }
        }
    }

    /// Removes `task`. Does nothing if it is not in the set.
    pub fn remove(&mut self, task: TaskId) {
        let Some(&place) = self.places.get(task.index as usize) else {
            return;
        };
        let mut gap = place as usize;
        if self.tasks.get(gap) != Some(&task) {
            return;
        }
        if let Some(done) = self.done.filter(|&done| gap < done) {
            // The gap is filled by a task that has already run in this round, so that the last task does not miss its
            // turn.
            self.tasks.swap(gap, done - 1);
            self.note_place(gap);
            gap = done - 1;
            self.done = Some(gap);
        }
        self.tasks.swap_remove(gap);
        self.note_place(gap);
        self.places[task.index as usize] = NOWHERE;
    }

    /// Updates the entry in `places` for the task at position `place` of the vector `tasks`. Does nothing if there is
    /// no task at this position.
    fn note_place(&mut self, place: usize) {
        if let Some(moved) = self.tasks.get(place) {
            self.places[moved.index as usize] = place as u32;
        }
    }
}

saved_fields! { TaskSet { tasks, done, places } }
