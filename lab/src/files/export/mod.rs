//! Exports recorded frames as CSV tables and traces for other programs, and packs files into ZIP archives.
//!
//! The `run` command and the window share these functions, so both export the same bytes for the same frames. The
//! functions themselves do not open files.

pub mod trace;
mod zip;

pub use zip::zip_archive;

use crate::history::{History, PastFrame};
use crate::measure::FrameSums;
use crate::sim::lane::FrameRecord;
use crate::sim::settings::Settings;
use std::io::{self, Write};
use timeslicer::time::ClockTime;

/// The maximum number of task runs in an exported trace. The file then has about 60 MB. Larger ones slow viewers down.
const MAX_TRACED_RUNS: usize = 500_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl NamedFile {
    pub fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.to_owned(),
            bytes: bytes.into(),
        }
    }
}

pub const FRAMES_HEADER: &str =
    "frame,start_ms,delta_ms,updates,tasks,backlog,task_ms,frame_ms,alpha";

/// Writes the CSV row for a frame. Times are in milliseconds, with enough decimals to keep every nanosecond.
pub fn frame_row(out: &mut dyn Write, frame: &FrameRecord) -> io::Result<()> {
    // Rounding must not turn a fraction below 1 into 1, or a negative fraction into 0.
    let limit = match frame.alpha {
        ..0.0 => -0.000_001,
        ..1.0 => 0.999_999,
        _ => 1.0,
    };
    let alpha = frame.alpha.min(limit);
    writeln!(
        out,
        "{},{},{},{},{},{},{},{},{alpha:.6}",
        frame.number,
        frame.start,
        frame.delta,
        frame.updates,
        frame.runs,
        frame.backlog,
        frame.task_time,
        frame.length,
    )
}

/// A copy of recorded frames that can be saved while the simulation continues.
pub struct Snapshot {
    settings: Settings,
    /// The recorded frames. Old frames lack their task runs if the total would otherwise exceed [`MAX_TRACED_RUNS`].
    frames: Vec<PastFrame>,
    /// The setting changes and disturbances, each with the start time of its frame and a label.
    changes: Vec<(ClockTime, String)>,
}

impl Snapshot {
    pub fn of(history: &History, settings: &Settings) -> Self {
        let mut room = MAX_TRACED_RUNS;
        let frames = history.frames().iter().rev().map(|past| {
            let count = past.record.runs as usize;
            let runs = past.runs.as_ref().filter(|_| count <= room);
            room = room.saturating_sub(count);
            PastFrame {
                record: past.record.clone(),
                subject: past.subject.clone(),
                sums: FrameSums::default(), // they may be large, and are not saved
                updates: past.updates.clone(),
                runs: runs.cloned(),
                ..*past
            }
        });
        let mut frames: Vec<_> = frames.collect();
        frames.reverse();
        let changes = history.changes().iter().filter_map(|mark| {
            let past = history.frame(mark.at)?;
            Some((past.record.start, mark.label.clone()))
        });
        Self {
            settings: settings.clone(),
            frames,
            changes: changes.collect(),
        }
    }

    /// Returns the frames as a CSV file and as a trace, in the formats of `run --csv` and `run --trace`.
    pub fn files(&self) -> [NamedFile; 2] {
        let (mut csv, mut trace) = (Vec::new(), Vec::new());
        let _ = self.write(&mut csv, &mut trace); // writing to a Vec cannot fail
        [
            NamedFile::new("frames.csv", csv),
            NamedFile::new("trace.json", trace),
        ]
    }

    fn write(&self, csv: &mut dyn Write, trace: &mut dyn Write) -> io::Result<()> {
        writeln!(csv, "{FRAMES_HEADER}")?;
        let forgotten = self.frames.iter().filter(|past| past.has_forgotten());
        trace::begin(trace, &self.settings, forgotten.count())?;
        for (at, label) in &self.changes {
            trace::change(trace, label, *at)?;
        }
        for past in &self.frames {
            frame_row(csv, &past.record)?;
            trace::frame(trace, &past.record, &past.updates, past.runs())?;
        }
        trace::end(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lane, numbered_frame, numbered_frames, recorded, runs};
    use serde_json::Value;
    use timeslicer::time::Nanos;

    #[test]
    fn rows_keep_every_nanosecond_and_never_round_up() {
        for (alpha, text) in [
            (0.0, "0.000000"),
            (1.0, "1.000000"),
            (0.999_999_9, "0.999999"),
            (-1.0, "-1.000000"),
            (-0.000_000_1, "-0.000001"),
        ] {
            let frame = FrameRecord {
                updates: 1,
                length: Nanos::from_nanos(16_666_667),
                alpha,
                ..FrameRecord::default()
            };
            let mut bytes = Vec::new();
            frame_row(&mut bytes, &frame).unwrap();
            let row = String::from_utf8(bytes).unwrap();
            let before = "0,0.000000,0.000000,1,0,0,0.000000,16.666667";
            assert_eq!(row, format!("{before},{text}\n"));
            assert_eq!(row.split(',').count(), FRAMES_HEADER.split(',').count());
        }
    }

    fn trace_of(history: &History) -> Value {
        let [_, trace] = Snapshot::of(history, &Settings::default()).files();
        serde_json::from_slice(&trace.bytes).unwrap()
    }

    /// Returns the total duration of the slices with this name, in nanoseconds.
    fn sum(trace: &Value, name: &str) -> u64 {
        let events = trace["traceEvents"].as_array().unwrap().iter();
        let named = events.filter(|event| event["name"] == name);
        let lengths = named.filter_map(|event| event["dur"].as_f64());
        lengths.map(|micros| (micros * 1e3).round() as u64).sum()
    }

    #[test]
    fn frames_without_runs_keep_their_other_slices() {
        let history = recorded(&mut lane("fixed-interval", &[]), 60);
        let whole = trace_of(&history);
        assert!(whole["otherData"].get("frames_without_tasks").is_none());
        let ran = history.frames().iter().filter(|past| past.record.runs > 0);
        let ran = ran.count().to_string();
        let mut forgetful = History::default();
        for past in history.frames() {
            let mut past = past.clone();
            past.runs = past.runs.filter(Vec::is_empty);
            forgetful.push(past);
        }
        let trace = trace_of(&forgetful);
        assert_eq!(trace["otherData"]["frames_without_tasks"], ran.as_str());
        assert_eq!(sum(&trace, "task"), 0);
        for name in ["frame", "update", "draw", "wait", "scheduling"] {
            assert_eq!(sum(&trace, name), sum(&whole, name), "{name}");
        }
    }

    #[test]
    fn a_change_is_an_instant_at_its_frames_start() {
        let mut history = recorded(&mut lane("fixed-interval", &[]), 10);
        history.mark(4, Some("entities"), "Entities \"20\"".to_owned());
        let start = history.frame(4).unwrap().record.start;
        let trace = trace_of(&history);
        let events = trace["traceEvents"].as_array().unwrap();
        let change = events.iter().find(|event| event["ph"] == "i").unwrap();
        assert_eq!(change["name"], "Entities \"20\"");
        let at = start.since_start().as_nanos() as f64 / 1e3;
        assert_eq!(change["ts"].as_f64(), Some(at));
    }

    #[test]
    fn guide_states_the_number_of_stored_runs() {
        let runs = crate::text::format::grouped(MAX_TRACED_RUNS as u64);
        let words = format!("the last {runs} task runs");
        let guide = include_str!("../../../../docs/views.md");
        assert!(guide.contains(&words), "{words}");
    }

    #[test]
    fn only_the_last_runs_are_traced() {
        let mut history = numbered_frames(0);
        for number in 0..3 {
            let mut past = numbered_frame(number);
            past.record.runs = 200_000;
            past.runs = runs(&vec![7; 200_000], past.record.now);
            history.push(past);
        }
        let snapshot = Snapshot::of(&history, &Settings::default());
        let frames = snapshot.frames.iter();
        let counts: Vec<usize> = frames.map(|past| past.runs().len()).collect();
        assert_eq!(counts, [0, 200_000, 200_000]);
    }
}
