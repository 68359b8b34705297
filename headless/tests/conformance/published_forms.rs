//! The published algorithms in the benches do the same work as the library.

#[path = "../../../benches/crowd/mod.rs"]
mod crowd;
#[path = "../../../benches/published/mod.rs"]
mod published;

use crowd::Crowd;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};
use timeslicer::time::Nanos;

/// Returns two crowds for each strategy that has a published form.
fn crowds(count: usize) -> impl Iterator<Item = (&'static StrategyEntry, [Crowd; 2])> {
    let pair = move |entry| [Crowd::new(entry, count), Crowd::new(entry, count)];
    STRATEGIES
        .iter()
        .map(move |&entry| (entry, pair(entry)))
        .filter(|(_, [crowd, _])| crowd.is_published())
}

fn thoughts(crowd: &Crowd) -> Vec<u64> {
    crowd.npcs().iter().map(|npc| npc.thoughts).collect()
}

#[test]
fn some_strategies_have_a_published_form() {
    assert!(crowds(1).count() > 0);
}

#[test]
fn all_forms_run_the_same_tasks() {
    for (entry, [mut ours, mut published]) in crowds(3_000) {
        let key = entry.key;
        for _ in 0..6 {
            ours.ours();
            published.published();
        }
        let runs: u64 = thoughts(&ours).iter().sum();
        assert_eq!(runs, 6 * ours.runs() as u64, "{key}");
        assert_eq!(thoughts(&ours), thoughts(&published), "{key}");

        let mut bare = Crowd::new(entry, 3_000);
        (0..6).for_each(|_| bare.bare());
        assert_eq!(thoughts(&ours), thoughts(&bare), "{key}");
    }
}

#[test]
fn all_forms_pass_the_same_elapsed_times() {
    for (entry, [mut ours, mut published]) in crowds(2_000) {
        let key = entry.key;
        ours.ours();
        published.published();
        let before = [ours.elapsed(), published.elapsed()];
        // Skip the first pass. `Crowd::new` has already made one with `ours` only, so the elapsed times differ.
        for _ in 0..4 {
            ours.ours();
            published.published();
        }
        let sums = [ours.elapsed() - before[0], published.elapsed() - before[1]];
        assert_eq!(sums[0], sums[1], "{key}");
        assert!(sums[0] > Nanos::ZERO, "{key}");
    }
}
