//! Files that are either written whole or not at all.

use super::Failure;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where a command writes to: standard output, or a file that gets its name only when it is complete.
pub(super) struct Output {
    path: PathBuf,
    target: Target,
}

enum Target {
    Stdout(BufWriter<io::Stdout>),
    /// Devices and pipes are written to as they are.
    Direct(BufWriter<File>),
    /// Under another name until it is complete.
    Partial(BufWriter<File>, PathBuf),
}

impl Output {
    /// Opens `path`; `-` is standard output.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let failed = |cause| Failure::at("write", path, cause);
        let target = if path == Path::new("-") {
            Target::Stdout(BufWriter::new(io::stdout()))
        } else if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            Target::Direct(BufWriter::new(File::create(path).map_err(failed)?))
        } else {
            let partial = partial_path(path);
            Target::Partial(
                BufWriter::new(File::create(&partial).map_err(failed)?),
                partial,
            )
        };
        Ok(Self {
            path: path.to_owned(),
            target,
        })
    }

    /// Writes with `write`; what goes wrong is told with the file's name.
    pub(super) fn write(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let writer: &mut dyn Write = match &mut self.target {
            Target::Stdout(stdout) => stdout,
            Target::Direct(file) | Target::Partial(file, _) => file,
        };
        write(writer).map_err(|cause| Failure::at("write", &self.path, cause))
    }

    /// Everything is written: the file gets its name.
    pub(super) fn complete(mut self) -> Result<(), Failure> {
        self.write(|writer| writer.flush())?;
        if let Target::Partial(file, partial) = &mut self.target {
            let named = file
                .get_ref()
                .sync_all()
                .and_then(|()| fs::rename(partial, &self.path));
            named.map_err(|cause| Failure::at("write", &self.path, cause))?;
        }
        Ok(())
    }
}

impl Drop for Output {
    /// An incomplete file is taken away. (A complete one has another name by now.)
    fn drop(&mut self) {
        if let Target::Partial(_, partial) = &self.target {
            let _ = fs::remove_file(partial); // nothing is lost where it cannot be
        }
    }
}

fn partial_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    // With our number, so that it is nobody else's file.
    name.push(format!(".{}.partial", std::process::id()));
    name.into()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("timeslice-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn an_incomplete_file_leaves_what_stood_there_before() {
        let folder = folder("incomplete");
        let path = folder.join("frames.csv");
        write_whole(&path, b"before").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write(|writer| writer.write_all(b"half")).unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            1,
            "nothing else is left"
        );
        write_whole(&path, b"after").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
        fs::remove_dir_all(folder).unwrap();
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
}
