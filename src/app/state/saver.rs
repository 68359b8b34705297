//! Saves screenshots and data in the background, because this can take half a second, and reports the outcome.

use super::State;
use crate::app::platform::{self, SAVED_WHERE, screen};
use lab::files::export::NamedFile;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError};
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// How long a notice is shown. It takes time to read why something has failed.
pub const NOTICE_TIME: Nanos = Nanos::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveKind {
    Screenshot,
    /// A folder with an image of the screen and the measured data.
    Export,
}

/// The path of the saved file or folder, or the reason why it could not be saved.
type Outcome = Result<PathBuf, String>;

#[derive(Default)]
pub struct Saver {
    requests: Vec<SaveKind>,
    running: Option<(SaveKind, Receiver<Outcome>)>,
    notice: Option<Notice>,
}

pub struct Notice {
    pub text: String,
    pub failed: bool,
    until: ClockTime,
}

impl Saver {
    pub fn request(&mut self, kind: SaveKind) {
        if !self.requests.contains(&kind) {
            self.requests.push(kind);
        }
    }

    pub fn notify(&mut self, text: String, failed: bool) {
        self.notice = Some(Notice {
            text,
            failed,
            until: monotonic() + NOTICE_TIME,
        });
    }

    /// Returns the notice to show. While a save is requested, there is none, because the screenshot would show it.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref().filter(|_| self.requests.is_empty())
    }
}

fn lost() -> Outcome {
    Err("the file could not be saved because of an unexpected error".to_owned())
}

impl State {
    /// Starts the next requested save, and tells the user about saves that have finished.
    pub fn save(&mut self) {
        let clock = monotonic();
        self.saver.notice.take_if(|notice| clock >= notice.until);
        if let Some((kind, job)) = self.saver.running.take() {
            match job.try_recv() {
                Err(TryRecvError::Empty) => self.saver.running = Some((kind, job)),
                outcome => self.report_save(kind, &outcome.unwrap_or_else(|_| lost())),
            }
        }
        self.start_next_save();
    }

    /// Completes all requested saves before the program quits. If any of them fails, returns the first error.
    pub fn save_the_rest(&mut self) -> Result<(), String> {
        let mut all = Ok(());
        loop {
            self.start_next_save();
            let Some((kind, job)) = self.saver.running.take() else {
                return all;
            };
            let outcome = job.recv().unwrap_or_else(|_| lost());
            self.report_save(kind, &outcome);
            all = all.and(outcome.map(drop));
        }
    }

    /// Starts the next requested save, unless another save is in progress.
    fn start_next_save(&mut self) {
        if self.saver.running.is_none() && !self.saver.requests.is_empty() {
            let kind = self.saver.requests.remove(0);
            let export = (kind == SaveKind::Export).then(|| self.export());
            let stem = format!("timeslice-lab-{}-{}", self.view.key(), self.frames());
            let screen = screen::read_screen();
            let save = move || {
                let png = screen::png(&screen)?;
                // An export is a folder with the screenshot and the other files.
                let written = match export {
                    None => platform::save_file(&stem, ".png", &png),
                    Some(make) => {
                        let mut files = make();
                        files.push(NamedFile::new("picture.png", png));
                        platform::save_folder(&stem, &files)
                    }
                };
                written.map_err(|failure| failure.to_string())
            };
            self.saver.running = Some((kind, platform::in_background(save)));
        }
    }

    fn report_save(&mut self, kind: SaveKind, outcome: &Outcome) {
        let done = match kind {
            SaveKind::Screenshot => "screenshot",
            SaveKind::Export => "exported",
        };
        let text = match outcome {
            Err(reason) => {
                self.note(format_args!("not saved: {reason}"));
                reason.clone()
            }
            Ok(path) => {
                self.note(format_args!("{done} {}", path.display()));
                format!("saved {}{SAVED_WHERE}", path.display())
            }
        };
        self.saver.notify(text, outcome.is_err());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::tests::state;

    #[test]
    fn a_notice_tells_the_outcome_of_a_save() {
        for (outcome, text) in [
            (
                Ok("lab-7.png".into()),
                "saved lab-7.png in the current folder",
            ),
            (Err("cannot write lab-7".to_owned()), "cannot write lab-7"),
        ] {
            let (mut state, failed) = (state(), outcome.is_err());
            let job = platform::in_background(|| outcome);
            state.saver.running = Some((SaveKind::Export, job));
            assert_eq!(state.save_the_rest().is_err(), failed);
            let notice = state.saver.notice().expect("a notice");
            assert_eq!((&*notice.text, notice.failed), (text, failed));
        }
    }

    #[test]
    fn notice_waits_for_requests_and_disappears_after_its_time() {
        let mut state = state();
        state.saver.notify("copied".to_owned(), false);
        assert!(state.saver.notice().is_some());
        state.saver.request(SaveKind::Screenshot);
        let notice = state.saver.notice();
        assert!(notice.is_none(), "the screenshot would contain it");
        state.saver.requests.clear();
        state.save();
        assert!(state.saver.notice().is_some());
        let notice = state.saver.notice.as_mut().expect("a notice");
        notice.until = monotonic();
        state.save();
        assert!(state.saver.notice().is_none());
    }
}
