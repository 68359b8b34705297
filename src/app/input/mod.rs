//! Input: keys, what each of them does, and what a pass over the interface brings.

pub mod bindings;
pub mod focus;
pub mod keys;
pub mod response;
