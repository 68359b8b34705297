//! Runs work in parallel on several threads: the simulations of a plan, or a function call for each item of a list.

use crate::recommend::{Job, Outcome, Plan, lock};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

/// Returns the number of threads that this computer can run at the same time. Returns 1 on a web page.
pub fn threads() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// Runs all simulations of a plan on several threads. Ends early when `stop` is set.
///
/// After each simulation, `on_progress` is called with the number of finished simulations and the number of all
/// simulations that are known so far.
pub fn run_on_threads(
    plan: &impl Plan,
    threads: usize,
    stop: &AtomicBool,
    on_progress: impl Fn(usize, usize) + Sync,
) {
    let work = plan.work();
    let concluded = Mutex::new(0);
    while !stop.load(Ordering::Relaxed) {
        let jobs = work.next_jobs();
        if jobs.is_empty() {
            return;
        }
        let known = *lock(&concluded) + jobs.len();
        share(&jobs, threads, |_, job| {
            if let Some(outcome) = outcome(job, stop) {
                work.conclude(job, outcome);
                let mut concluded = lock(&concluded);
                *concluded += 1;
                on_progress(*concluded, known);
            }
        });
    }
}

/// Runs a simulation to its end. Returns `None` if `stop` is set before it ends.
fn outcome(job: &Job, stop: &AtomicBool) -> Option<Outcome> {
    let is_stopped = || stop.load(Ordering::Relaxed);
    if is_stopped() {
        return None;
    }
    let mut trial = job.trial();
    while trial.advance() {
        if is_stopped() {
            return None;
        }
    }
    Some(trial.outcome())
}

/// Calls `function` with each item of `things`, in parallel on all cores, and returns the results in the order of the
/// items. After each call, `on_progress` is called with the number of results so far.
pub fn on_all_cores<T: Sync, R: Send>(
    things: &[T],
    function: impl Fn(&T) -> R + Sync,
    on_progress: impl Fn(usize) + Sync,
) -> Vec<R> {
    let results = Mutex::new(Vec::new());
    share(things, threads(), |index, thing| {
        let result = function(thing);
        let mut results = lock(&results);
        results.push((index, result));
        on_progress(results.len());
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Calls `work` with the index and the value of each item of `things`, on several threads.
fn share<T: Sync>(things: &[T], threads: usize, work: impl Fn(usize, &T) + Sync) {
    let waiting = Mutex::new(things.iter().enumerate());
    let thread = || {
        loop {
            let next = lock(&waiting).next();
            let Some((index, thing)) = next else { return };
            work(index, thing);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(things.len()) {
            scope.spawn(thread);
        }
        thread();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recommend::{Limits, Question, Slices, Sweep};
    use crate::sim::world::{COST, COST_SPREAD, ENTITIES};
    use crate::testing::{MS, settings};
    use timeslicer::time::{Nanos, monotonic};

    fn sweep() -> Sweep {
        let set = [(&ENTITIES, 200.0), (&COST, 50.0), (&COST_SPREAD, 0.5)];
        let settings = settings("fixed-interval", "variable-step", &set);
        let limits = Limits {
            tasks: Some(MS(4)),
            ..Limits::default()
        };
        Sweep::new(Question {
            steps: 8,
            trial_time: Nanos::SECOND,
            ..Question::new(settings, limits)
        })
    }

    #[test]
    fn a_sweep_does_not_depend_on_who_makes_the_trials() {
        let on_a_page = sweep();
        let mut slices = Slices::default();
        while slices.advance(&on_a_page, monotonic() + MS(1)) {}
        let found = |sweep: &Sweep| {
            let recommendation = sweep.recommendation().expect("an answer");
            assert!(sweep.work().is_complete() && recommendation.best.is_some());
            (sweep.curves(), recommendation.full_text().to_string())
        };
        for threads in [1, 8] {
            let on_threads = sweep();
            run_on_threads(&on_threads, threads, &AtomicBool::new(false), |_, _| {});
            assert_eq!(found(&on_threads), found(&on_a_page));
        }
    }

    #[test]
    fn results_are_in_the_order_of_the_things() {
        let things: Vec<u32> = (0..50).collect();
        let results = on_all_cores(&things, |thing| thing * 2, |_| {});
        assert_eq!(results, (0..50).map(|it| it * 2).collect::<Vec<_>>());
    }
}
