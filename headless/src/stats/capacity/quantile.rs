//! The busiest of a hundred updates if chance plays a part, by a shifted log-normal distribution with the same mean,
//! standard deviation and skewness.
//!
//! Costs are log-normal with mean 1 and standard deviation s ([`crate::sim::world::COST_SPREAD`]). So the mean of their
//! squares is 1 + s², that of their cubes (1 + s²)³, and their skewness s (s² + 3).

/// Quantile 0.99 of the standard normal distribution.
const P99: f64 = 2.326;

/// Returns the time that the busiest update takes if `runs` of the `tasks` take their turn in it, in units of the mean
/// cost. The tasks are split into as many sets as there are updates in a round. With few sets, this is the expected
/// largest of them, with many the 99th percentile.
pub(super) fn tasks_in_turn(runs: f64, tasks: f64, spread: f64) -> f64 {
    let sets = tasks / runs;
    if spread == 0.0 || runs == 0.0 || sets <= 1.0 {
        return runs;
    }
    let z = largest_of(sets).min(P99);
    // The sets together have a fixed cost, so one of few sets varies less.
    let rest = 1.0 - 1.0 / sets;
    let skewness = spread * (spread * spread + 3.0) * (rest / runs).sqrt();
    let time = runs + spread * (runs * rest).sqrt() * corrected(z, skewness);
    time.min(tasks) // a part of the tasks takes no longer than all of them
}

/// Returns the 99th percentile of the time that an update takes if each of the `tasks` is requested with the chance
/// `share`, in units of the mean cost.
pub(super) fn requested_runs(tasks: f64, share: f64, spread: f64) -> f64 {
    let mean = tasks * share;
    let variance = mean * (1.0 - share);
    if variance <= 0.0 {
        return mean;
    }
    let squares = 1.0 + spread * spread;
    let skewness = (1.0 - 2.0 * share) * squares * (squares / variance).sqrt();
    let time = mean + (variance * squares).sqrt() * corrected(P99, skewness);
    time.min(tasks)
}

/// Returns the 99th percentile of the time that an update takes if the number of its runs is random, in units of the mean
/// cost.
pub(super) fn random_runs(mean: f64, variance: f64, spread: f64) -> f64 {
    let squares = spread * spread;
    let of_time = variance + mean * squares;
    if of_time <= 0.0 {
        return mean;
    }
    // As for a sum of a random number of random costs.
    let third = variance * (1.0 + 3.0 * squares) + mean * squares * squares * (squares + 3.0);
    let skewness = third / (of_time * of_time.sqrt());
    mean + of_time.sqrt() * corrected(P99, skewness)
}

/// Largest number of requests that is counted exactly.
const COUNTED: f64 = 200.0;

/// Returns true if at most `most` of the `tasks` are requested in 99 of 100 updates, each with the chance `share`.
pub(super) fn requests_are_within(most: f64, tasks: f64, share: f64) -> bool {
    if most >= tasks || share <= 0.0 {
        return true;
    }
    if most > COUNTED || share >= 1.0 {
        // Only whole runs count: the next one begins half a run later.
        return requested_runs(tasks, share, 0.0) <= most + 0.5;
    }
    // Sum of the binomial distribution.
    let mut chance = libm::exp(tasks * libm::log1p(-share));
    let (mut sum, mut requests) = (chance, 0.0);
    while requests < most {
        chance *= (tasks - requests) / (requests + 1.0) * share / (1.0 - share);
        sum += chance;
        requests += 1.0;
    }
    sum >= 0.99
}

/// Corrects `z`, a quantile of the standard normal distribution, for skewness: returns the same quantile of a shifted
/// log-normal distribution with mean 0 and standard deviation 1.
fn corrected(z: f64, skewness: f64) -> f64 {
    if skewness == 0.0 {
        return z;
    }
    // The ratio c of standard deviation and mean before the shift: the skewness is c (c² + 3).
    let ratio = 2.0 * libm::sinh(libm::asinh(skewness / 2.0) / 3.0);
    let sigma = libm::log1p(ratio * ratio).sqrt().copysign(ratio);
    libm::expm1(sigma * z - sigma * sigma / 2.0) / ratio
}

/// Returns the expected largest of `count` normal random numbers, at least one: zero if there is only one (Blom, 1958).
fn largest_of(count: f64) -> f64 {
    let above = 1.0 - (count - 0.375) / (count + 0.25);
    // Quantile of the normal distribution (Hastings, 1955), with an error below 0.003.
    let root = (-2.0 * libm::log(above.min(0.5))).sqrt();
    let fraction = (2.307_53 + 0.270_61 * root) / (1.0 + root * (0.992_29 + 0.044_81 * root));
    (root - fraction).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_of_many_is_larger() {
        for (count, expected) in [(1.0, 0.0), (2.0, 0.564), (10.0, 1.539), (30.0, 2.043)] {
            let largest = largest_of(count);
            assert!((largest - expected).abs() < 0.03, "{count} {largest}");
        }
    }

    #[test]
    fn chance_has_no_part_in_equal_costs_and_single_sets() {
        assert_eq!(tasks_in_turn(40.0, 1200.0, 0.0), 40.0);
        assert_eq!(tasks_in_turn(40.0, 40.0, 1.0), 40.0);
        assert_eq!(tasks_in_turn(0.0, 40.0, 1.0), 0.0);
        assert_eq!(requested_runs(40.0, 1.0, 0.5), 40.0);
        assert_eq!(requested_runs(40.0, 0.0, 0.5), 0.0);
        assert_eq!(requested_runs(0.0, 0.5, 0.5), 0.0);
    }

    #[test]
    fn random_runs_are_between_requests_and_turns() {
        for (mean, spread) in [(10.0, 0.0), (30.0, 0.5), (100.0, 2.0)] {
            let requested = requested_runs(1e9, mean / 1e9, spread);
            let random = random_runs(mean, mean, spread);
            assert!(
                (random / requested - 1.0).abs() < 1e-6,
                "{random} {requested}"
            );
            let turns = tasks_in_turn(mean, 1e9, spread);
            let even = random_runs(mean, 0.0, spread);
            assert!((even / turns - 1.0).abs() < 1e-3, "{even} {turns}");
        }
    }

    #[test]
    fn requests_match_the_tables_of_poisson() {
        // The smallest number of events that is exceeded with a chance of at most 1 %.
        for (mean, expected) in [(2.0, 6.0), (10.0, 18.0), (30.0, 43.0), (100.0, 124.0)] {
            let many = 1e6;
            let quantile = requested_runs(many, mean / many, 0.0);
            assert!((quantile - 0.5 - expected).abs() < 1.0, "{mean} {quantile}");
        }
    }

    #[test]
    fn few_requests_are_counted_exactly() {
        // The chance of more than two events with a mean of 0.43 is 0.0098, with a mean of 0.45 it is 0.0109.
        assert!(requests_are_within(2.0, 1e6, 0.43e-6));
        assert!(!requests_are_within(2.0, 1e6, 0.45e-6));
        assert!(requests_are_within(3.0, 3.0, 1.0) && !requests_are_within(2.0, 3.0, 1.0));
        assert!(requests_are_within(0.0, 3.0, 0.0) && !requests_are_within(0.0, 3.0, 0.1));
        for mean in [20.0, 100.0, 150.0] {
            let most = |limit: f64| requested_runs(1e6, mean / 1e6, 0.0) <= limit + 0.5;
            let exact = |limit: f64| requests_are_within(limit, 1e6, mean / 1e6);
            let first =
                |fits: &dyn Fn(f64) -> bool| (0..200).position(|limit| fits(f64::from(limit)));
            let (about, exact) = (first(&most).unwrap(), first(&exact).unwrap());
            assert!(about.abs_diff(exact) <= 1, "{mean} {about} {exact}");
        }
    }

    #[test]
    fn quantiles_match_random_sums() {
        // 99th percentiles of 20,000 sums of random costs.
        for (runs, spread, expected) in [
            (4.0, 0.5, 6.9),
            (14.0, 1.0, 25.3),
            (4.0, 3.0, 24.6),
            (14.0, 3.0, 54.6),
            (40.0, 3.0, 104.2),
        ] {
            let sum = tasks_in_turn(runs, 1e6, spread);
            assert!((sum / expected - 1.0).abs() < 0.12, "{runs} {spread} {sum}");
        }
        // The same for a random number of costs.
        for (mean, spread, expected) in [(4.0, 0.5, 10.3), (14.0, 1.0, 28.6), (14.0, 3.0, 57.5)] {
            let sum = requested_runs(1e6, mean / 1e6, spread);
            assert!((sum / expected - 1.0).abs() < 0.12, "{mean} {spread} {sum}");
        }
    }

    #[test]
    fn a_part_of_the_tasks_takes_no_longer_than_all() {
        for tasks in [1.0, 2.0, 5.0, 40.0] {
            for share in [0.01, 0.1, 0.5, 0.9, 0.999] {
                for spread in [0.1, 1.0, 3.0] {
                    let requested = requested_runs(tasks, share, spread);
                    let in_turn = tasks_in_turn((share * tasks).ceil(), tasks, spread);
                    for time in [requested, in_turn] {
                        assert!(
                            time > 0.0 && time <= tasks,
                            "{tasks} {share} {spread} {time}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn skewness_of_either_sign_changes_quantiles_alike() {
        for skewness in [1e-9, 0.1, 1.0, 20.0] {
            let (above, below) = (corrected(P99, skewness), corrected(-P99, -skewness));
            assert!((above + below).abs() < 1e-9, "{skewness} {above} {below}");
        }
        assert!((corrected(P99, 1e-9) - P99).abs() < 1e-6);
    }

    #[test]
    fn differing_costs_raise_the_busiest_update() {
        let busiest = |spread| tasks_in_turn(40.0, 1200.0, spread);
        assert!(busiest(0.5) > 44.0 && busiest(0.5) < 50.0);
        assert!(busiest(1.0) > busiest(0.5));
        assert!(requested_runs(1200.0, 0.03, 1.0) > requested_runs(1200.0, 0.03, 0.0));
    }
}
