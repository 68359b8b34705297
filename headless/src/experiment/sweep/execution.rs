//! Makes the trials of a [`Plan`]: on threads, or in slices of time between the frames of a page.

use super::outcome::{Outcome, Trial};
use super::{Job, Plan};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use timeslicer::time::{ClockTime, monotonic};

/// Frames of a trial between two looks at the clock or at the flag that stops it.
const FRAMES: u32 = 16;

/// Number of runs after which a slice looks at the clock even before these frames are over, about 0.1 ms.
const RUNS: u32 = 4_000;

/// Makes all trials of a plan on this many threads. `done` is called after each trial with the number of trials that are
/// done and of those that are known so far. Ends early when `stop` is set.
pub fn run_on_threads<P: Plan + Send>(
    plan: &Mutex<P>,
    threads: usize,
    stop: &AtomicBool,
    done: impl Fn(usize, usize) + Sync,
) {
    let lock = || plan.lock().unwrap_or_else(PoisonError::into_inner);
    let mut concluded = 0;
    while !stop.load(Ordering::Relaxed) {
        let jobs = lock().next_jobs();
        if jobs.is_empty() {
            return;
        }
        let known = concluded + jobs.len();
        let waiting = Mutex::new((jobs.iter(), concluded));
        let work = || {
            loop {
                let next = waiting.lock().map(|mut waiting| waiting.0.next());
                let Ok(Some(job)) = next else { return };
                let Some(outcome) = outcome(job, stop) else {
                    return;
                };
                lock().conclude(job, outcome);
                if let Ok(mut waiting) = waiting.lock() {
                    waiting.1 += 1;
                    done(waiting.1, known);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(jobs.len()) {
                scope.spawn(work);
            }
            work();
        });
        concluded = known;
    }
}

/// Makes a whole trial. `None` if `stop` was set before its end.
fn outcome(job: &Job, stop: &AtomicBool) -> Option<Outcome> {
    let mut trial = Trial::new(&job.settings, job.length);
    loop {
        for _ in 0..FRAMES {
            if trial.frame().is_none() {
                return Some(trial.outcome());
            }
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
}

/// Makes the trials of a plan in slices of time, for a program with one thread.
#[derive(Default)]
pub struct Slices {
    waiting: VecDeque<Job>,
    trial: Option<(Job, Trial)>,
}

impl Slices {
    /// Continues until the clock shows `until`, or a little later. Returns false when the plan is complete.
    pub fn advance(&mut self, plan: &mut impl Plan, until: ClockTime) -> bool {
        while monotonic() < until {
            let Some((job, trial)) = &mut self.trial else {
                if self.waiting.is_empty() {
                    self.waiting = plan.next_jobs().into();
                }
                let Some(job) = self.waiting.pop_front() else {
                    return false;
                };
                let trial = Trial::new(&job.settings, job.length);
                self.trial = Some((job, trial));
                continue;
            };
            let (mut runs, mut is_over) = (0, false);
            for _ in 0..FRAMES {
                match trial.frame() {
                    Some(more) => runs += more,
                    None => is_over = true,
                }
                if is_over || runs >= RUNS {
                    break;
                }
            }
            if is_over {
                let outcome = trial.outcome();
                plan.conclude(job, outcome);
                self.trial = None;
            }
        }
        true
    }
}
