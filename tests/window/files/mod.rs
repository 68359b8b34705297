//! The files that the window writes.

mod export;
mod screenshot;
