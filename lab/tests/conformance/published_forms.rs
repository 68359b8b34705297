//! Tests that the published forms do the same work as our strategies while no task dies.

#[path = "../../../benches/crowd/mod.rs"]
mod crowd;

use crate::values::lane;
use crowd::Crowd;
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::STRATEGIES;
use lab::sim::disturbance::Disturbance;
use timeslicer::time::Nanos;

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

#[test]
fn published_forms_run_the_same_tasks_with_the_same_times() {
    let thoughts =
        |crowd: &Crowd| -> Vec<u64> { crowd.npcs().iter().map(|npc| npc.thoughts).collect() };
    let mut count = 0;
    for entry in STRATEGIES {
        let mut crowds = [(); 3].map(|()| Crowd::new(entry, 3_000));
        if !crowds[0].is_published() {
            continue;
        }
        count += 1;
        let mut before = [Nanos::ZERO; 2];
        for pass in 0..6 {
            let [ours, published, bare] = &mut crowds;
            ours.ours();
            published.published();
            bare.bare();
            if pass == 0 {
                // `Crowd::new` has made a pass with `ours` only, so elapsed times agree only after the first pass.
                before = [ours.elapsed(), published.elapsed()];
            }
        }
        let [ours, published, bare] = &crowds;
        let key = entry.key;
        let runs: u64 = thoughts(ours).iter().sum();
        assert_eq!(runs, 6 * ours.runs() as u64, "{key}");
        assert_eq!(thoughts(ours), thoughts(published), "{key}");
        assert_eq!(thoughts(ours), thoughts(bare), "{key}");
        let sums = [ours.elapsed() - before[0], published.elapsed() - before[1]];
        assert_eq!(sums[0], sums[1], "{key}");
        assert!(sums[0] > Nanos::ZERO, "{key}");
    }
    assert!(count > 0, "some strategies have a published form");
}
