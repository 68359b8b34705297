//! Tests of entities that are disabled.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Scheduler, Timesliced};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, FixedInterval, MaxPerFrame, RequestList};

use super::{Deeds, FRAME, Thinking, act, app, edit, log, ran, request, scheduler, spawn, update};

#[test]
fn a_disabled_entity_waits() {
    let mut app = app(EveryFrame::new(), log);
    let [first, second] = spawn(&mut app);
    edit(&mut app, first).insert(Disabled);
    for _ in 0..3 {
        assert_eq!(ran(&mut app), [second]);
    }
    assert_eq!(scheduler(&mut app).len(), 2);
    assert_eq!(scheduler(&mut app).staleness(first), None);
    edit(&mut app, first).remove::<Disabled>();
    assert_eq!(scheduler(&mut app).staleness(first), Some(Duration::ZERO));
    let elapsed = FRAME;
    let runs = [second, first].map(|entity| Run { entity, elapsed });
    assert_eq!(
        update(&mut app),
        runs,
        "the elapsed time is that since it was enabled"
    );
}

#[test]
fn the_order_of_the_components_does_not_matter() {
    let mut app = app(EveryFrame::new(), log);
    let task = Timesliced::<Thinking>::new();
    let first = app.world_mut().spawn((task, Disabled)).id();
    let second = app.world_mut().spawn(Disabled).insert(task).id();
    let third = edit(&mut app, first).clone_and_spawn();
    assert_eq!(ran(&mut app), []);
    for entity in [third, second, first] {
        edit(&mut app, entity).remove::<Disabled>();
    }
    assert_eq!(ran(&mut app), [third, second, first]);
    edit(&mut app, first)
        .insert(Disabled)
        .remove_with_requires::<Timesliced<Thinking>>();
    edit(&mut app, first).remove::<Disabled>();
    assert_eq!(ran(&mut app), [third, second]);
}

#[test]
fn other_disabling_components_are_known() {
    #[derive(Component, Clone)]
    struct Prefab;

    let mut app = app(EveryFrame::new(), log);
    let [first, second] = spawn(&mut app);
    edit(&mut app, first).insert(Prefab);
    app.world_mut().register_disabling_component::<Prefab>(); // after the plugin
    assert_eq!(ran(&mut app), [second]);
    edit(&mut app, second).insert((Prefab, Disabled));
    edit(&mut app, first).remove::<Prefab>();
    edit(&mut app, second).remove::<Disabled>();
    assert_eq!(ran(&mut app), [first]);
    edit(&mut app, second).remove::<Prefab>();
    assert_eq!(ran(&mut app), [first, second]);
}

#[test]
fn requests_of_disabled_entities_are_kept() {
    let mut app = app(RequestList::new(), log);
    let [before, during, never] = spawn(&mut app);
    scheduler(&mut app).request(before);
    for entity in [before, during, never] {
        edit(&mut app, entity).insert(Disabled);
    }
    assert!(scheduler(&mut app).request(during));
    assert_eq!(scheduler(&mut app).backlog(), 0);
    assert_eq!(ran(&mut app), []);
    for entity in [before, during, never] {
        edit(&mut app, entity).remove::<Disabled>();
    }
    assert_eq!(ran(&mut app), [before, during]);
    assert_eq!(ran(&mut app), []);
}

#[test]
fn an_entity_that_should_run_next_does_so_when_it_is_enabled() {
    let mut app = app(MaxPerFrame::new(1), log);
    let [first, second, third] = spawn(&mut app);
    edit(&mut app, third).insert(Disabled);
    assert!(scheduler(&mut app).run_next(third));
    assert_eq!(ran(&mut app), [first]);
    edit(&mut app, third).remove::<Disabled>();
    assert_eq!(ran(&mut app), [third, second]);
}

#[test]
fn a_run_can_disable_and_enable_entities() {
    let mut app = app(RequestList::new(), act);
    let [first, second, third] = spawn(&mut app);
    let disable = |mut it: EntityCommands| _ = it.insert(Disabled);
    let enable = |mut it: EntityCommands| _ = it.remove::<Disabled>();
    edit(&mut app, first).insert(Deeds(vec![(first, disable), (second, disable)]));
    edit(&mut app, third).insert(Deeds(vec![(second, enable)]));
    request(&mut app, &[first, second, third]);
    assert_eq!(ran(&mut app), [first, third], "the second one is disabled");
    assert_eq!(ran(&mut app), [second], "its request is kept");
    scheduler(&mut app).request(first);
    assert_eq!(ran(&mut app), [], "the first one has disabled itself");
    edit(&mut app, first).remove::<Disabled>();
    assert_eq!(ran(&mut app), [first]);
}

#[test]
fn disabled_entities_do_not_run_in_a_system_of_your_own() {
    let mut world = World::new();
    let interval = FixedInterval::new(FRAME);
    let task = Timesliced::<Thinking>::new();
    let [first, second, third] = [(); 3].map(|()| world.spawn(task).id());
    world.entity_mut(third).insert(Disabled);
    world.insert_resource(Scheduler::<Thinking>::new(interval));
    world.entity_mut(first).insert(Disabled);
    let mut ran = Vec::new();
    let mut scheduler = world.resource_mut::<Scheduler<Thinking>>();
    scheduler.update(FRAME * 2, |entity, _| ran.push(entity));
    assert_eq!(ran, [second]);
}
