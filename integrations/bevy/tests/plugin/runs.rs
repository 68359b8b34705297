//! Tests of what happens inside runs, apart from births and deaths: time, requests, errors and panics.

use bevy_app::{FixedUpdate, Update};
use bevy_ecs::error::{BevyError, ErrorContext};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, Virtual};
use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, MaxPerFrame, RequestList};

use super::{FRAME, Log, Thinking, app, empty_app, log, ran, scheduler, spawn, update};

#[test]
fn tasks_follow_virtual_time() {
    let mut app = app(EveryFrame::new(), log);
    let [entity] = spawn(&mut app);
    app.world_mut()
        .resource_mut::<Time<Virtual>>()
        .set_relative_speed(0.5);
    let elapsed = FRAME / 2;
    assert_eq!(update(&mut app), [Run { entity, elapsed }]);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let elapsed = Duration::ZERO;
    assert_eq!(update(&mut app), [Run { entity, elapsed }]);
}

#[test]
fn tasks_in_a_fixed_schedule_follow_its_steps() {
    let mut app = empty_app();
    app.insert_resource(Time::<Fixed>::from_duration(FRAME / 2));
    let plugin = TimeslicerPlugin::<Thinking>::new(EveryFrame::new(), log);
    app.add_plugins(plugin.in_schedule(FixedUpdate));
    let [entity] = spawn(&mut app);
    let elapsed = FRAME / 2;
    assert_eq!(update(&mut app), [Run { entity, elapsed }; 2]);
}

#[test]
fn runs_see_the_commands_of_earlier_runs() {
    #[derive(Component)]
    struct Seen;

    fn look(run: Run, seen: Query<&Seen>, mut log: ResMut<Log>, mut commands: Commands) {
        if seen.is_empty() {
            commands.entity(run.entity).insert(Seen);
        } else {
            log.0.push(run);
        }
    }

    let mut app = app(EveryFrame::new(), look);
    let [_, second] = spawn(&mut app);
    assert_eq!(ran(&mut app), [second]);
}

#[test]
fn only_tasks_can_be_requested() {
    let mut app = app(RequestList::new(), log);
    let stranger = app.world_mut().spawn_empty().id();
    let [first, second] = spawn(&mut app);
    assert!(!scheduler(&mut app).request(stranger));
    assert!(scheduler(&mut app).request(second));
    assert_eq!(ran(&mut app), [second]);
    app.world_mut().despawn(first);
    assert!(!scheduler(&mut app).request(first));
    assert_eq!(ran(&mut app), []);
}

#[test]
fn requests_inside_a_run_wait_for_the_next_update() {
    fn call(
        run: Run,
        mut log: ResMut<Log>,
        mut scheduler: ResMut<Scheduler<Thinking>>,
        mut commands: Commands,
    ) {
        log.0.push(run);
        assert!(scheduler.request(run.entity));
        let newborn = commands.spawn(Timesliced::<Thinking>::new()).id();
        commands.queue(move |world: &mut World| {
            assert!(world.resource_mut::<Scheduler<Thinking>>().request(newborn));
        });
    }

    let mut app = app(RequestList::new(), call);
    let [entity] = spawn(&mut app);
    scheduler(&mut app).request(entity);
    assert_eq!(ran(&mut app), [entity]);
    assert_eq!(scheduler(&mut app).backlog(), 2);
    let next = ran(&mut app);
    assert!(next.len() == 2 && next.contains(&entity), "{next:?}");
}

#[test]
fn a_change_of_strategy_inside_a_run_waits_for_the_end_of_the_update() {
    fn calm_down(run: Run, mut log: ResMut<Log>, mut scheduler: ResMut<Scheduler<Thinking>>) {
        log.0.push(run);
        scheduler.set_strategy(MaxPerFrame::new(1));
    }

    let mut app = app(EveryFrame::new(), calm_down);
    let entities: [Entity; 3] = spawn(&mut app);
    assert_eq!(ran(&mut app), entities);
    assert_eq!(ran(&mut app).len(), 1);
}

#[test]
fn an_error_goes_to_the_handler_and_the_next_task_runs() {
    static ERRORS: AtomicUsize = AtomicUsize::new(0);
    fn count(error: BevyError, context: ErrorContext) {
        assert!(error.to_string().contains("lost"), "{error}");
        assert!(matches!(context, ErrorContext::System { .. }));
        ERRORS.fetch_add(1, Ordering::Relaxed);
    }
    fn fail(run: Run, mut log: ResMut<Log>, mut commands: Commands) -> Result {
        log.0.push(run);
        commands.entity(run.entity).despawn();
        Err("the guard is lost".into())
    }

    let mut app = app(EveryFrame::new(), fail);
    app.set_error_handler(count);
    let entities: [Entity; 2] = spawn(&mut app);
    assert_eq!(ran(&mut app), entities);
    assert_eq!(ERRORS.load(Ordering::Relaxed), 2);
    assert!(scheduler(&mut app).is_empty()); // an error does not undo commands
}

#[test]
fn runs_are_skipped_while_a_parameter_is_missing() {
    #[derive(Component)]
    struct Player;

    fn watch(run: Run, _player: Single<&Player>, mut log: ResMut<Log>) {
        log.0.push(run);
    }

    let mut app = app(EveryFrame::new(), watch);
    let entities: [Entity; 2] = spawn(&mut app);
    assert_eq!(ran(&mut app), []);
    app.world_mut().spawn(Player);
    assert_eq!(ran(&mut app), entities);
}

#[test]
fn everything_is_usable_after_a_panic_in_a_run() {
    #[derive(Component)]
    struct Clumsy;

    fn stumble(run: Run, mut log: ResMut<Log>, clumsy: Query<&Clumsy>, mut commands: Commands) {
        log.0.push(run);
        if clumsy.contains(run.entity) {
            commands.entity(run.entity).despawn();
            panic!("the guard stumbles");
        }
    }

    static PANICS: AtomicUsize = AtomicUsize::new(0);
    fn count(_: BevyError, _: ErrorContext) {
        PANICS.fetch_add(1, Ordering::Relaxed);
    }

    let mut app = app(EveryFrame::new(), stumble);
    app.set_error_handler(count); // Bevy passes panics to it, too
    let [first, second, third] = spawn(&mut app);
    app.world_mut().entity_mut(second).insert(Clumsy);
    assert_eq!(ran(&mut app), [first, second]);
    assert_eq!(PANICS.load(Ordering::Relaxed), 1);
    assert_eq!(ran(&mut app), [third]); // the rest of the round
    assert!(app.world().get_entity(second).is_err());
    let everyone = ran(&mut app);
    assert!(everyone.len() == 2 && everyone.contains(&first) && everyone.contains(&third));
}

#[test]
fn other_systems_can_be_ordered_by_the_set() {
    use bevy_timeslicer::TimeslicerSystems;

    fn look(log: Res<Log>, mut seen: ResMut<Seen>) {
        seen.0.push(log.0.len());
    }
    #[derive(Resource, Default)]
    struct Seen(Vec<usize>);

    let mut app = app(EveryFrame::new(), log);
    app.init_resource::<Seen>();
    let set = TimeslicerSystems::of::<Thinking>();
    app.add_systems(Update, (look.before(set), look.after(set)));
    let _: [Entity; 2] = spawn(&mut app);
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [0, 2]);

    app.configure_sets(Update, set.run_if(|| false));
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [0, 2, 2, 2]);
}
