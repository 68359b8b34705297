//! `compare`: every strategy on the same work.

use super::run::{Length, simulate};
use crate::lane::Lane;
use crate::machine::Simulated;
use crate::output::{Failure, write_whole};
use crate::settings::Settings;
use crate::strategy::StrategyEntry;
use crate::time::Nanos;
use serde_json::{Value, json};
use std::path::Path;

/// What `compare` compares, for how long, and how it prints it.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// The strategies, in the order of the rows.
    pub strategies: Vec<&'static StrategyEntry>,
    /// How long each runs.
    pub length: Length,
    /// Whether to print JSON instead of a table.
    pub json: bool,
}

/// Runs each strategy on a simulated machine of its own, with the same seed and workload, and prints what
/// each did on standard output.
///
/// # Errors
/// Where standard output cannot be written to.
pub fn compare(settings: &Settings, options: &CompareOptions) -> Result<(), Failure> {
    let lanes: Vec<Lane<Simulated>> = options
        .strategies
        .iter()
        .map(|&strategy| {
            let settings = Settings {
                strategy,
                ..settings.clone()
            };
            let mut lane = Lane::new(settings.clone(), Simulated::new(&settings.knobs));
            simulate(&mut lane, options.length);
            lane
        })
        .collect();
    let text = if options.json {
        format!("{:#}\n", json(&lanes))
    } else {
        table(&lanes)
    };
    write_whole(Path::new("-"), text.as_bytes())
}

/// The oldest that any entity's last run (or birth) became: until it ran again, or until the end.
fn worst_staleness(lane: &Lane<Simulated>) -> Nanos {
    lane.figures().longest_elapsed().max(lane.worst_staleness())
}

fn json(lanes: &[Lane<Simulated>]) -> Value {
    let rows: Vec<Value> = lanes
        .iter()
        .map(|lane| {
            let figures = lane.figures();
            let (lengths, intervals) = (figures.lengths(), figures.intervals());
            json!({
                "strategy": lane.settings().strategy.key,
                "frames": figures.frames(),
                "tasks": figures.runs(),
                "tasks_per_frame": { "mean": figures.mean_runs(), "peak": figures.peak_runs() },
                "frame_ms": {
                    "mean": lengths.mean().as_millis_f64(),
                    "p50": lengths.quantile(0.5).as_millis_f64(),
                    "p95": lengths.quantile(0.95).as_millis_f64(),
                    "p99": lengths.quantile(0.99).as_millis_f64(),
                    "max": lengths.max().as_millis_f64(),
                },
                "interval_ms": {
                    "count": intervals.count(),
                    "mean": intervals.mean().as_millis_f64(),
                    "deviation": intervals.deviation().as_millis_f64(),
                    "max": intervals.max().as_millis_f64(),
                },
                "worst_staleness_ms": worst_staleness(lane).as_millis_f64(),
                "peak_backlog": figures.peak_backlog(),
            })
        })
        .collect();
    let settings = lanes
        .first()
        .map(|lane| (lane.settings().frame_loop.key, lane.settings().seed));
    json!({
        "loop": settings.map(|(frame_loop, _)| frame_loop),
        "seed": settings.map(|(_, seed)| seed),
        "lanes": rows,
    })
}

const COLUMNS: [&str; 9] = [
    "strategy",
    "tasks/frame",
    "peak",
    "frame ms p50",
    "p99",
    "max",
    "interval ms",
    "worst staleness ms",
    "peak backlog",
];

fn table(lanes: &[Lane<Simulated>]) -> String {
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    rows.extend(lanes.iter().map(row));
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; COLUMNS.len()] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        for (column, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[column] - cell.chars().count());
            // Names to the left, figures to the right.
            let parts = if column == 0 {
                [cell.as_str(), &pad]
            } else {
                ["  ", &pad]
            };
            text.push_str(&parts.concat());
            if column > 0 {
                text.push_str(cell);
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn row(lane: &Lane<Simulated>) -> [String; COLUMNS.len()] {
    let figures = lane.figures();
    let (lengths, intervals) = (figures.lengths(), figures.intervals());
    let ms = |time: Nanos| format!("{:.1}", time.as_millis_f64());
    [
        lane.settings().strategy.key.to_owned(),
        format!("{:.1}", figures.mean_runs()),
        figures.peak_runs().to_string(),
        ms(lengths.quantile(0.5)),
        ms(lengths.quantile(0.99)),
        ms(lengths.max()),
        if intervals.count() == 0 {
            "none".to_owned()
        } else {
            format!("{} ± {}", ms(intervals.mean()), ms(intervals.deviation()))
        },
        ms(worst_staleness(lane)),
        figures.peak_backlog().to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::by_key;

    fn lane(key: &str) -> Lane<Simulated> {
        let settings = Settings {
            strategy: by_key(key).unwrap(),
            ..Settings::default()
        };
        let mut lane = Lane::new(settings.clone(), Simulated::new(&settings.knobs));
        simulate(&mut lane, Length::Frames(121));
        lane
    }

    #[test]
    fn a_row_says_what_the_strategy_did() {
        // 400 tasks of 0.1 ms: a burst of 40 ms, then nothing for the rest of half a second.
        let row = row(&lane("all-at-once"));
        assert_eq!(row[0], "all-at-once");
        assert_eq!(row[2], "400");
        assert_eq!(row[5], "40.0");
    }

    #[test]
    fn who_never_ran_has_waited_all_the_same() {
        let settings = Settings {
            strategy: by_key("request-list").unwrap(),
            ..Settings::default()
        };
        let mut lane = Lane::new(settings, Simulated::default());
        lane.set_knob(&crate::world::REQUESTS, 0.0);
        simulate(&mut lane, Length::Frames(61));
        assert_eq!(worst_staleness(&lane), lane.now());
        assert_eq!(row(&lane)[6], "none");
    }

    #[test]
    fn rows_are_aligned_and_json_has_the_same_lanes() {
        let lanes = [lane("all-at-once"), lane("fixed-interval")];
        let text = table(&lanes);
        let lengths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
        assert!(lengths.iter().all(|&length| length == lengths[0]), "{text}");
        assert_eq!(json(&lanes)["lanes"][1]["strategy"], "fixed-interval");
    }
}
