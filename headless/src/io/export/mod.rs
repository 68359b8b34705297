//! Exports of frames for other programs: CSV tables, traces, ZIP archives.
//!
//! `run`, `compare` and the window share these functions, so equal frames give equal bytes. Nothing here opens a file.

mod csv;
mod snapshot;
pub mod trace;
mod zip;

pub use csv::{FRAMES_HEADER, frame_row};
pub use snapshot::Snapshot;
pub use zip::zip_archive;

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Name without a folder.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

impl NamedFile {
    /// Creates a file with these contents.
    pub fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.to_owned(),
            bytes: bytes.into(),
        }
    }
}
