//! Tests of what happens inside runs, apart from births and deaths: time, requests, errors and panics.

use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::error::{BevyError, ErrorContext};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, Virtual};
use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin, TimeslicerSystems};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use timeslicer::strategy::{EveryFrame, MaxPerFrame, RequestList};

use super::{FRAME, Log, Thinking, app, edit, empty_app, log, ran, scheduler, spawn, update};

#[test]
fn tasks_follow_virtual_time() {
    for (is_fixed, elapsed) in [(false, FRAME / 2), (true, FRAME / 4)] {
        let mut app = empty_app();
        app.insert_resource(Time::<Fixed>::from_duration(FRAME / 4));
        let plugin = TimeslicerPlugin::<Thinking>::new(EveryFrame::new(), log);
        app.add_plugins(if is_fixed {
            plugin.in_schedule(FixedUpdate)
        } else {
            plugin
        });
        let [entity] = spawn(&mut app);
        let set = |app: &mut App, change: fn(&mut Time<Virtual>)| {
            change(&mut app.world_mut().resource_mut());
        };
        set(&mut app, |time| time.set_relative_speed(0.5));
        let runs = vec![Run { entity, elapsed }; if is_fixed { 2 } else { 1 }];
        assert_eq!(update(&mut app), runs);
        set(&mut app, Time::pause);
        scheduler(&mut app).run_next(entity);
        assert_eq!(update(&mut app), [], "the game is paused");
        set(&mut app, Time::unpause);
        assert_eq!(update(&mut app), runs);
    }
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
        assert_eq!(scheduler.backlog(), 1);
        assert_eq!(scheduler.staleness(run.entity), None);
        if log.0.len() == 1 {
            let newborn = commands.spawn(Timesliced::<Thinking>::new()).id();
            commands.queue(move |world: &mut World| {
                assert!(world.resource_mut::<Scheduler<Thinking>>().request(newborn));
            });
        } else {
            commands.entity(run.entity).despawn();
        }
    }

    let mut app = app(MaxPerFrame::new(1), call);
    scheduler(&mut app).set_strategy(RequestList::new());
    let [entity] = spawn(&mut app);
    scheduler(&mut app).request(entity);
    app.update();
    assert_eq!(scheduler(&mut app).backlog(), 2);
    app.world_mut().despawn(entity);
    app.update();
    let log = &app.world().resource::<Log>().0;
    assert_eq!(log[0].entity, entity);
    assert!(log.len() == 2 && log[1].entity != entity, "{log:?}");
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

    fn stumble(run: Run, mut log: ResMut<Log>, clumsy: Query<&Clumsy>, mut commands: Commands) {
        log.0.push(run);
        if clumsy.contains(run.entity) {
            commands.entity(run.entity).despawn();
            panic!("the guard stumbles");
        }
        if log.0.len() == 1 {
            commands.spawn(Timesliced::<Thinking>::new());
        }
    }

    static PANICS: AtomicUsize = AtomicUsize::new(0);
    fn count(_: BevyError, _: ErrorContext) {
        PANICS.fetch_add(1, Ordering::Relaxed);
    }

    let mut app = app(MaxPerFrame::new(3), stumble);
    app.set_error_handler(count); // Bevy passes panics to it, too
    let [first, second, third] = spawn(&mut app);
    edit(&mut app, second).insert(Clumsy);
    app.update();
    assert_eq!(PANICS.load(Ordering::Relaxed), 1);
    assert_eq!(scheduler(&mut app).len(), 4); // including the task spawned by the first run
    assert_eq!(scheduler(&mut app).staleness(first), Some(Duration::ZERO));
    app.update(); // the commands of the run that panicked are applied
    assert!(app.world().get_entity(second).is_err());
    assert_eq!(scheduler(&mut app).len(), 3);
    let runs = &app.world().resource::<Log>().0;
    let order: Vec<Entity> = runs.iter().map(|run| run.entity).collect();
    assert_eq!(order[..3], [first, second, third], "nobody loses a turn");
    assert_eq!(
        order.len(),
        5,
        "the newborn entity, too, and then the first"
    );
}

#[test]
fn other_systems_can_be_ordered_by_the_set() {
    #[derive(Resource, Default)]
    struct Seen(Vec<usize>);
    fn look(log: Res<Log>, mut seen: ResMut<Seen>) {
        seen.0.push(log.0.len());
    }

    let mut app = app(EveryFrame::new(), log);
    app.init_resource::<Seen>();
    let set = TimeslicerSystems::of::<Thinking>();
    app.add_systems(Update, (look.before(set), look.after(set)));
    let _: [Entity; 2] = spawn(&mut app);
    app.update();
    app.configure_sets(Update, set.run_if(|| false));
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [0, 2, 2, 2]);
}
