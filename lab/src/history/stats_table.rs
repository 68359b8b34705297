//! Builds the table that shows selected metrics of the last few seconds, or of the few seconds before a past frame.

use super::{LongestWait, WindowStats};
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

static METRIC_ROWS: [&Metric; 12] = [
    &metrics::FRAMES_BY_UPDATES_NONE,
    &metrics::TASKS_PER_FRAME_MEAN,
    &metrics::TASKS_PER_FRAME_PEAK,
    &metrics::INTERVAL_MS_MEAN,
    &metrics::STALENESS_MS_NEAR,
    &metrics::STALENESS_MS_WEIGHTED_MEAN,
    &metrics::STALENESS_MS_WORST,
    &metrics::LOOKING_WRONG_PERCENT_MEAN,
    &metrics::BACKLOG_NOW,
    &metrics::DEBT_DROPPED_MS,
    &metrics::OVERRUN_PERCENT,
    &metrics::PER_FRAME_MS_SCHEDULING,
];

/// A table with metrics of the last few seconds. Each value is formatted and checked for problems.
pub struct StatsTable {
    pub caption: String,
    /// Statistics of the frame lengths in milliseconds, each with a short name such as `p99`.
    pub lengths: Vec<(&'static str, Cell)>,
    pub rows: Vec<Row>,
    pub stalest: Option<LongestWait>,
}

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
     a hitch: a frame longer than 1.5 times its target, or than the flag --hitch allows.";

const BY_DISTANCE_HELP: &str = "Mean staleness near the target, at a middle distance and far away. The near entities \
     are within the distance set by Full rate within, and the middle ones up to three times as far away.";

const WEIGHTED_STALENESS_HELP: &str = "Mean staleness, weighted by each entity's significance. The optimum is the lowest that any \
     strategy could reach in the long run with the task time of these frames. It is known only while the target is at \
     rest and after every entity has run.";

impl StatsTable {
    pub fn of(stats: &WindowStats) -> Self {
        let report = &stats.report;
        let length = |&(name, metric): &(&'static str, &Metric)| {
            let millis = (metric.value)(report);
            let text = millis.map(|millis| format::millis(Nanos::from_millis_f64(millis)));
            (name, Cell::of(metric, report, text))
        };
        let family = report.subject.strategy.family;
        // Without a fixed step, every frame has one update. With a fixed step, the updates take the place of the mean
        // number of tasks, which is also above the plot.
        let left_out = if report.subject.pacing.step.is_some() {
            &metrics::TASKS_PER_FRAME_MEAN
        } else {
            &metrics::FRAMES_BY_UPDATES_NONE
        };
        let is_shown = |it: &&&Metric| (it.applies_to)(family) && **it != left_out;
        let rows = METRIC_ROWS.iter().filter(is_shown);
        Self {
            caption: stats.caption(),
            lengths: FRAME_LENGTHS.iter().map(length).collect(),
            rows: rows.map(|metric| row(metric, stats)).collect(),
            stalest: stats.stalest,
        }
    }
}

fn row(metric: &'static Metric, stats: &WindowStats) -> Row {
    let report = &stats.report;
    let is_forgotten = stats.has_forgotten && metric.is_game_time();
    let text = metric.written(report).filter(|_| !is_forgotten);
    let speed = report.game_speed();
    let (label, help) = if *metric == metrics::STALENESS_MS_NEAR {
        let label = if speed.keeps_real_time() {
            "stale by distance"
        } else {
            "stale, game time"
        };
        (label.into(), BY_DISTANCE_HELP)
    } else if *metric == metrics::STALENESS_MS_WEIGHTED_MEAN {
        (metric.label_at(speed), WEIGHTED_STALENESS_HELP)
    } else {
        (metric.label_at(speed), metric.help)
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
    use crate::testing::{history, lane, recorded};

    fn table(strategy: &str, history: &History) -> StatsTable {
        StatsTable::of(&WindowStats::of(&lane(strategy, &[]), history, None))
    }

    fn text<'a>(table: &'a StatsTable, label: &str) -> &'a str {
        let row = table.rows.iter().find(|row| row.label == label);
        row.expect("a row").cell.text()
    }

    /// The number of rows if all updates follow real time. Of the two rows with the peak and with the staleness by
    /// distance, or with the weighted staleness, each strategy has only one.
    const ROWS: usize = METRIC_ROWS.len() - 3;

    #[test]
    fn every_row_has_a_figure() {
        let table = table("fixed-interval", &history(&[16; 20]));
        assert_eq!(
            (table.lengths.len(), table.rows.len()),
            (FRAME_LENGTHS.len(), ROWS)
        );
        assert_eq!(table.caption, "last 0.3 s");
        assert_eq!(table.lengths[0], ("p50", Cell::Fine("16.0".to_owned())));
        assert_eq!(text(&table, "tasks/frame"), "10");
        assert_eq!(text(&table, "backlog"), "3");
        assert_eq!(text(&table, "scheduling"), "2 µs, 200 ns/run");
    }

    #[test]
    fn by_significance_rows_show_distance_and_optimum() {
        let by_significance = |entry: &&&StrategyEntry| entry.family == Family::BySignificance;
        let Some(entry) = STRATEGIES.iter().find(by_significance) else {
            return; // none is compiled in
        };
        let table = |target| {
            let settings = Settings {
                strategy: entry,
                target,
                ..Settings::default()
            };
            let mut lane = MeasuredLane::new(settings, Simulated::default());
            let history = recorded(&mut lane, 300);
            StatsTable::of(&WindowStats::of(&lane, &history, None))
        };
        let resting = table(Some(Point { x: 0.5, y: 0.25 }));
        assert_eq!(resting.rows.len(), ROWS);
        let by_distance = text(&resting, "stale by distance");
        assert_eq!(by_distance.matches('/').count(), 2, "{by_distance}");
        let weighted = text(&resting, "weighted");
        assert!(weighted.contains(", optimum "), "{weighted}");
        let moving = table(None);
        let weighted = text(&moving, "weighted");
        assert!(!weighted.contains("optimum"), "{weighted}");
        for text in [by_distance, weighted] {
            assert!(text.ends_with("ms") && text.len() < 20, "{text}");
        }
    }

    #[test]
    fn missing_figures_are_a_dash() {
        let nobody = lane("every-frame", &[(&ENTITIES, 0.0)]);
        let table = StatsTable::of(&WindowStats::of(&nobody, &history(&[]), None));
        assert_eq!(table.caption, "no frames measured");
        let lengths = table.lengths.iter().map(|(_, cell)| cell);
        let mut cells = lengths.chain(table.rows.iter().map(|row| &row.cell));
        assert!(cells.all(|cell| *cell == Cell::Nothing));
    }
}
