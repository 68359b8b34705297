//! The command line: its arguments, and the commands that need no window. The commands print text and write files; what
//! they print is computed by `sim`, `measure` and `recommend`.
//!
//! Only this layer, `files` and the window access files, threads and terminals.

pub mod address;
mod answer_json;
mod arguments;
mod capture;
mod compare;
mod console;
mod list;
mod run;
pub mod settings_file;
mod sweep;
pub mod threads;

pub use arguments::*;
pub use capture::{CaptureOptions, capture};
pub use compare::{CompareOptions, Compared, compare};
pub use list::list;
pub use run::{RunOptions, run};
pub use sweep::{Over, SweepOptions, sweep};
