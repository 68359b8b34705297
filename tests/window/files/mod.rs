//! Files that the window writes.

mod export;
mod screenshot;
