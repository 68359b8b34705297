//! Builds the table that shows selected metrics of the last few seconds, or of the few seconds before a past frame.

use super::{LongestWait, WindowStats};
use crate::sim::world::Ring;
use crate::stats::{Metric, Report, WeightedStaleness, metric_by_key};
use crate::text::format;
use std::borrow::Cow;
use timeslicer::strategy::Family;
use timeslicer::time::Nanos;

const FRAME_LENGTHS: [&str; 4] = ["p50", "p95", "p99", "max"];

const METRIC_ROWS: [&str; 11] = [
    "tasks_per_frame.mean",
    "tasks_per_frame.peak",
    "interval_ms.mean",
    "staleness_ms.near",
    "staleness_ms.weighted_mean",
    "staleness_ms.worst",
    "looking_wrong_percent.mean",
    "backlog.now",
    "debt_dropped_ms",
    "overrun_ms.worst",
    "per_frame_ms.scheduling",
];

/// Returns true if the table shows the metric with this key for strategies of the given family.
fn is_shown(key: &str, family: Family) -> bool {
    match key {
        // If significant tasks run more often, their intervals differ by design.
        "tasks_per_frame.peak" | "interval_ms.mean" => family != Family::BySignificance,
        "staleness_ms.near" | "staleness_ms.weighted_mean" => family == Family::BySignificance,
        _ => true,
    }
}

/// A table with metrics of the last few seconds. Each value is formatted and checked for problems.
pub struct StatsTable {
    pub caption: String,
    /// Statistics of the frame lengths in milliseconds, each with a short name such as `p99`.
    pub lengths: Vec<(&'static str, Cell)>,
    pub rows: Vec<Row>,
    /// The entity that was waiting longest for its next run when the last frame ended. `None` if there were no
    /// entities.
    pub stalest: Option<LongestWait>,
}

pub struct Row {
    pub metric: &'static Metric,
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
     a hitch: a frame longer than 1.5 times its target.";

const BY_DISTANCE_HELP: &str = "Mean staleness near the target, at a middle distance and far away. The near entities \
     are within the distance set by Full rate within, and the middle ones up to three times as far away.";

const WEIGHTED_STALENESS_HELP: &str = "Mean staleness, weighted by each entity's significance. The optimum is the lowest that any \
     strategy could reach in the long run with the task time of these frames. It is known only while the target is at \
     rest and after every entity has run.";

impl StatsTable {
    pub fn of(stats: &WindowStats) -> Self {
        let report = &stats.report;
        let length = |name| {
            let metric = metric_by_key(&format!("frame_ms.{name}"))?;
            let millis = (metric.value)(report);
            let text = millis.map(|millis| format::millis(Nanos::from_millis_f64(millis)));
            Some((name, Cell::of(metric, report, text)))
        };
        let rows = METRIC_ROWS.into_iter();
        let rows = rows.filter(|key| is_shown(key, report.subject.strategy.family));
        Self {
            caption: stats.caption(),
            lengths: FRAME_LENGTHS.into_iter().filter_map(length).collect(),
            rows: rows.filter_map(|key| row(key, stats)).collect(),
            stalest: stats.stalest,
        }
    }
}

fn row(key: &str, stats: &WindowStats) -> Option<Row> {
    let (metric, report) = (metric_by_key(key)?, &stats.report);
    let is_forgotten = stats.has_forgotten && metric.is_game_time();
    let text = formatted(metric, report).filter(|_| !is_forgotten);
    let keeps_real_time = report.game_speed().keeps_real_time();
    let (label, help) = match key {
        "staleness_ms.near" if keeps_real_time => ("stale by distance".into(), BY_DISTANCE_HELP),
        "staleness_ms.near" => ("stale, game time".into(), BY_DISTANCE_HELP),
        "staleness_ms.weighted_mean" => (
            metric.label_at(report.game_speed()),
            WEIGHTED_STALENESS_HELP,
        ),
        _ => (metric.label_at(report.game_speed()), metric.help),
    };
    Some(Row {
        metric,
        label,
        help,
        cell: Cell::of(metric, report, text),
    })
}

/// Formats several times in the same unit, with few digits because the table is narrow. Returns the texts and the unit.
fn compact(times: &[Option<Nanos>]) -> (Vec<String>, &'static str) {
    let largest = times.iter().flatten().max().copied().unwrap_or_default();
    let (scale, unit) = if largest < Nanos::SECOND {
        (1.0, "ms")
    } else {
        (1e-3, "s")
    };
    let written = |time: Nanos| {
        let value = time.as_millis_f64() * scale;
        format::fixed(value, usize::from(value < 10.0))
    };
    let texts = times
        .iter()
        .map(|time| time.map_or("–".to_owned(), written));
    (texts.collect(), unit)
}

/// Formats a metric for the table. Some metrics are combined, for example the mean interval with its jitter.
fn formatted(metric: &Metric, report: &Report) -> Option<String> {
    match metric.key {
        "interval_ms.mean" => report.knows_interval().then(|| {
            let [mean, deviation] = [report.interval.mean, report.interval.deviation]
                .map(|time| format::number(time.as_millis_f64()));
            format!("{mean} ± {deviation} ms")
        }),
        "staleness_ms.near" => {
            report.staleness.mean()?;
            let (texts, unit) = compact(&Ring::ALL.map(|ring| report.staleness.mean_in(ring)));
            Some(format!("{} {unit}", texts.join("/")))
        }
        "staleness_ms.weighted_mean" if report.game_speed().keeps_real_time() => {
            let least = optimum(report);
            let (texts, unit) = compact(&[report.staleness.weighted_mean(), least]);
            report.staleness.weighted_mean()?;
            Some(match least {
                Some(_) => format!("{} {unit}, optimum {}", texts[0], texts[1]),
                None => format!("{} {unit}", texts[0]),
            })
        }
        "overrun_ms.worst" if report.subject.budget.is_some() && report.overrun.count == 0 => {
            Some("0 ms".to_owned())
        }
        "per_frame_ms.scheduling" => {
            let runs = report.mean_runs();
            (report.frames > 0)
                .then(|| format::scheduling(report.per_frame(report.scheduling), runs))
        }
        _ => metric.written(report),
    }
}

/// Returns the lowest weighted staleness that any strategy could reach in the long run with the same time for tasks.
/// Returns `None` if the target moves, or if some tasks had not run yet when the report began.
fn optimum(report: &Report) -> Option<Nanos> {
    let is_settled = report.settled.as_ref()?.game_span >= report.game_span;
    let bounds = report.subject.bounds.filter(|_| is_settled)?;
    let least = WeightedStaleness::Mean.minimum(&bounds, report.load()?)?;
    Some(Nanos::from_secs_f64(least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{History, PastFrame, WINDOW};
    use crate::sim::machine::Simulated;
    use crate::sim::settings::Settings;
    use crate::sim::world::{COST, ENTITIES, Point};
    use crate::stats::MeasuredLane;
    use crate::testing::{history, lane, recorded};
    use timeslicer::strategy::knobs::PREDICT;
    use timeslicer::strategy::{STRATEGIES, StrategyEntry};

    fn table(strategy: &str, history: &History) -> StatsTable {
        StatsTable::of(&WindowStats::of(&lane(strategy, &[]), history, WINDOW))
    }

    fn text<'a>(table: &'a StatsTable, key: &str) -> &'a str {
        let row = table.rows.iter().find(|row| row.metric.key == key);
        row.expect("a row").cell.text()
    }

    #[test]
    fn every_row_has_a_figure() {
        let table = table("fixed-interval", &history(&[16; 20]));
        assert_eq!(
            (table.lengths.len(), table.rows.len()),
            (FRAME_LENGTHS.len(), METRIC_ROWS.len() - 2)
        );
        assert_eq!(table.caption, "last 0.3 s");
        assert_eq!(table.lengths[0], ("p50", Cell::Fine("16.0".to_owned())));
        assert_eq!(text(&table, "tasks_per_frame.mean"), "10");
        assert_eq!(text(&table, "backlog.now"), "3");
        assert_eq!(text(&table, "per_frame_ms.scheduling"), "2 µs, 200 ns/run");
    }

    fn written(table: &StatsTable) -> Vec<(String, Cell)> {
        let rows = table.rows.iter();
        let rows = rows.map(|row| (row.label.to_string(), row.cell.clone()));
        let lengths = table.lengths.iter();
        let lengths = lengths.map(|(name, cell)| ((*name).to_owned(), cell.clone()));
        rows.chain(lengths).collect()
    }

    /// Runs 30 frames of each strategy in turn and changes the task cost after 15 of them. Calls `each` after every
    /// frame.
    fn changing(mut each: impl FnMut(&MeasuredLane<Simulated>, &History)) {
        let mut lane = lane("every-frame", &[(&ENTITIES, 300.0), (&COST, 200.0)]);
        let mut history = History::default();
        for entry in STRATEGIES.iter().chain(STRATEGIES) {
            lane.set_strategy(entry);
            for frame in 0..30 {
                if frame == 15 {
                    lane.set_knob(&COST, f64::from(40 * entry.name.len() as u32));
                }
                lane.frame();
                history.push(PastFrame::of(&lane));
                each(&lane, &history);
            }
        }
    }

    #[test]
    fn the_past_has_the_figures_that_it_had() {
        let mut then = Vec::new();
        let mut last = None;
        changing(|lane, history| {
            let table = StatsTable::of(&WindowStats::of(lane, history, WINDOW));
            then.push((written(&table), table.stalest));
            if then.len() == 60 * STRATEGIES.len() {
                let now = |past| StatsTable::of(&WindowStats::at(lane, history, WINDOW, past));
                let tables = history.frames().iter().map(now);
                last = Some(tables.map(|it| (written(&it), it.stalest)).collect());
            }
        });
        assert_eq!(last, Some(then));
    }

    #[test]
    fn no_entity_waits_longer_than_the_worst() {
        let mut since_change = 0;
        changing(|lane, history| {
            let stats = WindowStats::of(lane, history, WINDOW);
            let stalest = stats.stalest.expect("there are entities");
            assert!(
                stalest.waited <= stats.report.worst_staleness,
                "{stalest:?}"
            );
            since_change += usize::from(stalest.is_since_change);
        });
        assert!(since_change > 0, "some last ran before the last change");
    }

    #[test]
    fn figures_are_those_of_the_runs_in_the_frames_that_are_named() {
        let mut count = 0;
        changing(|lane, history| {
            let frames = history.frames();
            let Some(past) = frames.len().checked_sub(40).map(|index| &frames[index]) else {
                return;
            };
            let stats = WindowStats::at(lane, history, WINDOW, past);
            let numbers = stats.first_frame.unwrap()..=past.record.number;
            let caption = stats.caption();
            let named = format!("frames {} to {}, ", numbers.start(), numbers.end());
            assert!(caption.starts_with(&named), "{caption}");
            let of_range = || {
                frames
                    .iter()
                    .filter(|it| numbers.contains(&it.record.number))
            };
            let runs = || of_range().flat_map(PastFrame::runs);
            let since = past.sums.restarted_at;
            let whole = runs().filter(|run| !run.first && run.time - run.elapsed >= since);
            let waits: Vec<f64> = whole.map(|run| run.elapsed.as_millis_f64()).collect();
            let mean = waits.iter().sum::<f64>() / waits.len() as f64;
            let table = StatsTable::of(&stats);
            if stats.report.knows_interval()
                && past.strategy().unwrap().family != Family::BySignificance
            {
                let shown = text(&table, "interval_ms.mean");
                let (shown, _) = shown
                    .split_once(" ± ")
                    .expect("the interval and its jitter");
                assert_eq!(shown, format::number(mean));
                count += 1;
            }
            let ran = format::number(runs().count() as f64 / of_range().count() as f64);
            assert_eq!(text(&table, "tasks_per_frame.mean"), ran);
            let ended = runs().map(|run| run.elapsed.min(run.time - since));
            let waiting = of_range().filter_map(|it| Some(it.stalest?.waited));
            let worst = ended.chain(waiting).max().unwrap();
            assert_eq!(stats.report.worst_staleness, worst);
        });
        assert!(count > 80, "{count}");
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
            StatsTable::of(&WindowStats::of(&lane, &history, WINDOW))
        };
        let resting = table(Some(Point { x: 0.5, y: 0.25 }));
        assert_eq!(resting.rows.len(), METRIC_ROWS.len() - 2);
        let by_distance = text(&resting, "staleness_ms.near");
        assert_eq!(by_distance.matches('/').count(), 2, "{by_distance}");
        let weighted = text(&resting, "staleness_ms.weighted_mean");
        assert!(weighted.contains(", optimum "), "{weighted}");
        let moving = table(None);
        let weighted = text(&moving, "staleness_ms.weighted_mean");
        assert!(!weighted.contains("optimum"), "{weighted}");
        for text in [by_distance, weighted] {
            assert!(text.ends_with("ms") && text.len() < 20, "{text}");
        }
    }

    #[test]
    fn missing_figures_are_a_dash() {
        let nobody = lane("every-frame", &[(&ENTITIES, 0.0)]);
        let table = StatsTable::of(&WindowStats::of(&nobody, &history(&[]), WINDOW));
        assert_eq!(table.caption, "no frames yet");
        let lengths = table.lengths.iter().map(|(_, cell)| cell);
        let mut cells = lengths.chain(table.rows.iter().map(|row| &row.cell));
        assert!(cells.all(|cell| *cell == Cell::Nothing));
    }

    #[test]
    fn game_times_are_marked_in_a_slow_game() {
        let mut history = history(&[16; 200]);
        let labels = |history: &History| {
            let table = table("fixed-interval", history);
            let labels = table.rows.into_iter().map(|row| row.label);
            labels
                .filter(|label| label.ends_with(", game time"))
                .count()
        };
        assert_eq!(labels(&history), 0);
        let frames: Vec<_> = history.frames().iter().cloned().collect();
        for mut past in frames {
            past.record.number += 200;
            past.record.length = Nanos::from_millis(50); // its game time is still 16 ms
            history.push(past);
        }
        assert_eq!(labels(&history), 2); // interval and staleness
    }

    #[test]
    fn only_strategies_with_a_budget_overrun_it() {
        for (strategy, predict, expected) in [
            ("time-budget", 1.0, "0 ms"),
            ("time-budget", 0.0, "2 ms"), // the second task of 3 ms ends 2 ms after the budget
            ("fixed-interval", 0.0, "–"),
        ] {
            let mut lane = lane(strategy, &[(&COST, 3_000.0), (&PREDICT, predict)]);
            let history = recorded(&mut lane, 60);
            let table = StatsTable::of(&WindowStats::of(&lane, &history, WINDOW));
            assert_eq!(text(&table, "overrun_ms.worst"), expected);
        }
    }
}
