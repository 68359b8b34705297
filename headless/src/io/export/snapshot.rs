//! A copy of a history, to be saved while the lane continues.

use super::{FRAMES_HEADER, NamedFile, frame_row, trace};
use crate::history::{FrameTrace, History};
use crate::sim::lane::FrameRecord;
use crate::sim::settings::Settings;
use std::io::{self, Write};
use timeslicer::time::ClockTime;

#[derive(Clone, Debug)]
pub struct Snapshot {
    settings: Settings,
    frames: Vec<(FrameRecord, FrameTrace)>,
    changes: Vec<(ClockTime, String)>,
}

impl Snapshot {
    /// Copies the history of a lane with these settings.
    pub fn of(history: &History, settings: &Settings) -> Self {
        let frames = history.frames().iter();
        let start = |mark: &crate::history::ChangeMark| {
            let past = history.frame(mark.frame)?;
            Some((past.record.start, mark.label.clone()))
        };
        Self {
            settings: settings.clone(),
            frames: frames
                .map(|past| (past.record.clone(), past.traced.clone()))
                .collect(),
            changes: history.marks().filter_map(start).collect(),
        }
    }

    pub fn frames(&self) -> u64 {
        self.frames.len() as u64
    }

    /// Number of frames whose runs have been forgotten.
    pub fn frames_without_tasks(&self) -> u64 {
        let without = |(record, traced): &&(FrameRecord, FrameTrace)| {
            record.runs > 0 && traced.runs.is_none()
        };
        self.frames.iter().filter(without).count() as u64
    }

    /// Returns the frames as CSV and as a trace, like `run --csv` and `run --trace`.
    pub fn files(&self) -> [NamedFile; 2] {
        let (mut csv, mut trace) = (Vec::new(), Vec::new());
        // Writing to a Vec cannot fail.
        let _ = self.write_csv(&mut csv);
        let _ = self.write_trace(&mut trace);
        [
            NamedFile::new("frames.csv", csv),
            NamedFile::new("trace.json", trace),
        ]
    }

    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{FRAMES_HEADER}")?;
        let mut records = self.frames.iter().map(|(record, _)| record);
        records.try_for_each(|record| frame_row(out, record))
    }

    fn write_trace(&self, out: &mut dyn Write) -> io::Result<()> {
        trace::begin(out, &self.settings, self.frames_without_tasks())?;
        for (at, label) in &self.changes {
            trace::change(out, label, *at)?;
        }
        for (record, traced) in &self.frames {
            let runs = traced.runs.iter().flatten().copied();
            trace::frame(out, record, &traced.updates, runs)?;
        }
        trace::end(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lane, recorded};
    use serde_json::Value;

    fn trace_of(history: &History) -> Value {
        let [_, trace] = Snapshot::of(history, &Settings::default()).files();
        serde_json::from_slice(&trace.bytes).unwrap()
    }

    /// Total length of the slices with this name, in nanoseconds.
    fn sum(trace: &Value, name: &str) -> u64 {
        let events = trace["traceEvents"].as_array().unwrap().iter();
        let named = events.filter(|event| event["name"] == name);
        let lengths = named.filter_map(|event| event["dur"].as_f64());
        lengths.map(|micros| (micros * 1e3).round() as u64).sum()
    }

    #[test]
    fn an_empty_history_has_a_valid_csv_and_trace() {
        let snapshot = Snapshot::of(&History::default(), &Settings::default());
        let [csv, _] = snapshot.files();
        assert_eq!(csv.name, "frames.csv");
        assert_eq!(csv.bytes, format!("{FRAMES_HEADER}\n").into_bytes());
        assert_eq!(snapshot.frames(), 0);
        let trace = trace_of(&History::default());
        assert_eq!(trace["traceEvents"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn frames_without_runs_keep_their_other_slices() {
        let mut history = recorded(&mut lane("fixed-interval", &[]), 60);
        let whole = trace_of(&history);
        assert!(whole["otherData"].get("frames_without_tasks").is_none());
        let mut forgetful = History::default();
        let ran = history.frames().iter().filter(|past| past.record.runs > 0);
        let ran = ran.count();
        for past in std::mem::take(&mut history).frames() {
            let mut past = past.clone();
            past.traced = FrameTrace::default();
            past.traced.runs = (past.record.runs == 0).then(Vec::new);
            forgetful.push(past);
        }
        let trace = trace_of(&forgetful);
        assert_eq!(
            trace["otherData"]["frames_without_tasks"],
            ran.to_string().as_str()
        );
        assert_eq!(sum(&trace, "task"), 0);
        for name in ["frame", "update", "draw", "wait", "scheduling"] {
            assert_eq!(sum(&trace, name), sum(&whole, name), "{name}");
        }
    }

    #[test]
    fn a_change_is_an_instant_at_its_frames_start() {
        let mut history = recorded(&mut lane("fixed-interval", &[]), 10);
        history.mark(4, "entities", "Entities \"20\"".to_owned());
        let start = history.frame(4).unwrap().record.start;
        let trace = trace_of(&history);
        let events = trace["traceEvents"].as_array().unwrap();
        let change = events.iter().find(|event| event["ph"] == "i").unwrap();
        assert_eq!(change["name"], "Entities \"20\"");
        assert_eq!(
            change["ts"].as_f64(),
            Some(start.since_start().as_nanos() as f64 / 1e3)
        );
    }
}
