//! Handles input: binds keys to commands, and tracks keyboard focus.

pub mod bindings;
pub mod keys;
pub mod output;
