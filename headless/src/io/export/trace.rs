//! Frames as Chrome trace events, for viewers such as Perfetto.
//!
//! The format is Google's "Trace Event Format": complete events (`"ph":"X"`) nest by their times, counters
//! (`"C"`) are drawn as curves, instants (`"i"`) as arrows. Times are microseconds with three decimals, so that no
//! nanosecond is lost.

use crate::history::TraceRun;
use crate::sim::lane::FrameRecord;
use crate::sim::lane::Update;
use crate::sim::settings::Settings;
use std::fmt;
use std::io::{self, Write};
use timeslicer::time::{ClockTime, Nanos};

/// Begins a trace of a lane with these settings, and notes the number of frames whose runs have been forgotten.
pub fn begin(
    out: &mut dyn Write,
    settings: &Settings,
    frames_without_tasks: u64,
) -> io::Result<()> {
    let (strategy, frame_loop) = (settings.strategy.key, settings.frame_loop.key);
    let incomplete = match frames_without_tasks {
        0 => String::new(),
        count => format!(",\"frames_without_tasks\":\"{count}\""),
    };
    write!(
        out,
        "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"strategy\":\"{strategy}\",\
         \"loop\":\"{frame_loop}\",\"seed\":\"{}\"{incomplete}}},\"traceEvents\":[\n\
         {{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\
         \"args\":{{\"name\":\"timeslice-lab\"}}}},\n\
         {{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\
         \"args\":{{\"name\":\"{strategy} on {frame_loop}\"}}}}",
        settings.seed
    )
}

/// Writes a frame with its `updates`. `runs` returns the runs of all updates in order, and is empty if the runs have
/// been forgotten.
pub fn frame(
    out: &mut dyn Write,
    frame: &FrameRecord,
    updates: &[Update],
    mut runs: impl Iterator<Item = TraceRun>,
) -> io::Result<()> {
    let FrameRecord {
        start,
        length,
        stall,
        ..
    } = *frame;
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
    if !stall.is_zero() {
        slice(out, "stall", start, stall, format_args!(""))?;
    }
    let mut ready = start + stall;
    if updates.is_empty() && frame.updates > 0 {
        // The updates are not listed: write one slice for all of them.
        let length = frame.task_time + frame.scheduling;
        let count = frame.updates;
        slice(
            out,
            "update",
            ready,
            length,
            format_args!("\"updates\":{count}"),
        )?;
        let after_tasks = ready + frame.task_time;
        slice(
            out,
            "scheduling",
            after_tasks,
            frame.scheduling,
            format_args!(""),
        )?;
        ready += length;
    }
    for update in updates {
        let length = update.task_time + update.scheduling;
        ready = update.start + length;
        slice(
            out,
            "update",
            update.start,
            length,
            format_args!("\"game_ms\":{},\"delta_ms\":{}", update.time, update.delta),
        )?;
        // Write the tasks back to back, and the scheduling after them. On a simulated machine this is exact, because
        // scheduling takes no time. On a real machine, scheduling happens between the tasks.
        let mut at = update.start;
        for run in runs.by_ref().take(update.runs) {
            slice(
                out,
                "task",
                at,
                run.took,
                format_args!("\"entity\":{},\"elapsed_ms\":{}", run.entity, run.elapsed),
            )?;
            at += run.took;
        }
        let after_tasks = update.start + update.task_time;
        slice(
            out,
            "scheduling",
            after_tasks,
            update.scheduling,
            format_args!(""),
        )?;
    }
    // The stall came first, but the record counts it as waiting.
    let waiting = frame.waiting - stall;
    let drawn = start + length - waiting;
    slice(out, "draw", ready, drawn - ready, format_args!(""))?;
    slice(out, "wait", drawn, waiting, format_args!(""))?;
    counter(
        out,
        "backlog",
        ready,
        format_args!("\"tasks\":{}", frame.backlog),
    )?;
    counter(out, "debt", ready, format_args!("\"ms\":{}", frame.debt))
}

/// Writes a change of the settings.
pub fn change(out: &mut dyn Write, label: &str, at: ClockTime) -> io::Result<()> {
    let (name, at) = (serde_json::json!(label), Micros(at.since_start()));
    write!(
        out,
        ",\n{{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"s\":\"p\",\"name\":{name},\"ts\":{at}}}"
    )
}

/// Ends the trace.
pub fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n]}}")
}

/// Writes a complete event, even if it took no time: a task without a cost still ran.
fn slice(
    out: &mut dyn Write,
    name: &str,
    start: ClockTime,
    length: Nanos,
    args: fmt::Arguments<'_>,
) -> io::Result<()> {
    let (start, length) = (Micros(start.since_start()), Micros(length));
    write!(
        out,
        ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"{name}\",\"ts\":{start},\"dur\":{length},\"args\":{{{args}}}}}"
    )
}

fn counter(
    out: &mut dyn Write,
    name: &str,
    at: ClockTime,
    value: fmt::Arguments<'_>,
) -> io::Result<()> {
    let at = Micros(at.since_start());
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
