//! What is happening, in one sentence: plain words and the figures that decide, from what was measured.
//!
//! No sentence may be false. So each speaks in the past tense of what [`Observed`] counted; where that does
//! not bear a strong statement ("each of 400") there is a weaker one, and where hardly anything was
//! measured yet there is the strategy's rule. What is wrong, and else what matters most, stands in front:
//! a narrow window cuts off the end.

mod wording;

use super::hitch::{cause, is_hitch};
use super::{Observed, PastFrame};
use crate::phrase;
use crate::sim::world::{CHURN, COST_SPREAD, REQUESTS};
use crate::stats::grew_beyond_chance;
use crate::text::format;
use crate::text::rich::{Clause, Phrase, RichText, counted, figure, grouped_figure};
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
pub fn sentence(seen: &Observed, paused: bool, warning: Option<String>) -> RichText {
    if let Some(warning) = warning {
        let mut text = RichText::from(phrase![warning].warning());
        if paused {
            text.push(phrase!["paused"].normal());
        }
        return text;
    }
    let mut text = RichText::default();
    if paused {
        text.push(phrase!["paused"].normal());
    }
    let is_early = seen.frames < 2 || seen.span < ENOUGH;
    if seen.entities == 0 {
        text.push(phrase!["no capsules, so nothing runs"].normal());
    } else if is_early {
        text.push(phrase![in_a_sentence(seen.strategy.rule)].normal());
    }
    if is_early {
        return text;
    }

    let mut rest = Vec::new();
    if seen.entities > 0 {
        text.clauses.extend(overload(seen));
        let mut clauses = what_ran(seen).into_iter();
        text.clauses.extend(clauses.next());
        rest.extend(clauses);
        rest.extend(too_slow(seen));
        rest.extend(off_speed(seen));
        rest.extend(peak(seen));
    }
    rest.push(frame_length(seen));
    rest.push(hitches(seen));
    if seen.left_out > 0 {
        let frames = counted(seen.left_out as u64, "frame");
        rest.push(phrase![frames, " held up from outside, left out"].normal());
    }
    let (wrong, calm): (Vec<Clause>, Vec<Clause>) = rest.into_iter().partition(Clause::is_warning);
    // Of what is wrong, hitches are what a player feels: they come first, then what leads to them.
    text.clauses.extend(wrong.into_iter().rev());
    text.clauses.extend(calm);
    text
}

/// What happened in one past frame, so many frames before the last one; `strategy` is the present one.
#[must_use]
pub fn of_frame(past: &PastFrame, back: u64, strategy: &StrategyEntry) -> RichText {
    let frame = &past.record;
    let mut text = RichText::default();
    let under = past.other_strategy(strategy);
    let under = under.map_or(String::new(), |under| format!(", under {}", under.name));
    let number = grouped_figure(frame.number);
    let back = phrase![", ", counted(back, "frame"), " back", under];
    text.push(phrase!["frame ", number, back].normal());
    text.push(phrase![counted(frame.runs.into(), "task"), " ran"].normal());
    if frame.backlog > 0 {
        text.push(phrase![grouped_figure(frame.backlog as u64), " waited"].normal());
    }
    let length = phrase![figure(one_decimal(frame.length)), " ms"];
    text.push(if is_hitch(past) {
        phrase!["a hitch, ", length, ": ", cause(past)].warning()
    } else {
        length.normal()
    });
    text
}

/// What is wrong where a clock that goes by steps of `resolution` is to tell when a budget is spent: of fewer than ten
/// steps, each is more than a tenth. A computer's own clock is fine enough for any.
#[must_use]
pub fn too_coarse(seen: &Observed, resolution: Option<Nanos>) -> Option<Clause> {
    const STEPS: u64 = 10;
    const FINE: Nanos = Nanos::from_micros(1);
    let (budget, steps) = (seen.budget?, resolution?);
    let of_a_few = steps > FINE && steps.as_nanos().saturating_mul(STEPS) > budget.as_nanos();
    (of_a_few && !budget.is_zero()).then(|| {
        let (budget, steps) = (millis(budget), millis(steps));
        let steps = phrase!["the clock goes by steps of ", steps];
        phrase![steps, ", too coarse for a budget of ", budget].warning()
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
fn what_ran(seen: &Observed) -> Vec<Clause> {
    if seen.strategy.on_request() {
        return requests(seen);
    }
    if seen.runs == 0 {
        return vec![
            phrase!["nobody ran in ", span(seen)].normal(),
            phrase!["the stalest has waited ", stalest(seen)].normal(),
        ];
    }
    if all_in_every_frame(seen) {
        let all = phrase![everyone(seen), " ran in every frame"];
        return vec![all.normal(), load(seen)];
    }
    if let Some(together) = all_in_one_frame(seen) {
        return vec![together.normal()];
    }
    let key = seen.strategy.key;
    let lead = if key == stagger_groups::ENTRY.key {
        let groups = figure(format::number(seen.knobs.get(&GROUPS)));
        phrase!["one of ", groups, " groups ", per(seen), ": "]
    } else if key == max_per_frame::ENTRY.key && one_update_a_frame(seen) {
        let most = grouped_figure(seen.runs_peak.into());
        let always = seen.busy == seen.frames && seen.busy_least == seen.runs_peak;
        if always {
            // The law of it: with more of them a round takes longer, and no frame does.
            let round = seen.entities.div_ceil(seen.runs_peak as usize) as u64;
            phrase![most, " a frame, a round is ", counted(round, "frame"), ": "]
        } else {
            phrase!["at most ", most, " a frame: "]
        }
    } else {
        Phrase::default()
    };
    vec![phrase![lead, intervals(seen)].normal()]
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
fn all_in_one_frame(seen: &Observed) -> Option<Phrase> {
    let everyone_in = |runs: u32| runs as usize == seen.entities;
    let together = one_update_a_frame(seen)
        && seen.entities > 1
        && everyone_in(seen.runs_peak)
        && everyone_in(seen.busy_least);
    together.then(|| {
        if let Some(interval) = seen.interval {
            let every = spread(interval);
            return phrase![everyone(seen), " ran in one frame every ", every];
        }
        let busy = counted(seen.busy as u64, "frame");
        let idle = grouped_figure((seen.frames - seen.busy) as u64);
        phrase![
            everyone(seen),
            " ran in ",
            busy,
            ", none in the other ",
            idle
        ]
    })
}

/// How often each ran, as strongly as it was measured.
fn intervals(seen: &Observed) -> Phrase {
    let Some((mean, deviation)) = seen.interval else {
        return phrase![
            counted(seen.runs, "run"),
            " in ",
            span(seen),
            ", too early to tell an interval; the stalest has waited ",
            stalest(seen)
        ];
    };
    let every = spread((mean, deviation));
    let steady = deviation <= 0.2 * mean;
    let churn = seen.knobs.get(&CHURN) > 0.0;
    if churn || !each_measured(seen, mean, deviation) {
        let on_the_mean = if steady { "" } else { " on the mean" };
        let while_churning = if churn { "as some come and go, " } else { "" };
        let count = counted(seen.intervals.into(), "interval");
        return phrase![while_churning, count, " measured, ", every, on_the_mean];
    }
    let each = match seen.entities as u64 {
        1 => phrase!["the one capsule"],
        all => phrase!["each of ", counted(all, "capsule")],
    };
    if !steady {
        return phrase![each, " ran at intervals of ", every, " on the mean"];
    }
    if let Some(frames) = frames_between(seen, mean) {
        let fps = figure(format!("{:.0}", seen.fps()));
        let every = phrase![figure(frames), " frames, ", every, " at ", fps, " fps"];
        return phrase![each, " ran every ", every];
    }
    phrase![each, " ran every ", every]
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

fn requests(seen: &Observed) -> Vec<Clause> {
    if seen.runs == 0 {
        let words = if seen.knobs.get(&REQUESTS) > 0.0 {
            phrase!["no requests in ", span(seen)]
        } else {
            let asks = ", only a drag over capsules makes them ask";
            phrase!["nobody asks: Requests is ", figure(0), asks]
        };
        return vec![words.normal()];
    }
    let runs = counted(seen.runs, "run");
    let none_waited = match seen.runs {
        _ if seen.backlog_most > 0 => "",
        1 => ", in the next update",
        _ => ", each in the next update",
    };
    let served = phrase![runs, " on request in ", span(seen), none_waited];
    let mut clauses = vec![served.normal()];
    clauses.extend(budget(seen));
    if seen.backlog_most > 0 {
        clauses.push(backlog(seen));
    }
    clauses
}

fn budget(seen: &Observed) -> Option<Clause> {
    let limit = seen.budget?;
    let budget = phrase!["budget of ", millis(limit)];
    if let Some(over) = seen.overrun {
        // The last task of an update may pass the budget by its own length: that is the published rule.
        let is_much = over.as_nanos() * 10 > limit.as_nanos();
        return Some(phrase![budget, " overrun by up to ", millis(over)].warning_if(is_much));
    }
    let most = millis(seen.task_time_most);
    let words = if one_update_a_frame(seen) {
        phrase![budget, " held, tasks took up to ", most]
    } else {
        let took = phrase!["tasks took up to ", most, " a frame"];
        phrase![took, ", budget ", millis(limit), " an update"]
    };
    Some(words.normal())
}

fn backlog(seen: &Observed) -> Clause {
    let (first, last) = seen.backlog;
    let [first_figure, last_figure, most] =
        [first, last, seen.backlog_most].map(|waiting| grouped_figure(waiting as u64));
    let came_faster = grew_beyond_chance(seen.backlog, seen.runs);
    // Who waits after an update waits because its budget is spent.
    let always_spent = seen.frames_with_backlog * 10 >= seen.frames * 9;
    if always_spent && came_faster {
        let allows = if seen.budget.is_some() {
            "than the budget allows"
        } else {
            "than they ran"
        };
        let grew = phrase!["backlog grew from ", first_figure, " to ", last_figure];
        phrase![grew, ": requests came faster ", allows].warning()
    } else if always_spent && last * 2 >= seen.entities {
        let all = grouped_figure(seen.entities as u64);
        phrase![last_figure, " of ", all, " still wait"].warning()
    } else {
        phrase!["backlog ", last_figure, ", at most ", most].normal()
    }
}

// ---- What is wrong, or could be. -------------------------------------------------------------------

/// A round of tasks that takes as long as the interval that is wanted, or longer, can't be. Said only of
/// what tasks were measured to take.
fn overload(seen: &Observed) -> Option<Clause> {
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
        let tasks = counted(seen.entities as u64, "task");
        let each = phrase![millis(Nanos::from_secs_f64(each)), on_the_mean];
        let cannot = phrase!["this machine cannot run ", tasks, " of ", each];
        phrase![
            cannot,
            " every ",
            secs(wanted),
            ", that takes ",
            secs(round)
        ]
        .warning()
    })
}

/// The time in tasks, where that is the price: it must fit into a frame.
fn load(seen: &Observed) -> Clause {
    let mean = Nanos::from_nanos(seen.task_time.as_nanos() / seen.frames.max(1) as u64);
    let took = phrase!["tasks took ", millis(mean), " a frame"];
    if mean > seen.period {
        let rate = figure(format::number(1.0 / seen.period.as_secs_f64()));
        let period = millis(seen.period);
        phrase![took, "; at ", rate, " Hz a frame has ", period].warning()
    } else {
        took.normal()
    }
}

fn too_slow(seen: &Observed) -> Option<Clause> {
    let wanted = seen.wanted_interval.filter(|&wanted| wanted > 0.0)?;
    let (mean, _) = seen.interval?;
    (mean > 1.05 * wanted).then(|| {
        phrase![
            "intervals of ",
            secs(mean),
            ", ",
            secs(wanted),
            " was wanted"
        ]
        .warning()
    })
}

/// The game does not keep real time: with it go all intervals, which are told in game time.
fn off_speed(seen: &Observed) -> Option<Clause> {
    let speed = figure(format!("{:.2}×", seen.off_speed()?));
    let mut words = phrase!["game time at ", speed, " real time"];
    if !seen.lost_between.is_zero() {
        let lost = seen.lost_between.over(seen.passed.1) * 1000.0;
        let lost = figure(format::number(lost.round()));
        words.push(phrase![", ", lost, " ms of each second given up"]);
    }
    Some(words.warning())
}

fn peak(seen: &Observed) -> Option<Clause> {
    if seen.runs == 0 || all_in_every_frame(seen) {
        return None;
    }
    let (runs, ratio) = (seen.runs_peak, f64::from(seen.runs_peak) / seen.runs_mean);
    let peak = phrase!["peak ", counted(runs.into(), "task"), "/frame"];
    // Of one capsule the mean is of no use, and a peak that is the mean is none.
    if seen.entities == 1 || ratio < EVEN {
        return Some(peak.normal());
    }
    let written = if ratio < 10.0 {
        format!("{ratio:.2}×")
    } else {
        format!("{ratio:.0}×")
    };
    let is_burst = runs >= BURST.0 && ratio >= BURST.1;
    Some(phrase![peak, ", ", figure(written), " the mean"].warning_if(is_burst))
}

fn frame_length(seen: &Observed) -> Clause {
    let (name, length) = if seen.frames < FOR_P99 {
        ("longest frame ", seen.frame_length(1.0))
    } else {
        ("frame p99 ", seen.frame_length(0.99))
    };
    phrase![name, figure(one_decimal(length)), " ms"].warning_if(length > seen.hitch())
}

fn hitches(seen: &Observed) -> Clause {
    let by_tasks = match seen.hitches_by_tasks {
        0 => phrase![", none by tasks"],
        all if all == seen.hitches => Phrase::default(),
        some => phrase![", ", grouped_figure(some as u64), " by tasks"],
    };
    let hitches = match seen.hitches {
        0 => return phrase!["no hitches"].normal(),
        all if all > 1 && all == seen.frames => phrase!["each frame a hitch,"],
        some => counted(some as u64, "hitch"),
    };
    let over = figure(one_decimal(seen.hitch()));
    phrase![hitches, " over ", over, " ms", by_tasks].warning()
}

#[cfg(test)]
mod tests;
