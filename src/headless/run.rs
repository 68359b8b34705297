//! `run`: one lane on a simulated machine.

use crate::lane::Lane;
use crate::machine::{Machine, Simulated};
use crate::output::{Failure, Output};
use crate::settings::Settings;
use crate::time::Nanos;
use std::io::Write;
use std::path::{Path, PathBuf};

/// How long to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many frames.
    Frames(u64),
    /// The frames that start before the machine's clock shows this.
    Time(Nanos),
}

/// What `run` writes, and how long it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// How long to run.
    pub length: Length,
    /// Where the CSV of frames goes; standard output where none is given and the runs do not go there.
    pub csv: Option<PathBuf>,
    /// Where the CSV of runs goes, if anywhere.
    pub events: Option<PathBuf>,
    /// Whether to print the figures over all frames on standard error.
    pub summary: bool,
}

const CSV_HEADER: &str = "frame,start_ms,delta_ms,updates,tasks,backlog,task_ms,frame_ms,alpha";
const EVENTS_HEADER: &str = "frame,time_ms,entity,elapsed_ms";

/// Runs one lane on a simulated machine and writes a CSV line for each frame.
///
/// # Errors
/// Where an output cannot be written. A file that could not be completed is not left under its name.
pub fn run(settings: &Settings, options: &RunOptions) -> Result<(), Failure> {
    let stdout = Path::new("-");
    let events_on_stdout = options.events.as_deref() == Some(stdout);
    let csv_path = match &options.csv {
        Some(path) => Some(path.as_path()),
        None => (!events_on_stdout).then_some(stdout),
    };
    let mut csv = csv_path.map(Output::create).transpose()?;
    let mut events = options.events.as_deref().map(Output::create).transpose()?;
    if let Some(csv) = &mut csv {
        csv.write(|out| writeln!(out, "{CSV_HEADER}"))?;
    }
    if let Some(events) = &mut events {
        events.write(|out| writeln!(out, "{EVENTS_HEADER}"))?;
    }

    let mut lane = Lane::new(settings.clone(), Simulated::new(&settings.knobs));
    while goes_on(&lane, options.length) {
        lane.frame();
        let mut outputs = csv.iter().chain(&events).peekable();
        if outputs.peek().is_some() && outputs.all(Output::is_closed) {
            break; // nobody reads any of it
        }
        if let Some(csv) = &mut csv {
            csv.write(|out| write_frame(out, &lane))?;
        }
        if let Some(events) = &mut events {
            events.write(|out| write_runs(out, &lane))?;
        }
    }

    if let Some(csv) = csv {
        csv.complete()?;
    }
    if let Some(events) = events {
        events.complete()?;
    }
    if options.summary {
        let mut stderr = std::io::stderr().lock();
        let written = write_summary(&mut stderr, &lane);
        written.map_err(|cause| Failure::at("write", Path::new("standard error"), cause))?;
    }
    Ok(())
}

/// Runs a lane for so long.
pub(super) fn simulate(lane: &mut Lane<Simulated>, length: Length) {
    while goes_on(lane, length) {
        lane.frame();
    }
}

fn goes_on(lane: &Lane<Simulated>, length: Length) -> bool {
    match length {
        Length::Frames(frames) => lane.frames() < frames,
        Length::Time(time) => lane.machine().now() < time,
    }
}

fn write_frame(out: &mut dyn Write, lane: &Lane<Simulated>) -> std::io::Result<()> {
    let frame = lane.last_frame();
    writeln!(
        out,
        "{},{},{},{},{},{},{},{},{:.6}",
        frame.number,
        frame.start,
        frame.delta,
        frame.updates,
        frame.runs,
        frame.backlog,
        frame.task_time,
        frame.length,
        below_one(frame.alpha)
    )
}

/// A fraction below one, such that six decimals do not make it one.
fn below_one(alpha: f64) -> f64 {
    if alpha < 1.0 {
        alpha.min(0.999_999)
    } else {
        alpha
    }
}

fn write_runs(out: &mut dyn Write, lane: &Lane<Simulated>) -> std::io::Result<()> {
    let frame = lane.last_frame().number;
    lane.runs()
        .iter()
        .try_for_each(|run| writeln!(out, "{frame},{},{},{}", run.time, run.entity, run.elapsed))
}

fn write_summary(out: &mut dyn Write, lane: &Lane<Simulated>) -> std::io::Result<()> {
    let figures = lane.figures();
    let settings = lane.settings();
    let (lengths, intervals) = (figures.lengths(), figures.intervals());
    writeln!(
        out,
        "{} on {}, seed {}: {} frames in {:.3} s",
        settings.strategy.key,
        settings.frame_loop.key,
        settings.seed,
        figures.frames(),
        lane.machine().now().as_secs_f64()
    )?;
    let ms = Nanos::as_millis_f64;
    let rows = [
        (
            "tasks/frame",
            format!(
                "{:.2} mean, {} peak; {} in all",
                figures.mean_runs(),
                figures.peak_runs(),
                figures.runs()
            ),
        ),
        (
            "frame ms",
            format!(
                "{:.3} mean, {:.3} p50, {:.3} p95, {:.3} p99, {:.3} max",
                ms(lengths.mean()),
                ms(lengths.quantile(0.5)),
                ms(lengths.quantile(0.95)),
                ms(lengths.quantile(0.99)),
                ms(lengths.max())
            ),
        ),
        (
            "updates",
            format!(
                "{} in all; {} ms of debt dropped",
                figures.updates(),
                figures.debt_dropped()
            ),
        ),
        (
            "interval ms",
            if intervals.count() == 0 {
                "no task ran twice".to_owned()
            } else {
                format!(
                    "{:.3} mean, {:.3} standard deviation, {:.3} max",
                    ms(intervals.mean()),
                    ms(intervals.deviation()),
                    ms(intervals.max())
                )
            },
        ),
        (
            "backlog",
            format!(
                "{} peak, {} at the end",
                figures.peak_backlog(),
                lane.last_frame().backlog
            ),
        ),
        (
            "entities",
            format!(
                "{} alive, {} born",
                lane.world().tasks().len(),
                lane.world().born_so_far()
            ),
        ),
    ];
    rows.iter()
        .try_for_each(|(name, figures)| writeln!(out, "  {name:<12} {figures}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::ENTITIES;

    fn lane() -> Lane<Simulated> {
        let mut settings = Settings::default();
        settings.knobs.set(&ENTITIES, 3.0);
        Lane::new(settings.clone(), Simulated::new(&settings.knobs))
    }

    fn text(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_frame_is_one_line_with_every_nanosecond() {
        let mut lane = lane();
        lane.frame();
        let written = text(|out| write_frame(out, &lane));
        assert_eq!(
            written,
            "0,0.000000,0.000000,1,0,0,0.000000,16.666667,0.000000\n"
        );
        assert_eq!(written.split(',').count(), CSV_HEADER.split(',').count());
    }

    #[test]
    fn each_run_is_a_line_in_the_order_of_execution() {
        let mut lane = lane();
        while lane.runs().is_empty() {
            lane.frame();
        }
        let written = text(|out| write_runs(out, &lane));
        assert_eq!(written, "10,166.666667,0,166.666667\n");
    }

    #[test]
    fn a_summary_of_no_frames_is_still_true() {
        let summary = text(|out| write_summary(out, &lane()));
        assert!(summary.contains("0 frames in 0.000 s"), "{summary}");
        assert!(summary.contains("no task ran twice"), "{summary}");
    }
}
