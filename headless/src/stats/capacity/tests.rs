//! Capacity, checked against lanes on simulated machines.

use super::*;
use crate::sim::machine::{DISPLAY_HZ, Simulated};
use crate::sim::world::FALLOFF;
use crate::stats::thresholds::peak_budget;
use crate::testing::settings;
use crate::testing::{lane, lane_of};
use timeslicer::knob::Knob;
use timeslicer::strategy::knobs::INTERVAL;
use timeslicer::strategy::{Family, by_key};

/// Knobs of a workload.
#[derive(Clone, Copy, Debug)]
struct Work {
    cost_us: f64,
    spread: f64,
    budget_ms: f64,
    interval_s: f64,
    hz: f64,
    predicts: bool,
    pays_back: bool,
}

const WORK: Work = Work {
    cost_us: 100.0,
    spread: 0.0,
    budget_ms: 4.0,
    interval_s: 0.5,
    hz: 60.0,
    predicts: true,
    pays_back: true,
};

impl Work {
    fn knobs(&self, entities: usize) -> [(&'static Knob, f64); 9] {
        [
            (&ENTITIES, entities as f64),
            (&COST, self.cost_us),
            (&COST_SPREAD, self.spread),
            (&BUDGET, self.budget_ms),
            (&INTERVAL, self.interval_s),
            (&DISPLAY_HZ, self.hz),
            (&FALLOFF, 0.0), // all entities matter equally
            (&PREDICT, f64::from(u8::from(self.predicts))),
            (&PAY_BACK, f64::from(u8::from(self.pays_back))),
        ]
    }
}

/// Updates of a lane.
struct Measured {
    /// Share of the updates that exceeded the budget.
    exceeded: f64,
    longest: Nanos,
    mean: Nanos,
    budget: Nanos,
    /// Mean backlog in the second half of the time.
    backlog: f64,
    updates: usize,
    /// Factor by which the strategy stretches all intervals.
    stretch: f64,
}

impl Measured {
    fn of(strategy: &StrategyEntry, work: Work, entities: usize) -> Self {
        let mut lane = lane(strategy.key, &work.knobs(entities));
        let random = strategy.on_request();
        let updates = if random { 3000 } else { 200 };
        let budget = Nanos::from_millis_f64(work.budget_ms);
        let (mut exceeded, mut longest, mut backlog) = (0, Nanos::ZERO, 0);
        let mut all = Nanos::ZERO;
        lane.list_runs(0);
        for update in 0..updates {
            let frame = lane.frame();
            exceeded += usize::from(frame.task_time > budget);
            longest = longest.max(frame.task_time);
            all += frame.task_time;
            if update >= updates / 2 {
                backlog += frame.backlog;
            }
        }
        Self {
            exceeded: exceeded as f64 / updates as f64,
            longest,
            mean: Nanos::from_nanos(all.as_nanos() / updates as u64),
            budget,
            backlog: backlog as f64 / (updates - updates / 2) as f64,
            updates,
            stretch: lane.strategy().stretch(),
        }
    }

    /// Returns true if at most this share of the updates `exceeded` the budget, and only as [`peak_budget`] allows.
    /// Strategies that stop at the budget must keep up instead.
    fn fits(&self, peak: Peak, entities: usize, exceeded: f64) -> bool {
        match peak {
            Peak::Turns(_) => self.exceeded <= exceeded && self.longest <= peak_budget(self.budget),
            Peak::Requests | Peak::Chance { .. } => self.exceeded <= exceeded,
            Peak::Budget => !self.falls_behind(entities) && self.stretch < 1.05,
            Peak::Share => self.mean <= self.budget,
        }
    }

    /// Returns true if more tasks wait than chance explains. At full load, each waiting task makes requests rarer, so
    /// the backlog varies with a standard deviation of the square root of half the entities. Its mean is then 0.8 times
    /// that; with ten percent more entities, a tenth of them wait in addition.
    fn falls_behind(&self, entities: usize) -> bool {
        self.backlog > 1.2 * (entities as f64 / 2.0).sqrt()
    }
}

fn capacity(strategy: &StrategyEntry, work: Work) -> Capacity {
    Capacity::of(&lane(strategy.key, &work.knobs(0)))
}

/// Checks that the capacity fits, and that ten percent more do not. `tolerance` is a share of the capacity.
fn check(strategy: &StrategyEntry, work: Work, tolerance: impl Fn(f64) -> f64) {
    let capacity = capacity(strategy, work);
    let peak = capacity.load.peak;
    let Some(most) = capacity.most else {
        let measured = Measured::of(strategy, work, 20_000);
        assert!(
            measured.fits(peak, 20_000, 0.01),
            "{} {work:?}",
            strategy.key
        );
        return;
    };
    let tolerance = tolerance(most as f64) * most as f64;
    let few = (most as f64 - tolerance).max(0.0) as usize;
    let many = (1.1 * most as f64 + tolerance).ceil() as usize + 1;
    for (entities, fits) in [(few, true), (many, false)] {
        let measured = Measured::of(strategy, work, entities);
        let (exceeded, longest, backlog) = (measured.exceeded, measured.longest, measured.backlog);
        // Three standard deviations of the measured share, if updates are random.
        let chance = if fits && peak == Peak::Requests {
            3.0 * (0.01 / measured.updates as f64).sqrt()
        } else {
            0.0
        };
        assert_eq!(
            measured.fits(peak, entities, 0.01 + chance),
            fits,
            "{} {work:?}: {entities} of {most}, {exceeded}, {longest} ms, backlog {backlog}",
            strategy.key
        );
    }
}

#[test]
fn the_capacity_fits_and_ten_percent_more_do_not() {
    for strategy in STRATEGIES {
        for cost_us in [20.0, 400.0] {
            for (budget_ms, interval_s, hz) in [
                (1.0, 0.5, 60.0),
                (4.0, 0.2, 144.0),
                (4.0, 1.0, 30.0),
                (6.0, 0.1, 60.0),
            ] {
                let work = Work {
                    cost_us,
                    spread: 0.0,
                    budget_ms,
                    interval_s,
                    hz,
                    ..WORK
                };
                // Tasks with intervals of their own do not take turns: an update may make one run more, or one less,
                // than predicted. At 144 Hz and the shortest interval, that is 8 entities more or less.
                let has_turns = strategy.family != Family::BySignificance;
                let tolerance = |most: f64| if has_turns { 0.0 } else { 8.0 / most };
                check(strategy, work, tolerance);
            }
        }
    }
}

#[test]
fn the_capacity_is_about_right_if_costs_differ() {
    for strategy in STRATEGIES {
        for (spread, cost_us) in [(0.5, 20.0), (1.0, 20.0), (3.0, 20.0), (0.5, 80.0)] {
            let work = Work {
                cost_us,
                spread,
                budget_ms: 4.0,
                interval_s: 0.5,
                hz: 60.0,
                ..WORK
            };
            // Three standard deviations of the mean cost of all entities, and of the busiest of some updates.
            let runs = 4000.0 / cost_us;
            check(strategy, work, |most| {
                3.0 * spread * (most.powf(-0.5) + 0.5 * runs.powf(-0.5))
            });
        }
    }
}

#[test]
fn the_capacity_follows_the_switches_of_admission() {
    let strategy = by_key("time-budget").unwrap();
    for (predicts, pays_back) in [(false, false), (false, true), (true, false), (true, true)] {
        for (cost_us, spread) in [(1500.0, 0.0), (400.0, 0.0), (700.0, 1.0)] {
            let work = Work {
                cost_us,
                spread,
                predicts,
                pays_back,
                ..WORK
            };
            // Chance decides about the mean cost of the entities.
            check(strategy, work, |most| 3.0 * spread * most.powf(-0.5));
        }
    }
}

#[test]
fn a_budget_beyond_the_frame_does_not_overload_the_machine() {
    let work = Work {
        cost_us: 100.0,
        spread: 0.0,
        budget_ms: 30.0,
        interval_s: 0.5,
        hz: 60.0,
        ..WORK
    };
    for strategy in STRATEGIES {
        let capacity = capacity(strategy, work);
        if strategy.on_request() {
            continue;
        }
        let most = capacity.most.unwrap_or(LIMIT);
        let lane = lane(strategy.key, &work.knobs(most));
        if lane.strategy().wanted_interval().is_some() {
            let utilisation = Capacity::of(&lane).utilisation;
            assert!(utilisation <= 1.0, "{} {utilisation}", strategy.key);
        }
        check(strategy, work, |_| 0.0);
    }
}

#[test]
fn extremes_are_defined() {
    let zeros = [&COST, &BUDGET, &INTERVAL, &REQUESTS, &ENTITIES];
    for strategy in STRATEGIES {
        for loop_key in ["variable-step", "fixed-step", "unsynced"] {
            for zero in 0..1 << zeros.len() {
                let set: Vec<(&Knob, f64)> = zeros
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| zero >> bit & 1 == 1)
                    .map(|(_, knob)| (*knob, 0.0))
                    .collect();
                let of = Capacity::of(&lane_of(strategy.key, loop_key, &set));
                assert!(of.utilisation.is_finite() && of.allowed.is_finite());
                assert!(!of.explained().contains("NaN") && !of.most_in_words().is_empty());
                if zero & 1 == 1 {
                    assert_eq!((of.most, of.is_exceeded()), (None, false));
                    assert_eq!(of.most_in_words(), "no limit");
                    assert!(
                        of.note()
                            .is_some_and(|it| it.starts_with("up to 1,000,000"))
                    );
                }
            }
        }
    }
}

#[test]
fn utilisation_is_the_one_of_reports() {
    for strategy in STRATEGIES {
        let mut lane = lane(strategy.key, &[(&ENTITIES, 300.0)]);
        for _ in 0..300 {
            lane.frame();
        }
        if let Some(utilisation) = lane.report().utilisation() {
            let own = Capacity::of(&lane).utilisation;
            assert!((own / utilisation - 1.0).abs() < 1e-6, "{}", strategy.key);
        }
    }
}

#[test]
fn a_measured_cost_replaces_the_wanted_one() {
    let settings = settings("every-frame", "variable-step", &[]);
    let pacing = Subject::of(&lane("every-frame", &[])).pacing;
    let wanted = Capacity::new(&settings, pacing, 400, None, FrameWork::default());
    assert_eq!((wanted.most, wanted.is_exceeded()), (Some(40), true));
    let cost = RunCost {
        nanos: 200_000.0,
        is_measured: true,
    };
    let measured = Capacity::new(&settings, pacing, 10, Some(cost), FrameWork::default());
    assert_eq!((measured.most, measured.is_exceeded()), (Some(20), false));
    assert!(measured.explained().contains("is measured"));
    assert!(!wanted.explained().contains("is measured"));
    let mut lane: MeasuredLane<Simulated> = lane("every-frame", &[]);
    assert_eq!(lane.run_cost(), None);
    lane.frame();
    assert_eq!(lane.run_cost().map(|cost| cost.nanos), Some(100_000.0));
}

#[test]
fn slow_drawing_makes_updates_longer() {
    let settings = settings("fixed-interval", "variable-step", &[]);
    let pacing = Subject::of(&lane("every-frame", &[])).pacing;
    let [quick, slow] = [0.0, 28.0].map(|drawing| {
        let work = FrameWork {
            all: Nanos::from_millis_f64(drawing + 2.0),
            other: Nanos::from_millis_f64(drawing),
        };
        Capacity::new(&settings, pacing, 400, None, work)
    });
    assert_eq!(quick.most, Some(1200)); // 40 runs in 16.7 ms
    assert_eq!(slow.most, Some(625)); // 40 runs in 28 ms of drawing and 4 ms of tasks
    let text = slow.explained();
    assert!(text.contains("24 runs in an update of 30 ms"), "{text}");
}

#[test]
fn the_words_have_the_numbers() {
    let of = |strategy, set: &[(&Knob, f64)]| Capacity::of(&lane(strategy, set));
    let fixed = of("fixed-interval", &[]);
    assert_eq!(fixed.most_in_words(), "1,200");
    assert_eq!(fixed.budget_in_words(), "4 ms a frame");
    assert_eq!(fixed.note(), None);
    let text = fixed.explained();
    assert!(
        text.contains("need 8.0 % of the time: 13.3 runs in an update of 16.7 ms"),
        "{text}"
    );
    assert!(
        text.contains("now runs 14 tasks. Up to 1,200 entities"),
        "{text}"
    );
    let burst = of("all-at-once", &[]);
    assert_eq!(
        (burst.most_in_words(), burst.is_exceeded()),
        ("40".to_owned(), true)
    );
    assert_eq!(
        burst.note().as_deref(),
        Some("Fixed interval would fit 1,200")
    );
    let turns = of("max-per-frame", &[]);
    let note = "up to 1,000,000, but a round takes 100 updates";
    assert_eq!(turns.note().as_deref(), Some(note));
    assert!(
        of("request-list", &[])
            .most_in_words()
            .starts_with("about ")
    );
    assert!(of("time-budget", &[]).explained().contains("about 40 runs"));
    let one = of("every-frame", &[(&COST, 4000.0)]);
    assert_eq!(one.entities_in_words(), "1 entity");
    assert_eq!(turns.entities_in_words(), "no limit");
    let steps = Capacity::of(&lane_of("fixed-interval", "fixed-step", &[]));
    assert_eq!(steps.budget_in_words(), "4 ms an update");
}

#[test]
fn rounds_get_longer_only_if_updates_are_capped() {
    let pacing = Subject::of(&lane("every-frame", &[])).pacing;
    let of = |strategy, entities| {
        let settings = settings(strategy, "variable-step", &[(&COST, 0.0)]);
        Capacity::new(&settings, pacing, entities, None, FrameWork::default())
    };
    for entities in [0, 1, 400, LIMIT] {
        for strategy in ["fixed-interval", "stagger-groups"] {
            let of = of(strategy, entities);
            assert_eq!(of.note().as_deref(), Some("up to 1,000,000"), "{strategy}");
            assert!(of.explained().contains("Even 1,000,000 entities fit 4 ms."));
        }
        let capped = of("max-per-frame", entities);
        let is_capped = capped.explained().contains("however many entities");
        assert_eq!(is_capped, entities > 4, "{entities}");
    }
}

#[test]
fn the_predicted_runs_are_made() {
    for strategy in STRATEGIES {
        let mut lane = lane(
            strategy.key,
            &[(&ENTITIES, 300.0), (&COST, 1.0), (&FALLOFF, 0.0)],
        );
        for _ in 0..600 {
            lane.frame();
        }
        let made = lane.report().mean_runs();
        let predicted = Capacity::of(&lane).load.mean;
        let off = (made / predicted - 1.0).abs();
        assert!(off < 0.04, "{}: {made} of {predicted}", strategy.key);
    }
}

#[test]
fn a_wanted_cost_is_in_whole_nanoseconds() {
    // As a floating-point number, 16.1 µs is a little more than 16,100 ns, so ten runs would exceed 161 µs.
    let set = [(&COST, 16.1), (&BUDGET, 0.161)];
    let capacity = Capacity::of(&lane("every-frame", &set));
    assert_eq!(capacity.most, Some(10));
}

#[test]
fn what_fits_into_one_update_fits_any_strategy() {
    for spread in [0.0, 0.5, 1.0, 3.0] {
        let most = |strategy: &StrategyEntry| {
            let set = [(&COST_SPREAD, spread), (&ENTITIES, 0.0)];
            Capacity::of(&lane(strategy.key, &set)).most
        };
        for strategy in STRATEGIES {
            let fits = most(strategy).unwrap_or(LIMIT);
            assert!(fits >= 40, "{} {spread}: {fits}", strategy.key);
        }
    }
}
