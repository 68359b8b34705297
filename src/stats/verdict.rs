//! What a report means, in a sentence: rules over its figures.
//!
//! Each rule is a function that says its part or nothing, and says nothing that the figures do not bear out.

use super::Report;
use super::phrasing::{at_most, spread, time};
use super::recovery::Recovery;
use crate::phrase;
use crate::text::format;
use crate::text::rich::{Clause, RichText, counted, figure, grouped_figure};
use timeslice::strategy::Promise;
use timeslice::time::Nanos;

/// A game keeps real time if it is no further from it than this.
const REAL_TIME: f64 = 0.01;
/// The mean interval is the wanted one if it is no further from it than this share.
const ON_THE_MEAN: f64 = 0.01;
/// So many runs in one frame, and so many times the mean, are a burst.
const BURST: (u32, f64) = (10, 2.0);

/// How a lane took what was done to it lately, what it did, and what is wrong with it: the most important part first.
#[must_use]
pub fn verdict(of: &Report) -> RichText {
    let mut text: RichText = of.recovery.iter().map(Recovery::clause).collect();
    if of.frames == 0 {
        let why = if of.warming_up {
            "measured anew since the last change"
        } else {
            "nothing was measured yet"
        };
        text.push(phrase![why].normal());
        return text;
    }
    let rules: [Rule; 11] = [
        overload,
        frames,
        freshness,
        requests,
        staleness,
        broken_promises,
        budget,
        backlog,
        burst,
        game_speed,
        scheduling,
    ];
    text.clauses
        .extend(rules.iter().filter_map(|rule| rule(of)));
    // A card has room for the first of them only.
    text.warnings_first();
    text
}

type Rule = fn(&Report) -> Option<Clause>;

/// A round of tasks that takes longer than the interval that is wanted cannot be; nor one that takes as long,
/// where anything else takes time. Said of what tasks were measured to take, once a round of them was.
fn overload(of: &Report) -> Option<Clause> {
    let utilisation = of.utilisation().filter(|&utilisation| utilisation >= 1.0)?;
    let (wanted, cost) = (of.wanted?, of.cost()?);
    if of.entities == 0 || of.runs < of.entities as u64 {
        return None;
    }
    // Where the game is slower than real time its own intervals may well be kept.
    let real = if of.pacing.waits_for_display {
        ""
    } else {
        " of real time"
    };
    let tasks = counted(of.entities as u64, "task");
    let round = phrase![tasks, " of ", time(cost), " every ", time(wanted), real];
    let idle = of.scheduling + of.drawing;
    let words = if utilisation == 1.0 && idle.is_zero() {
        phrase![round, " leave no time for anything else"]
    } else {
        let takes = time(Nanos::from_secs_f64(utilisation * wanted.as_secs_f64()));
        phrase!["this machine cannot run ", round, ": that takes ", takes]
    };
    Some(words.warning())
}

/// Whether frames have the length that they are to have.
#[expect(clippy::unnecessary_wraps)] // a rule like the others
fn frames(of: &Report) -> Option<Clause> {
    let aimed = of.pacing.target;
    let (mean, longest) = (of.frame.mean, of.frame.max);
    let missed = mean.as_nanos() > aimed.as_nanos() / 10 * 11;
    let words = match of.hitches {
        0 if missed => phrase![
            "frames of ",
            time(mean),
            " on the mean, ",
            time(aimed),
            " was aimed at"
        ],
        0 => return Some(phrase!["smooth, no frame above ", at_most(of.hitch())].normal()),
        all if all == of.frames => phrase![
            "every frame took more than ",
            time(of.hitch()),
            ", on the mean ",
            time(mean)
        ],
        1 => phrase!["one hitch of ", time(longest)],
        some => phrase![
            grouped_figure(some),
            " hitches in ",
            grouped_figure(of.frames),
            " frames, the longest ",
            time(longest)
        ],
    };
    Some(words.warning())
}

/// How often each task ran, for strategies that go by time or turn.
fn freshness(of: &Report) -> Option<Clause> {
    if matches!(of.promise, Promise::Request { .. }) {
        return None;
    }
    if of.interval.count == 0 {
        let words = if of.runs == 0 {
            phrase!["nothing ran"]
        } else {
            phrase!["nobody ran twice in ", time(of.game_span)]
        };
        return Some(words.normal());
    }
    let every = phrase!["intervals of ", spread(&of.interval)];
    Some(match of.wanted {
        None => every.normal(),
        Some(wanted) if of.interval.mean.over(wanted) > 1.0 + ON_THE_MEAN => {
            phrase![every, ", ", time(wanted), " wanted"].warning()
        }
        Some(wanted) if of.off_wanted.max.is_zero() => {
            phrase!["intervals of exactly ", time(wanted)].normal()
        }
        Some(wanted) => {
            let off = at_most(of.off_wanted.max);
            phrase![every, ", ", time(wanted), " wanted, at most ", off, " off"].normal()
        }
    })
}

/// How long requests waited, for strategies that run on request.
fn requests(of: &Report) -> Option<Clause> {
    if !matches!(of.promise, Promise::Request { .. }) {
        return None;
    }
    let waits = &of.request_wait;
    let words = if of.runs == 0 {
        phrase!["nothing ran"]
    } else if waits.count == 0 {
        phrase![counted(of.runs, "run"), " on request"]
    } else if waits.max.is_zero() && of.backlog_peak == 0 {
        phrase!["every request served in the next update"]
    } else {
        phrase![
            "requests served after ",
            time(waits.mean),
            " on the mean, at most ",
            at_most(waits.max)
        ]
    };
    Some(words.normal())
}

/// How stale the stalest became, where nobody runs unless it asks.
fn staleness(of: &Report) -> Option<Clause> {
    let on_request = matches!(of.promise, Promise::Request { .. });
    (on_request && of.entities > 0)
        .then(|| phrase!["somebody did not run for ", time(of.worst_staleness)].normal())
}

/// Runs that came later than promised, and who got none for long.
fn broken_promises(of: &Report) -> Option<Clause> {
    let promise = of.promise_in_words();
    let words = if of.starved > 0 {
        phrase![
            counted(of.starved, "entity"),
            format!(" starved: waited more than three times what is promised ({promise})")
        ]
    } else if of.late > 0 {
        phrase![
            grouped_figure(of.late),
            " of ",
            grouped_figure(of.runs),
            format!(" runs later than promised ({promise})")
        ]
    } else {
        return None;
    };
    Some(words.warning())
}

/// Whether a budget was held. That its last task ends a little beyond it is the published rule; wrong is what players
/// notice: more than a tenth, more often than once in a hundred updates.
fn budget(of: &Report) -> Option<Clause> {
    let budget = of.budget?;
    if of.runs == 0 {
        return None;
    }
    let (count, most) = (of.overrun.count, of.overrun.max);
    if count == 0 {
        return Some(phrase!["budget of ", time(budget), " held"].normal());
    }
    // What one update in a hundred exceeds, among those that pass it at all: as near as is known, and not above.
    let rare = 1.0 - of.updates as f64 / 100.0 / count as f64;
    let known = [
        (0.99, of.overrun.p99),
        (0.95, of.overrun.p95),
        (0.5, of.overrun.p50),
    ];
    let exceeded = known.into_iter().find(|(share, _)| *share <= rare);
    let is_wrong = exceeded.is_some_and(|(_, over)| over.as_nanos() * 10 > budget.as_nanos());
    let passed = phrase![
        "budget of ",
        time(budget),
        " passed in ",
        grouped_figure(count),
        " of ",
        grouped_figure(of.updates),
        " updates, by at most ",
        at_most(most)
    ];
    Some(passed.warning_if(is_wrong))
}

/// What waited.
fn backlog(of: &Report) -> Option<Clause> {
    if of.backlog_peak == 0 {
        return None;
    }
    Some(if of.falls_behind() {
        let (first, last) = of.backlog;
        let [first, last] = [first, last].map(|waiting| grouped_figure(waiting as u64));
        phrase!["backlog grew from ", first, " to ", last].warning()
    } else {
        phrase!["backlog at most ", grouped_figure(of.backlog_peak as u64)].normal()
    })
}

/// Whether runs came in bursts.
fn burst(of: &Report) -> Option<Clause> {
    let ratio = of.peak_over_mean()?;
    (of.peak_runs >= BURST.0 && ratio >= BURST.1).then(|| {
        let most = counted(of.peak_runs.into(), "task");
        let ratio = figure(format::number(ratio));
        phrase![
            "bursts of up to ",
            most,
            " a frame, ",
            ratio,
            " times the mean"
        ]
        .normal()
    })
}

/// Whether the game went as fast as the machine's clock.
fn game_speed(of: &Report) -> Option<Clause> {
    // The game time of a frame is the length of the one before it, or as many whole steps as that has.
    let behind = of.behind + of.pacing.step.unwrap_or(Nanos::ZERO);
    let leeway = behind.over(of.span) + REAL_TIME;
    let speed = of.game_span.over(of.span);
    let words = if speed.is_finite() && (speed - 1.0).abs() > leeway {
        let speed = figure(format!("{}×", format::number(speed)));
        phrase!["the game went at ", speed, " real time"]
    } else if of.debt_dropped.is_zero() {
        return None;
    } else {
        phrase!["the game lost ", time(of.debt_dropped)]
    };
    Some(words.warning())
}

/// Scheduling that takes as long as the tasks that it schedules.
fn scheduling(of: &Report) -> Option<Clause> {
    let dear = of.scheduling > of.task_time && of.runs > 0;
    dear.then(|| {
        phrase![
            "scheduling took ",
            time(of.a_frame(of.scheduling)),
            " a frame, more than the tasks (",
            time(of.a_frame(of.task_time)),
            ")"
        ]
        .normal()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::sim::lane::Length;
    use crate::sim::machine::RENDER_MS;
    use crate::stats::test_lane::{lane, lane_of};
    use crate::stats::{Distribution, Times};
    use timeslice::frame_loop::constant_fps::LOOP_FPS;
    use timeslice::knob::Knob;

    use crate::sim::world::{CHURN, COST, COST_SPREAD, ENTITIES, REQUESTS};
    use timeslice::strategy::STRATEGIES;
    use timeslice::strategy::knobs::INTERVAL;
    use timeslice::strategy::max_per_frame::MAX_TASKS;
    use timeslice::strategy::time_budget::BUDGET;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    /// What was measured in so many seconds.
    fn report(strategy: &str, set: &[(&Knob, f64)], secs: u64) -> Report {
        report_on(strategy, "variable-step", set, secs)
    }

    fn report_on(strategy: &str, frame_loop: &str, set: &[(&Knob, f64)], secs: u64) -> Report {
        let mut lane = lane_of(strategy, frame_loop, set);
        while lane.is_within(Length::Time(Nanos::from_secs(secs))) {
            lane.frame();
        }
        lane.report()
    }

    /// What a rule says, and whether it is a warning.
    #[track_caller]
    fn told(rule: Rule, of: &Report) -> (String, bool) {
        let clause = rule(of).expect("it says something");
        (clause.to_string(), clause.is_warning())
    }

    #[track_caller]
    fn says(rule: Rule, of: &Report, expected: &str) {
        assert_eq!(told(rule, of), (expected.to_owned(), false));
    }

    #[track_caller]
    fn warns(rule: Rule, of: &Report, expected: &str) {
        assert_eq!(told(rule, of), (expected.to_owned(), true));
    }

    fn times(all_ms: &[u64]) -> Times {
        let mut spread = Distribution::new();
        for &ms in all_ms {
            spread.add(MS(ms));
        }
        spread.times()
    }

    #[test]
    fn before_the_first_frame_nothing_is_said() {
        let mut lane = lane("fixed-interval", &[]);
        assert_eq!(
            verdict(&lane.report()).to_string(),
            "nothing was measured yet"
        );
        lane.set_knob(&COST, 7.0);
        let said = verdict(&lane.report()).to_string();
        assert_eq!(said, "measured anew since the last change");
    }

    #[test]
    fn an_overload_is_said_from_a_utilisation_of_1_on() {
        let of = |entities| {
            let set = [(&ENTITIES, entities), (&COST, 100.0), (&INTERVAL, 0.5)];
            report("fixed-interval", &set, 20)
        };
        assert_eq!(overload(&of(4999.0)), None);
        let all = "5,000 tasks of 0.1 ms every 500 ms leave no time for anything else";
        warns(overload, &of(5000.0), all);
        let mut drawn = of(5000.0);
        drawn.drawing = MS(1);
        let cannot =
            "this machine cannot run 5,000 tasks of 0.1 ms every 500 ms: that takes 500 ms";
        warns(overload, &drawn, cannot);
        let cannot =
            "this machine cannot run 7,000 tasks of 0.1 ms every 500 ms: that takes 700 ms";
        warns(overload, &of(7000.0), cannot);
    }

    #[test]
    fn a_slow_games_own_intervals_are_no_overload_of_the_game_but_of_real_time() {
        let set = [(&ENTITIES, 10_000.0), (&COST, 100.0)];
        let of = report_on("fixed-interval", "unsynced", &set, 10);
        let (part, _) = told(overload, &of);
        assert!(part.contains(" of real time: that takes 1 s"), "{part}");
    }

    #[test]
    fn nothing_is_said_of_a_round_that_was_not_measured() {
        let set = [(&ENTITIES, 50_000.0), (&COST, 100.0), (&COST_SPREAD, 1.0)];
        let mut lane = lane("fixed-interval", &set);
        (0..2).for_each(|_| drop(lane.frame().clone()));
        let of = lane.report();
        assert!(of.runs > 0 && of.utilisation() > Some(1.0));
        assert_eq!(overload(&of), None);
    }

    #[test]
    fn frames_are_smooth_or_some_or_all_of_them_are_hitches() {
        let mut of = report("every-frame", &[(&ENTITIES, 1.0)], 1);
        says(frames, &of, "smooth, no frame above 25 ms");
        let set = [(&LOOP_FPS, 25.0), (&RENDER_MS, 60.0), (&COST, 0.0)];
        let slow = report_on("fixed-interval", "constant-fps", &set, 20);
        warns(
            frames,
            &slow,
            "frames of 60 ms on the mean, 40 ms was aimed at",
        );
        of.frame = times(&[16, 16, 100]);
        (of.frames, of.hitches) = (3, 1);
        warns(frames, &of, "one hitch of 100 ms");
        (of.frames, of.hitches) = (1200, 2);
        warns(frames, &of, "2 hitches in 1,200 frames, the longest 100 ms");
        of.hitches = 1200;
        warns(
            frames,
            &of,
            "every frame took more than 25 ms, on the mean 44 ms",
        );
    }

    #[test]
    fn intervals_are_told_with_their_jitter_and_against_the_wanted_one() {
        let of = report("fixed-interval", &[], 5);
        says(freshness, &of, "intervals of exactly 500 ms");
        let of = report("fixed-interval", &[(&INTERVAL, 0.11)], 5);
        let (part, _) = told(freshness, &of);
        assert!(part.starts_with("intervals of 110 ms ± "), "{part}");
        assert!(part.contains(" 110 ms wanted, at most "), "{part}");
        let slow = report("fixed-interval", &[(&ENTITIES, 20_000.0)], 60);
        let (part, is_warning) = told(freshness, &slow);
        assert!(is_warning && part.ends_with(" wanted"), "{part}");
        let turns = report("max-per-frame", &[(&MAX_TASKS, 40.0)], 5);
        let (part, _) = told(freshness, &turns);
        assert!(part.starts_with("intervals of 167 ms"), "{part}");
        let once = report("max-per-frame", &[], 1);
        says(freshness, &once, "nobody ran twice in 983 ms");
        let nobody = report("fixed-interval", &[(&ENTITIES, 0.0)], 1);
        says(freshness, &nobody, "nothing ran");
        assert_eq!(freshness(&report("request-list", &[], 1)), None);
    }

    #[test]
    fn requests_are_told_by_how_long_they_waited() {
        let of = report("request-list", &[], 5);
        says(requests, &of, "every request served in the next update");
        let none = report("request-list", &[(&REQUESTS, 0.0)], 1);
        says(requests, &none, "nothing ran");
        let busy = report("time-budget", &[(&BUDGET, 1.0)], 10);
        assert!(busy.request_wait.max > MS(100));
        let (part, _) = told(requests, &busy);
        assert!(part.starts_with("requests served after "), "{part}");
        assert_eq!(requests(&report("every-frame", &[], 1)), None);
    }

    #[test]
    fn who_does_not_ask_is_told_by_how_stale_it_became() {
        let none = report("request-list", &[(&REQUESTS, 0.0)], 5);
        says(staleness, &none, "somebody did not run for 4.98 s");
        assert_eq!(staleness(&report("fixed-interval", &[], 1)), None);
    }

    #[test]
    fn promises_that_were_broken_are_counted_and_kept_ones_not_mentioned() {
        for entry in STRATEGIES {
            let set = [(&ENTITIES, 100.0), (&CHURN, 10.0)];
            let of = report(entry.key, &set, 20);
            assert_eq!((of.late, of.starved), (0, 0), "{}", entry.key);
            assert_eq!(broken_promises(&of), None);
        }
        let mut of = report("fixed-interval", &[(&ENTITIES, 40_000.0)], 30);
        let promised = "each again after 0.5 s and one update";
        let expected = format!(
            "40,000 entities starved: waited more than three times what is promised ({promised})"
        );
        warns(broken_promises, &of, &expected);
        (of.starved, of.late, of.runs) = (0, 7, 1234);
        let expected = format!("7 of 1,234 runs later than promised ({promised})");
        warns(broken_promises, &of, &expected);
    }

    #[test]
    fn a_budget_is_held_or_passed_by_so_much() {
        let of = report("time-budget", &[], 5);
        says(budget, &of, "budget of 4 ms held");
        let set = [(&BUDGET, 4.0), (&COST, 1500.0), (&ENTITIES, 2000.0)];
        let of = report("time-budget", &set, 1);
        // 1.5, 3.0, 4.5 ms: half a millisecond too much, in each update in which anybody asks.
        let (part, is_warning) = told(budget, &of);
        assert!(part.starts_with("budget of 4 ms passed in "), "{part}");
        assert!(part.ends_with(" updates, by at most 0.5 ms") && is_warning);
        // What is passed by a little is no wrong, nor is a single dear task.
        let set = [(&COST, 150.0), (&ENTITIES, 9000.0)];
        let mut lane = lane("time-budget", &set);
        lane.disturb(crate::sim::disturbance::Disturbance::Heavy);
        while lane.is_within(Length::Time(Nanos::from_secs(30))) {
            lane.frame();
        }
        let of = lane.report();
        assert!(of.overrun.max > MS(10) && of.overrun.count * 100 > of.updates);
        assert!(!told(budget, &of).1);
        assert_eq!(budget(&report("every-frame", &[], 1)), None);
    }

    #[test]
    fn a_backlog_grows_or_has_its_peak_told() {
        assert_eq!(backlog(&report("request-list", &[], 5)), None);
        let set = [(&BUDGET, 1.0), (&ENTITIES, 4000.0)];
        let (part, is_warning) = told(backlog, &report("time-budget", &set, 20));
        assert!(
            is_warning && part.starts_with("backlog grew from "),
            "{part}"
        );
        let mut of = report("time-budget", &[], 1);
        (of.backlog, of.backlog_peak) = ((40, 45), 1070);
        says(backlog, &of, "backlog at most 1,070");
    }

    #[test]
    fn bursts_are_told_and_even_runs_are_not() {
        let of = report("all-at-once", &[], 10);
        let ratio = format::number(400.0 / of.mean_runs());
        let expected = format!("bursts of up to 400 tasks a frame, {ratio} times the mean");
        says(burst, &of, &expected);
        assert_eq!(burst(&report("fixed-interval", &[], 10)), None);
    }

    #[test]
    fn a_game_that_does_not_keep_real_time_is_told_and_what_it_lost() {
        let set = [(&RENDER_MS, 40.0), (&ENTITIES, 1.0)];
        let of = report_on("every-frame", "unsynced", &set, 10);
        // Updates of 20 ms, 40.1 ms apart.
        warns(game_speed, &of, "the game went at 0.5× real time");
        let of = report_on("every-frame", "constant-fps", &set, 10);
        assert!(told(game_speed, &of).0.contains("real time"));
        for key in ["variable-step", "fixed-step", "max-frame-skip"] {
            assert_eq!(
                game_speed(&report_on("every-frame", key, &set, 10)),
                None,
                "{key}"
            );
        }
        let mut of = report("every-frame", &[], 1);
        of.debt_dropped = MS(250);
        warns(game_speed, &of, "the game lost 250 ms");
    }

    #[test]
    fn scheduling_is_told_where_it_takes_longer_than_the_tasks() {
        let mut of = report("every-frame", &[], 1);
        assert_eq!(scheduling(&of), None);
        (of.scheduling, of.task_time, of.frames) = (MS(60), MS(30), 10);
        says(
            scheduling,
            &of,
            "scheduling took 6 ms a frame, more than the tasks (3 ms)",
        );
    }

    #[test]
    fn what_is_wrong_stands_in_front() {
        let mut of = report("time-budget", &[], 5);
        of.backlog = (0, 500);
        of.backlog_peak = 500;
        let text = verdict(&of).to_string();
        assert!(
            text.starts_with("backlog grew from 0 to 500 · smooth"),
            "{text}"
        );
        let mut of = report("every-frame", &[(&ENTITIES, 2000.0)], 5);
        of.debt_dropped = MS(250);
        let text = verdict(&of);
        let is_sorted = text.clauses.is_sorted_by_key(|it| !it.is_warning());
        assert!(is_sorted, "{text}");
    }
}
