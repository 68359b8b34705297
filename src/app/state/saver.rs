//! Saves screenshots, exports and recordings on request. Making and writing files can take half a second, so it happens
//! in the background, without freezing the game.

use super::State;
use super::export::{Export, MakeExport};
use crate::app::platform::{self, SAVED_WHERE, screen};
use headless::io::export::NamedFile;
use macroquad::texture::Image;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// How long a notice stays visible, in real time.
const NOTICED_FOR: Nanos = Nanos::from_secs(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveKind {
    /// The screen, as a PNG.
    Screenshot,
    /// The screen and its data, in a folder.
    Export,
    /// An animated GIF.
    Recording,
}

/// The path of a saved file or folder, and the summary of an export; or the reason of a failure.
type Outcome = Result<(PathBuf, String), String>;

/// Requested, running and finished saves.
#[derive(Default)]
pub struct Saver {
    requests: Vec<SaveKind>,
    running: Vec<(SaveKind, Receiver<Outcome>)>,
    notice: Option<Notice>,
}

pub struct Notice {
    pub text: String,
    pub failed: bool,
    until: ClockTime,
}

impl Saver {
    /// Requests a save with the next picture.
    pub fn request(&mut self, kind: SaveKind) {
        if !self.requests.contains(&kind) {
            self.requests.push(kind);
        }
    }

    /// Returns the next save to start with the picture on screen; `None` while another save, other than a recording,
    /// runs.
    fn due(&self) -> Option<SaveKind> {
        let mut running = self.running.iter();
        let is_free = running.all(|(kind, _)| *kind == SaveKind::Recording);
        self.requests.first().filter(|_| is_free).copied()
    }

    pub(super) fn start(
        &mut self,
        kind: SaveKind,
        save: impl FnOnce() -> Outcome + Send + 'static,
    ) {
        self.requests.retain(|other| *other != kind);
        let (sender, receiver) = channel();
        platform::in_background(move || {
            let _ = sender.send(save()); // fails only if the program has ended
        });
        self.running.push((kind, receiver));
    }

    /// Takes a save that has finished.
    fn take_finished(&mut self) -> Option<(SaveKind, Outcome)> {
        for (index, (kind, job)) in self.running.iter().enumerate() {
            let outcome = match job.try_recv() {
                Err(TryRecvError::Empty) => continue,
                Ok(outcome) => outcome,
                Err(TryRecvError::Disconnected) => lost(),
            };
            let kind = *kind;
            self.running.swap_remove(index);
            return Some((kind, outcome));
        }
        None
    }

    pub fn notify(&mut self, text: String, failed: bool) {
        self.notice = Some(Notice {
            text,
            failed,
            until: monotonic() + NOTICED_FOR,
        });
    }

    fn expire_notice(&mut self, clock: ClockTime) {
        self.notice.take_if(|notice| clock >= notice.until);
    }

    /// Message to show; `None` while a save is requested, so that no saved picture contains the message.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref().filter(|_| self.requests.is_empty())
    }
}

fn lost() -> Outcome {
    Err("saving failed unexpectedly".to_owned())
}

/// Saves the screen in `folder` under the name `stem` or a similar unused name: alone, or in a folder with the files of
/// an export.
fn save_screen(screen: &Image, export: Option<MakeExport>, folder: &Path, stem: &str) -> Outcome {
    let png = screen::png(screen)?;
    let (written, summary) = match export {
        None => (
            platform::save_file(folder, stem, ".png", &png),
            String::new(),
        ),
        Some(make) => {
            let Export { mut files, summary } = make();
            files.push(NamedFile::new("picture.png", png));
            (platform::save_folder(folder, stem, &files), summary)
        }
    };
    let path = written.map_err(|failure| failure.to_string())?;
    Ok((path, summary))
}

impl State {
    /// Starts a requested save, and reports a finished one.
    pub fn save(&mut self) {
        self.saver.expire_notice(monotonic());
        if let Some((kind, outcome)) = self.saver.take_finished() {
            self.report_save(kind, &outcome);
        }
        self.start_due_save();
    }

    /// Completes all requested saves before the program quits. Returns the reason of the first failure.
    pub fn save_the_rest(&mut self) -> Result<(), String> {
        self.end_recording(monotonic());
        let mut all = Ok(());
        loop {
            self.start_due_save();
            let Some((kind, job)) = self.saver.running.pop() else {
                return all;
            };
            let outcome = job.recv().unwrap_or_else(|_| lost());
            self.report_save(kind, &outcome);
            all = all.and(outcome.map(drop));
        }
    }

    fn start_due_save(&mut self) {
        let Some(kind) = self.saver.due() else {
            return;
        };
        let export = match kind {
            SaveKind::Export => self.export(),
            SaveKind::Screenshot | SaveKind::Recording => None,
        };
        let (screen, stem) = (screen::read_screen(), self.picture_name());
        let save = move || save_screen(&screen, export, Path::new(""), &stem);
        self.saver.start(kind, save);
    }

    /// Shows the outcome of a save to the user, and logs it.
    fn report_save(&mut self, kind: SaveKind, outcome: &Outcome) {
        let (done, failed) = match kind {
            SaveKind::Screenshot => ("screenshot", "no screenshot"),
            SaveKind::Export => ("exported", "no export"),
            SaveKind::Recording => ("recorded", "no recording"),
        };
        let text = match outcome {
            Err(reason) => {
                self.note(format_args!("{failed}: {reason}"));
                reason.clone()
            }
            Ok((path, summary)) => {
                self.note(format_args!("{done} {}", path.display()));
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if kind == SaveKind::Export {
                    format!("saved {name}: {summary}")
                } else if path.parent() == Some(Path::new("")) {
                    format!("saved {name} {SAVED_WHERE}")
                } else {
                    format!("saved {}", path.display()) // the path of a flag
                }
            }
        };
        self.saver.notify(text, outcome.is_err());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::tests::state;
    use std::fs;

    fn files() -> MakeExport {
        Box::new(|| Export {
            files: vec![NamedFile::new("frames.csv", "frame\n")],
            summary: "1 frame".to_owned(),
        })
    }

    /// Saves a picture of one pixel and waits until it is saved. Returns the outcome and the notice.
    fn save(export: Option<MakeExport>, folder: &Path) -> (Result<(), String>, String) {
        let mut state = state();
        let kind = match export {
            Some(_) => SaveKind::Export,
            None => SaveKind::Screenshot,
        };
        let screen = Image {
            width: 1,
            height: 1,
            bytes: vec![1, 2, 3, 255],
        };
        let folder = folder.to_owned();
        state
            .saver
            .start(kind, move || save_screen(&screen, export, &folder, "lab-7"));
        let outcome = state.save_the_rest();
        let notice = state.saver.notice().expect("it tells the outcome");
        assert_eq!(notice.failed, outcome.is_err());
        (outcome, notice.text.clone())
    }

    #[test]
    fn saves_get_unused_names_and_hold_everything() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in ["lab-7.png", "lab-7-2.png", "lab-7-3.png"] {
            let path = folder.join(name);
            let (_, notice) = save(None, folder);
            assert_eq!(notice, format!("saved {}", path.display()));
            assert!(fs::read(path).unwrap().starts_with(b"\x89PNG"));
        }
        let (_, notice) = save(Some(files()), folder);
        assert_eq!(notice, "saved lab-7: 1 frame");
        let path = folder.join("lab-7");
        assert_eq!(fs::read(path.join("frames.csv")).unwrap(), b"frame\n");
        assert!(path.join("picture.png").is_file());
    }

    #[test]
    fn failed_save_shows_its_reason() {
        for (export, name) in [(None, "lab-7.png"), (Some(files()), "lab-7")] {
            let (outcome, notice) = save(export, Path::new("/nowhere/at/all"));
            let reason = outcome.unwrap_err();
            let path = format!("/nowhere/at/all/{name}");
            assert!(reason.contains(&path) && notice == reason, "{reason}");
        }
    }

    #[test]
    fn requests_are_saved_one_after_the_other_and_beside_a_recording() {
        let mut saver = Saver::default();
        for kind in [SaveKind::Export, SaveKind::Screenshot, SaveKind::Export] {
            saver.request(kind);
        }
        let full = || Err("full".to_owned());
        saver.start(SaveKind::Recording, full);
        for kind in [SaveKind::Export, SaveKind::Screenshot] {
            assert_eq!(saver.due(), Some(kind));
            saver.start(kind, full);
            assert_eq!(saver.due(), None, "one at a time");
            saver.running.pop();
        }
        assert!(saver.due().is_none());
    }

    #[test]
    fn notice_waits_for_requests_and_disappears_after_three_seconds() {
        let mut saver = Saver::default();
        saver.notify("copied".to_owned(), false);
        assert!(saver.notice().is_some());
        saver.request(SaveKind::Screenshot);
        assert!(saver.notice().is_none(), "the screenshot would contain it");
        saver.requests.clear();
        let until = saver.notice().expect("a notice").until;
        saver.expire_notice(until - Nanos::from_millis(1));
        assert!(saver.notice().is_some());
        saver.expire_notice(until);
        assert!(saver.notice().is_none());
    }
}
