//! Receives files that the user drops onto the window or the browser page.

use std::io;
use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedFile {
    /// The file name without its folder.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Returns the files that the user has dropped since the last call. On X11 and Wayland, this works only with file managers
/// that pass paths as plain text, and ignores folders.
///
/// # Errors
/// Returns a message for the user if a file cannot be read, for example because it is a folder.
pub fn take_dropped() -> Result<Vec<DroppedFile>, String> {
    let files = reported().map(|(path, bytes)| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        match bytes {
            Ok(bytes) => Ok(DroppedFile { name, bytes }),
            Err(_) if path.is_dir() => Err(format!("{name} is a folder; drop a file instead")),
            Err(error) => Err(format!("cannot read {name}: {error}")),
        }
    });
    files.collect()
}

#[cfg(not(windows))]
fn reported() -> impl Iterator<Item = (PathBuf, io::Result<Vec<u8>>)> {
    let files = macroquad::input::get_dropped_files().into_iter();
    files.filter_map(|file| Some((file.path?, Ok(file.bytes?))))
}

#[cfg(windows)]
fn reported() -> impl Iterator<Item = (PathBuf, io::Result<Vec<u8>>)> {
    let paths = super::windows::take_dropped().into_iter();
    paths.map(|path| {
        let bytes = std::fs::read(&path);
        (path, bytes)
    })
}
