//! Tests of clocks, budgets and work that takes several updates.

use bevy_app::{App, First};
use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Scheduler, Timesliced, TimeslicerPlugin};
use std::sync::Mutex;
use std::time::Duration;
use timeslicer::SharedBudget;
use timeslicer::strategy::{EveryFrame, MaxPerFrame, TimeBudget};

use super::{FRAME, Log, Thinking, WorkClock, app, edit, empty_app, ran, scheduler, spawn, update};

const MILLI: Duration = Duration::from_millis(1);

/// Takes 100 µs of the clock.
fn work(run: Run, clock: Res<WorkClock>, mut log: ResMut<Log>) {
    clock.work(100);
    log.0.push(run);
}

/// Returns an app whose runs are measured on a [`WorkClock`].
fn app_with_clock<Marker>(
    budget: Duration,
    system: impl IntoSystem<Run, (), Marker>,
) -> (App, WorkClock) {
    let clock = WorkClock::default();
    let mut app = empty_app();
    app.insert_resource(clock.clone());
    let scheduler = Scheduler::<Thinking>::new(TimeBudget::new(budget));
    let scheduler = scheduler.with_clock(clock.reader());
    app.add_plugins(TimeslicerPlugin::new(scheduler, system));
    (app, clock)
}

#[test]
fn budgets_are_measured_on_the_clock_of_the_game() {
    let (mut app, _) = app_with_clock(MILLI, work);
    let entities: [Entity; 25] = spawn(&mut app);
    for entity in entities {
        scheduler(&mut app).request(entity);
    }
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

#[test]
fn without_a_clock_of_its_own_a_budget_holds() {
    fn sleep(run: Run, mut log: ResMut<Log>) {
        std::thread::sleep(MILLI);
        log.0.push(run);
    }

    let mut app = app(TimeBudget::new(MILLI * 2), sleep);
    for entity in spawn::<20>(&mut app) {
        scheduler(&mut app).request(entity);
    }
    assert!((1..=2).contains(&ran(&mut app).len()));
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
    for entity in [long, short] {
        scheduler(&mut app).request(entity);
    }
    let mut order = Vec::new();
    let mut updates = 0;
    while scheduler(&mut app).backlog() > 0 {
        let start = clock.now();
        order.extend(ran(&mut app));
        assert!(clock.now() <= start + MILLI);
        updates += 1;
    }
    assert_eq!(updates, 3, "2.7 ms of work");
    assert_eq!(
        order[..3],
        [long, long, short],
        "the others do not wait for it"
    );
    let paths = [long, short].map(|it| app.world().get::<Path>(it).map(|path| path.0));
    assert_eq!(paths, [Some(0); 2]);
    assert_eq!(ran(&mut app), []);
    assert_eq!(scheduler(&mut app).remaining(), None, "no task is running");
}

#[test]
fn an_unfinished_entity_that_dies_or_is_disabled_does_not_go_on() {
    use bevy_ecs::entity_disabling::Disabled;

    fn give_up(
        run: Run,
        clock: Res<WorkClock>,
        mut log: ResMut<Log>,
        mut scheduler: ResMut<Scheduler<Thinking>>,
        mut commands: Commands,
    ) {
        log.0.push(run);
        clock.work(100);
        scheduler.again();
        match log.0.len() {
            1 => commands.entity(run.entity).despawn(),
            2 => _ = commands.entity(run.entity).insert(Disabled),
            _ => scheduler.set_strategy(MaxPerFrame::new(5)),
        }
    }

    let (mut app, _) = app_with_clock(MILLI, give_up);
    let entities: [Entity; 2] = spawn(&mut app);
    for entity in entities {
        scheduler(&mut app).request(entity);
    }
    app.update();
    app.update();
    let log = &app.world().resource::<Log>().0;
    assert_eq!(
        log.iter().map(|run| run.entity).collect::<Vec<_>>(),
        entities
    );
    edit(&mut app, entities[1]).remove::<Disabled>();
    app.update();
    let runs = &app.world().resource::<Log>().0[2..];
    assert!(!runs.is_empty() && runs.iter().all(|run| run.entity == entities[1]));
}

#[test]
fn a_run_can_say_who_runs_next() {
    fn call(run: Run, world: &mut World) {
        world.resource_mut::<Log>().0.push(run);
        if world.resource::<Log>().0.len() == 1 {
            let newborn = world.spawn(Timesliced::<Thinking>::new()).id();
            let mut scheduler = world.resource_mut::<Scheduler<Thinking>>();
            assert!(scheduler.run_next(newborn));
        } else {
            let report = world.resource::<Scheduler<Thinking>>().last_update();
            assert_eq!(report.runs, 1, "the report of the first update");
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
    let thinking = Scheduler::<Thinking>::new(EveryFrame::new()).with_clock(clock.reader());
    let sensors = Scheduler::<Sensors>::new(EveryFrame::new()).with_clock(clock.reader());
    app.add_plugins((
        TimeslicerPlugin::new(thinking.with_shared_budget(&budget, 3.0), work),
        TimeslicerPlugin::new(sensors.with_shared_budget(&budget, 2.0), work),
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

/// Messages of the log.
static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }

    fn log(&self, record: &log::Record) {
        MESSAGES.lock().unwrap().push(record.args().to_string());
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

    let mut world = World::new();
    let still = Scheduler::<Still>::new(TimeBudget::new(MILLI)).with_clock(|| Duration::ZERO);
    world.insert_resource(still);
    // Without a budget, the clock does not matter.
    let fine = Scheduler::<Fine>::new(EveryFrame::new()).with_clock(|| Duration::ZERO);
    world.insert_resource(fine);
    let task = (Timesliced::<Still>::new(), Timesliced::<Fine>::new());
    let entity = world.spawn(task).id();
    for _ in 0..300 {
        let mut still = world.resource_mut::<Scheduler<Still>>();
        still.request(entity);
        assert_eq!(still.update(FRAME, |_, _| ()), 1);
        let mut fine = world.resource_mut::<Scheduler<Fine>>();
        assert_eq!(fine.update(FRAME, |_, _| ()), 1);
    }
    let messages = MESSAGES.lock().unwrap();
    let about = |name| {
        messages
            .iter()
            .filter(|message| message.contains(name))
            .count()
    };
    assert_eq!((about("Still"), about("Fine")), (1, 0), "{messages:?}");
}
