//! Parsers for the values of flags. Each error is a complete sentence that names the flag, the values that it takes,
//! and the invalid value.

use crate::catalog::frame_loop::{self, FRAME_LOOPS, FrameLoopEntry};
use crate::catalog::knob::{self, Knob};
use crate::catalog::strategy::{self, STRATEGIES, StrategyEntry};
use crate::import::Unit;
use crate::sim::disturbance::{Disturbance, Scheduled};
use crate::sim::world::{HEIGHT, Point, WIDTH};
use crate::text::format;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use timeslicer::time::Nanos;

/// The maximum width and height of the window in pixels. No display is larger.
const MAX_SIDE: u32 = 16_384;

/// The latest time of a disturbance, in seconds.
const MAX_SECONDS: f64 = 1e6;

/// Creates a parser for the value of a flag. Error messages contain `takes`, which describes the allowed values.
fn parser<T: Clone + Send + Sync + 'static>(
    flag: &'static str,
    takes: String,
    parse: impl Fn(&str) -> Option<T> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    move |text: &str| parse(text).ok_or_else(|| format!("--{flag} takes {takes}, not '{text}'"))
}

pub fn size() -> impl TypedValueParser<Value = (u32, u32)> {
    let takes = format!("WIDTHxHEIGHT in pixels, each from 1 to {MAX_SIDE} (for example 1280x800)");
    let pixels = |text: &str| {
        let pixels = text.parse().ok();
        pixels.filter(|pixels| (1..=MAX_SIDE).contains(pixels))
    };
    parser("size", takes, move |text| {
        let (width, height) = text.split_once(['x', 'X'])?;
        pixels(width).zip(pixels(height))
    })
}

/// Parses a disturbance with its time, such as `2:births=200`.
pub fn scheduled(text: &str) -> Result<Scheduled, String> {
    let parts = text
        .split_once(':')
        .and_then(|(at, effect)| Some((at, effect.split_once('=')?)));
    let known = parts.and_then(|(at, (kind, size))| Some((at, Disturbance::by_key(kind)?, size)));
    let Some((at, disturbance, size)) = known else {
        let kinds = Disturbance::ALL.map(Disturbance::key);
        return Err(format!(
            "--at takes SECONDS:KIND=VALUE, where KIND is one of {} (for example 2:births=200), not '{text}'",
            format::listed(&kinds)
        ));
    };
    let (kind, knob) = (disturbance.key(), disturbance.size());
    let at = knob::number(at).filter(|secs| (0.0..=MAX_SECONDS).contains(secs));
    let size = knob::number(size).filter(|size| knob.takes(*size));
    let scheduled = at.zip(size).map(|(at, size)| Scheduled {
        at: Nanos::from_secs_f64(at),
        effect: disturbance.of_size(size),
    });
    scheduled.ok_or_else(|| {
        let number = if knob.whole { "a whole number" } else { "a number" };
        format!(
            "--at takes SECONDS:{kind}=VALUE with a time from 0 to {MAX_SECONDS} s and {number} from {}, not '{text}'",
            knob.range()
        )
    })
}

pub fn gif() -> impl TypedValueParser<Value = PathBuf> {
    let takes = "a file whose name ends in .gif".to_owned();
    parser("record", takes, |text| {
        let extension = Path::new(text).extension()?;
        extension.eq_ignore_ascii_case("gif").then(|| text.into())
    })
}

/// Parses a whole number such as `300`, `2k` or `1,000`.
fn count(text: &str) -> Option<u64> {
    /// An `f64` can represent every whole number up to this one exactly.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let rounded = || {
        let number = knob::number(text)?;
        let is_exact = (0.0..=EXACT).contains(&number) && number.fract() == 0.0;
        is_exact.then_some(number as u64)
    };
    text.parse().ok().or_else(rounded)
}

pub fn whole(flag: &'static str, range: RangeInclusive<u64>) -> impl TypedValueParser<Value = u64> {
    let takes = format!("a whole number from {} to {}", range.start(), range.end());
    parser(flag, takes, move |text| {
        count(text).filter(|number| range.contains(number))
    })
}

pub fn unit() -> impl TypedValueParser<Value = Unit> {
    parser("unit", "ns, us, ms or s".to_owned(), Unit::by_name)
}

pub fn target() -> impl TypedValueParser<Value = Point> {
    let takes =
        format!("X,Y with X from 0 to {WIDTH} and Y from 0 to {HEIGHT} (for example 0.5,0.25)");
    parser("target", takes, |text| {
        let (x, y) = text.split_once(',')?;
        let (x, y) = x.parse().ok().zip(y.parse().ok())?;
        Some(Point { x, y }).filter(|point| point.is_in_plane())
    })
}

pub fn frames(min: u64) -> impl TypedValueParser<Value = u64> {
    whole("frames", min..=u64::MAX)
}

/// Creates a parser for `--seconds`, which takes a week at most.
pub fn seconds(min: f64) -> impl TypedValueParser<Value = Nanos> {
    const WEEK: f64 = 7.0 * 24.0 * 3600.0;
    parser(
        "seconds",
        format!("a number from {min} to {WEEK} s"),
        move |text| {
            let seconds = knob::number(text).filter(|it| (min..=WEEK).contains(it));
            seconds.map(Nanos::from_secs_f64)
        },
    )
}

pub fn knob(knob: &'static Knob) -> impl TypedValueParser<Value = f64> {
    move |text: &str| knob.parse(text)
}

pub fn span(knob: &'static Knob) -> impl TypedValueParser<Value = Nanos> {
    move |text: &str| knob.parse(text).map(|value| knob.span(value))
}

pub fn switch(flag: &'static str) -> impl TypedValueParser<Value = bool> {
    parser(flag, knob::SWITCH_WORDS.to_owned(), knob::switch)
}

pub fn strategy() -> impl TypedValueParser<Value = &'static StrategyEntry> {
    let keys = STRATEGIES.iter().map(|entry| entry.key);
    PossibleValuesParser::new(keys).map(|key| strategy::by_key(&key).expect("a registered key"))
}

pub fn frame_loop() -> impl TypedValueParser<Value = &'static FrameLoopEntry> {
    let keys = FRAME_LOOPS.iter().map(|entry| entry.key);
    PossibleValuesParser::new(keys).map(|key| frame_loop::by_key(&key).expect("a registered key"))
}
