//! Compares the estimated capacity with lanes on simulated machines.

use super::*;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::STRATEGIES;
use crate::catalog::strategy::knobs::{BUDGET, INTERVAL, PREDICT};
use crate::sim::machine::{DISPLAY_HZ, RENDER_MS};
use crate::sim::world::{COST_SPREAD, OwnCosts};
use crate::sim::world::{FALLOFF, Point, REQUESTS};
use crate::testing::{lane, lane_of, settings};

const CORNER: Option<Point> = Some(Point { x: 0.0, y: 0.0 });

fn lane_with(settings: &Settings, entities: usize) -> Lane<Simulated> {
    let mut settings = settings.clone();
    settings.knobs.set(&ENTITIES, entities as f64);
    let machine = Simulated::new(&settings.knobs);
    Lane::new(settings, machine)
}

/// Returns true if a lane with this number of entities keeps up and stays within the budget, except by chance.
fn fits(settings: &Settings, entities: usize, law: Law) -> bool {
    const UPDATES: usize = 1000;
    let mut lane = lane_with(settings, entities);
    let budget = settings.knobs.span(&BUDGET);
    let (mut busy, mut exceeded, mut backlog) = (0, 0, 0.0);
    let clocks = |lane: &Lane<Simulated>| {
        let game = lane.now().since_start();
        (game, lane.strategy().elastic_clock().unwrap_or(game))
    };
    let mut half_way = clocks(&lane);
    for update in 0..UPDATES {
        let frame = lane.frame();
        busy += usize::from(frame.runs > 0);
        exceeded += usize::from(frame.task_time > budget);
        if update >= UPDATES / 2 {
            backlog += frame.backlog as f64;
        } else {
            half_way = clocks(&lane);
        }
    }
    if matches!(law, Law::Stops { .. }) {
        // At full load, about this number of tasks wait by chance. They make further requests rarer.
        let by_chance = 1.2 * (entities as f64 / 2.0).sqrt();
        let half = (UPDATES / 2) as f64;
        let (game, elastic) = clocks(&lane);
        let stretch = (game - half_way.0).over(elastic - half_way.1);
        backlog / half <= by_chance && stretch < 1.05
    } else {
        exceeded <= busy / 50 + 1 // one in a hundred, and some by chance
    }
}

#[test]
fn the_capacity_fits_and_a_quarter_more_does_not() {
    for (set, target, tolerance) in [
        (
            &[(&COST, 20.0), (&BUDGET, 1.0), (&FALLOFF, 0.0)][..],
            CORNER,
            0.05,
        ),
        (
            &[(&COST, 400.0), (&INTERVAL, 0.2), (&DISPLAY_HZ, 144.0)],
            CORNER,
            0.05,
        ),
        (&[(&COST, 100.0)], None, 0.12),
        (&[(&COST, 400.0), (&BUDGET, 40.0)], CORNER, 0.08), // updates are longer than the display's period
        (&[(&COST, 50.0), (&COST_SPREAD, 0.5)], CORNER, 0.1),
        (&[(&COST, 80.0), (&COST_SPREAD, 1.0)], CORNER, 0.3),
        (&[(&COST, 300.0), (&PREDICT, 0.0)], CORNER, 0.08),
    ] {
        for strategy in STRATEGIES {
            let mut settings = settings(strategy.key, "variable-step", set);
            settings.target = target;
            let mut lane = lane(strategy.key, set);
            lane.pin_target(target);
            let of = Capacity::of(&lane);
            let Some(most) = of.most else {
                assert!(matches!(of.law, Law::Turns(_) | Law::Shared));
                continue;
            };
            let few = ((1.0 - tolerance) * most as f64) as usize;
            let many = ((1.2 + tolerance) * most as f64).ceil() as usize + 1;
            let found = [few, many].map(|entities| fits(&settings, entities, of.law));
            assert_eq!(found, [true, false], "{}: {most}, {set:?}", strategy.key);
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
        ("fixed-interval", &[(&RENDER_MS, 28.0)], Some(625)), // 40 runs in 28 ms of drawing and 4 ms of tasks
        ("fixed-interval", &[(&SPEED, 0.5)], Some(600)),      // the cost is measured
        ("stagger-groups", &[], Some(1_200)),
        ("balanced-slots", &[], Some(1_200)),
        ("weighted-share", &[], None),
    ] {
        let mut lane = lane(strategy, set);
        lane.pin_target(CORNER);
        (0..60).for_each(|_| drop(lane.frame().clone()));
        let of = Capacity::of(&lane);
        assert_eq!(of.most, most, "{strategy} {set:?}");
        assert_eq!(of.is_exceeded(), most.is_some_and(|most| most < 400));
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
        assert!(off < 0.05, "{}: {made} of {predicted}", strategy.key);
    }
}

#[test]
fn own_costs_count_with_their_mean_and_their_distribution() {
    let capacity = |set: &[(&Knob, f64)], own: Option<&[u64]>| {
        let mut lane = lane("fixed-interval", set);
        let costs = |micros: &[u64]| micros.iter().copied().map(Nanos::from_micros).collect();
        lane.set_own_costs(own.and_then(|own| OwnCosts::new("costs.txt", costs(own))));
        Capacity::of(&lane)
    };
    let equal = capacity(&[(&COST, 7.0)], Some(&[250, 250]));
    assert_eq!(equal, capacity(&[(&COST, 250.0)], None));
    let mixed = capacity(&[], Some(&[50, 50, 50, 850]));
    assert_eq!((mixed.cost, mixed.is_cost_measured), (250_000.0, false));
    assert!(mixed.most_in_words().starts_with("about "), "{mixed:?}");
    assert!(mixed.most < equal.most, "{mixed:?} {equal:?}");
}

#[test]
fn the_words_have_the_numbers() {
    for (strategy, set, most, words) in [
        (
            "fixed-interval",
            &[][..],
            "1,200 entities",
            "Tasks need 8.0 % of the time: 13.3 runs per update of 16.7 ms at 0.1 ms each (not measured yet). The mark on the \
             bar shows the budget.\nWith up to 1,200 entities, 99 of 100 updates that run tasks take 4 ms or less.",
        ),
        (
            "max-per-frame",
            &[],
            "no limit",
            "4 runs per update of 16.7 ms at 0.1 ms each (not measured yet). The mark on the bar shows the budget.\nUpdates stay \
             within 4 ms for any number of entities.",
        ),
        (
            "time-budget",
            &[],
            "about 1,",
            "An update stops after 4 ms. With more than about 1,",
        ),
        (
            "earliest-deadline",
            &[],
            "about ",
            " entities, more tasks become due than fit, so all intervals get longer.",
        ),
        ("fixed-interval", &[(&COST_SPREAD, 1.0)], "about ", ""),
    ] {
        let of = Capacity::of(&lane(strategy, set));
        assert!(of.entities_in_words().starts_with(most), "{of:?}");
        assert!(of.explained().contains(words), "{}", of.explained());
        let note = of.most.is_none().then(|| "up to 1,000,000".to_owned());
        assert_eq!(of.note(), note);
    }
    let one = Capacity::of(&lane_of("every-frame", "fixed-step", &[(&COST, 4000.0)]));
    assert_eq!(one.entities_in_words(), "1 entity");
    assert_eq!(one.budget_in_words(), "4 ms per update");
}
