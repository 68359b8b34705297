//! Tests that the published forms do the same work as our strategies while no task dies.

use crate::values::lane;
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::STRATEGIES;
use lab::sim::disturbance::Disturbance;

#[test]
fn published_forms_that_say_so_make_as_many_runs_in_each_frame() {
    let mut count = 0;
    for entry in STRATEGIES {
        let [mut ours, mut published] = [0.0, 1.0].map(|is_published| {
            let set = [("as-published", is_published), ("entities", 130.0)];
            lane(entry, FRAME_LOOPS[2], 0, &set)
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
