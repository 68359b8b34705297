//! Tests of a scheduler without the plugin, in a system of the game.

use bevy_app::Update;
use bevy_ecs::prelude::*;
use bevy_time::Time;
use bevy_timeslicer::{Scheduler, Timesliced};
use std::time::Duration;
use timeslicer::strategy::DistanceLod;

use super::{Thinking, empty_app};

#[test]
fn weighing_and_running_share_a_query() {
    #[derive(Component)]
    struct Guard {
        weight: f64,
        runs: u32,
    }

    fn think(
        mut scheduler: ResMut<Scheduler<Thinking>>,
        time: Res<Time>,
        mut guards: Query<&mut Guard>,
    ) {
        scheduler.update_weighted(
            time.delta(),
            &mut guards,
            |guards, entity| guards.get(entity).map_or(0.0, |guard| guard.weight),
            |guards, entity, _| guards.get_mut(entity).unwrap().runs += 1,
        );
    }

    let strategy =
        DistanceLod::new().with_intervals(Duration::from_millis(100), Duration::from_secs(1));
    let mut app = empty_app();
    app.insert_resource(Scheduler::<Thinking>::new(strategy));
    app.add_systems(Update, think);
    let entities = [1.0, 0.5, 0.1].map(|weight| {
        let guard = Guard { weight, runs: 0 };
        app.world_mut()
            .spawn((guard, Timesliced::<Thinking>::new()))
            .id()
    });
    (0..100).for_each(|_| app.update());
    let runs = entities.map(|entity| app.world().get::<Guard>(entity).unwrap().runs);
    assert_eq!(runs, [10, 5, 1]);
}
