//! The `sweep` command, which tries strategies with many knob values and finds the best setting for a game.
//!
//! - this file: the command
//! - `options`: the options of the command, and their conversion to a [`Question`](crate::recommend::Question)
//! - `rows`: the settings as CSV; `json`: everything as JSON
//! - `advice`: the recommendation as text

mod advice;
mod json;
mod options;
mod rows;

pub use options::{Over, SweepOptions};
pub(super) use rows::{METRICS, OBJECTIVES};

use super::console::{clear_progress, interrupt_flag, print_captures, show_progress};
use crate::cli::threads::{run_on_threads, threads};
use crate::files::output::{Failure, is_closed_pipe, write_whole};
use crate::recommend::{Crossovers, Plan, Point, Question, Sweep};
use crate::sim::settings::Settings;
use crate::text::format::counted;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of values to try first for the knob that `--over` varies. More values are then added between two
/// neighbouring values if their best strategies differ.
const FIRST_VALUES: u32 = 10;

struct Printed {
    stdout: String,
    stderr: String,
    /// Describes what is missing after an interrupt. `None` if the results are complete.
    missing: Option<String>,
}

/// Tries many settings of every strategy on simulated machines with the same seed and workload. Prints a row for each
/// setting to standard output, and the recommendation to standard error.
///
/// After an interrupt, only the settings that have been tried are printed.
pub fn sweep(settings: &Settings, options: &SweepOptions) -> Result<(), Failure> {
    let interrupt = interrupt_flag();
    print_captures(settings);
    let printed = swept(settings, options, &interrupt);
    write_whole(Path::new("-"), printed.stdout.as_bytes())?;
    match io::stderr().write_all(printed.stderr.as_bytes()) {
        // It is not an error if the program that reads the pipe has closed it.
        Err(cause) if !is_closed_pipe(&cause) => {
            return Err(Failure::write(Path::new("standard error"), cause));
        }
        _ => {}
    }
    match printed.missing {
        Some(missing) if interrupt.load(Ordering::Relaxed) => {
            Err(Failure::new(missing, Failure::INTERRUPTED))
        }
        _ => Ok(()),
    }
}

fn swept(settings: &Settings, options: &SweepOptions, stop: &AtomicBool) -> Printed {
    let question = options.question(settings);
    show_progress(0, 0, "settings"); // the first trial can take a while
    if let Some(Over { knob, from, to }) = options.over {
        let crossovers = Crossovers::new(question, knob, [from, to], FIRST_VALUES, None);
        run_on_threads(&crossovers, threads(), stop, |done, _| {
            let (done, all, things) = progress(&crossovers, done);
            show_progress(done, all, &things);
        });
        clear_progress();
        of_crossovers(&crossovers, options)
    } else {
        of_sweep(&run_sweep(question, stop), options)
    }
}

/// Runs the simulations of a sweep and shows the progress. Ends early when `stop` is set.
pub fn run_sweep(question: Question, stop: &AtomicBool) -> Sweep {
    let sweep = Sweep::new(question);
    run_on_threads(&sweep, threads(), stop, |done, known| {
        show_progress(done, known, "settings");
    });
    clear_progress();
    sweep
}

/// Returns the number of finished knob values, the number of values that are planned so far, and the words to print
/// after these numbers. The plan can grow, because more values are added between two neighbouring values if their best
/// strategies differ.
fn progress(crossovers: &Crossovers, trials: usize) -> (usize, usize, String) {
    let (done, all) = (crossovers.columns().len(), crossovers.planned_count());
    let trials = counted(trials as u64, "setting");
    let key = crossovers.over.key;
    (done, all, format!("values of {key}, {trials}"))
}

fn of_sweep(sweep: &Sweep, options: &SweepOptions) -> Printed {
    let done: usize = sweep.curves().iter().map(Vec::len).sum();
    let all = sweep.question.curve_settings();
    let missing = (!sweep.work().is_complete()).then(|| {
        let settings = counted(all as u64, "setting");
        if done < all {
            format!("interrupted after {done} of {settings}, so the results are incomplete")
        } else {
            format!("interrupted after {settings}, before the search for the best one was over")
        }
    });
    let (stdout, advice) = if options.json {
        (format!("{:#}\n", json::of_sweep(sweep)), None)
    } else {
        let rows = rows::of_sweep(sweep);
        let lines = rows.iter().map(|row| row.cells().join(",") + "\n");
        let rows = rows::header() + "\n" + &lines.collect::<String>();
        (rows, sweep.recommendation())
    };
    Printed {
        stdout,
        stderr: advice.map_or_else(String::new, |it| advice::of_recommendation(&it)),
        missing,
    }
}

fn of_crossovers(crossovers: &Crossovers, options: &SweepOptions) -> Printed {
    let key = crossovers.over.key;
    let columns = crossovers.columns();
    let missing = (!crossovers.work().is_complete()).then(|| {
        let all = counted(crossovers.planned_count() as u64, "value");
        format!(
            "interrupted after {} of {all} of {key}, so the results are incomplete",
            columns.len()
        )
    });
    if options.json {
        return Printed {
            stdout: format!("{:#}\n", json::of_crossovers(crossovers)),
            stderr: String::new(),
            missing,
        };
    }
    let mut stdout = format!("{key},{},keeps_limits\n", rows::header());
    for column in columns {
        let choices = column.recommendation.choices.iter();
        for choice in choices.filter(|it| it.is_considered) {
            let cells = Point::from(choice).cells().join(",");
            let keeps_limits = u8::from(choice.holds());
            let row = format!("{},{cells},{keeps_limits}\n", column.value);
            stdout += &row;
        }
    }
    Printed {
        stdout,
        stderr: advice::of_crossovers(crossovers),
        missing,
    }
}

#[cfg(test)]
mod tests;
