//! This computer: files, threads and a native window.

use super::screen::Shot;
use headless::io::animation::{Animation, Picture};
pub use headless::io::atomic_file::write_folder as save_folder;
use headless::io::atomic_file::{Failure, free_name, write_whole};
use macroquad::miniquad::window::clipboard_set;
use macroquad::window::{Conf, screen_dpi_scale};
use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::{self, File};
use std::future::Future;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::Receiver;
use std::thread;
use timeslicer::time::Nanos;

pub const SAVED_WHERE: &str = " in the current folder";

const WITHOUT: &str = "`timeslice-lab run`, `compare` and `list` work without one; see --help";

fn cannot_open(reason: &str) -> String {
    format!("cannot open a window: {reason}. {WITHOUT}.")
}

/// Looks for a display before the window library does, because the library panics if there is no display.
pub fn check_display() -> Result<(), String> {
    if cfg!(target_os = "linux") {
        check_variables(|name| std::env::var_os(name))
    } else {
        Ok(())
    }
}

fn check_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<(), String> {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") {
        return Ok(());
    }
    Err(cannot_open(
        "no display found (neither DISPLAY nor WAYLAND_DISPLAY is set)",
    ))
}

/// Opens a window and returns when `run` has ended.
pub fn open_window(
    conf: Conf,
    run: impl Future<Output = Result<(), String>> + 'static,
) -> Result<(), String> {
    let outcome = Rc::new(RefCell::new(None));
    let result = Rc::clone(&outcome);
    // An unusable display makes the window library panic before the first picture. Return such a panic as an error, and
    // report later panics as usual.
    let usual = Rc::new(RefCell::new(Some(take_hook())));
    let hook = Rc::clone(&usual);
    set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(conf, async move {
            if let Some(hook) = hook.borrow_mut().take() {
                set_hook(hook);
            }
            *result.borrow_mut() = Some(run.await);
        });
    }));
    let was_open = usual.borrow().is_none();
    if let Some(hook) = usual.borrow_mut().take() {
        set_hook(hook);
    }
    match (outcome.borrow_mut().take(), opened) {
        (Some(result), _) => result,
        (None, Ok(())) => Ok(()), // closed by the system
        (None, Err(panic)) if was_open => resume_unwind(panic), // already reported
        (None, Err(panic)) => {
            let reason = panic.downcast_ref::<String>().map(String::as_str);
            let reason = reason.or_else(|| panic.downcast_ref::<&str>().copied());
            let reason = reason.unwrap_or("the graphics driver failed");
            Err(cannot_open(reason.trim_end_matches(['!', '.'])))
        }
    }
}

pub fn scale() -> f32 {
    screen_dpi_scale()
}

/// Returns `None`: the window library reports one pointer.
pub fn second_finger() -> Option<[f32; 2]> {
    None
}

/// Returns 1: the window library does not report pinch gestures.
pub fn pinch() -> f64 {
    1.0
}

/// Does nothing, because the machine itself has already waited.
pub fn hold_frame(_wait: Nanos) {}

pub fn rest(time: Nanos) {
    thread::sleep(time.into());
}

pub fn copy_code(code: &str) {
    clipboard_set(code);
}

/// Does nothing: only pages have links.
pub fn copy_link(_query: &str) {}

/// Opens the log's output: a file, or standard output for `-`.
pub fn open_log(path: &Path) -> Result<Box<dyn Write>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdout()));
    }
    let file = File::create(path).map_err(|cause| Failure::at("write", path, cause))?;
    Ok(Box::new(file))
}

/// Saves a file in `folder` under the name `stem` with `ending`, or a similar unused name. Returns its path.
pub fn save_file(
    folder: &Path,
    stem: &str,
    ending: &str,
    bytes: &[u8],
) -> Result<PathBuf, Failure> {
    let path = free_name(folder, stem, ending);
    write_whole(&path, bytes).map(|()| path)
}

/// Does the work on another thread, so that the game does not freeze. Drops it if the system refuses a thread.
pub fn in_background(work: impl FnOnce() + Send + 'static) {
    let _ = thread::Builder::new().spawn(work);
}

/// Returns an animation of all pictures, once their sender is gone. The size of the first picture is the size of the
/// recording; pictures of a resized window are fitted to it.
pub fn encode(shots: &Receiver<Shot>) -> Result<Vec<u8>, String> {
    let failed = |error| format!("cannot encode the recording: {error}");
    let mut animation: Option<Animation> = None;
    let mut length = Nanos::ZERO;
    for (screen, at) in shots {
        let size = (screen.width, screen.height);
        let recorded = animation.as_ref().map(Animation::size);
        let Some(to) = recorded.or_else(|| Picture::recorded_size(size)) else {
            continue;
        };
        let picture = Picture::of_screen(&screen.bytes, size, to);
        match &mut animation {
            Some(animation) => animation.add(&picture, at).map_err(failed)?,
            None => animation = Some(Animation::begin(picture).map_err(failed)?),
        }
        length = at;
    }
    let animation = animation.ok_or("nothing was recorded: the window has no pixels")?;
    animation.finish(length).map_err(failed)
}

/// Record that the tour was offered to the user: an empty file, or `None` if there is no folder for it.
#[derive(Debug, Default)]
pub struct TourOffer(Option<PathBuf>);

impl TourOffer {
    pub fn of_user() -> Self {
        let folder = config_folder(std::env::consts::OS, |name| std::env::var_os(name));
        Self::in_folder(folder.as_deref())
    }

    pub fn in_folder(folder: Option<&Path>) -> Self {
        Self(folder.map(|folder| folder.join("timeslice-lab").join("tour-offered")))
    }

    pub fn is_answered(&self) -> bool {
        self.0.as_deref().is_some_and(Path::exists)
    }

    pub fn set_answered(&self) {
        if let Some(marker) = &self.0 {
            // If this fails, the offer appears again next time. That is harmless, so the failure is not reported.
            let folder = marker.parent().map(fs::create_dir_all);
            let _ = folder.transpose().and_then(|_| fs::write(marker, ""));
        }
    }
}

/// The system's usual folder for a user's settings. `None` if the environment does not define the folder.
fn config_folder(system: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name| {
        variable(name)
            .map(PathBuf::from)
            .filter(|it| it.is_absolute())
    };
    match system {
        "windows" => path("APPDATA"),
        "macos" => path("HOME").map(|home| home.join("Library/Application Support")),
        _ => path("XDG_CONFIG_HOME").or_else(|| path("HOME").map(|home| home.join(".config"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answered_offer_is_remembered_if_there_is_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for (place, is_remembered) in [
            (Some(folder.path()), true),
            (Some(file.as_path()), false),
            (None, false),
        ] {
            assert!(!TourOffer::in_folder(place).is_answered());
            TourOffer::in_folder(place).set_answered();
            let offer = TourOffer::in_folder(place);
            assert_eq!(offer.is_answered(), is_remembered, "{place:?}");
        }
        assert!(folder.path().join("timeslice-lab/tour-offered").is_file());
    }

    #[test]
    fn each_system_has_its_own_folder() {
        let variables = |name: &str| {
            let value = match name {
                "APPDATA" | "HOME" => "/home/ada",
                _ => return None,
            };
            Some(OsString::from(value))
        };
        let of = |system| config_folder(system, variables).unwrap();
        assert_eq!(of("linux"), Path::new("/home/ada/.config"));
        assert_eq!(of("windows"), Path::new("/home/ada"));
        assert_eq!(
            of("macos"),
            Path::new("/home/ada/Library/Application Support")
        );
        let set = |_: &str| Some(OsString::from("/etc/ada"));
        assert_eq!(config_folder("linux", set).unwrap(), Path::new("/etc/ada"));
        let relative = |_: &str| Some(OsString::from("here"));
        assert_eq!(config_folder("linux", relative), None);
        assert_eq!(config_folder("linux", |_| None), None);
    }

    #[test]
    fn either_kind_of_display_is_enough() {
        for (name, value, is_enough) in [
            ("DISPLAY", ":0", true),
            ("WAYLAND_DISPLAY", ":0", true),
            ("DISPLAY", "", false),
            ("HOME", "/home/ada", false),
        ] {
            let variable = |asked: &str| (asked == name).then(|| OsString::from(value));
            let found = check_variables(variable);
            assert_eq!(found.is_ok(), is_enough, "{name}={value}");
            for command in ["run", "compare", "list"] {
                assert!(found.as_ref().err().is_none_or(|it| it.contains(command)));
            }
        }
    }
}
