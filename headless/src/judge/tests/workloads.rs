//! Generates random questions for a sweep.

use super::super::{Limits, Objective, Question};
use crate::sim::lane::Length;
use crate::sim::machine::{DISPLAY_HZ, RENDER_MS};
use crate::sim::settings::Settings;
use crate::sim::world::{
    CHURN, COST, COST_SPREAD, ENTITIES, FALLOFF, NEAR, OwnCosts, Point, REQUESTS, TARGET_SPEED,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::frame_loop::knobs::STEP;
use timeslicer::frame_loop::unsynced;
use timeslicer::knob::KnobValues;
use timeslicer::strategy::STRATEGIES;
use timeslicer::time::Nanos;

/// Generates questions with at most `entities` entities and at most `millis` milliseconds on the machine's clock.
pub fn questions(entities: u32, millis: u64) -> impl Strategy<Value = Question> {
    let crowd = (
        1..=entities,
        logarithmic(1.0, 1500.0),
        prop_oneof![Just(0.0), 0.1..1.2_f64],
        prop_oneof![2 => Just(0.0), 1 => logarithmic(1.0, 300.0)],
        option::weighted(0.2, vec(1..4000_u64, 1..20)),
    );
    let world = (
        0.05..0.4_f64,
        0.0..4.0_f64,
        0.5..20.0_f64,
        option::of((0.0..1.0_f32, 0.0..0.5_f32)),
        prop_oneof![Just(0.0), 0.05..2.0_f64],
    );
    let frames = (
        prop_oneof![Just(0), 0..FRAME_LOOPS.len()],
        prop_oneof![Just(60.0), Just(30.0), Just(144.0)],
        prop_oneof![3 => Just(0.0), 1 => Just(4.0), 1 => Just(20.0_f64)],
        prop_oneof![2 => Just(1000.0 / 60.0), 1 => Just(4.0), 1 => Just(50.0)],
        millis / 4..=millis,
    );
    let limits = (
        option::of(logarithmic(0.2, 20.0)),
        option::of(logarithmic(5.0, 1000.0)),
        option::of(logarithmic(0.05, 10.0)),
        prop_oneof![3 => Just(true), 1 => Just(false)],
        0..3_u8,
        0..100_u64,
    );
    (crowd, world, frames, limits).prop_map(|(crowd, world, frames, limits)| {
        let (entities, cost, spread, churn, own) = crowd;
        let (near, falloff, requests, target, target_speed) = world;
        let (frame_loop, hz, render, step, length) = frames;
        let (tasks, near_ms, longest, no_hitches, objective, seed) = limits;
        // Without drawing, frames would be as short as the machine allows.
        let is_unsynced = *FRAME_LOOPS[frame_loop] == unsynced::ENTRY;
        let render = if is_unsynced {
            f64::max(render, 2.0)
        } else {
            render
        };
        let own = own.map(|all| all.into_iter().map(Nanos::from_micros).collect());
        Question {
            settings: Settings {
                frame_loop: FRAME_LOOPS[frame_loop],
                knobs: KnobValues::with(&[
                    (&ENTITIES, entities.into()),
                    (&COST, cost),
                    (&COST_SPREAD, spread),
                    (&CHURN, churn),
                    (&NEAR, near),
                    (&FALLOFF, falloff),
                    (&REQUESTS, requests),
                    (&TARGET_SPEED, target_speed),
                    (&DISPLAY_HZ, hz),
                    (&RENDER_MS, render),
                    (&STEP, step),
                ]),
                seed,
                target: target.map(|(x, y)| Point { x, y }),
                own_costs: own.and_then(|costs| OwnCosts::new("costs", costs)),
                ..Settings::default()
            },
            strategies: STRATEGIES.to_vec(),
            length: Length::Time(Nanos::from_millis(length)),
            steps: super::super::STEPS,
            limits: Limits {
                tasks: tasks.map(Nanos::from_millis_f64),
                near: near_ms.map(Nanos::from_millis_f64),
                longest: longest.map(Nanos::from_secs_f64),
                no_hitches,
            },
            objective: [
                Objective::WeightedMean,
                Objective::WeightedWorst,
                Objective::Worst,
            ][usize::from(objective)],
            explains: false,
        }
    })
}

fn logarithmic(from: f64, to: f64) -> impl Strategy<Value = f64> {
    (from.ln()..to.ln()).prop_map(f64::exp)
}
