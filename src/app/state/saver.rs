//! Saves screenshots, exports and recordings on request. Making and writing files can take half a second, so it happens
//! in the background, without freezing the game.

use super::State;
use super::export::{Export, MakeExport};
use crate::app::platform::{self, BackgroundJob, SAVED_WHERE, png};
use headless::io::atomic_file::{Failure, write_whole};
use headless::io::export::NamedFile;
use macroquad::texture::Image;
use std::path::{Path, PathBuf};
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

/// Name of a recording's file.
pub enum RecordingName {
    /// This path, which may exist.
    Path(PathBuf),
    /// This stem or a similar unused name, in the current folder.
    Stem(String),
}

/// A finished save: its kind, and its path or the reason why it failed.
type Outcome = (SaveKind, Result<PathBuf, String>);

/// Requested, running and finished saves.
#[derive(Default)]
pub struct Saver {
    requests: Vec<SaveKind>,
    running: Vec<(SaveKind, BackgroundJob<Result<Saved, String>>)>,
    notice: Option<Notice>,
}

struct Saved {
    path: PathBuf,
    /// Summary of an export; otherwise empty.
    summary: String,
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

    /// Returns the next save to start with the picture on screen; `None` while another save runs.
    fn due(&self) -> Option<SaveKind> {
        let next = self.requests.first();
        next.filter(|_| self.running.is_empty()).copied()
    }

    fn start(
        &mut self,
        kind: SaveKind,
        save: impl FnOnce() -> Result<Saved, String> + Send + 'static,
    ) {
        self.requests.retain(|other| *other != kind);
        self.running.push((kind, BackgroundJob::start(save)));
    }

    /// Saves a recording, which `encode` returns.
    pub fn save_recording(
        &mut self,
        encode: impl FnOnce() -> Result<Vec<u8>, String> + Send + 'static,
        name: RecordingName,
    ) {
        self.start(SaveKind::Recording, move || {
            let gif = encode()?;
            let written = match name {
                RecordingName::Path(path) => write_whole(&path, &gif).map(|()| path),
                RecordingName::Stem(stem) => {
                    platform::save_file(Path::new(""), &stem, ".gif", &gif)
                }
            };
            saved(written, String::new())
        });
    }

    /// Returns a save that has finished since the last call. `clock` is real time.
    fn finished(&mut self, clock: ClockTime) -> Option<Outcome> {
        if self.notice.as_ref().is_some_and(|it| clock >= it.until) {
            self.notice = None;
        }
        let over = self.running.iter().position(|(_, job)| job.is_over())?;
        let (kind, job) = self.running.swap_remove(over);
        Some((kind, self.end(kind, job, clock)))
    }

    /// Like [`finished`](Self::finished), but blocks until a save in progress has finished.
    fn wait(&mut self, clock: ClockTime) -> Option<Outcome> {
        let (kind, job) = self.running.pop()?;
        Some((kind, self.end(kind, job, clock)))
    }

    fn end(
        &mut self,
        kind: SaveKind,
        job: BackgroundJob<Result<Saved, String>>,
        clock: ClockTime,
    ) -> Result<PathBuf, String> {
        let lost = || Err("saving failed unexpectedly".to_owned());
        let outcome = job.end().unwrap_or_else(lost);
        let text = match &outcome {
            Ok(Saved { path, summary }) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                match kind {
                    // The path of a flag may be in any folder.
                    SaveKind::Recording if path.parent() != Some(Path::new("")) => {
                        format!("saved {}", path.display())
                    }
                    SaveKind::Screenshot | SaveKind::Recording => {
                        format!("saved {name} {SAVED_WHERE}")
                    }
                    SaveKind::Export => format!("saved {name}: {summary}"),
                }
            }
            Err(reason) => reason.clone(),
        };
        self.show_notice(text, outcome.is_err(), clock);
        outcome.map(|saved| saved.path)
    }

    pub fn notify(&mut self, text: String, clock: ClockTime) {
        self.show_notice(text, false, clock);
    }

    fn show_notice(&mut self, text: String, failed: bool, clock: ClockTime) {
        self.notice = Some(Notice {
            text,
            failed,
            until: clock + NOTICED_FOR,
        });
    }

    /// Message to show; `None` while a save is requested, so that no saved picture contains the message.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref().filter(|_| self.requests.is_empty())
    }
}

/// Saves the screen in `folder` under the name `stem` or a similar unused name: alone, or in a folder with the files of
/// an export.
fn save_screen(
    screen: &Image,
    export: Option<MakeExport>,
    folder: &Path,
    stem: &str,
) -> Result<Saved, String> {
    let png = png::png(screen)?;
    let Some(make) = export else {
        let written = platform::save_file(folder, stem, ".png", &png);
        return saved(written, String::new());
    };
    let Export { mut files, summary } = make();
    files.push(NamedFile::new("picture.png", png));
    saved(platform::save_folder(folder, stem, &files), summary)
}

fn saved(written: Result<PathBuf, Failure>, summary: String) -> Result<Saved, String> {
    written
        .map(|path| Saved { path, summary })
        .map_err(|failure| failure.to_string())
}

impl State {
    /// Starts a requested save, and logs a finished one.
    pub fn save(&mut self) {
        if let Some(outcome) = self.saver.finished(monotonic()) {
            self.note_saved(&outcome);
        }
        self.start_due_save();
    }

    /// Completes all requested saves before the program quits. Returns the reason of the first failure.
    pub fn save_the_rest(&mut self) -> Result<(), String> {
        self.end_recording(monotonic());
        let mut all = Ok(());
        loop {
            self.start_due_save();
            let Some(outcome) = self.saver.wait(monotonic()) else {
                return all;
            };
            self.note_saved(&outcome);
            all = all.and(outcome.1.map(drop));
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
        let (screen, stem) = (platform::screen(), self.picture_name());
        let save = move || save_screen(&screen, export, Path::new(""), &stem);
        self.saver.start(kind, save);
    }

    fn note_saved(&mut self, (kind, result): &Outcome) {
        let (done, failed) = match kind {
            SaveKind::Screenshot => ("screenshot", "no screenshot"),
            SaveKind::Export => ("exported", "no export"),
            SaveKind::Recording => ("recorded", "no recording"),
        };
        match result {
            Ok(path) => self.note(format_args!("{done} {}", path.display())),
            Err(sentence) => self.note(format_args!("{failed}: {sentence}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn files() -> MakeExport {
        Box::new(|| Export {
            files: vec![NamedFile::new("frames.csv", "frame\n")],
            summary: "1 frame".to_owned(),
        })
    }

    /// Saves a picture of one pixel and waits until it is saved. Returns the outcome and the notice.
    fn save(
        saver: &mut Saver,
        export: Option<MakeExport>,
        folder: &Path,
    ) -> (Result<PathBuf, String>, String) {
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
        saver.start(kind, move || save_screen(&screen, export, &folder, "lab-7"));
        let (_, outcome) = saver.wait(ClockTime::START).expect("a save is running");
        let notice = saver.notice.as_ref().expect("it tells the outcome");
        assert_eq!(notice.failed, outcome.is_err());
        (outcome, notice.text.clone())
    }

    #[test]
    fn saves_get_unused_names_and_hold_everything() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut saver = Saver::default();
        for name in ["lab-7.png", "lab-7-2.png", "lab-7-3.png"] {
            let (path, notice) = save(&mut saver, None, folder);
            assert_eq!(path, Ok(folder.join(name)));
            assert_eq!(notice, format!("saved {name} in the current folder"));
            assert!(fs::read(folder.join(name)).unwrap().starts_with(b"\x89PNG"));
        }
        let (path, notice) = save(&mut saver, Some(files()), folder);
        let path = path.unwrap();
        assert_eq!(path, folder.join("lab-7"));
        assert_eq!(notice, "saved lab-7: 1 frame");
        assert_eq!(fs::read(path.join("frames.csv")).unwrap(), b"frame\n");
        assert!(path.join("picture.png").is_file());
    }

    #[test]
    fn failed_save_shows_its_reason() {
        for (export, name) in [(None, "lab-7.png"), (Some(files()), "lab-7")] {
            let nowhere = Path::new("/nowhere/at/all");
            let (outcome, notice) = save(&mut Saver::default(), export, nowhere);
            let reason = outcome.unwrap_err();
            let path = format!("/nowhere/at/all/{name}");
            assert!(reason.contains(&path) && notice == reason, "{reason}");
        }
    }

    #[test]
    fn requests_are_saved_one_after_the_other() {
        let mut saver = Saver::default();
        for kind in [SaveKind::Export, SaveKind::Screenshot, SaveKind::Export] {
            saver.request(kind);
        }
        for kind in [SaveKind::Export, SaveKind::Screenshot] {
            assert_eq!(saver.due(), Some(kind));
            saver.start(kind, || Err("full".to_owned()));
            assert_eq!(saver.due(), None, "one at a time");
            assert!(saver.wait(ClockTime::START).is_some());
        }
        assert!(saver.due().is_none() && saver.wait(ClockTime::START).is_none());
    }

    #[test]
    fn recording_is_saved_while_a_screenshot_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.gif");
        let mut saver = Saver::default();
        saver.request(SaveKind::Screenshot);
        let name = RecordingName::Path(path.clone());
        saver.save_recording(|| Ok(b"GIF89a".to_vec()), name);
        let (kind, outcome) = saver.wait(ClockTime::START).unwrap();
        assert_eq!((kind, outcome), (SaveKind::Recording, Ok(path.clone())));
        assert_eq!(fs::read(&path).unwrap(), b"GIF89a");
        let text = &saver.notice.as_ref().unwrap().text;
        assert_eq!(*text, format!("saved {}", path.display()));
        assert_eq!(saver.due(), Some(SaveKind::Screenshot));
    }

    #[test]
    fn notice_waits_for_requests_and_disappears_after_three_seconds() {
        let mut saver = Saver::default();
        saver.notify("copied".to_owned(), ClockTime::START);
        saver.finished(ClockTime::at(NOTICED_FOR - Nanos::from_millis(1)));
        assert!(saver.notice().is_some());
        saver.request(SaveKind::Screenshot);
        assert!(saver.notice().is_none(), "the screenshot would contain it");
        saver.requests.clear();
        saver.finished(ClockTime::at(NOTICED_FOR));
        assert!(saver.notice().is_none());
    }
}
