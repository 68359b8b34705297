//! Exports of frames for other programs: CSV tables, traces, ZIP archives.
//!
//! `run`, `compare` and the window share these functions, so equal frames give equal bytes. Nothing here opens a file.

mod snapshot;
pub mod trace;
mod zip;

pub use snapshot::Snapshot;
pub use zip::zip_archive;

use crate::sim::lane::FrameRecord;
use std::io::{self, Write};

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

/// Writes the row of one frame. Times are in milliseconds, with enough decimals to keep every nanosecond.
pub fn frame_row(out: &mut dyn Write, frame: &FrameRecord) -> io::Result<()> {
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

/// Keeps a fraction below 1 from being rounded up to 1 when it is printed with six decimals.
fn below_one(alpha: f64) -> f64 {
    if alpha < 1.0 {
        alpha.min(0.999_999)
    } else {
        alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::time::Nanos;

    #[test]
    fn rows_keep_every_nanosecond() {
        let frame = FrameRecord {
            updates: 1,
            length: Nanos::from_nanos(16_666_667),
            alpha: 0.999_999_9,
            ..FrameRecord::default()
        };
        let mut bytes = Vec::new();
        frame_row(&mut bytes, &frame).unwrap();
        let row = String::from_utf8(bytes).unwrap();
        assert_eq!(
            row,
            "0,0.000000,0.000000,1,0,0,0.000000,16.666667,0.999999\n"
        );
        assert_eq!(row.split(',').count(), FRAMES_HEADER.split(',').count());
    }
}
