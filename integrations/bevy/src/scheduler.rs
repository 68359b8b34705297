//! [`Scheduler`] is the resource that schedules all tasks of one marker type. It also records births, deaths and
//! requests that happen while tasks run.

use bevy_ecs::entity::{Entity, EntityHashMap, EntityIndexSet};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::query::{Allow, With};
use bevy_ecs::resource::Resource;
use bevy_ecs::world::{DeferredWorld, World};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;
use timeslicer::strategy::Strategy;
use timeslicer::{TaskId, Timeslicer};

use crate::Timesliced;

/// The resource that decides when the entities with a [`Timesliced<M>`] component run.
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
/// fn find_path(run: Run, mut guards: Query<&mut Guard>) -> Result {
///     guards.get_mut(run.entity)?.is_alarmed = true;
///     Ok(())
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
/// # Births, deaths and panics inside a run
///
/// A task that dies never runs again, not even later in the same update. A newborn task does not run before the next
/// update. A panic ends the update. However, no birth, death or request that happened before the panic is lost, and the
/// next update continues with the remaining tasks.
#[derive(Resource)]
#[component(on_insert)]
pub struct Scheduler<M: 'static> {
    /// The tasks and their strategy, or `None` while the plugin's system runs tasks.
    timeslicer: Option<Timeslicer<Entity>>,
    /// The entities that are tasks, with their task ids. An entity that becomes a task while tasks are running has no
    /// id until the update ends.
    tasks: EntityHashMap<Option<TaskId>>,
    /// The changes that were made while the plugin's system was running tasks. They take effect after the update, in
    /// this order.
    changes: Vec<Change<M>>,
    /// The number of waiting tasks at the beginning of the plugin's latest update.
    backlog: usize,
    marker: PhantomData<fn() -> M>,
}

type Change<M> = Box<dyn FnOnce(&mut Scheduler<M>) + Send + Sync>;

impl<M: 'static> Scheduler<M> {
    /// Creates a scheduler for a game that does not use the plugin. When this resource is inserted, all entities that
    /// already have a [`Timesliced<M>`] component become its tasks.
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
        Self::with_boxed(Box::new(strategy))
    }

    pub(crate) fn with_boxed(strategy: Box<dyn Strategy>) -> Self {
        Self {
            timeslicer: Some(Timeslicer::new(strategy)),
            tasks: EntityHashMap::default(),
            changes: Vec::new(),
            backlog: 0,
            marker: PhantomData,
        }
    }

    /// Returns the number of tasks. Births and deaths change this number immediately, even while other tasks run.
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
        let Some(&task) = self.tasks.get(&entity) else {
            return false;
        };
        if let (Some(task), Some(timeslicer)) = (task, &mut self.timeslicer) {
            timeslicer.request(task);
        } else {
            self.change_later(move |scheduler| _ = scheduler.request(entity));
        }
        true
    }

    /// Returns the number of waiting tasks, which are those that are due or requested but have not run yet. While the
    /// plugin's system runs tasks, this is the number at the beginning of the update.
    pub fn backlog(&self) -> usize {
        let timeslicer = self.timeslicer.as_ref();
        timeslicer.map_or(self.backlog, Timeslicer::backlog)
    }

    /// Returns the time since the entity's last run, or since it became a task if it has never run. Returns `None` if
    /// the entity is not a task.
    ///
    /// While the plugin's system runs tasks, this returns `None` for all entities. Use
    /// [`Run::elapsed`](crate::Run::elapsed) to get the time for the entity that is running.
    ///
    /// ```
    /// use std::time::Duration;
    /// use bevy_ecs::prelude::*;
    /// use bevy_timeslicer::{Scheduler, Timesliced};
    /// use timeslicer::strategy::MaxPerFrame;
    ///
    /// struct Sensors;
    ///
    /// let mut world = World::new();
    /// world.insert_resource(Scheduler::<Sensors>::new(MaxPerFrame::new(1)));
    /// let [first, second] = [(); 2].map(|()| world.spawn(Timesliced::<Sensors>::new()).id());
    /// let mut sensors = world.resource_mut::<Scheduler<Sensors>>();
    /// let frame = Duration::from_millis(16);
    /// sensors.update(frame, |entity, _| assert_eq!(entity, first));
    /// assert_eq!(sensors.staleness(first), Some(Duration::ZERO));
    /// assert_eq!(sensors.staleness(second), Some(frame));
    /// ```
    pub fn staleness(&self, entity: Entity) -> Option<Duration> {
        let task = self.tasks.get(&entity)?;
        self.timeslicer.as_ref()?.staleness((*task)?)
    }

    /// Replaces the strategy. The time since each task's last run is kept. Requests that have not been served are kept,
    /// too. While the plugin's system runs tasks, the change does not take effect until the end of the update.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_timeslicer::{Scheduler, Timesliced};
    /// use timeslicer::strategy::{EveryFrame, MaxPerFrame};
    ///
    /// struct Sensors;
    ///
    /// /// Uses a small part of each frame while there is a fight.
    /// fn begin_fight(mut sensors: ResMut<Scheduler<Sensors>>) {
    ///     sensors.set_strategy(MaxPerFrame::new(2));
    /// }
    /// # let mut world = World::new();
    /// # world.insert_resource(Scheduler::<Sensors>::new(EveryFrame::new()));
    /// # world.spawn_batch((0..9).map(|_| Timesliced::<Sensors>::new()));
    /// # world.run_system_cached(begin_fight).unwrap();
    /// # let mut sensors = world.resource_mut::<Scheduler<Sensors>>();
    /// # assert_eq!(sensors.update(std::time::Duration::from_millis(16), |_, _| ()), 2);
    /// ```
    pub fn set_strategy(&mut self, strategy: impl Strategy + 'static) {
        self.set_boxed_strategy(Box::new(strategy));
    }

    fn set_boxed_strategy(&mut self, strategy: Box<dyn Strategy>) {
        match &mut self.timeslicer {
            Some(timeslicer) => drop(timeslicer.set_strategy(strategy)),
            None => self.change_later(|scheduler| scheduler.set_boxed_strategy(strategy)),
        }
    }

    fn change_later(&mut self, change: impl FnOnce(&mut Self) + Send + Sync + 'static) {
        self.changes.push(Box::new(change));
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
        run: impl FnMut(&mut G, Entity, Duration),
    ) -> usize {
        // The timeslicer is missing if this is called inside a run of the plugin's system.
        let timeslicer = self.timeslicer.as_mut();
        timeslicer.map_or(0, |it| it.update_weighted(delta, game, weight, run))
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
        let update = || {
            timeslicer.update_weighted(
                delta,
                world,
                |world, entity| {
                    if Self::may_run(world, entity) {
                        weight(world, entity)
                    } else {
                        0.0
                    }
                },
                |world, entity, elapsed| {
                    if Self::may_run(world, entity) {
                        run(world, entity, elapsed);
                    }
                },
            )
        };
        let result = catch_unwind(AssertUnwindSafe(update));
        if let Some(mut scheduler) = world.get_resource_mut::<Self>() {
            scheduler.end_update(timeslicer);
        }
        if let Err(panic) = result {
            resume_unwind(panic);
        }
    }

    /// Returns true if the entity was a task at the beginning of the update and still is one.
    fn may_run(world: &World, entity: Entity) -> bool {
        let scheduler = world.get_resource::<Self>();
        scheduler.is_some_and(|it| matches!(it.tasks.get(&entity), Some(Some(_))))
    }

    fn end_update(&mut self, timeslicer: Timeslicer<Entity>) {
        if self.timeslicer.is_some() {
            return; // A run has replaced this resource by one with tasks of its own.
        }
        self.timeslicer = Some(timeslicer);
        for change in std::mem::take(&mut self.changes) {
            change(self);
        }
    }

    pub(crate) fn report_birth(&mut self, entity: Entity) {
        let timeslicer = self.timeslicer.as_mut();
        let task = timeslicer.map(|timeslicer| timeslicer.add(entity));
        if task.is_none() {
            self.change_later(move |scheduler| {
                if let Some(None) = scheduler.tasks.get(&entity) {
                    scheduler.report_birth(entity);
                }
            });
        }
        self.tasks.insert(entity, task);
    }

    pub(crate) fn report_death(&mut self, entity: Entity) {
        if let Some(task) = self.tasks.remove(&entity).flatten() {
            self.end_task(task);
        }
    }

    fn end_task(&mut self, task: TaskId) {
        match &mut self.timeslicer {
            Some(timeslicer) => drop(timeslicer.remove(task)),
            None => self.change_later(move |scheduler| scheduler.end_task(task)),
        }
    }

    /// Makes the tasks match the world when the resource is inserted. Adds the entities that already have the
    /// [`Timesliced<M>`] component, and removes those that no longer have it.
    fn on_insert(mut world: DeferredWorld, _: HookContext) {
        world.commands().queue(|world: &mut World| {
            let mut query =
                world.query_filtered::<Entity, (With<Timesliced<M>>, Allow<Disabled>)>();
            let alive: EntityIndexSet = query.iter(world).collect();
            let Some(mut scheduler) = world.get_resource_mut::<Self>() else {
                return;
            };
            let tasks = scheduler.tasks.keys().copied();
            let mut dead: Vec<Entity> = tasks.filter(|entity| !alive.contains(entity)).collect();
            dead.sort_unstable();
            for entity in dead {
                scheduler.report_death(entity);
            }
            for entity in alive {
                if !scheduler.tasks.contains_key(&entity) {
                    scheduler.report_birth(entity);
                }
            }
        });
    }
}
