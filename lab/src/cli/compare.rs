//! The `compare` command, which runs strategies on the same work and prints a table or JSON.

use super::console::{clear_progress, show_progress, wrapped};
use super::sweep::choice_flags;
use crate::catalog::strategy::{STRATEGIES, StrategyEntry};
use crate::cli::threads::{on_all_cores, run_on_threads, threads};
use crate::cli::{LengthOptions, LimitOptions, values};
use crate::comparison::strategies::{compared_lane, compared_report};
use crate::files::output::{Failure, write_whole};
use crate::judge::{Question, Recommendation, Sweep};
use crate::measure::{Mark, Metric, Report, metrics, verdict};
use crate::sim::lane::Length;
use crate::sim::settings::Settings;
use crate::text::format::fixed;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
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
    /// The path of the file that is passed to `--costs`. The command lines that reproduce a setting contain this path.
    #[arg(skip)]
    pub costs: Option<PathBuf>,
}

/// Runs each strategy on its own simulated machine with the same seed and workload, and prints the results to standard
/// output.
pub fn compare(settings: &Settings, options: &CompareOptions) -> Result<(), Failure> {
    let length = options.length.length();
    let reports = measure(settings, &options.strategies, length);
    let recommendation = recommendation(options.question(settings));
    let compared = Compared {
        settings,
        reports: &reports,
        recommendation: recommendation.as_ref(),
        costs: options.costs.as_deref(),
    };
    let text = compared.text(options.json, RankStyle::of_stdout());
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

fn recommendation(question: Question) -> Option<Recommendation> {
    let sweep = Mutex::new(Sweep::new(question));
    run_on_threads(&sweep, threads(), &AtomicBool::new(false), |done, known| {
        show_progress(done, known, "settings");
    });
    clear_progress();
    let sweep = sweep.into_inner().unwrap_or_else(PoisonError::into_inner);
    sweep.findings().recommendation
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
        compared_report(&lane)
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
    /// The recommendation for this workload, or `None` if it is not known (yet).
    pub recommendation: Option<&'a Recommendation>,
    /// The path of the file with the task costs.
    pub costs: Option<&'a Path>,
}

impl Compared<'_> {
    pub fn text(&self, json: bool, style: RankStyle) -> String {
        if json {
            format!("{:#}\n", self.to_json())
        } else {
            self.table(style)
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
        let chosen = best.map(|best| all.settings(best).knobs);
        let is_as_set = best.zip(chosen).is_some_and(|(best, chosen)| {
            let mut knobs = best.strategy.own_knobs();
            knobs.all(|knob| chosen.get(knob) == self.settings.knobs.get(knob))
        });
        let values = best.filter(|_| !is_as_set).map(|best| &best.setting.values);
        let main = values.and_then(|values| values.first());
        let others = values.iter().flat_map(|values| values.iter().skip(1));
        let others = others.map(|(knob, value)| json!({ "knob": knob.key, "value": value }));
        let ms = |time: Option<Nanos>| time.map(Nanos::as_millis_f64);
        let outcome = best.map(|best| &best.outcome);
        let staleness = outcome.and_then(|it| it.staleness);
        let keeps = |report: &&Report| {
            let mut limit = all.limits.tasks.into_iter();
            limit.all(|limit| report.frame_tasks.max <= limit)
        };
        let within = self.reports.iter().filter(keeps);
        let others_why = all.choices.iter().filter(|it| all.best != Some(it.lane));
        let why_not = others_why.map(|choice| {
            let why_not = all.why_not(choice).to_string();
            (choice.strategy.key.to_owned(), json!(why_not))
        });
        json!({
            "strategy": best.map(|best| best.strategy.key),
            "knob": main.map(|(knob, _)| knob.key),
            "value": main.map(|(_, value)| value),
            "others": others.collect::<Vec<_>>(),
            "weighted_mean_ms": ms(staleness.map(|it| it.weighted_mean)),
            "worst_ms": ms(staleness.map(|it| it.worst)),
            "times_minimum": outcome.and_then(|it| all.objective.times_minimum(it)),
            "flags": best.map(|best| choice_flags(all, best, self.costs)),
            "within_budget": within.map(|it| it.subject.strategy.key).collect::<Vec<_>>(),
            "why_not": why_not.collect::<Map<String, Value>>(),
            "warnings": self.warnings(all),
            "text": all.full_text().to_string(),
        })
    }

    fn table(&self, style: RankStyle) -> String {
        let reports = self.reports;
        let names = || reports.iter().map(|report| report.subject.strategy.key);
        let name_width = names().chain(["strategy"]).map(str::len).max().unwrap_or(0);
        let mut lines = vec![format!("{:<name_width$}", "strategy")];
        lines.extend(names().map(|name| format!("{name:<name_width$}")));
        for (heading, metric, decimals) in COLUMNS {
            let cells = reports.iter().map(|report| cell(report, metric, decimals));
            let cells: Vec<String> = cells.collect();
            let all = cells.iter().map(String::as_str).chain([heading]);
            let width = all.map(|cell| cell.chars().count()).max().unwrap_or(0);
            lines[0] += &RankStyle::None.cell(heading, width, Mark::None);
            let ranks = metric.ranks(reports, |value| fixed(value, decimals));
            for ((line, cell), rank) in lines[1..].iter_mut().zip(&cells).zip(ranks) {
                *line += &style.cell(cell, width, rank);
            }
        }
        let lines = lines.iter().map(|line| line.trim_end().to_owned() + "\n");
        let mut text: String = lines.collect();
        if style != RankStyle::None {
            text += "+ best in its column, - worst in its column\n";
        }
        if !reports.iter().all(|it| it.game_speed().keeps_real_time()) {
            text += "interval ms and stale ms are in game time, which differs from real time if the game is too slow or \
                too fast\n";
        }
        text.push('\n');
        for report in reports {
            let words = self.words(report);
            text += &wrapped(report.subject.strategy.key, &words, name_width + 2);
        }
        if let Some(all) = self.recommendation {
            text += "\n";
            text += &wrapped("advice", &all.full_text().to_string(), name_width + 2);
        }
        text
    }

    /// Describes what a strategy does with its present setting, and what it could do with its best one.
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
            let count = crate::text::format::counted(defect.count, defect.thing);
            let name = report.subject.strategy.name;
            Some(format!("{name}: {} {count}", defect.before))
        });
        let warnings = all.warnings();
        let warnings = warnings.iter().map(ToString::to_string);
        warnings.chain(defects).collect()
    }
}

/// How a table marks the best and the worst value of each column. Tables in files and pipes have no marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankStyle {
    None,
    Signs,
    Colours,
}

impl RankStyle {
    /// Returns the style for standard output. Values are marked only if standard output is a terminal. The marks have
    /// no colours if `NO_COLOR` is set or if the terminal is `dumb`.
    fn of_stdout() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_none_or(|term| term == "dumb");
        match io::stdout().is_terminal() {
            false => Self::None,
            true if set("NO_COLOR").is_some() || dumb => Self::Signs,
            true => Self::Colours,
        }
    }

    /// Right-aligns a value in a column of `width` characters, with room for its mark.
    fn cell(self, text: &str, width: usize, rank: Mark) -> String {
        let pad = " ".repeat(width - text.chars().count());
        // Teal means good and amber means bad, as in the window.
        let (sign, colour) = match rank {
            Mark::Best => ("+", "\x1b[36;1m"),
            Mark::Worst => ("-", "\x1b[33m"),
            Mark::None => return format!(" {pad}{text} "),
        };
        match self {
            Self::None => format!(" {pad}{text} "),
            Self::Signs => format!(" {pad}{text}{sign}"),
            Self::Colours => format!(" {pad}{colour}{text}{sign}\x1b[0m"),
        }
    }
}

/// The table's columns after the first one, which contains the strategy's name. Each column has a heading, a metric, and
/// a number of decimals. All times are in milliseconds.
static COLUMNS: [(&str, &Metric, usize); 10] = [
    ("tasks/frame", &metrics::TASKS_PER_FRAME_MEAN, 1),
    ("peak", &metrics::TASKS_PER_FRAME_PEAK, 0),
    ("task max", &metrics::PER_FRAME_MS_TASKS_MAX, 1),
    ("frame p99", &metrics::FRAME_MS_P99, 1),
    ("max", &metrics::FRAME_MS_MAX, 1),
    ("hitch %", &metrics::HITCH_PERCENT, 1),
    ("interval ms", &metrics::INTERVAL_MS_MEAN, 1),
    ("stale ms", &metrics::STALENESS_MS_WORST, 1),
    ("wrong %", &metrics::LOOKING_WRONG_PERCENT_MEAN, 1),
    ("backlog", &metrics::BACKLOG_PEAK, 0),
];

fn cell(report: &Report, metric: &Metric, decimals: usize) -> String {
    let written = |value: f64| fixed(value, decimals);
    let Some(value) = (metric.value)(report) else {
        return "none".to_owned();
    };
    // The mean interval is shown with its jitter.
    if *metric == metrics::INTERVAL_MS_MEAN {
        let jitter = report.interval.deviation.as_millis_f64();
        return format!("{} ± {}", written(value), written(jitter));
    }
    written(value)
}

#[cfg(test)]
mod tests;
