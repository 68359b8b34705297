//! Whether a budget of time is held.

use super::phrasing::{at_most, time};
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::{CLOCK_STEPS, FINE_CLOCK, FREQUENT_OVERRUN, LARGE_OVERRUN};
use crate::text::rich::{Clause, grouped_figure};
use timeslice::time::Nanos;

/// Whether the budget was held.
pub(in crate::stats) fn budget(of: &Report) -> Option<Clause> {
    let budget = of.budget?;
    if of.runs == 0 {
        return None;
    }
    let (count, most) = (of.overrun.count, of.overrun.max);
    if count == 0 {
        return Some(phrase!["budget of ", time(budget), " held"].normal());
    }
    let passed = phrase![
        "budget of ",
        time(budget),
        " passed in ",
        grouped_figure(count),
        " of ",
        grouped_figure(of.updates),
        " updates, by at most ",
        at_most(most)
    ];
    Some(passed.warning_if(of.misses_budget()))
}

/// Warns of a clock that goes by steps of `resolution`, too coarse to tell when a budget is spent. A computer's own clock
/// is fine enough for any.
#[must_use]
pub fn coarse_clock(of: &Report, resolution: Option<Nanos>) -> Option<Clause> {
    let (budget, step) = (of.budget?, resolution?);
    let is_coarse = step.as_nanos().saturating_mul(CLOCK_STEPS) > budget.as_nanos();
    (is_coarse && step > FINE_CLOCK && !budget.is_zero()).then(|| {
        let steps = phrase!["the clock goes by steps of ", time(step)];
        phrase![steps, ", too coarse for a budget of ", time(budget)].warning()
    })
}

impl Report {
    /// Whether the budget was exceeded by more than players should notice: by a lot, and often.
    pub(in crate::stats) fn misses_budget(&self) -> bool {
        let (Some(budget), count @ 1..) = (self.budget, self.overrun.count) else {
            return false;
        };
        // What the most frequent share of updates exceeds, among those that do at all: as near as is known, and not above.
        let rare = 1.0 - self.updates as f64 * FREQUENT_OVERRUN / count as f64;
        let known = [
            (0.99, self.overrun.p99),
            (0.95, self.overrun.p95),
            (0.5, self.overrun.p50),
        ];
        let exceeded = known.into_iter().find(|(share, _)| *share <= rare);
        exceeded.is_some_and(|(_, over)| {
            over.as_nanos() as f64 > LARGE_OVERRUN * budget.as_nanos() as f64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::lane::Length;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{MS, report, says, told};
    use crate::stats::test_lane::lane;
    use timeslice::strategy::knobs::BUDGET;

    #[test]
    fn a_budget_is_held_or_passed_by_so_much() {
        let of = report("time-budget", &[], 5);
        says(budget, &of, "budget of 4 ms held");
        let set = [(&BUDGET, 4.0), (&COST, 1500.0), (&ENTITIES, 2000.0)];
        let of = report("time-budget", &set, 1);
        // 1.5, 3.0, 4.5 ms: half a millisecond too much, in each update in which anybody asks.
        let (text, is_warning) = told(budget, &of);
        assert!(text.starts_with("budget of 4 ms passed in "), "{text}");
        assert!(text.ends_with(" updates, by at most 0.5 ms") && is_warning);
        assert_eq!(budget(&report("every-frame", &[], 1)), None);
    }

    #[test]
    fn small_overruns_and_a_single_large_one_are_no_warning() {
        let set = [(&COST, 150.0), (&ENTITIES, 9000.0)];
        let mut lane = lane("time-budget", &set);
        lane.disturb(Disturbance::Heavy);
        while lane.is_within(Length::Time(Nanos::from_secs(30))) {
            lane.frame();
        }
        let of = lane.report();
        assert!(of.overrun.max > MS(10) && of.overrun.count * 100 > of.updates);
        assert!(!told(budget, &of).1);
    }

    #[test]
    fn a_clock_of_coarse_steps_cannot_tell_when_a_budget_is_spent() {
        let told = |strategy, budget: f64, step| {
            let of = report(strategy, &[(&BUDGET, budget)], 1);
            coarse_clock(&of, step).map(|clause| clause.to_string())
        };
        let step = Some(Nanos::from_micros(100));
        let text = "the clock goes by steps of 0.1 ms, too coarse for a budget of 0.5 ms";
        assert_eq!(told("time-budget", 0.5, step).as_deref(), Some(text));
        for (strategy, budget, step) in [
            ("time-budget", 1.0, step),
            ("time-budget", 0.0, step),
            ("time-budget", 0.001, Some(Nanos::from_micros(1))),
            ("time-budget", 0.5, None),
            ("every-frame", 0.5, step),
        ] {
            assert_eq!(told(strategy, budget, step), None, "{strategy} {budget}");
        }
    }
}
