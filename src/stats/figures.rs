//! The figures of a report, each declared once: tables, JSON, sorting and the marks of best and worst follow.

use super::Report;
use super::recommendation::KNOWN;
use timeslice::time::Nanos;

/// Which way a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The less, the better.
    Less,
    /// The more, the better.
    More,
    /// It says what happened, not how good that is.
    Neither,
}

/// One figure of a report.
#[derive(Debug)]
pub struct Figure {
    /// Its name in JSON; what stands before a dot groups some.
    pub key: &'static str,
    /// Its name in a table.
    pub label: &'static str,
    /// Its unit; empty for a count or ratio.
    pub unit: &'static str,
    /// Which way it is better.
    pub better: Better,
    /// Whether it is a whole number.
    pub whole: bool,
    /// What it is, in a sentence.
    pub help: &'static str,
    /// Its value, in its unit; none where there is no such thing.
    pub of: fn(&Report) -> Option<f64>,
}

const fn figure(
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    better: Better,
    help: &'static str,
    of: fn(&Report) -> Option<f64>,
) -> Figure {
    Figure {
        key,
        label,
        unit,
        better,
        whole: false,
        help,
        of,
    }
}

const fn whole(
    key: &'static str,
    label: &'static str,
    better: Better,
    help: &'static str,
    of: fn(&Report) -> Option<f64>,
) -> Figure {
    Figure {
        whole: true,
        ..figure(key, label, "", better, help, of)
    }
}

#[expect(clippy::unnecessary_wraps)] // what a figure of the table gives
fn ms(time: Nanos) -> Option<f64> {
    Some(time.as_millis_f64())
}

/// A count, where anything was measured.
fn some(report: &Report, count: f64) -> Option<f64> {
    (report.frames > 0).then_some(count)
}

/// A time of some that there must be.
fn ms_of(count: u64, time: Nanos) -> Option<f64> {
    (count > 0).then(|| time.as_millis_f64())
}

use Better::{Less, More, Neither};

/// Every figure. Those of a kind stand together.
#[rustfmt::skip] // a table
pub static FIGURES: &[Figure] = &[
    whole("entities", "entities", Neither, "Entities that live now.", |it| Some(it.entities as f64)),
    figure("span_s", "measured", "s", Neither, "The machine's time that was measured.", |it| Some(it.span.as_secs_f64())),
    whole("frames", "frames", Neither, "Frames measured.", |it| Some(it.frames as f64)),
    whole("updates", "updates", Neither, "Updates in them.", |it| Some(it.updates as f64)),
    whole("tasks", "tasks", Neither, "Runs in them.", |it| Some(it.runs as f64)),

    figure("frame_ms.mean", "frame mean", "ms", Less, "The mean length of a frame.", |it| ms_of(it.frames, it.frame.mean)),
    figure("frame_ms.p50", "frame p50", "ms", Less, "The length that half of the frames do not exceed.", |it| ms_of(it.frames, it.frame.p50)),
    figure("frame_ms.p95", "frame p95", "ms", Less, "The length that 95 of 100 frames do not exceed.", |it| ms_of(it.frames, it.frame.p95)),
    figure("frame_ms.p99", "frame p99", "ms", Less, "The length that 99 of 100 frames do not exceed.", |it| ms_of(it.frames, it.frame.p99)),
    figure("frame_ms.max", "frame max", "ms", Less, "The longest frame.", |it| ms_of(it.frames, it.frame.max)),
    figure("frame_ms.predicted", "frame predicted", "ms", Neither, "The mean frame that b / (1 - U) predicts, b being a frame without tasks.", |it| it.predicted_frame().and_then(ms)),
    figure("fps", "fps", "/s", More, "Pictures a second of the machine's time.", |it| (it.frames > 0).then(|| it.fps())),
    figure("fps_1_percent_low", "1 % low", "/s", More, "The frames a second of the slowest hundredth of the frames.", |it| (it.frames > 0).then_some(it.low_fps)),
    whole("hitches", "hitches, count", Less, "Frames longer than one and a half times the length that they were to have.", |it| some(it, it.hitches as f64)),
    figure("hitch_percent", "hitches", "%", Less, "The share of frames longer than one and a half times the length that they were to have.", |it| (it.frames > 0).then(|| 100.0 * it.hitches as f64 / it.frames as f64)),
    figure("target_ms", "target", "ms", Neither, "The length that a frame is to have: the display's period, or the loop's own.", |it| ms(it.pacing.target)),

    figure("tasks_per_frame.mean", "tasks/frame", "", Neither, "Runs a frame, on the mean.", |it| some(it, it.mean_runs())),
    whole("tasks_per_frame.peak", "peak", Less, "The most runs in a frame.", |it| some(it, it.peak_runs.into())),
    figure("tasks_per_frame.peak_over_mean", "peak/mean", "x", Less, "The most runs in a frame over the mean: 1 is perfectly even.", Report::peak_over_mean),

    whole("interval_ms.count", "intervals", Neither, "Intervals between two runs of one task.", |it| Some(it.interval.count as f64)),
    figure("interval_ms.mean", "interval", "ms", Neither, "The mean interval.", |it| ms_of(it.interval.count, it.interval.mean)),
    figure("interval_ms.deviation", "jitter", "ms", Less, "The standard deviation of the intervals.", |it| ms_of(it.interval.count, it.interval.deviation)),
    figure("interval_ms.max", "interval max", "ms", Less, "The longest interval.", |it| ms_of(it.interval.count, it.interval.max)),
    figure("interval_ms.wanted", "wanted", "ms", Neither, "The interval that the strategy is to keep, if it keeps one.", |it| it.wanted.and_then(ms)),
    figure("interval_ms.off_p99", "off p99", "ms", Less, "How far 99 of 100 intervals are from the wanted one at the most.", |it| ms_of(it.off_wanted.count, it.off_wanted.p99)),
    figure("interval_ms.off_worst", "off worst", "ms", Less, "How far the worst interval is from the wanted one.", |it| ms_of(it.off_wanted.count, it.off_wanted.max)),

    figure("staleness_ms.now", "stale now", "ms", Less, "How long ago the stalest entity's last run is, or its birth.", |it| ms_of(it.frames.min(it.entities as u64), it.staleness)),
    figure("staleness_ms.worst", "stale worst", "ms", Less, "The longest that any entity had not run.", |it| ms_of(it.frames.min(it.entities as u64), it.worst_staleness)),
    figure("looking_wrong_percent.mean", "looking wrong", "%", Less, "The share of the crowd that looks more than 10 degrees beside the target, on the mean over time.", |it| it.looking_wrong.map(|(mean, _)| 100.0 * mean)),
    figure("looking_wrong_percent.worst", "wrong worst", "%", Less, "The largest share of the crowd that looked more than 10 degrees beside the target.", |it| it.looking_wrong.map(|(_, worst)| 100.0 * worst)),
    whole("late", "late", Less, "Runs that came later than the strategy promises: missed deadlines.", |it| some(it, it.late as f64)),
    whole("starved", "starved", Less, "Entities that waited more than three times what the strategy promises.", |it| some(it, it.starved as f64)),
    figure("request_wait_ms.mean", "request wait", "ms", Less, "The mean time from a request to its run.", |it| ms_of(it.request_wait.count, it.request_wait.mean)),
    figure("request_wait_ms.p99", "request wait p99", "ms", Less, "The time within which 99 of 100 requests are served.", |it| ms_of(it.request_wait.count, it.request_wait.p99)),
    figure("request_wait_ms.max", "request wait max", "ms", Less, "The longest time from a request to its run.", |it| ms_of(it.request_wait.count, it.request_wait.max)),
    whole("backlog.now", "backlog", Less, "Tasks that waited after the last frame.", |it| some(it, it.backlog.1 as f64)),
    whole("backlog.peak", "backlog peak", Less, "The most tasks that waited after a frame.", |it| some(it, it.backlog_peak as f64)),

    figure("budget_ms", "budget", "ms", Neither, "The time that an update may spend on tasks.", |it| it.budget.and_then(ms)),
    whole("overrun_ms.count", "overruns", Less, "Updates that spent more than their budget.", |it| it.budget.map(|_| it.overrun.count as f64)),
    figure("overrun_ms.p99", "overrun p99", "ms", Less, "By how much 99 of 100 of these passed it at the most.", |it| ms_of(it.overrun.count, it.overrun.p99)),
    figure("overrun_ms.worst", "overrun worst", "ms", Less, "By how much the worst of these passed it.", |it| ms_of(it.overrun.count, it.overrun.max)),

    figure("per_frame_ms.tasks", "tasks", "ms", Neither, "The time in tasks, a frame on the mean.", |it| ms_of(it.frames, it.a_frame(it.task_time))),
    figure("per_frame_ms.tasks_p99", "tasks p99", "ms", Less, "The time in tasks that 99 of 100 frames do not exceed.", |it| ms_of(it.frames, it.frame_tasks.p99)),
    figure("per_frame_ms.tasks_max", "tasks max", "ms", Less, "The most time in tasks of a frame.", |it| ms_of(it.frames, it.frame_tasks.max)),
    figure("per_frame_ms.scheduling", "scheduling", "ms", Less, "The time in updates apart from tasks, a frame on the mean; a simulated machine schedules for nothing.", |it| ms_of(it.frames, it.a_frame(it.scheduling))),
    figure("per_frame_ms.drawing", "drawing", "ms", Neither, "The time in drawing, a frame on the mean.", |it| ms_of(it.frames, it.a_frame(it.drawing))),
    figure("per_frame_ms.waiting", "waiting", "ms", Neither, "The time in waiting, a frame on the mean.", |it| ms_of(it.frames, it.a_frame(it.waiting))),
    figure("utilisation", "utilisation", "", Less, "U = entities x cost / interval, the cost as measured; from 1 on the machine cannot keep it.", Report::utilisation),
    figure("debt_dropped_ms", "debt dropped", "ms", Less, "Real time that the game has lost.", |it| ms(it.debt_dropped)),
];

/// The figure of that key.
#[must_use]
pub fn figure_by_key(key: &str) -> Option<&'static Figure> {
    FIGURES.iter().find(|figure| figure.key == key)
}

impl Figure {
    /// Which of the reports are best and worst by this figure: none where it says nothing of good and bad, or
    /// where all that have it are equal. Of those that were measured for less than a second nothing is known, where others were.
    #[must_use]
    pub fn best_and_worst(&self, reports: &[Report]) -> Option<(f64, f64)> {
        let comparable = reports.iter().filter(|it| is_comparable(it, reports));
        let values = || comparable.clone().filter_map(self.of);
        let least = values().reduce(f64::min)?;
        let most = values().reduce(f64::max)?;
        if least == most {
            return None;
        }
        match self.better {
            Less => Some((least, most)),
            More => Some((most, least)),
            Neither => None,
        }
    }
}

/// Whether it was measured for a second, or nobody was.
fn is_comparable(report: &Report, reports: &[Report]) -> bool {
    report.span >= KNOWN || reports.iter().all(|it| it.span < KNOWN)
}

/// How a report stands among others by a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rank {
    /// Like others.
    #[default]
    None,
    /// The best, and not all are.
    Best,
    /// The worst, and not all are.
    Worst,
}

impl Figure {
    /// How each of `reports` stands among them, by what is `written` of it: nobody is better by what nobody reads.
    #[must_use]
    pub fn ranks(&self, reports: &[Report], written: impl Fn(f64) -> String) -> Vec<Rank> {
        let ends = self.best_and_worst(reports);
        let ends = ends.map(|(best, worst)| (written(best), written(worst)));
        let mark = |report| match (&ends, (self.of)(report).map(&written)) {
            (Some((best, worst)), _) if best == worst => Rank::None,
            _ if !is_comparable(report, reports) => Rank::None,
            (Some((best, _)), Some(text)) if text == *best => Rank::Best,
            (Some((_, worst)), Some(text)) if text == *worst => Rank::Worst,
            _ => Rank::None,
        };
        reports.iter().map(mark).collect()
    }

    /// The reports by their places, the best by this figure first, or the least where neither way is better; those
    /// without it last, and those that are alike as they were.
    #[must_use]
    pub fn order(&self, reports: &[Report]) -> Vec<usize> {
        let sign = if self.better == More { -1.0 } else { 1.0 };
        let key = |place: &usize| (self.of)(&reports[*place]).map_or(f64::INFINITY, |it| sign * it);
        let mut order: Vec<usize> = (0..reports.len()).collect();
        order.sort_by(|one, other| key(one).total_cmp(&key(other)));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::Simulated;
    use crate::sim::settings::Settings;
    use crate::stats::MeasuredLane;

    #[test]
    fn keys_are_unique_and_every_figure_says_what_it_is() {
        for (index, figure) in FIGURES.iter().enumerate() {
            let first = FIGURES.iter().position(|other| other.key == figure.key);
            assert_eq!(first, Some(index), "{}", figure.key);
            assert!(figure.help.ends_with('.'), "{}", figure.key);
        }
        assert!(figure_by_key("hitches").is_some() && figure_by_key("nothing").is_none());
    }

    #[test]
    fn best_and_worst_need_a_difference_and_a_side() {
        let mut lanes = ["all-at-once", "fixed-interval"].map(|key| {
            let strategy =
                timeslice::strategy::by_key(key).unwrap_or(timeslice::strategy::STRATEGIES[0]);
            let settings = Settings {
                strategy,
                ..Settings::default()
            };
            MeasuredLane::new(settings, Simulated::default())
        });
        for lane in &mut lanes {
            (0..121).for_each(|_| drop(lane.frame().clone()));
        }
        let reports = lanes.map(|lane| lane.report());
        let of = |key| figure_by_key(key).and_then(|it: &Figure| it.best_and_worst(&reports));
        assert_eq!(of("tasks_per_frame.peak"), Some((14.0, 400.0)));
        let (best, worst) = of("fps_1_percent_low").expect("they differ");
        assert!(best > worst);
        assert_eq!(of("starved"), None, "both have none");
        assert_eq!(of("tasks"), None, "more is neither better nor worse");
    }

    /// What 120 frames of each strategy gave.
    fn of_all() -> Vec<Report> {
        let report = |&strategy: &&'static timeslice::strategy::StrategyEntry| {
            let settings = Settings {
                strategy,
                ..Settings::default()
            };
            let mut lane = MeasuredLane::new(settings, Simulated::default());
            (0..120).for_each(|_| drop(lane.frame().clone()));
            lane.report()
        };
        timeslice::strategy::STRATEGIES.iter().map(report).collect()
    }

    #[test]
    fn what_reads_the_same_is_as_good() {
        let mut reports = of_all();
        reports.truncate(3);
        let means = [16.64, 16.66, 20.0];
        for (report, mean) in reports.iter_mut().zip(means) {
            report.frame.mean = Nanos::from_millis_f64(mean);
        }
        let figure = figure_by_key("frame_ms.mean").unwrap();
        let ranks = |decimals: usize| figure.ranks(&reports, |it| format!("{it:.decimals$}"));
        assert_eq!(ranks(2), [Rank::Best, Rank::None, Rank::Worst]);
        assert_eq!(ranks(0), [Rank::Best, Rank::Best, Rank::Worst]);
        let alike = figure.ranks(&reports, |_| String::new());
        assert_eq!(alike, [Rank::None; 3]);
        let entities = figure_by_key("entities").unwrap();
        assert_eq!(
            entities.ranks(&reports, |it| it.to_string()),
            [Rank::None; 3]
        );
    }

    #[test]
    fn who_was_measured_for_a_moment_is_neither_best_nor_worst() {
        let mut reports = of_all();
        let figure = figure_by_key("frame_ms.mean").unwrap();
        let ranks = |reports: &[Report]| figure.ranks(reports, |it| format!("{it:.2}"));
        reports.truncate(3);
        for (report, mean) in reports.iter_mut().zip([10, 12, 14]) {
            report.frame.mean = Nanos::from_millis(mean);
        }
        assert_eq!(ranks(&reports), [Rank::Best, Rank::None, Rank::Worst]);
        reports[0].span = Nanos::from_millis(100);
        assert_eq!(ranks(&reports), [Rank::None, Rank::Best, Rank::Worst]);
    }

    #[test]
    fn reports_are_ordered_by_any_figure_the_best_first_and_those_without_it_last() {
        let reports = of_all();
        for figure in FIGURES {
            let order = figure.order(&reports);
            let values: Vec<Option<f64>> = order
                .into_iter()
                .map(|place| (figure.of)(&reports[place]))
                .collect();
            let known: Vec<f64> = values.iter().flatten().copied().collect();
            let lead = values[..known.len()].iter().all(Option::is_some);
            let sorted = known.windows(2).all(|pair| match figure.better {
                More => pair[0] >= pair[1],
                Less | Neither => pair[0] <= pair[1],
            });
            assert!(lead && sorted, "{}: {values:?}", figure.key);
        }
    }
}
