//! Tests that the published forms do the same work as our strategies while no task dies.

use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::AS_PUBLISHED;
use lab::sim::disturbance::Disturbance;
use lab::sim::world::ENTITIES;
use lab::testing::lane_of;

#[test]
fn published_forms_that_say_so_make_as_many_runs_in_each_frame() {
    let mut count = 0;
    for entry in STRATEGIES {
        let [mut ours, mut published] = [0.0, 1.0].map(|is_published| {
            let set = [(&AS_PUBLISHED, is_published), (&ENTITIES, 130.0)];
            lane_of(entry.key, "variable-step", &set)
        });
        for frame in 0..600 {
            if frame == 300 {
                ours.disturb(Disturbance::Births);
                published.disturb(Disturbance::Births);
            }
            let runs = [&mut ours, &mut published].map(|lane| lane.frame().runs);
            let defect = published.strategy().defect();
            if defect.is_some_and(|defect| defect.matches_ours_while.is_some()) {
                assert_eq!(runs[0], runs[1], "{} in frame {frame}", entry.key);
                count += usize::from(frame == 599);
            }
        }
    }
    assert!(count > 0, "some forms work like ours while no task dies");
}
