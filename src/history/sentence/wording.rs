//! How a sentence words its figures.

use super::one_update_a_frame;
use crate::history::Observed;
use crate::phrase;
use crate::text::format;
use crate::text::rich::{Phrase, counted, figure};
use timeslice::time::Nanos;

pub fn everyone(seen: &Observed) -> Phrase {
    match seen.entities {
        1 => phrase!["the one capsule"],
        2 => phrase!["both capsules"],
        all => phrase!["all ", counted(all as u64, "capsule")],
    }
}

pub fn per(seen: &Observed) -> &'static str {
    if one_update_a_frame(seen) {
        "a frame"
    } else {
        "an update"
    }
}

pub fn span(seen: &Observed) -> Phrase {
    let counts = if seen.left_out > 0 { " that count" } else { "" };
    let secs = figure(format!("{:.1}", seen.span.as_secs_f64()));
    phrase![secs, " s", counts]
}

pub fn stalest(seen: &Observed) -> Phrase {
    secs(seen.worst_staleness.as_secs_f64())
}

/// Mean and deviation in like units.
pub fn spread((mean, deviation): (f64, f64)) -> Phrase {
    let (factor, decimals, unit) = unit_of(mean);
    let mean = figure(format!("{:.decimals$}", mean * factor));
    let deviation = figure(format!("± {:.decimals$}", deviation * factor));
    phrase![mean, format!(" {unit} "), deviation, format!(" {unit}")]
}

pub fn secs(secs: f64) -> Phrase {
    let (factor, decimals, unit) = unit_of(secs);
    let secs = figure(format!("{:.decimals$}", secs * factor));
    phrase![secs, " ", unit]
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
pub fn millis(time: Nanos) -> Phrase {
    if time < Nanos::from_micros(1000) {
        phrase![figure(time.as_nanos().div_ceil(1000)), " µs"]
    } else {
        phrase![figure(format::number(time.as_millis_f64())), " ms"]
    }
}
