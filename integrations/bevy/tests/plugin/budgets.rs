//! Tests of clocks, budgets and work that takes several updates.

use bevy_app::{App, First};
use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin};
use std::sync::Mutex;
use std::time::Duration;
use timeslicer::SharedBudget;
use timeslicer::strategy::{EveryFrame, FixedInterval, MaxPerFrame, TimeBudget};

use super::{
    FRAME, Log, Thinking, WorkClock, app, edit, empty_app, ran, request, scheduler, spawn, update,
};

const MILLI: Duration = Duration::from_millis(1);

/// Logs the run, and advances the clock by 100 µs.
fn work(run: Run, clock: Res<WorkClock>, mut log: ResMut<Log>) {
    clock.work(100);
    log.0.push(run);
}

fn app_with_clock<Marker>(
    budget: Duration,
    system: impl IntoSystem<Run, (), Marker>,
) -> (App, WorkClock) {
    let clock = WorkClock::default();
    let mut app = empty_app();
    app.insert_resource(clock.clone());
    let plugin = TimeslicerPlugin::<Thinking>::new(TimeBudget::new(budget), system);
    let time = clock.clone();
    app.add_plugins(plugin.with_clock(move || time.now()));
    (app, clock)
}

#[test]
fn budgets_are_measured_on_the_clock_of_the_game() {
    let (mut app, _) = app_with_clock(MILLI, work);
    let entities: [Entity; 25] = spawn(&mut app);
    request(&mut app, &entities);
    let runs = [(); 3].map(|()| update(&mut app).len());
    assert_eq!(runs, [10, 10, 5]);

    scheduler(&mut app).request(entities[0]);
    app.update();
    let scheduler = scheduler(&mut app);
    let report = scheduler.last_update();
    assert_eq!((report.runs, report.spent), (1, MILLI / 10));
    assert_eq!(
        (report.budget, report.overrun),
        (Some(MILLI), Duration::ZERO)
    );
    assert!(!report.clock_stands_still);
}

/// The warnings that have been logged so far.
static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }

    fn log(&self, record: &log::Record) {
        if record.level() == log::Level::Warn {
            MESSAGES.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

#[test]
fn a_clock_that_stands_still_is_reported_once() {
    struct Still;
    struct Fine;

    static LOGGER: Logger = Logger;
    log::set_logger(&LOGGER).unwrap();
    log::set_max_level(log::LevelFilter::Warn);

    let run = |_: Run| ();
    let still = TimeslicerPlugin::<Still>::new(FixedInterval::new(FRAME), run);
    // This scheduler has no budget, so it does not matter that its clock stands still.
    let fine = TimeslicerPlugin::<Fine>::new(FixedInterval::new(FRAME), run);
    let budget = SharedBudget::new(MILLI);
    let mut app = empty_app();
    app.add_plugins((
        still.with_shared_budget(&budget, 1.0).with_clock(|| MILLI),
        fine.with_clock(|| MILLI),
    ));
    let task = (Timesliced::<Still>::new(), Timesliced::<Fine>::new());
    app.world_mut().spawn(task);
    (0..300).for_each(|_| app.update());
    let mut still = app.world_mut().resource_mut::<Scheduler<Still>>();
    (0..300).for_each(|_| _ = still.update(FRAME, |_, _| ()));

    let messages = MESSAGES.lock().unwrap();
    let is_about_still = messages.iter().all(|it| it.contains("Still"));
    assert!(messages.len() == 1 && is_about_still, "{messages:?}");
}

/// How many steps of 100 µs are left until the path is found.
#[derive(Component)]
struct Path(u32);

fn find_path(
    run: Run,
    mut paths: Query<&mut Path>,
    clock: Res<WorkClock>,
    mut log: ResMut<Log>,
    mut scheduler: ResMut<Scheduler<Thinking>>,
) {
    log.0.push(run);
    let Ok(mut path) = paths.get_mut(run.entity) else {
        return;
    };
    while path.0 > 0 {
        if scheduler.remaining() == Some(Duration::ZERO) {
            return scheduler.again();
        }
        clock.work(100);
        path.0 -= 1;
    }
}

#[test]
fn work_can_take_several_updates() {
    let (mut app, clock) = app_with_clock(MILLI, find_path);
    let [long, short] = spawn(&mut app);
    edit(&mut app, long).insert(Path(25));
    edit(&mut app, short).insert(Path(2));
    request(&mut app, &[long, short]);
    let mut order = Vec::new();
    for update in 1..=3 {
        order.extend(ran(&mut app));
        assert!(clock.now() <= MILLI * update);
    }
    assert_eq!(
        order[..3],
        [long, long, short],
        "the others do not wait for it"
    );
    let paths = [long, short].map(|it| app.world().get::<Path>(it).map(|path| path.0));
    assert_eq!(paths, [Some(0); 2], "2.7 ms of work in three updates");
    assert_eq!(ran(&mut app), []);
    assert_eq!(scheduler(&mut app).remaining(), None, "no task is running");
}

#[test]
fn a_run_can_say_who_runs_next() {
    fn call(run: Run, world: &mut World) {
        world.resource_mut::<Log>().0.push(run);
        if world.resource::<Log>().0.len() == 1 {
            let newborn = world.spawn(Timesliced::<Thinking>::new()).id();
            let mut scheduler = world.resource_mut::<Scheduler<Thinking>>();
            assert!(scheduler.run_next(newborn));
            assert!(scheduler.strategy_mut::<MaxPerFrame>().is_none());
        } else {
            let report = world.resource::<Scheduler<Thinking>>().last_update();
            assert_eq!(report.runs, 1, "the report of the first update");
            assert!(report.spent > Duration::ZERO, "by the clock of Bevy");
        }
    }

    let mut app = app(MaxPerFrame::new(1), call);
    let entities: [Entity; 3] = spawn(&mut app);
    assert_eq!(ran(&mut app), entities[..1]);
    let next = ran(&mut app);
    assert!(!entities.contains(&next[0]));
    assert_eq!(next[1..], entities[1..2]);
}

#[test]
fn several_plugins_share_a_budget() {
    struct Sensors;

    let clock = WorkClock::default();
    let budget = SharedBudget::new(MILLI);
    let mut app = empty_app();
    app.insert_resource(clock.clone());
    let frame = budget.clone();
    app.add_systems(First, move || frame.begin_frame());
    let times = [(); 2].map(|()| {
        let clock = clock.clone();
        move || clock.now()
    });
    let [first, second] = times;
    let thinking = TimeslicerPlugin::<Thinking>::new(EveryFrame::new(), work);
    let sensors = TimeslicerPlugin::<Sensors>::new(EveryFrame::new(), work);
    app.add_plugins((
        thinking.with_clock(first).with_shared_budget(&budget, 3.0),
        sensors.with_clock(second).with_shared_budget(&budget, 2.0),
    ));
    let thinking: [Entity; 50] = spawn(&mut app);
    let sensors = [(); 50].map(|()| Timesliced::<Sensors>::new());
    app.world_mut().spawn_batch(sensors);
    (0..3).for_each(|_| app.update()); // the shares settle
    app.world_mut().resource_mut::<Log>().0.clear();
    for _ in 0..5 {
        let runs = ran(&mut app);
        let is_thinking = |entity: &&Entity| thinking.contains(entity);
        let thoughts = runs.iter().filter(is_thinking).count();
        assert_eq!((thoughts, runs.len()), (6, 10));
        assert_eq!(budget.spent(), MILLI);
    }
}
