//! Input handling: event batches, keys and their commands, the keyboard focus, and what a layout reports.

pub mod batches;
pub mod bindings;
pub mod keys;
pub mod output;
