//! Tests of saved games: a game that is saved and loaded continues as if it had not been interrupted.

use bevy_app::App;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_timeslicer::timeslicer::Snapshot;
use bevy_timeslicer::{Run, Scheduler, Significance, Timesliced, TimeslicerPlugin};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, FixedInterval, STRATEGIES, Strategy};

use super::{FRAME, Thinking, WorkClock, edit, empty_app, scheduler, spawn};

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
struct SaveId(u32);

#[derive(Resource, Default)]
struct SavedLog(Vec<(u32, Duration)>);

/// Each guard takes a time of its own.
fn think(run: Run, ids: Query<&SaveId>, clock: Res<WorkClock>, mut log: ResMut<SavedLog>) {
    if let Ok(&SaveId(id)) = ids.get(run.entity) {
        clock.work(100 + 37 * u64::from(id % 5));
        log.0.push((id, run.elapsed));
    }
}

fn game(strategy: Box<dyn Strategy>) -> App {
    let clock = WorkClock::default();
    let mut app = empty_app();
    app.insert_resource(clock.clone())
        .init_resource::<SavedLog>();
    let plugin = TimeslicerPlugin::<Thinking>::new(strategy, think);
    app.add_plugins(plugin.with_clock(move || clock.now()));
    app
}

fn spawn_guard(app: &mut App, id: u32) -> Entity {
    let significance = Significance(1.0 / f64::from(1 + id % 4));
    let task = Timesliced::<Thinking>::new();
    app.world_mut().spawn((task, SaveId(id), significance)).id()
}

fn save(app: &mut App) -> String {
    let world = app.world();
    let scheduler = world.resource::<Scheduler<Thinking>>();
    let snapshot = scheduler.snapshot(|guard| world.get::<SaveId>(guard).map(|it| it.0));
    serde_json::to_string(&snapshot.unwrap()).unwrap()
}

fn load(app: &mut App, strategy: Box<dyn Strategy>, saved: &str) {
    let snapshot: Snapshot<Option<u32>> = serde_json::from_str(saved).unwrap();
    let mut ids = app.world_mut().query::<(Entity, &SaveId)>();
    let clock = app.world().resource::<WorkClock>().clone();
    let scheduler = Scheduler::<Thinking>::restore(strategy, &snapshot, |&id| {
        let mut ids = ids.iter(app.world());
        let saved = ids.find(|(_, saved)| Some(saved.0) == id);
        saved.map(|(entity, _)| entity)
    });
    app.insert_resource(scheduler.with_clock(move || clock.now()));
}

/// Plays some frames, in which guards are born, request and die. Returns the runs.
fn play(app: &mut App, frames: std::ops::Range<u32>) -> Vec<(u32, Duration)> {
    for frame in frames {
        let mut guards = app.world_mut().query::<(Entity, &SaveId)>();
        let mut guards: Vec<_> = guards
            .iter(app.world())
            .map(|(it, id)| (id.0, it))
            .collect();
        guards.sort_unstable();
        for &(id, guard) in &guards {
            if (id + frame) % 5 == 0 {
                scheduler(app).request(guard);
            }
        }
        if frame % 7 == 0 {
            app.world_mut().despawn(guards[guards.len() / 2].1);
            spawn_guard(app, 1000 + frame);
        }
        app.update();
    }
    std::mem::take(&mut app.world_mut().resource_mut::<SavedLog>().0)
}

#[test]
fn a_loaded_game_continues_exactly() {
    for info in STRATEGIES {
        let mut original = game((info.make)());
        for id in 0..60 {
            spawn_guard(&mut original, id);
        }
        play(&mut original, 0..45);
        let saved = save(&mut original);

        let mut loaded = game((info.make)());
        let _: [Entity; 3] = spawn(&mut loaded); // so that the entities get other ids
        let mut guards = original.world_mut().query::<&SaveId>();
        let mut ids: Vec<u32> = guards.iter(original.world()).map(|it| it.0).collect();
        ids.reverse();
        for id in ids {
            spawn_guard(&mut loaded, id);
        }
        let mut others = loaded
            .world_mut()
            .query_filtered::<Entity, Without<SaveId>>();
        let others: Vec<_> = others.iter(loaded.world()).collect();
        for entity in others {
            edit(&mut loaded, entity).remove::<Timesliced<Thinking>>();
        }
        load(&mut loaded, (info.make)(), &saved);

        let expected = play(&mut original, 45..150);
        assert!(expected.len() > 50, "{}", info.name);
        assert_eq!(play(&mut loaded, 45..150), expected, "{}", info.name);
    }
}

#[test]
fn a_loaded_scheduler_matches_the_world() {
    let strategy = || Box::new(FixedInterval::new(FRAME * 10));
    let mut original = game(strategy());
    let [_, _, disabled] = [0, 1, 2].map(|id| spawn_guard(&mut original, id));
    edit(&mut original, disabled).insert(Disabled);
    original.update();
    let saved = save(&mut original);

    let mut loaded = game(strategy());
    let [stranger, first] = [9, 0].map(|id| spawn_guard(&mut loaded, id)); // guard 1 is missing
    load(&mut loaded, strategy(), &saved);
    let thinking = scheduler(&mut loaded);
    assert_eq!(thinking.len(), 2);
    assert_eq!(thinking.staleness(first), Some(FRAME));
    assert_eq!(thinking.staleness(stranger), Some(Duration::ZERO));
}

#[test]
fn keys_that_name_one_entity_twice_make_one_task() {
    let mut original = game(Box::new(EveryFrame::new()));
    for id in 0..3 {
        spawn_guard(&mut original, id);
    }
    let saved = save(&mut original);
    let snapshot: Snapshot<Option<u32>> = serde_json::from_str(&saved).unwrap();
    let mut world = World::new();
    let entity = world.spawn(Timesliced::<Thinking>::new()).id();
    let strategy = EveryFrame::new();
    let thinking = Scheduler::<Thinking>::restore(strategy, &snapshot, |_| Some(entity));
    world.insert_resource(thinking);
    let mut thinking = world.resource_mut::<Scheduler<Thinking>>();
    assert_eq!(thinking.update(FRAME, |_, _| ()), 1);
    assert_eq!(thinking.len(), 1);
}

#[test]
fn a_task_cannot_save_while_it_runs() {
    fn save_in_run(_: Run, scheduler: Res<Scheduler<Thinking>>, mut runs: ResMut<SavedLog>) {
        assert!(scheduler.snapshot(|_| ()).is_none());
        runs.0.push((0, Duration::ZERO));
    }

    let mut app = empty_app();
    app.init_resource::<SavedLog>();
    let strategy = FixedInterval::new(FRAME);
    app.add_plugins(TimeslicerPlugin::<Thinking>::new(strategy, save_in_run));
    let _: [Entity; 2] = spawn(&mut app);
    app.update();
    app.update();
    assert!(!app.world().resource::<SavedLog>().0.is_empty());
}
