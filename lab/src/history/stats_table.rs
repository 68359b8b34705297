//! Builds the table that shows selected metrics of the last few seconds, or of the few seconds before a past frame. Each
//! value is formatted and checked for problems.

use super::WindowStats;
use crate::measure::{Metric, Report, metrics};
use crate::text::format;
use std::borrow::Cow;
use timeslicer::time::Nanos;

static FRAME_LENGTHS: [(&str, &Metric); 4] = [
    ("p50", &metrics::FRAME_MS_P50),
    ("p95", &metrics::FRAME_MS_P95),
    ("p99", &metrics::FRAME_MS_P99),
    ("max", &metrics::FRAME_MS_MAX),
];

static METRIC_ROWS: [&Metric; 11] = [
    &metrics::FRAMES_BY_UPDATES_NONE,
    &metrics::TASKS_PER_FRAME_PEAK,
    &metrics::INTERVAL_MS_MEAN,
    &metrics::STALENESS_MS_NEAR,
    &metrics::STALENESS_MS_WEIGHTED_MEAN,
    &metrics::LOOKING_WRONG_PERCENT_MEAN,
    &metrics::BACKLOG_NOW,
    &metrics::DEBT_DROPPED_MS,
    &metrics::OVERRUN_PERCENT,
    &metrics::PER_FRAME_MS_SCHEDULING,
    &metrics::STALENESS_WORST_OVER_MEAN,
];

pub struct Row {
    /// The label of the metric. It mentions game time if game time differs from real time.
    pub label: Cow<'static, str>,
    pub help: &'static str,
    pub cell: Cell,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// The metric was not measured, or it does not apply to the strategy.
    Nothing,
    Fine(String),
    /// A value that indicates a problem.
    Wrong(String),
}

impl Cell {
    /// Creates a cell for a metric whose value was formatted as `text`. Checks whether the value indicates a problem.
    fn of(metric: &Metric, report: &Report, text: Option<String>) -> Self {
        match text.filter(|_| report.frames > 0) {
            None => Self::Nothing,
            Some(text) if (metric.is_wrong)(report) => Self::Wrong(text),
            Some(text) => Self::Fine(text),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Nothing => "–",
            Self::Fine(text) | Self::Wrong(text) => text,
        }
    }
}

pub const LENGTHS_HELP: &str = "Frame time, including waiting. 95 % of the frames were no longer than p95. Amber marks \
     a hitch: a frame longer than 1.5 times its target (the flag --hitch changes this factor).";

const BY_DISTANCE_HELP: &str = "Mean staleness, which is the time since an entity last ran: near the target, at a \
     middle distance and far away. The near entities are within the distance set by Full rate within, and the middle \
     ones up to three times as far away.";

/// Returns statistics of the frame lengths, each with a short name such as `p99`, and their unit. If the longest frame
/// took a second or more, the unit is seconds, because numbers in milliseconds would be too wide for their columns.
pub fn frame_lengths(report: &Report) -> ([(&'static str, Cell); 4], &'static str) {
    let is_in_seconds = report.frame.max >= Nanos::SECOND;
    let lengths = FRAME_LENGTHS.map(|(name, metric)| {
        let text = (metric.value)(report).map(|millis| {
            let seconds = millis / 1e3;
            match seconds {
                _ if !is_in_seconds => format::millis(Nanos::from_millis_f64(millis)),
                ..9.995 => format!("{seconds:.2}"),
                _ => format::fixed(seconds, usize::from(seconds < 99.95)),
            }
        });
        (name, Cell::of(metric, report, text))
    });
    (lengths, if is_in_seconds { "s" } else { "ms" })
}

/// Returns the rows that apply to the strategy and the frame loop.
pub fn rows(stats: &WindowStats) -> Vec<Row> {
    let rows = METRIC_ROWS.iter();
    let rows = rows.filter(|metric| (metric.applies_to)(&stats.report));
    rows.map(|metric| row(metric, stats)).collect()
}

fn row(metric: &'static Metric, stats: &WindowStats) -> Row {
    let report = &stats.report;
    let is_forgotten = stats.has_forgotten && metric.is_game_time();
    let text = metric.written(report).filter(|_| !is_forgotten);
    let (label, help) = if *metric == metrics::STALENESS_MS_NEAR {
        let label = if report.keeps_real_time() {
            "stale by distance"
        } else {
            "stale, game time"
        };
        (label.into(), BY_DISTANCE_HELP)
    } else {
        (metric.label_in(report), metric.help)
    };
    Row {
        label,
        help,
        cell: Cell::of(metric, report, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::{Family, STRATEGIES, StrategyEntry};
    use crate::history::History;
    use crate::measure::MeasuredLane;
    use crate::sim::machine::Simulated;
    use crate::sim::settings::Settings;
    use crate::sim::world::{ENTITIES, Point};
    use crate::testing::{history, lane, lane_of, recorded};

    fn stats(strategy: &str, history: &History) -> WindowStats {
        WindowStats::of(&lane(strategy, &[]), history, None)
    }

    fn text(rows: &[Row], label: &str) -> String {
        let row = rows.iter().find(|row| row.label == label);
        row.expect("a row").cell.text().to_owned()
    }

    #[test]
    fn every_row_has_a_figure() {
        let stats = stats("fixed-interval", &history(&[16; 20]));
        assert_eq!(stats.caption(), "last 0.3 s");
        let (lengths, unit) = frame_lengths(&stats.report);
        assert_eq!(lengths[0], ("p50", Cell::Fine("16.0".to_owned())));
        assert_eq!(unit, "ms");
        let rows = rows(&stats);
        assert_eq!(text(&rows, "peak"), "10");
        assert_eq!(text(&rows, "backlog"), "3");
        assert_eq!(text(&rows, "scheduling"), "2 µs, 200 ns/run");
    }

    #[test]
    fn by_significance_rows_show_distance_and_optimum() {
        let by_significance = |entry: &&&StrategyEntry| entry.family == Family::BySignificance;
        let Some(entry) = STRATEGIES.iter().find(by_significance) else {
            return; // none is compiled in
        };
        let table = |target| -> Vec<Row> {
            let settings = Settings {
                strategy: entry,
                target,
                ..Settings::default()
            };
            let mut lane = MeasuredLane::new(settings, Simulated::default());
            let history = recorded(&mut lane, 300);
            rows(&WindowStats::of(&lane, &history, None))
        };
        let resting = table(Some(Point { x: 0.5, y: 0.25 }));
        let by_distance = text(&resting, "stale by distance");
        assert_eq!(by_distance.matches('/').count(), 2, "{by_distance}");
        let weighted = text(&resting, "weighted");
        assert!(weighted.contains(", optimum "), "{weighted}");
        let weighted = text(&table(None), "weighted");
        assert!(!weighted.contains("optimum"), "{weighted}");
        for text in [by_distance, weighted] {
            assert!(text.ends_with("ms") && text.len() < 20, "{text}");
        }
    }

    #[test]
    fn missing_figures_are_a_dash() {
        let nobody = lane("every-frame", &[(&ENTITIES, 0.0)]);
        let stats = WindowStats::of(&nobody, &history(&[]), None);
        let lengths = frame_lengths(&stats.report).0.map(|(_, cell)| cell);
        let rows = rows(&stats).into_iter().map(|row| row.cell);
        assert!(
            lengths
                .into_iter()
                .chain(rows)
                .all(|cell| cell == Cell::Nothing)
        );
    }

    #[test]
    fn rows_that_do_not_apply_are_left_out() {
        let labels = |strategy, frame_loop| -> Vec<String> {
            let mut lane = lane_of(strategy, frame_loop, &[]);
            let history = recorded(&mut lane, 100);
            let rows = rows(&WindowStats::of(&lane, &history, None)).into_iter();
            rows.map(|row| row.label.into_owned()).collect()
        };
        let always = [
            "peak",
            "interval",
            "looking wrong",
            "scheduling",
            "longest/mean",
        ];
        assert_eq!(labels("fixed-interval", "variable-step"), always);
        let all = labels("time-budget", "fixed-step");
        for label in ["0/1/more updates", "backlog", "debt dropped", "over budget"] {
            assert!(all.iter().any(|it| it == label), "{label}");
        }
    }

    #[test]
    fn long_frames_are_in_seconds() {
        let stats = stats("fixed-interval", &history(&[15_838, 16]));
        let (lengths, unit) = frame_lengths(&stats.report);
        let texts = lengths.each_ref().map(|(_, cell)| cell.text());
        assert_eq!((texts[0], texts[3], unit), ("0.02", "15.8", "s"));
    }
}
