//! Tests of markers, significance, and mistakes in the setup of an app.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Scheduler, Significance, Timesliced, TimeslicerPlugin};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use timeslicer::strategy::{DistanceLod, EveryFrame, MaxPerFrame, STRATEGIES};

use super::{Thinking, app, edit, empty_app, log, ran, spawn};

struct Sensors;

#[test]
fn an_entity_can_be_a_task_of_several_schedulers() {
    #[derive(Resource, Default)]
    struct Looks(Vec<Entity>);

    let mut app = app(MaxPerFrame::new(1), log);
    app.init_resource::<Looks>();
    let look = |run: Run, mut looks: ResMut<Looks>| looks.0.push(run.entity);
    app.add_plugins(TimeslicerPlugin::<Sensors>::new(EveryFrame::new(), look));
    let [first, second] = spawn(&mut app);
    edit(&mut app, first).insert(Timesliced::<Sensors>::new());
    let blind = app.world_mut().spawn(Timesliced::<Sensors>::new()).id();
    assert_eq!([ran(&mut app), ran(&mut app)], [[first], [second]]);
    assert_eq!(
        app.world().resource::<Looks>().0,
        [first, blind, first, blind]
    );

    edit(&mut app, first).remove::<Timesliced<Thinking>>();
    assert_eq!(app.world().resource::<Scheduler<Thinking>>().len(), 1);
    assert_eq!(app.world().resource::<Scheduler<Sensors>>().len(), 2);
    app.world_mut().despawn(first);
    assert_eq!(app.world().resource::<Scheduler<Sensors>>().len(), 1);
}

fn runs_in_a_second<const COUNT: usize>(
    app: &mut App,
    entities: [Entity; COUNT],
) -> [usize; COUNT] {
    let runs: Vec<Entity> = (0..100).flat_map(|_| ran(app)).collect();
    entities.map(|entity| runs.iter().filter(|&&run| run == entity).count())
}

/// Creates a strategy that runs a task every 100 ms if it matters most, and once per second if it matters a tenth or
/// less.
fn by_distance() -> DistanceLod {
    DistanceLod::new().with_intervals(Duration::from_millis(100), Duration::from_secs(1))
}

#[test]
fn significance_comes_from_a_component() {
    let mut app = app(by_distance(), log);
    let entities = spawn(&mut app);
    let values = [0.5, 0.1, f64::NAN, f64::INFINITY];
    for (entity, value) in entities[1..].iter().zip(values) {
        edit(&mut app, *entity).insert(Significance(value));
    }
    assert_eq!(runs_in_a_second(&mut app, entities), [10, 5, 1, 1, 10]);
}

#[test]
fn significance_comes_from_a_function() {
    #[derive(Component)]
    struct Distance(f64);

    let mut app = empty_app();
    let plugin = TimeslicerPlugin::<Thinking>::new(by_distance(), log);
    app.add_plugins(plugin.with_significance(|world, entity| {
        let distance = world.get::<Distance>(entity);
        distance.map_or(1.0, |distance| 1.0 / distance.0)
    }));
    let entities = spawn(&mut app);
    edit(&mut app, entities[1]).insert(Distance(2.0));
    edit(&mut app, entities[2]).insert(Significance(0.1)); // the function takes precedence
    assert_eq!(runs_in_a_second(&mut app, entities), [10, 5, 10]);
}

#[test]
fn the_function_is_never_asked_about_the_dead() {
    fn duel(run: Run, tasks: Query<Entity, With<Timesliced<Thinking>>>, mut commands: Commands) {
        for entity in tasks.iter().filter(|&entity| entity != run.entity) {
            commands.entity(entity).despawn();
        }
    }

    for info in STRATEGIES {
        let mut app = empty_app();
        let plugin = TimeslicerPlugin::<Thinking>::new((info.make)(), duel);
        app.add_plugins(plugin.with_significance(|world, entity| {
            assert!(world.entity(entity).contains::<Timesliced<Thinking>>());
            1.0
        }));
        let entities: [Entity; 1000] = spawn(&mut app);
        let mut thinking = app.world_mut().resource_mut::<Scheduler<Thinking>>();
        assert!(entities.iter().all(|&entity| thinking.request(entity)));
        thinking.run_next(entities[0]); // before the strategy asks for significances
        (0..200).for_each(|_| app.update());
        let survivors = app.world().resource::<Scheduler<Thinking>>().len();
        assert_eq!(survivors, 1, "{}", info.name);
    }
}

fn panic_message(configure: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(configure)).unwrap_err();
    let message = panic.downcast_ref::<String>().cloned();
    message.unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap()).to_owned())
}

#[test]
fn a_second_plugin_for_one_marker_is_refused_by_name() {
    let mut app = app(EveryFrame::new(), log);
    let message = panic_message(|| {
        app.add_plugins(TimeslicerPlugin::<Thinking>::new(MaxPerFrame::new(1), log));
    });
    assert!(message.contains("TimeslicerPlugin<"), "{message}");
    assert!(message.contains("Thinking"), "{message}");
    assert!(message.contains("already added"), "{message}");
}

#[test]
fn without_time_the_message_names_the_plugin_to_add() {
    let mut app = App::new();
    app.add_plugins(TimeslicerPlugin::<Thinking>::new(EveryFrame::new(), log));
    let message = panic_message(|| app.update());
    assert!(message.contains("Thinking"), "{message}");
    assert!(message.contains("TimePlugin"), "{message}");
}
