use bevy_ecs::component::Component;
use std::fmt;
use std::marker::PhantomData;

/// A component that makes its entity a task of the [`Scheduler`](crate::Scheduler) with the same marker `M`. The entity
/// is a task until the component is removed or the entity is despawned.
///
/// The elapsed time of the entity's first run counts from when the component was added. If the entity already has this
/// component, inserting it again changes nothing. While the entity is disabled, its task does not run (see
/// [`Scheduler`](crate::Scheduler#disabled-entities)).
///
/// If another component requires this one, as in the example, removing the other component does not end the task. To
/// remove both, use `remove_with_requires`.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_timeslicer::{Scheduler, Timesliced};
/// use timeslicer::strategy::EveryFrame;
///
/// struct Sensors;
///
/// /// A required component makes every guard a task.
/// #[derive(Component, Default)]
/// #[require(Timesliced<Guard>)]
/// struct Guard;
///
/// let mut world = World::new();
/// world.insert_resource(Scheduler::<Guard>::new(EveryFrame::new()));
/// world.insert_resource(Scheduler::<Sensors>::new(EveryFrame::new()));
///
/// let blind = world.spawn(Guard).id();
/// let guard = world.spawn((Guard, Timesliced::<Sensors>::new())).id();
/// world.despawn(blind);
/// assert_eq!(world.resource::<Scheduler<Guard>>().len(), 1);
///
/// world.entity_mut(guard).remove::<Timesliced<Sensors>>();
/// assert!(world.resource::<Scheduler<Sensors>>().is_empty());
/// ```
#[derive(Component)]
#[component(on_add, on_remove)]
pub struct Timesliced<M: 'static>(PhantomData<fn() -> M>);

impl<M: 'static> Timesliced<M> {
    /// Creates a [`Timesliced`] component.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

// Derived implementations would require `M` to implement these traits, too.
impl<M: 'static> Default for Timesliced<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: 'static> Clone for Timesliced<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: 'static> Copy for Timesliced<M> {}

impl<M: 'static> fmt::Debug for Timesliced<M> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Timesliced")
    }
}

/// A component that says how much its entity matters now, from 0 to 1. Some strategies run an entity more often if it
/// matters more.
///
/// An entity without this component has significance 1. Negative numbers and NaN count as 0, and numbers above 1 count
/// as 1. The value applies to all schedulers. If a scheduler needs its own values, or if the value can be computed from
/// other components, use [`TimeslicerPlugin::with_significance`](crate::TimeslicerPlugin::with_significance).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_timeslicer::Significance;
///
/// #[derive(Component)]
/// struct Position(f64);
///
/// /// Guards near the player, who is at 0, matter more.
/// fn weigh(mut guards: Query<(&Position, &mut Significance)>) {
///     for (position, mut significance) in &mut guards {
///         significance.0 = (10.0 / position.0.abs()).min(1.0);
///     }
/// }
/// # let mut world = World::new();
/// # let guard = world.spawn((Position(-40.0), Significance::default())).id();
/// # world.run_system_cached(weigh).unwrap();
/// # assert_eq!(world.get::<Significance>(guard), Some(&Significance(0.25)));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Significance(pub f64);

impl Default for Significance {
    /// Returns the maximum significance, 1.
    fn default() -> Self {
        Self(1.0)
    }
}
