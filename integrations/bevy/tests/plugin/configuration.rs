//! Tests of significance, and of a mistake in the setup of an app.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_timeslicer::{Run, Scheduler, Significance, Timesliced, TimeslicerPlugin};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use timeslicer::strategy::{DistanceLod, EveryFrame, STRATEGIES};

use super::{Thinking, edit, empty_app, log, ran, spawn};

#[test]
fn significance_comes_from_a_component_or_a_function() {
    #[derive(Component)]
    struct Distance(f64);

    // A task runs every 100 ms if it matters most, and once per second if it matters a tenth or less.
    let (fastest, slowest) = (Duration::from_millis(100), Duration::from_secs(1));
    let plugin = || {
        let strategy = DistanceLod::new().with_intervals(fastest, slowest);
        TimeslicerPlugin::<Thinking>::new(strategy, log)
    };
    let by_distance = plugin().with_significance(|world, entity| {
        let distance = world.get::<Distance>(entity);
        distance.map_or(1.0, |distance| 1.0 / distance.0)
    });
    for (plugin, expected) in [(plugin(), [10, 1, 5, 10]), (by_distance, [10, 10, 10, 5])] {
        let mut app = empty_app();
        app.add_plugins(plugin);
        let entities: [Entity; 4] = spawn(&mut app);
        edit(&mut app, entities[1]).insert(Significance(f64::NAN));
        edit(&mut app, entities[2]).insert(Significance(0.5));
        edit(&mut app, entities[3]).insert(Distance(2.0));
        let runs: Vec<Entity> = (0..100).flat_map(|_| ran(&mut app)).collect();
        let counts = entities.map(|entity| runs.iter().filter(|&&run| run == entity).count());
        assert_eq!(counts, expected);
    }
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

#[test]
fn without_time_the_message_names_the_plugin_to_add() {
    let mut app = App::new();
    app.add_plugins(TimeslicerPlugin::<Thinking>::new(EveryFrame::new(), log));
    let panic = catch_unwind(AssertUnwindSafe(|| app.update())).unwrap_err();
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(message.contains("Thinking"), "{message}");
    assert!(message.contains("TimePlugin"), "{message}");
}
