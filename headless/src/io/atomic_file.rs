//! Atomic file writes, and the errors of commands.

#[cfg(not(target_family = "wasm"))]
use super::export::NamedFile;
use crate::text::format::counted;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
#[cfg(not(target_family = "wasm"))]
use tempfile::{Builder, TempPath};

/// The error of a command, with its exit status.
#[derive(Debug)]
pub struct Failure {
    context: String,
    cause: io::Error,
    status: u8,
}

impl Failure {
    /// Creates the error of an operation on `path`, named by a verb such as `write`.
    #[must_use]
    pub fn at(verb: &str, path: &Path, cause: io::Error) -> Self {
        Self {
            context: format!("cannot {verb} {}", path.display()),
            cause,
            status: 1,
        }
    }

    /// Creates the error of a run that a signal ended after `frames` frames, before any file was complete.
    #[must_use]
    pub fn interrupted(signal: u8, frames: u64) -> Self {
        Self {
            context: format!("interrupted after {}", counted(frames, "frame")),
            cause: io::Error::new(
                io::ErrorKind::Interrupted,
                "the incomplete files were removed",
            ),
            status: 128 + signal,
        }
    }

    /// Returns the exit status: 128 plus the number of the signal, as in shells, or 1.
    #[must_use]
    pub fn status(&self) -> u8 {
        self.status
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.context, self.cause)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

/// Returns the path with every link followed, including a link to a file that does not exist yet. `None` if the folder
/// does not exist.
pub(crate) fn resolved(path: &Path) -> Option<PathBuf> {
    /// Most links that Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(existing) = path.canonicalize() {
            return Some(existing);
        }
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        match fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => return Some(folder.join(path.file_name()?)),
        }
    }
    None
}

/// The output of a command: standard output, or a file that gets its name only when it is complete.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    target: Target,
    closed: bool,
}

#[derive(Debug)]
enum Target {
    Stdout(BufWriter<io::Stdout>),
    /// A device or a pipe.
    Direct(BufWriter<File>),
    /// A file under a temporary name.
    Partial(Partial),
}

impl Output {
    /// Opens `path`; `-` is standard output. Follows links.
    ///
    /// # Errors
    /// If the path cannot be written.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let followed = resolved(path).unwrap_or_else(|| path.to_owned());
        let failed = |cause| Failure::at("write", path, cause);
        let target = if path == Path::new("-") {
            Target::Stdout(BufWriter::new(io::stdout()))
        } else if fs::metadata(path).is_ok_and(|it| !it.is_file()) {
            Target::Direct(BufWriter::new(File::create(path).map_err(failed)?))
        } else {
            Target::Partial(Partial::create(&followed).map_err(failed)?)
        };
        let path = if path == Path::new("-") {
            "standard output".into()
        } else {
            followed
        };
        Ok(Self {
            path,
            target,
            closed: false,
        })
    }

    /// Writes with `write`. A reader that leaves early, such as `| head`, is no error: the output is then closed and
    /// writes nothing more.
    ///
    /// # Errors
    /// If writing fails for another reason.
    pub fn write(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let writer: &mut dyn Write = match &mut self.target {
            Target::Stdout(stdout) => stdout,
            Target::Direct(file) => file,
            Target::Partial(partial) => partial.writer(),
        };
        if self.closed {
            return Ok(());
        }
        match write(writer) {
            Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            written => written.map_err(|cause| Failure::at("write", &self.path, cause)),
        }
    }

    /// True if the reader has left.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Flushes the output and gives the file its name.
    ///
    /// # Errors
    /// If flushing or renaming fails. No file of that name is then created or changed.
    pub fn complete(mut self) -> Result<(), Failure> {
        self.write(|writer| writer.flush())?;
        if let Target::Partial(partial) = self.target {
            let named = partial.complete(&self.path);
            named.map_err(|cause| Failure::at("write", &self.path, cause))?;
        }
        Ok(())
    }
}

/// Ending of temporary names.
#[cfg(not(target_family = "wasm"))]
const PARTIAL: &str = ".partial";

/// A file under a temporary name until it is complete. Dropping it before that deletes the file.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
struct Partial {
    file: BufWriter<File>,
    name: TempPath,
}

#[cfg(not(target_family = "wasm"))]
impl Partial {
    /// Creates the file next to `path`, with the default permissions. (Only the owner can read the files that tempfile
    /// creates itself.)
    fn create(path: &Path) -> io::Result<Self> {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let mut prefix = path.file_name().unwrap_or_default().to_owned();
        prefix.push(".");
        let (file, name) = Builder::new()
            .prefix(&prefix)
            .suffix(PARTIAL)
            .make_in(folder.unwrap_or(Path::new(".")), |it| File::create_new(it))?
            .into_parts();
        let file = BufWriter::new(file);
        Ok(Self { file, name })
    }

    fn writer(&mut self) -> &mut dyn Write {
        &mut self.file
    }

    /// Renames the file to `path`. Call after flushing.
    fn complete(self, path: &Path) -> io::Result<()> {
        self.file.get_ref().sync_all()?;
        Ok(self.name.persist(path)?)
    }
}

/// Never created, because a browser has no files.
#[cfg(target_family = "wasm")]
#[derive(Debug)]
enum Partial {}

#[cfg(target_family = "wasm")]
impl Partial {
    fn create(_path: &Path) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn writer(&mut self) -> &mut dyn Write {
        match *self {}
    }

    fn complete(self, _path: &Path) -> io::Result<()> {
        match self {}
    }
}

/// Writes a file completely or not at all; `-` is standard output.
///
/// # Errors
/// If the path cannot be written. An existing file is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    output.write(|writer| writer.write_all(bytes))?;
    output.complete()
}

/// Writes all of the files, or nothing, into a new folder in `parent`, and returns the folder. Its name is `stem`; if
/// that name is taken, `stem-2`, then `stem-3` and so on.
///
/// # Errors
/// If a file cannot be written. No folder is then left behind.
#[cfg(not(target_family = "wasm"))]
pub fn write_folder(parent: &Path, stem: &str, files: &[NamedFile]) -> Result<PathBuf, Failure> {
    let failed = |path: &Path, cause| Failure::at("write", path, cause);
    let partial = Builder::new()
        .prefix(&format!("{stem}."))
        .suffix(PARTIAL)
        .tempdir_in(parent)
        .map_err(|cause| failed(&parent.join(stem), without_path(&cause)))?;
    for file in files {
        let written = File::create(partial.path().join(&file.name)).and_then(|mut out| {
            out.write_all(&file.bytes)?;
            out.sync_all()
        });
        written.map_err(|cause| failed(&parent.join(stem).join(&file.name), cause))?;
    }
    let folder = free_name(parent, stem, "");
    fs::rename(partial.path(), &folder).map_err(|cause| failed(&folder, cause))?;
    let _ = partial.keep(); // already renamed
    Ok(folder)
}

/// Removes the temporary path from an error of tempfile, because that path means nothing to users.
#[cfg(not(target_family = "wasm"))]
fn without_path(cause: &io::Error) -> io::Error {
    let text = cause.to_string();
    let plain = text.split(" at path ").next().unwrap_or_default();
    io::Error::new(cause.kind(), plain)
}

/// Returns an unused path in `folder`. The name is `stem` with `ending`; if that is taken, `stem-2` with `ending`, then
/// `stem-3` and so on.
#[must_use]
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

    #[test]
    fn an_incomplete_file_keeps_the_previous_contents() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("frames.csv");
        write_whole(&path, b"before").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write(|writer| writer.write_all(b"half")).unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "no other file");
        write_whole(&path, b"after").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
    }

    #[cfg(unix)]
    #[test]
    fn writing_to_a_link_writes_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let (file, link) = (folder.join("file"), folder.join("link"));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        // The first time, the target does not exist yet.
        for text in ["first", "after"] {
            write_whole(&link, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert!(link.symlink_metadata().unwrap().is_symlink());
        }
    }

    #[cfg(unix)]
    #[test]
    fn files_and_folders_get_default_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        let mode = |name: &str| {
            fs::metadata(parent.join(name))
                .unwrap()
                .permissions()
                .mode()
        };
        File::create(parent.join("default")).unwrap();
        fs::create_dir(parent.join("default-folder")).unwrap();
        write_whole(&parent.join("file"), b"").unwrap();
        write_folder(parent, "lab", &[NamedFile::new("file", "")]).unwrap();
        assert_eq!(mode("file"), mode("default"));
        assert_eq!(mode("lab/file"), mode("default"));
        assert_eq!(mode("lab"), mode("default-folder"));
    }

    #[test]
    fn errors_name_the_file() {
        let error = write_whole(Path::new("/nowhere/at/all.csv"), b"")
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("cannot write /nowhere/at/all.csv: "),
            "{error}"
        );
    }

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_new_folder_takes_the_next_free_name() {
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        fs::write(parent.join("lab-7-2"), b"a file of that name").unwrap();
        fs::create_dir(parent.join("lab-7-3")).unwrap(); // because it is empty, a rename would replace it
        let files = [NamedFile::new("a.txt", "one"), NamedFile::new("b.txt", "")];
        for name in ["lab-7", "lab-7-4", "lab-7-5"] {
            let written = write_folder(parent, "lab-7", &files).unwrap();
            assert_eq!(written, parent.join(name));
            assert_eq!(names_in(&written), ["a.txt", "b.txt"]);
            assert_eq!(fs::read(written.join("a.txt")).unwrap(), b"one");
        }
        let all = ["lab-7", "lab-7-2", "lab-7-3", "lab-7-4", "lab-7-5"];
        assert_eq!(names_in(parent), all, "no other folder");
    }

    #[test]
    fn an_incomplete_folder_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        let files = [
            NamedFile::new("a.txt", "one"),
            NamedFile::new("no/such/folder", ""),
        ];
        let error = write_folder(parent, "lab", &files).unwrap_err().to_string();
        let file = parent.join("lab/no/such/folder");
        let start = format!("cannot write {}: ", file.display());
        assert!(error.starts_with(&start), "{error}");
        assert!(names_in(parent).is_empty());
        let error = write_folder(Path::new("/nowhere"), "lab", &[])
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("cannot write /nowhere/lab: "), "{error}");
        assert!(!error.contains(PARTIAL), "{error}");
    }
}
