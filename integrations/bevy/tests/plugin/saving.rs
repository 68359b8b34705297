//! Tests of saved games. The crate `timeslicer` tests that every strategy continues exactly where it stopped.

use bevy_app::App;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_timeslicer::timeslicer::Snapshot;
use bevy_timeslicer::{Run, Scheduler, Timesliced};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, MaxPerFrame, Strategy};

use super::{FRAME, Thinking, app, edit, log, ran, scheduler, spawn};

#[derive(Component, Clone, Copy)]
struct SaveId(u32);

fn spawn_guard(app: &mut App, id: u32) -> Entity {
    let task = Timesliced::<Thinking>::new();
    app.world_mut().spawn((task, SaveId(id))).id()
}

fn save(app: &mut App) -> String {
    let world = app.world();
    let scheduler = world.resource::<Scheduler<Thinking>>();
    let snapshot = scheduler.snapshot(|guard| world.get::<SaveId>(guard).map(|it| it.0));
    serde_json::to_string(&snapshot.unwrap()).unwrap()
}

/// Replaces the scheduler with the saved one. `entity` maps the save id of a guard to its new entity.
fn load(
    app: &mut App,
    strategy: impl Strategy + 'static,
    saved: &str,
    entity: impl Fn(u32) -> Option<Entity>,
) {
    let snapshot: Snapshot<Option<u32>> = serde_json::from_str(saved).unwrap();
    let scheduler = Scheduler::<Thinking>::restore(strategy, &snapshot, |&id| id.and_then(&entity));
    app.insert_resource(scheduler);
}

#[test]
fn a_loaded_game_goes_on_and_matches_the_world() {
    let strategy = || MaxPerFrame::new(1);
    let mut original = app(strategy(), log);
    let guards = [0, 1, 2, 3].map(|id| spawn_guard(&mut original, id));
    edit(&mut original, guards[3]).insert(Disabled);
    assert_eq!(ran(&mut original), guards[..1]);
    let saved = save(&mut original);

    let mut loaded = app(strategy(), log);
    // The guards have other ids now, and guard 1 is missing.
    let [stranger, third, first] = [9, 2, 0].map(|id| spawn_guard(&mut loaded, id));
    load(&mut loaded, strategy(), &saved, |id| match id {
        0 => Some(first),
        2 => Some(third),
        _ => None,
    });
    let thinking = scheduler(&mut loaded);
    assert_eq!(thinking.len(), 3);
    let waits = [first, third, stranger].map(|it| thinking.staleness(it));
    assert_eq!(
        waits,
        [Some(Duration::ZERO), Some(FRAME), Some(Duration::ZERO)]
    );
    let turns = [(); 3].map(|()| ran(&mut loaded));
    // Guard 1, whose turn was next, is missing, so the newborn task takes its place and runs first.
    assert_eq!(turns, [[stranger], [third], [first]]);
}

#[test]
fn keys_that_name_one_entity_twice_make_one_task() {
    let mut original = app(EveryFrame::new(), log);
    for id in 0..3 {
        spawn_guard(&mut original, id);
    }
    let saved = save(&mut original);
    let mut loaded = app(EveryFrame::new(), log);
    let [entity] = spawn(&mut loaded);
    load(&mut loaded, EveryFrame::new(), &saved, |_| Some(entity));
    assert_eq!(ran(&mut loaded), [entity]);
    assert_eq!(scheduler(&mut loaded).len(), 1);
}

#[test]
fn a_task_cannot_save_while_it_runs() {
    fn save_in_run(_: Run, scheduler: Res<Scheduler<Thinking>>) {
        assert!(scheduler.snapshot(|_| ()).is_none());
    }

    let mut app = app(EveryFrame::new(), save_in_run);
    let _: [Entity; 2] = spawn(&mut app);
    app.update();
    assert_eq!(scheduler(&mut app).last_update().runs, 2);
}
