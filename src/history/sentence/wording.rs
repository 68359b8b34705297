//! How a sentence words its figures: words with `*figures*`.

use super::one_update_a_frame;
use crate::history::Observed;
use crate::text::format;
use crate::text::format::grouped;
use timeslice::time::Nanos;

pub fn everyone(seen: &Observed) -> String {
    match seen.entities {
        1 => "the one capsule".to_owned(),
        2 => "both capsules".to_owned(),
        all => format!("all *{}* capsules", grouped(all as u64)),
    }
}

pub fn per(seen: &Observed) -> &'static str {
    if one_update_a_frame(seen) {
        "a frame"
    } else {
        "an update"
    }
}

pub fn span(seen: &Observed) -> String {
    let counts = if seen.left_out > 0 { " that count" } else { "" };
    format!("*{:.1}* s{counts}", seen.span.as_secs_f64())
}

pub fn stalest(seen: &Observed) -> String {
    secs(seen.worst_staleness.as_secs_f64())
}

/// Mean and deviation in like units.
pub fn spread((mean, deviation): (f64, f64)) -> String {
    let (factor, decimals, unit) = unit_of(mean);
    let (mean, deviation) = (mean * factor, deviation * factor);
    format!("*{mean:.decimals$}* {unit} *± {deviation:.decimals$}* {unit}")
}

pub fn secs(secs: f64) -> String {
    let (factor, decimals, unit) = unit_of(secs);
    format!("*{:.decimals$}* {unit}", secs * factor)
}

/// A time in seconds is told as so many of a unit, to so many decimals: four digits or so.
fn unit_of(secs: f64) -> (f64, usize, &'static str) {
    if secs < 0.1 {
        (1000.0, 1, "ms")
    } else if secs < 10.0 {
        (1.0, 3, "s")
    } else {
        (1.0, 1, "s")
    }
}

pub fn one_decimal(time: Nanos) -> String {
    format!("{:.1}", time.as_millis_f64())
}

/// Milliseconds in three digits; less than one in whole microseconds, rounded up: there is no overrun of nothing.
pub fn millis(time: Nanos) -> String {
    if time < Nanos::from_micros(1000) {
        format!("*{}* µs", time.as_nanos().div_ceil(1000))
    } else {
        format!("*{}* ms", format::number(time.as_millis_f64()))
    }
}
