//! Input: keys, their commands, the keyboard focus, and the response of a pass over the interface.

pub mod bindings;
pub mod focus;
pub mod keys;
pub mod response;
