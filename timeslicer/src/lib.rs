//! Spread game work over frames.
//!
//! Some game code does not have to run in every frame, such as decisions, sensors, path queries and garbage collection.
//! This crate runs such code a little at a time. A [`Timeslicer`] holds the tasks of a game and calls those that are
//! due. Its [`strategy`] decides which tasks are due. The crate has no dependencies and no unsafe code. It counts time
//! in whole nanoseconds, so nothing drifts, however long the game runs.
//!
//! # Example
//!
//! Each guard thinks twice a second, at any frame rate and with any number of guards:
//!
//! ```
//! use std::time::Duration;
//! use timeslicer::Timeslicer;
//! use timeslicer::strategy::FixedInterval;
//!
//! let mut thinking = Timeslicer::new(FixedInterval::new(Duration::from_millis(500)));
//! let ann = thinking.add("Ann"); // when a guard is born
//!
//! for _frame in 0..100 {
//!     let delta = Duration::from_millis(16); // the time since the last frame
//!     thinking.update(delta, |guard, elapsed| {
//!         println!("{guard} thinks, {elapsed:?} after the last time");
//!     });
//! }
//!
//! thinking.remove(ann); // when she dies
//! ```
//!
//! # Which strategy?
//!
//! 1. *Are the tasks so cheap that all of them fit into every frame?* Use [`EveryFrame`](strategy::EveryFrame).
//! 2. *Do tasks react to events?* Use [`RequestList`](strategy::RequestList), or [`TimeBudget`](strategy::TimeBudget)
//!    if many events can come at once.
//! 3. *Do some tasks matter more than others?* Use [`DistanceLod`](strategy::DistanceLod) if every frame has time for
//!    all due tasks, [`EarliestDeadline`](strategy::EarliestDeadline) if the work has to stay within a budget, and
//!    [`WeightedShare`](strategy::WeightedShare) if there is always more work than time.
//! 4. *Otherwise*, use [`FixedInterval`](strategy::FixedInterval). If the tasks differ so much in cost that some frames
//!    take much longer than others, use [`BalancedSlots`](strategy::BalancedSlots). If a growing number of tasks must
//!    not make frames slower, use [`MaxPerFrame`](strategy::MaxPerFrame).
//!
//! <!-- strategies: begin -->
//!
//! | strategy | use it | an update runs | guarantee |
//! |---|---|---|---|
//! | [`EveryFrame`](strategy::EveryFrame) | when tasks must be up to date in every frame, or when they are so cheap that all of them fit into one frame | all tasks | every task runs in every update |
//! | [`AllAtOnce`](strategy::AllAtOnce) | when all tasks must see the same state of the world, and a single frame has time for all of them | all tasks in one update, none in the others | each task waits less than the interval plus one frame |
//! | [`MaxPerFrame`](strategy::MaxPerFrame) | when every frame should do the same amount of work, and tasks can wait | at most the limit | each task runs again after tasks / limit updates |
//! | [`FixedInterval`](strategy::FixedInterval) | when tasks such as decisions and sensors should run at a steady rate, as in most games | tasks × delta / interval, rounded up or down | each task waits less than the interval plus one frame |
//! | [`StaggerGroups`](strategy::StaggerGroups) | when each task should run once every n updates, however much game time passes in an update | one group: tasks / groups | with n groups, each task runs once every n updates |
//! | [`BalancedSlots`](strategy::BalancedSlots) | when work repeats at a steady rate, costs vary widely, and every frame should take the same time | tasks × delta / interval on average, at the same cost in each update | each task waits less than the interval plus one slot and one frame |
//! | [`RandomPhase`](strategy::RandomPhase) | when a task's turns must not depend on any other task, or to see what this common trick costs | tasks × delta / interval on average, but always more in some parts of the interval | each task waits less than the interval plus one frame |
//! | [`RequestList`](strategy::RequestList) | when the work is triggered by events, such as a noise that a sentry hears, because tasks without a request cost nothing | all requests, or the oldest ones up to the limit | a request is served after (earlier requests / limit) updates, or in the next update without a limit |
//! | [`TimeBudget`](strategy::TimeBudget) | when many requests can arrive at once, and the frame rate matters more than the delay | requested tasks as long as they fit into the budget, at least one | a request behind n others is served within n + 1 updates |
//! | [`DistanceLod`](strategy::DistanceLod) | when only a few of many tasks matter at a time, and every update has time for all due tasks | all due tasks | each task runs within one frame of its own interval |
//! | [`EarliestDeadline`](strategy::EarliestDeadline) | when a task's deadline depends on how much it matters, and an overload should stretch all intervals in proportion | as many due tasks as fit into the budget, at least one | if not all due tasks fit, all intervals grow by the same factor |
//! | [`WeightedShare`](strategy::WeightedShare) | when there is more work than time, some tasks matter more than others, and updates must stay within a budget | tasks as long as they fit into the budget, at least one | how often a task runs depends on its weight and cost, and tasks that have waited for the expiry time have priority |
//!
//! <!-- strategies: end -->
//!
//! The page of each strategy describes its algorithm, its cost and its source. Timeslice Lab, the program at the root
//! of this crate's repository, shows all strategies at work and measures them with your number of tasks and your costs.
//!
//! # What games need
//!
//! - *A pause*: an update with a delta of zero runs nothing.
//! - *Births, deaths and requests inside a task, and work that takes several frames*: [`Timeslicer::update_with`].
//! - *A task that must not wait for its turn*: [`Timeslicer::run_next`].
//! - *Several kinds of work under one budget*: [`SharedBudget`].
//! - *Worker threads*: [`Timeslicer::take_due`].
//! - *Lockstep multiplayer*: [`Timeslicer::with_clock`], with a clock that counts work instead of time.
//! - *A debug overlay*: [`Timeslicer::last_update`].
//! - *A clock in a web page*, where the standard library has none: [`Timeslicer::with_clock`].
//!
//! # Beyond the timeslicer
//!
//! - [`frame_loop`] contains game loops, which decide when updates happen: with a fixed step, with frame skipping, and
//!   others.
//! - [`scheduler`] contains the parts that strategies are made of. If a game needs more than a [`Timeslicer`] offers,
//!   it can call these parts itself.
//! - [`time`] contains time spans and clocks.
//!
//! # Features
//!
//! - `serde` (off by default): saves a timeslicer with the game, as a `Snapshot`, so that it continues exactly.
//! - `testing` (off by default): a simulated game for tests of your own strategy, in the module `strategy::testing`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod frame_loop;
pub mod scheduler;
pub mod strategy;
pub mod time;
mod timeslicer;

#[cfg(feature = "serde")]
pub use timeslicer::Snapshot;
pub use timeslicer::{Due, Run, SharedBudget, TaskId, Timeslicer, UpdateReport};

/// Makes `cargo test` run the code examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
