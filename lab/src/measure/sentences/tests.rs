use super::*;
use crate::catalog::frame_loop::constant_fps::LOOP_FPS;
use crate::catalog::frame_loop::knobs::{ONCE_PER_FRAME, STEP};
use crate::catalog::knob::Knob;
use crate::catalog::strategy::STRATEGIES;
use crate::catalog::strategy::balanced_slots::SLOTS;
use crate::catalog::strategy::knobs::{
    AS_PUBLISHED, BUDGET as BUDGET_MS, FASTEST, GROUPS, INTERVAL, SLOWEST,
};
use crate::measure::staleness::StalenessIntegral;
use crate::measure::{ClockAdvance, StoppedFrames};
use crate::sim::machine::{ADAPTIVE_SYNC, DISPLAY_HZ, RENDER_MS};
use crate::sim::world::{CHURN, COST, ENTITIES};
use crate::testing::{MS, overlong_metric, report, report_on, times};

/// A rule and the report that it describes. The report initially covers one second of 400 tasks that cost 0.1 ms each,
/// at 60 Hz.
struct Case {
    rule: Rule,
    of: Report,
}

fn case(rule: Rule, strategy: &str) -> Case {
    let of = report(strategy, &[], 1);
    Case { rule, of }
}

impl Case {
    #[track_caller]
    fn check(&self, expected: &str, is_warning: bool) {
        let clause = (self.rule)(&self.of).expect("the rule applies");
        let actual = (clause.to_string(), clause.is_warning());
        assert_eq!(actual, (expected.to_owned(), is_warning));
    }

    #[track_caller]
    fn says(&self, expected: &str) {
        self.check(expected, false);
    }

    #[track_caller]
    fn warns(&self, expected: &str) {
        self.check(expected, true);
    }

    #[track_caller]
    fn is_silent(&self) {
        assert_eq!((self.rule)(&self.of), None);
    }
}

#[test]
fn activity_is_a_load_and_an_interval() {
    let case = |strategy| case(|of| Some(activity(of)), strategy);
    let mut it = case("every-frame");
    it.says("400 tasks in every frame");
    it.of.subject.entities = 0;
    it.says("no entities");
    (it.of.subject.entities, it.of.runs) = (1, 0);
    it.says("no task has run in 950 ms");
    case("all-at-once").says("up to 400 tasks per frame (28× the average), each task every 500 ms");

    let mut it = case("fixed-interval");
    it.says("up to 14 tasks per frame, each task every 500 ms");
    it.of.interval.deviation = MS(3);
    it.says("up to 14 tasks per frame, each task every 500 ms ± 3 ms");
    it.of.interval.mean = MS(600);
    it.warns("up to 14 tasks per frame, each task every 600 ms ± 3 ms (target 500 ms)");
    it.of.interval.deviation = MS(300);
    it.says("up to 14 tasks per frame, target interval 500 ms");
    it.of.since_change = MS(3_600);
    it.warns("up to 14 tasks per frame, each task every 600 ms ± 300 ms (target 500 ms)");

    let mut it = case("max-per-frame");
    it.of.interval = times(&[1_100, 1_200]); // they ended before the crowd grew
    it.says("up to 4 tasks per frame, each task about every 1.67 s");
    it.of.interval = times(&[1_600, 1_700]);
    it.says("up to 4 tasks per frame, each task every 1.67 s ± 50 ms");
    it.of.subject.entities = 1_210;
    it.warns("up to 4 tasks per frame, each task about every 5.04 s (over 5 s)");

    let mut it = case("request-list");
    (it.of.peak_runs, it.of.backlog_peak) = (5, 0);
    it.says("up to 5 tasks per frame on request");
    it.of.backlog_peak = 1070;
    it.says("up to 5 tasks per frame on request, up to 1,070 waiting");
    it.of.backlog = (0, 1070);
    it.says("up to 5 tasks per frame on request");
}

#[test]
fn intervals_by_weight_are_those_near_and_far() {
    for entry in STRATEGIES
        .iter()
        .filter(|it| it.family == Family::BySignificance)
    {
        let mut it = case(intervals, entry.key);
        it.of.since_change = Nanos::from_secs(5);
        let far = Some(Nanos::SECOND);
        let of = |near, far| StalenessIntegral::with_intervals([near, Some(MS(200)), far]);
        it.of.staleness = of(Some(MS(50)), far);
        it.says("near every 50 ms, far every 1 s");
        it.of.staleness = of(None, far);
        it.says("middle every 200 ms, far every 1 s");
        it.of.subject.has_bands = true;
        it.says("middle bands every 200 ms, outer bands every 1 s");
        it.of.subject.has_bands = false;
        it.of.since_change = MS(700);
        it.says("middle every 200 ms, far every 700 ms or more");
        it.of.since_change = MS(150);
        assert_eq!(intervals_by_distance(&it.of), None);
        (it.of.runs, it.of.game_span, it.of.span) = (100, MS(700), MS(700));
        it.of.staleness = of(None, Some(MS(210))); // nearly the same
        it.of.interval.count = 0;
        it.says("each task about every 2.8 s");
        it.of.runs = 50;
        it.warns("each task about every 5.6 s (over 5 s)");
    }
}

#[test]
fn only_strategies_with_intervals_describe_them() {
    let mut it = case(intervals, "fixed-interval");
    it.says("each task every 500 ms");
    it.of.runs = 0;
    it.says("no task has run");
    case(intervals, "request-list").is_silent();
}

#[test]
fn overload_is_demand_that_does_not_fit() {
    let mut it = case(overload, "fixed-interval");
    (it.of.runs, it.of.task_time, it.of.subject.entities) = (6_000, MS(600), 4_999);
    it.is_silent();
    it.of.subject.entities = 6_000;
    it.warns("overload: tasks need 1.2 times the available time");
    (it.of.runs, it.of.task_time) = (9, Nanos::SECOND); // a heavy task may have run first
    it.is_silent();

    let mut it = case(overload, "earliest-deadline");
    it.is_silent();
    for (elastic_ms, times) in [(909, "1.1"), (467, "2.1"), (5, "200"), (0, "over 1,000")] {
        it.of.advance = ClockAdvance {
            game: MS(1_000),
            elastic: MS(elastic_ms),
        };
        it.warns(&format!(
            "overload: tasks need {times} times the available time"
        ));
    }
    it.of.advance.elastic = MS(910);
    it.is_silent();

    let mut it = case(overload, "time-budget");
    it.is_silent();
    it.of.subject.entities = 20_000; // each would run 2 times a second, for 0.1 ms
    it.warns("overload: tasks need 16.1 times the available time");

    let mut it = case(stopped_frames, "every-frame");
    it.is_silent();
    it.of.stopped = StoppedFrames {
        frames: 10,
        task_time: Nanos::SECOND,
        waiting: 190_000,
    };
    it.warns("only 100 ms of tasks fit into a frame, and 1.9 s wait");
    it.of.runs = 0; // the cost is unknown
    it.is_silent();
}

#[test]
fn frames_are_smooth_or_some_or_all_are_hitches() {
    let mut it = case(frames, "fixed-interval");
    it.says("smooth: no frame over 25 ms");
    it.of.subject.pacing.target = Nanos::from_nanos(6_944_444);
    it.says("frames take 16.7 ms on average (target 6.94 ms)");
    it.of.subject.pacing.target = MS(40);
    (it.of.frame, it.of.frames, it.of.hitches) = (times(&[16, 16, 100]), 120, 1);
    it.says("one hitch of 100 ms, not caused by tasks");
    it.of.hitches = 7;
    it.says("7 hitches in 120 frames, up to 100 ms, not caused by tasks");
    it.of.hitches_by_tasks = 2;
    it.warns("7 hitches in 120 frames, up to 100 ms, 2 caused by tasks");
    it.of.hitches_by_tasks = 7;
    it.warns("7 hitches in 120 frames, up to 100 ms");
    (it.of.frame, it.of.hitches) = (times(&[100; 3]), 120);
    it.warns("frames take 100 ms on average (target 40 ms)");
    // Frames miss their target because of tasks, but the only hitch was caused by drawing.
    (it.of.frame, it.of.frames) = (times(&[20, 20, 32]), 3);
    (it.of.hitches, it.of.hitches_by_tasks) = (1, 0);
    it.of.subject.pacing.target = MS(16);
    (it.of.task_time, it.of.scheduling, it.of.drawing) = (MS(18), MS(6), MS(48));
    it.warns("frames take 24 ms on average (target 16 ms)");
    it.of.drawing = MS(51);
    it.says("one hitch of 32 ms, not caused by tasks");
}

#[test]
fn requests_are_measured_by_their_wait() {
    let mut it = case(requests, "request-list");
    it.of.request_wait = times(&[4, 12]);
    it.says("requests wait 8 ms on average, up to 12 ms");
    // The requests were made before the metrics were reset.
    (it.of.request_wait, it.of.runs) = (times(&[]), 7);
    it.says("7 runs on request");
    it.of.runs = 0;
    it.says("no task has run");
    case(requests, "every-frame").is_silent();
}

#[test]
fn a_wait_far_beyond_the_guarantee_is_a_warning() {
    let mut it = case(long_wait, "fixed-interval");
    it.is_silent();
    it.of.worst_staleness = MS(900);
    it.warns("a task waited 900 ms (guarantee: every 500 ms, plus at most one update)");
    it.of.subject.entities = 5_001; // the overload explains the wait
    it.is_silent();

    let mut it = case(long_wait, "earliest-deadline");
    it.of.worst_staleness = MS(1_700);
    it.warns("a task waited 1.7 s (guarantee: within 1 s, plus at most 4 updates)");
}

#[test]
fn a_budget_is_held_or_exceeded() {
    let mut it = case(budget, "time-budget");
    it.says("stays within the 4 ms budget");
    (it.of.overrun, it.of.updates) = (times(&[1]), 1_000);
    it.warns("over the 4 ms budget in 0.1 % of updates, by 1 ms");
    it.of.subject.is_clock_exact = false;
    it.says("over the 4 ms budget in 0.1 % of updates, by 1 ms");
    it.of.overrun = times(&[[1; 10], [2; 10]].concat());
    let words = "over the 4 ms budget in 2.0 % of updates, by 1.5 ms on average, at most 2 ms";
    it.warns(words);
    it.of.longest_run = MS(6);
    it.warns(&format!("{words}: one task alone takes 6 ms"));
    it.of.runs = 0;
    it.is_silent();

    let mut it = case(budget, "every-frame");
    it.is_silent();
    // In a comparison, the budget is a limit for every strategy.
    (it.of.subject.limit, it.of.overrun) = (Some(MS(4)), times(&[]));
    it.is_silent();
    (it.of.overrun, it.of.updates) = (times(&[1]), 100);
    it.warns("over the 4 ms budget in 1.0 % of updates, by 1 ms");
}

#[test]
fn a_growing_backlog_is_a_warning() {
    let mut it = case(backlog, "time-budget");
    it.of.backlog_peak = 0;
    it.is_silent();
    (it.of.backlog, it.of.backlog_peak) = ((40, 45), 1070);
    it.says("backlog of up to 1,070 tasks");
    it.of.backlog = (40, 1000);
    it.says("backlog of up to 1,070 tasks"); // the demand is low, so it will be worked off
    it.of.subject.entities = 20_000;
    it.warns("backlog grew from 40 to 1,000");
    let mut it = case(backlog, "every-frame"); // it has no demand of its own
    (it.of.backlog, it.of.backlog_peak) = ((40, 1000), 1070);
    it.warns("backlog grew from 40 to 1,000");
    it.of.backlog_peak = 3000; // it is being worked off
    it.says("backlog of up to 3,000 tasks");
}

#[test]
fn bursts_are_facts() {
    let mut it = case(bursts, "all-at-once");
    it.says("bursts of up to 400 tasks, 28× the average");
    (it.of.peak_runs, it.of.runs) = (9, 18); // too few tasks for a burst
    it.is_silent();
    case(bursts, "fixed-interval").is_silent();
}

#[test]
fn slow_games_and_lost_time_are_warnings() {
    let mut it = case(game_speed, "every-frame");
    it.is_silent();
    it.of.debt_dropped = MS(250);
    it.warns("game lost 250 ms of real time");
    it.of.game_span = Nanos::from_nanos(it.of.span.as_nanos() / 2);
    it.warns("game runs at 0.5× real-time speed");
}

/// Returns the clauses of a status message after the first one.
fn remarks_on(of: &Report) -> Vec<String> {
    let clauses = status(of, false, None).clauses;
    clauses.iter().skip(1).map(Clause::to_string).collect()
}

fn reports(set: &[(&Knob, f64)], secs: u64) -> impl Iterator<Item = Report> {
    STRATEGIES.iter().map(move |it| report(it.key, set, secs))
}

#[test]
fn warnings_precede_facts() {
    let mut of = report("all-at-once", &[], 3);
    let hitches = "6 hitches in 168 frames, up to 50 ms";
    assert_eq!(remarks_on(&of), [hitches]);
    of.debt_dropped = MS(250);
    of.task_time = Nanos::from_nanos(40 * of.task_time.as_nanos());
    let overload = "overload: tasks need 3.2 times the available time";
    assert_eq!(
        remarks_on(&of),
        [overload, hitches],
        "at most three clauses"
    );
    of.hitches_by_tasks = 0;
    let lost = "game lost 250 ms of real time";
    assert_eq!(remarks_on(&of), [overload, lost]);
    let verdict = verdict(&of);
    let is_sorted = verdict.clauses.is_sorted_by_key(|it| !it.is_warning());
    assert!(is_sorted && verdict.is_warning() && !verdict.clauses[3].is_warning());
}

#[test]
fn one_figure_reassures_if_nothing_is_wrong() {
    let smooth = report("fixed-interval", &[(&COST, 10.0)], 3);
    assert_eq!(remarks_on(&smooth), ["smooth: no frame over 25 ms"]);
    let held = report("time-budget", &[(&COST, 10.0)], 3);
    assert_eq!(remarks_on(&held), ["stays within the 4 ms budget"]);
    for slow_drawing in reports(&[(&RENDER_MS, 30.0), (&COST, 10.0)], 3) {
        let text = status(&slow_drawing, false, None);
        assert!(!text.is_warning(), "{text}");
        let text = text.to_string();
        let cause = [
            " · frames take ",
            " · every second refresh is missed ",
            " · each frame is shown for ",
        ];
        assert!(cause.iter().any(|cause| text.contains(cause)), "{text}");
    }
}

#[test]
fn the_cause_of_slow_frames_is_named() {
    let says = |rule: Rule, set: &[(&Knob, f64)], loop_key, expected: &str| {
        let clause = rule(&report_on("every-frame", loop_key, set, 4));
        assert_eq!(clause.expect("the rule applies").to_string(), expected);
    };
    let work = |tasks, hz| [(&ENTITIES, tasks), (&COST, 1_000.0), (&DISPLAY_HZ, hz)];
    says(
        frames,
        &work(19.0, 72.0),
        "variable-step",
        "every second refresh is missed (36 fps): updates and drawing take 19 ms, longer than 13.9 ms",
    );
    says(
        frames,
        &work(35.0, 60.0),
        "variable-step",
        "each frame is shown for 3 refreshes (20 fps): updates and drawing take 35 ms, longer than 16.7 ms",
    );
    let adaptive = [&work(17.0, 60.0)[..], &[(&ADAPTIVE_SYNC, 1.0)]].concat();
    says(
        frames,
        &adaptive,
        "variable-step",
        "smooth: no frame over 25 ms",
    );
    let bunched = [
        (&ENTITIES, 1_000.0),
        (&COST, 1.0),
        (&DISPLAY_HZ, 120.0),
        (&STEP, 1000.0 / 60.0),
        (&GROUPS, 10.0),
    ];
    let of = report_on("stagger-groups", "fixed-step", &bunched, 4);
    let clause = updates(&of).expect("frames without an update");
    let words = "50 % of the frames have no update, so the others run up to 100 tasks (remedy: --once-per-frame 1 and \
         fewer tasks at a time)";
    assert_eq!(clause.to_string(), words);
    let remedied = [&bunched[..], &[(&ONCE_PER_FRAME, 1.0), (&GROUPS, 20.0)]].concat();
    let of = report_on("stagger-groups", "fixed-step", &remedied, 4);
    assert!(updates(&of).is_none());
    assert_eq!((of.peak_runs, of.by_updates[1]), (50, of.frames));
    let slow = [&work(25.0, 60.0)[..], &[(&STEP, 20.0)]].concat();
    says(
        game_speed,
        &slow,
        "fixed-step",
        "game runs at 0.78× real-time speed: an update takes 25 ms, longer than its step of 20 ms, so no setting of the \
         loop can catch up",
    );
}

#[test]
fn frames_without_one_update_are_counted_if_the_step_is_fixed() {
    let mut of = report("every-frame", &[], 1);
    (of.frames, of.hitches, of.peak_runs, of.subject.snaps) = (200, 0, 1, false);
    let mut says = |counts, step, expected: Option<&str>| {
        (of.by_updates, of.subject.pacing.step) = (counts, step);
        let clause = updates(&of);
        let is_uneven = clause.as_ref().is_some_and(Clause::is_warning);
        assert_eq!(is_uneven, counts.iter().all(|count| *count > 2));
        assert_eq!(clause.map(|it| it.to_string()).as_deref(), expected);
    };
    let step = Some(MS(20));
    says(
        [100, 50, 50],
        step,
        Some("50 % of the frames have no update and 25 % several (remedy: --snap-ms 1)"),
    );
    says(
        [100, 100, 0],
        step,
        Some("50 % of the frames have no update"),
    );
    says(
        [1, 149, 50],
        step,
        Some("25 % of the frames have several updates"),
    );
    says([2, 198, 0], step, None);
    says([100, 100, 0], None, None);
}

#[test]
fn a_rule_is_shown_until_enough_is_measured() {
    let mut of = report("every-frame", &[], 1);
    of.span = MS(499);
    let rule = status(&of, false, None).to_string();
    assert!(rule.starts_with(char::is_lowercase) && !rule.ends_with('.'));
    let whole = of.subject.strategy.rule;
    assert_eq!(rule[1..], whole[1..whole.len() - 1]);
    of.span = MS(500);
    let text = status(&of, false, None).to_string();
    assert!(!text.starts_with(&rule) && status(&of, false, None).is_warning());

    let unmeasured = report("fixed-interval", &[], 0);
    assert_eq!(verdict(&unmeasured).to_string(), "nothing measured yet");
}

#[test]
fn no_sentence_has_more_than_four_digits_of_a_rounded_figure() {
    let odd = [
        (&COST, 123.457),
        (&INTERVAL, 0.412_345),
        (&BUDGET_MS, 3.171_59),
        (&FASTEST, 0.033_333_3),
        (&SLOWEST, 1.234_567),
        (&SLOTS, 61.0),
        (&DISPLAY_HZ, 59.94),
    ];
    let overload = [&odd[..], &[(&ENTITIES, 2345.0), (&CHURN, 77.7)]].concat();
    for set in [&[][..], &odd, &overload] {
        for of in reports(set, 3) {
            let mut texts = vec![of.guarantee_text(), verdict(&of).to_string()];
            texts.push(status(&of, true, Some(MS(5))).to_string());
            texts.extend(round(&of));
            for text in &texts {
                assert_eq!(overlong_metric(text), None, "{text}");
            }
        }
    }
    assert_eq!(overlong_metric("every 0.508333334 s"), Some("0.508333334"));
    assert_eq!(overlong_metric("1,234,567 runs in 0.01234 s."), None);
}

#[test]
fn defects_of_published_forms_come_before_problems() {
    let set: &[(&Knob, f64)] = &[(&AS_PUBLISHED, 1.0), (&CHURN, 50.0), (&COST, 300.0)];
    for of in reports(set, 3) {
        let clause = published(&of);
        assert_eq!(clause.is_some(), of.subject.strategy.published.is_some());
        if let Some(clause) = clause {
            assert_eq!(remarks_on(&of)[0], clause.to_string());
            assert!(verdict(&of).clauses.contains(&clause), "{clause}");
        }
    }
}

#[test]
fn a_status_warns_of_a_coarse_clock_and_says_paused() {
    let of = report("time-budget", &[(&BUDGET_MS, 0.5), (&COST, 1.0)], 1);
    let step = Some(Nanos::from_micros(100));
    let text = status(&of, true, step).to_string();
    assert!(
        text.ends_with(
            " · paused · a clock resolution of 0.1 ms is too coarse for a 0.5 ms budget"
        ),
        "{text}"
    );
    for (strategy, budget, step) in [
        ("time-budget", 1.0, step),
        ("time-budget", 0.0, step),
        ("time-budget", 0.001, Some(Nanos::from_micros(1))),
        ("time-budget", 0.5, None),
        ("every-frame", 0.5, step),
    ] {
        let of = report(strategy, &[(&BUDGET_MS, budget)], 0);
        assert_eq!(coarse_clock(&of, step), None, "{strategy} {budget}");
    }
}

#[test]
fn a_verdict_warns_only_of_what_is_wrong() {
    // The tasks are so cheap that every budget is large enough for all of them.
    for cheap in reports(&[(&ENTITIES, 100.0), (&CHURN, 10.0), (&COST, 10.0)], 20) {
        let text = verdict(&cheap);
        assert!(!text.is_warning(), "{text}");
    }
}

#[test]
fn game_times_are_named_only_in_slow_games() {
    let interval = [
        "interval",
        "each task every",
        "task every",
        "far every",
        "once takes",
        "gap",
        "wait ",
    ];
    for (render_ms, is_slow) in [(48.0, true), (20.0, false)] {
        for entry in STRATEGIES {
            let set = [(&RENDER_MS, render_ms), (&COST, 0.0)];
            let of = report_on(entry.key, "unsynced", &set, 10);
            for text in [verdict(&of), status(&of, false, None)] {
                let text = text.to_string();
                let has_interval = interval.iter().any(|word| text.contains(word));
                let is_named = text.contains(" of game time");
                assert_eq!(is_named, is_slow && has_interval, "{text}");
            }
        }
    }
}

#[test]
fn a_round_depends_on_the_display_or_the_loop() {
    let fast: &[(&Knob, f64)] = &[(&DISPLAY_HZ, 144.0), (&LOOP_FPS, 25.0)];
    let slow: &[(&Knob, f64)] = &[(&RENDER_MS, 50.0), (&COST, 0.0)];
    for (frame_loop, set, expected) in [
        ("variable-step", fast, "6.94 ms = 208 ms"),
        ("fixed-step", fast, "20 ms = 600 ms"),
        ("constant-fps", fast, "40 ms = 1.2 s"),
        ("variable-step", slow, "50 ms = 1.5 s"),
        ("unsynced", slow, "20 ms = 600 ms of game time"),
    ] {
        let of = report_on("stagger-groups", frame_loop, set, 2);
        let expected = format!("30 updates of {expected}");
        assert_eq!(round(&of), Some(expected), "{frame_loop}");
    }
    let turns = round(&report("max-per-frame", &[], 2));
    assert_eq!(turns.unwrap(), "100 updates of 16.7 ms = 1.67 s");
    assert_eq!(round(&report("every-frame", &[], 1)), None);
}
