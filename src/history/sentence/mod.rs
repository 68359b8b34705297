//! What is happening, in one sentence: plain words and the figures that decide, from what was measured.
//!
//! No sentence may be false. So each speaks in the past tense of what [`Observed`] counted; where that does
//! not bear a strong statement ("each of 400") there is a weaker one, and where hardly anything was
//! measured yet there is the strategy's rule. What is wrong, and else what matters most, stands in front:
//! a narrow window cuts off the end.

mod wording;

use super::hitch::{cause, is_hitch};
use super::{Observed, PastFrame};
use crate::sim::world::{CHURN, COST_SPREAD, REQUESTS};
use crate::stats::grew_beyond_chance;
use crate::text::format;
use crate::text::format::grouped;
use crate::text::rich::{Part, Said, counted};
use timeslice::strategy::StrategyEntry;
use timeslice::strategy::max_per_frame;
use timeslice::strategy::stagger_groups;
use timeslice::strategy::stagger_groups::GROUPS;
use timeslice::time::Nanos;
use wording::{everyone, millis, one_decimal, per, secs, span, spread, stalest};

/// Before so much real time was measured, only the rule is told.
const ENOUGH: Nanos = Nanos::from_millis(500);
/// Of fewer frames than this the hundredth part is no frame: then the longest is told instead.
const FOR_P99: usize = 100;
/// What each of equal tasks takes is known from so many runs.
const FOR_COST: u64 = 30;
/// A peak of less than so many times the mean is none.
const EVEN: f64 = 1.005;
/// A peak of so many runs, and so many times the mean, is a burst.
const BURST: (u32, f64) = (10, 3.0);

/// What happened in the time that `seen` covers. `warning` says what makes all figures doubtful, if
/// anything: then nothing else is told.
#[must_use]
pub fn sentence(seen: &Observed, paused: bool, warning: Option<String>) -> Said {
    let mut said = Said::default();
    if let Some(warning) = warning {
        said.parts.push(Part::words(warning, true));
    }
    if paused {
        said.say("paused");
    }
    if said.is_warning() {
        return said;
    }
    if seen.entities == 0 {
        said.say("no capsules, so nothing runs");
    } else if seen.frames < 2 || seen.span < ENOUGH {
        said.parts
            .push(Part::words(in_a_sentence(seen.strategy.rule), false));
        return said;
    }
    if seen.frames < 2 || seen.span < ENOUGH {
        return said;
    }

    let mut rest = Vec::new();
    if seen.entities > 0 {
        if let Some(cannot) = overload(seen) {
            said.say(&cannot);
        }
        let mut clauses = what_ran(seen).into_iter();
        said.parts
            .extend(clauses.next().map(|clause| Part::new(&clause)));
        rest.extend(clauses);
        rest.extend(too_slow(seen));
        rest.extend(off_speed(seen));
        rest.extend(peak(seen));
    }
    rest.push(frame_length(seen));
    rest.push(hitches(seen));
    if seen.left_out > 0 {
        let frames = counted(seen.left_out as u64, "frame");
        rest.push(format!("{frames} held up from outside, left out"));
    }
    let rest = rest.iter().map(|text| Part::new(text));
    let (wrong, calm): (Vec<Part>, Vec<Part>) = rest.partition(Part::is_wrong);
    // Of what is wrong, hitches are what a player feels: they come first, then what leads to them.
    said.parts.extend(wrong.into_iter().rev());
    said.parts.extend(calm);
    said
}

/// What happened in one past frame, so many frames before the last one; `strategy` is the present one.
#[must_use]
pub fn of_frame(past: &PastFrame, back: u64, strategy: &StrategyEntry) -> Said {
    let frame = &past.record;
    let mut said = Said::default();
    let under = past.other_strategy(strategy);
    said.say(&format!(
        "frame *{}*, {} back{}",
        grouped(frame.number),
        counted(back, "frame"),
        under.map_or(String::new(), |under| format!(", under {}", under.name))
    ));
    said.say(&format!("{} ran", counted(frame.runs.into(), "task")));
    if frame.backlog > 0 {
        said.say(&format!("*{}* waited", grouped(frame.backlog as u64)));
    }
    let length = one_decimal(frame.length);
    if is_hitch(past) {
        said.say(&format!("!a hitch, *{length}* ms: {}!", cause(past)));
    } else {
        said.say(&format!("*{length}* ms"));
    }
    said
}

/// What is wrong where a clock that goes by steps of `resolution` is to tell when a budget is spent: of fewer than ten
/// steps, each is more than a tenth. A computer's own clock is fine enough for any.
#[must_use]
pub fn too_coarse(seen: &Observed, resolution: Option<Nanos>) -> Option<Part> {
    const STEPS: u64 = 10;
    const FINE: Nanos = Nanos::from_micros(1);
    let (budget, steps) = (seen.budget?, resolution?);
    let of_a_few = steps > FINE && steps.as_nanos().saturating_mul(STEPS) > budget.as_nanos();
    (of_a_few && !budget.is_zero()).then(|| {
        let (budget, steps) = (millis(budget), millis(steps));
        Part::new(&format!(
            "!the clock goes by steps of {steps}, too coarse for a budget of {budget}!"
        ))
    })
}

/// `Runs every task.` as a part of a sentence: `runs every task`.
fn in_a_sentence(rule: &str) -> String {
    let mut letters = rule.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

// ---- What ran. -------------------------------------------------------------------------------------

/// The main clause and others that are special to the strategy.
fn what_ran(seen: &Observed) -> Vec<String> {
    if seen.strategy.on_request {
        return requests(seen);
    }
    if seen.runs == 0 {
        return vec![
            format!("nobody ran in {}", span(seen)),
            format!("the stalest has waited {}", stalest(seen)),
        ];
    }
    if all_in_every_frame(seen) {
        return vec![format!("{} ran in every frame", everyone(seen)), load(seen)];
    }
    if let Some(together) = all_in_one_frame(seen) {
        return vec![together];
    }
    let key = seen.strategy.key;
    let lead = if key == stagger_groups::ENTRY.key {
        let groups = seen.knobs.get(&GROUPS);
        format!("one of *{}* groups {}: ", format::number(groups), per(seen))
    } else if key == max_per_frame::ENTRY.key && one_update_a_frame(seen) {
        let most = grouped(seen.runs_peak.into());
        let always = seen.busy == seen.frames && seen.busy_least == seen.runs_peak;
        if always {
            // The law of it: with more of them a round takes longer, and no frame does.
            let round = seen.entities.div_ceil(seen.runs_peak as usize) as u64;
            format!("*{most}* a frame, a round is {}: ", counted(round, "frame"))
        } else {
            format!("at most *{most}* a frame: ")
        }
    } else {
        String::new()
    };
    vec![lead + &intervals(seen)]
}

/// Whether each entity ran in each frame: as many runs as there are entities, and none runs twice in an
/// update.
fn all_in_every_frame(seen: &Observed) -> bool {
    let everyone = |runs: u32| runs as usize == seen.entities;
    one_update_a_frame(seen)
        && seen.busy == seen.frames
        && everyone(seen.runs_peak)
        && everyone(seen.busy_least)
}

/// All at once, then none for a while.
fn all_in_one_frame(seen: &Observed) -> Option<String> {
    let everyone_in = |runs: u32| runs as usize == seen.entities;
    let together = one_update_a_frame(seen)
        && seen.entities > 1
        && everyone_in(seen.runs_peak)
        && everyone_in(seen.busy_least);
    let idle = seen.frames - seen.busy;
    together.then(|| match seen.interval {
        Some(interval) => format!(
            "{} ran in one frame every {}",
            everyone(seen),
            spread(interval)
        ),
        None => format!(
            "{} ran in {}, none in the other *{}*",
            everyone(seen),
            counted(seen.busy as u64, "frame"),
            grouped(idle as u64)
        ),
    })
}

/// How often each ran, as strongly as it was measured.
fn intervals(seen: &Observed) -> String {
    let Some((mean, deviation)) = seen.interval else {
        return format!(
            "{} in {}, too early to tell an interval; the stalest has waited {}",
            counted(seen.runs, "run"),
            span(seen),
            stalest(seen)
        );
    };
    let every = spread((mean, deviation));
    let steady = deviation <= 0.2 * mean;
    let churn = seen.knobs.get(&CHURN) > 0.0;
    if churn || !each_measured(seen, mean, deviation) {
        let on_the_mean = if steady { "" } else { " on the mean" };
        let while_churning = if churn { "as some come and go, " } else { "" };
        let count = counted(seen.intervals.into(), "interval");
        return format!("{while_churning}{count} measured, {every}{on_the_mean}");
    }
    let each = if seen.entities == 1 {
        "the one capsule".to_owned()
    } else {
        format!("each of *{}* capsules", grouped(seen.entities as u64))
    };
    if !steady {
        return format!("{each} ran at intervals of {every} on the mean");
    }
    match frames_between(seen, mean) {
        Some(frames) => format!(
            "{each} ran every *{frames}* frames, {every} at *{:.0}* fps",
            seen.fps()
        ),
        None => format!("{each} ran every {every}"),
    }
}

/// Whether the intervals measured speak of each living entity: there are as many, and nobody's last run is
/// further back than they reach, but for a frame that is still to come.
fn each_measured(seen: &Observed, mean: f64, deviation: f64) -> bool {
    let longest_frame = seen.frame_length(1.0).as_secs_f64();
    let reach = mean + 4.0 * deviation + 2.0 * longest_frame;
    seen.intervals as usize >= seen.entities && seen.worst_staleness.as_secs_f64() <= reach
}

/// In stagger groups: how many frames are between two runs, where the frame rate was even enough to say so.
fn frames_between(seen: &Observed, mean: f64) -> Option<f64> {
    let groups = seen.knobs.get(&GROUPS);
    let staggered = seen.strategy.key == stagger_groups::ENTRY.key && one_update_a_frame(seen);
    let even = (mean * seen.fps() / groups - 1.0).abs() < 0.05;
    (staggered && groups > 1.0 && even).then_some(groups)
}

fn one_update_a_frame(seen: &Observed) -> bool {
    seen.updates_most <= 1
}

// ---- Strategies that run on request. ---------------------------------------------------------------

fn requests(seen: &Observed) -> Vec<String> {
    if seen.runs == 0 {
        return vec![if seen.knobs.get(&REQUESTS) > 0.0 {
            format!("no requests in {}", span(seen))
        } else {
            "nobody asks: Requests is *0*, only a drag over capsules makes them ask".to_owned()
        }];
    }
    let most = seen.backlog_most;
    let runs = counted(seen.runs, "run");
    let span = span(seen);
    let none_waited = match seen.runs {
        _ if most > 0 => "",
        1 => ", in the next update",
        _ => ", each in the next update",
    };
    let mut clauses = vec![format!("{runs} on request in {span}{none_waited}")];
    clauses.extend(budget(seen));
    if most > 0 {
        clauses.push(backlog(seen));
    }
    clauses
}

fn budget(seen: &Observed) -> Option<String> {
    let budget = millis(seen.budget?);
    Some(match seen.overrun {
        // The last task of an update may pass the budget by its own length: that is the published rule.
        Some(over) => {
            let mark = if over.as_nanos() * 10 > seen.budget?.as_nanos() {
                "!"
            } else {
                ""
            };
            format!(
                "{mark}budget of {budget} overrun by up to {}{mark}",
                millis(over)
            )
        }
        None if one_update_a_frame(seen) => {
            let most = millis(seen.task_time_most);
            format!("budget of {budget} held, tasks took up to {most}")
        }
        None => {
            let most = millis(seen.task_time_most);
            format!("tasks took up to {most} a frame, budget {budget} an update")
        }
    })
}

fn backlog(seen: &Observed) -> String {
    let (first, last) = seen.backlog;
    let most = seen.backlog_most;
    let [first_figure, last_figure, most] = [first, last, most].map(|n| grouped(n as u64));
    let came_faster = grew_beyond_chance(seen.backlog, seen.runs);
    // Who waits after an update waits because its budget is spent.
    let always_spent = seen.frames_with_backlog * 10 >= seen.frames * 9;
    if always_spent && came_faster {
        let allows = if seen.budget.is_some() {
            "than the budget allows"
        } else {
            "than they ran"
        };
        format!(
            "!backlog grew from *{first_figure}* to *{last_figure}*: requests came faster {allows}!"
        )
    } else if always_spent && last * 2 >= seen.entities {
        format!(
            "!*{last_figure}* of *{}* still wait!",
            grouped(seen.entities as u64)
        )
    } else {
        format!("backlog *{last_figure}*, at most *{most}*")
    }
}

// ---- What is wrong, or could be. -------------------------------------------------------------------

/// A round of tasks that takes as long as the interval that is wanted, or longer, can't be. Said only of
/// what tasks were measured to take.
fn overload(seen: &Observed) -> Option<String> {
    let wanted = seen.wanted_interval.filter(|&wanted| wanted > 0.0)?;
    if seen.off_speed().is_some() {
        return None; // intervals are in game time, which has slowed down: that is told instead
    }
    let uneven = seen.knobs.get(&COST_SPREAD) > 0.0;
    let everyone = seen.entities as u64;
    // Equals are known by a few of them, the others only by a whole round.
    let enough = if uneven {
        everyone
    } else {
        everyone.min(FOR_COST)
    };
    if seen.runs < enough.max(1) {
        return None;
    }
    let each = seen.task_time.as_secs_f64() / seen.runs as f64;
    let round = each * seen.entities as f64;
    (round >= wanted).then(|| {
        let on_the_mean = if uneven { " on the mean" } else { "" };
        format!(
            "!this machine cannot run {} of {}{on_the_mean} every {}, that takes {}!",
            counted(seen.entities as u64, "task"),
            millis(Nanos::from_secs_f64(each)),
            secs(wanted),
            secs(round)
        )
    })
}

/// The time in tasks, where that is the price: it must fit into a frame.
fn load(seen: &Observed) -> String {
    let mean = Nanos::from_nanos(seen.task_time.as_nanos() / seen.frames.max(1) as u64);
    let mean_text = millis(mean);
    if mean > seen.period {
        let period = millis(seen.period);
        let rate = format::number(1.0 / seen.period.as_secs_f64());
        format!("!tasks took {mean_text} a frame; at *{rate}* Hz a frame has {period}!")
    } else {
        format!("tasks took {mean_text} a frame")
    }
}

fn too_slow(seen: &Observed) -> Option<String> {
    let wanted = seen.wanted_interval.filter(|&wanted| wanted > 0.0)?;
    let (mean, _) = seen.interval?;
    (mean > 1.05 * wanted)
        .then(|| format!("!intervals of {}, {} was wanted!", secs(mean), secs(wanted)))
}

/// The game does not keep real time: with it go all intervals, which are told in game time.
fn off_speed(seen: &Observed) -> Option<String> {
    let speed = seen.off_speed()?;
    let lost = seen.lost_between.over(seen.passed.1) * 1000.0;
    let lost = if seen.lost_between.is_zero() {
        String::new()
    } else {
        format!(
            ", *{}* ms of each second given up",
            format::number(lost.round())
        )
    };
    Some(format!("!game time at *{speed:.2}×* real time{lost}!"))
}

fn peak(seen: &Observed) -> Option<String> {
    if seen.runs == 0 || all_in_every_frame(seen) {
        return None;
    }
    let (runs, ratio) = (seen.runs_peak, f64::from(seen.runs_peak) / seen.runs_mean);
    let tasks = if runs == 1 { "task" } else { "tasks" };
    let peak = grouped(runs.into());
    // Of one capsule the mean is of no use, and a peak that is the mean is none.
    if seen.entities == 1 || ratio < EVEN {
        return Some(format!("peak *{peak}* {tasks}/frame"));
    }
    let mark = if runs >= BURST.0 && ratio >= BURST.1 {
        "!"
    } else {
        ""
    };
    let ratio = if ratio < 10.0 {
        format!("{ratio:.2}")
    } else {
        format!("{ratio:.0}")
    };
    Some(format!(
        "peak *{peak}* {tasks}/frame, {mark}*{ratio}×* the mean{mark}"
    ))
}

fn frame_length(seen: &Observed) -> String {
    let (name, length) = if seen.frames < FOR_P99 {
        ("longest frame", seen.frame_length(1.0))
    } else {
        ("frame p99", seen.frame_length(0.99))
    };
    let mark = if length > seen.hitch() { "!" } else { "" };
    format!("{mark}{name} *{}* ms{mark}", one_decimal(length))
}

fn hitches(seen: &Observed) -> String {
    let over = one_decimal(seen.hitch());
    let by_tasks = match seen.hitches_by_tasks {
        0 => ", none by tasks".to_owned(),
        all if all == seen.hitches => String::new(),
        some => format!(", *{}* by tasks", grouped(some as u64)),
    };
    match seen.hitches {
        0 => "no hitches".to_owned(),
        1 => format!("!*1* hitch over *{over}* ms{by_tasks}!"),
        all if all == seen.frames => format!("!each frame a hitch, over *{over}* ms{by_tasks}!"),
        more => format!(
            "!*{}* hitches over *{over}* ms{by_tasks}!",
            grouped(more as u64)
        ),
    }
}

#[cfg(test)]
mod tests;
