//! Tests of births and deaths between updates and inside runs.

use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Scheduler, Timesliced};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, FixedInterval, MaxPerFrame};

use super::{FRAME, Log, Thinking, app, edit, log, ran, scheduler, spawn, update};

#[test]
fn the_component_makes_an_entity_a_task() {
    let mut app = app(EveryFrame::new(), log);
    app.world_mut().spawn_empty();
    let [first, second, third] = spawn(&mut app);
    let clone = app.world_mut().entity_mut(first).clone_and_spawn();
    assert_eq!(ran(&mut app), [first, second, third, clone]);
    app.world_mut().despawn(second);
    edit(&mut app, third).remove::<Timesliced<Thinking>>();
    let elapsed = FRAME;
    let runs = [first, clone].map(|entity| Run { entity, elapsed });
    assert_eq!(update(&mut app), runs);
    assert_eq!(scheduler(&mut app).len(), 2);
}

#[test]
fn only_a_component_that_was_removed_starts_a_new_wait() {
    let mut app = app(FixedInterval::new(FRAME * 4), log);
    let [entity] = spawn(&mut app);
    app.update();
    edit(&mut app, entity).insert(Timesliced::<Thinking>::new());
    assert_eq!(scheduler(&mut app).staleness(entity), Some(FRAME));
    edit(&mut app, entity)
        .remove::<Timesliced<Thinking>>()
        .insert(Timesliced::<Thinking>::new());
    assert_eq!(scheduler(&mut app).staleness(entity), Some(Duration::ZERO));
    assert_eq!(scheduler(&mut app).len(), 1);
}

/// What the run of an entity does to other entities and to itself.
#[derive(Component, Clone, Copy)]
enum Deed {
    Despawn(Entity),
    Remove(Entity),
    AddAgain(Entity),
    Spawn,
}

fn act(run: Run, mut log: ResMut<Log>, deeds: Query<&Deed>, mut commands: Commands) {
    log.0.push(run);
    let Ok(&deed) = deeds.get(run.entity) else {
        return;
    };
    commands.entity(run.entity).remove::<Deed>();
    match deed {
        Deed::Despawn(entity) => commands.entity(entity).despawn(),
        Deed::Remove(entity) => drop(commands.entity(entity).remove::<Timesliced<Thinking>>()),
        Deed::AddAgain(entity) => {
            let mut entity = commands.entity(entity);
            entity
                .remove::<Timesliced<Thinking>>()
                .insert(Timesliced::<Thinking>::new());
        }
        Deed::Spawn => drop(commands.spawn(Timesliced::<Thinking>::new())),
    }
}

#[test]
fn a_run_can_end_and_start_tasks() {
    let mut app = app(EveryFrame::new(), act);
    let [first, second, third, fourth, fifth] = spawn(&mut app);
    edit(&mut app, first).insert(Deed::Despawn(second));
    edit(&mut app, third).insert(Deed::Despawn(third));
    edit(&mut app, fourth).insert(Deed::Remove(first));
    edit(&mut app, fifth).insert(Deed::Spawn);
    assert_eq!(ran(&mut app), [first, third, fourth, fifth]);
    assert_eq!(scheduler(&mut app).len(), 3);
    edit(&mut app, fourth).insert(Deed::AddAgain(fifth));
    let runs = update(&mut app);
    assert_eq!(runs.len(), 2, "the task that is added again is newborn");
    assert_eq!((runs[0].entity, runs[1].elapsed), (fourth, FRAME));
    assert_eq!(scheduler(&mut app).staleness(fifth), Some(Duration::ZERO));
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

#[test]
fn a_run_can_replace_the_resource() {
    fn replace(run: Run, world: &mut World) {
        world.resource_mut::<Log>().0.push(run);
        world.insert_resource(Scheduler::<Thinking>::new(MaxPerFrame::new(1)));
    }

    let mut app = app(EveryFrame::new(), replace);
    let entities: [Entity; 2] = spawn(&mut app);
    assert_eq!(ran(&mut app), entities);
    assert_eq!(scheduler(&mut app).len(), 2);
    assert_eq!(ran(&mut app), entities[..1]);
}
