//! What a report means, in a sentence: rules over its figures.
//!
//! Each rule is a function that says its part or nothing, and says nothing that the figures do not bear out.

use super::{Report, Times};
use crate::figure::{self, grouped, things};
use crate::observe::sentence::Said;
use crate::strategy::Wait;
use crate::time::Nanos;

/// A game keeps real time if it is no further from it than this.
const REAL_TIME: f64 = 0.01;
/// The mean interval is the wanted one if it is no further from it than this share.
const ON_THE_MEAN: f64 = 0.01;
/// So many runs in one frame, and so many times the mean, are a burst.
const BURST: (u32, f64) = (10, 2.0);

/// What a lane did, and what is wrong with it: the most important part first.
#[must_use]
pub fn verdict(of: &Report) -> Said {
    let mut said = Said::default();
    if of.frames == 0 {
        said.say(if of.warming_up {
            "measured anew since the last change"
        } else {
            "nothing was measured yet"
        });
        return said;
    }
    let rules: [Rule; 10] = [
        overload,
        frames,
        freshness,
        requests,
        broken_promises,
        budget,
        backlog,
        burst,
        game_speed,
        scheduling,
    ];
    let parts = rules.iter().filter_map(|rule| rule(of));
    parts.for_each(|part| said.say(&part));
    said
}

type Rule = fn(&Report) -> Option<String>;

/// A round of tasks that takes as long as the interval that is wanted, or longer, cannot be. Said of what
/// tasks were measured to take, once a round of them was.
fn overload(of: &Report) -> Option<String> {
    let utilisation = of.utilisation().filter(|&utilisation| utilisation >= 1.0)?;
    let measured = of.runs >= of.entities as u64 && of.entities > 0;
    let (wanted, cost) = (of.wanted?, of.cost()?);
    measured.then(|| {
        format!(
            "!this machine cannot run {} of {} every {}: that takes {}!",
            counted(of.entities as u64, "task"),
            time(cost),
            time(wanted),
            time(Nanos::from_secs_f64(utilisation * wanted.as_secs_f64()))
        )
    })
}

/// Whether frames have the length that they are to have.
fn frames(of: &Report) -> Option<String> {
    Some(match of.hitches {
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
    if matches!(of.promise, Wait::Request { .. }) {
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
        Some(wanted) => format!(
            "intervals of {every}, {} wanted, at most {} off",
            time(wanted),
            at_most(of.off_wanted.max)
        ),
    })
}

/// How long requests waited, for strategies that run on request.
fn requests(of: &Report) -> Option<String> {
    if !matches!(of.promise, Wait::Request { .. }) {
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

/// Runs that came later than promised, and who got none for long.
fn broken_promises(of: &Report) -> Option<String> {
    let promise = of.promise_in_words();
    if of.starved > 0 {
        let entities = if of.starved == 1 {
            "entity"
        } else {
            "entities"
        };
        return Some(format!(
            "!{} {entities} starved: waited more than three times what is promised ({promise})!",
            grouped_figure(of.starved)
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

/// Whether a budget was held.
fn budget(of: &Report) -> Option<String> {
    let budget = time(of.budget?);
    if of.runs == 0 {
        return None;
    }
    Some(match of.overrun.count {
        0 => format!("budget of {budget} held"),
        count => format!(
            "budget of {budget} passed in {} of {} updates, by at most {}",
            grouped_figure(count),
            grouped_figure(of.updates),
            at_most(of.overrun.max)
        ),
    })
}

/// What waited.
fn backlog(of: &Report) -> Option<String> {
    let (first, last) = of.backlog;
    let peak = grouped_figure(of.backlog_peak as u64);
    if of.backlog_peak == 0 {
        return None;
    }
    // As many more came than were served; by chance that is about the root of those served.
    let grew = last.saturating_sub(first) as f64 > (of.runs as f64).sqrt();
    Some(if grew && last * 2 >= of.backlog_peak {
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
            figure::number(ratio)
        )
    })
}

/// Whether the game went as fast as the machine's clock.
fn game_speed(of: &Report) -> Option<String> {
    // The game time of a frame is the length of the one before it.
    let leeway = of.frame.max.over(of.span) + REAL_TIME;
    let speed = of.game_span.over(of.span);
    if speed.is_finite() && (speed - 1.0).abs() > leeway {
        return Some(format!(
            "!the game went at *{}×* real time!",
            figure::number(speed)
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

fn counted(count: u64, what: &str) -> String {
    format!("*{}* {}", grouped(count), things(count, what))
}

fn grouped_figure(count: u64) -> String {
    format!("*{}*", grouped(count))
}

fn spread(times: &Times) -> String {
    format!("{} ± {}", time(times.mean), time(times.deviation))
}

/// A time in the unit that suits it, in three digits.
fn time(time: Nanos) -> String {
    in_its_unit(time, |figure| figure)
}

/// The same, never less than it is: no maximum is told too small.
fn at_most(time: Nanos) -> String {
    in_its_unit(time, |figure| {
        // In steps of a thousandth below 0.1 and of a hundredth there, of three digits above, as they are written.
        let step = match figure {
            ..0.1 => 0.001,
            0.1..10.0 => 0.01,
            10.0..100.0 => 0.1,
            _ => 1.0,
        };
        let steps = figure / step;
        // What the division alone has put on top is no reason to round up.
        (steps - 1e-9 * steps).ceil() * step
    })
}

fn in_its_unit(time: Nanos, rounded: impl Fn(f64) -> f64) -> String {
    let nanos = time.as_nanos() as f64;
    let (unit, name) = match time.as_nanos() {
        0 => return "*0* ms".to_owned(),
        1..1_000 => (1.0, "ns"),
        1_000..100_000 => (1e3, "µs"),
        100_000..999_500_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("*{}* {name}", figure::number(rounded(nanos / unit)))
}
