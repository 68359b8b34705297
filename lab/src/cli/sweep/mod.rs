//! The `sweep` command, which tries strategies with many knob values and finds the best setting for a game.
//!
//! - this file: the command
//! - `options`: the options of the command, and their conversion to a [`Question`](crate::judge::Question)
//! - `rows`: the settings as CSV; `json`: everything as JSON
//! - `advice`: the recommendation as text

mod advice;
mod json;
mod options;
mod rows;

pub use options::{Over, SweepOptions};

use self::rows::Row;
use super::console::{clear_progress, show_progress};
use crate::chart;
use crate::cli::threads::{run_on_threads, threads};
use crate::files::output::{Failure, Output, write_whole};
use crate::judge::{Crossovers, Sweep};
use crate::sim::settings::Settings;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The number of values to try first for the knob that `--over` varies. More values are then added between two
/// neighbouring values if their best strategies differ.
const FIRST_VALUES: u32 = 10;

struct Printed {
    stdout: String,
    stderr: String,
    /// The SVG chart. `None` without `--svg`.
    chart: Option<String>,
}

/// Tries many settings of every strategy on simulated machines with the same seed and workload. Prints a row for each
/// setting to standard output, and the recommendation to standard error.
pub fn sweep(settings: &Settings, options: &SweepOptions) -> Result<(), Failure> {
    let chart = options.svg.as_deref().map(Output::create).transpose()?;
    let printed = swept(settings, options);
    if !options.has_chart_on_stdout() {
        write_whole(Path::new("-"), printed.stdout.as_bytes())?;
    }
    if let Some((mut output, svg)) = chart.zip(printed.chart) {
        output.write(|out| out.write_all(svg.as_bytes()))?;
        output.complete()?;
    }
    match io::stderr().write_all(printed.stderr.as_bytes()) {
        // It is not an error if the reader has left.
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::write(Path::new("standard error"), cause))
        }
        _ => Ok(()),
    }
}

fn swept(settings: &Settings, options: &SweepOptions) -> Printed {
    let (threads, stop) = (threads(), &AtomicBool::new(false));
    let question = options.question(settings);
    show_progress(0, 0, "settings"); // the first trial can take a while
    if let Some(Over { knob, from, to }) = options.over {
        let crossovers = Crossovers::new(question, knob, [from, to], FIRST_VALUES, None);
        let things = format!("values of {}", knob.key);
        run_on_threads(&crossovers, threads, stop, |_, _| {
            let (done, planned) = (crossovers.columns().len(), crossovers.planned_count());
            show_progress(done, planned, &things);
        });
        clear_progress();
        of_crossovers(&crossovers, options)
    } else {
        let sweep = Sweep::new(question);
        run_on_threads(&sweep, threads, stop, |done, known| {
            show_progress(done, known, "settings");
        });
        clear_progress();
        of_sweep(&sweep, options)
    }
}

fn of_sweep(sweep: &Sweep, options: &SweepOptions) -> Printed {
    let findings = sweep.findings();
    let (stdout, stderr) = if options.json {
        let json = json::of_sweep(sweep);
        (format!("{json:#}\n"), String::new())
    } else {
        let rows = rows::of_findings(&findings);
        let lines = rows.iter().map(|row| row.cells().join(",") + "\n");
        let recommendation = findings.recommendation.as_ref();
        (
            rows::header() + "\n" + &lines.collect::<String>(),
            recommendation.map_or_else(String::new, advice::of_recommendation),
        )
    };
    Printed {
        stdout,
        stderr,
        chart: options.svg.is_some().then(|| chart::svg::trade_off(sweep)),
    }
}

fn of_crossovers(crossovers: &Crossovers, options: &SweepOptions) -> Printed {
    let key = crossovers.over().key;
    let columns = crossovers.columns();
    let (stdout, stderr) = if options.json {
        (
            format!("{:#}\n", json::of_crossovers(crossovers)),
            String::new(),
        )
    } else {
        let mut stdout = format!("{key},{},keeps_limits\n", rows::header());
        for column in columns {
            for choice in &column.recommendation.choices {
                let cells = Row::from(choice).cells().join(",");
                let keeps_limits = u8::from(choice.holds());
                let row = format!("{},{cells},{keeps_limits}\n", column.value);
                stdout += &row;
            }
        }
        (stdout, advice::of_crossovers(crossovers))
    };
    Printed {
        stdout,
        stderr,
        chart: options
            .svg
            .is_some()
            .then(|| chart::svg::crossovers(crossovers)),
    }
}
