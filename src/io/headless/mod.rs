//! The commands that need no window.

mod compare;
mod interrupt;
mod list;
mod progress;
mod run;

pub use compare::{
    CompareOptions, RankStyle, compare, comparison_json, comparison_table, comparison_text,
};
pub use list::list;
pub use run::{RunOptions, run};
