//! `run --trace`: what happened when, as Chrome trace events, for Perfetto and its like.
//!
//! The format is Google's "Trace Event Format": complete events (`"ph":"X"`) nest by their times, counters
//! (`"C"`) are drawn as curves. Times are microseconds with three decimals, so that no nanosecond is lost.

use crate::lane::Lane;
use crate::machine::Machine;
use crate::metrics::FrameRecord;
use crate::output::{Failure, Output};
use crate::time::Nanos;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// A trace that is written frame by frame: it takes no memory that grows.
pub(super) struct Trace {
    output: Output,
}

impl Trace {
    /// Begins a trace of `lane`.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(super) fn create<M: Machine>(path: &Path, lane: &Lane<M>) -> Result<Self, Failure> {
        let mut output = Output::create(path)?;
        let settings = lane.settings();
        let (strategy, frame_loop) = (settings.strategy.key, settings.frame_loop.key);
        output.write(|out| {
            write!(
                out,
                "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"strategy\":\"{strategy}\",\
                 \"loop\":\"{frame_loop}\",\"seed\":\"{}\"}},\"traceEvents\":[\n\
                 {{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\
                 \"args\":{{\"name\":\"timeslice-lab\"}}}},\n\
                 {{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\
                 \"args\":{{\"name\":\"{strategy} on {frame_loop}\"}}}}",
                settings.seed
            )
        })?;
        Ok(Self { output })
    }

    pub(super) fn output(&self) -> &Output {
        &self.output
    }

    /// Writes the last frame.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(super) fn frame<M: Machine>(&mut self, lane: &Lane<M>) -> Result<(), Failure> {
        self.output.write(|out| write_frame(out, lane))
    }

    /// Ends it; only now the file gets its name.
    ///
    /// # Errors
    /// Where the last of it cannot be written.
    pub(super) fn complete(mut self) -> Result<(), Failure> {
        self.output.write(|out| writeln!(out, "\n]}}"))?;
        self.output.complete()
    }
}

fn write_frame<M: Machine>(out: &mut dyn Write, lane: &Lane<M>) -> io::Result<()> {
    let frame = lane.last_frame();
    let FrameRecord { start, length, .. } = *frame;
    slice(
        out,
        "frame",
        start,
        length,
        format_args!(
            "\"frame\":{},\"updates\":{},\"tasks\":{},\"alpha\":{}",
            frame.number, frame.updates, frame.runs, frame.alpha
        ),
    )?;
    let mut updated = start;
    for update in lane.updates() {
        let length = update.task_time + update.scheduling;
        updated = update.start + length;
        slice(
            out,
            "update",
            update.start,
            length,
            format_args!("\"game_ms\":{},\"delta_ms\":{}", update.time, update.delta),
        )?;
        // One after another. On the simulated machine scheduling takes no time, and this is how it was; on a
        // real one it is told as one piece after the tasks.
        let mut at = update.start;
        let runs = &lane.runs()[update.runs_before..update.runs_before + update.runs];
        for run in runs {
            slice(
                out,
                "task",
                at,
                run.took,
                format_args!("\"entity\":{},\"elapsed_ms\":{}", run.entity, run.elapsed),
            )?;
            at += run.took;
        }
        slice(out, "scheduling", at, update.scheduling, format_args!(""))?;
    }
    let drawn = start + length - frame.waiting;
    slice(out, "draw", updated, drawn - updated, format_args!(""))?;
    slice(out, "wait", drawn, frame.waiting, format_args!(""))?;
    counter(
        out,
        "backlog",
        updated,
        format_args!("\"tasks\":{}", frame.backlog),
    )?;
    counter(out, "debt", updated, format_args!("\"ms\":{}", frame.debt))
}

/// Something that took from `start` on so long. What took no time is told, too: a task has run, and the sums are
/// of all.
fn slice(
    out: &mut dyn Write,
    name: &str,
    start: Nanos,
    length: Nanos,
    args: fmt::Arguments<'_>,
) -> io::Result<()> {
    let (start, length) = (Micros(start), Micros(length));
    write!(
        out,
        ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"{name}\",\"ts\":{start},\"dur\":{length},\"args\":{{{args}}}}}"
    )
}

fn counter(
    out: &mut dyn Write,
    name: &str,
    at: Nanos,
    value: fmt::Arguments<'_>,
) -> io::Result<()> {
    let at = Micros(at);
    write!(
        out,
        ",\n{{\"ph\":\"C\",\"pid\":1,\"name\":\"{name}\",\"ts\":{at},\"args\":{{{value}}}}}"
    )
}

/// Microseconds with three decimals: whole nanoseconds.
struct Micros(Nanos);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        write!(f, "{}.{:03}", nanos / 1000, nanos % 1000)
    }
}
