//! A page in a browser: no files, no threads, no waiting. What it can do instead, its script does (`web/lab.js`).

#![expect(
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "it has native.rs's functions, and there files can fail and threads last"
)]

use super::gl;
use super::js;
use crate::io::atomic_file::Failure;
use crate::io::export::{NamedFile, zip_archive};
use crate::io::url;
use crate::io::url::PageSettings;
use macroquad::miniquad::conf::{Platform, WebGLVersion};
use macroquad::texture::Image;
use macroquad::window::Conf;
use std::future::Future;
use std::io::{self, Write};
use std::panic::set_hook;
use std::path::{Path, PathBuf};
use timeslice::time::{ClockTime, Nanos, read_clock_from};

/// Where what was saved lies, as it is told.
pub const SAVED_WHERE: &str = "to the browser's downloads";

/// The page begins: gives the program its clock and returns what the address asks for. Of what cannot be followed a
/// message tells.
pub fn begin() -> PageSettings {
    read_clock_from(|| ClockTime::at(Nanos::from_millis_f64(js::now_ms())));
    set_hook(Box::new(|panic| js::fail(&panic.to_string())));
    let page = url::parse(&js::query());
    if !page.complaints.is_empty() {
        js::say(&page.complaints.join("\n"));
    }
    page
}

/// How many pixels make a point. (The window library knows that of the page as it was opened, and a browser's zoom
/// changes it.)
pub fn scale() -> f32 {
    js::scale() as f32
}

/// Tells why there is nothing to see.
pub fn give_up(sentence: &str) {
    js::fail(sentence);
}

/// Draws on the page's canvas from here on, while the browser calls for pictures.
///
/// # Errors
/// None: what `run` says is told on the page.
pub fn open_window(
    conf: Conf,
    run: impl Future<Output = Result<(), String>> + 'static,
) -> Result<(), String> {
    macroquad::Window::from_config(conf, async move {
        // The window library has set one that only a console sees.
        set_hook(Box::new(|panic| js::fail(&panic.to_string())));
        if let Err(sentence) = run.await {
            give_up(&sentence);
        }
    });
    Ok(())
}

/// What the canvas is to be drawn with: what the script has found that it can.
pub fn drawn_with(conf: Conf) -> Conf {
    let webgl_version = match js::webgl() {
        1 => WebGLVersion::WebGL1,
        _ => WebGLVersion::WebGL2,
    };
    Conf {
        platform: Platform {
            webgl_version,
            ..conf.platform
        },
        ..conf
    }
}

/// The time from now on by which the next picture is to be held back.
pub fn hold_frame(wait: Nanos) {
    js::hold(wait.as_millis_f64());
}

/// A page cannot let time pass: the browser does so from picture to picture.
pub fn rest(_time: Nanos) {}

/// Gives the page another title.
pub fn rename(title: &str) -> bool {
    js::title(title);
    true
}

/// Copies a link to this page with these settings.
pub fn copy_link(query: &str) {
    js::copy_link(query);
}

/// Opens what the log goes to: the browser's console.
///
/// # Errors
/// None.
pub fn open_log(_path: &Path) -> Result<Box<dyn Write>, Failure> {
    Ok(Box::new(Console::default()))
}

/// Writes whole lines to the browser's console.
#[derive(Default)]
struct Console(Vec<u8>);

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.0);
        text.lines().for_each(js::log);
        self.0.clear();
        Ok(())
    }
}

/// The picture that is on the canvas.
pub fn screen() -> Image {
    gl::screen()
}

/// Saves a file under the name `stem` with `ending`; there is no folder to choose. Returns its name.
///
/// # Errors
/// None: the browser tells of its downloads.
pub fn save_file(
    _folder: &Path,
    stem: &str,
    ending: &str,
    bytes: &[u8],
) -> Result<PathBuf, Failure> {
    let name = format!("{stem}{ending}");
    js::save(&name, bytes);
    Ok(name.into())
}

/// Saves files together, in one of the name `stem`. Returns its name.
///
/// # Errors
/// None.
pub fn save_folder(folder: &Path, stem: &str, files: &[NamedFile]) -> Result<PathBuf, Failure> {
    save_file(folder, stem, ".zip", &zip_archive(stem, files))
}

/// Work that is done at once, for there are no threads.
pub struct BackgroundJob<T>(T);

impl<T> BackgroundJob<T> {
    /// It is done.
    pub fn start(work: impl FnOnce() -> T) -> Self {
        Self(work())
    }

    /// It is.
    pub fn is_over(&self) -> bool {
        true
    }

    /// What came of it.
    pub fn end(self) -> Option<T> {
        Some(self.0)
    }
}

/// That hints were dismissed: the browser keeps it for this page.
#[derive(Debug, Default)]
pub struct SeenHints;

impl SeenHints {
    /// What is remembered of this user.
    pub fn of_user() -> Self {
        Self
    }

    /// Whether they were dismissed before.
    pub fn are_seen(&self) -> bool {
        js::recalls("hints-seen")
    }

    /// They are dismissed.
    pub fn set_seen(&self) {
        js::remember("hints-seen");
    }
}
