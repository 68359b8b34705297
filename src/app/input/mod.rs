//! Input: keys, their commands, the keyboard focus, and the result of laying out the interface.

pub mod bindings;
pub mod focus;
pub mod keys;
pub mod response;
