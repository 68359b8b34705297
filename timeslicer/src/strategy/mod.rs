//! A strategy decides which tasks run in each update.
//!
//! The [documentation of the crate](crate#which-strategy) helps to choose a strategy.
//!
//! Each strategy is one file. [`STRATEGIES`] lists all strategies. To add a strategy, add its file and a line to
//! `registry!` below. To remove a strategy, delete both.
//!
//! The building blocks of strategies are in [`crate::scheduler`].

#[cfg(any(test, feature = "testing"))]
#[path = "../../tests/support/test_world.rs"]
pub mod testing;

#[cfg(feature = "serde")]
use crate::scheduler::SavedState;
use crate::scheduler::{Admission, TaskId, UpdateContext};
use crate::time::Nanos;
use std::time::Duration;

/// Decides which tasks run in an update.
///
/// The game reports every birth and death to the strategy between updates. If a task dies during an update, the
/// strategy is not notified until the update has ended, but [`UpdateContext::run`] skips the task.
///
/// A strategy contains only its algorithm, because the update context records when tasks run. Here is an example:
///
/// ```
/// use timeslicer::scheduler::{TaskId, TaskSet, UpdateContext};
/// use timeslicer::strategy::{Guarantee, Strategy};
///
/// /// Runs every task in every other update.
/// #[derive(Default)]
/// struct EveryOther {
///     tasks: TaskSet,
///     is_on: bool,
/// }
///
/// impl Strategy for EveryOther {
///     fn insert(&mut self, task: TaskId) {
///         self.tasks.insert(task);
///     }
///     fn remove(&mut self, task: TaskId) {
///         self.tasks.remove(task);
///     }
///     fn update(&mut self, context: &mut UpdateContext<'_>) {
///         self.is_on = !self.is_on;
///         if self.is_on {
///             context.run_round(&mut self.tasks);
///         }
///     }
///     fn guarantee(&self) -> Guarantee {
///         Guarantee::Updates(2)
///     }
/// }
/// # let _ = EveryOther::default();
/// ```
pub trait Strategy: Send + Sync {
    /// Adds a task that has just been born.
    fn insert(&mut self, task: TaskId);

    /// Removes a task, usually because it has died. Does nothing if the strategy does not contain the task.
    fn remove(&mut self, task: TaskId);

    /// Removes several tasks at once. Implement this if it can be faster than removing the tasks one by one.
    fn remove_all(&mut self, tasks: &[TaskId]) {
        for &task in tasks {
            self.remove(task);
        }
    }

    /// Requests a run of a living task. By default, this does nothing, because many strategies run all tasks without
    /// requests.
    fn request(&mut self, _task: TaskId) {}

    /// Runs the tasks that are due, each at most once, with [`UpdateContext::run`].
    ///
    /// The update may be stopped ([`UpdateContext::is_stopped`]) because the game has no time left or a task has
    /// panicked. The strategy must then return without running more tasks, and must continue with the remaining tasks
    /// in its next update.
    fn update(&mut self, context: &mut UpdateContext<'_>);

    /// Called when a task has run in this update although this strategy did not choose it, either because the game has
    /// called [`Timeslicer::run_next`](crate::Timeslicer::run_next) or because the task continues unfinished work. A
    /// strategy that sorts tasks by their last runs must then move the task, and a strategy that serves requests must
    /// drop the task's request.
    fn ran_early(&mut self, _task: TaskId) {}

    /// Returns the number of tasks that should have run but have not run yet, because they are due or have been
    /// requested.
    fn backlog(&self) -> usize {
        0
    }

    /// Returns an upper bound on how long a task waits. The bound is valid while the game stops no update and the
    /// population is stable, which means that no task is born or dies, or that each dead task is replaced at once.
    fn guarantee(&self) -> Guarantee;

    /// Returns the part of the strategy that decides which tasks fit into its time budget, or `None` if it has no budget.
    /// A game that measures costs itself reports them to this part.
    fn admission_mut(&mut self) -> Option<&mut Admission> {
        None
    }

    /// Returns the state of the strategy, so that the game can save it, or `None` if the strategy cannot be saved. The
    /// state does not include settings such as the interval.
    #[cfg(feature = "serde")]
    fn save(&self) -> Option<SavedState> {
        None
    }

    /// Replaces the state of this strategy with a saved state. Returns false and changes nothing if the saved state is
    /// that of another strategy.
    #[cfg(feature = "serde")]
    fn restore(&mut self, _state: &SavedState) -> bool {
        false
    }
}

/// A boxed strategy is also a strategy, so that a game can choose its strategy at run time.
impl<S: Strategy + ?Sized> Strategy for Box<S> {
    fn insert(&mut self, task: TaskId) {
        (**self).insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        (**self).remove(task);
    }

    fn remove_all(&mut self, tasks: &[TaskId]) {
        (**self).remove_all(tasks);
    }

    fn request(&mut self, task: TaskId) {
        (**self).request(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        (**self).update(context);
    }

    fn ran_early(&mut self, task: TaskId) {
        (**self).ran_early(task);
    }

    fn backlog(&self) -> usize {
        (**self).backlog()
    }

    fn guarantee(&self) -> Guarantee {
        (**self).guarantee()
    }

    fn admission_mut(&mut self) -> Option<&mut Admission> {
        (**self).admission_mut()
    }

    #[cfg(feature = "serde")]
    fn save(&self) -> Option<SavedState> {
        (**self).save()
    }

    #[cfg(feature = "serde")]
    fn restore(&mut self, state: &SavedState) -> bool {
        (**self).restore(state)
    }
}

/// The default is the first entry of [`STRATEGIES`].
impl Default for Box<dyn Strategy> {
    fn default() -> Self {
        (STRATEGIES[0].make)()
    }
}

/// An upper bound on how long a task waits. It is valid while the population and the parameters of the strategy do not
/// change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Every task runs at least once in any sequence of this many updates.
    Updates(usize),
    /// Every task runs again less than this time plus one delta after its last run.
    Interval(Nanos),
    /// A task becomes due in the first update that ends `interval` or more after its last run, and runs at most
    /// `updates` updates later. This holds for strategies with a budget, because they run at least one task per update,
    /// even if the budget is too small. Without an overload, a task waits for about one `interval`. An overload
    /// stretches the interval.
    Eventually {
        /// The time after its last run at which a task becomes due, or [`Nanos::MAX`] if tasks never have to run.
        interval: Nanos,
        /// The maximum number of updates from when a task becomes due until it runs. It is at least one.
        updates: usize,
    },
    /// Tasks run only on request, and a requested task runs within a limited number of updates.
    Request {
        /// The maximum number of updates until a requested task runs, including the update in which it runs.
        updates: usize,
    },
}

impl Guarantee {
    /// Returns true if tasks run only on request.
    pub fn is_on_request(self) -> bool {
        matches!(self, Self::Request { .. })
    }
}

/// An entry of [`STRATEGIES`].
#[derive(Clone, Copy, Debug)]
pub struct NamedStrategy {
    /// The name of the strategy, such as `Fixed interval`.
    pub name: &'static str,
    /// Creates the strategy without tasks. Its settings have values that suit most games.
    pub make: fn() -> Box<dyn Strategy>,
}

/// Declares each strategy's module, re-exports its type, and lists how to create it.
///
/// (`cargo fmt` skips modules that a macro declares, so pass their files to `rustfmt`.)
macro_rules! registry {
    ($($module:ident :: $Strategy:ident, $name:literal, $make:expr;)*) => {
        $(
            pub mod $module;
            pub use $module::$Strategy;

            /// Creates the strategy with the settings in [`STRATEGIES`], which suit most games.
            impl Default for $Strategy {
                fn default() -> Self {
                    $make
                }
            }
        )*

        /// All strategies, for a menu in which the user of a game chooses one.
        ///
        /// ```
        /// use timeslicer::Timeslicer;
        /// use timeslicer::strategy::STRATEGIES;
        ///
        /// let mut thinking: Timeslicer<&str> = Timeslicer::new((STRATEGIES[0].make)());
        /// for entry in STRATEGIES {
        ///     println!("{}", entry.name);
        ///     thinking.set_strategy((entry.make)());
        /// }
        /// ```
        pub static STRATEGIES: &[NamedStrategy] = &[
            $(NamedStrategy {
                name: $name,
                make: || Box::new($make),
            },)*
        ];
    };
}

const BUDGET: Duration = Duration::from_millis(4);
const INTERVAL: Duration = Duration::from_millis(500);

registry! {
    every_frame::EveryFrame, "Every frame", EveryFrame::new();
    all_at_once::AllAtOnce, "All at once", AllAtOnce::new(INTERVAL);
    max_per_frame::MaxPerFrame, "Max per frame", MaxPerFrame::new(4);
    fixed_interval::FixedInterval, "Fixed interval", FixedInterval::new(INTERVAL);
    stagger_groups::StaggerGroups, "Stagger groups", StaggerGroups::new(30);
    balanced_slots::BalancedSlots, "Balanced slots", BalancedSlots::new(INTERVAL, 60);
    random_phase::RandomPhase, "Random phase", RandomPhase::new(INTERVAL);
    request_list::RequestList, "Request list", RequestList::new();
    time_budget::TimeBudget, "Time budget", TimeBudget::new(BUDGET);
    distance_lod::DistanceLod, "Distance LOD", DistanceLod::new();
    earliest_deadline::EarliestDeadline, "Earliest deadline", EarliestDeadline::new(BUDGET);
    weighted_share::WeightedShare, "Weighted share", WeightedShare::new(BUDGET);
}
