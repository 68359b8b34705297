//! The commands that need no window.

mod compare;
mod list;
mod output;
mod run;

pub use compare::{CompareOptions, compare};
pub use list::list;
pub use output::write_whole;
pub use run::{Length, RunOptions, run};

use std::fmt;
use std::io;
use std::path::Path;

/// Why a command could not do what it was asked to.
#[derive(Debug)]
pub struct Failure {
    what: String,
    cause: io::Error,
}

impl Failure {
    /// Reading or writing `path` failed; `verb` says what was tried, as in `write`.
    #[must_use]
    pub fn at(verb: &str, path: &Path, cause: io::Error) -> Self {
        Self {
            what: format!("cannot {verb} {}", path.display()),
            cause,
        }
    }

    /// Whether nobody reads our output any more, as behind `| head`: an end, and no fault.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        self.cause.kind() == io::ErrorKind::BrokenPipe
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
