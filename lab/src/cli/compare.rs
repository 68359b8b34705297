//! The `compare` command, which runs strategies on the same work and prints a table or JSON.

use super::answer_json::{add_words, of_setting, run_flags};
use super::console::{clear_progress, print_captures, show_progress, wrapped};
use super::sweep::{METRICS, OBJECTIVES, run_sweep};
use crate::catalog::strategy::{STRATEGIES, StrategyEntry};
use crate::cli::threads::on_all_cores;
use crate::cli::{LengthOptions, LimitOptions, values};
use crate::comparison::strategies::{compared_lane, compared_report};
use crate::files::output::{Failure, write_whole};
use crate::measure::{Metric, Report, best_two, metrics, verdict};
use crate::recommend::{Question, Recommendation};
use crate::sim::lane::Length;
use crate::sim::settings::Settings;
use crate::text::format::{counted, fixed, time};
use clap::Args;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use timeslicer::time::Nanos;

#[derive(Clone, Debug, Args)]
pub struct CompareOptions {
    /// Compare only this strategy. This flag can be repeated [default: all].
    #[arg(id = "strategy", long, value_name = "KEY", help_heading = "Lane")]
    #[arg(value_parser = values::strategy())]
    pub strategies: Vec<&'static StrategyEntry>,
    #[command(flatten)]
    pub length: LengthOptions,
    /// Print all metrics and verdicts as JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// Runs each strategy on its own simulated machine with the same seed and workload, and prints the results to standard
/// output.
pub fn compare(settings: &Settings, options: &CompareOptions) -> Result<(), Failure> {
    print_captures(settings);
    let length = options.length.length();
    let reports = measure(settings, &options.strategies, length);
    let sweep = run_sweep(options.question(settings), &AtomicBool::new(false));
    let recommendation = sweep.recommendation();
    let compared = Compared {
        settings,
        reports: &reports,
        recommendation: recommendation.as_ref(),
    };
    let text = compared.text(options.json);
    write_whole(Path::new("-"), text.as_bytes())
}

impl CompareOptions {
    /// Creates the [`Question`] whose answer `compare` prints. It is the same as that of `sweep` with the same flags.
    pub fn question(&self, settings: &Settings) -> Question {
        let strategies = STRATEGIES.iter().copied();
        Question {
            strategies: strategies
                .filter(|it| self.strategies.contains(it))
                .collect(),
            ..Question::new(settings.clone(), self.limits.limits(settings))
        }
    }
}

fn measure(
    settings: &Settings,
    strategies: &[&'static StrategyEntry],
    length: Length,
) -> Vec<Report> {
    let show = |done| show_progress(done, strategies.len(), "strategies");
    let run = |strategy: &&'static StrategyEntry| {
        let mut lane = compared_lane(settings, strategy);
        while lane.is_within(length) {
            lane.frame();
        }
        compared_report(lane.final_report(), &lane)
    };
    let reports = on_all_cores(strategies, run, show);
    clear_progress();
    reports
}

/// The results of a comparison, which can be formatted as a table or as JSON. The window also uses this to save the
/// results of its Compare view.
pub struct Compared<'a> {
    pub settings: &'a Settings,
    pub reports: &'a [Report],
    /// The recommendation for this workload, or `None` if it is not known.
    pub recommendation: Option<&'a Recommendation>,
}

impl Compared<'_> {
    pub fn text(&self, as_json: bool) -> String {
        if as_json {
            format!("{:#}\n", self.to_json())
        } else {
            self.table()
        }
    }

    fn to_json(&self) -> Value {
        let lanes: Vec<Value> = self.reports.iter().map(Report::to_json).collect();
        json!({
            "loop": self.settings.frame_loop.key,
            "seed": self.settings.seed,
            "lanes": lanes,
            "advice": self.recommendation.map(|it| self.advice(it)),
        })
    }

    fn advice(&self, all: &Recommendation) -> Value {
        let best = all.best();
        // Leave out the recommended setting if it is the same as the current one.
        let new_setting = best.filter(|best| {
            let chosen = all.settings(best).knobs;
            let mut knobs = best.strategy.own_knobs();
            knobs.any(|knob| chosen.get(knob) != self.settings.knobs.get(knob))
        });
        let new_setting = new_setting.map(|best| best.setting.clone());
        let setting = new_setting.unwrap_or_default();
        let outcome = best.map(|best| &best.outcome);
        let limit = all.limits.tasks.unwrap_or(Nanos::MAX);
        let within = self.reports.iter().filter(|it| it.frame_tasks.max <= limit);
        let within = within.map(|report| report.subject.strategy.key);
        let mut json = of_setting(best.map(|best| best.strategy), &setting);
        for (name, metric) in METRICS.iter().filter(|(name, _)| OBJECTIVES.contains(name)) {
            json[name] = outcome.and_then(*metric).into();
        }
        json["times_minimum"] = outcome
            .and_then(|it| all.objective.times_minimum(it))
            .into();
        json["flags"] = best.map(|best| run_flags(all, best)).into();
        json["within_budget"] = within.collect();
        add_words(&mut json, all);
        json["warnings"] = self.warnings(all).into();
        json
    }

    fn table(&self) -> String {
        let reports = self.reports;
        let names = || reports.iter().map(|report| report.subject.strategy.key);
        let name_width = names().chain(["strategy"]).map(str::len).max().unwrap_or(0);
        let mut lines = vec![format!("{:<name_width$}", "strategy")];
        lines.extend(names().map(|name| format!("{name:<name_width$}")));
        let on_request = self.recommendation.is_some_and(|it| it.limits.on_request);
        let others = if on_request {
            &COLUMNS_OF_REQUESTS[..]
        } else {
            &COLUMNS_OF_STALENESS
        };
        for &(heading, metric, decimals) in COLUMNS.iter().chain(others) {
            let cells = reports.iter().map(|report| cell(report, metric, decimals));
            let cells: Vec<String> = [heading.to_owned()].into_iter().chain(cells).collect();
            let width = cells.iter().map(|cell| cell.chars().count()).max();
            let width = width.unwrap_or_default();
            for (line, cell) in lines.iter_mut().zip(cells) {
                let padded = format!(" {cell:>width$} ");
                *line += &padded;
            }
        }
        let lines = lines.iter().map(|line| line.trim_end().to_owned() + "\n");
        let mut text: String = lines.collect();
        if !reports.iter().all(Report::keeps_real_time) {
            text += "interval ms and stale ms are in game time, which differs from real time if the game is too slow or \
                too fast\n";
        }
        text.push('\n');
        for report in reports {
            let words = self.words(report);
            text += &wrapped(report.subject.strategy.key, &words, name_width + 2);
        }
        text += &self.recoveries();
        if let Some(all) = self.recommendation {
            text += "\n";
            text += &wrapped("advice", &all.full_text().to_string(), name_width + 2);
        }
        text
    }

    /// For each scheduled disturbance, lists the strategies by their longest wait or frame, and names the best two.
    fn recoveries(&self) -> String {
        let on_request = self.recommendation.is_some_and(|it| it.limits.on_request);
        let subjects = || {
            let subjects = self.reports.iter().map(|report| &report.subject);
            subjects.filter(move |it| !on_request || it.strategy.on_request())
        };
        let all = || subjects().flat_map(|of| of.recoveries.iter().map(|it| (of.strategy, it)));
        let mut names: Vec<&str> = Vec::new();
        for (_, it) in all() {
            if !names.contains(&&*it.name) {
                names.push(&it.name);
            }
        }
        let mut text = String::new();
        for name in names {
            let mut ranked: Vec<_> = all().filter(|(_, it)| it.name == name).collect();
            ranked.sort_by_key(|(_, it)| it.mean_and_longest().map_or(Nanos::MAX, |it| it[1]));
            let row = |cells: [&str; 4]| {
                let [key, mean, longest, tasks] = cells;
                format!("{key:<28}{mean:>11}{longest:>11}{tasks:>11}\n")
            };
            let headings = if ranked.iter().any(|(_, it)| it.burst.is_some()) {
                ["mean wait", "longest", "task max"]
            } else {
                ["mean stale", "frame max", "task max"]
            };
            let [first, second, third] = headings;
            text = text + "\n" + &row([name, first, second, third]);
            for (strategy, it) in &ranked {
                let times = it.mean_and_longest().map(|times| times.map(time));
                let [mean, longest] = times.unwrap_or(["-", "-"].map(str::to_owned));
                text += &row([strategy.key, &mean, &longest, &time(it.most_task_time)]);
            }
            let best = best_two(ranked.into_iter()).unwrap_or("none".to_owned());
            text += &wrapped(name, &format!("best without hitches: {best}"), 28);
        }
        text
    }

    /// Returns the verdict on a strategy with its current setting, and what its best setting could achieve.
    fn words(&self, report: &Report) -> String {
        let strategy = report.subject.strategy;
        let verdict = verdict(report);
        let Some(all) = self.recommendation else {
            return verdict.to_string();
        };
        let mut choices = all.choices.iter();
        match choices.find(|it| it.strategy == strategy) {
            Some(choice) if all.best == Some(choice.lane) => {
                format!("{verdict} · recommended with its best setting")
            }
            Some(choice) => format!("{verdict} · at best: {}", all.why_not(choice)),
            None => verdict.to_string(),
        }
    }

    /// Returns the warnings of the recommendation, and how often the defects of published forms have occurred.
    fn warnings(&self, all: &Recommendation) -> Vec<String> {
        let defects = self.reports.iter().filter_map(|report| {
            let defect = report.subject.defect.filter(|defect| defect.count > 0)?;
            let count = counted(defect.count, defect.thing);
            let name = report.subject.strategy.name;
            Some(format!("{name}: {} {count}", defect.before))
        });
        all.warnings().into_iter().chain(defects).collect()
    }
}

/// A column of the table: its heading, its metric, and the number of decimal places. All times are in milliseconds.
type Column = (&'static str, &'static Metric, usize);

/// The columns that every table has. The strategy's name comes before them.
static COLUMNS: [Column; 6] = [
    ("tasks/frame", &metrics::TASKS_PER_FRAME_MEAN, 1),
    ("peak", &metrics::TASKS_PER_FRAME_PEAK, 0),
    ("task max", &metrics::PER_FRAME_MS_TASKS_MAX, 1),
    ("frame p99", &metrics::FRAME_MS_P99, 1),
    ("max", &metrics::FRAME_MS_MAX, 1),
    ("hitch %", &metrics::HITCH_PERCENT, 1),
];
/// The columns that follow if tasks run repeatedly. If they run only on request, `COLUMNS_OF_REQUESTS` follow instead.
static COLUMNS_OF_STALENESS: [Column; 4] = [
    ("interval ms", &metrics::INTERVAL_MS_MEAN, 1),
    ("stale ms", &metrics::STALENESS_MS_WORST, 1),
    ("wrong %", &metrics::LOOKING_WRONG_PERCENT_MEAN, 1),
    ("backlog", &metrics::BACKLOG_PEAK, 0),
];
static COLUMNS_OF_REQUESTS: [Column; 3] = [
    ("wait ms", &metrics::REQUEST_WAIT_MS_MEAN, 1),
    ("wait max", &metrics::REQUEST_WAIT_MS_MAX, 1),
    ("backlog", &metrics::BACKLOG_PEAK, 0),
];

fn cell(report: &Report, metric: &Metric, decimals: usize) -> String {
    let written = |value: f64| fixed(value, decimals);
    let Some(value) = (metric.value)(report) else {
        return "none".to_owned();
    };
    // The standard deviation is shown after the mean interval.
    if *metric == metrics::INTERVAL_MS_MEAN {
        let jitter = report.interval.deviation.as_millis_f64();
        return format!("{} ± {}", written(value), written(jitter));
    }
    written(value)
}

#[cfg(test)]
mod tests;
