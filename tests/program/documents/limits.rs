//! Limits that the documents state, and the length of the documents.

use crate::documents::markdown::read;
use lab::files::costs::{MOST_BYTES, MOST_COSTS};
use lab::history::FRAMES;
use lab::measure::thresholds::{EQUAL_WEIGHTS, noisy_budget};
use lab::measure::{WARM_UP, hitch_from};
use lab::sim::gaze_error::{SAMPLE, WRONG_FROM_DEGREES};
use lab::sim::world::COST;
use lab::text::format::grouped;
use timeslicer::time::Nanos;

#[test]
fn the_readme_is_short() {
    let words = read("README.md").split_whitespace().count();
    assert!(words <= 1500, "{words} words");
}

/// Asserts that the page contains these words. Line breaks count as spaces.
#[track_caller]
fn states(page: &str, words: &str) {
    let text = read(page).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(words), "{page} lacks: {words}");
}

#[test]
fn documents_state_the_bounds_of_the_program() {
    let metrics = "docs/metrics.md";
    states(metrics, &format!("more than {WRONG_FROM_DEGREES}°"));
    states(
        metrics,
        &format!("about {} entities", grouped(SAMPLE as u64)),
    );
    states(
        metrics,
        &format!("{} ms after the change", WARM_UP.as_millis_f64()),
    );
    states(
        "docs/views.md",
        &format!("{} frames", grouped(FRAMES as u64)),
    );
    let costs = "docs/costs.md";
    states(costs, &format!("from {} to {},", COST.min, COST.max));
    states(costs, &format!("{} costs", grouped(MOST_COSTS as u64)));
    states(costs, &format!("{} MiB", MOST_BYTES >> 20));
    let ms = Nanos::from_millis;
    assert_eq!(hitch_from(ms(20)), ms(30));
    states(metrics, "1.5 times its target");
    assert_eq!(noisy_budget(ms(50)), ms(51));
    states(metrics, "2 % more is tolerated");
    states(metrics, &format!("at least {EQUAL_WEIGHTS}"));
}
