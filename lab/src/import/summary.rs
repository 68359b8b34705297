//! Summarises measured times: their distribution, and what they mean for a game's budget or frame rate.

use super::{COSTS, Capture};
use crate::measure::Times;
use crate::text::format::{counted, grouped, number, percent, time};
use serde_json::{Value, json};
use timeslicer::time::Nanos;

/// With fewer costs, it is uncertain whether they are heavy-tailed.
const ENOUGH: u64 = 100;
/// A frame is a hitch if it lasts longer than this multiple of the refresh period or, if unknown, the median time.
const HITCH: f64 = 1.5;
/// Common refresh rates of displays in Hz.
const RATES: [f64; 12] = [
    30.0, 50.0, 60.0, 75.0, 90.0, 100.0, 120.0, 144.0, 165.0, 175.0, 240.0, 360.0,
];

pub struct Summary<'a> {
    capture: &'a Capture,
    times: Times,
    /// The mean of the longest 1 % of the times, and their sum as a fraction of the total time.
    longest: (Nanos, f64),
    /// A budget for task costs, or the length above which a frame is a hitch.
    limit: Nanos,
    /// The fraction of the times that are above the limit.
    above: f64,
    /// The refresh rate of the display in Hz, and the fraction of refreshes that showed no new frame.
    refresh: Option<(f64, f64)>,
    /// The waiting time that at least 99 % of the frames had, or `None` if the file contains no waiting times.
    free: Option<Nanos>,
}

impl<'a> Summary<'a> {
    pub fn new(capture: &'a Capture, budget: Nanos) -> Self {
        let (mut sorted, mut free) = (capture.kept.clone(), capture.free.clone());
        sorted.sort_unstable();
        free.sort_unstable();
        let count = u128::from(capture.count.max(1));
        let times = Times {
            count: capture.count,
            mean: Nanos::from_nanos(((capture.sum_ns + count / 2) / count) as u64),
            max: capture.longest,
            ..Times::of(&sorted)
        };
        let sum = |times: &[Nanos]| times.iter().map(|it| it.as_nanos() as f64).sum::<f64>();
        let hundredth = sorted.len().div_ceil(100);
        let longest = sum(&sorted[sorted.len() - hundredth..]);
        let mean_of_longest = Nanos::from_nanos_f64(longest / hundredth as f64);
        let is_of_costs = *capture.kind == COSTS;
        let refresh = refresh(&sorted, times.p50).filter(|_| !is_of_costs);
        let usual = refresh.map_or(times.p50.as_secs_f64(), |(rate, _)| 1.0 / rate);
        let hitch = Nanos::from_secs_f64(HITCH * usual);
        let limit = if is_of_costs { budget } else { hitch };
        let above = sorted.len() - sorted.partition_point(|time| *time <= limit);
        Self {
            capture,
            times,
            longest: (mean_of_longest, longest / sum(&sorted).max(1.0)),
            limit,
            above: above as f64 / sorted.len() as f64,
            refresh,
            free: free.get(free.len() / 100).copied(),
        }
    }

    pub fn text(&self) -> String {
        let all = &self.times;
        let mut text = self.capture.note();
        if text.is_empty() {
            text = counted(all.count, self.capture.kind.name.trim_end_matches('s'));
        }
        let [mean, p50, p95, p99, max] = [all.mean, all.p50, all.p95, all.p99, all.max].map(time);
        let words = if *self.capture.kind == COSTS {
            self.cost_words()
        } else {
            self.frame_words()
        };
        format!("{text}\nmean {mean}, p50 {p50}, p95 {p95}, p99 {p99}, longest {max}\n{words}\n")
    }

    fn cost_words(&self) -> String {
        let limit = time(self.limit);
        let effect = if self.above > 0.0 {
            let calls = match (1.0 / self.above).round() as u64 {
                ..2 => "Nearly every call".to_owned(),
                one_in => format!("One call in {}", grouped(one_in)),
            };
            format!("{calls} takes longer than a budget of {limit}.")
        } else {
            let share = percent(self.times.max.over(self.limit));
            format!("The longest call takes {share} of a budget of {limit}.")
        };
        if self.times.count < ENOUGH {
            return effect;
        }
        format!("The costs are {}. {effect}", tail_words(self.longest.1))
    }

    fn frame_words(&self) -> String {
        let [mean, low] =
            [self.times.mean, self.longest.0].map(|it| number(1.0 / it.as_secs_f64()));
        let hitches = (self.above * self.times.count as f64).round() as u64;
        let (hitches, limit) = (counted(hitches, "hitch"), time(self.limit));
        let mut lines = vec![format!(
            "{mean} fps, 1 % low {low} fps, {hitches} above {limit}"
        )];
        if let Some((rate, missed)) = self.refresh {
            let missed = percent(missed);
            lines.push(format!(
                "The display refreshes at {rate} Hz, and {missed} of the refreshes were missed."
            ));
        }
        if let Some(free) = self.free.map(time) {
            lines.push(format!(
                "{free} were free in 99 % of the frames. You can use this as the limit on the task time."
            ));
        }
        lines.join("\n")
    }

    /// Returns all values as JSON. Unknown values are `null`.
    pub fn to_json(&self) -> Value {
        let ms = Nanos::as_millis_f64;
        json!({
            "kind": self.capture.kind.flag,
            "source": self.capture.source,
            "unit": self.capture.unit().name(),
            "count": self.times.count,
            "left_out": self.capture.left_out,
            "mean_ms": ms(self.times.mean),
            "p50_ms": ms(self.times.p50),
            "p95_ms": ms(self.times.p95),
            "p99_ms": ms(self.times.p99),
            "max_ms": ms(self.times.max),
            "longest_percent_ms": ms(self.longest.0),
            "longest_percent_share": self.longest.1,
            "limit_ms": ms(self.limit),
            "above_limit_share": self.above,
            "display_hz": self.refresh.map(|it| it.0),
            "missed_share": self.refresh.map(|it| it.1),
            "free_ms": self.free.map(ms),
        })
    }
}

/// Says whether costs are heavy-tailed. `share` is the fraction of the total time that the longest 1 % of them take.
pub fn tail_words(share: f64) -> String {
    /// The fraction from which costs count as heavy-tailed. In an exponential distribution, it would be 5.6 %.
    const HEAVY: f64 = 0.1;
    let not = if share < HEAVY { "not " } else { "" };
    format!(
        "{not}heavy-tailed: 1 % of them take {} of the time",
        percent(share)
    )
}

/// Guesses the refresh rate of the display if most frames last a whole number of refresh periods. Also returns the
/// fraction of refreshes that showed no new frame.
fn refresh(times: &[Nanos], median: Nanos) -> Option<(f64, f64)> {
    const NEAR: f64 = 0.05;
    const MOST_FRAMES: f64 = 0.8;
    let off = |rate: &f64| (median.as_secs_f64() * rate - 1.0).abs();
    let rate = RATES.into_iter().find(|rate| off(rate) < NEAR / 2.0)?;
    let refreshes = || times.iter().map(|time| time.as_secs_f64() * rate);
    let near = refreshes().filter(|it| (it - it.round()).abs() <= NEAR);
    let near = near.count() as f64;
    let all: f64 = refreshes().map(|it| it.round().max(1.0)).sum();
    let frames = times.len() as f64;
    (near >= MOST_FRAMES * frames).then_some((rate, 1.0 - frames / all))
}
