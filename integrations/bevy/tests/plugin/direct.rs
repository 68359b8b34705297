//! Tests of a scheduler without the plugin, in a system of the game.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use bevy_timeslicer::{Run, Scheduler, Timesliced};
use std::time::Duration;
use timeslicer::strategy::{DistanceLod, EveryFrame, Strategy};

use super::{FRAME, Log, Thinking, empty_app, ran, spawn, update};

fn app<Marker>(
    strategy: impl Strategy + 'static,
    system: impl IntoSystem<(), (), Marker> + 'static,
) -> App {
    let mut app = empty_app();
    app.insert_resource(Scheduler::<Thinking>::new(strategy));
    app.add_systems(Update, IntoSystem::into_system(system));
    app
}

#[test]
fn a_system_of_the_game_can_run_what_is_due() {
    fn think(mut scheduler: ResMut<Scheduler<Thinking>>, time: Res<Time>, mut log: ResMut<Log>) {
        let runs = scheduler.update(time.delta(), |entity, elapsed| {
            log.0.push(Run { entity, elapsed });
        });
        assert_eq!(runs, log.0.len());
    }

    let mut app = app(EveryFrame::new(), think);
    let [entity] = spawn(&mut app);
    let elapsed = FRAME;
    assert_eq!(update(&mut app), [Run { entity, elapsed }]);
    app.world_mut().despawn(entity);
    assert_eq!(ran(&mut app), []);
}

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
    let mut app = app(strategy, think);
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
