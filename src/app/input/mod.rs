//! Input: batches of events, keys, their commands, the keyboard focus, and the result of laying out the interface.

pub mod batches;
pub mod bindings;
pub mod keys;
pub mod response;
