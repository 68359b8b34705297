//! The published forms do the same work as ours while no task dies.

#[path = "../../../benches/crowd/mod.rs"]
mod crowd;

use crowd::Crowd;
use timeslicer::strategy::STRATEGIES;
use timeslicer::time::Nanos;

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
