//! Receives files that the user drops onto the window or the browser page.

use macroquad::input::get_dropped_files;
use macroquad::miniquad::window::{dropped_file_bytes, dropped_file_count, dropped_file_path};
use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedFile {
    /// The file name without its folder.
    pub name: String,
    pub bytes: Vec<u8>,
}

#[derive(Default)]
pub struct DropTarget {
    /// The paths in the previous call. On Windows, only a change of these paths shows that files have been dropped.
    previous_paths: Vec<PathBuf>,
}

impl DropTarget {
    /// Returns the files that the user has dropped since the last call. On X11 and Wayland, this works only with file
    /// managers that pass paths as plain text.
    pub fn take(&mut self) -> Vec<DroppedFile> {
        let reported = get_dropped_files().into_iter();
        let mut files: Vec<_> = reported
            .filter_map(|it| Some((it.path?, it.bytes?)))
            .collect();
        if cfg!(windows) {
            let count = dropped_file_count();
            let paths: Vec<_> = (0..count).filter_map(dropped_file_path).collect();
            if files.is_empty() && paths != self.previous_paths {
                let bytes = (0..count).filter_map(dropped_file_bytes);
                files = paths.iter().cloned().zip(bytes).collect();
            }
            self.previous_paths = paths;
        }
        let named = files.into_iter().map(|(path, bytes)| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            let name = name.to_string_lossy().into_owned();
            DroppedFile { name, bytes }
        });
        named.collect()
    }
}
