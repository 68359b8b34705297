//! Tests of what a game may rely on when it uses a `Timeslicer`.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;
use timeslicer::scheduler::UpdateContext;
use timeslicer::strategy::{
    EveryFrame, FixedInterval, Guarantee, MaxPerFrame, RequestList, STRATEGIES, Strategy,
};
use timeslicer::{TaskId, Timeslicer};

use super::{Clock, FRAME, add, request};

/// Runs the due tasks, and returns their keys in order.
fn update<S: Strategy>(slicer: &mut Timeslicer<u32, S>) -> Vec<u32> {
    let mut ran = Vec::new();
    let runs = slicer.update(FRAME, |key, _| ran.push(key));
    assert_eq!(runs, ran.len());
    ran
}

#[test]
fn it_can_be_shared_between_threads_and_taken_out_of_the_game() {
    fn check<T: Send + Sync + Default>() {}
    check::<Timeslicer<u32>>();
    check::<Timeslicer<u32, FixedInterval>>();
}

#[test]
fn requests_survive_every_switch() {
    let mut slicer: Timeslicer<u32> = Timeslicer::new(Box::new(RequestList::new()));
    let tasks = [0, 1, 2, 3, 4].map(|key| slicer.add(key));
    for index in [3, 1, 4] {
        slicer.request(tasks[index]);
    }
    let mut former = slicer.set_strategy(Box::new(MaxPerFrame::new(1)));
    assert_eq!(former.backlog(), 0, "it comes back without tasks");
    assert_eq!(update(&mut slicer), [0]);
    assert_eq!(update(&mut slicer), [1]); // which serves its request
    slicer.request(tasks[2]);
    slicer.remove(tasks[4]);
    former = slicer.set_strategy(former);
    assert_eq!(slicer.backlog(), 2, "without the dead task");
    assert_eq!(update(&mut slicer), [3, 2]);
    slicer.set_strategy(former);
    assert_eq!(update(&mut slicer), [0], "the stalest comes first");
}

#[test]
fn a_panic_loses_no_task_and_repeats_none() {
    for entry in STRATEGIES {
        for panicking in 0..8 {
            let mut slicer = Clock::default().slicer((entry.make)());
            let tasks = add(&mut slicer, 8);
            let mut panics = 0;
            for frame in 0..200 {
                request(&mut slicer, &tasks);
                let mut ran = Vec::new();
                let weight = |_: &Vec<u32>, _| match frame {
                    1 => resume_unwind(Box::new("a weight")),
                    _ => 1.0,
                };
                let run = |ran: &mut Vec<u32>, key, _| {
                    ran.push(key);
                    if key == panicking && panics == 0 {
                        panics += 1;
                        resume_unwind(Box::new("a run"));
                    }
                };
                let update = || slicer.update_weighted(FRAME, &mut ran, weight, run);
                let result = catch_unwind(AssertUnwindSafe(update));
                for (key, &task) in (0..).zip(&tasks) {
                    let runs = ran.iter().filter(|&&ran| ran == key).count();
                    let has_run = slicer.staleness(task) == Some(Duration::ZERO);
                    assert_eq!(runs, usize::from(has_run), "{}: {ran:?}", entry.name);
                }
                // Nothing runs after a panic.
                let panic = result.map_err(|panic| *panic.downcast::<&str>().unwrap());
                match panic {
                    Err("a run") => assert_eq!(ran.last(), Some(&panicking), "{}", entry.name),
                    Err(_) => assert!(ran.is_empty(), "{}: {ran:?}", entry.name),
                    Ok(runs) => assert_eq!(runs, ran.len()),
                }
            }
            assert_eq!(panics, 1, "{}", entry.name);
            for &task in &tasks {
                let staleness = slicer.staleness(task).expect("it is alive");
                assert!(staleness < Duration::from_secs(1), "{}", entry.name);
            }
        }
    }
}

#[test]
fn a_strategy_that_returns_runs_no_task_twice() {
    let two_seconds = |slicer: &mut Timeslicer<u32>, tasks: &[TaskId]| {
        let mut runs = 0;
        for _ in 0..125 {
            request(slicer, tasks);
            let mut ran = update(slicer);
            runs += ran.len();
            ran.sort_unstable();
            assert!(ran.is_sorted_by(|one, other| one < other), "{ran:?}");
        }
        runs
    };
    for entry in STRATEGIES {
        let slicer: Timeslicer<u32> = Timeslicer::new((entry.make)());
        let mut slicer = slicer.with_clock(|| Duration::ZERO);
        let tasks = add(&mut slicer, 60);
        let runs = two_seconds(&mut slicer, &tasks);
        for _ in 0..5 {
            let strategy = slicer.set_strategy(Box::new(EveryFrame::new()));
            slicer.set_strategy(strategy);
            two_seconds(&mut slicer, &tasks);
        }
        assert!(
            two_seconds(&mut slicer, &tasks).abs_diff(runs) <= 60,
            "{}",
            entry.name
        );
    }
}

/// A strategy that runs requested tasks, although its guarantee does not say that it runs tasks on request.
struct Urgent(Vec<TaskId>);

impl Strategy for Urgent {
    fn insert(&mut self, _task: TaskId) {}

    fn remove(&mut self, _task: TaskId) {}

    fn request(&mut self, task: TaskId) {
        self.0.push(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        context.run(&self.0);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(usize::MAX)
    }
}

#[test]
fn a_strategy_of_your_own_may_run_requests_besides() {
    let mut slicer = Timeslicer::new(Urgent(Vec::new()));
    let tasks = add(&mut slicer, 3);
    slicer.request(tasks[2]);
    assert_eq!(update(&mut slicer), [2]);
}

/// Generates the length of an update. Some are so long that the game time reaches its maximum.
fn millis() -> impl proptest::strategy::Strategy<Value = u64> {
    prop_oneof![20 => 0..400_u64, 1 => Just(u64::MAX)]
}

proptest! {
    /// Compares a timeslicer with a plain map that records each task's key and last run.
    #[test]
    fn it_agrees_with_a_plain_map(
        nth in 0..STRATEGIES.len(),
        steps in prop::collection::vec((0u8..8, 0usize..12, millis()), 1..150),
    ) {
        let mut slicer: Timeslicer<u32> = Timeslicer::new((STRATEGIES[nth].make)());
        let (mut living, mut dead, mut key) = (BTreeMap::new(), Vec::new(), 0);
        let mut now = Duration::ZERO;
        for (step, number, millis) in steps {
            let picked = living.keys().nth(number).copied();
            match (step, picked) {
                (0, Some(task)) => {
                    let (key, _) = living.remove(&task).unwrap();
                    prop_assert_eq!(slicer.remove(task), Some(key));
                    dead.push(task);
                }
                (1, Some(task)) => prop_assert!(slicer.request(task)),
                (2, Some(_)) => {
                    slicer.set_strategy((STRATEGIES[number % STRATEGIES.len()].make)());
                }
                (3 | 4, _) | (_, None) => {
                    living.insert(slicer.add(key), (key, now));
                    key += 1;
                }
                _ => {
                    let delta = Duration::from_millis(millis);
                    now = (now + delta).min(Duration::from_nanos(u64::MAX));
                    let mut ran = Vec::new();
                    let runs = slicer.update(delta, |key, elapsed| ran.push((key, elapsed)));
                    prop_assert_eq!(runs, ran.len());
                    for (key, elapsed) in ran {
                        let task = living.values_mut().find(|(other, _)| *other == key);
                        let (_, last_run) = task.expect("it is alive");
                        prop_assert_eq!(now.checked_sub(*last_run), Some(elapsed));
                        *last_run = now;
                    }
                }
            }
            prop_assert_eq!(slicer.len(), living.len());
            prop_assert!(slicer.backlog() <= living.len());
            for (&task, &(key, last_run)) in &living {
                prop_assert_eq!(slicer.get(task), Some(key));
                prop_assert_eq!(slicer.staleness(task), now.checked_sub(last_run));
            }
            for &task in &dead {
                prop_assert_eq!((slicer.get(task), slicer.staleness(task)), (None, None));
                prop_assert!(!slicer.request(task) && slicer.remove(task).is_none());
            }
        }
    }
}

#[cfg(feature = "serde")]
mod saved_games {
    use super::*;
    use timeslicer::Snapshot;
    use timeslicer::strategy::DistanceLod;

    /// Returns the timeslicer after it was saved and loaded.
    fn reloaded(slicer: &Timeslicer<u32>, strategy: Box<dyn Strategy>) -> Timeslicer<u32> {
        let saved = serde_json::to_string(&slicer.snapshot()).unwrap();
        let loaded: Snapshot<u32> = serde_json::from_str(&saved).unwrap();
        assert_eq!(loaded, slicer.snapshot());
        Timeslicer::restore(strategy, &loaded)
    }

    /// Plays a frame of a game: adds, removes or requests some tasks, and runs an update. A run takes from 1 µs to
    /// 0.6 ms. Returns the runs in order.
    fn play(slicer: &mut Timeslicer<u32>, clock: &Clock, frame: u32) -> Vec<(TaskId, Duration)> {
        let tasks: Vec<TaskId> = slicer.iter().map(|(task, _)| task).collect();
        let pick = |salt: u32| tasks[(frame * 7919 + salt * 31) as usize % tasks.len()];
        match frame % 5 {
            0 => _ = slicer.add(frame),
            1 if tasks.len() > 20 => _ = slicer.remove(pick(1)),
            2 => _ = slicer.run_next(pick(2)),
            _ => {}
        }
        for salt in 3..9 {
            slicer.request(pick(salt));
        }
        let weight = |frame: &u32, key: &u32| f64::from((key + frame / 40) % 7 + 1) / 7.0;
        let mut ran = Vec::new();
        let delta = Duration::from_millis(10 + u64::from(frame % 3) * 7);
        slicer.update_with(delta, &mut { frame }, weight, |_, run| {
            let cost = u64::from(run.key() % 7) * 100;
            clock.advance(cost.max(1));
            ran.push((run.task(), run.elapsed()));
            if run.key() % 11 == 0 && run.elapsed() > Duration::from_millis(200) {
                run.again();
            }
        });
        ran
    }

    #[test]
    fn a_loaded_game_goes_on_exactly() {
        for entry in STRATEGIES {
            for saved_after in [0, 1, 17, 250] {
                let clock = Clock::default();
                let mut slicer = clock.slicer((entry.make)());
                add(&mut slicer, 50);
                for frame in 0..saved_after {
                    play(&mut slicer, &clock, frame);
                }
                let own = Clock::default();
                let loaded = reloaded(&slicer, (entry.make)());
                let mut loaded = loaded.with_clock(own.reader());
                for frame in saved_after..saved_after + 400 {
                    let expected = play(&mut slicer, &clock, frame);
                    let ran = play(&mut loaded, &own, frame);
                    assert_eq!(ran, expected, "{} in frame {frame}", entry.name);
                    assert_eq!(loaded.backlog(), slicer.backlog(), "{}", entry.name);
                }
            }
        }
    }

    #[test]
    fn a_saved_game_may_be_loaded_with_another_strategy_or_other_settings() {
        for entry in STRATEGIES {
            for other in STRATEGIES {
                let mut slicer = Clock::default().slicer((entry.make)());
                let tasks = add(&mut slicer, 20);
                (0..7).for_each(|_| _ = update(&mut slicer));
                request(&mut slicer, &[tasks[9], tasks[2], tasks[11]]);
                let mut loaded = reloaded(&slicer, (other.make)());
                if (other.make)().guarantee().is_on_request() {
                    assert_eq!(update(&mut loaded), [9, 2, 11], "{}", entry.name);
                }
                for _ in 0..100 {
                    request(&mut loaded, &tasks);
                    update(&mut loaded);
                }
                let staleness = tasks.iter().map(|&task| loaded.staleness(task).unwrap());
                let longest = staleness.max().unwrap();
                assert!(longest <= Duration::from_secs(1), "{}", other.name);
            }
        }
        // The intervals of the new strategy apply, not those with which the game was saved.
        let lod = |millis| {
            Box::new(DistanceLod::new().with_intervals(FRAME, Duration::from_millis(millis)))
        };
        let mut slicer: Timeslicer<u32> = Timeslicer::new(lod(160));
        add(&mut slicer, 100);
        let weightless = |slicer: &mut Timeslicer<u32>| {
            (0..10)
                .map(|_| slicer.update_weighted(FRAME, &mut (), |(), _| 0.0, |(), _, _| ()))
                .sum::<usize>()
        };
        assert_eq!(weightless(&mut slicer), 100);
        let mut loaded = reloaded(&slicer, lod(1600));
        weightless(&mut loaded);
        let runs: usize = (0..20).map(|_| weightless(&mut loaded)).sum();
        assert!(runs <= 220, "{runs}");
        let interval = |millis| Box::new(FixedInterval::new(Duration::from_millis(millis)));
        let mut slicer: Timeslicer<u32> = Timeslicer::new(interval(1600));
        add(&mut slicer, 100);
        assert_eq!(update(&mut slicer).len(), 1);
        let mut loaded = reloaded(&slicer, interval(160));
        assert_eq!(update(&mut loaded).len(), 10);
    }

    #[test]
    fn an_edited_game_is_loaded_without_the_state_of_the_strategy() {
        let mut slicer: Timeslicer<u32> = Timeslicer::new(Box::new(MaxPerFrame::new(1)));
        add(&mut slicer, 3);
        assert_eq!(update(&mut slicer), [0]);
        let saved = serde_json::to_string(&slicer.snapshot()).unwrap();
        assert!(saved.contains("\"numbers\":[3,0,"), "{saved}");
        let edited = saved.replacen("\"numbers\":[3,0,", "\"numbers\":[3,9,", 1);
        let edited: Snapshot<u32> = serde_json::from_str(&edited).unwrap();
        let mut loaded: Timeslicer<u32> =
            Timeslicer::restore(Box::new(MaxPerFrame::new(3)), &edited);
        assert_eq!(update(&mut loaded), [1, 2, 0], "the stalest first");
    }

    #[test]
    fn a_damaged_file_is_an_error_or_harmless() {
        let saved = r#"{"slots":[{"generation":4294967295,"task":{"key":7,"staleness_ns":18446744073709551615}},
            {"generation":0,"task":null}],"requested":[0,1,99],"free":[5],"first":[8],"unfinished":[0,9],"now_ns":3,
            "costs":{"name":"costs","numbers":[7]},"usual_cost_ns":null,"strategy":null,"checksum":0}"#;
        let loaded: Snapshot<u32> = serde_json::from_str(saved).unwrap();
        for entry in STRATEGIES {
            let mut slicer: Timeslicer<u32> = Timeslicer::restore((entry.make)(), &loaded);
            assert_eq!(slicer.len(), 1);
            for _ in 0..10 {
                update(&mut slicer);
            }
        }
        assert!(serde_json::from_str::<Snapshot<u32>>("{}").is_err());
    }
}
