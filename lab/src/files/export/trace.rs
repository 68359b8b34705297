//! Writes frames as Chrome trace events, for viewers such as Perfetto.
//!
//! The format is Google's "Trace Event Format". Three kinds of events are used. Complete events (`"ph":"X"`) have a
//! start and a length, and viewers nest them by their times. Counters (`"C"`) are drawn as curves, and instants (`"i"`)
//! as arrows. Times are in microseconds to three decimal places, so that no nanosecond is lost.

use crate::sim::lane::{FrameRecord, Run, Update};
use crate::sim::settings::Settings;
use std::io::{self, Write};
use timeslicer::time::{ClockTime, Nanos};

/// Writes the beginning of a trace. The task runs of `frames_without_tasks` frames are not included in the trace.
pub fn begin(
    out: &mut dyn Write,
    settings: &Settings,
    frames_without_tasks: usize,
) -> io::Result<()> {
    let (strategy, frame_loop) = (settings.strategy.key, settings.frame_loop.key);
    let seed = settings.seed;
    let incomplete = match frames_without_tasks {
        0 => String::new(),
        count => format!(r#","frames_without_tasks":"{count}""#),
    };
    write!(
        out,
        r#"{{"displayTimeUnit":"ms","otherData":{{"strategy":"{strategy}","loop":"{frame_loop}","seed":"{seed}"{incomplete}}},"traceEvents":[
{{"ph":"M","pid":1,"name":"process_name","args":{{"name":"timeslice-lab"}}}},
{{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{{"name":"{strategy} on {frame_loop}"}}}}"#
    )
}

/// Writes a frame and its updates. `runs` contains the runs of all updates in order, or nothing if none were recorded.
pub fn frame(
    out: &mut dyn Write,
    frame: &FrameRecord,
    updates: &[Update],
    runs: &[Run],
) -> io::Result<()> {
    let (start, stall) = (frame.start, frame.stall);
    let args = format!(
        r#""frame":{},"updates":{},"tasks":{},"alpha":{}"#,
        frame.number, frame.updates, frame.runs, frame.alpha
    );
    slice(out, "frame", start, frame.length, &args)?;
    if !stall.is_zero() {
        slice(out, "stall", start, stall, "")?;
    }
    let mut ready = start + stall;
    for update in updates {
        let length = update.task_time + update.scheduling;
        ready = update.start + length;
        let args = format!(r#""game_ms":{},"delta_ms":{}"#, update.time, update.delta);
        slice(out, "update", update.start, length, &args)?;
        // Write the tasks back to back, and the scheduling after them. On a simulated machine this is exact, because
        // scheduling takes no time. On a real machine, scheduling actually happens between the tasks.
        let mut at = update.start;
        for run in runs.iter().skip(update.runs_before).take(update.runs) {
            let args = format!(r#""entity":{},"elapsed_ms":{}"#, run.entity, run.elapsed);
            slice(out, "task", at, run.took, &args)?;
            at += run.took;
        }
        let after_tasks = update.start + update.task_time;
        slice(out, "scheduling", after_tasks, update.scheduling, "")?;
    }
    // The record includes the stall in the waiting time, but the stall came at the start of the frame, not at the end.
    let waiting = frame.waiting.saturating_sub(stall);
    let drawn = start + frame.length - waiting;
    slice(out, "draw", ready, drawn.saturating_since(ready), "")?;
    slice(out, "wait", drawn, waiting, "")?;
    let at = micros(ready.since_start());
    for (name, unit, value) in [
        ("backlog", "tasks", frame.backlog.to_string()),
        ("debt", "ms", frame.debt.to_string()),
    ] {
        write!(
            out,
            r#",
{{"ph":"C","pid":1,"name":"{name}","ts":{at},"args":{{"{unit}":{value}}}}}"#
        )?;
    }
    Ok(())
}

/// Writes an instant event for a setting change or a disturbance.
pub fn change(out: &mut dyn Write, label: &str, at: ClockTime) -> io::Result<()> {
    let (name, at) = (serde_json::json!(label), micros(at.since_start()));
    write!(
        out,
        r#",
{{"ph":"i","pid":1,"tid":1,"s":"p","name":{name},"ts":{at}}}"#
    )
}

pub fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n]}}")
}

/// Writes an event with a start and a length. A length of zero is allowed, because a task may cost nothing.
fn slice(
    out: &mut dyn Write,
    name: &str,
    start: ClockTime,
    length: Nanos,
    args: &str,
) -> io::Result<()> {
    let (start, length) = (micros(start.since_start()), micros(length));
    write!(
        out,
        r#",
{{"ph":"X","pid":1,"tid":1,"name":"{name}","ts":{start},"dur":{length},"args":{{{args}}}}}"#
    )
}

/// Formats a time in microseconds, to three decimal places so that no nanosecond is lost.
pub fn micros(time: Nanos) -> String {
    let nanos = time.as_nanos();
    format!("{}.{:03}", nanos / 1000, nanos % 1000)
}
