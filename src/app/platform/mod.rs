//! Everything that depends on the platform, which is either a desktop computer or a page in a browser. Both platforms
//! offer the same functions. For the few differences that remain, the rest of the program checks [`IS_PAGE`].

pub mod dropped_files;
pub mod egui_window;
pub mod event_log;
pub mod input_events;
pub mod recording;
pub mod screen;
pub mod vsync;

#[cfg(target_family = "wasm")]
mod js;
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
mod web;
#[cfg(windows)]
mod windows;

#[cfg(not(target_family = "wasm"))]
pub use native::*;
#[cfg(target_family = "wasm")]
pub use web::*;

/// Whether the program runs as a page in a browser. A browser reserves some keys and decides when to present frames.
pub const IS_PAGE: bool = cfg!(target_family = "wasm");
