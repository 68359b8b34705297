//! What may happen at a table, drawn at random.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use timeslice::time::Nanos;

/// What a task does while it runs.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Nothing,
    Die,
    Kill(Index),
    KillAll,
    Birth,
    Replace(Index),
    /// Dies, and another is born, in its place.
    Rebirth,
    Ask(Index),
    AskAgain,
}

/// What happens next; all but the update happen between updates.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Update {
        delta: Nanos,
        costs: Vec<Nanos>,
        deeds: Vec<Deed>,
    },
    Birth,
    Kill(Index),
    Replace(Index),
    Ask(Index),
    Tune(f64),
    Switch(Index),
}

/// Where a knob may stand on its slider; often at an end.
pub(crate) fn fraction() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 1 => Just(1.0), 6 => 0.0..1.0]
}

/// Mostly frames, but anything from no time at all to ten seconds.
pub(crate) fn delta() -> impl Strategy<Value = Nanos> {
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

fn update(deed: BoxedStrategy<Deed>) -> impl Strategy<Value = Step> {
    let cost = prop_oneof![Just(0), 0..100_000u64, 0..20_000_000u64].prop_map(Nanos::from_nanos);
    (delta(), vec(cost, 0..20), vec(deed, 0..20)).prop_map(|(delta, costs, deeds)| Step::Update {
        delta,
        costs,
        deeds,
    })
}

/// Steps that leave the population and the knobs as they are: whoever dies is replaced at once.
pub(crate) fn steady(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let deed = prop_oneof![
        8 => Just(Deed::Nothing),
        2 => any::<Index>().prop_map(Deed::Replace),
        1 => Just(Deed::Rebirth),
        1 => any::<Index>().prop_map(Deed::Ask),
        1 => Just(Deed::AskAgain),
    ];
    let step = prop_oneof![
        4 => update(deed.boxed()),
        1 => any::<Index>().prop_map(Step::Replace),
        3 => any::<Index>().prop_map(Step::Ask),
    ];
    vec(step, 0..count)
}

/// Steps of all kinds.
pub(crate) fn wild(count: usize) -> impl Strategy<Value = Vec<Step>> {
    vec(wild_step(true), 0..count)
}

/// Steps of all kinds but a change of strategy.
pub(crate) fn wild_under_one_strategy(count: usize) -> impl Strategy<Value = Vec<Step>> {
    vec(wild_step(false), 0..count)
}

fn wild_step(switches: bool) -> impl Strategy<Value = Step> {
    let deed = prop_oneof![
        12 => Just(Deed::Nothing),
        2 => Just(Deed::Die),
        2 => any::<Index>().prop_map(Deed::Kill),
        1 => Just(Deed::KillAll),
        4 => Just(Deed::Birth),
        2 => any::<Index>().prop_map(Deed::Replace),
        1 => Just(Deed::Rebirth),
        2 => any::<Index>().prop_map(Deed::Ask),
        2 => Just(Deed::AskAgain),
    ];
    prop_oneof![
        8 => update(deed.boxed()),
        3 => Just(Step::Birth),
        2 => any::<Index>().prop_map(Step::Kill),
        2 => any::<Index>().prop_map(Step::Replace),
        5 => any::<Index>().prop_map(Step::Ask),
        1 => fraction().prop_map(Step::Tune),
        u32::from(switches) => any::<Index>().prop_map(Step::Switch),
    ]
}
