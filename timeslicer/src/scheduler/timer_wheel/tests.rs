//! The wheel is compared with a sorted map.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn of(index: u32, generation: u32) -> TaskId {
    TaskId { index, generation }
}

/// Pops everything. Returns the indices.
fn drained(wheel: &mut TimerWheel) -> Vec<u32> {
    std::iter::from_fn(|| wheel.pop())
        .map(|(task, _)| task.index)
        .collect()
}

#[test]
fn equal_keys_leave_in_the_order_of_their_indices() {
    for key in [0, 5, u64::MAX] {
        let mut wheel = TimerWheel::new();
        for index in (0..100_000).rev() {
            wheel.push(TaskId::of(index), key);
        }
        assert!(drained(&mut wheel).into_iter().eq(0..100_000));
    }
}

#[test]
fn a_million_tasks_can_join_with_the_key_that_leaves() {
    let mut wheel = TimerWheel::new();
    wheel.push(TaskId::of(1_000_000), 7);
    assert_eq!(wheel.peek(), Some((TaskId::of(1_000_000), 7)));
    for index in (0..1_000_000).rev() {
        wheel.push(TaskId::of(index), 7);
    }
    assert!(drained(&mut wheel).into_iter().eq(0..=1_000_000));
}

#[test]
fn a_million_tasks_can_join_in_falling_order() {
    let mut wheel = TimerWheel::new();
    wheel.push(TaskId::of(0), u64::MAX);
    wheel.peek();
    for index in 1..1_000_000 {
        wheel.push(TaskId::of(index), u64::MAX - u64::from(index) * 1_000_003);
    }
    assert!(drained(&mut wheel).into_iter().eq((0..1_000_000).rev()));
}

#[test]
fn a_limit_keeps_later_slots_whole() {
    let mut wheel = TimerWheel::new();
    for index in 0..1000 {
        wheel.push(TaskId::of(index), 1_000_000_000 + u64::from(index));
    }
    assert_eq!(wheel.pop_until(800_000_000), None);
    assert_eq!(wheel.slots.base(), 0);
    assert_eq!(wheel.pop_until(1_000_000_000).unwrap().0.index, 0);
    assert_eq!(wheel.pop_until(1_000_000_000), None);
}

#[test]
fn stale_entries_and_chunks_are_reused() {
    let mut wheel = TimerWheel::new();
    for step in 0..1_000_000u64 {
        wheel.push(TaskId::of(step as u32 % 100), step * 1000 + step % 7);
        if step % 3 == 0 {
            wheel.remove(TaskId::of(step as u32 % 64));
        }
        if step % 50 == 0 {
            wheel.pop_until(step * 500);
        }
    }
    assert!(wheel.entries <= 2 * wheel.len() + FEW, "{}", wheel.entries);
    assert!(wheel.slots.chunks() < 300, "{}", wheel.slots.chunks());
}

#[test]
fn a_newborn_replaces_the_task_with_its_index() {
    let mut wheel = TimerWheel::new();
    wheel.push(of(3, 0), 10);
    wheel.push(of(3, 1), 10);
    assert!(!wheel.contains(of(3, 0)));
    assert!(!wheel.remove(of(3, 0)));
    assert_eq!((wheel.len(), wheel.key(of(3, 1))), (1, Some(10)));
    wheel.push(of(3, 2), 20);
    assert_eq!(wheel.pop(), Some((of(3, 2), 20)));
    assert_eq!(wheel.pop(), None);
    assert!(wheel.is_empty());
}

#[derive(Clone, Debug)]
enum Step {
    Push(u32, u64),
    /// Pushes this many tasks with keys from here on, this far apart.
    Many(u32, u64, u64),
    /// Pushes behind the last popped key.
    Later(u32, u64),
    Remove(u32),
    Pop(usize),
    PopUntil(u64),
    Peek,
}

fn any_key() -> impl Strategy<Value = u64> {
    prop_oneof![
        0..5u64,
        0..100_000u64,
        any::<u64>(),
        (0..64u32).prop_map(|shift| 1 << shift),
        (0..3u64).prop_map(|less| u64::MAX - less),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    let task = || 0..300u32;
    prop_oneof![
        3 => (task(), any_key()).prop_map(|(task, key)| Step::Push(task, key)),
        1 => (task(), any_key(), 0..3u64).prop_map(|(n, key, gap)| Step::Many(n, key, gap)),
        3 => (task(), 0..1_000_000u64).prop_map(|(task, later)| Step::Later(task, later)),
        1 => task().prop_map(Step::Remove),
        2 => (0..90usize).prop_map(Step::Pop),
        2 => any_key().prop_map(Step::PopUntil),
        1 => Just(Step::Peek),
    ]
}

proptest! {
    #[test]
    fn it_behaves_like_a_sorted_map(steps in prop::collection::vec(any_step(), 1..120)) {
        let mut wheel = TimerWheel::new();
        // Keys by task index, and tasks in the order of the queue.
        let mut keys: BTreeMap<u32, u64> = BTreeMap::new();
        let mut order: BTreeSet<(u64, u32)> = BTreeSet::new();
        let mut present = 0u64;
        for step in steps {
            let mut pushes = Vec::new();
            match step {
                Step::Push(task, key) => pushes.push((task, key)),
                Step::Many(count, key, gap) => pushes.extend(
                    (0..count).map(|at| (at, key.saturating_add(gap * u64::from(at)))),
                ),
                Step::Later(task, later) => pushes.push((task, present.saturating_add(later))),
                Step::Remove(task) => {
                    let key = keys.remove(&task);
                    prop_assert_eq!(wheel.remove(TaskId::of(task)), key.is_some());
                    if let Some(key) = key { order.remove(&(key, task)); }
                }
                Step::Pop(count) => for _ in 0..count {
                    let first = order.pop_first().map(|(key, task)| (TaskId::of(task), key));
                    prop_assert_eq!(wheel.pop(), first);
                    let Some((task, key)) = first else { break };
                    keys.remove(&task.index);
                    present = key;
                },
                Step::PopUntil(limit) => loop {
                    let first = order.first().copied();
                    let first = first.filter(|&(key, _)| key <= limit);
                    let expected = first.map(|(key, task)| (TaskId::of(task), key));
                    prop_assert_eq!(wheel.pop_until(limit), expected);
                    let Some((key, task)) = first else { break };
                    order.pop_first();
                    keys.remove(&task);
                    present = key;
                },
                Step::Peek => {
                    let first = order.first().map(|&(key, task)| (TaskId::of(task), key));
                    prop_assert_eq!(wheel.peek(), first);
                }
            }
            for (task, key) in pushes {
                wheel.push(TaskId::of(task), key);
                if let Some(old) = keys.insert(task, key) { order.remove(&(old, task)); }
                order.insert((key, task));
            }
            prop_assert_eq!(wheel.len(), keys.len());
            prop_assert!(wheel.entries <= 2 * wheel.len() + FEW);
            for task in 0..300 {
                prop_assert_eq!(wheel.key(TaskId::of(task)), keys.get(&task).copied());
            }
        }
    }
}
