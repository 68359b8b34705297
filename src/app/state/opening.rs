//! Opens the files that the user drops onto the window. They are read in the background, because they can be large. A
//! file with one number per line is used at once. Of any other file, the user first sees what was recognised in it.

use super::State;
use crate::app::platform::dropped_files::DroppedFile;
use crate::app::platform::in_background;
use lab::catalog::strategy::knobs::BUDGET;
use lab::cli::View;
use lab::files::measured;
use lab::import::{COSTS, Candidates, Capture, Choice, Kind, Summary};
use lab::sim::recording::Recording;
use lab::sim::settings::Setting;
use lab::text::format;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};

/// The dropped files that are not in use yet. The first one is being read, or waits for the user's decision.
#[derive(Default)]
pub struct Opening {
    files: VecDeque<Arc<DroppedFile>>,
    choice: Choice,
    reading: Option<Reading>,
    /// What the user can choose from, and the chosen index.
    pub candidates: Option<(Candidates, Option<usize>)>,
    pub preview: Option<Preview>,
}

struct Reading {
    result: Receiver<io::Result<Capture>>,
    done_bytes: Arc<AtomicU64>,
}

pub struct Preview {
    /// What was recognised in the file, and its summary.
    pub text: String,
    pub kind: &'static Kind,
    pub recording: Recording,
}

impl Opening {
    /// Returns the name of the file that waits for the user's decision, or of a large file that is being read.
    pub fn file_name(&self) -> Option<&str> {
        const LARGE_BYTES: usize = 1 << 20;
        let asks = self.candidates.is_some() || self.preview.is_some();
        let file = self.files.front()?;
        (asks || file.bytes.len() >= LARGE_BYTES).then_some(&*file.name)
    }

    /// Returns the fraction of the file that has been read, unless it is complete.
    pub fn progress(&self) -> Option<f32> {
        let done = self.reading.as_ref()?.done_bytes.load(Ordering::Relaxed);
        let size = self.files.front()?.bytes.len();
        Some(done as f32 / size.max(1) as f32)
    }

    fn read(&mut self) {
        let Some(file) = self.files.front().cloned() else {
            return;
        };
        let choice = self.choice.clone();
        let done_bytes = Arc::new(AtomicU64::new(0));
        let progress = Arc::clone(&done_bytes);
        let read = move || {
            let progress = |done| progress.store(done, Ordering::Relaxed);
            measured::read(&*file.bytes, None, &choice, progress)
        };
        let result = in_background(read);
        self.reading = Some(Reading { result, done_bytes });
    }

    /// Removes the first file, and starts to read the next one.
    fn close(&mut self) {
        self.files.pop_front();
        *self = Self {
            files: std::mem::take(&mut self.files),
            ..Self::default()
        };
        self.read();
    }
}

impl State {
    pub fn open_dropped(&mut self, files: Vec<DroppedFile>) {
        if files.is_empty() {
            return;
        }
        self.was_used = true;
        let is_idle = self.opening.files.is_empty();
        self.opening.files.extend(files.into_iter().map(Arc::new));
        if is_idle {
            self.opening.read();
        }
        self.continue_opening();
    }

    /// Uses or shows what has been read in the background.
    pub fn continue_opening(&mut self) {
        while let Some(reading) = &self.opening.reading {
            let read = match reading.result.try_recv() {
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => Err(io::Error::other("it could not be read")),
                Ok(read) => read,
            };
            self.opening.reading = None;
            let budget = self.settings.knobs.span(&BUDGET);
            let name = self.opening.files[0].name.clone();
            match read {
                Ok(capture) if capture.source.is_empty() => {
                    self.use_recording(capture.kind, capture.recording(&name));
                }
                Ok(capture) => {
                    self.note("asked about a capture");
                    self.opening.preview = Some(Preview {
                        text: Summary::new(&capture, budget).text(),
                        kind: capture.kind,
                        recording: capture.recording(&name),
                    });
                }
                Err(error) => match Candidates::of(error) {
                    Ok(candidates) => {
                        self.opening.candidates = Some((candidates, None));
                    }
                    Err(error) => {
                        let reason = format!("{name}: {error}");
                        self.note(format_args!("not opened: {reason}"));
                        self.saver.notify(reason, true);
                        self.opening.close();
                    }
                },
            }
        }
    }

    /// Reads the file again with the candidate at this index.
    pub fn choose_candidate(&mut self, index: usize) {
        if let Some((candidates, chosen)) = &mut self.opening.candidates
            && let Some((name, _)) = candidates.names.get(index)
        {
            *chosen = Some(index);
            candidates.choose(name.clone(), &mut self.opening.choice);
            self.opening.preview = None;
            self.opening.read();
            self.continue_opening();
        }
    }

    pub fn use_preview(&mut self) {
        if let Some(preview) = self.opening.preview.take() {
            self.use_recording(preview.kind, preview.recording);
            self.continue_opening();
        }
    }

    pub fn cancel_opening(&mut self) {
        self.opening.close();
        self.continue_opening();
    }

    fn use_recording(&mut self, kind: &Kind, recording: Recording) {
        type Wrap = fn(Option<Recording>) -> Setting;
        let (thing, setting, users): (&str, Wrap, &[View]) = if *kind == COSTS {
            ("task cost", Setting::OwnCosts, &[View::Grid, View::Compare])
        } else {
            ("frame time", Setting::FrameTimes, &[View::Compare])
        };
        let count = format::counted(recording.all.len() as u64, thing);
        let mut text = format!("loaded {count} from {}", recording.name);
        if !users.contains(&self.view) {
            let users: Vec<&str> = users.iter().map(|view| view.name()).collect();
            text = format!("{text}, which only {} use", users.join(" and "));
        }
        self.set(setting(Some(recording)));
        self.saver.notify(text, false);
        self.opening.close();
    }
}
