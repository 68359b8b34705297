//! The window of the program. It draws the interface and handles input, but it measures nothing. Only this module and
//! its submodules use egui and macroquad.
//!
//! Each submodule depends only on those before it in this list: `platform`, `widgets`, `crowd`, `plots`, `state`,
//! `input`, `panels`, `views`, `application`, `event_loop`.

mod application;
mod crowd;
mod event_loop;
mod input;
mod panels;
mod platform;
mod plots;
mod state;
#[cfg(test)]
mod tests;
mod views;
mod widgets;
mod window_icon;

use lab::cli::WindowOptions;
use lab::files::output::Output;
use lab::sim::settings::Settings;
use macroquad::miniquad::conf::{LinuxBackend, Platform};
use macroquad::window::Conf;
use platform::IS_PAGE;
use platform::event_log::Log;

/// Opens the window and returns when the user quits.
///
/// # Errors
/// Returns a message for the user if the window cannot be opened or a file cannot be written.
pub fn open(settings: Settings, options: WindowOptions) -> Result<(), String> {
    let log = Log::open(options.log.as_deref()).map_err(|failure| failure.to_string())?;
    if let Some(path) = &options.record {
        // Fail now if the file cannot be written, not after the recording.
        Output::create(path).map_err(|failure| failure.to_string())?;
    }
    platform::open_window(conf(&options), event_loop::run(settings, options, log))
}

/// Starts the program in a browser page, with the settings from the page's address.
#[cfg(target_family = "wasm")]
pub fn open_page() {
    let page = platform::begin();
    if let Err(sentence) = open(page.settings, page.options) {
        platform::give_up(&sentence);
    }
}

fn conf(options: &WindowOptions) -> Conf {
    let (width, height) = options.size;
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    // Set every field, because the defaults would add the window library's own icon to the page.
    Conf {
        window_title: "Timeslice Lab".to_owned(),
        icon: (!IS_PAGE).then(window_icon::icon), // the page's HTML has its own icon
        window_width: side(width),
        window_height: side(height),
        high_dpi: true,
        window_resizable: true,
        fullscreen: false,
        sample_count: 1,
        platform: Platform {
            linux_backend: LinuxBackend::X11WithWaylandFallback,
            swap_interval: Some(i32::from(options.vsync)),
            linux_wm_class: "timeslice-lab",
            ..Platform::default()
        },
    }
}
