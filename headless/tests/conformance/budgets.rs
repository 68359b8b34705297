//! Strategies with a budget keep it.

use crate::table::{Table, Update};
use timeslicer::knob::Knob;
use timeslicer::strategy::knobs::{PAY_BACK, PREDICT};
use timeslicer::strategy::{STRATEGIES, StrategyEntry};
use timeslicer::time::Nanos;

const FRAME: Nanos = Nanos::from_millis(16);

/// Returns the strategies with this knob.
fn with_knob(knob: &'static Knob) -> impl Iterator<Item = &'static StrategyEntry> {
    let has_knob = |entry: &&StrategyEntry| entry.knobs.contains(knob);
    STRATEGIES
        .iter()
        .copied()
        .filter(move |entry| has_knob(entry))
}

/// Creates a table with more work than its budget allows. Costs are from 0.1 ms to `longest`.
fn overloaded(
    entry: &'static StrategyEntry,
    predicts: bool,
    pays_back: bool,
    longest: Nanos,
) -> Table {
    let mut table = Table::new(entry, 100, &[]);
    table.set(&PREDICT, f64::from(u8::from(predicts)));
    table.set(&PAY_BACK, f64::from(u8::from(pays_back)));
    table.costs = [100, 700, 300, 900, 1900, 400, 250]
        .map(Nanos::from_micros)
        .to_vec();
    table.costs.push(longest);
    table
}

/// Makes updates until every task has run, and then `count` more, and returns these.
fn updates(table: &mut Table, count: usize) -> Vec<Update> {
    let warm_up = 40 * table.tasks.len();
    let mut made = (0..warm_up + count).map(|_| {
        table.request_all();
        table.update(FRAME)
    });
    (0..warm_up).for_each(|_| drop(made.next()));
    made.collect()
}

#[test]
fn predicted_updates_exceed_the_budget_only_by_one_task() {
    for entry in with_knob(&PREDICT) {
        for pays_back in [false, true] {
            let mut table = overloaded(entry, true, pays_back, Nanos::from_millis(6));
            let budget = table.strategy.budget().expect("admission has a budget");
            for update in updates(&mut table, 300) {
                let most = budget.max(update.longest);
                let ran = update.ran.len();
                assert!(
                    update.spent <= most,
                    "{}: {} in {ran}",
                    entry.key,
                    update.spent
                );
                assert!(update.spent <= budget || ran == 1, "{}: {ran}", entry.key);
            }
        }
    }
}

#[test]
fn with_pay_back_the_mean_keeps_the_budget() {
    for entry in with_knob(&PAY_BACK) {
        for predicts in [false, true] {
            // At most half of a budget is paid back, so a longer task could not be.
            let longest = Nanos::from_millis(2);
            let mut table = overloaded(entry, predicts, true, longest);
            let budget = table.strategy.budget().expect("admission has a budget");
            let all = updates(&mut table, 500);
            let spent: Nanos = all.iter().map(|update| update.spent).sum();
            let mean = spent.as_secs_f64() / all.len() as f64 / budget.as_secs_f64();
            assert!(
                (0.7..=1.01).contains(&mean),
                "{}: {mean} budgets",
                entry.key
            );
        }
    }
}
