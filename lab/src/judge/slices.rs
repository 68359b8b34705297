//! Runs the simulations of a [`Plan`] in short time slices between the frames of a web page.

use super::trial::Trial;
use super::trials::{Job, Plan};
use std::collections::VecDeque;
use timeslicer::time::{ClockTime, monotonic};

const FRAMES_PER_CLOCK_READ: u32 = 16;

/// The clock is read after `FRAMES_PER_CLOCK_READ` frames or after this many task runs, whichever comes first. These
/// task runs take about 0.1 ms.
const RUNS_PER_CLOCK_READ: u32 = 4_000;

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
                let trial = Trial::new(&job.settings, job.length, job.stop_beyond);
                self.trial = Some((job, trial));
                continue;
            };
            let (mut runs, mut is_over) = (0, false);
            for _ in 0..FRAMES_PER_CLOCK_READ {
                match trial.frame() {
                    Some(more) => runs += more,
                    None => is_over = true,
                }
                if is_over || runs >= RUNS_PER_CLOCK_READ {
                    break;
                }
            }
            if is_over {
                let outcome = trial.outcome();
                plan.work().conclude(job, outcome);
                self.trial = None;
            }
        }
        true
    }
}
