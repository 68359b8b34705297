//! The commands that need no window: `run`, `compare`, `sweep` and `list`. They print text and write files; the
//! experiments themselves are in `experiment`.

mod compare;
mod console;
mod list;
mod run;
mod sweep;

pub use compare::{CompareOptions, Compared, RankStyle, compare};
pub use list::list;
pub use run::{RunOptions, run};
pub use sweep::{Over, SweepOptions, sweep};
