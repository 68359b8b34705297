//! Recommends a strategy for a budget of task time per frame.

use super::Report;
use super::rules::phrasing::time;
use super::thresholds::{
    COMPARED_FROM, EQUAL_COSTS, EVEN_RUNS, KNOWN_INTERVALS, peak_budget, quantile_budget,
};
use crate::phrase;
use crate::text::rich::{RichText, figure};
use timeslice::strategy::Promise;
use timeslice::strategy::knobs::INTERVAL;
use timeslice::time::Nanos;

/// Lanes, sorted by whether they stay within a budget. A lane is given as the index of its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Time that a frame may spend on tasks.
    pub budget: Nanos,
    /// Lanes whose tasks took no longer than the budget in 99 of 100 frames, and never longer than [`peak_budget`]: the
    /// freshest first. Of equally fresh lanes, the one with the lowest peak of task time comes first.
    pub keep: Vec<usize>,
    /// Lanes that exceeded the budget. The lane with the lowest peak of task time comes first.
    pub pass: Vec<usize>,
    /// Lanes measured for less than [`COMPARED_FROM`] or [`KNOWN_INTERVALS`] wanted intervals.
    pub unknown: Vec<usize>,
}

/// Sorts lanes by whether they stay within a `budget` of task time per frame.
#[must_use]
pub fn recommend(reports: &[Report], budget: Nanos) -> Recommendation {
    let (known, unknown) = (0..reports.len()).partition(|&lane| is_known(&reports[lane]));
    let of = |lane: &usize| &reports[*lane];
    let keeps = |lane: &usize| keeps(of(lane), budget);
    let (mut keep, mut pass): (Vec<_>, Vec<_>) = Vec::into_iter(known).partition(keeps);
    keep.sort_by_key(|lane| (stalest(of(lane)), of(lane).frame_tasks.max));
    pass.sort_by_key(|lane| (of(lane).frame_tasks.max, of(lane).frame_tasks.p99));
    Recommendation {
        budget,
        keep,
        pass,
        unknown,
    }
}

fn is_known(of: &Report) -> bool {
    let wanted = of.wanted.unwrap_or(Nanos::ZERO);
    of.frames > 0
        && of.span >= COMPARED_FROM
        && of.game_span.as_nanos() >= wanted.as_nanos().saturating_mul(KNOWN_INTERVALS)
}

fn keeps(of: &Report, budget: Nanos) -> bool {
    of.frame_tasks.p99 <= quantile_budget(budget) && of.frame_tasks.max <= peak_budget(budget)
}

/// Returns the largest staleness of a lane: as measured, or as predicted if the prediction is larger. A prediction is
/// made if tasks take turns, because a round may last longer than the measured time. It is also made if the backlog
/// grows, because each task will then wait for all others.
#[must_use]
pub fn stalest(of: &Report) -> Nanos {
    let measured = of.worst_staleness.max(of.subject.staleness);
    match of.subject.promise {
        Promise::Updates(updates) if of.updates > 0 => {
            let update = of.game_span.as_nanos() as f64 / of.updates as f64;
            measured.max(Nanos::from_nanos_f64(update * updates as f64))
        }
        Promise::Request { .. } if of.falls_behind() && of.runs > 0 => {
            let run = of.game_span.as_nanos() as f64 / of.runs as f64;
            measured.max(Nanos::from_nanos_f64(run * of.subject.entities as f64))
        }
        _ => measured,
    }
}

/// Returns the shortest interval that keeps a lane within `budget`, rounded up to two digits. `None` if the lane has no
/// wanted interval, if it runs tasks in bursts or all at once, or if no longer interval on the slider is long enough.
fn interval_within(of: &Report, budget: Nanos) -> Option<Nanos> {
    let wanted = of.wanted?;
    let is_even = of.peak_over_mean()? <= EVEN_RUNS;
    let all_at_once = u64::from(of.peak_runs) >= of.subject.entities as u64;
    if !is_even || all_at_once {
        return None;
    }
    let round = of.subject.entities as f64 / runs_within(of, budget)?;
    let secs = round * of.subject.pacing.target.as_secs_f64();
    let digit = 10f64.powi(secs.log10().floor() as i32 - 1);
    let interval = Nanos::from_secs_f64((secs / digit).ceil() * digit);
    let last = Nanos::from_secs_f64(INTERVAL.max);
    (wanted < interval && interval <= last).then_some(interval)
}

/// Returns the number of runs that fit into `budget`. `None` if not even one fits.
///
/// If costs are equal, the number is rounded down to whole runs. If costs differ, a few expensive tasks make some
/// frames exceed the mean. With fewer runs, these frames exceed it by no more than before, so the measured excess is
/// kept free.
fn runs_within(of: &Report, budget: Nanos) -> Option<f64> {
    let (tasks, cost) = (of.frame_tasks, of.cost()?);
    let room = |limit: Nanos, measured: Nanos| limit - (measured - tasks.mean);
    let runs = if tasks.max.over(cost) <= f64::from(of.peak_runs) * EQUAL_COSTS {
        budget.over(cost).floor()
    } else {
        room(budget, tasks.p99)
            .min(room(peak_budget(budget), tasks.max))
            .over(cost)
    };
    (runs > 0.0 && runs.is_finite()).then_some(runs)
}

impl Recommendation {
    /// Returns the advice in at most three clauses. The first is the number of lanes within the budget. The second is
    /// the freshest of these lanes, or the lane closest to the budget if no lane is within it. The third is a lane that
    /// exceeds the budget now, but would be within it at a longer interval and still be the freshest.
    #[must_use]
    pub fn text(&self, reports: &[Report]) -> RichText {
        let mut text = RichText::default();
        if !reports.is_empty() && reports.iter().all(|of| of.subject.entities == 0) {
            text.push(phrase!["no entities, nothing to compare"].normal());
            return text;
        }
        let (keep, all) = (self.keep.len(), self.keep.len() + self.pass.len());
        let unknown = phrase![figure(self.unknown.len()), " not measured long enough"];
        let within = phrase![
            figure(keep),
            " of ",
            figure(all),
            " within ",
            time(self.budget)
        ];
        let within = phrase![within, " of tasks a frame"];
        text.push(match (all, self.unknown.len()) {
            (0, 0) => phrase!["nothing to compare"].normal(),
            (0, _) => unknown.normal(),
            (_, 0) => within.warning_if(keep == 0),
            (_, _) => phrase![within, ", ", unknown].warning_if(keep == 0),
        });
        if let Some(&best) = self.keep.first() {
            let freshest = stalest(&reports[best]);
            let as_fresh = |lane: &&usize| stalest(&reports[**lane]) == freshest;
            let names = self.keep.iter().filter(as_fresh);
            let names: Vec<&str> = names
                .map(|&lane| reports[lane].subject.strategy.name)
                .collect();
            let how_fresh = if reports[best].falls_behind() {
                " (backlog grows: a round takes about "
            } else {
                " (staleness up to "
            };
            let names = phrase!["freshest: ", names.join(", "), how_fresh];
            text.push(phrase![names, time(freshest), ")"].normal());
        } else if let Some(&nearest) = self.pass.first() {
            let of = &reports[nearest];
            let most = time(of.frame_tasks.max);
            let closest = phrase!["closest: ", of.subject.strategy.name, " (up to ", most, ")"];
            text.push(closest.normal());
        }
        let tuned = |&lane: &usize| Some((interval_within(&reports[lane], self.budget)?, lane));
        if let Some((interval, lane)) = self.pass.iter().filter_map(tuned).min() {
            let of = &reports[lane];
            let freshest = self.keep.first().map(|&best| stalest(&reports[best]));
            if freshest.is_none_or(|freshest| interval + of.subject.pacing.target < freshest) {
                let name = of.subject.strategy.name;
                let tuned = phrase![name, " fits with an interval of ", time(interval)];
                text.push(phrase![tuned, " or more"].normal());
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lane::Length;
    use crate::sim::machine::Simulated;
    use crate::sim::world::{COST, COST_SPREAD, ENTITIES};
    use crate::stats::MeasuredLane;
    use crate::stats::test_lane::lane;
    use timeslice::knob::Knob;
    use timeslice::strategy::STRATEGIES;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    /// Returns a lane of each strategy after `secs` seconds.
    fn lanes(set: &[(&Knob, f64)], secs: u64) -> Vec<MeasuredLane<Simulated>> {
        let mut lanes: Vec<_> = STRATEGIES.iter().map(|it| lane(it.key, set)).collect();
        lanes.iter_mut().for_each(MeasuredLane::measure_gazes);
        advance(&mut lanes, Nanos::from_secs(secs));
        lanes
    }

    fn advance(lanes: &mut [MeasuredLane<Simulated>], to: Nanos) {
        for lane in lanes {
            while lane.is_within(Length::Time(to)) {
                lane.frame();
            }
        }
    }

    fn reports_of(lanes: &[MeasuredLane<Simulated>]) -> Vec<Report> {
        lanes.iter().map(MeasuredLane::report).collect()
    }

    fn reports_with(set: &[(&Knob, f64)], secs: u64) -> Vec<Report> {
        reports_of(&lanes(set, secs))
    }

    fn reports(entities: f64, cost_us: f64, secs: u64) -> Vec<Report> {
        reports_with(&[(&ENTITIES, entities), (&COST, cost_us)], secs)
    }

    fn keys(reports: &[Report], lanes: &[usize]) -> Vec<&'static str> {
        lanes
            .iter()
            .map(|&lane| reports[lane].subject.strategy.key)
            .collect()
    }

    #[test]
    fn staggering_is_freshest_within_4_ms() {
        let reports = reports(2_000.0, 50.0, 20);
        let advice = recommend(&reports, MS(4));
        let keep = keys(&reports, &advice.keep);
        assert!(keep[..2].contains(&"stagger-groups") && keep[..2].contains(&"fixed-interval"));
        assert_eq!(keep.last(), Some(&"max-per-frame"), "the stalest");
        let pass = keys(&reports, &advice.pass);
        assert!(pass.contains(&"every-frame") && pass.contains(&"all-at-once"));
    }

    #[test]
    fn advice_is_worded_by_its_figures() {
        let mut reports = reports(2_000.0, 50.0, 20);
        reports.retain(|it| ["fixed-interval", "every-frame"].contains(&it.subject.strategy.key));
        let text = |reports: &[Report], ms| recommend(reports, MS(ms)).text(reports).to_string();
        let stale = time(stalest(&reports[1]));
        let name = reports[1].subject.strategy.name;
        let freshest = format!("freshest: {name} (staleness up to {stale})");
        let one = format!("1 of 2 within 4 ms of tasks a frame · {freshest}");
        assert_eq!(text(&reports, 4), one);
        let none = "0 of 2 within 1 ms of tasks a frame";
        let most = time(reports[1].frame_tasks.max);
        let nearest = format!("closest: {name} (up to {most})");
        let interval = time(interval_within(&reports[1], MS(1)).unwrap());
        let tuned = format!("{name} fits with an interval of {interval} or more");
        assert_eq!(text(&reports, 1), format!("{none} · {nearest} · {tuned}"));
        reports[0].span = MS(10);
        let one = "1 of 1 within 4 ms of tasks a frame, 1 not measured long enough · ";
        assert!(text(&reports, 4).starts_with(one));
        reports[1].span = MS(10);
        assert_eq!(text(&reports, 4), "2 not measured long enough");
        assert_eq!(text(&[], 4), "nothing to compare");
        for report in &mut reports {
            report.subject.entities = 0;
        }
        assert_eq!(text(&reports, 4), "no entities, nothing to compare");
    }

    #[test]
    fn lanes_within_budget_are_sorted_by_freshness() {
        let reports = reports(500.0, 100.0, 5);
        for budget in [MS(0), MS(1), MS(3), MS(10), MS(100)] {
            let advice = recommend(&reports, budget);
            assert_eq!(advice.keep.len() + advice.pass.len(), reports.len());
            let most = Nanos::from_nanos(budget.as_nanos() * 3 / 2);
            assert!(
                advice
                    .keep
                    .iter()
                    .all(|&lane| reports[lane].frame_tasks.max <= most)
            );
            let fresh: Vec<Nanos> = advice
                .keep
                .iter()
                .map(|&lane| stalest(&reports[lane]))
                .collect();
            assert!(fresh.is_sorted());
        }
    }

    #[test]
    fn the_budget_bounds_p99_and_maximum() {
        let mut reports = reports(400.0, 100.0, 3);
        reports.truncate(1);
        let (budget, maximum, more) = (MS(4), MS(6), Nanos::from_micros(10));
        for (p99, max, keeps) in [
            (budget, maximum, true),
            (budget + more, maximum, false),
            (budget, maximum + more, false),
        ] {
            (reports[0].frame_tasks.p99, reports[0].frame_tasks.max) = (p99, max);
            let advice = recommend(&reports, budget);
            assert_eq!(advice.keep.len() == 1, keeps, "{p99} and {max}");
        }
    }

    #[test]
    fn no_lane_within_budget_is_a_warning() {
        let reports = reports(100.0, 1_000.0, 5);
        let none = recommend(&reports, Nanos::from_nanos(1));
        assert!(none.keep.is_empty() && none.text(&reports).is_warning());
        assert_eq!(reports[none.pass[0]].subject.strategy.key, "max-per-frame");
        let all = recommend(&reports, Nanos::SECOND);
        assert!(all.pass.is_empty() && !all.text(&reports).is_warning());
    }

    #[test]
    fn the_recommended_interval_fits() {
        for (entities, cost_us, spread, budget) in [
            (2_000.0, 100.0, 0.0, MS(4)),
            (1_000.0, 200.0, 0.0, MS(2)),
            (3_000.0, 30.0, 0.0, MS(1)),
            (700.0, 333.0, 0.0, MS(3)),
            (2_000.0, 50.0, 0.7, MS(3)),
            (2_000.0, 50.0, 1.5, MS(3)),
            (2_000.0, 50.0, 2.0, MS(3)),
        ] {
            let with = |interval: Nanos| {
                reports_with(
                    &[
                        (&ENTITIES, entities),
                        (&COST, cost_us),
                        (&COST_SPREAD, spread),
                        (&INTERVAL, interval.as_secs_f64()),
                    ],
                    30,
                )
            };
            let slow = with(MS(500));
            let before = recommend(&slow, budget);
            let lane = slow
                .iter()
                .position(|it| it.subject.strategy.key == "fixed-interval");
            let lane = lane.unwrap();
            assert!(before.pass.contains(&lane));
            let interval = interval_within(&slow[lane], budget).unwrap();
            let text = before.text(&slow).to_string();
            let shown = time(interval).to_string();
            assert!(text.contains(&shown), "{text}");
            let tuned = with(interval);
            let after = recommend(&tuned, budget);
            assert_eq!(after.keep.first(), Some(&lane), "{}", after.text(&tuned));
            if spread == 0.0 {
                let less = Nanos::from_nanos(interval.as_nanos() / 10 * 9);
                assert!(recommend(&with(less), budget).pass.contains(&lane));
            }
        }
        // The slider ends at ten seconds.
        let set = [(&ENTITIES, 20_000.0), (&COST, 20.0)];
        let many = reports_with(&set, 20);
        let budget = Nanos::from_micros(400);
        let interval = many.iter().filter_map(|it| interval_within(it, budget));
        assert_eq!(interval.min(), None);
        // A longer interval makes bursts rarer, not smaller.
        let slow = reports(2_000.0, 100.0, 20);
        let burst = slow
            .iter()
            .find(|it| it.subject.strategy.key == "all-at-once");
        assert_eq!(interval_within(burst.unwrap(), MS(4)), None);
    }

    #[test]
    fn a_growing_backlog_predicts_a_longer_staleness() {
        let reports = reports(20_000.0, 100.0, 3);
        let queue = reports
            .iter()
            .find(|it| it.subject.strategy.key == "time-budget");
        let queue = queue.unwrap();
        assert!(queue.worst_staleness < Nanos::from_secs(4));
        let round = stalest(queue).as_secs_f64(); // 40 runs a frame, 60 frames a second
        assert!((round - 20_000.0 / 2_400.0).abs() < 0.2, "{round}");
        let text = recommend(&reports, MS(4)).text(&reports).to_string();
        let name = queue.subject.strategy.name;
        let backlog = format!("{name} (backlog grows: a round takes about 8.");
        assert!(text.contains(&backlog), "{text}");
    }

    #[test]
    fn rare_bursts_exceed_the_budget_too() {
        let set = [(&ENTITIES, 2_000.0), (&COST, 50.0), (&INTERVAL, 3.0)];
        let reports = reports_with(&set, 20);
        let burst = reports
            .iter()
            .position(|it| it.subject.strategy.key == "all-at-once")
            .unwrap();
        assert!(reports[burst].frame_tasks.p99 < MS(4));
        assert!(recommend(&reports, MS(4)).pass.contains(&burst));
    }

    #[test]
    fn recently_changed_lanes_are_not_judged() {
        let set = [(&ENTITIES, 2_000.0), (&COST, 50.0)];
        let mut lanes = lanes(&set, 20);
        for lane in &mut lanes {
            lane.set_knob(&COST, 51.0);
        }
        let mut unknown = Vec::new();
        for tenth in 1..=30 {
            advance(&mut lanes, MS(20_000 + 100 * tenth));
            let reports = reports_of(&lanes);
            let advice = recommend(&reports, MS(4));
            for &lane in &advice.keep {
                let now = lanes[lane].worst_staleness();
                assert!(
                    stalest(&reports[lane]) >= now,
                    "{}",
                    reports[lane].subject.strategy.key
                );
            }
            unknown.push(advice.unknown.len());
        }
        assert_eq!((unknown[2], unknown[29]), (STRATEGIES.len(), 0));
    }

    #[test]
    fn unfinished_rounds_predict_their_staleness() {
        let reports = reports(2_000.0, 50.0, 3);
        let few = reports
            .iter()
            .find(|it| it.subject.strategy.key == "max-per-frame")
            .unwrap();
        assert!(few.worst_staleness < Nanos::from_secs(4));
        assert!(stalest(few) > Nanos::from_secs(8));
    }
}
