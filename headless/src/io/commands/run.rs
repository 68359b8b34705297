//! `run` runs one lane on a simulated machine.

use crate::history::TraceRun;
use crate::io::atomic_file::{Failure, Output};
use crate::io::export::{FRAMES_HEADER, frame_row, trace};
use crate::sim::lane::Length;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::settings::Settings;
use crate::sim::world::Ring;
use crate::stats::{Capacity, MeasuredLane, Report, verdict};
use crate::text::format::{fixed, number};
#[cfg(unix)]
use signal_hook::consts::{SIGINT, SIGTERM};
#[cfg(unix)]
use signal_hook::flag;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use timeslicer::time::Nanos;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    pub length: Length,
    /// File for the CSV of frames. If `None`, the CSV is printed, unless standard output is used for another output.
    pub csv: Option<PathBuf>,
    pub events: Option<PathBuf>,
    pub trace: Option<PathBuf>,
    pub summary: bool,
}

const EVENTS_HEADER: &str = "frame,time_ms,entity,elapsed_ms";

/// Runs one lane on a simulated machine and writes a CSV line for each frame. If a signal ends the run while it writes
/// files, or an output cannot be written, incomplete files are removed.
pub fn run(settings: &Settings, options: &RunOptions) -> Result<(), Failure> {
    let stdout = Path::new("-");
    let (events, trace) = (options.events.as_deref(), options.trace.as_deref());
    let stdout_is_taken = [events, trace].contains(&Some(stdout));
    let csv = options.csv.as_deref();
    let csv = csv.or((!stdout_is_taken).then_some(stdout));
    let outputs = [
        (Contents::Frames, csv),
        (Contents::Runs, events),
        (Contents::Trace, trace),
    ];
    let outputs = outputs.map(|(contents, path)| Some((contents, path?)));
    // Without files there is nothing to clean up, so signals keep their default effect.
    let has_files = outputs.iter().flatten().any(|(_, path)| *path != stdout);
    let interrupt = has_files.then(Interrupt::listen);
    let outputs = outputs.into_iter().flatten();
    let mut outputs = outputs
        .map(|(contents, path)| Ok((contents, Output::create(path)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
    if options.summary {
        lane.measure_gazes();
    }
    if events.is_none() && trace.is_none() {
        lane.list_runs(0);
    }
    for (contents, output) in &mut outputs {
        output.write(|out| contents.begin(out, settings))?;
    }
    while lane.is_within(options.length) {
        lane.frame();
        if let Some(signal) = interrupt.as_ref().and_then(Interrupt::signal) {
            return Err(Failure::interrupted(signal, lane.frames()));
        }
        let mut closed = outputs.iter().map(|(_, output)| output.is_closed());
        if !outputs.is_empty() && closed.all(|is_closed| is_closed) {
            break; // every reader of the outputs has gone
        }
        for (contents, output) in &mut outputs {
            output.write(|out| contents.frame(out, &lane))?;
        }
    }
    for (contents, mut output) in outputs {
        output.write(|out| contents.end(out))?;
        output.complete()?;
    }
    if options.summary {
        let mut stderr = std::io::stderr().lock();
        let written = write_summary(&mut stderr, &lane);
        written.map_err(|cause| Failure::at("write", Path::new("standard error"), cause))?;
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
        let (frame, mut runs) = (lane.last_frame(), lane.runs().iter());
        match self {
            Self::Frames => frame_row(out, frame),
            Self::Runs => runs.try_for_each(|run| {
                let (number, entity) = (frame.number, run.entity);
                writeln!(out, "{number},{},{entity},{}", run.time, run.elapsed)
            }),
            Self::Trace => trace::frame(out, frame, lane.updates(), runs.map(TraceRun::from)),
        }
    }

    fn end(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Frames | Self::Runs => Ok(()),
            Self::Trace => trace::end(out),
        }
    }
}

fn write_summary(out: &mut dyn Write, lane: &MeasuredLane<Simulated>) -> io::Result<()> {
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
                format!("{} late", report.late),
                format!("{} starved", report.starved),
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
    let wait = report.request_wait;
    if wait.count > 0 {
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

/// A request to end the program by SIGINT or SIGTERM.
#[derive(Debug, Default)]
struct Interrupt {
    requested: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Starts handling the signals. The second signal ends the program at once.
    #[cfg(unix)]
    fn listen() -> Self {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // Actions run in this order. The shutdown comes before the flag is set, so that the first signal only sets
            // the flag and the second one finds it set. If an action cannot be registered, the signal keeps its default
            // effect.
            let requested = || Arc::clone(&interrupt.requested);
            let number = Arc::clone(&interrupt.signal);
            let shutdown = flag::register_conditional_shutdown(signal, 128 + signal, requested());
            let _ = shutdown
                .and_then(|_| flag::register_usize(signal, number, signal as usize))
                .and_then(|_| flag::register(signal, requested()));
        }
        interrupt
    }

    /// Does nothing: here the signals end the program at once.
    #[cfg(not(unix))]
    fn listen() -> Self {
        Self::default()
    }

    fn signal(&self) -> Option<u8> {
        let requested = self.requested.load(Ordering::Acquire);
        requested.then(|| self.signal.load(Ordering::Relaxed) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::lane;

    #[test]
    fn a_summary_without_frames_reports_zeros() {
        let mut bytes = Vec::new();
        write_summary(&mut bytes, &lane("fixed-interval", &[])).unwrap();
        let summary = String::from_utf8(bytes).unwrap();
        assert!(summary.contains("0 frames in 0.000 s"), "{summary}");
        assert!(summary.contains("no task ran twice"), "{summary}");
    }
}
