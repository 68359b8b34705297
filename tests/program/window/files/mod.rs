//! Files that the window writes.

mod export;
mod recording;
mod saves;
mod screenshot;
