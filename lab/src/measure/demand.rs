//! Compares the time that tasks need with the available time, and computes how long it takes until all have run once.

use super::Report;
use super::frame_sums::ClockAdvance;
use super::thresholds::{DEMAND_KNOWN_FROM, SLOW_ROUND, STRETCHED_FROM};
use crate::catalog::strategy::knobs::SLOWEST;
use crate::sim::world::requests_per_s;
use timeslicer::strategy::Guarantee;
use timeslicer::time::Nanos;

impl Report {
    /// Returns the demanded task time, divided by the task time that fits. Returns `None` if there are no entities, if
    /// the cost of a run is not known yet, or if tasks simply take turns, so that any number of them fits.
    ///
    /// - If there is a desired interval, the tasks demand one run in each interval.
    /// - If tasks run on request, each task with a request demands a run in the next update. An entity that already
    ///   waits makes no further requests, so the runs would hide an overload. The demand is therefore computed from the
    ///   request rate and the share of eager entities in the settings.
    /// - If the strategy stretches intervals during an overload, its elastic clock knows the factor.
    /// - If tasks share the budget, but a task that has waited for a maximum time runs first, every task demands one
    ///   run in that maximum time.
    ///
    /// The time that fits is the budget, or all of the time if there is no budget.
    pub fn demand(&self) -> Option<f64> {
        let entities = self.subject.entities as u64;
        if entities == 0 || self.runs < entities.min(DEMAND_KNOWN_FROM) {
            return None;
        }
        match self.subject.guarantee {
            Guarantee::Eventually { .. } if self.has_elastic_intervals() => self.stretch(),
            Guarantee::Eventually { interval, .. } => Some(self.mean_round()?.over(interval)),
            Guarantee::Request { .. } => {
                let pacing = self.subject.pacing;
                let frame = pacing.target.as_secs_f64() * self.subject.speed;
                let update = pacing.step.map_or(frame, Nanos::as_secs_f64);
                let (rate, eager) = (self.subject.requests_per_s, self.subject.eager_share);
                let wanted = entities as f64 * requests_per_s(rate, eager, update);
                Some(wanted * self.cost()?.as_secs_f64() / self.fitting())
            }
            Guarantee::Interval(_) | Guarantee::Updates(_) => {
                Some(self.utilisation()? / self.subject.speed / self.fitting())
            }
        }
    }

    /// Returns how much time tasks can use per second of game time: the budget, or the time used if tasks had to wait.
    fn fitting(&self) -> f64 {
        let Some(budget) = self.subject.budget else {
            return 1.0 / self.subject.speed;
        };
        let (tasks, game) = self.saturated;
        if game.is_zero() {
            // Every update runs at least one task, even if it costs more than the budget.
            let fitting = budget.max(self.cost().unwrap_or_default());
            fitting.as_secs_f64() * self.updates as f64 / self.game_span.as_secs_f64()
        } else {
            // Use the measured time, because a part of the budget stays unused if the next task does not fit into it.
            tasks.over(game)
        }
    }

    /// Returns true if tasks demand more time than there is. With elastic intervals, they must demand at least
    /// [`STRETCHED_FROM`] times as much.
    pub fn is_overloaded(&self) -> bool {
        let limit = if self.has_elastic_intervals() {
            STRETCHED_FROM
        } else {
            1.0
        };
        self.demand().is_some_and(|demand| demand >= limit)
    }

    /// Returns true if each task has its own interval, which becomes longer during an overload.
    pub(super) fn has_elastic_intervals(&self) -> bool {
        let is_elastic = matches!(self.subject.guarantee, Guarantee::Eventually { .. });
        is_elastic && self.subject.strategy.knobs.contains(&SLOWEST)
    }

    /// Returns the factor by which an overload stretches all intervals, or 1 if there is no overload. Returns `None` if
    /// the strategy does not stretch intervals, or if the factor is not known yet.
    pub fn stretch(&self) -> Option<f64> {
        let ClockAdvance { game, elastic } = self.advance;
        (!game.is_zero()).then(|| game.over(elastic.max(Nanos::from_nanos(1))).max(1.0))
    }

    /// Returns the mean number of updates until every task has run once, or `None` if tasks do not take turns.
    pub(super) fn round_updates(&self) -> Option<f64> {
        let Guarantee::Updates(updates) = self.subject.guarantee else {
            return None;
        };
        let limited = |turns| (self.subject.entities as f64 / turns as f64).max(1.0);
        Some(self.subject.max_tasks.map_or(updates as f64, limited))
    }

    /// Returns the mean game time per update, or the intended time if there has been no update yet.
    pub(super) fn mean_update(&self) -> Nanos {
        let pacing = self.subject.pacing;
        let all = if self.keeps_real_time() {
            self.span // in the lane's first update, no game time passes
        } else {
            self.game_span
        };
        let mean = Nanos::from_nanos_f64(all.as_nanos() as f64 / self.updates as f64);
        let measured = Some(mean).filter(|_| self.updates > 0);
        pacing.step.or(measured).unwrap_or(pacing.target)
    }

    /// Returns the mean game time until every task has run once. If there is a desired interval, this is the desired or
    /// the measured interval, whichever is longer. `None` if nothing has run or if tasks run on request.
    pub fn mean_round(&self) -> Option<Nanos> {
        let nanos = match (self.round_updates(), self.subject.wanted) {
            _ if self.subject.guarantee.is_on_request() || self.runs == 0 => return None,
            (Some(updates), _) if self.stopped.frames == 0 => {
                updates * self.mean_update().as_nanos() as f64
            }
            (_, Some(wanted)) if self.knows_interval() => {
                return Some(self.interval.mean.max(wanted));
            }
            (_, Some(wanted)) => return Some(wanted),
            _ => {
                let per_run = self.game_span.as_nanos() as f64 / self.runs as f64;
                self.subject.entities as f64 * per_run
            }
        };
        Some(Nanos::from_nanos_f64(nanos))
    }

    /// Returns true if it takes longer than [`SLOW_ROUND`] until every task has run once.
    pub fn is_round_slow(&self) -> bool {
        self.mean_round().is_some_and(|round| round > SLOW_ROUND)
    }
}

#[cfg(test)]
mod tests;
