//! Tests of what happens inside runs, apart from births and deaths: time, requests, errors and panics.

use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::error::{BevyError, ErrorContext};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, Virtual};
use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, MaxPerFrame, RequestList, STRATEGIES};

use super::{FRAME, Log, Thinking, app, empty_app, log, ran, scheduler, spawn, update};

fn virtual_time(app: &mut App) -> Mut<'_, Time<Virtual>> {
    app.world_mut().resource_mut()
}

#[test]
fn tasks_follow_virtual_time() {
    let mut app = app(EveryFrame::new(), log);
    let [entity] = spawn(&mut app);
    virtual_time(&mut app).set_relative_speed(0.5);
    let elapsed = FRAME / 2;
    assert_eq!(update(&mut app), [Run { entity, elapsed }]);
}

#[test]
fn a_paused_game_runs_nothing_whatever_the_strategy() {
    for info in STRATEGIES {
        for is_fixed in [false, true] {
            let mut app = empty_app();
            app.insert_resource(Time::<Fixed>::from_duration(FRAME));
            let plugin = TimeslicerPlugin::<Thinking>::new((info.make)(), log);
            app.add_plugins(if is_fixed {
                plugin.in_schedule(FixedUpdate)
            } else {
                plugin
            });
            let entities: [Entity; 8] = spawn(&mut app);
            let ask = |app: &mut App| {
                for entity in entities {
                    scheduler(app).request(entity);
                }
                scheduler(app).run_next(entities[0]);
            };
            ask(&mut app);
            assert_ne!(update(&mut app), [], "{} runs", info.name);
            virtual_time(&mut app).pause();
            ask(&mut app);
            for _ in 0..200 {
                assert_eq!(update(&mut app), [], "{} is paused", info.name);
            }
            virtual_time(&mut app).unpause();
            let runs = update(&mut app);
            assert_eq!(runs[0].entity, entities[0], "{}", info.name);
            assert!(runs.iter().all(|run| run.elapsed <= FRAME * 2), "{runs:?}");
        }
    }
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
fn requests_inside_a_run_wait_for_the_next_update() {
    /// The entity that each run requests, spawned in the first run.
    #[derive(Resource, Default)]
    struct Friend(Option<Entity>);

    fn call(
        run: Run,
        mut log: ResMut<Log>,
        mut friend: ResMut<Friend>,
        mut scheduler: ResMut<Scheduler<Thinking>>,
        mut commands: Commands,
    ) {
        log.0.push(run);
        assert!(scheduler.request(run.entity));
        assert_eq!(scheduler.backlog(), 1);
        assert_eq!(scheduler.staleness(run.entity), None);
        if friend.0.is_none() {
            let newborn = commands.spawn(Timesliced::<Thinking>::new()).id();
            friend.0 = Some(newborn);
            commands.queue(move |world: &mut World| {
                assert!(world.resource_mut::<Scheduler<Thinking>>().request(newborn));
            });
        } else {
            commands.entity(run.entity).despawn();
        }
    }

    let mut app = app(MaxPerFrame::new(1), call);
    scheduler(&mut app).set_strategy(RequestList::new());
    app.init_resource::<Friend>();
    let [entity] = spawn(&mut app);
    scheduler(&mut app).request(entity);
    assert_eq!(ran(&mut app), [entity]);
    assert_eq!(scheduler(&mut app).backlog(), 2);
    let friend = app.world().resource::<Friend>().0;
    app.world_mut().despawn(entity);
    assert_eq!(Some(ran(&mut app)), friend.map(|friend| vec![friend]));
    assert!(scheduler(&mut app).is_empty());
    assert_eq!(scheduler(&mut app).backlog(), 0);
}

#[test]
fn a_run_that_updates_the_app_does_not_run_tasks_again() {
    fn recurse(run: Run, world: &mut World) {
        world.resource_mut::<Log>().0.push(run);
        assert!(world.try_run_schedule(FixedUpdate).is_ok());
    }

    let mut app = empty_app();
    let plugin = TimeslicerPlugin::<Thinking>::new(EveryFrame::new(), recurse);
    app.add_plugins(plugin);
    app.add_systems(FixedUpdate, |mut scheduler: ResMut<Scheduler<Thinking>>| {
        assert_eq!(scheduler.update(FRAME, |_, _| unreachable!()), 0);
    });
    let entities: [Entity; 2] = spawn(&mut app);
    assert_eq!(ran(&mut app), entities);
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
fn everything_is_usable_after_a_panic_in_a_run() {
    #[derive(Component)]
    struct Clumsy;

    fn stumble(
        run: Run,
        mut log: ResMut<Log>,
        clumsy: Query<&Clumsy>,
        scheduler: Res<Scheduler<Thinking>>,
        mut commands: Commands,
    ) {
        log.0.push(run);
        if clumsy.contains(run.entity) {
            commands.entity(run.entity).despawn();
            panic!("the guard stumbles");
        }
        if scheduler.len() == 3 {
            commands.spawn(Timesliced::<Thinking>::new());
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
    assert_eq!(scheduler(&mut app).len(), 4); // including the task spawned by the first run
    assert_eq!(scheduler(&mut app).staleness(first), Some(Duration::ZERO));

    assert_eq!(ran(&mut app), [third]); // the rest of the round
    assert!(app.world().get_entity(second).is_err());
    let everyone = ran(&mut app);
    assert!(everyone.contains(&first) && everyone.contains(&third));
    assert_eq!(everyone.len(), scheduler(&mut app).len());
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
