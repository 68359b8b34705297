//! Files that are either written whole or not at all, and what can go wrong with them.

#[cfg(not(target_family = "wasm"))]
use super::export::NamedFile;
use crate::text::format::counted;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
#[cfg(not(target_family = "wasm"))]
use tempfile::{Builder, TempPath};

/// Why a command could not do what it was asked to.
#[derive(Debug)]
pub struct Failure {
    what: String,
    cause: io::Error,
    status: u8,
}

impl Failure {
    /// Reading or writing `path` failed; `verb` says what was tried, as in `write`.
    #[must_use]
    pub fn at(verb: &str, path: &Path, cause: io::Error) -> Self {
        Self {
            what: format!("cannot {verb} {}", path.display()),
            cause,
            status: 1,
        }
    }

    /// A signal ended it after so many frames, before any file was complete.
    #[must_use]
    pub fn interrupted(signal: u8, frames: u64) -> Self {
        Self {
            what: format!("interrupted after {}", counted(frames, "frame")),
            cause: io::Error::new(
                io::ErrorKind::Interrupted,
                "no file was complete, so none is left",
            ),
            status: 128 + signal,
        }
    }

    /// The status that the program ends with, as shells have it: 128 and the signal that ended it, else 1.
    #[must_use]
    pub fn status(&self) -> u8 {
        self.status
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.cause)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

/// Where a file is, or would be, with every link on the way followed, also one to nothing yet; none where that is
/// nowhere.
pub(crate) fn resolved(path: &Path) -> Option<PathBuf> {
    /// As many links as an operating system follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(there) = path.canonicalize() {
            return Some(there);
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

/// Where a command writes to: standard output, or a file that gets its name only when it is complete.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    target: Target,
    closed: bool,
}

#[derive(Debug)]
enum Target {
    Stdout(BufWriter<io::Stdout>),
    /// Devices and pipes are written to as they are.
    Direct(BufWriter<File>),
    /// Under another name until it is complete.
    Partial(Partial),
}

impl Output {
    /// Opens `path`; `-` is standard output. A link is followed.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let followed = resolved(path).unwrap_or_else(|| path.to_owned());
        let failed = |cause| Failure::at("write", path, cause);
        let target = if path == Path::new("-") {
            Target::Stdout(BufWriter::new(io::stdout()))
        } else if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
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

    /// Writes with `write`. Where nobody reads any more, as behind `| head`, nothing is written, which is
    /// an end and no fault: see [`Output::is_closed`].
    ///
    /// # Errors
    /// What goes wrong, with the file's name.
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

    /// Whether nobody reads any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Everything is written: the file gets its name.
    ///
    /// # Errors
    /// Where the last of it cannot be written; then there is no file under that name.
    pub fn complete(mut self) -> Result<(), Failure> {
        self.write(|writer| writer.flush())?;
        if let Target::Partial(partial) = self.target {
            let named = partial.complete(&self.path);
            named.map_err(|cause| Failure::at("write", &self.path, cause))?;
        }
        Ok(())
    }
}

/// The ending of a temporary name.
#[cfg(not(target_family = "wasm"))]
const PARTIAL: &str = ".partial";

/// A file under a temporary name until it is complete. If it is dropped before that, it is removed.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
struct Partial {
    file: BufWriter<File>,
    name: TempPath,
}

#[cfg(not(target_family = "wasm"))]
impl Partial {
    /// Creates the file beside `path`, with the permissions of any new file. (Files that tempfile creates itself can
    /// only be read by their owner.)
    fn create(path: &Path) -> io::Result<Self> {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let mut start = path.file_name().unwrap_or_default().to_owned();
        start.push(".");
        let (file, name) = Builder::new()
            .prefix(&start)
            .suffix(PARTIAL)
            .make_in(folder.unwrap_or(Path::new(".")), |it| File::create_new(it))?
            .into_parts();
        let file = BufWriter::new(file);
        Ok(Self { file, name })
    }

    fn writer(&mut self) -> &mut dyn Write {
        &mut self.file
    }

    /// Gives the file its name, `path`, after everything is flushed.
    fn complete(self, path: &Path) -> io::Result<()> {
        self.file.get_ref().sync_all()?;
        Ok(self.name.persist(path)?)
    }
}

/// A browser has no files, so none is ever created.
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

/// Writes a file whole or not at all; `-` is standard output.
///
/// # Errors
/// Where it cannot be written; whatever stood there before is as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    output.write(|writer| writer.write_all(bytes))?;
    output.complete()
}

/// Writes files into a new folder `stem` in `parent`, all of them or nothing; where there is something of that
/// name, into `stem-2` and so on. Returns the folder.
///
/// # Errors
/// Where it cannot be written; then nothing is left of it.
#[cfg(not(target_family = "wasm"))]
pub fn write_folder(parent: &Path, stem: &str, files: &[NamedFile]) -> Result<PathBuf, Failure> {
    let failed = |path: &Path, cause| Failure::at("write", path, cause);
    let partial = Builder::new()
        .prefix(&format!("{stem}."))
        .suffix(PARTIAL)
        .tempdir_in(parent)
        .map_err(|cause| failed(&parent.join(stem), of_the_system(&cause)))?;
    for file in files {
        let written = File::create(partial.path().join(&file.name)).and_then(|mut out| {
            out.write_all(&file.bytes)?;
            out.sync_all()
        });
        written.map_err(|cause| failed(&parent.join(stem).join(&file.name), cause))?;
    }
    let folder = free_name(parent, stem, "");
    fs::rename(partial.path(), &folder).map_err(|cause| failed(&folder, cause))?;
    let _ = partial.keep(); // under its new name
    Ok(folder)
}

/// An error of tempfile without the temporary path, which means nothing to users.
#[cfg(not(target_family = "wasm"))]
fn of_the_system(cause: &io::Error) -> io::Error {
    let text = cause.to_string();
    let plain = text.split(" at path ").next().unwrap_or_default();
    io::Error::new(cause.kind(), plain)
}

/// `stem` with `ending` in `folder`; `stem-2` and so on where there is something of that name.
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
    fn an_incomplete_file_leaves_what_stood_there_before() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("frames.csv");
        write_whole(&path, b"before").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write(|writer| writer.write_all(b"half")).unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(
            fs::read_dir(folder).unwrap().count(),
            1,
            "nothing else is left"
        );
        write_whole(&path, b"after").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_points_to_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let (file, link) = (folder.join("file"), folder.join("link"));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        // Also where it points to nothing yet.
        for text in ["first", "after"] {
            write_whole(&link, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert!(link.symlink_metadata().unwrap().is_symlink());
        }
    }

    #[cfg(unix)]
    #[test]
    fn files_and_folders_get_the_usual_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        let mode = |name: &str| {
            fs::metadata(parent.join(name))
                .unwrap()
                .permissions()
                .mode()
        };
        File::create(parent.join("usual")).unwrap();
        fs::create_dir(parent.join("usual-folder")).unwrap();
        write_whole(&parent.join("file"), b"").unwrap();
        write_folder(parent, "lab", &[NamedFile::new("file", "")]).unwrap();
        assert_eq!(mode("file"), mode("usual"));
        assert_eq!(mode("lab/file"), mode("usual"));
        assert_eq!(mode("lab"), mode("usual-folder"));
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
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
    fn a_folder_takes_the_next_free_name_and_nothing_is_written_over() {
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        fs::write(parent.join("lab-7-2"), b"a file of that name").unwrap();
        fs::create_dir(parent.join("lab-7-3")).unwrap(); // empty: a rename would take it
        let files = [NamedFile::new("a.txt", "one"), NamedFile::new("b.txt", "")];
        for name in ["lab-7", "lab-7-4", "lab-7-5"] {
            let written = write_folder(parent, "lab-7", &files).unwrap();
            assert_eq!(written, parent.join(name));
            assert_eq!(names_in(&written), ["a.txt", "b.txt"]);
            assert_eq!(fs::read(written.join("a.txt")).unwrap(), b"one");
        }
        let all = ["lab-7", "lab-7-2", "lab-7-3", "lab-7-4", "lab-7-5"];
        assert_eq!(names_in(parent), all, "nothing else is left");
    }

    #[test]
    fn of_a_folder_that_cannot_be_completed_nothing_is_left() {
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
