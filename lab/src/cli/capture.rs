//! The `capture` command, which summarises a file of task costs or frame times.

use super::console::{clear_progress, show_progress};
use crate::catalog::strategy::knobs::BUDGET;
use crate::cli::values;
use crate::files::measured::{self, FRAME_TIMES, Kind};
use crate::files::output::{Failure, write_whole};
use crate::import::{Capture, Choice, Summary};
use clap::Args;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use timeslicer::time::Nanos;

#[derive(Clone, Debug, Args)]
pub struct CaptureOptions {
    /// File to read.
    pub file: PathBuf,
    /// Read frame times. Needed if the file does not name them as such, for example if it has one number per line.
    #[arg(long = "frame-times")]
    pub is_of_frames: bool,
    #[arg(skip)]
    pub choice: Choice,
    /// Budget to compare the costs with, in ms.
    #[arg(long, value_name = "X", value_parser = values::span(&BUDGET), default_value = "4")]
    pub budget_ms: Nanos,
    /// Print the values as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Reads a file and prints its summary.
pub fn capture(options: &CaptureOptions) -> Result<(), Failure> {
    let kind = options.is_of_frames.then_some(&FRAME_TIMES);
    let capture = open(&options.file, kind, &options.choice)?;
    let summary = Summary::new(&capture, options.budget_ms);
    let text = if options.json {
        format!("{:#}\n", summary.to_json())
    } else {
        summary.text()
    };
    write_whole(Path::new("-"), text.as_bytes())
}

/// Reads a file and shows the progress. The error names the file.
pub(super) fn open(
    path: &Path,
    kind: Option<&'static Kind>,
    choice: &Choice,
) -> Result<Capture, Failure> {
    const MIB: u64 = 1 << 20;
    let shown = path.display();
    let capture = File::open(path).and_then(|file| {
        let size = file.metadata()?.len(); // zero for a pipe
        measured::read(file, kind, choice, |done| {
            show_progress((done / MIB) as usize, (size / MIB) as usize, "MiB");
        })
    });
    clear_progress();
    capture.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Failure::new(format!("{shown}: {error}"), 2),
        _ => Failure::new(format!("cannot read {shown}: {error}"), 1),
    })
}
