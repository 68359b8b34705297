//! The published algorithms that the benches hold the library against do the same work as the library.

#[path = "../benches/crowd/mod.rs"]
mod crowd;
#[path = "../benches/published/mod.rs"]
mod published;

use crowd::Crowd;
use timeslice::strategy::{STRATEGIES, StrategyEntry};
use timeslice::time::Nanos;

/// Two crowds under each strategy that has a published form.
fn crowds(count: usize) -> impl Iterator<Item = (&'static StrategyEntry, [Crowd; 2])> {
    let two = move |entry| [Crowd::new(entry, count), Crowd::new(entry, count)];
    STRATEGIES
        .iter()
        .map(move |&entry| (entry, two(entry)))
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
fn a_pass_runs_the_same_tasks_in_every_form() {
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
fn the_tasks_are_told_the_same_elapsed_times() {
    for (entry, [mut ours, mut published]) in crowds(2_000) {
        let key = entry.key;
        ours.ours();
        published.published();
        let before = [ours.elapsed(), published.elapsed()];
        // From the second pass on: the first one of ours follows the one that the order was taken from.
        for _ in 0..4 {
            ours.ours();
            published.published();
        }
        let told = [ours.elapsed() - before[0], published.elapsed() - before[1]];
        assert_eq!(told[0], told[1], "{key}");
        assert!(told[0] > Nanos::ZERO, "{key}");
    }
}
