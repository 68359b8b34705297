//! What a report means, in a sentence: rules over its figures.
//!
//! Each rule is a function that says its part or nothing, and says nothing that the figures do not bear out.

use super::Report;
use super::phrasing::{at_most, grouped_figure, spread, time};
use crate::text::format;
use crate::text::rich::{Said, counted};
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
pub fn verdict(of: &Report) -> Said {
    let mut said = Said::default();
    if let Some(recovery) = &of.recovery {
        said.say(&recovery.text());
    }
    if of.frames == 0 {
        said.say(if of.warming_up {
            "measured anew since the last change"
        } else {
            "nothing was measured yet"
        });
        return said;
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
    let parts = rules.iter().filter_map(|rule| rule(of));
    parts.for_each(|part| said.say(&part));
    // A card has room for the first of them only.
    said.parts.sort_by_key(|part| !part.is_wrong());
    said
}

type Rule = fn(&Report) -> Option<String>;

/// A round of tasks that takes longer than the interval that is wanted cannot be; nor one that takes as long,
/// where anything else takes time. Said of what tasks were measured to take, once a round of them was.
fn overload(of: &Report) -> Option<String> {
    let utilisation = of.utilisation().filter(|&utilisation| utilisation >= 1.0)?;
    let (wanted, cost) = (of.wanted?, of.cost()?);
    if of.entities == 0 || of.runs < of.entities as u64 {
        return None;
    }
    let tasks = counted(of.entities as u64, "task");
    let (cost, every) = (time(cost), time(wanted));
    // Where the game is slower than real time its own intervals may well be kept.
    let real = if of.pacing.waits_for_display {
        ""
    } else {
        " of real time"
    };
    let idle = of.scheduling + of.drawing;
    Some(if utilisation == 1.0 && idle.is_zero() {
        format!("!{tasks} of {cost} every {every}{real} leave no time for anything else!")
    } else {
        let takes = time(Nanos::from_secs_f64(utilisation * wanted.as_secs_f64()));
        format!(
            "!this machine cannot run {tasks} of {cost} every {every}{real}: that takes {takes}!"
        )
    })
}

/// Whether frames have the length that they are to have.
#[expect(clippy::unnecessary_wraps)] // a rule like the others
fn frames(of: &Report) -> Option<String> {
    let aimed = of.pacing.target;
    let missed = of.frame.mean.as_nanos() > aimed.as_nanos() / 10 * 11;
    Some(match of.hitches {
        0 if missed => format!(
            "!frames of {} on the mean, {} was aimed at!",
            time(of.frame.mean),
            time(aimed)
        ),
        0 => format!("smooth, no frame above {}", at_most(of.hitch())),
        all if all == of.frames => format!(
            "!every frame took more than {}, on the mean {}!",
            time(of.hitch()),
            time(of.frame.mean)
        ),
        1 => format!("!one hitch of {}!", time(of.frame.max)),
        some => format!(
            "!{} hitches in {} frames, the longest {}!",
            grouped_figure(some),
            grouped_figure(of.frames),
            time(of.frame.max)
        ),
    })
}

/// How often each task ran, for strategies that go by time or turn.
fn freshness(of: &Report) -> Option<String> {
    if matches!(of.promise, Promise::Request { .. }) {
        return None;
    }
    if of.interval.count == 0 {
        return Some(match of.runs {
            0 => "nothing ran".to_owned(),
            _ => format!("nobody ran twice in {}", time(of.game_span)),
        });
    }
    let every = spread(&of.interval);
    Some(match of.wanted {
        None => format!("intervals of {every}"),
        Some(wanted) if of.interval.mean.over(wanted) > 1.0 + ON_THE_MEAN => {
            format!("!intervals of {every}, {} wanted!", time(wanted))
        }
        Some(wanted) if of.off_wanted.max.is_zero() => {
            format!("intervals of exactly {}", time(wanted))
        }
        Some(wanted) => format!(
            "intervals of {every}, {} wanted, at most {} off",
            time(wanted),
            at_most(of.off_wanted.max)
        ),
    })
}

/// How long requests waited, for strategies that run on request.
fn requests(of: &Report) -> Option<String> {
    if !matches!(of.promise, Promise::Request { .. }) {
        return None;
    }
    let waits = &of.request_wait;
    Some(if of.runs == 0 {
        "nothing ran".to_owned()
    } else if waits.count == 0 {
        format!("{} on request", counted(of.runs, "run"))
    } else if waits.max.is_zero() && of.backlog_peak == 0 {
        "every request served in the next update".to_owned()
    } else {
        format!(
            "requests served after {} on the mean, at most {}",
            time(waits.mean),
            at_most(waits.max)
        )
    })
}

/// How stale the stalest became, where nobody runs unless it asks.
fn staleness(of: &Report) -> Option<String> {
    let on_request = matches!(of.promise, Promise::Request { .. });
    (on_request && of.entities > 0)
        .then(|| format!("somebody did not run for {}", time(of.worst_staleness)))
}

/// Runs that came later than promised, and who got none for long.
fn broken_promises(of: &Report) -> Option<String> {
    let promise = of.promise_in_words();
    if of.starved > 0 {
        return Some(format!(
            "!{} starved: waited more than three times what is promised ({promise})!",
            counted(of.starved, "entity")
        ));
    }
    (of.late > 0).then(|| {
        format!(
            "!{} of {} runs later than promised ({promise})!",
            grouped_figure(of.late),
            grouped_figure(of.runs)
        )
    })
}

/// Whether a budget was held. That its last task ends a little beyond it is the published rule; wrong is what players
/// notice: more than a tenth, more often than once in a hundred updates.
fn budget(of: &Report) -> Option<String> {
    let budget = of.budget?;
    if of.runs == 0 {
        return None;
    }
    let words = time(budget);
    let (count, most) = (of.overrun.count, of.overrun.max);
    if count == 0 {
        return Some(format!("budget of {words} held"));
    }
    let passed = format!(
        "budget of {words} passed in {} of {} updates, by at most {}",
        grouped_figure(count),
        grouped_figure(of.updates),
        at_most(most)
    );
    // What one update in a hundred exceeds, among those that pass it at all: as near as is known, and not above.
    let rare = 1.0 - of.updates as f64 / 100.0 / count as f64;
    let known = [
        (0.99, of.overrun.p99),
        (0.95, of.overrun.p95),
        (0.5, of.overrun.p50),
    ];
    let exceeded = known.into_iter().find(|(share, _)| *share <= rare);
    let is_wrong = exceeded.is_some_and(|(_, over)| over.as_nanos() * 10 > budget.as_nanos());
    Some(if is_wrong {
        format!("!{passed}!")
    } else {
        passed
    })
}

/// What waited.
fn backlog(of: &Report) -> Option<String> {
    let (first, last) = of.backlog;
    let peak = grouped_figure(of.backlog_peak as u64);
    if of.backlog_peak == 0 {
        return None;
    }
    Some(if of.falls_behind() {
        let [first, last] = [first, last].map(|waiting| grouped_figure(waiting as u64));
        format!("!backlog grew from {first} to {last}!")
    } else {
        format!("backlog at most {peak}")
    })
}

/// Whether runs came in bursts.
fn burst(of: &Report) -> Option<String> {
    let ratio = of.peak_over_mean()?;
    (of.peak_runs >= BURST.0 && ratio >= BURST.1).then(|| {
        format!(
            "bursts of up to {} a frame, *{}* times the mean",
            counted(of.peak_runs.into(), "task"),
            format::number(ratio)
        )
    })
}

/// Whether the game went as fast as the machine's clock.
fn game_speed(of: &Report) -> Option<String> {
    // The game time of a frame is the length of the one before it, or as many whole steps as that has.
    let behind = of.behind + of.pacing.step.unwrap_or(Nanos::ZERO);
    let leeway = behind.over(of.span) + REAL_TIME;
    let speed = of.game_span.over(of.span);
    if speed.is_finite() && (speed - 1.0).abs() > leeway {
        return Some(format!(
            "!the game went at *{}×* real time!",
            format::number(speed)
        ));
    }
    (!of.debt_dropped.is_zero()).then(|| format!("!the game lost {}!", time(of.debt_dropped)))
}

/// Scheduling that takes as long as the tasks that it schedules.
fn scheduling(of: &Report) -> Option<String> {
    let dear = of.scheduling > of.task_time && of.runs > 0;
    dear.then(|| {
        format!(
            "scheduling took {} a frame, more than the tasks ({})",
            time(of.a_frame(of.scheduling)),
            time(of.a_frame(of.task_time))
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::sim::lane::Length;
    use crate::sim::machine::RENDER_MS;
    use crate::stats::test_lane::{lane, lane_of};
    use crate::stats::{Distribution, Times};
    use crate::text::rich::Part;
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

    /// What a rule says, without its marks; whether it says that something is wrong.
    #[track_caller]
    fn says(rule: Rule, of: &Report, expected: &str) {
        let part = rule(of).expect("it says something");
        assert_eq!(part.replace('*', ""), expected);
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
        assert_eq!(verdict(&lane.report()).text(), "nothing was measured yet");
        lane.set_knob(&COST, 7.0);
        let said = verdict(&lane.report()).text();
        assert_eq!(said, "measured anew since the last change");
    }

    #[test]
    fn an_overload_is_said_from_a_utilisation_of_1_on() {
        let of = |entities| {
            let set = [(&ENTITIES, entities), (&COST, 100.0), (&INTERVAL, 0.5)];
            report("fixed-interval", &set, 20)
        };
        assert_eq!(overload(&of(4999.0)), None);
        let all = "!5,000 tasks of 0.1 ms every 500 ms leave no time for anything else!";
        says(overload, &of(5000.0), all);
        let mut drawn = of(5000.0);
        drawn.drawing = MS(1);
        let cannot =
            "!this machine cannot run 5,000 tasks of 0.1 ms every 500 ms: that takes 500 ms!";
        says(overload, &drawn, cannot);
        let cannot =
            "!this machine cannot run 7,000 tasks of 0.1 ms every 500 ms: that takes 700 ms!";
        says(overload, &of(7000.0), cannot);
    }

    #[test]
    fn a_slow_games_own_intervals_are_no_overload_of_the_game_but_of_real_time() {
        let set = [(&ENTITIES, 10_000.0), (&COST, 100.0)];
        let of = report_on("fixed-interval", "unsynced", &set, 10);
        let part = overload(&of).unwrap();
        assert!(part.contains(" of real time: that takes *1* s!"), "{part}");
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
        says(
            frames,
            &slow,
            "!frames of 60 ms on the mean, 40 ms was aimed at!",
        );
        of.frame = times(&[16, 16, 100]);
        (of.frames, of.hitches) = (3, 1);
        says(frames, &of, "!one hitch of 100 ms!");
        (of.frames, of.hitches) = (1200, 2);
        says(
            frames,
            &of,
            "!2 hitches in 1,200 frames, the longest 100 ms!",
        );
        of.hitches = 1200;
        says(
            frames,
            &of,
            "!every frame took more than 25 ms, on the mean 44 ms!",
        );
    }

    #[test]
    fn intervals_are_told_with_their_jitter_and_against_the_wanted_one() {
        let of = report("fixed-interval", &[], 5);
        says(freshness, &of, "intervals of exactly 500 ms");
        let of = report("fixed-interval", &[(&INTERVAL, 0.11)], 5);
        let part = freshness(&of).unwrap().replace('*', "");
        assert!(part.starts_with("intervals of 110 ms ± "), "{part}");
        assert!(part.contains(" 110 ms wanted, at most "), "{part}");
        let slow = report("fixed-interval", &[(&ENTITIES, 20_000.0)], 60);
        let part = freshness(&slow).unwrap();
        assert!(part.starts_with("!intervals of ") && part.ends_with(" wanted!"));
        let turns = report("max-per-frame", &[(&MAX_TASKS, 40.0)], 5);
        assert!(
            freshness(&turns)
                .unwrap()
                .starts_with("intervals of *167* ms")
        );
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
        assert!(
            requests(&busy)
                .unwrap()
                .starts_with("requests served after ")
        );
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
        says(
            broken_promises,
            &of,
            &format!(
                "!40,000 entities starved: waited more than three times what is promised ({promised})!"
            ),
        );
        (of.starved, of.late, of.runs) = (0, 7, 1234);
        let expected = format!("!7 of 1,234 runs later than promised ({promised})!");
        says(broken_promises, &of, &expected);
    }

    #[test]
    fn a_budget_is_held_or_passed_by_so_much() {
        let of = report("time-budget", &[], 5);
        says(budget, &of, "budget of 4 ms held");
        let set = [(&BUDGET, 4.0), (&COST, 1500.0), (&ENTITIES, 2000.0)];
        let of = report("time-budget", &set, 1);
        // 1.5, 3.0, 4.5 ms: half a millisecond too much, in each update in which anybody asks.
        let part = budget(&of).unwrap();
        assert!(part.starts_with("!budget of *4* ms passed in "), "{part}");
        assert!(part.ends_with(" updates, by at most *0.5* ms!"), "{part}");
        // What is passed by a little is no wrong, nor is a single dear task.
        let set = [(&COST, 150.0), (&ENTITIES, 9000.0)];
        let mut lane = lane("time-budget", &set);
        lane.disturb(crate::sim::disturbance::Disturbance::Heavy);
        while lane.is_within(Length::Time(Nanos::from_secs(30))) {
            lane.frame();
        }
        let of = lane.report();
        assert!(of.overrun.max > MS(10) && of.overrun.count * 100 > of.updates);
        let part = budget(&of).unwrap();
        assert!(!part.starts_with('!'), "{part}");
        assert_eq!(budget(&report("every-frame", &[], 1)), None);
    }

    #[test]
    fn a_backlog_grows_or_has_its_peak_told() {
        assert_eq!(backlog(&report("request-list", &[], 5)), None);
        let set = [(&BUDGET, 1.0), (&ENTITIES, 4000.0)];
        let part = backlog(&report("time-budget", &set, 20)).unwrap();
        assert!(part.starts_with("!backlog grew from "), "{part}");
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
        says(game_speed, &of, "!the game went at 0.5× real time!");
        let of = report_on("every-frame", "constant-fps", &set, 10);
        assert!(game_speed(&of).unwrap().contains("real time"));
        for key in ["variable-step", "fixed-step", "max-frame-skip"] {
            assert_eq!(
                game_speed(&report_on("every-frame", key, &set, 10)),
                None,
                "{key}"
            );
        }
        let mut of = report("every-frame", &[], 1);
        of.debt_dropped = MS(250);
        says(game_speed, &of, "!the game lost 250 ms!");
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
        let said = verdict(&of);
        assert!(
            said.text()
                .starts_with("backlog grew from 0 to 500 · smooth"),
            "{}",
            said.text()
        );
        let wrong: Vec<bool> = said.parts.iter().map(Part::is_wrong).collect();
        assert_eq!(wrong.iter().filter(|&&wrong| wrong).count(), 1);
        let mut of = report("every-frame", &[(&ENTITIES, 2000.0)], 5);
        of.debt_dropped = MS(250);
        let said = verdict(&of);
        assert!(
            said.parts.is_sorted_by_key(|part| !part.is_wrong()),
            "{}",
            said.text()
        );
    }

    #[test]
    fn marks_are_in_pairs_so_that_no_verdict_shows_one() {
        for entry in STRATEGIES {
            for entities in [0.0, 1.0, 300.0, 9000.0] {
                let said = verdict(&report(entry.key, &[(&ENTITIES, entities)], 5));
                let text = said.text();
                assert!(!text.contains(['*', '!']) && !text.is_empty(), "{text}");
            }
        }
    }
}
