//! The platform functions for a page in a browser, which has no files, no threads and no way to sleep. The page's
//! script, `web/lab.js`, offers substitutes.

#![expect(
    clippy::unnecessary_wraps,
    reason = "the same functions as in native.rs, where files can fail and threads take time"
)]

use super::event_log::WriteLine;
use super::js;
pub use super::js::{copy, fail as give_up};
use super::screen::CapturedFrame;
use lab::cli::address;
use lab::cli::address::PageSettings;
use lab::files::export::{NamedFile, zip_archive};
use lab::files::output::Failure;
use macroquad::miniquad::conf::WebGLVersion;
use macroquad::window::Conf;
use std::future::Future;
use std::panic::set_hook;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use timeslicer::time::{ClockTime, Nanos, read_clock_from};

pub const SAVED_WHERE: &str = " to the browser's downloads";

/// Installs the browser's clock and returns the settings in the page's address. Shows a message if some are invalid.
pub fn begin() -> PageSettings {
    read_clock_from(|| ClockTime::at(Nanos::from_millis_f64(js::lab_now())));
    set_hook(Box::new(|panic| js::fail(&panic.to_string())));
    let page = address::parse(&js::query());
    if !page.complaints.is_empty() {
        js::show_message(&page.complaints.join("\n"));
    }
    page
}

/// Returns the number of pixels per point. The window library reads this number only when the page is opened, so its
/// value would be wrong after the user has zoomed the page.
pub fn scale() -> f32 {
    js::lab_scale() as f32
}

/// Runs `main_loop` on the page's canvas. The browser decides when each frame starts.
pub fn open_window(
    mut conf: Conf,
    main_loop: impl Future<Output = Result<(), String>> + 'static,
) -> Result<(), String> {
    let webgl_version = match js::lab_webgl() {
        1 => WebGLVersion::WebGL1,
        _ => WebGLVersion::WebGL2,
    };
    conf.platform.webgl_version = webgl_version;
    macroquad::Window::from_config(conf, async move {
        // Replace the window library's panic hook, which reports only to the console.
        set_hook(Box::new(|panic| js::fail(&panic.to_string())));
        if let Err(sentence) = main_loop.await {
            js::fail(&sentence);
        }
    });
    Ok(())
}

pub fn hold_frame(wait: Nanos) {
    js::lab_hold(wait.as_millis_f64());
}

/// Does nothing, because a page cannot sleep. The browser itself waits between frames.
pub fn rest(_time: Nanos) {}

/// Opens the browser's console as the log.
pub fn open_log(_path: &Path) -> Result<WriteLine, Failure> {
    Ok(Box::new(|line| {
        js::log(line);
        Ok(())
    }))
}

/// Saves a file in the browser's download folder. Returns the name of the file.
pub fn save_file(stem: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let name = format!("{stem}{extension}");
    js::save(&name, bytes);
    Ok(name.into())
}

/// Saves files as one zip archive, because a browser cannot download a folder. Returns the name of the archive.
pub fn save_folder(stem: &str, files: &[NamedFile]) -> Result<PathBuf, Failure> {
    save_file(stem, ".zip", &zip_archive(stem, files))
}

/// Runs a function immediately, because a page has no threads.
pub fn in_background<T>(function: impl FnOnce() -> T) -> Receiver<T> {
    let (sender, receiver) = channel();
    let _ = sender.send(function());
    receiver
}

/// Always fails, because the encoder would make the program larger to download.
pub fn encode(_frames: &Receiver<CapturedFrame>) -> Result<Vec<u8>, String> {
    Err("a web page cannot record the screen".to_owned())
}
