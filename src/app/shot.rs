//! The screenshot key: the window's own pixels into a file of a name that nothing has yet.

use super::platform::{Job, SAVED_WHERE, Screen, save_screen};
use super::theme;
use egui::{CornerRadius, Rect, Stroke, StrokeKind, Ui, vec2};
use std::path::PathBuf;
use timeslice_lab::time::Nanos;

/// How long its notice stays in sight, in real time.
const NOTICED_FOR: Nanos = Nanos::from_secs(3);

/// A picture that is wanted, is being written, or was. It is packed beside the game, which would stand for
/// half a second otherwise.
#[derive(Default)]
pub struct Shot {
    wanted: bool,
    under_way: Option<Job<Result<PathBuf, String>>>,
    notice: Option<Notice>,
}

struct Notice {
    text: String,
    failed: bool,
    until: Nanos,
}

impl Shot {
    /// The next picture is to be taken.
    pub fn want(&mut self) {
        self.wanted = true;
    }

    /// Whether the picture that is on the screen is to be taken now. One is written at a time.
    pub fn is_due(&self) -> bool {
        self.wanted && self.under_way.is_none()
    }

    /// Takes the picture: writes `screen` to `STEM.png` in `folder`.
    pub fn take(&mut self, screen: Screen, folder: PathBuf, stem: String) {
        self.wanted = false;
        let write = move || save_screen(&screen, &folder, &stem);
        self.under_way = Some(Job::start(write));
    }

    /// Whether the last one is written: then the file's name, or why there is none. `clock` is real time.
    pub fn news(&mut self, clock: Nanos) -> Option<Result<PathBuf, String>> {
        if self.notice.as_ref().is_some_and(|it| clock >= it.until) {
            self.notice = None;
        }
        let written = self.under_way.take_if(|job| job.is_over())?;
        let lost = || Err("the picture could not be written".to_owned());
        let outcome = written.end().unwrap_or_else(lost);
        let text = match &outcome {
            Ok(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                format!("saved {name} {SAVED_WHERE}")
            }
            Err(sentence) => sentence.clone(),
        };
        self.notice = Some(Notice {
            text,
            failed: outcome.is_err(),
            until: clock + NOTICED_FOR,
        });
        Some(outcome)
    }

    /// Shows what became of the last one at the upper edge of `view`; never in the picture of the next.
    pub fn show(&self, ui: &Ui, view: Rect) {
        let Some(notice) = self.notice.as_ref().filter(|_| !self.wanted) else {
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

impl Drop for Shot {
    /// Who leaves right after the key gets the picture, too.
    fn drop(&mut self) {
        if let Some(job) = self.under_way.take() {
            let _ = job.end(); // nobody is left to hear of a failure
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use macroquad::texture::Image;
    use std::fs;
    use std::path::Path;
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

    fn taken(shot: &mut Shot, folder: &Path) -> Result<PathBuf, String> {
        shot.want();
        assert!(shot.is_due());
        shot.take(screen(), folder.to_owned(), "lab-7".to_owned());
        assert!(!shot.is_due());
        loop {
            if let Some(outcome) = shot.news(Nanos::ZERO) {
                return outcome;
            }
            thread::yield_now();
        }
    }

    #[test]
    fn no_file_is_ever_written_over() {
        let folder = folder("shot");
        let mut shot = Shot::default();
        for name in ["lab-7.png", "lab-7-2.png", "lab-7-3.png"] {
            let path = taken(&mut shot, &folder).unwrap();
            assert_eq!(path, folder.join(name));
            assert!(fs::metadata(path).unwrap().len() > 0);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_a_sentence() {
        let mut shot = Shot::default();
        let sentence = taken(&mut shot, Path::new("/nowhere/at/all")).unwrap_err();
        assert!(sentence.starts_with("cannot write /nowhere/at/all/lab-7.png: "));
        let notice = shot.notice.as_ref().unwrap();
        assert!(notice.failed && notice.text == sentence);
    }

    #[test]
    fn a_notice_goes_after_three_seconds() {
        let folder = folder("notice");
        let mut shot = Shot::default();
        taken(&mut shot, &folder).unwrap();
        shot.news(NOTICED_FOR - Nanos::from_millis(1));
        let text = &shot.notice.as_ref().unwrap().text;
        assert_eq!(text, "saved lab-7.png in the current folder");
        shot.news(NOTICED_FOR);
        assert!(shot.notice.is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn who_leaves_at_once_gets_the_picture() {
        let folder = folder("leave");
        let mut shot = Shot::default();
        shot.take(screen(), folder.clone(), "lab".to_owned());
        drop(shot);
        assert!(folder.join("lab.png").is_file());
        fs::remove_dir_all(folder).unwrap();
    }
}
