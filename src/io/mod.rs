//! Input and output: the command line and its commands, files, exports, and settings in addresses and files.
//!
//! Only this layer and the window use files, threads and terminals.

// Only the window on a computer records; a page would have to download the encoder.
#[cfg(all(feature = "window", not(target_family = "wasm")))]
pub mod animation;
pub mod atomic_file;
pub mod cli;
pub mod export;
pub mod headless;
pub mod settings_file;
pub mod url;
