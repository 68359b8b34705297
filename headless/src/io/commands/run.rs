//! `run` runs one lane on a simulated machine.

use super::interrupt::Interrupt;
use crate::history::TraceRun;
use crate::io::atomic_file::{Failure, Output};
use crate::io::export::{FRAMES_HEADER, frame_row, trace};
use crate::sim::lane::Length;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::settings::Settings;
use crate::sim::world::Ring;
use crate::stats::{Capacity, MeasuredLane, Report, verdict};
use crate::text::format::{fixed, number};
use std::io::Write;
use std::path::{Path, PathBuf};
use timeslicer::time::Nanos;

/// Options of `run`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Length of the run.
    pub length: Length,
    /// File for the CSV of frames. If `None`, the CSV is printed, unless standard output is used for another output.
    pub csv: Option<PathBuf>,
    /// File for the CSV of runs.
    pub events: Option<PathBuf>,
    /// File for the trace.
    pub trace: Option<PathBuf>,
    /// Print the figures over all frames on standard error.
    pub summary: bool,
}

const EVENTS_HEADER: &str = "frame,time_ms,entity,elapsed_ms";

/// Runs one lane on a simulated machine and writes a CSV line for each frame.
///
/// # Errors
/// If an output cannot be written, or a signal ends the run while it writes files. Incomplete files are removed.
pub fn run(settings: &Settings, options: &RunOptions) -> Result<(), Failure> {
    let stdout = Path::new("-");
    let others = [&options.events, &options.trace];
    let stdout_is_taken = others.iter().any(|path| path.as_deref() == Some(stdout));
    let csv_path = match &options.csv {
        Some(path) => Some(path.as_path()),
        None => (!stdout_is_taken).then_some(stdout),
    };
    // Without files there is nothing to clean up, so signals keep their default effect.
    let paths = [&options.csv, &options.events, &options.trace];
    let mut files = paths.into_iter().flatten().filter(|path| *path != stdout);
    let interrupt = files.next().map(|_| Interrupt::listen());
    let mut csv = csv_path.map(Output::create).transpose()?;
    let mut events = options.events.as_deref().map(Output::create).transpose()?;
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
    if options.summary {
        lane.measure_gazes();
    }
    let mut trace = options.trace.as_deref().map(Output::create).transpose()?;
    if events.is_none() && trace.is_none() {
        lane.list_runs(0);
    }
    if let Some(csv) = &mut csv {
        csv.write(|out| writeln!(out, "{FRAMES_HEADER}"))?;
    }
    if let Some(events) = &mut events {
        events.write(|out| writeln!(out, "{EVENTS_HEADER}"))?;
    }
    if let Some(trace) = &mut trace {
        trace.write(|out| trace::begin(out, lane.settings(), 0))?;
    }

    while lane.is_within(options.length) {
        lane.frame();
        if let Some(signal) = interrupt.as_ref().and_then(Interrupt::signal) {
            return Err(Failure::interrupted(signal, lane.frames()));
        }
        let mut outputs = csv.iter().chain(&events).chain(&trace).peekable();
        if outputs.peek().is_some() && outputs.all(Output::is_closed) {
            break; // every reader of the outputs has gone
        }
        if let Some(csv) = &mut csv {
            csv.write(|out| frame_row(out, lane.last_frame()))?;
        }
        if let Some(events) = &mut events {
            events.write(|out| write_runs(out, &lane))?;
        }
        if let Some(trace) = &mut trace {
            trace.write(|out| write_trace(out, &lane))?;
        }
    }

    if let Some(csv) = csv {
        csv.complete()?;
    }
    if let Some(events) = events {
        events.complete()?;
    }
    if let Some(mut trace) = trace {
        trace.write(|out| trace::end(out))?;
        trace.complete()?;
    }
    if options.summary {
        let mut stderr = std::io::stderr().lock();
        let written = write_summary(&mut stderr, &lane);
        written.map_err(|cause| Failure::at("write", Path::new("standard error"), cause))?;
    }
    Ok(())
}

fn write_trace(out: &mut dyn Write, lane: &MeasuredLane<Simulated>) -> std::io::Result<()> {
    let runs = lane.runs().iter().map(TraceRun::from);
    trace::frame(out, lane.last_frame(), lane.updates(), runs)
}

fn write_runs(out: &mut dyn Write, lane: &MeasuredLane<Simulated>) -> std::io::Result<()> {
    let frame = lane.last_frame().number;
    lane.runs()
        .iter()
        .try_for_each(|run| writeln!(out, "{frame},{},{},{}", run.time, run.entity, run.elapsed))
}

fn write_summary(out: &mut dyn Write, lane: &MeasuredLane<Simulated>) -> std::io::Result<()> {
    let report = lane.final_report();
    writeln!(
        out,
        "{} on {}, seed {}: {} frames in {:.3} s",
        report.subject.strategy.key,
        report.subject.frame_loop.key,
        report.subject.seed,
        report.frames,
        lane.machine().clock().since_start().as_secs_f64()
    )?;
    let rows: [(&str, Vec<String>); 14] = [
        (
            "tasks/frame",
            vec![
                format!("{} mean", fixed(report.mean_runs(), 2)),
                format!("{} peak", report.peak_runs),
                match report.peak_over_mean() {
                    Some(ratio) => format!("{} peak/mean", fixed(ratio, 2)),
                    None => "no runs".to_owned(),
                },
                format!("{} total", report.runs),
            ],
        ),
        (
            "frame ms",
            vec![
                ms(report.frame.mean, "mean"),
                ms(report.frame.p50, "p50"),
                ms(report.frame.p95, "p95"),
                ms(report.frame.p99, "p99"),
                ms(report.frame.max, "max"),
            ],
        ),
        (
            "",
            vec![
                format!("{} fps", fixed(report.fps(), 1)),
                format!("{} fps 1% low", fixed(report.low_fps, 1)),
                format!(
                    "{} hitches above {} ms",
                    report.hitches,
                    number(report.hitch().as_millis_f64())
                ),
            ],
        ),
        (
            "per frame ms",
            vec![
                ms(report.a_frame(report.task_time), "tasks"),
                ms(report.a_frame(report.scheduling), "scheduling"),
                ms(report.a_frame(report.drawing), "drawing"),
                ms(report.a_frame(report.waiting), "waiting"),
            ],
        ),
        ("predicted", predicted(&report)),
        (
            "updates",
            vec![
                format!("{} total", report.updates),
                ms(report.debt_dropped, "ms of debt dropped"),
            ],
        ),
        ("interval ms", intervals(&report)),
        ("staleness ms", staleness(&report)),
        ("", weighted(&report)),
        (
            "promise",
            vec![
                report.promise_in_words(),
                format!("{} late", report.late.unwrap_or(0)),
                format!("{} starved", report.starved.unwrap_or(0)),
            ],
        ),
        (
            "backlog",
            vec![
                format!("{} peak", report.backlog_peak),
                format!("{} at the end", report.backlog.1),
            ],
        ),
        ("budget ms", budget(&report)),
        ("capacity", capacity(&Capacity::of(lane))),
        (
            "entities",
            vec![
                format!("{} alive", report.subject.entities),
                format!("{} born", lane.world().born_so_far()),
            ],
        ),
    ];
    for (name, figures) in rows.iter().filter(|(_, figures)| !figures.is_empty()) {
        writeln!(out, "  {name:<12} {}", figures.join(", "))?;
    }
    writeln!(out, "  {:<12} {}", "verdict", verdict(&report))
}

fn ms(time: Nanos, name: &str) -> String {
    format!("{} {name}", fixed(time.as_millis_f64(), 3))
}

/// Compares predicted and measured frame lengths, for strategies that run each task at an interval.
fn predicted(report: &Report) -> Vec<String> {
    let Some(utilisation) = report.utilisation() else {
        return Vec::new();
    };
    let u = fixed(utilisation, 3);
    let u = format!("U = {u} (entities x cost / interval)");
    let frame = match report.predicted_frame() {
        Some(frame) => format!(
            "frame {}, {}",
            ms(frame, "ms predicted"),
            ms(report.frame.mean, "ms measured")
        ),
        None if utilisation >= 1.0 => "more work than this machine can do".to_owned(),
        None => return vec![u],
    };
    vec![u, frame]
}

fn intervals(report: &Report) -> Vec<String> {
    if report.interval.count == 0 {
        return vec!["no task ran twice".to_owned()];
    }
    let mut figures = vec![
        ms(report.interval.mean, "mean"),
        ms(report.interval.deviation, "standard deviation"),
        ms(report.interval.max, "max"),
    ];
    if let Some(wanted) = report.wanted {
        figures.push(ms(wanted, "wanted"));
        figures.push(ms(report.interval.off_p99.unwrap_or_default(), "off p99"));
        figures.push(ms(report.interval.off_worst, "off worst"));
    }
    if let Some(wait) = report.request_wait.filter(|wait| wait.count > 0) {
        figures.push(ms(wait.p99, "request to run p99"));
        figures.push(ms(wait.max, "request to run max"));
    }
    game_times(report, figures)
}

fn staleness(report: &Report) -> Vec<String> {
    let (now, worst) = (report.subject.staleness, report.worst_staleness);
    let mut figures = vec![ms(now, "now"), ms(worst, "worst")];
    figures.extend(report.mean_staleness.map(|mean| ms(mean, "mean")));
    game_times(report, figures)
}

/// Returns staleness by distance from the target, and weighted, with the least that is possible.
fn weighted(report: &Report) -> Vec<String> {
    let Some(mean) = report.weighted_mean else {
        return Vec::new();
    };
    let rings = Ring::ALL.into_iter().zip(report.mean_by_ring);
    let rings = rings.filter_map(|(ring, mean)| Some(ms(mean?, ring.name())));
    let least = |value: Nanos, least: Option<Nanos>| {
        let least = least.filter(|least| !least.is_zero());
        least.map(|least| {
            let times = value.over(least);
            format!(
                "{} times the least possible in the long run",
                fixed(times, 3)
            )
        })
    };
    let worst = report.worst_weighted;
    let mut figures: Vec<String> = rings.collect();
    figures.push(ms(mean, "weighted mean"));
    figures.extend(least(mean, report.least_weighted_mean()));
    figures.push(ms(worst, "weighted worst"));
    figures.extend(least(worst, report.least_weighted_worst()));
    game_times(report, figures)
}

/// Adds a remark to figures in game time, if the game does not keep real time.
fn game_times(report: &Report, mut figures: Vec<String>) -> Vec<String> {
    if !report.game_speed().keeps_real_time() {
        figures.push("all in game time".to_owned());
    }
    figures
}

/// Returns the number of entities that fit the budget.
fn capacity(capacity: &Capacity) -> Vec<String> {
    let most = capacity.entities_in_words();
    let words = format!("{most} within {}", capacity.budget_in_words());
    [Some(words), capacity.note()]
        .into_iter()
        .flatten()
        .collect()
}

fn budget(report: &Report) -> Vec<String> {
    let Some(budget) = report.subject.budget else {
        return Vec::new();
    };
    vec![
        ms(budget, "per update"),
        format!("{} overruns", report.overrun.count),
        ms(report.overrun.p99, "overrun p99"),
        ms(report.overrun.max, "overrun max"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::ENTITIES;

    fn lane() -> MeasuredLane<Simulated> {
        let mut settings = Settings::default();
        settings.knobs.set(&ENTITIES, 3.0);
        MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs))
    }

    fn text(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn events_list_runs_in_order_of_execution() {
        let mut lane = lane();
        while lane.runs().is_empty() {
            lane.frame();
        }
        let written = text(|out| write_runs(out, &lane));
        assert_eq!(written, "10,166.666667,0,166.666667\n");
    }

    #[test]
    fn a_summary_without_frames_reports_zeros() {
        let summary = text(|out| write_summary(out, &lane()));
        assert!(summary.contains("0 frames in 0.000 s"), "{summary}");
        assert!(summary.contains("no task ran twice"), "{summary}");
    }
}
