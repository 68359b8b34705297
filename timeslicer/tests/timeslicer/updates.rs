//! Tests of what may happen in an update: births, deaths and requests inside a task, unfinished work, tasks that come
//! first, pauses, shared budgets and tasks that run on other threads.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use timeslicer::strategy::{
    EveryFrame, FixedInterval, MaxPerFrame, STRATEGIES, Strategy, TimeBudget, WeightedShare,
};
use timeslicer::{Due, Run, SharedBudget, TaskId, Timeslicer};

use super::{Clock, FRAME, add, request};

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Runs the due tasks, each for `micros`, and returns their keys in order.
fn update<S: Strategy>(slicer: &mut Timeslicer<u32, S>, clock: &Clock, micros: u64) -> Vec<u32> {
    let mut ran = Vec::new();
    slicer.update(FRAME, |key, _| {
        clock.advance(micros);
        ran.push(key);
    });
    ran
}

/// Runs the due tasks, which all have the same weight, and returns their number.
fn run<S: Strategy>(
    slicer: &mut Timeslicer<u32, S>,
    mut task: impl FnMut(&mut Run<'_, u32>),
) -> usize {
    slicer.update_with(FRAME, &mut (), |(), _| 1.0, |(), run| task(run))
}

#[test]
fn nothing_runs_in_a_paused_game() {
    for entry in STRATEGIES {
        let (clock, own) = (Clock::default(), Clock::default());
        let mut slicer = clock.slicer((entry.make)());
        let mut never_paused = own.slicer((entry.make)());
        for slicer in [&mut slicer, &mut never_paused] {
            let tasks = add(slicer, 40);
            request(slicer, &tasks);
            for task in tasks {
                slicer.run_next(task);
            }
        }
        for _ in 0..100 {
            assert_eq!(slicer.update(Duration::ZERO, |_, _| unreachable!()), 0);
            let expected = update(&mut never_paused, &own, 300);
            assert_eq!(update(&mut slicer, &clock, 300), expected, "{}", entry.name);
        }
    }
}

proptest! {
    /// Lets tasks add, remove and request tasks while they run, and compares the result with a plain map of live tasks.
    #[test]
    fn tasks_may_be_born_and_die_and_request_inside_a_run(
        nth in 0..STRATEGIES.len(),
        steps in prop::collection::vec(prop::collection::vec((0u8..6, 0usize..40), 0..12), 1..60),
    ) {
        let slicer: Timeslicer<String> = Timeslicer::new((STRATEGIES[nth].make)());
        let mut slicer = slicer.with_clock(|| Duration::ZERO);
        let mut living: BTreeMap<TaskId, String> = BTreeMap::new();
        for number in 0..10 {
            let task = slicer.add(number.to_string());
            slicer.request(task);
            living.insert(task, number.to_string());
        }
        for actions in steps {
            let (mut actions, mut born, mut ran) = (actions.into_iter(), BTreeSet::new(), Vec::new());
            let runs = slicer.update_with(FRAME, &mut living, |_, _| 1.0, |living, run| {
                ran.push(run.task());
                assert_eq!(living.get(&run.task()), Some(run.key()), "only the living run");
                assert!(!born.contains(&run.task()), "newborns wait for the next update");
                let Some((action, number)) = actions.next() else { return };
                let other = living.keys().nth(number % living.len()).copied().unwrap();
                match action {
                    0 => {
                        let task = run.add(format!("child of {}", run.key()));
                        born.insert(task);
                        living.insert(task, format!("child of {}", run.key()));
                        run.request(task);
                    }
                    1 => {
                        assert!(run.remove(other) && !run.remove(other) && !run.request(other));
                        living.remove(&other);
                    }
                    2 => {
                        let own = run.task();
                        assert!(run.remove(own));
                        living.remove(&own);
                    }
                    3 => assert!(run.request(other)),
                    4 => run.again(),
                    _ => {}
                }
                if living.is_empty() {
                    living.insert(run.add("the last".into()), "the last".into());
                }
            });
            prop_assert_eq!(runs, ran.len());
            prop_assert_eq!(slicer.len(), living.len());
            prop_assert!(slicer.iter().eq(living.iter().map(|(&task, key)| (task, key))));
        }
        slicer.retain(|key| !key.starts_with("child"));
        living.retain(|_, key| !key.starts_with("child"));
        prop_assert_eq!(slicer.len(), living.len());
    }
}

#[test]
fn unfinished_work_goes_on_and_the_queue_too() {
    let clock = Clock::default();
    let mut slicer = clock.slicer(TimeBudget::new(millis(1)));
    let tasks = add(&mut slicer, 6);
    request(&mut slicer, &tasks);
    // The first task needs 5 ms, the others 0.3 ms each.
    let mut left = [5000, 300, 300, 300, 300, 300];
    let mut finished = Vec::new();
    while slicer.backlog() > 0 {
        let before = left[0];
        run(&mut slicer, |run| {
            let remaining = run.remaining().expect("there is a budget").as_micros() as u64;
            let own = &mut left[*run.key() as usize];
            let part = remaining.clamp(1, *own);
            clock.advance(part);
            *own -= part;
            if *own > 0 {
                run.again();
            } else {
                finished.push(*run.key());
            }
        });
        assert!(slicer.last_update().spent <= millis(1));
        assert!(left[0] < before, "it makes progress in each update");
    }
    assert_eq!(finished, [1, 2, 3, 4, 5, 0]);
    assert!(clock.now() <= millis(7), "6.5 ms of work");
}

#[test]
fn a_task_that_runs_out_of_turn_holds_nobody_up() {
    for entry in STRATEGIES {
        let clock = Clock::default();
        let mut slicer = clock.slicer((entry.make)());
        let tasks = add(&mut slicer, 200);
        let mut longest = Duration::ZERO;
        for frame in 0..600 {
            if frame % 3 == 0 {
                slicer.run_next(tasks[3]);
            }
            request(&mut slicer, &tasks);
            let run = |longest: &mut Duration, run: &mut Run<'_, u32>| {
                clock.advance(100);
                *longest = run.elapsed().max(*longest);
                if *run.key() == 5 {
                    run.again();
                }
            };
            slicer.update_with(FRAME, &mut longest, |_, _| 0.5, run);
        }
        assert!(longest < millis(1100), "{}: {longest:?}", entry.name);
    }
}

#[test]
fn tasks_that_come_first_and_unfinished_work_come_before_the_others() {
    let mut slicer = Timeslicer::new(MaxPerFrame::new(1));
    let tasks = add(&mut slicer, 5);
    let updates = [0, 1, 2, 3].map(|frame| {
        if frame == 2 {
            slicer.run_next(tasks[4]);
        }
        let mut ran = Vec::new();
        run(&mut slicer, |run| {
            ran.push(*run.key());
            if *run.key() == 0 {
                run.again(); // in the next update, because there is no budget that could last longer
            }
        });
        ran
    });
    assert_eq!(updates, [vec![0], vec![0, 1], vec![4, 0, 2], vec![0, 3]]);
}

#[test]
fn a_run_serves_all_requests_and_calls_before_it() {
    // With a budget of zero, each update runs one task, and also those of `run_next`.
    let mut slicer = Timeslicer::new(TimeBudget::new(Duration::ZERO));
    let tasks = add(&mut slicer, 5);
    request(&mut slicer, &tasks);
    slicer.run_next(tasks[4]);
    let clock = Clock::default();
    let ran: Vec<u32> = (0..6)
        .flat_map(|_| update(&mut slicer, &clock, 0))
        .collect();
    assert_eq!(ran, [4, 0, 1, 2, 3]);
    assert_eq!(slicer.backlog(), 0);
}

#[test]
fn work_that_the_strategy_finishes_does_not_go_on() {
    let mut slicer = Timeslicer::new(TimeBudget::new(Duration::ZERO));
    let tasks = [0, 1].map(|key| slicer.add(key));
    let mut ran = Vec::new();
    for frame in 0..6 {
        if frame < 2 {
            slicer.request(tasks[frame]);
        } else if frame == 3 {
            slicer.request(tasks[1]);
        }
        run(&mut slicer, |run| {
            ran.push((frame, *run.key()));
            if *run.key() == 0 || frame < 2 {
                run.again();
            }
        });
    }
    let second: Vec<usize> = ran.iter().filter(|it| it.1 == 1).map(|it| it.0).collect();
    assert_eq!(
        second,
        [1, 3],
        "behind work that never ends, it runs when it is requested"
    );
    assert_eq!(slicer.backlog(), 1);
}

#[test]
fn unfinished_work_is_paid_back_and_goes_on_whatever_comes_first() {
    let clock = Clock::default();
    let mut slicer = clock.slicer(TimeBudget::new(millis(1)));
    let endless = slicer.add(0);
    slicer.request(endless);
    let others: Vec<TaskId> = (1..7).map(|key| slicer.add(key)).collect();
    let mut steps = 0;
    let mut spent = Duration::ZERO;
    for frame in 0..400 {
        if frame >= 200 {
            for &task in &others {
                slicer.run_next(task);
            }
        }
        run(&mut slicer, |run| {
            clock.advance(if *run.key() == 0 { 800 } else { 300 });
            if *run.key() == 0 {
                steps += 1;
                run.again();
            }
        });
        spent += slicer.last_update().spent;
        if frame == 199 {
            assert!(spent <= millis(203), "{spent:?} in 200 updates of 1 ms");
            steps = 0;
        }
    }
    assert!(steps >= 199, "{steps}");
}

#[test]
fn work_that_never_ends_stops_nobody_even_if_the_clock_stands_still() {
    let mut slicer = Timeslicer::new(TimeBudget::new(millis(1))).with_clock(|| Duration::ZERO);
    let endless = slicer.add(0);
    slicer.request(endless);
    let mut others = 0;
    for frame in 0..200 {
        let other = slicer.add(1);
        slicer.request(other);
        run(&mut slicer, |run| {
            if *run.key() == 0 {
                run.again();
            } else {
                others += 1;
                run.remove(run.task());
            }
        });
        assert_eq!(
            slicer.last_update().clock_stands_still,
            frame >= 100,
            "{frame}"
        );
    }
    assert_eq!(others, 200);
}

#[test]
fn a_task_can_come_first_whatever_the_strategy() {
    for entry in STRATEGIES {
        let clock = Clock::default();
        let mut slicer = clock.slicer((entry.make)());
        let tasks = add(&mut slicer, 50);
        (0..9).for_each(|_| _ = update(&mut slicer, &clock, 100));
        slicer.request(tasks[30]);
        for index in [30, 7, 30] {
            assert!(slicer.run_next(tasks[index]));
        }
        let ran = update(&mut slicer, &clock, 100);
        assert_eq!(ran[..2], [30, 7], "{}", entry.name);
        let once: BTreeSet<&u32> = ran.iter().collect();
        assert_eq!(once.len(), ran.len(), "{}: no task runs twice", entry.name);
    }
    // If more tasks come first than fit into the budget, they take several updates. Each update also runs another task.
    let clock = Clock::default();
    let mut slicer = clock.slicer(TimeBudget::new(millis(4)).with_pay_back(false));
    let tasks = add(&mut slicer, 10);
    request(&mut slicer, &tasks);
    for &task in &tasks[4..] {
        slicer.run_next(task);
    }
    let updates = [(); 3].map(|()| update(&mut slicer, &clock, 1000));
    assert_eq!(updates, [vec![4, 5, 6, 7, 0], vec![8, 9, 1, 2], vec![3]]);
}

#[test]
fn reports_say_what_happened() {
    let clock = Clock::default();
    let mut slicer = clock.slicer(TimeBudget::new(millis(4)));
    let tasks = add(&mut slicer, 5);
    request(&mut slicer, &tasks);
    assert_eq!(update(&mut slicer, &clock, 2500), [0]); // nothing is known about the costs yet
    assert_eq!(update(&mut slicer, &clock, 5000), [1]);
    let report = *slicer.last_update();
    assert_eq!((report.runs, report.spent), (1, millis(5)));
    assert_eq!(
        (report.budget, report.overrun),
        (Some(millis(4)), millis(1))
    );
    slicer.update(Duration::ZERO, |_, _| ());
    assert_eq!(slicer.last_update().runs, 0);
    let mut slicer = Timeslicer::new(EveryFrame::new());
    slicer.add(1);
    assert_eq!(update(&mut slicer, &clock, 1), [1]);
    assert_eq!(slicer.last_update().budget, None);
}

#[test]
fn workers_get_as_many_tasks_as_fit_into_the_budget() {
    let mut slicer = Timeslicer::new(WeightedShare::new(millis(4)).with_fastest(Duration::ZERO));
    let tasks = add(&mut slicer, 200);
    let cost = |key: u32| Duration::from_micros(100 + 10 * u64::from(key % 20));
    let mut due: Vec<Due<u32>> = Vec::new();
    slicer.take_due(Duration::ZERO, &(), |(), _| 1.0, &mut due);
    assert!(due.is_empty(), "the game is paused");
    let mut runs = vec![0; 200];
    for frame in 0..400 {
        slicer.take_due(FRAME, &(), |(), _| 1.0, &mut due);
        let spent: Duration = due.iter().map(|due| cost(due.key)).sum();
        // In the first frames, the strategy does not know the costs yet.
        if frame > 60 {
            assert!(
                spent <= millis(4) && spent >= Duration::from_micros(3700),
                "{spent:?}"
            );
        }
        assert!(frame > 0 || due.len() == 1);
        for Due { task, key, elapsed } in due.drain(..) {
            assert_eq!(tasks[key as usize], task);
            assert!(frame == 0 || elapsed > Duration::ZERO);
            runs[key as usize] += 1;
            slicer.report_cost(task, cost(key));
        }
    }
    assert!(runs.iter().all(|&runs| runs > 15), "{runs:?}");
}

#[test]
fn workers_get_tasks_even_if_each_lives_for_one_run_or_costs_nothing() {
    for micros in [0, 80] {
        let mut slicer = Timeslicer::new(TimeBudget::new(millis(1)));
        let mut due = Vec::new();
        let mut runs = 0;
        for _ in 0..200 {
            let tasks = add(&mut slicer, 10);
            request(&mut slicer, &tasks);
            slicer.take_due(FRAME, &(), |(), _| 1.0, &mut due);
            for Due { task, .. } in due.drain(..) {
                slicer.report_cost(task, Duration::from_micros(micros));
                slicer.remove(task);
                runs += 1;
            }
        }
        assert!(runs >= 1900, "{runs}");
        // Costs that were reported under one strategy are passed on to the next strategy.
        let mut slicer: Timeslicer<u32> = Timeslicer::new(Box::new(EveryFrame::new()));
        let tasks = add(&mut slicer, 50);
        for &task in &tasks {
            slicer.report_cost(task, millis(1));
        }
        slicer.set_strategy(Box::new(TimeBudget::new(millis(4))));
        request(&mut slicer, &tasks);
        slicer.take_due(FRAME, &(), |(), _| 1.0, &mut due);
        assert_eq!(due.len(), 4);
    }
}

/// Three timeslicers with a budget of 2 ms in each frame, and shares of 1, 2 and 1.
struct Three {
    clock: Clock,
    budget: SharedBudget,
    sensing: Timeslicer<u32, FixedInterval>,
    deciding: Timeslicer<u32, WeightedShare>,
    paths: Timeslicer<u32, TimeBudget>,
}

impl Three {
    fn new(sensors: u32, deciders: u32) -> Self {
        let clock = Clock::default();
        let budget = SharedBudget::new(millis(2));
        let sensing = clock.slicer(FixedInterval::new(millis(100)));
        let deciding = WeightedShare::new(millis(2)).with_fastest(Duration::ZERO);
        let deciding = clock.slicer(deciding);
        let paths = clock.slicer(TimeBudget::new(millis(2)));
        let mut three = Self {
            sensing: sensing.with_shared_budget(&budget, 1.0),
            deciding: deciding.with_shared_budget(&budget, 2.0),
            paths: paths.with_shared_budget(&budget, 1.0),
            clock,
            budget,
        };
        add(&mut three.sensing, sensors);
        add(&mut three.deciding, deciders);
        three
    }

    fn request_paths(&mut self, count: u32) {
        let tasks = add(&mut self.paths, count);
        request(&mut self.paths, &tasks);
    }

    /// Returns the time that each timeslicer has used, in microseconds.
    fn frame(&mut self) -> [u64; 3] {
        self.budget.begin_frame();
        update(&mut self.sensing, &self.clock, 20);
        update(&mut self.deciding, &self.clock, 50);
        update(&mut self.paths, &self.clock, 100);
        [
            self.sensing.last_update(),
            self.deciding.last_update(),
            self.paths.last_update(),
        ]
        .map(|report| report.spent.as_micros() as u64)
    }
}

#[test]
fn a_shared_budget_is_kept_and_used() {
    let mut three = Three::new(100, 400);
    three.request_paths(1000);
    for frame in 0..100 {
        let spent = three.frame();
        let all: u64 = spent.iter().sum();
        assert_eq!(three.budget.spent(), Duration::from_micros(all));
        if frame > 20 {
            assert!((1850..=2020).contains(&all), "{spent:?}");
            assert!(
                spent[0] >= 320,
                "sensing needs less than its share: {spent:?}"
            );
            assert!(spent[1] >= 950 && spent[2] >= 400, "{spent:?}");
        }
    }
    // If no paths are requested, decisions can use the time that paths do not need.
    let mut three = Three::new(100, 400);
    let spent = (0..100).map(|_| three.frame()).last().unwrap();
    assert!(spent[1] >= 1600 && spent[2] == 0, "{spent:?}");
    // Once paths are requested, they get their share from the second frame on.
    three.request_paths(100);
    three.frame();
    let spent = three.frame();
    assert!(spent[2] >= 400, "{spent:?}");
}

#[test]
fn a_shared_budget_pays_back_and_stops_strategies_without_a_budget() {
    let mut three = Three::new(5000, 0);
    three.frame(); // the others still have their shares
    let all: Vec<u64> = (0..200).map(|_| three.frame()[0]).collect();
    assert!(
        all.iter().all(|&spent| (1900..=2020).contains(&spent)),
        "{all:?}"
    );
    three.budget.begin_frame();
    update(&mut three.deciding, &three.clock, 50);
    update(&mut three.sensing, &three.clock, 3000); // one task, and it takes too long
    assert_eq!(three.budget.spent(), millis(3));
    let next: u64 = three.frame().iter().sum();
    assert!((900..=1060).contains(&next), "{next}");
}

#[test]
fn a_member_that_skips_frames_keeps_its_share() {
    for nth in [1, 2, 6] {
        let clock = Clock::default();
        let budget = SharedBudget::new(millis(2));
        let new = || {
            let strategy = WeightedShare::new(millis(2)).with_fastest(Duration::ZERO);
            let mut slicer = clock.slicer(strategy).with_shared_budget(&budget, 1.0);
            add(&mut slicer, 200);
            slicer
        };
        let (mut always, mut seldom) = (new(), new());
        for frame in 0..60 {
            budget.begin_frame();
            budget.begin_frame(); // a frame without an update
            update(&mut always, &clock, 50);
            if frame % nth == 0 {
                let runs = update(&mut seldom, &clock, 50).len();
                assert!(frame < 12 || runs >= 18, "{runs} in frame {frame}");
            }
        }
        drop(seldom);
        budget.begin_frame();
        assert!(
            update(&mut always, &clock, 50).len() >= 36,
            "it has the whole budget"
        );
    }
}

#[test]
fn unfinished_work_stops_no_strategy_without_a_budget() {
    let clock = Clock::default();
    let budget = SharedBudget::new(millis(1));
    let slicer = clock.slicer(FixedInterval::new(millis(160)));
    let mut slicer = slicer.with_shared_budget(&budget, 1.0);
    add(&mut slicer, 20);
    let mut others = 0;
    for _ in 0..100 {
        budget.begin_frame();
        run(&mut slicer, |run| {
            clock.advance(1000);
            if *run.key() == 0 {
                run.again();
            } else {
                others += 1;
            }
        });
    }
    assert!(others >= 95, "{others}");
}

#[test]
fn a_share_of_nothing_still_runs_one_task() {
    let budget = SharedBudget::new(Duration::ZERO);
    let mut slicers: Vec<Timeslicer<u32>> = STRATEGIES
        .iter()
        .map(|entry| Timeslicer::new((entry.make)()).with_shared_budget(&budget, f64::NAN))
        .collect();
    let mut runs = vec![0; slicers.len()];
    for _ in 0..200 {
        budget.begin_frame();
        for (slicer, runs) in slicers.iter_mut().zip(&mut runs) {
            let task = slicer.add(1);
            slicer.request(task);
            *runs += slicer.update(FRAME, |_, _| ());
        }
    }
    assert!(runs.iter().all(|&runs| runs >= 5), "{runs:?}");
}
