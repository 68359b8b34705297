use super::*;
use crate::sim::world::{COST, ENTITIES};
use crate::testing::settings;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;
use timeslicer::time::Nanos;

fn question(set: &[(&Knob, f64)], limits: Limits) -> Question {
    Question {
        settings: settings("fixed-interval", "variable-step", set),
        strategies: STRATEGIES.to_vec(),
        length: Length::Time(Nanos::from_secs(10)),
        steps: STEPS,
        limits,
        goal: Goal::WeightedMean,
        explains: true,
    }
}

fn swept(question: Question, threads: usize) -> Sweep {
    let sweep = Mutex::new(Sweep::new(question));
    run_on_threads(&sweep, threads, &AtomicBool::new(false), |_, _| {});
    sweep.into_inner().unwrap()
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let limits = Limits {
        tasks: Some(Nanos::from_millis(4)),
        ..Limits::default()
    };
    let question = Question {
        length: Length::Time(Nanos::SECOND),
        steps: 5,
        ..question(&[(&ENTITIES, 200.0), (&COST, 50.0)], limits)
    };
    let [one, many] = [1, 8].map(|threads| swept(question.clone(), threads));
    for (one, many) in one.curves().iter().zip(many.curves()) {
        assert_eq!(one.points, many.points);
    }
    assert!(one.answer().best.is_some());
}
