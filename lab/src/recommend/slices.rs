//! Runs the simulations of a [`Plan`] in short time slices between the frames of a web page.

use super::trial::Trial;
use super::trials::{Job, Plan};
use std::collections::VecDeque;
use timeslicer::time::{ClockTime, monotonic};

#[derive(Default)]
pub struct Slices {
    waiting: VecDeque<Job>,
    trial: Option<(Job, Trial)>,
}

impl Slices {
    /// Runs simulations until the clock shows `until`, or slightly longer. Returns false once the plan is complete.
    pub fn advance(&mut self, plan: &impl Plan, until: ClockTime) -> bool {
        while monotonic() < until {
            let Some((job, trial)) = &mut self.trial else {
                if self.waiting.is_empty() {
                    self.waiting = plan.work().next_jobs().into();
                }
                let Some(job) = self.waiting.pop_front() else {
                    return false;
                };
                let trial = job.trial();
                self.trial = Some((job, trial));
                continue;
            };
            if !trial.advance() {
                let outcome = trial.outcome();
                plan.work().conclude(job, outcome);
                self.trial = None;
            }
        }
        true
    }
}
