//! What happened when, as Chrome trace events, for Perfetto and its like.
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
use timeslice::time::{ClockTime, Nanos};

/// Begins a trace of a lane with these settings. Where the tasks of some frames are not known any more, it says of
/// how many.
///
/// # Errors
/// Where `out` cannot be written to.
pub fn begin(
    out: &mut dyn Write,
    settings: &Settings,
    frames_without_tasks: u64,
) -> io::Result<()> {
    let (strategy, frame_loop) = (settings.strategy.key, settings.frame_loop.key);
    let lacking = match frames_without_tasks {
        0 => String::new(),
        count => format!(",\"frames_without_tasks\":\"{count}\""),
    };
    write!(
        out,
        "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"strategy\":\"{strategy}\",\
         \"loop\":\"{frame_loop}\",\"seed\":\"{}\"{lacking}}},\"traceEvents\":[\n\
         {{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\
         \"args\":{{\"name\":\"timeslice-lab\"}}}},\n\
         {{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\
         \"args\":{{\"name\":\"{strategy} on {frame_loop}\"}}}}",
        settings.seed
    )
}

/// Writes a frame: its `updates`, and in them `runs`, which are those of all its updates in order, or none where
/// nobody knows them any more. It was `stalled` for so long before its first update.
///
/// # Errors
/// Where `out` cannot be written to.
pub fn frame(
    out: &mut dyn Write,
    frame: &FrameRecord,
    stalled: Nanos,
    updates: &[Update],
    mut runs: impl Iterator<Item = TraceRun>,
) -> io::Result<()> {
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
    if !stalled.is_zero() {
        slice(out, "stall", start, stalled, format_args!(""))?;
    }
    let mut ready = start + stalled;
    if updates.is_empty() && frame.updates > 0 {
        // All of them in one piece.
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
        // One after another. On the simulated machine scheduling takes no time, and this is how it was; on a
        // real one it is told as one piece after the tasks.
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
    // What a frame was stalled is part of its waiting, though it came first.
    let waiting = frame.waiting - stalled;
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

/// Something was changed at that time.
///
/// # Errors
/// Where `out` cannot be written to.
pub fn change(out: &mut dyn Write, what: &str, at: ClockTime) -> io::Result<()> {
    let (name, at) = (serde_json::json!(what), Micros(at.since_start()));
    write!(
        out,
        ",\n{{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"s\":\"p\",\"name\":{name},\"ts\":{at}}}"
    )
}

/// Ends it.
///
/// # Errors
/// Where `out` cannot be written to.
pub fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n]}}")
}

/// Something that took from `start` on so long. What took no time is told, too: a task has run, and the sums are
/// of all.
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
