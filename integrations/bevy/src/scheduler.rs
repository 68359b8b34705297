use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use std::any::{Any, type_name};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use timeslicer::strategy::Strategy;
use timeslicer::{SharedBudget, TaskId, Timeslicer, UpdateReport};

/// The resource that decides when the entities with a [`Timesliced<M>`](crate::Timesliced) component run.
///
/// [`TimeslicerPlugin`](crate::TimeslicerPlugin) inserts this resource and runs the tasks that are due. Your systems
/// use the resource to request runs, to change the strategy, and to see which tasks are waiting:
///
/// ```
/// use std::time::Duration;
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use bevy_time::TimePlugin;
/// use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin};
/// use timeslicer::strategy::TimeBudget;
///
/// #[derive(Component, Default)]
/// #[require(Timesliced<Guard>)]
/// struct Guard {
///     is_alarmed: bool,
/// }
///
/// #[derive(Event)]
/// struct Noise;
///
/// fn find_path(run: Run, mut guards: Query<&mut Guard>) {
///     if let Ok(mut guard) = guards.get_mut(run.entity) {
///         guard.is_alarmed = true;
///     }
/// }
///
/// /// All guards hear the noise. Each update spends half a millisecond on their paths.
/// fn alarm(_: On<Noise>, guards: Query<Entity, With<Guard>>, mut paths: ResMut<Scheduler<Guard>>) {
///     for guard in &guards {
///         paths.request(guard);
///     }
/// }
///
/// let mut app = App::new();
/// let strategy = TimeBudget::new(Duration::from_micros(500));
/// app.add_plugins((TimePlugin, TimeslicerPlugin::<Guard>::new(strategy, find_path)));
/// app.add_observer(alarm);
/// app.world_mut().spawn_batch((0..40).map(|_| Guard::default()));
///
/// app.world_mut().trigger(Noise);
/// assert_eq!(app.world().resource::<Scheduler<Guard>>().backlog(), 40);
/// while app.world().resource::<Scheduler<Guard>>().backlog() > 0 {
///     app.update();
/// }
/// # let world = app.world_mut();
/// # assert!(world.query::<&Guard>().iter(world).all(|guard| guard.is_alarmed));
/// ```
///
/// # Run tasks in a system of your own
///
/// The plugin's system has exclusive access to the world while tasks run, so no other system runs at the same time. If
/// that costs too much, do not add the plugin. Instead, insert this resource and call [`Scheduler::update`] or
/// [`Scheduler::update_weighted`] in an ordinary system.
///
/// # Disabled entities
///
/// Like a query, the scheduler skips an entity with the component [`Disabled`](bevy_ecs::entity_disabling::Disabled) or
/// another component that disables entities. The entity waits: it takes no turns, and its requests are kept until it is
/// enabled. Time stands still for it: the elapsed time of its first run counts from when it was enabled.
///
/// # Births, deaths and panics inside a run
///
/// A task that dies never runs again, not even later in the same update. A newborn task does not run before the next
/// update. A panic ends the update. However, no birth, death or request that happened before the panic is lost, and the
/// next update continues with the remaining tasks.
#[derive(Resource)]
#[component(on_insert)]
pub struct Scheduler<M: 'static> {
    /// The tasks and their strategy, or `None` while the plugin's system runs tasks.
    pub(crate) timeslicer: Option<EntitySlicer>,
    /// The entities that are tasks.
    pub(crate) tasks: Tasks,
    /// The changes that were made while the plugin's system was running tasks. They take effect after the update, in
    /// this order.
    changes: Vec<Change>,
    clock: Clock,
    /// The number of waiting tasks at the beginning of the plugin's latest update.
    backlog: usize,
    /// While the plugin's system runs tasks, the report of the previous update.
    last_update: UpdateReport,
    /// The time on the clock at which the budget of the plugin's current run is used up.
    deadline: Option<Duration>,
    /// Whether the current run has asked to be continued. It is shared so that the plugin need not look it up in the
    /// world after each run.
    is_unfinished: Arc<AtomicBool>,
    has_warned: bool,
    marker: PhantomData<fn() -> M>,
}

pub(crate) type EntitySlicer = Timeslicer<Entity, Box<dyn AnyStrategy>>;
pub(crate) type Tasks = EntityHashMap<Task>;
type Change = Box<dyn FnOnce(&mut EntitySlicer, &mut Tasks) + Send + Sync>;
type Request = fn(&mut EntitySlicer, TaskId) -> bool;
type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// A strategy that [`Scheduler::strategy_mut`] can downcast to its type.
pub(crate) trait AnyStrategy: Strategy + Any {}

impl<S: Strategy + Any> AnyStrategy for S {}

#[derive(Default)]
pub(crate) struct Task {
    /// The id, or `None` if the task does not run because the entity is disabled or was born in this update.
    pub(crate) id: Option<TaskId>,
    pub(crate) is_disabled: bool,
    /// The request that the task makes as soon as it has an id.
    pub(crate) pending: Option<Request>,
}

impl<M: 'static> Scheduler<M> {
    /// Creates a scheduler for a game that does not use the plugin. When this resource is inserted, all entities that
    /// already have a [`Timesliced<M>`](crate::Timesliced) component become its tasks.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_timeslicer::{Scheduler, Timesliced};
    /// use timeslicer::strategy::MaxPerFrame;
    ///
    /// struct Sensors;
    ///
    /// let mut world = World::new();
    /// world.spawn(Timesliced::<Sensors>::new());
    /// world.insert_resource(Scheduler::<Sensors>::new(MaxPerFrame::new(4)));
    /// world.spawn(Timesliced::<Sensors>::new());
    /// assert_eq!(world.resource::<Scheduler<Sensors>>().len(), 2);
    /// ```
    pub fn new(strategy: impl Strategy + 'static) -> Self {
        Self::with_tasks(Timeslicer::new(Box::new(strategy)), Tasks::default())
    }

    pub(crate) fn with_tasks(timeslicer: EntitySlicer, tasks: Tasks) -> Self {
        Self {
            timeslicer: Some(timeslicer.with_clock(default_clock)),
            tasks,
            changes: Vec::new(),
            clock: Arc::new(default_clock),
            backlog: 0,
            last_update: UpdateReport::default(),
            deadline: None,
            is_unfinished: Arc::default(),
            has_warned: false,
            marker: PhantomData,
        }
    }

    /// Measures the cost of runs with `clock`, which returns the time since any fixed moment. The default is Bevy's
    /// clock, which works in a web page, too, if Bevy's feature `web` is enabled. See [`Timeslicer::with_clock`] for
    /// clocks with which a strategy with a budget makes the same decisions on every machine.
    ///
    /// If the clock stands still, budgets have no effect, and the scheduler writes one warning to the log.
    pub fn with_clock(mut self, clock: impl FnMut() -> Duration + Send + Sync + 'static) -> Self {
        let clock = Mutex::new(clock);
        let clock = Arc::new(move || {
            let mut clock = clock.lock().unwrap_or_else(PoisonError::into_inner);
            clock()
        });
        self.clock = clock.clone();
        let timeslicer = self.timeslicer.take();
        self.timeslicer = timeslicer.map(|it| it.with_clock(move || clock()));
        self
    }

    /// Makes this scheduler spend at most its share of `budget` in each frame. The game has to call
    /// [`SharedBudget::begin_frame`] in each frame, for example in Bevy's schedule `First`. The `share` is relative to
    /// those of the other schedulers.
    pub fn with_shared_budget(mut self, budget: &SharedBudget, share: f64) -> Self {
        let timeslicer = self.timeslicer.take();
        self.timeslicer = timeslicer.map(|it| it.with_shared_budget(budget, share));
        self
    }

    /// Returns the number of tasks, including those of disabled entities. Births and deaths change this number
    /// immediately, even while other tasks run.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Returns true if there are no tasks.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Requests a run of an entity. Returns false if the entity is not a task.
    ///
    /// If the strategy runs tasks on request, the entity runs in one of the next updates. All other strategies ignore
    /// requests, because they run every task anyway. If the strategy is replaced before the entity has run, the request
    /// is passed on to the new strategy. A request that is made while tasks run takes effect in the next update. See
    /// [`Scheduler`] for an example.
    pub fn request(&mut self, entity: Entity) -> bool {
        self.ask(entity, EntitySlicer::request)
    }

    /// Runs an entity first in the next update, whatever the strategy and its budget, and then as usual. Returns false
    /// if the entity is not a task. If it is disabled, it runs first when it is enabled. See [`Timeslicer::run_next`].
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_timeslicer::Scheduler;
    ///
    /// struct Thinking;
    ///
    /// #[derive(EntityEvent)]
    /// struct Hit {
    ///     entity: Entity,
    /// }
    ///
    /// /// A guard that has been hit does not wait for its turn.
    /// fn react(hit: On<Hit>, mut thinking: ResMut<Scheduler<Thinking>>) {
    ///     thinking.run_next(hit.entity);
    /// }
    /// # World::new().add_observer(react);
    /// ```
    pub fn run_next(&mut self, entity: Entity) -> bool {
        self.ask(entity, EntitySlicer::run_next)
    }

    fn ask(&mut self, entity: Entity, request: Request) -> bool {
        let Some(task) = self.tasks.get_mut(&entity) else {
            return false;
        };
        match task.id {
            Some(id) => self.change(move |timeslicer, _| _ = request(timeslicer, id)),
            None => task.pending = Some(request),
        }
        true
    }

    /// Says that the entity that the plugin is running has not finished its work. It runs again at the end of this
    /// update if the budget allows, and otherwise first in the next update. In a system of your own, use
    /// [`timeslicer::Run::again`].
    ///
    /// Use this for work that takes several frames. The entity stores how far it got, and each run does as much as fits
    /// into [`remaining`](Self::remaining):
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_timeslicer::{Run, Scheduler};
    /// use std::time::Duration;
    ///
    /// #[derive(Component)]
    /// struct Path {
    ///     steps: u32,
    /// }
    ///
    /// fn find_path(run: Run, mut paths: Query<&mut Path>, mut scheduler: ResMut<Scheduler<Path>>) {
    ///     let Ok(mut path) = paths.get_mut(run.entity) else {
    ///         return;
    ///     };
    ///     while path.steps < 500 {
    ///         if scheduler.remaining() == Some(Duration::ZERO) {
    ///             return scheduler.again();
    ///         }
    ///         path.steps += 1;
    ///     }
    /// }
    /// # bevy_ecs::system::assert_is_system::<Run, (), _>(find_path);
    /// ```
    pub fn again(&mut self) {
        self.is_unfinished.store(true, Ordering::Relaxed);
    }

    /// Returns how much of the budget is left for the entity that the plugin is running. Returns `None` if there is no
    /// budget or the plugin is not running an entity. In a system of your own, use [`timeslicer::Run::remaining`].
    pub fn remaining(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_sub((self.clock)()))
    }

    /// Returns the number of waiting tasks, which are those that are due or requested but have not run yet. While the
    /// plugin's system runs tasks, this is the number at the beginning of the update.
    pub fn backlog(&self) -> usize {
        let timeslicer = self.timeslicer.as_ref();
        timeslicer.map_or(self.backlog, Timeslicer::backlog)
    }

    /// Returns the time since the entity's last run, or since it became a task or was enabled if it has not run since.
    /// Returns `None` if the entity is not a task or is disabled.
    ///
    /// While the plugin's system runs tasks, this returns `None` for all entities. Use
    /// [`Run::elapsed`](crate::Run::elapsed) to get the time for the entity that is running.
    pub fn staleness(&self, entity: Entity) -> Option<Duration> {
        let task = self.tasks.get(&entity)?;
        self.timeslicer.as_ref()?.staleness(task.id?)
    }

    /// Returns what happened in the last update, for example for a debug overlay. While the plugin's system runs tasks,
    /// this is the previous update, not the one that is running.
    pub fn last_update(&self) -> &UpdateReport {
        let timeslicer = self.timeslicer.as_ref();
        timeslicer.map_or(&self.last_update, Timeslicer::last_update)
    }

    /// Returns the strategy, so that its parameters can be changed while the game runs. In contrast to
    /// [`set_strategy`](Self::set_strategy), the strategy keeps the order of the tasks and their estimated costs. Returns
    /// `None` if the strategy has another type, or while the plugin's system runs tasks.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_timeslicer::Scheduler;
    /// use timeslicer::strategy::MaxPerFrame;
    ///
    /// struct Sensors;
    ///
    /// fn save_battery(mut sensors: ResMut<Scheduler<Sensors>>) {
    ///     if let Some(strategy) = sensors.strategy_mut::<MaxPerFrame>() {
    ///         strategy.set_max_tasks(2);
    ///     }
    /// }
    /// # let mut world = World::new();
    /// # world.insert_resource(Scheduler::<Sensors>::new(MaxPerFrame::new(8)));
    /// # world.run_system_cached(save_battery).unwrap();
    /// # let mut sensors = world.resource_mut::<Scheduler<Sensors>>();
    /// # assert_eq!(sensors.strategy_mut::<MaxPerFrame>().unwrap().max_tasks(), 2);
    /// ```
    pub fn strategy_mut<S: Strategy + 'static>(&mut self) -> Option<&mut S> {
        let strategy: &mut dyn Any = &mut **self.timeslicer.as_mut()?.strategy_mut();
        strategy.downcast_mut()
    }

    /// Replaces the strategy, but keeps the time of each task's last run and all pending requests. If this is called
    /// while the plugin's system runs tasks, the change takes effect at the end of the update.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_timeslicer::Scheduler;
    /// use timeslicer::strategy::MaxPerFrame;
    ///
    /// struct Sensors;
    ///
    /// /// Uses a small part of each frame while there is a fight.
    /// fn begin_fight(mut sensors: ResMut<Scheduler<Sensors>>) {
    ///     sensors.set_strategy(MaxPerFrame::new(2));
    /// }
    /// # bevy_ecs::system::assert_is_system(begin_fight);
    /// ```
    pub fn set_strategy(&mut self, strategy: impl Strategy + 'static) {
        self.change(|timeslicer, _| _ = timeslicer.set_strategy(Box::new(strategy)));
    }

    /// Makes a change now, or after the update if the plugin's system is running tasks.
    pub(crate) fn change(
        &mut self,
        change: impl FnOnce(&mut EntitySlicer, &mut Tasks) + Send + Sync + 'static,
    ) {
        match &mut self.timeslicer {
            Some(timeslicer) => change(timeslicer, &mut self.tasks),
            None => self.changes.push(Box::new(change)),
        }
    }

    /// Runs the tasks that are due, in a system of your own. Returns the number of runs. The closure `run` receives an
    /// entity and the time since its last run. To despawn an entity, use `Commands`.
    ///
    /// Use this method only without the plugin, and call it once in each update:
    ///
    /// ```
    /// use std::time::Duration;
    /// use bevy_app::{App, Update};
    /// use bevy_ecs::prelude::*;
    /// use bevy_time::{Time, TimePlugin};
    /// use bevy_timeslicer::{Scheduler, Timesliced};
    /// use timeslicer::strategy::FixedInterval;
    ///
    /// #[derive(Component, Default)]
    /// #[require(Timesliced<Guard>)]
    /// struct Guard {
    ///     thoughts: u32,
    /// }
    ///
    /// fn think(mut scheduler: ResMut<Scheduler<Guard>>, time: Res<Time>, mut guards: Query<&mut Guard>) {
    ///     scheduler.update(time.delta(), |entity, _elapsed| {
    ///         if let Ok(mut guard) = guards.get_mut(entity) {
    ///             guard.thoughts += 1;
    ///         }
    ///     });
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins(TimePlugin);
    /// app.insert_resource(Scheduler::<Guard>::new(FixedInterval::new(Duration::from_millis(500))));
    /// app.add_systems(Update, think);
    /// app.update();
    /// ```
    pub fn update(&mut self, delta: Duration, mut run: impl FnMut(Entity, Duration)) -> usize {
        let run = |(): &mut (), entity, elapsed| run(entity, elapsed);
        self.update_weighted(delta, &mut (), |(), _| 1.0, run)
    }

    /// Runs the tasks that are due, in a system of your own. Returns the number of runs. In contrast to
    /// [`Scheduler::update`], this also tells the strategy how much each entity matters: the closure `weight` returns a
    /// number from 0 to 1. The closure `run` runs an entity. Both closures receive `game`, so that they can share a
    /// query.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_time::Time;
    /// use bevy_timeslicer::{Scheduler, Timesliced};
    ///
    /// #[derive(Component)]
    /// #[require(Timesliced<Guard>)]
    /// struct Guard {
    ///     distance: f64,
    ///     thoughts: u32,
    /// }
    ///
    /// fn think(mut scheduler: ResMut<Scheduler<Guard>>, time: Res<Time>, mut guards: Query<&mut Guard>) {
    ///     scheduler.update_weighted(
    ///         time.delta(),
    ///         &mut guards,
    ///         |guards, entity| guards.get(entity).map_or(0.0, |guard| 10.0 / guard.distance),
    ///         |guards, entity, _elapsed| {
    ///             if let Ok(mut guard) = guards.get_mut(entity) {
    ///                 guard.thoughts += 1;
    ///             }
    ///         },
    ///     );
    /// }
    /// # use std::time::Duration;
    /// # use timeslicer::strategy::DistanceLod;
    /// # let mut world = World::new();
    /// # world.init_resource::<Time>();
    /// # world.insert_resource(Scheduler::<Guard>::new(DistanceLod::new()));
    /// # let guard = |distance| Guard { distance, thoughts: 0 };
    /// # let guards = [10.0, 100.0].map(|distance| world.spawn(guard(distance)).id());
    /// # for _ in 0..200 {
    /// #     world.resource_mut::<Time>().advance_by(Duration::from_millis(5));
    /// #     world.run_system_cached(think).unwrap();
    /// # }
    /// # assert_eq!(guards.map(|guard| world.get::<Guard>(guard).unwrap().thoughts), [20, 2]);
    /// ```
    pub fn update_weighted<G: ?Sized>(
        &mut self,
        delta: Duration,
        game: &mut G,
        weight: impl Fn(&G, Entity) -> f64,
        mut run: impl FnMut(&mut G, Entity, Duration),
    ) -> usize {
        let weight = |game: &G, entity: &Entity| weight(game, *entity);
        self.update_with(delta, game, weight, |game, it| {
            run(game, *it.key(), it.elapsed());
        })
    }

    /// Runs the tasks that are due, in a system of your own. Returns the number of runs. In contrast to
    /// [`Scheduler::update_weighted`], the closure `run` receives a [`timeslicer::Run`], with which the entity can ask how
    /// much of the budget is left, and continue in a later update. To add and remove tasks, use `Commands` as always.
    pub fn update_with<G: ?Sized>(
        &mut self,
        delta: Duration,
        game: &mut G,
        weight: impl Fn(&G, &Entity) -> f64,
        run: impl FnMut(&mut G, &mut timeslicer::Run<'_, Entity>),
    ) -> usize {
        // The timeslicer is missing if this is called inside a run of the plugin's system.
        let timeslicer = self.timeslicer.as_mut();
        let runs = timeslicer.map_or(0, |it| it.update_with(delta, game, weight, run));
        self.check_clock();
        runs
    }

    /// Runs the tasks that are due. Each run has access to the whole `world`, so it can also add, remove and request
    /// tasks.
    pub(crate) fn update_world(
        world: &mut World,
        delta: Duration,
        weight: impl Fn(&World, Entity) -> f64,
        mut run: impl FnMut(&mut World, Entity, Duration),
    ) {
        let Some(mut scheduler) = world.get_resource_mut::<Self>() else {
            return;
        };
        // The timeslicer is missing if a run of one of its tasks runs the schedule again.
        let Some(mut timeslicer) = scheduler.timeslicer.take() else {
            return;
        };
        scheduler.backlog = timeslicer.backlog();
        scheduler.last_update = *timeslicer.last_update();
        let is_unfinished = scheduler.is_unfinished.clone();
        let weight = |world: &World, entity: &Entity| {
            let scheduler = world.get_resource::<Self>();
            let is_task = scheduler.is_some_and(|it| it.tasks.contains_key(entity));
            if is_task { weight(world, *entity) } else { 0.0 }
        };
        let run = |world: &mut World, it: &mut timeslicer::Run<'_, Entity>| {
            let scheduler = world.get_resource_mut::<Self>();
            if scheduler.is_some_and(|mut scheduler| scheduler.begin_run(it)) {
                run(world, *it.key(), it.elapsed());
                if is_unfinished.load(Ordering::Relaxed) {
                    it.again();
                }
            }
        };
        let update = || timeslicer.update_with(delta, world, weight, run);
        let result = catch_unwind(AssertUnwindSafe(update));
        if let Some(mut scheduler) = world.get_resource_mut::<Self>() {
            scheduler.end_update(timeslicer);
        }
        if let Err(panic) = result {
            resume_unwind(panic);
        }
    }

    /// Returns false if the entity has died or has been disabled since the beginning of the update.
    fn begin_run(&mut self, run: &timeslicer::Run<'_, Entity>) -> bool {
        let task = self.tasks.get_mut(run.key());
        let Some(task) = task.filter(|it| it.id == Some(run.task())) else {
            return false;
        };
        if task.is_disabled {
            task.pending = Some(EntitySlicer::request); // it gets this run when it is enabled
            return false;
        }
        self.is_unfinished.store(false, Ordering::Relaxed);
        self.deadline = run.remaining().map(|left| (self.clock)() + left);
        true
    }

    fn end_update(&mut self, mut timeslicer: EntitySlicer) {
        if self.timeslicer.is_some() {
            return; // A run has replaced this resource by one with tasks of its own.
        }
        for change in std::mem::take(&mut self.changes) {
            change(&mut timeslicer, &mut self.tasks);
        }
        self.timeslicer = Some(timeslicer);
        self.deadline = None;
        self.check_clock();
    }

    /// Warns once if the clock stands still.
    fn check_clock(&mut self) {
        let report = self.last_update();
        let has_no_effect = report.clock_stands_still && report.budget.is_some();
        if has_no_effect && !std::mem::replace(&mut self.has_warned, true) {
            let name = type_name::<Self>();
            log::warn!("The clock stands still, so the budget has no effect: pass {name} a clock");
        }
    }
}

/// Reads the default clock. In a web page, this is Bevy's clock, because the standard library has none there.
fn default_clock() -> Duration {
    bevy_platform::cfg::switch! {
        bevy_platform::cfg::web => {
            static START: std::sync::OnceLock<bevy_platform::time::Instant> =
                std::sync::OnceLock::new();
            START.get_or_init(bevy_platform::time::Instant::now).elapsed()
        }
        _ => {
            timeslicer::time::monotonic().since_start().into()
        }
    }
}
