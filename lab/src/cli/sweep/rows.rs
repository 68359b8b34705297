//! Formats the settings of a sweep and their metrics as CSV rows.

use crate::recommend::{Outcome, Point, Sweep};

/// A metric's column name, and a function that returns the metric's value for a setting. The function returns `None` if
/// the value was not measured. Values are in milliseconds unless the column name contains another unit.
type Metric = (&'static str, fn(&Outcome) -> Option<f64>);

pub const METRICS: [Metric; 11] = [
    ("task_ms_mean", |of| Some(of.tasks.mean.as_millis_f64())),
    ("task_ms_p99", |of| Some(of.tasks.p99.as_millis_f64())),
    ("task_ms_max", |of| Some(of.tasks.max.as_millis_f64())),
    ("frame_ms_p99", |of| Some(of.frames.p99.as_millis_f64())),
    ("hitch_percent", |of| Some(100.0 * of.hitch_share())),
    ("staleness_mean_ms", |of| {
        Some(of.staleness?.mean.as_millis_f64())
    }),
    (WEIGHTED_MEAN, |of| {
        Some(of.staleness?.weighted_mean.as_millis_f64())
    }),
    ("weighted_mean_bound_ms", |of| {
        Some(of.staleness?.least_mean?.as_millis_f64())
    }),
    (WORST, |of| Some(of.staleness?.worst.as_millis_f64())),
    (MEAN_WAIT, |of| Some(of.request_wait?.mean.as_millis_f64())),
    (LONGEST_WAIT, |of| {
        Some(of.request_wait?.max.as_millis_f64())
    }),
];

/// The metrics by which settings can be compared.
pub const OBJECTIVES: [&str; 4] = [WEIGHTED_MEAN, WORST, MEAN_WAIT, LONGEST_WAIT];
pub const WEIGHTED_MEAN: &str = "weighted_mean_ms";
pub const WORST: &str = "worst_ms";
pub const MEAN_WAIT: &str = "request_wait_mean_ms";
pub const LONGEST_WAIT: &str = "request_wait_max_ms";

/// Returns a row for each point of the curves. The recommended setting gets a row of its own, after the curve of its
/// strategy, unless the curve contains it.
pub fn of_sweep(sweep: &Sweep) -> Vec<Point> {
    let recommendation = sweep.recommendation();
    let recommended = recommendation.as_ref().and_then(|it| it.recommended());
    let mut rows = Vec::new();
    for (lane, curve) in sweep.curves().into_iter().enumerate() {
        let own = recommended.filter(|it| it.lane == lane).map(Point::from);
        let own = own.filter(|it| !curve.contains(it));
        rows.extend(curve.into_iter().chain(own));
    }
    rows
}

pub fn header() -> String {
    let metrics = METRICS.map(|(name, _)| name);
    format!("strategy,knob,value,{}", metrics.join(","))
}

impl Point {
    /// Returns the cells of a CSV row. A cell is empty if its value was not measured.
    pub fn cells(&self) -> Vec<String> {
        let values = &self.setting.values;
        let knobs: Vec<&str> = values.iter().map(|(knob, _)| knob.key).collect();
        let values: Vec<String> = values.iter().map(|(_, value)| value.to_string()).collect();
        let setting = [
            self.strategy.key.to_owned(),
            knobs.join(" "),
            values.join(" "),
        ];
        let metrics = METRICS.map(|(_, metric)| {
            let value = metric(&self.outcome);
            value.map_or_else(String::new, |value| format!("{value:.6}"))
        });
        setting.into_iter().chain(metrics).collect()
    }
}
