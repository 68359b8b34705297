//! Tests of the plugin and of the resource, with an app that has no window.

mod births_and_deaths;
mod budgets;
mod configuration;
mod disabled;
mod runs;
#[cfg(feature = "serde")]
mod saving;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use timeslicer::strategy::Strategy;

/// Marker of the scheduler that most tests use.
struct Thinking;

/// All runs so far, in order.
#[derive(Resource, Default)]
struct Log(Vec<Run>);

/// The system of most tests, which logs each run.
fn log(run: Run, mut log: ResMut<Log>) {
    log.0.push(run);
}

/// What the next run of an entity does, to itself or to others.
#[derive(Component, Clone)]
struct Deeds(Vec<(Entity, fn(EntityCommands))>);

/// Logs the run, carries out the entity's deeds, and then removes them, so that they happen only once.
fn act(run: Run, mut log: ResMut<Log>, deeds: Query<&Deeds>, mut commands: Commands) {
    log.0.push(run);
    for &(entity, deed) in deeds.get(run.entity).iter().flat_map(|it| &it.0) {
        deed(commands.entity(entity));
    }
    commands.entity(run.entity).try_remove::<Deeds>();
}

const FRAME: Duration = Duration::from_millis(10);

/// Returns an app whose frames are `FRAME` long.
fn empty_app() -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app.init_resource::<Log>();
    app.update(); // the first frame has no length
    app
}

/// Returns an app that runs `system` for the tasks of [`Thinking`].
fn app<Marker>(strategy: impl Strategy + 'static, system: impl IntoSystem<Run, (), Marker>) -> App {
    let mut app = empty_app();
    app.add_plugins(TimeslicerPlugin::<Thinking>::new(strategy, system));
    app
}

fn spawn<const COUNT: usize>(app: &mut App) -> [Entity; COUNT] {
    [(); COUNT].map(|()| app.world_mut().spawn(Timesliced::<Thinking>::new()).id())
}

fn update(app: &mut App) -> Vec<Run> {
    app.update();
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

/// Runs an update and returns the entities that ran.
fn ran(app: &mut App) -> Vec<Entity> {
    update(app).into_iter().map(|run| run.entity).collect()
}

fn request(app: &mut App, entities: &[Entity]) {
    for &entity in entities {
        scheduler(app).request(entity);
    }
}

/// Returns mutable access to an entity, for example to insert or remove components.
fn edit(app: &mut App, entity: Entity) -> EntityWorldMut<'_> {
    app.world_mut().entity_mut(entity)
}

fn scheduler(app: &mut App) -> Mut<'_, Scheduler<Thinking>> {
    app.world_mut().resource_mut()
}

/// A clock that advances only when a task works. Its clones share the same time.
#[derive(Resource, Clone, Default)]
struct WorkClock(Arc<AtomicU64>);

impl WorkClock {
    fn work(&self, micros: u64) {
        self.0.fetch_add(micros, Ordering::Relaxed);
    }

    fn now(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}
