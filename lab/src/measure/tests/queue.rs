//! Compares requested runs with a simple model of a queue, which knows only who requested a run and how long runs take.

use super::super::{MeasuredLane, Times};
use crate::catalog::strategy::knobs::{BUDGET, PAY_BACK, PREDICT};
use crate::catalog::strategy::request_list::MAX_REQUESTS;
use crate::sim::disturbance::{Disturbance, Scheduled};
use crate::sim::lane::{Lane, Observer, Run};
use crate::sim::machine::Simulated;
use crate::sim::world::{
    CHURN, COST, COST_PER_RUN, COST_SPREAD, Crowd, ENTITIES, REQUESTS, Weights,
};
use crate::testing::settings;
use proptest::prelude::*;
use std::collections::VecDeque;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

/// The model of the queue. `waiting` contains the tasks with pending requests, oldest first.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<(TaskId, GameTime)>,
    now: GameTime,
    waits: Vec<Nanos>,
    /// How long each task took in the current update.
    took: Vec<Nanos>,
    /// For each update, how long each of its tasks took, and the number of requests that were still waiting.
    updates: Vec<(Vec<Nanos>, usize)>,
}

impl Observer for Queue {
    fn died(&mut self, task: TaskId, _staleness: Nanos, _weights: &Weights) {
        let position = self
            .waiting
            .iter()
            .position(|(waiting, _)| *waiting == task);
        if let Some((_, requested_at)) = position.and_then(|it| self.waiting.remove(it)) {
            self.waits.push(self.now - requested_at);
        }
    }

    fn requested(&mut self, task: TaskId, requested_at: GameTime) {
        if self.waiting.iter().all(|(waiting, _)| *waiting != task) {
            self.waiting.push_back((task, requested_at));
        }
    }

    fn time_advanced(&mut self, delta: Nanos) {
        self.now += delta;
    }

    fn ran(&mut self, runs: &[Run], _crowd: &Crowd, _weights: &Weights) {
        for run in runs {
            let first = self.waiting.pop_front();
            let (task, requested_at) = first.expect("only requested tasks run");
            assert_eq!(run.task, task, "the oldest request comes first");
            self.waits.push(self.now - requested_at);
            self.took.push(run.took);
        }
    }

    fn update_ended(&mut self, _task_time: Nanos, _budget: Nanos, _is_clock_exact: bool) {
        let took = std::mem::take(&mut self.took);
        self.updates.push((took, self.waiting.len()));
    }
}

proptest! {
    #[test]
    fn requests_are_served_like_a_queue(
        entities in 1..300_u32,
        rate in 0.1..5.0_f64,
        churn in prop_oneof![Just(0.0), 0.1..20.0_f64],
        cost_us in 10.0..3000.0_f64,
        spread in prop_oneof![Just(0.0), 0.1..1.5_f64],
        per_run in prop_oneof![Just(0.0), 0.0..1.0_f64, Just(1.0)],
        burst in 0..400_usize,
        most in prop_oneof![Just(0.0), 1.0..20.0_f64],
        budget_ms in 0.1..8.0_f64,
        has_budget: bool,
    ) {
        let set = [
            (&ENTITIES, entities.into()),
            (&REQUESTS, rate),
            (&CHURN, churn),
            (&COST, cost_us),
            (&COST_SPREAD, spread),
            (&COST_PER_RUN, per_run),
            (&MAX_REQUESTS, most),
            (&BUDGET, budget_ms),
            (&PREDICT, 0.0),
            (&PAY_BACK, 0.0),
        ];
        let key = if has_budget { "time-budget" } else { "request-list" };
        let mut settings = settings(key, "variable-step", &set);
        let at = Nanos::from_millis(500);
        settings.scheduled.push(Scheduled { at, effect: Disturbance::Requests.of_size(burst as f64) });
        let budget = if has_budget { settings.knobs.span(&BUDGET) } else { Nanos::MAX };
        let most = match settings.knobs.get(&MAX_REQUESTS) as usize {
            0 => usize::MAX,
            _ if has_budget => usize::MAX,
            most => most,
        };

        let mut lane = Lane::<Simulated, Queue>::new(settings.clone(), Simulated::default());
        let mut measured = MeasuredLane::new(settings.clone(), Simulated::default());
        for _ in 0..120 {
            lane.frame();
            measured.frame();
        }

        let queue = lane.observer();
        for (took, waiting) in &queue.updates {
            let spent = |count: usize| took[..count].iter().copied().sum::<Nanos>();
            let may_go_on = |count| count < most && (count == 0 || spent(count) < budget);
            prop_assert!((0..took.len()).all(may_go_on));
            prop_assert!(*waiting == 0 || !may_go_on(took.len()));
        }
        let (expected, found) = (Times::of(&queue.waits), measured.final_report().request_wait);
        prop_assert_eq!((found.count, found.max), (expected.count, expected.max));
        prop_assert!(found.mean.abs_diff(expected.mean) <= Nanos::from_nanos(1));
    }
}
