//! Generates random steps for a [`TestGame`](crate::test_game::TestGame).

use crate::values::fraction;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use timeslicer::time::Nanos;

/// The task that an action affects. `None` is the running task.
pub(crate) type Target = Option<Index>;

/// What happens while a task runs, or between updates.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Nothing,
    Birth,
    Kill(Target),
    /// The target dies, and a new task is born in its slot.
    Replace(Target),
    Request(Target),
    KillAll,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// An update. `costs` are indexed by task. The first task that runs takes the first action, and so on.
    Update {
        delta: Nanos,
        costs: Vec<Nanos>,
        actions: Vec<Action>,
    },
    /// An action between two updates.
    Act(Action),
    Weigh(Vec<f64>),
    Tune(f64),
    Switch(Index),
}

/// Generates the delta of an update, from 0 to 10 s. Most deltas are below 50 ms, as in usual frames.
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

/// Generates a list of weights, some of which may be invalid.
fn weights() -> impl Strategy<Value = Vec<f64>> {
    const ODD: [f64; 6] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MIN_POSITIVE,
        -1.0,
        0.0,
    ];
    let odd = any::<Index>().prop_map(|pick| *pick.get(&ODD));
    vec(prop_oneof![8 => odd, 2 => Just(1.0), 8 => 0.0..1.0], 1..8)
}

/// Generates a random action. If `grows` is 0, the number of tasks stays the same, because a dead task is replaced at
/// once.
fn action(grows: u32) -> impl Strategy<Value = Action> {
    prop_oneof![
        12 => Just(Action::Nothing),
        4 => any::<Target>().prop_map(Action::Replace),
        4 => any::<Target>().prop_map(Action::Request),
        4 * grows => any::<Target>().prop_map(Action::Kill),
        4 * grows => Just(Action::Birth),
        grows => Just(Action::KillAll),
    ]
}

fn steps(count: usize, wild: u32, switches: u32) -> impl Strategy<Value = Vec<Step>> {
    let cost = prop_oneof![Just(0), 0..100_000u64, 0..20_000_000u64].prop_map(Nanos::from_nanos);
    let update = (delta(), vec(cost, 1..20), vec(action(wild), 0..20));
    let update = update.prop_map(|(delta, costs, actions)| Step::Update {
        delta,
        costs,
        actions,
    });
    let step = prop_oneof![
        8 => update,
        12 => action(wild).prop_map(Step::Act),
        4 => any::<Index>().prop_map(|task| Step::Act(Action::Request(Some(task)))),
        1 => weights().prop_map(Step::Weigh),
        wild => fraction().prop_map(Step::Tune),
        switches => any::<Index>().prop_map(Step::Switch),
    ];
    vec(step, 0..count)
}

/// Generates steps that change neither the knobs nor the number of tasks.
pub(crate) fn steady(count: usize) -> impl Strategy<Value = Vec<Step>> {
    steps(count, 0, 0)
}

/// Generates steps of all kinds. The strategy is only switched if `switches` is true.
pub(crate) fn wild(count: usize, switches: bool) -> impl Strategy<Value = Vec<Step>> {
    steps(count, 1, u32::from(switches))
}
