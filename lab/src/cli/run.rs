//! The `run` command, which simulates one strategy and prints a row for each frame.

use super::console::{interrupt_flag, print_captures};
use crate::catalog::strategy::knobs::BUDGET;
use crate::cli::LengthOptions;
use crate::files::export::{FRAMES_HEADER, frame_row, trace};
use crate::files::output::{Failure, Output};
use crate::measure::{Capacity, MeasuredLane, Objective, Report, metric_by_key, verdict};
use crate::sim::machine::{Machine, Simulated};
use crate::sim::settings::{HITCH, Settings};
use crate::text::format::{counted, fixed, number};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RunOptions {
    #[command(flatten)]
    pub length: LengthOptions,
    /// Write the CSV with a line for each frame to FILE [default: stdout].
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a CSV line for each task run to FILE. If FILE is -, the lines go to stdout instead of the frames.
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = TRACE_HELP)]
    pub trace: Option<PathBuf>,
    /// Print all metrics and a verdict to stderr.
    #[arg(long)]
    pub summary: bool,
}

const TRACE_HELP: &str = "Write a Chrome trace to FILE, which you can open at https://ui.perfetto.dev. If FILE is -, \
    the trace goes to stdout instead of the frames";

const EVENTS_HEADER: &str = "frame,time_ms,entity,elapsed_ms";

/// Simulates one strategy and writes a CSV line for each frame. If a signal ends the command or an output cannot be
/// written, the incomplete files are removed.
pub fn run(settings: &Settings, options: &RunOptions) -> Result<(), Failure> {
    let stdout = Path::new("-");
    let (events, trace) = (options.events.as_deref(), options.trace.as_deref());
    let is_stdout_free = ![events, trace].contains(&Some(stdout));
    let csv = options.csv.as_deref();
    let csv = csv.or(is_stdout_free.then_some(stdout));
    let paths = [
        (Contents::Frames, csv),
        (Contents::Runs, events),
        (Contents::Trace, trace),
    ];
    // If no files are written, there is nothing to clean up, so signals can kill the program as usual.
    let mut paths_in_use = paths.iter().filter_map(|(_, path)| *path);
    let has_files = paths_in_use.any(|path| path != stdout);
    let interrupt = has_files.then(interrupt_flag);
    let mut outputs = Vec::new();
    for (contents, path) in paths {
        if let Some(path) = path {
            outputs.push((contents, Output::create(path)?));
        }
    }
    for (contents, output) in &mut outputs {
        output.write(|out| contents.begin(out, settings))?;
    }
    print_captures(settings);
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::default());
    if options.summary {
        lane.measure_gazes();
    }
    if events.is_some() || trace.is_some() {
        lane.list_runs(usize::MAX);
    }
    let length = options.length.length();
    while lane.is_within(length) {
        lane.frame();
        if interrupt
            .as_ref()
            .is_some_and(|it| it.load(Ordering::Relaxed))
        {
            let frames = counted(lane.frames(), "frame");
            let message =
                format!("interrupted after {frames}, so the incomplete files were removed");
            return Err(Failure::new(message, Failure::INTERRUPTED));
        }
        if !outputs.is_empty() && outputs.iter().all(|(_, output)| output.is_closed) {
            break; // all readers have closed the outputs
        }
        for (contents, output) in &mut outputs {
            output.write(|out| contents.frame(out, &lane))?;
        }
    }
    for (contents, mut output) in outputs {
        if let Contents::Trace = contents {
            output.write(trace::end)?;
        }
        output.complete()?;
    }
    if options.summary {
        let written = write_summary(&mut io::stderr().lock(), &lane);
        written.map_err(|cause| Failure::write(Path::new("standard error"), cause))?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Contents {
    Frames,
    Runs,
    Trace,
}

impl Contents {
    fn begin(self, out: &mut dyn Write, settings: &Settings) -> io::Result<()> {
        match self {
            Self::Frames => writeln!(out, "{FRAMES_HEADER}"),
            Self::Runs => writeln!(out, "{EVENTS_HEADER}"),
            Self::Trace => trace::begin(out, settings, 0),
        }
    }

    fn frame(self, out: &mut dyn Write, lane: &MeasuredLane<Simulated>) -> io::Result<()> {
        let (frame, runs) = (lane.last_frame(), lane.runs());
        match self {
            Self::Frames => frame_row(out, frame),
            Self::Runs => runs.iter().try_for_each(|run| {
                let (number, entity) = (frame.number, run.entity);
                writeln!(out, "{number},{},{entity},{}", run.time, run.elapsed)
            }),
            Self::Trace => trace::frame(out, frame, lane.updates(), runs),
        }
    }
}

/// The summary's rows. A row has the form `name: key words, key words`, and the function [`value`] replaces each key
/// with its value. A value that does not apply is left out, and so is a row in which no value applies.
const SUMMARY: &str = include_str!("summary.txt");

fn write_summary(out: &mut dyn Write, lane: &MeasuredLane<Simulated>) -> io::Result<()> {
    let report = &lane.final_report();
    let (strategy, frame_loop) = (report.subject.strategy.key, report.subject.frame_loop.key);
    let (seed, frames) = (lane.settings().seed, report.frames);
    let secs = lane.machine().clock().since_start().as_secs_f64();
    writeln!(
        out,
        "{strategy} on {frame_loop}, seed {seed}: {frames} frames in {secs:.3} s"
    )?;
    let hitch = number(lane.settings().knobs.get(&HITCH));
    let factor = if report.subject.speed == 1.0 {
        ""
    } else {
        " x game speed"
    };
    let rows = SUMMARY
        .replace("{hitch}", &hitch)
        .replace("{speed}", factor);
    for row in rows.lines() {
        let (name, parts) = row.split_once(": ").unwrap_or_default();
        let values = parts.split(", ").filter_map(|part| {
            let (key, words) = part.split_once(' ').unwrap_or((part, ""));
            let text = format!("{} {words}", value(lane, report, key)?);
            Some(text.trim_end().to_owned())
        });
        let values: Vec<String> = values.collect();
        if !values.is_empty() {
            writeln!(out, "  {name:<12} {}", values.join(", "))?;
        }
    }
    Ok(())
}

/// Formats the value of a key in [`SUMMARY`]. The key belongs either to a metric or to a value that only the summary
/// contains. Returns `None` if the value does not apply.
fn value(lane: &MeasuredLane<Simulated>, report: &Report, key: &str) -> Option<String> {
    let over = |staleness| Some(fixed(report.over_minimum(staleness)?, 3));
    match key {
        "overload" => {
            let is_overload = report.utilisation()? >= 1.0;
            is_overload.then(|| "more work than this machine can do".to_owned())
        }
        "no_interval" => (report.interval.count == 0).then(|| "no task has run twice".to_owned()),
        "game_time" => {
            let is_slow = report.interval.count > 0 && !report.keeps_real_time();
            is_slow.then(|| "all in game time".to_owned())
        }
        "mean_over_least" => over(Objective::WeightedMean),
        "worst_over_least" => over(Objective::WeightedWorst),
        "first_round" => {
            let percent = report.first_round_percent()?;
            Some(format!(
                "first round not over: {percent} % of the tasks have run"
            ))
        }
        "guarantee" => Some(report.guarantee_text()),
        "capacity" => {
            let budget = lane.settings().knobs.span(&BUDGET);
            let capacity = Capacity::of(report, budget);
            Some(format!(
                "{} within {}",
                capacity.most.in_words(),
                capacity.budget
            ))
        }
        "born" => Some(lane.world().born_so_far().to_string()),
        "verdict" => Some(verdict(report).to_string()),
        _ => {
            let metric = metric_by_key(key)?;
            let decimals = match metric.unit {
                _ if metric.whole => 0,
                "ms" => 3,
                "/s" => 1,
                _ => 2,
            };
            (metric.value)(report).map(|value| fixed(value, decimals))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::frame_loop::knobs::GAME_SPEED;
    use crate::recommend::{Limit, Limits, Outcome};
    use crate::sim::disturbance::{Disturbance, Scheduled};
    use crate::sim::world::{COST, ENTITIES, Point};
    use crate::testing::{MS, lane, run_to, settings};
    use timeslicer::time::Nanos;

    fn summary(lane: &MeasuredLane<Simulated>) -> String {
        let mut bytes = Vec::new();
        write_summary(&mut bytes, lane).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_summary_without_frames_reports_zeros() {
        let summary = summary(&lane("fixed-interval", &[]));
        assert!(summary.contains("0 frames in 0.000 s"), "{summary}");
        assert!(summary.contains("no task has run twice"), "{summary}");
    }

    #[test]
    fn a_summary_states_the_guarantee_and_how_utilisation_is_computed() {
        let mut lane = lane("fixed-interval", &[(&GAME_SPEED, 3.0)]);
        run_to(&mut lane, 1);
        assert!(summary(&lane).contains(" = entities x cost x game speed / interval"));
        let guarantee = lane.final_report().guarantee_text();
        let summary = summary(&lane);
        assert!(summary.contains(&guarantee), "{guarantee} in {summary}");
    }

    #[test]
    fn hitches_are_counted_by_the_period_of_their_frame() {
        let set = [(&ENTITIES, 40.0), (&COST, 1000.0)];
        let mut settings = settings("all-at-once", "variable-step", &set);
        settings.scheduled = vec![Scheduled {
            at: Nanos::from_millis(3_700),
            effect: Disturbance::SlowDisplay.of_size(30.0),
        }];
        let mut lane = MeasuredLane::new(settings, Simulated::default());
        run_to(&mut lane, 4);
        let summary = summary(&lane);
        // A frame of 50 ms is a hitch at 60 Hz, but not at 30 Hz. The limit on hitches must count it in the same way.
        assert!(
            summary.contains(" 8 hitches above 1.5 x the target"),
            "{summary}"
        );
        let outcome = Outcome::of(&lane.final_report().after_first_round());
        assert_eq!(outcome.longest_hitch, MS(50));
        let broken = Limits::default().broken(&outcome);
        assert!(broken.iter().any(|it| it.limit == Limit::Hitches));
    }

    #[test]
    fn minima_are_known_after_the_first_round_if_the_target_rests() {
        let rests = Some(Point { x: 0.5, y: 0.25 });
        for (target, entities, minima) in [(rests, 400.0, 2), (None, 400.0, 0), (rests, 1e3, 0)] {
            let knobs = [(&ENTITIES, entities)];
            let settings = Settings {
                target,
                // The first round does not wait for newborns, so these must make no difference.
                scheduled: vec![Scheduled {
                    at: Nanos::from_millis(1_900),
                    effect: Disturbance::Births.of_size(500.0),
                }],
                ..settings("max-per-frame", "variable-step", &knobs)
            };
            let mut lane = MeasuredLane::new(settings, Simulated::default());
            run_to(&mut lane, 2);
            let summary = summary(&lane);
            let found = summary.matches("times the theoretical minimum").count();
            assert_eq!(found, minima, "{summary}");
            let is_early = summary.contains("first round not over: 47 % of the tasks have run");
            assert_eq!(is_early, entities > 400.0, "{summary}");
        }
    }
}
