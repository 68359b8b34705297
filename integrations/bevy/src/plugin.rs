use bevy_app::{App, Plugin, Update};
use bevy_ecs::entity::Entity;
use bevy_ecs::error::{ErrorContext, Result};
use bevy_ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs, ScheduleLabel, SystemSet};
use bevy_ecs::system::{BoxedSystem, IntoSystem, RunSystemError, System, SystemInput};
use bevy_ecs::world::World;
use bevy_time::Time;
use std::any::{TypeId, type_name};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use timeslicer::SharedBudget;
use timeslicer::strategy::Strategy;

use crate::{Scheduler, Significance};

/// A single run of a task. This is the input of the system that a [`TimeslicerPlugin`] runs.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_timeslicer::Run;
///
/// #[derive(Component)]
/// struct Hunger(f32);
///
/// /// Entities grow hungry and starve.
/// fn live(run: Run, mut animals: Query<&mut Hunger>, mut commands: Commands) {
///     let Ok(mut hunger) = animals.get_mut(run.entity) else {
///         return; // it has lost the component
///     };
///     hunger.0 += run.elapsed.as_secs_f32();
///     if hunger.0 > 100.0 {
///         commands.entity(run.entity).despawn();
///     }
/// }
/// # bevy_ecs::system::assert_is_system::<Run, (), _>(live);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The entity whose turn it is. It has a [`Timesliced`](crate::Timesliced) component.
    pub entity: Entity,
    /// The time since the entity's last run, or since it became a task if it has never run.
    pub elapsed: Duration,
}

impl SystemInput for Run {
    type Param<'i> = Run;
    type Inner<'i> = Run;

    fn wrap(run: Self::Inner<'_>) -> Self::Param<'_> {
        run
    }
}

/// The system set that contains the system of a [`TimeslicerPlugin`]. Use it to order other systems and to add run
/// conditions.
///
/// ```
/// use bevy_app::{App, Update};
/// use bevy_ecs::prelude::*;
/// use bevy_timeslicer::TimeslicerSystems;
///
/// struct Thinking;
///
/// #[derive(Resource)]
/// struct Truce(bool);
///
/// fn walk() {}
///
/// let mut app = App::new();
/// app.add_systems(Update, walk.after(TimeslicerSystems::of::<Thinking>()));
/// app.configure_sets(
///     Update,
///     TimeslicerSystems::of::<Thinking>().run_if(|truce: Res<Truce>| !truce.0),
/// );
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeslicerSystems(TypeId);

impl TimeslicerSystems {
    /// Returns the system set of the [`TimeslicerPlugin`] with the marker `M`.
    pub fn of<M: 'static>() -> Self {
        Self(TypeId::of::<M>())
    }
}

/// A plugin that inserts a [`Scheduler<M>`] and adds a system that runs the tasks that are due.
///
/// Add one plugin for each marker type `M`. To change the strategy later, use [`Scheduler::set_strategy`].
///
/// ```
/// use std::time::Duration;
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::*;
/// use bevy_time::TimePlugin;
/// use bevy_timeslicer::{Run, TimeslicerPlugin};
/// use timeslicer::strategy::{DistanceLod, FixedInterval};
///
/// #[derive(Component)]
/// struct Distance(f64);
///
/// struct Thinking;
/// struct Sensors;
///
/// fn think(run: Run) { /* ... */ }
/// fn look_around(run: Run) { /* ... */ }
///
/// let mut app = App::new();
/// app.add_plugins(TimePlugin);
/// app.add_plugins((
///     TimeslicerPlugin::<Thinking>::new(FixedInterval::new(Duration::from_millis(500)), think),
///     TimeslicerPlugin::<Sensors>::new(
///         DistanceLod::new(),
///         look_around,
///     )
///     .with_significance(|world, entity| {
///         let distance = world.get::<Distance>(entity);
///         distance.map_or(1.0, |distance| 10.0 / distance.0)
///     })
///     .in_schedule(FixedUpdate),
/// ));
/// app.update();
/// ```
pub struct TimeslicerPlugin<M: 'static> {
    parts: Mutex<Option<Parts<M>>>,
    schedule: InternedScheduleLabel,
}

type SignificanceFunction = dyn Fn(&World, Entity) -> f64 + Send + Sync;

/// The values that the plugin stores until [`Plugin::build`] moves them into the app.
struct Parts<M: 'static> {
    scheduler: Scheduler<M>,
    system: BoxedSystem<Run>,
    significance: Box<SignificanceFunction>,
}

impl<M: 'static> TimeslicerPlugin<M> {
    /// Creates a plugin that runs `system` for each task that is due. The `strategy` decides when a task is due. The
    /// plugin runs in the schedule [`Update`].
    ///
    /// The first parameter of the system is a [`Run`]. The system can have any other parameters, such as queries,
    /// resources, `Commands` or `&mut World`. Its commands are applied after each run, so an entity that is despawned
    /// does not run later in the same update. If the system returns an error, Bevy's error handler receives the error,
    /// and the next task runs. By default, this handler panics, so do not use the operator `?` on a query that may not
    /// match the entity, such as one for a component that the entity can lose. If a parameter such as `Single` finds
    /// nothing, Bevy skips the run without an error, and the task waits for its next turn. As in any system, there is
    /// one value per `Local` and one state for change detection. The runs of all entities share them.
    pub fn new<Marker>(
        strategy: impl Strategy + 'static,
        system: impl IntoSystem<Run, (), Marker>,
    ) -> Self {
        let parts = Parts {
            scheduler: Scheduler::new(strategy),
            system: Box::new(IntoSystem::into_system(system)),
            significance: Box::new(|world, entity| {
                let significance = world.get::<Significance>(entity);
                significance.map_or(1.0, |significance| significance.0)
            }),
        };
        Self {
            parts: Mutex::new(Some(parts)),
            schedule: Update.intern(),
        }
    }

    /// Sets the schedule in which tasks run. Defaults to [`Update`]. In `FixedUpdate`, [`Run::elapsed`] advances in
    /// fixed steps.
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }

    /// Sets a function that returns how much an entity currently matters, from 0 to 1. By default, this is the value of
    /// the entity's [`Significance`] component. Only strategies that run important entities more often call the
    /// function. They call it when they schedule a task, and in each update for some of the waiting tasks.
    pub fn with_significance(
        self,
        significance: impl Fn(&World, Entity) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let significance = Box::new(significance);
        self.change(|parts| Parts {
            significance,
            ..parts
        })
    }

    /// Measures the cost of runs with `clock`. See [`Scheduler::with_clock`].
    pub fn with_clock(self, clock: impl FnMut() -> Duration + Send + Sync + 'static) -> Self {
        self.change(|parts| Parts {
            scheduler: parts.scheduler.with_clock(clock),
            ..parts
        })
    }

    /// Makes the plugin spend at most its share of `budget` in each frame. See [`Scheduler::with_shared_budget`].
    pub fn with_shared_budget(self, budget: &SharedBudget, share: f64) -> Self {
        self.change(|parts| Parts {
            scheduler: parts.scheduler.with_shared_budget(budget, share),
            ..parts
        })
    }

    fn change(mut self, change: impl FnOnce(Parts<M>) -> Parts<M>) -> Self {
        let parts = self.parts.get_mut();
        let parts = parts.unwrap_or_else(PoisonError::into_inner);
        *parts = parts.take().map(change);
        self
    }
}

impl<M: 'static> Plugin for TimeslicerPlugin<M> {
    fn build(&self, app: &mut App) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(parts) = parts.take() else {
            return; // Bevy builds each plugin only once.
        };
        let Parts {
            scheduler,
            mut system,
            significance,
        } = parts;
        app.insert_resource(scheduler);

        let mut is_initialized = false;
        let update = move |world: &mut World| -> Result {
            let Some(time) = world.get_resource::<Time>() else {
                let plugin = type_name::<Self>();
                return Err(format!(
                    "{plugin} needs the resource Time: add bevy_time's TimePlugin, which DefaultPlugins and MinimalPlugins contain"
                )
                .into());
            };
            let delta = time.delta();
            if is_initialized {
                system.apply_deferred(world); // applies the commands of a run that panicked
            } else {
                system.initialize(world);
                // The game may have registered other components that disable entities since the plugin was added.
                Scheduler::<M>::match_world(world);
                is_initialized = true;
            }
            Scheduler::<M>::update_world(world, delta, &significance, |world, entity, elapsed| {
                run(&mut *system, Run { entity, elapsed }, world);
            });
            Ok(())
        };
        let update =
            IntoSystem::into_system(update).with_name(format!("update of {}", type_name::<Self>()));
        app.add_systems(self.schedule, update.in_set(TimeslicerSystems::of::<M>()));
    }
}

/// Runs the system for one entity and applies its commands. If the system returns an error, this passes the error to
/// Bevy's error handler, as Bevy's own schedules do.
fn run(system: &mut dyn System<In = Run, Out = ()>, run: Run, world: &mut World) {
    let result = system.run_without_applying_deferred(run, world);
    system.apply_deferred(world);
    if let Err(RunSystemError::Failed(error)) = result {
        let name = system.name();
        let last_run = system.get_last_run();
        world.fallback_error_handler()(error, ErrorContext::System { name, last_run });
    }
}
