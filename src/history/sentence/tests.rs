//! Each rule of the sentence, and its edges.

use super::*;

use crate::history::{History, LATELY};
use crate::sim::machine::{Machine, RENDER_MS, SPEED, Simulated};
use crate::sim::settings::Settings;
use crate::sim::world::{COST, ENTITIES};
use crate::stats::MeasuredLane;
use timeslice::frame_loop;
use timeslice::frame_loop::constant_fps::LOOP_FPS;
use timeslice::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslice::knob::{Knob, KnobValues};
use timeslice::strategy::all_at_once;
use timeslice::strategy::knobs::INTERVAL;
use timeslice::strategy::max_per_frame::MAX_TASKS;
use timeslice::strategy::time_budget::BUDGET;
use timeslice::strategy::{STRATEGIES, StrategyEntry, by_key};

/// A lane on a simulated machine, and the history that the window would keep of it.
struct Watched {
    lane: MeasuredLane<Simulated>,
    history: History,
}

impl Watched {
    fn new(strategy: &str, set: &[(&Knob, f64)]) -> Self {
        let settings = Settings {
            strategy: by_key(strategy).unwrap(),
            knobs: KnobValues::with(set),
            ..Settings::default()
        };
        let machine = Simulated::new(&settings.knobs);
        Self {
            lane: MeasuredLane::new(settings, machine),
            history: History::default(),
        }
    }

    /// So many seconds of frames.
    fn watch(mut self, secs: f64) -> Self {
        let end = self.lane.machine().clock() + Nanos::from_secs_f64(secs);
        while self.lane.machine().clock() < end {
            self.frame();
        }
        self
    }

    fn frame(&mut self) {
        let record = self.lane.frame().clone();
        let past = self.history.begin(&self.lane);
        self.history.end(past, record);
    }

    fn switch(mut self, strategy: &'static StrategyEntry) -> Self {
        self.lane.set_strategy(strategy);
        self.history.change(self.lane.frames(), self.lane.now());
        self
    }

    fn turn(mut self, knob: &'static Knob, value: f64) -> Self {
        self.lane.set_knob(knob, value);
        self.history.change(self.lane.frames(), self.lane.now());
        self
    }

    fn seen(&self) -> Observed {
        let settings = self.lane.settings();
        Observed::over(
            &self.history,
            settings.strategy,
            &settings.knobs,
            self.lane.worst_staleness(),
            LATELY,
        )
    }

    fn said(&self) -> RichText {
        sentence(&self.seen(), false, None)
    }

    fn text(&self) -> String {
        self.said().to_string()
    }
}

/// What is amber.
fn wrong(said: &RichText) -> String {
    let wrong = said.clauses.iter().filter(|clause| clause.is_warning());
    wrong.map(Clause::to_string).collect()
}

fn three_seconds(strategy: &str, set: &[(&Knob, f64)]) -> RichText {
    Watched::new(strategy, set).watch(3.0).said()
}

// Each strategy.

#[test]
fn fixed_interval_tells_the_interval_of_each_and_how_even_the_load_is() {
    let said = three_seconds("fixed-interval", &[]);
    assert_eq!(
        said.to_string(),
        "each of 400 capsules ran every 0.500 s ± 0.000 s · peak 14 tasks/frame, 1.05× the mean · frame p99 16.7 ms · no hitches"
    );
    assert!(!said.is_warning());
}

#[test]
fn all_at_once_tells_of_the_frame_in_which_all_ran_and_of_its_hitch_first() {
    let said = three_seconds("all-at-once", &[]);
    let text = said.to_string();
    let start = "all 400 capsules ran in one frame every 0.498 s ± 0.008 s";
    assert!(text.starts_with(start), "{text}");
    assert!(
        text.contains(" · 4 hitches over 25.0 ms · frame p99 40.0 ms · peak 400 tasks/frame, "),
        "{text}"
    );
    assert!(wrong(&said).ends_with("× the mean"), "{text}");
}

#[test]
fn every_frame_tells_that_all_run_and_what_that_takes() {
    let said = three_seconds("every-frame", &[(&COST, 20.0)]);
    assert_eq!(
        said.to_string(),
        "all 400 capsules ran in every frame · tasks took 8 ms a frame · frame p99 16.7 ms · no hitches"
    );
}

#[test]
fn every_frame_with_more_work_than_a_frame_has_room_for_is_wrong() {
    let said = three_seconds("every-frame", &[]);
    let text = "tasks took 40 ms a frame; at 60 Hz a frame has 16.7 ms";
    assert!(wrong(&said).contains(text), "{}", said.to_string());
}

#[test]
fn max_per_frame_tells_how_long_each_waits() {
    let text = Watched::new("max-per-frame", &[]).watch(5.0).text();
    let start =
        "4 a frame, a round is 100 frames: each of 400 capsules ran every 1.667 s ± 0.000 s · ";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn max_per_frame_with_room_for_all_runs_all() {
    let said = three_seconds("max-per-frame", &[(&MAX_TASKS, 500.0), (&COST, 1.0)]);
    let text = said.to_string();
    assert!(
        text.starts_with("all 400 capsules ran in every frame"),
        "{text}"
    );
}

#[test]
fn stagger_groups_ties_the_interval_to_the_frame_rate() {
    let text = three_seconds("stagger-groups", &[]).to_string();
    let start = "one of 30 groups a frame: each of 400 capsules ran every 30 frames, 0.500 s ± 0.000 s at 60 fps · ";
    assert!(text.starts_with(start), "{text}");
    let slow = [(&RENDER_MS, 40.0)];
    let text = Watched::new("stagger-groups", &slow).watch(5.0).text();
    assert!(text.contains(" s at 24 fps"), "{text}");
}

#[test]
fn stagger_groups_names_no_frame_rate_where_it_was_not_the_same_throughout() {
    let mut seen = Watched::new("stagger-groups", &[]).watch(3.0).seen();
    seen.interval = Some((0.7, 0.01));
    let text = sentence(&seen, false, None).to_string();
    assert!(
        text.contains("ran every 0.700 s ± 0.010 s ·") && !text.contains("fps"),
        "{text}"
    );
}

#[test]
fn a_request_list_serves_each_request_in_the_next_update() {
    let text = three_seconds("request-list", &[]).to_string();
    assert!(
        text.contains(" runs on request in 2.0 s, each in the next update · "),
        "{text}"
    );
}

#[test]
fn a_budget_that_is_held_says_what_it_was_used_for() {
    let text = three_seconds("time-budget", &[(&COST, 10.0)]).to_string();
    assert!(
        text.contains(" · budget of 4 ms held, tasks took up to "),
        "{text}"
    );
    assert!(text.contains("each in the next update"), "{text}");
}

#[test]
fn a_clock_of_coarse_steps_is_told_where_a_budget_hangs_on_it() {
    let told = |strategy, budget: f64, steps| {
        let watched = Watched::new(strategy, &[(&BUDGET, budget)]).watch(1.0);
        let clause = too_coarse(&watched.seen(), steps);
        clause.map(|clause| wrong(&clause.into()))
    };
    let ms = |millis| Some(Nanos::from_millis_f64(millis));
    assert_eq!(
        told("time-budget", 4.0, ms(1.0)).as_deref(),
        Some("the clock goes by steps of 1 ms, too coarse for a budget of 4 ms")
    );
    assert_eq!(
        told("time-budget", 0.5, ms(0.1)).as_deref(),
        Some("the clock goes by steps of 100 µs, too coarse for a budget of 500 µs")
    );
    for (strategy, budget, steps) in [
        ("time-budget", 4.0, ms(0.1)),
        ("time-budget", 4.0, None),
        ("time-budget", 0.0, ms(0.1)), // one task runs, whatever the clock
        ("time-budget", 0.0001, ms(0.00004)),
        ("request-list", 4.0, ms(1.0)),
    ] {
        assert_eq!(told(strategy, budget, steps), None, "{strategy} {budget}");
    }
}

#[test]
fn requests_that_come_faster_than_the_budget_allows_make_the_backlog_grow() {
    // 800 a second of 0.4 ms are 0.32 s of work a second; the budget is 4 ms in each of 60 frames.
    let set = [(&COST, 400.0), (&REQUESTS, 2.0)];
    let said = Watched::new("time-budget", &set).watch(1.5).said();
    let text = said.to_string();
    assert!(
        wrong(&said).contains(": requests came faster than the budget allows"),
        "{text}"
    );
    assert!(!text.contains("each in the next update"), "{text}");
}

#[test]
fn where_most_keep_waiting_that_is_wrong_though_the_backlog_no_longer_grows() {
    let set = [(&COST, 4000.0), (&REQUESTS, 20.0)];
    let said = Watched::new("time-budget", &set).watch(5.0).said();
    assert!(
        wrong(&said).contains("of 400 still wait"),
        "{}",
        said.to_string()
    );
}

#[test]
fn a_backlog_that_varies_by_chance_is_not_wrong() {
    let mut seen = Watched::new("time-budget", &[(&COST, 10.0)])
        .watch(3.0)
        .seen();
    seen.backlog = (20, 25);
    seen.backlog_most = 30;
    seen.frames_with_backlog = seen.frames;
    let said = sentence(&seen, false, None);
    assert!(
        said.to_string().contains("backlog 25, at most 30"),
        "{}",
        said.to_string()
    );
    assert!(!said.is_warning(), "{}", said.to_string());
}

#[test]
fn an_overrun_is_wrong_only_where_it_is_more_than_a_tenth_of_the_budget() {
    // 0.11 ms: 37 tasks run, and the last ends 0.07 ms late.
    let set = [(&COST, 110.0), (&REQUESTS, 50.0)];
    let said = three_seconds("time-budget", &set);
    let text = said.to_string();
    assert!(
        text.contains("budget of 4 ms overrun by up to 70 µs"),
        "{text}"
    );
    assert!(!wrong(&said).contains("overrun"), "{text}");
    let set = [(&COST, 110.0), (&REQUESTS, 50.0), (&BUDGET, 0.0)];
    let said = three_seconds("time-budget", &set);
    assert!(
        wrong(&said).contains("overrun by up to 110 µs"),
        "{}",
        said.to_string()
    );
}

#[test]
fn nobody_asks_where_requests_are_off_and_nobody_may_have_asked_by_chance() {
    for key in ["request-list", "time-budget"] {
        let text = three_seconds(key, &[(&REQUESTS, 0.0)]).to_string();
        assert!(text.starts_with("nobody asks: Requests is 0"), "{text}");
        let rarely = [(&REQUESTS, 0.01), (&ENTITIES, 1.0)];
        let text = three_seconds(key, &rarely).to_string();
        assert!(text.starts_with("no requests in 2.0 s"), "{text}");
    }
}

#[test]
fn an_overrun_of_half_the_budget_is_wrong() {
    let set = [(&COST, 150.0), (&REQUESTS, 50.0), (&BUDGET, 0.2)];
    let said = three_seconds("time-budget", &set);
    let text = "budget of 200 µs overrun by up to 100 µs";
    assert!(wrong(&said).contains(text), "{}", said.to_string());
}

#[test]
fn a_backlog_that_came_in_one_burst_is_no_sign_of_too_small_a_budget() {
    let seen = Watched::new("time-budget", &[(&COST, 10.0)]).watch(3.0);
    let mut seen = seen.seen();
    (seen.backlog, seen.backlog_most) = ((0, 300), 300);
    seen.frames_with_backlog = 1;
    let said = sentence(&seen, false, None);
    let text = said.to_string();
    assert!(text.contains("backlog 300, at most 300"), "{text}");
    assert!(!said.is_warning(), "{text}");
}

#[test]
fn max_per_frame_says_at_most_where_it_was_not_always_as_many() {
    let mut seen = Watched::new("max-per-frame", &[]).watch(5.0).seen();
    seen.busy -= 1;
    let text = sentence(&seen, false, None).to_string();
    assert!(text.starts_with("at most 4 a frame: each"), "{text}");
}

#[test]
fn two_are_both_and_one_run_is_no_plural() {
    let two = [(&ENTITIES, 2.0)];
    let text = three_seconds("every-frame", &two).to_string();
    assert!(text.starts_with("both capsules ran in"), "{text}");
    let mut seen = Watched::new("request-list", &[]).watch(3.0).seen();
    seen.runs = 1;
    let text = sentence(&seen, false, None).to_string();
    let start = "1 run on request in 2.0 s, in the next update · ";
    assert!(text.starts_with(start), "{text}");
}

// Edges.

#[test]
fn a_warning_is_told_before_all_else_and_alone() {
    let seen = Watched::new("all-at-once", &[]).watch(3.0).seen();
    let said = sentence(&seen, false, Some("too much! *really*".to_owned()));
    assert_eq!(said.to_string(), "too much! *really*");
    assert!(said.is_warning());
    let said = sentence(&seen, true, Some("too much".to_owned()));
    assert_eq!(said.to_string(), "too much · paused");
}

#[test]
fn a_pause_is_told_before_what_was_measured() {
    let watched = Watched::new("fixed-interval", &[]).watch(3.0);
    let text = sentence(&watched.seen(), true, None).to_string();
    assert_eq!(text, format!("paused · {}", watched.text()));
}

#[test]
fn before_any_frame_and_in_the_first_moments_the_rule_is_told() {
    for entry in STRATEGIES {
        let mut watched = Watched::new(entry.key, &[(&COST, 10.0)]);
        for _ in 0..2 {
            let said = watched.said();
            let rule = in_a_sentence(entry.rule);
            assert_eq!((said.to_string(), said.is_warning()), (rule, false));
            watched = watched.watch(0.4);
        }
        let text = watched.watch(0.2).text();
        assert!(text.contains("no hitches"), "{text}");
    }
}

#[test]
fn one_frame_is_too_little_however_long_it_was() {
    let set = [(&COST, 2000.0)];
    let mut watched = Watched::new("every-frame", &set);
    watched.frame();
    assert!(watched.seen().span > ENOUGH);
    assert_eq!(watched.text(), "runs every task in every update");
}

#[test]
fn just_switched_nothing_is_told_of_the_strategy_before() {
    for entry in STRATEGIES {
        let watched = Watched::new("all-at-once", &[(&COST, 10.0)]).watch(3.0);
        let watched = watched.switch(entry).watch(0.2);
        assert_eq!(watched.text(), in_a_sentence(entry.rule));
    }
}

#[test]
fn the_first_intervals_after_a_switch_are_not_mixed_with_the_last_ones_before_it() {
    let watched = Watched::new("all-at-once", &[(&COST, 10.0)]).watch(3.3);
    let mut watched = watched.switch(by_key("fixed-interval").unwrap());
    for _ in 0..20 {
        watched = watched.watch(0.1);
        if let Some((mean, _)) = watched.seen().interval {
            assert!((mean - 0.5).abs() < 0.01, "{mean}");
        }
    }
    assert!(
        watched
            .text()
            .starts_with("each of 400 capsules ran every 0.500 s")
    );
}

#[test]
fn a_turned_knob_begins_anew_too() {
    let watched = Watched::new("fixed-interval", &[]).watch(3.0);
    let watched = watched.turn(&INTERVAL, 1.0).watch(1.5);
    let text = watched.text();
    assert!(!text.contains("0.500 s"), "{text}");
    let text = watched.watch(3.0).text();
    assert!(
        text.starts_with("each of 400 capsules ran every 1.000 s"),
        "{text}"
    );
}

#[test]
fn with_no_capsules_nothing_runs_from_the_first_moment() {
    for entry in STRATEGIES {
        let watched = Watched::new(entry.key, &[(&ENTITIES, 0.0)]);
        assert_eq!(watched.text(), "no capsules, so nothing runs");
        assert_eq!(
            watched.watch(3.0).text(),
            "no capsules, so nothing runs · frame p99 16.7 ms · no hitches"
        );
    }
}

#[test]
fn one_capsule_is_not_a_crowd() {
    for entry in STRATEGIES {
        let set = [(&ENTITIES, 1.0), (&REQUESTS, 1.0)];
        let text = three_seconds(entry.key, &set).to_string();
        for plural in ["1 capsules", "1 runs", "1 tasks", "each of", "all "] {
            assert!(!text.contains(plural), "{text}");
        }
    }
    let text = three_seconds("all-at-once", &[(&ENTITIES, 1.0)]).to_string();
    assert!(
        text.starts_with("the one capsule ran every 0.500 s"),
        "{text}"
    );
    let text = three_seconds("every-frame", &[(&ENTITIES, 1.0)]).to_string();
    assert!(
        text.starts_with("the one capsule ran in every frame"),
        "{text}"
    );
}

#[test]
fn work_that_no_interval_has_room_for_is_named() {
    let set = [(&ENTITIES, 4000.0), (&COST, 200.0)];
    for key in ["fixed-interval", "all-at-once"] {
        let said = Watched::new(key, &set).watch(10.0).said();
        let start =
            "this machine cannot run 4,000 tasks of 200 µs every 0.500 s, that takes 0.800 s · ";
        assert!(said.to_string().starts_with(start), "{}", said.to_string());
        assert!(wrong(&said).starts_with("this machine cannot"));
        let slow = "intervals of 0.800 s, 0.500 s was wanted";
        assert!(said.to_string().contains(slow), "{}", said.to_string());
    }
    let said = three_seconds("fixed-interval", &[(&ENTITIES, 4000.0), (&COST, 120.0)]);
    assert!(!said.to_string().contains("cannot"), "{}", said.to_string());
    let said = three_seconds("max-per-frame", &set);
    assert!(
        !said.to_string().contains("cannot"),
        "it wants no interval: {}",
        said
    );
}

#[test]
fn uneven_work_is_named_only_where_it_was_measured() {
    // Twice as fast, the machine does in 0.4 s what would take 0.8: that is within the interval.
    let uneven = [(&ENTITIES, 4000.0), (&COST, 200.0), (&COST_SPREAD, 0.4)];
    let said = three_seconds("fixed-interval", &uneven);
    assert!(
        said.to_string()
            .starts_with("this machine cannot run 4,000 tasks of 20"),
        "{}",
        said.to_string()
    );
    let fast = [uneven.as_slice(), &[(&SPEED, 2.0)]].concat();
    let said = three_seconds("fixed-interval", &fast);
    assert!(!said.to_string().contains("cannot"), "{}", said.to_string());
}

#[test]
fn an_interval_shorter_than_a_frame_can_not_be_kept() {
    let said = three_seconds("fixed-interval", &[(&INTERVAL, 0.01), (&COST, 1.0)]);
    assert_eq!(wrong(&said), "intervals of 16.7 ms, 10.0 ms was wanted");
    let said = three_seconds("fixed-interval", &[(&INTERVAL, 0.0), (&COST, 1.0)]);
    assert!(!said.is_warning(), "zero is every update: {}", said);
}

#[test]
fn where_nobody_ran_lately_the_stalest_is_told() {
    let watched = Watched::new("all-at-once", &[(&INTERVAL, 10.0), (&COST, 10.0)]);
    let watched = watched.watch(1.0);
    let text = watched.text();
    assert!(
        text.starts_with("all 400 capsules ran in 1 frame, none in the other "),
        "{text}"
    );
    let text = watched.watch(4.0).text();
    let start = "nobody ran in 2.0 s · the stalest has waited 4.983 s · frame p99";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn where_nobody_ran_twice_no_interval_is_told() {
    let text = Watched::new("max-per-frame", &[]).watch(1.0).text();
    assert!(
        text.starts_with(
            "4 a frame, a round is 100 frames: 240 runs in 1.0 s, too early to tell an interval; the stalest has waited 0."
        ),
        "{text}"
    );
}

#[test]
fn each_is_said_only_of_as_many_as_were_measured() {
    let set = [(&ENTITIES, 4000.0), (&COST, 10.0)];
    let text = Watched::new("max-per-frame", &set).watch(40.0).text();
    assert!(
        text.starts_with(
            "4 a frame, a round is 1,000 frames: 480 intervals measured, 16.7 s ± 0.0 s"
        ),
        "{text}"
    );
    let mut seen = Watched::new("fixed-interval", &[]).watch(3.0).seen();
    seen.worst_staleness = Nanos::from_secs(2); // somebody has not run for long
    let text = sentence(&seen, false, None).to_string();
    assert!(!text.contains("each"), "{text}");
}

#[test]
fn under_churn_nothing_is_said_of_each() {
    let churning = [(&CHURN, 50.0), (&COST, 10.0)];
    let text = three_seconds("fixed-interval", &churning).to_string();
    assert!(text.starts_with("as some come and go, 1,"), "{text}");
    assert!(
        text.contains(" intervals measured, 0.500 s ± 0.00"),
        "{text}"
    );
    let text = three_seconds("every-frame", &churning).to_string();
    assert!(
        text.starts_with("all 400 capsules ran in every frame"),
        "{text}"
    );
}

#[test]
fn uneven_intervals_are_told_on_the_mean() {
    let mut seen = Watched::new("fixed-interval", &[]).watch(3.0).seen();
    seen.interval = Some((0.5, 0.2));
    let text = sentence(&seen, false, None).to_string();
    assert!(
        text.starts_with("each of 400 capsules ran at intervals of 0.500 s ± 0.200 s on the mean"),
        "{text}"
    );
}

#[test]
fn a_frame_with_several_updates_is_not_taken_for_one() {
    let mut seen = Watched::new("every-frame", &[(&COST, 1.0)])
        .watch(3.0)
        .seen();
    seen.updates_most = 2;
    assert!(
        !sentence(&seen, false, None)
            .to_string()
            .contains("in every frame")
    );
    let mut seen = Watched::new("stagger-groups", &[]).watch(3.0).seen();
    seen.updates_most = 2;
    let text = sentence(&seen, false, None).to_string();
    assert!(
        text.starts_with("one of 30 groups an update: ") && !text.contains("fps"),
        "{text}"
    );
}

#[test]
fn of_few_frames_the_longest_is_told_and_no_hundredth_part() {
    let text = Watched::new("fixed-interval", &[]).watch(1.0).text();
    assert!(
        text.contains("longest frame 16.7 ms") && !text.contains("p99"),
        "{text}"
    );
}

#[test]
fn one_hitch_is_not_several_and_is_told_before_what_is_right() {
    let mut watched = Watched::new("fixed-interval", &[]).watch(3.0);
    assert!(watched.text().contains("no hitches"));
    let mut past = watched.history.frames().back().unwrap().clone();
    past.record.number += 1;
    past.record.length = Nanos::from_millis(27); // of which tasks take 1.4 ms
    watched.history.push(past);
    let said = watched.said();
    assert!(
        said.to_string()
            .contains(" · 1 hitch over 25.0 ms, none by tasks · peak 14"),
        "{}",
        said.to_string()
    );
    assert_eq!(wrong(&said), "1 hitch over 25.0 ms, none by tasks");
    let mut seen = watched.seen();
    seen.hitches = seen.frames;
    seen.hitches_by_tasks = 7;
    let text = sentence(&seen, false, None).to_string();
    let all = "each frame a hitch, over 25.0 ms, 7 by tasks";
    assert!(text.contains(all), "{text}");
}

#[test]
fn what_was_left_out_is_said() {
    let mut watched = Watched::new("fixed-interval", &[]).watch(3.0);
    let mut held_up = watched.history.frames().back().unwrap().clone();
    held_up.record.number += 1;
    held_up.outside = Nanos::from_secs(3600);
    watched.history.push(held_up);
    let text = watched.text();
    assert!(
        text.ends_with("no hitches · 1 frame held up from outside, left out"),
        "{text}"
    );
}

#[test]
fn a_small_crowds_peaks_are_no_bursts() {
    let said = three_seconds(all_at_once::ENTRY.key, &[(&ENTITIES, 5.0)]);
    assert!(
        said.to_string().contains("peak 5 tasks/frame, "),
        "{}",
        said.to_string()
    );
    assert!(!said.is_warning(), "{}", said.to_string());
}

#[test]
fn what_is_said_of_nobody_is_said_of_the_frames_that_count() {
    let mut watched =
        Watched::new("request-list", &[(&REQUESTS, 0.01), (&ENTITIES, 1.0)]).watch(3.0);
    let mut held_up = watched.history.frames().back().unwrap().clone();
    held_up.record.number += 1;
    held_up.outside = Nanos::SECOND;
    watched.history.push(held_up);
    let text = watched.text();
    assert!(
        text.starts_with("no requests in 2.0 s that count"),
        "{text}"
    );
}

#[test]
fn a_cost_that_nothing_has_borne_out_yet_is_no_reason_to_say_cannot() {
    let set = [(&ENTITIES, 4000.0), (&COST, 200.0)];
    let mut seen = Watched::new("fixed-interval", &set).watch(10.0).seen();
    assert!(sentence(&seen, false, None).to_string().contains("cannot"));
    seen.runs = FOR_COST - 1;
    assert!(!sentence(&seen, false, None).to_string().contains("cannot"));
}

// Under every frame loop.

impl Watched {
    /// Under another frame loop from the start.
    fn under(strategy: &str, frame_loop: &'static FrameLoopEntry, set: &[(&Knob, f64)]) -> Self {
        let mut watched = Self::new(strategy, set);
        watched.lane.set_frame_loop(frame_loop);
        watched.history.set_period(watched.lane.target_period());
        watched
    }
}

#[test]
fn under_no_frame_loop_does_a_sentence_contradict_itself() {
    let workloads: [&[(&Knob, f64)]; 4] = [
        &[],
        &[(&RENDER_MS, 60.0)],
        &[(&COST, 300.0)],
        &[(&COST, 300.0), (&RENDER_MS, 30.0), (&LOOP_FPS, 25.0)],
    ];
    for frame_loop in FRAME_LOOPS {
        for strategy in ["every-frame", "fixed-interval", "all-at-once"] {
            for set in workloads {
                let watched = Watched::under(strategy, frame_loop, set).watch(8.0);
                let (seen, text) = (watched.seen(), watched.text());
                let about = format!("{} {strategy} {set:?}: {text}", frame_loop.key);
                // What cannot be done was not done.
                assert!(
                    !(text.contains("cannot run") && text.contains("ran every")),
                    "{about}"
                );
                if seen.frames < 10 {
                    continue; // too few to know a speed by
                }
                // What is given up is told.
                let half_lost = seen.debt_dropped.as_secs_f64() > 0.5 * seen.span.as_secs_f64();
                assert!(!half_lost || text.contains("given up"), "{about}");
                let (game, real) = seen.passed;
                let speed = game.over(real);
                let told = text.contains("× real time");
                assert!(told || (0.8..1.25).contains(&speed), "{speed}: {about}");
                assert!(!told || !(0.98..1.02).contains(&speed), "{speed}: {about}");
            }
        }
    }
}

#[test]
fn a_loop_that_keeps_its_own_rate_makes_no_hitches_by_it() {
    let frame_loop = frame_loop::by_key("constant-fps").unwrap();
    let set = [(&LOOP_FPS, 25.0)];
    let said = Watched::under("fixed-interval", frame_loop, &set)
        .watch(4.0)
        .said();
    let text = said.to_string();
    assert!(!said.is_warning(), "{text}");
    assert!(
        text.contains("longest frame 40.0 ms · no hitches"),
        "{text}"
    );
}

#[test]
fn a_game_that_loses_time_says_how_much() {
    let frame_loop = frame_loop::by_key("fixed-step").unwrap();
    let said = Watched::under("every-frame", frame_loop, &[])
        .watch(6.0)
        .said();
    // 40 ms of tasks in each step of 20 ms.
    assert!(
        wrong(&said).contains("game time at 0.50× real time, 50"),
        "{}",
        said.to_string()
    );
    let unsynced = frame_loop::by_key("unsynced").unwrap();
    let set = [(&RENDER_MS, 5.0), (&COST, 0.0)];
    let text = Watched::under("fixed-interval", unsynced, &set)
        .watch(4.0)
        .text();
    assert!(text.contains("game time at 4.00× real time"), "{text}");
}

#[test]
fn a_past_frame_is_told_as_it_was() {
    let watched = Watched::new("all-at-once", &[(&COST, 10.0)]).watch(1.1);
    let frames = watched.history.frames();
    let burst = frames.iter().find(|past| past.record.runs > 0).unwrap();
    let said = of_frame(burst, 1, by_key("all-at-once").unwrap());
    assert_eq!(
        said.to_string(),
        format!(
            "frame {}, 1 frame back · 400 tasks ran · 16.7 ms",
            burst.record.number
        )
    );
    let mut long = burst.clone();
    long.record.length = Nanos::from_millis(80);
    long.record.task_time = Nanos::from_millis(70);
    long.record.backlog = 3;
    let said = of_frame(&long, 20, by_key("stagger-groups").unwrap());
    let end = "20 frames back, under All at once · 400 tasks ran · 3 waited · a hitch, 80.0 ms: 400 tasks";
    assert!(said.to_string().ends_with(end), "{}", said.to_string());
    assert_eq!(wrong(&said), "a hitch, 80.0 ms: 400 tasks");
}
