//! The platform functions for a desktop computer, which has files, threads and native windows.

use super::event_log::WriteLine;
use super::screen::CapturedFrame;
use image::imageops::{flip_vertical, thumbnail};
use image::{Pixel, RgbaImage};
use lab::files::export::NamedFile;
use lab::files::gif::{Animation, Image};
use lab::files::output::{Failure, free_name, write_folder, write_whole};
pub use macroquad::miniquad::window::clipboard_set as copy;
use macroquad::window::Conf;
pub use macroquad::window::screen_dpi_scale as scale;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::future::Future;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use timeslicer::time::Nanos;

pub const SAVED_WHERE: &str = " in the current folder";

/// Opens a window and runs `main_loop` in it. Returns when the main loop has ended.
pub fn open_window(
    conf: Conf,
    main_loop: impl Future<Output = Result<(), String>> + 'static,
) -> Result<(), String> {
    #[cfg(windows)]
    let is_from_desktop = super::windows::close_own_console();
    let result = run_in_window(conf, main_loop);
    #[cfg(windows)]
    if let (true, Err(message)) = (is_from_desktop, &result) {
        super::windows::show_error(message);
    }
    result
}

fn run_in_window(
    conf: Conf,
    main_loop: impl Future<Output = Result<(), String>> + 'static,
) -> Result<(), String> {
    let outcome = Rc::new(RefCell::new(None));
    let result = Rc::clone(&outcome);
    let was_open = Rc::new(Cell::new(false));
    let is_open = Rc::clone(&was_open);
    // If the display is unusable, the window library panics before the first frame. Return such a panic as an error,
    // but report later panics as usual.
    set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(conf, async move {
            drop(take_hook());
            is_open.set(true);
            #[cfg(windows)]
            super::windows::receive_dropped();
            *result.borrow_mut() = Some(main_loop.await);
        });
    }));
    drop(take_hook());
    match (outcome.borrow_mut().take(), opened) {
        (Some(result), _) => result,
        (None, Ok(())) if was_open.get() => Ok(()), // the system closed the window
        (None, Err(panic)) if was_open.get() => resume_unwind(panic), // the hook has already reported it
        (None, opened) => {
            let panic = opened.err();
            let reason = panic.as_ref().and_then(|panic| {
                let formatted = panic.downcast_ref::<String>().map(String::as_str);
                formatted.or_else(|| panic.downcast_ref::<&str>().copied())
            });
            Err(format!(
                "cannot open a window because there is no usable display or graphics driver ({}). \
                 The commands `timeslice-lab run`, `compare`, `sweep` and `list` work without a window; see \
                 `timeslice-lab --help`.",
                reason.unwrap_or("the cause is unknown")
            ))
        }
    }
}

/// Does nothing, because a desktop program has already waited for the next frame when this is called.
pub fn hold_frame(_wait: Nanos) {}

pub fn rest(time: Nanos) {
    thread::sleep(time.into());
}

pub fn open_log(path: &Path) -> Result<WriteLine, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(|line| writeln!(io::stdout(), "{line}")));
    }
    let file = File::create(path).map_err(|cause| Failure::write(path, cause));
    let mut file = file?;
    Ok(Box::new(move |line| writeln!(file, "{line}")))
}

/// Saves a file in the current folder. If the file name is already taken, uses a similar name. Returns the file's path.
pub fn save_file(stem: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let path = free_name(Path::new(""), stem, extension);
    write_whole(&path, bytes).map(|()| path)
}

/// Saves files in a new folder inside the current one. If its name is taken, uses a similar name. Returns its path.
pub fn save_folder(stem: &str, files: &[NamedFile]) -> Result<PathBuf, Failure> {
    write_folder(Path::new(""), stem, files)
}

/// Runs a function on another thread, so that the game does not freeze. Disconnects the receiver if that fails.
pub fn in_background<T: Send + 'static>(
    function: impl FnOnce() -> T + Send + 'static,
) -> Receiver<T> {
    let (sender, receiver) = channel();
    let send = move || sender.send(function());
    let _ = thread::Builder::new().spawn(send);
    receiver
}

/// Encodes frames as an animated GIF until their sender is dropped. All are scaled to the size of the first frame.
pub fn encode(frames: &Receiver<CapturedFrame>) -> Result<Vec<u8>, String> {
    let failed = |error| format!("cannot encode the recording: {error}");
    let mut animation: Option<Animation> = None;
    let mut length = Nanos::ZERO;
    for (screen, at) in frames {
        let recorded = animation.as_ref().map(Animation::size);
        let size = recorded.or_else(|| Image::recorded_size((screen.width, screen.height)));
        let (width, height) = (screen.width.into(), screen.height.into());
        let (Some(size), Some(screen)) = (size, RgbaImage::from_raw(width, height, screen.bytes))
        else {
            continue;
        };
        // Flip the image, because the rows of `screen` start at the bottom.
        let scaled = thumbnail(&flip_vertical(&screen), size.0.into(), size.1.into());
        let picture = Image {
            size,
            pixels: scaled.pixels().map(|pixel| pixel.to_rgb().0).collect(),
        };
        match &mut animation {
            Some(animation) => animation.add(&picture, at).map_err(failed)?,
            None => animation = Some(Animation::begin(&picture).map_err(failed)?),
        }
        length = at;
    }
    let animation = animation.ok_or("nothing was recorded because the window has no pixels")?;
    animation.finish(length).map_err(failed)
}
