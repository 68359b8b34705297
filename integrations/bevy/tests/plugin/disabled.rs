//! Tests of entities that are disabled.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Timesliced};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, MaxPerFrame, RequestList};

use super::{FRAME, Log, Thinking, app, edit, log, ran, scheduler, spawn, update};

#[test]
fn a_disabled_entity_waits() {
    let mut app = app(MaxPerFrame::new(1), log);
    let [first, second] = spawn(&mut app);
    edit(&mut app, first).insert(Disabled);
    for _ in 0..3 {
        assert_eq!(ran(&mut app), [second]);
    }
    assert_eq!(scheduler(&mut app).len(), 2);
    assert_eq!(scheduler(&mut app).staleness(first), None);
    edit(&mut app, first).remove::<Disabled>();
    assert_eq!(scheduler(&mut app).staleness(first), Some(Duration::ZERO));
    assert_eq!(ran(&mut app), [second]);
    let (entity, elapsed) = (first, FRAME * 2); // since it was enabled
    assert_eq!(update(&mut app), [Run { entity, elapsed }]);
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

/// The entities that a run disables or enables.
#[derive(Component)]
struct Toggles(Vec<Entity>);

fn toggle(
    run: Run,
    mut log: ResMut<Log>,
    toggles: Query<&Toggles>,
    disabled: Query<(), With<Disabled>>,
    mut commands: Commands,
) {
    log.0.push(run);
    for &entity in toggles.get(run.entity).iter().flat_map(|it| &it.0) {
        if disabled.contains(entity) {
            commands.entity(entity).remove::<Disabled>();
        } else {
            commands.entity(entity).insert(Disabled);
        }
    }
}

#[test]
fn a_run_can_disable_and_enable_entities() {
    let mut app = app(RequestList::new(), toggle);
    let [first, second, third] = spawn(&mut app);
    edit(&mut app, first).insert(Toggles(vec![first, second]));
    edit(&mut app, third).insert(Toggles(vec![second]));
    for entity in [first, second, third] {
        scheduler(&mut app).request(entity);
    }
    assert_eq!(ran(&mut app), [first, third], "the second one is disabled");
    assert_eq!(ran(&mut app), [second], "its request is kept");
    scheduler(&mut app).request(third);
    assert_eq!(ran(&mut app), [third]);
    scheduler(&mut app).request(first);
    edit(&mut app, second).remove::<Disabled>();
    assert_eq!(ran(&mut app), [], "the first one has disabled itself");
    edit(&mut app, first).remove::<Disabled>();
    assert_eq!(ran(&mut app), [first]);
}
