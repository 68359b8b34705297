//! Input and output: the command line and its commands, files, exports, and settings in addresses and files.
//!
//! Only this layer and the window use files, threads and terminals.

// A page records nothing, and would have to download the encoder.
#[cfg(not(target_family = "wasm"))]
pub mod animation;
pub mod atomic_file;
pub mod charts;
pub mod cli;
pub mod commands;
pub mod costs_file;
pub mod export;
pub mod settings_file;
pub mod threads;
pub mod url;
