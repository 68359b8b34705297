//! Budgets of time, and updates that exceed them.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::{
    CLOCK_STEPS, FINE_CLOCK, FREQUENT_OVERRUN, LARGE_OVERRUN, peak_budget,
};
use crate::text::rich::{Clause, counted, grouped_figure};
use timeslicer::time::Nanos;

/// Returns a clause about how well updates kept the budget. The clause is a warning if many exceeded the budget by far.
pub(in crate::stats) fn budget(of: &Report) -> Option<Clause> {
    let budget = of.subject.budget?;
    if of.runs == 0 {
        return None;
    }
    let (count, most) = (of.overrun.count, of.overrun.max);
    if count == 0 {
        return Some(phrase![time(budget), " budget held"].normal());
    }
    let exceeded = phrase![time(budget), " budget exceeded in ", grouped_figure(count)];
    let updates = counted(of.updates, "update");
    let words = phrase![exceeded, " of ", updates, ", by up to ", time(most)];
    Some(words.warning_if(of.misses_budget()))
}

/// Warns if the clock's `resolution` is too coarse for the budget. Native clocks are fine enough for any budget. `None`
/// is the resolution of a simulated machine.
#[must_use]
pub fn coarse_clock(of: &Report, resolution: Option<Nanos>) -> Option<Clause> {
    let (budget, step) = (of.subject.budget?, resolution?);
    let is_coarse = step.as_nanos().saturating_mul(CLOCK_STEPS) > budget.as_nanos();
    (is_coarse && step > FINE_CLOCK && !budget.is_zero()).then(|| {
        let steps = phrase!["clock steps of ", time(step)];
        phrase![steps, " are too coarse for a ", time(budget), " budget"].warning()
    })
}

impl Report {
    /// Returns true if more than [`FREQUENT_OVERRUN`] of all updates exceed the budget by more than [`LARGE_OVERRUN`]
    /// and by more than one task of mean cost. Of an expensive task, only the share up to [`peak_budget`] is tolerated.
    pub(in crate::stats) fn misses_budget(&self) -> bool {
        let (Some(budget), count @ 1..) = (self.subject.budget, self.overrun.count) else {
            return false;
        };
        // Exactly `FREQUENT_OVERRUN` of all updates exceed this quantile of the overruns. The next lower quantile that
        // is known takes its place.
        let rare = 1.0 - self.updates as f64 * FREQUENT_OVERRUN / count as f64;
        let known = [
            (0.99, self.overrun.p99),
            (0.95, self.overrun.p95),
            (0.5, self.overrun.p50),
        ];
        let exceeded = known.into_iter().find(|(share, _)| *share <= rare);
        let task = self.cost().unwrap_or(Nanos::ZERO);
        let large = Nanos::from_nanos_f64(LARGE_OVERRUN * budget.as_nanos() as f64);
        let tolerated = task.min(peak_budget(budget) - budget).max(large);
        exceeded.is_some_and(|(_, over)| over > tolerated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::lane::Length;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{MS, assert_clause, clause_of, report};
    use crate::testing::lane;
    use timeslicer::knob::Knob;
    use timeslicer::strategy::knobs::{BUDGET, PAY_BACK, PREDICT};

    /// Turns prediction and pay-back off, so that updates exceed their budgets.
    fn as_published<'a>(set: &[(&'a Knob, f64)]) -> Vec<(&'a Knob, f64)> {
        [set, &[(&PREDICT, 0.0), (&PAY_BACK, 0.0)]].concat()
    }

    #[test]
    fn a_budget_is_held_or_exceeded() {
        let of = report("time-budget", &[], 5);
        assert_clause(budget, &of, "4 ms budget held");
        let full = [(&COST, 1500.0), (&ENTITIES, 2000.0)];
        assert_clause(budget, &report("time-budget", &full, 5), "4 ms budget held");
        let of = |cost: f64| {
            let set = [(&BUDGET, 4.0), (&COST, cost), (&ENTITIES, 2000.0)];
            clause_of(budget, &report("time-budget", &as_published(&set), 1))
        };
        // Two tasks of 3.5 ms take 7 ms: three milliseconds too many in every update with requests.
        let (text, is_warning) = of(3500.0);
        assert!(text.starts_with("4 ms budget exceeded in "), "{text}");
        assert!(text.ends_with(" updates, by up to 3 ms") && is_warning);
        // Three tasks of 1.5 ms take 4.5 ms: less than a task too many.
        let (text, is_warning) = of(1500.0);
        assert!(text.ends_with(" updates, by up to 0.5 ms") && !is_warning);
        assert_eq!(budget(&report("every-frame", &[], 1)), None);
    }

    #[test]
    fn small_or_rare_overruns_are_no_warning() {
        let set = [(&COST, 150.0), (&ENTITIES, 9000.0)];
        let mut lane = lane("time-budget", &as_published(&set));
        lane.disturb(Disturbance::Heavy);
        while lane.is_within(Length::Time(Nanos::from_secs(30))) {
            lane.frame();
        }
        let of = lane.report();
        assert!(of.overrun.max > MS(10) && of.overrun.count * 100 > of.updates);
        assert!(!clause_of(budget, &of).1);
    }

    #[test]
    fn coarse_clocks_are_a_warning_for_small_budgets() {
        let warning = |strategy, budget: f64, step| {
            let of = report(strategy, &[(&BUDGET, budget)], 1);
            coarse_clock(&of, step).map(|clause| clause.to_string())
        };
        let step = Some(Nanos::from_micros(100));
        let text = "clock steps of 0.1 ms are too coarse for a 0.5 ms budget";
        assert_eq!(warning("time-budget", 0.5, step).as_deref(), Some(text));
        for (strategy, budget, step) in [
            ("time-budget", 1.0, step),
            ("time-budget", 0.0, step),
            ("time-budget", 0.001, Some(Nanos::from_micros(1))),
            ("time-budget", 0.5, None),
            ("every-frame", 0.5, step),
        ] {
            assert_eq!(warning(strategy, budget, step), None, "{strategy} {budget}");
        }
    }
}
