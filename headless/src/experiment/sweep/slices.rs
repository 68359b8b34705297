//! Runs the trials of a [`Plan`] in short slices of time between the frames of a web page.

use super::outcome::Trial;
use super::{Job, Plan};
use std::collections::VecDeque;
use timeslicer::time::{ClockTime, monotonic};

/// The clock is read after this many frames of a trial.
const FRAMES: u32 = 16;

/// The clock is read after this many runs, even if fewer frames have ended. They take about 0.1 ms.
const RUNS: u32 = 4_000;

/// Runs the trials of a plan in slices of time, for a program with a single thread.
#[derive(Default)]
pub struct Slices {
    waiting: VecDeque<Job>,
    trial: Option<(Job, Trial)>,
}

impl Slices {
    /// Runs trials until the clock shows `until`, or a little longer. Returns false once the plan is complete.
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
