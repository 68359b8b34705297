//! Handles input: splits events into batches, binds keys to commands, and tracks keyboard focus.

pub mod batches;
pub mod bindings;
pub mod keys;
pub mod output;
