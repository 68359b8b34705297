//! The keys that save: what is on the screen, and what is known of it, into files of names that nothing has yet.

use crate::app::platform;
use crate::app::platform::png;
use crate::app::platform::{Job, SAVED_WHERE};
use crate::app::widgets::theme;
use crate::io::atomic_file::Failure;
use crate::io::export::Named;
use egui::{CornerRadius, Rect, Stroke, StrokeKind, Ui, vec2};
use macroquad::texture::Image;
use std::path::{Path, PathBuf};
use timeslice::time::Nanos;

/// How long its notice stays in sight, in real time.
const NOTICED_FOR: Nanos = Nanos::from_secs(3);

/// What a key can save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What is on the screen, as a PNG.
    Picture,
    /// That and all that is known of it, in a folder.
    Folder,
}

/// What is saved beside the picture, and what it is, in a few words for the notice.
pub struct Files {
    /// The files.
    pub files: Vec<Named>,
    /// `512 frames`
    pub told: String,
}

/// Makes them, on another thread.
pub type Make = Box<dyn FnOnce() -> Files + Send>;

/// What is wanted, is being saved, or was. It is made and written beside the game, which would stand for half a
/// second otherwise.
#[derive(Default)]
pub struct Saver {
    wanted: Vec<Wanted>,
    under_way: Option<(Wanted, Job<Result<Saved, String>>)>,
    notice: Option<Notice>,
}

/// Where something was saved, and what the notice tells of it.
struct Saved {
    path: PathBuf,
    told: String,
}

struct Notice {
    text: String,
    failed: bool,
    until: Nanos,
}

impl Saver {
    /// It is to be saved with the next picture.
    pub fn want(&mut self, wanted: Wanted) {
        if !self.wanted.contains(&wanted) {
            self.wanted.push(wanted);
        }
    }

    /// What is to be saved now, with the picture that is on the screen. One thing is written at a time.
    pub fn due(&self) -> Option<Wanted> {
        let next = self.wanted.first().filter(|_| self.under_way.is_none());
        next.copied()
    }

    /// Saves `screen`, and what `make` makes, if anything, under the name `stem` in `folder`.
    pub fn save(&mut self, screen: Image, make: Option<Make>, folder: PathBuf, stem: String) {
        let wanted = match make {
            Some(_) => Wanted::Folder,
            None => Wanted::Picture,
        };
        self.wanted.retain(|other| *other != wanted);
        let save = move || {
            let png = png::png(&screen)?;
            let (set, told) = match make.map(|make| make()) {
                Some(Files { mut files, told }) => {
                    files.push(Named::new("picture.png", png));
                    (Set::Folder(files), told)
                }
                None => (Set::Picture(png), String::new()),
            };
            let put = put(&folder, &stem, &set);
            put.map(|path| Saved { path, told })
                .map_err(|failure| failure.to_string())
        };
        self.under_way = Some((wanted, Job::start(save)));
    }

    /// Whether something was saved since it was last asked: what, and under which name, or why it was not.
    /// `clock` is real time.
    pub fn news(&mut self, clock: Nanos) -> Option<(Wanted, Result<PathBuf, String>)> {
        if self.notice.as_ref().is_some_and(|it| clock >= it.until) {
            self.notice = None;
        }
        let (wanted, job) = self.under_way.take_if(|(_, job)| job.is_over())?;
        Some((wanted, self.end(wanted, job, clock)))
    }

    /// The same of what is being saved, for which it waits; none where nothing is. For who leaves.
    pub fn last_news(&mut self, clock: Nanos) -> Option<(Wanted, Result<PathBuf, String>)> {
        let (wanted, job) = self.under_way.take()?;
        Some((wanted, self.end(wanted, job, clock)))
    }

    fn end(
        &mut self,
        wanted: Wanted,
        job: Job<Result<Saved, String>>,
        clock: Nanos,
    ) -> Result<PathBuf, String> {
        let lost = || Err("it could not be saved".to_owned());
        let outcome = job.end().unwrap_or_else(lost);
        let text = match &outcome {
            Ok(Saved { path, told }) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                match wanted {
                    Wanted::Picture => format!("saved {name} {SAVED_WHERE}"),
                    Wanted::Folder => format!("saved {name}: {told}"),
                }
            }
            Err(sentence) => sentence.clone(),
        };
        self.notice = Some(Notice {
            text,
            failed: outcome.is_err(),
            until: clock + NOTICED_FOR,
        });
        outcome.map(|saved| saved.path)
    }

    /// Shows what became of the last one at the upper edge of `view`; never in the picture of the next.
    pub fn show(&self, ui: &Ui, view: Rect) {
        let Some(notice) = self.notice.as_ref().filter(|_| self.wanted.is_empty()) else {
            return;
        };
        let ink = if notice.failed {
            theme::AMBER
        } else {
            theme::TEXT
        };
        let painter = ui.painter().with_clip_rect(view);
        let room = (view.width() - 48.0).max(0.0);
        let galley = painter.layout(notice.text.clone(), theme::text(12.5), ink, room);
        let size = galley.size() + vec2(24.0, 12.0);
        let center = view.center_top() + vec2(0.0, 14.0 + size.y / 2.0);
        let ground = Rect::from_center_size(center, size);
        let corners = CornerRadius::same(theme::RADIUS);
        painter.rect_filled(ground, corners, theme::WELL.gamma_multiply(0.95));
        let edge = Stroke::new(1.0, if notice.failed { ink } else { theme::LINE });
        painter.rect_stroke(ground, corners, edge, StrokeKind::Inside);
        painter.galley(ground.min + vec2(12.0, 6.0), galley, ink);
    }
}

/// What is saved under one name.
enum Set {
    /// A PNG.
    Picture(Vec<u8>),
    /// Several files.
    Folder(Vec<Named>),
}

/// Saves it in `folder`, under the name `stem` or one like it that nothing has yet; whole or not at all. This is
/// all that the window knows of files here.
fn put(folder: &Path, stem: &str, set: &Set) -> Result<PathBuf, Failure> {
    match set {
        Set::Picture(png) => platform::save_file(folder, stem, ".png", png),
        Set::Folder(files) => platform::save_folder(folder, stem, files),
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

    fn files() -> Make {
        Box::new(|| Files {
            files: vec![Named::new("frames.csv", "frame\n")],
            told: "1 frame".to_owned(),
        })
    }

    fn saved(saver: &mut Saver, make: Option<Make>, folder: &Path) -> Result<PathBuf, String> {
        saver.save(screen(), make, folder.to_owned(), "lab-7".to_owned());
        saver.want(Wanted::Picture);
        assert_eq!(saver.due(), None, "one at a time");
        saver.wanted.clear();
        loop {
            if let Some((_, outcome)) = saver.news(Nanos::ZERO) {
                return outcome;
            }
            thread::yield_now();
        }
    }

    #[test]
    fn no_file_is_ever_written_over() {
        let folder = folder("shot");
        let mut saver = Saver::default();
        for name in ["lab-7.png", "lab-7-2.png", "lab-7-3.png"] {
            let path = saved(&mut saver, None, &folder).unwrap();
            assert_eq!(path, folder.join(name));
            assert!(fs::metadata(path).unwrap().len() > 0);
        }
        // A folder has no ending.
        let path = saved(&mut saver, Some(files()), &folder).unwrap();
        assert_eq!(path, folder.join("lab-7"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_holds_the_files_and_the_picture_and_the_notice_tells_what() {
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
    fn a_folder_that_cannot_be_written_is_a_sentence() {
        for (make, name) in [(None, "lab-7.png"), (Some(files()), "lab-7")] {
            let mut saver = Saver::default();
            let sentence = saved(&mut saver, make, Path::new("/nowhere/at/all")).unwrap_err();
            let start = format!("cannot write /nowhere/at/all/{name}: ");
            assert!(sentence.starts_with(&start), "{sentence}");
            let notice = saver.notice.as_ref().unwrap();
            assert!(notice.failed && notice.text == sentence);
        }
    }

    #[test]
    fn what_two_keys_want_is_saved_one_after_the_other() {
        let mut saver = Saver::default();
        for wanted in [Wanted::Folder, Wanted::Picture, Wanted::Folder] {
            saver.want(wanted);
        }
        let folder = folder("both");
        for (wanted, make) in [(Wanted::Folder, Some(files())), (Wanted::Picture, None)] {
            assert_eq!(saver.due(), Some(wanted));
            saver.save(screen(), make, folder.clone(), "lab".to_owned());
            while saver.news(Nanos::ZERO).is_none() {
                thread::yield_now();
            }
        }
        assert_eq!(saver.due(), None);
        assert!(folder.join("lab").is_dir() && folder.join("lab.png").is_file());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_notice_goes_after_three_seconds() {
        let folder = folder("notice");
        let mut saver = Saver::default();
        saved(&mut saver, None, &folder).unwrap();
        saver.news(NOTICED_FOR - Nanos::from_millis(1));
        let text = &saver.notice.as_ref().unwrap().text;
        assert_eq!(text, "saved lab-7.png in the current folder");
        saver.news(NOTICED_FOR);
        assert!(saver.notice.is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn who_leaves_at_once_gets_it_too_or_hears_why_not() {
        let folder = folder("leave");
        let mut saver = Saver::default();
        assert!(saver.last_news(Nanos::ZERO).is_none());
        for (folder, is_saved) in [
            (folder.as_path(), true),
            (Path::new("/nowhere/at/all"), false),
        ] {
            for make in [None, Some(files())] {
                saver.save(screen(), make, folder.to_owned(), "lab".to_owned());
                let (_, outcome) = saver.last_news(Nanos::ZERO).expect("it is being saved");
                assert_eq!(outcome.is_ok(), is_saved, "{outcome:?}");
            }
        }
        assert!(folder.join("lab.png").is_file() && folder.join("lab").is_dir());
        fs::remove_dir_all(folder).unwrap();
    }
}
