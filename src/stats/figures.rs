//! The figures of a report, each declared once: tables, JSON, sorting and the marks of best and worst follow.

use super::Report;
use crate::text::format;
use timeslice::time::Nanos;

/// Which way a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The less, the better.
    Less,
    /// The more, the better.
    More,
    /// Neither way is better.
    Neither,
}

/// One figure of a report.
#[derive(Debug)]
pub struct Figure {
    /// Its name in JSON. Figures with the same prefix before a dot form a group.
    pub key: &'static str,
    /// Its name in a table.
    pub label: &'static str,
    /// Its unit; empty for a count or ratio.
    pub unit: &'static str,
    /// Which way it is better.
    pub better: Better,
    /// True if it is a whole number.
    pub whole: bool,
    /// Help, in a sentence.
    pub help: &'static str,
    /// Its value, in its unit; none if there is no such thing, or it was not measured.
    pub value: fn(&Report) -> Option<f64>,
    /// Whether its value is a sign that something is wrong, by the same rules as sentences.
    pub is_wrong: fn(&Report) -> bool,
}

/// Figures are equal if they are the same entry of [`FIGURES`].
impl PartialEq for Figure {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Figure {}

impl Figure {
    /// The same, wrong under this condition.
    const fn wrong_if(self, is_wrong: fn(&Report) -> bool) -> Self {
        Self { is_wrong, ..self }
    }

    /// The value with its unit: `16.7 ms`; none if there is none.
    #[must_use]
    pub fn written(&self, report: &Report) -> Option<String> {
        let value = (self.value)(report)?;
        Some(match self.unit {
            "" => format::number(value),
            "%" => format::percent(value / 100.0),
            unit => format!("{} {unit}", format::number(value)),
        })
    }
}

const fn figure(
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    better: Better,
    help: &'static str,
    value: fn(&Report) -> Option<f64>,
) -> Figure {
    Figure {
        key,
        label,
        unit,
        better,
        whole: false,
        help,
        value,
        is_wrong: |_| false,
    }
}

const fn whole(
    key: &'static str,
    label: &'static str,
    better: Better,
    help: &'static str,
    value: fn(&Report) -> Option<f64>,
) -> Figure {
    Figure {
        whole: true,
        ..figure(key, label, "", better, help, value)
    }
}

#[expect(clippy::unnecessary_wraps)] // what a figure of the table gives
fn ms(time: Nanos) -> Option<f64> {
    Some(time.as_millis_f64())
}

/// A count, if anything was measured.
fn some(report: &Report, count: f64) -> Option<f64> {
    (report.frames > 0).then_some(count)
}

/// A time of `count` events, if there were any.
fn ms_of(count: u64, time: Nanos) -> Option<f64> {
    (count > 0).then(|| time.as_millis_f64())
}

use Better::{Less, More, Neither};

/// Every figure. Those of a kind follow each other.
#[rustfmt::skip] // a table
pub static FIGURES: &[Figure] = &[
    whole("entities", "entities", Neither, "Entities that live now.", |it| Some(it.entities as f64)),
    figure("span_s", "measured", "s", Neither, "The machine's time that was measured.", |it| Some(it.span.as_secs_f64())),
    whole("frames", "frames", Neither, "Frames measured.", |it| Some(it.frames as f64)),
    whole("updates", "updates", Neither, "Updates in them.", |it| Some(it.updates as f64)),
    whole("tasks", "tasks", Neither, "Runs in them.", |it| Some(it.runs as f64)),

    figure("frame_ms.mean", "frame mean", "ms", Less, "The mean length of a frame.", |it| ms_of(it.frames, it.frame.mean)),
    figure("frame_ms.p50", "frame p50", "ms", Less, "The length that half of the frames do not exceed.", |it| ms_of(it.frames, it.frame.p50)).wrong_if(|it| it.is_hitch_at(0.5)),
    figure("frame_ms.p95", "frame p95", "ms", Less, "The length that 95 of 100 frames do not exceed.", |it| ms_of(it.frames, it.frame.p95)).wrong_if(|it| it.is_hitch_at(0.95)),
    figure("frame_ms.p99", "frame p99", "ms", Less, "The length that 99 of 100 frames do not exceed.", |it| ms_of(it.frames, it.frame.p99)).wrong_if(|it| it.is_hitch_at(0.99)),
    figure("frame_ms.max", "frame max", "ms", Less, "The longest frame.", |it| ms_of(it.frames, it.frame.max)).wrong_if(|it| it.is_hitch_at(1.0)),
    figure("frame_ms.predicted", "frame predicted", "ms", Neither, "The mean frame that b / (1 - U) predicts, b being a frame without tasks.", |it| it.predicted_frame().and_then(ms)),
    figure("fps", "fps", "/s", More, "Pictures a second of the machine's time.", |it| (it.frames > 0).then(|| it.fps())),
    figure("fps_1_percent_low", "1 % low", "/s", More, "The frames a second of the slowest hundredth of the frames.", |it| (it.frames > 0).then_some(it.low_fps)),
    whole("hitches", "hitches, count", Less, "Frames longer than one and a half times the length that they were to have.", |it| some(it, it.hitches as f64)),
    figure("hitch_percent", "hitches", "%", Less, "The share of frames longer than one and a half times the length that they were to have.", |it| (it.frames > 0).then(|| 100.0 * it.hitches as f64 / it.frames as f64)),
    figure("target_ms", "target", "ms", Neither, "The length that a frame is to have: the display's period, or the loop's own.", |it| ms(it.pacing.target)),

    figure("tasks_per_frame.mean", "tasks/frame", "", Neither, "Runs a frame, on average.", |it| some(it, it.mean_runs())),
    whole("tasks_per_frame.peak", "peak", Less, "The most runs in a frame.", |it| some(it, it.peak_runs.into())),
    figure("tasks_per_frame.peak_over_mean", "peak/mean", "x", Less, "The most runs in a frame over the mean: 1 is perfectly even.", Report::peak_over_mean),

    whole("interval_ms.count", "intervals", Neither, "Intervals between two runs of one task.", |it| Some(it.interval.count as f64)),
    figure("interval_ms.mean", "interval", "ms", Neither, "The mean interval.", |it| ms_of(it.interval.count, it.interval.mean)),
    figure("interval_ms.deviation", "jitter", "ms", Less, "The standard deviation of the intervals.", |it| ms_of(it.interval.count, it.interval.deviation)),
    figure("interval_ms.max", "interval max", "ms", Less, "The longest interval.", |it| ms_of(it.interval.count, it.interval.max)),
    figure("interval_ms.wanted", "wanted", "ms", Neither, "The interval that the strategy is to keep, if it keeps one.", |it| it.wanted.and_then(ms)),
    figure("interval_ms.off_p99", "off p99", "ms", Less, "How far 99 of 100 intervals are from the wanted one at the most.", |it| it.interval.off_p99.and_then(ms)),
    figure("interval_ms.off_worst", "off worst", "ms", Less, "How far the worst interval is from the wanted one.", |it| it.wanted.and_then(|_| ms_of(it.interval.count, it.interval.off_worst))),

    figure("staleness_ms.now", "stale now", "ms", Less, "How long ago the stalest entity's last run is, or its birth.", |it| ms_of(it.frames.min(it.entities as u64), it.staleness)),
    figure("staleness_ms.worst", "stale worst", "ms", Less, "The longest that any entity had not run.", |it| ms_of(it.frames.min(it.entities as u64), it.worst_staleness)).wrong_if(Report::is_too_stale),
    figure("looking_wrong_percent.mean", "looking wrong", "%", Less, "The share of the crowd that looks more than 10 degrees off the target, on average over time.", |it| it.looking_wrong.map(|(mean, _)| 100.0 * mean)),
    figure("looking_wrong_percent.worst", "wrong worst", "%", Less, "The largest share of the crowd that looked more than 10 degrees off the target.", |it| it.looking_wrong.map(|(_, worst)| 100.0 * worst)),
    whole("late", "late", Less, "Runs that came later than the strategy promises: missed deadlines.", |it| it.late.and_then(|late| some(it, late as f64))),
    whole("starved", "starved", Less, "Entities that waited more than three times what the strategy promises.", |it| it.starved.and_then(|starved| some(it, starved as f64))),
    figure("request_wait_ms.mean", "request wait", "ms", Less, "The mean time from a request to its run.", |it| it.request_wait.and_then(|it| ms_of(it.count, it.mean))),
    figure("request_wait_ms.p99", "request wait p99", "ms", Less, "The time within which 99 of 100 requests are served.", |it| it.request_wait.and_then(|it| ms_of(it.count, it.p99))),
    figure("request_wait_ms.max", "request wait max", "ms", Less, "The longest time from a request to its run.", |it| it.request_wait.and_then(|it| ms_of(it.count, it.max))),
    whole("backlog.now", "backlog", Less, "Tasks that waited after the last frame.", |it| some(it, it.backlog.1 as f64)),
    whole("backlog.peak", "backlog peak", Less, "The most tasks that waited after a frame.", |it| some(it, it.backlog_peak as f64)),

    figure("budget_ms", "budget", "ms", Neither, "The time that an update may spend on tasks.", |it| it.budget.and_then(ms)),
    whole("overrun_ms.count", "overruns", Less, "Updates that spent more than their budget.", |it| it.budget.map(|_| it.overrun.count as f64)),
    figure("overrun_ms.p99", "overrun p99", "ms", Less, "By how much 99 of 100 of these passed it at the most.", |it| ms_of(it.overrun.count, it.overrun.p99)),
    figure("overrun_ms.worst", "overrun worst", "ms", Less, "By how much the worst of these passed it.", |it| ms_of(it.overrun.count, it.overrun.max)).wrong_if(Report::misses_budget),

    figure("per_frame_ms.tasks", "tasks", "ms", Neither, "The time in tasks, per frame on average.", |it| ms_of(it.frames, it.a_frame(it.task_time))),
    figure("per_frame_ms.tasks_p99", "tasks p99", "ms", Less, "The time in tasks that 99 of 100 frames do not exceed.", |it| ms_of(it.frames, it.frame_tasks.p99)),
    figure("per_frame_ms.tasks_max", "tasks max", "ms", Less, "The most time in tasks of a frame.", |it| ms_of(it.frames, it.frame_tasks.max)),
    figure("per_frame_ms.scheduling", "scheduling", "ms", Less, "The time in updates apart from tasks, per frame on average; a simulated machine schedules for nothing.", |it| ms_of(it.frames, it.a_frame(it.scheduling))),
    figure("per_frame_ms.drawing", "drawing", "ms", Neither, "The time in drawing, per frame on average.", |it| ms_of(it.frames, it.a_frame(it.drawing))),
    figure("per_frame_ms.waiting", "waiting", "ms", Neither, "The time in waiting, per frame on average.", |it| ms_of(it.frames, it.a_frame(it.waiting))),
    figure("utilisation", "utilisation", "", Less, "U = entities x cost / interval, the cost as measured; from 1 on the machine cannot keep it.", Report::utilisation),
    figure("debt_dropped_ms", "debt dropped", "ms", Less, "Real time that the game has lost.", |it| ms(it.debt_dropped)).wrong_if(|it| !it.debt_dropped.is_zero()),
];

/// The figure of that key.
#[must_use]
pub fn figure_by_key(key: &str) -> Option<&'static Figure> {
    FIGURES.iter().find(|figure| figure.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rules::phrasing::times_in_words;
    use crate::stats::rules::test_report::{MS, report, times};
    use crate::stats::thresholds::{STARVED_AFTER, hitch_from};
    use timeslice::strategy::STRATEGIES;

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
    fn help_says_the_thresholds() {
        let help = |key| figure_by_key(key).map_or("", |figure| figure.help);
        let times = times_in_words(STARVED_AFTER);
        assert!(help("starved").contains(&times));
        assert_eq!(hitch_from(MS(20)), MS(30));
        assert!(help("hitches").contains("one and a half times"));
    }

    #[test]
    fn figures_are_finite_or_absent() {
        for entry in STRATEGIES {
            let of = report(entry.key, &[], 1);
            for figure in FIGURES {
                let value = (figure.value)(&of);
                assert!(value.is_none_or(f64::is_finite), "{}", figure.key);
            }
        }
    }

    #[test]
    fn figures_are_written_with_their_unit() {
        let mut of = report("fixed-interval", &[], 1);
        of.looking_wrong = Some((0.031, 1.0));
        let written = |key| figure_by_key(key).and_then(|figure| figure.written(&of));
        assert_eq!(written("frame_ms.max").as_deref(), Some("16.7 ms"));
        assert_eq!(
            written("looking_wrong_percent.mean").as_deref(),
            Some("3.1 %")
        );
        assert_eq!(written("entities").as_deref(), Some("400"));
        assert_eq!(written("budget_ms"), None);
    }

    #[test]
    fn a_frame_length_is_wrong_if_it_is_a_hitch() {
        let mut of = report("fixed-interval", &[], 1);
        let wrong = |of: &Report| {
            ["p50", "p95", "p99", "max"]
                .map(|name| (figure_by_key(&format!("frame_ms.{name}")).unwrap().is_wrong)(of))
        };
        assert_eq!(wrong(&of), [false; 4]);
        (of.frames, of.hitches, of.frame) = (200, 2, times(&[16, 100]));
        assert_eq!(wrong(&of), [false, false, false, true]);
        of.hitches = 3;
        assert_eq!(wrong(&of), [false, false, true, true]);
        of.debt_dropped = MS(1);
        assert!((figure_by_key("debt_dropped_ms").unwrap().is_wrong)(&of));
    }
}
