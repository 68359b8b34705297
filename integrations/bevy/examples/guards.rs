//! A thief walks down a long hall past 300 guards. Each guard is a task of two schedulers. The first lets it look for
//! the thief, more often the nearer he is. The second lets it search for a path to him when it has seen him, within a
//! time budget. There is no window; the program prints what happens in each second.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin, TimeslicerSystems};
use std::time::Duration;
use timeslicer::strategy::{DistanceLod, TimeBudget};

/// Marks the scheduler that lets guards look for the thief.
struct Sight;
/// Marks the scheduler that lets guards search for paths.
struct Paths;

#[derive(Component)]
#[require(Timesliced<Sight>, Timesliced<Paths>)]
struct Guard {
    x: f64,
    sees_thief: bool,
}

#[derive(Resource, Default)]
struct Thief {
    x: f64,
}

/// The events of the current second.
#[derive(Resource, Default)]
struct Report {
    looks_near: u32,
    looks_far: u32,
    paths: u32,
    knocked_out: u32,
}

const HALL: f64 = 300.0;
const GUARDS: u32 = 300;

fn main() {
    let mut app = App::new();
    app.add_plugins(TimePlugin);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
        20,
    )));
    app.init_resource::<Thief>().init_resource::<Report>();

    app.add_plugins((
        TimeslicerPlugin::<Sight>::new(DistanceLod::new(), look).with_significance(nearness),
        TimeslicerPlugin::<Paths>::new(TimeBudget::new(Duration::from_micros(500)), find_path),
    ));
    app.add_systems(
        Update,
        (sneak, knock_out)
            .chain()
            .before(TimeslicerSystems::of::<Sight>()),
    );

    app.world_mut().spawn_batch((0..GUARDS).map(|place| Guard {
        x: HALL * f64::from(place) / f64::from(GUARDS),
        sees_thief: false,
    }));

    for second in 1..=10 {
        (0..50).for_each(|_| app.update());
        let report = std::mem::take(&mut *app.world_mut().resource_mut::<Report>());
        println!(
            "second {second:2}: {:4} looks near the thief, {:3} elsewhere; {:2} paths found, {} wait; {:2} guards knocked out",
            report.looks_near,
            report.looks_far,
            report.paths,
            app.world().resource::<Scheduler<Paths>>().backlog(),
            report.knocked_out,
        );
    }
}

/// Returns how much it matters that a guard looks now: 1 within 10 m of the thief, and less at greater distances.
fn nearness(world: &World, guard: Entity) -> f64 {
    let thief = world.resource::<Thief>();
    let guard = world.get::<Guard>(guard);
    guard.map_or(0.0, |guard| 10.0 / (guard.x - thief.x).abs())
}

fn look(
    run: Run,
    mut guards: Query<&mut Guard>,
    thief: Res<Thief>,
    mut paths: ResMut<Scheduler<Paths>>,
    mut report: ResMut<Report>,
) {
    let Ok(mut guard) = guards.get_mut(run.entity) else {
        return;
    };
    let distance = (guard.x - thief.x).abs();
    let sees_thief = distance < 8.0;
    if sees_thief && !guard.sees_thief {
        paths.request(run.entity);
    }
    guard.sees_thief = sees_thief;
    if distance < 20.0 {
        report.looks_near += 1;
    } else {
        report.looks_far += 1;
    }
}

/// Simulates a path search that takes some time.
fn find_path(_: Run, mut report: ResMut<Report>) {
    let steps = (0..20_000_u64).fold(1_u64, |state, step| state.wrapping_mul(31) ^ step);
    report.paths += u32::from(std::hint::black_box(steps) != 0);
}

fn sneak(mut thief: ResMut<Thief>, time: Res<Time>) {
    thief.x += 30.0 * time.delta_secs_f64();
}

/// Knocks out every tenth guard on the thief's way, which also ends the guard's tasks.
fn knock_out(
    thief: Res<Thief>,
    guards: Query<(Entity, &Guard)>,
    mut commands: Commands,
    mut report: ResMut<Report>,
) {
    for (entity, guard) in &guards {
        if guard.x % 10.0 < 0.5 && guard.x < thief.x {
            commands.entity(entity).despawn();
            report.knocked_out += 1;
        }
    }
}
