//! Tests of births and deaths between updates and inside runs.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Scheduler, Timesliced};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, FixedInterval};

use super::{FRAME, Log, Thinking, app, edit, empty_app, log, ran, scheduler, spawn, update};

#[test]
fn the_component_makes_an_entity_a_task() {
    let mut app = app(EveryFrame::new(), log);
    app.world_mut().spawn_empty();
    let [entity] = spawn(&mut app);
    let elapsed = FRAME;
    assert_eq!(update(&mut app), [Run { entity, elapsed }]);
    assert_eq!(update(&mut app), [Run { entity, elapsed }]);
}

#[test]
fn a_task_ends_with_its_entity_or_its_component() {
    let mut app = app(EveryFrame::new(), log);
    let [first, second, third] = spawn(&mut app);
    app.world_mut().despawn(second);
    assert_eq!(ran(&mut app), [first, third]);
    edit(&mut app, first).remove::<Timesliced<Thinking>>();
    assert_eq!(ran(&mut app), [third]);
    assert_eq!(scheduler(&mut app).len(), 1);
}

#[test]
fn a_task_that_is_added_again_waits_from_then_on() {
    let mut app = app(FixedInterval::new(FRAME * 4), log);
    let [entity] = spawn(&mut app);
    app.update();
    app.update();
    let mut entity_mut = app.world_mut().entity_mut(entity);
    entity_mut.remove::<Timesliced<Thinking>>();
    entity_mut.insert(Timesliced::<Thinking>::new());
    assert_eq!(scheduler(&mut app).staleness(entity), Some(Duration::ZERO));
    assert_eq!(scheduler(&mut app).len(), 1);
    app.update();
    assert_eq!(scheduler(&mut app).staleness(entity), Some(FRAME));
}

#[test]
fn inserting_the_component_again_changes_nothing() {
    let mut app = app(FixedInterval::new(FRAME * 4), log);
    let [entity] = spawn(&mut app);
    app.update();
    edit(&mut app, entity).insert(Timesliced::<Thinking>::new());
    assert_eq!(scheduler(&mut app).staleness(entity), Some(FRAME));
    assert_eq!(scheduler(&mut app).len(), 1);
}

#[test]
fn an_entity_with_a_reused_index_is_a_new_task() {
    let mut app = app(EveryFrame::new(), log);
    let [old] = spawn(&mut app);
    assert_eq!(ran(&mut app), [old]);
    let new = app.world_mut().despawn_no_free(old).unwrap();
    let component = Timesliced::<Thinking>::new();
    app.world_mut().spawn_at(new, component).unwrap();
    assert_eq!(old.index(), new.index());
    assert_eq!(scheduler(&mut app).staleness(old), None);
    assert!(!scheduler(&mut app).request(old));
    assert_eq!(ran(&mut app), [new]);
}

#[test]
fn a_clone_is_a_task_of_its_own() {
    let mut app = app(EveryFrame::new(), log);
    let [entity] = spawn(&mut app);
    let clone = app.world_mut().entity_mut(entity).clone_and_spawn();
    assert_eq!(ran(&mut app), [entity, clone]);
}

/// What the run of an entity does to other entities and to itself.
#[derive(Component, Clone, Copy)]
enum Deed {
    Despawn(Entity),
    Spawn,
}

/// Logs the run, then does the deed of the entity through commands.
fn act(run: Run, mut log: ResMut<Log>, deeds: Query<&Deed>, mut commands: Commands) {
    log.0.push(run);
    let Ok(&deed) = deeds.get(run.entity) else {
        return;
    };
    commands.entity(run.entity).remove::<Deed>();
    match deed {
        Deed::Despawn(entity) => commands.entity(entity).despawn(),
        Deed::Spawn => drop(commands.spawn(Timesliced::<Thinking>::new())),
    }
}

#[test]
fn an_entity_despawned_inside_a_run_does_not_run_later() {
    let mut app = app(EveryFrame::new(), act);
    let entities: [Entity; 5] = spawn(&mut app);
    let [first, second, third, fourth, fifth] = entities;
    edit(&mut app, first).insert(Deed::Despawn(second));
    edit(&mut app, third).insert(Deed::Despawn(third));
    edit(&mut app, fourth).insert(Deed::Despawn(first));
    assert_eq!(ran(&mut app), [first, third, fourth, fifth]);
    assert_eq!(scheduler(&mut app).len(), 2);
    assert_eq!(ran(&mut app), [fourth, fifth]);
}

#[test]
fn a_task_born_inside_a_run_runs_in_the_next_update() {
    let mut app = app(EveryFrame::new(), act);
    let [first] = spawn(&mut app);
    edit(&mut app, first).insert(Deed::Spawn);
    assert_eq!(ran(&mut app), [first]);
    assert_eq!(scheduler(&mut app).len(), 2);
    let runs = update(&mut app);
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[1].elapsed, FRAME);
}

#[test]
fn entities_from_before_the_plugin_are_tasks() {
    let mut app = empty_app();
    let [first, second] = spawn(&mut app);
    edit(&mut app, second).insert(Disabled);
    app.add_plugins(bevy_timeslicer::TimeslicerPlugin::<Thinking>::new(
        EveryFrame::new(),
        log,
    ));
    assert_eq!(ran(&mut app), [first, second]);
}

#[test]
fn nothing_is_lost_while_the_resource_is_taken_out() {
    let mut app = app(EveryFrame::new(), log);
    let [first, second] = spawn(&mut app);
    let third = app
        .world_mut()
        .resource_scope(|world, _: Mut<Scheduler<Thinking>>| {
            world.despawn(first);
            world.spawn(Timesliced::<Thinking>::new()).id()
        });
    assert_eq!(ran(&mut app), [second, third]);
    assert_eq!(scheduler(&mut app).len(), 2);
}
