//! Tests of births and deaths between updates and inside runs.

use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Scheduler, Timesliced};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, FixedInterval, MaxPerFrame};

use super::{Deeds, FRAME, Log, Thinking, act, app, edit, log, ran, scheduler, spawn, update};

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

#[test]
fn a_run_can_end_and_start_tasks() {
    let mut app = app(EveryFrame::new(), act);
    let [first, second, third, fourth, fifth] = spawn(&mut app);
    let despawn = |mut it: EntityCommands| it.despawn();
    let remove = |mut it: EntityCommands| _ = it.remove::<Timesliced<Thinking>>();
    let add = |mut it: EntityCommands| _ = it.insert(Timesliced::<Thinking>::new());
    let bear = |mut it: EntityCommands| _ = it.commands().spawn(Timesliced::<Thinking>::new());
    edit(&mut app, first).insert(Deeds(vec![(second, despawn)]));
    edit(&mut app, third).insert(Deeds(vec![(third, despawn)]));
    edit(&mut app, fourth).insert(Deeds(vec![(first, remove)]));
    edit(&mut app, fifth).insert(Deeds(vec![(fifth, bear)]));
    assert_eq!(ran(&mut app), [first, third, fourth, fifth]);
    assert_eq!(scheduler(&mut app).len(), 3);
    edit(&mut app, fourth).insert(Deeds(vec![(fifth, remove), (fifth, add)]));
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
