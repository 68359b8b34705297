//! The `compare` command, which runs strategies on the same work and prints a table or JSON.

use super::console::{clear_progress, show_progress, wrapped};
use crate::experiment::comparison::{compared_lane, compared_report};
use crate::experiment::tuning::{Search, Switched};
use crate::io::atomic_file::{Failure, write_whole};
use crate::io::cli::{LengthOptions, values};
use crate::io::threads::on_all_cores;
use crate::sim::lane::Length;
use crate::sim::settings::Settings;
use crate::stats::{
    Advice, Mark, Measure, Metric, Report, Tuning, advise, joined, metric_by_key, verdict,
};
use crate::text::format::fixed;
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, IsTerminal};
use std::path::Path;
use timeslicer::strategy::StrategyEntry;

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
}

/// Runs each strategy on its own simulated machine with the same seed and workload, and prints the results to standard
/// output.
pub fn compare(settings: &Settings, options: &CompareOptions) -> Result<(), Failure> {
    let length = options.length.length();
    let reports = measure(settings, &options.strategies, length);
    let advice = advice(settings, &reports, length);
    let style = RankStyle::of_stdout();
    let text = comparison_text(settings, &reports, &advice, options.json, style);
    write_whole(Path::new("-"), text.as_bytes())
}

/// Returns the output of the `compare` command, as a table or as JSON. The window calls this function to save the
/// results of its Compare view.
pub fn comparison_text(
    settings: &Settings,
    reports: &[Report],
    advice: &Advice,
    json: bool,
    style: RankStyle,
) -> String {
    if json {
        let lanes: Vec<Value> = reports.iter().map(Report::to_json).collect();
        let (frame_loop, seed) = (settings.frame_loop.key, settings.seed);
        let advice = advice.to_json(reports);
        let json = json!({ "loop": frame_loop, "seed": seed, "lanes": lanes, "advice": advice });
        format!("{json:#}\n")
    } else {
        comparison_table(reports, advice, style)
    }
}

fn measure(
    settings: &Settings,
    strategies: &[&'static StrategyEntry],
    length: Length,
) -> Vec<Report> {
    with_progress("strategies", strategies, |strategy| {
        let mut lane = compared_lane(settings, strategy);
        while lane.is_within(length) {
            lane.frame();
        }
        compared_report(&lane)
    })
}

/// Returns advice on which strategy to use. Each strategy is also simulated with other knob values, to find the value
/// with which it does the most work within the limits.
pub fn advice(settings: &Settings, reports: &[Report], length: Length) -> Advice {
    let tunings = with_progress("strategies tuned", reports, |of| {
        let search = Search::new(settings, of.subject.strategy, length);
        search.map_or(Tuning::None, |mut search| {
            search.advance(u64::MAX);
            search.result()
        })
    });
    let strategies: Vec<_> = reports.iter().map(|of| of.subject.strategy).collect();
    let mut switched = Switched::new(settings, &strategies, length);
    if let Some(switched) = &mut switched {
        switched.advance(u64::MAX);
    }
    let switched = switched.as_ref().and_then(Switched::report);
    advise(reports, &tunings, switched, Measure::default())
}

/// Calls `function` with each item of `things`, in parallel on all cores, and shows the progress on the terminal.
/// Returns the results in the order of the items.
fn with_progress<T: Sync, R: Send>(
    name: &str,
    things: &[T],
    function: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let results = on_all_cores(things, function, |done| {
        show_progress(done, things.len(), name);
    });
    clear_progress();
    results
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
            _ => return format!(" {pad}{text} "),
        };
        match self {
            Self::None => format!(" {pad}{text} "),
            Self::Signs => format!(" {pad}{text}{sign}"),
            Self::Colours => format!(" {pad}{colour}{text}{sign}\x1b[0m"),
        }
    }
}

/// The table's columns after the first one, which contains the strategy's name. Each column has a heading, the key of
/// its metric, and a number of decimals. All times are in milliseconds.
const COLUMNS: [(&str, &str, usize); 11] = [
    ("tasks/frame", "tasks_per_frame.mean", 1),
    ("peak", "tasks_per_frame.peak", 0),
    ("task max", "per_frame_ms.tasks_max", 1),
    ("frame p99", "frame_ms.p99", 1),
    ("max", "frame_ms.max", 1),
    ("hitch %", "hitch_percent", 1),
    ("interval ms", "interval_ms.mean", 1),
    ("stale ms", "staleness_ms.worst", 1),
    ("wrong %", "looking_wrong_percent.mean", 1),
    ("late", "late", 0),
    ("backlog", "backlog.peak", 0),
];

fn comparison_table(reports: &[Report], advice: &Advice, style: RankStyle) -> String {
    let names = || reports.iter().map(|report| report.subject.strategy.key);
    let name_width = names().chain(["strategy"]).map(str::len).max().unwrap_or(0);
    let mut lines = vec![format!("{:<name_width$}", "strategy")];
    lines.extend(names().map(|name| format!("{name:<name_width$}")));
    for (heading, key, decimals) in COLUMNS {
        let Some(metric) = metric_by_key(key) else {
            continue; // a test ensures that the metric exists
        };
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
    for (report, why_not) in reports.iter().zip(&advice.why_not) {
        let mut words = verdict(report).to_string();
        if !why_not.is_empty() {
            words = format!("{} · {words}", joined(why_not));
        }
        text += &wrapped(report.subject.strategy.key, &words, name_width + 2);
    }
    text + "\n" + &wrapped("advice", &advice.text().to_string(), name_width + 2)
}

fn cell(report: &Report, metric: &Metric, decimals: usize) -> String {
    let written = |value: f64| fixed(value, decimals);
    let Some(value) = (metric.value)(report) else {
        return "none".to_owned();
    };
    // The mean interval is shown with its jitter.
    if metric.key == "interval_ms.mean" {
        let jitter = report.interval.deviation.as_millis_f64();
        return format!("{} ± {}", written(value), written(jitter));
    }
    written(value)
}

#[cfg(test)]
mod tests {
    use super::super::console::WIDTH;
    use super::*;
    use timeslicer::frame_loop;
    use timeslicer::strategy::{STRATEGIES, by_key};

    fn recommended(reports: &[Report]) -> Advice {
        let tunings: Vec<Tuning> = reports.iter().map(|_| Tuning::None).collect();
        advise(reports, &tunings, None, Measure::default())
    }

    fn reports(settings: &Settings, keys: &[&str]) -> Vec<Report> {
        let strategies: Vec<_> = keys.iter().filter_map(|key| by_key(key)).collect();
        measure(settings, &strategies, Length::Frames(121))
    }

    #[test]
    fn a_slow_game_is_noted_below_the_table() {
        let mut settings = Settings::default();
        for (frame_loop, is_noted) in [("variable-step", false), ("unsynced", true)] {
            settings.frame_loop = frame_loop::by_key(frame_loop).unwrap();
            let reports = reports(&settings, &["every-frame", "fixed-interval"]);
            let text = comparison_table(&reports, &recommended(&reports), RankStyle::None);
            assert_eq!(
                text.contains("\ninterval ms and stale ms are in game time"),
                is_noted
            );
            assert!(
                text.lines().all(|line| line.chars().count() <= WIDTH),
                "{text}"
            );
        }
    }

    #[test]
    fn rows_have_figures_and_lines_fit_the_width() {
        for (_, key, _) in COLUMNS {
            assert!(metric_by_key(key).is_some(), "{key}");
        }
        let all: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
        let mut reports = reports(&Settings::default(), &all);
        let text = comparison_table(&reports, &recommended(&reports), RankStyle::None);
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
            assert_eq!(line, line.trim_end());
        }
        let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
        let lengths: Vec<usize> = table.iter().map(|line| line.chars().count()).collect();
        assert_eq!(lengths, vec![lengths[0]; 1 + STRATEGIES.len()], "{text}");

        // 400 tasks of 0.1 ms: a burst of 40 ms every half second. A small mean is not shown as zero.
        (reports[1].runs, reports[1].frames) = (28, 1000);
        let text = comparison_table(&reports, &recommended(&reports), RankStyle::None);
        let row: Vec<&str> = text.lines().nth(2).unwrap().split_whitespace().collect();
        let shown = (row[0], row[1], row[2], row[5]);
        assert_eq!(shown, ("all-at-once", "0.028", "400", "40.0"));
    }

    #[test]
    fn marks_do_not_shift_the_columns() {
        let reports = reports(&Settings::default(), &["all-at-once", "fixed-interval"]);
        let [none, signs, colours] = [RankStyle::None, RankStyle::Signs, RankStyle::Colours]
            .map(|style| comparison_table(&reports, &recommended(&reports), style));
        assert!(!none.contains('+') && !none.contains('\x1b'));
        assert!(signs.contains("400-") && signs.contains(" 14+"), "{signs}");
        assert!(!signs.contains('\x1b') && colours.contains("\x1b[33m400-\x1b[0m"));
        let without = |text: &str| {
            let rows: Vec<String> = text.lines().take(3).map(str::to_owned).collect();
            rows.join("\n").replace(['+', '-'], " ")
        };
        let trimmed = |text: String| -> Vec<String> {
            text.lines()
                .map(|line| line.trim_end().to_owned())
                .collect()
        };
        assert_eq!(trimmed(without(&signs)), trimmed(without(&none)));
    }
}
