//! Describes a report in words. [`verdict()`] describes a whole run, and [`status()`] describes the last few seconds.
//!
//! Each rule writes one clause of the text. A clause must not claim more than the metrics show. The `judgement` module
//! decides what is a warning, and the thresholds are in [`super::thresholds`].

use super::thresholds::{
    BURST_RUNS, CLOCK_STEPS, DIFFERENT_INTERVALS, EVENLY_SPREAD, FINE_CLOCK, MANY_FRAMES,
    NEARLY_NO_FRAMES, SLOW_ROUND, STATUS_FROM,
};
use super::{Recovery, Report};
use crate::catalog::strategy::Family;
use crate::sim::world::Ring;
use crate::text::format::{self, counted, grouped, multiple, time};
use crate::text::sentence::{Clause, Sentence};
use timeslicer::time::Nanos;

pub const MOST_CLAUSES: usize = 3;

/// A function that describes one aspect of a report, or warns about it. Returns `None` if there is nothing to say.
type Rule = fn(&Report) -> Option<Clause>;

/// All rules, in the order of their clauses in a verdict, and whether their warnings also appear in status messages.
const RULES: [(Rule, bool); 12] = [
    (published, false), // a status message always has it, even if it is not a warning
    (stopped_frames, true),
    (overload, true),
    (long_wait, true),
    (frames, true),
    (updates, true),
    (intervals, false),
    (requests, false),
    (budget, true),
    (backlog, true),
    (bursts, false),
    (game_speed, true),
];

/// Describes a whole run in words. Warnings come first. Includes how the run recovered from disturbances.
pub fn verdict(of: &Report) -> Sentence {
    let recoveries = of.subject.recoveries.iter().map(Recovery::clause);
    let idle = of.subject.idle_disturbances.iter().map(Clause::normal);
    let mut text: Sentence = recoveries.chain(idle).collect();
    if of.frames == 0 {
        text.clauses.push(Clause::normal("nothing measured yet"));
        return text;
    }
    text.clauses
        .extend(RULES.iter().filter_map(|(rule, _)| rule(of)));
    // Warnings must come first, because the Compare view leaves out the last clauses if there is not enough room.
    text.warnings_first();
    text
}

/// Describes the last few seconds in at most [`MOST_CLAUSES`] clauses: what the strategy is doing, whether the game is
/// paused, and any problems. Until enough has been measured, the text explains how the strategy works instead.
/// `clock_step` is the resolution of the machine's clock, or `None` if the machine is simulated.
pub fn status(of: &Report, is_paused: bool, clock_step: Option<Nanos>) -> Sentence {
    let recovery = of.subject.recoveries.last();
    let mut remarks: Sentence = published(of).into_iter().collect();
    remarks.clauses.extend(recovery.map(Recovery::clause));
    remarks.clauses.extend(coarse_clock(of, clock_step));
    if !is_early(of) {
        let rules = RULES.iter().filter(|(_, is_in_status)| *is_in_status);
        let clauses = rules.filter_map(|(rule, _)| rule(of));
        remarks.clauses.extend(clauses.filter(Clause::is_warning));
        // Long frames that tasks do not cause are not a warning, because the strategy cannot make drawing faster.
        let frames = frames(of).filter(|clause| !clause.is_warning());
        if of.hitches > 0 || of.misses_target() {
            remarks.clauses.extend(frames);
        } else if !remarks.is_warning() {
            remarks.clauses.extend(budget(of).or(frames));
        }
    }
    remarks.warnings_first();
    let paused = is_paused.then(|| Clause::normal("paused"));
    let first = [Some(activity(of)), paused].into_iter().flatten();
    first.chain(remarks.clauses).take(MOST_CLAUSES).collect()
}

fn is_early(of: &Report) -> bool {
    of.frames == 0 || of.span < STATUS_FROM
}

/// Warns if the clock is too coarse for the budget, which happens only in browsers. `resolution` is `None` if the
/// machine is simulated.
pub fn coarse_clock(of: &Report, resolution: Option<Nanos>) -> Option<Clause> {
    let (budget, step) = (of.subject.budget?, resolution?);
    let is_coarse = step.as_nanos().saturating_mul(CLOCK_STEPS) > budget.as_nanos();
    let words = format!(
        "a clock resolution of {} is too coarse for a {} budget",
        time(step),
        time(budget)
    );
    (is_coarse && step > FINE_CLOCK && !budget.is_zero()).then(|| Clause::warning(words))
}

/// Describes how many tasks run per frame, followed by the interval of each task or by the number of waiting requests.
fn activity(of: &Report) -> Clause {
    if of.subject.entities == 0 {
        return Clause::normal("no entities");
    }
    if is_early(of) {
        // `Runs every task.` becomes `runs every task`.
        let mut letters = of.subject.strategy.rule.trim_end_matches('.').chars();
        let first = letters.next().into_iter().flat_map(char::to_lowercase);
        return Clause::normal(first.chain(letters).collect::<String>());
    }
    if of.runs == 0 {
        return Clause::normal(format!(
            "no task has run in {}",
            of.game_time(time(of.game_span))
        ));
    }
    let runs_all = of.runs_all_in_every_frame();
    let mut words = if runs_all {
        let all = counted(of.subject.entities as u64, "task");
        format!("{all} in every frame")
    } else {
        format!("up to {} per frame", counted(of.peak_runs.into(), "task"))
    };
    if let Some(ratio) = of.burst_ratio() {
        words = format!("{words} ({} the average)", multiple(ratio));
    }
    if of.subject.guarantee.is_on_request() {
        words += " on request";
        if of.backlog_peak > 0 && !of.backlog_grows() {
            words = format!("{words}, up to {} waiting", grouped(of.backlog_peak as u64));
        }
    } else if !runs_all || is_interval_wrong(of) {
        words = format!("{words}, {}", task_intervals(of));
    }
    Clause::new(words, is_interval_wrong(of))
}

/// Returns true if tasks run less often than desired, or very rarely.
fn is_interval_wrong(of: &Report) -> bool {
    of.misses_interval() || of.is_round_slow()
}

// The rules, in the order of the table.

/// If the strategy runs in its published form, describes the defect in the published algorithm
/// ([`Defect`](crate::catalog::strategy::Defect)) and how often it has occurred.
fn published(of: &Report) -> Option<Clause> {
    let defect = of.subject.defect?;
    Some(match (defect.count, defect.matches_ours_while) {
        (0, Some(condition)) => Clause::normal(format!(
            "runs as published, without a defect as long as {condition}"
        )),
        (0, None) => Clause::normal("as published"),
        (count, _) => Clause::warning(format!(
            "{} {}",
            defect.before,
            counted(count, defect.thing)
        )),
    })
}

/// Warns if some frames did not have enough time for all tasks.
fn stopped_frames(of: &Report) -> Option<Clause> {
    let (stopped, cost) = (of.stopped, of.cost()?);
    let per_frame = |sum: f64| Nanos::from_nanos_f64(sum / stopped.frames as f64);
    let done = per_frame(stopped.task_time.as_nanos() as f64);
    let left = per_frame(stopped.waiting as f64 * cost.as_nanos() as f64);
    let words = format!(
        "only {} of tasks fit into a frame, and {} wait",
        time(done),
        time(left)
    );
    (stopped.frames > 0).then(|| Clause::warning(words))
}

fn overload(of: &Report) -> Option<Clause> {
    let demand = of.demand().filter(|_| of.is_overloaded())?;
    let times = format::times(demand);
    let words = format!("overload: tasks need {times} the available time");
    Some(Clause::warning(words))
}

/// Describes hitches, or frames that are longer than their target. If there are none, states the maximum length.
fn frames(of: &Report) -> Option<Clause> {
    let longest = of.frame.max;
    let causes = match of.hitches_by_tasks {
        all if all == of.hitches => String::default(),
        0 => ", not caused by tasks".to_owned(),
        some => format!(", {} caused by tasks", grouped(some)),
    };
    // If every frame is a hitch, or if updates make frames too long without causing a hitch, the average matters most.
    let is_average_to_blame = of.hitches == 0
        || of.hitches as f64 >= (1.0 - NEARLY_NO_FRAMES) * of.frames as f64
        || of.updates_are_too_long() && of.hitches_by_tasks == 0;
    let words = match of.hitches {
        _ if of.misses_target() && is_average_to_blame => {
            let (mean, target) = (of.frame.mean, of.subject.pacing.target);
            let words = format!(
                "frames take {} on average (target {})",
                time(mean),
                time(target)
            );
            missed_refreshes(of).unwrap_or(words)
        }
        0 => {
            let longest = time(of.subject.pacing.hitch_above);
            if of.span > of.own_span {
                format!("no frame over {longest}, apart from stalls")
            } else if are_updates_uneven(of) {
                format!("no frame over {longest}")
            } else {
                format!("smooth: no frame over {longest}")
            }
        }
        1 => format!("one hitch of {}{causes}", time(longest)),
        some => {
            let frames = counted(of.frames, "frame");
            let hitches = format!("{} hitches in {frames}", grouped(some));
            format!("{hitches}, up to {}{causes}", time(longest))
        }
    };
    (of.frames > 0).then(|| Clause::new(words, of.updates_are_too_long()))
}

/// Explains why frames are too long if nearly all of them miss the same number of refreshes of the display.
fn missed_refreshes(of: &Report) -> Option<String> {
    let pacing = of.subject.pacing;
    let work = of.per_frame(of.task_time + of.scheduling + of.drawing);
    let length = pacing.length(work);
    let is_near = |frame: Nanos| (frame.over(length) - 1.0).abs() <= NEARLY_NO_FRAMES;
    let is_typical = is_near(of.frame.mean) && is_near(of.frame.p50);
    let missed = match length.over(pacing.target).round() {
        2.0 => "every second refresh is missed".to_owned(),
        shown => format!("each frame is shown for {shown} refreshes"),
    };
    let fps = format::number(of.fps());
    let [work, target] = [work, pacing.target].map(time);
    let words =
        format!("{missed} ({fps} fps): updates and drawing take {work}, longer than {target}");
    (pacing.has_fixed_refresh && is_typical).then_some(words)
}

/// Returns the fractions of frames without an update and with several, if they are large enough to be mentioned.
fn without_and_several(of: &Report) -> [Option<f64>; 2] {
    let [none, _, more] = of.by_updates;
    // The first frame of a loop never has an update, so do not count it.
    [none.saturating_sub(1), more].map(|count| {
        let share = count as f64 / of.frames as f64;
        (share > NEARLY_NO_FRAMES).then_some(share)
    })
}

/// Returns true if some frames have no update and others several, although all frames last about equally long.
fn are_updates_uneven(of: &Report) -> bool {
    let is_uneven = without_and_several(of).iter().all(Option::is_some);
    of.subject.pacing.step.is_some() && of.hitches == 0 && is_uneven
}

/// Returns true if updates run about equally many tasks, but frames do not, because many have no update.
fn are_bunched(of: &Report) -> bool {
    let [none, ..] = of.by_updates;
    let per_update = of.runs as f64 / of.updates as f64;
    let is_even = f64::from(of.peak_runs) <= EVENLY_SPREAD * per_update;
    let is_part = (of.peak_runs as usize) < of.subject.entities;
    of.peak_runs >= BURST_RUNS
        && is_part
        && is_even
        && none as f64 >= MANY_FRAMES * of.frames as f64
}

/// For loops with a fixed step, says how many frames have no update or several. Warns if the number of updates varies
/// although all frames are about equally long.
fn updates(of: &Report) -> Option<Clause> {
    of.subject.pacing.step?;
    let words = match without_and_several(of).map(|share| share.map(format::percent)) {
        [None, None] => return None,
        [Some(none), None] => {
            let words = format!("{none} of the frames have no update");
            if are_bunched(of) {
                let most = counted(of.peak_runs.into(), "task");
                let words = format!("{words}, so the others run up to {most}");
                // Without a desired interval, more updates mean more runs, so also suggest fewer tasks per update.
                let fewer = match of.subject.wanted {
                    Some(_) => "",
                    None => " and fewer tasks at a time",
                };
                format!("{words} (remedy: --once-per-frame 1{fewer})")
            } else {
                words
            }
        }
        [None, Some(more)] => format!("{more} of the frames have several updates"),
        [Some(none), Some(more)] => {
            let words = format!("{none} of the frames have no update and {more} several");
            if are_updates_uneven(of) && !of.subject.snaps {
                words + " (remedy: --snap-ms 1)"
            } else {
                words
            }
        }
    };
    Some(Clause::new(words, are_updates_uneven(of)))
}

/// Describes the times between two runs of a task. Does not apply to strategies that run tasks on request.
fn intervals(of: &Report) -> Option<Clause> {
    let words = if of.runs == 0 {
        "no task has run".to_owned()
    } else {
        task_intervals(of)
    };
    let is_on_request = of.subject.guarantee.is_on_request();
    (!is_on_request).then(|| Clause::new(words, is_interval_wrong(of)))
}

/// Describes how long requests waited. Only applies to strategies that run tasks on request.
fn requests(of: &Report) -> Option<Clause> {
    let waits = of.request_wait;
    let words = match waits.count {
        _ if of.runs == 0 => "no task has run".to_owned(),
        0 => format!("{} on request", counted(of.runs, "run")),
        _ => {
            let (mean, longest) = (time(waits.mean), of.game_time(time(waits.max)));
            format!("requests wait {mean} on average, up to {longest}")
        }
    };
    let is_on_request = of.subject.guarantee.is_on_request();
    is_on_request.then(|| Clause::normal(words))
}

/// Warns if a task waited much longer than guaranteed, unless the strategy is overloaded, which has its own warning.
fn long_wait(of: &Report) -> Option<Clause> {
    let waited = of.game_time(time(of.worst_staleness));
    let words = format!(
        "a task waited {waited} (guarantee: {})",
        of.guarantee_text()
    );
    (of.is_too_stale() && !of.falls_behind()).then(|| Clause::warning(words))
}

/// Describes how often and by how much updates exceed the budget or the limit of a comparison, and whether a single
/// task is to blame. If no update exceeds it, names the budget that the strategy keeps.
fn budget(of: &Report) -> Option<Clause> {
    let budget = of.subject.limit.filter(|_| of.runs > 0)?;
    let Some(share) = of.overrun_share().filter(|share| *share > 0.0) else {
        let words = format!("stays within the {} budget", time(budget));
        return of.subject.budget.map(|_| Clause::normal(words));
    };
    let [mean, most] = [of.overrun.mean, of.overrun.max].map(time);
    let size = if mean == most {
        mean
    } else {
        format!("{mean} on average, at most {most}")
    };
    let often = format::percent(share);
    let mut words = format!(
        "over the {} budget in {often} of updates, by {size}",
        time(budget)
    );
    if of.longest_run > budget {
        words = format!("{words}: one task alone takes {}", time(of.longest_run));
    }
    Some(Clause::new(words, of.breaks_budget()))
}

fn backlog(of: &Report) -> Option<Clause> {
    if of.falls_behind() && of.backlog_grows() {
        let (first, last) = of.backlog;
        return Some(Clause::warning(format!(
            "backlog grew from {} to {}",
            grouped(first as u64),
            grouped(last as u64)
        )));
    }
    let most = counted(of.backlog_peak as u64, "task");
    (of.backlog_peak > 0).then(|| Clause::normal(format!("backlog of up to {most}")))
}

fn bursts(of: &Report) -> Option<Clause> {
    let ratio = multiple(of.burst_ratio()?);
    let most = counted(of.peak_runs.into(), "task");
    Some(Clause::normal(format!(
        "bursts of up to {most}, {ratio} the average"
    )))
}

/// Warns if the game runs too fast or too slowly, or if it has dropped real time because it could not catch up.
fn game_speed(of: &Report) -> Option<Clause> {
    let lost = of.debt_dropped;
    let words = match of.wrong_speed() {
        Some(speed) => {
            let mut words = format!("game runs at {} real-time speed", multiple(speed));
            if of.subject.speed != 1.0 {
                words = format!("{words} instead of {}", multiple(of.subject.speed));
            }
            match long_updates(of) {
                Some(cause) if speed < of.subject.speed => format!("{words}: {cause}"),
                _ => words,
            }
        }
        None if lost.is_zero() => return None,
        None => format!("game lost {} of real time", time(lost)),
    };
    Some(Clause::warning(words))
}

/// Explains why the game cannot catch up, if an update takes longer than the time by which it advances the game.
fn long_updates(of: &Report) -> Option<String> {
    let step = of.subject.pacing.step?;
    let mean = (of.task_time + of.scheduling)
        .as_nanos()
        .checked_div(of.updates)?;
    let update = Nanos::from_nanos(mean);
    let speed = of.subject.speed;
    let available = Nanos::from_nanos_f64(step.as_nanos() as f64 / speed);
    let at_speed = if speed == 1.0 {
        String::new()
    } else {
        format!(" at {} speed", multiple(speed))
    };
    let words = format!(
        "an update takes {}, longer than its step of {}{at_speed}, so no setting of the loop can catch up",
        time(update),
        time(available)
    );
    (update > available).then_some(words)
}

// Words about intervals.

/// Describes how often each task runs. Until that is known, states the interval that the strategy aims for.
fn task_intervals(of: &Report) -> String {
    if let Some(intervals) = intervals_by_distance(of) {
        return intervals;
    }
    match of.subject.wanted {
        _ if of.knows_interval() => format!("each task every {}", mean_interval(of)),
        Some(wanted) => format!("target interval {}", of.game_time(time(wanted))),
        None => format!("each task about every {}", mean_interval(of)),
    }
}

/// Completes a phrase about an interval. If the mean interval is too long, adds the limit that it exceeds in brackets,
/// such as `(target 500 ms)`.
fn with_limit(of: &Report, interval: String) -> String {
    let interval = of.game_time(interval);
    match of.subject.wanted {
        Some(wanted) if of.misses_interval() => format!("{interval} (target {})", time(wanted)),
        _ if of.is_round_slow() => format!("{interval} (over {})", time(SLOW_ROUND)),
        _ => interval,
    }
}

/// Describes the mean interval and, unless negligible or unknown, its deviation, such as `500 ms ± 3 ms`, and the limit
/// that it exceeds. If tasks take turns, the interval is the time in which each task runs once.
fn mean_interval(of: &Report) -> String {
    let round = of.mean_round().filter(|_| of.subject.wanted.is_none());
    let in_turns = of.round_updates().is_some() || !of.knows_interval();
    let mean = round.filter(|_| in_turns).unwrap_or(of.interval.mean);
    let deviation = of.interval.deviation;
    let is_negligible = deviation.as_nanos().saturating_mul(1000) <= mean.as_nanos();
    let words = if is_negligible || !of.knows_interval() {
        time(mean)
    } else {
        format!("{} ± {}", time(mean), time(deviation))
    };
    with_limit(of, words)
}

/// Describes the mean intervals of near and of far entities. Returns `None` if they are nearly the same, if neither is
/// known yet, if there is only one task, or if the strategy does not run significant tasks more often.
fn intervals_by_distance(of: &Report) -> Option<String> {
    if of.subject.strategy.family != Family::BySignificance || of.subject.entities < 2 {
        return None;
    }
    let has_entities = |ring: &Ring| of.staleness.mean_in(*ring).is_some();
    let mut rings = Ring::ALL.into_iter().filter(has_entities);
    let (near, far) = (rings.next()?, rings.next_back()?);
    let interval = |ring| of.staleness.interval_in(ring);
    let (shorter, longer) = (interval(near)?, interval(far)?);
    if longer.over(shorter) <= DIFFERENT_INTERVALS || shorter > of.since_change {
        return None;
    }
    let [near, far] = [near, far].map(|ring| ring.name(of.subject.has_bands));
    let near = format!("{near} every {}", time(shorter));
    // If too little time has passed for far tasks to run twice, the estimate comes from few runs and may be very wrong.
    let far = if longer > of.since_change {
        format!("{far} every {} or more", time(of.since_change))
    } else {
        format!("{far} every {}", time(longer))
    };
    Some(with_limit(of, format!("{near}, {far}")))
}

/// Explains how long it takes until every task has run once, such as `30 updates of 6.94 ms = 208 ms`. Returns `None`
/// if tasks do not take turns, or if all of them run in every update.
pub fn round(of: &Report) -> Option<String> {
    let updates = of.round_updates().filter(|&updates| updates > 1.0)?;
    let update = of.mean_update();
    let length = Nanos::from_nanos_f64(update.as_nanos() as f64 * updates);
    Some(format!(
        "{} updates of {} = {}",
        format::number(updates),
        time(update),
        of.game_time(time(length))
    ))
}

#[cfg(test)]
mod tests;
