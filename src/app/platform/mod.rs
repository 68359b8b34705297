//! The platform below the program: this computer, or a page in a browser. Both offer the same functions. The rest of
//! the program checks [`IS_PAGE`] for the few differences that remain. Nothing here knows lanes or views.

pub mod dropped_files;
pub mod egui_window;
pub mod event_log;
pub mod input_events;
pub mod screen;
pub mod vsync;

#[cfg(target_family = "wasm")]
mod js;
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
mod web;

#[cfg(not(target_family = "wasm"))]
pub use native::*;
#[cfg(target_family = "wasm")]
pub use web::*;

/// Whether the program is a page in a browser, which reserves some keys and decides when to show pictures.
pub const IS_PAGE: bool = cfg!(target_family = "wasm");
