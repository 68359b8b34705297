//! Input and output: the command line and its commands, charts, exported files, and settings that are stored in files
//! and web addresses.
//!
//! Only this layer and the window access files, threads and terminals.

// The web page cannot record, so it need not download the encoder.
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
