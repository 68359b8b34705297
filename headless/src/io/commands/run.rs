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
use std::sync::atomic::{AtomicBool, Ordering};
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
    let report = &lane.final_report();
    let (strategy, frame_loop) = (report.subject.strategy.key, report.subject.frame_loop.key);
    let (seed, frames) = (report.subject.seed, report.frames);
    let secs = lane.machine().clock().since_start().as_secs_f64();
    writeln!(
        out,
        "{strategy} on {frame_loop}, seed {seed}: {frames} frames in {secs:.3} s"
    )?;
    let rows = [
        ("tasks/frame", tasks(report)),
        ("frame ms", frame_lengths(report)),
        ("", frame_rate(report)),
        ("per frame ms", parts(report)),
        ("predicted", predicted(report)),
        ("updates", updates(report)),
        ("interval ms", intervals(report)),
        ("staleness ms", staleness(report)),
        ("", weighted(report)),
        ("promise", promise(report)),
        ("backlog", backlog(report)),
        ("budget ms", budget(report)),
        ("capacity", capacity(&Capacity::of(lane))),
        ("entities", entities(report, lane.world().born_so_far())),
        ("verdict", verdict(report).to_string()),
    ];
    for (name, figures) in rows.iter().filter(|(_, figures)| !figures.is_empty()) {
        writeln!(out, "  {name:<12} {figures}")?;
    }
    Ok(())
}

fn ms(time: Nanos) -> String {
    fixed(time.as_millis_f64(), 3)
}

fn tasks(report: &Report) -> String {
    let (mean, peak, total) = (report.mean_runs(), report.peak_runs, report.runs);
    let mean = fixed(mean, 2);
    let ratio = report.peak_over_mean().map_or_else(
        || "no runs".to_owned(),
        |ratio| format!("{} peak/mean", fixed(ratio, 2)),
    );
    format!("{mean} mean, {peak} peak, {ratio}, {total} total")
}

fn frame_lengths(Report { frame, .. }: &Report) -> String {
    let all = [frame.mean, frame.p50, frame.p95, frame.p99, frame.max];
    let [mean, p50, p95, p99, max] = all.map(ms);
    format!("{mean} mean, {p50} p50, {p95} p95, {p99} p99, {max} max")
}

fn frame_rate(report: &Report) -> String {
    let [fps, low] = [report.fps(), report.low_fps].map(|fps| fixed(fps, 1));
    let (hitches, limit) = (report.hitches, number(report.hitch().as_millis_f64()));
    format!("{fps} fps, {low} fps 1% low, {hitches} hitches above {limit} ms")
}

fn parts(report: &Report) -> String {
    let (tasks, scheduling) = (report.task_time, report.scheduling);
    let parts = [tasks, scheduling, report.drawing, report.waiting];
    let [tasks, scheduling, drawing, waiting] = parts.map(|part| ms(report.a_frame(part)));
    format!("{tasks} tasks, {scheduling} scheduling, {drawing} drawing, {waiting} waiting")
}

/// Compares predicted and measured frame lengths, for strategies that run each task at an interval.
fn predicted(report: &Report) -> String {
    let Some(utilisation) = report.utilisation() else {
        return String::new();
    };
    let u = fixed(utilisation, 3);
    let u = format!("U = {u} (entities x cost / interval)");
    match report.predicted_frame() {
        Some(frame) => {
            let [predicted, measured] = [frame, report.frame.mean].map(ms);
            format!("{u}, frame {predicted} ms predicted, {measured} ms measured")
        }
        None if utilisation >= 1.0 => format!("{u}, more work than this machine can do"),
        None => u,
    }
}

fn updates(report: &Report) -> String {
    let (updates, dropped) = (report.updates, ms(report.debt_dropped));
    format!("{updates} total, {dropped} ms of debt dropped")
}

fn intervals(report: &Report) -> String {
    let (of, wait) = (&report.interval, &report.request_wait);
    if of.count == 0 {
        return "no task ran twice".to_owned();
    }
    let [mean, deviation, max] = [of.mean, of.deviation, of.max].map(ms);
    let off = report.wanted.map_or_else(String::new, |wanted| {
        let off_p99 = of.off_p99.unwrap_or_default();
        let [wanted, p99, worst] = [wanted, off_p99, of.off_worst].map(ms);
        format!(", {wanted} wanted, {p99} off p99, {worst} off worst")
    });
    let [wait_p99, wait_max] = [wait.p99, wait.max].map(ms);
    let waits = match wait.count {
        0 => String::new(),
        _ => format!(", {wait_p99} request to run p99, {wait_max} request to run max"),
    };
    let remark = game_time(report);
    format!("{mean} mean, {deviation} standard deviation, {max} max{off}{waits}{remark}")
}

fn staleness(report: &Report) -> String {
    let [now, worst] = [report.subject.staleness, report.worst_staleness].map(ms);
    let mean = report.mean_staleness;
    let mean = mean.map_or_else(String::new, |mean| format!(", {} mean", ms(mean)));
    format!("{now} now, {worst} worst{mean}{}", game_time(report))
}

/// Returns staleness by distance from the target, and weighted, with the least that is possible.
fn weighted(report: &Report) -> String {
    let Some(mean) = report.weighted_mean else {
        return String::new();
    };
    let rings = Ring::ALL.into_iter().zip(report.mean_by_ring);
    let rings = rings.filter_map(|(ring, mean)| Some(format!("{} {}, ", ms(mean?), ring.name())));
    let rings: String = rings.collect();
    let over_least = |value: Nanos, least: Option<Nanos>| {
        let least = least.filter(|least| !least.is_zero());
        least.map_or_else(String::new, |least| {
            let times = fixed(value.over(least), 3);
            format!(", {times} times the least possible in the long run")
        })
    };
    let worst = report.worst_weighted;
    format!(
        "{rings}{} weighted mean{}, {} weighted worst{}{}",
        ms(mean),
        over_least(mean, report.least_weighted_mean()),
        ms(worst),
        over_least(worst, report.least_weighted_worst()),
        game_time(report)
    )
}

/// Returns a remark about figures in game time, if the game does not keep real time.
fn game_time(report: &Report) -> &'static str {
    if report.game_speed().keeps_real_time() {
        ""
    } else {
        ", all in game time"
    }
}

fn promise(report: &Report) -> String {
    let (promise, late, starved) = (report.promise_in_words(), report.late, report.starved);
    format!("{promise}, {late} late, {starved} starved")
}

fn backlog(report: &Report) -> String {
    let (peak, last) = (report.backlog_peak, report.backlog.1);
    format!("{peak} peak, {last} at the end")
}

fn budget(report: &Report) -> String {
    let Some(budget) = report.subject.budget else {
        return String::new();
    };
    let (count, p99, max) = (report.overrun.count, report.overrun.p99, report.overrun.max);
    let [budget, p99, max] = [budget, p99, max].map(ms);
    format!("{budget} per update, {count} overruns, {p99} overrun p99, {max} overrun max")
}

fn capacity(capacity: &Capacity) -> String {
    let (most, budget) = (capacity.entities_in_words(), capacity.budget_in_words());
    let note = capacity.note();
    let note = note.map_or_else(String::new, |note| format!(", {note}"));
    format!("{most} within {budget}{note}")
}

fn entities(report: &Report, born: u64) -> String {
    format!("{} alive, {born} born", report.subject.entities)
}

/// The signals that end a run, SIGINT and SIGTERM, each with a flag that it sets.
struct Interrupt(Vec<(u8, Arc<AtomicBool>)>);

impl Interrupt {
    /// Starts handling the signals. A second signal ends the program at once.
    #[cfg(unix)]
    fn listen() -> Self {
        let any = Arc::<AtomicBool>::default();
        let listen = |signal| {
            let is_set = Arc::<AtomicBool>::default();
            // Actions run in this order. The shutdown comes before the flags are set, so that the first signal only sets
            // them and the second one finds them set. If an action cannot be registered, the signal keeps its default
            // effect.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&any))
                .and_then(|_| flag::register(signal, Arc::clone(&any)))
                .and_then(|_| flag::register(signal, Arc::clone(&is_set)));
            (signal as u8, is_set)
        };
        Self([SIGINT, SIGTERM].map(listen).to_vec())
    }

    /// Does nothing: here the signals end the program at once.
    #[cfg(not(unix))]
    fn listen() -> Self {
        Self(Vec::new())
    }

    fn signal(&self) -> Option<u8> {
        let mut all = self.0.iter();
        all.find_map(|(signal, flag)| flag.load(Ordering::Acquire).then_some(*signal))
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
