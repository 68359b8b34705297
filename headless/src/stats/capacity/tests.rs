//! Capacity, checked against lanes on simulated machines.

use super::*;
use crate::sim::lane::Lane;
use crate::sim::machine::{DISPLAY_HZ, Simulated};
use crate::sim::world::{FALLOFF, Point, REQUESTS};
use crate::testing::{lane, lane_of, settings};
use timeslicer::knob::Knob;
use timeslicer::strategy::knobs::INTERVAL;

type Knobs<'a> = &'a [(&'a Knob, f64)];

/// Knobs, the target, and a share of the capacity by which chance may move it.
type Work = (Knobs<'static>, Option<Point>, f64);

const CORNER: Option<Point> = Some(Point { x: 0.0, y: 0.0 });

const WORKS: &[Work] = &[
    (
        &[(&COST, 20.0), (&BUDGET, 1.0), (&FALLOFF, 0.0)],
        CORNER,
        0.01,
    ),
    (
        &[(&COST, 400.0), (&INTERVAL, 0.2), (&DISPLAY_HZ, 144.0)],
        CORNER,
        0.03,
    ),
    (&[(&COST, 100.0)], None, 0.12),
    (&[(&COST, 400.0), (&BUDGET, 40.0)], CORNER, 0.06), // updates are longer than the display's period
    (&[(&COST, 50.0), (&COST_SPREAD, 0.5)], CORNER, 0.1),
    (&[(&COST, 80.0), (&COST_SPREAD, 1.0)], CORNER, 0.3),
    (&[(&COST, 300.0), (&PREDICT, 0.0)], CORNER, 0.06),
    (
        &[(&COST, 300.0), (&PREDICT, 0.0), (&PAY_BACK, 0.0)],
        CORNER,
        0.06,
    ),
];

/// Returns a lane without statistics.
fn lane_with(strategy: &str, work: Work, entities: usize) -> Lane<Simulated> {
    let set = [work.0, &[(&ENTITIES, entities as f64)]].concat();
    let mut settings = settings(strategy, "variable-step", &set);
    settings.target = work.1;
    let machine = Simulated::new(&settings.knobs);
    let mut lane = Lane::new(settings, machine);
    lane.list_runs(0);
    lane
}

/// Returns true if a lane with so many entities stays within the budget, except by chance, and keeps up.
fn fits(strategy: &str, work: Work, entities: usize, limit: Limit) -> bool {
    let mut lane = lane_with(strategy, work, entities);
    let budget = Nanos::from_millis_f64(lane.settings().knobs.get(&BUDGET));
    let (updates, allowed) = match limit {
        Limit::Requests | Limit::Chance => (2000, 26), // one in a hundred, and some by chance
        Limit::Budget => (1000, 0),
        _ => (100, 1),
    };
    let (mut exceeded, mut backlog, mut stretch) = (0, 0, 0.0);
    for update in 0..updates {
        let frame = lane.frame();
        exceeded += usize::from(frame.task_time > budget);
        if update >= updates / 2 {
            backlog += frame.backlog;
            stretch += lane.strategy().stretch();
        }
    }
    let of_half = |sum: f64| sum / f64::from(updates / 2);
    if limit == Limit::Budget {
        // At full load, chance lets about so many tasks wait: each of them makes requests rarer.
        let by_chance = 1.2 * (entities as f64 / 2.0).sqrt();
        of_half(backlog as f64) <= by_chance && of_half(stretch) < 1.05
    } else {
        exceeded <= allowed
    }
}

#[test]
fn the_capacity_fits_and_ten_percent_more_do_not() {
    let pacing = Subject::of(&lane("every-frame", &[])).pacing;
    for strategy in STRATEGIES {
        for &work in WORKS {
            let settings = lane_with(strategy.key, work, 0).settings().clone();
            let target = Nanos::from_secs_f64(1.0 / settings.knobs.get(&DISPLAY_HZ));
            let pacing = Pacing { target, ..pacing };
            let of = Capacity::new(&settings, pacing, 0, None, FrameWork::default());
            let limit = of.demand.limit;
            let Some(most) = of.most else {
                assert!(
                    matches!(limit, Limit::Turns(_) | Limit::Share),
                    "{}",
                    strategy.key
                );
                continue;
            };
            // In a small crowd, the tasks near the target run in step.
            let is_in_step = limit == Limit::Chance && most < 200;
            let tolerance = most as f64 * if is_in_step { 0.15 } else { work.2 };
            let few = (most as f64 - tolerance).floor() as usize;
            let many = (1.1 * most as f64 + tolerance).ceil() as usize + 1;
            let found = [few, many].map(|entities| fits(strategy.key, work, entities, limit));
            assert_eq!(found, [true, false], "{}: {most}, {work:?}", strategy.key);
        }
    }
}

#[test]
fn steady_work_fits_exactly() {
    for (strategy, set, most) in [
        ("every-frame", &[][..], Some(40)),
        ("every-frame", &[(&COST, 16.1), (&BUDGET, 0.161)], Some(10)), // the cost is in whole nanoseconds
        ("every-frame", &[(&COST, 0.0)], None),
        ("all-at-once", &[], Some(40)),
        ("max-per-frame", &[], None),
        ("max-per-frame", &[(&COST, 2_000.0)], Some(2)),
        ("fixed-interval", &[], Some(1_200)),
        ("fixed-interval", &[(&DISPLAY_HZ, 144.0)], Some(2_880)),
        ("fixed-interval", &[(&BUDGET, 30.0)], Some(5_000)), // all of the time
        ("stagger-groups", &[], Some(1_200)),
        ("balanced-slots", &[], Some(1_200)),
        // 2, 8/3 and 3 runs in an update of 16.7 ms, at 2 requests per second
        ("time-budget", &[(&COST, 1500.0)], Some(61)),
        ("time-budget", &[(&COST, 1500.0), (&PREDICT, 0.0)], Some(81)),
        (
            "time-budget",
            &[(&COST, 1500.0), (&PREDICT, 0.0), (&PAY_BACK, 0.0)],
            Some(91),
        ),
        ("weighted-share", &[], None),
    ] {
        let of = Capacity::of(&lane(strategy, set));
        assert_eq!(of.most, most, "{strategy} {set:?}");
        assert_eq!(of.is_exceeded(), most.is_some_and(|most| most < 400));
    }
}

#[test]
fn what_fits_into_one_update_fits_any_strategy() {
    for strategy in STRATEGIES {
        for spread in [0.0, 3.0] {
            let of = Capacity::of(&lane(strategy.key, &[(&COST_SPREAD, spread)]));
            assert!(
                of.most.is_none_or(|most| most >= 40),
                "{} {spread}: {of:?}",
                strategy.key
            );
        }
    }
}

#[test]
fn no_knob_at_zero_breaks_a_figure() {
    for strategy in STRATEGIES {
        for (frame_loop, knob) in [
            ("variable-step", &COST),
            ("fixed-step", &BUDGET),
            ("unsynced", &INTERVAL),
            ("unsynced", &REQUESTS),
            ("constant-fps", &ENTITIES),
        ] {
            let of = Capacity::of(&lane_of(strategy.key, frame_loop, &[(knob, 0.0)]));
            assert!(of.utilisation.is_finite() && of.allowed.is_finite());
            assert!(!of.explained().contains("NaN") && !of.most_in_words().is_empty());
        }
    }
}

#[test]
fn the_utilisation_is_that_of_reports() {
    for strategy in STRATEGIES {
        let set = [(&ENTITIES, 300.0), (&COST, 1.0), (&FALLOFF, 0.0)];
        let mut lane = lane(strategy.key, &set);
        (0..600).for_each(|_| drop(lane.frame().clone()));
        let made = lane.report().mean_runs();
        let predicted = Capacity::of(&lane).mean;
        let off = (made / predicted - 1.0).abs();
        assert!(off < 0.04, "{}: {made} of {predicted}", strategy.key);
    }
}

#[test]
fn the_measured_cost_and_slow_drawing_count() {
    let pacing = Subject::of(&lane("every-frame", &[])).pacing;
    let most = |strategy, cost_us: Option<f64>, drawing_ms: f64| {
        let settings = settings(strategy, "variable-step", &[]);
        let cost = cost_us.map(|cost_us| RunCost {
            nanos: 1e3 * cost_us,
            is_measured: true,
        });
        let work = FrameWork {
            all: Nanos::from_millis_f64(drawing_ms + 2.0),
            other: Nanos::from_millis_f64(drawing_ms),
        };
        let of = Capacity::new(&settings, pacing, 400, cost, work);
        (of.most, of.explained())
    };
    let (wanted, words) = most("fixed-interval", None, 0.0);
    assert!(words.contains("cost of a run is the wanted one"), "{words}");
    let (measured, words) = most("fixed-interval", Some(200.0), 0.0);
    assert!(words.contains("cost of a run is measured"), "{words}");
    assert_eq!((wanted, measured), (Some(1_200), Some(600)));
    // 40 runs in 28 ms of drawing and 4 ms of tasks
    let (slow, words) = most("fixed-interval", None, 28.0);
    assert_eq!(slow, Some(625));
    assert!(words.contains("24 runs in an update of 30 ms"), "{words}");
    let mut lane = lane("every-frame", &[]);
    assert_eq!(lane.run_cost(), None);
    lane.frame();
    assert_eq!(lane.run_cost().map(|cost| cost.nanos), Some(100_000.0));
}

#[test]
fn the_words_have_the_numbers() {
    let fixed = "need 8.0 % of the time: 13.3 runs in an update of 16.7 ms|now runs 14 tasks. Up to 1,200 entities";
    for (strategy, set, most, note, words) in [
        ("fixed-interval", &[][..], "1,200", "", fixed),
        (
            "all-at-once",
            &[],
            "40",
            "Fixed interval would fit 1,200",
            "",
        ),
        (
            "max-per-frame",
            &[],
            "no limit",
            "up to 1,000,000, but a round takes 100 updates",
            "more than 4 tasks, however many",
        ),
        (
            "max-per-frame",
            &[(&ENTITIES, 4.0), (&COST, 0.0)],
            "no limit",
            "up to 1,000,000",
            "Even 1,000,000 entities fit 4 ms.",
        ),
        (
            "request-list",
            &[],
            "about 84",
            "",
            "Requests come at random.",
        ),
        ("time-budget", &[], "about 1,220", "", "about 40 runs"),
        (
            "distance-lod",
            &[],
            "about ",
            "",
            "even where the moving target has the most around it",
        ),
        (
            "weighted-share",
            &[],
            "no limit",
            "up to 1,000,000",
            "an update runs about 40 of them",
        ),
        (
            "fixed-interval",
            &[(&COST_SPREAD, 1.0)],
            "about ",
            "",
            "chance moves the limit",
        ),
    ] {
        let of = Capacity::of(&lane(strategy, set));
        assert!(
            of.most_in_words().starts_with(most),
            "{}",
            of.most_in_words()
        );
        assert_eq!(of.note().unwrap_or_default(), note, "{strategy}");
        for words in words.split('|') {
            assert!(
                of.explained().contains(words),
                "{strategy}: {}",
                of.explained()
            );
        }
    }
    let one = Capacity::of(&lane_of("every-frame", "fixed-step", &[(&COST, 4000.0)]));
    assert_eq!(one.entities_in_words(), "1 entity");
    assert_eq!(one.budget_in_words(), "4 ms an update");
}
