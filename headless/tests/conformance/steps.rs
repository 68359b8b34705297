//! Random steps of a [`TestGame`](crate::test_game::TestGame).

use crate::values::fraction;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use timeslicer::time::Nanos;

/// Action of a task while it runs.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Nothing,
    Die,
    Kill(Index),
    KillAll,
    Birth,
    Replace(Index),
    /// Dies, and a new task takes its slot.
    Rebirth,
    Request(Index),
    /// Requests itself.
    RequestAgain,
}

/// An update, or a change between updates.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Update {
        delta: Nanos,
        costs: Vec<Nanos>,
        actions: Vec<Action>,
    },
    Birth,
    Kill(Index),
    Replace(Index),
    Request(Index),
    /// Weights that the game answers from now on.
    Weigh(Vec<f64>),
    Tune(f64),
    Switch(Index),
}

/// Delta of an update, from 0 to 10 s. Most are below 50 ms, as in usual frames.
fn delta() -> impl Strategy<Value = Nanos> {
    prop_oneof![
        2 => Just(0),
        1 => Just(1),
        3 => Just(16_666_667),
        8 => 0..50_000_000u64,
        2 => 0..2_000_000_000u64,
        1 => Just(10_000_000_000),
    ]
    .prop_map(Nanos::from_nanos)
}

fn update(action: BoxedStrategy<Action>) -> impl Strategy<Value = Step> {
    let cost = prop_oneof![Just(0), 0..100_000u64, 0..20_000_000u64].prop_map(Nanos::from_nanos);
    (delta(), vec(cost, 1..20), vec(action, 0..20)).prop_map(|(delta, costs, actions)| {
        Step::Update {
            delta,
            costs,
            actions,
        }
    })
}

/// What a game may answer for the weights of some tasks, valid or not.
fn weights() -> impl Strategy<Value = Vec<f64>> {
    let weight = prop_oneof![
        2 => Just(f64::NAN),
        1 => Just(-1.0),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
        2 => Just(0.0),
        1 => Just(f64::MIN_POSITIVE),
        2 => Just(1.0),
        8 => 0.0..1.0,
    ];
    vec(weight, 1..8)
}

/// Steps that do not change the knobs or the number of tasks. A dead task is replaced at once.
pub(crate) fn steady(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let action = prop_oneof![
        8 => Just(Action::Nothing),
        2 => any::<Index>().prop_map(Action::Replace),
        1 => Just(Action::Rebirth),
        1 => any::<Index>().prop_map(Action::Request),
        1 => Just(Action::RequestAgain),
    ];
    let step = prop_oneof![
        4 => update(action.boxed()),
        1 => any::<Index>().prop_map(Step::Replace),
        3 => any::<Index>().prop_map(Step::Request),
        1 => weights().prop_map(Step::Weigh),
    ];
    vec(step, 0..count)
}

/// Steps of all kinds. Without `switches`, the strategy stays.
pub(crate) fn wild(count: usize, switches: bool) -> impl Strategy<Value = Vec<Step>> {
    let action = prop_oneof![
        12 => Just(Action::Nothing),
        2 => Just(Action::Die),
        2 => any::<Index>().prop_map(Action::Kill),
        1 => Just(Action::KillAll),
        4 => Just(Action::Birth),
        2 => any::<Index>().prop_map(Action::Replace),
        1 => Just(Action::Rebirth),
        2 => any::<Index>().prop_map(Action::Request),
        2 => Just(Action::RequestAgain),
    ];
    let step = prop_oneof![
        8 => update(action.boxed()),
        3 => Just(Step::Birth),
        2 => any::<Index>().prop_map(Step::Kill),
        2 => any::<Index>().prop_map(Step::Replace),
        5 => any::<Index>().prop_map(Step::Request),
        1 => weights().prop_map(Step::Weigh),
        1 => fraction().prop_map(Step::Tune),
        u32::from(switches) => any::<Index>().prop_map(Step::Switch),
    ];
    vec(step, 0..count)
}
