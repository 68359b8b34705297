//! Writes files under temporary names until they are complete. Also defines the error type of the commands.

use super::export::NamedFile;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// The reason for which the program ends early: an error, or that only its help or its version was wanted.
#[derive(Debug)]
pub struct Failure {
    message: String,
    /// The exit status of the program: 0 for the help and the version, 1 if a file cannot be read or written, 2 for an
    /// invalid argument or an invalid file, and [`Failure::INTERRUPTED`].
    pub status: u8,
}

impl Failure {
    /// The exit status after Ctrl+C or another request to exit. As in shells, it is 128 plus the number of SIGINT.
    pub const INTERRUPTED: u8 = 130;

    pub fn new(message: String, status: u8) -> Self {
        Self { message, status }
    }

    #[expect(clippy::needless_pass_by_value)] // callers own the error
    pub fn write(path: &Path, cause: io::Error) -> Self {
        Self::new(format!("cannot write {}: {cause}", path.display()), 1)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Resolves symbolic links. The file need not exist, but if its folder does not exist, the path is returned unchanged.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = folder_of(path).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let resolved = path.canonicalize().ok().or_else(in_folder);
    resolved.unwrap_or_else(|| path.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Returns true if the path exists but is not a regular file, such as `/dev/null`, or `NUL` on Windows.
fn is_device(path: &Path) -> bool {
    let is_null = cfg!(windows) && path.as_os_str().eq_ignore_ascii_case("NUL");
    is_null || fs::metadata(path).is_ok_and(|it| !it.is_file())
}

/// Returns true if the program that read a pipe has closed it, as `head` does.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    // The standard library has no kind for this Windows error.
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}

/// Standard output or a file. A file has a temporary name until it is complete, and is deleted if dropped before that.
pub struct Output {
    /// The name by which error messages refer to the output.
    name: PathBuf,
    writer: BufWriter<Box<dyn Write>>,
    /// The temporary file that is renamed at the end, and the path that it then gets. `None` for standard output and
    /// devices.
    partial: Option<(NamedTempFile<File>, PathBuf)>,
    /// Whether the program that reads the output has closed it, as `head` does.
    pub is_closed: bool,
}

const PARTIAL: &str = ".partial";

impl Output {
    /// Opens a file for writing, or standard output if `path` is `-`. Symbolic links are followed.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let failed = |cause| Failure::write(path, cause);
        let mut partial = None;
        let (name, writer): (&Path, Box<dyn Write>) = if path == Path::new("-") {
            (Path::new("standard output"), Box::new(io::stdout()))
        } else if is_device(path) {
            let device = File::options().write(true).open(path); // a device cannot be truncated
            (path, Box::new(device.map_err(failed)?))
        } else {
            let target = resolved(path);
            let file = partial_file(&target).map_err(failed)?;
            let writer = file.as_file().try_clone().map_err(failed)?;
            partial = Some((file, target));
            (path, Box::new(writer))
        };
        Ok(Self {
            name: name.to_owned(),
            writer: BufWriter::new(writer),
            partial,
            is_closed: false,
        })
    }

    /// Calls `write` with the output. If the reader of a pipe has closed it, this and later calls do nothing.
    pub fn write(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if self.is_closed {
            return Ok(());
        }
        match write(&mut self.writer) {
            Err(cause) if is_closed_pipe(&cause) => {
                self.is_closed = true;
                Ok(())
            }
            written => written.map_err(|cause| Failure::write(&self.name, cause)),
        }
    }

    /// Flushes the output and gives the file its final name. On failure, no file with this name is created or changed.
    pub fn complete(mut self) -> Result<(), Failure> {
        self.write(|writer| writer.flush())?;
        let Some((partial, target)) = self.partial else {
            return Ok(());
        };
        let synced = partial.as_file().sync_all();
        let named = synced.and_then(|()| Ok(partial.persist(target)?));
        named
            .map(drop)
            .map_err(|cause| Failure::write(&self.name, cause))
    }
}

/// Creates a temporary file next to `path`. It has default permissions, because `tempfile` alone would make it private.
fn partial_file(path: &Path) -> io::Result<NamedTempFile<File>> {
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    Builder::new()
        .prefix(&prefix)
        .suffix(PARTIAL)
        .make_in(folder_of(path), |it| File::create_new(it))
}

/// Writes a file completely or not at all. If `path` is `-`, writes to standard output.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    output.write(|writer| writer.write_all(bytes))?;
    output.complete()
}

/// Writes all files into a new folder in `parent`, and returns the path of the folder. If this fails, the folder is
/// removed. The name of the folder is `stem` or, if that name is taken, `stem-2`, `stem-3` and so on.
pub fn write_folder(parent: &Path, stem: &str, files: &[NamedFile]) -> Result<PathBuf, Failure> {
    let folder = free_name(parent, stem, "");
    fs::create_dir(&folder).map_err(|cause| Failure::write(&folder, cause))?;
    for file in files {
        if let Err(failure) = write_whole(&folder.join(&file.name), &file.bytes) {
            let _ = fs::remove_dir_all(&folder);
            return Err(failure);
        }
    }
    Ok(folder)
}

/// Returns an unused path in `folder`: `stem` plus `ending` or, if that is taken, `stem-2` plus `ending`, and so on.
pub fn free_name(folder: &Path, stem: &str, ending: &str) -> PathBuf {
    let names = (1u32..).map(|number| match number {
        1 => format!("{stem}{ending}"),
        _ => format!("{stem}-{number}{ending}"),
    });
    let mut paths = names.map(|name| folder.join(name));
    paths
        .find(|path| path.symlink_metadata().is_err())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn an_incomplete_file_keeps_the_previous_contents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames.csv");
        write_whole(&path, b"before").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write(|writer| writer.write_all(b"half")).unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(names_in(folder.path()), ["frames.csv"]);
        let error = write_whole(Path::new("/nowhere/at/all.csv"), b"").unwrap_err();
        let start = "cannot write /nowhere/at/all.csv: ";
        assert!(error.to_string().starts_with(start), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_default_permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        let mode = |name: &str| {
            let metadata = fs::metadata(parent.join(name)).unwrap();
            metadata.permissions().mode()
        };
        File::create(parent.join("default")).unwrap();
        fs::create_dir(parent.join("default-folder")).unwrap();
        write_whole(&parent.join("file"), b"before").unwrap();
        write_folder(parent, "lab", &[NamedFile::new("file", "")]).unwrap();
        assert_eq!(mode("file"), mode("default"));
        assert_eq!(mode("lab/file"), mode("default"));
        assert_eq!(mode("lab"), mode("default-folder"));

        let link = parent.join("link");
        std::os::unix::fs::symlink(parent.join("file"), &link).unwrap();
        write_whole(&link, b"after").unwrap();
        assert_eq!(fs::read(parent.join("file")).unwrap(), b"after");
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn a_new_folder_takes_the_next_free_name() {
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        fs::write(parent.join("lab-7-2"), b"a file of that name").unwrap();
        fs::create_dir(parent.join("lab-7-3")).unwrap(); // because it is empty, a rename would replace it
        let files = [NamedFile::new("a.txt", "one"), NamedFile::new("b.txt", "")];
        for name in ["lab-7", "lab-7-4"] {
            let written = write_folder(parent, "lab-7", &files).unwrap();
            assert_eq!(written, parent.join(name));
            assert_eq!(names_in(&written), ["a.txt", "b.txt"]);
            assert_eq!(fs::read(written.join("a.txt")).unwrap(), b"one");
        }
        let all = ["lab-7", "lab-7-2", "lab-7-3", "lab-7-4"];
        assert_eq!(names_in(parent), all, "no other folder");
    }

    #[test]
    fn an_incomplete_folder_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        let files = ["a.txt", "no/such/folder"].map(|name| NamedFile::new(name, "one"));
        let error = write_folder(parent, "lab", &files).unwrap_err().to_string();
        let file = parent.join("lab").join("no/such/folder");
        let start = format!("cannot write {}: ", file.display());
        assert!(
            error.starts_with(&start) && !error.contains(PARTIAL),
            "{error}"
        );
        assert!(names_in(parent).is_empty());
    }
}
