//! Declares all metrics of a report. Tables, JSON output and rankings use these declarations.

use super::{Objective, Report};
use crate::catalog::frame_loop::knobs::DEBT_CAP;
use crate::catalog::strategy::Family;
use crate::sim::world::Ring;
use crate::text::format;
use std::borrow::Cow;
use timeslicer::time::Nanos;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    Less,
    More,
    Neither,
}

/// A metric of a report, such as the mean frame length or the number of hitches.
#[derive(Debug)]
pub struct Metric {
    /// The name of the metric in JSON. If it contains a dot, the part before the dot is the name of the metric's group.
    pub key: &'static str,
    pub label: &'static str,
    /// The unit of the values, or an empty string for counts and ratios.
    pub unit: &'static str,
    pub better: Better,
    pub whole: bool,
    pub help: &'static str,
    /// Returns the value in `unit`. Returns `None` if the metric does not apply or was not measured.
    pub value: fn(&Report) -> Option<f64>,
    pub is_wrong: fn(&Report) -> bool,
    /// Returns true if the metric makes sense for the strategy and the frame loop. For example, uneven intervals mean
    /// nothing if a strategy runs significant tasks more often, because they then differ by design.
    pub applies_to: fn(&Report) -> bool,
    /// Formats the metric, if its value and unit are not enough. Some metrics are shown together, for example the mean
    /// interval and its jitter.
    format: Option<fn(&Report) -> Option<String>>,
}

/// Two metrics are equal if they are the same entry of [`METRICS`].
impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Metric {}

impl Metric {
    const fn whole(self) -> Self {
        Self {
            whole: true,
            ..self
        }
    }

    const fn wrong_if(self, is_wrong: fn(&Report) -> bool) -> Self {
        Self { is_wrong, ..self }
    }

    const fn only_if(self, applies_to: fn(&Report) -> bool) -> Self {
        Self { applies_to, ..self }
    }

    const fn written_as(self, format: fn(&Report) -> Option<String>) -> Self {
        Self {
            format: Some(format),
            ..self
        }
    }

    pub fn is_game_time(&self) -> bool {
        let groups = ["interval_ms.", "staleness_ms.", "request_wait_ms."];
        !self.whole && groups.iter().any(|group| self.key.starts_with(group))
    }

    /// Returns the name of the metric. Metrics in game time are labelled as such if the game does not run in real time.
    pub fn label_in(&self, report: &Report) -> Cow<'static, str> {
        if self.is_game_time() && !report.keeps_real_time() {
            format!("{}, game time", self.label).into()
        } else {
            self.label.into()
        }
    }

    /// Formats the metric for a narrow table. Returns `None` if there is no value.
    pub fn written(&self, report: &Report) -> Option<String> {
        let format = self.format;
        format.map_or_else(|| self.value_and_unit(report), |format| format(report))
    }

    /// Formats the value with its unit, such as `16.7 ms`. Times of a second or more are in seconds. Returns `None` if
    /// there is no value.
    pub fn value_and_unit(&self, report: &Report) -> Option<String> {
        let value = (self.value)(report)?;
        Some(match self.unit {
            "" => format::number(value),
            "%" => format::percent(value / 100.0),
            "ms" if value >= 999.5 => format!("{} s", format::number(value / 1000.0)),
            unit => format!("{} {unit}", format::number(value)),
        })
    }
}

const fn metric(
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    better: Better,
    help: &'static str,
    value: fn(&Report) -> Option<f64>,
) -> Metric {
    Metric {
        key,
        label,
        unit,
        better,
        whole: false,
        help,
        value,
        is_wrong: |_| false,
        applies_to: |_| true,
        format: None,
    }
}

/// Returns `count`, or `None` if no frame was measured.
fn some(report: &Report, count: f64) -> Option<f64> {
    (report.frames > 0).then_some(count)
}

/// Converts `time` to milliseconds. Returns `None` if `count` is zero, because then nothing was measured.
fn ms_of(count: u64, time: Nanos) -> Option<f64> {
    (count > 0).then(|| time.as_millis_f64())
}

use Better::{Less, More, Neither};

/// Formats times in a common unit, with few digits because the table is narrow. Returns the texts and the unit.
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

fn interval_and_jitter(report: &Report) -> Option<String> {
    let interval = report.interval;
    let (texts, unit) = compact(&[Some(interval.mean), Some(interval.deviation)]);
    let is_known = report.knows_interval();
    is_known.then(|| format!("{} {unit}", texts.join(" ± ")))
}

fn is_by_significance(report: &Report) -> bool {
    report.subject.strategy.family == Family::BySignificance
}

/// Formats the mean staleness near the target, at a middle distance and far away.
fn by_distance(report: &Report) -> Option<String> {
    report.staleness.mean()?;
    let (texts, unit) = compact(&Ring::ALL.map(|ring| report.staleness.mean_in(ring)));
    Some(format!("{} {unit}", texts.join("/")))
}

fn weighted_and_optimum(report: &Report) -> Option<String> {
    if !report.keeps_real_time() {
        return STALENESS_MS_WEIGHTED_MEAN.value_and_unit(report);
    }
    let (weighted, least) = (report.staleness.weighted_mean(), optimum(report));
    let (texts, unit) = compact(&[weighted, least]);
    weighted?;
    Some(match least {
        Some(_) => format!("{} {unit}, optimum {}", texts[0], texts[1]),
        None => format!("{} {unit}", texts[0]),
    })
}

/// Formats the percentages of frames without an update, with one, and with several, such as `27/45/27 %`.
fn by_updates(report: &Report) -> Option<String> {
    let percent = |count| format::fixed(100.0 * count as f64 / report.frames as f64, 0);
    (report.frames > 0).then(|| format!("{} %", report.by_updates.map(percent).join("/")))
}

/// Formats how often updates exceeded the budget, and by how much on average and at most, such as `3 %, 1.2/5.1 ms`.
fn overruns(report: &Report) -> Option<String> {
    let often = OVERRUN_PERCENT.value_and_unit(report)?;
    let (times, unit) = compact(&[Some(report.overrun.mean), Some(report.overrun.max)]);
    let size = (report.overrun.count > 0).then(|| format!(", {} {unit}", times.join("/")));
    Some(often + &size.unwrap_or_default())
}

fn scheduling(report: &Report) -> Option<String> {
    let scheduling = report.per_frame(report.scheduling);
    (report.frames > 0).then(|| format::scheduling(scheduling, report.mean_runs()))
}

/// Returns the lowest weighted staleness that any strategy could reach in the long run with the same time for tasks.
/// Returns `None` if the target moves, or if some tasks had not run yet when the report began.
fn optimum(report: &Report) -> Option<Nanos> {
    let is_settled = report.settled.as_ref()?.game_span >= report.game_span;
    let bounds = report.bounds.filter(|_| is_settled)?;
    let least = bounds.least(Objective::WeightedMean, report.load()?)?;
    Some(Nanos::from_secs_f64(least))
}

macro_rules! metrics {
    ($($name:ident = $metric:expr;)*) => {
        $(pub static $name: Metric = $metric;)*
        pub static METRICS: &[&Metric] = &[$(&$name),*];
    };
}

metrics! {
    ENTITIES = metric("entities", "entities", "", Neither, "Number of living entities.", |it| Some(it.subject.entities as f64)).whole();
    SPAN_S = metric("span_s", "measured", "s", Neither, "Duration of the measurement, by the machine's clock.", |it| Some(it.span.as_secs_f64()));
    FRAMES = metric("frames", "frames", "", Neither, "Number of measured frames.", |it| Some(it.frames as f64)).whole();
    UPDATES = metric("updates", "updates", "", Neither, "Number of updates in the measured frames.", |it| Some(it.updates as f64)).whole();
    TASKS = metric("tasks", "runs", "", Neither, "Number of task runs in the measured frames.", |it| Some(it.runs as f64)).whole();

    FRAME_MS_MEAN = metric("frame_ms.mean", "frame mean", "ms", Less, "Mean frame time, including waiting.", |it| ms_of(it.frames, it.frame.mean));
    FRAME_MS_P50 = metric("frame_ms.p50", "frame p50", "ms", Less, "Half of the frames take at most this long.", |it| ms_of(it.frames, it.frame.p50)).wrong_if(|it| it.is_too_long(it.frame.p50));
    FRAME_MS_P95 = metric("frame_ms.p95", "frame p95", "ms", Less, "95 of 100 frames take at most this long.", |it| ms_of(it.frames, it.frame.p95)).wrong_if(|it| it.is_too_long(it.frame.p95));
    FRAME_MS_P99 = metric("frame_ms.p99", "frame p99", "ms", Less, "99 of 100 frames take at most this long.", |it| ms_of(it.frames, it.frame.p99)).wrong_if(|it| it.is_too_long(it.frame.p99));
    FRAME_MS_MAX = metric("frame_ms.max", "frame max", "ms", Less, "Longest frame.", |it| ms_of(it.frames, it.frame.max)).wrong_if(|it| it.is_too_long(it.frame.max));
    FRAMES_BY_UPDATES_NONE = metric("frames_by_updates.none", "0/1/more updates", "", Neither, "Number of frames without an update, which show the last update again or draw ahead of it.", |it| some(it, it.by_updates[0] as f64)).whole().only_if(|it| it.subject.pacing.step.is_some()).written_as(by_updates);
    FRAMES_BY_UPDATES_ONE = metric("frames_by_updates.one", "one update", "", Neither, "Number of frames with exactly one update.", |it| some(it, it.by_updates[1] as f64)).whole();
    FRAMES_BY_UPDATES_MORE = metric("frames_by_updates.more", "more updates", "", Neither, "Number of frames with two or more updates.", |it| some(it, it.by_updates[2] as f64)).whole();
    FPS = metric("fps", "fps", "/s", More, "Frames per second, by the machine's clock.", |it| (it.frames > 0).then(|| it.fps()));
    FPS_1_PERCENT_LOW = metric("fps_1_percent_low", "1 % low", "/s", More, "Frame rate of the slowest 1 % of frames.", |it| (it.frames > 0).then_some(it.low_fps));
    HITCHES = metric("hitches", "hitches, count", "", Less, "Number of frames longer than 1.5 times their target (the flag --hitch changes this factor).", |it| some(it, it.hitches as f64)).whole();
    HITCH_PERCENT = metric("hitch_percent", "hitches", "%", Less, "Percentage of frames longer than 1.5 times their target (the flag --hitch changes this factor).", |it| (it.frames > 0).then(|| 100.0 * it.hitches as f64 / it.frames as f64)).wrong_if(|it| it.hitches_by_tasks > 0);

    TASKS_PER_FRAME_MEAN = metric("tasks_per_frame.mean", "tasks/frame", "", Neither, "Average number of task runs per frame.", |it| some(it, it.mean_runs()));
    TASKS_PER_FRAME_PEAK = metric("tasks_per_frame.peak", "peak", "", Less, "Largest number of task runs in a frame.", |it| some(it, it.peak_runs.into())).whole().only_if(|it| !is_by_significance(it));
    TASKS_PER_FRAME_PEAK_OVER_MEAN = metric("tasks_per_frame.peak_over_mean", "peak/mean", "x", Less, "Largest number of runs in a frame, divided by the mean; 1 is perfectly even.", Report::peak_over_mean).wrong_if(|it| it.burst_ratio().is_some() && it.breaks_budget());

    INTERVAL_MS_MEAN = metric("interval_ms.mean", "interval", "ms", Neither, "Mean interval between two runs of one task.", |it| ms_of(it.interval.count, it.interval.mean)).only_if(|it| !is_by_significance(it)).written_as(interval_and_jitter);
    INTERVAL_MS_DEVIATION = metric("interval_ms.deviation", "jitter", "ms", Less, "Standard deviation of the intervals.", |it| ms_of(it.interval.count, it.interval.deviation));
    INTERVAL_MS_MAX = metric("interval_ms.max", "interval max", "ms", Less, "Longest interval between two runs of one task.", |it| ms_of(it.interval.count, it.interval.max));

    STALENESS_MS_MEAN = metric("staleness_ms.mean", "mean staleness", "ms", Less, "Mean staleness of all entities over time. Staleness is the time since an entity last ran or was born.", |it| it.staleness.mean().map(Nanos::as_millis_f64));
    STALENESS_MS_NEAR = metric("staleness_ms.near", "stale near", "ms", Less, "Mean staleness of the entities near the target (up to the distance that the knob \"Full rate within\" sets).", |it| it.staleness.mean_in(Ring::Near).map(Nanos::as_millis_f64)).only_if(is_by_significance).written_as(by_distance);
    STALENESS_MS_WEIGHTED_MEAN = metric("staleness_ms.weighted_mean", "weighted", "ms", Less, "Mean staleness, weighted by each entity's significance.", |it| it.staleness.weighted_mean().map(Nanos::as_millis_f64)).only_if(is_by_significance).written_as(weighted_and_optimum);
    STALENESS_MS_WEIGHTED_MEAN_BOUND = metric("staleness_ms.weighted_mean_bound", "weighted optimum", "ms", Neither, "Theoretical minimum of the mean weighted staleness: no strategy with the same task time can do better. It is known only while the target is at rest.", |it| it.least_mean_in_range().map(Nanos::as_millis_f64));
    STALENESS_MS_WEIGHTED_WORST = metric("staleness_ms.weighted_worst", "weighted worst", "ms", Less, "Largest weighted staleness of any entity. Weighted staleness is an entity's weight times its staleness.", |it| ms_of(it.frames.min(it.subject.entities as u64), it.worst_weighted));
    STALENESS_MS_WORST = metric("staleness_ms.worst", "stale worst", "ms", Less, "Largest staleness of any entity.", |it| ms_of(it.frames.min(it.subject.entities as u64), it.worst_staleness)).wrong_if(Report::is_too_stale);
    STALENESS_WORST_OVER_MEAN = metric("staleness_worst_over_mean", "longest/mean", "x", Less, "Largest staleness of any entity, divided by the mean staleness; 2 if all entities take turns, and more if some wait longer than others.", |it| it.staleness.mean().filter(|mean| !mean.is_zero()).map(|mean| it.worst_staleness.over(mean)).filter(|ratio| *ratio >= 1.0));
    TIMES_MINIMUM = metric("times_minimum", "× minimum", "", Less, "Mean weighted staleness, divided by its theoretical minimum. It is measured after the first round, and only while the target is at rest.", |it| it.over_minimum(Objective::WeightedMean));
    LOOKING_WRONG_PERCENT_MEAN = metric("looking_wrong_percent.mean", "looking wrong", "%", Less, "Percentage of entities that look more than 10 degrees away from the target, averaged over time.", |it| it.looking_wrong().map(|share| 100.0 * share));
    REQUEST_WAIT_MS_MEAN = metric("request_wait_ms.mean", "request wait", "ms", Less, "Mean time from a request until the task runs or its entity dies.", |it| ms_of(it.request_wait.count, it.request_wait.mean));
    REQUEST_WAIT_MS_P99 = metric("request_wait_ms.p99", "request wait p99", "ms", Less, "99 of 100 requests wait at most this long.", |it| ms_of(it.request_wait.count, it.request_wait.p99));
    REQUEST_WAIT_MS_MAX = metric("request_wait_ms.max", "request wait max", "ms", Less, "Longest time from a request until the task runs or its entity dies.", |it| ms_of(it.request_wait.count, it.request_wait.max));
    BACKLOG_NOW = metric("backlog.now", "backlog", "", Less, "Number of tasks waiting after the last frame.", |it| some(it, it.backlog.1 as f64)).whole().only_if(|it| it.backlog_peak > 0 || it.subject.strategy.on_request());
    BACKLOG_PEAK = metric("backlog.peak", "backlog peak", "", Less, "Largest number of tasks waiting after a frame.", |it| some(it, it.backlog_peak as f64)).whole();

    BUDGET_MS = metric("budget_ms", "budget", "ms", Neither, "Time that an update may spend on tasks.", |it| it.subject.budget.map(Nanos::as_millis_f64));
    OVERRUN_MS_COUNT = metric("overrun_ms.count", "overruns", "", Less, "Number of updates that exceeded the budget.", |it| it.subject.budget.map(|_| it.overrun.count as f64)).whole();
    OVERRUN_PERCENT = metric("overrun_percent", "over budget", "%", Less, "Percentage of updates that exceeded the budget. The table of the window also shows by how much: on average and at most.", |it| it.subject.budget.and(it.overrun_share()).map(|share| 100.0 * share)).wrong_if(Report::breaks_budget).only_if(|it| it.subject.budget.is_some()).written_as(overruns);
    OVERRUN_MS_MEAN = metric("overrun_ms.mean", "overrun mean", "ms", Less, "Mean overrun of the updates that exceeded the budget.", |it| it.subject.budget.and_then(|_| ms_of(it.overrun.count, it.overrun.mean)));
    OVERRUN_MS_WORST = metric("overrun_ms.worst", "overrun worst", "ms", Less, "Largest overrun of the budget.", |it| it.subject.budget.and_then(|_| ms_of(it.overrun.count, it.overrun.max)));

    PER_FRAME_MS_TASKS = metric("per_frame_ms.tasks", "tasks mean", "ms", Neither, "Average time that a frame spends on tasks.", |it| ms_of(it.frames, it.per_frame(it.task_time)));
    PER_FRAME_MS_TASKS_MAX = metric("per_frame_ms.tasks_max", "tasks max", "ms", Less, "Longest time that a frame spent on tasks.", |it| ms_of(it.frames, it.frame_tasks.max)).wrong_if(Report::breaks_budget);
    PER_FRAME_MS_SCHEDULING = metric("per_frame_ms.scheduling", "scheduling", "ms", Less, "Average time per frame that the strategy spends on births, deaths and requests, on choosing tasks, and on recording their runs. The lab's own work and reading the clock do not count. The time is zero on a simulated machine.", |it| ms_of(it.frames, it.per_frame(it.scheduling))).written_as(scheduling);
    PER_FRAME_MS_DRAWING = metric("per_frame_ms.drawing", "drawing", "ms", Neither, "Average time per frame for drawing and for the lab's own work: updating the world, recording and measuring.", |it| ms_of(it.frames, it.per_frame(it.drawing)));
    PER_FRAME_MS_WAITING = metric("per_frame_ms.waiting", "waiting", "ms", Neither, "Average time that a frame spends waiting.", |it| ms_of(it.frames, it.per_frame(it.waiting)));
    UTILISATION = metric("utilisation", "utilisation", "", Less, "Fraction of time that the tasks need: U = entities x measured cost / interval x game speed. At 1 or more, the machine cannot keep up.", Report::utilisation);
    DEBT_DROPPED_MS = metric("debt_dropped_ms", "debt dropped", "ms", Less, "Real time that the frame loop dropped without simulating it.", |it| Some(it.debt_dropped.as_millis_f64())).wrong_if(|it| !it.debt_dropped.is_zero()).only_if(|it| it.subject.frame_loop.knobs.contains(&DEBT_CAP));
}

pub fn metric_by_key(key: &str) -> Option<&'static Metric> {
    METRICS.iter().copied().find(|metric| metric.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{MS, report, times};

    #[test]
    fn keys_and_labels_are_unique_and_every_figure_has_help() {
        for (index, metric) in METRICS.iter().enumerate() {
            let first = METRICS.iter().position(|other| other.key == metric.key);
            assert_eq!(first, Some(index), "{}", metric.key);
            let first = METRICS.iter().position(|other| other.label == metric.label);
            assert_eq!(first, Some(index), "{}", metric.label);
            assert!(metric.help.ends_with('.'), "{}", metric.key);
        }
        assert!(metric_by_key("hitches").is_some() && metric_by_key("nothing").is_none());
    }

    #[test]
    fn values_are_written_with_their_unit() {
        let mut of = report("fixed-interval", &[], 1);
        (of.wrong_s, of.gazed) = (0.031, Nanos::SECOND);
        let written = |metric: &Metric| metric.written(&of);
        assert_eq!(written(&FRAME_MS_MAX).as_deref(), Some("16.7 ms"));
        let wrong = written(&LOOKING_WRONG_PERCENT_MEAN);
        assert_eq!(wrong.as_deref(), Some("3.1 %"));
        assert_eq!(written(&ENTITIES).as_deref(), Some("400"));
        assert_eq!(written(&BUDGET_MS), None);
    }

    #[test]
    fn game_times_are_marked_in_a_slow_game() {
        let usual = report("fixed-interval", &[], 1);
        let mut slow = usual.clone();
        slow.game_span = Nanos::from_nanos(usual.game_span.as_nanos() / 2);
        for metric in METRICS {
            assert_eq!(metric.label_in(&usual), metric.label);
            let is_marked = metric.label_in(&slow).ends_with(", game time");
            assert_eq!(is_marked, metric.is_game_time(), "{}", metric.key);
        }
    }

    #[test]
    fn frame_lengths_are_wrong_from_a_task_hitch_on() {
        let mut of = report("fixed-interval", &[], 1);
        let wrong = |of: &Report| {
            [&FRAME_MS_P50, &FRAME_MS_P95, &FRAME_MS_P99, &FRAME_MS_MAX]
                .map(|metric| (metric.is_wrong)(of))
        };
        assert_eq!(wrong(&of), [false; 4]);
        of.frame = times(&[16, 100]);
        assert_eq!(wrong(&of), [false; 4], "tasks are not the cause");
        of.hitches_by_tasks = 1;
        assert_eq!(wrong(&of), [false, true, true, true]);
        of.debt_dropped = MS(1);
        assert!((DEBT_DROPPED_MS.is_wrong)(&of));
    }
}
