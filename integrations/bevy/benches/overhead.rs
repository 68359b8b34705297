//! Measures what a run costs through Bevy (`cargo bench`). Prints the nanoseconds per run of a task that only counts.
//! Each value is the minimum of five measurements, because other load on the computer can only add time.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin};
use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin};
use std::time::Instant;
use timeslicer::strategy::EveryFrame;

const ENTITIES: u32 = 10_000;
const UPDATES: u32 = 100;

#[derive(Component, Default)]
#[require(Timesliced<Guard>)]
struct Guard {
    thoughts: u32,
}

/// The work of each guard, which is the same in all variants.
fn think(guards: &mut Query<&mut Guard>, guard: Entity) {
    if let Ok(mut guard) = guards.get_mut(guard) {
        guard.thoughts += 1;
    }
}

/// A plain Bevy system without a scheduler, for comparison.
fn plain(entities: Query<Entity, With<Guard>>, mut guards: Query<&mut Guard>) {
    for guard in &entities {
        think(&mut guards, guard);
    }
}

fn direct(mut scheduler: ResMut<Scheduler<Guard>>, time: Res<Time>, mut guards: Query<&mut Guard>) {
    scheduler.update(time.delta(), |guard, _| think(&mut guards, guard));
}

fn plugin(run: Run, mut guards: Query<&mut Guard>) {
    think(&mut guards, run.entity);
}

fn plugin_with_commands(run: Run, mut guards: Query<&mut Guard>, _commands: Commands) {
    think(&mut guards, run.entity);
}

fn measure(name: &str, configure: impl Fn(&mut App)) {
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let mut app = App::new();
        app.add_plugins(TimePlugin);
        configure(&mut app);
        let guards = (0..ENTITIES).map(|_| Guard::default());
        app.world_mut().spawn_batch(guards);
        app.update();
        let start = Instant::now();
        (0..UPDATES).for_each(|_| app.update());
        let nanos = start.elapsed().as_secs_f64() * 1e9;
        least = least.min(nanos / f64::from(ENTITIES * UPDATES));
    }
    println!("{name:<42} {least:6.1} ns");
}

fn main() {
    measure("a loop over the entities, no scheduler", |app| {
        app.add_systems(Update, plain);
    });
    measure("Scheduler::update in a system", |app| {
        app.insert_resource(Scheduler::<Guard>::new(EveryFrame::new()));
        app.add_systems(Update, direct);
    });
    measure("TimeslicerPlugin", |app| {
        app.add_plugins(TimeslicerPlugin::<Guard>::new(EveryFrame::new(), plugin));
    });
    measure("TimeslicerPlugin, a system with Commands", |app| {
        let system = plugin_with_commands;
        app.add_plugins(TimeslicerPlugin::<Guard>::new(EveryFrame::new(), system));
    });
}
