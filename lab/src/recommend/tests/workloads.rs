//! Generates random questions.

use super::super::{Limits, Question};
use crate::catalog::frame_loop::knobs::STEP;
use crate::catalog::frame_loop::{FRAME_LOOPS, unsynced, variable_step};
use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::STRATEGIES;
use crate::measure::Objective;
use crate::sim::machine::{DISPLAY_HZ, RENDER_MS};
use crate::sim::recording::Recording;
use crate::sim::settings::Settings;
use crate::sim::world::{
    CHURN, COST, COST_SPREAD, ENTITIES, FALLOFF, NEAR, Point, REQUESTS, TARGET_SPEED,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use timeslicer::time::Nanos;

/// Generates questions with at most 120 entities. Most of the limits are hard to keep, but not impossible.
pub fn questions() -> impl Strategy<Value = Question> {
    let crowd = (
        logarithmic(10.0, 120.0),
        logarithmic(10.0, 800.0),
        prop_oneof![Just(0.0), 0.1..1.0_f64],
        prop_oneof![3 => Just(0.0), 1 => logarithmic(1.0, 60.0)],
        option::weighted(0.2, vec(1..4_u64, 1..20)),
    );
    let world = (
        0.05..0.4_f64,
        0.0..4.0_f64,
        0.5..20.0_f64,
        option::of((0.0..1.0_f32, 0.0..0.5_f32)),
        prop_oneof![Just(0.0), 0.05..2.0_f64],
    );
    let frames = (
        prop_oneof![3 => Just(None), 1 => (0..FRAME_LOOPS.len()).prop_map(Some)],
        prop_oneof![Just(60.0), Just(30.0), Just(144.0)],
        prop_oneof![3 => Just(0.0), 1 => Just(4.0), 1 => Just(20.0_f64)],
        prop_oneof![2 => Just(1000.0 / 60.0), 1 => Just(4.0), 1 => Just(50.0)],
        1_000..2_000_u64,
    );
    let limits = (
        // The limit on task time, as the number of frames in which all tasks run once if each frame uses it fully.
        option::weighted(0.9, logarithmic(0.8, 20.0)),
        // The limits on waits, as multiples of the time that these frames take.
        option::of(logarithmic(0.4, 2.0)),
        option::of(logarithmic(1.1, 4.0)),
        prop::bool::weighted(0.8),
        prop_oneof![
            2 => Just(Objective::WeightedMean),
            1 => Just(Objective::WeightedWorst),
            1 => Just(Objective::Worst),
        ],
        0..100_u64,
    );
    (crowd, world, frames, limits).prop_map(|(crowd, world, frames, limits)| {
        let (entities, cost, spread, churn, own) = crowd;
        let (near, falloff, requests, target, target_speed) = world;
        let (frame_loop, hz, render, step, millis) = frames;
        let (round, near_rounds, longest_rounds, holds_frame_rate, objective, seed) = limits;
        // Unsynced never waits, so without drawing, there would be far too many frames.
        let frame_loop = frame_loop.map_or(&variable_step::ENTRY, |nth| FRAME_LOOPS[nth]);
        let is_unsynced = *frame_loop == unsynced::ENTRY;
        let render: f64 = if is_unsynced { 2.0 } else { render };
        let costs = |all: Vec<u64>| {
            all.into_iter()
                .map(|it| Nanos::from_micros(it * cost as u64))
        };
        let own_costs = own.and_then(|all| Recording::of_costs("costs", costs(all).collect()));
        let mut settings = Settings {
            frame_loop,
            knobs: KnobValues::with(&[
                (&ENTITIES, entities.round()),
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
            own_costs,
            ..Settings::default()
        };
        settings.strategy = STRATEGIES[seed as usize % STRATEGIES.len()];
        let all_tasks = entities * settings.mean_cost().as_secs_f64();
        let round_time = round.unwrap_or(4.0).ceil() / hz;
        let seconds = |rounds: Option<f64>| rounds.map(|it| Nanos::from_secs_f64(it * round_time));
        let limits = Limits {
            tasks: round
                .map(|round| Nanos::from_secs_f64(1.1 * all_tasks / round.min(entities / 3.0))),
            near: seconds(near_rounds),
            longest: seconds(longest_rounds),
            allows_slow_frames: !holds_frame_rate,
            ..Limits::default()
        };
        Question {
            objective,
            trial_time: Nanos::from_millis(millis),
            ..Question::new(settings, limits)
        }
    })
}

fn logarithmic(from: f64, to: f64) -> impl Strategy<Value = f64> {
    (from.ln()..to.ln()).prop_map(f64::exp)
}
