//! The commands without a window: `run`, `compare` and `list`. They print and write files; the experiments are in
//! `experiment`.

mod compare;
mod list;
mod run;

pub use compare::{CompareOptions, RankStyle, advice, compare, comparison_text};
pub use list::list;
pub use run::{RunOptions, run};
