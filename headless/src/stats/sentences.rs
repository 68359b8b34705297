//! Sentences about a report, from one table of rules. [`verdict()`] describes a whole run, [`status()`] the last seconds.
//!
//! Each rule makes one clause, which states only what the figures support. The conditions of warnings are in
//! `judgement`, all limits in [`super::thresholds`].

use super::thresholds::{
    CLOCK_STEPS, DIFFERENT_INTERVALS, FINE_CLOCK, STATUS_FROM, STRETCHED_FROM,
};
use super::{Recovery, Report};
use crate::phrase;
use crate::sim::world::Ring;
use crate::text::format;
use crate::text::rich::{Clause, Phrase, RichText, counted, figure, multiple, time};
use SaidIn::{Both, Status, Verdict};
use timeslicer::strategy::{Family, Pattern, Promise};
use timeslicer::time::Nanos;

pub const MOST_CLAUSES: usize = 3;

/// A rule makes one clause of a sentence.
struct Rule {
    key: &'static str,
    said_in: SaidIn,
    /// Returns true if the clause is a warning.
    warns: fn(&Report) -> bool,
    /// Returns the words of the clause; `None` if the rule does not apply.
    words: fn(&Report) -> Option<Phrase>,
}

/// The sentences that have a rule's clause. In a status, only warnings follow from the table; see [`remarks`] for facts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SaidIn {
    Verdict,
    Status,
    Both,
}

/// Describes what the strategy does: the first clause of a status.
const ACTIVITY: Rule = rule("activity", Status, Report::misses_interval, activity);
const PUBLISHED: Rule = rule("published", Verdict, shows_defect, published);
const FRAMES: Rule = rule("frames", Both, Report::updates_are_too_long, frames);
const BUDGET: Rule = rule("budget", Both, Report::misses_budget, budget);

/// The rules, in the order of their clauses.
const RULES: &[Rule] = &[
    PUBLISHED,
    rule("stopped frames", Both, |_| true, stopped_frames),
    rule("overload", Both, |_| true, overload),
    rule("stretched", Both, |_| true, stretched),
    rule("frame overload", Status, |_| true, frame_overload),
    FRAMES,
    rule("intervals", Verdict, Report::misses_interval, intervals),
    rule("requests", Verdict, |_| false, requests),
    rule("longest gap", Verdict, |_| false, longest_gap),
    rule("broken promise", Verdict, |_| true, broken_promise),
    BUDGET,
    rule("backlog", Both, Report::falls_behind, backlog),
    rule("bursts", Verdict, |_| false, bursts),
    rule("game speed", Both, |_| true, game_speed),
    rule("scheduling", Verdict, |_| false, scheduling),
];

const fn rule(
    key: &'static str,
    said_in: SaidIn,
    warns: fn(&Report) -> bool,
    words: fn(&Report) -> Option<Phrase>,
) -> Rule {
    Rule {
        key,
        said_in,
        warns,
        words,
    }
}

impl Rule {
    fn clause(&self, of: &Report) -> Option<Clause> {
        let words = (self.words)(of)?;
        Some(words.warning_if((self.warns)(of)))
    }
}

/// Returns the verdict: a clause about the recovery from the last disturbance, and the clauses of the rules. Warnings
/// come first.
pub fn verdict(of: &Report) -> RichText {
    let mut text: RichText = of.subject.recovery.iter().map(Recovery::clause).collect();
    if of.frames == 0 {
        let why = if of.subject.warming_up {
            "figures reset after the last change"
        } else {
            "nothing measured yet"
        };
        text.push(phrase!("{}", why).normal());
        return text;
    }
    let rules = RULES.iter().filter(|rule| rule.said_in != Status);
    text.clauses
        .extend(rules.filter_map(|rule| rule.clause(of)));
    // Compare leaves out the last clauses if there is little room.
    text.warnings_first();
    text
}

/// Facts besides the report that a status must mention.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatusNotes {
    pub is_paused: bool,
    /// True if the world makes requests by itself.
    pub has_requests: bool,
    /// Number of interrupted frames that the figures leave out.
    pub left_out: usize,
    /// Resolution of the clock; `None` on a simulated machine.
    pub clock_step: Option<Nanos>,
    /// Name of the limit on the frame rate, for a loop that has no limit of its own.
    pub limited_by: Option<&'static str>,
}

/// Returns the status in at most [`MOST_CLAUSES`] clauses: the strategy's activity, then "paused" if the game is paused,
/// then warnings. If there are no warnings, explanations and a reassurance follow instead. If the strategy runs as
/// published, a clause about that follows the activity.
///
/// Until enough is measured, the strategy's rule takes the place of its activity.
pub fn status(of: &Report, notes: &StatusNotes) -> RichText {
    let is_early = of.frames == 0 || of.span < STATUS_FROM;
    let first = if of.subject.entities == 0 {
        Some(phrase!("no entities").normal())
    } else if is_early {
        Some(phrase!("{}", in_a_sentence(of.subject.strategy.rule)).normal())
    } else {
        ACTIVITY.clause(of)
    };
    let paused = notes.is_paused.then(|| phrase!("paused").normal());
    let mut text: RichText = first.into_iter().chain(paused).collect();
    text.clauses.extend(remarks(of, notes, is_early).clauses);
    text.clauses.truncate(MOST_CLAUSES);
    text
}

/// Returns the clauses that follow the activity and "paused", warnings first.
fn remarks(of: &Report, notes: &StatusNotes, is_early: bool) -> RichText {
    let recovery = of.subject.recovery.as_ref();
    let coarse_clock = coarse_clock(of, notes.clock_step);
    let about_lane = [
        PUBLISHED.clause(of),
        recovery.map(Recovery::clause),
        coarse_clock,
    ];
    let mut text: RichText = about_lane.into_iter().flatten().collect();
    if !is_early {
        // The clause of a rough recovery already counts the hitches.
        let counts_hitches = recovery.is_some_and(|it| it.extra_hitches > 0);
        let rules = RULES.iter().filter(|rule| rule.said_in != Verdict);
        let rules = rules.filter(|rule| !(counts_hitches && rule.key == FRAMES.key));
        let clauses = rules.filter_map(|rule| rule.clause(of));
        text.clauses.extend(clauses.filter(Clause::is_warning));

        let is_calm = !text.is_warning();
        if is_calm {
            text.clauses.extend(hints(of, notes));
        }
        // A strategy cannot make drawing faster, so long frames that it does not cause are a fact.
        let frames = FRAMES.clause(of).filter(|clause| !clause.is_warning());
        if of.hitches > 0 || of.misses_target() {
            text.clauses.extend(frames);
        } else if is_calm {
            text.clauses.extend(BUDGET.clause(of).or(frames));
        }
    }
    text.warnings_first();
    text
}

/// Returns explanations of figures that would otherwise be puzzling.
fn hints(of: &Report, notes: &StatusNotes) -> impl Iterator<Item = Clause> {
    let is_idle = of.subject.promise.is_on_request() && of.subject.entities > 0 && of.runs == 0;
    let none = figure(0);
    let requests = (is_idle && !notes.has_requests)
        .then(|| phrase!("Requests is {}: drag over capsules to request runs", none));
    let limit = notes
        .limited_by
        .map(|by| phrase!("{} limits the frame rate", by));
    let interrupted = counted(notes.left_out as u64, "interrupted frame");
    let left_out = (notes.left_out > 0).then(|| phrase!("{} left out", interrupted));
    let hints = [requests, limit, left_out].into_iter().flatten();
    hints.map(Phrase::normal)
}

/// Returns a strategy's rule as part of a sentence: `Runs every task.` becomes `runs every task`.
fn in_a_sentence(rule: &str) -> String {
    let mut letters = rule.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

/// Warns if the clock's `resolution` is too coarse for the budget. Native clocks are fine enough for any budget. `None`
/// is the resolution of a simulated machine.
pub fn coarse_clock(of: &Report, resolution: Option<Nanos>) -> Option<Clause> {
    let (budget, step) = (of.subject.budget?, resolution?);
    let is_coarse = step.as_nanos().saturating_mul(CLOCK_STEPS) > budget.as_nanos();
    let words = phrase!(
        "clock steps of {} are too coarse for a {} budget",
        step,
        budget
    );
    (is_coarse && step > FINE_CLOCK && !budget.is_zero()).then(|| words.warning())
}

// The words of the first clause of a status.

/// Describes the number of tasks in a frame or update, followed by the interval of each task or by the wait of
/// requests.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the words of every rule are optional"
)]
fn activity(of: &Report) -> Option<Phrase> {
    Some(if of.runs == 0 {
        phrase!("no task ran in {}", of.game_time(of.game_span))
    } else if of.subject.promise.is_on_request() {
        phrase!("{} on request{}", load(of), service(of))
    } else if of.runs_all_in_every_frame() && !of.misses_interval() {
        load(of)
    } else {
        phrase!("{}, {}", load(of), each_interval(of))
    })
}

/// Describes the number of tasks in a frame or update, as measured or as fixed by the strategy's pattern.
fn load(of: &Report) -> Phrase {
    let all = match of.subject.entities as u64 {
        1 => phrase!("one task"),
        2 => phrase!("both tasks"),
        all => phrase!("all {}", counted(all, "task")),
    };
    if of.runs_all_in_every_frame() {
        return phrase!("{} every frame", all);
    }
    if of.subject.entities == 1 {
        return all;
    }
    if of.runs_all_in_one_frame() {
        let frames = counted(of.frames, "frame");
        return phrase!("{} in {} of {}", all, of.busy_frames, frames);
    }
    let peak = counted(of.peak_runs.into(), "task");
    match (of.subject.pattern, of.burst_ratio()) {
        (Some(Pattern::Groups(groups)), _) => {
            let groups = counted(groups as u64, "group");
            phrase!("{} of {} an update", figure(1), groups)
        }
        (Some(Pattern::AtMost(most)), _) => {
            phrase!("up to {} an update", counted(most as u64, "task"))
        }
        (None, Some(ratio)) => phrase!("up to {} a frame ({} the average)", peak, multiple(ratio)),
        (None, None) => phrase!("up to {} a frame", peak),
    }
}

/// Describes the interval of each task, or the length of a round if intervals are not known yet.
fn each_interval(of: &Report) -> Phrase {
    if let Some(intervals) = intervals_by_distance(of) {
        return intervals;
    }
    let round = Round::of(of).map(|round| round.words);
    if !of.knows_interval() {
        return match round {
            Some(updates) => phrase!("a round takes {}", updates),
            None => phrase!("interval not known yet"),
        };
    }
    let each = match (of.subject.entities, of.subject.pattern) {
        (1, _) => "every",
        (_, Some(Pattern::Groups(_))) => "each task every",
        _ => "each every",
    };
    let remark = missed_interval(of).or(round);
    phrase!("{} {}", each, mean_interval(of, remark))
}

/// Describes the wait of requests; empty if the backlog grows, because that has a rule of its own.
fn service(of: &Report) -> Phrase {
    match of.backlog_peak {
        0 if of.subject.entities == 1 => phrase!(", in the next update"),
        0 => phrase!(", each in the next update"),
        _ if of.falls_behind() => Phrase::default(),
        waiting => phrase!(", up to {} waiting", waiting),
    }
}

// The words of the rules, in the order of the table.

/// Names the defect of a strategy that runs as its article published it, and how often the defect has shown.
fn published(of: &Report) -> Option<Phrase> {
    let defect = of.subject.defect?;
    Some(match defect.count {
        0 => phrase!("as published"),
        count => phrase!("{} {}", defect.before, counted(count, defect.thing)),
    })
}

fn shows_defect(of: &Report) -> bool {
    of.subject.defect.is_some_and(|defect| defect.count > 0)
}

/// Applies if the machine had no time for all tasks of some frames.
fn stopped_frames(of: &Report) -> Option<Phrase> {
    let (stopped, cost) = (of.stopped, of.cost()?);
    let a_frame = |sum: f64| Nanos::from_nanos_f64(sum / stopped.frames as f64);
    let done = a_frame(stopped.task_time.as_nanos() as f64);
    let left = a_frame(stopped.waiting as f64 * cost.as_nanos() as f64);
    let share = phrase!("{} of {}", done, done + left);
    (stopped.frames > 0).then(|| phrase!("{} of tasks done in a frame, the rest waits", share))
}

/// Applies if a round of all tasks takes at least the wanted interval, at the measured mean cost. A whole round must
/// have run.
fn overload(of: &Report) -> Option<Phrase> {
    let (utilisation, wanted) = (of.utilisation()?, of.wanted?);
    let is_measured = of.subject.entities > 0 && of.runs >= of.subject.entities as u64;
    if utilisation < 1.0 || !is_measured {
        return None;
    }
    let round = time(Nanos::from_secs_f64(utilisation * wanted.as_secs_f64()));
    let is_full = round == time(wanted);
    let name = if is_full { "full load" } else { "overload" };
    // A game slower than real time can keep its intervals in game time, so the clause must name real time.
    let is_real = of.subject.pacing.waits_for_display && of.game_speed().keeps_real_time();
    let real = if is_real { "" } else { " of real time" };
    let work = phrase!("{}: {} of tasks", name, round);
    Some(phrase!("{} every {}{}", work, wanted, real))
}

/// Applies if the strategy stretches the intervals of all tasks, because there are more of them than its budget allows.
fn stretched(of: &Report) -> Option<Phrase> {
    let stretch = of.subject.stretch;
    let times = figure(format::fixed(stretch, usize::from(stretch < 100.0)));
    (of.subject.entities > 0 && stretch >= STRETCHED_FROM)
        .then(|| phrase!("overload: intervals stretched {} times", times))
}

/// Applies if all tasks run in every frame and together take longer than the target length of a frame. Only for
/// strategies without a wanted interval.
fn frame_overload(of: &Report) -> Option<Phrase> {
    let (mean, target) = (of.a_frame(of.task_time), of.subject.pacing.target);
    (of.wanted.is_none() && of.runs_all_in_every_frame() && mean > target)
        .then(|| phrase!("overload: {} of tasks in a {} frame", mean, target))
}

/// Describes hitches, or frames that miss their target length. If there are none, names the length that no frame
/// exceeded.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the words of every rule are optional"
)]
fn frames(of: &Report) -> Option<Phrase> {
    let (mean, longest, hitch) = (of.frame.mean, of.frame.max, of.hitch());
    let causes = match of.hitches_by_tasks {
        all if all == of.hitches => Phrase::default(),
        0 => phrase!(", not caused by tasks"),
        some => phrase!(", {} of them caused by tasks", some),
    };
    // If updates make frames too long, but none a hitch, the average is the point.
    let is_average_to_blame =
        of.hitches == 0 || of.updates_are_too_long() && of.hitches_by_tasks == 0;
    Some(match of.hitches {
        _ if of.misses_target() && is_average_to_blame => {
            let target = of.subject.pacing.target;
            phrase!("frames average {} (target {})", mean, target)
        }
        0 => phrase!("smooth: no frame above {}", hitch),
        all if all == of.frames => {
            phrase!("every frame above {} (average {}){}", hitch, mean, causes)
        }
        1 => phrase!("one hitch of {}{}", longest, causes),
        some => {
            let frames = counted(of.frames, "frame");
            let hitches = phrase!("{} hitches in {}", some, frames);
            phrase!("{}, up to {}{}", hitches, longest, causes)
        }
    })
}

/// Describes the measured intervals, for strategies that do not run on request.
fn intervals(of: &Report) -> Option<Phrase> {
    if of.subject.promise.is_on_request() {
        return None;
    }
    if of.runs == 0 {
        return Some(phrase!("no task ran"));
    }
    if let Some(intervals) = intervals_by_distance(of) {
        return Some(intervals);
    }
    let span = of.game_time(of.game_span);
    if of.interval.count == 0 {
        return Some(phrase!("no task ran twice in {}", span));
    }
    if !of.knows_interval() {
        let runs = counted(of.runs, "run");
        return Some(phrase!("{} in {}, intervals not known yet", runs, span));
    }
    let kept = of.wanted.filter(|_| !of.misses_interval());
    Some(match (kept, of.interval.off_worst) {
        (None, _) => phrase!("intervals {}", mean_interval(of, missed_interval(of))),
        (Some(wanted), Nanos::ZERO) => phrase!("every interval exactly {}", of.game_time(wanted)),
        (Some(wanted), off) => {
            let wanted = phrase!("wanted {}, off by up to {}", wanted, off);
            phrase!("intervals {}", mean_interval(of, Some(wanted)))
        }
    })
}

/// Describes how long requests waited, for strategies that run on request.
fn requests(of: &Report) -> Option<Phrase> {
    let waits = of.request_wait;
    let words = match waits.count {
        _ if of.runs == 0 => phrase!("no task ran"),
        0 => phrase!("{} on request", counted(of.runs, "run")),
        _ if waits.max.is_zero() && of.backlog_peak == 0 => {
            phrase!("every request served in the next update")
        }
        _ => {
            let longest = of.game_time(waits.max);
            phrase!("requests wait {} on average, up to {}", waits.mean, longest)
        }
    };
    of.subject.promise.is_on_request().then_some(words)
}

/// Names the longest time without a run, for strategies that run on request.
fn longest_gap(of: &Report) -> Option<Phrase> {
    (of.subject.promise.is_on_request() && of.subject.entities > 0)
        .then(|| phrase!("longest gap {}", of.game_time(of.worst_staleness)))
}

/// Applies if entities starved, or else if runs were late.
fn broken_promise(of: &Report) -> Option<Phrase> {
    // Strategies by significance have an interval for each task.
    let is_by_weight = of.subject.strategy.family == Family::BySignificance;
    let promise = of.promise_in_words();
    if of.starved > 0 {
        let allowed = if is_by_weight {
            phrase!("their weight allows")
        } else {
            phrase!("promised ({})", promise)
        };
        let waited = phrase!("waited over three times as long as {}", allowed);
        return Some(phrase!(
            "{} starved: {}",
            counted(of.starved, "entity"),
            waited
        ));
    }
    if of.late == 0 {
        return None;
    }
    let measure = if is_by_weight {
        phrase!("for the weight of the task")
    } else {
        phrase!("(promise: {})", promise)
    };
    let runs = counted(of.runs, "run");
    Some(phrase!("{} of {} late {}", of.late, runs, measure))
}

fn budget(of: &Report) -> Option<Phrase> {
    let budget = of.subject.budget.filter(|_| of.runs > 0)?;
    if of.overrun.count == 0 {
        return Some(phrase!("{} budget held", budget));
    }
    let (count, updates) = (of.overrun.count, counted(of.updates, "update"));
    let exceeded = phrase!("{} budget exceeded in {} of {}", budget, count, updates);
    Some(phrase!("{}, by up to {}", exceeded, of.overrun.max))
}

fn backlog(of: &Report) -> Option<Phrase> {
    if of.falls_behind() {
        let (first, last) = of.backlog;
        return Some(phrase!("backlog grew from {} to {}", first, last));
    }
    let most = counted(of.backlog_peak as u64, "task");
    (of.backlog_peak > 0).then(|| phrase!("backlog up to {}", most))
}

fn bursts(of: &Report) -> Option<Phrase> {
    let ratio = multiple(of.burst_ratio()?);
    let most = counted(of.peak_runs.into(), "task");
    Some(phrase!("bursts of up to {}, {} the average", most, ratio))
}

/// Applies if the game does not keep real time, or if it lost some real time.
fn game_speed(of: &Report) -> Option<Phrase> {
    if let Some(speed) = of.game_speed().ratio {
        return Some(phrase!("game runs at {} real time", multiple(speed)));
    }
    let lost = of.debt_dropped;
    (!lost.is_zero()).then(|| phrase!("game lost {} of real time", lost))
}

/// Applies if scheduling takes more time than the tasks.
fn scheduling(of: &Report) -> Option<Phrase> {
    let [scheduling, tasks] = [of.scheduling, of.task_time].map(|part| of.a_frame(part));
    let more = phrase!("more than the tasks ({})", tasks);
    (of.scheduling > of.task_time && of.runs > 0)
        .then(|| phrase!("scheduling takes {} a frame, {}", scheduling, more))
}

// Words about intervals.

/// Describes the mean interval with its deviation, unless that is negligible: `500 ms ± 3 ms`. The remark follows in
/// brackets.
fn mean_interval(of: &Report, remark: Option<Phrase>) -> Phrase {
    let (mean, deviation) = (of.interval.mean, of.interval.deviation);
    let words = if deviation.as_nanos().saturating_mul(1000) <= mean.as_nanos() {
        phrase!("{}", mean)
    } else {
        phrase!("{} ± {}", mean, deviation)
    };
    of.game_speed().of_game_time(words, remark, mean)
}

/// Names the wanted interval if the mean interval is too long.
fn missed_interval(of: &Report) -> Option<Phrase> {
    let wanted = of.wanted.filter(|_| of.misses_interval())?;
    Some(phrase!("wanted {}", wanted))
}

/// Describes the mean intervals in the nearest and in the farthest ring that has entities, for strategies by
/// significance. `None` for all others, if the intervals are nearly the same, and if there is only one task.
fn intervals_by_distance(of: &Report) -> Option<Phrase> {
    if of.subject.strategy.family != Family::BySignificance || of.subject.entities < 2 {
        return None;
    }
    let rings = Ring::ALL.into_iter().zip(of.interval_by_ring);
    let has_entities = of.mean_by_ring.map(|mean| mean.is_some());
    let mut rings = rings
        .zip(has_entities)
        .filter_map(|(ring, has)| has.then_some(ring));
    let (near, shorter) = rings.next()?;
    let (far, longer) = rings.next_back()?;
    // Before a task can have run again, its interval is not known.
    let known = |interval: Option<Nanos>| interval.filter(|it| *it <= of.since_change);
    let (Some(shorter), Some(longer)) = (known(shorter), known(longer)) else {
        return Some(turn(of));
    };
    if longer.over(shorter) <= DIFFERENT_INTERVALS {
        return None;
    }
    let near = phrase!("{} every {}", near.name(), shorter);
    let both = phrase!("{}, {} every {}", near, far.name(), longer);
    Some(of.game_speed().of_game_time(both, None, longer))
}

/// Describes the time for as many runs as there are tasks, if that is longer than the measured time.
fn turn(of: &Report) -> Phrase {
    let turns = of.subject.entities as f64 / of.runs as f64;
    let all = Nanos::from_nanos_f64(of.game_span.as_nanos() as f64 * turns);
    if all <= of.since_change {
        return phrase!("intervals not known yet");
    }
    phrase!("running each once takes about {}", of.game_time(all))
}

/// The updates in which every task runs once, for strategies that promise a number of updates.
struct Round {
    /// The number of updates and their rate: `30 updates at 144 Hz`.
    words: Phrase,
    length: Nanos,
}

impl Round {
    /// Returns the promised round. `None` if the strategy promises no number of updates, or every update, or if the
    /// rate of updates is not known yet.
    fn of(of: &Report) -> Option<Self> {
        let Promise::Updates(updates @ 2..) = of.subject.promise else {
            return None;
        };
        let pacing = of.subject.pacing;
        let keeps_real_time = of.game_speed().keeps_real_time();
        let is_of_display =
            pacing.step.is_none() && pacing.waits_for_display && !of.misses_target();
        // If the machine keeps up, this is the period of the display or the loop. A measured one would change from
        // frame to frame.
        let period = if is_of_display {
            Some(pacing.target)
        } else {
            pacing.step.filter(|_| keeps_real_time)
        };
        let (rate, delta) = if let Some(period) = period {
            (1.0 / period.as_secs_f64(), period.as_nanos() as f64)
        } else if of.updates > 0 {
            let passed = if keeps_real_time {
                of.span
            } else {
                of.game_span
            };
            let measured = passed.as_nanos() as f64 / of.updates as f64;
            let delta = pacing.step.map_or(measured, |step| step.as_nanos() as f64);
            (of.span.rate_of(of.updates), delta)
        } else {
            return None;
        };
        // One decimal distinguishes 59.9 from 60.
        let rate = figure(format::number((10.0 * rate).round() / 10.0));
        let unit = if is_of_display { "Hz" } else { "per second" };
        Some(Self {
            words: phrase!("{} at {} {}", counted(updates as u64, "update"), rate, unit),
            length: Nanos::from_nanos_f64(updates as f64 * delta),
        })
    }
}

/// Returns why tasks have their interval, for strategies whose interval depends on the rate of updates: `30 updates at
/// 144 Hz = 208 ms`.
pub fn round(of: &Report) -> Option<Phrase> {
    let round = Round::of(of).filter(|_| of.subject.entities > 0)?;
    let words = match of.subject.pattern {
        Some(Pattern::AtMost(most)) => {
            let tasks = counted(of.subject.entities as u64, "task");
            phrase!("{} / {}: {}", tasks, most, round.words)
        }
        _ => round.words,
    };
    Some(phrase!("{} = {}", words, of.game_time(round.length)))
}

#[cfg(test)]
mod tests;
