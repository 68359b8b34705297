//! Recommends a strategy for a given budget of tasks per frame.

use super::Report;
use super::rules::phrasing::{at_most, time};
use super::thresholds::{
    COMPARED_FROM, EQUAL_COSTS, EVEN_RUNS, KNOWN_INTERVALS, peak_budget, quantile_budget,
};
use crate::phrase;
use crate::text::rich::{RichText, figure};
use timeslice::strategy::Promise;
use timeslice::strategy::knobs::INTERVAL;
use timeslice::time::Nanos;

/// Lanes by whether they keep within a budget: indices of their reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// What a frame may spend on tasks.
    pub budget: Nanos,
    /// Those whose tasks took no longer than that in 99 of 100 frames, and never longer than [`peak_budget`]; the
    /// one first that lets nobody become as stale as others do, and of equals the one that took least.
    pub keep: Vec<usize>,
    /// The others, the one first that took least.
    pub pass: Vec<usize>,
    /// Those of which too little was measured: less than a second, or than twice the wanted interval.
    pub unknown: Vec<usize>,
}

/// Which of these lanes keep within `budget` of tasks a frame.
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

/// The largest staleness under a lane: as measured, or as it must become if a round of turns is longer than the measured
/// time, or if more tasks ask than run, so that each waits for all others.
#[must_use]
pub fn stalest(of: &Report) -> Nanos {
    let measured = of.worst_staleness.max(of.staleness);
    match of.promise {
        Promise::Updates(updates) if of.updates > 0 => {
            let update = of.game_span.as_nanos() as f64 / of.updates as f64;
            measured.max(Nanos::from_nanos_f64(update * updates as f64))
        }
        Promise::Request { .. } if of.falls_behind() && of.runs > 0 => {
            let run = of.game_span.as_nanos() as f64 / of.runs as f64;
            measured.max(Nanos::from_nanos_f64(run * of.entities as f64))
        }
        _ => measured,
    }
}

/// The shortest interval with which a lane would keep within `budget`, in two digits. `None` if it keeps no interval, runs
/// in bursts, or runs all tasks at once.
fn interval_within(of: &Report, budget: Nanos) -> Option<Nanos> {
    let wanted = of.wanted?;
    let is_even = of.peak_over_mean()? <= EVEN_RUNS;
    let everybody_at_once = u64::from(of.peak_runs) >= of.entities as u64;
    if !is_even || everybody_at_once {
        return None;
    }
    let round = of.entities as f64 / runs_within(of, budget)?;
    let secs = round * of.pacing.target.as_secs_f64();
    let digit = 10f64.powi(secs.log10().floor() as i32 - 1);
    let interval = Nanos::from_secs_f64((secs / digit).ceil() * digit);
    let last = Nanos::from_secs_f64(INTERVAL.max);
    (wanted < interval && interval <= last).then_some(interval)
}

/// Runs that a frame has room for within `budget`. `None` if that is not a single one.
///
/// Of equal costs as many as are whole. Of unequal ones a few dear tasks make frames exceed the mean, by hardly less where
/// there are fewer: that is left room for as it was measured, which is enough, and may be more.
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
    /// In a sentence: the freshest of those that keep within it, how many do, and which would be fresher if it were
    /// tuned.
    #[must_use]
    pub fn text(&self, reports: &[Report]) -> RichText {
        let mut text = RichText::default();
        if !reports.is_empty() && reports.iter().all(|of| of.entities == 0) {
            text.push(phrase!["nobody lives, so there is nothing to compare"].normal());
            return text;
        }
        let (keep, all) = (self.keep.len(), self.keep.len() + self.pass.len());
        let [keep, all_judged] = [keep, all].map(figure);
        if let Some(&best) = self.keep.first() {
            let freshest = stalest(&reports[best]);
            let as_fresh = |lane: &&usize| stalest(&reports[**lane]) == freshest;
            let names = self.keep.iter().filter(as_fresh);
            let names: Vec<&str> = names.map(|&lane| reports[lane].strategy.name).collect();
            let how_fresh = if reports[best].falls_behind() {
                "whose backlog grows: a round of all takes about "
            } else {
                "nobody staler than "
            };
            let within = phrase!["freshest within ", time(self.budget), " of tasks a frame: "];
            let freshest = at_most(freshest);
            text.push(phrase![within, names.join(", "), ", ", how_fresh, freshest].normal());
            text.push(phrase![keep, " of ", all_judged, " keep within it"].normal());
        } else if all > 0 {
            let budget = time(self.budget);
            let none = phrase!["none of ", all_judged, " keeps within ", budget];
            text.push(phrase![none, " of tasks a frame"].warning());
            if let Some(&nearest) = self.pass.first() {
                let of = &reports[nearest];
                let most = at_most(of.frame_tasks.max);
                text.push(phrase![of.strategy.name, " is nearest, at most ", most].normal());
            }
        }
        let tuned = |&lane: &usize| Some((interval_within(&reports[lane], self.budget)?, lane));
        if let Some((interval, lane)) = self.pass.iter().filter_map(tuned).min() {
            let of = &reports[lane];
            let freshest = self.keep.first().map(|&best| stalest(&reports[best]));
            if freshest.is_none_or(|freshest| interval + of.pacing.target < freshest) {
                let name = of.strategy.name;
                let would = phrase![name, " would from an interval of ", time(interval), " on"];
                text.push(would.normal());
            }
        }
        match self.unknown.len() {
            0 if all == 0 => text.push(phrase!["nothing is compared"].normal()),
            0 => {}
            some => text.push(phrase![figure(some), " measured for too short a time yet"].normal()),
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

    /// A lane of each strategy.
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
            .map(|&lane| reports[lane].strategy.key)
            .collect()
    }

    #[test]
    fn two_thousand_with_four_milliseconds_are_staggered() {
        let reports = reports(2_000.0, 50.0, 20);
        let advice = recommend(&reports, MS(4));
        let keep = keys(&reports, &advice.keep);
        assert!(keep[..2].contains(&"stagger-groups") && keep[..2].contains(&"fixed-interval"));
        assert_eq!(keep.last(), Some(&"max-per-frame"), "the stalest");
        let pass = keys(&reports, &advice.pass);
        assert!(pass.contains(&"every-frame") && pass.contains(&"all-at-once"));
        let text = advice.text(&reports).to_string();
        assert!(
            text.starts_with("freshest within 4 ms of tasks a frame: "),
            "{text}"
        );
        assert!(text.contains(", nobody staler than "), "{text}");
    }

    #[test]
    fn whoever_keeps_took_no_longer_and_whoever_passes_did() {
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
    fn where_nobody_or_everybody_keeps_that_is_said() {
        let reports = reports(100.0, 1_000.0, 5);
        let said = |budget| recommend(&reports, budget).text(&reports);
        let none = said(Nanos::from_nanos(1));
        assert!(
            none.is_warning()
                && none
                    .to_string()
                    .contains("Max per frame is nearest, at most 4 ms")
        );
        assert!(
            said(Nanos::SECOND)
                .to_string()
                .ends_with(&format!("{0} of {0} keep within it", STRATEGIES.len()))
        );
        assert_eq!(
            recommend(&[], MS(4)).text(&[]).to_string(),
            "nothing is compared"
        );
    }

    #[test]
    fn an_interval_that_would_do_is_told_and_does() {
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
                .position(|it| it.strategy.key == "fixed-interval");
            let lane = lane.unwrap();
            assert!(before.pass.contains(&lane));
            let interval = interval_within(&slow[lane], budget).unwrap();
            let words = format!(
                "Fixed interval would from an interval of {} on",
                time(interval)
            );
            let text = before.text(&slow).to_string();
            assert!(text.contains(&words), "{text}");
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
        let text = recommend(&many, Nanos::from_micros(400))
            .text(&many)
            .to_string();
        assert!(!text.contains("would from"), "{text}");
        // Bursts are no less long however rare they are.
        let slow = reports(2_000.0, 100.0, 20);
        let burst = slow.iter().find(|it| it.strategy.key == "all-at-once");
        assert_eq!(interval_within(burst.unwrap(), MS(4)), None);
    }

    #[test]
    fn who_falls_behind_is_not_said_to_be_as_fresh_as_it_was_until_now() {
        let reports = reports(20_000.0, 100.0, 3);
        let queue = reports.iter().find(|it| it.strategy.key == "time-budget");
        let queue = queue.unwrap();
        assert!(queue.worst_staleness < Nanos::from_secs(4));
        let round = stalest(queue).as_secs_f64(); // 40 a frame, 60 frames a second
        assert!((round - 20_000.0 / 2_400.0).abs() < 0.2, "{round}");
        let text = recommend(&reports, MS(4)).text(&reports).to_string();
        assert!(
            text.starts_with(
                "freshest within 4 ms of tasks a frame: Time budget, whose backlog grows: a round of all takes about 8."
            ),
            "{text}"
        );
    }

    #[test]
    fn where_nobody_lives_nobody_is_compared() {
        let reports = reports(0.0, 100.0, 5);
        let text = recommend(&reports, MS(4)).text(&reports).to_string();
        assert_eq!(text, "nobody lives, so there is nothing to compare");
    }

    #[test]
    fn bursts_that_are_rare_are_no_less_long() {
        let set = [(&ENTITIES, 2_000.0), (&COST, 50.0), (&INTERVAL, 3.0)];
        let reports = reports_with(&set, 20);
        let burst = reports
            .iter()
            .position(|it| it.strategy.key == "all-at-once")
            .unwrap();
        assert!(reports[burst].frame_tasks.p99 < MS(4));
        assert!(recommend(&reports, MS(4)).pass.contains(&burst));
    }

    #[test]
    fn nothing_is_said_of_those_that_were_hardly_measured() {
        let set = [(&ENTITIES, 2_000.0), (&COST, 50.0)];
        let mut lanes = lanes(&set, 20);
        for lane in &mut lanes {
            lane.set_knob(&COST, 51.0);
        }
        let mut told = Vec::new();
        for tenth in 1..=30 {
            advance(&mut lanes, MS(20_000 + 100 * tenth));
            let reports = reports_of(&lanes);
            let advice = recommend(&reports, MS(4));
            for &lane in &advice.keep {
                let now = lanes[lane].worst_staleness();
                assert!(
                    stalest(&reports[lane]) >= now,
                    "{}",
                    reports[lane].strategy.key
                );
            }
            told.push(advice.text(&reports).to_string());
        }
        let all = STRATEGIES.len();
        assert_eq!(told[2], format!("{all} measured for too short a time yet"));
        assert!(told[29].starts_with("freshest within 4 ms"), "{}", told[29]);
    }

    #[test]
    fn who_has_had_no_turn_yet_is_known_to_become_stale() {
        let reports = reports(2_000.0, 50.0, 3);
        let few = reports
            .iter()
            .find(|it| it.strategy.key == "max-per-frame")
            .unwrap();
        assert!(few.worst_staleness < Nanos::from_secs(4));
        assert!(stalest(few) > Nanos::from_secs(8));
    }
}
