//! Estimates how many entities fit in the budget.
//!
//! The work of an update is proportional to the number of entities, so the estimate follows from the measured task time
//! of the present entities. What it means to fit depends on the strategy:
//!
//! - Usually, entities fit if 99 of 100 updates that run tasks stay within the budget.
//! - If updates stop at the budget, entities fit if the mean load of an update is no more than the budget.
//! - If tasks share the budget, any number fits, because more tasks only lengthen all intervals.
//! - If tasks take turns, any number fits as well, unless the turns of one update exceed the budget.

use super::Report;
use super::thresholds::NEARLY_NO_FRAMES;
use crate::sim::world::ENTITIES;
use crate::text::format::{grouped, time};
use timeslicer::strategy::Guarantee;
use timeslicer::time::Nanos;

#[derive(Clone, Debug, PartialEq)]
pub struct Capacity {
    /// The number of entities that were measured.
    entities: usize,
    /// The task time in seconds per second of game time.
    pub utilisation: f64,
    pub most: Most,
    /// The budget per frame or per update, such as `4 ms per frame`.
    pub budget: String,
}

/// The largest number of entities that fit in the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Most {
    Unknown,
    /// Fewer than this number, because updates take so long that the machine cannot keep up.
    FewerThan(usize),
    About(usize),
    /// Even the largest number that the user can choose fits.
    NoLimit,
    /// Any number fits, because an update runs only as many tasks as fit, and the remaining tasks wait longer.
    Any,
}

impl Most {
    /// Formats the number, such as `about 1,200`. It is rounded down to two significant digits.
    pub fn in_words(self) -> String {
        match self {
            Self::Unknown => "not known yet".to_owned(),
            Self::FewerThan(count) => format!("under {}", grouped(count as u64)),
            Self::About(count) => {
                let unit = 10_usize.pow(count.max(1).ilog10().saturating_sub(1));
                format!("about {}", grouped((count / unit * unit) as u64))
            }
            Self::NoLimit => "no limit".to_owned(),
            Self::Any => "any (waits grow)".to_owned(),
        }
    }
}

impl Capacity {
    /// Estimates how many entities fit in `budget`. The report describes the present entities.
    pub fn of(report: &Report, budget: Nanos) -> Self {
        let per = match report.subject.pacing.step {
            Some(_) => "per update",
            None => "per frame",
        };
        Self {
            entities: report.subject.entities,
            utilisation: report.load().unwrap_or_default(),
            most: report.most_within(budget).unwrap_or(Most::Unknown),
            budget: format!("{} {per}", time(budget)),
        }
    }

    /// Returns true if there are more living entities than fit in the budget.
    pub fn is_exceeded(&self) -> bool {
        match self.most {
            Most::About(most) => self.entities > most,
            Most::FewerThan(_) => true,
            Most::Unknown | Most::NoLimit | Most::Any => false,
        }
    }
}

impl Report {
    /// Returns how many entities fit in `budget`, or `None` if this is not known yet.
    fn most_within(&self, budget: Nanos) -> Option<Most> {
        let cost = self.cost().filter(|_| self.subject.entities > 0)?;
        let fitting = budget.over(cost);
        // The fraction of the budget that the current entities need. It can exceed 1.
        let load = if self.stops_at_budget() {
            self.load_of_budget(budget.max(cost))?
        } else if self.subject.budget.is_some() {
            return Some(Most::Any);
        } else if let Some(turns) = self.subject.max_tasks {
            let all_fit = turns as f64 <= fitting;
            let limit = Most::About(fitting as usize);
            return Some(if all_fit { Most::Any } else { limit });
        } else if self.has_long_updates() {
            return Some(Most::FewerThan(self.subject.entities));
        } else {
            self.busy_update().over(budget)
        };
        let most = self.subject.entities as f64 / load;
        Some(if most < ENTITIES.max {
            Most::About((most + 1e-6) as usize) // a quotient may be just below a whole number
        } else {
            Most::NoLimit
        })
    }

    /// Returns true if this strategy ends an update when the budget is spent, even if more tasks are due or requested.
    fn stops_at_budget(&self) -> bool {
        let wants_runs = self.subject.guarantee.is_on_request() || self.has_elastic_intervals();
        self.subject.budget.is_some() && wants_runs
    }

    /// Returns the mean time that the due or requested tasks of an update need, divided by `budget`. `None` if too few
    /// tasks have run.
    fn load_of_budget(&self, budget: Nanos) -> Option<f64> {
        if self.subject.guarantee.is_on_request() {
            return self.demand();
        }
        Some(self.mean_task_time().over(budget) * self.stretch().unwrap_or(1.0))
    }

    fn mean_task_time(&self) -> Nanos {
        Nanos::from_nanos(self.task_time.as_nanos() / self.updates.max(1))
    }

    /// Returns true if updates make frames so long that more tasks than usual become due in each of them.
    fn has_long_updates(&self) -> bool {
        let depends_on_time = !matches!(self.subject.guarantee, Guarantee::Updates(_));
        depends_on_time
            && self.frame.mean > self.subject.pacing.hitch_above
            && self.updates_are_too_long()
    }

    /// Returns the task time of a busy update, which is the 99th percentile of all updates that run tasks.
    fn busy_update(&self) -> Nanos {
        if f64::from(self.peak_runs) < self.mean_runs() + 1.0 {
            return self.mean_task_time(); // a run more or less is rounding
        }
        let mean = self.frame_tasks.mean;
        // If fewer than 1 % of the frames run tasks, the 99th percentile misses them, so use the maximum.
        let busy = if self.frame_tasks.p99 >= mean {
            self.frame_tasks.p99
        } else {
            self.frame_tasks.max
        };
        // If many frames have several updates, assume that a busy frame has at least two.
        let has_several = self.by_updates[2] as f64 > NEARLY_NO_FRAMES * self.frames as f64;
        let least = if has_several { 2.0 } else { 1.0 };
        let updates_per_frame = (self.updates as f64 / self.frames as f64)
            .round()
            .max(least);
        Nanos::from_nanos_f64(busy.as_nanos() as f64 / updates_per_frame)
    }
}

#[cfg(test)]
mod tests;
