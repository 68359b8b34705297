use bevy_ecs::entity::Entity;
use timeslicer::strategy::Strategy;
use timeslicer::{Snapshot, Timeslicer};

use crate::Scheduler;
use crate::scheduler::{Task, Tasks};

impl<M: 'static> Scheduler<M> {
    /// Returns the state of the tasks and the strategy, so that the game can save it. The closure `key` returns what
    /// identifies an entity in the saved game, because entities get new ids when a world is loaded. Returns `None` while
    /// the plugin's system runs tasks.
    ///
    /// Disabled entities are not saved. After loading, their staleness counts from when they are enabled.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_timeslicer::timeslicer::Snapshot;
    /// use bevy_timeslicer::{Scheduler, Timesliced};
    /// use std::time::Duration;
    /// use timeslicer::strategy::FixedInterval;
    ///
    /// #[derive(Component)]
    /// #[require(Timesliced<Guard>)]
    /// struct Guard {
    ///     name: String,
    /// }
    ///
    /// let strategy = || FixedInterval::new(Duration::from_millis(500));
    /// let mut world = World::new();
    /// world.insert_resource(Scheduler::<Guard>::new(strategy()));
    /// let ann = world.spawn(Guard { name: "Ann".to_owned() }).id();
    /// world.resource_mut::<Scheduler<Guard>>().update(Duration::from_millis(16), |_, _| ());
    ///
    /// let scheduler = world.resource::<Scheduler<Guard>>();
    /// let snapshot = scheduler.snapshot(|guard| world.get::<Guard>(guard).map(|it| it.name.clone()));
    /// let saved = serde_json::to_string(&snapshot)?;
    ///
    /// // In a new session, the guards are loaded first. They have other ids now.
    /// let mut world = World::new();
    /// world.spawn(Guard { name: "Ben".to_owned() });
    /// let ann = world.spawn(Guard { name: "Ann".to_owned() }).id();
    ///
    /// let loaded: Snapshot<Option<String>> = serde_json::from_str(&saved)?;
    /// let mut guards = world.query::<(Entity, &Guard)>();
    /// let scheduler = Scheduler::<Guard>::restore(strategy(), &loaded, |name| {
    ///     let mut guards = guards.iter(&world);
    ///     guards.find(|(_, guard)| Some(&guard.name) == name.as_ref()).map(|(entity, _)| entity)
    /// });
    /// world.insert_resource(scheduler);
    /// let waited = world.resource::<Scheduler<Guard>>().staleness(ann);
    /// assert_eq!(waited, Some(Duration::from_millis(16)));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn snapshot<K>(&self, mut key: impl FnMut(Entity) -> K) -> Option<Snapshot<K>> {
        let timeslicer = self.timeslicer.as_ref()?;
        Some(timeslicer.snapshot().map_keys(|&entity| key(entity)))
    }

    /// Creates a scheduler from a snapshot and a strategy without tasks. It continues where the saved scheduler
    /// stopped, with the settings of this strategy. The closure `entity` returns the entity that a saved key identifies
    /// now, or `None` if it is gone.
    ///
    /// Insert the scheduler as a resource after the entities have been loaded. It replaces the plugin's scheduler.
    /// Then, entities that were not saved become tasks, and tasks whose entities no longer have the component are
    /// removed. A clock and a shared budget have to be set again.
    pub fn restore<K>(
        strategy: impl Strategy + 'static,
        snapshot: &Snapshot<K>,
        mut entity: impl FnMut(&K) -> Option<Entity>,
    ) -> Self {
        let snapshot = snapshot.map_keys(|key| entity(key).unwrap_or(Entity::PLACEHOLDER));
        let mut timeslicer = Timeslicer::restore(Box::new(strategy) as _, &snapshot);
        let mut tasks = Tasks::default();
        timeslicer.retain(|&entity| tasks.insert(entity, Task::default()).is_none());
        for (id, &entity) in timeslicer.iter() {
            tasks.entry(entity).or_default().id = Some(id);
        }
        Self::with_tasks(timeslicer, tasks)
    }
}
