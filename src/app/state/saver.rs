//! Saves the screen, its data and recordings in the background.

use crate::app::platform;
use crate::app::platform::png;
use crate::app::platform::{BackgroundJob, SAVED_WHERE};
use headless::io::atomic_file::{Failure, write_whole};
use headless::io::export::NamedFile;
use macroquad::texture::Image;
use std::path::{Path, PathBuf};
use timeslicer::time::{ClockTime, Nanos};

/// How long a notice stays visible, in real time.
const NOTICED_FOR: Nanos = Nanos::from_secs(3);

/// Kind of save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveKind {
    /// The screen, as a PNG.
    Picture,
    /// The screen and its data, in a folder.
    Folder,
    /// A recording, as an animated GIF.
    Recording,
}

/// Data files of a view.
pub struct Export {
    /// The files.
    pub files: Vec<NamedFile>,
    /// Short summary of the contents, such as `512 frames`.
    pub summary: String,
}

/// Makes the data files in the background.
pub type MakeExport = Box<dyn FnOnce() -> Export + Send>;

/// Name of a recording's file.
pub enum RecordingName {
    /// This path, which may exist.
    Path(PathBuf),
    /// This stem or a similar unused name, in the current folder.
    Stem(String),
}

/// A finished save: its kind, and its path or the reason why it failed.
pub type Outcome = (SaveKind, Result<PathBuf, String>);

/// Requested, running and finished saves. Making and writing files can take half a second, so it happens in the
/// background, without freezing the game.
#[derive(Default)]
pub struct Saver {
    requests: Vec<SaveKind>,
    under_way: Vec<(SaveKind, BackgroundJob<Result<Saved, String>>)>,
    notice: Option<Notice>,
}

struct Saved {
    path: PathBuf,
    summary: String,
}

/// A message about the last save or copy.
pub struct Notice {
    /// Name and contents of the save or copy, or the reason why it failed.
    pub text: String,
    /// Whether it failed.
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

    /// Next save to start with the picture on screen; `None` while another save runs.
    pub fn due(&self) -> Option<SaveKind> {
        let next = self.requests.first();
        next.filter(|_| self.under_way.is_empty()).copied()
    }

    /// Saves `screen`, and the files that `make` returns, in `folder` under the name `stem`.
    pub fn save(&mut self, screen: Image, make: Option<MakeExport>, folder: PathBuf, stem: String) {
        let kind = match make {
            Some(_) => SaveKind::Folder,
            None => SaveKind::Picture,
        };
        self.requests.retain(|other| *other != kind);
        let save = move || {
            let png = png::png(&screen)?;
            let (contents, summary) = match make.map(|make| make()) {
                Some(Export { mut files, summary }) => {
                    files.push(NamedFile::new("picture.png", png));
                    (Contents::Folder(files), summary)
                }
                None => (Contents::Picture(png), String::new()),
            };
            write(&folder, &stem, &contents)
                .map(|path| Saved { path, summary })
                .map_err(|failure| failure.to_string())
        };
        self.under_way.push((kind, BackgroundJob::start(save)));
    }

    /// Saves a recording, which `encode` returns.
    pub fn save_recording(
        &mut self,
        encode: impl FnOnce() -> Result<Vec<u8>, String> + Send + 'static,
        name: RecordingName,
    ) {
        let save = move || {
            let gif = encode()?;
            let written = match name {
                RecordingName::Path(path) => write_whole(&path, &gif).map(|()| path),
                RecordingName::Stem(stem) => {
                    platform::save_file(Path::new(""), &stem, ".gif", &gif)
                }
            };
            written
                .map(|path| Saved {
                    path,
                    summary: String::new(),
                })
                .map_err(|failure| failure.to_string())
        };
        let job = BackgroundJob::start(save);
        self.under_way.push((SaveKind::Recording, job));
    }

    /// Returns a save that has finished since the last call. `clock` is real time.
    pub fn finished(&mut self, clock: ClockTime) -> Option<Outcome> {
        if self.notice.as_ref().is_some_and(|it| clock >= it.until) {
            self.notice = None;
        }
        let over = self.under_way.iter().position(|(_, job)| job.is_over())?;
        let (kind, job) = self.under_way.swap_remove(over);
        Some((kind, self.end(kind, job, clock)))
    }

    /// Like [`finished`](Self::finished), but blocks until a save in progress has finished.
    pub fn wait(&mut self, clock: ClockTime) -> Option<Outcome> {
        let (kind, job) = self.under_way.pop()?;
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
                    SaveKind::Picture | SaveKind::Recording => {
                        format!("saved {name} {SAVED_WHERE}")
                    }
                    SaveKind::Folder => format!("saved {name}: {summary}"),
                }
            }
            Err(reason) => reason.clone(),
        };
        self.notice = Some(Notice {
            text,
            failed: outcome.is_err(),
            until: clock + NOTICED_FOR,
        });
        outcome.map(|saved| saved.path)
    }

    /// Shows a message about a success.
    pub fn notify(&mut self, text: String, clock: ClockTime) {
        self.notice = Some(Notice {
            text,
            failed: false,
            until: clock + NOTICED_FOR,
        });
    }

    /// Message to show; `None` while a save is requested, so that no saved picture contains the message.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref().filter(|_| self.requests.is_empty())
    }
}

/// Contents of one save.
enum Contents {
    /// A PNG.
    Picture(Vec<u8>),
    /// Several files.
    Folder(Vec<NamedFile>),
}

/// Writes all of the contents, or nothing, to `folder`, under the name `stem` or a similar unused name.
fn write(folder: &Path, stem: &str, contents: &Contents) -> Result<PathBuf, Failure> {
    match contents {
        Contents::Picture(png) => platform::save_file(folder, stem, ".png", png),
        Contents::Folder(files) => platform::save_folder(folder, stem, files),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::thread;

    fn screen() -> Image {
        Image {
            width: 1,
            height: 1,
            bytes: vec![1, 2, 3, 255],
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("timeslice-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn files() -> MakeExport {
        Box::new(|| Export {
            files: vec![NamedFile::new("frames.csv", "frame\n")],
            summary: "1 frame".to_owned(),
        })
    }

    fn saved(
        saver: &mut Saver,
        make: Option<MakeExport>,
        folder: &Path,
    ) -> Result<PathBuf, String> {
        saver.save(screen(), make, folder.to_owned(), "lab-7".to_owned());
        saver.request(SaveKind::Picture);
        assert_eq!(saver.due(), None, "one at a time");
        saver.requests.clear();
        loop {
            if let Some((_, outcome)) = saver.finished(ClockTime::START) {
                return outcome;
            }
            thread::yield_now();
        }
    }

    #[test]
    fn existing_files_are_never_overwritten() {
        let folder = folder("shot");
        let mut saver = Saver::default();
        for name in ["lab-7.png", "lab-7-2.png", "lab-7-3.png"] {
            let path = saved(&mut saver, None, &folder).unwrap();
            assert_eq!(path, folder.join(name));
            assert!(fs::metadata(path).unwrap().len() > 0);
        }
        // A folder has no extension.
        let path = saved(&mut saver, Some(files()), &folder).unwrap();
        assert_eq!(path, folder.join("lab-7"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folder_holds_the_data_and_the_picture() {
        let folder = folder("export");
        let mut saver = Saver::default();
        let path = saved(&mut saver, Some(files()), &folder).unwrap();
        assert_eq!(fs::read(path.join("frames.csv")).unwrap(), b"frame\n");
        let png = fs::read(path.join("picture.png")).unwrap();
        assert!(png.starts_with(b"\x89PNG"));
        let text = &saver.notice.as_ref().unwrap().text;
        assert_eq!(text, "saved lab-7: 1 frame");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn recording_is_saved_while_a_screenshot_waits() {
        let folder = folder("gif");
        let path = folder.join("lab.gif");
        let mut saver = Saver::default();
        saver.request(SaveKind::Picture);
        let name = RecordingName::Path(path.clone());
        saver.save_recording(|| Ok(b"GIF89a".to_vec()), name);
        let (kind, outcome) = saver.wait(ClockTime::START).unwrap();
        assert_eq!((kind, outcome), (SaveKind::Recording, Ok(path.clone())));
        assert_eq!(fs::read(&path).unwrap(), b"GIF89a");
        let text = &saver.notice.as_ref().unwrap().text;
        assert_eq!(*text, format!("saved {}", path.display()));
        assert_eq!(saver.due(), Some(SaveKind::Picture));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn failed_save_shows_its_reason() {
        for (make, name) in [(None, "lab-7.png"), (Some(files()), "lab-7")] {
            let mut saver = Saver::default();
            let reason = saved(&mut saver, make, Path::new("/nowhere/at/all")).unwrap_err();
            let path = format!("/nowhere/at/all/{name}");
            assert!(reason.contains(&path), "{reason}");
            let notice = saver.notice.as_ref().unwrap();
            assert!(notice.failed && notice.text == reason);
        }
    }

    #[test]
    fn two_requests_are_saved_one_after_the_other() {
        let mut saver = Saver::default();
        for kind in [SaveKind::Folder, SaveKind::Picture, SaveKind::Folder] {
            saver.request(kind);
        }
        let folder = folder("both");
        for (kind, make) in [(SaveKind::Folder, Some(files())), (SaveKind::Picture, None)] {
            assert_eq!(saver.due(), Some(kind));
            saver.save(screen(), make, folder.clone(), "lab".to_owned());
            while saver.finished(ClockTime::START).is_none() {
                thread::yield_now();
            }
        }
        assert_eq!(saver.due(), None);
        assert!(folder.join("lab").is_dir() && folder.join("lab.png").is_file());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn notice_disappears_after_three_seconds() {
        let folder = folder("notice");
        let mut saver = Saver::default();
        saved(&mut saver, None, &folder).unwrap();
        saver.finished(ClockTime::at(NOTICED_FOR - Nanos::from_millis(1)));
        let text = &saver.notice.as_ref().unwrap().text;
        assert_eq!(text, "saved lab-7.png in the current folder");
        saver.finished(ClockTime::at(NOTICED_FOR));
        assert!(saver.notice.is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn wait_completes_the_save_or_returns_the_reason() {
        let folder = folder("leave");
        let mut saver = Saver::default();
        assert!(saver.wait(ClockTime::START).is_none());
        for (folder, is_saved) in [
            (folder.as_path(), true),
            (Path::new("/nowhere/at/all"), false),
        ] {
            for make in [None, Some(files())] {
                saver.save(screen(), make, folder.to_owned(), "lab".to_owned());
                let (_, outcome) = saver.wait(ClockTime::START).expect("a save is running");
                assert_eq!(outcome.is_ok(), is_saved, "{outcome:?}");
            }
        }
        assert!(folder.join("lab.png").is_file() && folder.join("lab").is_dir());
        fs::remove_dir_all(folder).unwrap();
    }
}
