//! What is written of frames for other programs: tables and traces.
//!
//! `run`, `compare` and the window write the same of the same, since they all write it with this. Files are no
//! affair of it: it makes bytes.

mod csv;
mod snapshot;
pub mod trace;
mod zip;

pub use csv::{FRAMES_HEADER, frame_row};
pub use snapshot::Extract;
pub use zip::zipped;

/// A file to be: what it is called, and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name, without a folder.
    pub name: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

impl Named {
    /// A file of that name.
    #[must_use]
    pub fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.to_owned(),
            bytes: bytes.into(),
        }
    }
}
